"""Package managers of systems but Debian's."""

from __future__ import annotations

from dataclasses import replace

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

DNF_FLAGS = (
    "-y --assumeyes -q --quiet -v --verbose -C --cacheonly --nogpgcheck --best --allowerasing --refresh "
    "--skip-broken --nobest --installed --available --upgrades --all --extras --recent --obsoletes --security "
    "--bugfix --showduplicates --whatrequires --requires --list --info --provides --tree -l -i --deplist "
    "--recursive --resolve --queryformat --userinstalled --duplicates --unneeded --noplugins --installonly "
    "--latest-limit --hidden --ids"
)
DNF_VALUED = "--enablerepo --disablerepo --repo --releasever --arch --qf --whatprovides --exclude -x"
DNF_READS = row("packages", flags=DNF_FLAGS, valued=DNF_VALUED)
DNF_INSTALLS = row(
    "packages",
    does="install",
    flags=f"{DNF_FLAGS} --setopt --downloadonly --allow-downgrade",
    valued=f"{DNF_VALUED}",
    tells="--assumeno",
)
DNF = tree(
    "packages",
    {
        **rows(
            "list, info, search, provides, whatprovides, repolist, repoinfo, repoquery, check-update, check, "
            "deplist, group list, grouplist, group info, groupinfo, module list, module info, history list, "
            "history info, history, updateinfo, updateinfo list, updateinfo info, leaves, changelog, alias list, "
            "help",
            DNF_READS,
        ),
        **rows(
            "install, remove, erase, update, upgrade, reinstall, downgrade, autoremove, groupinstall, group "
            "install, group remove, module enable, module disable, module install, clean, makecache, distro-sync, "
            "swap, builddep, download, config-manager, copr enable, mark",
            DNF_INSTALLS,
        ),
        **rows("history undo, history rollback", "packages", does="install", flags=DNF_FLAGS),
    },
    flags=DNF_FLAGS,
    valued=DNF_VALUED,
)
BREW_FLAGS = (
    "-q --quiet -v --verbose --formula --formulae --cask --casks --versions --json --installed --all --full-name "
    "--tree --topological -1 -l -r -t --pinned --multiple --leaves --installed-on-request "
    "--installed-as-dependency --desc --eval-all --include-build --include-test --declared --direct --annotate "
    "--union --recursive --missing --github --analytics -d --debug -g --greedy --greedy-latest "
    "--greedy-auto-updates --open --closed --sizes --poured-from-bottle -s --variations -n"
)
BREW_READS = row("packages", flags=BREW_FLAGS, valued="--days --category --os --arch --hide")
BREW_INSTALLS = row(
    "packages",
    does="install",
    flags="-q --quiet -v --verbose -f --force --cask --formula --HEAD --build-from-source -s --ignore-dependencies "
    "--overwrite --zap --greedy -g --no-quarantine --fetch-HEAD --only-dependencies --auto-update --merge "
    "--preinstall --adopt --skip-post-install --display-times --all --no-upgrade --cleanup --no-lock --global "
    "--force-bottle --require-sha --appdir -d --debug",
    valued="--prune --cc --file",
    tells="-n --dry-run",
)
BREW = tree(
    "packages",
    {
        **rows(
            "list, ls, info, abv, desc, deps, uses, outdated, leaves, config, doctor, dr, cat, formulae, "
            "casks, tap-info, log, livecheck, commands, missing, options, services list, services info, services, "
            "bundle check, bundle list, --cache, --prefix, --repository, --cellar, --caskroom, --env, shellenv, "
            "formula, analytics state, audit",
            BREW_READS,
        ),
        "search": replace(BREW_READS, remote="words"),
        "tap": row(
            "packages",
            flags="-q",
            changes={"--force": "install", "--repair": "install", "--custom-remote": "install"},
            most=0,
        ),
        **rows(
            "install, uninstall, remove, rm, reinstall, upgrade, update, up, cleanup, autoremove, link, ln, "
            "unlink, pin, unpin, untap, fetch, bundle, bundle install, bundle dump, bundle cleanup, postinstall, "
            "migrate, unpack, vendor-install",
            BREW_INSTALLS,
        ),
        **rows(
            "services start, services stop, services restart, services run, services kill, services cleanup",
            "packages",
            does="unknown",
            flags="--all -v --verbose",
        ),
    },
    flags="-v",
)
APK = tree(
    "packages",
    {
        **rows(
            "info, search, list, policy, stats, version, dot",
            "packages",
            flags="-v -vv -a --all -d --description -e -x --exact -I --installed -u --upgradable -o --origin -L "
            "--contents -R --depends -r --rdepends -w -s -q --quiet -P --provides -W",
            valued="",
        ),
        **rows(
            "add, del, update, upgrade, fix, fetch, cache clean",
            "packages",
            does="install",
            flags="--no-cache -U --update-cache -q --quiet -u --upgrade -l --latest --purge -v --force-overwrite "
            "--no-progress --allow-untrusted",
            valued="-t --virtual -X --repository",
            tells="-s --simulate",
        ),
    },
    flags="-q --quiet -v -U --no-cache --no-progress",
)
ZYPPER_FLAGS = (
    "-n --non-interactive -q --quiet -v --verbose -y --no-confirm --no-refresh -i --installed-only -u "
    "--uninstalled-only -s --details -x --match-exact --no-recommends --recommends -l --auto-agree-with-licenses "
    "--no-gpg-checks -f --force --dry-run -D"
)
ZYPPER = tree(
    "packages",
    {
        **rows(
            "search, se, info, if, repos, lr, list-updates, lu, list-patches, lp, packages, pa, patterns, pt, "
            "services, ls, locks, ll, what-provides, wp, patch-check, products",
            "packages",
            flags=ZYPPER_FLAGS,
            valued="-r --repo -t --type",
        ),
        **rows(
            "install, in, remove, rm, update, up, patch, dist-upgrade, dup, refresh, ref, addrepo, ar, removerepo, "
            "rr, clean, verify",
            "packages",
            does="install",
            flags=ZYPPER_FLAGS.removesuffix(" --dry-run -D"),
            valued="-r --repo -t --type --from",
            tells="-D --dry-run",
        ),
    },
    flags="-n --non-interactive -q --quiet -v --verbose --no-refresh",
)
STORE_FLAGS = (
    "--all -a --color --classic --user --system -y --yes --assumeyes -v --verbose --runtime --app --edge --beta "
    "--candidate --stable --dangerous --devmode --unset --abs-time --columns --show-details -d -u -r -m "
    "--noninteractive --delete-data --purge --revision --channel"
)
SNAP = tree(
    "packages",
    {
        **rows(
            "list, find, info, changes, connections, interfaces, services, version, search, tasks, known, model, "
            "remotes, remote-ls, remote-info, history",
            "packages",
            flags=STORE_FLAGS,
        ),
        **rows(
            "install, remove, uninstall, refresh, update, revert, enable, disable, remote-add, remote-delete",
            "packages",
            does="install",
            flags=STORE_FLAGS,
        ),
    },
)


PROGRAMS: dict[str, Handler] = {
    **rows("dnf yum", DNF),
    "apk": APK,
    "zypper": ZYPPER,
    **rows("snap", SNAP),
}

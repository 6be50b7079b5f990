"""Packages of Debian: apt, dpkg and what stands beside them."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

APT_SHOWN = (
    "-q -qq --quiet -a --all-versions -i --installed -u --upgradable --upgradeable -v --verbose --names-only -n -f "
    "--full -t --no-all-versions -c --important --recurse -g --generate --manual-installed --residual-config"
)
APT_ASKED = (
    "-y --yes --assume-yes -q -qq --quiet --no-install-recommends --install-recommends --no-install-suggests -f "
    "--fix-broken -m --fix-missing --reinstall --only-upgrade --allow-downgrades --allow-unauthenticated "
    "--no-upgrade --auto-remove --autoremove --purge -V --verbose-versions -d --download-only -u --show-upgraded "
    "--allow-change-held-packages --allow-releaseinfo-change --no-remove --trivial-only -b --build"
)
APT_SIMULATED = {
    "-s": "",
    "--simulate": "",
    "--dry-run": "",
    "--just-print": "",
    "--no-act": "",
    "--recon": "",
    "--print-uris": "",
}
APT_READS = row(
    "packages",
    flags=APT_SHOWN,
    valued="-t --target-release -S --section",
    loads="-o --option -c --config-file",
)
APT_INSTALLS = row(
    "packages",
    does="install",
    flags=APT_ASKED,
    valued="-t --target-release",
    milder=APT_SIMULATED,
    loads="-o --option -c --config-file",
)
APT_PURGES = row(
    "packages",
    does="unknown",
    flags=APT_ASKED,
    valued="-t --target-release",
    milder=APT_SIMULATED,
    loads="-o --option -c --config-file",
)
APT = tree(
    "packages",
    {
        **rows(
            "list, search, show, showsrc, policy, madison, depends, rdepends, changelog, why, why-not, versions, "
            "check, help, moo, indextargets",
            APT_READS,
        ),
        **rows(
            "install, remove, reinstall, update, upgrade, full-upgrade, dist-upgrade, safe-upgrade, autoremove, "
            "clean, autoclean, download, build-dep, satisfy, mark, hold, unhold, source",
            APT_INSTALLS,
        ),
        **rows("purge, autopurge", APT_PURGES),
        "edit-sources": row("packages", does="overwrite"),
    },
    flags=f"{APT_ASKED} -v",
    valued="-t --target-release",
    loads="-o --option -c --config-file",
)
DPKG = row(
    "packages",
    flags="--force-all --no-triggers",
    valued="--admindir --instdir --root",
    changes={
        "-i": "install",
        "--install": "install",
        "-r": "install",
        "--remove": "install",
        "-P": "unknown",
        "--purge": "unknown",
        "--unpack": "install",
        "--configure": "install",
        "-a": "install",
        "--pending": "install",
        "--set-selections": "install",
        "--add-architecture": "install",
        "--remove-architecture": "install",
        "--clear-selections": "install",
        "--update-avail": "install",
        "--merge-avail": "install",
        "--triggers-only": "install",
    },
    tells="--dry-run --no-act --simulate -l --list -L --listfiles -s --status -S --search -p --print-avail "
    "--get-selections --print-architecture --print-foreign-architectures -C --audit -c --contents -I --info -V "
    "--verify --compare-versions -W --show --yet-to-unpack --assert-multi-arch",
)


PROGRAMS: dict[str, Handler] = {
    "apt-cache": tree(
        "packages",
        {
            **rows(
                "policy, show, showpkg, showsrc, search, depends, rdepends, madison, pkgnames, stats, dump, "
                "dumpavail, unmet, dotty, showauto",
                APT_READS,
            )
        },
    ),
    "apt-mark": tree(
        "packages",
        {
            **rows("showhold, showmanual, showauto, showinstall, showremove, showpurge", "packages"),
            **rows(
                "hold, unhold, auto, manual, install, remove, purge, minimize-manual",
                "packages",
                does="install",
                flags="-q -y",
            ),
        },
    ),
    "dpkg": DPKG,
    "dpkg-query": row(
        "packages",
        flags="-l --list -W --show -s --status -L --listfiles -S --search -p --print-avail -c --control-list "
        "--control-show --no-pager",
        valued="-f --showformat --admindir",
    ),
}

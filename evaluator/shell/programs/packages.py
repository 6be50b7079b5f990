"""Package managers of Ruby, PHP, Perl, Lua, OCaml, and what updates a package.json."""

from __future__ import annotations

from dataclasses import replace

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

GEM_READS = row(
    "packages",
    flags="-l --local -a --all -d --details -q --quiet -V --verbose --no-verbose --versions --no-versions -i "
    "--installed -e --exact --pre --prerelease --silent -P",
    valued="-v --version -I --platform",
)
GEM = tree(
    "packages",
    {
        **rows(
            "list, info, outdated, environment, env, contents, dependency, specification, which, help, check, stale",
            GEM_READS,
        ),
        "search": replace(GEM_READS, remote="words"),
        **rows(
            "install, i, uninstall, update, cleanup, pristine, fetch, rebuild",
            "packages",
            does="install",
            flags="-N --no-document --document --user-install -f --force -q --quiet -V --verbose --local --remote "
            "--conservative --minimal-deps --prerelease --pre -x --executables -a --all -I --ignore-dependencies "
            "--silent --system",
            valued="-v --version -i --install-dir -n --bindir -P --trust-policy -s --source --platform -g -j",
            tells="--dry-run -n",
        ),
        **rows(
            "push, yank", "packages", does="network", valued="-k --key --host -v --version --otp --platform"
        ),
        "owner": row(
            "packages",
            flags="-V --verbose -q --quiet",
            valued="-k --key --otp",
            changes={"-a": "network", "--add": "network", "-r": "network", "--remove": "network"},
            most=1,
        ),
        "sources": row(
            "packages", flags="-l --list", changes="-a --add -r --remove -c --clear-all -u --update", most=0
        ),
        "build": row("packages", does="create", flags="--strict --force -q", outputs="-o --output"),
    },
    flags="-v",
)
BUNDLE_INSTALL = row(
    "packages",
    does="install",
    flags="--quiet --local --deployment --no-cache --full-index --force --redownload --clean --conservative --all "
    "--major --minor --patch --strict --bundler --pre --optimistic --skip-install --normalize-platforms",
    valued="-j --jobs --retry --path --without --with --gemfile --group -g --source -v --version --git --branch "
    "--add-platform --remove-platform",
    milder="--dry-run",
)
BUNDLE_LISTED: dict[str, Handler] = {
    **rows(
        "list, show, info, outdated, check, platform, licenses, env, doctor, config list, config get, help, version",
        "packages",
        flags="--name-only --paths --path --parseable --porcelain --strict --local --pre --only-explicit --all "
        "--ruby --dry-run --filter-strict",
        valued="--only-group --without-group --group --gemfile",
    ),
    "config": row("packages", most=1),
    **rows(
        "install, update, add, remove, lock, package, cache, clean, binstubs, pristine, plugin install",
        BUNDLE_INSTALL,
    ),
}
COMPOSER_FLAGS = (
    "-q --quiet -v -vv -vvv --verbose -n --no-interaction --no-ansi --ansi --no-plugins --no-scripts "
    "--no-cache"
)
COMPOSER_READS = row(
    "packages",
    flags=f"{COMPOSER_FLAGS} --tree -t --latest -l --outdated -o --direct -D --installed -i --platform -p --self -s "
    "--name-only -N --path -P --minor-only -m --major-only -M --strict --no-dev --locked --recursive -r --only-name "
    "--no-check-all --no-check-lock --no-check-publish --with-dependencies --abandoned",
    valued="-f --format --ignore --type",
)
COMPOSER_LISTED: dict[str, Handler] = {
    **rows(
        "show, info, outdated, licenses, depends, why, prohibits, why-not, suggests, fund, diagnose, status, "
        "validate, about, check-platform-reqs, audit, list, help",
        COMPOSER_READS,
    ),
    "search": replace(COMPOSER_READS, remote="words"),
    **rows(
        "install, require, remove, update, upgrade, create-project, dump-autoload, dumpautoload, global require, "
        "self-update, reinstall, bump",
        "packages",
        does="install",
        flags=f"{COMPOSER_FLAGS} --dev --no-dev --prefer-dist --prefer-source --no-progress -o --optimize "
        "--optimize-autoloader -a --classmap-authoritative --no-update --no-install -W -w --with-all-dependencies "
        "--with-dependencies --ignore-platform-reqs --no-autoloader --prefer-stable --lock --fixed --apcu",
        valued="--ignore-platform-req -d --working-dir",
        tells="--dry-run",
    ),
}


PROGRAMS: dict[str, Handler] = {
    "gem": GEM,
    **rows(
        "ncu npm-check-updates",
        "packages",
        flags="-g --global -m --minimal --deep -i --jsonUpgraded --jsonAll -p --pre --silent -s --color --peer -w "
        "--workspaces --errorLevel",
        valued="-t --target -f --filter -x --reject --dep --format -e --concurrency --loglevel",
        changes="-u --upgrade -a",
        loads="--packageManager",
    ),
}

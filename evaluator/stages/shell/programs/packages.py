"""Package managers of languages: Python, Ruby, PHP, and the tools that install their versions."""

from __future__ import annotations

from evaluator.stages.shell.call import Handler
from evaluator.stages.shell.row import row, rows, tree

PIP_FLAGS = (
    "-q --quiet -v --verbose --no-input --no-color --isolated --disable-pip-version-check --no-cache-dir "
    "--require-virtualenv --no-python-version-warning"
)
PIP_VALUED = "--timeout --retries --exists-action --progress-bar"
PIP_LIST = row(
    "packages",
    flags=f"{PIP_FLAGS} -o --outdated -u --uptodate -e --editable -l --local --user --pre --not-required "
    "--exclude-editable --include-editable -f --files --all --json --reverse --freeze",
    valued=f"{PIP_VALUED} --format --path --exclude --python-version --platform",
    outputs={"--log": "append", "--log-file": "append"},
    loads="--python --config-settings",
)
PIP_INSTALL = row(
    "packages",
    does="install",
    flags=f"{PIP_FLAGS} -U --upgrade --user --pre --no-deps --force-reinstall -I --ignore-installed "
    "--no-build-isolation --break-system-packages -y --yes --no-compile --no-warn-script-location --system "
    "--prefer-binary --no-index --require-hashes --use-pep517 --dry-run --ignore-requires-python --reinstall "
    "--strict --all-extras --no-cache",
    valued=f"{PIP_VALUED} -r --requirement -c --constraint -e --editable -i --index-url --extra-index-url -f "
    "--find-links --trusted-host --upgrade-strategy --no-binary --only-binary --group --extra --python -p "
    "--platform --python-version --index-strategy --link-mode --prefix --root --cache-dir",
    outputs={"--log": "append", "--report": "overwrite", "-t": "overwrite", "--target": "overwrite"},
)
"""A dry run of pip builds what it looks at, and so runs code of it."""
PIP = tree(
    "packages",
    {
        **rows(
            "list, show, freeze, check, inspect, debug, config list, config get, config debug, cache dir, cache "
            "info, cache list, index versions, completion",
            PIP_LIST,
        ),
        "hash": row("packages", flags=PIP_FLAGS, valued="-a --algorithm"),
        **rows("install, uninstall, download, wheel, sync", PIP_INSTALL),
    },
    flags=f"{PIP_FLAGS} -V",
    valued=PIP_VALUED,
)
POETRY_FLAGS = "-q --quiet -v --verbose -n --no-interaction --ansi --no-ansi --no-plugins --no-cache"
POETRY_READS = row(
    "packages",
    flags=f"{POETRY_FLAGS} --outdated -o --tree -t --latest -l --all -a --top-level -T --why --no-truncate --lock "
    "--strict --list --full-path -p --path --short -s --executable -e --no-dev",
    valued="--only --with --without --format -f",
    loads="-C --directory",
)
POETRY_INSTALLS = row(
    "packages",
    does="install",
    flags=f"{POETRY_FLAGS} --sync --no-root --no-dev --no-directory --all-extras --compile --dev -D --optional "
    "--allow-prereleases --lock --no-update --regenerate --all-groups --editable -e",
    valued="--only --with --without -E --extras -G --group --python --source --platform --markers",
    milder="--dry-run",
)
POETRY_LOCK = row(
    "packages", does="install", flags=f"{POETRY_FLAGS} --no-update --regenerate", tells="--check --dry-run"
)
POETRY_LISTED: dict[str, Handler] = {
    "lock": POETRY_LOCK,
    **rows(
        "show, check, about, env info, env list, search, source show, self show, debug info, list",
        POETRY_READS,
    ),
    "config": row("packages", flags="--list", most=1),
    "build": row("build", flags=f"{POETRY_FLAGS} --clean", valued="-f --format", outputs="-o --output"),
    **rows(
        "install, add, remove, update, sync, self add, self update, self remove, env remove, env use",
        POETRY_INSTALLS,
    ),
    "publish": row(
        "packages",
        does="network",
        flags=f"{POETRY_FLAGS} --build --skip-existing",
        valued="-r --repository -u --username",
        milder="--dry-run",
    ),
    **rows(
        "new, init",
        "packages",
        does="create",
        targets="operands",
        flags=f"{POETRY_FLAGS} --src --flat",
        valued="--name --description --author --python --dependency --dev-dependency -l --license --readme",
    ),
}
UV_FLAGS = (
    "-q --quiet -v --verbose --no-progress --offline --no-cache -n --no-config --native-tls --preview "
    "--no-python-downloads"
)
UV_VALUED = "--color --directory --project"
UV_READS = row(
    "packages",
    flags=f"{UV_FLAGS} --outdated --universal --invert --no-dev --all-groups --frozen --locked --no-dedupe "
    "--show-sizes --all-versions --only-installed --all-platforms --show-urls --short --json --files -f --editable "
    "-e --exclude-editable --system --strict --show-paths --show-version-specifiers --show-with --output-format "
    "--bin",
    valued="--color --format -p --python --depth -d --package --prune --exclude --path --group --no-group "
    "--only-group",
)
UV_INSTALLS = row(
    "packages",
    does="install",
    flags=f"{UV_FLAGS} --dev --all-extras --all-groups --all-packages --no-dev --only-dev --locked --frozen "
    "--no-install-project --no-install-workspace --inexact --exact --active --no-editable --editable --raw "
    "--workspace --no-sync --no-build --no-binary -U --upgrade --reinstall --force --default --system "
    "--no-build-isolation --pre --compile-bytecode --universal --force-reinstall -y --yes --all --check --refresh",
    valued="--color --extra --group --package -P --upgrade-package --python -p --index --index-url --default-index "
    "--prerelease --resolution --tag --branch --rev -r --requirements --optional --with --bounds -c --constraints "
    "-e --link-mode --python-version",
    tells="--dry-run",
)
UV_LOCK = row(
    "packages",
    does="install",
    flags=f"{UV_FLAGS} -U --upgrade --frozen",
    valued="--color -P --upgrade-package --python -p --index --prerelease --resolution",
    tells="--check --locked --dry-run",
)
UV_LISTED: dict[str, Handler] = {
    **rows(
        "tree, version, python list, python find, python dir, tool list, tool dir, cache dir, cache size, pip "
        "list, pip show, pip freeze, pip check, pip tree, workspace list, workspace dir, self version, auth dir",
        UV_READS,
    ),
    **rows(
        "sync, add, remove, pip install, pip uninstall, pip sync, python install, python uninstall, python pin, "
        "python upgrade, tool install, tool upgrade, tool uninstall, self update",
        UV_INSTALLS,
    ),
    "lock": UV_LOCK,
    "pip compile": row(
        "packages",
        flags=f"{UV_FLAGS} -U --upgrade --all-extras --universal --no-header --no-annotate --generate-hashes "
        "--no-strip-extras --no-deps",
        valued="--color --extra -P --upgrade-package --python-version -p --python --resolution --group "
        "--annotation-style -c --constraints",
        outputs="-o --output-file",
    ),
    "export": row(
        "packages",
        flags=f"{UV_FLAGS} --no-hashes --no-dev --all-extras --all-groups --frozen --locked --no-emit-project "
        "--no-header --no-annotate --only-dev",
        valued="--color --format --extra --group --package --no-group --only-group",
        outputs="-o --output-file",
    ),
    "build": row(
        "build",
        flags=f"{UV_FLAGS} --sdist --wheel --all-packages --no-sources",
        valued="--color --package -p --python",
        outputs="-o --out-dir",
    ),
    "publish": row(
        "packages",
        does="network",
        flags=UV_FLAGS,
        valued="--index --token -t --publish-url --check-url -u -p",
        tells="--dry-run",
    ),
    "format": row("format", does="overwrite", flags=UV_FLAGS, tells="--check --diff"),
    "venv": row(
        "packages",
        does="create",
        targets="operands",
        flags=f"{UV_FLAGS} --seed --system-site-packages --clear --allow-existing --relocatable",
        valued="-p --python --prompt",
    ),
    "init": row(
        "packages",
        does="create",
        targets="operands",
        flags=f"{UV_FLAGS} --lib --app --package --no-package --bare --no-readme --no-workspace --no-pin-python",
        valued="--name --python -p --vcs --build-backend --description",
    ),
}
CONDA_READS = row(
    "packages",
    flags="--json -q --quiet -v --verbose -e --export --explicit --all -a --envs --no-builds --from-history "
    "--revisions -r -f --full-name -c --canonical --show-sources --show --show-channel-urls --no-pip --md5 "
    "--sha256 --base",
    valued="-n --name -p --prefix --get",
)
CONDA_INSTALLS = row(
    "packages",
    does="install",
    flags="-y --yes -q --quiet --json --all --update-all --force-reinstall --no-deps --only-deps "
    "--freeze-installed --override-channels --offline --prune -v --strict-channel-priority --no-default-packages "
    "--copy",
    valued="-n --name -p --prefix -c --channel -f --file --clone --solver --subdir",
    tells="--dry-run -d",
)
CONDA_LISTED: dict[str, Handler] = {
    **rows(
        "list, search, info, env list, export, compare, repoquery search, package list",
        CONDA_READS,
    ),
    "env export": row(
        "packages",
        flags="--json -q --no-builds --from-history --ignore-channels",
        valued="-n --name -p --prefix -c --format",
        outputs="-f --file",
    ),
    "config": row("packages", flags="--show --show-sources --validate --json --describe", valued="--get"),
    **rows("activate, deactivate", "packages"),
    **rows(
        "install, create, remove, uninstall, update, upgrade, env create, env update, env remove, clean",
        CONDA_INSTALLS,
    ),
}
GEM = tree(
    "packages",
    {
        **rows(
            "list, search, info, outdated, environment, env, contents, dependency, specification, which, help, "
            "check, stale",
            "packages",
            flags="-l --local -r --remote -b --both -a --all -d --details -q --quiet -V --verbose --no-verbose "
            "--versions --no-versions -i --installed -e --exact --pre --prerelease --silent -P",
            valued="-v --version -I --platform",
        ),
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
COMPOSER_LISTED: dict[str, Handler] = {
    **rows(
        "show, info, outdated, licenses, depends, why, prohibits, why-not, suggests, fund, diagnose, search, "
        "status, validate, about, check-platform-reqs, audit, list, help",
        "packages",
        flags=f"{COMPOSER_FLAGS} --tree -t --latest -l --outdated -o --direct -D --installed -i --all -a "
        "--platform -p --available -A --self -s --name-only -N --path -P --minor-only -m --major-only -M --strict "
        "--no-dev --locked --recursive -r --only-name --no-check-all --no-check-lock --no-check-publish "
        "--with-dependencies --abandoned",
        valued="-f --format --ignore --type",
    ),
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
RUSTUP_READS = row("packages", flags="-v --verbose --installed --quiet -q", valued="--toolchain")
RUSTUP_LISTED: dict[str, Handler] = {
    **rows(
        "show, show active-toolchain, show home, toolchain list, component list, target list, which, check, "
        "override list, help, completions",
        RUSTUP_READS,
    ),
    **rows(
        "update, install, uninstall, default, toolchain install, toolchain uninstall, component add, component "
        "remove, target add, target remove, override set, override unset, self update",
        "packages",
        does="install",
        flags="--no-self-update --force -q --quiet -v --allow-downgrade --force-non-host",
        valued="--profile -c --component -t --target --toolchain --path",
    ),
}
VERSION_READS = row(
    "packages",
    flags="--no-colors --bare --lts -l --list --json --all -s --short --current -c --no-header --installed -J "
    "--offline -g",
    most=2,
)
ENV_INSTALLS = row(
    "packages",
    does="install",
    flags="-s --skip-existing -f --force -v --verbose -k --keep -g --debug",
    tells="-l --list --list-all -L",
)
VERSION_CHANGES = row(
    "packages",
    does="install",
    flags="-s --skip-existing -f --force -v --verbose --lts -y --yes --default -k --keep -l --latest-npm -g --global",
    valued="--reinstall-packages-from --version-file-strategy",
)
PROGRAMS: dict[str, Handler] = {
    "pip": PIP,
    "gem": GEM,
    **rows(
        "pip-compile pip-sync",
        "packages",
        does="install",
        flags="-q --quiet -v --verbose -U --upgrade --generate-hashes --no-header --no-annotate --strip-extras "
        "--all-extras --allow-unsafe",
        valued="-P --upgrade-package --extra --resolver",
        outputs="-o --output-file",
        milder="-n --dry-run",
    ),
    "pip-audit": row(
        "packages",
        flags="-l --local --strict -S --desc --progress-spinner --skip-editable -v --verbose --aliases --no-deps",
        valued="-r --requirement -f --format -s --vulnerability-service --ignore-vuln --timeout",
        outputs="-o --output",
        changes={"--fix": "install"},
        milder="-d --dry-run",
    ),
    "pipdeptree": row(
        "packages",
        flags="-a --all -l --local-only -u --user-only -f --freeze -j --json --json-tree -r --reverse",
        valued="-p --packages -e --exclude -d --depth -w --warn -o --output",
    ),
    "pip-licenses": row(
        "packages",
        flags="-s --with-system -a --with-authors -u --with-urls -d --with-description -l --summary",
        valued="-f --format -o --order --from -i --ignore-packages -p --packages",
        outputs="--output-file",
    ),
    "twine": tree(
        "packages",
        {
            "check": row("packages", flags="--strict"),
            **rows(
                "upload, register",
                "packages",
                does="network",
                flags="--skip-existing --non-interactive --verbose --disable-progress-bar",
                valued="-r --repository --repository-url -u --username -p --password --config-file",
            ),
        },
    ),
    **rows(
        "virtualenv venv",
        "packages",
        does="create",
        targets="operands",
        flags="--system-site-packages --clear --upgrade --copies --symlinks --without-pip --upgrade-deps -q -v",
        valued="-p --python --prompt --seeder",
    ),
    "cpanm": row(
        "packages",
        does="install",
        flags="--notest -n --quiet -q --force -f --sudo -v --verbose --installdeps",
        valued="-l --local-lib -M --mirror",
        tells="--info",
    ),
    "luarocks": tree(
        "packages",
        {
            **rows(
                "list, search, show, config, path, which",
                "packages",
                flags="--porcelain --local --tree --outdated --lua-dir --all",
                most=2,
            ),
            **rows(
                "install, remove, make, build",
                "packages",
                does="install",
                flags="--local --force --only-deps",
                valued="--tree --server",
            ),
        },
    ),
    "opam": tree(
        "packages",
        {
            **rows(
                "list, show, info, search, switch list, repo list, var, config list, tree, pin list",
                "packages",
                flags="-a --all -i --installed -s --short --depends-on --available",
                valued="-f --field --columns --switch",
            ),
            **rows(
                "install, remove, update, upgrade, switch create, pin add, init",
                "packages",
                does="install",
                flags="-y --yes --deps-only --with-test --with-doc --all",
                valued="-j --jobs --switch",
            ),
        },
    ),
    **rows(
        "ncu npm-check-updates",
        "packages",
        flags="-g --global -m --minimal --deep -i --jsonUpgraded --jsonAll -p --pre --silent -s --color --peer -w "
        "--workspaces --errorLevel",
        valued="-t --target -f --filter -x --reject --dep --format -e --concurrency --loglevel",
        changes="-u --upgrade -a",
        loads="--packageManager",
    ),
    **rows(
        "nvm fnm",
        tree(
            "packages",
            {
                **rows(
                    "ls, list, current, which, ls-remote, list-remote, version, version-remote, alias, env",
                    VERSION_READS,
                ),
                **rows("install, uninstall, use, default", VERSION_CHANGES),
            },
            flags="-v -V",
        ),
    ),
    "volta": tree(
        "packages",
        {
            **rows(
                "list, ls, which",
                "packages",
                flags="-c --current -d --default --quiet --verbose",
                valued="--format",
            ),
            **rows("install, uninstall, pin, fetch", VERSION_CHANGES),
        },
        flags="-v",
    ),
    "corepack": tree(
        "packages",
        {
            **rows(
                "enable, disable, prepare, use, up, install, hydrate",
                "packages",
                does="install",
                flags="--activate --all -g --global",
                valued="--install-directory",
            )
        },
    ),
    "tfenv": tree(
        "packages",
        {
            **rows("list, list-remote, version-name", VERSION_READS),
            **rows("install, use, uninstall", VERSION_CHANGES),
        },
    ),
}

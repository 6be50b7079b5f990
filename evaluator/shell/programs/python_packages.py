"""Package managers of Python: pip, poetry, uv, conda, and what audits or uploads packages."""

from __future__ import annotations

from dataclasses import replace

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

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
    loads="--config-settings",
    places="--python",
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
            "info, cache list, completion",
            PIP_LIST,
        ),
        "index versions": replace(PIP_LIST, remote="words"),
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
        "show, check, about, env info, env list, source show, self show, debug info, list",
        POETRY_READS,
    ),
    "search": replace(POETRY_READS, remote="words"),
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
UV_PLACES = "--directory --project"
UV_READS = row(
    "packages",
    flags=f"{UV_FLAGS} --outdated --universal --invert --no-dev --all-groups --frozen --locked --no-dedupe "
    "--show-sizes --all-versions --only-installed --all-platforms --show-urls --short --json --files -f --editable "
    "-e --exclude-editable --system --strict --show-paths --show-version-specifiers --show-with --output-format "
    "--bin",
    valued="--color --format --depth -d --package --prune --exclude --path --group --no-group --only-group",
    places="-p --python",
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


PROGRAMS: dict[str, Handler] = {
    "pip": PIP,
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
}

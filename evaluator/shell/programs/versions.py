"""What installs and chooses versions of languages and tools."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

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
}

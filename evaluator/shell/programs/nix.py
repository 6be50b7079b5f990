"""nix and its older commands: asking, building, and changing what is installed."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

LOADS = (
    "--option --store --builders --substituters --extra-substituters --plugin-files --post-build-hook "
    "--override-input -I --include --arg --argstr -E --expr --impure --accept-flake-config"
)
READS = row(
    "packages",
    flags="--json --raw --all-systems --legacy --no-link -r --recursive -s --size -S --closure-size -h "
    "--human-readable --all --pretty --exclude --offline --refresh -L --print-build-logs -v --verbose --quiet "
    "--strict --no-write-lock-file --derivation --precise -l -R",
    valued="-f --file --apply -A --attr",
    loads=LOADS,
)
BUILDS = row(
    "build",
    flags="--no-link --json --keep-going -k -L --print-build-logs -v --verbose --quiet --offline "
    "--no-write-lock-file --all-systems --show-trace --rebuild --dry-run --no-build --no-update-lock-file --check "
    "--no-out-link --print-out-paths -Q",
    valued="-f --file -A --attr -j --max-jobs --cores --system",
    outputs={"-o": "create", "--out-link": "create", "--profile": "overwrite", "--add-root": "create"},
    loads=LOADS,
)
INSTALLS = row(
    "packages",
    does="install",
    flags="--commit-lock-file --recreate-lock-file --refresh -v --verbose --impure --all --priority --offline "
    "--quiet",
    valued="--inputs-from --update-input --profile --to --from",
    tells="--dry-run",
    loads="--option --store --override-input",
)
NIX_LISTED: dict[str, Handler] = {
    **rows(
        "search, eval, show-derivation, path-info, why-depends, log, show-config, help, flake show, flake "
        "metadata, flake info, profile list, profile history, profile diff-closures, derivation show, registry "
        "list, config show, config check, store ls, store cat, store ping, store info, store diff-closures, store "
        "path-from-hash-part, store verify, hash file, hash path, hash convert, ls-store, cat-store, verify, nar "
        "ls, nar cat",
        READS,
    ),
    **rows("build, flake check", BUILDS),
    **rows(
        "flake update, flake lock, profile install, profile add, profile remove, profile upgrade, profile "
        "rollback, registry add, registry remove, registry pin, store add, store add-file, store add-path, store "
        "optimise, store repair, upgrade-nix, copy",
        INSTALLS,
    ),
    **rows(
        "store gc, store delete, profile wipe-history",
        "packages",
        does="delete",
        flags="-v --ignore-liveness",
        valued="--max --older-than --profile",
        tells="--dry-run",
    ),
    **rows(
        "flake init, flake new, flake clone",
        "packages",
        does="create",
        flags="--refresh",
        valued="-t --template -f --dest",
    ),
    "fmt": row("format", does="overwrite", targets="operands"),
}

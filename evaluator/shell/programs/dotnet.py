"""dotnet and its subcommands."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

DOTNET_FLAGS = (
    "-nologo --nologo --no-restore --no-incremental --no-build --force --list-tests -t --no-dependencies "
    "--interactive --blame -h --help --disable-build-servers"
)
DOTNET_VALUED = (
    "-c --configuration -v --verbosity -f --framework -r --runtime --os -a --arch --filter --logger --tl "
    "--collect"
)
DOTNET_LISTED: dict[str, Handler] = {
    **rows(
        "build, test",
        "build",
        flags=DOTNET_FLAGS,
        valued=DOTNET_VALUED,
        outputs="-o --output --artifacts-path --results-directory -d --diag -bl",
        loads="--test-adapter-path --property -p --environment -e",
        style="single",
        most=1,
    ),
    **rows(
        "list, nuget list, sln list, tool list, workload list, package list, reference list, package search, sdk "
        "check, workload search",
        "packages",
        flags="package reference --outdated --vulnerable --deprecated --include-transitive --highest-minor "
        "--highest-patch -g --global --local --highest-version",
        valued="--format --framework -f --verbosity -v --take",
        style="single",
    ),
    **rows(
        "add, remove, restore, tool install, tool update, tool uninstall, tool restore, workload install, nuget "
        "add, sln add, sln remove, package add, package remove, reference add, package update",
        "packages",
        does="install",
        flags="package reference -n --no-restore -g --global --local --prerelease --nologo -nologo --force "
        "--no-cache --locked-mode --in-root",
        valued="-v --version -f --framework --verbosity -s --source --tool-path --configfile -r --runtime "
        "--package-directory",
        style="single",
    ),
    "new": row(
        "build",
        does="create",
        flags="--force --no-restore --list --search --use-program-main",
        valued="-n --name -f --framework -lang --language",
        outputs={"-o": "create", "--output": "create"},
        tells="--dry-run",
        style="single",
    ),
    "format": row(
        "format",
        does="overwrite",
        flags="--no-restore style whitespace analyzers --include-generated",
        valued="--include --exclude --severity -v --verbosity --diagnostics",
        outputs="--report --binarylog",
        tells="--verify-no-changes",
        style="single",
    ),
    "nuget push": row(
        "packages",
        does="network",
        valued="-k --api-key -s --source",
        flags="--skip-duplicate",
        style="single",
    ),
    "clean": row(
        "build",
        does="delete",
        flags=DOTNET_FLAGS,
        valued="-c --configuration -v --verbosity -f --framework",
        style="single",
        most=1,
    ),
}

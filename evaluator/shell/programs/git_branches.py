"""git subcommands about branches, tags, settings, remotes, worktrees and submodules."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

FETCH_FLAGS = (
    "--dry-run --no-dry-run "
    "-v -q -a -f -m -t -n -p -P -k -u -4 -6 --verbose --quiet --all --no-all --set-upstream --append --atomic "
    "--force --multiple --tags --no-tags --prefetch --prune --no-prune --prune-tags --no-prune-tags "
    "--recurse-submodules --no-recurse-submodules --write-fetch-head --no-write-fetch-head --keep --update-head-ok "
    "--progress --no-progress --unshallow --refetch --update-shallow --ipv4 --ipv6 --negotiate-only "
    "--auto-maintenance --no-auto-maintenance --auto-gc --no-auto-gc --show-forced-updates "
    "--no-show-forced-updates --write-commit-graph --no-write-commit-graph --stdin --porcelain"
)
FETCH_VALUED = (
    "-j -o --jobs --depth --shallow-since --shallow-exclude --deepen --refmap --server-option --negotiation-tip "
    "--filter"
)
FETCH_TRACKS = (
    "-v -q -a --verbose --quiet --all --no-tags --progress --no-progress --dry-run -4 -6 --ipv4 "
    "--ipv6 --no-recurse-submodules"
)
"""With these alone a fetch brings what a remote has, and moves only the names under which that is kept."""
MERGE_FLAGS = (
    "-n -e -q -v -S --stat --no-stat --summary --no-summary --squash --no-squash --commit --no-commit --edit "
    "--no-edit --ff --no-ff --ff-only --rerere-autoupdate --no-rerere-autoupdate --verify-signatures "
    "--no-verify-signatures --quiet --verbose --abort --quit --continue --allow-unrelated-histories --progress "
    "--no-progress --gpg-sign --no-gpg-sign --autostash --no-autostash --overwrite-ignore --no-overwrite-ignore "
    "--signoff --no-signoff --no-verify --verify --log --no-log"
)
PUSH = row(
    "push",
    does="vcs",
    flags="-v -q -u -4 -6 -d -f --verbose --quiet --all --branches --mirror --delete --tags --porcelain --force "
    "--force-with-lease --no-force-with-lease --force-if-includes --no-force-if-includes --recurse-submodules "
    "--no-recurse-submodules --thin --no-thin --set-upstream --progress --no-progress --prune --no-verify --verify "
    "--follow-tags --no-follow-tags --signed --no-signed --atomic --no-atomic --ipv4 --ipv6",
    valued="-o --push-option --repo",
    loads="--receive-pack --exec",
    milder="-n --dry-run",
)
PUSH_LOSES = "-f --force --force-with-lease --force-if-includes -d --delete --mirror --prune"
CLONE = row(
    "git",
    does="vcs",
    targets="second",
    flags="-v -q -n -l -s -4 -6 --verbose --quiet --progress --no-progress --reject-shallow --no-reject-shallow "
    "--no-checkout --bare --mirror --local --no-local --no-hardlinks --shared --dissociate --single-branch "
    "--no-single-branch --no-tags --tags --shallow-submodules --no-shallow-submodules --ipv4 --ipv6 "
    "--also-filter-submodules --remote-submodules --no-remote-submodules --sparse --recurse-submodules --recursive",
    valued="-j -o -b -c --jobs --origin --branch --revision --config --reference --reference-if-able --depth "
    "--shallow-since --shallow-exclude --server-option --filter --ref-format",
    outputs={"--separate-git-dir": "create"},
    loads="-u --upload-pack --template --bundle-uri",
    most=2,
)
BRANCH = row(
    "git",
    does="vcs",
    flags="-v -q -t -r -d -D -m -M -c -C -f -i -a --verbose --quiet --track --no-track --unset-upstream --remotes "
    "--all --delete --move --copy --create-reflog --edit-description --force --recurse-submodules --color "
    "--no-color --column --no-column --ignore-case --abbrev",
    valued="-u --set-upstream-to --sort --format",
    most=2,
)
BRANCH_CHANGES = (
    "-d --delete -D -m --move -M -c --copy -C -u --set-upstream-to --unset-upstream --edit-description -f --force "
    "-t --track"
)
TAG = row(
    "git",
    does="vcs",
    flags="-d -a -e -s -f --delete --annotate --edit --no-edit --sign --no-sign --force --create-reflog --column "
    "--color",
    valued="-m --message -F --file --cleanup -u --local-user --trailer --sort --format",
)
TAG_CHANGES = (
    "-d --delete -a --annotate -s --sign -u --local-user -m --message -F --file -f --force -e --edit"
)
CONFIG = row(
    "git",
    does="vcs",
    flags="-e -z --global --system --local --worktree --replace-all --add --unset --unset-all --rename-section "
    "--remove-section --edit --bool --int --bool-or-int --bool-or-str --path --expiry-date --no-type --all "
    "--append --regexp --fixed-value",
    valued="-f -t --file --blob --type --comment --value --url",
)
CONFIG_CHANGES = "--add --unset --unset-all --replace-all --rename-section --remove-section --edit -e"
SYMBOLIC_REF = row(
    "git", does="vcs", flags="-q -d --quiet --delete --short --recurse --no-recurse", valued="-m", most=2
)
SYMBOLIC_REF_LOOKS = row("git", flags="-q --quiet --short --recurse --no-recurse", most=1)
UPDATE_REF = row("git", does="vcs", flags="-d -z --no-deref --stdin --create-reflog", valued="-m")
FETCH = row("git", does="vcs", flags=FETCH_FLAGS, valued=FETCH_VALUED, loads="--upload-pack")
BRANCHES: dict[str, Handler] = {
    "pull": row(
        "git",
        does="vcs",
        flags=f"{FETCH_FLAGS} {MERGE_FLAGS} -r --rebase --no-rebase",
        valued=f"{FETCH_VALUED} -s -X --strategy --strategy-option --cleanup",
        loads="--upload-pack",
    ),
    "remote": tree(
        "git",
        {
            "show": row("git", flags="-n -v"),
            "get-url": row("git", flags="--push --all", most=1),
            "prune": row("git", does="vcs", milder="-n --dry-run"),
            "add": row(
                "git",
                does="vcs",
                flags="-f --fetch --tags --no-tags --mirror",
                valued="-t -m --track --master",
                most=2,
            ),
            "rename": row("git", does="vcs", flags="--progress --no-progress", most=2),
            **rows("remove rm", "git", does="vcs", most=1),
            "set-head": row("git", does="vcs", flags="-a -d --auto --delete", most=2),
            "set-branches": row("git", does="vcs", flags="--add"),
            "set-url": row("git", does="vcs", flags="--push --add --delete", most=3),
            "update": row("git", does="vcs", flags="-p --prune"),
        },
        flags="-v --verbose",
        bare=row("git", flags="-v --verbose"),
    ),
    "worktree": tree(
        "git",
        {
            "list": row("git", flags="--porcelain -v -z --verbose", valued="--expire", most=0),
            "add": row(
                "git",
                does="vcs",
                targets="first",
                flags="-f -d -q --force --detach --checkout --no-checkout --lock --quiet --track --no-track "
                "--guess-remote --no-guess-remote --orphan --relative-paths --no-relative-paths",
                valued="-b -B --reason",
                most=2,
            ),
            "remove": row("git", does="vcs", severity="destructive", targets="operands", flags="-f --force"),
            "prune": row("git", does="vcs", flags="-v --verbose", valued="--expire", milder="-n --dry-run"),
            "move": row("git", does="vcs", targets="operands", flags="-f --force", most=2),
            **rows("lock unlock repair", "git", does="vcs", targets="operands", valued="--reason"),
        },
    ),
    "notes": tree(
        "git",
        {
            **rows("list show get-ref", "git", most=1),
            "prune": row("git", does="vcs", flags="-v --verbose", milder="-n --dry-run"),
            **rows(
                "add append edit copy remove merge",
                "git",
                does="vcs",
                flags="-f -q -v --force --allow-empty --ignore-missing --stdin --abort --commit --quiet",
                valued="-m -F -C -c -s --message --file --reuse-message --reedit-message --strategy",
            ),
        },
        valued="--ref",
        bare=row("git", valued="--ref"),
    ),
    "bundle": tree(
        "git",
        {
            "create": row(
                "git",
                does="overwrite",
                targets="first",
                flags="-q --quiet --progress --all-progress --all-progress-implied --all --branches --tags "
                "--remotes -#",
                valued="--version --since --until --max-count",
                outputs="--output",
            ),
            **rows("verify list-heads", "git", flags="-q --quiet"),
            "unbundle": row("git", does="vcs", flags="--progress"),
        },
    ),
    "subtree": row(
        "git",
        does="vcs",
        flags="-q -d --quiet --debug --squash --no-squash --rejoin --no-rejoin --ignore-joins --no-ignore-joins",
        valued="-P -m -b --prefix --message --branch --annotate --onto",
    ),
}
SUBMODULE_FLAGS = "-q --quiet --cached --recursive"
SUBMODULE: dict[str, Handler] = {
    "status": row("git", flags=SUBMODULE_FLAGS),
    "summary": row("git", flags=f"{SUBMODULE_FLAGS} --files --for-status", valued="-n --summary-limit"),
    "add": row(
        "git",
        does="vcs",
        targets="rest",
        flags="-q -f --quiet --force --progress",
        valued="-b --branch --reference --name --depth --ref-format",
        most=2,
    ),
    "update": row(
        "git",
        does="vcs",
        targets="operands",
        flags="-q -f -N --quiet --force --init --remote --no-fetch --checkout --merge --rebase --recursive "
        "--progress --recommend-shallow --no-recommend-shallow --single-branch --no-single-branch",
        valued="-j --jobs --depth --reference --filter",
    ),
    "deinit": row(
        "git", does="vcs", severity="destructive", targets="operands", flags="-q -f --quiet --force --all"
    ),
    **rows("init sync absorbgitdirs", "git", does="vcs", targets="operands", flags="-q --quiet --recursive"),
    "set-url": row("git", does="vcs", targets="first", flags="-q --quiet", most=2),
    "set-branch": row(
        "git", does="vcs", targets="operands", flags="-q -d --quiet --default", valued="-b --branch"
    ),
}
BISECT: dict[str, Handler] = {
    **rows("log terms", "git", flags="--term-good --term-old --term-bad --term-new", most=0),
    **rows(
        "start good bad new old skip reset replay next",
        "git",
        does="vcs",
        flags="--no-checkout --first-parent",
        valued="--term-new --term-old --term-good --term-bad",
    ),
}

"""git subcommands that change the index, the working tree or the history of the current branch."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

PATHSPEC = "--pathspec-file-nul"
MERGE_FLAGS = (
    "-n -e -q -v -S --stat --no-stat --summary --no-summary --squash --no-squash --commit --no-commit --edit "
    "--no-edit --ff --no-ff --ff-only --rerere-autoupdate --no-rerere-autoupdate --verify-signatures "
    "--no-verify-signatures --quiet --verbose --abort --quit --continue --allow-unrelated-histories --progress "
    "--no-progress --gpg-sign --no-gpg-sign --autostash --no-autostash --overwrite-ignore --no-overwrite-ignore "
    "--signoff --no-signoff --no-verify --verify --log --no-log"
)
SEQUENCE_FLAGS = (
    "-n -e -s -S -x -r --quit --continue --abort --skip --no-commit --edit --no-edit --signoff --no-signoff "
    "--rerere-autoupdate --no-rerere-autoupdate --gpg-sign --no-gpg-sign --ff --allow-empty --allow-empty-message "
    "--keep-redundant-commits --reference"
)
ADD = row(
    "git",
    does="vcs",
    targets="operands",
    flags=f"{PATHSPEC} -v -i -p -f -u -N -A --verbose --interactive --patch --force --update --renormalize "
    "--intent-to-add --all --no-all --ignore-removal --no-ignore-removal --refresh --ignore-errors "
    "--ignore-missing --sparse",
    valued="--pathspec-from-file --chmod",
    milder="-n --dry-run",
)
COMMIT = row(
    "git",
    does="vcs",
    targets="operands",
    flags=f"{PATHSPEC} -q -v -s -e -S -a -i -o -n -z -u --quiet --verbose --reset-author --signoff --no-signoff "
    "--edit --no-edit --status --no-status --gpg-sign --no-gpg-sign --all --include --only --no-verify --verify "
    "--short --branch --ahead-behind --no-ahead-behind --porcelain --long --null --amend --no-amend "
    "--no-post-rewrite --untracked-files --allow-empty --allow-empty-message "
    # A dry run writes the blobs and trees that the commit would have.
    "--dry-run --no-dry-run",
    valued="-m -F -c -C -t --message --file --reedit-message --reuse-message --author --date --fixup --squash "
    "--template --trailer --cleanup --pathspec-from-file",
)
CHECKOUT = row(
    "git",
    flags=f"{PATHSPEC} -l -q -m -d -t -f -2 -3 -p --guess --no-guess --overlay --no-overlay --quiet --progress "
    "--no-progress --merge --detach --track --no-track --force --overwrite-ignore --no-overwrite-ignore "
    "--ignore-other-worktrees --ours --theirs --patch --ignore-skip-worktree-bits --recurse-submodules "
    "--no-recurse-submodules",
    valued="-b -B --conflict --orphan --pathspec-from-file",
)
SWITCH = row(
    "git",
    does="vcs",
    flags="-q -m -d -t -f --guess --no-guess --discard-changes --quiet --progress --no-progress --merge --detach "
    "--track --no-track --force --overwrite-ignore --no-overwrite-ignore --ignore-other-worktrees "
    "--recurse-submodules --no-recurse-submodules",
    valued="-c -C --create --force-create --conflict --orphan",
    most=2,
)
RESTORE = row(
    "git",
    does="vcs",
    targets="operands",
    flags=f"{PATHSPEC} -S -W -q -m -2 -3 -p --staged --worktree --ignore-unmerged --overlay --no-overlay --quiet "
    "--progress --no-progress --merge --ours --theirs --patch --ignore-skip-worktree-bits --recurse-submodules "
    "--no-recurse-submodules",
    valued="-s --source --conflict --pathspec-from-file",
)
RESET = row(
    "git",
    does="vcs",
    flags=f"{PATHSPEC} -q -p -N --quiet --no-quiet --refresh --no-refresh --mixed --soft --hard --merge --keep "
    "--patch --intent-to-add --recurse-submodules --no-recurse-submodules",
    valued="--pathspec-from-file",
)
CLEAN = row(
    "git",
    does="vcs",
    severity="destructive",
    targets="operands",
    flags="-q -f -i -d -x -X --quiet --force --interactive",
    valued="-e --exclude",
    milder="-n --dry-run",
)
REMOVE = row(
    "git",
    does="delete",
    targets="operands",
    flags=f"{PATHSPEC} -q -f -r --quiet --force --ignore-unmatch --sparse",
    valued="--pathspec-from-file",
    changes={"--cached": "vcs"},
    milder="-n --dry-run",
)
MOVE = row("git", does="move", flags="-v -f -k --verbose --force --sparse", milder="-n --dry-run")
APPLY = row(
    "git",
    does="vcs",
    flags="-N -3 -z -R -v -q --no-add --index --intent-to-add --cached --unsafe-paths --3way --ours --theirs "
        "--union --ignore-space-change --ignore-whitespace --reverse --unidiff-zero --reject --allow-overlap "
        "--verbose --quiet --inaccurate-eof --recount --allow-empty",
    valued="-p -C --exclude --include --whitespace --directory",
    outputs="--build-fake-ancestor",
    milder={"--check": "--no-check", "--stat": "--no-stat", "--numstat": "--no-numstat", "--summary": "--no-summary"}
)  # fmt: skip
STASH_PUSH = row(
    "git",
    does="vcs",
    targets="operands",
    flags=f"{PATHSPEC} -k -S -p -q -u -a --keep-index --no-keep-index --staged --patch --quiet --include-untracked "
    "--no-include-untracked --all",
    valued="-m --message --pathspec-from-file",
)
STASH_POP = row("git", does="vcs", flags="-q --quiet --index --no-index", most=1)
MERGE_TREE = row(
    "git",
    does="vcs",
    flags="-z --write-tree --messages --no-messages --name-only --allow-unrelated-histories --stdin --quiet",
    valued="-X --strategy-option --merge-base",
)
UPDATE_INDEX = row(
    "git",
    does="vcs",
    targets="operands",
    flags="-q -z -g --ignore-submodules --add --replace --remove --unmerged --refresh --really-refresh "
    "--assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree --ignore-skip-worktree-entries "
    "--info-only --force-remove --stdin --index-info --unresolve --again --ignore-missing --verbose "
    "--clear-resolve-undo --split-index --no-split-index --untracked-cache --no-untracked-cache --force-write-index",
    valued="--cacheinfo --chmod --index-version",
)
WORK: dict[str, Handler] = {
    **rows("add stage", ADD),
    "commit": COMMIT,
    "switch": SWITCH,
    "clean": CLEAN,
    "rm": REMOVE,
    "rebase": row(
        "git",
        does="vcs",
        flags="-q -v -n -f -m -i -S -r --keep-base --no-verify --verify --quiet --verbose --no-stat --stat "
        "--signoff --committer-date-is-author-date --reset-author-date --ignore-date --ignore-whitespace "
        "--force-rebase --no-ff --continue --skip --abort --quit --edit-todo --apply --merge --interactive "
        "--rerere-autoupdate --no-rerere-autoupdate --autosquash --no-autosquash --update-refs --no-update-refs "
        "--gpg-sign --no-gpg-sign --autostash --no-autostash --rebase-merges --no-rebase-merges --fork-point "
        "--no-fork-point --root --reschedule-failed-exec --no-reschedule-failed-exec --reapply-cherry-picks "
        "--no-reapply-cherry-picks --keep-empty --no-keep-empty",
        valued="-s -X -C --onto --strategy --strategy-option --whitespace --empty --trailer",
        runs="-x --exec",
        tells="--show-current-patch",
        most=2,
    ),
    "merge": row(
        "git",
        does="vcs",
        flags=MERGE_FLAGS,
        valued="-s -X -m -F --strategy --strategy-option --message --file --cleanup --into-name",
    ),
    "cherry-pick": row(
        "git",
        does="vcs",
        flags=SEQUENCE_FLAGS,
        valued="-m -X --mainline --strategy --strategy-option --cleanup --empty",
    ),
    "revert": row(
        "git",
        does="vcs",
        flags=SEQUENCE_FLAGS,
        valued="-m -X --mainline --strategy --strategy-option --cleanup",
    ),
    "am": row(
        "git",
        does="vcs",
        flags="-i -3 -q -s -u -k -m -c -r -S -b -n --interactive --3way --no-3way --quiet --signoff --utf8 "
        "--no-utf8 --keep --keep-non-patch --message-id --no-message-id --keep-cr --no-keep-cr --scissors "
        "--no-scissors --ignore-space-change --ignore-whitespace --reject --resolvemsg --continue --resolved "
        "--skip --abort --quit --retry --allow-empty --committer-date-is-author-date --ignore-date "
        "--rerere-autoupdate --no-rerere-autoupdate --gpg-sign --no-gpg-sign --no-verify",
        valued="-C -p --quoted-cr --whitespace --directory --exclude --include --patch-format --empty",
        tells="--show-current-patch",
    ),
    "init": row(
        "git",
        does="create",
        targets="operands",
        flags="-q --bare --quiet --shared",
        valued="-b --initial-branch --object-format --ref-format",
        outputs={"--separate-git-dir": "create"},
        loads="--template",
        most=1,
    ),
}
STASH = tree(
    "git",
    {
        "push": STASH_PUSH,
        "save": row(
            "git",
            does="vcs",
            flags="-k -S -p -q -u -a --keep-index --no-keep-index --staged --patch --quiet --include-untracked --all",
            valued="-m --message",
        ),
        **rows("pop apply", STASH_POP),
        "drop": row("git", does="vcs", severity="destructive", flags="-q --quiet", most=1),
        "clear": row("git", does="vcs", severity="destructive", most=0),
        "branch": row("git", does="vcs", most=2),
        "create": row("git", does="vcs"),
        "store": row("git", does="vcs", flags="-q --quiet", valued="-m --message", most=1),
    },
)

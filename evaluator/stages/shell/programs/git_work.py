"""git subcommands that touch the index, the working tree or the history of the current branch."""

from __future__ import annotations

import re

from evaluator.stages.shell.call import Call
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, reads, writes
from evaluator.stages.shell.spec import Rule, copied

LOOKS_LIKE_A_FILE = re.compile(r"\.{1,2}\Z|\.{0,2}/|[*?]|:[/!(]|.*/\Z|.*\.[A-Za-z][A-Za-z0-9]{0,7}\Z")


def _split(call: Call, valued: str) -> tuple[list[str], list[str] | None, frozenset[str]]:
    """(operands before `--`, operands behind it or None, flags)."""
    texts = call.texts
    cut = texts.index("--") if "--" in texts else None
    options = read_options(call.args if cut is None else call.args[:cut], names(valued))
    return (
        options.texts(),
        None if cut is None else texts[cut + 1 :],
        frozenset(flag for flag, _ in options.flags),
    )


def _lost(paths: list[str]) -> list[Outcome]:
    return [writes("vcs", paths, "git", "destructive")]


def _checkout(call: Call) -> list[Outcome]:
    before, behind, flags = _split(call, "-b -B --orphan --conflict --pathspec-from-file")
    if behind:
        return _lost(behind)
    if flags & {"-b", "-B", "--orphan", "--track", "-t", "--detach"}:
        return [writes("vcs", (), "git", "destructive" if flags & {"-f", "--force"} else None)]
    if flags & {"--ours", "--theirs", "-2", "-3", "-p", "--patch"}:
        return _lost(before)
    if flags & {"-f", "--force"}:
        return _lost(before[1:])
    if len(before) > 1:
        first_is_path = LOOKS_LIKE_A_FILE.match(before[0]) is not None and "/" not in before[0][:1]
        return _lost(before if first_is_path else before[1:])
    if before and LOOKS_LIKE_A_FILE.match(before[0]):
        return _lost(before)
    return [writes("vcs", (), "git")]


def _switch(call: Call) -> list[Outcome]:
    _, _, flags = _split(call, "-c -C --create --force-create --orphan --conflict")
    return [
        writes("vcs", (), "git", "destructive" if flags & {"-f", "--force", "--discard-changes"} else None)
    ]


def _restore(call: Call) -> list[Outcome]:
    before, behind, flags = _split(call, "-s --source --conflict --pathspec-from-file")
    paths = [*before, *(behind or ())]
    staged = bool(flags & {"--staged", "-S"}) and not flags & {"--worktree", "-W"}
    return [writes("vcs", paths, "git")] if staged else _lost(paths)


def _reset(call: Call) -> list[Outcome]:
    before, behind, flags = _split(call, "--pathspec-from-file -U --unified")
    if flags & {"--hard", "--merge"} or any("--hard".startswith(flag) and len(flag) > 3 for flag in flags):
        return _lost([])
    if behind is not None:
        return [writes("vcs", behind, "git")]
    paths = before[1:] or [text for text in before if LOOKS_LIKE_A_FILE.match(text)]
    return [writes("vcs", paths, "git")]


def _clean(call: Call) -> list[Outcome]:
    before, behind, flags = _split(call, "-e --exclude")
    if flags & {"-n", "--dry-run"} and not flags & {"-f", "--force"}:
        return [reads("git")]
    return [reads("git")] if flags & {"-n", "--dry-run"} else _lost([*before, *(behind or ())])


def _add(call: Call) -> list[Outcome]:
    before, behind, flags = _split(call, "--chmod --pathspec-from-file")
    return (
        [reads("git")] if flags & {"-n", "--dry-run"} else [writes("vcs", [*before, *(behind or ())], "git")]
    )


def _commit(call: Call) -> list[Outcome]:
    before, behind, flags = _split(
        call,
        "-m --message -F --file -C -c --reuse-message --reedit-message --author --date -t --template --fixup "
        "--squash --cleanup --trailer --pathspec-from-file",
    )
    return [reads("git")] if "--dry-run" in flags else [writes("vcs", [*before, *(behind or ())], "git")]


def _remove(call: Call) -> list[Outcome]:
    before, behind, flags = _split(call, "--pathspec-from-file")
    paths = [*before, *(behind or ())]
    if flags & {"-n", "--dry-run"}:
        return [reads("git")]
    return [writes("vcs", paths, "git")] if "--cached" in flags else [writes("delete", paths, "git")]


def _move(call: Call) -> list[Outcome]:
    before, behind, flags = _split(call, "")
    paths = [*before, *(behind or ())]
    if flags & {"-n", "--dry-run"} or len(paths) < 2:
        return [reads("git")]
    return [writes("move", (*paths[:-1], *copied(paths[:-1], paths[-1])), "git")]


def _apply(call: Call) -> list[Outcome]:
    _, _, flags = _split(call, "-p --directory --exclude --include -C --whitespace --build-fake-ancestor")
    looks = flags & {"--check", "--stat", "--numstat", "--summary"} and "--apply" not in flags
    return [reads("git")] if looks else [writes("vcs", _diffed(call.stdin.text), "git")]


def _diffed(diff: str) -> list[str]:
    found = [line[6:].split("\t")[0].strip() for line in diff.splitlines() if line.startswith("+++ b/")]
    return list(dict.fromkeys(found))


def _rebase(call: Call) -> list[Outcome]:
    options = read_options(
        call.args, names("-x --exec --onto -s --strategy -X --strategy-option -C --whitespace")
    )
    if "--show-current-patch" in call.texts:
        return [reads("git")]
    found = [one for value in options.values(names("-x --exec")) for one in call.shell.run_code(value.text)]
    return [writes("vcs", (), "git"), *found]


def _plain(call: Call) -> list[Outcome]:
    if any(text.startswith("--show-current-patch") for text in call.texts):
        return [reads("git")]
    return [writes("vcs", (), "git")]


WORK: dict[str, Rule] = {
    "checkout": _checkout,
    "switch": _switch,
    "restore": _restore,
    "reset": _reset,
    "clean": _clean,
    "add": _add,
    "stage": _add,
    "commit": _commit,
    "rm": _remove,
    "mv": _move,
    "apply": _apply,
    "rebase": _rebase,
    "merge": _plain,
    "am": _plain,
    "cherry-pick": _plain,
    "revert": _plain,
    "quiltimport": _plain,
}

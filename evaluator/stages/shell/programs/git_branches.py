"""git subcommands about branches, tags, remotes, stashes and worktrees."""

from __future__ import annotations

from evaluator.stages.shell.call import Call
from evaluator.stages.shell.options import names, read_options
from evaluator.stages.shell.outcome import Outcome, dynamic, reads, writes
from evaluator.stages.shell.spec import Rule

LISTING = names(
    "-l --list -a --all -r --remotes -v -vv --verbose --show-current --contains --no-contains --merged "
    "--no-merged --points-at "
    "--format --sort -n --column"
)


def _branch(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names(
            "-u --set-upstream-to --contains --no-contains --merged --no-merged --points-at --format --sort"
        ),
    )
    forced = options.may_have(names("-f --force"))
    if options.has(names("-D")) or (options.may_have(names("-d --delete")) and forced):
        return [writes("vcs", (), "git", "destructive")]
    if options.may_have(
        names(
            "-d --delete -m --move -M -c --copy -C -u --set-upstream-to --unset-upstream --edit-description -f "
            "--force -t --track"
        )
    ):
        return [writes("vcs", (), "git")]
    if options.has(LISTING) or not options.operands:
        return [reads("git")]
    return [writes("vcs", (), "git")]


def _tag(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names(
            "-m --message -F --file -u --local-user --contains --points-at --merged --format --sort --cleanup"
        ),
    )
    if options.may_have(names("-d --delete")):
        return [writes("vcs", (), "git")]
    listing = LISTING | names("-n1 -n2 -n3 -n5 -n9 -n99")
    if not options.operands or (
        options.has(listing)
        and not options.may_have(names("-a --annotate -s --sign -m --message -f --force"))
    ):
        return [reads("git")]
    return [writes("vcs", (), "git")]


def _stash(call: Call) -> list[Outcome]:
    given = read_options(call.args, names("-m --message")).texts()
    verb = given[0] if given else "push"
    if verb in ("list", "show"):
        return [reads("git")]
    if verb in ("drop", "clear"):
        return [writes("vcs", (), "git", "destructive")]
    return [writes("vcs", given[1:] if verb == "push" else (), "git")]


def _remote(call: Call) -> list[Outcome]:
    options = read_options(call.args)
    given = options.texts()
    simulated = given[:1] == ["prune"] and options.has(names("-n --dry-run"))
    return (
        [reads("git")]
        if not given or given[0] in ("show", "get-url", "-v") or simulated
        else [writes("vcs", (), "git")]
    )


def _worktree(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-b -B --reason --expire"))
    given = options.texts()
    verb = given[0] if given else "list"
    if verb == "list" or (verb == "prune" and options.has(names("-n --dry-run"))):
        return [reads("git")]
    if verb == "remove":
        return [writes("vcs", given[1:], "git", "destructive")]
    return [writes("vcs", given[1:2] if verb == "add" else given[1:], "git")]


def _reflog(call: Call) -> list[Outcome]:
    given = read_options(call.args).texts()
    return (
        [writes("vcs", (), "git", "destructive")] if given[:1] in (["expire"], ["delete"]) else [reads("git")]
    )


def _push(call: Call) -> list[Outcome]:
    options = read_options(call.args, names("-o --push-option --receive-pack --exec --repo"))
    if options.may_have(names("--receive-pack --exec")) or any(
        text.startswith("ext::") for text in options.texts()
    ):
        return [dynamic("git")]
    if options.has(names("-n --dry-run")):
        return [reads("git")]
    lost = options.may_have(
        names("-f --force --force-with-lease --force-if-includes -d --delete --mirror --prune")
    )
    lost = lost or any(text.startswith(("+", ":")) for text in options.texts()[1:])
    return [writes("vcs", (), "git", "destructive" if lost else None)]


def _fetch(call: Call) -> list[Outcome]:
    options = read_options(
        call.args,
        names(
            "--upload-pack --depth --shallow-since --refmap -j --jobs -o --server-option --filter -s --strategy -X"
        ),
    )
    if options.may_have(names("--upload-pack")) or any("ext::" in text for text in options.texts()):
        return [dynamic("git")]
    return [reads("git")] if options.has(names("--dry-run")) else [writes("vcs", (), "git")]


BRANCHES: dict[str, Rule] = {
    "branch": _branch,
    "tag": _tag,
    "stash": _stash,
    "remote": _remote,
    "worktree": _worktree,
    "reflog": _reflog,
    "push": _push,
    "fetch": _fetch,
    "pull": _fetch,
}

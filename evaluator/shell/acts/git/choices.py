"""git subcommands whose words choose between rows: one that lists, and one that changes."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluator.shell.acts.git.targets import aimed, losing, options_of
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import NONE, Options, names
from evaluator.shell.outcome import Outcome, dynamic, reads, unlisted, writes
from evaluator.shell.programs import git as looking
from evaluator.shell.programs import git_branches, git_work
from evaluator.shell.rows.row import Row, row, tree

LISTS = "-l --list --contains --no-contains --merged --no-merged --points-at"
CONFIG_LOOKS = names("--get --get-all --get-regexp --get-urlmatch --list -l --get-color --get-colorbool")
CONFIG_CHANGES = names(git_branches.CONFIG_CHANGES)
FETCH_TRACKS = names(git_branches.FETCH_TRACKS)
REMOTE_NAME = re.compile(r"[\w.-]+\Z")
CONFIG_VERBS = names("set unset rename-section remove-section edit")
VALUED_TELL = re.compile(r"--(?:help|version|dry-run|list|view|no-browser)=")
TRIVIAL_MERGE = 3
"""`merge-tree` with as many trees only prints; with two it writes the merged one."""


def _deletes_by_force(options: Options) -> bool:
    forced = options.may_have(names("-f --force")) and options.may_have(names("-d --delete"))
    return forced or options.has(names("-D"))


BRANCH_WORK = losing(git_branches.BRANCH, _deletes_by_force)


def _choosing(looks: Row, lists: str, work: Row, changes: str, changing: Handler) -> Handler:
    """`looks` where an option of `lists`, or no operand, asks for a list and none of `changes` stands in `work`."""

    listing, doing = names(lists), names(changes)

    def handle(call: Call) -> list[Outcome]:
        options = options_of(looks, call)
        listed = options.has(listing) or not options.operands
        return looks(call) if listed and not options_of(work, call).may_have(doing) else changing(call)

    return handle


def _config(call: Call) -> list[Outcome]:
    verb, rest = call.texts[:1], replace(call, args=call.args[1:])
    if verb in (["get"], ["list"]):
        return looking.SETTINGS(rest)
    if verb and verb[0] in CONFIG_VERBS:
        return _set(rest)
    options = options_of(looking.SETTINGS, call)
    changes = options_of(git_branches.CONFIG, call).may_have(CONFIG_CHANGES)
    looks = options.has(CONFIG_LOOKS) or len(options.operands) < 2
    return looking.SETTINGS(call) if looks and not changes else _set(call)


def _config_file(call: Call) -> list[str]:
    return [value.text for value in options_of(git_branches.CONFIG, call).values(names("-f --file"))]


_set = aimed(git_branches.CONFIG, _config_file)


def _reflog(call: Call) -> list[Outcome]:
    handler = looking.REFLOG.get(call.args[0].text) if call.args else None
    return handler(replace(call, args=call.args[1:])) if handler else looking.LOG(call)


def _cat_file(call: Call) -> list[Outcome]:
    """Where one of its modes is named no other can be, whatever a word turns out to be."""
    shows = options_of(looking.CAT_FILE, call).has(names("-e -p -t -s"))
    return (replace(looking.CAT_FILE, loads=NONE) if shows else looking.CAT_FILE)(call)


def _fetch(call: Call) -> list[Outcome]:
    """`git fetch [REMOTE [BRANCH...]]`; another destination than the names of the remote is written."""
    options = options_of(git_branches.FETCH, call)
    tracks = all(name in FETCH_TRACKS and value is None for name, value in options.flags)
    plain = all(word.plain and REMOTE_NAME.match(word.text) for word in options.operands[:1]) and all(
        word.plain and not re.search(r"[:+]", word.text) for word in options.operands[1:]
    )
    return [reads("git")] if tracks and plain else git_branches.FETCH(call)


STASH = replace(
    git_work.STASH, table={**git_work.STASH.table, "list": looking.LOG, "show": looking.STASH_SHOW}
)


def _stash(call: Call) -> list[Outcome]:
    """Without a verb its options are those of `push`."""
    named = call.args and not call.args[0].text.startswith("-")
    return STASH(call) if named else git_work.STASH_PUSH(call)


def _symbolic_ref(call: Call) -> list[Outcome]:
    options = options_of(git_branches.SYMBOLIC_REF, call)
    changes = len(options.operands) > 1 or options.may_have(names("-d --delete"))
    return git_branches.SYMBOLIC_REF(call) if changes else git_branches.SYMBOLIC_REF_LOOKS(call)


def _update_index(call: Call) -> list[Outcome]:
    looks = all(one.verdict == "read_only" for one in looking.INDEX_LOOKS(call))
    return looking.INDEX_LOOKS(call) if looks and call.args else git_work.UPDATE_INDEX(call)


def _merge_tree(call: Call) -> list[Outcome]:
    options = options_of(git_work.MERGE_TREE, call)
    trivial = len(options.operands) == TRIVIAL_MERGE or options.has(names("--trivial-merge"))
    return looking.MERGE_TREE_LOOKS(call) if trivial else git_work.MERGE_TREE(call)


def _foreach(call: Call) -> list[Outcome]:
    """Its first word is shell code, which has the others as its arguments."""
    words = list(call.args)
    while words and words[0].text in ("--recursive", "--quiet", "-q"):
        words.pop(0)
    if not words:
        return [reads("git")]
    for word in words:
        call.hide_code(word)
    if words[0].dynamic:
        return [dynamic("git")]
    code = words[0].text if len(words) == 1 else f'{words[0].text} "$@"'
    return call.shell.run_code(code, words[1:])


def _bisect_run(call: Call) -> list[Outcome]:
    return [writes("vcs", (), "git"), *call.shell.run_words(call.args)]


LFS_TRACK = row(
    "git",
    does="vcs",
    flags="-v -l -j --verbose --lockable --not-lockable --no-modify-attrs --filename --json --no-excluded",
    milder="-d --dry-run",
)


def _lfs_track(call: Call) -> list[Outcome]:
    found = LFS_TRACK(call)
    if not options_of(LFS_TRACK, call).operands:
        return [one for one in found if one.operation != "vcs"] or [reads("git")]
    return [replace(one, targets=(".gitattributes",)) if one.operation == "vcs" else one for one in found]


def spelled_out(handler: Handler) -> Handler:
    """For programs where `--dry-run=false` is no dry run, and `--help=false` no help."""

    def handle(call: Call) -> list[Outcome]:
        found = handler(call)
        told = any(one.verdict == "read_only" for one in found)
        return [unlisted(found[0].family)] if told and any(map(VALUED_TELL.match, call.texts)) else found

    return handle


LFS = replace(looking.LFS, table={**looking.LFS.table, "track": _lfs_track, "untrack": _lfs_track})

CHOICES: dict[str, Handler] = {
    "cat-file": _cat_file,
    "fetch": _fetch,
    "branch": _choosing(
        looking.BRANCHES,
        f"{LISTS} --show-current",
        git_branches.BRANCH,
        git_branches.BRANCH_CHANGES,
        BRANCH_WORK,
    ),
    "tag": _choosing(
        looking.TAGS, f"{LISTS} -n -v --verify", git_branches.TAG, git_branches.TAG_CHANGES, git_branches.TAG
    ),
    "config": _config,
    "reflog": _reflog,
    "stash": _stash,
    "symbolic-ref": _symbolic_ref,
    "update-index": _update_index,
    "merge-tree": _merge_tree,
    "submodule": tree(
        "git",
        {**git_branches.SUBMODULE, "foreach": _foreach},
        flags="-q --quiet --cached",
        bare=git_branches.SUBMODULE["status"],
    ),
    "bisect": tree("git", {**git_branches.BISECT, "run": _bisect_run}),
    "lfs": spelled_out(LFS),
}

"""git subcommands whose targets, or whether they lose work, no column can say."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from evaluator.shell.call import Call, Handler
from evaluator.shell.options import Options, names, read_options
from evaluator.shell.outcome import Outcome, dynamic, writes
from evaluator.shell.programs import git_branches, git_work
from evaluator.shell.rows.landing import copied
from evaluator.shell.rows.row import Row

LOOKS_LIKE_A_FILE = re.compile(r"\.{1,2}\Z|\.{0,2}/|[*?]|:[/!(]|.*/\Z|.*\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
# Compiled at the first use: most calls give no setting.
SAFE_NAME = (
    r"(?:color\.[\w.]+|core\.(?:quotepath|abbrev|autocrlf|safecrlf|longpaths|filemode|ignorecase|preloadindex|commentchar"
    r"|eol|untrackedcache)|advice\.\w+|user\.(?:name|email)|author\.\w+|committer\.\w+|log\.\w+|diff\.(?:renames"
    r"|renamelimit|algorithm|context|noprefix|mnemonicprefix|colormoved|submodule|wordregex)|init\.defaultbranch"
    r"|commit\.gpgsign|tag\.gpgsign|gc\.auto\w*|safe\.directory|protocol\.version|http\.(?:sslverify|version"
    r"|postbuffer|lowspeedlimit|lowspeedtime)|pull\.(?:ff|rebase)|push\.(?:default|autosetupremote|followtags)"
    r"|fetch\.(?:prune|prunetags|parallel|writecommitgraph)|merge\.(?:conflictstyle|renames|ff|stat)"
    r"|rebase\.(?:auto\w+|stat|updaterefs)|status\.\w+|column\.\w+|i18n\.\w+|blame\.\w+|grep\.\w+"
    r"|format\.(?:pretty|signoff|numbered|noprefix)|versionsort\.\w+|rerere\.\w+)(?:=.*)?\Z"
)
SAFE_VALUE = (
    r"(?:core\.pager|pager\.\w+)=(?:cat|less|more|false|)\Z|(?:core\.editor|sequence\.editor)=(?:true|:|cat|)\Z"
    r"|core\.fsmonitor=(?:false|0|)\Z|core\.hookspath=/dev/null\Z|credential\.helper=\Z"
)
STAGED = names("--staged -S")
WORKTREE = names("--worktree -W")


def safe_setting(text: str) -> bool:
    """Whether a setting given on the command line runs nothing and sends nothing elsewhere."""
    flags = re.IGNORECASE | re.DOTALL
    return re.match(SAFE_NAME, text, flags) is not None or re.match(SAFE_VALUE, text, flags) is not None


def options_of(row: Row, call: Call) -> Options:
    return read_options(call.args, row.valued | row.runs | row.loads | frozenset(row.outputs))


def losing(row: Row, loses: Callable[[Options], bool]) -> Handler:
    """What the row says, as a loss of work where `loses`."""

    def handle(call: Call) -> list[Outcome]:
        found = row(call)
        if not loses(options_of(row, call)):
            return found
        return [
            replace(one, operation_class="destructive") if one.operation == row.does else one for one in found
        ]

    return handle


def aimed(handler: Handler, targets: Callable[[Call], Sequence[str]]) -> Handler:
    """What the handler says, with other targets for what it writes."""

    def handle(call: Call) -> list[Outcome]:
        return [
            replace(one, targets=tuple(targets(call))) if one.operation in ("vcs", "move") else one
            for one in handler(call)
        ]

    return handle


def _push_loses(options: Options) -> bool:
    forced = options.may_have(names(git_branches.PUSH_LOSES))
    return forced or any(text.startswith(("+", ":")) and text != ":" for text in options.texts()[1:])


def _restore_loses(options: Options) -> bool:
    return not options.has(STAGED) or options.may_have(WORKTREE)


def _split(call: Call, row: Row) -> tuple[list[str], list[str] | None, Options]:
    """(operands before `--`, operands behind it or None, options)."""
    texts = call.texts
    cut = texts.index("--") if "--" in texts else len(texts)
    options = options_of(row, replace(call, args=call.args[:cut]))
    return options.texts(), texts[cut + 1 :] if cut < len(texts) else None, options


def _checkout(call: Call) -> list[Outcome]:
    unknown = [one for one in git_work.CHECKOUT(call) if one.verdict != "read_only"]
    before, behind, options = _split(call, git_work.CHECKOUT)
    forced = options.may_have(names("-f --force"))
    if behind:
        lost = behind
    elif options.has(names("-b -B --orphan --track -t --detach -d")):
        return [*unknown, writes("vcs", (), "git", "destructive" if forced else None)]
    elif options.may_have(names("--ours --theirs -2 -3 -p --patch")):
        lost = before
    elif forced:
        lost = before[1:]
    elif len(before) > 1:
        first_is_path = LOOKS_LIKE_A_FILE.match(before[0]) is not None and "/" not in before[0][:1]
        lost = before if first_is_path else before[1:]
    elif options.has(names("--pathspec-from-file")) or (before and LOOKS_LIKE_A_FILE.match(before[0])):
        lost = before
    else:
        return [*unknown, writes("vcs", (), "git")]
    return [*unknown, writes("vcs", lost, "git", "destructive")]


def _reset_loses(options: Options) -> bool:
    return options.may_have(names("--hard")) or options.has(names("--merge"))


def _reset_targets(call: Call) -> Sequence[str]:
    before, behind, options = _split(call, git_work.RESET)
    if _reset_loses(options):
        return ()
    if behind is not None:
        return behind
    return before[1:] or [text for text in before if LOOKS_LIKE_A_FILE.match(text)]


def _move_targets(call: Call) -> Sequence[str]:
    paths = options_of(git_work.MOVE, call).texts()
    return (*paths[:-1], *copied(paths[:-1], paths[-1])) if len(paths) > 1 else ()


def _apply_targets(call: Call) -> Sequence[str]:
    found = [
        line[6:].split("\t")[0].strip() for line in call.stdin.text.splitlines() if line.startswith("+++ b/")
    ]
    return list(dict.fromkeys(found))


def _clone(call: Call) -> list[Outcome]:
    options = options_of(git_branches.CLONE, call)
    if any(one.dynamic or not safe_setting(one.text) for one in options.values(names("-c --config"))):
        return [dynamic("git")]
    given = options.texts()
    name = folder_of(given[0]) if given else ""
    return [
        replace(one, targets=(name,)) if one.operation == "vcs" and name and not one.targets else one
        for one in git_branches.CLONE(call)
    ]


def folder_of(repository: str) -> str:
    """Where a clone lands: `https://host/owner/name.git` -> `name`."""
    return re.sub(r"\.git/?\Z|/\Z", "", repository).rsplit("/", 1)[-1].rsplit(":", 1)[-1]


def _switch_loses(options: Options) -> bool:
    return options.may_have(names("-f --force --discard-changes"))


def _ref_loses(options: Options) -> bool:
    return options.has(names("-d"))


AIMED: dict[str, Handler] = {
    "push": losing(git_branches.PUSH, _push_loses),
    "restore": losing(git_work.RESTORE, _restore_loses),
    "switch": losing(git_work.SWITCH, _switch_loses),
    "update-ref": losing(git_branches.UPDATE_REF, _ref_loses),
    "checkout": _checkout,
    "reset": aimed(losing(git_work.RESET, _reset_loses), _reset_targets),
    "mv": aimed(git_work.MOVE, _move_targets),
    "apply": aimed(git_work.APPLY, _apply_targets),
    "clone": _clone,
}

"""git and code forges: subcommands whose words choose between rows, aim or lose; requests by method and data."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from evaluator.shell.call import (
    Call,
    Handler,
    Options,
    Outcome,
    dynamic,
    read_options,
    reads,
    unlisted,
    writes,
)
from evaluator.shell.handlers.common import changing, options_of
from evaluator.shell.rows.row import FROM_HERE, HELP, Row, before_dashes, copied, is_foreign
from evaluator.shell.rows.tables import Shared
from evaluator.shell.scope import joined
from evaluator.shell.words import Word
from evaluator.text import NONE, Vocabulary, names

GIT = Shared("git")
COMMANDS = GIT.commands("commands")
REFLOG = GIT.commands("reflog")
VOCABULARY = Vocabulary("shell/programs/git", "words")
FLAGS = VOCABULARY.words("flags")
GLUED = VOCABULARY.texts("glued")
"""Short options that may have a value, and then in the same word: `-uno`, `-M90%`."""
REMOTE_HELPERS = VOCABULARY.words("remote-helpers")
"""Where `NAME::ADDRESS` is a repository that the program git-remote-NAME reaches."""
PUSH_LOSES = "-f --force --force-with-lease --force-if-includes -d --delete --mirror --prune"
LOOKS_LIKE_A_FILE = re.compile(r"\.{1,2}\Z|\.{0,2}/|[*?]|:[/!(]|.*/\Z|.*\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
# Compiled at the first use: most calls give no setting.
SAFE = rf"(?:{VOCABULARY.either('safe-settings')})(?:=.*)?|{VOCABULARY.either('safe-values')}"
STAGED = names("--staged -S")
WORKTREE = names("--worktree -W")


def safe_setting(text: str) -> bool:
    """Whether a setting given on the command line runs nothing and sends nothing elsewhere."""
    return re.fullmatch(SAFE, text, re.IGNORECASE | re.DOTALL) is not None


def losing(
    call: Call, row: Row, loses: Callable[[Options], bool] | None = None, options: str = ""
) -> list[Outcome]:
    """What the row says, as a loss of work where `loses`, or with one of the `options`."""
    found = row(call)
    given = options_of(row, call.args)
    if not (loses(given) if loses else given.may_have(names(options))):
        return found
    return [
        replace(one, operation_class="destructive") if one.operation == row.does else one for one in found
    ]


def aimed(call: Call, handler: Handler, targets: Callable[[Call], Sequence[str]]) -> list[Outcome]:
    """What the handler says, with other targets for what it writes."""
    return [
        replace(one, targets=tuple(targets(call))) if one.operation in ("vcs", "move") else one
        for one in handler(call)
    ]


def push_loses(options: Options) -> bool:
    forced = options.may_have(names(PUSH_LOSES))
    return forced or any(text.startswith(("+", ":")) and text != ":" for text in options.texts()[1:])


def restore_loses(options: Options) -> bool:
    return not options.has(STAGED) or options.may_have(WORKTREE)


def _split_git_operands(call: Call, row: Row) -> tuple[list[str], list[str] | None, Options]:
    """(operands before `--`, operands behind it or None, options)."""
    texts = call.texts
    cut = texts.index("--") if "--" in texts else len(texts)
    options = options_of(row, call.args[:cut])
    return options.texts(), texts[cut + 1 :] if cut < len(texts) else None, options


def checkout(call: Call) -> list[Outcome]:
    unknown = changing(GIT.checkout(call))
    before, behind, options = _split_git_operands(call, GIT.checkout)
    forced = options.may_have(names("-f --force"))
    named = bool(before) and LOOKS_LIKE_A_FILE.match(before[0]) is not None
    if behind:
        lost = behind
    elif options.has(names("-b -B --orphan --track -t --detach -d")):
        return [*unknown, writes("vcs", (), "git", "destructive" if forced else None)]
    elif options.may_have(names("--ours --theirs -2 -3 -p --patch")):
        lost = before
    elif forced or len(before) > 1:
        lost = before if named and not forced and before[0][0] != "/" else before[1:]
    elif named or options.has(names("--pathspec-from-file")):
        lost = before
    else:
        return [*unknown, writes("vcs", (), "git")]
    return [*unknown, writes("vcs", lost, "git", "destructive")]


def reset_loses(options: Options) -> bool:
    return options.may_have(names("--hard")) or options.has(names("--merge"))


def reset_targets(call: Call) -> Sequence[str]:
    before, behind, options = _split_git_operands(call, GIT.reset)
    if reset_loses(options) or behind is not None:
        return () if reset_loses(options) else behind or ()
    return before[1:] or [text for text in before if LOOKS_LIKE_A_FILE.match(text)]


def move_targets(call: Call) -> Sequence[str]:
    paths = options_of(GIT.move, call.args).texts()
    return (*paths[:-1], *copied(paths[:-1], paths[-1])) if len(paths) > 1 else ()


def apply_targets(call: Call) -> Sequence[str]:
    named = (line for line in call.stdin.text.splitlines() if line.startswith("+++ b/"))
    return list(dict.fromkeys(line[6:].split("\t")[0].strip() for line in named))


def clone(call: Call) -> list[Outcome]:
    options = options_of(GIT.clone, call.args)
    if any(one.dynamic or not safe_setting(one.text) for one in options.values(names("-c --config"))):
        return [dynamic("git")]
    given = options.texts()
    name = folder_of(given[0]) if given else ""
    return [
        replace(one, targets=(name,)) if one.operation == "vcs" and name and not one.targets else one
        for one in GIT.clone(call)
    ]


def folder_of(repository: str) -> str:
    """Where a clone lands: `https://host/owner/name.git` -> `name`."""
    return re.sub(r"\.git/?\Z|/\Z", "", repository).rsplit("/", 1)[-1].rsplit(":", 1)[-1]


CONFIG_LOOKS = names("--get --get-all --get-regexp --get-urlmatch --list -l --get-color --get-colorbool")
CONFIG_CHANGES = names("--add --unset --unset-all --replace-all --rename-section --remove-section --edit -e")
FETCH_TRACKS = VOCABULARY.words("fetch-tracks")
"""With these alone a fetch brings what a remote has, and moves only the names under which that is kept."""
REMOTE_NAME = re.compile(r"[\w.-]+\Z")
CONFIG_VERBS = names("set unset rename-section remove-section edit")


def deletes_by_force(options: Options) -> bool:
    forced = options.may_have(names("-f --force")) and options.may_have(names("-d --delete"))
    return forced or options.has(names("-D"))


def choosing(call: Call, looks: Row, lists: str, work: Row, changes: str, changing: Handler) -> list[Outcome]:
    """`looks` where an option of `lists`, or no operand, asks for a list and none of `changes` stands in `work`."""
    options = options_of(looks, call.args)
    listed = options.has(names(lists)) or not options.operands
    changed = options_of(work, call.args).may_have(names(changes))
    return looks(call) if listed and not changed else changing(call)


def config(call: Call) -> list[Outcome]:
    verb, rest = call.texts[:1], replace(call, args=call.args[1:])
    if verb in (["get"], ["list"]):
        return GIT.settings(rest)
    if verb and verb[0] in CONFIG_VERBS:
        return GIT.set(rest)
    options = options_of(GIT.settings, call.args)
    changes = options_of(GIT.config, call.args).may_have(CONFIG_CHANGES)
    looks = options.has(CONFIG_LOOKS) or len(options.operands) < 2
    return GIT.settings(call) if looks and not changes else GIT.set(call)


def config_file(call: Call) -> list[str]:
    return [value.text for value in options_of(GIT.config, call.args).values(names("-f --file"))]


def reflog(call: Call) -> list[Outcome]:
    handler = REFLOG.get(call.args[0].text) if call.args else None
    return handler(replace(call, args=call.args[1:])) if handler else GIT.log(call)


def cat_file(call: Call) -> list[Outcome]:
    """Where one of its modes is named no other can be, whatever a word turns out to be."""
    shows = options_of(GIT.cat_file, call.args).has(names("-e -p -t -s"))
    return (replace(GIT.cat_file, loads=NONE) if shows else GIT.cat_file)(call)


def fetch(call: Call) -> list[Outcome]:
    """`git fetch [REMOTE [BRANCH...]]`; another destination than the names of the remote is written."""
    options = options_of(GIT.fetch, call.args)
    tracks = all(name in FETCH_TRACKS and value is None for name, value in options.flags)
    plain = all(word.plain and REMOTE_NAME.match(word.text) for word in options.operands[:1]) and all(
        word.plain and not re.search(r"[:+]", word.text) for word in options.operands[1:]
    )
    return [reads("git")] if tracks and plain else GIT.fetch(call)


def stash(call: Call) -> list[Outcome]:
    """Without a verb its options are those of `push`."""
    named = call.args and not call.args[0].text.startswith("-")
    return GIT.stash(call) if named else GIT.stash_push(call)


def looking(call: Call, looks: Row, otherwise: Handler) -> list[Outcome]:
    """What `looks` says where it proves that the call looks; `otherwise` for any other, and without a word."""
    found = looks(call)
    return otherwise(call) if changing(found) or not call.args else found


def foreach(call: Call) -> list[Outcome]:
    """Its first word is shell code, which has the others as its arguments."""
    words = list(call.args)
    while words and words[0].text in ("--recursive", "--quiet", "-q"):
        words.pop(0)
    call.hide_code(*words)
    if not words or words[0].dynamic:
        return [dynamic("git") if words else reads("git")]
    code = words[0].text if len(words) == 1 else f'{words[0].text} "$@"'
    return call.shell.run_code(code, words[1:])


def bisect_run(call: Call) -> list[Outcome]:
    return [writes("vcs", (), "git"), *call.shell.run_words(call.args)]


VALUED = names("-C -c --git-dir --work-tree --namespace --attr-source --super-prefix")
LOADS = names("--exec-path --config-env")
TELLS = VOCABULARY.words("tells")
"""In front of a subcommand, or without one, they tell something and end it there."""
KNOWN = FLAGS | VALUED | LOADS | TELLS
HEAD_IF_LAST = names("--contains --no-contains --merged --no-merged --points-at")
"""Options of `branch`, `tag` and `for-each-ref` that mean HEAD where no value follows."""
HEAD_COMMANDS = names("branch tag for-each-ref")
HELPED_BY = re.compile(r"(?:-[-\w]+=|-\w)?[A-Za-z0-9][\w+.-]*::")
"""A repository that another program reaches (`ext::sh -c ...`)."""
ASKS_REMOTES = names("ls-remote push fetch pull remote")


def git(call: Call) -> list[Outcome]:
    if any(word.decoded for word in call.args):
        return [dynamic("git")]
    options = read_options(call.args, VALUED, stop=True)
    rest = options.rest
    if rest and len(rest) == len(call.args):
        return _git_subcommand_outcomes(call, rest[0], rest[1:])
    loads = any(name in LOADS and (value or name != "--exec-path") for name, value in options.flags)
    if loads or any(one.dynamic or not safe_setting(one.text) for one in options.values(names("-c"))):
        return [dynamic("git")]
    # The settings of a repository name programs, so it must not be one that anybody may have put there.
    known = all(name in KNOWN and (value or name not in VALUED) for name, value in options.flags)
    own = call.args[: len(call.args) - len(rest)]
    foreign = any(is_foreign(place, call.shell.cwd) for place in _git_option_folders(options))
    if foreign or not known or any((word.made and word.bare) or word.glob for word in own):
        return [unlisted("git")]
    if options.has(TELLS) or not rest:
        return [reads("git")] if not rest or options.has(names("--help")) else [unlisted("git")]
    folder = next(iter(_git_option_folders(options, "--work-tree")), "")
    return [one.within(folder) for one in _git_subcommand_outcomes(call, rest[0], rest[1:])]


def _git_option_folders(options: Options, named: str = "--git-dir --work-tree") -> list[str]:
    """The folders that its options name, each as `-C` leads there; the last is that of `-C` itself."""
    folder = ""
    for value in options.values(names("-C")):
        folder = joined(folder, value.text)
    return [*(joined(folder, value.text) for value in options.values(names(named))), folder]


def _git_subcommand_outcomes(call: Call, command: Word, args: tuple[Word, ...]) -> list[Outcome]:
    name = command.text
    if not command.plain:
        return [dynamic("git")]
    texts = [word.text for word in args]
    if texts[:1] == ["--help"] or (texts[1:] == ["--help"] and not texts[0].startswith("-")):
        return [reads("git")]
    handler = COMMANDS.get(name)
    if handler is None:
        return [unlisted("git")]
    if texts == ["-h"]:
        return [reads("git")]
    if not HELP.isdisjoint(word.text for word in before_dashes(args)):
        # Anywhere else it may be the value of an option, or come after one has acted.
        return [dynamic("git")]
    if name in REMOTE_HELPERS and any(HELPED_BY.match(word.text) for word in args):
        return [dynamic("git")]
    if name in HEAD_COMMANDS and args and args[-1].text in HEAD_IF_LAST:
        args = (*args, Word("HEAD"))
    # Without the values that only some short options have, in the same word.
    glued, own = names(GLUED.get(name, "")), before_dashes(args)
    apart = [replace(word, text=word.text[:2]) if word.text[:2] in glued else word for word in own]
    found = handler(Call("git", (*apart, *args[len(apart) :]), call.stdin, call.shell))
    rehearses = "--dry-run" in texts or all(one.verdict == "read_only" for one in found)
    return (
        [dynamic("git")]
        if name in ASKS_REMOTES and rehearses and not _is_git_request_literal(name, args)
        else found
    )


def _is_git_request_literal(name: str, args: Sequence[Word]) -> bool:
    """Whether it is known what a request tells whom. A remote that has a name may be asked for any branch."""
    if not any(word.dynamic for word in args):
        return True
    if name == "remote":
        return args[0].text == "get-url"
    valued = names("-o --push-option --server-option --repo --sort --depth --filter -j --jobs")
    options = read_options(args, valued)
    if any(value is not None and value.dynamic for _, value in options.flags) or not options.operands:
        return False
    return REMOTE_NAME.match(options.operands[0].text) is not None


FORGES = Shared("forges")
FIELDS = names("-f --raw-field -F --field --form")
TYPED = names("-F --field --form")
"""`@FILE` in their value is the content of a file."""
INPUT = names("--input")
METHOD = names("-X --method")
MUTATION = re.compile(r"\b(?:mutation|subscription)\b")


def api(call: Call) -> list[Outcome]:
    """The method decides, and the fields where there are some. All that is sent must stand in the command."""
    options = read_options(call.args, FORGES.asks.valued)
    known = FORGES.asks(call)
    if changing(known) or ("--help", None) in options.flags:
        return known
    fields, file = options.values(FIELDS), options.values(INPUT)
    if options.texts()[:1] == ["graphql"]:
        queries = [value.text for value in fields if value.text.startswith("query=")]
        hidden = file or not queries or any(value.dynamic for value in fields)
        if hidden or any(MUTATION.search(text) for text in queries):
            return [writes("network", (), "forge")]
    else:
        methods = [value.text.lstrip("=").upper() for value in options.values(METHOD)]
        method = methods[-1] if methods else "POST" if fields or file else "GET"
        if method not in ("GET", "HEAD"):
            return [writes("delete" if method == "DELETE" else "network", (), "forge")]
    # What is only shown may be anything.
    shown = names("-q --jq -t --template --cache")
    sent = [*options.operands, *(value for name, value in options.flags if value and name not in shown)]
    said = [re.sub(FROM_HERE, "", word.text) for word in sent if word.dynamic]
    files = file or any("=@" in value.text for value in options.values(TYPED))
    return [dynamic("forge")] if files or any("$" in text or "`" in text for text in said) else known


def forge_clone(call: Call) -> list[Outcome]:
    """`gh repo clone OWNER/NAME [FOLDER] [-- git flags]`."""
    texts = call.texts
    cut = texts.index("--") if "--" in texts else len(texts)
    found = FORGES.clones(replace(call, args=call.args[:cut]))
    behind = replace(call, name="git", args=(Word("clone"), *call.args[cut + 1 :]))
    unsafe = [one for one in git(behind) if one.operation == "unknown"]
    given = read_options(call.args[:cut], FORGES.clones.valued).texts()
    target = given[1] if len(given) > 1 else folder_of(given[0]) if given else ""
    cloned = writes("vcs", (target,) if target else (), "forge")
    return [*unsafe, *(cloned if one.operation == "vcs" else one for one in found)]


def copilot(call: Call) -> list[Outcome]:
    """`gh copilot -- ARGS`; `suggest` and `explain` are those of the older extension."""
    args = call.args[1:] if call.texts[:1] == ["--"] else call.args
    return call.shell.run_words([Word("copilot"), *args], call.stdin)

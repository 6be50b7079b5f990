"""Code forges: a request by its method and data, and where a clone lands."""

from __future__ import annotations

import re

from evaluator.shell.call import Call, Outcome, dynamic, writes
from evaluator.shell.handlers.git import folder_of, git
from evaluator.shell.options import Options, names, read_options
from evaluator.shell.rows.row import FROM_HERE
from evaluator.shell.rows.tables import Shared
from evaluator.shell.words import Word

FORGES = Shared("forges")

FIELDS = names("-f --raw-field -F --field --form")
TYPED = names("-F --field --form")
"""`@FILE` in their value is the content of a file."""
INPUT = names("--input")
METHOD = names("-X --method")
MUTATION = re.compile(r"\b(?:mutation|subscription)\b")


def api(call: Call) -> list[Outcome]:
    options = read_options(call.args, FORGES.asks.valued)
    known = FORGES.asks(call)
    if any(one.verdict == "write" for one in known):
        return known
    if any(one.verdict == "unknown" for one in known) or ("--help", None) in options.flags:
        return known
    changing = _changing(options)
    if changing:
        return changing
    return known if _is_literal(options) else [dynamic("forge")]


def _changing(options: Options) -> list[Outcome]:
    given = options.texts()
    if given[:1] == ["graphql"]:
        queries = [value.text for value in options.values(FIELDS) if value.text.startswith("query=")]
        mutates = any(MUTATION.search(text) for text in queries)
        known = (
            queries
            and not options.values(INPUT)
            and not any(value.dynamic for value in options.values(FIELDS))
        )
        return [] if known and not mutates else [writes("network", (), "forge")]
    methods = [value.text.lstrip("=").upper() for value in options.values(METHOD)]
    sends = options.values(FIELDS) or options.values(INPUT)
    method = methods[-1] if methods else "POST" if sends else "GET"
    if method in ("GET", "HEAD"):
        return []
    return [writes("delete" if method == "DELETE" else "network", (), "forge")]


def _is_literal(options: Options) -> bool:
    """Whether all that is sent stands in the command. What is only shown (`--jq`) may be anything."""
    shown = names("-q --jq -t --template --cache")
    sent = [*options.operands, *(value for name, value in options.flags if value and name not in shown)]
    files = any("=@" in value.text for value in options.values(TYPED)) or options.values(INPUT)
    said = [FROM_HERE.sub("", word.text) for word in sent if word.dynamic]
    return not files and not any("$" in text or "`" in text for text in said)


def clone(call: Call) -> list[Outcome]:
    """`gh repo clone OWNER/NAME [FOLDER] [-- git flags]`."""
    texts = call.texts
    cut = texts.index("--") if "--" in texts else len(texts)
    found = FORGES.clones(Call(call.name, call.args[:cut], call.stdin, call.shell))
    behind = Call("git", (Word("clone"), *call.args[cut + 1 :]), call.stdin, call.shell)
    unsafe = [one for one in git(behind) if one.verdict == "unknown" or one.operation == "unknown"]
    given = read_options(call.args[:cut], FORGES.clones.valued).texts()
    target = given[1] if len(given) > 1 else folder_of(given[0]) if given else ""
    written = [
        writes("vcs", (target,) if target else (), "forge") if one.operation == "vcs" else one
        for one in found
    ]
    return [*unsafe, *written]


def copilot(call: Call) -> list[Outcome]:
    """`gh copilot -- ARGS`; `suggest` and `explain` are those of the older extension."""
    args = call.args[1:] if call.texts[:1] == ["--"] else call.args
    return call.shell.run_words([Word("copilot"), *args], call.stdin)

"""What a tool without a row would do, by the verbs of its name and by its arguments. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import cast

from evaluator.text import Vocabulary

VOCABULARY = Vocabulary("trigger/tool_names")

READS = VOCABULARY.words("reads")
"""First verbs of names that read."""
PLAIN_READS = VOCABULARY.words("plain_reads")
"""Those of them that never write what they read to a file, as a screenshot, a dump or a console may."""
CHANGES = VOCABULARY.words("changes")
"""Verbs that change something, where the name does not read first."""
DESTROYS = VOCABULARY.words("destroys")
ALWAYS_VERBS = VOCABULARY.words("always_verbs")
"""Verbs that are hardly ever the noun of what is read, so that `search_replace` does not only read."""
ASSESSES = VOCABULARY.words("assesses")
"""First verbs whose object may be another verb."""
HARMLESS = VOCABULARY.words("harmless")
"""Names of tools in wide use that sound otherwise."""
SQL = ("sql", "query", "queries", "statement", "statements")
_TARGETS = "path,file_path,filePath,paths,files,file,filename"
_CONTENT = VOCABULARY.words("content")
"""Arguments that hold what is written, where the name tells nothing."""
_CHOICES = frozenset(("method", "action", "operation", "op", "verb", "http_method", "httpmethod"))
"""Arguments whose value is a verb."""
_COMMANDS = ("command", "cmd", "shell_command", "commands", "script")
_SELECTS = re.compile(r"\s*(?:select|show|explain|describe|desc|with|pragma|values|table)\b", re.IGNORECASE)
_STATEMENT = re.compile(
    r"(?:^|;)\s*(?:(?:--[^\n]*\n|/\*.*?\*/)\s*)*(?:with\b.*?\)\s*)?"
    r"(?:insert\s+into\b|update\s+\S+\s+(?:as\s+\w+\s+)?set\b|delete\s+from\s+\S+\s*(?:where\b|using\b|returning\b|;|$)"
    r"|(?:drop|alter|create)\s+(?:or\s+replace\s+|temp\w*\s+|unique\s+|materialized\s+)*(?:table|index|view|database"
    r"|schema|function|procedure|trigger|user|role|sequence|type|extension|policy|column)\b"
    r"|truncate\s+(?:table\s+)?\S+\s*(?:;|$|cascade)|merge\s+into\b|replace\s+into\b|(?:grant|revoke)\s+.*\b(?:to|from)\b"
    r"|mutation\b\s*(?:\w+\s*)?[({])",
    re.IGNORECASE | re.DOTALL,
)
"""A statement that changes a database, or a GraphQL mutation."""
_OUTPUT = re.compile(
    r"out(?:put)?(?:_?(?:file|path|dir|folder|to)\w*)?|(?:dest|dst|save|write|download|export)\w*",
    re.IGNORECASE,
)
"""Arguments that say where a tool puts its result."""
_FILE = re.compile(r"\w*file_?(?:name|path)", re.IGNORECASE)
"""Arguments that do so too, unless the tool's name says that it reads files."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CHARS_MAX = 20_000
_DEPTH_MAX = 6


def row_by_name(tool: str, given: Mapping[str, object]) -> str | None:
    """The row of an MCP tool that has none, as `trigger.tools` reads rows; None where nothing says that it changes."""
    bare = tool.split("__", 2)[-1]
    if not tool.startswith("mcp__") or bare in HARMLESS:
        return None
    reads, chosen = only_reads(tool), _tool_argument_verbs(given)
    stated = _tool_statement_argument(given)
    if stated in SQL and "mutation" not in str(given[stated])[:_CHARS_MAX]:
        return f"sql:{stated}"
    if not reads:
        command = next((name for name in _COMMANDS if name in given), None)
        selected = next((name for name in SQL if _SELECTS.match(str(given.get(name, "")))), None)
        if command or (selected and not chosen & (CHANGES | DESTROYS)):
            return f"shell:{command}" if command else f"sql:{selected}"
    said = chosen if reads else chosen | set(_words_of_tool_name(bare))
    if said & DESTROYS:
        return f"delete:{_TARGETS}"
    writes = not reads and any(value and name.lower() in _CONTENT for name, value in given.items())
    return f"network:{_TARGETS}" if writes or stated or said & CHANGES else None


def only_reads(tool: str) -> bool:
    """Whether a tool's own name says that it reads and nothing else: its server is taken at its word."""
    bare = tool.split("__", 2)[-1]
    if bare in HARMLESS:
        return True
    words = _words_of_tool_name(bare)
    # "query_db__run": each part that has a verb must read.
    parts = [verbs for part in bare.split("__") if (verbs := _tool_name_verbs(_words_of_tool_name(part)))]
    if not parts or any(verbs[0] not in READS for verbs in parts):
        return False
    # "get_or_create", "read_and_send"; "check_write": what is only assessed is not done.
    joined = [after for before, after in pairwise(words) if before in ("or", "and")]
    assessed = words[0] in ASSESSES or ALWAYS_VERBS.isdisjoint(words)
    return assessed and CHANGES.isdisjoint(joined) and DESTROYS.isdisjoint(joined)


def plainly_reads(tool: str, given: Mapping[str, object]) -> bool:
    """Whether a tool can be trusted with a guarded path: all verbs of its name read, and no argument takes a result.

    Stricter than `only_reads`, whose tools may leave a file: `take_screenshot`, `dump_database`, `search_update`.
    """
    words = _words_of_tool_name(tool.split("__", 2)[-1])
    verbs = _tool_name_verbs(words)
    if not verbs or not PLAIN_READS.issuperset(verbs):
        return False
    of_files = not {"read", "file", "files"}.isdisjoint(words)
    given_names = list(_argument_names(given))
    takes = any(map(_OUTPUT.fullmatch, given_names))
    return not takes and (of_files or not any(map(_FILE.fullmatch, given_names)))


def _argument_names(value: object, depth: int = 0) -> Iterator[str]:
    if depth < _DEPTH_MAX and isinstance(value, Mapping):
        for name, one in cast(Mapping[str, object], value).items():
            yield name
            yield from _argument_names(one, depth + 1)
    elif depth < _DEPTH_MAX and isinstance(value, list):
        for one in cast(list[object], value):
            yield from _argument_names(one, depth + 1)


def _tool_name_verbs(words: Iterable[str]) -> list[str]:
    return [word for word in words if word in READS or word in CHANGES or word in DESTROYS]


def _words_of_tool_name(text: str) -> list[str]:
    return [word for word in re.split(r"[^a-z0-9]+", _CAMEL.sub("_", text).lower()) if word]


def _tool_argument_verbs(given: Mapping[str, object]) -> set[str]:
    """Words of the verbs that the arguments choose: `action: close_issue`, `method: POST`, `delete: true`."""
    found: set[str] = set()
    for name, value in given.items():
        if value is True:
            found.update(_words_of_tool_name(name)[:1])
        elif isinstance(value, str) and name.lower() in _CHOICES:
            words = _words_of_tool_name(value[:_CHARS_MAX])
            found.update(words if words and words[0] not in READS else ())
    return found


def _tool_statement_argument(given: Mapping[str, object]) -> str | None:
    """The argument that holds a changing statement."""
    for name, value in given.items():
        listed = cast(list[object], value) if isinstance(value, list) else [value]
        if any(isinstance(one, str) and _STATEMENT.search(one[:_CHARS_MAX].strip()) for one in listed):
            return name
    return None

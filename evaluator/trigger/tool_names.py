"""What a tool without a row would do, by the verbs of its name and by its arguments. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import cast

from evaluator.tables import Vocabulary

VOCABULARY = Vocabulary("trigger/tool_names")

READS = VOCABULARY.words("reads")
"""First verbs of names that read."""
CHANGES = VOCABULARY.words("changes")
"""Verbs that change something, where the name does not read first."""
DESTROYS = VOCABULARY.words("destroys")
ALWAYS_VERBS = VOCABULARY.words("always_verbs")
"""Verbs that are hardly ever the noun of what is read, so that `search_replace` does not only read."""
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
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CHARS_MAX = 20_000


def row_by_name(tool: str, given: Mapping[str, object]) -> str | None:
    """The row of an MCP tool that has none, as `trigger.tools` reads rows; None where nothing says that it changes."""
    bare = tool.split("__", 2)[-1]
    if not tool.startswith("mcp__") or bare in HARMLESS:
        return None
    reads, chosen = only_reads(tool), _chosen(given)
    stated = _stated(given)
    if stated in SQL and "mutation" not in str(given[stated])[:_CHARS_MAX]:
        return f"sql:{stated}"
    if not reads:
        command = next((name for name in _COMMANDS if name in given), None)
        selected = next((name for name in SQL if _SELECTS.match(str(given.get(name, "")))), None)
        if command or (selected and not chosen & (CHANGES | DESTROYS)):
            return f"shell:{command}" if command else f"sql:{selected}"
    said = chosen if reads else chosen | set(_words(bare))
    if said & DESTROYS:
        return f"delete:{_TARGETS}"
    writes = not reads and any(value and name.lower() in _CONTENT for name, value in given.items())
    return f"network:{_TARGETS}" if writes or stated or said & CHANGES else None


def only_reads(tool: str) -> bool:
    """Whether a tool's own name says that it reads and nothing else: its server is taken at its word."""
    bare = tool.split("__", 2)[-1]
    words = _words(bare)
    verbs = [word for word in words if word in READS or word in CHANGES or word in DESTROYS]
    if bare in HARMLESS:
        return True
    if not verbs or verbs[0] not in READS or not ALWAYS_VERBS.isdisjoint(verbs):
        return False
    # "get_or_create", "read_and_send".
    joined = [after for before, after in pairwise(words) if before in ("or", "and")]
    return CHANGES.isdisjoint(joined) and DESTROYS.isdisjoint(joined)


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[^a-z0-9]+", _CAMEL.sub("_", text).lower()) if word]


def _chosen(given: Mapping[str, object]) -> set[str]:
    """Words of the verbs that the arguments choose: `action: close_issue`, `method: POST`, `delete: true`."""
    found: set[str] = set()
    for name, value in given.items():
        if value is True:
            found.update(_words(name)[:1])
        elif isinstance(value, str) and name.lower() in _CHOICES:
            words = _words(value[:_CHARS_MAX])
            found.update(words if words and words[0] not in READS else ())
    return found


def _stated(given: Mapping[str, object]) -> str | None:
    """The argument that holds a changing statement."""
    for name, value in given.items():
        listed = cast(list[object], value) if isinstance(value, list) else [value]
        if any(isinstance(one, str) and _STATEMENT.search(one[:_CHARS_MAX].strip()) for one in listed):
            return name
    return None

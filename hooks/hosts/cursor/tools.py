"""Cursor's calls in Compass's words. Pure.

Its documents name the tools, hardly their fields: every spelling that was seen in a payload or in a session's file is
taken. A call that writes and does not say where is no payload, and is answered by policy.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import cast

from evaluator.effects import text_of
from evaluator.errors import PayloadError

Given = Mapping[str, object]

_PATH = ("file_path", "path", "target_file", "filePath", "target_notebook", "notebook_path")
_CONTENT = ("content", "contents", "file_text", "text")
_OLD = ("old_string", "oldString", "old_text")
_NEW = ("new_string", "newString", "new_text")
_PATCH = ("patch", "input", "unified_diff", "diff")
_FOLDER = ("working_directory", "cwd", "workdir")
_FILE_WRITERS = frozenset(
    ("Write", "Edit", "MultiEdit", "StrReplace", "WriteFile", "EditNotebook", "NotebookEdit")
)
NEVER_WRITES: frozenset[str] = frozenset(
    (
        "Read", "Grep", "Glob", "LS", "SemanticSearch", "ReadLints", "WebSearch", "WebFetch", "TodoWrite",
        "AskQuestion", "ListMcpResources", "FetchMcpResource", "SwitchMode",
    )
)  # fmt: skip
LEFT_ALONE: frozenset[str] = frozenset(("Task",))
"""It starts an agent whose calls are hooked themselves."""
MCP: str = "MCP:"


def translated(payload: Given) -> tuple[str, Given]:
    """The tool and its input. Raises PayloadError where a call cannot be told."""
    given = _object(payload.get("tool_input"))
    name = text_of(payload, "tool_name") or _inferred(given)
    if name.startswith(MCP):
        server = text_of(payload, "mcp_server_name") or text_of(payload, "server") or "cursor"
        return f"mcp__{_word(server)}__{name.removeprefix(MCP).strip()}", given
    if name == "CallMcpTool":
        server, tool = text_of(given, "server"), text_of(given, "toolName") or text_of(given, "tool_name")
        return f"mcp__{_word(server or 'cursor')}__{tool}", _object(given.get("arguments"))
    if name == "Shell":
        return "Bash", {"command": _needed(given, ("command",), name)}
    if name == "Delete":
        # Compass has no tool that deletes: it is the command that would.
        return "Bash", {"command": f"rm -- {shlex.quote(_needed(given, _PATH, name))}"}
    if name == "ApplyPatch":
        whole = payload.get("tool_input")
        return "apply_patch", {"input": whole if isinstance(whole, str) else _needed(given, _PATCH, name)}
    if name in _FILE_WRITERS:
        return _written(name, given)
    return name, given


def folder_of(given: Given) -> str:
    """Where a command is to run; empty where it does not say."""
    return _first(given, _FOLDER) or ""


def _written(name: str, given: Given) -> tuple[str, Given]:
    path = _needed(given, _PATH, name)
    if name in ("EditNotebook", "NotebookEdit"):
        source = _first(given, ("new_source", *_NEW)) or ""
        return "NotebookEdit", {"notebook_path": path, "new_source": source}
    if isinstance(given.get("edits"), list):
        return "MultiEdit", {"file_path": path, "edits": given["edits"]}
    old, new = _first(given, _OLD), _first(given, _NEW)
    if old is not None or new is not None:
        edit = {"file_path": path, "old_string": old or "", "new_string": new or ""}
        return "Edit", edit | {key: given[key] for key in ("replace_all",) if key in given}
    return "Write", {"file_path": path, "content": _first(given, _CONTENT) or ""}


def _inferred(given: Given) -> str:
    """Payloads without a name were seen: what the input can only be. Raises PayloadError."""
    for fields, name in (
        (_OLD, "StrReplace"),
        (_NEW, "StrReplace"),
        (_CONTENT, "Write"),
        (_PATCH, "ApplyPatch"),
    ):
        if _first(given, fields) is not None:
            return name
    if isinstance(given.get("edits"), list):
        return "MultiEdit"
    if "command" in given:
        return "Shell"
    raise PayloadError("tool_name is missing or not a string")


def _needed(given: Given, fields: Sequence[str], name: str) -> str:
    """Which spelling the client reads is not known: two that differ could hide one behind the other."""
    found = {value for field in fields if isinstance(value := given.get(field), str) and value}
    if not found:
        raise PayloadError(f"a call of {name} has no {fields[0]}")
    if len(found) > 1:
        raise PayloadError(f"a call of {name} has more than one {fields[0]}")
    return found.pop()


def _first(given: Given, fields: Sequence[str]) -> str | None:
    return next((value for field in fields if isinstance(value := given.get(field), str)), None)


def _object(value: object) -> Given:
    """An object, also as the text of one, which is how some of its events pass the input of MCP tools."""
    if isinstance(value, str):
        try:
            value = cast(object, json.loads(value))
        except (ValueError, RecursionError):
            value = None
    return cast(Given, value) if isinstance(value, dict) else {}


def _word(server: str) -> str:
    return "".join(letter if letter.isalnum() or letter == "-" else "_" for letter in server)

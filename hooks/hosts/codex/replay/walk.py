"""One session's file as what its hooks were told, in order: prompts, calls and their ends. Judges nothing.

Calls that a script makes by itself (code mode) stand there as finished commands alone; a patch of such a script is not
kept. A subagent's calls are those of its own file.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from evaluator.effects import PATCH_TOOL, text_of
from hooks.hosts.codex.rollout import decoded, held_of, of_item
from hooks.lines import PADDING, forward
from hooks.moments import Called, Ended, Fate, Interrupted, Moment, Passed, Spoken
from hooks.recorded import HELD

SHELL = "exec_command"
OLDER_SHELLS = ("shell", "shell_command", "container.exec")
"""Of 2025."""
FOLDER_MARK = "file://"
_CODE = re.compile(r'(?:Process exited with code |Exit code: |"exit_code": ?)(-?\d+)')
_REFUSED = ("Command blocked by PreToolUse hook", "aborted by user", "exec command rejected by user")
_FAILED = ("verification failed", "failed:", "unsupported call", "unable to ")


@dataclass(frozen=True, slots=True)
class Row:
    """A line: where it ends, when it was written, and what it holds."""

    end: int
    at: float
    kind: str
    item: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Asked:
    """A call in Compass's words. `folder` as the call names it, which may be empty."""

    name: str
    given: Mapping[str, object]
    folder: str = ""


def rows(path: str, passed: Passed | None = None) -> Iterator[Row]:
    """From the first on. A longer line than any that people or models write is passed over."""
    for line in forward(path):
        found = decoded(line.raw)
        if found:
            end = line.offset + len(line.raw)
            yield Row(end, _time(found), text_of(found, "type"), held_of(found, "payload"))
        elif passed is not None and line.raw.strip(PADDING):
            passed.garbled += 1


def moments(path: str, passed: Passed) -> Iterator[Moment]:
    """Times never go back."""
    fates = _fates(path)
    session = project = ""
    agent: str | None = None
    at, heard = 0.0, 0
    running: str | None = None
    for row in rows(path, passed):
        at = max(at, row.at)
        item = row.item
        if row.kind == "session_meta" and not session:
            session, project = text_of(item, "session_id") or text_of(item, "id"), text_of(item, "cwd")
            agent = text_of(item, "id") if held_of(item, "source") else None
            continue
        if row.kind == "event_msg" and text_of(item, "type") == "turn_aborted":
            yield Interrupted(at, session)
        one = of_item(item) if row.kind == "response_item" else None
        if one is not None:
            running = one.prompt_id or running
        if one is not None and one.role == "user":
            heard += 1
            if agent is None:
                yield Spoken(at, session, one.prompt_id, one.text, one.typed, project)
        call_id = text_of(item, "call_id")
        if text_of(item, "type").endswith("_call_output"):
            if call_id in fates:
                yield Ended(at, session, call_id, fates[call_id] == "ran")
            continue
        asked = asked_of(item) if one is not None else None
        if asked is not None:
            fate = fates.get(call_id, "unknown")
            yield Called(
                at=at,
                session_id=session,
                prompt_id=running,
                tool_use_id=call_id,
                tool_name=asked.name,
                tool_input=asked.given,
                cwd=os.path.normpath(os.path.join(project, asked.folder)),
                project=project,
                agent_id=agent,
                uuid=call_id,
                index=0,
                end=row.end,
                heard=heard,
                fate=fate,
                created=_created(asked) if fate == "ran" else None,
            )


def asked_of(item: Mapping[str, object]) -> Asked | None:
    """None for what is no call that a hook hears of."""
    kind, name = text_of(item, "type"), text_of(item, "name")
    if kind == "custom_tool_call" and name == PATCH_TOOL:
        return Asked(PATCH_TOOL, {"input": text_of(item, "input")})
    if kind != "function_call":
        return None
    given = _given(text_of(item, "arguments"))
    if name == SHELL:
        return Asked("Bash", {"command": text_of(given, "cmd")}, text_of(given, "workdir"))
    if name in OLDER_SHELLS:
        return _shell(given)
    namespace = text_of(item, "namespace")
    if namespace.startswith("mcp__"):
        return Asked(f"{namespace.removesuffix('__')}__{name}", given)
    return Asked(name, given) if name.startswith("mcp__") else None


def _shell(given: Mapping[str, object]) -> Asked:
    """A list of words, most often `bash -lc SCRIPT`, or `apply_patch PATCH`."""
    words = given.get("command")
    folder = text_of(given, "workdir")
    if isinstance(words, str):
        return Asked("Bash", {"command": words}, folder)
    said = [str(word) for word in cast(list[object], words)] if isinstance(words, list) else []
    if said[:1] == [PATCH_TOOL]:
        return Asked(PATCH_TOOL, {"input": said[-1]}, folder)
    script = said[2] if len(said) == 3 and said[1] in ("-lc", "-c") else shlex.join(said)
    return Asked("Bash", {"command": script}, folder)


def _given(arguments: str) -> Mapping[str, object]:
    try:
        found = cast(object, json.loads(arguments))
    except (ValueError, RecursionError):
        return {}
    return cast(Mapping[str, object], found) if isinstance(found, dict) else {}


def _created(asked: Asked) -> bool | None:
    """A patch says `Add File` of what it creates; of what it edits there is no doubt."""
    return "*** Add File:" in text_of(asked.given, "input") if asked.name == PATCH_TOOL else None


def _fates(path: str) -> dict[str, Fate]:
    """How each call ended, by its id."""
    found: dict[str, Fate] = {}
    for row in rows(path):
        if row.kind == "response_item" and text_of(row.item, "type").endswith("_call_output"):
            output = row.item.get("output")
            said = output if isinstance(output, str) else json.dumps(output)
            found.setdefault(text_of(row.item, "call_id"), _fate(said))
    return found


def _fate(said: str) -> Fate:
    head = said[:2_000]
    if HELD.search(head):
        return "held"
    if any(words in head for words in _REFUSED):
        return "refused"
    code = _CODE.search(head)
    if code is not None:
        return "ran" if code[1] == "0" else "failed"
    return "failed" if any(words in head for words in _FAILED) else "ran"


def _time(row: Mapping[str, object]) -> float:
    """Seconds since the epoch; 0 for a line without a time that can be read."""
    try:
        return datetime.fromisoformat(text_of(row, "timestamp")).timestamp()
    except (ValueError, OverflowError):
        return 0.0

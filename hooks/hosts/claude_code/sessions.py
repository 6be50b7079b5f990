"""Recorded sessions as what their hooks were told, in order: prompts, calls and their ends. Judges nothing.

Line types: Claude Code 2.1.330 and 2.1.197.
"""

from __future__ import annotations

import heapq
import os
import uuid
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from evaluator.effects import text_of
from hooks import sessions
from hooks.hosts.claude_code.messages import REFUSALS, entry_of, refusal_words, text_of_result
from hooks.json_lines import EMPTY, mapping, mappings, string

_INTERRUPTED = "[Request interrupted by user"
_CREATED = "File created successfully"
_HUMAN: sessions.Entry = {"origin": {"kind": "human"}, "promptSource": "typed"}


class ClaudeSessions(sessions.Sessions):
    def session_moments(self, path: str, passed: sessions.Passed) -> Iterator[sessions.Moment]:
        """In the order of time. A subagent's call has the session's prompt and file, as far as that reached then."""
        folder = os.path.join(path.removesuffix(".jsonl"), "subagents")
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            names = []
        found = [name for name in names if name.startswith("agent-") and name.endswith(".jsonl")]
        reach = _session_reach(path) if found else []
        agents = (
            self.moments(
                os.path.join(folder, name),
                passed,
                partial(session_steps, agent_id=name.removeprefix("agent-").removesuffix(".jsonl")),
            )
            for name in found
        )
        own = self.moments(path, passed, session_steps)
        for moment in heapq.merge(own, *agents, key=lambda moment: moment.at):
            if isinstance(moment, sessions.Called) and moment.agent_id is not None:
                lines = bisect_right(reach, moment.at, key=lambda line: line[0])
                _, end, prompt_id = reach[lines - 1] if lines else (0.0, 0, None)
                yield replace(moment, prompt_id=prompt_id or moment.prompt_id, end=end)
            else:
                yield moment


def _session_reach(path: str) -> list[tuple[float, int, str | None]]:
    """Of each line of a session's file: when it was written, where it ends, and which prompt was running."""
    found: list[tuple[float, int, str | None]] = []
    at, prompt_id = 0.0, None
    for row in sessions.session_rows(path):
        if row is not None and "uuid" in row.entry:
            at = max(at, sessions.session_seconds(text_of(row.entry, "timestamp")))
            prompt_id = string(row.entry.get("promptId")) or prompt_id
            found.append((at, row.end, prompt_id))
    return found


def session_steps(rows: Iterable[sessions.FileRow], agent_id: str | None = None) -> sessions.Steps:
    """Of a subagent's file (`agent_id`) only its own lines count, of a session's those that are no subagent's.

    The client writes a message's lines after the message has ended: none of it is there when it makes its first call.
    """
    message, before, cwd = "", 0, ""
    prompt_id: str | None = None
    for row in rows:
        line = row.entry
        if "uuid" not in line or (line.get("isSidechain") is True) != (agent_id is not None):
            continue
        cwd = string(line.get("cwd")) or cwd
        yield row, sessions.SessionStep(string(line.get("sessionId")), cwd)
        said = mapping(line.get("message"))
        blocks = mappings(said.get("content"))
        if line.get("type") == "assistant":
            own = string(said.get("id")) or string(line.get("uuid"))
            message, before = own, before if own == message else row.offset
            for index, block in enumerate(blocks):
                if block.get("type") == "tool_use":
                    yield row, sessions.Called(
                        string(block.get("id")), string(block.get("name")), mapping(block.get("input")), cwd,
                        string(line.get("uuid")), index, prompt_id, agent_id, end=before,
                    )  # fmt: skip
            continue
        if line.get("type") == "user":
            prompt_id = string(line.get("promptId")) or prompt_id
        results = [block for block in blocks if block.get("type") == "tool_result"]
        for block in results:
            yield row, _session_call_end(line, block)
        entry = entry_of(line) if agent_id is None and not results else None
        if entry is not None and entry.kind in ("prompt", "queued"):
            yield row, sessions.Spoken(entry.text, entry.prompt_id or prompt_id, entry.typed)
        texts = [string(block.get("text")) for block in blocks] or [string(said.get("content"))]
        if any(text.startswith(_INTERRUPTED) for text in texts):
            yield row, sessions.Interrupted()


def _session_call_end(line: Mapping[str, object], block: Mapping[str, object]) -> sessions.EndStep:
    said = text_of_result(block)
    fate: sessions.Fate = "ran"
    if sessions.HELD.search(said[: sessions.HELD_CHARS]):
        fate = "held"
    elif "toolDenialKind" in line or said.startswith(REFUSALS):
        fate = "refused"
    elif block.get("is_error") is True:
        fate = "failed"
    created = mapping(line.get("toolUseResult")).get("type") == "create" or said.startswith(_CREATED)
    refusal = refusal_words(line, block)
    return sessions.EndStep(string(block.get("tool_use_id")), fate, created=created, refusal=refusal)


class ClaudeFile(sessions.MadeUpSession):
    """Each line's parent is the line before."""

    def __init__(self, path: str, session_id: str) -> None:
        super().__init__(path, session_id)
        self._prompt_id, self._count = "", 0
        self._parent: str | None = None

    def user(self, text: str, prompt_id: str) -> None:
        self._prompt_id = prompt_id
        self._append_session_line(
            "user", {"role": "user", "content": text}, {"promptId": prompt_id, **_HUMAN}
        )

    def says(self, text: str) -> None:
        self._add_assistant_block({"type": "text", "text": text})

    def calls(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> None:
        self._add_assistant_block({"type": "tool_use", "id": tool_use_id, "name": tool, "input": given})

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None:
        block = {"type": "tool_result", "tool_use_id": tool_use_id, "content": text, "is_error": failed}
        self._append_session_line("user", {"role": "user", "content": [block]}, {"promptId": self._prompt_id})

    def _add_assistant_block(self, block: sessions.Entry) -> None:
        self._append_session_line(
            "assistant", {"role": "assistant", "id": f"msg_{self._count}", "content": [block]}
        )

    def _append_session_line(self, kind: str, message: sessions.Entry, extra: sessions.Entry = EMPTY) -> None:
        own = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.session_id}/{self._parent}/{message}"))
        line = {"parentUuid": self._parent, "isSidechain": False, "type": kind, "message": message}
        self.put({**line, "uuid": own, "sessionId": self.session_id, **extra})
        self._parent = own
        self._count += 1

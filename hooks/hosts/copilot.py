"""Copilot CLI 1.0: its hook payloads and its answers, as recorded in `fixtures/hosts/copilot`, and its session files.

To allow, nothing is printed: an `allow` would lift the user's own permission rules. A subagent's hooks bear its own id
as the session's; here they belong to the session that started it.

The client writes a session's `events.jsonl` behind, in batches of some 100 ms (1.0.102): the running prompt may not be
in it yet, and a new session may have no file. An event of a subagent names it in `agentId`; a prompt that nobody typed
names its `source`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from evaluator.effects import PATCH_TOOL, digest, text_of
from evaluator.record import Record, replace
from hooks.host import Host, Json, json_object, mcp_tool, packed, renamed
from hooks.json_lines import Tail, decode, is_object, mapping, mappings, sequence

if TYPE_CHECKING:
    from evaluator.model import Exchange, KeptPrompt, PendingWrite
    from evaluator.ports import TranscriptSource
    from hooks.entries import Wiring
    from hooks.sessions import Fate, FileRow, Steps
    from hooks.setup import Advice
    from hooks.transcript import Said

HOOKS_OFF = "disableAllHooks"
OPENING = " || true"
"""Behind a hook that shall stop nothing: the host denies where a hook ends with another code than 0."""
BY_AGENT = "\x00subagent\x00"
REWIND = "session.snapshot_rewind"
LOOK_AHEAD_MAX = 200
"""Messages between a prompt and the line of its hook: one that waits in a queue is told of long before it is said."""
_HEARD = (
    b'"user.message"', b'"assistant.message"', b'"userPromptSubmitted"', b'"subagent.started"',
    b'"session.snapshot_rewind"',
)  # fmt: skip
"""Lines that hold none of these are not parsed."""
_FAILED = r"<shellId: [^\n>]* completed with exit code -?0*[1-9]\d*>\s*\Z"


class Copilot(Host):
    def parse(self, raw: bytes) -> Json:
        """`failed` is added to what tells of a call that ended: a command that failed has ended well for the host."""
        payload = json_object(raw)
        agent = text_of(payload, "agentId")
        session = text_of(payload, "parentAgentId" if agent else "sessionId")
        told: dict[str, object] = {"session_id": session, "agent_id": agent}
        told |= {name: text_of(payload, name) for name in ("cwd", "source")}
        if "prompt" in payload:
            text = text_of(payload, "prompt")
            told |= {"prompt": BY_AGENT + text if agent else text, "prompt_id": copilot_prompt_id(payload)}
        if "toolName" in payload:
            name, given = text_of(payload, "toolName"), payload.get("toolArgs")
            told["tool_name"], told["tool_input"] = self.translated(name, given)
            # The host gives a hook no id of the call: what is called is the same before and after it ran.
            told["tool_use_id"] = digest("copilot", session, agent, name, json.dumps(given, sort_keys=True))
            told["failed"] = copilot_call_failed(mapping(payload.get("toolResult")))
        return told

    def translated(self, name: str, given: object) -> tuple[str, object]:
        """(tool_name, tool_input) in Compass's words; an input that is neither an object nor a text stays as it is."""
        if isinstance(given, str):
            given = {"input": given} if name == PATCH_TOOL else decode(given)
        # SERVER-TOOL of an MCP server.
        known = self.NAMES.get(name) or (mcp_tool(name, "-", last=True) if "-" in name.strip("-") else name)
        if not is_object(given):
            return known, given
        kept = {key: value for key, value in mapping(given).items() if known != "Edit" or key != "edits"}
        return known, renamed(kept, self.told["fields"].get(known, {}))

    def pending_write(self, payload: Json, env: Mapping[str, str]) -> PendingWrite:
        """The host tells neither the session's file nor the running prompt of a call; a replay does.

        The client keeps the file below its folder, whether or not it is there yet.
        """
        found = super().pending_write(payload, env)
        if found.transcript_path or not re.fullmatch(r"[A-Za-z0-9][\w-]{0,127}", found.session_id):
            return found
        path = f".copilot/session-state/{found.session_id}/events.jsonl"
        return replace(found, transcript_path=self.placed(env, env.get("HOME", ""), path))

    def is_machine_text(self, text: str) -> bool:
        return text.startswith(self.MACHINE) or not text.strip()

    def deny(self, reason: str, *, ends_turn: bool = False, message: str = "") -> bytes:
        """1.0.102, tried: agent and person are shown the reason, in the line of the tool; no answer ends a turn."""
        told = "\n".join(filter(None, (message, reason)))
        return packed({"permissionDecision": "deny", "permissionDecisionReason": told})

    def tell(self, message: str) -> bytes:
        """The host shows its person nothing of a hook that lets a call pass, so the agent is asked to."""
        return packed({"additionalContext": _passed_on_by_copilot(message)})

    def inform(self, event: str, agent: str, person: str) -> bytes:
        told = [text for text in (agent, _passed_on_by_copilot(person) if person else "") if text]
        return packed({"additionalContext": "\n\n".join(told)})

    def reader(self, tail: Callable[[str], Tail]) -> TranscriptSource:
        return EventsReader(self, tail)

    def is_session(self, path: str) -> bool:
        return os.path.basename(path) == "events.jsonl"

    def session_named(self, path: str) -> str:
        return os.path.basename(os.path.dirname(path))

    def file_rows(self, path: str) -> Iterator[FileRow | None]:
        """What is no event says nothing."""
        for row in super().file_rows(path):
            whole = row is not None and text_of(row.entry, "type") and isinstance(row.entry.get("data"), dict)
            yield row if whole else None

    def steps(self, rows: Iterable[FileRow]) -> Steps:
        """A subagent's calls stand in the session's own file."""
        from hooks.sessions import Called, EndStep, SessionStep, Spoken

        asked: dict[str, str | None] = {}
        running: str | None = None
        for row in rows:
            kind, agent = text_of(row.entry, "type"), text_of(row.entry, "agentId")
            data = mapping(row.entry["data"])
            if kind in ("session.start", "session.resume"):
                folder = text_of(mapping(data.get("context")), "cwd")
                yield row, SessionStep(text_of(data, "sessionId"), folder)
            elif kind == "hook.start" and data.get("hookType") == "userPromptSubmitted" and not agent:
                told = mapping(data.get("input"))
                asked[" ".join(text_of(told, "prompt").split())] = copilot_prompt_id(told)
            elif kind == "user.message" and not agent and is_typed_in_copilot(data):
                text = text_of(data, "content")
                running = asked.pop(" ".join(text.split()), None)
                yield row, Spoken(text, running)
            elif kind == "assistant.message":
                for index, request in enumerate(mappings(data.get("toolRequests"))):
                    tool, given = self.translated(text_of(request, "name"), request.get("arguments"))
                    yield row, Called(
                        text_of(request, "toolCallId"), tool, mapping(given), uuid=text_of(row.entry, "id"),
                        index=index, prompt_id=running, agent_id=agent or None, created=tool == "Write",
                    )  # fmt: skip
            elif kind == "tool.execution_complete":
                yield row, EndStep(text_of(data, "toolCallId"), _copilot_fate(data))

    def whole_file(self, wiring: Wiring) -> str:
        hooks = {name: [self.entry(event, wiring)] for event, name in self.EVENTS.items()}
        return json.dumps({**self.told["setup"]["top"], "hooks": hooks}, indent=2) + "\n"

    def entry(self, event: str, wiring: Wiring) -> dict[str, object]:
        """No entry has a matcher: one that the host cannot read would let every tool pass unasked."""
        from hooks.entries import hook_command

        line = hook_command(wiring.interpreter, wiring.script, event, wiring.said)
        line += "" if event == "pre-tool-use" and wiring.blocks else OPENING
        return {"type": "command", "bash": line, "timeoutSec": self.timeout_seconds}

    def denies(self, answer: Json) -> bool:
        return answer.get("permissionDecision") == "deny"

    def findings(self, env: Mapping[str, str], home: str, project_dir: str) -> Iterator[Advice]:
        from hooks.entries import read_settings

        # The user's own switch did not turn hooks off with 1.0.102, and is documented to.
        users = [self.placed(env, home, f".copilot/{name}") for name in ("settings.json", "config.json")]
        for path in (*users, *(os.path.join(project_dir, name) for name in self.told["repository_files"])):
            if mapping(read_settings(path)).get(HOOKS_OFF) is True:
                theirs = path not in users
                where = "in a trusted folder, that turns off every hook; " if theirs else ""
                told = f"{path} sets {HOOKS_OFF}: {where}remove it to have writes checked"
                yield "hooks", not theirs and None, told


class Event(Record):
    """One line. `agent` is empty for what belongs to the session itself."""

    kind: str
    agent: str
    data: Json
    offset: int


class EventsReader:
    """A `TranscriptSource`. Reads the file anew at each call, from its end, and only as far as the exchange reaches."""

    def __init__(self, host: Copilot, tail: Callable[[str], Tail]) -> None:
        from hooks.transcript import Conversation

        self._host, self._tail = host, tail
        self._conversation = Conversation(self._said)
        self.voices, self.lookups = self._conversation.voices, self._conversation.lookups
        self.commands = self._conversation.commands

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        if pending.agent_id is not None:
            return self._delegated_exchange(pending, pending.agent_id, kept)
        running = kept[-1].prompt_id if kept else pending.prompt_id
        return self._conversation.exchange(replace(pending, prompt_id=running), kept)

    def _delegated_exchange(self, pending: PendingWrite, agent: str, kept: Sequence[KeptPrompt]) -> Exchange:
        """A subagent keeps the request of the call that started it, though the user may have spoken since."""
        from hooks.transcript import Conversation

        started, task = None, ""
        for event in self._read_copilot_events(pending):
            if event.kind == "user.message" and event.agent == agent:
                task = text_of(event.data, "content") or task
            elif event.kind == "subagent.started" and event.agent == agent:
                started = event.offset
                break
        earlier = Conversation(lambda one: self._said(one, started))
        asked = next((one.prompt_id for one in self._said(pending, started) if one.role == "user"), None)
        return replace(earlier.exchange(replace(pending, prompt_id=asked), kept), delegated_task=task)

    def _read_copilot_events(self, pending: PendingWrite, before: int | None = None) -> Iterator[Event]:
        """A Copilot CLI session's events that tell who said what, newest first, without what a rewind took back."""
        until, gone = "", frozenset[str]()
        for line in self._tail(pending.transcript_path or "").lines(before):
            if not (until or gone or any(mark in line.raw for mark in _HEARD)):
                continue
            held = decode(line.raw)
            if held is None:
                continue
            name, kind, data = text_of(held, "id"), text_of(held, "type"), held.get("data")
            if until:
                until = "" if name == until else until
            elif name not in gone and is_object(data):
                told = mapping(data)
                if kind == REWIND:
                    gone |= {one for one in sequence(told.get("eventIds")) if isinstance(one, str)}
                    until = "" if gone else text_of(told, "upToEventId")
                yield Event(kind, text_of(held, "agentId"), told, line.offset)

    def _said(self, pending: PendingWrite, before: int | None = None) -> Iterator[Said]:
        """What the person and the session's own agent said, newest first.

        A prompt's id is the time that its hook was told, which stands in the line of that hook, before the prompt's
        own.
        """
        from hooks.transcript import Said

        heard: list[tuple[Said, bool]] = []
        for event in self._read_copilot_events(pending, before):
            if event.agent:
                continue
            if event.kind == "assistant.message":
                text, of = text_of(event.data, "content"), text_of(event.data, "apiCallId")
                heard.append((Said("agent", text, message_id=of), False))
            elif event.kind == "user.message":
                if is_typed_in_copilot(event.data):
                    heard.append((Said("user", text_of(event.data, "content")), True))
            elif event.kind == "hook.start" and event.data.get("hookType") == "userPromptSubmitted":
                self._name_copilot_prompt(heard, mapping(event.data.get("input")))
            while heard and (not heard[0][1] or len(heard) > LOOK_AHEAD_MAX):
                yield heard.pop(0)[0]
        yield from (one for one, _ in heard)

    def _name_copilot_prompt(self, heard: list[tuple[Said, bool]], payload: Json) -> None:
        """Gives the prompt that a hook was told of its id: that of the same words, else the newest without one. `heard`
        are messages, and whether the line of their hook is still looked for."""
        text = text_of(payload, "prompt")
        waiting = [place for place, (_, waits) in enumerate(heard) if waits]
        same = [place for place in waiting if heard[place][0].text.split() == text.split()]
        found = same or ([] if self._host.is_machine_text(text) else waiting)
        if found and payload:
            heard[found[0]] = (replace(heard[found[0]][0], prompt_id=copilot_prompt_id(payload)), False)


def copilot_call_failed(result: Json) -> bool:
    """Whether a call of Copilot CLI failed: a command's exit code stands in the last line alone."""
    kind, told = text_of(result, "resultType"), text_of(result, "textResultForLlm")
    return kind not in ("", "success") or re.search(_FAILED, told[-200:]) is not None


def is_typed_in_copilot(data: Json) -> bool:
    """Whether a person typed a prompt: `source` says who made it."""
    typed = text_of(data, "source") in ("", "user") and data.get("isAutopilotContinuation") is not True
    return typed and bool(text_of(data, "content").strip())


def copilot_prompt_id(payload: Json) -> str | None:
    """Of a prompt, by what its hook is told: the host counts none. The same time stands in the session's file."""
    stamp = payload.get("timestamp")
    return str(stamp) if isinstance(stamp, (int, str)) and stamp else None


def _copilot_fate(data: Json) -> Fate:
    from hooks.sessions import HELD, HELD_CHARS

    error, shell = mapping(data.get("error")), mapping(data.get("shellExecution"))
    if HELD.search(text_of(error, "message")[:HELD_CHARS]):
        return "held"
    if text_of(error, "code") in ("denied", "rejected"):
        return "refused"
    return "ran" if data.get("success") is True and shell.get("exitCode", 0) == 0 else "failed"


def _passed_on_by_copilot(message: str) -> str:
    return f"Show the user this notice from Compass word for word:\n{message}"


HOST = Copilot("copilot")

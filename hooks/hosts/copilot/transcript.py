"""What was said in a Copilot CLI session, from its `events.jsonl`.

The client writes it behind, in batches of some 100 ms (1.0.102): the running prompt may not be in it yet, and a new
session may have no file. An event of a subagent names it in `agentId`; a prompt that nobody typed names its `source`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from evaluator.effects import text_of
from evaluator.model import Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from evaluator.record import Record, replace
from hooks.conversation import Conversation, Said
from hooks.lines import Tail

Open = Callable[[str], Tail]

_ID = re.compile(r"[A-Za-z0-9][\w-]{0,127}")
REWIND = "session.snapshot_rewind"
_HEARD = (
    b'"user.message"',
    b'"assistant.message"',
    b'"userPromptSubmitted"',
    b'"subagent.started"',
    b'"session.snapshot_rewind"',
)
"""Lines that hold none of these are not parsed."""
LOOK_AHEAD_MAX = 200
"""Messages between a prompt and the line of its hook: one that waits in a queue is told of long before it is said."""
BY_AGENT = "\x00subagent\x00"
"""Put before what a subagent is told: its hook is that of a prompt."""
MACHINE = (
    BY_AGENT,
    "You have not yet marked the task as complete using the task_complete tool.",
    "<system_notification>",
    "<system_reminder>",
)
"""How texts begin that the client makes itself, as when it goes on on its own."""
_TYPED = ("", "user")
"""What `source` says of a prompt that a person typed."""


class Event(Record):
    """One line. `agent` is empty for what belongs to the session itself."""

    kind: str
    agent: str
    data: Mapping[str, object]
    offset: int


def session_file(env: Mapping[str, str], session: str) -> str | None:
    """Where the client keeps it, whether or not it is there yet; None for an id that is no name of a folder."""
    home = folder(env, env.get("HOME", ""))
    return os.path.join(home, "session-state", session, "events.jsonl") if _ID.fullmatch(session) else None


def folder(env: Mapping[str, str], home: str) -> str:
    """The client's own."""
    return env.get("COPILOT_HOME") or os.path.join(home, ".copilot")


class EventsReader:
    """A `TranscriptSource`. Reads the file anew at each call, from its end, and only as far as the exchange reaches."""

    def __init__(self, open_tail: Open = Tail) -> None:
        self._open = open_tail
        self._conversation = Conversation(lambda pending: said(self._events(pending)))

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        if pending.agent_id is not None:
            return self._delegated(pending, pending.agent_id, kept)
        return self._conversation.exchange(replace(pending, prompt_id=self._running(pending, kept)), kept)

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return self._conversation.voices(pending)

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return ()

    def _running(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> str | None:
        """The id of the running prompt; None where the file knows no ids, so that words decide."""
        newest = next((one for one in said(self._events(pending)) if one.role == "user"), None)
        if newest and newest.prompt_id is None:
            return None
        return kept[-1].prompt_id if kept else pending.prompt_id

    def _delegated(self, pending: PendingWrite, agent: str, kept: Sequence[KeptPrompt]) -> Exchange:
        """A subagent keeps the request of the call that started it, though the user may have spoken since."""
        started, task = None, ""
        for event in self._events(pending):
            if event.kind == "user.message" and event.agent == agent:
                task = text_of(event.data, "content") or task
            elif event.kind == "subagent.started" and event.agent == agent:
                started = event.offset
                break
        earlier = Conversation(lambda one: said(self._events(one, started)))
        asked = next(
            (one.prompt_id for one in said(self._events(pending, started)) if one.role == "user"), None
        )
        if started is None:
            asked = self._running(pending, kept)
        return replace(earlier.exchange(replace(pending, prompt_id=asked), kept), delegated_task=task)

    def _events(self, pending: PendingWrite, before: int | None = None) -> Iterator[Event]:
        return events(self._open(pending.transcript_path or ""), before)


def events(tail: Tail, before: int | None = None) -> Iterator[Event]:
    """Those that tell who said what, newest first, without what a rewind took back."""
    until, gone = "", frozenset[str]()
    for line in tail.lines(before):
        if not (until or gone or any(mark in line.raw for mark in _HEARD)):
            continue
        try:
            found = cast(object, json.loads(line.raw))
        except (ValueError, RecursionError):
            continue
        if not isinstance(found, dict):
            continue
        held = cast(dict[str, object], found)
        name, kind = text_of(held, "id"), text_of(held, "type")
        data = held.get("data")
        if until:
            until = "" if name == until else until
        elif name not in gone and isinstance(data, dict):
            told = cast(dict[str, object], data)
            if kind == REWIND:
                listed = told.get("eventIds")
                each = cast(list[object], listed) if isinstance(listed, list) else []
                gone |= {one for one in each if isinstance(one, str)}
                until = "" if gone else text_of(told, "upToEventId")
            yield Event(kind, text_of(held, "agentId"), told, line.offset)


class _Heard:
    """A message, and whether the line of its hook is still looked for."""

    def __init__(self, one: Said, *, waits: bool) -> None:
        self.one, self.waits = one, waits


def said(told: Iterator[Event]) -> Iterator[Said]:
    """What the person and the session's own agent said, newest first.

    A prompt's id is the time that its hook was told, which stands in the line of that hook, before the prompt's own.
    """
    heard: list[_Heard] = []
    for event in told:
        if event.agent:
            continue
        if event.kind == "assistant.message":
            text, of = text_of(event.data, "content"), text_of(event.data, "apiCallId")
            heard.append(_Heard(Said("agent", text, message_id=of), waits=False))
        elif event.kind == "user.message":
            if is_typed(event.data):
                heard.append(_Heard(Said("user", text_of(event.data, "content")), waits=True))
        elif event.kind == "hook.start":
            _name(heard, event.data)
        while heard and (not heard[0].waits or len(heard) > LOOK_AHEAD_MAX):
            yield heard.pop(0).one
    yield from (one.one for one in heard)


def _name(heard: list[_Heard], data: Mapping[str, object]) -> None:
    """Gives the prompt that a hook was told of its id: that of the same words, else the newest without one."""
    given = data.get("input")
    if data.get("hookType") != "userPromptSubmitted" or not isinstance(given, dict):
        return
    payload = cast(dict[str, object], given)
    text = text_of(payload, "prompt")
    waiting = [one for one in heard if one.waits]
    same = [one for one in waiting if one.one.text.split() == text.split()]
    found = same or ([] if is_machine_text(text) else waiting)
    if found:
        found[0].one = replace(found[0].one, prompt_id=prompt_id(payload))
        found[0].waits = False


def is_machine_text(text: str) -> bool:
    """Whether no person typed what a prompt's hook is told."""
    return text.startswith(MACHINE) or not text.strip()


def is_typed(data: Mapping[str, object]) -> bool:
    typed = text_of(data, "source") in _TYPED and data.get("isAutopilotContinuation") is not True
    return typed and bool(text_of(data, "content").strip())


def prompt_id(payload: Mapping[str, object]) -> str | None:
    """Of a prompt, by what its hook is told: the host counts none. The same time stands in the session's file."""
    stamp = payload.get("timestamp")
    return str(stamp) if isinstance(stamp, (int, str)) and stamp else None

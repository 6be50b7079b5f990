"""The gate of a program's own sessions: the hook's journey without a process, whoever waits for it and how."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from compass.api.given import expect
from compass.api.host import Talk, heard
from compass.api.kept import kept
from compass.api.place import Place, place_of
from compass.api.verdict import Heard, Verdict, verdict_of
from compass.hook import answering, events
from compass.hook.policy import cause_of, unchecked
from compass.joining.booking import booked
from compass.joining.gate import Wired, wire
from compass.joining.session_readers import in_session
from evaluator.configuration.places import state_dir
from evaluator.errors import ConfigError, PayloadError
from evaluator.gate import pipeline
from evaluator.gate.run import Waiting
from evaluator.intervention.control import is_control_reply
from evaluator.state.store import OpenedStore, open_store

if TYPE_CHECKING:
    from os import PathLike

    from evaluator.model import PendingWrite

LOG = logging.getLogger("compass")
ENDED = "this gate was closed"


class Core:
    """One project, its settings as they stood when it was made, and the state of its sessions."""

    def __init__(
        self,
        project: str | PathLike[str] | None,
        *,
        state: str | PathLike[str] | None,
        record: bool,
        backend: str | None,
        tools: Mapping[str, str] | None,
        mode: str | None,
        attended: bool,
    ) -> None:
        """Raises ConfigError; StateError never: a state that cannot be opened is kept in memory, and logged."""
        expect(project=project, state=state, backend=backend, tools=tools, mode=mode)
        if record and state is not None:
            raise ConfigError("a gate records in the machine's state, or keeps one of its own: not both")
        self.place = place_of(project, backend, tools, mode=mode, attended=attended)
        if self.place.loaded.lost:
            raise ConfigError(
                f"the gate was turned on here, and its settings are lost: {self.place.loaded.lost}"
            )
        self._wired, self._own = _wired(
            self.place, None if state is None else os.fspath(state), record=record
        )
        for fault in self._wired.faults:
            LOG.warning("%s", fault)
        self._record = record
        self._lock = threading.Lock()
        self._closed = False
        self._begun: dict[str, str] = {}

    def begin(self, session: str, history: Sequence[tuple[str, str]]) -> str:
        """The first time the session starts, after what was said before, as (who, text). What its agent may be told."""
        expect(session_id=session, history=history)
        wired, payload = self._open, self._payload(session)
        self.place.host.session_of(payload)
        said = _messages(history)
        with self._lock:
            if session in self._begun:
                return self._begun[session]
            talk, now = self.talk(session), time.time()
            for who, text in said:
                talk.add(who, text)
            note = events.note if self._record else _started
            self._begun[session] = heard(note("session-start", payload, wired, now)).agent_message
            return self._begun[session]

    def user(self, session: str, text: str) -> Heard:
        _text(text)
        talk = self.talk(session)
        prompt = {"prompt": text, "prompt_id": talk.add("user", text)}
        found = self._noted("user-prompt-submit", session, prompt)
        return heard(found, control=is_control_reply(text))

    def agent(self, session: str, text: str) -> None:
        self.talk(session).add("agent", _text(text))

    def delegate(self, session: str, agent: str, task: str) -> None:
        expect(agent=agent, task=task)
        if not agent:
            raise PayloadError("a subagent needs an id: a text that is not empty")
        self.talk(session).told(agent, task)

    def before(
        self, session: str, tool: str, given: Mapping[str, object], call_id: str, agent: str
    ) -> Waiting[Verdict]:
        """Raises PayloadError for what is no call. Whatever else goes wrong is answered by the error policy."""
        wired, talk = self._open, self.talk(session)
        expect(tool=tool, input=given, call_id=call_id, agent=agent)
        if not call_id:
            raise PayloadError("a call needs an id of its own, by which `after` speaks of it")
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": call_id, "agent_id": agent}
        payload = self._payload(session) | {"prompt_id": talk.prompt_id} | call
        pending = self.place.host.pending_write(payload, wired.env)
        try:
            found = yield from self._judged(wired, pending)
        except Exception as error:  # noqa: BLE001 - the boundary: what nobody could judge is answered by policy
            found = self._by_policy(error)
        # An agent that acts has heard the user: what is said now is another message.
        talk.add("agent", "")
        told = wired.settings.evidence
        if found.allowed and (told.history or told.lookups != "off"):
            talk.results.begun(call_id, tool, given, agent)
        return found

    def after(self, session: str, call_id: str, output: str, *, succeeded: bool) -> Heard:
        expect(call_id=call_id)
        self.talk(session).results.ended(call_id, _text(output), failed=not succeeded)
        event = "post-tool-use" if succeeded else "post-tool-use-failure"
        return heard(self._noted(event, session, {"tool_use_id": call_id}))

    def end(self, session: str) -> None:
        self._noted("session-end", session, {})
        self.place.host.talks.drop(session)
        with self._lock:
            self._begun.pop(session, None)

    def talk(self, session: str) -> Talk:
        return self.place.host.talks.of(session)

    def close(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._wired.close()
        if self._own is not None:
            self._own.store.close()

    def _judged(self, wired: Wired, pending: PendingWrite) -> Waiting[Verdict]:
        wired = in_session(wired, pending.session_id, time.time())
        check = yield from pipeline.checking(wired.parts, pending)
        return verdict_of(check, answering.told_of(check, wired))

    def _by_policy(self, error: Exception) -> Verdict:
        LOG.error("a call could not be judged", exc_info=error)
        settings = self._wired.settings
        if settings.mode != "enforce" or settings.error_policy == "open":
            return Verdict("skipped", "sampler_error", allowed=True)
        return Verdict(
            "failed",
            "sampler_error",
            allowed=False,
            agent_message=f"{unchecked(settings, cause_of(error))}.",
        )

    def _noted(self, event: str, session: str, given: Mapping[str, object]) -> bytes:
        wired = in_session(self._open, session, time.time())
        return events.note(event, {**self._payload(session), **given}, wired, time.time())

    def _payload(self, session: str) -> dict[str, object]:
        return {"session_id": session, "cwd": self.place.project}

    @property
    def _open(self) -> Wired:
        if self._closed:
            raise PayloadError(ENDED)
        return self._wired


def _wired(place: Place, folder: str | None, *, record: bool) -> tuple[Wired, OpenedStore | None]:
    """The gate, and the state of its own that is closed with it."""
    clean, keeps = place.loaded.clean, kept()
    own: OpenedStore | None = None
    if folder is not None:
        opened = open_store(os.path.abspath(folder), now=time.time())
        own = OpenedStore(
            booked(opened.store, state_dir(clean.env, clean.home), keeps.books), opened.fault, opened.newer
        )
    wired = wire(
        clean.env,
        clean.home,
        place.project,
        place.loaded,
        host=place.host,
        settings=place.settings,
        keep=record,
        booked=True,
        store=own,
        warm=keeps.readers,
        learnt=keeps.learnt,
        books=keeps.books,
    )
    return wired, own


def _started(event: str, payload: Mapping[str, object], wired: Wired, now: float) -> bytes:
    return events.started(payload, wired.host.session_of(payload), wired, now)


def _messages(history: Sequence[tuple[str, str]]) -> list[tuple[Literal["user", "agent"], str]]:
    found: list[tuple[Literal["user", "agent"], str]] = []
    for who, text in history:
        if who not in ("user", "agent"):
            raise PayloadError(f"a message of the history is the `user`'s or the `agent`'s, not {who!r}")
        found.append(("user" if who == "user" else "agent", _text(text)))
    return found


def _text(text: object) -> str:
    if not isinstance(text, str):
        raise PayloadError("what was said, or a call's output, has to be a text")
    return text

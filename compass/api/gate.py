"""`Gate` and `AsyncGate`: the whole gate for a program that runs an agent of its own."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from compass.api.async_driver import drive_async, in_thread
from compass.api.host import Talk, heard
from compass.api.project import GatePlace, expect, place_of
from compass.api.records import Heard, Verdict, verdict_of
from compass.composition.gate import SystemClock, Wired, in_session, wire
from compass.composition.process import booked, kept
from compass.hook import events
from compass.hook.dispatch import told_of
from compass.hook.policy import cause_of, unchecked
from evaluator.errors import ConfigError, PayloadError
from evaluator.gate import pipeline
from evaluator.gate.run import Waiting, drive
from evaluator.intervention.control import is_control_reply
from evaluator.settings.places import state_dir
from evaluator.state.store import OpenedStore, open_store

if TYPE_CHECKING:
    from os import PathLike


LOG = logging.getLogger("compass")
ENDED = "this gate was closed"
Message = tuple[Literal["user", "agent"], str]


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
            if self._record:
                found = events.note("session-start", payload, wired, now)
            else:
                found = events.started(payload, session, wired, now)
            self._begun[session] = heard(found).agent_message
            return self._begun[session]

    def before(
        self, session: str, tool: str, given: Mapping[str, object], call_id: str, agent: str
    ) -> Waiting[Verdict]:
        """Raises PayloadError for what is no call. Whatever else goes wrong is answered by the error policy."""
        wired, talk = self._open, self.talk(session)
        expect(tool=tool, input=given, call_id=call_id, agent=agent)
        if not call_id:
            raise PayloadError("a call needs an id of its own, by which `after` refers to it")
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": call_id, "agent_id": agent}
        payload = self._payload(session) | {"prompt_id": talk.prompt_id} | call
        pending = self.place.host.pending_write(payload, wired.env)
        try:
            at = in_session(wired, session, time.time())
            check = yield from pipeline.checking(at.parts, pending)
            found = verdict_of(check, told_of(check, at))
        except Exception as error:  # noqa: BLE001 - the boundary: what nobody could judge is answered by policy
            found = self._by_policy(error)
        # An agent that acts has heard the user: what is said now is another message.
        talk.add("agent", "")
        told = wired.settings.evidence
        if found.allowed and (told.history or told.lookups != "off"):
            talk.begun(call_id, tool, given, agent)
        return found

    def end(self, session: str) -> None:
        self.noted("session-end", session, {})
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

    def noted(self, event: str, session: str, given: Mapping[str, object]) -> bytes:
        """Hands an event of a session to the gate; returns what its hook would be answered."""
        wired = in_session(self._open, session, time.time())
        return events.note(event, {**self._payload(session), **given}, wired, time.time())

    def _payload(self, session: str) -> dict[str, object]:
        return {"session_id": session, "cwd": self.place.project}

    @property
    def _open(self) -> Wired:
        if self._closed:
            raise PayloadError(ENDED)
        return self._wired


def _wired(place: GatePlace, folder: str | None, *, record: bool) -> tuple[Wired, OpenedStore | None]:
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


def _messages(history: Sequence[tuple[str, str]]) -> list[tuple[Literal["user", "agent"], str]]:
    found: list[tuple[Literal["user", "agent"], str]] = []
    for who, text in history:
        if who not in ("user", "agent"):
            raise PayloadError(f"a message of the history is the `user`'s or the `agent`'s, not {who!r}")
        found.append(("user" if who == "user" else "agent", _text(text)))
    return found


def _text(text: object) -> str:
    if not isinstance(text, str):
        raise PayloadError("what was said, or a call's output, must be a string")
    return text


class _OfProject:
    def __init__(
        self,
        project: str | PathLike[str] | None = None,
        *,
        state: str | PathLike[str] | None = None,
        record: bool = False,
        backend: str | None = None,
        tools: Mapping[str, str] | None = None,
        mode: Literal["enforce", "observe"] | None = None,
        attended: bool = True,
    ) -> None:
        self._core = Core(
            project, state=state, record=record, backend=backend, tools=tools, mode=mode, attended=attended
        )


class Gate(_OfProject):
    """Holds sessions: what was said in them, what is held back, and what was answered. Safe for threads.

    A gate holds what is unclear from the moment it is made (`mode` "observe" lets all run), by the settings of
    `project` as they stand then; None is the working directory. `state` is a folder where its sessions outlive the
    process; `record` keeps them in the machine's own state instead, with every check and its event, for `compass log`
    and `compass explain`. Without either nothing is kept. `tools` says what tools of the program's own do, as
    `gate.mcp_tools` does: `{"save_note": "write:path", "sh": "shell:command"}`; a tool that nothing is known of is let
    through. `attended` False: nobody is there to answer, and `intervention.headless` says what becomes of held calls.

    Raises CompassError for a folder, backend or setting that cannot be used.
    """

    def session(self, session_id: str, history: Sequence[Message] = ()) -> Session:
        """The session of that id; the first time it starts, after what `history` says was said before."""
        return Session(self._core, session_id, self._core.begin(session_id, history))

    def close(self) -> None:
        """Closes the gate and a state of its own: whatever is asked of it later raises CompassError."""
        self._core.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Session:
    """One conversation between a user and an agent. `brief` is what the agent may be told at its start: that what is
    unclear is held, so that it asks first.
    """

    def __init__(self, core: Core, session_id: str, brief: str) -> None:
        self._core = core
        self.id = session_id
        self.brief = brief

    def user(self, text: str) -> Heard:
        """What the user wrote, and nothing that anybody else did: digits and `compass: ...` count."""
        prompt_id = self._core.talk(self.id).add("user", _text(text))
        found = self._core.noted("user-prompt-submit", self.id, {"prompt": text, "prompt_id": prompt_id})
        return heard(found, control=is_control_reply(text))

    def agent(self, text: str) -> None:
        """What the agent said: one message."""
        self._core.talk(self.id).add("agent", _text(text))

    def delegate(self, agent: str, task: str) -> None:
        """A subagent was told to do that; its calls bear the id `agent`."""
        expect(agent=agent, task=task)
        if not agent:
            raise PayloadError("a subagent needs an id: a non-empty string")
        self._core.talk(self.id).told(agent, task)

    def before(self, tool: str, input: Mapping[str, object], *, call_id: str, agent: str = "") -> Verdict:
        """To be asked before each call of a tool, which runs only if the verdict is `allowed`. Waits for readers.

        What goes wrong inside is answered by the error policy: the default lets nothing run that nobody judged.
        """
        return drive(self._core.before(self.id, tool, input, call_id, agent), SystemClock())

    def after(self, call_id: str, *, succeeded: bool = True, output: str = "") -> Heard:
        """A call that was let through has ended: a success spends its release and starts its cooldown.

        `output` is what it came back with: where `evidence.lookups` is on, readers of a later write of the turn see the
        lines of it that name the write's target.
        """
        expect(call_id=call_id)
        self._core.talk(self.id).ended(call_id, _text(output), failed=not succeeded)
        event = "post-tool-use" if succeeded else "post-tool-use-failure"
        return heard(self._core.noted(event, self.id, {"tool_use_id": call_id}))

    def end(self) -> None:
        """The session ends; what is held in it outlives that, if the gate has a state."""
        self._core.end(self.id)


class AsyncGate(_OfProject):
    """As `Gate`, which says what the choices are. Made at once; what reads or writes its state is awaited."""

    async def session(self, session_id: str, history: Sequence[Message] = ()) -> AsyncSession:
        """The session of that id; the first time it starts, after what `history` says was said before."""
        brief = await in_thread(partial(self._core.begin, session_id, history))
        return AsyncSession(self._core, Session(self._core, session_id, brief))

    async def aclose(self) -> None:
        """Closes the gate and a state of its own: whatever is asked of it later raises CompassError."""
        await in_thread(self._core.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class AsyncSession:
    """As `Session`."""

    def __init__(self, core: Core, session: Session) -> None:
        self._core, self._session = core, session
        self.id, self.brief = session.id, session.brief

    async def user(self, text: str) -> Heard:
        """What the user wrote, and nothing that anybody else did: digits and `compass: ...` count."""
        return await in_thread(partial(self._session.user, text))

    def agent(self, text: str) -> None:
        """What the agent said: one message."""
        self._session.agent(text)

    def delegate(self, agent: str, task: str) -> None:
        """A subagent was told to do that; its calls bear the id `agent`."""
        self._session.delegate(agent, task)

    async def before(
        self, tool: str, input: Mapping[str, object], *, call_id: str, agent: str = ""
    ) -> Verdict:
        """To be awaited before each call of a tool, which runs only if the verdict is `allowed`."""
        return await drive_async(self._core.before(self.id, tool, input, call_id, agent))

    async def after(self, call_id: str, *, succeeded: bool = True, output: str = "") -> Heard:
        """A call that was let through has ended, with that `output`: as `Session.after`."""
        return await in_thread(partial(self._session.after, call_id, succeeded=succeeded, output=output))

    async def end(self) -> None:
        """The session ends; what is held in it outlives that, if the gate has a state."""
        await in_thread(self._session.end)

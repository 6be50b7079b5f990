"""`Gate`: the whole gate for a program that runs an agent of its own."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from compass.api.host import Heard, ProgramHost, Verdict, heard, verdict_of
from compass.api.judge import chosen, folder_of, loaded_for, wired_for
from compass.composition.gate import Wired, gate_in_session
from compass.composition.process import kept
from compass.hook import events
from compass.hook.dispatch import error_cause, told_to_person, unchecked_reason
from evaluator.errors import ConfigError, PayloadError
from evaluator.gate import pipeline
from evaluator.intervention.control import is_control_reply

if TYPE_CHECKING:
    from os import PathLike


LOG = logging.getLogger("compass")


class Gate:
    """Keeps sessions: what was said in them, what is held, and what was answered. Thread-safe.

    A gate holds what is unclear (with `mode` "observe" it lets everything run), by the settings that `project` has
    when the gate is created; None is the working directory. `record` keeps every check and its event in the
    machine's own state, for `compass log` and `compass explain`; without it nothing is kept. `tools` says what the
    program's own tools do, as in `gate.mcp_tools`: `{"save_note": "write:path", "sh": "shell:command"}`; a tool that
    Compass knows nothing about is let through. With `attended` False nobody is there to answer, and
    `intervention.headless` decides what becomes of held calls.

    Raises CompassError for a folder, backend or setting that cannot be used.
    """

    def __init__(
        self,
        project: str | PathLike[str] | None = None,
        *,
        record: bool = False,
        backend: str | None = None,
        tools: Mapping[str, str] | None = None,
        mode: Literal["enforce", "observe"] | None = None,
        attended: bool = True,
    ) -> None:
        directory = folder_of(project)
        self._host = ProgramHost(directory, attended=attended)
        loaded = loaded_for(self._host, directory)
        if loaded.lost:
            raise ConfigError(f"the gate was turned on here, but its settings are lost: {loaded.lost}")
        settings = chosen(loaded.settings, backend, tools, mode)
        self._wired = wired_for(self._host, directory, loaded, settings, record=record, keeps=kept())
        for fault in self._wired.faults:
            LOG.warning("%s", fault)
        self._project = directory
        self._lock = threading.Lock()
        self._sessions: dict[str, Session] = {}

    def session(self, session_id: str) -> Session:
        """The session with that id; the first call with an id starts it."""
        with self._lock:
            if session_id not in self._sessions:
                payload = {"session_id": session_id, "cwd": self._project}
                self._host.session_of(payload)
                events.session_started(payload, session_id, self._wired, time.time())
                self._sessions[session_id] = Session(self._wired, self._host, payload)
            return self._sessions[session_id]

    def close(self) -> None:
        self._wired.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Session:
    """One conversation between a user and an agent."""

    def __init__(self, wired: Wired, host: ProgramHost, payload: Mapping[str, object]) -> None:
        self._wired, self._host, self._payload = wired, host, payload
        self.id = str(payload["session_id"])

    def user(self, text: str) -> Heard:
        """Takes what the user wrote, and nothing that anybody else wrote: digits and `compass: ...` are obeyed."""
        talk = self._host.talk(self.id)
        talk.add("user", text)
        found = self._note_gate_event("user-prompt-submit", {"prompt": text, "prompt_id": talk.prompt_id})
        return heard(found, control=is_control_reply(text))

    def agent(self, text: str) -> None:
        """Takes one message that the agent said."""
        self._host.talk(self.id).add("agent", text)

    def before(self, tool: str, input: Mapping[str, object], *, call_id: str) -> Verdict:
        """To be called before each tool call, which may run only if the verdict is `allowed`. Waits for readers.

        Raises PayloadError for what is no call. Whatever else goes wrong is answered by the error policy: the default
        lets nothing run that nobody judged.
        """
        if not call_id:
            raise PayloadError("each call needs a unique id, which `after` uses to refer to it")
        talk = self._host.talk(self.id)
        call = {"tool_name": tool, "tool_input": input, "tool_use_id": call_id, "prompt_id": talk.prompt_id}
        pending = self._host.pending_write({**self._payload, **call}, self._wired.env)
        try:
            at = gate_in_session(self._wired, self.id)
            check = pipeline.check(at.parts, pending)
            found = verdict_of(check, told_to_person(check, at))
        except Exception as error:
            LOG.exception("a call could not be judged")
            settings = self._wired.settings
            if settings.mode != "enforce" or settings.error_policy == "open":
                found = Verdict("skipped", "sampler_error", allowed=True)
            else:
                why = f"{unchecked_reason(settings, error_cause(error))}."
                found = Verdict("failed", "sampler_error", allowed=False, agent_message=why)
        # An agent that acts has heard the user: what is said now is another message.
        talk.add("agent", "")
        return found

    def after(self, call_id: str, *, succeeded: bool = True) -> Heard:
        """A call that was let through has ended: a success spends its release and starts its cooldown."""
        event = "post-tool-use" if succeeded else "post-tool-use-failure"
        return heard(self._note_gate_event(event, {"tool_use_id": call_id}))

    def end(self) -> None:
        """The session ends: what was said in it is forgotten."""
        self._note_gate_event("session-end", {})
        self._host.drop(self.id)

    def _note_gate_event(self, event: str, given: Mapping[str, object]) -> bytes:
        """Hands an event to the gate; returns what its hook would be answered."""
        wired = gate_in_session(self._wired, self.id)
        return events.note(event, {**self._payload, **given}, wired, time.time())

"""`Gate`: the whole gate for a program that runs an agent of its own. `judge`: one pending call through the pipeline of
`compass check`, in this process."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from compass.api.host import NAME, Heard, ProgramHost, Verdict, heard, verdict_of
from compass.arguments import Given, parts_for
from compass.composition.gate import SystemClock, Wired, gate_in_session
from compass.composition.process import kept
from compass.composition.settings import load
from compass.hook import events
from compass.hook.dispatch import error_cause, told_to_person, unchecked_reason
from evaluator.errors import ConfigError, PayloadError
from evaluator.gate import pipeline
from evaluator.gate.run import Waiting, drive
from evaluator.intervention.control import is_control_reply
from evaluator.model import Exchange, PendingWrite
from evaluator.record import replace
from evaluator.settings import layers
from evaluator.settings.keys import KEYS, Settings
from evaluator.settings.places import home_of

if TYPE_CHECKING:
    from os import PathLike

    from compass.composition.process import ProcessState
    from evaluator.model import Check
    from evaluator.settings.layers import Loaded
    from hooks.host import Host


FILE_TOOLS = ("Write", "Edit")
SESSION_BYTES = 16


def checking_given(
    given: Given,
    host: Host,
    project: str,
    loaded: Loaded,
    *,
    backend: str | None = None,
    tools: Mapping[str, str] | None = None,
    record: bool = False,
    keeps: ProcessState | None = None,
) -> Waiting[Check]:
    """A check by a gate for this one call, by the settings `loaded` for `project`, turned on.

    `backend` None: as configured. `tools` are more rows of `gate.mcp_tools`. `record` keeps the check. With `keeps`
    connections outlive it.

    Raises ConfigError.
    """
    wired = wired_for(
        host, project, loaded, chosen(loaded.settings, backend, tools), record=record, keeps=keeps
    )
    try:
        return (yield from pipeline.checking(parts_for(given, wired.parts), given.pending))
    finally:
        wired.close()


def judge(  # noqa: PLR0913 - what there is to say of a call, by name
    user: str | Sequence[str],
    *,
    prior: str = "",
    tool: str = "",
    input: Mapping[str, object] | None = None,
    command: str | None = None,
    path: str | PathLike[str] | None = None,
    content: str | None = None,
    old: str | None = None,
    new: str | None = None,
    backend: str | None = None,
    project: str | PathLike[str] | None = None,
    tools: Mapping[str, str] | None = None,
    record: bool = False,
) -> Verdict:
    """Would two readers who see only this exchange agree on this write?

    `user` is the message, or messages, from the user that the agent acts on; `prior` is what the agent said right
    before. The call is a shell `command`; or a `path` with its `content`, or with `old` and `new` text; or a `tool`
    with its `input`, whose effect `tools` may state as in `gate.mcp_tools`. Relative paths start at `project` (by
    default the working directory), whose settings apply. Nothing is kept without `record`, but hosted readers count
    towards the daily cap.

    Raises CompassError for what cannot be judged. Failing readers raise nothing: the error policy answers.
    """
    name, given = _call_to_judge(tool, input, command, path, content, old, new)
    directory = folder_of(project)
    host = ProgramHost(directory)
    request = (user,) if isinstance(user, str) else tuple(user)
    session = f"judge-{os.urandom(SESSION_BYTES).hex()}"
    pending = PendingWrite(NAME, session, name, given, cwd=directory, project_dir=directory)
    stated = Given(pending, Exchange(tuple(text for text in request if text), prior))
    work = checking_given(
        stated,
        host,
        directory,
        loaded_for(host, directory),
        backend=backend,
        tools=tools,
        record=record,
        keeps=kept(),
    )
    check = drive(work, SystemClock())
    return verdict_of(check, check.told)


def _call_to_judge(
    tool: str,
    given: Mapping[str, object] | None,
    command: str | None,
    path: str | PathLike[str] | None,
    content: str | None,
    old: str | None,
    new: str | None,
) -> tuple[str, Mapping[str, object]]:
    """(its tool, its input). Raises PayloadError for a call that says too little, or two things at once."""
    if (given is not None) + (command is not None) + (path is not None) != 1:
        raise PayloadError("a call needs a command, a path or an input, and only one of them")
    if given is not None:
        if not tool:
            raise PayloadError("an input needs a tool name")
        return tool, given
    if command is not None:
        if tool not in ("", "Bash"):
            raise PayloadError("a command works only with Bash; for other tools, pass the full input")
        return "Bash", {"command": command}
    file = os.fspath(path or "")
    tool = tool or ("Edit" if old is not None or new is not None else "Write")
    if tool not in FILE_TOOLS:
        raise PayloadError(
            f"a path works only with {' and '.join(FILE_TOOLS)}; for {tool}, pass its full input"
        )
    if tool == "Edit":
        return tool, {"file_path": file, "old_string": old or "", "new_string": new or ""}
    return tool, {"file_path": file, "content": content or ""}


def loaded_for(host: Host, directory: str) -> layers.Loaded:
    """What counts for that host in this process's environment, which is left as it is."""
    env = dict(os.environ)
    return load(env, home_of(env), directory, directory, host=host)


def folder_of(project: str | PathLike[str] | None) -> str:
    """The resolved folder of a project; None is the working directory. Raises ConfigError for one that is none."""
    try:
        named: str = os.getcwd() if project is None else os.fspath(project)
        found = os.path.realpath(named)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{project or 'the working directory'}: {error}") from None
    if not os.path.isdir(found):
        raise ConfigError(f"{found}: no such folder")
    return found


def chosen(
    settings: Settings, backend: str | None, tools: Mapping[str, str] | None = None, mode: str | None = None
) -> Settings:
    """The settings of whoever asks by name, turned on in any case. Raises ConfigError for no such backend or mode."""
    for what, name, choices in (
        ("backend", backend, KEYS["evaluator.backend"].choices),
        ("mode", mode, KEYS["mode"].choices),
    ):
        if name is not None and name not in choices:
            raise ConfigError(f"no such {what}: {name!r}; choose one of {', '.join(choices)}")
    if backend is not None:
        settings = replace(settings, evaluator=replace(settings.evaluator, backend=backend))
    if tools:
        rows = {**dict(settings.gate.mcp_tools), **tools}
        settings = replace(settings, gate=replace(settings.gate, mcp_tools=tuple(rows.items())))
    return replace(settings, enabled=True, mode=settings.mode if mode is None else mode)


def wired_for(
    host: Host,
    directory: str,
    loaded: layers.Loaded,
    settings: Settings,
    *,
    record: bool,
    keeps: ProcessState | None,
) -> Wired:
    """A program's gate by these `settings`. `record` keeps its checks; with `keeps` connections outlive it."""
    from compass.composition.gate import wire

    return wire(
        loaded.clean.env,
        loaded.clean.home,
        directory,
        loaded,
        host=host,
        settings=settings,
        keep=record,
        booked=True,
        warm=keeps.readers if keeps else None,
        learnt=keeps.learnt if keeps else None,
    )


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

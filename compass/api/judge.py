"""`judge` and its like: one pending call through the pipeline of `compass check`, in this process."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from compass.api.async_driver import drive_async
from compass.api.host import NAME, ProgramHost
from compass.api.project import chosen, expect, folder_of, loaded_for, place_of
from compass.api.records import Verdict, verdict_of
from compass.arguments import FixedExchange, Given, of_case, of_payload, parts_for
from compass.composition.gate import SystemClock, wire
from compass.composition.process import kept
from evaluator.effects import effect, folded
from evaluator.errors import ConfigError, PayloadError
from evaluator.gate import pipeline
from evaluator.gate.run import Parts, Waiting, drive
from evaluator.model import Effects, Exchange, PendingWrite
from evaluator.record import Record, replace, values_of
from evaluator.settings.keys import Settings
from hooks import registry

if TYPE_CHECKING:
    from os import PathLike

    from compass.composition.process import ProcessState
    from evaluator.model import Check
    from evaluator.settings.layers import Loaded
    from hooks.host import Host


FILE_TOOLS = ("Write", "Edit")
SESSION_BYTES = 16


class StatedWrite(Record):
    """A call, by its `input` or by what of a command or a file it is, and what was said before it.

    `user` are the messages that the agent acts on, `prior` what it said before them, `task` a subagent's own.
    """

    user: str | Sequence[str]
    prior: str = ""
    task: str = ""
    tool: str = ""
    input: Mapping[str, object] | None = None
    command: str | None = None
    path: str | PathLike[str] | None = None
    content: str | None = None
    old: str | None = None
    new: str | None = None
    exists: bool | None = None

    def exchange(self) -> Exchange:
        request = (self.user,) if isinstance(self.user, str) else tuple(self.user)
        return Exchange(tuple(text for text in request if text), self.prior, delegated_task=self.task)

    def call(self) -> tuple[str, Mapping[str, object]]:
        """(its tool, its input). Raises PayloadError for one that says too little, or two things at once."""
        plain = (self.command, self.path, self.content, self.old, self.new)
        if self.input is not None:
            if any(one is not None for one in plain):
                raise PayloadError("give a call's input, or its command or path, not both")
            if not self.tool:
                raise PayloadError("an input needs the name of its tool")
            return self.tool, self.input
        if self.command is not None:
            if self.path is not None or self.tool not in ("", "Bash"):
                raise PayloadError("a command is run by Bash and has no path; give other tools their input")
            return "Bash", {"command": self.command}
        if self.path is None:
            raise PayloadError("a call needs a command, a path or an input")
        edits = self.old is not None or self.new is not None
        tool = self.tool or ("Edit" if edits else "Write")
        if tool not in FILE_TOOLS:
            raise PayloadError(f"a path goes with {' and '.join(FILE_TOOLS)}; give {tool} its input")
        path = os.fspath(self.path)
        if tool == "Edit":
            return tool, {"file_path": path, "old_string": self.old or "", "new_string": self.new or ""}
        return tool, {"file_path": path, "content": self.content or ""}

    def effects(self, found: Effects | None) -> Effects | None:
        """What the call would do, where it says itself whether its file is there."""
        if self.exists is None or found is None or self.tool not in ("", "Write"):
            return found
        if found.operation not in ("create", "overwrite") or len(found.targets) != 1:
            return found
        one = effect("overwrite" if self.exists else "create", found.targets[0])
        return folded([one], lines=found.lines)


def checking_given(
    given: Given,
    host: Host,
    project: str,
    loaded: Loaded,
    *,
    backend: str | None = None,
    record: bool = False,
    keeps: ProcessState | None = None,
) -> Waiting[Check]:
    """A check of a host's payload or a labelled case, by the settings `loaded` for `project`, turned on.

    `backend` None: as configured. `record` keeps the check. With `keeps` connections and books outlive it.

    Raises ConfigError.
    """
    settings = chosen(loaded.settings, backend)
    stated = partial(parts_for, given)
    return (
        yield from _checking(
            given.pending, stated, host, project, loaded, settings, record=record, keeps=keeps
        )
    )


def _checking(
    pending: PendingWrite,
    stated: Callable[[Parts], Parts],
    host: Host,
    project: str,
    loaded: Loaded,
    settings: Settings,
    *,
    record: bool,
    keeps: ProcessState | None,
) -> Waiting[Check]:
    """By a gate for this one call; `stated` puts in what is said, not looked up."""
    wired = wire(
        loaded.clean.env,
        loaded.clean.home,
        project,
        loaded,
        host=host,
        settings=settings,
        keep=record,
        booked=True,
        warm=keeps.readers if keeps else None,
        learnt=keeps.learnt if keeps else None,
        books=keeps.books if keeps else None,
    )
    try:
        return (yield from pipeline.checking(stated(wired.parts), pending))
    finally:
        wired.close()


def judge(  # noqa: PLR0913 - what there is to say of a call, by name
    user: str | Sequence[str],
    *,
    prior: str = "",
    task: str = "",
    tool: str = "",
    input: Mapping[str, object] | None = None,
    command: str | None = None,
    path: str | PathLike[str] | None = None,
    content: str | None = None,
    old: str | None = None,
    new: str | None = None,
    exists: bool | None = None,
    backend: str | None = None,
    project: str | PathLike[str] | None = None,
    tools: Mapping[str, str] | None = None,
    record: bool = False,
) -> Verdict:
    """Would two readers who see only this exchange agree on this write?

    `user` is what the user wrote that the agent acts on, one message or several, `prior` what the agent said right
    before, `task` what a subagent was told. The call is a shell `command`; or a `path` with its `content`, or with
    `old` and `new` text; or a `tool` with its `input`, whose effect `tools` may tell as `gate.mcp_tools` does. Relative
    paths are those of `project`, by default the working directory, whose settings hold; `exists` says whether the file
    is there where the disk is not to be asked. Nothing is kept without `record`, but hosted readers count in the day's
    caps.

    Raises CompassError for what cannot be judged. Readers that fail are no error: the error policy answers.
    """
    write = StatedWrite(user, prior, task, tool, input, command, path, content, old, new, exists)
    return drive(_of_write(write, backend, project, tools, record=record), SystemClock())


async def judge_async(  # noqa: PLR0913
    user: str | Sequence[str],
    *,
    prior: str = "",
    task: str = "",
    tool: str = "",
    input: Mapping[str, object] | None = None,
    command: str | None = None,
    path: str | PathLike[str] | None = None,
    content: str | None = None,
    old: str | None = None,
    new: str | None = None,
    exists: bool | None = None,
    backend: str | None = None,
    project: str | PathLike[str] | None = None,
    tools: Mapping[str, str] | None = None,
    record: bool = False,
) -> Verdict:
    """`judge`, awaited. Any number may be awaited at once: they share connections, and none takes a thread while it
    waits."""
    write = StatedWrite(user, prior, task, tool, input, command, path, content, old, new, exists)
    return await drive_async(_of_write(write, backend, project, tools, record=record))


def judge_payload(
    payload: Mapping[str, object],
    *,
    host: str | None = None,
    transcript: str | PathLike[str] | None = None,
    backend: str | None = None,
    project: str | PathLike[str] | None = None,
    record: bool = False,
) -> Verdict:
    """Judges a call by what the agent tells a hook before it; what was said is read from the session's own file.

    `host` is the agent by the name that `compass init --host` has; without it the payload's shape tells. `transcript`
    is another file to read, `project` another folder than the payload names. The settings are those that count for
    that agent in that project.

    Raises CompassError for what cannot be judged. Readers that fail are no error: the error policy answers.
    """
    return drive(_of_payload(payload, host, transcript, backend, project, record=record), SystemClock())


async def judge_payload_async(
    payload: Mapping[str, object],
    *,
    host: str | None = None,
    transcript: str | PathLike[str] | None = None,
    backend: str | None = None,
    project: str | PathLike[str] | None = None,
    record: bool = False,
) -> Verdict:
    """The same, awaited: any number may wait at once, and all share the connections of this process."""
    return await drive_async(_of_payload(payload, host, transcript, backend, project, record=record))


def judge_case(
    case: Mapping[str, object],
    *,
    host: str | None = None,
    backend: str | None = None,
    project: str | PathLike[str] | None = None,
    record: bool = False,
) -> Verdict:
    """Judges a row of labelled cases, as `compass calibrate --cases` reads them: what was said and what the call would
    do are stated, nothing is looked up. Its label is for whoever compares.

    The settings are those of `project`, by default the working directory; with `host` also that agent's own files.

    Raises CompassError for a row that cannot be used. Readers that fail are no error: the error policy answers.
    """
    return drive(_of_case(case, host, backend, project, record=record), SystemClock())


async def judge_case_async(
    case: Mapping[str, object],
    *,
    host: str | None = None,
    backend: str | None = None,
    project: str | PathLike[str] | None = None,
    record: bool = False,
) -> Verdict:
    """The same, awaited: any number may wait at once, and all share the connections of this process."""
    return await drive_async(_of_case(case, host, backend, project, record=record))


def _of_write(
    write: StatedWrite,
    backend: str | None,
    project: str | PathLike[str] | None,
    tools: Mapping[str, str] | None,
    *,
    record: bool,
) -> Waiting[Verdict]:
    """The exchange is the program's; of the call it may say what the disk would."""
    expect(**{name: value for name, value in values_of(write).items() if name != "exists"})
    expect(backend=backend, project=project, tools=tools)
    at = place_of(project, backend, tools)
    tool, given = write.call()
    session = f"judge-{os.urandom(SESSION_BYTES).hex()}"
    pending = PendingWrite(NAME, session, tool, given, cwd=at.project, project_dir=at.project)

    def stated(parts: Parts) -> Parts:
        def effects_of(pending: PendingWrite) -> Effects | None:
            return write.effects(parts.effects_of(pending))

        def text_of(path: str) -> str | None:
            return "" if write.exists is False else parts.text_of(path)

        source = FixedExchange(write.exchange())
        return replace(parts, transcripts=source, effects_of=effects_of, text_of=text_of)

    check = yield from _checking(
        pending, stated, at.host, at.project, at.loaded, at.settings, record=record, keeps=kept()
    )
    return verdict_of(check, check.told)


def _of_payload(
    payload: Mapping[str, object],
    host: str | None,
    transcript: str | PathLike[str] | None,
    backend: str | None,
    project: str | PathLike[str] | None,
    *,
    record: bool,
) -> Waiting[Verdict]:
    expect(host=host, transcript=transcript, backend=backend, project=project)
    env = dict(os.environ)
    try:
        body = json.dumps(dict(_mapping(payload, "a payload"))).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise PayloadError(f"the payload is not JSON: {error}") from None
    given = of_payload(
        body,
        env,
        _known(host),
        transcript=os.fspath(transcript) if transcript is not None else "",
        project=folder_of(project) if project is not None else "",
    )
    at, where = registry.host_of(given.host), given.pending.project_dir
    loaded = loaded_for(at, where, given.pending.cwd)
    check = yield from checking_given(given, at, where, loaded, backend=backend, record=record, keeps=kept())
    return verdict_of(check, check.told)


def _of_case(
    case: Mapping[str, object],
    host: str | None,
    backend: str | None,
    project: str | PathLike[str] | None,
    *,
    record: bool,
) -> Waiting[Verdict]:
    expect(host=host, backend=backend, project=project)
    given, where = of_case(_mapping(case, "a case"), _known(host)), folder_of(project)
    at = registry.host_of(host) if host else ProgramHost(where)
    check = yield from checking_given(
        given, at, where, loaded_for(at, where, where), backend=backend, record=record, keeps=kept()
    )
    return verdict_of(check, check.told)


def _known(host: str | None) -> str | None:
    if host is not None and host not in registry.HOSTS:
        raise ConfigError(f"no such host: {host!r}; one of {', '.join(registry.HOSTS)}")
    return host


def _mapping(given: Mapping[str, object], what: str) -> Mapping[str, object]:
    if not isinstance(given, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - a caller's word
        raise PayloadError(f"{what} has to be a mapping")
    return given

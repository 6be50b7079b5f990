"""`judge`: one pending call through the pipeline of `compass check`, in this process."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from compass.api.checks import checking
from compass.api.driving import drive_async
from compass.api.given import expect
from compass.api.kept import kept
from compass.api.place import place_of
from compass.api.verdict import Verdict, verdict_of
from compass.api.writes import Call, Said
from compass.joining.clock import SystemClock
from compass.joining.gate import wire
from compass.joining.inputs import FixedExchange
from evaluator.gate.run import Parts, Waiting, drive
from evaluator.record import replace

if TYPE_CHECKING:
    from os import PathLike

    from compass.joining.gate import Wired
    from evaluator.model import Effects, PendingWrite

SESSION_BYTES = 16


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
    call = Call(tool, input, command, path, content, old, new, exists)
    asked = _Asked(Said(user, prior, task), call, backend, project, tools, record)
    return drive(asked.judging(), SystemClock())


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
    """As `judge`. Any number may be awaited at once: they share connections, and none takes a thread while it waits."""
    call = Call(tool, input, command, path, content, old, new, exists)
    asked = _Asked(Said(user, prior, task), call, backend, project, tools, record)
    return await drive_async(asked.judging())


class _Asked:
    def __init__(
        self,
        said: Said,
        call: Call,
        backend: str | None,
        project: str | PathLike[str] | None,
        tools: Mapping[str, str] | None,
        record: bool,
    ) -> None:
        expect(user=said.user, prior=said.prior, task=said.task)
        expect(tool=call.tool, input=call.input, command=call.command, path=call.path)
        expect(content=call.content, old=call.old, new=call.new)
        expect(backend=backend, project=project, tools=tools)
        self._said = said
        self._call = call
        self._backend = backend
        self._project = project
        self._tools = tools
        self._record = record

    def judging(self) -> Waiting[Verdict]:
        place = place_of(self._project, self._backend, self._tools)
        pending = self._call.pending(place.project, f"judge-{os.urandom(SESSION_BYTES).hex()}")
        keeps = kept()

        def joined() -> Wired:
            clean = place.loaded.clean
            return wire(
                clean.env,
                clean.home,
                place.project,
                place.loaded,
                host=place.host,
                settings=place.settings,
                keep=self._record,
                booked=True,
                warm=keeps.readers,
                learnt=keeps.learnt,
                books=keeps.books,
            )

        check = yield from checking(joined, self._stated, pending)
        return verdict_of(check, check.told)

    def _stated(self, parts: Parts) -> Parts:
        """The exchange is the program's; of the call it may say what the disk would."""

        def effects_of(pending: PendingWrite) -> Effects | None:
            return self._call.stated(parts.effects_of(pending))

        def text_of(path: str) -> str | None:
            return "" if self._call.exists is False else parts.text_of(path)

        source = FixedExchange(self._said.exchange())
        return replace(parts, transcripts=source, effects_of=effects_of, text_of=text_of)

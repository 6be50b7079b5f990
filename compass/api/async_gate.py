"""`AsyncGate`: the same as `Gate`, awaited. No thread waits for a reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from compass.api.core import Core
from compass.api.driving import drive_async, in_thread
from compass.api.gate import Message
from compass.api.verdict import Heard, Verdict

if TYPE_CHECKING:
    from os import PathLike


class AsyncGate:
    """As `Gate`, which says what the choices are. Made at once; what reads or writes its state is awaited."""

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

    async def session(self, session_id: str, history: Sequence[Message] = ()) -> AsyncSession:
        """The session of that id; the first time it starts, after what `history` says was said before."""
        brief = await in_thread(partial(self._core.begin, session_id, history))
        return AsyncSession(self._core, session_id, brief)

    async def aclose(self) -> None:
        """Whatever is asked of it later raises CompassError."""
        await in_thread(self._core.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class AsyncSession:
    """As `Session`."""

    def __init__(self, core: Core, session_id: str, brief: str) -> None:
        self._core = core
        self.id = session_id
        self.brief = brief

    async def user(self, text: str) -> Heard:
        """What the user wrote, and nothing that anybody else did: digits and `compass: ...` count."""
        return await in_thread(partial(self._core.user, self.id, text))

    def agent(self, text: str) -> None:
        """What the agent said: one message."""
        self._core.agent(self.id, text)

    def delegate(self, agent: str, task: str) -> None:
        """A subagent was told to do that; its calls bear the id `agent`."""
        self._core.delegate(self.id, agent, task)

    async def before(
        self, tool: str, input: Mapping[str, object], *, call_id: str, agent: str = ""
    ) -> Verdict:
        """To be awaited before each call of a tool, which runs only if the verdict is `allowed`."""
        return await drive_async(self._core.before(self.id, tool, input, call_id, agent))

    async def after(self, call_id: str, *, succeeded: bool = True, output: str = "") -> Heard:
        """A call that was let through has ended, with that `output`: as `Session.after`."""
        return await in_thread(partial(self._core.after, self.id, call_id, output, succeeded=succeeded))

    async def end(self) -> None:
        """The session ends; what is held in it outlives that, if the gate has a state."""
        await in_thread(partial(self._core.end, self.id))

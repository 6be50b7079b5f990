"""`Gate`: the whole gate for a program that runs an agent of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from compass.api.core import Core
from compass.api.verdict import Heard, Verdict
from compass.joining.clock import SystemClock
from evaluator.gate.run import drive

if TYPE_CHECKING:
    from os import PathLike

Message = tuple[Literal["user", "agent"], str]


class Gate:
    """Holds sessions: what was said in them, what is held back, and what was answered. Safe for threads.

    A gate holds what is unclear from the moment it is made (`mode` "observe" lets all run), by the settings of
    `project` as they stand then; None is the working directory. `state` is a folder where its sessions outlive the
    process; `record` keeps them in the machine's own state instead, with every check and its event, for `compass log`
    and `compass explain`. Without either nothing is kept. `tools` says what tools of the program's own do, as
    `gate.mcp_tools` does: `{"save_note": "write:path", "sh": "shell:command"}`; a tool that nothing is known of is let
    through. `attended` False: nobody is there to answer, and `intervention.headless` says what becomes of held calls.

    Raises CompassError for a folder, backend or setting that cannot be used.
    """

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

    def session(self, session_id: str, history: Sequence[Message] = ()) -> Session:
        """The session of that id; the first time it starts, after what `history` says was said before."""
        return Session(self._core, session_id, self._core.begin(session_id, history))

    def close(self) -> None:
        """Whatever is asked of it later raises CompassError."""
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
        return self._core.user(self.id, text)

    def agent(self, text: str) -> None:
        """What the agent said: one message."""
        self._core.agent(self.id, text)

    def delegate(self, agent: str, task: str) -> None:
        """A subagent was told to do that; its calls bear the id `agent`."""
        self._core.delegate(self.id, agent, task)

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
        return self._core.after(self.id, call_id, output, succeeded=succeeded)

    def end(self) -> None:
        """The session ends; what is held in it outlives that, if the gate has a state."""
        self._core.end(self.id)

"""What replay and calibration ask of a host: its recorded sessions, and a session that is made up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from evaluator.model import Exchange
from evaluator.ports import TranscriptSource
from hooks.moments import Moment, Passed


class SourceThen(TranscriptSource, Protocol):
    """A transcript as it stood at a moment of its session."""

    def go_to(self, end: int, heard: int) -> None:
        """The file is what stands before `end`; `heard` of its lines may have changed what is asked for."""
        ...


@dataclass(frozen=True, slots=True)
class Shown:
    """What the host makes of a hook's answer. `denied`: the call does not run; `stops`: the turn, or the prompt, ends
    there. `person` is what the user sees, as much as the host shows at once; `agent` what the agent is told.
    """

    denied: bool = False
    stops: bool = False
    person: str = ""
    agent: str = ""


class MadeUpSession(Protocol):
    """A session's file that grows as the host would write it; each method appends."""

    def user(self, text: str, prompt_id: str) -> None: ...

    def says(self, text: str) -> None:
        """The agent, in words."""
        ...

    def calls(self, tool: str, given: Mapping[str, object], tool_use_id: str) -> None: ...

    def result(self, tool_use_id: str, text: str, *, failed: bool) -> None: ...


class Sessions(Protocol):
    def find_transcripts(self, names: Sequence[str]) -> list[str]:
        """The files named, and those below the folders named, each once, in order. Raises PayloadError."""
        ...

    def session_moments(self, path: str, passed: Passed) -> Iterator[Moment]:
        """What the hooks of the session at `path`, and of its subagents, were told, in the order of time."""
        ...

    def then(self) -> SourceThen: ...

    def standing(self, path: str) -> frozenset[str]:
        """The ids of the lines that are on no abandoned branch."""
        ...

    def transcript(self, exchange: Exchange, session_id: str, prompt_id: str) -> str:
        """The text of a session's file that holds this exchange, with the request as the running prompt."""
        ...

    def made_up(self, path: str, session_id: str) -> MadeUpSession:
        """A new session's file at `path`."""
        ...

    def shown(self, answer: bytes) -> Shown:
        """What becomes of a hook's answer, which may be empty."""
        ...

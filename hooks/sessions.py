"""What replay and calibration ask of a host: its recorded sessions, and a session that is made up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from evaluator.model import Exchange
from evaluator.ports import TranscriptSource
from hooks.moments import Moment, Passed


class SourceThen(TranscriptSource, Protocol):
    """A transcript as it stood at a moment of its session."""

    def go_to(self, end: int, heard: int) -> None:
        """The file is what stands before `end`; `heard` of its lines may have changed what is asked for."""
        ...


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

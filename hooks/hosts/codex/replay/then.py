"""A session's file as it stood at a moment. Satisfies `hooks.sessions.SourceThen`."""

from __future__ import annotations

from collections.abc import Iterator

from hooks.hosts.codex.threads import Threads
from hooks.lines import Line, Tail


class ThreadsThen(Threads):
    def __init__(self) -> None:
        self._end = 0
        super().__init__(lambda path: _Until(path, self._end))

    def go_to(self, end: int, heard: int) -> None:
        self._end = end


class _Until(Tail):
    def __init__(self, path: str, end: int) -> None:
        super().__init__(path)
        self._end = end

    def lines(self, before: int | None = None) -> Iterator[Line]:
        return super().lines(self._end if before is None else min(before, self._end))

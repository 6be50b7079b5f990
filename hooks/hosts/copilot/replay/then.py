"""A session's file as it stood at a moment. Implements `SourceThen`."""

from __future__ import annotations

from hooks.hosts.copilot.transcript import EventsReader
from hooks.lines import Until


class EventsThen(EventsReader):
    def __init__(self) -> None:
        self._end = 0
        super().__init__(lambda path: Until(path, self._end))

    def go_to(self, end: int, heard: int) -> None:
        self._end = end

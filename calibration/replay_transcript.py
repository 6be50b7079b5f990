"""A transcript as it stood at a moment of its session. Implements `TranscriptSource` for a replay."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from evaluator.model import Exchange, KeptPrompt, PendingWrite
from evaluator.ports import Voice
from evaluator.transcript.lines import Line, Tail, open_regular
from evaluator.transcript.memory import GAIN_BYTES_MAX, changes_exchange
from evaluator.transcript.reader import TranscriptReader

_Asked = tuple[str, str | None, str | None, tuple[KeptPrompt, ...]]


class TranscriptThen:
    """What stands before the offset `end` is read and no more. The exchange of a prompt is read once, as long as
    nobody spoke since: a long turn would otherwise be read anew for each of its calls."""

    def __init__(self) -> None:
        self.end = 0
        self._reader = TranscriptReader(self._tail)
        self._known: tuple[_Asked, int, Exchange] | None = None

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        path = pending.transcript_path or ""
        asked = (path, pending.agent_id, pending.prompt_id, tuple(kept))
        if self._known is not None and self._known[0] == asked and self._same(path, self._known[1]):
            found = self._known[2]
        else:
            found = self._reader.exchange(pending, kept)
        self._known = (asked, self.end, found)
        return found

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return self._reader.voices(pending)

    def _tail(self, path: str) -> Tail:
        return _Until(path, self.end)

    def _same(self, path: str, since: int) -> bool:
        gain = self.end - since
        descriptor = open_regular(path) if 0 <= gain <= GAIN_BYTES_MAX else None
        if descriptor is None:
            return False
        try:
            found = os.pread(descriptor, gain, since)
        except OSError:
            return False
        finally:
            os.close(descriptor)
        return len(found) == gain and not changes_exchange(found)


class _Until(Tail):
    def __init__(self, path: str, end: int) -> None:
        super().__init__(path)
        self._end = end

    def lines(self, before: int | None = None) -> Iterator[Line]:
        return super().lines(self._end if before is None else min(before, self._end))

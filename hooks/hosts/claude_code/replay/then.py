"""A transcript as it stood at a moment of its session. Implements `TranscriptSource` for a replay."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.model import Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from hooks.hosts.claude_code.transcript.reader import TranscriptReader
from hooks.lines import Tail, Until

_Asked = tuple[str, str | None, str | None, tuple[KeptPrompt, ...], int]


class TranscriptThen:
    """What stands before an offset is read, and no more. An exchange and the voices are read once, as long as nothing
    was heard since: a long turn would otherwise be read anew for each of its calls."""

    def __init__(self) -> None:
        self._end = 0
        self._heard = 0
        self._reader = TranscriptReader(self._tail)
        self._known: tuple[_Asked, Exchange] | None = None
        self._voices: tuple[tuple[str, int], tuple[Voice, ...]] | None = None

    def go_to(self, end: int, heard: int) -> None:
        """The file is now what stands before `end`; `heard` of its lines may have changed what is asked for."""
        self._end, self._heard = end, heard

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        path = pending.transcript_path or ""
        asked = (path, pending.agent_id, pending.prompt_id, tuple(kept), self._heard)
        if self._known is None or self._known[0] != asked:
            self._known = (asked, self._reader.exchange(pending, kept))
        return self._known[1]

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        asked = (pending.transcript_path or "", self._heard)
        if self._voices is None or self._voices[0] != asked:
            self._voices = (asked, self._reader.voices(pending))
        return self._voices[1]

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        """None of a subagent's: where its own file ended at this moment is not known."""
        return self._reader.lookups(pending, kept) if pending.agent_id is None else ()

    def _tail(self, path: str) -> Tail:
        return Until(path, self._end)

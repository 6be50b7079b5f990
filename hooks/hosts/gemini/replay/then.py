"""A chat file as it stood at a moment of its session. Satisfies `hooks.sessions.SourceThen`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluator.model import Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from hooks.conversation import Conversation, Said
from hooks.hosts.gemini.transcript import LINE_BYTES_MAX, ChatDocument, messages, spoken
from hooks.lines import Until


class ChatThen:
    def __init__(self) -> None:
        self._end = 0
        self._source = Conversation(self._said)

    def go_to(self, end: int, heard: int) -> None:
        self._end = end

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        return self._source.exchange(pending, kept)

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return self._source.voices(pending)

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return self._source.lookups(pending, kept)

    def _said(self, pending: PendingWrite) -> Iterator[Said]:
        path = pending.transcript_path or ""
        if path.endswith(".json"):
            return spoken(messages(ChatDocument(path, self._end)))
        return spoken(messages(Until(path, self._end, line_bytes_max=LINE_BYTES_MAX)))

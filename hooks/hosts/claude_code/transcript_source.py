"""Which messages the agent is acting on, and what it said before them. Implements `TranscriptSource`.

An exchange that was costly to find is remembered for its turn, and only what the file gained since is read. A session
writes its transcript at the end alone, so an exchange changes only by a line that a person, or a question or plan put
to one, leaves there. Any doubt reads the file anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from evaluator.model import Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from evaluator.record import decoded, replace, values_of
from hooks.hosts.claude_code.conversation import (
    ChainStep,
    ClaudeTurn,
    Delegation,
    read_delegation,
    voices,
    walk,
)
from hooks.lines import Tail, open_regular
from hooks.transcript import asking, gather, own_prompts, resolve, texts

DEAR_BYTES = 512 * 1024
"""A read of less than this costs no more than remembering it."""
GAIN_BYTES_MAX = 64 * 1024 * 1024
"""More than this since is read anew."""
FORM = 4
"""Of what is remembered; what has another one is forgotten."""

_SPEAKS = (
    b'"queued_command"', b'"AskUserQuestion"', b'"ExitPlanMode"', b'"answers"', b'"toolDenialKind"',
    b"compact", b'"system"', b'"summary"',
)  # fmt: skip
"""In a line that may change the exchange besides those of the user: questions, plans, compaction, queued words."""
_OF_USER = (b'"type":"user"', b'"type": "user"', b'"role":"user"', b'"role": "user"')
_RESULT = (b'"type":"tool_result"', b'"type": "tool_result"')
_REFUSED = (b'"is_error":true', b'"is_error": true')
"""A plan or a question that its user refused ends like this, and so does every command that fails."""


class TranscriptReader:
    """Reads the host's file anew at each call, from its end, and only as far as the exchange reaches.

    `open_tail` may end the file earlier: a replay reads it as it stood then.
    """

    def __init__(self, open_tail: Callable[[str], Tail] = Tail) -> None:
        self._open_tail = open_tail

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        return self.read(pending, kept)[0]

    def read(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Exchange, int]:
        """The exchange, and how many bytes of the transcript it took to find it."""
        path = pending.transcript_path or ""
        tail = self._open_tail(path)
        if pending.agent_id is None:
            steps = walk(tail)
            return resolve(gather(steps, ClaudeTurn()), steps, pending.prompt_id, kept), tail.bytes_read
        delegation = read_delegation(path, pending.agent_id)
        found = _for_agent(walk(tail), pending.prompt_id, delegation, kept)
        return found, tail.bytes_read

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return voices(self._open_tail(pending.transcript_path or ""))

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        from hooks.hosts.claude_code import lookups

        path = pending.transcript_path or ""
        if pending.agent_id is not None:
            return lookups.of_agent(path, pending.agent_id, self._open_tail)
        own = asking(own_prompts(pending.prompt_id, kept))
        return lookups.of_turn(self._open_tail(path), pending.prompt_id if own else None)


def _for_agent(
    steps: Iterator[ChainStep], prompt_id: str | None, delegation: Delegation, kept: Sequence[KeptPrompt]
) -> Exchange:
    """A subagent keeps the request of the call that started it, though the user may have spoken since."""
    started_by = delegation.prompt_id or prompt_id
    newest = gather(steps, ClaudeTurn())
    if _is_here(newest, started_by, kept):
        found = resolve(newest, steps, started_by, kept)
    else:
        found = _earlier(newest, steps, started_by, kept)
    return replace(found, delegated_task=delegation.task)


def _is_here(turn: ClaudeTurn, prompt_id: str | None, kept: Sequence[KeptPrompt]) -> bool:
    """Whether the turn at the tip is the prompt's own, or the prompt is newer than it."""
    if prompt_id is None or prompt_id in turn.prompt_ids:
        return True
    order = [prompt.prompt_id for prompt in kept]
    on_file = [order.index(known) for known in turn.prompt_ids if known in order]
    return bool(on_file) and prompt_id in order and order.index(prompt_id) > max(on_file)


def _earlier(
    newest: ClaudeTurn, steps: Iterator[ChainStep], prompt_id: str | None, kept: Sequence[KeptPrompt]
) -> Exchange:
    """The exchange of the prompt's own, older turn. If there is none: its kept text alone, or else the newest
    request."""
    before = turn = gather(steps, ClaudeTurn())
    while turn.closed and prompt_id not in turn.prompt_ids:
        turn = gather(steps, ClaudeTurn())
    if prompt_id in turn.prompt_ids:
        return resolve(turn, steps, prompt_id, kept)
    own = asking(own_prompts(prompt_id, kept))
    if own:
        return Exchange(texts(own), unwritten=texts(own))
    request = texts(asking(newest.messages))
    return Exchange(request, before.speech if before.spoke else "", newest.questions, newest.plans)


class RememberingReader:
    """`TranscriptReader`, with `recall(session, agent)` and `remember(session, agent, text)` for what it found."""

    def __init__(
        self,
        reader: TranscriptReader,
        recall: Callable[[str, str], str | None],
        remember: Callable[[str, str, str], None],
        dear_bytes: int = DEAR_BYTES,
    ) -> None:
        self._reader = reader
        self._recall = recall
        self._remember = remember
        self._dear_bytes = dear_bytes

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        path = pending.transcript_path or ""
        place = _place(path)
        if place is None or place[1] < self._dear_bytes:
            return self._reader.exchange(pending, kept)
        who = (pending.session_id, pending.agent_id or "")
        about: list[object] = [FORM, path, place[0], pending.prompt_id, _digest(kept)]
        known = self._recall(*who)
        found = _decoded(known, about) if known else None
        if found is not None and not _gained(path, found[1], place[1]):
            if place[1] - found[1] >= self._dear_bytes:
                self._remember(*who, _encoded(about, place[1], found[0]))
            return found[0]
        exchange, bytes_read = self._reader.read(pending, kept)
        # A subagent's task lies in a file of its own, which may be written yet.
        whole = pending.agent_id is None or exchange.delegated_task
        if whole and bytes_read >= self._dear_bytes:
            self._remember(*who, _encoded(about, place[1], exchange))
        return exchange

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return self._reader.voices(pending)

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return self._reader.lookups(pending, kept)


def changes_exchange(gain: bytes) -> bool:
    """Whether whole lines at the end of a transcript may change the exchange of its running prompt."""
    if any(mark in gain for mark in _SPEAKS):
        return True
    lines = (line for line in gain.split(b"\n") if any(mark in line for mark in _OF_USER))
    return any(
        not any(mark in line for mark in _RESULT) or any(mark in line for mark in _REFUSED) for line in lines
    )


def _place(path: str) -> tuple[int, int] | None:
    """(inode, size) of a file."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_size


def _gained(path: str, since: int, size: int) -> bool:
    """Whether what the file gained may change the exchange, or cannot be known not to."""
    if size == since:
        return False
    descriptor = open_regular(path) if since < size <= since + GAIN_BYTES_MAX else None
    if descriptor is None:
        return True
    try:
        gain = os.pread(descriptor, size - since, since)
        before = os.pread(descriptor, 1, since - 1) if since else b"\n"
    except OSError:
        return True
    finally:
        os.close(descriptor)
    # A line that was still being written has to be read from its beginning.
    return before != b"\n" or len(gain) != size - since or changes_exchange(gain)


def _digest(kept: Sequence[KeptPrompt]) -> str:
    import hashlib

    whole = "\x1e".join(f"{prompt.prompt_id}\x1f{prompt.text}" for prompt in kept)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def _encoded(about: list[object], size: int, found: Exchange) -> str:
    import json

    return json.dumps([about, size, found], default=values_of)


def _decoded(text: str, about: list[object]) -> tuple[Exchange, int] | None:
    """The exchange and the size of the file then; None for what is about another prompt or file."""
    import json

    known, size, said = json.loads(text)
    return (decoded(Exchange, said), int(size)) if known == about else None

"""An exchange that was dear to find is remembered for its turn: what the file gained since is read instead.

A session writes its transcript at the end alone, so an exchange changes only by a line that a person, or a question
or plan put to one, leaves there. Any doubt reads the file anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from evaluator.model import AnsweredQuestion, Exchange, KeptPrompt, Lookup, PendingWrite, Plan
from evaluator.ports import Voice
from hooks.hosts.claude_code.transcript.reader import TranscriptReader
from hooks.lines import open_regular

DEAR_BYTES = 512 * 1024
"""A read of less than this costs no more than remembering it."""
GAIN_BYTES_MAX = 64 * 1024 * 1024
"""More than this since is read anew."""
FORM = 2
"""Of what is remembered; what has another one is forgotten."""

_SPEAKS = (
    b'"queued_command"', b'"AskUserQuestion"', b'"ExitPlanMode"', b'"answers"', b'"toolDenialKind"', b'"isAgent"',
    b"compact", b'"system"', b'"summary"',
)  # fmt: skip
"""In a line that may change the exchange besides those of the user: questions, plans, compaction, queued words."""
_OF_USER = (b'"type":"user"', b'"type": "user"', b'"role":"user"', b'"role": "user"')
_RESULT = (b'"type":"tool_result"', b'"type": "tool_result"')
_REFUSED = (b'"is_error":true', b'"is_error": true')
"""A plan or a question that its user refused ends like this, and so does every command that fails."""


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

    questions = [[item.question, item.options, item.answers] for item in found.questions]
    plans = [[plan.text, plan.approved] for plan in found.plans]
    said = [
        found.request,
        found.prior_assistant_turn,
        questions,
        plans,
        found.delegated_task,
        found.unwritten,
    ]
    return json.dumps([about, size, said])


def _decoded(text: str, about: list[object]) -> tuple[Exchange, int] | None:
    """The exchange and the size of the file then; None for what is about another prompt or file."""
    import json

    known, size, said = json.loads(text)
    if known != about:
        return None
    request, prior, questions, plans, task, unwritten = said
    exchange = Exchange(
        tuple(request),
        prior,
        tuple(
            AnsweredQuestion(question, tuple(options), tuple(answers))
            for question, options, answers in questions
        ),
        tuple(Plan(plan, approved) for plan, approved in plans),
        task,
        tuple(unwritten),
    )
    return exchange, int(size)

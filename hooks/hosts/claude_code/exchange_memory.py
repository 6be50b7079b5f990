"""What was found of a long transcript, remembered for its turn: only what the file gained since is read.

A session writes its transcript at the end alone, so an exchange changes only by a line that a person, or a question or
plan put to one, leaves there. Any doubt reads the file anew.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from evaluator.model import Exchange, KeptPrompt, PendingWrite
from evaluator.record import decoded, values_of
from hooks.json_lines import open_regular

if TYPE_CHECKING:
    from hooks.host import ExchangeMemory

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


def remembered_exchange(
    memory: ExchangeMemory,
    pending: PendingWrite,
    kept: Sequence[KeptPrompt],
    file: os.stat_result,
    read_anew: Callable[[], tuple[Exchange, int]],
    dear_bytes: int,
) -> Exchange:
    """The exchange of a call, by what is remembered where that holds. `read_anew` gives it and the bytes that it took,
    and what took fewer than `dear_bytes` is not worth remembering."""
    path = pending.transcript_path or ""
    prompts = "\x1e".join(f"{prompt.prompt_id}\x1f{prompt.text}" for prompt in kept)
    digest = hashlib.sha256(prompts.encode("utf-8", "surrogatepass")).hexdigest()
    about: list[object] = [FORM, path, file.st_ino, pending.prompt_id, digest]
    who, size = (pending.session_id, pending.agent_id or ""), file.st_size
    known, since, said = json.loads(memory.recall_exchange(*who) or "[null, 0, null]")
    if known == about and not _transcript_gained(path, since, size):
        # What is about another prompt or file is not used, nor what the file has gained on since.
        exchange, read = decoded(Exchange, said), size - since
    else:
        exchange, read = read_anew()
    # A subagent's task lies in a file of its own, which may be written yet.
    if read >= dear_bytes and (pending.agent_id is None or exchange.delegated_task):
        memory.remember_exchange(*who, json.dumps([about, size, exchange], default=values_of))
    return exchange


def changes_exchange(gain: bytes) -> bool:
    """Whether whole lines at the end of a transcript may change the exchange of its running prompt."""
    if any(mark in gain for mark in _SPEAKS):
        return True
    lines = (line for line in gain.split(b"\n") if any(mark in line for mark in _OF_USER))
    return any(
        not any(mark in line for mark in _RESULT) or any(mark in line for mark in _REFUSED) for line in lines
    )


def _transcript_gained(path: str, since: int, size: int) -> bool:
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

"""The hook's own process: bytes in, at most one JSON object out, always exit 0.

Imports built-ins only. Who judges is passed in, because judging here is the expensive path.
"""

from __future__ import annotations

import os
import sys

MAX_PAYLOAD_BYTES = 64 * 1024 * 1024
_STDIN, _STDOUT, _STDERR = 0, 1, 2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Answer = Callable[[bytes], None]
    Judge = Callable[[str, bytes, Answer], bytes]


def run(event: str, judge: Judge) -> int:
    """Read the payload, let `judge(event, payload, answer)` decide, print what it returns.

    A judge that must answer before it can return calls `answer` and ends the process itself. Stray prints
    go to stderr: any byte before the answer would make the host ignore it.
    """
    out = os.dup(_STDOUT)
    os.dup2(_STDERR, _STDOUT)

    def answer(text: bytes) -> None:
        while text:
            text = text[os.write(out, text) :]

    answer(judge(event, _read_all(), answer))
    sys.stderr.flush()
    return 0


def _read_all() -> bytes:
    """Everything on stdin; past the bound the rest is read and dropped, so that the writer is not cut off."""
    parts: list[bytes] = []
    size = 0
    while True:
        try:
            part = os.read(_STDIN, 1 << 20)
        except OSError:
            break
        if not part:
            break
        size += len(part)
        if size <= MAX_PAYLOAD_BYTES:
            parts.append(part)
    return b"".join(parts) if size <= MAX_PAYLOAD_BYTES else b""

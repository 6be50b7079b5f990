"""The hook's own process: bytes in, at most one JSON object out, always exit 0.

Imports built-ins only. Who judges is passed in, because judging here is the expensive path.
"""

from __future__ import annotations

import os

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
    try:
        os.fstat(_STDERR)
    except OSError:
        # A closed stderr would lend its number to the next file that is opened: the answer's own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), _STDERR)
    out = os.dup(_STDOUT)
    os.dup2(_STDERR, _STDOUT)

    def answer(text: bytes) -> None:
        while text:
            text = text[os.write(out, text) :]

    answer(judge(event, _read_all(), answer))
    return 0


def complain(text: str) -> None:
    """One line on stderr, unbuffered; a stderr that cannot be written costs nobody the answer."""
    try:  # noqa: SIM105 - contextlib is an import that the hook's first step does not make
        os.write(_STDERR, text.encode("utf-8", "replace") + b"\n")
    except OSError:
        pass


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

"""JSON that hosts say and write: narrowing of decoded values, and the lines of a file in bounded time and memory.

Nothing is trusted to have a certain type. A file that is missing, a folder, a pipe, unreadable or shrinking has fewer
lines, or none; nothing raises but want of descriptors or memory. What lines mean is not known here.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import cast

from evaluator.files import raise_want
from evaluator.record import Record

BLOCK_BYTES = 64 * 1024
LINE_BYTES_MAX = 4 * 1024 * 1024
"""A longer line is passed over. It holds a tool's output; what people and models say is far shorter."""
SCAN_BYTES_MAX = 256 * 1024 * 1024
DOCUMENT_BYTES_MAX = 64 * 1024 * 1024
"""A larger file is not read as one document."""

PADDING = b" \t\r\n\x00"
"""What a line that says nothing is made of."""
EMPTY: Mapping[str, object] = {}


def is_object(value: object) -> bool:
    """Whether a value is a JSON object; leaves open what it holds, as a type checker sees it."""
    return isinstance(value, dict)


def is_array(value: object) -> bool:
    return isinstance(value, list)


def mapping(value: object) -> Mapping[str, object]:
    """The object itself if it is a JSON object, else an empty one."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else EMPTY


def sequence(value: object) -> Sequence[object]:
    """The array itself if it is a JSON array, else an empty one."""
    return cast("Sequence[object]", value) if isinstance(value, list) else ()


def mappings(value: object) -> list[Mapping[str, object]]:
    """The objects of a JSON array."""
    return [mapping(one) for one in sequence(value) if is_object(one)]


def string(value: object) -> str:
    """The text if it is one, else "". Lone surrogates become U+FFFD: the text has to survive encoding."""
    if not isinstance(value, str):
        return ""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def decode(raw: bytes | str) -> Mapping[str, object] | None:
    """One JSON object, or None for everything else, garbage and hostile nesting included."""
    try:
        value: object = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return mapping(cast(object, value)) if isinstance(value, dict) else None


class FileLine(Record):
    """`offset` is where the line starts in the file; `raw` is without its end and without NUL padding."""

    offset: int
    raw: bytes


class Tail:
    """One file, read from its end, or from where it ended at `end`. All passes read at most `scan_bytes_max` bytes."""

    def __init__(
        self,
        path: str,
        end: int | None = None,
        *,
        block_bytes: int = BLOCK_BYTES,
        line_bytes_max: int = LINE_BYTES_MAX,
        scan_bytes_max: int = SCAN_BYTES_MAX,
    ) -> None:
        self._path, self._end = path, end
        self._block_bytes, self._line_bytes_max = block_bytes, line_bytes_max
        self._scan_bytes_max = scan_bytes_max
        self.bytes_read = 0

    def lines(self, before: int | None = None) -> Iterator[FileLine]:
        """Non-empty lines, newest first; only those that end at or before the offset `before`, if given."""
        descriptor = open_regular(self._path)
        if descriptor is None:
            return
        # The end of a line whose beginning is in a block not read yet, in parts, the last first; dropped once too long.
        rest: list[bytes] = []
        size = 0
        try:
            end = os.fstat(descriptor).st_size
            end = min(one for one in (before, self._end, end) if one is not None)
            while end > 0:
                start = max(0, end - self._block_bytes)
                block = self._read_lines_block(descriptor, start, end - start)
                if block is None:
                    return
                position = end
                for place, part in reversed([*enumerate(block.split(b"\n"))]):
                    position -= len(part)
                    size += len(part)
                    if size <= self._line_bytes_max:
                        rest.append(part)
                    else:
                        rest.clear()
                    if place or not start:
                        line = b"".join(reversed(rest)).strip(PADDING)
                        rest.clear()
                        size = 0
                        if line:
                            yield FileLine(position, line)
                        position -= 1
                end = start
        finally:
            os.close(descriptor)

    def _read_lines_block(self, descriptor: int, start: int, size: int) -> bytes | None:
        if self.bytes_read + size > self._scan_bytes_max:
            return None
        self.bytes_read += size
        try:
            block = os.pread(descriptor, size, start)
        except OSError:
            return None
        return block if len(block) == size else None


class Held(Tail):
    """Objects of a session that is no file of lines, each as a line at its place."""

    def __init__(self, entries: Sequence[Mapping[str, object]], end: int | None = None) -> None:
        super().__init__("")
        self._lines = [
            FileLine(place, json.dumps(entry).encode()) for place, entry in enumerate(entries[:end])
        ]

    def lines(self, before: int | None = None) -> Iterator[FileLine]:
        return reversed(self._lines[:before])


def lines_forward(path: str, line_bytes_max: int = LINE_BYTES_MAX) -> Iterator[FileLine]:
    """Lines from the first on; a longer one is passed over, and a file that cannot be read has none."""
    descriptor = open_regular(path)
    if descriptor is None:
        return
    with os.fdopen(descriptor, "rb") as file:
        offset = 0
        try:
            while raw := file.readline(line_bytes_max + 1):
                start, rest = offset, raw
                offset += len(raw)
                while not rest.endswith(b"\n") and (rest := file.readline(line_bytes_max)):
                    offset += len(rest)
                if offset - start <= line_bytes_max + 1:
                    yield FileLine(start, raw)
        except OSError:
            return


def read_document(path: str) -> Mapping[str, object]:
    """The JSON object that a whole file is; empty for what is none."""
    try:
        return _read_json_document(path, os.stat(path).st_mtime_ns)
    except (OSError, ValueError) as error:
        raise_want(error)
        return EMPTY


@lru_cache(maxsize=2)
def _read_json_document(path: str, _changed: int) -> Mapping[str, object]:
    """Kept, for a replay asks anew for each call of a session."""
    descriptor = open_regular(path)
    if descriptor is None:
        return EMPTY
    with os.fdopen(descriptor, "rb") as file:
        return decode(file.read(DOCUMENT_BYTES_MAX).decode("utf-8", "replace")) or EMPTY


def open_regular(path: str) -> int | None:
    """A descriptor of a regular file, else None. Never waits for the other end of a pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except (OSError, ValueError) as error:
        raise_want(error)
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    return None

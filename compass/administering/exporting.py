"""Kept evaluations into a file of the user's alone: whole or not at all, and never held in memory."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, Final, Literal

from compass.joining.extras import needing
from evaluator.errors import CompassError

Format = Literal["jsonl", "parquet"]
FORMATS: Final[tuple[Format, ...]] = ("jsonl", "parquet")

Rows = Iterable[Mapping[str, object]]


def export(rows: Rows, path: str, form: Format) -> int:
    """How many rows were written. Raises CompassError for a file that cannot be written, and what `rows` raises."""
    count = 0

    def counted() -> Iterator[Mapping[str, object]]:
        nonlocal count
        for row in rows:
            count += 1
            yield row

    write = _lines if form == "jsonl" else _parquet()
    temporary = f"{path}.{os.urandom(6).hex()}.tmp"
    try:
        file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(file, "wb") as out:
                write(counted(), out)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise CompassError(f"{path}: {error.strerror or error}") from error
    return count


def _lines(rows: Rows, out: IO[bytes]) -> None:
    for row in rows:
        out.write(json.dumps(row).encode() + b"\n")


def _parquet() -> Callable[[Rows, IO[bytes]], None]:
    """Raises CompassError without the extra, before anything is asked for."""
    with needing("parquet"):
        from compass.administering.parquet import write
    return write

"""The `embedded` backend, *rules* to people. Its fingerprint covers every module that the readers score by."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from typing import TYPE_CHECKING

from evaluator.readers.kinds.kind import BackendKind, Variables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluator.configuration.settings import Settings
    from evaluator.ports import Readers

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARTS = (os.path.join("readers", "embedded"), "language", "exchange")
"""The packages under `ROOT` that a score can come from."""

_Stamp = tuple[str, int, int]
"""(path under the root, time of the last change in ns, size in bytes)."""


def fingerprint(root: str = ROOT) -> str:
    """16 hex digits over all modules of `PARTS`. They are read again once one of them changed."""
    return _digest(root, tuple(sorted(stamp for part in PARTS for stamp in _stamps(root, part))))


def _stamps(folder: str, inside: str) -> Iterator[_Stamp]:
    with os.scandir(os.path.join(folder, inside)) as found:
        for entry in found:
            path = os.path.join(inside, entry.name)
            if entry.is_dir():
                yield from _stamps(folder, path)
            elif entry.name.endswith(".py"):
                seen = entry.stat()
                yield path, seen.st_mtime_ns, seen.st_size


@lru_cache(maxsize=4)
def _digest(folder: str, stamps: tuple[_Stamp, ...]) -> str:
    whole = hashlib.sha256()
    for path, _, _ in stamps:
        with open(os.path.join(folder, path), "rb") as file:
            text = file.read()
        whole.update(f"{path}\0{len(text)}\0".encode())
        whole.update(text)
    return whole.hexdigest()[:16]


def missing(_settings: Settings, _env: Variables) -> None:
    return None


def goes(_settings: Settings, _env: Variables) -> str:
    return "nowhere: the readers are in this process"


def sampling(settings: Settings) -> tuple[int, float]:
    """Their work is bounded far below any deadline."""
    from evaluator.readers.embedded.evaluator import READERS

    return len(READERS), settings.deadline_seconds


def readers() -> Readers:
    from evaluator.readers.embedded.evaluator import EmbeddedReaders

    return EmbeddedReaders()


FOUND, UNCLEAR, WRONG, CLEAR = 40, 308, 14, 351
"""Of the unclear and the clear rows of both test halves, those that the default thresholds block."""
FINDS = (
    f"By their scores rules find one unclear write in {round(UNCLEAR / FOUND)} ({FOUND} of {UNCLEAR} test cases) and "
    f"block one clear write in {round(CLEAR / WRONG)} ({WRONG} of {CLEAR}); beside that they hold whatever destroys "
    "something that your own words do not both order and name."
)

HOLDS = "destructive calls that your own words do not both order and name"

KIND = BackendKind(
    "embedded",
    "rules in this process; sends nothing",
    missing,
    goes,
    sampling=sampling,
    fingerprint=fingerprint,
    readers=readers,
    label="rules",
    finds=FINDS,
    holds=HOLDS,
)

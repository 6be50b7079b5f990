"""What the person answered: should this write have been held? Pure records and their lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, cast

KEYS: Final[Mapping[str, bool | None]] = {"y": True, "n": False, "s": None}
"""y: it should have been held; n: it was right to run; s: cannot tell."""
WORDS: Final[Mapping[bool | None, str]] = {held: key for key, held in KEYS.items()}


@dataclass(frozen=True, slots=True)
class AuditAnswer:
    """`hold` None: the person could not tell."""

    write: str
    hold: bool | None
    at: float = 0.0

    def line(self) -> str:
        return json.dumps({"write": self.write, "answer": WORDS[self.hold], "at": self.at})


def answer_of(text: str) -> AuditAnswer:
    """Of one line. Raises ValueError, saying what is wrong with it."""
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("not a JSON object") from None
    if not isinstance(found, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - a value of the file
    row = cast(Mapping[str, object], found)
    write, answer, at = row.get("write"), row.get("answer"), row.get("at")
    if not isinstance(write, str) or not write:
        raise ValueError("write must be the id of a write")
    if not isinstance(answer, str) or answer not in KEYS:
        raise ValueError("answer must be y (should have been held), n (right to run) or s (cannot tell)")
    return AuditAnswer(write, KEYS[answer], float(at) if isinstance(at, (int, float)) else 0.0)


def told_by(answers: Iterable[AuditAnswer]) -> dict[str, bool | None]:
    """The last answer about each write, writes in the order of their first."""
    found: dict[str, bool | None] = {}
    for one in answers:
        found[one.write] = one.hold
    return found

"""What a reader can hold against a write: a named feature, how strong it is, and words for it. Data only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evaluator.model import Concern

Feature = Literal[
    "contradiction", "forbidden", "scope", "option", "destruction", "referents", "area", "question", "vague",
    "pasted",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Objection:
    """`strength` in (0, 1]. `rival` is the other reading that the finding shows, if it shows one."""

    feature: Feature
    strength: float
    concern: Concern
    phrase: str
    rival: str | None = None


def short(name: str, limit: int = 48) -> str:
    """A name for a rationale: its end, which tells most."""
    name = " ".join(name.split())
    return name if len(name) <= limit else f"…{name[-limit + 1 :]}"

"""What a rule is, and what it holds against a write. Data only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from evaluator.model import Concern
from evaluator.readers.embedded.case import Case

STRONG, WEAK_SCORE = 0.8, 0.4
"""From this precision on an objection is strong. A weak one scores so that one passes the gate, and two do not."""
Family = Literal["option", "act", "target", "limit", "loss"]


@dataclass(frozen=True, slots=True)
class Objection:
    """What speaks against the write, for people. `rival` is the other reading that it shows, if it shows one."""

    concern: Concern
    phrase: str
    rival: str | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """An exchange in which the rule fires. `path` is what is written, `new` its text."""

    prior: str
    request: str
    path: str
    new: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """`hits` of the `n` development rows on which it fires are ambiguous (`rules_table.py --counts`)."""

    name: str
    family: Family
    sees: str
    example: Example
    hits: int
    n: int
    find: Callable[[Case], Objection | None]

    @property
    def precision(self) -> float:
        """The chance that a write on which it fires is ambiguous, by the rule of succession: few rows make it weak."""
        return (self.hits + 1) / (self.n + 2)

    @property
    def strong(self) -> bool:
        return self.precision >= STRONG

    @property
    def score(self) -> float:
        """What its reader says where it fires."""
        return round(1.0 - self.precision if self.strong else max(WEAK_SCORE, 1.0 - self.precision), 4)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one family, the first that fires being its answer, those that are right most often before others.

    `support`: how well the write fits what the family looks at where no rule fires, in [0, 1].
    """

    each: tuple[Rule, ...]
    support: Callable[[Case], float]


def short(name: str, limit: int = 48) -> str:
    """A name for a rationale: its end, which tells most."""
    name = " ".join(name.split())
    return name if len(name) <= limit else f"…{name[-limit + 1 :]}"

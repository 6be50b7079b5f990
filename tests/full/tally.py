"""What became of the rows that a run of `tests/full` was to run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Tally:
    """`read` ran as recorded, `otherwise` ended with another exit status, `not_run` says why by reason.
    None of those that ran has changed anything."""

    read: int = 0
    otherwise: list[str] = field(default_factory=list)
    not_run: Counter[str] = field(default_factory=Counter)


TALLY = Tally()

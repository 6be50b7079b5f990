"""Every weight of the embedded readers. Set by hand so far; few, so that a fit can replace them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from evaluator.readers.embedded.findings import Feature

READERS: Final = ("literal", "contextual", "target-checking", "sceptical", "skimming")


@dataclass(frozen=True, slots=True)
class Weights:
    """One reader's weights.

    `floor` and `ceiling`: the score with nothing and with everything grounded. `symbols`, `specific` and
    `agreed`: how far shared words, a specific request and an accepted proposal stand in for a named target.
    `lean`: the floor where the request leans on a prior turn. `doubt`: the share of the score that a finding
    of full strength takes away.
    """

    floor: float
    ceiling: float
    symbols: float
    specific: float
    agreed: float
    lean: float
    doubt: dict[Feature, float]


WEIGHTS: Final[dict[str, Weights]] = {
    "literal": Weights(
        0.42, 0.95, 0.75, 0.45, 0.0, 0.56,
        {"contradiction": 0.55, "forbidden": 0.75, "scope": 0.45, "option": 0.35, "destruction": 0.45,
         "referents": 0.35, "area": 0.15, "question": 0.50, "vague": 0.15},
    ),
    "contextual": Weights(
        0.36, 0.96, 0.75, 0.50, 0.65, 0.36,
        {"contradiction": 0.50, "forbidden": 0.65, "scope": 0.40, "option": 0.65, "destruction": 0.50,
         "referents": 0.60, "area": 0.20, "question": 0.45, "vague": 0.30},
    ),
    "target-checking": Weights(
        0.44, 0.96, 0.70, 0.30, 0.55, 0.44,
        {"contradiction": 0.65, "forbidden": 0.65, "scope": 0.55, "option": 0.35, "destruction": 0.45,
         "referents": 0.45, "area": 0.25, "question": 0.20, "vague": 0.05},
    ),
    "sceptical": Weights(
        0.48, 0.95, 0.70, 0.50, 0.55, 0.48,
        {"contradiction": 0.75, "forbidden": 0.90, "scope": 0.65, "option": 0.70, "destruction": 0.85,
         "referents": 0.60, "area": 0.30, "question": 0.60, "vague": 0.40},
    ),
    "skimming": Weights(
        0.46, 0.92, 0.55, 0.60, 0.0, 0.58,
        {"contradiction": 0.30, "forbidden": 0.35, "scope": 0.25, "option": 0.35, "destruction": 0.30,
         "referents": 0.35, "area": 0.10, "question": 0.55, "vague": 0.40},
    ),
}  # fmt: skip

UNTELLABLE: Final = 0.35
"""Stands in for a named target where the request shares no alphabet with paths and so could not name one."""
VALUED: Final = 0.2
"""What is left of `specific` where the write is a call with values of its own."""
FITS: Final = 0.5
"""From this score on a reader says that the write fits its reading."""
LEAST, MOST = 0.02, 0.98

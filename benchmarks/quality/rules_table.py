"""How often each rule is right: `python benchmarks/quality/rules_table.py`, a table for docs/quality.md.

Counted are rows of every labelled set, the public ones where COMPASS_PUBLIC_DATA names them; a rule counts where it is
its family's answer. Precision is the share of ambiguous rows among those, with its 95 % Clopper-Pearson interval; own
sets hold about as many clear rows as ambiguous ones, BFCL two to one. What the rules say of themselves (`hits`, `n`)
are the rows of development: `--counts` prints these alone.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping

from embedded_sets import DEVELOPMENT, HELD_OUT, Labelled, labelled, places, public_dir
from quality import table

from calibration.stats.intervals import clopper_pearson
from evaluator.readers.embedded.case import case_of
from evaluator.readers.embedded.evaluator import FAMILIES, fired

FEW = 5
SIDES = ("development", "test halves", "public")
Counts = Counter[tuple[str, bool]]
"""(name of a rule, whether the row is ambiguous) -> rows."""


def side_of(name: str) -> str:
    return SIDES[0] if name in DEVELOPMENT else SIDES[1] if name in HELD_OUT else SIDES[2]


def counted(one: Labelled) -> Counts:
    return Counter(
        (rule.name, bool(ambiguous))
        for subject, ambiguous in zip(one.subjects, one.ambiguous, strict=True)
        for rule, _ in fired(case_of(subject)).values()
    )


def lines(by_side: Mapping[str, Counts]) -> list[tuple[str, ...]]:
    """One line a rule in the order of families; counts are ambiguous / clear."""
    found: list[tuple[str, ...]] = []
    for family, rules in FAMILIES.items():
        for rule in rules.each:
            pairs = {
                side: (counts[rule.name, True], counts[rule.name, False]) for side, counts in by_side.items()
            }
            whole = (sum(hits for hits, _ in pairs.values()), sum(wrong for _, wrong in pairs.values()))
            shown = tuple(f"{hits} / {wrong}" for hits, wrong in pairs.values())
            held = precision(*pairs[SIDES[1]]) if SIDES[1] in pairs else ""
            weight = "strong" if rule.strong else "weak"
            found.append((family, rule.name, weight, *shown, precision(*whole), held))
    return found


def precision(hits: int, wrong: int) -> str:
    if hits + wrong < FEW:
        return f"under {FEW} rows"
    low, high = clopper_pearson(hits, hits + wrong)
    return f"{hits / (hits + wrong):.2f} [{low:.2f}, {high:.2f}]"


def main(arguments: list[str]) -> int:
    own = "--counts" in arguments
    by_side: dict[str, Counts] = {side: Counter() for side in SIDES[: 1 if own else 3]}
    for name, file in places(public_dir()).items():
        if side_of(name) in by_side:
            by_side[side_of(name)].update(counted(labelled(name, file)))
    titles = ("family", "rule", "alone", *by_side, "precision, all [95 %]", "precision, test halves")
    sys.stdout.write(f"{table(titles, lines(by_side))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""How often each rule is right: `python benchmarks/quality/rules_table.py`, a table for docs/quality.md.

A rule is a signal that speaks against a write; it fires from `FIRES` on. Counted are rows of every labelled set, the
public ones where COMPASS_PUBLIC_DATA names them. Precision is the share of ambiguous rows among those on which it
fires, with its 95 % Clopper-Pearson interval; own sets hold about as many clear rows as ambiguous, BFCL two to one.
"""

from __future__ import annotations

import sys

from embedded_sets import HELD_OUT, PUBLIC, labelled, places, public_dir
from quality import table

from calibration.stats.intervals import clopper_pearson
from evaluator.readers.embedded.signals import GROUPS, NAMES

FIRES = 0.75
FEW = 5
SIDES = ("development", "test halves", "public")


def lines() -> list[tuple[str, ...]]:
    """One line a rule, those of most rows first; counts are ambiguous / clear."""
    sets = [labelled(name, file) for name, file in places(public_dir()).items()]
    found: list[tuple[int, tuple[str, ...]]] = []
    for family, rules in GROUPS.items():
        for rule in (name for name, way in rules.items() if way == "against"):
            counts = {side: [0, 0] for side in SIDES}
            for one in sets:
                side = (
                    "public"
                    if one.name in PUBLIC
                    else "test halves"
                    if one.name in HELD_OUT
                    else "development"
                )
                fires = one.signals[:, NAMES.index(rule)] >= FIRES
                counts[side][0] += int((fires & one.ambiguous).sum())
                counts[side][1] += int((fires & ~one.ambiguous).sum())
            whole = [sum(pair[at] for pair in counts.values()) for at in (0, 1)]
            shown = tuple(f"{hits} / {wrong}" for hits, wrong in counts.values())
            figures = (precision(*whole), precision(*counts["test halves"]))
            found.append((sum(whole), (family, f"`{rule}`", *shown, *figures)))
    return [line for _, line in sorted(found, key=lambda item: -item[0])]


def precision(hits: int, wrong: int) -> str:
    if hits + wrong < FEW:
        return f"under {FEW} rows"
    low, high = clopper_pearson(hits, hits + wrong)
    return f"{hits / (hits + wrong):.2f} [{low:.2f}, {high:.2f}]"


def main() -> int:
    titles = ("family", "rule", *SIDES, "precision, all [95 %]", "precision, test halves")
    sys.stdout.write(f"{table(titles, lines())}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

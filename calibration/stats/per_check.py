"""Rates per check, where every check counts once, beside those per unit, where every unit does.

The two differ where large units are better or worse than small ones; a certificate speaks of units. The interval is
Clopper and Pearson's at the effective number of checks (Korn and Graubard 1998): that of independent ones with the
variance that the ratio of two sums over units has, and with the freedom of as many units as weigh the same.
"""

from __future__ import annotations

import numpy as np

from calibration.stats.estimate import LEVEL, Floats, Ints, PerCheck, unit_means
from calibration.stats.special import beta_quantile, student_quantile


def per_check(hits: Floats, of: Ints) -> PerCheck:
    """`hits`: 0, 1 or shares between, at least one; `of`: the unit code of each, none left out."""
    total, units = len(hits), int(of.max()) + 1
    value = float(hits.mean())
    sizes = np.bincount(of).astype(np.float64)
    # As many units of one size as weigh the same; they stand for the checks too where all agree.
    effective = alike = total**2 / float((sizes**2).sum())
    apart = unit_means(hits, of) * sizes - value * sizes
    variance = float((apart**2).sum()) * units / (max(units - 1, 1) * total**2)
    if variance > 0:
        wary = (student_quantile(LEVEL, max(total - 1, 1)) / student_quantile(LEVEL, max(alike - 1, 1))) ** 2
        effective = min(value * (1 - value) / variance * wary, float(total))
    seen = value * effective
    low = beta_quantile(LEVEL / 2, seen, effective - seen + 1) if value > 0 else 0.0
    high = beta_quantile(1 - LEVEL / 2, seen + 1, effective - seen) if value < 1 else 1.0
    return PerCheck(value, min(low, value), max(high, value))

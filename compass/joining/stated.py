"""Thresholds that somebody stated tighter than the defaults, beside certified cuts: what comes of both, on the measured
cases. Reads calibration.json, which no hook does; statistics are imported only here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from calibration.report.check import Baseline, baseline_of, blocked_by
from calibration.report.text import RatePair, stated_words
from calibration.stats.intervals import rate_of_units
from compass.joining.thresholds import standing_of, stated_of
from evaluator.configuration.calibrated import read_calibration
from evaluator.configuration.settings import Settings
from evaluator.gate.run import Rule

BYTES_MAX = 64 * 1024 * 1024
"""Some seconds of reading."""


def stated_told(rule: Rule, settings: Settings, backend: str, calibration: str) -> str:
    """What is stated, that no certificate covers it, and both rates with it on the cases of `calibration`, where they
    are there and of the same readers."""
    stated = stated_of(settings)
    said = " and ".join(stated_words(stated.confidence, stated.deviation))
    told = f"you ask for {said} as well, which was not tested"
    found = _cases(settings, backend, calibration)
    if found is None:
        return f"{told}, and the cases that would show its rates are not there"
    return f"{told}: with it, on the cases measured on {found.date[:10]}, {_rates(found, rule)}"


def _cases(settings: Settings, backend: str, path: str) -> Baseline | None:
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > BYTES_MAX:
            return None
        with open(path, encoding="utf-8") as file:
            found = baseline_of(path, file.read())
        kept = read_calibration(path)
    except (OSError, ValueError):
        return None
    now = standing_of(settings, backend)
    if kept is None or kept.staleness(now.backend, now.model, now.prompt) or found.n != now.n:
        return None
    return found if found.cases else None


def _rates(found: Baseline, rule: Rule) -> str:
    blocked, caught = (
        rate_of_units(*_hits(blocked_by(found, rule, ambiguous=ambiguous))) for ambiguous in (False, True)
    )
    both = str(RatePair("", blocked, caught))
    return f"{both[0].lower()}{both[1:]}".removesuffix(".")


def _hits(rows: Iterable[tuple[float, str]]) -> tuple[list[float], list[str]]:
    pairs = list(rows)
    return [hit for hit, _ in pairs], [unit for _, unit in pairs]

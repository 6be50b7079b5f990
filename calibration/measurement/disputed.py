"""Cases on whose label people did not agree: no figure counts them but this one, which says how much they matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from calibration.measurement.case_results import verdict_of
from calibration.measurement.result import Disputed, Figure
from calibration.measurement.runner import Measurement
from calibration.stats.estimate import Estimate
from calibration.stats.intervals import rate_of_units
from evaluator.gate.run import Rule


def disputed_of(
    disputed: Sequence[Measurement],
    measured: Sequence[Measurement],
    gate: Rule,
    recommended: Rule | None,
) -> Disputed | None:
    """None where nothing is disputed. `measured` are the cases with a label."""
    if not disputed:
        return None
    clear = [one for one in measured if one.case.label == "clear"]
    wanted = [*disputed, *clear]
    return Disputed(
        cases=len(disputed),
        units=len({one.case.unit for one in disputed}),
        blocked=_blocked(disputed, gate),
        if_wanted=_blocked(wanted, gate),
        if_wanted_recommended=None if recommended is None else _blocked(_decided(wanted), recommended),
        otherwise=_blocked(clear, gate),
        otherwise_recommended=None if recommended is None else _blocked(_decided(clear), recommended),
    )


def _decided(measured: Sequence[Measurement]) -> list[Measurement]:
    return [replace(one, outcomes=tuple(o for o in one.outcomes if not o.held)) for one in measured]


def line(found: Disputed) -> str:
    """The rates of false blocks without them, in force and by the recommended rule, stand beside theirs."""
    said = (
        f"Disputed cases ({found.cases}), on whose label people did not agree, are in none of the other figures: "
        f"the gate in force blocks {_said(found.blocked)} of them. If all of them were wanted, false blocks would be "
        f"{_said(found.if_wanted)} instead of {_said(found.otherwise)}"
    )
    if found.if_wanted_recommended is not None and found.otherwise_recommended is not None:
        said += (
            f"; by the recommended rule {_said(found.if_wanted_recommended)} instead of "
            f"{_said(found.otherwise_recommended)}"
        )
    return said + "."


def _blocked(measured: Sequence[Measurement], rule: Rule) -> Figure:
    read = [(one.case, outcome) for one in measured for outcome in one.outcomes if outcome.was_read]
    return rate_of_units(
        [
            float(verdict_of(outcome, rule, case.effects.operation_class) == "failed")
            for case, outcome in read
        ],
        [case.unit for case, _ in read],
    )


def _said(figure: Figure) -> str:
    if isinstance(figure, Estimate):
        return f"{figure.value:.1%} [{figure.low:.1%}, {figure.high:.1%}] of {figure.units} units"
    return "none (no check was read)"

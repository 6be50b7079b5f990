"""Cases on whose label people did not agree: no figure counts them but this one, which says how much they matter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from calibration.measurement.figured import FiguredCase, FiguredCases, blocked_rate
from calibration.measurement.result import Disputed, Figure
from calibration.stats.estimate import Estimate
from evaluator.gate.run import Rule


def disputed_of(
    disputed: FiguredCases,
    measured: FiguredCases,
    gate: Rule,
    recommended: Rule | None,
) -> Disputed | None:
    """None where nothing is disputed. `measured` are the cases with a label."""
    if not len(disputed):
        return None

    def clear() -> Iterator[FiguredCase]:
        return (one for one in measured if one.of.label == "clear")

    def wanted() -> Iterator[FiguredCase]:
        return chain(disputed, clear())

    return Disputed(
        cases=len(disputed),
        units=len({one.unit for one in disputed}),
        blocked=blocked_rate(disputed, gate),
        if_wanted=blocked_rate(wanted(), gate),
        if_wanted_recommended=None
        if recommended is None
        else blocked_rate(wanted(), recommended, held=False),
        otherwise=blocked_rate(clear(), gate),
        otherwise_recommended=None if recommended is None else blocked_rate(clear(), recommended, held=False),
    )


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


def _said(figure: Figure) -> str:
    if isinstance(figure, Estimate):
        return f"{figure.value:.1%} [{figure.low:.1%}, {figure.high:.1%}] of {figure.units} units"
    return "none (no check was read)"

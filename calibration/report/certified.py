"""The chapter on the two certificates: what is promised, of which units, and what the whole procedure does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calibration.measurement.certified_result import CertifiedRule, ClassCuts
from calibration.measurement.disputed import line
from calibration.measurement.result import Result
from calibration.report.chapter import Chapter, Listing
from calibration.report.text import certified_rows, lacking, per_check, rate, who
from calibration.stats.certificates import CertifiedSide
from calibration.stats.estimate import TooLittle
from evaluator.model import Score
from evaluator.terminal import percent

TITLE = "The two certificates"


def certificates(result: Result) -> Chapter:
    rule, disputed = result.certified, result.disputed
    points = () if disputed is None else (line(disputed),)
    if rule is None:
        return Chapter(TITLE, missing="No cuts were looked for.", points=points)
    rows = [row for procedure in ("fixed", "escalate") for row in certified_rows(result, procedure)]
    if not rows:
        return Chapter(
            TITLE, lead=tuple(_aims(rule)), missing=f"Nothing is certified: {rule.why}.", points=points
        )
    return Chapter(
        TITLE,
        "certificates",
        (*_aims(rule), *_reading(rule.score)),
        points=points,
        tables=(_promises(rows, result.n), _rates(rows, result.n), _zones(rows, result.n)),
        note=_note(rule, result.n),
    )


def _aims(rule: CertifiedRule) -> Iterator[str]:
    aims, reached = rule.aims, rule.reach
    yield (
        f"Aims: false blocks at most {percent(aims.alpha)} (alpha), misses at most {percent(aims.beta)} (beta), both "
        f"with a chance of {percent(1 - aims.delta)} (1 - delta). {reached.clear} clear and {reached.ambiguous} "
        f"ambiguous units certify; both sides take {reached.needed_clear} and {reached.needed_ambiguous}, false blocks "
        f"alone {reached.needed_alone}."
    )
    if rule.learned:
        yield f"The weights of the score were fitted on {rule.fitted_units} other units."


def _reading(score: Score) -> Iterator[str]:
    off = (
        f" - {score.deviation_weight:g} x what the deviation is over {score.deviation_free:g}"
        if score.deviation_weight
        else ""
    )
    yield (
        f"Score T = mean + {score.agreement_weight:g} x agreement{off}. Under the block cut a write is blocked, from "
        "the pass cut on it passes. Between them lies the zone: after the last reader what is there is blocked if it "
        "destroys something, else passed."
    )


def _promises(rows: Sequence[ClassCuts], n: int) -> Listing:
    body: list[tuple[str, ...]] = []
    for row in rows:
        for side, name, error, label in (
            (row.sides.block, "block cut", "false blocks", "clear"),
            (row.sides.passing, "pass cut", "misses", "ambiguous"),
        ):
            body.append((f"{who(row, n)}: {name}", *_promise(side, error, label)))
    head = ("Calls and readers", "Cut", "Promise", "Wrong at the cut", "Upper bound")
    return Listing("What is certified, on one verdict drawn from each unit", head, tuple(body))


def _promise(side: CertifiedSide | TooLittle, error: str, label: str) -> tuple[str, str, str, str]:
    if isinstance(side, TooLittle):
        return "none", lacking(side), "not tested", "none"
    wrong = f"{side.errors} of {side.units} {label} units"
    if side.cut is None:
        return "none", f"{error} not certified", wrong, "none"
    said = f"{error} at most {percent(side.aim)}, {percent(1 - side.delta)} sure"
    return f"{side.cut:.3f}", said, wrong, f"{100 * side.upper:.1f}%"


def _rates(rows: Sequence[ClassCuts], n: int) -> Listing:
    body = tuple(
        (
            who(row, n),
            rate(row.false_block_rate),
            per_check(row.false_block_rate),
            rate(row.detection_rate),
            per_check(row.detection_rate),
            f"{row.calls:.2f} of {n}",
        )
        for row in rows
    )
    head = (
        "Calls and readers", "False blocks per unit", "False blocks per check", "Detection per unit",
        "Detection per check", "Readers asked",
    )  # fmt: skip
    return Listing("What the gate then does, zone included, with 95% intervals", head, body)


def _zones(rows: Sequence[ClassCuts], n: int) -> Listing:
    body = tuple(
        (who(row, n), *(show(side) for side in row.zone for show in (rate, per_check))) for row in rows
    )
    head = (
        "Calls and readers", "Clear per unit", "Clear per check", "Ambiguous per unit", "Ambiguous per check",
    )  # fmt: skip
    return Listing("Share that is in the zone after the last reader, with 95% intervals", head, body)


def _note(rule: CertifiedRule, n: int) -> str:
    said = (
        "The promises are of one verdict a unit, for requests like those measured; rates per check count every check "
        "once."
    )
    others = [str(count) for count in sorted(rule.per_n) if count != n]
    return f"{said} calibration.json has the cuts for {' and '.join(others)} readers too." if others else said

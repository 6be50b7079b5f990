"""What the report of a calibration says after its verdict, chapter by chapter, for the terminal and for HTML alike.

Each of them draws for itself what a chapter's `drawing` names, and shows the rest as it stands here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from calibration.measurement.result import Result, TradeOff
from calibration.report.text import (
    assumptions,
    deviation,
    floor_meaning,
    lacking,
    rate,
    score,
    short_cut,
    spread,
)
from calibration.stats.estimates import Estimate, TooLittle
from calibration.stats.noise import ReadersRow
from evaluator.text import printable

Drawing = Literal["", "distributions", "trade_off", "mistakes"]
TRADE_ROWS = 8
"""Least number of cuts that the table of the trade-off shows, besides the certified ones."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A table. The first cell of a row is its head; `chosen` is the place of a row that stands out."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    chosen: int | None = None


@dataclass(frozen=True, slots=True)
class Chapter:
    """`lead` are sentences, `missing` what there is instead of figures, `points` a list, `note` comes last."""

    title: str
    drawing: Drawing = ""
    lead: tuple[str, ...] = ()
    missing: str = ""
    points: tuple[str, ...] = ()
    tables: tuple[Listing, ...] = ()
    note: str = ""


def chapters(result: Result) -> Iterator[Chapter]:
    yield _trade_off(result)
    yield _floor(result)
    yield _distributions(result)
    yield _telling_apart(result)
    yield _readers(result)
    yield _symbolic(result)
    yield _origins(result)
    yield Chapter("What it got most wrong", "mistakes")
    if result.history is not None:
        yield _history(result)
    yield _basis(result)


def _floor(result: Result) -> Chapter:
    figures: list[tuple[str, ...]] = []
    spreads: list[tuple[str, ...]] = []
    for label, found in result.floor.items():
        if isinstance(found, TooLittle):
            figures.append((label, lacking(found), "", ""))
            continue
        checks = f"{found.checks} in {found.mean.units} units"
        figures.append((label, score(found.mean), deviation(found.stddev), checks))
        parts = found.components
        spreads.append((label, spread(parts.readers), spread(parts.checks), spread(parts.cases)))
    tables = [
        Listing("Per class, with 95% intervals", ("Class", "Mean", "Deviation", "Checks"), tuple(figures))
    ]
    if spreads:
        tables.append(
            Listing(
                "Where the spread of scores comes from, as standard deviations",
                ("Class", "Readers of a check", "Checks of a case", "Cases"),
                tuple(spreads),
            )
        )
    return Chapter("The noise floor", lead=(floor_meaning(result),), tables=tuple(tables))


def _distributions(result: Result) -> Chapter:
    if not result.counts.checks:
        return Chapter("Means and deviations", missing="No check was read.")
    return Chapter("Means and deviations", "distributions")


def _telling_apart(result: Result) -> Chapter:
    if isinstance(result.auc, Estimate):
        told = (
            f"A clear check outscores an ambiguous one with a chance of {score(result.auc)} (AUC); 0.5 would be "
            "chance."
        )
    else:
        told = f"How well the score tells both classes apart cannot be stated: {lacking(result.auc)}."
    return Chapter("Telling clear from ambiguous", lead=(told,))


def known_trade_off(result: Result) -> list[tuple[TradeOff, float, float]]:
    """The tested cuts with both rates: (cut, false blocks, detection)."""
    return [
        (step, step.false_block_rate, step.detection_rate)
        for step in result.trade_off
        if step.false_block_rate is not None and step.detection_rate is not None
    ]


def _trade_off(result: Result) -> Chapter:
    title, known = "What another cut would do", known_trade_off(result)
    if not known:
        return Chapter(title, missing="This takes read cases of both classes.")
    best = _recommended_places(result)
    every = max(1, len(known) // TRADE_ROWS)
    shown = [place for place in range(len(known)) if place % every == 0 or place in best]
    rows = [
        (
            short_cut(known[place][0].confidence) + (f" ({best[place]})" if place in best else ""),
            f"{100 * known[place][1]:.0f}%",
            f"{100 * known[place][2]:.0f}%",
        )
        for place in shown
    ]
    head = ("Cut", "Clear blocked", "Ambiguous caught")
    chosen = shown.index(min(best)) if best else None
    return Chapter(
        title, "trade_off", tables=(Listing("Some of the tested cuts", head, tuple(rows), chosen),)
    )


def _recommended_places(result: Result) -> dict[int, str]:
    """{the place of a certified cut in the sequence that it was taken from: for which calls}."""
    tested = [step.confidence for step, _, _ in known_trade_off(result)]
    cuts = {stakes: found.cut for stakes, found in result.recommended.items() if found.cut is not None}
    return {tested.index(cut): f"certified, {stakes}" for stakes, cut in cuts.items() if cut in tested}


def _readers(result: Result) -> Chapter:
    title = "What other numbers of readers would give"
    if not result.readers:
        why = "The readers of this backend differ by name: fewer of them, or more, would be another gate."
        return Chapter(title, missing=why if result.counts.checks else "No check was read.")
    numbers = sorted(result.readers)
    table = Listing(
        "Each at a cut of its own for the same target, with 95% intervals",
        ("Readers", "How known", "AUC", "Cut", "Clear blocked", "Ambiguous caught"),
        tuple(_readers_row(result.readers[n], own=n == result.n) for n in numbers),
        numbers.index(result.n),
    )
    note = "What a lone dissenter can do depends on their number, so cuts are kept for each."
    return Chapter(title, tables=(table,), note=note)


def _readers_row(row: ReadersRow, *, own: bool) -> tuple[str, ...]:
    pair = row.thresholds
    return (
        f"{row.n} readers",
        "measured here" if own else "forecast" if row.modelled else "from the measured ones",
        score(row.auc) if row.auc else row.why or "not known",
        short_cut(pair.confidence) if pair else row.why or "not for a forecast",
        rate(row.false_block_rate) if row.false_block_rate else "not known",
        rate(row.detection_rate) if row.detection_rate else "not known",
    )


def _symbolic(result: Result) -> Chapter:
    rows = (
        ("Ambiguous cases that it would let through", rate(result.symbolic.wrong_skip)),
        ("Clear answers that it should let through and does not", rate(result.symbolic.missed_skip)),
    )
    return Chapter(
        "The symbolic layer's errors",
        lead=("Clean answers to an enumerated question are let through before any reader is asked.",),
        tables=(Listing("With 95% intervals", ("Error", "Rate"), rows),),
    )


def _origins(result: Result) -> Chapter:
    title = "Natural and generated cases apart"
    rows = [
        (
            f"{name.capitalize()} ambiguous cases",
            str(origin.ambiguous),
            score(origin.auc),
            rate(origin.detection_rate),
        )
        for name, origin in result.origins.items()
    ]
    if not rows:
        return Chapter(title, missing="There is no ambiguous case.")
    head = ("Origin", "Cases", "AUC", "Caught by the gate in force")
    return Chapter(title, tables=(Listing("Each against all clear cases", head, tuple(rows)),))


def _history(result: Result) -> Chapter:
    found = result.history
    assert found is not None
    rows = (
        ("Released by the user", str(found.released)),
        ("Cancelled by the user", str(found.cancelled)),
        ("Clarified", str(found.clarified)),
        ("Never answered", str(found.unanswered)),
        ("False blocks among the answered", rate(found.false_blocks)),
    )
    lead = (
        f"{found.blocks} blocks of this project. Only blocks are seen here, so this says nothing of what "
        "was missed, and never loosens a threshold."
    )
    return Chapter(
        "What became of past blocks", lead=(lead,), tables=(Listing("Past blocks", ("End", "Blocks"), rows),)
    )


def _basis(result: Result) -> Chapter:
    rows = [
        (printable(source), str(row["clear"]), str(row["ambiguous"]))
        for source, row in result.counts.by_source.items()
    ]
    tables = (Listing("Cases by source", ("Source", "Clear", "Ambiguous"), tuple(rows)),) if rows else ()
    return Chapter("What this rests on", points=tuple(assumptions(result)), tables=tables)

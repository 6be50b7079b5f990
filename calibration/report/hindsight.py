"""What `compass hindsight` tells, as lines for a terminal and as one HTML page. Recorded texts are made printable."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from calibration.hindsight.findings import CutEffect, HindsightFindings, TurnRate
from calibration.hindsight.turns import Turn, TurnLabel
from calibration.report.html.charts import square
from calibration.report.html.parts import document, e, figure, paragraph, section, table
from calibration.report.printable import printable

TEXT_CHARS = 160
ROWS_MAX = 8


def headline(found: HindsightFindings) -> str:
    if found.misread.value is None:
        return f"{_count(found.turns, 'turn')} with writes; none of them says whether you were understood"
    if found.by == "signs":
        return (
            f"you refused or took back writes in {found.misread.k} of {_count(found.turns, 'turn')}; the gate held "
            f"{found.caught.k} of these, or would have"
        )
    return (
        f"the agent misread you in {found.misread.k} of {_count(found.misread.n, 'turn')}; the gate held "
        f"{found.caught.k} of these, or would have, and interrupted {found.interrupted.k} of "
        f"{_count(found.turns, 'turn')}"
    )


def facts(found: HindsightFindings) -> Iterator[str]:
    yield f"{_count(found.turns, 'turn')} with writes in {_count(found.sessions, 'session')}, labelled by {found.by}"
    what = "refused or taken back" if found.by == "signs" else "misread"
    yield f"{what}: {rate(found.misread)}"
    yield f"of these, held or would be: {rate(found.caught)}"
    yield f"interrupted: {rate(found.interrupted)}"
    if found.by == "signs":
        yield (
            "Signs alone (refusals, what was taken back) see a part of what was misread, and half of all refusals mean "
            "something else; model readers tell, and whether a question was due (--backend NAME, or --prompts-out FILE)"
        )
        return
    yield f"of the interrupted, clear before and fine after: {rate(found.needless)}"
    yield f"a question was due: {rate(found.due)}; asked then: {rate(found.asked)}"


def rate(found: TurnRate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "no turn says"
    return f"{100 * found.value:.1f}% ({100 * found.low:.1f}% to {100 * found.high:.1f}%), {found.k} of {found.n}"


def told(turn: Turn, label: TurnLabel) -> tuple[str, list[str]]:
    """The request, and lines of what became of it, in the person's own words."""
    offending = [write.line for write in turn.writes if write.call in label.calls] or [turn.writes[0].line]
    more = f", and {_count(len(offending) - 1, 'more write')}" if len(offending) > 1 else ""
    lines = [f"it did: {printable(offending[0], TEXT_CHARS)}{more}"]
    if turn.said_next.strip():
        lines.append(f"you said next: {printable(turn.said_next, TEXT_CHARS)}")
    lines.append(
        ("held" if turn.stopped else "passed")
        + (f"; {printable(label.why, TEXT_CHARS)}" if label.why else "")
    )
    return printable(turn.request, TEXT_CHARS) or "(no request)", lines


def cut_rows(curve: tuple[CutEffect, ...]) -> list[tuple[str, str, str, str]]:
    every = max(1, len(curve) // ROWS_MAX)
    return [
        (f"{one.cut:.2f}", rate(one.caught), rate(one.interrupted), rate(one.needless))
        for one in curve[::every]
    ]


CUT_HEAD = ("Cut", "Misread, held", "Turns interrupted", "Clear and fine, interrupted")


def page(found: HindsightFindings, warnings: tuple[str, ...]) -> str:
    """One HTML file, with nothing to fetch."""
    body = f'<h1>Compass hindsight</h1><div class="verdict good"><strong>{e(headline(found))}</strong></div>'
    body += "".join(paragraph(line, "soft") for line in (*facts(found), *warnings))
    body += section("The most telling turns", _telling(found))
    body += section("What another cut would do", *_curve(found))
    groups = [("Project", found.projects), ("Hour of the session", found.hours)]
    tables = [
        table(
            f"Misread, by {name.lower()}",
            (name, "Misread"),
            [(key, rate(one)) for key, one in list(rows.items())[:20]],
        )
        for name, rows in groups
        if rows
    ]
    acts = [(name, str(count)) for name, count in sorted(found.acts.items(), key=lambda item: -item[1])]
    if acts:
        tables.append(table("What the unwanted calls did", ("Act", "Calls"), acts))
    return document("Compass hindsight", body + section("Where", *tables))


def _telling(found: HindsightFindings) -> str:
    if not found.telling:
        return paragraph("None was misread, as far as these labels tell.", "lacking")
    items = ""
    for turn, label in found.telling:
        request, lines = told(turn, label)
        items += (
            f"<li><q><bdi>{e(request)}</bdi></q>"
            + "".join(f"<div><bdi>{e(line)}</bdi></div>" for line in lines)
            + f'<div class="soft">{day(turn.at)}, session <bdi>{e(turn.session)}</bdi></div></li>'
        )
    return f'<ol class="cases">{items}</ol>'


def _curve(found: HindsightFindings) -> Iterator[str]:
    if not found.curve:
        yield paragraph(
            "No reader scored these writes: a gate with model readers, or --answers of a replay, tells.",
            "lacking",
        )
        return
    points = [
        (one.needless.value, one.caught.value)
        for one in found.curve
        if one.needless.value is not None and one.caught.value is not None
    ]
    if points:
        chart = square(
            points,
            [],
            what="Needless interruptions against misread turns held",
            names=("clear and fine, interrupted (%)", "misread, held (%)"),
        )
        yield figure(chart, "Each point is a cut on the mean score, from 0.05 to 0.95.")
    yield table("With 95% intervals by session", CUT_HEAD, cut_rows(found.curve))


def day(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"

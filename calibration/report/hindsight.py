"""What `compass hindsight` tells, as lines for a terminal and as one HTML page. Recorded texts are made printable."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from calibration.hindsight.findings import CutEffect, HindsightFindings, TurnRate
from calibration.hindsight.turns import SessionTurn, TurnLabel, TurnWrite
from calibration.stats.estimates import CorrectedRate
from evaluator.text import counted, local_minute, printable

TEXT_CHARS = 160
ROWS_MAX = 8
BAR = 21


def hindsight_headline(found: HindsightFindings) -> str:
    if found.misread.value is None:
        return f"{counted(found.turns, 'turn')} with writes, none of which shows whether the agent understood you"
    if found.labelled_by == "signs":
        return (
            f"you refused or undid writes in {found.misread.k} of {counted(found.turns, 'turn')}; the gate "
            f"held, or would have held, {found.caught.k} of these"
        )
    return (
        f"the agent misread you in {found.caught.n} of {counted(found.misread.n, 'turn')}; the gate held, or would "
        f"have held, {found.caught.k} of these, and interrupted {found.interrupted.k} of "
        f"{counted(found.turns, 'turn')}"
    )


def hindsight_facts(found: HindsightFindings) -> Iterator[str]:
    turns, sessions = counted(found.turns, "turn"), counted(found.sessions, "session")
    yield f"{turns} with writes in {sessions}, labelled by {found.labelled_by}"
    what = "refused or undone" if found.labelled_by == "signs" else "misread"
    yield f"{what}: {rate(found.misread)}"
    if found.misread_corrected is not None:
        yield f"misread, after correction with your own answers: {corrected(found.misread_corrected)}"
    yield f"of these, held (or would have been): {rate(found.caught)}"
    yield f"interrupted: {rate(found.interrupted)}"
    if found.labelled_by == "readers":
        yield f"of the interrupted turns, clear beforehand and fine afterwards: {rate(found.needless)}"
        yield f"a question was due: {rate(found.due)}; the agent asked one: {rate(found.asked)}"
    if found.due_corrected is not None:
        yield f"a question was due, after correction with your own answers: {corrected(found.due_corrected)}"
    if found.labelled_by == "signs":
        yield (
            "These signs (refusals and reverts) show only some of the misreadings, and half of all refusals mean "
            "something else; model readers can tell which, and whether a question was due "
            "(--backend NAME, or --prompts-out FILE)"
        )
    if found.turns and not found.by_hand:
        yield "To correct these rates with your own answers: --label 40"
    cost = found.cost
    if cost.input_tokens:
        usd = "no known price" if cost.usd is None else f"{cost.usd:.2f} USD at list prices"
        yield (
            f"labelling took {counted(cost.requests, 'request')}, {cost.input_tokens:,} input and "
            f"{cost.output_tokens:,} output tokens: {usd}"
        )


def corrected(found: CorrectedRate) -> str:
    return (
        f"{100 * found.value:.1f}% ({100 * found.low:.1f}% to {100 * found.high:.1f}%), "
        f"{counted(found.answers, 'answer')} in {counted(found.units, 'session')}"
    )


def rate(found: TurnRate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "no data"
    return f"{100 * found.value:.1f}% ({100 * found.low:.1f}% to {100 * found.high:.1f}%), {found.k} of {found.n}"


def one_line(text: str) -> str:
    return printable(text, TEXT_CHARS)


def writes_told(writes: Sequence[TurnWrite]) -> str:
    more = f", and {counted(len(writes) - 1, 'more write')}" if len(writes) > 1 else ""
    return f"the agent did: {one_line(writes[0].line)}{more}"


def turn_told(turn: SessionTurn, label: TurnLabel) -> tuple[str, list[str]]:
    """The request, and lines of what became of it, in the person's own words."""
    lines = [writes_told([write for write in turn.writes if write.call in label.calls] or turn.writes)]
    if turn.said_next.strip():
        lines.append(f"you said next: {one_line(turn.said_next)}")
    gate = "the gate held it" if turn.stopped else "the gate let it pass"
    lines.append(gate + (f"; {one_line(label.why)}" if label.why else ""))
    return one_line(turn.request) or "(no request)", lines


def curve_lines(curve: tuple[CutEffect, ...], *, wide: bool) -> list[str]:
    """Some of the cuts, each with both rates on a scale from 0 to 100%: the point, and its interval as a bar."""
    span, point = "─●" if wide else "-#"

    def drawn(found: TurnRate) -> str:
        if found.value is None or found.low is None or found.high is None:
            return f"|{' ' * BAR}| {'-':<7}"
        at, low, high = (round((BAR - 1) * share) for share in (found.value, found.low, found.high))
        bar = (point if cell == at else span if low <= cell <= high else " " for cell in range(BAR))
        return f"|{''.join(bar)}| {f'{100 * found.value:.0f}%':<7}"

    head = f"under {'misread, held':<{BAR + 10}}interrupted, although clear and fine"
    some = curve[:: max(1, len(curve) // ROWS_MAX)]
    return [head, *(f"{one.cut:.2f}  {drawn(one.caught)} {drawn(one.needless)}".rstrip() for one in some)]


def hindsight_page(found: HindsightFindings, warnings: tuple[str, ...]) -> str:
    """Hindsight as one HTML file, with nothing to fetch."""
    from calibration.report.html import document
    from calibration.report.page import bands

    def points(rate_of: Callable[[CutEffect], TurnRate]) -> list[tuple[float, float, float, float]]:
        return [
            (one.cut, rate.value, rate.low, rate.high)
            for one in found.curve
            if (rate := rate_of(one)).value is not None and rate.low is not None and rate.high is not None
        ]

    series = {
        "ambiguous": ("misread, held", points(lambda one: one.caught)),
        "clear": ("interrupted, although clear and fine", points(lambda one: one.needless)),
    }
    given = {
        "found": found,
        "headline": hindsight_headline(found),
        "facts": (*hindsight_facts(found), *warnings),
        "telling": [(turn, *turn_told(turn, label)) for turn, label in found.telling],
        "curve": bands(series, what="What each threshold would do", axis="threshold on the mean score"),
        "rate": rate,
        "day": local_minute,
    }
    return document("Compass hindsight", "hindsight.html", given)

"""What a replay found, for scripts and for people. Texts of a recording are nobody's: they are made printable."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING

from calibration.measurement.written import indented
from calibration.report.printable import printable
from compass.replay.stage import Judged, Tally
from compass.show.judgement import COLOURS, Judgement, named_readers
from compass.show.wrapping import wrapped
from evaluator.configuration.command import set_by
from evaluator.model import Check

if TYPE_CHECKING:
    from rich.console import Console

REQUEST_CHARS = 160
HANGING = 2
SHOWN_MAX = 40
"""How many calls are listed for a person; JSON has them all."""
ORDER = ("failed", "passed", "skipped")
FATES = {
    "ran": "it ran",
    "failed": "it ran and failed",
    "refused": "refused then",
    "unknown": "end not recorded",
}


@dataclass(frozen=True, slots=True)
class ReplayedCall:
    """A replayed call, light enough to keep many. `at` in seconds since the epoch."""

    transcript: str
    session_id: str
    at: float
    tool_name: str
    tool_use_id: str
    agent_id: str | None
    targets: tuple[str, ...]
    command: str
    operation: str
    operation_class: str
    request: str
    fate: str
    current: Judgement
    proposed: Judgement | None
    custom_ids: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()

    @property
    def held_back(self) -> bool:
        return "failed" in {self.current.verdict, self.proposed.verdict if self.proposed else ""}

    @property
    def changed(self) -> bool:
        return self.proposed is not None and self.proposed.verdict != self.current.verdict


@dataclass(frozen=True, slots=True)
class ReplayFindings:
    """A whole replay. `passed_over` counts by what: garbled lines, calls that could not be replayed."""

    backend: str
    model: str
    rows: Sequence[ReplayedCall]
    tally: Tally
    transcripts: int
    passed_over: Mapping[str, int]


def replayed_call(judged: Judged) -> ReplayedCall:
    check, called = judged.current, judged.called
    effects, exchange = check.effects, check.exchange
    return ReplayedCall(
        transcript=judged.transcript,
        session_id=called.session_id,
        at=called.at,
        tool_name=called.tool_name,
        tool_use_id=called.tool_use_id,
        agent_id=called.agent_id,
        targets=effects.targets if effects else (),
        command=effects.command if effects else "",
        operation=effects.operation if effects else "",
        operation_class=effects.operation_class if effects else "",
        request=exchange.request_text if exchange else "",
        fate=called.fate,
        current=_judgement(check, judged),
        proposed=_judgement(judged.proposed, judged) if judged.proposed else None,
        custom_ids=judged.batch.custom_ids,
        prompts=judged.batch.unanswered,
    )


def _judgement(check: Check, judged: Judged) -> Judgement:
    found = Judgement.of(check)
    if not judged.batch.unanswered:
        return found
    return Judgement("skipped", "unanswered", None, None, None, None, None, found.notes)


def pieces(found: ReplayFindings) -> Iterator[str]:
    """One JSON document, indented by two, in parts; times are RFC 3339, UTC. The cases come last, each by itself: there
    may be many."""
    whole = json.dumps(_document(found), indent=2)
    yield whole.removesuffix("\n}") + ',\n  "cases": ['
    between = "\n    "
    for row in found.rows:
        yield between + indented(_case(row), "\n    ", "  ")
        between = ",\n    "
    yield ("\n  ]" if found.rows else "]") + "\n}"


def _document(found: ReplayFindings) -> dict[str, object]:
    return {
        "version": 1,
        "backend": found.backend,
        "model": found.model or None,
        "transcripts": found.transcripts,
        "sessions": found.tally.sessions,
        "calls": found.tally.calls,
        "writes": len(found.rows),
        "checks_read": found.tally.checks - found.tally.unanswered,
        "checks_unanswered": found.tally.unanswered,
        "cost_usd": found.tally.usd,
        "passed_over": dict(found.passed_over),
        "counts": [
            {"verdict": verdict, "reason": reason, "current": pair[0], "proposed": pair[1]}
            for (verdict, reason), pair in counts(found.rows).items()
        ],
    }


def counts(rows: Iterable[ReplayedCall]) -> dict[tuple[str, str], tuple[int, int | None]]:
    """(verdict, reason) -> how many under the current and under the proposed thresholds, the failed ones first."""
    now, then = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row in rows:
        now[row.current.verdict, row.current.reason] += 1
        if row.proposed:
            then[row.proposed.verdict, row.proposed.reason] += 1
    both = bool(then)
    keys = sorted({*now, *then}, key=lambda key: (ORDER.index(key[0]), -max(now[key], then[key]), key[1]))
    return {key: (now[key], then[key] if both else None) for key in keys}


def _case(row: ReplayedCall) -> dict[str, object]:
    return {
        "transcript": row.transcript,
        "session_id": row.session_id,
        "at": datetime.fromtimestamp(row.at, UTC).isoformat(),
        "tool_use_id": row.tool_use_id,
        "agent_id": row.agent_id,
        "tool_name": row.tool_name,
        "targets": list(row.targets),
        "operation": row.operation,
        "operation_class": row.operation_class,
        "request": row.request,
        "outcome": row.fate,
        "current": row.current.as_json(),
        "proposed": row.proposed.as_json() if row.proposed else None,
        "custom_ids": list(row.custom_ids),
    }


def show(console: Console, found: ReplayFindings) -> None:
    """Counts by verdict and reason, then each call that would have been held back, with its request."""
    tally, rows = found.tally, found.rows
    line = _Printer(console)
    line(
        f"{_count(tally.sessions, 'session')}, {_count(tally.calls, 'tool call')}, {_count(len(rows), 'write')}; "
        f"readers: {named_readers(found.backend, found.model)}",
        "bold",
    )
    for what, number in found.passed_over.items():
        if number:
            line(f"passed over: {number} {what}", "yellow")
    if tally.unjudged:
        raised = f"{set_by('evaluator.daily_calls', 'N')} or {set_by('evaluator.daily_budget_usd', 'USD')}"
        line(
            f"not judged: {_count(tally.unjudged, 'call')}, today's readers are used up; {raised} allows more",
            "yellow",
        )
    if tally.unanswered:
        line(
            f"unanswered: {_count(tally.unanswered, 'check')}, left as passed; run again with their --answers until "
            "none is left",
            "yellow",
        )
    if not rows:
        return
    _table(line, rows)
    count = sum(row.held_back for row in rows)
    line("")
    line("Nothing would have been held back." if not count else _headline(rows), "bold")
    asked = ("", "")
    for row in islice((row for row in rows if row.held_back), SHOWN_MAX):
        if (row.session_id, row.request) != asked:
            asked = (row.session_id, row.request)
            line("")
            line(f"{printable(row.request, REQUEST_CHARS) or '(no request)'}", "bold")
            line(f"  session {printable(row.session_id, 60)}", "dim")
        _call(line, row)
    if count > SHOWN_MAX:
        line("")
        line(f"... and {count - SHOWN_MAX} more; --json has all of them")


class _Printer:
    def __init__(self, console: Console) -> None:
        self._console = console

    def __call__(self, text: str, style: str = "") -> None:
        from rich.text import Text

        for part in wrapped(text, self._console.width, HANGING, 0):
            self._console.print(Text(part, style), soft_wrap=True)


def _table(line: _Printer, rows: Sequence[ReplayedCall]) -> None:
    found = counts(rows)
    both = any(row.proposed for row in rows)
    line("")
    limits = _limits(row.current for row in rows)
    line(f"current thresholds: {limits}")
    if both:
        line(f"proposed thresholds: {_limits(row.proposed for row in rows if row.proposed)}")
    line("")
    line(f"{'verdict':<8}  {'reason':<28}  {'current':>8}" + (f"  {'proposed':>8}" if both else ""), "dim")
    for (verdict, reason), (now, then) in found.items():
        more = f"  {then:>8}" if then is not None else ""
        line(
            f"{verdict:<8}  {reason:<28}  {now:>8}{more}",
            COLOURS[verdict],
        )


def _limits(outcomes: Iterable[Judgement]) -> str:
    pairs = {outcome.thresholds for outcome in outcomes if outcome.thresholds}
    if len(pairs) != 1:
        return "differ from project to project, see --json" if pairs else "no call was read"
    pair = pairs.pop()
    return f"mean at least {pair.confidence:.2f}, deviation at most {pair.deviation:.2f}"


def _headline(rows: Sequence[ReplayedCall]) -> str:
    now = sum(row.current.verdict == "failed" for row in rows)
    text = f"Would have been held back: {now} of {_count(len(rows), 'write')}"
    if not any(row.proposed for row in rows):
        return text
    then = sum(row.proposed is not None and row.proposed.verdict == "failed" for row in rows)
    return f"{text}; {then} with the proposed thresholds"


def _call(line: _Printer, row: ReplayedCall) -> None:
    when = datetime.fromtimestamp(row.at).astimezone().strftime("%Y-%m-%d %H:%M")
    what = ", ".join(row.targets) or row.command or "(no named target)"
    line(f"  {when}  {row.tool_name}: {row.operation} {printable(what, 100)} ({FATES[row.fate]})")
    if row.proposed is None:
        line(f"    {_judged(row.current)}")
    else:
        line(f"    current:  {_judged(row.current)}")
        line(f"    proposed: {_judged(row.proposed)}", "yellow" if row.changed else "")
    rationale = row.current.rationale or (row.proposed.rationale if row.proposed else "")
    if rationale:
        concern = row.current.primary_concern or (row.proposed.primary_concern if row.proposed else "")
        line(f"    {concern}: {printable(rationale, REQUEST_CHARS)}", "dim")


def _judged(found: Judgement) -> str:
    figures = ""
    if found.confidence is not None and found.stddev is not None:
        figures = f", mean {found.confidence:.2f}, deviation {found.stddev:.2f}"
    return f"{found.verdict}, {found.reason}{figures}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"

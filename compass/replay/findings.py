"""What a replay found: a row for each write, the document for scripts, and what a person is told of their own sessions:
a headline, then one entry a request that would have been held.

Texts of a recording are nobody's: they are made printable for the terminal, and escaped for the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from compass.replay.recorded_gate import Judged, RecordedRequest, Tally
from compass.show.check import Judgement, named_readers
from compass.show.terminal import hang
from evaluator.readers.kinds.kind import kind_of
from evaluator.settings.places import set_by
from evaluator.text import counted, local_minute, printable, safe

ORDER = ("failed", "passed", "skipped")
TOLD = (
    "transcript", "session_id", "tool_use_id", "agent_id", "tool_name", "targets", "operation", "operation_class",
    "request", "custom_ids", "refused",
)  # fmt: skip
"""Of a call, in the document for scripts, as they stand."""


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
    judgement: Judgement
    recorded: RecordedRequest
    sentence: str
    """What the person would have been shown; empty for a write that passes."""
    reader_calls: int
    seconds: float
    custom_ids: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()

    @property
    def refused(self) -> bool:
        return self.fate == "refused" or self.recorded.refused(self.tool_use_id)

    @property
    def regretted(self) -> bool:
        """Whether the person refused it or took it back."""
        return self.refused or self.recorded.taken_back(self.tool_use_id)


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
    check, called = judged.check, judged.called
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
        judgement=Judgement("skipped", "unanswered", None, None, None, None, None, check.notes)
        if judged.batch.unanswered
        else Judgement.of(check),
        recorded=judged.request,
        sentence=(check.shown or check.told or check.detail) if check.verdict == "failed" else "",
        reader_calls=len(check.samples),
        seconds=max((sample.latency_ms for sample in check.samples), default=0) / 1000,
        custom_ids=judged.batch.custom_ids,
        prompts=judged.batch.unanswered,
    )


def replay_json(found: ReplayFindings) -> dict[str, object]:
    """The findings of a replay as one JSON document; times are RFC 3339, UTC."""
    counts = Counter((row.judgement.verdict, row.judgement.reason) for row in found.rows)
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
            {"verdict": verdict, "reason": reason, "count": number}
            for (verdict, reason), number in sorted(
                counts.items(), key=lambda one: (ORDER.index(one[0][0]), -one[1], one[0][1])
            )
        ],
        "cases": [_replayed_call_document(row) for row in found.rows],
    }


def _replayed_call_document(row: ReplayedCall) -> dict[str, object]:
    as_it_stands: dict[str, object] = {name: getattr(row, name) for name in TOLD}
    return as_it_stands | {
        "at": datetime.fromtimestamp(row.at, UTC).isoformat(),
        "outcome": row.fate,
        "current": asdict(row.judgement),
        "sentence": row.sentence or None,
        "taken_back": row.recorded.taken_back(row.tool_use_id),
        "answered_then": row.recorded.answer or None if row.fate == "held" else None,
    }


REQUEST_CHARS = 160
SHOWN_MAX = 40
"""How many requests are listed on a terminal, and as many that were passed; --json and --html have more."""
PAGE_MAX = 1_000
FATES = {
    "ran": "it ran",
    "failed": "it ran and failed",
    "refused": "you refused it",
    "held": "held at the time",
    "unknown": "outcome not recorded",
}


@dataclass(slots=True)
class Entry:
    """A request, and those of its writes that are told: held ones, or those refused or taken back that passed."""

    at: float
    session_id: str
    text: str
    regretted: bool = False
    notes: dict[str, None] = field(default_factory=dict[str, None])
    calls: list[ReplayedCall] = field(default_factory=list[ReplayedCall])

    def add(self, row: ReplayedCall) -> None:
        self.calls.append(row)
        self.regretted |= row.regretted
        if row.refused:
            self.notes["you refused it" if row.fate == "refused" else "you interrupted it"] = None
        elif row.regretted:
            undoing = printable(row.recorded.undone_by, 60)
            self.notes["you undid it" + (f': "{undoing}"' if undoing else "")] = None
        if row.fate == "held":
            answer = printable(row.recorded.answer.removeprefix("compass:"), 60)
            told = f"you answered: {answer}" if answer else "never answered"
            self.notes[f"held at the time, and {told}"] = None


@dataclass(slots=True)
class Mirror:
    """What the writes of a replay come to for the person who made the requests."""

    requests: set[int] = field(default_factory=set[int])
    days: set[str] = field(default_factory=set[str])
    regretted: int = 0
    regretted_held: int = 0
    reader_calls: int = 0
    seconds: float = 0.0
    held: dict[int, Entry] = field(default_factory=dict[int, Entry])
    passed: dict[int, Entry] = field(default_factory=dict[int, Entry])
    """Requests of which something was refused or taken back, and nothing would have been held."""

    @classmethod
    def over(cls, rows: Iterable[ReplayedCall]) -> Mirror:
        found = cls()
        for row in rows:
            holds = row.judgement.verdict == "failed"
            key = hash((row.session_id, row.recorded.at, row.recorded.text))
            found.requests.add(key)
            found.days.add(local_minute(row.at)[:10])
            found.reader_calls += row.reader_calls
            found.seconds += row.seconds
            found.regretted += row.regretted
            found.regretted_held += row.regretted and holds
            if holds or row.regretted:
                entries = found.held if holds else found.passed
                entries.setdefault(key, Entry(row.recorded.at, row.session_id, row.request)).add(row)
        for key in found.held:
            found.passed.pop(key, None)
        return found

    @property
    def headline(self) -> str:
        daily = len(self.held) / max(1, len(self.days))
        return (
            f"would have interrupted you in {len(self.held)} of {counted(len(self.requests), 'request')}, "
            f"{daily:.1f} a working day, and held {self.regretted_held} of the {counted(self.regretted, 'write')} "
            "that you refused or undid"
        )

    def costs(self, usd: float) -> str:
        """What readers took of a working day; answers from a file tell no time, and seldom a cost."""
        days = max(1, len(self.days))
        told = [f"{self.reader_calls / days:.0f} reader calls"]
        told += [f"{self.seconds / days:.0f} s"] if self.seconds else []
        told += [f"{usd / days:.2f} USD"] if usd else []
        return f"per working day ({len(self.days)} in all): {', '.join(told)}"


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Refused and taken back first, then newest first."""
    return sorted(entries, key=lambda entry: (not entry.regretted, -entry.at))


def _replay_facts(found: ReplayFindings, mirror: Mirror) -> tuple[list[str], list[str]]:
    """(facts, warnings), the same for the terminal and for the page."""
    tally = found.tally
    sessions, calls = counted(tally.sessions, "session"), counted(tally.calls, "tool call")
    readers = named_readers(found.backend, found.model)
    facts = [f"{sessions}, {calls}, {counted(len(found.rows), 'write')}; readers: {readers}"]
    if kind_of(found.backend).hosted:
        facts.append(mirror.costs(tally.usd))
    warnings = [f"skipped: {number} {what}" for what, number in found.passed_over.items() if number]
    if tally.unanswered:
        checks = counted(tally.unanswered, "check")
        warnings.append(
            f"unanswered: {checks}, counted as passed; run again with --answers until none are left"
        )
    if tally.unjudged:
        warnings.append(
            f"not judged: {counted(tally.unjudged, 'call')}, because today's budget for readers is used up; "
            f"{set_by('evaluator.daily_budget_usd', 'USD')} raises it"
        )
    return facts, warnings


def show_replay(found: ReplayFindings) -> None:
    mirror = Mirror.over(found.rows)
    facts, warnings = _replay_facts(found, mirror)

    def listed(title: str, entries: Sequence[Entry]) -> None:
        if title and entries:
            hang("")
            hang(title, "bold")
        for entry in entries[:SHOWN_MAX]:
            hang("")
            hang(
                f"{local_minute(entry.at)}  {printable(entry.text, REQUEST_CHARS) or '(no request)'}", "bold"
            )
            for note in entry.notes:
                hang(f"  {note}", "yellow")
            for told_of in _render_finding_lines(entry):
                hang(f"  {told_of}")
        if len(entries) > SHOWN_MAX:
            hang("")
            hang(f"... and {len(entries) - SHOWN_MAX} more; --html and --json show them")

    hang(mirror.headline, "bold")
    for fact in facts:
        hang(fact, "dim")
    for warning in warnings:
        hang(warning, "yellow")
    listed("", in_order(mirror.held.values()))
    listed("Refused or taken back, but this gate would have let it pass:", in_order(mirror.passed.values()))


def replay_page(found: ReplayFindings) -> str:
    """The findings of a replay as one HTML file, with nothing to fetch."""
    from calibration.report.html import document

    mirror = Mirror.over(found.rows)
    facts, warnings = _replay_facts(found, mirror)

    def request(entry: Entry) -> str:
        return printable(entry.text, 4 * REQUEST_CHARS) or "(no request)"

    given: dict[str, object] = {
        "headline": mirror.headline,
        "facts": (*facts, *warnings),
        "held": in_order(mirror.held.values()),
        "passed": in_order(mirror.passed.values()),
        "most": PAGE_MAX,
        "request": request,
        "lines": _render_finding_lines,
        "day": local_minute,
    }
    return document("Compass replay", "replay.html", given)


def _render_finding_lines(entry: Entry) -> list[str]:
    """The sentence that the person would have been shown for the first call; what became of it, and how many more."""
    row, more = entry.calls[0], len(entry.calls) - 1
    judged = row.judgement
    figures = ""
    if judged.confidence is not None and judged.stddev is not None:
        figures = f"; mean {judged.confidence:.2f}, deviation {judged.stddev:.2f}"
    others = f", and {counted(more, 'more write')}" if more else ""
    what = printable(", ".join(row.targets) or row.command, 100) or "(no named target)"
    call = row.tool_name if row.sentence else f"{row.tool_name}: {row.operation} {what}"
    return [*map(safe, row.sentence.splitlines()), f"{call} ({FATES[row.fate]}{figures}){others}"]

"""What a replay found: a row for each write, and the document for scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from compass.replay.requests import RecordedRequest
from compass.replay.stage import Judged, Tally
from compass.show.check import Judgement
from evaluator.gate.naming import offered, thing_of
from evaluator.intervention import telling
from evaluator.model import Check
from evaluator.verdict.decision import deciding

ORDER = ("failed", "passed", "skipped")


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
        recorded=judged.request,
        sentence=next(
            (_sentence(one) for one in (check, judged.proposed) if one and one.verdict == "failed"), ""
        ),
        reader_calls=len(check.samples),
        seconds=max((sample.latency_ms for sample in check.samples), default=0) / 1000,
        custom_ids=judged.batch.custom_ids,
        prompts=judged.batch.unanswered,
    )


def _sentence(check: Check) -> str:
    """As a gate in force words it."""
    found, exchange, effects = check.convergence, check.exchange, check.effects
    if found is None or exchange is None or effects is None:
        return check.detail
    samples = deciding(check.samples)
    listed = offered(samples, check.pending, effects, exchange)
    readings = listed if len(listed) > 1 else ()
    cause = telling.cause_of(found, samples, readings)
    return telling.held(thing_of(check.pending, effects, exchange), cause, readings).person


def _judgement(check: Check, judged: Judged) -> Judgement:
    found = Judgement.of(check)
    if not judged.batch.unanswered:
        return found
    return Judgement("skipped", "unanswered", None, None, None, None, None, found.notes)


def as_json(found: ReplayFindings) -> dict[str, object]:
    """One document; times are RFC 3339, UTC."""
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
        "cases": [_case(row) for row in found.rows],
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
        "sentence": row.sentence or None,
        "refused": row.refused,
        "taken_back": row.recorded.taken_back(row.tool_use_id),
        "answered_then": row.recorded.answer or None if row.fate == "held" else None,
        "custom_ids": list(row.custom_ids),
    }


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"

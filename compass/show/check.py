"""A check for people and for scripts. `check`, `explain`, `replay` and the service show the same."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from compass.show.terminal import put_row, say
from evaluator.model import Check, Reading, Sample, Thresholds
from evaluator.readers.kinds.kind import backend_label, find_kind
from evaluator.record import plain_of, values_of
from evaluator.text import percent, printable
from evaluator.verdict.convergence import deciding

if TYPE_CHECKING:
    from rich.console import Console


COLOURS = {"passed": "green", "failed": "red", "skipped": "yellow"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """Figures and thresholds are None where no reader was asked."""

    verdict: str
    reason: str
    confidence: float | None
    stddev: float | None
    primary_concern: str | None
    rationale: str | None
    thresholds: Thresholds | None
    notes: tuple[str, ...]

    @classmethod
    def of(cls, check: Check) -> Judgement:
        found = check.convergence
        return cls(
            verdict=check.verdict,
            reason=check.reason,
            confidence=found.mean if found else None,
            stddev=found.stddev if found else None,
            primary_concern=found.primary_concern if found else None,
            rationale=found.rationale if found else None,
            thresholds=check.thresholds,
            notes=check.notes,
        )


def named_readers(backend: str | None, model: str | None) -> str:
    told = f": {backend_label(backend)}" if backend and backend_label(backend) != backend else ""
    return (backend or "") + (f" ({model})" if model else "") + told


LINE_CHARS = 600
INDENT = 19
UNTOLD = ("input_tokens", "output_tokens", "cost_usd")
"""Of a sample, in a check's document."""


def check_document(check: Check) -> dict[str, object]:
    """The JSON shape that scripts rely on; null where there is nothing."""
    effects, exchange, convergence = check.effects, check.exchange, check.convergence
    return {
        "check_id": check.check_id,
        "decision": check.decision,
        **asdict(Judgement.of(check)),
        "sample_count": convergence.sample_count if convergence else None,
        "agreement": convergence.agreement if convergence else None,
        "clusters": [{"readers": list(one.readers), **values_of(one.reading)} for one in check.clusters],
        "samples": [
            {name: told for name, told in plain_of(sample).items() if name not in UNTOLD}
            for sample in check.samples
        ],
        "backend": check.backend,
        "model": check.model,
        "mode": check.mode,
        "prior_assistant_turn": (exchange.prior_assistant_turn or None) if exchange else None,
        "current_request": (exchange.request_text or None) if exchange else None,
        "delegated_task": (exchange.delegated_task or None) if exchange else None,
        "resolved_option": list(check.resolved.labels) if check.resolved else None,
        "tool_name": check.pending.tool_name,
        "targets": list(effects.targets) if effects else [],
        "operation": effects.operation if effects else None,
        "operation_class": effects.operation_class if effects else None,
        "message": check.detail or None,
        "duration_ms": check.duration_ms,
    }


def show_check(console: Console, check: Check) -> None:
    """One check for a person: the verdict, what led to it, and each reader's answer."""
    from rich.markup import escape
    from rich.table import Table

    console.print(
        f"[{COLOURS.get(check.verdict, 'white')} bold]{escape(check.verdict)}[/] ({escape(check.decision)}): "
        f"{escape(check.reason)}   [dim]{escape(check.check_id)}[/]"
    )
    for label, text in lines_of(check):
        put_row(f"  {label}", printable(text, LINE_CHARS), INDENT)
    for note in check.notes:
        put_row("  note", note, INDENT)
    if check.samples:
        table = Table("reader", "score", "concern", "reading", "rival", "rationale", box=None, pad_edge=False)
        for sample in check.samples:
            table.add_row(*(escape(cell) for cell in _check_sample_cells(sample)))
        console.print()
        console.print(table)
    if check.detail:
        console.print()
        for paragraph in check.detail.split("\n"):
            say(paragraph)


def lines_of(check: Check) -> list[tuple[str, str]]:
    """(label, text) of all that a person is told of a check but its readers; texts as they were said."""
    found, exchange = Judgement.of(check), check.exchange
    limits, kind = check.thresholds, find_kind(check.backend)
    deviation = limits.deviation if limits is not None and limits.deviation < 1 else None
    agreement = check.convergence.agreement if check.convergence else None
    would_be_held = (check.verdict, check.decision) == ("failed", "allow")
    valid = sum(not sample.error for sample in deciding(check.samples))
    lines = [
        ("request", exchange.request_text if exchange else ""),
        ("prior turn", exchange.prior_assistant_turn if exchange else ""),
        ("delegated task", exchange.delegated_task if exchange else ""),
        ("resolved option", ", ".join(check.resolved.labels) if check.resolved else ""),
        *(("settled before", one) for one in (check.evidence.precedents if check.evidence else ())),
        ("write", _check_write_text(check)),
        ("decided by", decided_by(check)),
        ("mean", _check_mean_text(check)),
        ("deviation", _check_figure_text(found.stddev, deviation, "at most")),
        ("agreement", _check_figure_text(agreement, limits.agreement if limits else None, "at least")),
        *(
            ("read as", f"{_check_reading_text(one.reading)}: {len(one.readers)} of {valid}")
            for one in check.clusters
        ),
        ("concern", found.primary_concern or ""),
        ("rationale", found.rationale or ""),
        ("readers", named_readers(check.backend, check.model)),
        ("how sure", kind.finds if kind is not None else ""),
        ("mode", check.mode),
        # Said where the verdict alone would mislead; what an older program stored may claim that it was held.
        ("outcome", "would have been held; it ran" if would_be_held else ""),
        ("took", f"{check.duration_ms} ms"),
    ]
    return [(label, text) for label, text in lines if text]


def decided_by(check: Check) -> str:
    """Which look decided; empty where there was but one."""
    if check.convergence is None or all(sample.look == "second" for sample in check.samples):
        return ""
    if any(sample.look == "second" for sample in check.samples):
        return "the second look, because the first did not rate it as clear"
    return "the first look"


def _check_mean_text(check: Check) -> str:
    limits = check.thresholds
    said = _check_figure_text(
        Judgement.of(check).confidence, limits.confidence if limits else None, "at least"
    )
    if not said or limits is None or limits.alpha is None:
        return said
    return f"{said}, certified to block at most {percent(limits.alpha)} of clear writes"


def _check_reading_text(reading: Reading | None) -> str:
    return f"{reading.action} {reading.target} ({reading.extent})" if reading else ""


def _check_sample_cells(sample: Sample) -> tuple[str, ...]:
    name = sample.reader + (" (blind)" if sample.blind else "")
    if sample.error or sample.score is None:
        return name, "-", "", "", "", sample.error or ""
    rest = (
        sample.primary_concern or "",
        _check_reading_text(sample.reading),
        sample.rival or "",
        sample.rationale,
    )
    return name, f"{sample.score:.2f}", *rest


def _check_write_text(check: Check) -> str:
    effects = check.effects
    if effects is None:
        return check.pending.tool_name
    targets = ", ".join(effects.targets) or "(no named target)"
    return f"{check.pending.tool_name}: {effects.operation} ({effects.operation_class}) {targets}"


def _check_figure_text(value: float | None, limit: float | None, word: str) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" + (f" ({word} {limit:.2f})" if limit is not None else "")

"""A check for people and for scripts, in one line and whole, read back as the type that it was, whichever version kept
it. `check`, `explain`, `log`, `replay`, the page and the service show the same."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, cast

from compass.show.terminal import put_row, say, wrapped
from evaluator.errors import StateError
from evaluator.model import EMBEDDED, Check, Reading, Reason, Sample, Thresholds
from evaluator.readers.kinds.kind import backend_label, find_kind
from evaluator.record import decoded, plain_of, values_of
from evaluator.state.history import KeptCheck
from evaluator.text import percent, printable
from evaluator.trigger.calls import display_target
from evaluator.verdict.convergence import deciding

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def check_of(record: Mapping[str, object]) -> Check:
    """The check that was kept. Raises StateError, naming it, for a record that is none."""
    # The tool's own input is never kept.
    pending: dict[str, object] = {
        "tool_input": {},
        **cast("Mapping[str, object]", record.get("pending") or {}),
    }
    try:
        return decoded(Check, {**record, "effects": record.get("effect"), "pending": pending})
    except (TypeError, ValueError) as error:
        raise StateError(f"check {record.get('check_id')} cannot be shown: {error}") from None


def target_of(check: Check) -> str:
    """What its call would change, as people are shown it."""
    return display_target(check.pending, check.effects.targets if check.effects is not None else ())


TARGET_MAX = 60
SAID_MAX = 200
NONE = "-"
STYLES = {"held": "red", "let run": "yellow", "passed": "green", "skipped": "dim"}
WHY: Mapping[Reason, str] = {
    "skip_sentinel": "[compass:skip]",
    "skip_glob": "skip glob",
    "dir_plus_stem_cooldown": "judged just before",
    "turn_budget_exhausted": "turn's checks spent",
    "insufficient_context": "too little context",
    "reply_to_question_pattern": "you chose it",
    "sampler_error": "readers failed",
    "circuit_open": "readers are down",
    "evaluator_budget_exhausted": "day's budget spent",
    "not_write_class": "writes nothing",
    "disabled": "the gate is off",
    "self_protection": "changes Compass",
    "paused": "you paused Compass",
    "released": "you let it through",
    "cancelled": "you cancelled it",
    "denied_before": "held before",
    "covered": "covered by a check",
    "low_confidence": "unclear to readers",
    "disagreement": "readers disagree",
    "low_agreement": "read several ways",
    "confident": "readers agree",
}

BY_RULES: Mapping[Reason, str] = {
    "low_confidence": "forbidden, or not asked for",
    "insufficient_context": "not judged: no model is in use here",
}
"""Where no model was asked."""


def verdict_of(check: Check) -> str:
    """What became of the call: `let run` is one that failed and ran, because the gate only observes."""
    if check.decision == "deny":
        return "held"
    return "let run" if check.verdict == "failed" else check.verdict


def why_of(check: Check) -> str:
    """In words; a reason of another version as it stands."""
    if check.backend == EMBEDDED and check.reason in BY_RULES:
        return BY_RULES[check.reason]
    return WHY.get(check.reason, printable(str(check.reason), TARGET_MAX))


def table_of(found: Sequence[KeptCheck]) -> Table:
    """A line a check, each as wide as the terminal: when, what became of it, target, why, how long, cost."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1))
    for number in range(6):
        table.add_column(justify="right" if number > 3 else "left", no_wrap=number not in (2, 3))
    for kept in found:
        when = time.strftime("%m-%d %H:%M:%S", time.localtime(kept.at))
        try:
            check = check_of(kept.record)
        except StateError as error:
            table.add_row(when, "", Text(printable(str(error)), no_wrap=True, overflow="ellipsis"))
            continue
        verdict = verdict_of(check)
        target = target_of(check)
        table.add_row(
            when,
            Text(printable(verdict), STYLES.get(verdict, "")),
            Text(printable(target), no_wrap=True, overflow="ellipsis"),
            Text(printable(why_of(check)), no_wrap=True, overflow="ellipsis"),
            took_of(kept.duration_ms),
            cost_of(kept.cost_usd),
        )
    return table


def words_of(check: Check) -> tuple[str, str, str]:
    """(what was typed, what was shown of it in its lines, what the call would have done), empty where it is not kept.
    Of a change the lines are counted: its text is kept nowhere. What could be typed then is left out."""
    request = check.exchange.request if check.exchange is not None else ()
    evidence, effects = check.evidence, check.effects
    does = effects.command if effects is not None else ""
    if not does and evidence is not None and evidence.added is not None:
        does = f"{evidence.added} lines added, {evidence.removed or 0} removed"
    said, does = (" ".join(part.split()) for part in (request[-1] if request else "", does))
    return said, shown_of(check) or check.detail, does


def shown_of(check: Check) -> str:
    """What the person was shown, but for the line that says what to type."""
    return "\n".join(line for line in check.told.splitlines() if "compass:" not in line)


def said_of(kept: KeptCheck, columns: int) -> list[str]:
    """The words of a held call, in lines below its own."""
    said, shown, does = words_of(check_of(kept.record))
    said = f'you said: "{printable(said, SAID_MAX)}"' if said else ""
    parts = (said, *map(printable, shown.splitlines()), printable(does, SAID_MAX))
    return [line for text in parts if text for line in wrapped(f"    {text}", columns)]


def took_of(milliseconds: int | None) -> str:
    if milliseconds is None:
        return NONE
    return f"{milliseconds} ms" if milliseconds < 10_000 else f"{milliseconds / 1000:.1f} s"


def cost_of(usd: float | None) -> str:
    if usd is None:
        return NONE
    return "$0" if usd == 0 else f"${usd:.4f}" if usd < 10 else f"${usd:.2f}"


def line_document(kept: KeptCheck) -> dict[str, object]:
    """One check as scripts are given it; null where nothing is known."""
    check = check_of(kept.record)
    own = ("verdict", "decision", "reason", "mode", "backend", "model")
    return {
        "check_id": check.check_id,
        "at": kept.at,
        "session_id": check.pending.session_id,
        "project_dir": check.pending.project_dir,
        "tool_name": check.pending.tool_name,
        "targets": list(check.effects.targets) if check.effects is not None else [],
        **{name: getattr(check, name) for name in own},
        "duration_ms": kept.duration_ms,
        "cost_usd": kept.cost_usd,
    }


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
            verdict=check.verdict, reason=check.reason, confidence=found.mean if found else None,
            stddev=found.stddev if found else None, primary_concern=found.primary_concern if found else None,
            rationale=found.rationale if found else None, thresholds=check.thresholds, notes=check.notes,
        )  # fmt: skip


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
        **{name: getattr(check, name) for name in ("backend", "model", "mode")},
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

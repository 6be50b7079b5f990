"""A check for people and for scripts. `check`, `explain` and the service show the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from calibration.report.printable import printable
from compass.show.judgement import COLOURS, Judgement, found_by, named_readers
from compass.show.wrapping import labelled, wrapped
from evaluator.model import NO_BLOCK, NO_PASS, Check, Cluster, Reading, Sample, Thresholds
from evaluator.record import replace, values_of
from evaluator.terminal import percent, safe

if TYPE_CHECKING:
    from rich.console import Console

BAR_CHARS = 20
LINE_CHARS = 600
LABEL_CELLS = 15


def document(check: Check) -> dict[str, object]:
    """The JSON shape that scripts rely on; null where there is nothing."""
    effects, exchange, convergence = check.effects, check.exchange, check.convergence
    return {
        "check_id": check.check_id,
        "decision": check.decision,
        **Judgement.of(check).as_json(),
        "sample_count": convergence.sample_count if convergence else None,
        "agreement": convergence.agreement if convergence else None,
        "clusters": [_cluster(cluster) for cluster in check.clusters],
        "samples": [_sample(sample) for sample in check.samples],
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


def _sample(sample: Sample) -> dict[str, object]:
    return {
        "reader": sample.reader,
        "score": sample.score,
        "primary_concern": sample.primary_concern,
        "rationale": sample.rationale,
        "reading": values_of(sample.reading) if sample.reading else None,
        "rival": sample.rival,
        "fits": sample.fits,
        "blind": sample.blind,
        "latency_ms": sample.latency_ms,
        "error": sample.error,
    }


def _cluster(cluster: Cluster) -> dict[str, object]:
    return {"readers": list(cluster.readers), **values_of(cluster.reading)}


def show(console: Console, check: Check) -> None:
    """One check for a person: the verdict, what led to it, and each reader's answer."""
    from rich.markup import escape
    from rich.table import Table

    console.print(
        f"[{COLOURS.get(check.verdict, 'white')} bold]{escape(check.verdict)}[/] ({escape(check.decision)}): "
        f"{escape(check.reason)}   [dim]{escape(check.check_id)}[/]"
    )
    for label, text in lines_of(check):
        _put(console, label, printable(text, LINE_CHARS))
    for note in check.notes:
        _put(console, "note", plain(note))
    if check.samples:
        table = Table("reader", "score", "concern", "reading", "rival", "rationale", box=None, pad_edge=False)
        for sample in check.samples:
            table.add_row(*(escape(cell) for cell in _cells(sample)))
        console.print()
        console.print(table)
    if check.clusters:
        console.print()
        show_clusters(console, check.clusters, sum(not sample.error for sample in check.samples))
    if check.detail:
        console.print()
        for paragraph in plain(check.detail).split("\n"):
            for line in wrapped(paragraph, console.width):
                console.print(escape(line), soft_wrap=True)


def _put(console: Console, label: str, text: str) -> None:
    from rich.text import Text

    head = f"  {label:>{LABEL_CELLS}}  "
    for number, line in enumerate(labelled(head, text, console.width, len(head))):
        shown = Text(line)
        if not number:
            shown.stylize("dim", 0, len(head))
        console.print(shown, soft_wrap=True)


def lines_of(check: Check) -> list[tuple[str, str]]:
    """(label, text) of all that a person is told of a check but its readers; texts as they were said."""
    found, exchange = Judgement.of(check), check.exchange
    confidence, deviation, agreed = _stated(check.thresholds)
    agreement = check.convergence.agreement if check.convergence else None
    lines = [
        ("request", exchange.request_text if exchange else ""),
        ("prior turn", exchange.prior_assistant_turn if exchange else ""),
        ("delegated task", exchange.delegated_task if exchange else ""),
        ("resolved option", ", ".join(check.resolved.labels) if check.resolved else ""),
        *(("settled before", one) for one in (check.evidence.precedents if check.evidence else ())),
        ("write", _write(check)),
        ("score", _certified(check)),
        ("mean", _against(found.confidence, confidence, "at least")),
        ("deviation", _against(found.stddev, deviation, "at most")),
        ("agreement", _against(agreement, agreed, "at least")),
        ("turned by", _turned_by(check)),
        ("concern", found.primary_concern or ""),
        ("rationale", found.rationale or ""),
        ("readers", named_readers(check.backend, check.model)),
        ("how sure", found_by(check.backend)),
        ("mode", check.mode),
        ("outcome", _outcome(check)),
        ("took", f"{check.duration_ms} ms"),
    ]
    return [(label, text) for label, text in lines if text]


def _outcome(check: Check) -> str:
    """Said where the verdict alone would mislead; what an older program stored may claim that it was held."""
    return "would have been held; it ran" if (check.verdict, check.decision) == ("failed", "allow") else ""


def show_clusters(console: Console, clusters: Sequence[Cluster], readers: int) -> None:
    """How many readers hold each reading, as bars."""
    from rich.text import Text

    for cluster in clusters:
        held = cluster.readers
        bar = Text("\u2588" * (BAR_CHARS * len(held) // max(1, readers)), style="cyan")
        label = Text(f" {len(held)} of {readers}  {_reading(cluster.reading)}  ", style="bold")
        names = ", ".join(held)
        shown = bar + label
        if shown.cell_len + len(names) <= console.width:
            console.print(shown + Text(names, style="dim"), soft_wrap=True)
            continue
        console.print(shown, overflow="ellipsis", no_wrap=True)
        for line in labelled("", names, console.width, 2):
            console.print(Text(line, style="dim"), soft_wrap=True)


def _stated(limits: Thresholds | None) -> tuple[float | None, float | None, float | None]:
    """The least mean, the most deviation and the least agreement that block by themselves, None where none does; by
    certified cuts only those that were stated."""
    if limits is None:
        return None, None, None
    certified = limits.certified
    if certified is None:
        return limits.confidence, limits.deviation, limits.agreement
    confidence = certified.confidence if certified.confidence > 0 else None
    return confidence, certified.deviation if certified.deviation < 1 else None, limits.agreement


def _certified(check: Check) -> str:
    """The one score, and where its cuts are; empty where none were certified."""
    from evaluator.verdict.score import side, total

    found, certified = check.convergence, check.thresholds.certified if check.thresholds else None
    if found is None or certified is None:
        return ""
    cuts, parts = certified.cuts, ["certified"]
    if cuts.block > NO_BLOCK:
        moved = certified.moved_from
        of = "" if moved is None else f"moved from the certified {moved:.3f}, "
        parts.append(f"blocked under {cuts.block:.3f}, {of}at most {percent(cuts.alpha)} of clear writes")
    if cuts.passing < NO_PASS:
        parts.append(f"passed from {cuts.passing:.3f}, at most {percent(cuts.beta)} of unclear ones")
    elif cuts.block > NO_BLOCK:
        parts.append("nothing is promised of unclear ones")
    at = total(found.mean, found.stddev, found.agreement, certified.score)
    if side(at, cuts) == "zone":
        parts.append("it lies between what is certified, of which no share is promised")
    if found.held:
        parts.append("a reader holds it whatever the score")
    return f"{at:.3f} ({'; '.join(parts)})"


def _turned_by(check: Check) -> str:
    """What would have turned the verdict."""
    from evaluator.verdict.decision import judge
    from evaluator.verdict.flip import smallest_flip

    limits, convergence = check.thresholds, check.convergence
    if check.reason == "low_agreement":
        return "no score: the readers understood different things"
    read = [
        (sample.reader, sample.score) for sample in check.samples if sample.score is not None and sample.valid
    ]
    if limits is None or len(read) < 2:
        return ""

    def passes(mean: float, stddev: float) -> bool:
        assert limits is not None
        assert convergence is not None
        destructive = check.effects is not None and check.effects.operation_class == "destructive"
        given = replace(convergence, mean=mean, stddev=stddev)
        return judge(given, limits, destructive=destructive)[0] == "passed"

    cut = limits.certified is not None and convergence is not None
    found = smallest_flip([score for _, score in read], limits, passes if cut else None)
    if found is None:
        return "no single reader: two or more would have had to score otherwise"
    return f"{read[found.place][0]} at {found.needed:.2f} instead of {found.was:.2f}"


def _reading(reading: Reading | None) -> str:
    return f"{reading.action} {reading.target} ({reading.extent})" if reading else ""


def _cells(sample: Sample) -> tuple[str, ...]:
    name = sample.reader + (" (blind)" if sample.blind else "")
    if sample.error or sample.score is None:
        return name, "-", "", "", "", sample.error or ""
    rest = (sample.primary_concern or "", _reading(sample.reading), sample.rival or "", sample.rationale)
    return name, f"{sample.score:.2f}", *rest


def _write(check: Check) -> str:
    effects = check.effects
    if effects is None:
        return check.pending.tool_name
    targets = ", ".join(effects.targets) or "(no named target)"
    return f"{check.pending.tool_name}: {effects.operation} ({effects.operation_class}) {targets}"


def _against(value: float | None, limit: float | None, word: str) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" + (f" ({word} {limit:.2f})" if limit is not None else "")


def plain(text: str) -> str:
    """`text` without what a terminal would act on: what people and agents said is stored as it was said."""
    return safe(text, "", keep="\n\t")

"""A check's record for people and for scripts. `check` and `explain` show the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from rich.console import Console

Record = Mapping[str, object]
BAR_CHARS = 20
COLOURS = {"passed": "green", "failed": "red", "skipped": "yellow"}


def document(record: Record) -> dict[str, object]:
    """The JSON shape that scripts rely on, from a stored record; null where there is nothing."""
    effects, exchange, convergence = (
        part(record, "effect"),
        part(record, "exchange"),
        part(record, "convergence"),
    )
    request = exchange.get("request")
    return {
        "check_id": record.get("check_id"),
        "verdict": record.get("verdict"),
        "decision": record.get("decision"),
        "reason": record.get("reason"),
        "confidence": convergence.get("mean"),
        "stddev": convergence.get("stddev"),
        "primary_concern": convergence.get("primary_concern"),
        "rationale": convergence.get("rationale"),
        "sample_count": convergence.get("sample_count"),
        "agreement": convergence.get("agreement"),
        "clusters": [_cluster(cluster) for cluster in rows(record, "clusters")],
        "samples": [_sample(sample) for sample in rows(record, "samples")],
        "backend": record.get("backend"),
        "model": record.get("model"),
        "mode": record.get("mode"),
        "prior_assistant_turn": exchange.get("prior_assistant_turn") or None,
        "current_request": "\n\n".join(cast(list[str], request)) if request else None,
        "delegated_task": exchange.get("delegated_task") or None,
        "resolved_option": part(record, "resolved").get("labels"),
        "tool_name": part(record, "pending").get("tool_name"),
        "targets": effects.get("targets") or [],
        "operation": effects.get("operation"),
        "operation_class": effects.get("operation_class"),
        "thresholds": record.get("thresholds"),
        "message": record.get("detail") or None,
        "notes": record.get("notes") or [],
        "duration_ms": record.get("duration_ms"),
    }


def _sample(sample: Record) -> dict[str, object]:
    names = (
        "reader",
        "score",
        "primary_concern",
        "rationale",
        "reading",
        "rival",
        "fits",
        "blind",
        "latency_ms",
        "error",
    )
    return {name: sample.get(name) for name in names}


def _cluster(cluster: Record) -> dict[str, object]:
    reading = part(cluster, "reading")
    return {
        "readers": cluster.get("readers"),
        **{name: reading.get(name) for name in ("action", "target", "extent")},
    }


def part(record: Record, name: str) -> Record:
    value = record.get(name)
    return cast(Record, value) if isinstance(value, dict) else {}


def rows(record: Record, name: str) -> list[Record]:
    value = record.get(name)
    return [cast(Record, item) for item in cast(list[object], value)] if isinstance(value, list) else []


def show(console: Console, record: Record) -> None:
    """One check for a person: the verdict, what led to it, and each reader's answer."""
    from rich.markup import escape
    from rich.table import Table

    found = document(record)
    colour = COLOURS.get(str(found["verdict"]), "white")
    console.print(
        f"[{colour} bold]{escape(str(found['verdict']))}[/] ({escape(str(found['decision']))}): "
        f"{escape(str(found['reason']))}   [dim]{escape(str(found['check_id']))}[/]"
    )
    thresholds = part(record, "thresholds")
    for label, text in (
        ("request", found["current_request"]),
        ("prior turn", found["prior_assistant_turn"]),
        ("delegated task", found["delegated_task"]),
        ("resolved option", ", ".join(cast(list[str], found["resolved_option"] or []))),
        ("write", _write(found)),
        ("mean", _against(found["confidence"], thresholds.get("confidence"), "at least")),
        ("deviation", _against(found["stddev"], thresholds.get("deviation"), "at most")),
        ("agreement", _against(found["agreement"], thresholds.get("agreement"), "at least")),
        ("turned by", _turned_by(record)),
        ("concern", found["primary_concern"]),
        ("rationale", found["rationale"]),
        ("readers", _readers(found)),
        ("mode", found["mode"]),
        ("took", f"{found['duration_ms']} ms"),
    ):
        if text:
            console.print(f"  [dim]{label:>15}[/]  {escape(_short(str(text)))}", soft_wrap=True)
    for note in cast(list[str], found["notes"]):
        console.print(f"  [dim]{'note':>15}[/]  {escape(plain(note))}", soft_wrap=True)
    samples = rows(record, "samples")
    if samples:
        table = Table("reader", "score", "concern", "reading", "rival", "rationale", box=None, pad_edge=False)
        for sample in samples:
            table.add_row(*(escape(cell) for cell in _cells(sample)))
        console.print()
        console.print(table)
    clusters = rows(record, "clusters")
    if clusters:
        console.print()
        show_clusters(console, clusters, len([sample for sample in samples if not sample.get("error")]))
    if found["message"]:
        console.print()
        console.print(escape(plain(str(found["message"]))), soft_wrap=True)


def show_clusters(console: Console, clusters: list[Record], readers: int) -> None:
    """How many readers hold each reading, as bars."""
    from rich.text import Text

    for cluster in clusters:
        held = cast(list[str], cluster.get("readers") or [])
        bar = Text("\u2588" * (BAR_CHARS * len(held) // max(1, readers)), style="cyan")
        label = Text(f" {len(held)} of {readers}  {_reading(cluster)}  ", style="bold")
        console.print(bar + label + Text(", ".join(held), style="dim"), soft_wrap=True)


def _turned_by(record: Record) -> str:
    """What would have turned the verdict."""
    from evaluator.model import Thresholds
    from evaluator.verdict.flip import smallest_flip

    limits, samples = part(record, "thresholds"), [s for s in rows(record, "samples") if not s.get("error")]
    scores = [cast(float, sample.get("score")) for sample in samples]
    if record.get("reason") == "low_agreement":
        return "no score: the readers understood different things"
    if not limits or len(scores) < 2:
        return ""
    found = smallest_flip(
        scores, Thresholds(cast(float, limits.get("confidence")), cast(float, limits.get("deviation")))
    )
    if found is None:
        return "no single reader: two or more would have had to score otherwise"
    return f"{samples[found.place].get('reader')} at {found.needed:.2f} instead of {found.was:.2f}"


def _reading(holder: Record) -> str:
    reading = part(holder, "reading")
    return f"{reading.get('action')} {reading.get('target')} ({reading.get('extent')})" if reading else ""


def _cells(sample: Record) -> tuple[str, ...]:
    name = str(sample.get("reader")) + (" (blind)" if sample.get("blind") else "")
    words = _reading(sample)
    if sample.get("error"):
        return name, "-", "", "", "", str(sample["error"])
    score = cast(float, sample.get("score"))
    rationale = str(sample.get("rationale") or "")
    concern = str(sample.get("primary_concern") or "")
    return (
        name,
        f"{score:.2f}",
        concern,
        words,
        str(sample.get("rival") or ""),
        rationale,
    )


def _write(found: Mapping[str, object]) -> str:
    targets = ", ".join(cast(list[str], found["targets"])) or "(no named target)"
    return f"{found['tool_name']}: {found['operation']} ({found['operation_class']}) {targets}"


def _against(value: object, limit: object, word: str) -> str:
    if not isinstance(value, float):
        return ""
    return f"{value:.3f}" + (f" ({word} {limit:.2f})" if isinstance(limit, float) else "")


def _readers(found: Mapping[str, object]) -> str:
    if not found["backend"]:
        return ""
    return f"{found['backend']}" + (f" ({found['model']})" if found["model"] else "")


def plain(text: str) -> str:
    """`text` without what a terminal would act on: what people and agents said is stored as it was said."""
    return "".join(char for char in text if char.isprintable() or char in "\n\t")


def _short(text: str, most: int = 600) -> str:
    line = " ".join(plain(text[: 8 * most]).split())
    return line if len(line) <= most else line[: most - 1] + "…"

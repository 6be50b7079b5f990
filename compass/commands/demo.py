"""`compass demo`: example exchanges through the whole gate, without a model, beside what language models answered."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from calibration.cases.case import exchange_of, pending_of
from calibration.cases.sources import CaseRow, corpus_dir, rows
from compass.composition.gate import wire
from compass.composition.thresholds import plain_rule
from compass.show.check import COLOURS
from compass.show.terminal import console_of, wrapped
from evaluator.egress import reader_answer
from evaluator.errors import PayloadError
from evaluator.gate import pipeline
from evaluator.gate.verdicts import UNJUDGED
from evaluator.model import Check, Convergence, Sample, Thresholds, VerdictName
from evaluator.settings.keys import EvaluatorSettings, Settings
from evaluator.trigger.exemptions import display_target
from evaluator.verdict.convergence import converge, judge
from evaluator.verdict.readings import clusters, words
from hooks import registry

SETTINGS = Settings(enabled=True, evaluator=EvaluatorSettings(backend="embedded"))
THRESHOLDS = plain_rule(SETTINGS).reversible
ONE_SCREEN = ("demo-a", "demo-c", "demo-d", "demo-e", "demo-h")
"""With what is said below them they fill 23 of the 24 lines of a terminal."""
HEAD_CELLS = 46
SAID = "  it said  "
LEGEND = (
    "readers: five models' answers, recorded earlier. rules: bans and losses, now.",
    f"A write passes with a mean of at least {THRESHOLDS.confidence:.2f} and a deviation of at most "
    f"{THRESHOLDS.deviation:.2f}.",
)
LAST = "`compass try` lets you answer one."
HELD = {"failed": "held", "passed": "passed", "skipped": "runs"}


@dataclass(frozen=True, slots=True)
class Shown:
    row: CaseRow
    check: Check
    readers: RecordedReaders | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--all", action="store_true", help="every exchange that is shipped, not one screen of them"
    )
    parser.add_argument("--cases", metavar="FILE", help="judge these rows in place of the shipped ones")


def run(args: argparse.Namespace) -> int:
    """Exit code 0. Raises PayloadError for rows that cannot be read."""
    folder = corpus_dir() / "demo"
    path = Path(args.cases) if args.cases else folder / "rows.jsonl"
    known = {} if args.cases else answers(folder / "readers.jsonl")
    shown: list[Shown] = []
    try:
        found = list(rows(path))
        chosen = [row for row in found if args.cases or args.all or row.get("id") in ONE_SCREEN]
        with tempfile.TemporaryDirectory(prefix="compass-demo-") as place:
            for row in chosen:
                check = check_row(row, Path(place))
                shown.append(Shown(row, check, recorded(known, str(row.get("id")), check, THRESHOLDS)))
    except OSError as error:
        raise PayloadError(f"{error.filename}: {error.strerror}") from None
    except ValueError as error:
        raise PayloadError(str(error)) from None
    if args.json:
        print(json.dumps([_document(item) for item in shown], indent=2))
    else:
        _print(shown, more=len(found) - len(chosen))
    return 0


def check_row(row: CaseRow, folder: Path) -> Check:
    """One row as a session of the host: a transcript on disk, a payload, the gate."""
    session = f"demo-{row.get('id')}"
    file = folder / f"{session}.jsonl"
    text = registry.default().sessions().transcript(exchange_of(row), session, "prompt")
    file.write_text(text, encoding="utf-8")
    pending = replace(
        pending_of(row),
        session_id=session,
        transcript_path=str(file),
        prompt_id="prompt",
        tool_use_id=session,
    )
    wired = wire({}, str(folder), pending.project_dir, settings=SETTINGS, keep=False)
    try:
        return pipeline.check(wired.parts, pending)
    finally:
        wired.close()


def _document(item: Shown) -> Mapping[str, object]:
    check, row = item.check, item.row
    convergence = check.convergence
    return {
        "id": row.get("id"),
        "title": row.get("title"),
        "prior_assistant_turn": row.get("prior_assistant_turn"),
        "user_message": row.get("user_message"),
        "tool_name": check.pending.tool_name,
        "target": _target(check),
        "confidence": convergence.mean if convergence else None,
        "stddev": convergence.stddev if convergence else None,
        "verdict": check.verdict,
        "reason": check.reason,
        "why": why(check),
        "readers": None if item.readers is None else _readers(item.readers),
    }


def _target(check: Check) -> str:
    effects = check.effects
    assert effects is not None
    if effects.command or not effects.targets:
        return effects.command
    return display_target(check.pending, effects.targets)


def why(check: Check) -> str:
    if check.reason == "reply_to_question_pattern" and check.resolved:
        return f"the reply selects: {'; '.join(check.resolved.labels)}"
    if UNJUDGED in check.notes:
        return UNJUDGED
    if check.convergence is None:
        return check.reason.replace("_", " ")
    concern, doubt = check.convergence.primary_concern, doubt_of(check.convergence, check.samples)
    return doubt if concern == "none" else f"{concern}: {doubt}"


def doubt_of(convergence: Convergence, samples: Sequence[Sample]) -> str:
    """What the readers doubt; where most saw nothing, what the most doubtful one saw."""
    if convergence.primary_concern != "none":
        return convergence.rationale
    valid = (sample for sample in samples if sample.valid)
    return min(valid, key=lambda sample: sample.score or 0.0).rationale


def _readers(found: RecordedReaders) -> Mapping[str, object]:
    return {
        "confidence": found.convergence.mean,
        "stddev": found.convergence.stddev,
        "verdict": found.verdict,
        "primary_concern": found.convergence.primary_concern,
        "readings": [{"readers": count, "reading": text} for count, text in found.readings],
    }


def _print(shown: list[Shown], more: int) -> None:
    from rich.text import Text

    console = console_of()

    def put(text: Text) -> None:
        console.print(text, overflow="ellipsis", no_wrap=True)

    def line(name: str, figures: str, verdict: str, why: str) -> None:
        text = Text(f"  {name:<9}", style="dim")
        text.append(f"{HELD[verdict]:<8}", style=COLOURS[verdict]).append(f"{figures:<13}", style="dim")
        put(text.append(why, style=""))

    for item in shown:
        head = Text(str(item.row.get("user_message") or "").split("\n")[0], style="bold")
        head.truncate(HEAD_CELLS, overflow="ellipsis")
        put(
            head.append("  ->  ", style="").append(
                f"{item.check.pending.tool_name} {_target(item.check)}", style=""
            )
        )
        if item.row.get("prior_assistant_turn"):
            room = max(10, console.width - len(SAID))
            put(Text(SAID + _end(str(item.row["prior_assistant_turn"]), room), style="dim"))
        if item.readers is not None and item.check.reason != "reply_to_question_pattern":
            line("readers", _figures(item.readers.convergence), item.readers.verdict, _reading(item.readers))
        line("rules", _figures(item.check.convergence), item.check.verdict, why(item.check))
    console.print()
    for text in (*LEGEND, LAST if not more else f"`compass demo --all` shows {more} more. {LAST}"):
        print("\n".join(wrapped(text, console.width)))


def _figures(found: Convergence | None) -> str:
    return f"{found.mean:.2f} ± {found.stddev:.2f}" if found else "-"


def _reading(found: RecordedReaders) -> str:
    """What one of them doubts, else how it was read by the most who used the same words for it."""
    return found.convergence.rationale if found.verdict == "failed" else f"read as: {found.readings[0][1]}"


def _end(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else "…" + text[len(text) - most + 1 :]


@dataclass(frozen=True, slots=True)
class RecordedReaders:
    """`readings` are (readers who hold it, what it would do), most held first."""

    convergence: Convergence
    verdict: VerdictName
    readings: tuple[tuple[int, str], ...]


def answers(path: Path) -> dict[str, tuple[Sample, ...]]:
    """The samples of each exchange by its id. Raises ValueError."""
    found: dict[str, tuple[Sample, ...]] = {}
    for row in rows(path):
        given = row.get("answers")
        if isinstance(given, list):
            texts = [json.dumps(one) for one in cast(list[object], given)]
            found[str(row.get("id"))] = tuple(
                reader_answer.parse(text, f"reader-{number}") for number, text in enumerate(texts, 1)
            )
    return found


def recorded(
    known: Mapping[str, tuple[Sample, ...]], case: str, check: Check, thresholds: Thresholds
) -> RecordedReaders | None:
    """What the gate makes of them; None where there are none."""
    samples = known.get(case, ())
    convergence = converge(samples, len(samples))
    if convergence is None or check.exchange is None:
        return None
    held = clusters(samples, check.pending.project_dir, check.exchange)
    readings = tuple((len(one.readers), words(one.reading)) for one in held)
    return RecordedReaders(convergence, judge(convergence, thresholds)[0], readings)

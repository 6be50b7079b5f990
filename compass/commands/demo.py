"""`compass demo`: example exchanges through the whole gate, judged by rules, beside what language models answered."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.cases.corpus import CaseRow, corpus_dir, rows
from calibration.cases.subjects import exchange_of, pending_of
from compass.joining.gate import wire
from compass.show.judgement import COLOURS
from compass.show.recorded import RecordedReaders, answers, recorded
from evaluator.configuration.settings import Evaluator, Settings
from evaluator.gate import pipeline
from evaluator.intervention.telling import doubt_of
from evaluator.model import Check, Convergence, Sample, Thresholds
from evaluator.trigger.rules import display_target
from hooks import registry

SETTINGS = Settings(enabled=True, evaluator=Evaluator(backend="embedded"))
THRESHOLDS = Thresholds(SETTINGS.confidence_threshold, SETTINGS.stddev_threshold)
HELD = {"failed": "held", "passed": "passed", "skipped": "skipped"}


@dataclass(frozen=True, slots=True)
class Shown:
    row: CaseRow
    check: Check
    readers: RecordedReaders | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--all", action="store_true", help="all exchanges that are shipped, not one screen of them"
    )
    parser.add_argument("--cases", metavar="FILE", help="judge these rows in place of the shipped ones")


def run(args: argparse.Namespace) -> int:
    """Exit code 1 if a shipped row did not end as its `expect` says."""
    folder = corpus_dir() / "demo"
    path = Path(args.cases) if args.cases else folder / "rows.jsonl"
    known = {} if args.cases else answers(folder / "readers.jsonl")
    with tempfile.TemporaryDirectory(prefix="compass-demo-") as place:
        shown = [
            shown_row(row, Path(place), known)
            for row in rows(path)
            if args.cases or args.all or row.get("row")
        ]
    unexpected = [item for item in shown if not as_expected(item)]
    if args.json:
        print(json.dumps([_document(item) for item in shown], indent=2))
    else:
        _print(shown)
        for item in unexpected:
            print(f"unexpected: {item.row.get('id')} {item.check.verdict}, not {item.row.get('expect')}")
    return 1 if unexpected else 0


def shown_row(row: CaseRow, folder: Path, known: Mapping[str, tuple[Sample, ...]]) -> Shown:
    check = check_row(row, folder)
    return Shown(row, check, recorded(known, str(row.get("id")), check, THRESHOLDS))


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


def as_expected(item: Shown) -> bool:
    verdicts = {
        "blocked": ("failed",),
        "passed": ("passed",),
        "skipped": ("skipped",),
        "evaluated": ("passed", "failed"),
    }
    expect = item.row.get("expect")
    return expect is None or item.check.verdict in verdicts[str(expect)]


def _document(item: Shown) -> Mapping[str, object]:
    check, row = item.check, item.row
    convergence = check.convergence
    return {
        "id": row.get("id"),
        "row": row.get("row"),
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
        "expected": row.get("expect"),
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
    if check.convergence is None:
        return check.reason.replace("_", " ")
    concern, doubt = check.convergence.primary_concern, doubt_of(check.convergence, check.samples)
    return doubt if concern == "none" else f"{concern}: {doubt}"


def _readers(found: RecordedReaders) -> Mapping[str, object]:
    return {
        "confidence": found.convergence.mean,
        "stddev": found.convergence.stddev,
        "verdict": found.verdict,
        "primary_concern": found.convergence.primary_concern,
        "readings": [{"readers": count, "reading": text} for count, text in found.readings],
    }


def _print(shown: list[Shown]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, width=None if _is_terminal() else 110)

    def line(name: str, figures: str, verdict: str, why: str) -> None:
        text = Text(f"   {name:<8}{figures:<14}", style="dim")
        text.append(f"{HELD[verdict]:<9}", style=COLOURS[verdict])
        console.print(text.append(why, style=""), overflow="ellipsis", no_wrap=True)

    for item in shown:
        head = Text(f"{item.row.get('row') or ' '}  ", style="bold")
        head.append(f"user: {_short(item.row, 'user_message', 46)}", style="bold").append("  ->  ")
        head.append(f"{item.check.pending.tool_name} {_target(item.check)}")
        console.print(head, overflow="ellipsis", no_wrap=True)
        if item.row.get("prior_assistant_turn"):
            said = f"   agent: {_short(item.row, 'prior_assistant_turn', 96)}"
            console.print(Text(said, style="dim"), overflow="ellipsis", no_wrap=True)
        if item.readers is not None and item.check.verdict != "skipped":
            line("readers", _figures(item.readers.convergence), item.readers.verdict, _reading(item.readers))
        line("rules", _figures(item.check.convergence), item.check.verdict, why(item.check))
    console.print(
        Text(
            f"\nA write passes where the mean of its readers is at least {THRESHOLDS.confidence:.2f} and their "
            f"deviation at most {THRESHOLDS.deviation:.2f}; else it is held, and you get a short choice.\n"
            "readers: five language-model readers, recorded. rules: judged now, in this process, without network: what "
            "stands in where no model is to be had."
        )
    )


def _figures(found: Convergence | None) -> str:
    return f"{found.mean:.2f} ± {found.stddev:.2f}" if found else "-"


def _reading(found: RecordedReaders) -> str:
    """What most of them understood, and what they doubt."""
    count, text = found.readings[0]
    concern = found.convergence.primary_concern
    doubt = "" if concern == "none" else f"; {concern}: {found.convergence.rationale}"
    return f"{count} of {found.convergence.sample_count} read: {text}{doubt}"


def _short(row: CaseRow, name: str, most: int) -> str:
    """The end of what the agent said, the beginning of what the user asked."""
    text = " ".join(str(row.get(name) or "").split())
    if len(text) <= most:
        return text
    return "…" + text[1 - most :] if name == "prior_assistant_turn" else text[: most - 1] + "…"


def _is_terminal() -> bool:
    import sys

    return sys.stdout.isatty()

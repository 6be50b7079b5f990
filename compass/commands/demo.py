"""`compass demo`: example exchanges through the whole gate, without a model, beside what language models answered."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from calibration.cases.case import exchange_of, pending_of
from calibration.cases.sources import CaseRow, case_rows, corpus_dir
from compass.composition.gate import wire
from compass.composition.thresholds import plain_rule
from compass.show.check import COLOURS
from compass.show.terminal import console_of
from evaluator.egress import reader_answer
from evaluator.gate import pipeline
from evaluator.gate.verdicts import UNJUDGED
from evaluator.model import Check, Convergence, Sample, VerdictName
from evaluator.settings.keys import EvaluatorSettings, Settings
from evaluator.trigger.calls import display_target
from evaluator.verdict.convergence import converge, judge
from hooks import registry

SETTINGS = Settings(enabled=True, evaluator=EvaluatorSettings(backend="embedded"))
THRESHOLDS = plain_rule(SETTINGS).reversible
ONE_SCREEN = ("demo-a", "demo-c", "demo-d", "demo-e", "demo-h")
"""With what is said below them they fill the lines of a terminal."""
LEGEND = (
    "readers: five models' recorded answers. rules: bans and data loss, judged now.\n"
    f"A write passes with a mean of at least {THRESHOLDS.confidence:.2f} and a deviation of at most "
    f"{THRESHOLDS.deviation:.2f}.\n"
    "`compass demo --all` shows more. `compass try` lets you answer one."
)
HELD = {"failed": "held", "passed": "passed", "skipped": "runs"}


@dataclass(frozen=True, slots=True)
class Shown:
    """`readers` are None where none were asked."""

    row: CaseRow
    check: Check
    readers: Convergence | None

    @property
    def readers_verdict(self) -> VerdictName | None:
        return judge(self.readers, THRESHOLDS)[0] if self.readers else None


def add_demo_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="every shipped exchange, not just a screenful")


def run_demo(args: argparse.Namespace) -> int:
    """Exit code 0."""
    folder = corpus_dir() / "demo"
    known = answers(folder / "readers.jsonl")
    shown: list[Shown] = []
    with tempfile.TemporaryDirectory(prefix="compass-demo-") as place:
        for row in case_rows(folder / "rows.jsonl"):
            if args.all or row["id"] in ONE_SCREEN:
                samples = known.get(str(row["id"]), ())
                shown.append(Shown(row, check_row(row, Path(place)), converge(samples, len(samples))))
    if args.json:
        print(json.dumps([_demo_document(item) for item in shown], indent=2))
    else:
        _print_demo(shown)
    return 0


def answers(path: Path) -> dict[str, tuple[Sample, ...]]:
    """The recorded samples of each exchange by its id."""
    found: dict[str, tuple[Sample, ...]] = {}
    for row in case_rows(path):
        texts = [json.dumps(one) for one in cast(list[object], row["answers"])]
        found[str(row["id"])] = tuple(
            reader_answer.parse_answer(text, f"reader-{number}") for number, text in enumerate(texts, 1)
        )
    return found


def check_row(row: CaseRow, folder: Path) -> Check:
    """One row as a session of the host: a transcript on disk, a payload, the gate."""
    session = str(row["id"])
    file = folder / f"{session}.jsonl"
    text = registry.default_host().sessions().transcript(exchange_of(row), session, "prompt")
    file.write_text(text, encoding="utf-8")
    pending = replace(pending_of(row), session_id=session, transcript_path=str(file), prompt_id="prompt")
    pending = replace(pending, tool_use_id=session)
    with closing(wire({}, str(folder), pending.project_dir, settings=SETTINGS, keep=False)) as wired:
        return pipeline.check(wired.parts, pending)


def _demo_document(item: Shown) -> Mapping[str, object]:
    check, found = item.check, item.readers
    return {
        **{name: item.row.get(name) for name in ("id", "title", "prior_assistant_turn", "user_message")},
        "tool_name": check.pending.tool_name,
        "target": _demo_call_target(check),
        "verdict": check.verdict,
        "reason": check.reason,
        "why": _demo_verdict_reason(check),
        "readers": found
        and {"confidence": found.mean, "stddev": found.stddev, "verdict": item.readers_verdict},
    }


def _demo_call_target(check: Check) -> str:
    effects = check.effects
    assert effects is not None
    return effects.command or display_target(check.pending, effects.targets)


def _demo_verdict_reason(check: Check) -> str:
    if check.resolved:
        return f"the reply selects: {'; '.join(check.resolved.labels)}"
    if UNJUDGED in check.notes:
        return UNJUDGED
    return check.convergence.rationale if check.convergence else check.reason.replace("_", " ")


def _print_demo(shown: list[Shown]) -> None:
    from rich.text import Text

    console = console_of()

    def line(text: Text) -> None:
        console.print(text, overflow="ellipsis", no_wrap=True)

    def judged(who: str, verdict: str, found: Convergence | None, why: str) -> None:
        figures = f"{found.mean:.2f} ± {found.stddev:.2f}" if found else "-"
        text = Text(f"  {who:<9}", style="dim")
        text.append(f"{HELD[verdict]:<8}", style=COLOURS[verdict]).append(f"{figures:<13}")
        line(text.append(why, style=""))

    for item in shown:
        said = str(item.row.get("user_message")).split("\n")[0]
        line(
            Text(f"{said}  ->  {item.check.pending.tool_name} {_demo_call_target(item.check)}", style="bold")
        )
        if prior := " ".join(str(item.row.get("prior_assistant_turn") or "").split()):
            room = max(10, console.width - 12)
            line(Text(f"  it said  {prior if len(prior) <= room else '…' + prior[-room:]}", style="dim"))
        if item.readers is not None and item.readers_verdict is not None:
            judged("readers", item.readers_verdict, item.readers, item.readers.rationale)
        judged("rules", item.check.verdict, item.check.convergence, _demo_verdict_reason(item.check))
    console.print()
    console.print(LEGEND, markup=False)

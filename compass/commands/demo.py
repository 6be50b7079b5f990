"""`compass demo`: the shipped example exchanges through the whole gate, with the embedded evaluator."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.cases.corpus import CaseRow, corpus_dir, rows
from calibration.cases.recordings import recordings
from calibration.cases.subjects import exchange_of, pending_of
from compass.joining.gate import wire
from compass.show.judgement import COLOURS
from evaluator.configuration.settings import Evaluator, Settings
from evaluator.effects import WRITE_CLASS_TOOLS
from evaluator.gate import pipeline
from evaluator.model import Check, Exchange, PendingWrite
from evaluator.trigger.rules import display_target
from hooks import registry

SETTINGS = Settings(enabled=True, evaluator=Evaluator(backend="embedded"))


@dataclass(frozen=True, slots=True)
class Shown:
    row: CaseRow
    check: Check


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cases", metavar="FILE", help="judge these rows in place of the shipped ones")


def run(args: argparse.Namespace) -> int:
    """Exit code 1 if a shipped row did not end as its `expect` says."""
    path = Path(args.cases) if args.cases else corpus_dir() / "demo" / "rows.jsonl"
    with tempfile.TemporaryDirectory(prefix="compass-demo-") as folder:
        shown = [Shown(row, check_row(row, Path(folder))) for row in rows(path)]
        recorded = [] if args.cases else list(check_recordings(Path(folder)))
    unexpected = [item for item in shown if not as_expected(item)]
    if args.json:
        print(json.dumps([_document(item) for item in shown + recorded], indent=2))
    else:
        title = registry.default().TITLE
        _print(f"Example exchanges, as sessions of {title}", shown)
        if recorded:
            _print(f"Recorded sessions of {title}", recorded)
        print(
            f"Thresholds: mean at least {SETTINGS.confidence_threshold:.2f}, deviation at most "
            f"{SETTINGS.stddev_threshold:.2f}. Five embedded readers, no network."
        )
        for item in unexpected:
            print(f"unexpected: {item.row.get('id')} {item.check.verdict}, not {item.row.get('expect')}")
    return 1 if unexpected else 0


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
    return _check(pending, folder)


def check_recordings(folder: Path) -> Iterator[Shown]:
    host = registry.default()
    gating = host.EVENTS["pre-tool-use"]
    for recording in recordings(corpus_dir() / host.NAME, folder, WRITE_CLASS_TOOLS, gating):
        check = _check(host.pending_write(recording.payload, {}), folder)
        exchange = check.exchange or Exchange()
        row = {
            "id": recording.scenario,
            "prior_assistant_turn": exchange.prior_assistant_turn,
            "user_message": exchange.request_text,
        }
        yield Shown(row, check)


def _check(pending: PendingWrite, home: Path) -> Check:
    wired = wire({}, str(home), pending.project_dir, settings=SETTINGS, keep=False)
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
    concern = check.convergence.primary_concern
    return check.convergence.rationale if concern == "none" else f"{concern}: {check.convergence.rationale}"


def _print(title: str, shown: list[Shown]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False, width=None if _is_terminal() else 160)
    table = Table(
        "", "what was asked", "about to write", "mean", "dev", "verdict", "why", title=title, expand=True
    )
    for item in shown:
        cells = [escape(cell) for cell in _cells(item)]
        cells[5] = f"[{COLOURS[item.check.verdict]}]{cells[5]}[/]"
        table.add_row(*cells)
    console.print(table)
    counts = {
        name: sum(item.check.verdict == name for item in shown) for name in ("passed", "failed", "skipped")
    }
    console.print(
        f"{counts['failed']} held back, {counts['passed']} passed, {counts['skipped']} skipped unread.\n"
    )


def _cells(item: Shown) -> Iterator[str]:
    check, row = item.check, item.row
    said = [f"agent: {_short(row, 'prior_assistant_turn')}"] if row.get("prior_assistant_turn") else []
    yield str(row.get("row") or "")
    yield "\n".join([*said, f"user: {_short(row, 'user_message')}"])
    yield f"{check.pending.tool_name} {_target(check)}"
    yield f"{check.convergence.mean:.2f}" if check.convergence else "-"
    yield f"{check.convergence.stddev:.2f}" if check.convergence else "-"
    yield check.verdict
    yield why(check)


def _short(row: CaseRow, name: str, most: int = 140) -> str:
    """The end of what the agent said, the beginning of what the user asked."""
    text = " ".join(str(row.get(name) or "").split())
    if len(text) <= most:
        return text
    return "…" + text[1 - most :] if name == "prior_assistant_turn" else text[: most - 1] + "…"


def _is_terminal() -> bool:
    import sys

    return sys.stdout.isatty()

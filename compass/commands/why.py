"""`compass why PATH`: which request and which answer each recorded write of a file came from, newest first."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Sequence

from compass.arguments import positive
from compass.composition.settings import here, nothing_yet
from compass.show.log_line import check_of, document, verdict_of, why_of
from compass.show.terminal import put_row, say
from evaluator.errors import StateError
from evaluator.model import Check
from evaluator.settings.places import set_by
from evaluator.state.history import KeptCheck
from evaluator.text import printable

SHOWN = 20
TEXT_CHARS = 300
INDENT = 12
ANSWERED = {
    "released": "compass: proceed",
    "skip_sentinel": "[compass:skip]",
    "paused": "compass: pause",
}
"""What the user typed where a call ran by it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a file; it may be gone by now")
    parser.add_argument(
        "-n", dest="count", type=positive, default=SHOWN, metavar="N", help=f"how many (default {SHOWN})"
    )


def run(args: argparse.Namespace) -> int:
    """Exit code 0. Raises StateError, also for a file of which no write is recorded."""
    found = here()
    try:
        path = os.path.realpath(args.path)
    except (OSError, ValueError):
        raise StateError("not a valid path") from None
    writes = writes_of(found.history.naming(path), path)
    if not writes:
        if not found.history.last_place():
            raise StateError(nothing_yet(found.history))
        raise StateError(f"no write of {path} is recorded; `compass log --held` lists what was held")
    if args.json:
        print(json.dumps([as_json(*write) for write in writes[: args.count]], indent=2))
        return 0
    for kept, check, operation in writes[: args.count]:
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(kept.at))
        say(f"{when}  {check.pending.tool_name}: {operation} ({verdict_of(check)})", style="bold")
        for label, text in rows(check):
            put_row(f"  {label}", printable(text, TEXT_CHARS), INDENT)
        put_row("  check", f"compass explain {check.check_id}", INDENT)
    if len(writes) > args.count:
        say(f"{len(writes) - args.count} more: `compass why -n {len(writes)} PATH`")
    return 0


def writes_of(found: Sequence[KeptCheck], path: str) -> list[tuple[KeptCheck, Check, str]]:
    """The calls that were let through and name the file, each with what it does to it, in the order given. Raises
    StateError for a record that is none."""
    checks = ((kept, check_of(kept.record)) for kept in found)
    return [
        (kept, check, operation)
        for kept, check in checks
        if check.decision == "allow" and (operation := _operation(check, path))
    ]


def _operation(check: Check, path: str) -> str:
    """What the call does to the file; empty for one that does not touch it."""
    if check.effects is not None:
        for one in check.effects.each:
            if one.target == path:
                return one.operation
        if path in check.effects.targets:
            return check.effects.operation
    excused = check.evidence.excused if check.evidence is not None else ()
    names = (path, os.path.relpath(path, check.pending.project_dir or "/"))
    return "write" if any(name in excused for name in names) else ""


def as_json(kept: KeptCheck, check: Check, operation: str) -> dict[str, object]:
    exchange = check.exchange
    return document(kept) | {
        "operation": operation,
        "request": list(exchange.request) if exchange is not None else None,
        "prior_assistant_turn": (exchange.prior_assistant_turn or None) if exchange is not None else None,
        "delegated_task": (exchange.delegated_task or None) if exchange is not None else None,
        "answers": _answers(check),
    }


def rows(check: Check) -> list[tuple[str, str]]:
    """(label, text), as it was said."""
    exchange = check.exchange
    if exchange is None:
        found = [("request", f"not kept: {set_by('store_evidence', 'true')} keeps it from now on")]
    else:
        said = exchange.request or ("none: no message from a user led to it",)
        found = [("request", text) for text in said]
        found += [("task", exchange.delegated_task)] if exchange.delegated_task else []
    found += [("answer", text) for text in _answers(check)]
    return [*found, ("why", why_of(check))]


def _answers(check: Check) -> list[str]:
    """What the user chose or allowed."""
    found: list[str] = []
    if check.resolved is not None:
        found += [f"you chose: {label}" for label in check.resolved.labels]
    if check.exchange is not None:
        for question in check.exchange.questions:
            found.append(f"{question.question} -> {', '.join(question.answers)}")
        found += [f"you approved the plan: {plan.text}" for plan in check.exchange.plans if plan.approved]
    if check.reason in ANSWERED:
        found.append(ANSWERED[check.reason])
    return found

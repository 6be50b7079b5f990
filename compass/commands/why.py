"""`compass why PATH`: which request and which answer each recorded write of a file came from, newest first."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from compass.composition.settings import here, nothing_yet
from compass.show.log_line import check_of, document, verdict_of, why_of
from compass.show.terminal import coloured, columns_of, labelled, wrapped
from evaluator.errors import StateError
from evaluator.model import Check
from evaluator.settings.places import set_by
from evaluator.state.history import KeptCheck
from evaluator.text import printable

SHOWN = 20
TEXT_CHARS = 300
INDENT = 10
ANSWERED = {
    "released": "compass: proceed",
    "skip_sentinel": "[compass:skip]",
    "paused": "compass: pause",
}
"""What the user typed where a call ran by it."""


@dataclass(frozen=True, slots=True)
class Write:
    """`written` is when the turn's write of the file succeeded, None where no result is known.

    `requests` are the messages that the agent acted on, oldest first, None where they were not kept; `answers` what
    the user chose or allowed.
    """

    kept: KeptCheck
    check: Check
    operation: str
    written: float | None
    requests: tuple[str, ...] | None
    answers: tuple[str, ...]


def writes_of(
    found: Sequence[KeptCheck], path: str, written: Mapping[tuple[str, int], float]
) -> tuple[list[Write], int]:
    """The calls that were let through and name the file, in the order given; and how many were held.

    Raises StateError for a record that is none.
    """
    writes: list[Write] = []
    held = 0
    for kept in found:
        check = check_of(kept.record)
        operation = _operation(check, path)
        if not operation:
            continue
        if check.decision == "deny":
            held += 1
            continue
        at = written.get(_turn(kept))
        # The turn's last write of the file: an earlier check of the same turn is known to have run as well, or not.
        ran = at if at is not None and at >= kept.at else None
        requests = check.exchange.request if check.exchange is not None else None
        writes.append(Write(kept, check, operation, ran, requests, _answers(check)))
    return writes, held


def as_json(write: Write) -> dict[str, object]:
    exchange = write.check.exchange
    return document(write.kept) | {
        "operation": write.operation,
        "written_at": write.written,
        "request": list(write.requests) if write.requests is not None else None,
        "prior_assistant_turn": (exchange.prior_assistant_turn or None) if exchange is not None else None,
        "delegated_task": (exchange.delegated_task or None) if exchange is not None else None,
        "answers": list(write.answers),
    }


def rows(write: Write) -> list[tuple[str, str]]:
    """(label, text), as it was said; the caller makes it safe to show."""
    exchange = write.check.exchange
    found: list[tuple[str, str]] = []
    if write.requests is None:
        found.append(("request", f"not kept: {set_by('store_evidence', 'true')} keeps it from now on"))
    elif not write.requests:
        found.append(("request", "none: no message of a user led to it"))
    else:
        found += [("request" if number == 0 else "then", text) for number, text in enumerate(write.requests)]
    if exchange is not None and exchange.delegated_task:
        found.append(("task", exchange.delegated_task))
    found += [("answer", text) for text in write.answers]
    found.append(("why", why_of(write.check)))
    return found


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


def _answers(check: Check) -> tuple[str, ...]:
    found: list[str] = []
    if check.resolved is not None:
        found += [f"you chose: {label}" for label in check.resolved.labels]
    if check.exchange is not None:
        for question in check.exchange.questions:
            found.append(f"{question.question} -> {', '.join(question.answers)}")
        found += [f"you approved the plan: {plan.text}" for plan in check.exchange.plans if plan.approved]
    if check.reason in ANSWERED:
        found.append(ANSWERED[check.reason])
    return tuple(found)


def _turn(kept: KeptCheck) -> tuple[str, int]:
    turn = kept.record.get("turn")
    if not isinstance(turn, dict):
        return "", -1
    values = cast(dict[str, object], turn)
    ordinal = values.get("ordinal")
    if not isinstance(ordinal, int):
        raise StateError(f"check {kept.record.get('check_id')} cannot be shown: its turn has no ordinal")
    return str(values.get("session_id")), ordinal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a file; it may be gone by now")
    parser.add_argument(
        "-n", dest="count", type=int, default=SHOWN, metavar="N", help=f"how many (default {SHOWN})"
    )


def run(args: argparse.Namespace) -> int:
    """Exit code 0; 1 for a file of which nothing is recorded. Raises StateError."""
    found = here()
    try:
        path = os.path.realpath(args.path)
    except (OSError, ValueError):
        raise StateError("not a valid path") from None
    history = found.history
    writes, held = writes_of(history.naming(path), path, history.written(path))
    if args.json:
        print(json.dumps([as_json(write) for write in writes[: max(0, args.count)]], indent=2))
        return 0 if writes else 1
    shown = printable(path)
    if not writes:
        also = f" {_held(held)}; `compass log --held` lists held ones." if held else ""
        why = f"no write of {shown} is recorded.{also}" if history.last_place() else nothing_yet(history)
        print(f"compass why: {why}", file=sys.stderr)
        return 1
    styled = coloured()
    for number, write in enumerate(writes[: max(0, args.count)]):
        if number:
            print()
        _show(write, styled=styled)
    if len(writes) > args.count:
        print(f"\n{len(writes) - args.count} more: `compass why -n {len(writes)} PATH`")
    if held:
        print(f"\n{_held(held)}; `compass log --held` lists held ones.")
    return 0


def _show(write: Write, *, styled: bool) -> None:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(write.kept.at))
    ran = "written" if write.written is not None else "let through, its result is not known"
    tool = printable(write.check.pending.tool_name, TEXT_CHARS)
    title = f"{when}  {tool}: {write.operation}, {ran} ({verdict_of(write.check)})"
    for line in wrapped(title, columns_of(), 2, 0):
        print(f"\x1b[1m{line}\x1b[0m" if styled else line)
    for label, text in rows(write):
        head = f"  {label:<{INDENT}}"
        print("\n".join(labelled(head, printable(text, TEXT_CHARS), columns_of(), len(head))))
    print(f"  {'check':<{INDENT}}compass explain {printable(write.check.check_id)}")


def _held(count: int) -> str:
    return "1 call that would have touched it was held" if count == 1 else f"{count} such calls were held"

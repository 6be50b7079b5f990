"""Checks that are kept: `compass log` lists them, `explain` shows one whole, or exactly what left or would leave the
machine, and `why` tells which request and which answer led to each write of a file."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import closing

from compass.arguments import add_input_arguments, parts_for, positive, read_inputs
from compass.composition.gate import precedent_memory, wire
from compass.composition.settings import Here, here, load_for, nothing_yet, project_of
from compass.show import check as show
from compass.show.terminal import console_of, put_row, say
from evaluator.egress.prompt import build_prompt
from evaluator.errors import PayloadError, StateError
from evaluator.gate import pipeline
from evaluator.model import LOOKS, Check, Evidence, Look
from evaluator.readers.kinds.kind import BackendKind, find_kind
from evaluator.record import replace
from evaluator.settings.places import home_of, set_by, state_dir
from evaluator.state.history import History, KeptCheck
from evaluator.state.store import PrecedentStore
from evaluator.text import printable
from hooks import registry

SHOWN = 20


def add_log_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Each line shows the time, what became of the call (`let run` means that it failed its check in observe "
        "mode), the target, the reason, the duration in milliseconds and the cost. With --json each check is one "
        "JSON object on a line of its own."
    )
    told = "only what was held, or would have been in observe mode, and why"
    parser.add_argument("--held", action="store_true", help=told)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--project", metavar="DIR", help="a project other than this folder's")
    which.add_argument("--all", action="store_true", help="every project on this machine")
    _add_count(parser)


def _add_count(parser: argparse.ArgumentParser) -> None:
    told = f"how many (default {SHOWN})"
    parser.add_argument("-n", dest="count", type=positive, default=SHOWN, metavar="N", help=told)


def run_log(args: argparse.Namespace) -> int:
    """Exit code 0."""
    found = here(args.project)
    project = None if args.all else found.project
    shown, console = found.history.newest(project, args.count, denied=args.held), console_of()
    if args.json:
        for kept in shown:
            print(json.dumps(show.line_document(kept)))
    elif not shown:
        what = "no call was held" if args.held else "no check yet"
        here_only = "" if args.all else f" in {found.project}. `compass log --all` shows every project"
        say(what + here_only if found.history.last_place() else nothing_yet(found.history))
    elif args.held:
        for kept in shown:
            console.print(show.table_of([kept]))
            print("\n".join(show.said_of(kept, console.width)), flush=True)
    else:
        console.print(show.table_of(shown))
    return 0


NONCE = "0" * 8
SHOWN_CHARS = 60
BESIDE = {
    "repository": "12 hexadecimal digits: a digest of the git remote's address, or of the folder",
    "session": "32 hexadecimal digits: a digest of the session's id",
    "seconds": "how long the gate waits",
    "waited": "how long it has waited",
    "thresholds": "the numbers that the samples are compared with",
    "blind": "how many readers are not shown the write",
}
"""Beside the evidence, in a request to a service that samples by itself."""


def add_explain_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="a check's id (default: this project's newest)")
    told = "print what a hosted reader was sent, or would be"
    parser.add_argument("--egress", action="store_true", help=told)
    add_input_arguments(parser)


def run_explain(args: argparse.Namespace) -> int:
    if args.payload or args.case:
        return _print_check_would_send(args)
    record = _find_past_check(here(), args.id)
    check = show.check_of(record)
    if args.egress:
        if check.evidence is None:
            raise StateError(
                f"check {check.check_id} has no stored evidence: no reader was asked, or store_evidence is off "
                f"({set_by('store_evidence', 'true')} keeps it from now on)"
            )
        kind = find_kind(check.backend)
        sent = kind is not None and kind.hosted
        asked = {one.look for one in check.samples}
        looks: tuple[Look, ...] = tuple(look for look in LOOKS if look in asked) or LOOKS[-1:]
        # Where all readers were blind the write was not sent.
        blind = bool(check.samples) and all(sample.blind for sample in check.samples)
        _print_check_egress(check.evidence, kind, as_json=args.json, sent=sent, blind=blind, looks=looks)
        return 0
    if args.json:
        more = {"evidence": record.get("evidence"), "at": record.get("at")}
        print(json.dumps(show.check_document(check) | more, indent=2))
    else:
        show.show_check(console_of(), check)
    return 0


def _find_past_check(found: Here, check_id: str | None) -> Mapping[str, object]:
    """The check that the command is about. Raises StateError where there is none."""
    history = found.history
    if check_id is None:
        newest = history.newest(found.project, 1)
        if newest:
            return newest[-1].record
        if history.last_place():
            raise StateError(
                f"no checks in {found.project} yet; `compass log --all` lists those of every project"
            )
        raise StateError(nothing_yet(history))
    record = history.check(check_id)
    if record is None:
        raise StateError(f"no check {check_id[:SHOWN_CHARS]!r}; `compass log --json` lists the ids")
    return record


def _print_check_would_send(args: argparse.Namespace) -> int:
    if not args.egress:
        raise StateError("a payload or a case works only with --egress; `compass check` judges one")
    env = dict(os.environ)
    for given in read_inputs(args, env):
        # A case tells of a project that is not here: its evidence is made by the settings of the one that is.
        here, host = os.getcwd() if given.exchange is not None else "", registry.host_of(given.host)
        directory = project_of(env, here, host) if here else given.pending.project_dir
        loaded = load_for(env, directory, here or given.pending.cwd, host)
        kept = PrecedentStore(History(state_dir(env, home_of(env)), time.time()).database)
        with closing(wire(env, home_of(env), directory, loaded, host=host, keep=False)) as wired:
            memory = precedent_memory(wired.settings, kept, env, home_of(env), host)
            parts = replace(parts_for(given, wired.parts), memory=memory)
            evidence = pipeline.evidence_of(parts, given.pending)
            kind = find_kind(wired.backend)
        if evidence is None:
            raise PayloadError("this call writes nothing, so nothing would be sent")
        looks = LOOKS if wired.settings.sampling.strategy == "two_looks" else LOOKS[-1:]
        _print_check_egress(evidence, kind, as_json=args.json, sent=False, looks=looks)
    return 0


def _print_check_egress(
    evidence: Evidence,
    kind: BackendKind | None,
    *,
    as_json: bool,
    sent: bool,
    blind: bool = False,
    looks: Sequence[Look],
) -> None:
    """Prints what left for readers in a check: of several looks the last, which is shown the most. Of a service that
    samples by itself the body of the request, where what is not kept with a check stands as a word."""
    shown: dict[str, object]
    if kind is not None and kind.remote is not None:
        from evaluator.readers.team.wire import EvaluationRequest, request_document

        asked = EvaluationRequest(evidence, repository="", session="", seconds=0.0)
        shown = {"request": {**request_document(asked), **BESIDE}}
        lines = [json.dumps(shown["request"], indent=2, ensure_ascii=False)]
        to, would = "your team's evaluator", "Your team's evaluator would be sent:"
    else:
        short = kind is not None and kind.short
        prompts = {look: build_prompt(evidence, NONCE, look=look, blind=blind, short=short) for look in looks}
        texts = {look: {"system": one.system, "user": one.user} for look, one in prompts.items()}
        shown = {**texts[looks[-1]], "looks": texts}
        lines = [
            f"--- {look} look, system message\n{one.system}\n--- {look} look, user message (its slots' suffix is "
            f"random in each request)\n{one.user}"
            for look, one in prompts.items()
        ]
        to, would = "each hosted reader", "A hosted reader would be sent:"
    if as_json:
        print(json.dumps({"sent": sent, **shown}, indent=2))
    else:
        print(f"This was sent to {to}:" if sent else f"Nothing was sent. {would}", *lines, sep="\n")


TEXT_CHARS = 300
INDENT = 12
ANSWERED = {"released": "compass: proceed", "skip_sentinel": "[compass:skip]", "paused": "compass: pause"}
"""What the user typed where a call ran by it."""


def add_why_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a file, even if it no longer exists")
    _add_count(parser)


def run_why(args: argparse.Namespace) -> int:
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
        raise StateError(f"no write to {path} is recorded; `compass log --held` lists what was held")
    if args.json:
        print(json.dumps([why_document(*write) for write in writes[: args.count]], indent=2))
        return 0
    for kept, check, operation in writes[: args.count]:
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(kept.at))
        say(f"{when}  {check.pending.tool_name}: {operation} ({show.verdict_of(check)})", style="bold")
        for label, text in why_rows(check):
            put_row(f"  {label}", printable(text, TEXT_CHARS), INDENT)
        put_row("  check", f"compass explain {check.check_id}", INDENT)
    if len(writes) > args.count:
        say(f"{len(writes) - args.count} more: `compass why -n {len(writes)} PATH`")
    return 0


def writes_of(found: Sequence[KeptCheck], path: str) -> list[tuple[KeptCheck, Check, str]]:
    """The calls that were let through and name the file, each with what it does to it, in the order given. Raises
    StateError for a record that is none."""
    checks = ((kept, show.check_of(kept.record)) for kept in found)
    return [
        (kept, check, operation)
        for kept, check in checks
        if check.decision == "allow" and (operation := _past_check_operation(check, path))
    ]


def _past_check_operation(check: Check, path: str) -> str:
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


def why_document(kept: KeptCheck, check: Check, operation: str) -> dict[str, object]:
    exchange = check.exchange
    return show.line_document(kept) | {
        "operation": operation,
        "request": list(exchange.request) if exchange is not None else None,
        "prior_assistant_turn": (exchange and exchange.prior_assistant_turn) or None,
        "delegated_task": (exchange and exchange.delegated_task) or None,
        "answers": _past_check_answers(check),
    }


def why_rows(check: Check) -> list[tuple[str, str]]:
    """(label, text), as it was said."""
    exchange = check.exchange
    if exchange is None:
        found = [("request", f"not kept: {set_by('store_evidence', 'true')} keeps it from now on")]
    else:
        said = exchange.request or ("none: no message from a user led to it",)
        found = [("request", text) for text in said]
        found += [("task", exchange.delegated_task)] if exchange.delegated_task else []
    found += [("answer", text) for text in _past_check_answers(check)]
    return [*found, ("why", show.why_of(check))]


def _past_check_answers(check: Check) -> list[str]:
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

"""`compass explain`: a past check of this project whole, or exactly what left or would leave the machine."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Mapping, Sequence

from compass.arguments import Given, add_input_arguments, parts_for, read_inputs
from compass.composition.gate import memory_of, wire
from compass.composition.settings import Here, here, home_of, load_for, nothing_yet, project_of
from compass.show.check import document, show
from compass.show.log_line import check_of
from compass.show.terminal import console_of
from evaluator.egress.prompt import build as build_prompt
from evaluator.errors import PayloadError, StateError
from evaluator.gate import pipeline
from evaluator.model import LOOKS, Evidence, Look
from evaluator.readers.kinds.kind import BackendKind, find_kind
from evaluator.record import replace
from evaluator.settings.places import set_by, state_dir
from evaluator.state.history import History
from evaluator.state.store import PrecedentStore
from hooks import registry
from hooks.host import Host

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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="a check's id (default: this project's newest)")
    parser.add_argument(
        "--egress", action="store_true", help="print what a hosted reader was sent, or would be"
    )
    add_input_arguments(parser)


def run(args: argparse.Namespace) -> int:
    if args.payload or args.case:
        return _would_send(args)
    record = _find(here(), args.id)
    check = check_of(record)
    if args.egress:
        if check.evidence is None:
            raise StateError(
                f"check {check.check_id} has no stored evidence: no reader was asked, or store_evidence is off "
                f"({set_by('store_evidence', 'true')} keeps it from now on)"
            )
        kind = find_kind(check.backend)
        sent = kind is not None and kind.hosted
        asked: tuple[Look, ...] = tuple(
            look for look in LOOKS if any(one.look == look for one in check.samples)
        )
        _print_egress(
            check.evidence,
            kind,
            as_json=args.json,
            sent=sent,
            # Then the write was not sent.
            blind=bool(check.samples) and all(sample.blind for sample in check.samples),
            looks=asked or LOOKS[-1:],
        )
        return 0
    if args.json:
        print(
            json.dumps(
                document(check) | {"evidence": record.get("evidence"), "at": record.get("at")}, indent=2
            )
        )
    else:
        show(console_of(), check)
    return 0


def _find(found: Here, check_id: str | None) -> Mapping[str, object]:
    """The check that the command is about. Raises StateError where there is none."""
    history = found.history
    if check_id is None:
        newest = history.newest(found.project, 1)
        if newest:
            return newest[-1].record
        if history.last_place():
            raise StateError(
                f"no check of {found.project} yet; `compass log --all` lists those of every project"
            )
        raise StateError(nothing_yet(history))
    record = history.check(check_id)
    if record is None:
        raise StateError(f"no check {check_id[:SHOWN_CHARS]!r}; `compass log --json` lists their ids")
    return record


def _would_send(args: argparse.Namespace) -> int:
    if not args.egress:
        raise StateError("a payload and a case go with --egress; `compass check` judges them")
    env = dict(os.environ)
    for given in read_inputs(args, env):
        evidence, kind, looks = _evidence_for(given, env, registry.host_of(given.host))
        if evidence is None:
            raise PayloadError("this call is not write-class: nothing would be sent")
        _print_egress(evidence, kind, as_json=args.json, sent=False, looks=looks)
    return 0


def _evidence_for(
    given: Given, env: Mapping[str, str], host: Host
) -> tuple[Evidence | None, BackendKind | None, Sequence[Look]]:
    # A case tells of a project that is not here: its evidence is made by the settings of the one that is.
    here = os.getcwd() if given.exchange is not None else ""
    directory = project_of(env, here, host) if here else given.pending.project_dir
    loaded = load_for(env, directory, here or given.pending.cwd, host)
    wired = wire(env, home_of(env), directory, loaded, host=host, keep=False)
    kept = PrecedentStore(History(state_dir(env, home_of(env)), time.time()).database)
    memory = memory_of(wired.settings, kept, env, home_of(env), host)
    try:
        parts = replace(parts_for(given, wired.parts), memory=memory)
        looks = LOOKS if wired.settings.sampling.strategy == "two_looks" else LOOKS[-1:]
        return pipeline.evidence_of(parts, given.pending), find_kind(wired.backend), looks
    finally:
        wired.close()


def _print_egress(
    evidence: Evidence,
    kind: BackendKind | None,
    *,
    as_json: bool,
    sent: bool,
    blind: bool = False,
    looks: Sequence[Look],
) -> None:
    """Prints what left for readers in a check: of several looks the last, which is shown the most."""
    if kind is not None and kind.remote is not None:
        _print_request(evidence, as_json=as_json, sent=sent)
        return
    short = kind is not None and kind.short
    prompts = {look: build_prompt(evidence, NONCE, look=look, blind=blind, short=short) for look in looks}
    if as_json:
        shown = {look: {"system": asked.system, "user": asked.user} for look, asked in prompts.items()}
        print(json.dumps({"sent": sent, **shown[looks[-1]], "looks": shown}, indent=2))
        return
    print(
        "This was sent to each hosted reader:" if sent else "Nothing was sent. A hosted reader would be sent:"
    )
    for look, asked in prompts.items():
        print(
            f"--- {look} look, system\n{asked.system}\n--- {look} look, user (the slots' suffix is random in each "
            f"request)\n{asked.user}"
        )


def _print_request(evidence: Evidence, *, as_json: bool, sent: bool) -> None:
    """Of a service that samples by itself: the body of the request. What is not kept with a check stands as a word."""
    from evaluator.readers.team.wire import EvaluationRequest, request_document

    asked = EvaluationRequest(evidence, repository="", session="", seconds=0.0)
    whole = {**request_document(asked), **BESIDE}
    if as_json:
        print(json.dumps({"sent": sent, "request": whole}, indent=2))
        return
    told = (
        "This was sent to your team's evaluator:"
        if sent
        else "Nothing was sent. Your team's evaluator would be sent:"
    )
    print(f"{told}\n{json.dumps(whole, indent=2, ensure_ascii=False)}")

"""`compass check`: judge one pending write, whether the gate is enabled or not."""

from __future__ import annotations

import argparse
import json
import os
import sys

from compass.api.judge import checking_given
from compass.arguments import Given, add_input_arguments, read_inputs
from compass.composition.gate import SystemClock
from compass.composition.settings import load_for, project_of
from compass.show.check import document, show
from compass.show.terminal import console_of
from evaluator.gate.run import drive
from evaluator.model import Check
from evaluator.settings.keys import KEYS
from hooks import registry

ALLOW, ERROR, DENY = 0, 1, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input_arguments(parser)
    parser.add_argument(
        "--backend", choices=KEYS["evaluator.backend"].choices, help="who reads (default: as configured)"
    )
    parser.add_argument(
        "--record", action="store_true", help="keep the check and its event, as the hook would"
    )


def run(args: argparse.Namespace) -> int:
    """Exit code 0 allow, 2 deny, 1 error; with several cases the worst of them."""
    env = dict(os.environ)
    found = [_judge(given, args, env) for given in read_inputs(args, env)]
    if args.json:
        for check in found:
            print(json.dumps(document(check), indent=2 if len(found) == 1 else None))
    else:
        console = console_of()
        for number, check in enumerate(found):
            if number:
                console.print()
            show(console, check)
    return max((DENY if check.decision == "deny" else ALLOW for check in found), default=ERROR)


def _judge(given: Given, args: argparse.Namespace, env: dict[str, str]) -> Check:
    # A case tells of a project that is not here: it is judged by the settings of the one that is.
    here = os.getcwd() if given.exchange is not None else ""
    host = registry.host_of(given.host)
    project = project_of(env, here, host) if here else given.pending.project_dir
    loaded = load_for(env, project, here or given.pending.cwd, host)
    for problem in loaded.problems:
        print(f"compass check: {problem}", file=sys.stderr)
    found = checking_given(given, host, project, loaded, backend=args.backend, record=bool(args.record))
    return drive(found, SystemClock())

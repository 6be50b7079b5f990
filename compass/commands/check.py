"""`compass check` judges one pending write, whether the gate is enabled or not; `compass bash` says what a shell
command would write, segment by segment. Nothing is run."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from compass.arguments import Given, add_backend, add_input_arguments, read_inputs
from compass.composition.effects import DiskGround, explain
from compass.composition.gate import SystemClock
from compass.composition.settings import load_for, project_of
from compass.show.check import check_document, show_check
from compass.show.terminal import console_of
from evaluator.model import Check
from evaluator.trigger.calls import relative_to, with_stakes
from hooks import registry

if TYPE_CHECKING:
    from evaluator.shell.bash import Analysis


ALLOW, ERROR, DENY = 0, 1, 2


def add_check_arguments(parser: argparse.ArgumentParser) -> None:
    add_input_arguments(parser)
    add_backend(parser, "which readers to use (default: as configured)")


def run_check(args: argparse.Namespace) -> int:
    """Exit code 0 allow, 2 deny, 1 error; with several cases the worst of them."""
    env = dict(os.environ)
    found = [_check_given_write(given, args, env) for given in read_inputs(args, env)]
    if args.json:
        for check in found:
            print(json.dumps(check_document(check), indent=2 if len(found) == 1 else None))
    else:
        console = console_of()
        for number, check in enumerate(found):
            if number:
                console.print()
            show_check(console, check)
    return max((DENY if check.decision == "deny" else ALLOW for check in found), default=ERROR)


def _check_given_write(given: Given, args: argparse.Namespace, env: dict[str, str]) -> Check:
    from compass.api.gate import checking_given
    from evaluator.gate.run import drive

    # A case tells of a project that is not here: it is judged by the settings of the one that is.
    here = os.getcwd() if given.exchange is not None else ""
    host = registry.host_of(given.host)
    project = project_of(env, here, host) if here else given.pending.project_dir
    loaded = load_for(env, project, here or given.pending.cwd, host)
    for problem in loaded.problems:
        print(f"compass check: {problem}", file=sys.stderr)
    return drive(checking_given(given, host, project, loaded, backend=args.backend), SystemClock())


COLOURS = {"read_only": "green", "write": "yellow", "unknown": "red"}


def add_bash_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell_command", metavar="COMMAND", help="the command, as one argument")
    parser.add_argument("--cwd", metavar="DIR", help="where it would run (default: here)")


def run_bash(args: argparse.Namespace) -> int:
    """Exit code 0 whatever the verdict."""
    env = dict(os.environ)
    cwd = os.path.abspath(args.cwd or os.getcwd())
    loaded = load_for(env, project_of(env, cwd), cwd)
    for problem in loaded.problems:
        print(f"compass bash: {problem}", file=sys.stderr)
    found = explain(args.shell_command, cwd, loaded.settings.bash)
    found = replace(found, effects=with_stakes(found.effects, DiskGround(project_of(env, cwd))))
    if args.json:
        print(json.dumps(_bash_command_document(found), indent=2))
    else:
        _show_bash_command(found, cwd)
    return 0


def _bash_command_document(found: Analysis) -> dict[str, object]:
    effects = found.effects
    does = effects if effects.verdict != "read_only" else None
    named = ("text", "program", "family", "verdict", "operation")
    return {
        "verdict": effects.verdict,
        "operation": does and does.operation,
        "class": does and does.operation_class,
        "stakes": does and does.stakes,
        "targets": list(effects.targets),
        "effects": [
            {"operation": one.operation, "class": one.operation_class, "stakes": one.stakes,
             "target": one.target or None}
            for one in effects.each
        ],
        "command": effects.command,
        "problem": found.problem,
        "segments": [
            {**{name: getattr(one, name) for name in named}, "class": one.operation_class, "targets": list(one.targets)}
            for one in found.segments
        ],
    }  # fmt: skip


def _show_bash_command(found: Analysis, cwd: str) -> None:
    from rich.markup import escape
    from rich.table import Table

    console, effects = console_of(), found.effects
    reading = effects.verdict == "read_only"
    does = "" if reading else f"  {effects.operation} ({effects.operation_class}, {effects.stakes})"
    console.print(f"[bold {COLOURS[effects.verdict]}]{effects.verdict}[/]{does}")
    if found.problem:
        console.print(f"not understood: {escape(found.problem)}")
    for each in effects.each:
        named = (relative_to(each.target, cwd) or each.target) if each.target else f"({each.operation})"
        console.print(f"  {escape(named)}  [dim]{each.stakes}[/]")
    table = Table("command", "program", "verdict", "operation", "class", "targets", box=None, pad_edge=False)
    for one in found.segments:
        what = (one.program, one.verdict, one.operation or "", one.operation_class or "")
        targets = ", ".join(relative_to(target, cwd) or target for target in one.targets)
        table.add_row(*map(escape, (" ".join(one.text.split()), *what, targets)))
    console.print(table)

"""`compass bash`: what a shell command would write, segment by segment. Nothing is run."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from compass.composition.effects import DiskGround, explain
from compass.composition.settings import load_for, project_of
from compass.show.terminal import console_of
from evaluator.trigger.call_effects import with_stakes
from evaluator.trigger.exemptions import relative_to

if TYPE_CHECKING:
    from evaluator.shell.analysis import Analysis, Segment

COLOURS = {"read_only": "green", "write": "yellow", "unknown": "red"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell_command", metavar="COMMAND", help="the command, as one argument")
    parser.add_argument("--cwd", metavar="DIR", help="where it would run (default: here)")


def run(args: argparse.Namespace) -> int:
    """Exit code 0 whatever the verdict."""
    env = dict(os.environ)
    cwd = os.path.abspath(args.cwd or os.getcwd())
    loaded = load_for(env, project_of(env, cwd), cwd)
    for problem in loaded.problems:
        print(f"compass bash: {problem}", file=sys.stderr)
    found = explain(args.shell_command, cwd, loaded.settings.bash)
    found = replace(found, effects=with_stakes(found.effects, DiskGround(project_of(env, cwd))))
    if args.json:
        print(json.dumps(_document(found), indent=2))
    else:
        _show(found, cwd)
    return 0


def _document(found: Analysis) -> dict[str, object]:
    effects = found.effects
    reading = effects.verdict == "read_only"
    return {
        "verdict": effects.verdict,
        "operation": None if reading else effects.operation,
        "class": None if reading else effects.operation_class,
        "stakes": None if reading else effects.stakes,
        "targets": list(effects.targets),
        "effects": [
            {
                "operation": one.operation,
                "class": one.operation_class,
                "stakes": one.stakes,
                "target": one.target or None,
            }
            for one in effects.each
        ],
        "command": effects.command,
        "problem": found.problem,
        "segments": [_segment(one) for one in found.segments],
    }


def _segment(one: Segment) -> dict[str, object]:
    return {
        "text": one.text,
        "program": one.program,
        "family": one.family,
        "verdict": one.verdict,
        "operation": one.operation,
        "class": one.operation_class,
        "targets": list(one.targets),
    }


def _show(found: Analysis, cwd: str) -> None:
    from rich.markup import escape
    from rich.table import Table

    console = console_of()
    effects = found.effects
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
        targets = ", ".join(relative_to(target, cwd) or target for target in one.targets)
        cells = (
            " ".join(one.text.split()),
            one.program,
            one.verdict,
            one.operation or "",
            one.operation_class or "",
            targets,
        )
        table.add_row(*map(escape, cells))
    console.print(table)

"""The argparse tree. A command's module is imported only when the command runs or its help is asked for."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Container
from typing import Literal, NamedTuple, Protocol, cast

from compass import __version__
from evaluator.errors import CompassError

Touches = Literal["reads", "controls"]
"""Whether an agent may run a command, or only the user: `evaluator.shell.programs.own` holds the former."""


class Command(NamedTuple):
    """`touches` goes for all of the command. A command with commands of its own sets it on each of their parsers."""

    module: str
    help: str
    touches: Touches


class CommandModule(Protocol):
    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


COMMANDS = {
    "init": Command("init", "wire the gate into a project and turn it on", "controls"),
    "doctor": Command("doctor", "prove that the gate holds, or say what is wrong", "reads"),
    "trust": Command("trust", "let this project's settings count as your own, or take that back", "controls"),
    "config": Command("config", "show the settings in force, set your own", "controls"),
    "check": Command("check", "judge one pending write and print the verdict", "reads"),
    "status": Command(
        "status", "what the gate does here, what it came to lately, and what to do next", "reads"
    ),
    "log": Command("log", "a line a check, newest last; --follow goes on", "reads"),
    "why": Command("why", "which request and which answer each recorded write of a file came from", "reads"),
    "explain": Command("explain", "show a past check, or what would leave the machine", "reads"),
    "replay": Command("replay", "what the gate would have done over recorded sessions", "reads"),
    "bash": Command("bash", "explain what a shell command would write", "reads"),
    "calibrate": Command(
        "calibrate",
        "measure this project's noise floor, set thresholds from it; --check for CI",
        "controls",
    ),
    "audit": Command(
        "audit",
        "the rates of wrong blocks and misses in your own traffic, from some eighty answers",
        "controls",
    ),
    "serve": Command("serve", "run the service behind the hooks, show it, or stop it", "controls"),
    "mcp": Command("mcp", "advice before a write, for agents that ask: an MCP server", "controls"),
    "ui": Command("ui", "a page to look at: checks as they happen, days, calibration, audit", "controls"),
    "try": Command("try_out", "be shown a held write and its answers, in a scratch folder", "reads"),
    "demo": Command("demo", "judge the shipped example exchanges without network", "reads"),
    "statusline": Command(
        "statusline", "one line for the host's status line (what `init --statusline` wires)", "controls"
    ),
    "hook": Command("hook", "answer a host's hook on stdin (what `init` wires)", "controls"),
}


def main(argv: list[str]) -> int:
    """Exit codes: 0 fine, 1 an error, 2 denied (`check`) or wrong usage (argparse)."""
    chosen = next((word for word in argv if not word.startswith("-")), "")
    args = parser_with((chosen,)).parse_args(argv)
    try:
        return _load(COMMANDS[args.command]).run(args)
    except CompassError as error:
        from evaluator.terminal import safe

        print(f"compass {args.command}:", safe(str(error), keep="\n"), file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader of our output left; a second error at shutdown would hide that.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def parser_with(chosen: Container[str]) -> argparse.ArgumentParser:
    """The whole parser; only the `chosen` commands are imported and have their arguments."""
    parser = argparse.ArgumentParser(
        prog="compass",
        description="Would two independent readers converge on the same interpretation of this write?",
    )
    parser.add_argument("--version", action="version", version=f"compass {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        sub = commands.add_parser(name, help=command.help, description=command.help)
        sub.set_defaults(touches=command.touches)
        if name in chosen:
            sub.add_argument("--json", action="store_true", help="print one JSON document")
            _load(command).add_arguments(sub)
    return parser


def _load(command: Command) -> CommandModule:
    return cast(CommandModule, importlib.import_module(f"compass.commands.{command.module}"))

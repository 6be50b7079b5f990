"""The command line: which commands there are, how it is read, one command run, and how a mistake is answered.

A command's module is imported only when the command runs or its help is asked for.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, cast

from compass import __version__
from evaluator.errors import CompassError
from evaluator.text import safe

if TYPE_CHECKING:
    Actions = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage]

Touches = Literal["reads", "controls"]
"""Whether an agent may run a command, or only the user: `evaluator.shell.handlers.agents` holds the former."""
ABOUT = (
    "Asks you before your coding agent writes something you may not have meant. The test: would two independent "
    "readers converge on the same interpretation of this write?"
)
CLOSING = (
    "`compass COMMAND --help` shows more. Begin with `compass try`; then run `compass init` in a project.",
    "No telemetry: nothing is reported to anybody. `compass explain --egress` shows what your readers are sent.",
    "Runs on Linux, and should run on macOS; on Windows, use WSL.",
)
ELSEWHERE = (
    "Compass runs on Linux, should run on macOS, and does not run natively on Windows: its hooks need Unix sockets "
    "and file locks. Install it inside WSL, and run your agent there as well."
)
FAILED, MISUSED = 1, 2


class UsageError(Exception):
    """The command line cannot be read. `usage` is that of the command which the mistake is in."""

    def __init__(self, usage: str, message: str) -> None:
        self.usage = usage
        super().__init__(message)


class Parser(argparse.ArgumentParser):
    """Raises UsageError where argparse would print and exit. Parsers below one are of this class, too."""

    def __init__(self, *args: Any, **named: Any) -> None:
        """As argparse's, but an option counts only where it is written out."""
        super().__init__(*args, **{"allow_abbrev": False, **named})

    def error(self, message: str) -> NoReturn:
        raise UsageError(self.format_usage(), message)


class Command(NamedTuple):
    """`module` of `compass.commands` has `add_NAME_arguments`, which takes the parser, and `run_NAME`, which takes what
    was parsed and returns the exit code. `touches` goes for all of the command. A command with commands of its own sets
    it on each of their parsers."""

    module: str
    help: str
    touches: Touches


GROUPS = {
    "first steps": {
        "try": Command("try_out", "see a held write and answer it, in a scratch folder", "reads"),
        "demo": Command("demo", "a screenful of example exchanges, judged offline", "reads"),
        "init": Command("init", "wire the gate into a project and turn it on, or undo both", "controls"),
        "doctor": Command("doctor", "prove that the gate works, or show what is wrong", "reads"),
    },
    "what it did": {
        "status": Command(
            "status", "show what the gate does here, what it has done lately, and what to do next", "reads"
        ),
        "ui": Command("serve", "show checks in your browser as they happen", "controls"),
        "log": Command("past_checks", "list checks, one per line, newest last", "reads"),
        "explain": Command("past_checks", "show a past check, or what would leave the machine", "reads"),
        "why": Command("past_checks", "show which request and answer led to each write to a file", "reads"),
        "replay": Command("replay", "show what the gate would have done in recorded sessions", "reads"),
        "forget": Command("memory", "erase what is kept about a session, a project or you", "controls"),
    },
    "how it judges": {
        "config": Command("settings", "show the settings in force, and set your own", "controls"),
        "trust": Command(
            "settings", "let this project's settings count as your own, or undo that", "controls"
        ),
        "calibrate": Command(
            "calibrate", "measure this project's noise floor and set thresholds; --check for CI", "controls"
        ),
        "hindsight": Command(
            "hindsight", "show how often the agent misread you, and how often the gate caught it", "controls"
        ),
        "memory": Command(
            "memory", "show, edit or remove what your ambiguous words turned out to mean", "controls"
        ),
    },
    "for scripts and other programs": {
        "check": Command("check", "judge one pending write and print the verdict", "reads"),
        "bash": Command("check", "explain what a shell command would write", "reads"),
        "mcp": Command("programs", "run an MCP server that advises agents before a write", "controls"),
        "serve": Command(
            "serve", "run the service behind the hooks, show its status, or stop it", "controls"
        ),
        "team": Command("team", "log in to a team's evaluator, or administer it", "controls"),
    },
    "run by the agent's program": {
        "hook": Command("programs", "answer a hook on stdin (`init` wires this)", "controls"),
        "statusline": Command(
            "programs", "print a line for the agent's status line (`init --statusline`)", "controls"
        ),
    },
}
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}


class WholeParser(Parser):
    """Of all commands: its help shows them in their groups."""

    def format_help(self) -> str:
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, [], [])
        formatter.add_text(self.description)
        sections = {
            title: [argparse.Action([], name, metavar=name, help=one.help) for name, one in group.items()]
            for title, group in GROUPS.items()
        }
        sections["options"] = [action for action in self._actions if action.option_strings]
        for title, actions in sections.items():
            formatter.start_section(title)
            formatter.add_arguments(actions)
            formatter.end_section()
        for text in CLOSING:
            formatter.add_text(text)
        return formatter.format_help()


def parser_with(chosen: Container[str]) -> Parser:
    """The whole parser; only the `chosen` commands are imported and have their arguments."""
    parser = WholeParser(prog="compass", usage="compass [-h] [-V] COMMAND ...", description=ABOUT)
    parser.add_argument("-V", "--version", action="version", version=f"compass {__version__}")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", prog="compass", parser_class=Parser, required=True
    )
    for name, command in COMMANDS.items():
        sub = commands.add_parser(name, help=command.help, description=command.help)
        sub.set_defaults(touches=command.touches)
        if name in chosen:
            sub.add_argument("--json", action="store_true", help="print one JSON document")
            function_of(name, "add_{}_arguments")(sub)
    return parser


def add_action(actions: Actions, name: str, told: str, touches: str) -> argparse.ArgumentParser:
    """The parser of one of a command's own: `compass config get`."""
    sub = actions.add_parser(name, help=told, description=told)
    sub.set_defaults(touches=touches)
    sub.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON document")
    return sub


def function_of(name: str, form: str) -> Callable[..., Any]:
    """The function of a command, imported now."""
    module = importlib.import_module(f"compass.commands.{COMMANDS[name].module}")
    return cast("Callable[..., Any]", getattr(module, form.format(name)))


def tell(error: Exception, command: str, *, as_json: bool, code: int = FAILED) -> None:
    """Prints the error of a command that ends with `code`: for people on stderr, for scripts on stdout, too."""
    if as_json:
        told = {
            "type": type(error).__name__,
            "command": command or None,
            "message": str(error),
            "exit_code": code,
        }
        print(json.dumps({"error": told}), flush=True)
    print(f"compass {command}".rstrip() + f": {safe(str(error), keep=chr(10))}", file=sys.stderr)


def main(argv: list[str]) -> int:
    """Runs a command line. Exit codes: 0 fine, 1 an error, 2 denied (`check`) or wrong usage, 130 interrupted."""
    words = argv or ["--help"]
    chosen = next((word for word in words if not word.startswith("-")), "")
    as_json = "--json" in words
    try:
        args = parser_with((chosen,)).parse_args(words)
    except UsageError as error:
        sys.stderr.write(error.usage)
        tell(error, chosen, as_json=as_json, code=MISUSED)
        raise SystemExit(MISUSED) from None
    command = " ".join(filter(None, (args.command, getattr(args, "action", None))))
    if sys.platform == "win32":
        tell(CompassError(ELSEWHERE), command, as_json=as_json)
        return 1
    try:
        return int(function_of(args.command, "run_{}")(args))
    except CompassError as error:
        tell(error, command, as_json=as_json)
        return 1
    except BrokenPipeError:
        # The reader of our output left; a second error at shutdown would hide that.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130

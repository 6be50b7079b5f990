"""The commands, in the order and the groups in which a newcomer meets them, and the parser of them all.

A command's module is imported only when the command runs or its help is asked for.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Container, Iterable, Sequence
from typing import Literal, NamedTuple, Protocol, cast

from compass import __version__
from compass.show.terminal import columns_of
from compass.show.wrapping import wrapped
from compass.usage.parser import Parser

Touches = Literal["reads", "controls"]
"""Whether an agent may run a command, or only the user: `evaluator.shell.handlers.system` holds the former."""


class Command(NamedTuple):
    """`touches` goes for all of the command. A command with commands of its own sets it on each of their parsers."""

    module: str
    help: str
    touches: Touches


class CommandModule(Protocol):
    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


GROUPS = {
    "first steps": {
        "try": Command("try_out", "be shown a held write and its answers, in a scratch folder", "reads"),
        "demo": Command("demo", "a screen of example exchanges, judged without network", "reads"),
        "init": Command("init", "wire the gate into a project and turn it on, or off again", "controls"),
        "doctor": Command("doctor", "prove that the gate holds, or say what is wrong", "reads"),
    },
    "what it did": {
        "status": Command("status", "what the gate does here, lately did, and what to do next", "reads"),
        "ui": Command("ui", "a page to look at: checks as they happen, days, calibration", "controls"),
        "log": Command("log", "a line a check, newest last; --follow goes on", "reads"),
        "explain": Command("explain", "show a past check, or what would leave the machine", "reads"),
        "why": Command("why", "the request and the answer that each write of a file came from", "reads"),
        "replay": Command("replay", "what the gate would have done over recorded sessions", "reads"),
        "forget": Command("forget", "erase what is kept of a session, a project, or of you", "controls"),
    },
    "how it judges": {
        "config": Command("config", "show the settings in force, set your own", "controls"),
        "trust": Command("trust", "let this project's settings count as your own, or no longer", "controls"),
        "calibrate": Command(
            "calibrate", "measure this project's noise floor, set thresholds; --check for CI", "controls"
        ),
        "hindsight": Command(
            "hindsight", "how often the agent misread you, and what the gate held of it", "controls"
        ),
        "memory": Command("memory", "what you settled of open words: shown, edited, taken out", "controls"),
    },
    "for scripts and other programs": {
        "check": Command("check", "judge one pending write and print the verdict", "reads"),
        "bash": Command("bash", "explain what a shell command would write", "reads"),
        "mcp": Command("mcp", "advice before a write, for agents that ask: an MCP server", "controls"),
        "serve": Command("serve", "run the service behind the hooks, show it, or stop it", "controls"),
        "team": Command("team", "a team's evaluator: log in there, administer it", "controls"),
        "completion": Command("completion", "print what completes these commands in your shell", "reads"),
    },
    "run by the agent's program": {
        "hook": Command("hook", "answer a hook on stdin (what `init` wires)", "controls"),
        "statusline": Command("statusline", "a line for its status line (`init --statusline`)", "controls"),
    },
}
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}

ABOUT = (
    "Asks you before your coding agent writes what you may not have meant: would two independent readers converge on "
    "the same interpretation of this write?"
)
CLOSING = (
    "`compass COMMAND --help` says more. Begin with `compass try`; then `compass init` in a project.",
    "No telemetry: nothing is reported to anybody. What readers that you choose are sent: `compass explain --egress`.",
    "Runs on Linux, and is expected to on macOS; on Windows inside WSL.",
)


class WholeParser(Parser):
    """Of all commands: its help shows them in their groups."""

    def format_help(self) -> str:
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, [], [])
        formatter.add_text(self.description)
        for title, group in GROUPS.items():
            _section(formatter, title, [_shown(name, command.help) for name, command in group.items()])
        _section(formatter, "options", [action for action in self._actions if action.option_strings])
        closing = (line for text in CLOSING for line in wrapped(text, columns_of()))
        return formatter.format_help() + "\n" + "\n".join(closing) + "\n"

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """A wrong option is named before a command is missed."""
        found, rest = super().parse_known_args(args, namespace)
        if found.command is None:
            self.error("which command? `compass --help` lists them")
        return found, rest

    def unknown(self, words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        for name, sub in self.commands.items():
            behind = [word for word in words if word in sub.options]
            if behind:
                return f"{behind[0]} goes behind the command: `compass {name} {behind[0]}`", ()
        return super().unknown(words)


def parser_with(chosen: Container[str]) -> Parser:
    """The whole parser; only the `chosen` commands are imported and have their arguments."""
    parser = WholeParser(prog="compass", usage="compass [-h] [-V] COMMAND ...", description=ABOUT)
    parser.add_argument("-V", "--version", action="version", version=f"compass {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", prog="compass", parser_class=Parser)
    for name, command in COMMANDS.items():
        sub = commands.add_parser(name, help=command.help, description=command.help)
        sub.set_defaults(touches=command.touches)
        if name in chosen:
            sub.add_argument("--json", action="store_true", help="print one JSON document")
            module_of(command).add_arguments(sub)
    return parser


def module_of(command: Command) -> CommandModule:
    return cast(CommandModule, importlib.import_module(f"compass.commands.{command.module}"))


def _shown(name: str, told: str) -> argparse.Action:
    """A line of the help."""
    return argparse.Action([], dest=name, metavar=name, help=told)


def _section(formatter: argparse.HelpFormatter, title: str, actions: Iterable[argparse.Action]) -> None:
    formatter.start_section(title)
    formatter.add_arguments(actions)
    formatter.end_section()

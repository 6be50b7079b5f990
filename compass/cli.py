"""The command line: which commands there are, how it is read, one command run, and how a mistake is answered.

A command's module is imported only when the command runs or its help is asked for.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, Protocol, cast

from compass import __version__
from compass.show.terminal import columns_of, is_terminal, wrapped
from evaluator.errors import CompassError, ConfigError
from evaluator.text import safe

if TYPE_CHECKING:
    Actions = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage]

MOST = 3
Touches = Literal["reads", "controls"]
"""Whether an agent may run a command, or only the user: `evaluator.shell.handlers.agents` holds the former."""
ABOUT = (
    "Asks you before your coding agent writes what you may not have meant: would two independent readers converge on "
    "the same interpretation of this write?"
)
CLOSING = (
    "`compass COMMAND --help` shows more. Begin with `compass try`; then `compass init` in a project.",
    "No telemetry: nothing is reported to anybody. What readers that you choose are sent: `compass explain --egress`.",
    "Runs on Linux, and is expected to on macOS; on Windows inside WSL.",
)
JSON = "--json"
ELSEWHERE = (
    "Compass runs on Linux, is expected to on macOS, and does not run on Windows itself: its hooks need Unix sockets "
    "and file locks. Install it inside WSL, where your agent runs, too."
)
FAILED, MISUSED = 1, 2


class MistakenError(ConfigError):
    """A word that is none. `near` are those that it may have been meant to be."""

    def __init__(self, message: str, near: tuple[str, ...]) -> None:
        self.near = near
        super().__init__(message)


def near(word: str, words: Iterable[str], most: int = MOST) -> tuple[str, ...]:
    """The words nearest to a mistyped one: those that begin with `word`, then those that resemble it."""
    import difflib

    known = [one for one in words if one]
    folded = word.casefold()
    begun = [one for one in known if len(folded) > 1 and one.casefold().startswith(folded)]
    alike = difflib.get_close_matches(folded, [one.casefold() for one in known], most)
    found = [one for like in alike for one in known if one.casefold() == like]
    return tuple(dict.fromkeys((*begun, *found)))[:most]


def did_you_mean(words: Iterable[str], prog: str = "") -> str:
    """`; did you mean A or B?`, or `;` where there is nothing to offer: a sentence goes on behind it."""
    named = [f"{prog} {word}".strip() for word in words]
    named = [f"`{one}`" for one in named] if prog else named
    return f"; did you mean {' or '.join(named)}?" if named else ";"


class UsageError(Exception):
    """The command line cannot be read. `usage` is that of the command which the mistake is in."""

    def __init__(self, prog: str, usage: str, message: str, near: Sequence[str] = ()) -> None:
        self.prog = prog
        self.usage = usage
        self.message = message
        self.near = tuple(near)
        super().__init__(message)


class Parser(argparse.ArgumentParser):
    """Raises UsageError where argparse would print and exit. Parsers below one are of this class, too."""

    _near: tuple[str, ...] = ()

    def __init__(self, *args: Any, **named: Any) -> None:
        """As argparse's, but an option counts only where it is written out."""
        super().__init__(*args, **{"allow_abbrev": False, **named})

    @property
    def options(self) -> tuple[str, ...]:
        """The options of a parser, as they are written."""
        return tuple(self._option_string_actions)

    @property
    def arguments(self) -> tuple[argparse.Action, ...]:
        """The options and operands of a parser, without the choice of a command."""
        return tuple(one for one in self._actions if not _is_choice(one))

    @property
    def commands(self) -> dict[str, Parser]:
        """The parsers of the commands right below this one, by name."""
        found = next((one for one in self._actions if _is_choice(one)), None)
        return cast(dict[str, Parser], found.choices) if found is not None else {}

    def error(self, message: str) -> NoReturn:
        raise UsageError(self.prog, self.format_usage(), message, self._near)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Nothing is left over: a command's own parser names what it does not know."""
        found, rest = super().parse_known_args(args, namespace or argparse.Namespace())
        if rest:
            message, self._near = self.unknown(rest)
            self.error(message)
        return found, rest

    def unknown(self, words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """What is said of words that nothing takes, and which options they may have meant."""
        meant = (
            one for word in words if word[:1] == "-" for one in near(word.partition("=")[0], self.options)
        )
        found = tuple(dict.fromkeys(meant))
        what = "option" if all(word[:1] == "-" for word in words) else "argument"
        told = f"unrecognized {what}{'s' if len(words) > 1 else ''}: {' '.join(words)}"
        return f"{told}{did_you_mean(found)}".rstrip(";"), found

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        choices = [str(choice) for choice in action.choices]
        self._near = near(str(value), choices)
        shown = repr(str(value)[:60])
        if choices == list(self.commands):
            told = f"no command {shown}{did_you_mean(self._near, self.prog)} `{self.prog} --help` lists them"
            raise argparse.ArgumentError(None, told)
        told = f"{shown} is none of {', '.join(choices)}{did_you_mean(self._near)}"
        raise argparse.ArgumentError(action, told.rstrip(";"))


def _is_choice(action: argparse.Action) -> bool:
    """Whether a parser's action takes the name of a command."""
    return action.nargs == argparse.PARSER


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
        "try": Command("try_out", "see a held write and answer it, in a scratch folder", "reads"),
        "demo": Command("demo", "a screen of example exchanges, judged without network", "reads"),
        "init": Command("init", "wire the gate into a project and turn it on, or off again", "controls"),
        "doctor": Command("doctor", "prove that the gate works, or show what is wrong", "reads"),
    },
    "what it did": {
        "status": Command(
            "status", "what the gate does here, what it has done lately, and what to do next", "reads"
        ),
        "ui": Command("ui", "a page in your browser: checks as they happen, days, calibration", "controls"),
        "log": Command("log", "one line per check, newest last", "reads"),
        "explain": Command("explain", "show a past check, or what would leave the machine", "reads"),
        "why": Command("why", "the request and the answer that each write of a file came from", "reads"),
        "replay": Command("replay", "what the gate would have done over recorded sessions", "reads"),
        "forget": Command("forget", "erase what is kept about a session, a project or you", "controls"),
    },
    "how it judges": {
        "config": Command("config", "show the settings in force, set your own", "controls"),
        "trust": Command("trust", "let this project's settings count as your own, or stop that", "controls"),
        "calibrate": Command(
            "calibrate", "measure this project's noise floor, set thresholds; --check for CI", "controls"
        ),
        "hindsight": Command(
            "hindsight", "how often the agent misread you, and how much of that the gate held", "controls"
        ),
        "memory": Command(
            "memory", "show, edit or remove what you settled about ambiguous words", "controls"
        ),
    },
    "for scripts and other programs": {
        "check": Command("check", "judge one pending write and print the verdict", "reads"),
        "bash": Command("bash", "explain what a shell command would write", "reads"),
        "mcp": Command("mcp", "advice before a write, for agents that ask: an MCP server", "controls"),
        "serve": Command("serve", "run the service behind the hooks, show it, or stop it", "controls"),
        "team": Command("team", "a team's evaluator: log in there, administer it", "controls"),
    },
    "run by the agent's program": {
        "hook": Command("hook", "answer a hook on stdin (what `init` wires)", "controls"),
        "statusline": Command("statusline", "a line for its status line (`init --statusline`)", "controls"),
    },
}
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}


class WholeParser(Parser):
    """Of all commands: its help shows them in their groups."""

    def format_help(self) -> str:
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, [], [])
        formatter.add_text(self.description)
        for title, group in GROUPS.items():
            lines = [argparse.Action([], name, metavar=name, help=one.help) for name, one in group.items()]
            _section(formatter, title, lines)
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
                return f"{behind[0]} goes after the command: `compass {name} {behind[0]}`", ()
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


def add_action(actions: Actions, name: str, told: str, touches: str) -> argparse.ArgumentParser:
    """The parser of one of a command's own: `compass config get`."""
    sub = actions.add_parser(name, help=told, description=told)
    sub.set_defaults(touches=touches)
    sub.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON document")
    return sub


def module_of(command: Command) -> CommandModule:
    return cast(CommandModule, importlib.import_module(f"compass.commands.{command.module}"))


def _section(formatter: argparse.HelpFormatter, title: str, actions: Iterable[argparse.Action]) -> None:
    formatter.start_section(title)
    formatter.add_arguments(actions)
    formatter.end_section()


def tell(error: Exception, command: str, *, as_json: bool, code: int = FAILED) -> None:
    """Prints the error of a command that ends with `code`."""
    if as_json:
        print(json.dumps(document(error, command, code)))
    _say(f"compass {command}: {safe(str(error), keep=chr(10))}")


def tell_usage(error: UsageError, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(document(error, error.prog.partition(" ")[2], MISUSED)))
    sys.stderr.write(error.usage)
    _say(f"{error.prog}: {safe(error.message)}")


def document(error: Exception, command: str, code: int) -> dict[str, object]:
    """What scripts are given in place of the command's own document."""
    told: dict[str, object] = {
        "type": type(error).__name__,
        "command": command or None,
        "message": str(error),
        "exit_code": code,
    }
    near = cast(tuple[str, ...], getattr(error, "near", ()))
    missing = cast(tuple[str, ...], getattr(error, "missing", ()))
    if near:
        told["did_you_mean"] = list(near)
    if missing:
        told["missing"] = list(missing)
    return {"error": told}


def _say(text: str) -> None:
    sys.stdout.flush()
    for line in text.split("\n"):
        shown = wrapped(line, columns_of(sys.stderr)) if is_terminal(sys.stderr) else [line]
        print("\n".join(shown), file=sys.stderr)


def main(argv: list[str]) -> int:
    """Runs a command line. Exit codes: 0 fine, 1 an error, 2 denied (`check`) or wrong usage, 130 interrupted."""
    words = _asked(argv)
    chosen = next((word for word in words if not word.startswith("-")), "")
    as_json = JSON in words
    try:
        args = parser_with((chosen,)).parse_args(words)
    except UsageError as error:
        tell_usage(error, as_json=as_json)
        raise SystemExit(2) from None
    command = " ".join(filter(None, (args.command, getattr(args, "action", None))))
    if sys.platform == "win32":
        tell(CompassError(ELSEWHERE), command, as_json=as_json)
        return 1
    try:
        return module_of(COMMANDS[args.command]).run(args)
    except CompassError as error:
        tell(error, command, as_json=as_json)
        return 1
    except BrokenPipeError:
        # The reader of our output left; a second error at shutdown would hide that.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _asked(argv: list[str]) -> list[str]:
    """Without words the help is meant, and `help COMMAND` is `COMMAND --help`."""
    if not argv:
        return ["--help"]
    if argv[0] == "help":
        return [*(word for word in argv[1:] if not word.startswith("-")), "--help"]
    return argv

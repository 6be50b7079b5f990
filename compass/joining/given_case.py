"""A case that is stated on the command line: what was said, and the call that would write."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from evaluator.errors import PayloadError

STATE_IT = "state a case in options: --said TEXT with --file PATH or --command LINE"
WAITING = (
    "Waiting for what is to be judged on stdin: a hook's payload, or cases with\n"
    "`--case -`, as JSON; then Ctrl-D.\n"
    f"Or {STATE_IT}."
)


class IncompleteCaseError(PayloadError):
    """A case without all that makes one; `missing` tells of each."""

    def __init__(self, message: str, missing: tuple[str, ...]) -> None:
        self.missing = missing
        super().__init__(message)


class Option(NamedTuple):
    """`field` is that of a row of cases."""

    name: str
    field: str
    metavar: str
    help: str


OPTIONS = (
    Option("said", "user_message", "TEXT", "what the user asked for"),
    Option("prior", "prior_assistant_turn", "TEXT", "what the agent had said before that"),
    Option("file", "file_path", "PATH", "the file that would be written, from the project's folder"),
    Option("command", "command", "LINE", "the shell command that would run"),
    Option(
        "tool",
        "tool_name",
        "NAME",
        "the call's tool (default: Bash with --command, Edit with --old, else Write)",
    ),
    Option("content", "content", "TEXT", "what Write would put into the file"),
    Option("old", "old_string", "TEXT", "what Edit would replace"),
    Option("new", "new_string", "TEXT", "what it would put there"),
    Option("task", "delegated_task", "TEXT", "of a subagent: the task that it was given"),
)
PREFIX = "stated_"


def add_stated_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("a case, stated here")
    for option in OPTIONS:
        group.add_argument(
            f"--{option.name}", dest=PREFIX + option.field, metavar=option.metavar, help=option.help
        )
    group.add_argument(
        "--exists", action="store_true", help="the file that Write would write stands there already"
    )


def is_stated(args: argparse.Namespace) -> bool:
    return any(getattr(args, PREFIX + option.field) is not None for option in OPTIONS)


def stated(args: argparse.Namespace) -> dict[str, object] | None:
    """The row; None where nothing is stated. Raises IncompleteCaseError, with all the options that are missing."""
    row: dict[str, object] = {
        option.field: getattr(args, PREFIX + option.field)
        for option in OPTIONS
        if getattr(args, PREFIX + option.field) is not None
    }
    if not is_stated(args):
        return None
    if args.exists:
        row["exists"] = True
    for other in ("case", "payload", "transcript"):
        if getattr(args, other):
            raise PayloadError(f"--{other} and a case stated in options exclude each other")
    missing = ("--said",) * ("user_message" not in row)
    if not (row.get("file_path") or row.get("command")):
        missing += ("--file or --command",)
    if missing:
        raise IncompleteCaseError(f"the stated case lacks {' and '.join(missing)}", missing)
    if "tool_name" not in row:
        edits = "old_string" in row or "new_string" in row
        row["tool_name"] = "Bash" if row.get("command") else "Edit" if edits else "Write"
    return row

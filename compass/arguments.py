"""What a command is told on its line: a payload or a labelled case, which agent and readers."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, cast

from evaluator.backends import EMBEDDED
from evaluator.errors import PayloadError
from evaluator.gate.pipeline import Parts
from evaluator.model import Effects, Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from evaluator.settings.keys import KEYS
from evaluator.settings.places import project_dir
from hooks import registry
from hooks.host import json_object
from hooks.registry import recognised

STATE_IT = "state a case in options: --said TEXT with --file PATH or --command LINE"
WAITING = (
    "Waiting for what is to be judged on stdin: a hook's payload, or cases with\n"
    "`--case -`, as JSON; then Ctrl-D.\n"
    f"Or {STATE_IT}."
)
PREFIX = "stated_"


class IncompleteCaseError(PayloadError):
    """A case without all that makes one; `missing` tells of each."""

    def __init__(self, message: str, missing: tuple[str, ...]) -> None:
        self.missing = missing
        super().__init__(message)


class CaseOption(NamedTuple):
    """`field` is that of a row of cases."""

    name: str
    field: str
    metavar: str
    help: str


OPTIONS = (
    CaseOption("said", "user_message", "TEXT", "what the user asked for"),
    CaseOption("prior", "prior_assistant_turn", "TEXT", "what the agent had said before that"),
    CaseOption("file", "file_path", "PATH", "the file that would be written, from the project's folder"),
    CaseOption("command", "command", "LINE", "the shell command that would run"),
    CaseOption(
        "tool",
        "tool_name",
        "NAME",
        "the call's tool (default: Bash with --command, Edit with --old, else Write)",
    ),
    CaseOption("content", "content", "TEXT", "what Write would put into the file"),
    CaseOption("old", "old_string", "TEXT", "what Edit would replace"),
    CaseOption("new", "new_string", "TEXT", "what it would put there"),
    CaseOption("task", "delegated_task", "TEXT", "for a subagent: the task that it was given"),
)


def add_stated_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("a case, stated here")
    for option in OPTIONS:
        group.add_argument(
            f"--{option.name}", dest=PREFIX + option.field, metavar=option.metavar, help=option.help
        )
    group.add_argument("--exists", action="store_true", help="the file that Write would write already exists")


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


@dataclass(frozen=True, slots=True)
class Given:
    """A pending write; a case states its exchange and effect too, a payload leaves them to be found."""

    pending: PendingWrite
    exchange: Exchange | None = None
    effects: Effects | None = None
    text: str | None = None
    """Of the target before the write, where a case states it."""
    host: str = registry.DEFAULT
    """Whose settings files count."""

    def stated_effects(self, _: PendingWrite) -> Effects | None:
        return self.effects

    def stated_text(self, _: str) -> str | None:
        return self.text


class FixedExchange:
    """A transcript source for a case: the exchange is stated, not read."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def exchange(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> Exchange:
        return self._exchange

    def voices(self, pending: PendingWrite) -> tuple[Voice, ...]:
        return tuple(Voice(text, None, typed=True) for text in self._exchange.request)

    def lookups(self, pending: PendingWrite, kept: Sequence[KeptPrompt]) -> tuple[Lookup, ...]:
        return ()


def parts_for(given: Given, parts: Parts) -> Parts:
    """The gate's parts, with what a case states in place of what would be looked up."""
    if given.exchange is None:
        return parts
    source = FixedExchange(given.exchange)
    return replace(parts, transcripts=source, effects_of=given.stated_effects, text_of=given.stated_text)


def of_payload(
    payload: bytes,
    env: Mapping[str, str],
    host: str | None = None,
    *,
    transcript: str = "",
    project: str = "",
) -> Given:
    """A host's payload as the command takes it. `host` None: whoever's shape it has. The exchange is read from
    `transcript` where that is named; `project` counts before the folder that the payload names.

    Raises PayloadError for what is no call of that host's.
    """
    named = host or recognised(json_object(payload))
    at = registry.host_of(named)
    if project and at.PROJECT_VARIABLE:
        env = {**env, at.PROJECT_VARIABLE: project}
    try:
        pending = at.pending_write(at.parse(payload), env)
    except PayloadError as error:
        raise PayloadError(str(error) if host else f"as a payload of {at.TITLE}: {error}") from None
    except ValueError:
        raise PayloadError("the folder that the payload names cannot be one") from None
    if transcript:
        path = os.path.abspath(transcript)
        if not os.path.isfile(path):
            raise PayloadError(f"{path}: no such transcript")
        pending = replace(pending, transcript_path=path)
    if project and not at.PROJECT_VARIABLE:
        pending = replace(pending, project_dir=project_dir(project, pending.cwd))
    return Given(pending, host=named)


def of_case(case: Mapping[str, object], host: str | None = None) -> Given:
    """A labelled case as the command takes it, by the settings that count for that host. Raises PayloadError for a row
    that cannot be used."""
    from calibration.cases.case import IncompleteError, effects_of, exchange_of, pending_of, text_of
    from compass.composition.effects import classify

    try:
        pending, exchange = pending_of(case), exchange_of(case)
        effects, text = effects_of(case, classify), text_of(case)
    except IncompleteError as error:
        raise IncompleteCaseError(str(error), error.missing) from None
    except ValueError as error:
        raise PayloadError(str(error)) from None
    return Given(pending, exchange, effects, text, host or registry.DEFAULT)


def add_input_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host",
        choices=sorted(registry.HOSTS),
        help=f"the agent that is meant (default: taken from the payload, otherwise {registry.DEFAULT})",
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--payload", metavar="FILE|-", help="the host's payload of a call (the default: - for stdin)"
    )
    source.add_argument("--case", metavar="FILE|-", help="labelled cases, one JSON object per line")
    parser.add_argument(
        "--transcript", metavar="FILE", help="read the exchange from here, not from the payload's path"
    )
    add_stated_arguments(parser)


def read_inputs(args: argparse.Namespace, env: Mapping[str, str]) -> Iterator[Given]:
    """What the files and options of a command give to judge, one by one. Raises PayloadError naming the file, and the
    line of a case, for whatever cannot be used."""
    row = stated(args)
    if row is not None:
        yield of_case(row, args.host)
        return
    if args.case:
        if args.transcript:
            raise PayloadError("--transcript goes with --payload: a case states its exchange itself")
        yield from _cases(str(args.case), args.host)
        return
    name = str(args.payload or "-")
    payload = _read(name)
    try:
        yield of_payload(payload, env, args.host, transcript=str(args.transcript or ""))
    except PayloadError as error:
        hint = "" if args.host else "; if it is another agent's, name that agent with --host"
        if not _is_one_object(payload.decode("utf-8", "replace")):
            hint = f"; or {STATE_IT}"
        raise PayloadError(f"{_shown(name)}: {error}{hint}") from None


def _cases(name: str, host: str | None) -> Iterator[Given]:
    import json

    found = False
    text = _read(name).decode("utf-8", "replace")
    # One pretty-printed object is as good as one line.
    lines = [text] if _is_one_object(text) else text.splitlines()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{_shown(name)}:{number}"
        try:
            row = cast(object, json.loads(line))
        except (ValueError, RecursionError) as error:
            raise PayloadError(f"{where}: not JSON: {str(error)[:100]}") from None
        if not isinstance(row, dict):
            raise PayloadError(f"{where}: not a JSON object")
        try:
            given = of_case(cast(Mapping[str, object], row), host)
        except IncompleteCaseError as error:
            raise IncompleteCaseError(f"{where}: {error}", error.missing) from None
        except PayloadError as error:
            raise PayloadError(f"{where}: {error}") from None
        found = True
        yield given
    if not found:
        raise PayloadError(f"{_shown(name)}: contains no case")


def _is_one_object(text: str) -> bool:
    import json

    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _read(name: str) -> bytes:
    try:
        if name == "-":
            if sys.stdin.isatty():
                print(WAITING, file=sys.stderr, flush=True)
            return sys.stdin.buffer.read()
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise PayloadError(f"{_shown(name)}: {error.strerror}") from None


def _shown(name: str) -> str:
    return "stdin" if name == "-" else name


def add_host(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup,  # pyright: ignore[reportPrivateUsage]
    default: str = registry.DEFAULT,
) -> None:
    """Adds the option `--host NAME`; the default one without it. Empty for a command that tells it by itself."""
    parser.add_argument(
        "--host",
        choices=sorted(registry.HOSTS),
        default=default,
        help=f"the agent that is meant (default: {default or 'taken from what is read'})",
    )


def positive(text: str) -> int:
    """A whole number from 1, for an argument's `type`."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def write_page(path: str, page: str) -> None:
    """Writes the report's HTML to the file of `--html`. Raises PayloadError."""
    try:
        Path(path).write_text(page, encoding="utf-8")
    except OSError as error:
        raise PayloadError(f"{path}: {error}") from error


def add_readers(parser: argparse.ArgumentParser) -> None:
    """Adds the options `--backend NAME` of who judges recorded sessions, rules without it, and `--yes` for those that
    are hosted."""
    parser.add_argument(
        "--backend",
        choices=KEYS["evaluator.backend"].choices,
        default=EMBEDDED,
        help="who judges recorded sessions (default: %(default)s)",
    )
    parser.add_argument("--yes", action="store_true", help="ask hosted readers without asking you first")

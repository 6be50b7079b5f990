"""What a command is told on its line: a payload or a labelled case, which agent and readers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluator.errors import PayloadError
from evaluator.gate.pipeline import Parts
from evaluator.model import Effects, Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from evaluator.settings.keys import KEYS
from evaluator.settings.places import project_dir
from hooks import registry
from hooks.host import json_object
from hooks.registry import host_of_payload

WAITING = "Reading a hook's payload (or, with `--case -`, cases) from stdin; press Ctrl-D to end."


@dataclass(frozen=True, slots=True)
class Given:
    """A pending write; a case states its exchange and effect too, a payload neither, a program the effect."""

    pending: PendingWrite
    exchange: Exchange | None = None
    effects: Effects | None = None
    text: str | None = None
    """Of the target before the write, where a case states it."""
    host: str = registry.DEFAULT
    """Whose settings files count."""


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

    def commands(self, pending: PendingWrite) -> tuple[str, ...]:
        return ()


def parts_for(given: Given, parts: Parts) -> Parts:
    """The gate's parts, with what a case states in place of what would be looked up."""
    if given.exchange is None:
        return parts
    parts = replace(parts, transcripts=FixedExchange(given.exchange))
    if given.effects is None:
        return parts

    def effects_of(_: PendingWrite) -> Effects | None:
        return given.effects

    def text_of(_: str) -> str | None:
        return given.text

    return replace(parts, effects_of=effects_of, text_of=text_of)


def of_payload(payload: bytes, env: Mapping[str, str], host: str = "", project: str = "") -> Given:
    """A host's payload as the command takes it. `host` empty: whoever's shape it has. `project` counts before the
    folder that the payload names. Raises PayloadError for what is no call of that host's."""
    named = host or host_of_payload(json_object(payload))
    at = registry.host_of(named)
    if project and at.PROJECT_VARIABLE:
        env = {**env, at.PROJECT_VARIABLE: project}
    try:
        pending = at.pending_write(at.parse(payload), env)
    except PayloadError as error:
        raise PayloadError(str(error) if host else f"not a valid {at.TITLE} payload: {error}") from None
    except ValueError:
        raise PayloadError("the payload names a folder that cannot exist") from None
    if project and not at.PROJECT_VARIABLE:
        pending = replace(pending, project_dir=project_dir(project, pending.cwd))
    return Given(pending, host=named)


def of_case(case: Mapping[str, object], host: str = "") -> Given:
    """A labelled case as the command takes it, by that host's settings. Raises PayloadError for an unusable row."""
    from calibration.cases.case import effects_of, exchange_of, pending_of, text_of
    from compass.composition.effects import classify

    try:
        pending, exchange = pending_of(case), exchange_of(case)
        effects, text = effects_of(case, classify), text_of(case)
    except ValueError as error:
        raise PayloadError(str(error)) from None
    return Given(pending, exchange, effects, text, host or registry.DEFAULT)


def add_input_arguments(parser: argparse.ArgumentParser) -> None:
    add_host(parser, default="")
    source = parser.add_mutually_exclusive_group()
    told = "the host's payload for a call (default: -, meaning stdin)"
    source.add_argument("--payload", metavar="FILE|-", help=told)
    source.add_argument("--case", metavar="FILE|-", help="labelled cases, one JSON object per line")


def read_inputs(args: argparse.Namespace, env: Mapping[str, str]) -> Iterator[Given]:
    """What the files of a command give to judge, one by one. Raises PayloadError naming the file, and the line of a
    case, for whatever cannot be used."""
    name = str(args.case or args.payload or "-")
    shown = "stdin" if name == "-" else name
    try:
        if name != "-":
            with open(name, "rb") as file:
                content = file.read()
        else:
            if sys.stdin.isatty():
                print(WAITING, file=sys.stderr, flush=True)
            content = sys.stdin.buffer.read()
    except OSError as error:
        raise PayloadError(f"{shown}: {error.strerror}") from None
    if not args.case:
        try:
            yield of_payload(content, env, args.host)
        except PayloadError as error:
            raise PayloadError(f"{shown}: {error}") from None
        return
    text = content.decode("utf-8", "replace")
    if not text.strip():
        raise PayloadError(f"{shown}: contains no cases")
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield of_case(json_object(line.encode()), args.host)
            except PayloadError as error:
                raise PayloadError(f"{shown}:{number}: {error}") from None


def add_host(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup,  # pyright: ignore[reportPrivateUsage]
    default: str = registry.DEFAULT,
) -> None:
    """Adds the option `--host NAME`; the default one without it. Empty for a command that tells it by itself."""
    told = f"which agent this is about (default: {default or 'detected from the input'})"
    parser.add_argument("--host", choices=sorted(registry.HOSTS), default=default, help=told)


def add_backend(parser: argparse.ArgumentParser, told: str, default: str | None = None) -> None:
    """Adds the option `--backend NAME`; `told` is its help."""
    choices = KEYS["evaluator.backend"].choices
    parser.add_argument("--backend", choices=choices, default=default, help=told)


def add_batch(parser: argparse.ArgumentParser, answers: str) -> None:
    """Adds the options by which readers are asked through files; `answers` says whose results are read."""
    files = parser.add_argument_group("asking readers through files (Message Batches format)")
    told = "write the prompts that have no answer yet to this file; send nothing"
    files.add_argument("--prompts-out", metavar="FILE", help=told)
    told = f"{answers}; may be repeated"
    files.add_argument("--answers", metavar="FILE", action="append", default=[], help=told)


def positive(text: str) -> int:
    """A whole number from 1, for an argument's `type`."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number

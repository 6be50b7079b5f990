"""Where `check` and `explain` get a pending write from: a host's payload, or a labelled case."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from compass.joining.naming import add_host
from evaluator.errors import PayloadError
from evaluator.gate.pipeline import Parts
from evaluator.model import Effects, Exchange, KeptPrompt, Lookup, PendingWrite
from evaluator.ports import Voice
from hooks import registry


@dataclass(frozen=True, slots=True)
class Given:
    """A pending write; a case states its exchange and effect too, a payload leaves them to be found."""

    pending: PendingWrite
    exchange: Exchange | None = None
    effects: Effects | None = None
    text: str | None = None
    """Of the target before the write, where a case states it."""

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


def add_input_arguments(parser: argparse.ArgumentParser) -> None:
    add_host(parser)
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--payload", metavar="FILE|-", help="the host's payload of a call (the default: - for stdin)"
    )
    source.add_argument("--case", metavar="FILE|-", help="labelled cases, one JSON object a line")
    parser.add_argument(
        "--transcript", metavar="FILE", help="read the exchange from here, not from the payload's path"
    )


def read_inputs(args: argparse.Namespace, env: Mapping[str, str]) -> Iterator[Given]:
    """Raises PayloadError naming the file, and the line of a case, for whatever cannot be used."""
    if args.case:
        if args.transcript:
            raise PayloadError("--transcript goes with --payload: a case states its exchange itself")
        yield from _cases(str(args.case))
        return
    host = registry.host_of(args.host)
    name = str(args.payload or "-")
    try:
        pending = host.pending_write(host.parse(_read(name)), env)
    except PayloadError as error:
        raise PayloadError(f"{_shown(name)}: {error}") from None
    if args.transcript:
        transcript = os.path.abspath(str(args.transcript))
        if not os.path.isfile(transcript):
            raise PayloadError(f"{transcript}: no such transcript")
        pending = replace(pending, transcript_path=transcript)
    yield Given(pending)


def _cases(name: str) -> Iterator[Given]:
    import json

    from calibration.cases.subjects import effects_of, exchange_of, pending_of, text_of
    from compass.joining.shell import classify

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
        case = cast(Mapping[str, object], row)
        try:
            given = Given(pending_of(case), exchange_of(case), effects_of(case, classify), text_of(case))
        except ValueError as error:
            raise PayloadError(f"{where}: {error}") from None
        found = True
        yield given
    if not found:
        raise PayloadError(f"{_shown(name)}: holds no case")


def _is_one_object(text: str) -> bool:
    import json

    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _read(name: str) -> bytes:
    try:
        if name == "-":
            return sys.stdin.buffer.read()
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise PayloadError(f"{_shown(name)}: {error.strerror}") from None


def _shown(name: str) -> str:
    return "stdin" if name == "-" else name

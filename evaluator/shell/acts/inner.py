"""Rows put together: in front of a command that runs, before and behind `--`, and for a file of a fixed name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evaluator.model import Operation
from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome, reads, unlisted, writes
from evaluator.shell.rows.row import Row
from evaluator.shell.words import Word


def split(call: Call, own: Row) -> tuple[Call, tuple[Word, ...]]:
    """The call with the options before its first operand alone, and the words from there on."""
    options = read_options(call.args, own.takes, style=own.style, stop=True)
    cut = len(call.args) - len(options.rest)
    return replace(call, args=call.args[:cut]), options.rest


def wraps(own: Row, skip: int = 0) -> Handler:
    """Options of `own`, `skip` operands, then the command: what it does, and what the options do besides."""

    def handle(call: Call) -> list[Outcome]:
        leading, rest = split(call, own)
        found = changing(own(leading))
        command = rest[skip:]
        if not command:
            return found or [reads(own.family)]
        return [*found, *call.shell.run_words(command, call.stdin)]

    return handle


def changing(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [one for one in outcomes if one.verdict != "read_only"]


def handing(own: Handler, after: Handler) -> Handler:
    """What stands behind `--` is for another program, which `after` knows."""

    def handle(call: Call) -> list[Outcome]:
        texts = call.texts
        if "--" not in texts:
            return own(call)
        at = texts.index("--")
        before = own(replace(call, args=call.args[:at]))
        behind = after(replace(call, args=call.args[at + 1 :])) if call.args[at + 1 :] else []
        return changing([*before, *behind]) or before

    return handle


def on_file(own: Row, operation: Operation, file: str, least: int = 0) -> Handler:
    """Writes a file of a fixed name if it is given at least `least` operands; its options are proven by `own`."""

    def handle(call: Call) -> list[Outcome]:
        found = own(call)
        options = read_options(call.args, own.takes, style=own.style)
        told = options.has(names("--help --version")) or options.has(frozenset(own.milder))
        if told or len(options.operands) < least:
            return found
        return [*changing(found), writes(operation, (file,), own.family)]

    return handle


def anywhere(own: Handler, valued: str) -> Handler:
    """Options in front of the subcommand mean the same behind it (`apt-get -s upgrade`)."""
    options_with_value = names(valued)

    def handle(call: Call) -> list[Outcome]:
        rest = read_options(call.args, options_with_value, stop=True).rest
        leading = call.args[: len(call.args) - len(rest)]
        return own(
            replace(call, args=(*rest[:1], *leading, *rest[1:])) if rest and "--" not in call.texts else call
        )

    return handle


def asking(own: Row, asks: str, otherwise: Operation = "unknown") -> Handler:
    """`own` where one of the options `asks` is given; `otherwise` is what it does without."""
    wanted = names(asks)

    def handle(call: Call) -> list[Outcome]:
        asked = read_options(call.args, own.takes, style=own.style).has(wanted)
        if asked:
            return own(call)
        return [unlisted(own.family) if otherwise == "unknown" else writes(otherwise, (), own.family)]

    return handle


def barring(own: Row, words: str = "", then: Handler | None = None) -> Handler:
    """A file of further arguments (`@FILE`) is not known, nor is a subcommand that stands where operands do."""
    barred = names(words)

    def handle(call: Call) -> list[Outcome]:
        given = read_options(call.args, own.takes).texts()
        if any(text.startswith("@") for text in given) or not barred.isdisjoint(given[:1]):
            return [unlisted("build"), *changing((then or own)(call))]
        return (then or own)(call)

    return handle

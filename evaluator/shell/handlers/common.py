"""What programs have in common and no column says: a command behind options, words behind `--`, a rehearsal.

The first argument of each is a row, or what else answers for the program; the tables of programs name these functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from evaluator.model import Operation
from evaluator.shell.call import (
    Call,
    Handler,
    Options,
    Outcome,
    part_of,
    read_options,
    reads,
    unlisted,
    writes,
)
from evaluator.shell.rows.row import Row, asks_help, before_dashes
from evaluator.shell.words import Word
from evaluator.tables import names

Act = Callable[[Call, Options], list[Outcome]]
Prepare = Callable[[Sequence[Word]], Sequence[Word]]


def options_of(known: Row, words: Sequence[Word]) -> Options:
    return read_options(words, known.takes, style=known.style)


def proven(own: Row, call: Call) -> tuple[Options, list[Outcome]]:
    """The call's options, and what the row says that it does besides reading."""
    return options_of(own, call.args), changing(own(call))


def after(known: Row, act: Act | None = None, prepare: Prepare | None = None) -> Handler:
    """What `known` says of the call, and what `act` says besides; an operand that may turn out to be an option never
    reads. `act` is asked unless the words may hide anything or only ask for help. `prepare` brings the words into the
    form that both read.
    """

    def handle(call: Call) -> list[Outcome]:
        asked = replace(call, args=tuple(prepare(call.args))) if prepare else call
        told = known(asked)
        if any(word.decoded for word in asked.args):
            return told
        options = options_of(known, asked.args)
        doing = changing(told)
        if not doing and asks_help(options):
            return told
        done = changing(act(asked, options)) if act else []
        if doing or done:
            return list(dict.fromkeys([*doing, *done]))
        own = before_dashes(asked.args)
        if any(word.may_be_option and word in own for word in options.operands):
            return [unlisted(known.family)]
        return [reads(known.family)]

    return handle


def split(call: Call, own: Row) -> tuple[Call, tuple[Word, ...]]:
    """The call with the options before its first operand alone, and the words from there on."""
    options = read_options(call.args, own.takes, style=own.style, stop=True)
    cut = len(call.args) - len(options.rest)
    return replace(call, args=call.args[:cut]), options.rest


def wraps(own: Row, skip: int = 0, sign: str = "") -> Handler:
    """Options of `own`, `skip` operands, then the command: what it does, and what the options do besides. What stands
    before `sign` in its first word names where it runs (`hatch run dev:rm x`).
    """

    def handle(call: Call) -> list[Outcome]:
        leading, rest = split(call, own)
        found = changing(own(leading))
        command = rest[skip:]
        if not command:
            return found or [reads(own.family)]
        if sign and sign in command[0].text:
            command = (part_of(command[0], command[0].text.partition(sign)[2]), *command[1:])
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


def on_file(own: Row, operation: Operation, file: str, least: int = 0, instead: str = "") -> Handler:
    """Writes a file of a fixed name if it is given at least `least` operands, or the one that an option of `instead`
    names; its options are proven by `own`.
    """

    def handle(call: Call) -> list[Outcome]:
        found = own(call)
        options = read_options(call.args, own.takes, style=own.style)
        named = options.may_have(names(instead))
        if named or asks_help(options) or own.only_tells(options) or len(options.operands) < least:
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
        flags = read_options(call.args, own.takes, style=own.style).flags
        given = [(value is None) != (name in own.takes) for name, value in flags if name in wanted]
        if given and all(given):
            return own(call)
        does = unlisted(own.family) if otherwise == "unknown" else writes(otherwise, (), own.family)
        return [*changing(own(call) if given else ()), does]

    return handle


def barring(own: Row, words: str = "", then: Handler | None = None) -> Handler:
    """A file of further arguments (`@FILE`) is not known, nor is a subcommand that stands where operands do."""
    barred = names(words)

    def handle(call: Call) -> list[Outcome]:
        given = read_options(call.args, own.takes).texts()
        if any(text.startswith("@") for text in given) or not barred.isdisjoint(given[:1]):
            return [unlisted(own.family), *changing((then or own)(call))]
        return (then or own)(call)

    return handle


TELLS = ("client", "server", "true")


def rehearses(word: Word) -> bool:
    """`--dry-run`, alone or with a value that says so."""
    _, equals, value = word.text.partition("=")
    return word.plain and (not equals or value in TELLS)


def elsewhere(own: Handler) -> Handler:
    """Files of another system are no files here."""

    def handle(call: Call) -> list[Outcome]:
        return [replace(one, targets=()) for one in own(call)]

    return handle


def known(found: Sequence[Outcome]) -> bool:
    """Whether a row knows every option of the call."""
    return not any(one.operation == "unknown" for one in found)


def rehearsing(row: Handler, asks: str = "--dry-run") -> Handler:
    """The row, which only tells where the last of the options `asks` says so."""
    wanted = asks.split()

    def handle(call: Call) -> list[Outcome]:
        own = before_dashes(call.args)
        asked = [at for at, word in enumerate(own) if word.text.split("=")[0] in wanted]
        rest = tuple(word for at, word in enumerate(call.args) if at not in asked)
        found = row(Call(call.name, rest, call.stdin, call.shell))
        told = bool(asked) and rehearses(own[asked[-1]])
        return [reads(found[0].family)] if told and known(found) else found

    return handle

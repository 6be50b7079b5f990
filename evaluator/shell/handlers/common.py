"""What programs have in common and no column says: a command behind options, words behind `--`, a rehearsal.

Each takes the call, then a row, or what else answers for the program; the tables of programs name these functions.
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
from evaluator.text import names

Act = Callable[[Call, Options], list[Outcome]]
Prepare = Callable[[Sequence[Word]], Sequence[Word]]


def options_of(known: Row, words: Sequence[Word]) -> Options:
    return read_options(words, known.takes, style=known.style)


def proven(own: Row, call: Call) -> tuple[Options, list[Outcome]]:
    """The call's options, and what the row says that it does besides reading."""
    return options_of(own, call.args), changing(own(call))


def after(call: Call, known: Row, act: Act | None = None, prepare: Prepare | None = None) -> list[Outcome]:
    """What `known` says of the call, and what `act` says besides; an operand that may turn out to be an option never
    reads. `act` is asked unless the words may hide anything or only ask for help. `prepare` brings the words into the
    form that both read."""
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


def split(call: Call, own: Row) -> tuple[Call, tuple[Word, ...]]:
    """The call with the options before its first operand alone, and the words from there on."""
    options = read_options(call.args, own.takes, style=own.style, stop=True)
    cut = len(call.args) - len(options.rest)
    return replace(call, args=call.args[:cut]), options.rest


def wraps(call: Call, own: Row, skip: int = 0, sign: str = "") -> list[Outcome]:
    """Options of `own`, `skip` operands, then the command: what it does, and what the options do besides. What stands
    before `sign` in its first word names where it runs (`hatch run dev:rm x`)."""
    leading, rest = split(call, own)
    found = changing(own(leading))
    command = rest[skip:]
    if not command:
        return found or [reads(own.family)]
    if sign and sign in command[0].text:
        command = (part_of(command[0], command[0].text.partition(sign)[2]), *command[1:])
    return [*found, *call.shell.run_words(command, call.stdin)]


def changing(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [one for one in outcomes if one.verdict != "read_only"]


def handing(call: Call, own: Handler, after: Handler) -> list[Outcome]:
    """What stands behind `--` is for another program, which `after` knows."""
    texts = call.texts
    if "--" not in texts:
        return own(call)
    at = texts.index("--")
    before = own(replace(call, args=call.args[:at]))
    behind = after(replace(call, args=call.args[at + 1 :])) if call.args[at + 1 :] else []
    return changing([*before, *behind]) or before


def on_file(
    call: Call, own: Row, operation: Operation, file: str, least: int = 0, instead: str = ""
) -> list[Outcome]:
    """Writes a file of a fixed name if it is given at least `least` operands, or the one that an option of `instead`
    names; its options are proven by `own`."""
    found = own(call)
    options = options_of(own, call.args)
    named = options.may_have(names(instead))
    if named or asks_help(options) or own.only_tells(options) or len(options.operands) < least:
        return found
    return [*changing(found), writes(operation, (file,), own.family)]


def anywhere(call: Call, own: Handler, valued: str) -> list[Outcome]:
    """Options in front of the subcommand mean the same behind it (`apt-get -s upgrade`)."""
    rest = read_options(call.args, names(valued), stop=True).rest
    leading = call.args[: len(call.args) - len(rest)]
    moved = replace(call, args=(*rest[:1], *leading, *rest[1:]))
    return own(moved if rest and "--" not in call.texts else call)


def asking(call: Call, own: Row, asks: str, otherwise: Operation = "unknown") -> list[Outcome]:
    """`own` where one of the options `asks` is given; `otherwise` is what it does without."""
    wanted = names(asks)
    flags = options_of(own, call.args).flags
    given = [(value is None) != (name in own.takes) for name, value in flags if name in wanted]
    if given and all(given):
        return own(call)
    does = unlisted(own.family) if otherwise == "unknown" else writes(otherwise, (), own.family)
    return [*changing(own(call) if given else ()), does]


def barring(call: Call, own: Row, words: str = "", then: Handler | None = None) -> list[Outcome]:
    """A file of further arguments (`@FILE`) is not known, nor is a subcommand that stands where operands do."""
    given = read_options(call.args, own.takes).texts()
    if any(text.startswith("@") for text in given) or not names(words).isdisjoint(given[:1]):
        return [unlisted(own.family), *changing((then or own)(call))]
    return (then or own)(call)


def elsewhere(call: Call, own: Handler) -> list[Outcome]:
    """Files of another system are no files here."""
    return [replace(one, targets=()) for one in own(call)]


def known(found: Sequence[Outcome]) -> bool:
    """Whether a row knows every option of the call."""
    return not any(one.operation == "unknown" for one in found)


def rehearsing(call: Call, row: Handler, asks: str = "--dry-run") -> list[Outcome]:
    """The row, which only tells where the last of the options `asks` says so: alone, or by its value."""
    own = before_dashes(call.args)
    asked = [at for at, word in enumerate(own) if word.text.split("=")[0] in names(asks)]
    found = row(replace(call, args=tuple(word for at, word in enumerate(call.args) if at not in asked)))
    if not asked or not known(found):
        return found
    last = own[asked[-1]]
    _, equals, value = last.text.partition("=")
    told = last.plain and (not equals or value in ("client", "server", "true"))
    return [reads(found[0].family)] if told else found

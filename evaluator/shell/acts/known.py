"""A row that knows a program's options, followed by a function that says what no column can."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from evaluator.shell.call import Call, Handler
from evaluator.shell.options import Options, read_options
from evaluator.shell.outcome import Outcome, reads, unlisted
from evaluator.shell.rows.row import HELP, Row, before_dashes
from evaluator.shell.words import Word

Act = Callable[[Call, Options], list[Outcome]]
Prepare = Callable[[Sequence[Word]], Sequence[Word]]


def options_of(known: Row, words: Sequence[Word]) -> Options:
    return read_options(words, known.takes, style=known.style)


def after(known: Row, act: Act, prepare: Prepare | None = None) -> Handler:
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
        doing = [one for one in told if one.verdict != "read_only"]
        if not doing and options.has(HELP):
            return told
        done = [one for one in act(asked, options) if one.verdict != "read_only"]
        if doing or done:
            return list(dict.fromkeys([*doing, *done]))
        own = before_dashes(asked.args)
        if any(word.may_be_option and word in own for word in options.operands):
            return [unlisted(known.family)]
        return [reads(known.family)]

    return handle


def no_files_of_options(known: Row) -> Handler:
    """For the binary tools, which read more options from `@FILE`."""

    def act(call: Call, options: Options) -> list[Outcome]:
        hidden = any(word.text.startswith("@") for word in call.args)
        return [unlisted(known.family)] if hidden else []

    return after(known, act)

"""Options that ask a program to only tell what it would do, where the option may have a value (`--dry-run=none`)."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.shell.call import Call, Handler
from evaluator.shell.outcome import Outcome, reads
from evaluator.shell.rows.row import before_dashes

TELLS = ("", "client", "server", "true")


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
        last = own[asked[-1]] if asked else None
        told = last is not None and last.plain and last.text.partition("=")[2] in TELLS
        return [reads(found[0].family)] if told and known(found) else found

    return handle

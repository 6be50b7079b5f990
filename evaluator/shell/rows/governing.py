"""Rows for programs that govern services, power, networks, processes, users or disks: a few of their words look."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.shell.call import Call, Handler, Outcome, governs, reads
from evaluator.shell.options import NONE, Style, read_options
from evaluator.shell.rows.row import HELP

WAY_MAX = 2
"""How many words name what is asked (`route show`)."""


@dataclass(frozen=True, slots=True)
class Governs:
    """A program that governs services, power, networks, processes or users: it looks only where its row says so.

    `looks`: the operand at place `at` that only looks, whatever follows. `pairs`: the same of its first two operands.
    `ways` and `alone`: one set of words for each operand, the first ones or all; words may be cut short behind their
    bar (`r|oute` is r, ro, rou, rout and route). `asks`: options that make it look. `mild` and `valued`: options,
    without and with a value, that change nothing about that; any other option governs. `bare`: whether it looks
    without operands. `free`: how many operands it may have and look whatever they are, if none of them holds `=`.
    `otherwise`: what it does else. `remote`: it asks over the network, which takes literal words.
    """

    family: str = "system"
    looks: frozenset[str] = NONE
    pairs: frozenset[str] = NONE
    ways: tuple[tuple[str, ...], ...] = ()
    alone: tuple[tuple[str, ...], ...] = ()
    asks: frozenset[str] = NONE
    mild: frozenset[str] = NONE
    valued: frozenset[str] = NONE
    at: int = 0
    bare: bool = False
    free: int = 0
    style: Style = "gnu"
    otherwise: Handler | None = None
    remote: bool = False

    def __call__(self, call: Call) -> list[Outcome]:
        if self._looks(call):
            return [reads(self.family)]
        return self.otherwise(call) if self.otherwise else [governs(self.family)]

    def _looks(self, call: Call) -> bool:
        options = read_options(call.args, self.valued, style=self.style)
        known = self.asks | self.mild | self.valued
        if any(flag not in known for flag, _ in options.flags):
            return len(options.flags) == 1 and not options.operands and options.has(HELP)
        if any(word.may_be_option or (self.remote and word.dynamic) for word in call.args):
            return False
        words, given = options.operands, options.texts()
        if not given:
            return self.bare or self.free > 0 or options.has(self.asks)
        if options.has(self.asks) or len(given) <= self.free:
            return not any("=" in text for text in given)
        # A word that is not known is a name, unless it stands where the verb does or may be several words before it.
        verb = self.at
        if any(word.bare for word in words[:verb]) or not all(word.plain for word in words[verb : verb + 1]):
            return False
        if len(given) > verb and given[verb] in self.looks:
            return True
        if not all(word.plain for word in words[:WAY_MAX]):
            return False
        return (
            " ".join(given[:2]) in self.pairs
            or any(_leads(way, given) for way in self.ways)
            or any(len(way) == len(given) and _leads(way, given) for way in self.alone)
        )


def _leads(way: tuple[str, ...], given: list[str]) -> bool:
    return len(given) >= len(way) and all(
        any(_spells(one, text) for one in step.split()) for step, text in zip(way, given, strict=False)
    )


def _spells(word: str, text: str) -> bool:
    stem, _, rest = word.partition("|")
    return text.startswith(stem) and (stem + rest).startswith(text)

"""Whether a value is what a label announces, by where it stands alone: the whole clause, cell, literal. Pure.

The label says that it is a secret; what is asked is whether this is its value at all, or the next word of a
sentence. Every look around is bounded.
"""

from __future__ import annotations

from typing import NamedTuple

from evaluator.egress.redaction.finders import syntax
from evaluator.egress.redaction.finders.prose import is_beside
from evaluator.egress.redaction.finders.syntax import Bind
from evaluator.egress.redaction.patterns import compiled
from evaluator.egress.redaction.secret_names import Level, is_label
from evaluator.egress.redaction.values import is_stated

_HEADER_MIN = 6
_OF_HEADERS = frozenset({Bind.COLON, Bind.SPACED, Bind.PAIR, Bind.COMMA})
_ALONE = frozenset({Bind.COLON, Bind.SPACED, Bind.PAIR})
_COMMANDS = frozenset({"#define", "env", "setx", "set", "export", "arg"})
"""What stands before a name that takes its value beside it."""


class Name(NamedTuple):
    start: int
    end: int
    level: Level


class StatedValue(NamedTuple):
    """A possible value, text[first:last]."""

    first: int
    last: int
    bind: Bind
    quoted: bool


def stated(text: str, name: Name, found: StatedValue) -> tuple[int, int] | None:
    """Where the secret stands, if the label announces one."""
    label, level = text[name.start : name.end], name.level
    if label.lower().endswith("authorization") and found.bind in _OF_HEADERS:
        found, level = _after_scheme(text, found), Level.TOKEN
        if found.last - found.first < _HEADER_MIN:
            return None
    elif level is Level.HINT or not is_label(label):
        return None
    announced = _announces_quoted if found.quoted else _announces_bare
    strong = found.quoted or compiled(r"tokens?").fullmatch(label.lower()) is None
    value = text[found.first : found.last]
    typed = not found.quoted and (level is Level.PASSWORD or (level is Level.SECRET and value.isalpha()))
    talked = not (typed and _is_typed(text, name, found.bind))
    holds = announced(text, name, found) and is_stated(
        value, level, quoted=found.quoted, strong=strong, talked=talked
    )
    return (found.first, found.last) if holds else None


def _after_scheme(text: str, found: StatedValue) -> StatedValue:
    scheme = syntax.scheme().match(text, found.first, found.last) if found.quoted else None
    return found if scheme is None else found._replace(first=scheme.end())


def _announces_quoted(text: str, name: Name, found: StatedValue) -> bool:
    if found.bind is not Bind.BESIDE:
        return True
    line, label = _line_before(text, name.start), text[name.start : name.end].lower()
    if _is_flag(line) or line.strip().lower() in _COMMANDS:
        return True
    own = name.level is not Level.SECRET and label not in {"pass", "token"}
    return own and not any(char in line for char in "(=<{")


def _announces_bare(text: str, name: Name, found: StatedValue) -> bool:
    """Whether the value fills its place: no sentence goes on after it."""
    value, bind, line = text[found.first : found.last], found.bind, _line_before(text, name.start)
    if bind is Bind.ELEMENT or (_is_flag(line) and bind in {Bind.BESIDE, Bind.PAIR}):
        return True
    if bind is Bind.BESIDE:
        given = line.strip(" \t-").lower() in _COMMANDS
        return given or is_beside(text, *name[:2], found.first, found.last, name.level)
    closed = bind is Bind.PAIR and text[found.last : found.last + 1] in {" ", "\t"}
    if not closed and syntax.closing().match(text, found.last) is None:
        return False
    if name.level is Level.TOKEN and value.isalpha() and not value.islower():
        return False  # a kind of token that a lexer knows
    if bind in {Bind.SAID, Bind.ARROW}:
        return not (value.isupper() and value.isalpha() and len(value) < 6)
    return bind in _ALONE or (bind is Bind.RENAME and name.level is Level.PASSWORD)


def _is_typed(text: str, name: Name, bind: Bind) -> bool:
    """Whether the pair is for a shell or an environment, where no sentence goes on: `DB_PASSWORD=V`, `--password V`."""
    option = compiled(r"(?:^|\s)-(?:-|[\w-]+\s)?\Z").search(_line_before(text, name.start)) is not None
    return (bind is Bind.PAIR and (option or text[name.start : name.end].isupper())) or (
        bind is Bind.BESIDE and option
    )


def _is_flag(line: str) -> bool:
    return line.endswith(("--", " -"))


def _line_before(text: str, at: int) -> str:
    return text[max(at - 120, 0) : at].rpartition("\n")[2]

"""Whether a value is what a label announces, by where it stands alone: the whole clause, cell, literal. Pure.

The label says that it is a secret; what is asked is whether this is its value at all, or the next word of a
sentence, a variable, a type. Every look around is bounded.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

from evaluator.egress.redaction.finders import syntax
from evaluator.egress.redaction.finders.prose import is_beside
from evaluator.egress.redaction.finders.syntax import Bind
from evaluator.egress.redaction.labels import Level, goes_on, is_abstract, is_label, vocabulary
from evaluator.egress.redaction.patterns import compiled
from evaluator.egress.redaction.values import is_passphrase, is_stated

_BEFORE = 200
_AFTER = 120
_PHRASE_CHARS_MAX = 128
_HEADER_MIN = 6
_PHRASED = frozenset({Bind.COLON, Bind.SAID, Bind.SPACED})
_OF_HEADERS = frozenset({Bind.COLON, Bind.SPACED, Bind.PAIR, Bind.COMMA})
_DIRECTIVES = frozenset({"requirepass", "storepass", "keypass", "rootpw", "masterauth"})
"""Names that take their value beside them."""
_COMMANDS = frozenset({"#define", "env", "setx", "set", "export", "arg"})
"""What stands before a name that takes its value beside it."""


class Name(NamedTuple):
    start: int
    end: int
    level: Level


class StatedValue(NamedTuple):
    """A possible value, text[first:last], of which `at` is where its literal begins."""

    at: int
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
    elif level is Level.HINT or not is_label(label) or text[max(name.start - 1, 0) : name.start] == "[":
        return None
    if found.quoted:
        holds = _is_literal(text, name, found, level)
    elif (phrase := _phrase_end(text, name, found)) > found.last:
        return found.first, phrase
    else:
        holds = _is_alone(text, name, found) and is_stated(
            text[found.first : found.last],
            level,
            quoted=False,
            strong=_is_strong(label),
            said=found.bind in {Bind.SAID, Bind.ARROW},
        )
    return (found.first, found.last) if holds else None


def _after_scheme(text: str, found: StatedValue) -> StatedValue:
    scheme = syntax.header_scheme().match(text, found.first, found.last) if found.quoted else None
    return found if scheme is None else found._replace(first=scheme.end())


def _is_literal(text: str, name: Name, found: StatedValue, level: Level) -> bool:
    value = text[found.first : found.last]
    line = _line_before(text, name.start)
    match found.bind:
        case Bind.COMMA:
            if not syntax.default_of().search(line):
                return False
        case Bind.BESIDE:
            label, given = text[name.start : name.end], line.strip().lower()
            apart = text[name.end : name.end + 1] in {" ", "\t"}
            own = level is Level.PASSWORD and label.isalpha() and label.lower() != "pass"
            own = own or (level is Level.TOKEN and label.lower() not in {"token", "private"})
            if not (apart and own) or any(char in line for char in "(=<{"):
                return (_is_flag(line) or given in _COMMANDS) and is_stated(value, level, quoted=True)
        case Bind.CALL:
            if not syntax.setter().search(text[max(name.start - 1, 0) : name.end]):
                return False
        case Bind.RENAME:
            return _is_set(text, name, line) and is_stated(value, level, quoted=True)
        case Bind.PROSE:
            return level is Level.PASSWORD and is_stated(value, level, quoted=True)
        case Bind.PAIR | Bind.SPACED if text[name.start : name.end].lower() == "token":
            # What a lexer does all day.
            if syntax.compares().search(text, name.end, found.at):
                return False
        case Bind.ARROW if _is_declared(line, Bind.ARROW):
            return False
        case _:
            pass
    return is_stated(value, level, quoted=True, strong=True)


def _is_strong(label: str) -> bool:
    """Whether the label is more than a `token`, of which programs count many."""
    return compiled(r"tokens?").fullmatch(label.lower()) is None


def _is_alone(text: str, name: Name, found: StatedValue) -> bool:
    """Whether the bare value fills its place: no sentence goes on after it, and no code is around it."""
    value, bind, line = text[found.first : found.last], found.bind, _line_before(text, name.start)
    if bind is Bind.ELEMENT:
        return line.endswith("<")
    if _is_flag(line) and bind in {Bind.BESIDE, Bind.PAIR}:
        return text[name.end : name.end + 1] in {" ", "\t", "="}
    if bind is Bind.BESIDE:
        return _is_beside(text, name, found, line)
    closed = bind is Bind.PAIR and text[found.last : found.last + 1] in {" ", "\t"}
    ends = syntax.ending() if bind is Bind.ARROW else syntax.closing()
    closed = closed or ends.match(text, found.last) is not None
    if not closed or text[found.last : found.last + 1] in {"(", "["}:
        return False
    if bind in {Bind.COLON, Bind.PAIR, Bind.SPACED}:
        if syntax.comment().search(line):
            return name.level is Level.PASSWORD or any(map(str.isdigit, value))
        kind = bind is not Bind.PAIR and not _is_strong(text[name.start : name.end]) and _is_kind(value)
        return not kind and not _is_expression(text, name, found, line)
    if bind in {Bind.SAID, Bind.ARROW}:
        if bind is Bind.ARROW and _is_drawn(text, name, found, line):
            return False
        if _is_declared(line, bind) or (name.level is Level.SECRET and is_abstract(value)):
            return False
        return not (value.isupper() and value.isalpha() and len(value) < 6)
    if bind is Bind.RENAME:
        return _is_set(text, name, line)
    if bind is Bind.PROSE:
        return (
            name.level is Level.PASSWORD
            and _ends_line(text, found.last)
            and "|" not in text[name.end : found.first]
        )
    return False


def _is_drawn(text: str, name: Name, found: StatedValue, line: str) -> bool:
    """Whether the arrow ends a comment of HTML, or is one of a diagram."""
    if compiled("[-=]{2,3}>").search(text, name.end, found.first) is None:
        return False
    before = text[max(name.start - _BEFORE, 0) : name.start]
    return "<!--" in line or compiled("->|=>|→|(?:graph|flowchart|Diagram)").search(before) is not None


def _is_declared(line: str, bind: Bind) -> bool:
    """Whether code declares the name; a comma does only within brackets."""
    if bind is Bind.ARROW and line.rstrip().endswith(",") and line.count("(") <= line.count(")"):
        return "{" in line
    return syntax.declares().search(line) is not None


def _is_beside(text: str, name: Name, found: StatedValue, line: str) -> bool:
    label, given = text[name.start : name.end].lower(), line.strip(" \t-").lower()
    if label != "pass" and is_beside(text, *name[:2], found.first, found.last, name.level):
        return True
    if not _ends_line(text, found.last) or not is_stated(
        text[found.first : found.last], name.level, quoted=False
    ):
        return False
    netrc = given.startswith("machine ") and " login " in f"{given} "
    return (label in _DIRECTIVES and not given) or given in _COMMANDS or netrc


def _is_kind(value: str) -> bool:
    """Whether a lexer may call a token so: `IDENT`, `RightParen`."""
    return compiled(r"[A-Z][A-Z_]+|[A-Z][a-z]+(?:[A-Z][a-z]+)+").fullmatch(value) is not None


def _is_expression(text: str, name: Name, found: StatedValue, line: str) -> bool:
    """Whether the pair stands in code, where a bare word is a variable or a type."""
    if found.bind is Bind.PAIR and text[name.start : name.end].isupper() and "(" not in line:
        return False
    opened = line.rfind("(")
    if opened > line.rfind(")") and line[max(opened - 1, 0) : opened].strip():
        return True
    end = text[found.last : found.last + 1]
    if end == ";" and found.bind is not Bind.PAIR:
        return True
    if end == "," and _ends_line(text, found.last + 1):
        return True
    if found.bind is not Bind.PAIR and syntax.declares().search(line) and not line.endswith(("{", ", ", "(")):
        return True
    if (
        text[name.start : name.end]
        .lower()
        .startswith(("self.", "this.", "user.", "req.", "request.", "ctx."))
    ):
        return True
    if found.bind is Bind.SPACED and syntax.block().search(text, max(name.start - _BEFORE, 0), name.start):
        return True
    around = text[max(name.start - _BEFORE, 0) : name.start], text[found.first : found.last + _AFTER]
    return found.bind is not Bind.PAIR and any(syntax.code().search(one) for one in around)


def _phrase_end(text: str, name: Name, found: StatedValue) -> int:
    """The end of a passphrase without quotes that fills the rest of its line, or stands behind `passphrase`."""
    passphrase = "phrase" in text[name.start : name.end].lower()
    if name.level is not Level.PASSWORD or not (
        found.bind in _PHRASED or (passphrase and found.bind is Bind.BESIDE)
    ):
        return 0
    end = text.find("\n", found.first, found.first + _PHRASE_CHARS_MAX)
    if end < 0:
        if len(text) - found.first > _PHRASE_CHARS_MAX:
            return 0
        end = len(text)
    line = text[found.first : end].rstrip(" \t.")
    words = line.split()
    if found.bind is Bind.BESIDE:
        words = list(itertools.takewhile(lambda word: word not in vocabulary("function"), words))
    least = (
        4 if found.bind in {Bind.SAID, Bind.BESIDE} and (found.bind is Bind.BESIDE or not passphrase) else 3
    )
    if not least <= len(words) or not all(word.islower() and word.isascii() for word in words):
        return 0
    said = sum(map(goes_on, words))
    if (
        not is_passphrase(" ".join(words))
        or said > len(words) // 4
        or vocabulary("function").intersection(words)
    ):
        return 0
    return text.index(words[-1], found.first + len(line[: line.index(words[-1])])) + len(words[-1])


def _is_flag(line: str) -> bool:
    return line.endswith(("--", " -", "\n-"))


def _is_set(text: str, name: Name, line: str) -> bool:
    """Whether a verb gives the label what follows; a token is rather set `to expire`."""
    label = text[name.start : name.end]
    typed = (name.level is Level.PASSWORD and label.lower() != "pass") or label.isupper()
    return typed and syntax.sets().search(line) is not None


def _line_before(text: str, at: int) -> str:
    return text[max(at - 120, 0) : at].rpartition("\n")[2]


def _ends_line(text: str, at: int) -> bool:
    return not text[at : at + 40].partition("\n")[0].strip(" \t\r")

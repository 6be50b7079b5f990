"""Finds values beside secret-like names: environment files, YAML, JSON, code, flags, headers, tables, prose. Pure.

The name decides how little its value must look like a secret (`secret_names`), quotes how surely it is a
literal (`values`). A value that does not look like one is taken where it stands alone behind a label: the whole clause,
cell, literal, and not the next word of a sentence. Every look around is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluator.egress.redaction.finders import prose, syntax
from evaluator.egress.redaction.finders.syntax import VALUE_CHARS_MAX, Bind
from evaluator.egress.redaction.patterns import SecretSpan, compiled, lower
from evaluator.egress.redaction.secret_names import KEYWORDS, KINDS, Level, is_label, level_of, pattern
from evaluator.egress.redaction.values import is_random, is_secret, is_stated

NAME_CHARS_MAX = 64
_RANDOM_MIN = 20
"""Least length of a random value that merely follows a name."""
_WEAK_BINDS = frozenset({Bind.BESIDE, Bind.SPACED, Bind.PROSE, Bind.ARROW, Bind.SAID, Bind.RENAME})
"""After one of these has led to nothing, the next form is tried."""


_HEADER_MIN = 6
_OF_HEADERS = frozenset({Bind.COLON, Bind.SPACED, Bind.PAIR, Bind.COMMA})
_ALONE = frozenset({Bind.COLON, Bind.SPACED, Bind.PAIR})
_NAME = rf"(?:{KEYWORDS})[\w-]{{0,{NAME_CHARS_MAX}}}+"
"""The rest of an identifier from its keyword on, searched in lower case."""
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


def find_assignments(text: str) -> Iterator[SecretSpan]:
    done = 0
    for match in compiled(_NAME).finditer(lower(text)):
        if match.start() < done:
            continue
        start, end = _assignment_name_bounds(text, match.start(), match.end(), done)
        name = text[start:end]
        if name.lower() == "key":
            # `api key` is one name of two words.
            before = compiled(r"[A-Za-z]{2,16} \Z").search(text[max(start - 18, 0) : start])
            name = f"{before[0].strip().lower()}_key" if before else name
        level = level_of(name)
        if level is not None and (span := _find_assigned_value(text, Name(start, end, level))) is not None:
            yield SecretSpan(*span, KINDS[level])
            done = span[1]


def _assignment_name_bounds(text: str, keyword: int, end: int, done: int) -> tuple[int, int]:
    """The whole identifier around a keyword."""
    start, least = keyword, max(done, keyword - NAME_CHARS_MAX)
    while start > least and (text[start - 1].isalnum() or text[start - 1] in "_-."):
        start -= 1
    while start < keyword and not text[start].isalnum():
        start += 1
    while text[end - 1] == "-":
        end -= 1
    # In scripts without spaces the next word is no part of the name.
    if not text.isascii() and (
        joined := compiled("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]").search(text, keyword, end)
    ):
        end = max(joined.start(), keyword + 1)
    return start, end


def _find_assigned_value(text: str, name: Name) -> tuple[int, int] | None:
    for form, bind in syntax.separators():
        separator = form.match(text, name.end)
        if separator is None:
            continue
        found = _find_assigned_literal(text, name, separator.end(), bind)
        if found is not None or bind not in _WEAK_BINDS:
            return found
    return None if name.level is Level.HINT else prose.value_after(text, name.end, name.level)


def _find_assigned_literal(text: str, name: Name, at: int, bind: Bind) -> tuple[int, int] | None:
    """Where the value that begins at `at` stands, if it is a secret."""
    opening = syntax.opening().match(text, at)
    if opening is not None:
        first, last = _quoted_assignment_span(text, opening)
        if text[first : first + 1] == " ":
            return None  # the end of a literal that the line began: `"Password: " PASS`
    elif bind is Bind.ELEMENT:
        first, last = at, text.find("</", at, at + VALUE_CHARS_MAX)
    elif bind in {Bind.COMMA, Bind.CALL}:
        return None
    else:
        first, last = _bare_assignment_bounds(text, at)
    if last <= first:
        return None
    value = text[first:last]
    follows = bind in {Bind.COMMA, Bind.BESIDE}
    quoted = not follows and (bind is Bind.ELEMENT or (opening is not None and opening["quote"] != "`"))
    fits = not follows or name.level is Level.PASSWORD or is_random(value, _RANDOM_MIN)
    if not (fits and is_secret(value, name.level, quoted=quoted)):
        return _find_stated_assignment(text, name, StatedValue(first, last, bind, opening is not None))
    if last - first < VALUE_CHARS_MAX:
        return first, last
    beyond = syntax.rest().match(text, last)
    return first, beyond.end() if beyond else last


def _quoted_assignment_span(text: str, opening: re.Match[str]) -> tuple[int, int]:
    """Inside the quotes that were opened; to the end of the line, or of what is judged, if they do not close."""
    quote, first = opening["quote"], opening.end()
    limit = min(first + VALUE_CHARS_MAX, len(text))
    if len(quote) == 1:
        body = syntax.inside(quote).match(text, first, limit)
        return body.span() if body else (first, first)
    ends = [end for end in (text.find(quote, first, limit), text.find("\n", first, limit)) if end >= 0]
    return first, ends[0] if ends else limit


def _bare_assignment_bounds(text: str, at: int) -> tuple[int, int]:
    scheme = syntax.scheme().match(text, at)
    start = scheme.end() if scheme else at
    body = syntax.bare().match(text, start, start + VALUE_CHARS_MAX)
    if body is None:
        return at, at
    first, last = body.span()
    first += text[first] == "("
    while last > first and text[last - 1] in ",.)]}?:" and text[min(first, last - 1)] not in "[{<$":
        last -= 1
    return first, last


def _find_stated_assignment(text: str, name: Name, found: StatedValue) -> tuple[int, int] | None:
    """Where the secret stands, if the label announces one."""
    label, level = text[name.start : name.end], name.level
    if label.lower().endswith("authorization") and found.bind in _OF_HEADERS:
        scheme = syntax.scheme().match(text, found.first, found.last) if found.quoted else None
        found, level = (found if scheme is None else found._replace(first=scheme.end())), Level.TOKEN
        if found.last - found.first < _HEADER_MIN:
            return None
    elif level is Level.HINT or not is_label(label):
        return None
    announced = _assigns_quoted_value if found.quoted else _assigns_bare_value
    strong = found.quoted or compiled(r"tokens?").fullmatch(label.lower()) is None
    value = text[found.first : found.last]
    typed = not found.quoted and (level is Level.PASSWORD or (level is Level.SECRET and value.isalpha()))
    # For a shell or an environment no sentence goes on: `DB_PASSWORD=V`, `--password V`.
    line = _line_before_assignment(text, name.start)
    option = compiled(r"(?:^|\s)-(?:-|[\w-]+\s)?\Z").search(line) is not None
    shell = option and found.bind in {Bind.PAIR, Bind.BESIDE}
    talked = not (typed and (shell or (found.bind is Bind.PAIR and label.isupper())))
    holds = announced(text, name, found) and is_stated(
        value, level, quoted=found.quoted, strong=strong, talked=talked
    )
    return (found.first, found.last) if holds else None


def _assigns_quoted_value(text: str, name: Name, found: StatedValue) -> bool:
    if found.bind is not Bind.BESIDE:
        return True
    line, label = _line_before_assignment(text, name.start), text[name.start : name.end].lower()
    if _is_flag_assignment(line) or line.strip().lower() in _COMMANDS:
        return True
    own = name.level is not Level.SECRET and label not in {"pass", "token"}
    return own and not any(char in line for char in "(=<{")


def _assigns_bare_value(text: str, name: Name, found: StatedValue) -> bool:
    """Whether the value fills its place: no sentence goes on after it."""
    value, bind, line = text[found.first : found.last], found.bind, _line_before_assignment(text, name.start)
    if bind is Bind.ELEMENT or (_is_flag_assignment(line) and bind in {Bind.BESIDE, Bind.PAIR}):
        return True
    if bind is Bind.BESIDE:
        given = line.strip(" \t-").lower() in _COMMANDS
        return given or prose.is_beside(text, *name[:2], found.first, found.last, name.level)
    closed = bind is Bind.PAIR and text[found.last : found.last + 1] in {" ", "\t"}
    if not closed and pattern("closing").match(text, found.last) is None:
        return False
    if name.level is Level.TOKEN and value.isalpha() and not value.islower():
        return False  # a kind of token that a lexer knows
    if bind in {Bind.SAID, Bind.ARROW}:
        return not (value.isupper() and value.isalpha() and len(value) < 6)
    return bind in _ALONE or (bind is Bind.RENAME and name.level is Level.PASSWORD)


def _is_flag_assignment(line: str) -> bool:
    return line.endswith(("--", " -"))


def _line_before_assignment(text: str, at: int) -> str:
    return text[max(at - 120, 0) : at].rpartition("\n")[2]

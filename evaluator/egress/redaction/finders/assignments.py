"""Finds values beside secret-like names: environment files, YAML, JSON, code, flags, headers, tables, prose. Pure.

The name decides how little its value must look like a secret (`secret_names`), quotes how surely it is a
literal (`values`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from evaluator.egress.redaction.finders import prose, statements, syntax
from evaluator.egress.redaction.finders.statements import Name, StatedValue
from evaluator.egress.redaction.finders.syntax import VALUE_CHARS_MAX, Bind
from evaluator.egress.redaction.patterns import SecretSpan, compiled, lower
from evaluator.egress.redaction.secret_names import KEYWORDS, KINDS, Level, level_of
from evaluator.egress.redaction.values import is_random, is_secret

NAME_CHARS_MAX = 64
_RANDOM_MIN = 20
"""Least length of a random value that merely follows a name."""
_WEAK_BINDS = frozenset({Bind.BESIDE, Bind.SPACED, Bind.PROSE, Bind.ARROW, Bind.SAID, Bind.RENAME})
"""After one of these has led to nothing, the next form is tried."""


@cache
def _name() -> re.Pattern[str]:
    """The rest of an identifier from its keyword on, searched in lower case."""
    return re.compile(rf"(?:{KEYWORDS})[\w-]{{0,{NAME_CHARS_MAX}}}+")


def find_assignments(text: str) -> Iterator[SecretSpan]:
    done = 0
    for match in _name().finditer(lower(text)):
        if match.start() < done:
            continue
        start, end = _bounds(text, match.start(), match.end(), done)
        level = level_of(_with_word_before(text, start, end))
        if level is not None and (span := _value_of(text, Name(start, end, level))) is not None:
            yield SecretSpan(*span, KINDS[level])
            done = span[1]


def _bounds(text: str, keyword: int, end: int, done: int) -> tuple[int, int]:
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


def _with_word_before(text: str, start: int, end: int) -> str:
    """The identifier, `api key` for the `key` of these two words."""
    name = text[start:end]
    if name.lower() != "key":
        return name
    before = compiled(r"[A-Za-z]{2,16} \Z").search(text[max(start - 18, 0) : start])
    return f"{before[0].strip().lower()}_key" if before else name


def _value_of(text: str, name: Name) -> tuple[int, int] | None:
    for pattern, bind in syntax.separators():
        separator = pattern.match(text, name.end)
        if separator is None:
            continue
        found = _literal(text, name, separator.end(), bind)
        if found is not None or bind not in _WEAK_BINDS:
            return found
    return None if name.level is Level.HINT else prose.value_after(text, name.end, name.level)


def _literal(text: str, name: Name, at: int, bind: Bind) -> tuple[int, int] | None:
    """Where the value that begins at `at` stands, if it is a secret."""
    opening = syntax.opening().match(text, at)
    if opening is not None:
        first, last = _quoted(text, opening)
        if text[first : first + 1] == " ":
            return None  # the end of a literal that the line began: `"Password: " PASS`
    elif bind is Bind.ELEMENT:
        first, last = at, text.find("</", at, at + VALUE_CHARS_MAX)
    elif bind in {Bind.COMMA, Bind.CALL}:
        return None
    else:
        first, last = _bare(text, at)
    if last <= first:
        return None
    quoted = bind is Bind.ELEMENT or (opening is not None and opening["quote"] != "`")
    if not _holds(text[first:last], name, bind, quoted=quoted):
        return statements.stated(text, name, StatedValue(first, last, bind, opening is not None))
    if last - first < VALUE_CHARS_MAX:
        return first, last
    beyond = syntax.rest().match(text, last)
    return first, beyond.end() if beyond else last


def _quoted(text: str, opening: re.Match[str]) -> tuple[int, int]:
    """Inside the quotes that were opened; to the end of the line, or of what is judged, if they do not close."""
    quote, first = opening["quote"], opening.end()
    limit = min(first + VALUE_CHARS_MAX, len(text))
    if len(quote) == 1:
        body = syntax.inside(quote).match(text, first, limit)
        return body.span() if body else (first, first)
    ends = [end for end in (text.find(quote, first, limit), text.find("\n", first, limit)) if end >= 0]
    return first, ends[0] if ends else limit


def _bare(text: str, at: int) -> tuple[int, int]:
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


def _holds(value: str, name: Name, bind: Bind, *, quoted: bool) -> bool:
    """Whether the value looks like a secret by itself."""
    if bind in {Bind.COMMA, Bind.BESIDE}:
        random = name.level is Level.PASSWORD or is_random(value, _RANDOM_MIN)
        return random and is_secret(value, name.level, quoted=False)
    return is_secret(value, name.level, quoted=quoted)

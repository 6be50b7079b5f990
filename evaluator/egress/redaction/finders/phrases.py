"""Finds secrets that a phrase announces, not an identifier: a user with a password, a login. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from evaluator.egress.redaction.looks import is_random
from evaluator.egress.redaction.names import Level
from evaluator.egress.redaction.patterns import compiled, lower, matches_at
from evaluator.egress.redaction.spans import Span
from evaluator.egress.redaction.values import ValueStyle, is_secret

KIND = "password"
KEY_KIND = "token"

_KEY_MIN = 20
_LOGIN_CHARS_MAX = 64


def _is_password(value: str) -> bool:
    return is_secret(value.rstrip(".)]}。"), Level.PASSWORD, ValueStyle.LOOSE)


def _is_literal(value: str) -> bool:
    return is_secret(value, Level.PASSWORD, ValueStyle.QUOTED)


def _is_strong(value: str) -> bool:
    """Letters with a symbol, or of both cases with a digit: an e-mail address after `to:` seldom has them."""
    both = value.lower() != value != value.upper() and any(map(str.isdigit, value))
    return _is_password(value) and (both or compiled(r"\w[!#$%^&*+=?~]+\w").search(value) is not None)


def _is_key(value: str) -> bool:
    return is_random(value, _KEY_MIN) and is_secret(value, Level.TOKEN, ValueStyle.LOOSE)


class _Phrase(NamedTuple):
    """`pattern` begins at one of `words` (lower case); its groups v and w hold the value."""

    words: tuple[str, ...]
    pattern: str
    holds: Callable[[str], bool]
    kind: str = KIND


_BARE = r"[\"'`«「]?(?P<v>[^\s\"'`<>,;»」]{4,128})"
_QUOTED = r"(?:\"(?P<v>[^\"\n]{1,200})\"|'(?P<w>[^'\n]{1,200})')"
_WHOSE = r"(?: (?:are|is|with|as|for \w{1,30}))?[ \t]?[:=]?[ \t]{1,4}[\"'`(]?(?!arn:|file:|env:)[\w.@+-]{2,60}[\"'`]?"
_PHRASES = (
    _Phrase(("identified ",), rf"identified (?:with \w{{1,40}} )?(?:by|as) {_QUOTED}", _is_literal),
    _Phrase(("/user:",), rf"/user:\S{{1,60}} {_BARE}", _is_password),
    _Phrase(
        ("credential", "creds", "user/pass", "username/pass", "user and pass", "username and pass"),
        rf"(?:credentials?|creds|user(?:name)?(?:/| and )pass(?:word|wd)?){_WHOSE}(?: ?[/:|] ?| and | with ){_BARE}",
        _is_password,
    ),
    _Phrase(("login", "log in"), rf"(?<!\w)log ?in{_WHOSE}(?: / | and ){_BARE}", _is_password),
    _Phrase((":5432:", ":3306:"), r":[0-9]{4}:[\w*.-]{1,64}:[\w*.-]{1,64}:(?P<v>[^\s:]{4,128})", _is_literal),
    _Phrase(("net user ",), rf"net user \S{{1,60}} {_BARE}", _is_password),
    _Phrase(("convertto-securestring ",), rf"convertto-securestring (?:-string )?{_QUOTED}", _is_literal),
    _Phrase(
        ("mnemonic", "seed phrase", "recovery phrase"),
        r"(?:mnemonic|(?:seed|recovery) phrase)\W{1,8}(?:is |=)?\W{0,4}(?P<v>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})",
        bool,
    ),
    _Phrase(("?key=", "&key="), r".key=(?P<v>[\w.~%-]{20,200})", _is_key, KEY_KIND),
)
_ANNOUNCED = r" (?:is|as) (?:the|my|our|its|your)(?: \w{1,20}){0,2} (?:password|passphrase|passcode|pw)(?!\w)"
_HOST = r"@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}|:[0-9])"
_LOGIN = rf"[^\s:/@\"'`<>\[\]]{{6,{_LOGIN_CHARS_MAX}}}"
_USER = r"(?<![\w/:@.-])[\w.-]{2,40}\Z"


def find_phrases(text: str) -> Iterator[Span]:
    lowered = lower(text)
    for phrase in _PHRASES:
        if any(word in lowered for word in phrase.words):
            for match in matches_at(text, phrase.words, compiled(phrase.pattern, re.IGNORECASE), lowered):
                group = "w" if match["v"] is None else "v"
                if phrase.holds(match[group]):
                    yield Span(*match.span(group), phrase.kind)
    for match in matches_at(text, (" is ", " as "), compiled(_ANNOUNCED, re.IGNORECASE), lowered):
        value = text[max(match.start() - _LOGIN_CHARS_MAX, 0) : match.start()].split()[-1:]
        bare = value[0].strip("\"'`.,") if value else ""
        if _is_password(bare):
            start = text.rindex(bare, 0, match.start())
            yield Span(start, start + len(bare), KIND)
    yield from _before_hosts(text)


def _before_hosts(text: str) -> Iterator[Span]:
    """`user:password@host` without a scheme."""
    for host in matches_at(text, ("@",), compiled(_HOST)):
        end = host.start()
        colon = text.rfind(":", max(end - _LOGIN_CHARS_MAX - 1, 0), end)
        if colon < 0 or not compiled(_LOGIN).fullmatch(text, colon + 1, end):
            continue
        if _is_strong(text[colon + 1 : end]) and compiled(_USER).search(text, max(colon - 41, 0), colon):
            yield Span(colon + 1, end, KIND)

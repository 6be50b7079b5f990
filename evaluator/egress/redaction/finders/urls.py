"""Finds what authenticates in the address of a server: the password in `scheme://user:password@host`. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from evaluator.egress.redaction.looks import is_random
from evaluator.egress.redaction.names import Level
from evaluator.egress.redaction.spans import Span
from evaluator.egress.redaction.values import CHARS_MIN, ValueStyle, is_form, is_reference, is_secret

KIND = "password"
USER_KIND = "url-credential"

_USERINFO_CHARS_MAX = 512
_KEY_MIN = 20
_PLAIN = frozenset({"password", "pass", "passwd", "pwd", "secret", "token", "pw"})


@cache
def _authority() -> re.Pattern[str]:
    """After `://`: a user, then perhaps `:` and a password, then `@`. The last `@` before a slash ends it."""
    return re.compile(
        rf"://(?P<user>[^\s/?#@:\"'<>`|\\\[\]]{{0,{_USERINFO_CHARS_MAX}}})"
        rf"(?::(?P<password>[^\s/?#\"'<>`|]{{1,{_USERINFO_CHARS_MAX}}}))?@(?=[\w.\[$%{{<(*-])"
    )


@cache
def _data_store() -> re.Pattern[str]:
    """Passwords with a slash or `#` in them, only for addresses that have no path before the host."""
    return re.compile(
        r"(?:postgres(?:ql)?|mysql2?|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|oracle|clickhouse|cockroachdb)"
        r"(?:\+\w{1,20})?://[^\s/?#@:\"'<>`]{0,128}:(?P<password>[^\s\"'<>`@]{1,128})@[\w.-]{1,255}(?:[:/,?]|\b)"
    )


@cache
def _oracle() -> re.Pattern[str]:
    return re.compile(r"jdbc:oracle:\w{2,5}:[\w$#]{1,30}/(?P<password>[^\s@\"'/]{1,128})@")


def find_urls(text: str) -> Iterator[Span]:
    if "://" in text:
        for match in _authority().finditer(text):
            yield from _of(match, "password")
            if is_random(match["user"], _KEY_MIN):
                yield Span(*match.span("user"), USER_KIND)
        for match in _data_store().finditer(text):
            yield from _of(match, "password")
    if "jdbc:oracle:" in text:
        for match in _oracle().finditer(text):
            yield from _of(match, "password")


def _of(match: re.Match[str], group: str) -> Iterator[Span]:
    value: str | None = match[group]
    if value is None or value.lower() in _PLAIN or is_reference(value, ValueStyle.QUOTED):
        return
    # Hardly anything is too plain here: the place alone says that it is a password.
    plain = len(value) >= CHARS_MIN and value.isalnum() and not is_form(value)
    if plain or is_secret(value, Level.PASSWORD, ValueStyle.QUOTED):
        yield Span(*match.span(group), KIND)

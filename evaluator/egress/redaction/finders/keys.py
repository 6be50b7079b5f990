"""Finds private keys in PEM, OpenSSH, PGP and PuTTY form, whole or cut at either end. Pure.

Line ends may be real or escaped, lines may be quoted, and a mere mention of the header is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from evaluator.egress.redaction.patterns import Span

KIND = "private-key"

_RUN_MIN = 16
_TAIL_CHARS_MAX = 65_536
"""How far before a lone END line its key may begin."""
_BODY_SHARE_MIN = 0.5

_BASE64 = "[A-Za-z0-9+/=]"
_BETWEEN = r"""(?:\s|\\{1,4}[nrt]|["'`,+>|#*;\\])"""
_HEADER = r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID)[^\n\\]{0,200}"


@cache
def _border() -> re.Pattern[str]:
    return re.compile(r"-{4,5} ?(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")


@cache
def _forward() -> re.Pattern[str]:
    """What follows BEGIN: headers and runs of base64, then a last short run if nothing but a cut follows."""
    short = (
        rf"(?:{_BETWEEN}*+(?:{_BASE64}{{1,15}}+(?=\s*\Z)|(?=[A-Za-z]{{0,14}}[0-9+/=]){_BASE64}{{1,15}}+))?"
    )
    return re.compile(rf"(?:{_BETWEEN}*+(?:{_HEADER}|{_BASE64}{{{_RUN_MIN},}}+))*+{short}")


@cache
def _backward() -> re.Pattern[str]:
    """The same before END, read from right to left."""
    between = r"""(?:\s|[nrt]\\{1,4}|["'`,+>|#*;\\])"""
    return re.compile(
        rf"{between}*+(?:{_BASE64}{{1,76}}+{between}++)?(?:{_BASE64}{{{_RUN_MIN},}}+{between}*+)*+"
    )


@cache
def _putty() -> re.Pattern[str]:
    return re.compile(
        rf"Private-Lines: [0-9]{{1,4}}(?P<v>(?:(?:\s|\\n)++{_BASE64}{{1,76}}+(?![A-Za-z:-]))++)"
    )


def find_keys(text: str) -> Iterator[Span]:
    if "Private-Lines: " in text:
        for match in _putty().finditer(text):
            yield Span(*match.span("v"), KIND)
    if "PRIVATE KEY" in text:
        yield from _find_pem(text)


def _find_pem(text: str) -> Iterator[Span]:
    opened: re.Match[str] | None = None
    done = 0
    for border in _border().finditer(text):
        if opened is not None:
            closed = border[1] == "END"
            if closed and _is_key(text[opened.end() : border.start()]):
                yield Span(opened.start(), border.end(), KIND)
            elif not closed:
                yield from _cut_after(text, opened, border.start())
        elif border[1] == "END":
            yield from _cut_before(text, border, done)
        opened = border if border[1] == "BEGIN" else None
        done = border.end()
    if opened is not None:
        yield from _cut_after(text, opened, len(text))


def _cut_after(text: str, border: re.Match[str], end: int) -> Iterator[Span]:
    body = _forward().match(text, border.end(), end)
    if body is not None and _has_run(body[0]):
        yield Span(border.start(), body.end(), KIND)


def _cut_before(text: str, border: re.Match[str], start: int) -> Iterator[Span]:
    window = text[max(start, border.start() - _TAIL_CHARS_MAX) : border.start()]
    body = _backward().match(window[::-1])
    if body is not None and _has_run(body[0]):
        yield Span(border.start() - body.end(), border.end(), KIND)


def _has_run(body: str) -> bool:
    return bool(re.search(rf"{_BASE64}{{{_RUN_MIN}}}", body))


def _is_key(body: str) -> bool:
    """Whether what stands between the borders is mostly base64, not code or prose about keys."""
    plain = re.sub(r"\\{1,4}[nrt]", "\n", body)
    runs = sum(map(len, re.findall(rf"{_BASE64}{{{_RUN_MIN},}}", plain)))
    return runs > 0 and runs >= _BODY_SHARE_MIN * len(re.sub(rf"[\s\"'`,]|{_HEADER}", "", plain))

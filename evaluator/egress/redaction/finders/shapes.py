"""Finds what `egress/shapes.toml` describes: tokens of services; values in addresses, command lines, phrases. Pure.

Private keys too, in PEM, OpenSSH, PGP and PuTTY form, whole or cut at either end: line ends may be real or escaped,
lines may be quoted, and a mere mention of the header is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import zip_longest
from typing import NamedTuple, cast

from evaluator.egress.redaction import values
from evaluator.egress.redaction.patterns import SecretSpan, compiled, held, lower, matches_at
from evaluator.egress.redaction.secret_names import Level
from evaluator.text import table

_DISTINCT_MIN = 5
"""Different characters that the end of a token has at least: `ghp_xxxx...` shows a form and hides nothing."""
_RANDOM_MIN = 15
"""Different characters in its last 20 that no form of a token has."""
_KEY_MIN = 20
_CREDENTIAL_MIN = 12
_ARGUMENT_MIN = 3
_RUN_MIN = 32
_BASE36_MIN, _HEX_DISTINCT_MAX = 40, 16
_HEAD = (
    r"(?P<v>[\w+/=.~-]{3,400})(?:\\?\n[ \t>|#*]{0,40}"
    r"|(?P<quote>[\"'`])[ \t]{0,8}[+.\\&]?[ \t]{0,8}(?:\n[ \t]{0,80})?[+.&]?[ \t]{0,4}[\"'`](?=[\w+/=]))"
)
_REST = r"[\w+/=.~-]{4,400}"
_REST_MIN = 4
RUN_KIND = "high-entropy"
_RUN = (
    r"(?<![\w+/=.%@~$\\-])(?<!\w=)(?!AAAA|(?i:(?:[a-z0-9]+-){0,3}(?:linux|macos|windows|darwin|node|npm|pip|cargo|cache|deps)-)|Qm[1-9A-HJ-NP-Za-km-z]{44}(?![A-Za-z0-9])|sha[0-9]{1,3}-|eyJ|0x|age1|baf[ykr]|bc1|npub1|RW[QRS]|d09G|iVBOR|R0lGOD|UEsDB|JVBER|H4sI|MII"
    r"|(?:chatcmpl|resp|msg|req|run|call|toolu|asst|thread|file|batch|evt|cus|pi|ch|sub|price|prod|cs|acct|job|conv|item|org"
    r"|proj|user|dpl|prj|team|gen|ft|ftjob|vs|rs|step|pub|pk)[-_])"
    r"[A-Za-z0-9](?:[A-Za-z0-9_-]{31,255}|[A-Za-z0-9+/]{39,255})(?![\w+/%@~(\[=-]|\.[\w.])"
    r"|(?<![^\n])[A-Za-z0-9+/]{40,255}==(?![^\n])"
)
_NAMED = (
    r"(?i:(?:[\"'][xy]|sha[0-9]{0,3}|md5|blake[23]\w?|hash|digest|checksum|integrity|etag|commit|revision|\bref|fingerprint|id|nonce"
    r"|uuid|public|pub|thumbprint|signed-off|address|cid|base64|version|build|cursor|trace|span|index)"
    r"[\"']?(?:[ \t]{0,4}[=:,]?| is| was)|public[ _-]?key[^.:\n]{0,40}(?: is|:|=)?)[ \t]{0,4}[\"'(]?\Z|[&?]\w{1,30}=\Z"
)
_BLOCK = r"[ \t\"'+]*[A-Za-z0-9+/]{40,}={0,2}[\"'\\n+, \t]*"


class Shape(NamedTuple):
    """One row of the table, which says what the fields mean."""

    kind: str
    at: tuple[str, ...]
    pattern: str
    flags: int
    fold: bool
    inside: bool
    holds: Callable[[str], bool]
    option: str
    needs: str


@cache
def shapes() -> tuple[Shape, ...]:
    data = table("egress/shapes")
    parts = cast(Mapping[str, str], data["parts"])

    def filled(pattern: object) -> str:
        return re.sub(r"\{([A-Z]+[0-9]?)\}", lambda part: parts[part[1]], str(pattern))

    return tuple(
        Shape(
            kind=cast(str, row["kind"]),
            at=tuple(cast(list[str], row["at"])),
            pattern=filled(row["is"]),
            flags=int(re.ASCII) * ("check" not in row) + int(re.IGNORECASE) * ("fold" in row),
            fold="fold" in row,
            inside="inside" in row,
            holds=CHECKS[str(row.get("check", "token"))],
            option=filled(row.get("option", "")),
            needs=str(row.get("needs", "")),
        )
        for row in cast(list[dict[str, object]], data["shapes"])
    )


def _shapes_over_lines(
    text: str, literal: str, shape: Shape, pattern: re.Pattern[str]
) -> Iterator[SecretSpan]:
    """A token of which the rest stands in the next line, or in the next literal."""
    for head in matches_at(text, (literal,), compiled(_HEAD)):
        start, end = head.start(), head.end()
        rest = compiled(_REST).match(text, end)
        if rest is None:
            continue
        before = text[max(start - 2, 0) : start]
        whole = pattern.match(f"{before}{head['v']}{rest[0]}", len(before))
        if whole is None or whole.end() < len(before) + len(head["v"]) + _REST_MIN:
            continue
        # These characters may be more of the token, or the word that begins the next line.
        more = rest[0]
        goes_on = (any(map(str.isdigit, more)) and not more.isdigit()) or values.is_mixed(more)
        if shape.holds(whole[whole.lastgroup or 0]) and (goes_on or head["quote"] is not None):
            yield SecretSpan(start, head.end("v"), shape.kind)
            yield SecretSpan(end, end + whole.end() - len(before) - len(head["v"]), shape.kind)


@cache
def _shapes_by_literal() -> tuple[dict[str, list[Shape]], ...]:
    """The shapes of each literal: of tokens, of others as written, of others in lower case."""
    groups: tuple[dict[str, list[Shape]], ...] = ({}, {}, {})
    for shape in shapes():
        for literal in shape.at:
            token = shape.flags == re.ASCII and not any(char in literal for char in ' "')
            groups[0 if token else 1 + shape.fold].setdefault(literal, []).append(shape)
    return groups


def find_shapes(text: str) -> Iterator[SecretSpan]:
    for where, literals in zip((text, text, lower(text)), _shapes_by_literal(), strict=True):
        for literal in held(tuple(literals), where):
            for shape in literals[literal]:
                yield from _find_shape(text, literal, shape, where)


def _find_shape(text: str, literal: str, shape: Shape, where: str) -> Iterator[SecretSpan]:
    pattern = compiled(shape.pattern, shape.flags)
    found: Iterator[re.Match[str]]
    if shape.inside:
        places = _shape_search_spans(where, literal, one_word=shape.flags == re.ASCII)
        found = (match for place in places for match in pattern.finditer(text, *place))
    else:
        found = matches_at(text, (literal,), pattern, where)
        if not shape.option:
            yield from _shapes_over_lines(text, literal, shape, pattern)
    for match in found:
        spelled: Iterable[re.Match[str]] = (match,)
        if shape.option:
            needed = compiled(shape.needs).search(match[0])
            spelled = compiled(shape.option).finditer(text, *match.span()) if needed else ()
        for value in spelled:
            group = value.lastgroup or 0
            if shape.holds(value[group]):
                yield SecretSpan(*value.span(group), shape.kind)


def _shape_search_spans(where: str, literal: str, *, one_word: bool) -> Iterator[tuple[int, int]]:
    """The long words that hold the literal, or the lines."""
    if one_word:
        words = compiled(rf"\S{{{_KEY_MIN},}}").finditer(where)
        yield from (word.span() for word in words if literal in word[0])
        return
    at = where.find(literal)
    while at >= 0:
        end = where.find("\n", at)
        end = len(where) if end < 0 else end
        yield where.rfind("\n", 0, at) + 1, end
        at = where.find(literal, end)


def find_runs(text: str) -> Iterator[SecretSpan]:
    """Runs of base62 drawn by chance that nothing calls a secret, and nothing a path, a digest or an id."""
    for word in compiled(rf"\S{{{_RUN_MIN},}}").finditer(text):
        for run in compiled(_RUN).finditer(text, *word.span()):
            named = compiled(_NAMED).search(text, max(run.start() - 48, 0), run.start())
            if _has_run_shape(run[0]) and not named and not _is_shape_in_block(text, *run.span()):
                yield SecretSpan(*run.span(), RUN_KIND)


def _has_run_shape(value: str) -> bool:
    """Base62 of three kinds of characters, or base36 that is longer still."""
    joined = compiled("[_-]").sub("", value)
    counts = [sum(map(kind, joined)) for kind in (str.isdigit, str.isupper, str.islower)]
    if joined.islower():
        return len(joined) >= _BASE36_MIN and len(set(joined)) > _HEX_DISTINCT_MAX and values.is_mixed(joined)
    return (
        min(counts) >= 2 and values.is_mixed(compiled("[+/=]").sub("", joined)) and not values.is_text(value)
    )


def _is_shape_in_block(text: str, start: int, end: int) -> bool:
    """Whether a run is a line of a public key or certificate, or one of many lines of base64."""
    if text.rfind("-----BEGIN", max(start - 8192, 0), start) > text.rfind(
        "-----END", max(start - 8192, 0), start
    ):
        return True
    before = text[max(start - 120, 0) : start].rpartition("\n")[0].rpartition("\n")[2]
    after = text[end : end + 120].partition("\n")[2].partition("\n")[0]
    return any(compiled(_BLOCK).fullmatch(line) is not None for line in (before, after))


def _has_token_shape(value: str) -> bool:
    end = value[-20:]
    if len(set(end)) < _DISTINCT_MIN:
        return False
    # A random token may spell a word of a form by chance; a form has no digits and few different letters.
    return not values.is_form(value) or any(map(str.isdigit, end)) or len(set(end)) >= _RANDOM_MIN


def _has_password_shape(value: str) -> bool:
    return values.is_secret(value.rstrip(".)]}。"), Level.PASSWORD, quoted=False)


def _has_strong_shape(value: str) -> bool:
    """Letters with a symbol, or of both cases with a digit: an e-mail address after `to:` seldom has them."""
    both = value.lower() != value != value.upper() and any(map(str.isdigit, value))
    return _has_password_shape(value) and (both or compiled(r"\w[!#$%^&*+=?~]+\w").search(value) is not None)


CHECKS: dict[str, Callable[[str], bool]] = {
    "token": _has_token_shape,
    "any": bool,
    "literal": lambda value: values.is_secret(value, Level.PASSWORD, quoted=True),
    # The place alone says that it is a password: a capitalised word is one too.
    "address": lambda value: values.is_secret(value.lower(), Level.PASSWORD, quoted=True),
    "password": _has_password_shape,
    "strong": _has_strong_shape,
    # What a label is followed by for sure, with a digit among its letters.
    "mixed": lambda value: (
        values.has_digit_and_letter(value)
        and values.is_stated(value.rstrip(".)]}。"), Level.PASSWORD, quoted=False)
    ),
    "stated": lambda value: values.is_stated(value, Level.PASSWORD, quoted=False),
    "phrase": lambda value: values.is_passphrase(value.replace("-", " ")),
    "argument": lambda value: (
        len(value) >= _ARGUMENT_MIN
        and not values.is_reference(value, quoted=False)
        and not values.is_placeholder(value)
    ),
    "user": lambda value: values.is_random(value, _KEY_MIN),
    "key": lambda value: (
        values.is_random(value, _KEY_MIN) and values.is_secret(value, Level.TOKEN, quoted=False)
    ),
    "basic": values.is_user_and_password,
    "credential": lambda value: (
        values.is_random(value, _CREDENTIAL_MIN) and values.is_secret(value, Level.TOKEN, quoted=False)
    ),
}


KEY_KIND = "private-key"

_KEY_RUN_MIN = 16
_TAIL_CHARS_MAX = 65_536
"""How far before a lone END line its key may begin."""
_BODY_SHARE_MIN = 0.5
"""What must be base64 between two borders, with what a listing, a diff or a script puts around each line."""

_BORDER = r"-{4,5} ?(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}"
_BASE64 = "[A-Za-z0-9+/=]"
_BETWEEN = r"""(?:\s|\\{1,4}[nrt]|["'`,+>|#*;\\])"""
_HEADER = r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID)[^\n\\]{0,200}"
_SHORT_RUN = rf"{_BASE64}{{1,15}}+"
_FORWARD = (
    rf"(?P<body>(?:{_BETWEEN}*+(?:{_HEADER}|{_BASE64}{{{_KEY_RUN_MIN},}}+))*+)"
    rf"(?:{_BETWEEN}*+{_SHORT_RUN}(?=\s*\Z)|{_BETWEEN}*+(?=[A-Za-z]{{0,14}}[0-9+/=]){_SHORT_RUN})?"
)
"""What follows a lone BEGIN: headers and runs of base64, then a last short run if nothing but a cut follows."""
_BACK = r"""(?:\s|[nrt]\\{1,4}|["'`,+>|#*;\\])"""
_BACKWARD = rf"{_BACK}*+(?:{_BASE64}{{1,76}}+{_BACK}++)?(?:{_BASE64}{{{_KEY_RUN_MIN},}}+{_BACK}*+)*+"
"""The same before END, read from right to left."""
_PUTTY = rf"Private-Lines: [0-9]{{1,4}}(?P<v>(?:(?:\s|\\n)++{_BASE64}{{1,76}}+(?![A-Za-z:-]))++)"


def find_keys(text: str) -> Iterator[SecretSpan]:
    if "Private-Lines: " in text:
        for match in compiled(_PUTTY).finditer(text):
            yield SecretSpan(*match.span("v"), KEY_KIND)
    if "PRIVATE KEY" not in text:
        return
    done = 0
    borders = list(compiled(_BORDER).finditer(text))
    for border, following in zip_longest(borders, borders[1:]):
        if border.start() < done:
            continue
        closed = following if following and (border[1], following[1]) == ("BEGIN", "END") else None
        if closed and _has_key_shape(text[border.end() : closed.start()]):
            start, end, body = border.start(), closed.end(), text[border.end() : closed.start()]
        elif border[1] == "BEGIN":
            found = compiled(_FORWARD).match(text, border.end())
            start, end, body = border.start(), found.end() if found else 0, found["body"] if found else ""
        else:
            window = text[max(done, border.start() - _TAIL_CHARS_MAX) : border.start()]
            found = compiled(_BACKWARD).match(window[::-1])
            body = found[0] if found else ""
            start, end = border.start() - len(body), border.end()
        done = border.end()
        if compiled(rf"{_BASE64}{{{_KEY_RUN_MIN}}}").search(body):
            yield SecretSpan(start, end, KEY_KIND)
            done = end


def _has_key_shape(body: str) -> bool:
    """Whether what stands between the borders is mostly base64, not code or prose about keys."""
    plain = compiled(r"\\{1,4}[nrt]").sub("\n", body)
    runs = sum(map(len, compiled(rf"{_BASE64}{{{_KEY_RUN_MIN},}}").findall(plain)))
    return runs > 0 and runs >= _BODY_SHARE_MIN * len(compiled(rf"[\s\"'`,]|{_HEADER}").sub("", plain))

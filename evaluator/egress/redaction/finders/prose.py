"""Finds the value of a label that is no identifier: `mot de passe : V`, `密码是 V`, `der API-Schlüssel lautet V`. Pure.

Labels and joining words come from `labels`; identifiers (`password`, `apiKey`) are found by `assignments`. A bare word
right beside a label is its value (`log in with password gingerale and ...`) where a preposition leads the label in, or
an account stands before it; the word must not go on with the sentence, and the clause must end behind it. So does the
quoted value that explains its label: `the token, “V”, goes there`. Every look around is bounded.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from evaluator.egress.redaction.finders import syntax
from evaluator.egress.redaction.patterns import SecretSpan, beginnings, compiled, lower, matches_of
from evaluator.egress.redaction.secret_names import (
    JOINED,
    KEYWORDS,
    KINDS,
    Level,
    continues,
    joins,
    labels,
    level_of,
    named,
    pattern,
)
from evaluator.egress.redaction.values import is_random, is_secret, is_stated
from evaluator.text import alternatives

_BESIDE_CHARS_MAX = 90
_FIRST_FAR = "\u0400"
"""From here on scripts other than that of the value, in which the sentence would go on."""


@cache
def _prose_lead_pattern() -> re.Pattern[str]:
    words = "|".join(
        re.escape(word) for code, one in labels().items() if code not in JOINED for word in one.leads
    )
    return re.compile(
        rf"(?<![\w-])(?P<lead>{words})(?:[ \t]{{1,3}}[\w@.'’+-]{{1,24}}){{0,4}}[ \t]{{1,3}}[\"'`*]{{0,2}}\Z",
        re.IGNORECASE,
    )


@cache
def _prose_account_pattern() -> re.Pattern[str]:
    names = alternatives(named("users"))
    linked = r"(?:[,/|&+]|and|und|et|y|e|ed|и|with|mit|avec|con|com|с|与|和|と)?"
    article = r"(?:(?:the|das|dem|le|la|a|el|il)[ \t])?"
    whose = rf"(?:[ \t](?:{alternatives(named('of'))})(?:[ \t][\w.-]{{1,24}}){{1,2}}(?=[ \t]?[:=]))?"
    return re.compile(
        rf"(?:(?<![\w-])|(?<=[\u3040-\u9fff\uac00-\ud7a3]))(?:{names}){whose}[ \t]{{0,2}}(?:[:=は]|is|ist)?[ \t]{{0,2}}"
        r"[\"'`«]?(?P<user>[\w@.+-]{2,40}?)[\"'`»]?"
        rf"[ \t]{{0,2}}{linked}[ \t]{{0,2}}{article}(?:\w{{1,12}}[ \t])?\Z",
        re.IGNORECASE,
    )


def is_beside(text: str, start: int, end: int, first: int, last: int, level: Level) -> bool:
    """Whether text[first:last] is told as the value of the label text[start:end] that it stands beside."""
    value, far = text[first:last], text[end - 1 : end] >= _FIRST_FAR
    if continues(value) or not is_stated(value, level, quoted=False):
        return False
    goes_on = pattern("goes_on_after").match(text, last)
    if not (far or pattern("closing").match(text, last) or goes_on):
        return False
    before = text[max(start - _BESIDE_CHARS_MAX, 0) : start].rpartition("\n")[2]
    led = _prose_lead_pattern().search(before) or _prose_account_pattern().search(before)
    return led is not None or (far and value.isascii())


QUOTES = {
    '"': '"', "'": "'", "`": "`", "«": "»", "»": "«", "„": "“", "“": "”", "‘": "’", "‚": "‘", "「": "」", "『": "』",
}  # fmt: skip

_UNLIKE_CODE = "«„“「『"
"""Quotes that no program has, so that a value may stand in them right behind its label."""
_OPENS = frozenset({" ", "\t", ",", *_UNLIKE_CODE})


@cache
def _prose_quoted_pattern() -> re.Pattern[str]:
    owners = alternatives(named("of"))
    opening, marks = "".join(QUOTES), "".join({*QUOTES, *QUOTES.values()})
    article = r"(?:(?:the|our|my|das|den|dem|der|le|la|el|il|lo|o|a)[ \t])?"
    return re.compile(
        rf"(?:(?P<whose>[ \t](?:{owners})[ \t]{article}{pattern('things').pattern})[ \t]{{1,2}}"
        rf"|(?P<next>,[ \t])|[ \t]{{0,2}}(?=[{_UNLIKE_CODE}]))(?P<quote>[{opening}])[ \t]?"
        rf"(?P<v>[^\s{marks}](?:[^\n{marks}]{{0,126}}[^\s{marks}]))[ \t]?",
        re.IGNORECASE,
    )


def value_after(text: str, at: int, level: Level) -> tuple[int, int] | None:
    """Where the value stands, of a label that ends at `at`."""
    found = _prose_quoted_pattern().match(text, at) if text[at : at + 1] in _OPENS else None
    if found is None or text[found.end() : found.end() + 1] != QUOTES[found["quote"]]:
        return None
    value, end = found["v"], found.end() + 1
    direct = not (found["whose"] or found["next"])
    closed = pattern("closing").match(text, end) is not None or text.startswith(("で", "を使", "を入"), end)
    if not closed and not (direct and is_secret(value, level, quoted=False)):
        return None
    if found["next"] and level is not Level.PASSWORD and not any(map(str.isdigit, value)):
        return None
    return found.span("v") if is_stated(value, level, quoted=True, strong=True) else None


_VALUE_CHARS_MAX = 128
_RANDOM_MIN = 20
"""Least length of a random value that merely follows a label."""


@cache
def _prose_label_levels() -> dict[str, Level]:
    """Each label that `labels` does not know as an identifier."""
    known = compiled(KEYWORDS)
    found: dict[str, Level] = {}
    for code, one in labels().items():
        groups = (
            (Level.TOKEN, one.tokens), (Level.SECRET, one.secrets), (Level.PASSWORD, one.passwords),
        )  # fmt: skip
        for level, words in groups:
            for word in words:
                identifier = code == "en" or (word.isascii() and word.isalpha())
                if not (identifier and known.search(word) and level_of(word.replace(" ", "_"))):
                    found[unicodedata.normalize("NFKC", word)] = level
    return found


@cache
def _prose_label_pattern() -> re.Pattern[str]:
    ordered = sorted(_prose_label_levels(), key=lambda word: (-len(word), word))
    ends = {word: "" if _is_joined_prose_script(word[-1]) else r"(?!\w)" for word in ordered}
    return re.compile("|".join(f"{re.escape(word)}{end}" for word, end in ends.items()))


@cache
def _prose_join_pattern() -> re.Pattern[str]:
    close = r"(?:\*{1,2}|_{1,2}|[\"'`」])?(?:の値|的值|값)?"
    joined = "|".join(joins(spaced=False))
    toward = alternatives(named("towards"))
    return re.compile(
        rf"{close}(?:(?P<cjk>[ \t]?(?:{joined})(?:[ \t]?:)?[ \t]{{0,4}})"
        rf"|{syntax.whose()}(?P<said>{syntax.says()})\*{{0,2}}[ \t]{{0,4}}"
        rf"|(?P<kind>(?:[ \t]\w{{2,20}}){{1,2}}?)[ \t]{{0,2}}(?:{syntax.ARROWS}|[:=]|–|—)[ \t]{{0,8}}"
        rf"|[ \t]{{1,4}}(?P<toward>{toward})[ \t]{{1,4}}|(?P<beside>[ \t]{{1,4}}))",
        re.IGNORECASE,
    )


_BARE = rf"[^\s\"'`<>,;«»“”「」『』。、]{{2,{_VALUE_CHARS_MAX}}}+"
_TYPED = rf"[!#-&(-+\--:=?-_a-~\u00c0-\u024f]{{4,{_VALUE_CHARS_MAX}}}+"
"""What a keyboard for Latin script types."""
_VERB = (
    r"[ \t]?(?:です|だ(?!け)|でした|で(?=[ \t、。]|ログ|接続|\Z)|に(?:変更|設定|し)|を(?:入力|設定)|[을를] 입력"
    r"|입니다|이에요|예요|이다|임(?!\w)|है|था|थी|[。、,.;!)\n]|\Z)"
)
"""The end of a sentence whose verb comes last, or none."""


def find_spoken(text: str) -> Iterator[SecretSpan]:
    for label in matches_of(lower(text), beginnings(tuple(_prose_label_levels())), _prose_label_pattern()):
        level = _prose_label_levels()[label[0]]
        span = value_after(text, label.end(), level) or _prose_value_after(text, label, level)
        if span is not None:
            yield SecretSpan(*span, KINDS[level])


def _prose_value_after(text: str, label: re.Match[str], level: Level) -> tuple[int, int] | None:
    join = _prose_join_pattern().match(text, label.end())
    if join is None:
        return None
    at, closing = join.end(), QUOTES.get(text[join.end() : join.end() + 1])
    end = -1 if closing is None else text.find(closing, at + 1, at + 2 + _VALUE_CHARS_MAX)
    body = text[at + 1 : end] if end > 0 else ""
    if quoted := bool(body.strip()):
        first = at + 1 + len(body) - len(body.lstrip())
        last = first + len(body.strip())
    elif (found := _unquoted_prose_value(text, label, join)) is not None:
        first, last = found
    else:
        return None
    looks = is_secret(text[first:last], Level.PASSWORD, quoted=False) and not join["beside"]
    return (first, last) if looks or is_stated(text[first:last], level, quoted=quoted, strong=True) else None


def _unquoted_prose_value(text: str, label: re.Match[str], join: re.Match[str]) -> tuple[int, int] | None:
    """A bare value that ends its clause, or looks like a secret by itself."""
    level, joined = _prose_label_levels()[label[0]], _is_joined_prose_script(label[0][-1])
    scripts = joined and (join["cjk"] or not _is_hangul_in_prose(label[0][-1]))
    latin = scripts or bool(join["beside"])
    value = compiled(_TYPED if latin else _BARE).match(text, join.end())
    if value is None:
        return None
    first, last = value.span()
    while last > first and text[last - 1] in ".)]}?:" + "(" * bool(scripts):
        last -= 1
    if join["beside"]:
        told = text[last : last + 4].strip().startswith(("है", "था", "थी"))
        told = told or (joined and compiled(_VERB).match(text, last) is not None)
        told = told or is_random(text[first:last], _RANDOM_MIN)
        told = told or is_beside(text, *label.span(), first, last, level)
        return (first, last) if told else None
    closed = compiled(_VERB).match(text, last) if latin else pattern("closing").match(text, last)
    return (first, last) if closed or is_secret(text[first:last], Level.PASSWORD, quoted=False) else None


def _is_joined_prose_script(char: str) -> bool:
    """Whether the script writes words without spaces, or joins particles to them."""
    return "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or _is_hangul_in_prose(char)


def _is_hangul_in_prose(char: str) -> bool:
    return "\uac00" <= char <= "\ud7a3"

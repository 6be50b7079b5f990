"""Whether a bare word right beside a label is its value: `log in with password gingerale and ...`. Pure.

A preposition leads the label in, or an account stands before it; the word must not go on with the sentence, and the
clause must end behind it. So does the quoted value that explains its label: `the token, “V”, goes there`. Every look
around is bounded.
"""

from __future__ import annotations

import re
from functools import cache

from evaluator.egress.redaction.finders import syntax
from evaluator.egress.redaction.language import JOINED, continues, is_joined_talk, labels, named, vocabulary
from evaluator.egress.redaction.names import Level
from evaluator.egress.redaction.patterns import compiled
from evaluator.egress.redaction.values import ValueStyle, is_secret, is_stated

_BESIDE_CHARS_MAX = 90
_FIRST_FAR = "\u0400"
"""From here on scripts other than that of the value, in which the sentence would go on."""


@cache
def _lead() -> re.Pattern[str]:
    words = "|".join(
        re.escape(word) for code, one in labels().items() if code not in JOINED for word in one.leads
    )
    return re.compile(
        rf"(?<![\w-])(?P<lead>{words})(?:[ \t]{{1,3}}[\w@.'’+-]{{1,24}}){{0,4}}[ \t]{{1,3}}[\"'`*]{{0,2}}\Z",
        re.IGNORECASE,
    )


@cache
def _account() -> re.Pattern[str]:
    names = "|".join(map(re.escape, named("users")))
    linked = r"(?:[,/|&+]|and|und|et|y|e|ed|и|with|mit|avec|con|com|с|与|和|と)?"
    article = r"(?:(?:the|das|dem|le|la|a|el|il)[ \t])?"
    return re.compile(
        rf"(?:(?<![\w-])|(?<=[\u3040-\u9fff\uac00-\ud7a3]))(?:{names})[ \t]{{0,2}}(?:[:=は]|is|ist)?[ \t]{{0,2}}"
        r"[\"'`«]?(?P<user>[\w@.+-]{2,40}?)[\"'`»]?"
        rf"[ \t]{{0,2}}{linked}[ \t]{{0,2}}{article}(?:\w{{1,12}}[ \t])?\Z",
        re.IGNORECASE,
    )


@cache
def _counted() -> re.Pattern[str]:
    """A number of secrets, before a label that has no plural: `cinque password`."""
    return re.compile(
        r"(?<![\w.-])(?:[0-9]{1,3}|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|troppe|molte|alcune|varie|diverse|"
        r"più|tante|poche|two|three|four|five|six|seven|eight|nine|ten|many|several)[ \t]{1,3}\Z",
        re.IGNORECASE,
    )


@cache
def _used() -> re.Pattern[str]:
    """The end of a clause of a language without spaces that says that something is used."""
    return re.compile(r"(?:用|使用|以|凭|输入)[^,。，、;\n]{0,30}\Z")


@cache
def _goes_on_after() -> re.Pattern[str]:
    words = (
        "then|to|you|we|they|i|via|under|into|first|once|auf|an|ein|bei|beim|im|am|aus|ab|dann|einloggen|anmelden|ein|puis|dans|à|au|afin|comme|"
        "ou|en|a|al|luego|o|no|na|em|depois|ed|nel|nella|sul|sulla|poi|su|в|под|чтобы|потом|за|из|से|का|के|डाल|और"
    )
    return re.compile(rf"[ \t]{{1,4}}(?:{words})(?!\w)", re.IGNORECASE)


@cache
def _after_joined() -> re.Pattern[str]:
    return re.compile(
        r"[ \t]?(?:登录|登陆|登入|登錄|进入|连接|连上|解压|で|を使|を入力|로|으로|을|를|입력|से|डाल|का|を|$)"
    )


def is_beside(text: str, start: int, end: int, first: int, last: int, level: Level) -> bool:
    """Whether text[first:last] is told as the value of the label text[start:end] that it stands beside."""
    value, label = text[first:last], text[start:end]
    if not 1 <= first - end <= 4 or "\n" in text[end:first] or text[end:first].strip(" \t*`\"'"):
        return False
    far = label[-1:] >= _FIRST_FAR
    if not _stands(text, last, far=far) or value.lower() in vocabulary("function"):
        return False
    before = text[max(start - _BESIDE_CHARS_MAX, 0) : start].rpartition("\n")[2]
    if _counted().search(before):
        return False
    lead = _lead().search(before)
    account = _account().search(before)
    if lead is None and account is None and not (far and _used().search(before)):
        return far and value.isascii() and _is_told(value, (), level)
    languages = _languages(lead["lead"].lower()) if lead else ()
    return _is_told(value, languages, level)


def _stands(text: str, last: int, *, far: bool) -> bool:
    if far and _after_joined().match(text, last) is not None:
        return True
    return syntax.closing().match(text, last) is not None or _goes_on_after().match(text, last) is not None


def _is_told(value: str, languages: tuple[str, ...], level: Level) -> bool:
    if level is not Level.PASSWORD:
        return is_secret(value, Level.PASSWORD, ValueStyle.LOOSE) and not continues(value, languages)
    if value.isupper() and value.isalpha() and len(value) < 6:
        return False
    if compiled(r"[\w-]+\(.*|[A-Za-z]\w*(?:\.\w+)+").fullmatch(value) or continues(value, languages):
        return False
    return is_stated(value, level, quoted=False)


@cache
def _languages(lead: str) -> tuple[str, ...]:
    codes = tuple(code for code, one in labels().items() if lead in one.leads)
    return ("en",) if "en" in codes else codes


QUOTES = {
    '"': '"', "'": "'", "`": "`", "«": "»", "»": "«", "„": "“", "“": "”", "‘": "’", "‚": "‘", "「": "」", "『": "』",
}  # fmt: skip

_UNLIKE_CODE = "«„“「『"
"""Quotes that no program has, so that a value may stand in them right behind its label."""
_OPENS = frozenset({" ", "\t", ",", *_UNLIKE_CODE})


@cache
def _quoted_after() -> re.Pattern[str]:
    owners = "|".join(map(re.escape, named("of")))
    opening, marks = "".join(QUOTES), "".join({*QUOTES, *QUOTES.values()})
    article = r"(?:(?:the|our|my|das|den|dem|der|le|la|el|il|lo|o|a)[ \t])?"
    return re.compile(
        rf"(?:(?P<whose>[ \t](?:{owners})[ \t]{article}{syntax.THINGS})[ \t]{{1,2}}"
        rf"|(?P<next>,[ \t])|[ \t]{{0,2}}(?=[{_UNLIKE_CODE}]))(?P<quote>[{opening}])[ \t]?"
        rf"(?P<v>[^\s{marks}](?:[^\n{marks}]{{0,126}}[^\s{marks}]))[ \t]?",
        re.IGNORECASE,
    )


def value_after(text: str, at: int, level: Level) -> tuple[int, int] | None:
    """Where the value stands, of a label that ends at `at`."""
    found = _quoted_after().match(text, at) if text[at : at + 1] in _OPENS else None
    if found is None or text[found.end() : found.end() + 1] != QUOTES[found["quote"]]:
        return None
    value = found["v"]
    end = found.end() + 1
    direct = not (found["whose"] or found["next"])
    if direct and level is not Level.PASSWORD:
        return None
    mixed = direct and is_secret(value, level, ValueStyle.LOOSE)
    closed = syntax.closing().match(text, end) is not None or (
        not found["next"] and text.startswith(("で", "を使", "を入"), end)
    )
    if not (closed or mixed) or (not direct and any(map(str.isspace, value))):
        return None
    if direct and not mixed and is_joined_talk(value):
        return None
    # In a list of words in quotes the next one follows just so.
    if not found["whose"] and (text[at - 1 : at] in QUOTES or _is_listed(text, end)):
        return None
    if not found["whose"] and level is not Level.PASSWORD and not any(map(str.isdigit, value)):
        return None
    return found.span("v") if is_stated(value, level, quoted=True, strong=True) else None


def _is_listed(text: str, at: int) -> bool:
    return any(one in text[at : at + 6] for one in QUOTES)

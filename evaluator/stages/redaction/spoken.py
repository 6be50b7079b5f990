"""Finds the value of a label that is no identifier: `mot de passe : V`, `密码是 V`, `der API-Schlüssel lautet V`. Pure.

Labels and joining words come from `labels`; identifiers (`password`, `apiKey`) are found by `assignments`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from evaluator.stages.redaction import syntax
from evaluator.stages.redaction.labels import LABELS, joins_without_space, towards
from evaluator.stages.redaction.names import KEYWORDS, Level, level_of
from evaluator.stages.redaction.patterns import compiled, lower, matches_at
from evaluator.stages.redaction.sentences import goes_on, is_abstract
from evaluator.stages.redaction.spans import Span
from evaluator.stages.redaction.values import Style, is_secret, is_stated

KINDS = {Level.PASSWORD: "password", Level.SECRET: "secret", Level.TOKEN: "token"}
_STEM = 7
_VALUE_CHARS_MAX = 128
_IDIOMS = frozenset({"clave", "secreto", "geheimnis", "segredo", "segreto", "секрет", "비밀", "暗号"})
"""Also what people call the point of a matter."""
_SCRIPTS = ("[\u0400-\u04ff]", "[\u0900-\u097f]", "[\u3040-\u30ff]", "[\uac00-\ud7a3]", "[\u4e00-\u9fff]")
_FAR = "[\u0400-\u04ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]"
_QUOTES = {
    '"': '"', "'": "'", "`": "`", "«": "»", "»": "«", "„": "“", "“": "”", "‘": "’", "‚": "‘", "「": "」", "『": "』",
}  # fmt: skip


@cache
def _levels() -> dict[str, Level]:
    """Each label that `names` does not know as an identifier."""
    known = compiled(KEYWORDS)
    found: dict[str, Level] = {}
    for code, labels in LABELS.items():
        groups = (
            (Level.TOKEN, labels.tokens), (Level.SECRET, labels.secrets), (Level.PASSWORD, labels.passwords),
        )  # fmt: skip
        for level, words in groups:
            for word in words:
                identifier = code == "en" or (word.isascii() and word.isalpha())
                if not (identifier and known.search(word) and level_of(word.replace(" ", "_"))):
                    found[unicodedata.normalize("NFKC", word)] = level
    return found


@cache
def _stems(script: str) -> tuple[str, ...]:
    """What a text holds if it holds a label of this script: no two where one would do. `script` is a class of
    characters; of a label with several, the most telling counts."""
    words = [word for word in _levels() if next((one for one in _SCRIPTS if re.search(one, word)), "") == script]
    at = re.compile(script or "^")
    stems = {word[: max(_STEM, found.end() if (found := at.search(word)) else 0)] for word in words}
    return tuple(sorted(stem for stem in stems if not any(stem != one and stem.startswith(one) for one in stems)))


@cache
def _label() -> re.Pattern[str]:
    words = sorted(_levels(), key=lambda word: (-len(word), word))
    apart = [re.escape(word) for word in words if not _is_cjk(word[-1])]
    joined = [re.escape(word) for word in words if _is_cjk(word[-1])]
    return re.compile(rf"(?:(?<!\w)(?:{'|'.join(apart)})(?!\w)|{'|'.join(joined)})")


@cache
def _join() -> re.Pattern[str]:
    close = r"(?:\*{1,2}|_{1,2}|[\"'`」])?"
    joined = "|".join(joins_without_space())
    toward = "|".join(map(re.escape, towards()))
    return re.compile(
        rf"{close}(?:(?P<cjk>[ \t]?(?:{joined})(?:[ \t]?:)?[ \t]{{0,4}})|{syntax.WHOSE}(?P<said>{syntax.IS})\*{{0,2}}[ \t]{{0,4}}"
        rf"|(?P<kind>(?:[ \t]\w{{2,20}}){{1,2}}?)[ \t]{{0,2}}[:=][ \t]{{0,8}}"
        rf"|[ \t]{{1,4}}(?P<toward>{toward})[ \t]{{1,4}}|(?P<beside>[ \t]{{1,4}}))",
        re.IGNORECASE,
    )


@cache
def _bare() -> re.Pattern[str]:
    return re.compile(rf"[^\s\"'`<>,;«»“”「」『』。、]{{2,{_VALUE_CHARS_MAX}}}+")


@cache
def _typed() -> re.Pattern[str]:
    """What a keyboard for Latin script types."""
    return re.compile(rf"[!#-&(-+\--:=?-_a-~]{{4,{_VALUE_CHARS_MAX}}}+")


@cache
def _verb() -> re.Pattern[str]:
    """The end of a sentence whose verb comes last, or none."""
    return re.compile(r"[ \t]?(?:です|だ(?!け)|でした|に(?:変更|設定|し)|입니다|이에요|예요|이다|임(?!\w)|है|था|थी|[。、,.;!)\n]|\Z)")


def find_spoken(text: str) -> Iterator[Span]:
    lowered = lower(text)
    scripts = ["", *(one for one in _SCRIPTS if compiled(one).search(text))] if compiled(_FAR).search(text) else [""]
    stems = tuple(stem for script in scripts for stem in _stems(script) if stem in lowered)
    for label in matches_at(lowered, stems, _label()) if stems else ():
        span = _value_after(text, label)
        if span is not None:
            yield span


def _value_after(text: str, label: re.Match[str]) -> Span | None:
    level = _levels()[label[0]]
    join = _join().match(text, label.end())
    if join is None:
        return None
    if join["toward"] and not syntax.sets().search(text, max(label.start() - 60, 0), label.start()):
        return None
    if join["kind"] and any(map(goes_on, join["kind"].split())):
        return None
    found = _quoted(text, join.end()) or _unquoted(text, label, join)
    if found is None:
        return None
    first, last, quoted = found
    value = text[first:last]
    if is_secret(value, Level.PASSWORD, Style.LOOSE) and not join["beside"]:
        return Span(first, last, KINDS[level])
    spoken = join["said"] is None or not join["said"].strip(" \t:=")
    idiom = label[0] in _IDIOMS and not quoted and not spoken and is_abstract(value)
    if idiom or not is_stated(value, level, quoted=quoted) or (not quoted and _is_acronym(value)):
        return None
    return Span(first, last, KINDS[level])


def _quoted(text: str, at: int) -> tuple[int, int, bool] | None:
    closing = _QUOTES.get(text[at : at + 1])
    if closing is None:
        return None
    end = text.find(closing, at + 1, at + 2 + _VALUE_CHARS_MAX)
    body = text[at + 1 : end] if end > 0 else ""
    if "\n" in body or not body.strip():
        return None
    first = at + 1 + len(body) - len(body.lstrip())
    return first, first + len(body.strip()), True


def _unquoted(text: str, label: re.Match[str], join: re.Match[str]) -> tuple[int, int, bool] | None:
    """A bare value that ends its clause, or looks like a secret by itself."""
    scripts = _is_cjk(label[0][-1]) and (join["cjk"] or not _is_hangul(label[0][-1]))
    latin = scripts or bool(join["beside"])
    value = (_typed() if latin else _bare()).match(text, join.end())
    if value is None:
        return None
    first, last = value.span()
    while last > first and text[last - 1] in ".)]}?:":
        last -= 1
    if last <= first:
        return None
    if join["beside"]:
        closed = text[last : last + 4].strip().startswith(("है", "था", "थी")) or (
            _is_cjk(label[0][-1]) and _levels()[label[0]] is Level.PASSWORD and _verb().match(text, last) is not None
        )
        return (first, last, False) if closed else None
    if is_secret(text[first:last], Level.PASSWORD, Style.LOOSE):
        return first, last, False
    closed = _verb().match(text, last) if latin else syntax.closing().match(text, last)
    return (first, last, False) if closed else None


def _is_acronym(value: str) -> bool:
    return value.isupper() and value.isalpha() and len(value) < 6


def _is_cjk(char: str) -> bool:
    return "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or _is_hangul(char)


def _is_hangul(char: str) -> bool:
    return "\uac00" <= char <= "\ud7a3"

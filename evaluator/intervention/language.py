"""The language in which a person is told: their own where their request is clearly in it, else English. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import cast

from evaluator.record import Record
from evaluator.text import Vocabulary, table

LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko", "hi")
WORDS_MIN = 2
"""Words of another language that a request has; with an English one among them two more for each of those."""
LETTERS_MIN = {"ja": 5, "ko": 5, "zh": 5, "ru": 10, "hi": 10}
"""Letters of another script, for each English word of the request, that have to be exceeded."""
_SCRIPTS = {
    "ja": ("\u3040", "\u30ff"), "ko": ("\uac00", "\ud7af"), "zh": ("\u4e00", "\u9fff"), "ru": ("\u0400", "\u04ff"),
    "hi": ("\u0900", "\u097f"),
}  # fmt: skip
# Patterns are compiled when a text is first looked at.
_QUOTED = (
    r"(?sm)```.*?(?:```|\Z)|`[^`]*`|<(\w+)[^<>]*>.*?</\1>|<[^<>\n]*>|\[[^\[\]\n]*\]"
    r"""|"[^"\n]*"|“[^”]*”|„[^“”"]*[“”"]|«[^»]*»|「[^」]*」|『[^』]*』|(?<!\w)'[^'\n]+'(?!\w)|(?<!\w)‘[^’\n]+’(?!\w)"""
    r"|^[ \t]*(?:>|\d[\d:./T -]{7,}|(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL)\b|at |File )[^\n]*$"
)
"""Code, markup, what stands between quotes, and lines of a log."""
_ASCII = r"[!-~\u00a1-\u024f]"
_NO_WORDS = (
    rf"(?a)https?://{_ASCII}+|(?<!{_ASCII}){_ASCII}*[/\\_@]{_ASCII}*|(?<![\w-])[\w-]+\.[a-zA-Z]\w*"
    rf"|(?<!\S)--?\w{_ASCII}*|\b[A-Z]{{2,}}\b"
)
"""Addresses, paths, names, options and acronyms are of no language."""
_WORD = r"[¿¡]|[^\W\d_]+(?:'[^\W\d_]+)?"
_HEAD = r"[^:：\n]+(?=[:：]\s)"
"""What introduces something pasted."""
_NAMED = r"[A-Za-z]\W* [\u3040-\u9fff]+ \W*[A-Za-z]"
_LOOKED_AT = 2_000


class _Known(Record):
    """The file; `words` and `verbs` by language, without what English has too."""

    messages: re.Pattern[str]
    english: frozenset[str]
    shared: Mapping[str, frozenset[str]]
    terms: frozenset[str]
    codes: frozenset[str]
    loans: frozenset[str]
    particles: frozenset[str]
    words: Mapping[str, frozenset[str]]
    verbs: Mapping[str, frozenset[str]]


def language_of(text: str, earlier: Iterable[str] = ()) -> str:
    """That of the text, or where nothing in it tells, of the newest of `earlier` that does; else English.

    Another language than English is told by its script, or by two of its words and no English one. Quotes, code and
    names do not count; nor do commands and terms that are English everywhere. In a request of some length one English
    word outweighs two others.
    """
    return next((found for one in (text, *earlier) if (found := _detect_language(one))), "en")


def _detect_language(text: str) -> str:
    """The language that a text is in; empty where nothing tells."""
    plain = re.sub(_NO_WORDS, " ", re.sub(_QUOTED, " ", text[:_LOOKED_AT].replace("’", "'")))
    head = re.match(_HEAD, plain)
    if head and (told := _language_of_plain_text(head.group())) and (told != "en" or " " in head.group()):
        return told
    return _language_of_plain_text(plain)


def _language_of_plain_text(text: str) -> str:
    known = _language_vocabulary()
    words, typed = _split_language_words(text), _split_language_words(known.messages.sub(" ", text))
    if not words:
        return ""
    best, count = _likeliest_language(typed)
    here = known.english.intersection(typed)
    # A request that opens in English is English, whatever it speaks of.
    opens = len(here) >= WORDS_MIN and words[0] in here
    if not opens and (language := _language_by_script(text, len(here))):
        return language
    english = len(here - known.shared.get(best, frozenset()))
    if not opens and count >= WORDS_MIN + 2 * english + (words[0] in known.terms):
        return best if best in LANGUAGES else "en"
    return "" if known.english.isdisjoint(words) and known.terms.isdisjoint(words) else "en"


def _language_by_script(text: str, english: int) -> str:
    each = {name: [char for char in text if low <= char <= high] for name, (low, high) in _SCRIPTS.items()}
    language = next((name for name, chars in each.items() if chars), "")
    found = [char for chars in each.values() for char in chars]
    if not language or len(found) <= LETTERS_MIN[language] * english:
        return ""
    named = (
        language in ("zh", "ja")
        and _language_vocabulary().particles.isdisjoint(found)
        and re.search(_NAMED, text)
    )
    return "" if named and len(found) <= len(re.findall("[A-Za-z]+", text)) else language


def _split_language_words(text: str) -> list[str]:
    """In "l'erreur" there are two words, in "don't" is one."""
    found: list[str] = []
    for word in re.findall(_WORD, text.casefold()):
        first, mark, rest = word.partition("'")
        found += [first + mark, rest] if mark and word not in _language_vocabulary().english else [word]
    return found


def _likeliest_language(words: list[str]) -> tuple[str, int]:
    """The language that most words are of, and how many. The verb that opens a request counts twice."""
    if not words:
        return "en", 0
    known, said = _language_vocabulary(), frozenset(words)
    found = {"en": (0, 0)}
    for language, listed in known.words.items():
        verbs = known.verbs.get(language, frozenset())
        of_it = said & (listed | verbs)
        letters = sum(len(word) == 1 and word.isascii() for word in of_it)
        # Codes of locales and single letters tell nothing by themselves.
        count = len(of_it) - letters + min(letters, 1) if len(of_it - known.codes) > letters else 0
        accent = any(len(word) > 1 and not word.isascii() for word in of_it - known.loans)
        found[language] = (count + (words[0] in verbs) + accent, letters)
    best = max(found, key=lambda language: found[language])
    return best, found[best][0]


@cache
def _language_vocabulary() -> _Known:
    file, english = Vocabulary("intervention/language"), Vocabulary("intervention/language", "english")
    messages = cast("str", table("intervention/language")["messages"]).replace("\n", "")
    said, terms, shared = english.words("words"), english.words("terms"), file.sets("shared")
    words, verbs = (
        {language: listed - said - terms for language, listed in file.sets(key).items()}
        for key in ("words", "verbs")
    )
    return _Known(
        messages=re.compile(rf"\b(?:{messages})\b", re.IGNORECASE),
        english=said,
        terms=terms,
        shared=shared,
        codes=file.words("codes"),
        loans=file.words("loans"),
        particles=frozenset(*file.words("particles")),
        words=words,
        verbs=verbs,
    )

"""The words of each language, compiled when they are first looked for. `words/any.toml` tells what a key means."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import cast

from evaluator.text import Vocabulary, table

LATIN = ("en", "de", "fr", "es", "pt", "it", "nl", "pl", "hi_latn")
SCRIPTS = {
    "ja": "[\u3040-\u30ff]",
    "zh": "[\u4e00-\u9fff]",
    "ko": "[\uac00-\ud7af]",
    "ru": "[\u0400-\u04ff]",
    "hi": "[\u0900-\u097f]",
}
UNSPACED = ("zh", "ja", "ko")
LETTER = r"[\w\u0900-\u097f]"
GAP = ".{1,80}?"
SAMPLE_CHARS_MAX = 600
NEVER = re.compile("(?!)")
_WORD = re.compile(rf"{LETTER}[{LETTER[1:-1]}'-]*")
_RUN = re.compile(r"[\u3041-\u9fff\uac00-\ud7a3\u0900-\u097f]{2,}|[a-z]{3,}")


def pattern(entries: Iterable[str], language: str, within: str = "") -> re.Pattern[str]:
    """Any of the entries as a whole word; English ones `within` a language may touch letters of its script."""
    longest = "|".join(sorted(entries, key=len, reverse=True)) or "(?!)"
    gaps = re.sub(rf"(?<={LETTER})\*", lambda _: f"{LETTER}*", longest).split("…")
    normal = (unicodedata.normalize("NFKC", one) for one in gaps)
    body = f"({GAP})".join(one.translate({0xDF: "ss", 0x451: "е"}) for one in normal)
    if language in UNSPACED:
        return re.compile(body)
    letter = "[a-z0-9_]" if within in UNSPACED else LETTER
    # "supprime-les" is a verb, "stop-button" a name.
    joint = "[']" if language in ("fr", "pt") else "[-']"
    return re.compile(rf"(?<!{letter})(?<!-)(?:{body})(?!{letter}|{joint}{letter})")


@cache
def shared(key: str, section: str = "") -> re.Pattern[str]:
    """A pattern that no language owns."""
    found = table("rules/words/any")
    return re.compile(str(cast(dict[str, object], found[section])[key] if section else found[key]))


@cache
def listed(key: str, section: str = "") -> frozenset[str]:
    found = table("rules/words/any")
    return frozenset(cast(list[str], cast(dict[str, object], found[section])[key] if section else found[key]))


@cache
def mapped(key: str) -> dict[str, str]:
    return Vocabulary("rules/words/any").texts(key)


@cache
def of_all(key: str) -> re.Pattern[str]:
    """What all languages say for one thing that losses turn on."""
    each = {language: words(language).section("losses").get(key) for language in (*LATIN, *SCRIPTS)}
    return re.compile("|".join(pattern(one, language).pattern for language, one in each.items() if one))


class Words:
    """The words of one language; acts and kinds of files are spoken of in English as well."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.runs_on = language in (*UNSPACED, "hi")
        """Whether its verbs stand behind what they are about, and few spaces part its words."""
        self._table = table(f"rules/words/{language}")
        self._compiled: dict[str, re.Pattern[str]] = {}
        self.order = str(self._table["order"])
        self.letters = frozenset(str(self._table.get("letters", "")))
        each = (cast(list[str], one) for one in self._table.values() if isinstance(one, list))
        entries = " ".join(" ".join(one) for one in each)
        self.plain = frozenset(re.findall(rf"(?<!{LETTER})({LETTER}+)(?![*?(|\[])", entries))
        self._stems = frozenset(one[:-1] for one in re.findall(rf"{LETTER}{{4,}}\*", entries))

    def __getitem__(self, key: str) -> re.Pattern[str]:
        if key not in self._compiled:
            entries = cast(list[str], self._table.get(key, []))
            self._compiled[key] = pattern(entries, self.language) if entries else NEVER
        return self._compiled[key]

    def has(self, text: str, *keys: str) -> bool:
        return any(self[key].search(text) is not None for key in keys)

    def section(self, name: str) -> dict[str, list[str]]:
        return cast(dict[str, list[str]], self._table.get(name, {}))

    def spoken(self, section: str, key: str) -> re.Pattern[str]:
        """How a language's words for bans name an act or a kind of file."""
        name = f"{section}.{key}"
        if name not in self._compiled:
            each = {one: words(one).section(section).get(key, []) for one in ("en", self.language)}
            found = [pattern(entries, one, self.language).pattern for one, entries in each.items()]
            self._compiled[name] = re.compile("|".join(found))
        return self._compiled[name]

    def acts(self, text: str) -> tuple[str, ...]:
        return self._found("acts", text)

    def kinds(self, text: str) -> tuple[str, ...]:
        return self._found("kinds", text)

    def _found(self, section: str, text: str) -> tuple[str, ...]:
        plain = shared("name").sub(" ", text)
        keys = dict.fromkeys((*words("en").section(section), *self.section(section)))
        return tuple(key for key in keys if self.spoken(section, key).search(plain))

    def without(self, section: str, keys: Iterable[str], text: str, mark: str = " ") -> str:
        """The text less what is spoken of, what is told in most letters first."""
        each = [self.spoken(section, key) for key in keys]
        for one in sorted(
            each, key=lambda one: -max((len(found.group()) for found in one.finditer(text)), default=0)
        ):
            text = one.sub(mark, text)
        return text

    def led(self, text: str) -> str:
        """The text less what may stand before an order."""
        if "^lead" not in self._compiled:
            self._compiled["^lead"] = re.compile(rf"(?:(?:{self['lead'].pattern})[\s,]*)*")
        return self._compiled["^lead"].sub("", text, count=1) or text

    def opening(self, key: str) -> re.Pattern[str]:
        """A word of this key where a text opens, but for function words."""
        name = f"^{key}"
        if name not in self._compiled:
            skipped = rf"(?:(?:{self['filler'].pattern})[\s,]*)*?"
            self._compiled[name] = re.compile(rf"{skipped}(?:{self[key].pattern})")
        return self._compiled[name]

    def content(self, text: str, *keys: str) -> tuple[str, ...]:
        """The words of a text that are neither names of files, nor function words, nor of these keys."""
        text = shared("name").sub(" ", text)
        for key in (*keys, "deny", "only", "stay", "lead", "polite"):
            text = self[key].sub(" ", text)
        if self.runs_on:
            found = _RUN.findall(self["filler"].sub(" ", text))
            return tuple(word for word in found if word not in words("en").plain)
        return tuple(one for one in _WORD.findall(text) if len(one) > 1 and not self["filler"].fullmatch(one))

    def knows(self, word: str) -> bool:
        return word in self.plain or any(word[:end] in self._stems for end in range(4, len(word) + 1))

    def says(self, text: str) -> str:
        """The text as the words are looked for in it."""
        return re.sub(r"'\s*", "' ", text) if self._table.get("elides") else text


@cache
def words(language: str) -> Words:
    return Words(language)


@lru_cache(maxsize=4096)
def _known_in(word: str) -> frozenset[str]:
    """The languages that have a word; none for the name of an act or a kind of file, which all borrow."""
    en = words("en")
    loans = (en.spoken(each, key) for each in ("acts", "kinds") for key in en.section(each))
    if any(one.fullmatch(word) for one in loans):
        return frozenset()
    return frozenset(language for language in LATIN if words(language).knows(word))


def words_for(text: str) -> Words:
    """Those of the language of a folded text; English where no other has more of its words."""
    start = shared("name").sub(" ", text[:SAMPLE_CHARS_MAX])
    for language, script in SCRIPTS.items():
        if re.search(script, start):
            return words(language)
    said = [_known_in(word) for word in re.split(r"\W+", start) if word]
    counts: dict[str, int] = dict.fromkeys(LATIN, 0)
    for known in said:
        for language in known:
            counts[language] += 1
    if not start.isascii():
        for language in LATIN:
            counts[language] += sum(char in words(language).letters for char in start)
    best = [language for language in LATIN if counts[language] == max(counts.values())]
    telling = ("deny", "touch", "only", "first", "stop", "wait")
    if not best[1:]:
        return words(best[0])
    return max(map(words, best), key=lambda one: sum(one.has(start, key) for key in telling))

"""From text to words: pieces of identifiers, stems, kinds by the lexicon. Decides nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from evaluator.readers.embedded_next.language import table

RUN = re.compile(
    r"[A-Za-z0-9\u00c0-\u024f\u1e00-\u1eff]+"
    r"|(?:[^\W_A-Za-z0-9\u00c0-\u024f\u1e00-\u1eff]|[\u0591-\u05c7\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e])+"
)
"""Latin words, and words of other scripts with the marks that belong to their letters."""
CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
SUFFIXES = ("ing", "ed", "er", "es", "e")
NEGATION = re.compile(r"n['’]t\b")
PREFIX = 6
"""Two longer words with the same first six letters count as the same word (pagination, paginate)."""


def normalise(text: str, limit: int) -> str:
    """NFKC, `n't` without its apostrophe; of a long text the first and last half of `limit` characters."""
    if len(text) > limit:
        text = f"{text[: limit // 2]}\n{text[-(limit // 2) :]}"
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return NEGATION.sub("nt", text)


def split(text: str) -> list[str]:
    """Lower-case words in order; identifiers fall into their pieces (`getUserById`, `get_user`)."""
    found: list[str] = []
    for run in RUN.findall(text):
        if run.islower() or not run.isascii():
            found.append(run.casefold())
        else:
            found.extend(piece.lower() for piece in CAMEL.findall(run))
    return found


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A rough English stem without accents; other scripts and short words stay as they are."""
    if not word.isascii() and word[0] < "\u0250":
        word = "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))
    if not word.isascii() or len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            return word[: -len(suffix)]
    return word


@lru_cache(maxsize=20_000)
def pieces(word: str) -> tuple[str, ...]:
    """What a word is compared by: its stem; of a script without blanks its neighbouring characters."""
    if len(word) > 2 and UNSPACED.search(word):
        return tuple(word[at : at + 2] for at in range(min(len(word) - 1, 40)))
    return (stem(word),)


def terms(text: str) -> list[str]:
    """The stems of a text in order; scripts without blanks between words by pairs of characters."""
    return [piece for word in split(text) for piece in pieces(word)]


def distinct(text: str) -> list[str]:
    """The words of a text without regard to order, each spelling once: cheap for long texts."""
    return split(" ".join(dict.fromkeys(RUN.findall(text))))


def stems(words: list[str]) -> frozenset[str]:
    """The stems, and the first letters of the longer ones behind a mark, to be compared as sets."""
    found: set[str] = set()
    for word in words:
        short = stem(word)
        found.add(short)
        if len(short) >= PREFIX:
            found.add(f"{short[:PREFIX]}~")
    return frozenset(found)


def holds(known: frozenset[str], word: str) -> bool:
    short = stem(word)
    return short in known or (len(short) >= PREFIX and f"{short[:PREFIX]}~" in known)


class Table:
    """Word lists, compiled: kind -> entries becomes word -> kinds."""

    def __init__(self, lists: Mapping[str, str]) -> None:
        self._exact: dict[str, set[str]] = {}
        self._begins: dict[str, set[str]] = {}
        self._phrases: dict[str, list[tuple[str, str]]] = {}
        self._inner: list[tuple[str, str]] = []
        for kind, entries in lists.items():
            for entry in entries.split():
                self._enter(kind, entry)
        self._lengths = sorted({len(word) for word in self._begins})
        self._known: dict[str, tuple[str, ...]] = {}

    def _enter(self, kind: str, entry: str) -> None:
        if UNSPACED.search(entry):
            self._inner.append((entry.replace("+", " "), kind))
        elif "+" in entry or "-" in entry or "'" in entry:
            words = " ".join(split(re.sub(r"[+'*-]", " ", entry)))
            self._phrases.setdefault(words.split(" ", 1)[0], []).append((f" {words} ", kind))
        elif entry.endswith("*"):
            self._begins.setdefault(entry[:-1], set()).add(kind)
        elif entry != "|":
            self._exact.setdefault(entry, set()).add(kind)

    def kinds(self, word: str) -> tuple[str, ...]:
        known = self._known.get(word)
        if known is None:
            found = set(self._exact.get(word, ()))
            for length in self._lengths:
                if length > len(word):
                    break
                found |= self._begins.get(word[:length], set())
            known = tuple(sorted(found))
            if len(self._known) < 50_000:
                self._known[word] = known
        return known

    def of(self, flat: str, words: list[str], low: str) -> dict[str, list[str]]:
        """Kind -> the entries seen, in order of words, then phrases, then inner matches.

        `flat` is the words joined by blanks with one at each end; `low` is the lower-case text.
        """
        seen: dict[str, list[str]] = {}
        known, phrases = self._known, self._phrases
        heads: list[str] = []
        for word in words:
            kinds = known.get(word)
            for kind in self.kinds(word) if kinds is None else kinds:
                seen.setdefault(kind, []).append(word)
            if word in phrases and word not in heads:
                heads.append(word)
        for word in heads:
            for phrase, kind in phrases[word]:
                if phrase in flat:
                    seen.setdefault(kind, []).append(phrase.strip())
        if not low.isascii() and UNSPACED.search(low):
            for inner, kind in self._inner:
                if inner in low:
                    seen.setdefault(kind, []).append(inner)
        return seen


ACTIONS = Table(table.ACTIONS)
CUES = Table(table.CUES)
CLAUSE = Table(
    {f"action {kind}": entries for kind, entries in table.ACTIONS.items()}
    | {f"cue {kind}": entries for kind, entries in table.CUES.items()}
    | {f"turn {kind}": entries for kind, entries in table.TURNS.items()}
    | {"inform": table.INFORM, "more": table.MORE}
)
"""All that a clause is looked through for, in one pass."""
STOP, GENERIC, EXTENSIONS, NOT_FILES, SOURCING = (
    frozenset(entries.split())
    for entries in (table.STOP, table.GENERIC, table.EXTENSIONS, table.NOT_FILES, table.SOURCING)
)
BEYOND = table.BEYOND

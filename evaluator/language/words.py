"""From text to words: pieces of identifiers, stems, kinds by the lexicon. Decides nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evaluator.exchange import verbs
from evaluator.language import table

RUN = re.compile(
    r"[A-Za-z0-9\u00c0-\u024f\u1e00-\u1eff]+"
    r"|(?:[^\W_A-Za-z0-9\u00c0-\u024f\u1e00-\u1eff]|[\u0591-\u05c7\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e])+"
)
"""Latin words, and words of other scripts with the marks that belong to their letters."""
CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
SUFFIXES = ("ing", "ed", "er", "es", "e")
NEGATION = re.compile(r"n['’]t\b")
KNOWN_MAX = 50_000


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
    return frozenset(map(stem, words))


@dataclass(frozen=True, slots=True)
class Seen:
    """The words of a text that the table lists, by kind, in the order of the text."""

    actions: dict[str, list[str]]
    cues: dict[str, list[str]]
    turns: dict[str, list[str]]


class _Table:
    """The word lists, compiled: (group, kind) -> entries becomes word -> kinds."""

    def __init__(self, groups: Mapping[str, Mapping[str, str]]) -> None:
        self._exact: dict[str, set[tuple[str, str]]] = {}
        self._begins: dict[str, set[tuple[str, str]]] = {}
        self._phrases: dict[str, list[tuple[str, tuple[str, str]]]] = {}
        self._inner: list[tuple[str, tuple[str, str]]] = []
        for group, lists in groups.items():
            for kind, entries in lists.items():
                for entry in entries.split():
                    self._enter((group, kind), entry)
        self._lengths = sorted({len(word) for word in self._begins})
        self._known: dict[str, tuple[tuple[str, str], ...]] = {}

    def _enter(self, kind: tuple[str, str], entry: str) -> None:
        if UNSPACED.search(entry):
            self._inner.append((entry.replace("+", " "), kind))
        elif "+" in entry or "-" in entry or "'" in entry:
            phrase = " ".join(split(re.sub(r"[+'*-]", " ", entry)))
            self._phrases.setdefault(phrase.split(" ", 1)[0], []).append((f" {phrase} ", kind))
        elif entry.endswith("*"):
            self._begins.setdefault(entry[:-1], set()).add(kind)
        else:
            self._exact.setdefault(entry, set()).add(kind)

    def kinds(self, word: str) -> tuple[tuple[str, str], ...]:
        known = self._known.get(word)
        if known is None:
            begun = [
                self._begins.get(word[:length], set()) for length in self._lengths if length <= len(word)
            ]
            known = tuple(sorted(self._exact.get(word, set[tuple[str, str]]()).union(*begun)))
            if len(self._known) < KNOWN_MAX:
                self._known[word] = known
        return known

    def seen(self, words: Sequence[str], low: str) -> Seen:
        found: dict[str, dict[str, list[str]]] = {"action": {}, "cue": {}, "turn": {}}
        for word in words:
            for group, kind in self.kinds(word):
                found[group].setdefault(kind, []).append(word)
        heads = [word for word in dict.fromkeys(words) if word in self._phrases]
        flat = f" {' '.join(words)} " if heads else ""
        for phrase, (group, kind) in (each for head in heads for each in self._phrases[head]):
            if phrase in flat:
                found[group].setdefault(kind, []).append(phrase.strip())
        if not low.isascii() and UNSPACED.search(low):
            for inner, (group, kind) in self._inner:
                if inner in low:
                    found[group].setdefault(kind, []).append(inner)
        return Seen(found["action"], found["cue"], found["turn"])


ACTIONS = {
    kind: listed.replace(", ", ",").replace(" ", "+").replace(",", " ") for kind, listed in verbs.ORDERS.items()
} | {"answer": table.ANSWER}
_TABLE = _Table({"action": ACTIONS, "cue": table.CUES, "turn": table.TURNS})
seen = _TABLE.seen
"""`seen(words, low)`: what is listed of a text's words; `low` is the lower-case text, for scripts without blanks."""
kinds = _TABLE.kinds
"""The (group, kind) pairs under which a single word is listed."""
STOP, GENERIC, EXTENSIONS = (
    frozenset(entries.split())
    for entries in (table.STOP, table.GENERIC, table.EXTENSIONS)
)

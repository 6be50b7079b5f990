"""From text to words: pieces of identifiers, stems, kinds by the lexicon. Decides nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
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


def _entries(listed: str) -> str:
    """A list of the exchange (entries apart by commas) as one of the table (apart by blanks)."""
    return listed.replace(", ", ",").replace(" ", "+").replace(",", " ")


ACTIONS = {**{kind: _entries(listed) for kind, listed in verbs.ORDERS.items()}, "answer": table.ANSWER}
_EXACT: dict[str, set[str]] = {}
_BEGINS: dict[str, set[str]] = {}
_PHRASES: dict[str, list[tuple[str, str]]] = {}
_INNER: list[tuple[str, str]] = []
"""Entry -> kinds: whole words, beginnings of words, phrases by their first word, and what may stand anywhere."""
for _kind, _listed in (ACTIONS | table.CUES | table.TURNS).items():
    for _entry in _listed.split():
        if UNSPACED.search(_entry):
            _INNER.append((_entry.replace("+", " "), _kind))
        elif len(_parts := split(_entry)) > 1:
            _PHRASES.setdefault(_parts[0], []).append((f" {' '.join(_parts)} ", _kind))
        elif _entry.endswith("*"):
            _BEGINS.setdefault(_entry[:-1], set()).add(_kind)
        else:
            _EXACT.setdefault(_entry, set()).add(_kind)
_LENGTHS = sorted({len(word) for word in _BEGINS})


@lru_cache(maxsize=50_000)
def kinds(word: str) -> frozenset[str]:
    """The kinds under which a single word is listed."""
    begun = [_BEGINS.get(word[:length], ()) for length in _LENGTHS if length <= len(word)]
    return frozenset(_EXACT.get(word, ())).union(*begun)


def seen(words: Sequence[str], low: str) -> dict[str, list[str]]:
    """Kind -> what is listed of a text's words. `low` is the lower-case text, for scripts without blanks."""
    found: dict[str, list[str]] = {}
    for word in words:
        for kind in sorted(kinds(word)):
            found.setdefault(kind, []).append(word)
    heads = [word for word in dict.fromkeys(words) if word in _PHRASES]
    flat = f" {' '.join(words)} " if heads else ""
    for phrase, kind in (each for head in heads for each in _PHRASES[head] if each[0] in flat):
        found.setdefault(kind, []).append(phrase.strip())
    for inner, kind in _INNER if not low.isascii() and UNSPACED.search(low) else ():
        if inner in low:
            found.setdefault(kind, []).append(inner)
    return found


STOP, GENERIC = frozenset(table.STOP.split()), frozenset(table.GENERIC.split())

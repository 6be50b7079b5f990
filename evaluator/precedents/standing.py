"""Where a path stands in a request: as the place of a term, or only beside it. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from evaluator.language import noun_text, noun_words, words

_PARTS = re.compile(
    r"([.!?;:,()\n]+(?=\s|$)|\s?\(|\s[–—-]{1,2}\s|\s(?:and|but|und|aber|et|mais|y|pero|и|но)\s|[、。；，：])"
)
_WORD = re.compile(r"[^\W_]+")
_IN_WORDS = """
    in inside within at under into on im am in bei unter innerhalb dans sous chez en bajo dentro em no na nel nella
    sotto в внутри под
    """
IN = frozenset(_IN_WORDS.split())
"""Prepositions of place."""
_OF_WORDS = "of from for to by de du des von vom aus für d of del dal di из для is are ist est es è это means"
_OF = frozenset(_OF_WORDS.split())
_ARTICLES = frozenset(
    [
        "the",
        "a",
        "der",
        "die",
        "das",
        "dem",
        "den",
        "le",
        "la",
        "les",
        "el",
        "los",
        "il",
        "lo",
        "o",
        "file",
        "module",
        "datei",
        "fichier",
        "archivo",
    ]
)
_NOT = frozenset("not never nicht pas no não non не without ohne sans sin".split())  # noqa: SIM905
_BORROWING_WORDS = """
    use uses using with via like call calls calling reuse borrow import imports take takes see read copy follow
    unlike as than same from through compare nutze nutzt mit wie nimm utilise utiliser avec comme prends usa usar con
    como toma использу возьми как с
    """
_BORROWING = frozenset(_BORROWING_WORDS.split())
_AT_WORK = re.compile(
    r"(?<!\w)(?:we['’]re|i['’]m|we are|i am|work|works|working|stay|staying|open|opened|go|going|switch|look|looking"
    r"|back|currently|arbeite\w*|bin|sind|öffne|geh|ouvre|ouvrons|va|travaill\w+|sommes|suis|abre|abrimos|trabaj\w+|estamos"
    r"|estoy|открой|работа\w+|перейди)(?: \w+){0,3}\s*$",
    re.IGNORECASE,
)
_BELONGING = re.compile(r"['’]s\b|\s?(?:の|里|中|内|的|의|에|で|にある)")


class _Part(NamedTuple):
    text: str
    opened: str
    """What stands before it."""
    holds: bool


def is_place(text: str, path: str, head: str) -> bool:
    """Whether a path of a text is where the term (`head`, a key) is, or where one is at work on it."""
    pieces = _PARTS.split(text)
    parts = [
        _Part(one.strip(), "" if at == 0 else pieces[2 * at - 1].strip(), _holds(one, head))
        for at, one in enumerate(pieces[::2])
    ]
    parts = [part for part in parts if part.text]
    return any(_stands(parts, at, path, head) for at, part in enumerate(parts) if path in part.text)


def _holds(part: str, head: str) -> bool:
    return head in part.casefold() if words.UNSPACED.search(head) else head in _keys(part)


def _keys(text: str) -> list[str]:
    return [noun_text.key(word) for word in _words(text)]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _stands(parts: list[_Part], at: int, path: str, head: str) -> bool:
    part = parts[at]
    before, _, after = part.text.partition(path)
    after = after.removeprefix("/")
    lead = [word for word in _words(before) if word not in _ARTICLES]
    denied = not _NOT.isdisjoint(lead[-2:])
    if denied:
        return False
    if part.holds and _holds(before, head):
        return _is_behind(before, head)
    last = lead[-1] if lead else ""
    if part.holds:
        close = next((n for n, key in enumerate(_keys(after)) if key == head), 9) <= 1
        own = _BELONGING.match(after) is not None or (close and not lead)
        return own or last in IN or _orders(last)
    previous = parts[at - 1] if at else None
    following = parts[at + 1] if at + 1 < len(parts) else None
    alone = not _words(after)
    if following is not None and following.holds and alone and (len(lead) == 1 and last in IN):
        return True
    if following is not None and following.holds and alone and not lead and following.opened == ":":
        return True
    if previous is not None and previous.holds and alone:
        named = (
            not lead
            and (_keys(previous.text) or [""])[-1] == head
            and part.opened in ("(", ",", ":", "-", "–", "—")
        )
        return named or (len(lead) == 1 and last in IN)
    return any(one.holds for one in parts[at + 1 :]) and _AT_WORK.search(before) is not None


def _is_behind(before: str, head: str) -> bool:
    """Whether a preposition of place leads from the term to a path behind it."""
    said = _words(before)
    start = max((n for n, word in enumerate(said) if noun_text.key(word) == head), default=-1)
    if start < 0:
        # An unspaced script: what stands between is not told apart.
        return False
    between = [word for word in said[start + 1 :] if word not in _ARTICLES]
    if not between or not _BORROWING.isdisjoint(between[:-1]):
        return False
    return between[-1] in IN or (len(between) == 1 and between[-1] in _OF)


def _orders(word: str) -> bool:
    changing = word in noun_words.VERBS or bool(words.kinds(word) & words.ACTIONS.keys())
    return changing and word not in _BORROWING

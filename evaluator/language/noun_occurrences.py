"""Where a noun stands in a request, what modifies it, and whether it is what the request is about. Pure.

No parser: a noun is found by its head, and looked at from there. `other` is said where the words around it make it
another thing, `open` where that cannot be told.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from evaluator.language import noun_words as table
from evaluator.language import unspaced_nouns as unspaced
from evaluator.language import words
from evaluator.language.noun_text import CASED, NOUNS_MAX, Noun, Text, Token, key, read


class _Any(frozenset[str]):
    def __contains__(self, _: object) -> bool:
        return True


ANY = _Any()
"""No modifier makes another thing of a noun that is looked at by itself."""


@lru_cache(maxsize=256)
def bare_occurrences(text: str, head: str) -> tuple[Noun, ...]:
    """As `occurrences`, where every modifier belongs to the noun: those that are `other` are so for any."""
    return occurrences(text, head, ANY)


def occurrences(text: str, head: str, known: Collection[str] = ()) -> tuple[Noun, ...]:
    """Where the noun `head` (a key) stands in a text. `known`: keys of modifiers that do not make it another thing."""
    if words.UNSPACED.search(head) or (not text.isascii() and unspaced.KANA.search(text)):
        return tuple(
            one._replace(head=head, definite=True) for one in unspaced.occurrences(text, head, known)
        )
    whole = read(text)
    found = (noun_at(whole, at, head, known) for at in _places(text).get(head, ()))
    return tuple(one for one in found if one is not None)[:NOUNS_MAX]


@lru_cache(maxsize=16)
def _places(text: str) -> dict[str, list[int]]:
    """{key: where it stands among the tokens}; an identifier stands for its last piece."""
    found: dict[str, list[int]] = {}
    for at, token in enumerate(read(text).tokens):
        if token.is_word:
            cased = CASED.search(token.text)
            found.setdefault(key(words.split(token.text)[-1] if cased else token.low), []).append(at)
    return found


class _Before(NamedTuple):
    """What stands before a noun: where it begins, and what that makes of it."""

    start: int
    modifiers: tuple[str, ...]
    other: bool
    open: bool
    definite: bool


def noun_at(whole: Text, at: int, head: str, known: Collection[str]) -> Noun | None:
    """None where the word is no noun there: the verb that an order begins with."""
    tokens, token = whole.tokens, whole.tokens[at]
    before = _before(tokens, at, known)
    start = before.start
    if start == at and begins_clause(tokens, at) and _is_order(tokens, at):
        return None
    modifiers = list(before.modifiers)
    if CASED.search(token.text):
        modifiers += [key(piece) for piece in words.split(token.text)[:-1]]
    behind = named_after(tokens, at + 1) if whole.tongue == "romance" else []
    modifiers += [key(tokens[place].low) for place in behind]
    numbers = [one for one in known if one.isdigit()] if known is not ANY else []
    if numbers and _is_numbered(tokens, at + 1):
        modifiers.append(tokens[at + 1].text)
    other = before.other or any(one not in known for one in modifiers) or _excluded(tokens, start)
    end, after = _after(whole, behind[-1] if behind else at, known, subject=is_subject(tokens, start))
    last = behind[-1] if behind else end
    return Noun(
        whole.text[tokens[start].start : tokens[last].end],
        head,
        frozenset(modifiers),
        tokens[start].start,
        tokens[end].end,
        other or after == "other",
        before.open or after == "open" or _may_be_verb(tokens, at, before) or _is_aside(tokens, start),
        before.definite,
        start > 0 and tokens[start - 1].low in table.PREPOSITIONS,
    )


def _is_aside(tokens: Sequence[Token], start: int) -> bool:
    """Whether the words before a noun may make it something else than what the order is about."""
    if not start:
        return False
    low = tokens[start - 1].low
    earlier = [token.low for token in tokens[max(0, start - 9) : start - 1]]
    if low == "from":
        return not any(
            "delete" in words.kinds(one) or one in ("evict", "strip", "drop", "keep") for one in earlier
        )
    if low == "with":
        return not (earlier and earlier[-1] in table.AMISS)
    if low in table.ASIDE or low in table.TELLING:
        return True
    return "create" in words.kinds(low) and low not in table.MAKING


def _is_numbered(tokens: Sequence[Token], at: int) -> bool:
    """Whether a number stands there that counts nothing, as in "step 7 is"."""
    if at >= len(tokens) or not tokens[at].text.isdigit():
        return False
    follows = tokens[at + 1] if at + 1 < len(tokens) else None
    return (
        follows is None
        or not follows.is_word
        or any(follows.low in one for one in (table.FINITE, table.PREPOSITIONS, table.JOINING))
    )


def _may_be_verb(tokens: Sequence[Token], at: int, before: _Before) -> bool:
    """A bare word that can be an order, with something behind it that is no noun's."""
    if before.definite or before.modifiers or not may_order(tokens[at].low) or at + 1 >= len(tokens):
        return False
    follows = tokens[at + 1]
    return follows.is_word and follows.low not in table.CONTAINERS and follows.low not in table.MODALS


def _before(tokens: Sequence[Token], at: int, known: Collection[str]) -> _Before:
    """Goes back from the head to the word that begins the noun."""
    modifiers: list[str] = []
    start, other, is_open, definite = at, False, False, False
    while start:
        before = tokens[start - 1]
        joins = before.text in "'’-" or (before.low == "s" and start > 1 and tokens[start - 2].text in "'’")
        if joins and start > 1:
            start -= 1
            continue
        if before.ends or not before.is_word:
            break
        kind = _kind(tokens, start - 1)
        if (
            kind in ("first", "beyond")
            and _is_own(tokens, start - 1, known)
            and not (kind == "first" and may_order(before.low))
        ):
            kind = "modifier"
        if kind == "beyond":
            break
        if kind == "first":
            # The first word of a clause is usually what is to be done.
            is_open = True
            break
        start -= 1
        if kind == "modifier":
            modifiers.append(key(before.low))
        if before.low in table.NONE and (
            before.low not in table.ENGLISH_NONE or tokens[at].low.endswith("s")
        ):
            # "no empty rows" speaks of the rows.
            return _Before(start, (), other=False, open=True, definite=False)
        other = other or kind in ("other", "indefinite")
        if kind in ("indefinite", "each", "definite"):
            is_open, definite = is_open or kind == "each", kind == "definite"
            break
    is_open = is_open or (start > 0 and tokens[start - 1].low in table.EACH)
    return _Before(start, tuple(modifiers), other, is_open, definite)


def _is_own(tokens: Sequence[Token], at: int, known: Collection[str]) -> bool:
    """Whether the first word of a clause, which could be an order, is known to go with the noun behind it."""
    low = tokens[at].low
    if known is ANY:
        return False
    return (
        key(low) in known
        and begins_clause(tokens, at)
        and low not in words.STOP
        and low not in table.PREPOSITIONS
    )


def _kind(tokens: Sequence[Token], at: int) -> str:
    """What a word before a noun is to it."""
    low = tokens[at].low
    for kind, listed in (
        ("other", table.OTHER), ("indefinite", table.INDEFINITE), ("each", table.EACH), ("definite", table.DEFINITE),
        ("neutral", table.NEUTRAL),
    ):  # fmt: skip
        if low in listed:
            return kind
    if low in words.STOP or low in table.PREPOSITIONS or low in table.LEADING:
        return "beyond"
    begins = begins_clause(tokens, at)
    if may_order(low):
        named = at > 0 and _kind(tokens, at - 1) in ("definite", "other", "neutral", "each")
        return "modifier" if named and not begins else "beyond"
    return "first" if begins else "modifier"


def begins_clause(tokens: Sequence[Token], at: int) -> bool:
    """Whether a clause begins there, but for words of politeness."""
    while at:
        before = tokens[at - 1]
        if before.ends:
            return True
        if before.low not in table.LEADING and before.text not in "'’":
            return False
        at -= 1
    return True


def may_order(word: str) -> bool:
    return word in table.VERBS or word in table.MAKING or bool(words.kinds(word) & words.ACTIONS.keys())


def _is_order(tokens: Sequence[Token], at: int) -> bool:
    """The first word of a clause that goes on with a noun is a verb, as in "parse the file"."""
    follows = tokens[at + 1] if at + 1 < len(tokens) else None
    return follows is not None and (follows.low in table.DEFINITE or follows.low in table.INDEFINITE)


def _excluded(tokens: Sequence[Token], start: int) -> bool:
    """Whether the words right before a noun keep it out: "not that", "leave the", "without touching the"."""
    near = [token.low for token in tokens[max(0, start - 4) : start]]
    for at in range(len(near) - 1, -1, -1):
        if tokens[max(0, start - 4) + at].ends:
            return False
        if near[at] in table.EXCLUDING and (at == len(near) - 1 or near[at] != "keep"):
            between = near[at + 1 :]
            held = ("touch", "touching", "change", "changing", "of", "in", "des", "toucher", "a", "le")
            return all(one in held or one in table.DEFINITE or one in "'’t" for one in between)
    return False


def _after(whole: Text, at: int, known: Collection[str], *, subject: bool) -> tuple[int, str]:
    """(the last token of the noun, what the words behind make of it: "", "open" or "other")."""
    tokens, end = whole.tokens, at
    while end + 1 < len(tokens) and tokens[end + 1].low in table.CONTAINERS:
        end += 1
    follows = tokens[end + 1] if end + 1 < len(tokens) else None
    if follows is None or follows.ends:
        return end, ""
    if not follows.is_word:
        glued = follows.text == "-" and follows.start == tokens[end].end and end + 2 < len(tokens)
        own = follows.text in "'’" and end + 2 < len(tokens) and tokens[end + 2].low == "s"
        parts = own and tokens[min(end + 3, len(tokens) - 1)].low in table.COMPOUND
        if glued:
            return end, "other" if tokens[end + 2].low in table.COMPOUND else "open"
        return end, "open" if parts else ""
    if follows.low in table.PREPOSITIONS and not (whole.tongue == "romance" and follows.low in table.OF):
        return end, _complement(tokens, end + 1, known)
    if (
        follows.low in words.STOP
        or follows.low in table.TRAILING
        or follows.low in table.PREDICATES
        or follows.low in table.FINITE
        or follows.low in table.PAST
        or follows.low in table.DEFINITE
        or key(follows.low) in known
    ):
        return end, ""
    if subject and _tells_of_known(whole, at, end + 1):
        return end, ""
    return end, _beside(whole, at, follows)


def _tells_of_known(whole: Text, at: int, place: int) -> bool:
    """Whether the word behind a noun that begins a clause is its verb: no other one follows."""
    tokens = whole.tokens
    rest: list[Token] = []
    for token in tokens[place + 1 : place + 12]:
        if token.ends:
            break
        rest.append(token)
    if not rest or any(token.low in table.FINITE and token.low not in table.INDEFINITE for token in rest):
        return False
    low, next_ = tokens[place].low, rest[0]
    functions = (
        table.DEFINITE,
        table.INDEFINITE,
        table.PREPOSITIONS,
        table.TRAILING,
        table.PREDICATES,
        words.STOP,
    )
    goes_on = next_.text[0].isdigit() or any(next_.low in one for one in functions)
    if whole.tongue == "romance":
        verb = tokens[place].text.islower() and low not in table.OTHER
        return verb and goes_on and next_.low not in table.DE
    if whole.tongue == "germanic":
        return False
    if low.endswith("s") and not low.endswith(("ss", "us", "is")):
        return goes_on or low not in table.COMPOUND
    return tokens[at].low.endswith("s") and low not in table.COMPOUND


def _beside(whole: Text, at: int, follows: Token) -> str:
    """What a word right behind, which is no function word, makes of a noun."""
    low = follows.low
    if whole.tongue == "germanic":
        return "open" if follows.text[:1].isupper() else ""
    if is_made(whole.tokens, at):
        return ""
    if whole.tongue == "romance":
        says = low in table.NEUTRAL or low.endswith(("er", "ir", "ar", "ment", "mente"))
        return "" if says else "other" if low in table.OTHER else "open"
    if low in table.COMPOUND:
        return "other"
    return "" if low.endswith(("s", "ed", "ly")) and not low.endswith("ss") else "open"


def is_made(tokens: Sequence[Token], at: int) -> bool:
    """Whether a verb stands before it that says what its object is to do, or be."""
    for back in range(at - 1, max(-1, at - 5), -1):
        if tokens[back].ends or (tokens[back].low == "of" and tokens[back - 1].low in table.LIGHT):
            return False
        if tokens[back].low in table.MAKING or (back >= at - 2 and tokens[back].low in table.ASKING):
            return True
    return False


def named_after(tokens: Sequence[Token], at: int) -> list[int]:
    """The places of the words that `de` joins to a noun's name, as in a compound; none of a place that it is in."""
    if at >= len(tokens) or tokens[at].low not in table.OF:
        return []
    found: list[int] = []
    for place in range(at + 1, min(len(tokens), at + 5)):
        token = tokens[place]
        if token.low in table.DEFINITE or token.low in table.OF or token.text in "'’":
            continue
        if not token.is_word or token.low in words.STOP or token.low in table.PREPOSITIONS:
            break
        if token.low in table.PLACES:
            continue
        found.append(place)
        break
    return found


def _complement(tokens: Sequence[Token], at: int, known: Collection[str]) -> str:
    """What a preposition right behind makes of the noun: "in the billing module" makes it another one."""
    said: list[str] = []
    if at + 1 < len(tokens) and tokens[at + 1].low in table.DEICTIC:
        return "open"
    for token in tokens[at + 1 : at + 6]:
        if token.ends or not token.is_word:
            break
        if token.low in table.PLACES and said:
            return "" if any(key(one) in known for one in said) else "other"
        if token.low in words.STOP and token.low not in table.DEFINITE:
            break
        if token.low not in table.DEFINITE and token.low not in table.NEUTRAL:
            said.append(token.low)
    return ""


def is_subject(tokens: Sequence[Token], at: int) -> bool:
    """Whether a noun that begins there is what a clause tells something of."""
    return begins_clause(tokens, at) or (at > 0 and tokens[at - 1].low in table.SUBORDINATING)

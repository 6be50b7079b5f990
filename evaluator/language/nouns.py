"""The nouns that a request speaks of, and a noun by itself as the term of something settled. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from evaluator.language import noun_words as table
from evaluator.language import unspaced_nouns as unspaced
from evaluator.language import words
from evaluator.language.noun_occurrences import (
    ANY,
    begins_clause,
    is_made,
    is_subject,
    may_order,
    named_after,
    noun_at,
)
from evaluator.language.noun_text import CASED, CHARS_MAX, NOUNS_MAX, Noun, Text, Token, key, parts, read

TERM_WORDS_MAX = 6
_SENTENCE_ENDS = frozenset(".!?;\n…")


def nouns_of(text: str, named: Collection[str] = ()) -> tuple[Noun, ...]:
    """The nouns that a request speaks of, each once, in order: what follows an article, or an order's verb, or opens a
    sentence. `named`: keys of words that are known to be nouns, as the pieces of a path.
    """
    if words.UNSPACED.search(text):
        other = unspaced.nouns_of(text)
        if other:
            return tuple(one._replace(head=_unspaced_key(one.head), definite=True) for one in other)
    whole = read(text)
    found: list[Noun | None] = []
    at = 0
    while at < len(whole.tokens):
        opening = _opening(whole, at, named)
        if opening is not None:
            found.append(opening)
            at = next(
                (place for place in range(at, len(whole.tokens)) if whole.tokens[place].start >= opening.end),
                len(whole.tokens),
            )
            continue
        token = whole.tokens[at]
        article = token.low in table.DEFINITE or token.low in table.INDEFINITE
        begins = may_order(token.low) and begins_clause(whole.tokens, at)
        placed = token.low in table.PREPOSITIONS and any(
            _is_named(one, named) for one in whole.tokens[at + 1 : at + 2]
        )
        light = token.low == "of" and at > 0 and whole.tokens[at - 1].low in table.LIGHT
        if not (article or begins or placed or light):
            at += 1
            continue
        last = _head_of(whole, at + 1, named, subject=article and is_subject(whole.tokens, at))
        if last is not None:
            one = noun_at(whole, last, key(_last_piece(whole.tokens[last])), ANY)
            topic = article and is_subject(whole.tokens, at) and not _is_parted(whole.tokens, at)
            topic = topic and not _is_joined(whole.tokens, last)
            found.append(one._replace(topic=topic) if one is not None else None)
        at = max(at + 1, (last or at) + 1)
    return tuple({(one.start, one.end): one for one in found if one is not None}.values())[:NOUNS_MAX]


def _last_piece(token: Token) -> str:
    return words.split(token.text)[-1] if CASED.search(token.text) else token.low


def _is_named(token: Token, named: Collection[str]) -> bool:
    return any(key(piece.casefold()) in named for piece in parts(token.text))


def _is_parted(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word of place stands before a noun, as in "in the parser"."""
    return tokens[at].low in table.PREPOSITIONS or (at > 0 and tokens[at - 1].low in table.PREPOSITIONS)


def _is_joined(tokens: Sequence[Token], at: int) -> bool:
    """Whether another noun is told of together with the one that ends at `at`."""
    return at + 1 < len(tokens) and tokens[at + 1].low in table.JOINING


def _opening(whole: Text, at: int, named: Collection[str]) -> Noun | None:
    """The noun without an article that a sentence opens with: "parser: skip blanks", "parser should skip blanks"."""
    tokens = whole.tokens
    before = at
    while before and tokens[before - 1].low in table.LEADING:
        before -= 1
    if (before and tokens[before - 1].text not in _SENTENCE_ENDS) or tokens[at].low in table.LEADING:
        return None
    run = _bare_run(whole, at, named)
    if not run:
        return None
    behind = named_after(tokens, run[-1] + 1) if whole.tongue == "romance" else []
    behind = [place for place in behind if not tokens[place].ends]
    next_ = (behind or run)[-1] + 1
    follows = tokens[next_] if next_ < len(tokens) else None
    if follows is not None and follows.text[0].isdigit() and next_ + 1 < len(tokens):
        # A thing with a number, as in "step 7: ...".
        beyond = tokens[next_ + 1]
        follows = beyond if beyond.text == ":" or beyond.low in table.FINITE else follows
    kept = _opens(whole, run, follows, named)
    if not kept:
        return None
    last = behind[-1] if behind and kept[-1] == run[-1] else kept[-1]
    head = kept[0] if whole.tongue == "romance" and behind else kept[-1]
    modifiers = [
        place for place in (*kept, *behind) if place != head and tokens[place].low not in table.NEUTRAL
    ]
    pieces = words.split(tokens[head].text)[:-1] if CASED.search(tokens[head].text) else []
    start, end = tokens[kept[0]].start, tokens[last].end
    return Noun(
        whole.text[start:end],
        key(_last_piece(tokens[head])),
        frozenset([key(tokens[place].low) for place in modifiers] + [key(piece) for piece in pieces]),
        start,
        end,
        topic=True,
    )


def _bare_run(whole: Text, at: int, named: Collection[str]) -> list[int]:
    """The places of the words from `at` on that can be one noun."""
    run: list[int] = []
    for place in range(at, min(len(whole.tokens), at + TERM_WORDS_MAX)):
        token = whole.tokens[place]
        low = token.low
        if token.text == "-" and run and token.start == whole.tokens[place - 1].end:
            continue
        if (
            not token.text[0].isalpha()
            or any(low in one for one in (table.FINITE, table.PREPOSITIONS, table.DEFINITE, table.INDEFINITE))
            or any(
                low in one
                for one in (table.PREDICATES, table.TRAILING, table.OTHER, table.EACH, table.EXCLUDING)
            )
            or (low in words.STOP and not _is_named(token, named))
            or low in table.NOBODY
            or "pronoun" in words.kinds(low)
            or (run and _tells(whole, run, place, named))
        ):
            break
        run.append(place)
    return run


def _opens(whole: Text, run: list[int], follows: Token | None, named: Collection[str]) -> list[int]:
    """Those places of a run that are the noun; none where the run may be an order."""
    tokens = whole.tokens
    first = tokens[run[0]]
    ordering = may_order(first.low)
    article = follows is not None and any(
        follows.low in one for one in (table.DEFINITE, table.INDEFINITE, table.FLEETING)
    )
    told = (
        not article
        and follows is not None
        and (follows.low in table.FINITE or follows.low in table.PREDICATES)
    )
    headed = follows is not None and follows.text in (":", "–", "—", "-")
    if headed and len(run) == 1 and (first.low in table.LABELS or first.low in table.FLEETING):
        return []
    known = [place for place in run if _is_named(tokens[place], named)]
    rest = run if not ordering or run[0] in known else run[1:]
    if told:
        return run
    if headed:
        does = first.low.endswith(("er", "or", "ers", "ors"))
        return run if does or (first.low in table.NOUNS_TOO and len(run) > 1) else rest
    if known:
        bare = follows is None or follows.ends or len(run) > 1 or first.low not in table.NOUNS_TOO
        if known == run[:1] and (article or (ordering and bare)):
            return []
        if not rest:
            return []
        # Before a number the first word is rather an order that no table has.
        ordered = known[0] != run[0] and follows is not None and (article or follows.text[0].isdigit())
        return run[run.index(known[0] if ordered else rest[0]) : run.index(known[-1]) + 1]
    if article or ordering or follows is None or follows.ends:
        return []
    if whole.tongue == "germanic" and len(run) > 1:
        return run[-1:] if tokens[run[-1]].text[:1].isupper() else []
    says = follows.is_word and (
        follows.low in table.PREPOSITIONS or follows.low in table.TRAILING or follows.low in words.STOP
    )
    if len(run) == 1:
        return run if says or _tells(whole, run, run[-1] + 1, named) else []
    return run[-1:] if says or follows.text[0].isdigit() else []


def _tells(whole: Text, said: Sequence[int], place: int, named: Collection[str]) -> bool:
    """Whether the word at `place`, behind a subject, is the verb that tells something of it."""
    tokens = whole.tokens
    token = tokens[place]
    low = token.low
    if not token.text[0].isalpha() or low in table.CONTAINERS:
        return False
    if low in table.FINITE or low in table.PREDICATES:
        return True
    known = any(_is_named(tokens[one], named) for one in said)
    if _is_named(token, named) and not known:
        return False
    follows = tokens[place + 1] if place + 1 < len(tokens) else None
    goes_on = follows is not None and not follows.ends
    if whole.tongue == "germanic":
        return low == token.text and low.endswith("t") and goes_on
    if whole.tongue == "romance":
        return False
    if low in table.PAST or _says(whole, place):
        return True
    if low.endswith("s") and not low.endswith(("ss", "us", "is")):
        beyond = tokens[place + 2] if place + 2 < len(tokens) else None
        if goes_on and follows is not None and beyond is not None and beyond.low in table.FINITE:
            return not follows.is_word
        object_ = (
            goes_on
            and follows is not None
            and (
                follows.low in table.DEFINITE or follows.low in table.INDEFINITE or follows.text[0].isdigit()
            )
        )
        return low not in table.COMPOUND or known or object_
    if not (tokens[said[-1]].low.endswith("s") and goes_on and follows is not None and follows.is_word):
        return False
    beyond = tokens[place + 2] if place + 2 < len(tokens) else None
    verb = follows.low in table.FINITE or (
        follows.low.endswith("s") and beyond is not None and not beyond.ends
    )
    return not verb


def _head_of(whole: Text, at: int, named: Collection[str] = (), *, subject: bool = False) -> int | None:
    """The place of the head of the noun that begins at `at`; None where none does."""
    said: list[int] = []
    for place in range(at, min(len(whole.tokens), at + TERM_WORDS_MAX)):
        token = whole.tokens[place]
        if token.text in "'’" or (token.text == "-" and said):
            continue
        if not token.is_word or token.text == "¤" or token.ends or token.text[0].isdigit():
            break
        low = token.low
        if low in table.NEUTRAL or low in table.OTHER:
            continue
        if low in words.STOP or low in table.PREPOSITIONS or low in table.DEFINITE or low in table.TRAILING:
            if not said and (low in table.DEFINITE or (low in table.TRAILING and low.endswith("er"))):
                continue
            break
        if said and _stops(whole, said, place, named, subject=subject):
            break
        said.append(place)
        if whole.tongue == "romance" or (whole.tongue == "germanic" and token.text[:1].isupper()):
            break
    while len(said) > 1 and whole.tokens[said[-1]].low in table.CONTAINERS:
        said.pop()
    return said[-1] if said else None


def _stops(whole: Text, said: Sequence[int], place: int, named: Collection[str], *, subject: bool) -> bool:
    """Whether the word at `place` is no part of the noun that was said so far."""
    tokens = whole.tokens
    if _is_named(tokens[place], named):
        known = any(_is_named(tokens[one], named) for one in said)
        return known and subject and _tells(whole, said, place, named)
    if _says(whole, place):
        return True
    if is_made(tokens, said[0]):
        low, follows = tokens[place].low, tokens[place + 1 : place + 2]
        return low not in table.COMPOUND or may_order(low) or not any(one.is_word for one in follows)
    if subject or whole.tongue == "germanic":
        return _tells(whole, said, place, named)
    return False


def _says(whole: Text, place: int) -> bool:
    """A word after a noun that is no noun: a verb in the third person, a participle, an adverb."""
    low = whole.tokens[place].low
    if low in table.COMPOUND or low in table.CONTAINERS:
        return False
    return (
        low.endswith(("ly", "ed"))
        or (low in words.STOP)
        or (low.endswith("s") and bool(words.kinds(low[:-1]) & words.ACTIONS.keys()))
    )


class Term(NamedTuple):
    """A noun by itself, with what sets it apart. `fleeting`: it means another thing each time it is said."""

    head: str
    modifiers: frozenset[str]
    fleeting: bool


@lru_cache(maxsize=4_000)
def term_of(text: str) -> Term | None:
    """What a term is found again by; None for one that names nothing, as `it`."""
    text = words.normalise(text, CHARS_MAX).strip()
    if words.UNSPACED.search(text):
        return _unspaced_term(text)
    whole = read(text)
    said: list[str] = []
    for token in whole.tokens:
        if token.text == "s" or not token.is_word:
            continue
        if token.low in table.DEFINITE or token.low in table.INDEFINITE or token.low in table.NEUTRAL:
            continue
        if token.low in table.EACH or (said and token.low in table.OF):
            continue
        if said and token.low in table.PREPOSITIONS:
            break
        said += words.split(token.text) if CASED.search(token.text) else [token.low]
    while len(said) > 1 and said[-1] in table.CONTAINERS:
        said.pop()
    named = [one for one in said if one not in words.STOP or one in table.FLEETING]
    if not named or all({"pronoun", "plural"} & words.kinds(one) for one in named):
        return None
    spelled = [one for one in named if not one.isdigit()]
    if not spelled:
        return None
    head = spelled[0] if whole.tongue == "romance" else spelled[-1]
    rest = frozenset(key(one) for one in named if one != head)
    return Term(key(head), rest, head in table.FLEETING)


def _unspaced_key(text: str) -> str:
    """Words in Latin letters have keys, also among others."""
    return key(text) if text.isascii() else text


def _unspaced_term(text: str) -> Term | None:
    found = unspaced.nouns_of(text) or unspaced.nouns_of(f"{text}を")
    if found and found[-1].head in text and found[-1].text == text:
        return Term(_unspaced_key(found[-1].head), found[-1].modifiers, fleeting=False)
    joined = [_unspaced_key(one.strip()) for one in re.split(r"の|的", text) if one.strip()]
    return (
        Term(joined[-1], frozenset(joined[:-1]), fleeting=False) if joined and len(joined[-1]) > 1 else None
    )

"""Nouns of a request: where one stands, what modifies it, and whether it is what the request is about. Pure.

No parser: a noun is found by its head, and looked at from there. `other` is said where the words around it make it
another thing, `sure` only where nothing around it is open.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from evaluator.language import noun_tongues as tongues
from evaluator.language import noun_words as table
from evaluator.language import unspaced_nouns as unspaced
from evaluator.language import views, words

Tongue = Literal["english", "germanic", "romance"]
CHARS_MAX = 8_000
NOUNS_MAX = 40
TERM_WORDS_MAX = 6
_SCRIPT = words.UNSPACED.pattern.strip("[]")
_TOKEN = re.compile(rf"[{_SCRIPT}]+|[^\W\d_{_SCRIPT}]+(?:_[^\W_{_SCRIPT}]+)*(?:\d+)?|\d+|[^\w\s]|_")
_ENDS = re.compile(r"[.!?;:\n,()…\[\]{}]|--|–|—")
_SENTENCE_ENDS = frozenset(".!?;\n…")
_CASED = re.compile(r"[A-Z][a-z0-9]+[A-Z]|[a-z0-9][A-Z]|_")
_CYRILLIC = re.compile(r"^[\u0400-\u04ff]+$")
_CYRILLIC_END = re.compile(r"(?:ами|ями|ого|его|ому|ему|ов|ев|ах|ях|ам|ям|ом|ем|ой|ей|ию|[аеиоуыэюяьй])$")


@lru_cache(maxsize=20_000)
def key(word: str) -> str:
    """What words of one noun are compared by: lower case, no accents, singular as far as its ending tells; common
    nouns of programs in English.
    """
    found = singular(word)
    return _SAME.get(found, found)


def meant_by(text: str) -> frozenset[str]:
    """Keys of the English nouns that stand in a text of a script without blanks."""
    if text.isascii() or not words.UNSPACED.search(text):
        return frozenset()
    return frozenset(key(noun) for entry, noun in tongues.UNSPACED if entry in text)


def singular(word: str) -> str:
    """As `key`, with the word itself where programs have a common one in English."""
    word = unicodedata.normalize("NFKC", word).casefold()
    if _CYRILLIC.match(word):
        return _CYRILLIC_END.sub("", word) if len(word) > 4 else word
    if not word.isascii():
        word = "".join(one for one in unicodedata.normalize("NFD", word) if not unicodedata.combining(one))
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith(("ciones", "dores", "tores", "sores", "eiten", "ungen", "ionen", "gens")):
        return word[:-2]
    if word.endswith("enes"):
        word = word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
        return word[:-1] if word.endswith("en") and len(word) > 4 else word
    if word.endswith("en") and len(word) > 4:
        return word[:-1]
    # As their plurals, which do not tell `caches` from `batches`.
    return word[:-1] if word.endswith(("che", "she", "xe", "ze", "sse")) else word


_SAME = {singular(word): singular(noun) for word, noun in tongues.SAME.items()}
_OTHERS: dict[str, list[str]] = {}
for _word, _noun_of in _SAME.items():
    _OTHERS.setdefault(_noun_of, []).append(_word)


class Token(NamedTuple):
    text: str
    low: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum()

    @property
    def ends(self) -> bool:
        return _ENDS.fullmatch(self.text) is not None


class Text(NamedTuple):
    """A text without quoted literals and paths, which say nothing of a noun beside them."""

    text: str
    tokens: tuple[Token, ...]
    tongue: Tongue


class Noun(NamedTuple):
    """One noun as it stands in a text. `modifiers` are keys, without those that set nothing apart.

    `other`: the words around it make it another thing than the bare noun. `open`: whether they do cannot be told.
    `definite`: the speaker takes it as known. `beside`: a preposition stands before it.
    `topic`: a sentence opens with it, without an article.
    """

    text: str
    head: str
    modifiers: frozenset[str]
    start: int
    end: int
    other: bool = False
    open: bool = False
    definite: bool = False
    beside: bool = False
    topic: bool = False


@lru_cache(maxsize=16)
def read(text: str) -> Text:
    text = words.normalise(text, CHARS_MAX)
    plain = views.URL.sub(_blank, text)
    plain = views.FOLDER.sub(_blank, views.FILE.sub(_blank, plain))
    plain = views.QUOTED.sub(_literal, plain)
    tokens = tuple(
        Token(found.group(), found.group().casefold(), found.start(), found.end())
        for found in re.finditer(rf"{_TOKEN.pattern}|\n", plain)
    )
    return Text(plain, tokens, _tongue(tokens))


def _blank(found: re.Match[str]) -> str:
    return "¤" * (found.end() - found.start())


def _literal(found: re.Match[str]) -> str:
    """A quoted single word may be the noun itself; anything else is what somebody wants to read."""
    inner = next(filter(None, found.groups()), "")
    return f" {inner} " if re.fullmatch(r"[^\W\d]\w*", inner) else _blank(found)


def _tongue(tokens: Sequence[Token]) -> Tongue:
    said = [token.low for token in tokens]
    romance, germanic = sum(one in table.ROMANCE for one in said), sum(one in table.GERMANIC for one in said)
    english = sum(one in table.ENGLISH for one in said)
    if max(romance, germanic) <= english:
        return "english"
    return "romance" if romance > germanic else "germanic"


def may_say(text: str, head: str) -> bool:
    """Whether a text can have a noun of that key: a cheap look before it is taken apart."""
    begins = (head[:4], *(word[:4] for word in _OTHERS.get(head, ())))
    return any(one in low for low in _folded(text) for one in begins)


@lru_cache(maxsize=16)
def _folded(text: str) -> tuple[str, ...]:
    low = text.casefold()
    if text.isascii():
        return (low,)
    plain = "".join(one for one in unicodedata.normalize("NFKD", low) if not unicodedata.combining(one))
    return low, plain


@lru_cache(maxsize=16)
def keys_of(text: str) -> frozenset[str]:
    """The keys of all words of a text, for scripts with blanks: of what it may speak."""
    return frozenset(
        key(piece) for token in read(text).tokens if token.is_word for piece in _parts(token.text)
    )


def _parts(text: str) -> list[str]:
    return [text, *words.split(text)] if _CASED.search(text) else [text]


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
            Noun(one.text, head, one.modifiers, one.start, one.end, one.other, one.open, definite=True)
            for one in unspaced.occurrences(text, head, known)
        )
    whole = read(text)
    found = (_noun(whole, at, head, known) for at in _places(text).get(head, ()))
    return tuple(one for one in found if one is not None)[:NOUNS_MAX]


@lru_cache(maxsize=16)
def _places(text: str) -> dict[str, list[int]]:
    """{key: where it stands among the tokens}; an identifier stands for its last piece."""
    found: dict[str, list[int]] = {}
    for at, token in enumerate(read(text).tokens):
        if token.is_word:
            cased = _CASED.search(token.text)
            found.setdefault(key(words.split(token.text)[-1] if cased else token.low), []).append(at)
    return found


class _Before(NamedTuple):
    """What stands before a noun: where it begins, and what that makes of it."""

    start: int
    modifiers: tuple[str, ...]
    other: bool
    open: bool
    definite: bool


def _noun(whole: Text, at: int, head: str, known: Collection[str]) -> Noun | None:
    """None where the word is no noun there: the verb that an order begins with."""
    tokens, token = whole.tokens, whole.tokens[at]
    before = _before(tokens, at, known)
    start = before.start
    if start == at and _begins(tokens, at) and _is_order(tokens, at):
        return None
    modifiers = list(before.modifiers)
    if _CASED.search(token.text):
        modifiers += [key(piece) for piece in words.split(token.text)[:-1]]
    behind = _named_after(tokens, at + 1) if whole.tongue == "romance" else []
    modifiers += [key(tokens[place].low) for place in behind]
    numbers = [one for one in known if one.isdigit()] if known is not ANY else []
    if numbers and _is_numbered(tokens, at + 1):
        modifiers.append(tokens[at + 1].text)
    other = before.other or any(one not in known for one in modifiers) or _excluded(tokens, start)
    end, after = _after(whole, behind[-1] if behind else at, known, subject=_is_subject(tokens, start))
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
    if before.definite or before.modifiers or not _orders(tokens[at].low) or at + 1 >= len(tokens):
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
            and not (kind == "first" and _orders(before.low))
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
        key(low) in known and _begins(tokens, at) and low not in words.STOP and low not in table.PREPOSITIONS
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
    begins = _begins(tokens, at)
    if _orders(low):
        named = at > 0 and _kind(tokens, at - 1) in ("definite", "other", "neutral", "each")
        return "modifier" if named and not begins else "beyond"
    return "first" if begins else "modifier"


def _begins(tokens: Sequence[Token], at: int) -> bool:
    """Whether a clause begins there, but for words of politeness."""
    while at:
        before = tokens[at - 1]
        if before.ends:
            return True
        if before.low not in table.LEADING and before.text not in "'’":
            return False
        at -= 1
    return True


def _orders(word: str) -> bool:
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
    if _is_made(whole.tokens, at):
        return ""
    if whole.tongue == "romance":
        says = low in table.NEUTRAL or low.endswith(("er", "ir", "ar", "ment", "mente"))
        return "" if says else "other" if low in table.OTHER else "open"
    if low in table.COMPOUND:
        return "other"
    return "" if low.endswith(("s", "ed", "ly")) and not low.endswith("ss") else "open"


def _is_made(tokens: Sequence[Token], at: int) -> bool:
    """Whether a verb stands before it that says what its object is to do, or be."""
    for back in range(at - 1, max(-1, at - 5), -1):
        if tokens[back].ends or (tokens[back].low == "of" and tokens[back - 1].low in table.LIGHT):
            return False
        if tokens[back].low in table.MAKING or (back >= at - 2 and tokens[back].low in table.ASKING):
            return True
    return False


def _named_after(tokens: Sequence[Token], at: int) -> list[int]:
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


def nouns_of(text: str, named: Collection[str] = ()) -> tuple[Noun, ...]:
    """The nouns that a request speaks of, each once, in order: what follows an article, or an order's verb, or opens a
    sentence. `named`: keys of words that are known to be nouns, as the pieces of a path.
    """
    if words.UNSPACED.search(text):
        other = unspaced.nouns_of(text)
        if other:
            return tuple(
                Noun(one.text, _unspaced_key(one.head), one.modifiers, one.start, one.end, definite=True)
                for one in other
            )
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
        begins = _orders(token.low) and _begins(whole.tokens, at)
        placed = token.low in table.PREPOSITIONS and any(
            _is_named(one, named) for one in whole.tokens[at + 1 : at + 2]
        )
        light = token.low == "of" and at > 0 and whole.tokens[at - 1].low in table.LIGHT
        if not (article or begins or placed or light):
            at += 1
            continue
        last = _head_of(whole, at + 1, named, subject=article and _is_subject(whole.tokens, at))
        if last is not None:
            one = _noun(whole, last, key(_last_piece(whole.tokens[last])), ANY)
            topic = article and _is_subject(whole.tokens, at) and not _is_parted(whole.tokens, at)
            topic = topic and not _is_joined(whole.tokens, last)
            found.append(one._replace(topic=topic) if one is not None else None)
        at = max(at + 1, (last or at) + 1)
    return tuple({(one.start, one.end): one for one in found if one is not None}.values())[:NOUNS_MAX]


def _last_piece(token: Token) -> str:
    return words.split(token.text)[-1] if _CASED.search(token.text) else token.low


def _is_named(token: Token, named: Collection[str]) -> bool:
    return any(key(piece.casefold()) in named for piece in _parts(token.text))


def _is_subject(tokens: Sequence[Token], at: int) -> bool:
    """Whether a noun that begins there is what a clause tells something of."""
    return _begins(tokens, at) or (at > 0 and tokens[at - 1].low in table.SUBORDINATING)


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
    behind = _named_after(tokens, run[-1] + 1) if whole.tongue == "romance" else []
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
    pieces = words.split(tokens[head].text)[:-1] if _CASED.search(tokens[head].text) else []
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
    orders = _orders(first.low)
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
    rest = run if not orders or run[0] in known else run[1:]
    if told:
        return run
    if headed:
        does = first.low.endswith(("er", "or", "ers", "ors"))
        return run if does or (first.low in table.NOUNS_TOO and len(run) > 1) else rest
    if known:
        bare = follows is None or follows.ends or len(run) > 1 or first.low not in table.NOUNS_TOO
        if known == run[:1] and (article or (orders and bare)):
            return []
        if not rest:
            return []
        # Before a number the first word is rather an order that no table has.
        ordered = known[0] != run[0] and follows is not None and (article or follows.text[0].isdigit())
        return run[run.index(known[0] if ordered else rest[0]) : run.index(known[-1]) + 1]
    if article or orders or follows is None or follows.ends:
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
    if _is_made(tokens, said[0]):
        low, follows = tokens[place].low, tokens[place + 1 : place + 2]
        return low not in table.COMPOUND or _orders(low) or not any(one.is_word for one in follows)
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
        said += words.split(token.text) if _CASED.search(token.text) else [token.low]
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

"""A settled thing by a name that is only similar: it is shown to readers, and counts for no rule. Pure.

A request is read again with the settled words put in the place of those that look like them; whatever speaks against
the precedent there holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from evaluator.language import (
    noun_forms,
    noun_occurrences,
    noun_text,
    noun_tongues,
    noun_words,
    nouns,
    views,
    words,
)
from evaluator.precedents.keys import PART_CHARS_MIN
from evaluator.precedents.precedent import Precedent
from evaluator.precedents.surroundings import ALONG, Known, is_same

OWNERLESS = frozenset(map(noun_text.key, noun_words.OWNERLESS))
_WHOLE = frozenset(map(noun_text.key, noun_words.COMPOUND | noun_words.PROPERTIES | noun_words.CONTAINERS))
_NO_NAMES = (
    words.STOP | noun_words.DEFINITE | noun_words.INDEFINITE | noun_words.NEUTRAL | noun_words.PREPOSITIONS
    | noun_words.EACH | noun_words.OTHER | noun_words.FINITE | noun_words.PREDICATES | noun_words.TRAILING
    | noun_words.COMPOUND | noun_words.CONTAINERS | noun_words.PLACES | noun_words.LEADING | noun_words.PAST
    | noun_words.FLEETING | noun_words.PROPERTIES
)  # fmt: skip
"""Words that are no slip of another one."""


_DULL = noun_words.DEFINITE | noun_words.INDEFINITE | noun_words.NEUTRAL | noun_words.OF


class Alike(NamedTuple):
    """A request as if it had said what was settled, the settled thing as it is named there, and which words of the
    request were taken for slips of the keyboard: none of them may be a name of the project.
    """

    request: str
    known: Known
    slips: frozenset[str]


def read_as_settled(
    request: str, one: Precedent, known: Known, others: Collection[str], *, spoken: bool = False
) -> Alike | None:
    """None where the request does not speak of it by any similar name. `others`: heads of other settled terms.
    `spoken`: the settled noun itself is said, of another thing unless a word beside it is a slip.
    """
    term = known.term
    own = _own(one.term, known)
    text, slips = _replaced(request, known, own, others)
    if spoken and text == request:
        return None
    name, terms = own.name, [term]
    if not spoken:
        terms += [*_meant(one.term, term), *_owners(one.term, term), *([name] if name is not None else [])]
    for each in terms:
        if each.head == term.head and text == request:
            continue
        named = Known(each, known.target, known.all | each.modifiers | {each.head})
        said = noun_occurrences.occurrences(text, each.head, named.all)
        part = each.head != term.head
        fits = [
            noun
            for noun in said
            if not noun.other and noun.modifiers <= named.all and not (part and noun.open)
        ]
        if fits and (each is not name or all(_says(text, key) for key in each.modifiers)):
            return Alike(text, named, slips)
    return None


def _says(text: str, key: str) -> bool:
    return key in noun_text.keys_of(text)


def _name(known: Known) -> nouns.Term | None:
    """The target's own name as a term; None where it tells nothing."""
    base = known.target.rstrip("/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
    pieces = [piece for piece in words.split(base) if len(piece) > 2 and piece.isalpha()]
    if not pieces or pieces[-1] in words.GENERIC | ALONG | noun_words.FLEETING | noun_words.OWNERLESS:
        return None
    head = noun_text.key(pieces[-1])
    return nouns.Term(head, frozenset(noun_text.key(piece) for piece in pieces[:-1]) - {head}, fleeting=False)


def _meant(text: str, term: nouns.Term) -> Iterator[nouns.Term]:
    """The same noun in Latin letters."""
    meant = noun_text.meant_by(text)
    if len(meant) == 1:
        yield nouns.Term(next(iter(meant)), term.modifiers, term.fleeting)


def _owners(text: str, term: nouns.Term) -> Iterator[nouns.Term]:
    """What a settled property or part belongs to, by itself."""
    said = words.split(text)
    at = next((n for n, word in enumerate(said) if n and word in noun_words.PREPOSITIONS), len(said))
    behind = {noun_text.key(word) for word in said[at + 1 :] if word not in _DULL and word not in words.STOP}
    for key in sorted(term.modifiers | behind):
        if len(key) > 2 and key.isalpha() and key not in OWNERLESS and key != term.head:
            yield nouns.Term(key, term.modifiers - {key}, fleeting=False)


def _replaced(request: str, known: Known, own: _Own, others: Collection[str]) -> tuple[str, frozenset[str]]:
    """The request with the settled words for those that look like them, and which of those were slips."""
    text = request
    if _names_files(request):
        text = views.FILE.sub(lambda found: _file(found.group(), known), request)
    text = words.normalise(text, noun_text.CHARS_MAX)
    if words.UNSPACED.search(text) and known.term.head in noun_text.meant_by(text):
        return _in_latin(text, known.term.head), frozenset()
    if own.forms.isdisjoint(_forms_of(text)):
        return text, frozenset()
    parts: list[str] = []
    slips: set[str] = set()
    done = 0
    for word in _looked_at(text):
        if word.start < done or word.key in own.keys or own.forms.isdisjoint(word.forms):
            continue
        put, end = "", word.end
        if word.single == own.joined:
            put = own.spelled
        elif word.joined in own.keys:
            put, end = own.keys[word.joined], word.joined_end
        elif word.is_noun and word.root in own.roots:
            put = own.roots[word.root]
        else:
            put = next((key for one, key in own.keys.items() if _begins(word, one)), "")
        if not put and word.may_slip and word.key not in others and word.root not in own.roots:
            put = next((key for one, key in own.keys.items() if noun_forms.is_slip(word.single, one)), "")
            slips |= {word.key} if put else set()
        if put:
            parts += [text[done : word.start], put]
            done = end
    return ("".join([*parts, text[done:]]) if parts else text), frozenset(slips)


def _in_latin(text: str, head: str) -> str:
    """A text of a script without blanks with the English noun in the place of its own."""
    for entry, noun in noun_tongues.UNSPACED:
        if noun_text.key(noun) == head and entry in text:
            return text.replace(f"{entry}ー", entry).replace(entry, head)
    return text


class _Word(NamedTuple):
    """A word of a request, as it is compared with what was settled. `joined`: with the word behind."""

    start: int
    end: int
    low: str
    key: str
    single: str
    root: str
    joined: str
    joined_end: int
    is_noun: bool
    may_slip: bool
    tongue: noun_text.Tongue
    forms: frozenset[str]


@lru_cache(maxsize=16)
def _looked_at(text: str) -> tuple[_Word, ...]:
    whole = noun_text.read(text)
    tokens = whole.tokens
    found: list[_Word] = []
    for at, token in enumerate(tokens):
        if not token.text.isalpha():
            continue
        beyond = at + (2 if at + 1 < len(tokens) and tokens[at + 1].text == "-" else 1)
        next_ = tokens[beyond] if beyond < len(tokens) and tokens[beyond].text.isalpha() else None
        single, root = noun_text.singular(token.low), noun_forms.root(token.low)
        joined = f"{token.low}{noun_text.key(next_.low)}" if next_ else ""
        is_noun, may_slip = _is_noun(tokens, at), _may_slip(token.low)
        firsts = (single[:end] for end in range(PART_CHARS_MIN, len(single) - 1))
        slips = (f"~{one}" for one in noun_forms.slips(single)) if may_slip else ()
        roots = (f"={root}",) if is_noun else ()
        forms: frozenset[str] = frozenset((single, joined, *roots, *firsts, *slips))
        found.append(
            _Word(
                token.start, token.end, token.low, noun_text.key(token.low), single, root, joined,
                next_.end if next_ else 0, is_noun, may_slip, whole.tongue, forms,
            )
        )  # fmt: skip
    return tuple(found)


class _Own(NamedTuple):
    """What a precedent is named by. `keys`: {what is settled and the name of its target, as spelled and by key: key},
    `roots`: {root: key}, `joined`: the term as one word, `forms`: all that a similar word shares one of.
    """

    spelled: str
    name: nouns.Term | None
    keys: dict[str, str]
    roots: dict[str, str]
    joined: str
    forms: frozenset[str]


@lru_cache(maxsize=4_000)
def _own(term: str, known: Known) -> _Own:
    spelled = [word for word in words.split(term) if word not in _DULL and word not in words.STOP]
    name = _name(known)
    named = (*name.modifiers, name.head) if name is not None else ()
    own = {key: key for key in (known.term.head, *known.term.modifiers, *named) if key.isalpha()}
    own = {
        noun_text.singular(word): noun_text.key(word) for word in spelled if noun_text.key(word) in own
    } | own
    roots = {noun_forms.root(one): key for one, key in own.items() if len(one) >= noun_forms.ROOT_CHARS_MIN}
    single = [noun_text.singular(word) for word in spelled]
    joined = "".join(single) if len(single) > 1 else ""
    slips = (f"~{form}" for one in own for form in noun_forms.slips(one))
    forms = frozenset((*own, joined, *(f"={one}" for one in roots), *slips)) - {""}
    return _Own(" ".join(spelled), name, own, roots, joined, forms)


@lru_cache(maxsize=16)
def _forms_of(text: str) -> frozenset[str]:
    return frozenset(form for word in _looked_at(text) for form in word.forms)


@lru_cache(maxsize=16)
def _names_files(text: str) -> bool:
    return views.FILE.search(text) is not None


def _file(path: str, known: Known) -> str:
    """The target's own file name is said for the settled thing."""
    base = path.rsplit("/", 1)[-1]
    return known.term.head if "." in base and is_same(path, known.target) else path


def _is_noun(tokens: Sequence[noun_text.Token], at: int) -> bool:
    """Whether a word that may be a verb is the name of a thing there."""
    follows = tokens[at + 1] if at + 1 < len(tokens) else None
    if follows is not None and (follows.low in noun_words.DEFINITE or follows.low in noun_words.INDEFINITE):
        return False
    before = tokens[at - 1] if at else None
    if (
        before is not None
        and before.is_word
        and (
            before.low in noun_words.DEFINITE
            or before.low in noun_words.NEUTRAL
            or (before.low in noun_words.PREPOSITIONS and before.low != "to")
        )
    ):
        return True
    opens = before is None or before.ends
    told = follows is not None and (follows.text == ":" or follows.low in noun_words.FINITE)
    ordered = before is not None and bool(words.kinds(before.low) & words.ACTIONS.keys())
    return (opens and told) or ordered


def _begins(word: _Word, own: str) -> bool:
    """Whether a word written together has the settled one as its first part, as in `Pollertext`."""
    if len(own) < PART_CHARS_MIN or len(word.low) < len(own) + 3 or not word.low.startswith(own):
        return False
    rest = word.low[len(own) :]
    return noun_text.key(rest) in _WHOLE or (word.tongue == "germanic" and word.root != noun_forms.root(own))


def _may_slip(low: str) -> bool:
    short = len(low) < noun_forms.SLIP_CHARS_MIN - 1
    return not (short or low in _NO_NAMES or low in noun_words.VERBS or words.kinds(low))


def is_named(slips: Collection[str], paths: Collection[str]) -> bool:
    """Whether one of the words stands in a name of the project: then it is no slip."""
    found: Callable[[str], bool] = {
        noun_text.key(piece) for path in paths for piece in words.split(path)
    }.__contains__
    return any(map(found, slips))

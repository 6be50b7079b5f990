"""What a list's entries may be called beside their numbers: words that one of them alone has. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evaluator.exchange import verbs
from evaluator.exchange.fold import fold, is_unspaced, phrases
from evaluator.exchange.tokens import Token, has_phrase, known_phrases, tokenize

LABEL_CHARS_MAX = 1_000
NAMES_MAX = 60
_WORD = re.compile(r"[^\s,;:!?()\[\]{}\"'`«»„“”。、，！？；：「」]+")
_CHUNK = re.compile(r"[\u4e00-\u9fff]+[\u3041-\u3096]{0,2}|[\u30a0-\u30ff]+")
"""Of Chinese and Japanese: characters with the ending that belongs to them, or a run of katakana."""
_PIECE = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def names(labels: Sequence[str]) -> dict[str, Token]:
    """Each word, path and piece of an identifier that one label alone has, as a reference to it."""
    own: dict[str, set[int]] = {}
    for index, label in enumerate(labels):
        for name in _names_of(label[:LABEL_CHARS_MAX]):
            own.setdefault(name, set()).add(index)
    listed = known_phrases()
    return {
        name: Token("label", min(held))
        for name, held in own.items()
        if len(held) == 1 and name not in listed and not name.isdigit()
    }


def shared(labels: Sequence[str], places: Sequence[str]) -> dict[str, Token]:
    """What says nothing beside the name of an entry: words that no label has alone, the folders of `places`, and words
    for sorts of things.
    """
    found = dict.fromkeys(phrases(verbs.NOUNS), Token("filler"))
    each = [set(_names_of(label[:LABEL_CHARS_MAX])) for label in labels]
    own = names(labels)
    folders = {fold(part) for place in places for part in place.split("/")[:-1] if len(part) > 1}
    found |= dict.fromkeys(folders.union(*each), Token("filler"))
    return {name: token for name, token in found.items() if name not in own and not name.isdigit()}


def paths_named(folded: str, paths: Sequence[str]) -> tuple[str, ...]:
    """The file names and ends of paths, as typed, that a text holds; none unless all else in it says nothing."""
    own: dict[str, Token] = {}
    for path in paths:
        parts = fold(path).strip("/").split("/")
        own |= {"/".join(parts[start:]): Token("label") for start in range(len(parts))}
    own = {name: token for name, token in own.items() if len(name) > 2}
    tokens = tokenize(folded, {**shared((), paths), **own})
    if not tokens or not {token.kind for token in tokens} <= {"label", "filler", "comma", "and", "yes"}:
        return ()
    typed: list[str] = []
    for name in sorted(own, key=len, reverse=True):
        if has_phrase(folded, (name,)) and not any(name in longer for longer in typed):
            typed.append(name)
    return tuple(typed)


def told_in_another_order(text: str, labels: Sequence[str]) -> bool:
    """Whether a text names what tells the labels apart, and not in their order: "the second" is then unsure."""
    folded, places = fold(text), dict[int, int]()
    for name, token in names(labels).items():
        found = re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w-]|\.\w)", folded) if len(name) > 2 else None
        if found is not None:
            places[token.value] = min(found.start(), places.get(token.value, found.start()))
    order = [places[index] for index in sorted(places)]
    return order != sorted(order)


def without_verbs(folded: str, labels: Sequence[str]) -> str:
    """The text without the verbs that mean what all entries would do: they choose none of them."""
    actions = {action_of(label) for label in labels}
    data = next((words for action, words in verbs.ORDERS.items() if actions == {action}), "")
    listed = sorted(phrases(data), key=len, reverse=True)
    for verb in listed:
        stem = verb.rstrip("*")
        if is_unspaced(stem[-1]):
            folded = folded.replace(stem, " ")
        elif " " in stem:
            folded = re.sub(rf"\b{re.escape(stem)}\b", " ", folded)
    return " ".join(
        word for word in folded.split() if not any(_is_form(word.strip(".,!"), one) for one in listed)
    )


def _is_form(word: str, verb: str) -> bool:
    return word == verb or (verb.endswith("*") and word.startswith(verb[:-1]) and "." not in word)


def action_of(label: str) -> str:
    """What an entry would do: its first word, as readings begin."""
    return fold(label[:LABEL_CHARS_MAX]).partition(" ")[0]


def _names_of(label: str) -> Iterator[str]:
    for count, word in enumerate(_WORD.findall(label)):
        if count >= NAMES_MAX:
            return
        plain = fold(word).strip(".-")
        if not plain:
            continue
        yield plain
        if any(map(is_unspaced, plain)):
            yield from (part for run in _CHUNK.findall(plain) for part in (run, *run.split("的")) if part)
            continue
        parts = [part for part in re.split(r"[/\\]", word.strip("./-")) if part]
        for part in parts:
            name, _, _ = part.partition(".")
            yield from (fold(part), fold(name))
            pieces = [piece for chunk in re.split(r"[_\-.]", name) for piece in _PIECE.findall(chunk)]
            if len(pieces) > 1:
                yield " ".join(map(fold, pieces))
            yield from (fold(piece) for piece in pieces if len(piece) > 1)

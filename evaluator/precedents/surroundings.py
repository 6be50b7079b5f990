"""What else is named beside a term: paths, folders, and things that could go by the same name. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from evaluator.language import noun_occurrences, noun_text, noun_words, nouns, views, words
from evaluator.precedents import standing
from evaluator.precedents.place import Tree
from evaluator.precedents.wordings import TEXT_CHARS, sentences

Bears = Literal["no", "shown", "counts"]
ALONG = frozenset("test tests spec specs fixture fixtures doc docs changelog readme example examples".split())  # noqa: SIM905
"""Pieces of the names of what goes along with a thing."""
_DATA = """
    csv tsv txt log json jsonl xml html md rst yml yaml toml ini png jpg svg pdf parquet db lock"""
_CODE = """
    py pyi js jsx mjs cjs ts tsx go rs rb java kt kts scala swift c h cc cpp hpp cs php lua pl r jl ex exs erl hs ml
    sh bash zsh fish ps1 sql css scss less vue svelte proto tf gradle cmake mk ipynb clj dart zig nim"""
DATA, CODE = frozenset(_DATA.split()), frozenset(_CODE.split())
"""Endings of files."""
_REPLACING = re.compile(r"(?<![\w/.])(?:s|tr|y)/[^/\s]+/[^/\s]*/[gimx]*(?![\w/])")
LITERAL = re.compile(r"\"[^\"\n]*\"|(?<!\w)'[^'\n]*'(?!\w)|“[^”\n]*”|«[^»\n]*»")

_WITH_WORDS = """
    test tests spec specs bench benches benchmark benchmarks perf fixture fixtures mock mocks fake stub stubs iface
    interface interfaces abstract types header headers fwd gen generated autogen pb pb2 grpc d min map stories snap
    example examples doc docs
    """
_WITH = frozenset(noun_text.key(one) for one in _WITH_WORDS.split())
"""Pieces of the names of a file's companions."""
_HEADERS = (frozenset("c cc cpp h hpp".split()), frozenset({"py", "pyi"}), frozenset({"ml", "mli"}))  # noqa: SIM905
_COMPANIONS = re.compile(
    r"(?<=\w)[- ](?:header|bench(?:mark)?|interface|stub|fixture|mock|spec|test|doc)s?(?: (?:file|code)s?)?(?!\w)",
    re.IGNORECASE,
)
"""Behind a term: what goes along with it."""


_PLACE = re.compile("|".join(sorted(noun_words.PLACES)), re.IGNORECASE)


class Known(NamedTuple):
    """What belongs to a settled thing: its term, its target, and the parts of the target's path."""

    term: nouns.Term
    target: str
    all: frozenset[str]
    """All of these keys."""


@lru_cache(maxsize=4_000)
def known_of(target: str, term: nouns.Term, said: str) -> Known:
    """`said`: the term as it was typed."""
    return Known(
        term, target, frozenset(_pieces(target)) | term.modifiers | {term.head} | noun_text.keys_of(said)
    )


def _pieces(path: str) -> set[str]:
    """Keys of the words in a path, without endings."""
    parts = [part.rsplit(".", 1)[0] if part[1:] else part for part in path.split("/")]
    return {noun_text.key(piece) for part in parts for piece in words.split(part)}


def lies_in(folder: str, target: str) -> bool:
    """Whether the target lies in the folder that the agent works in."""
    folder = folder.strip("/")
    return folder in ("", ".") or target.startswith(f"{folder}/")


def by_paths(text: str, target: str, head: str) -> Bears:
    """ "no" where a path that is neither the target nor a folder that it lies in is the place of the term (`head`, a
    key); one that is only named may be left alone, something to use, or another job's."""
    text = _REPLACING.sub(" ", words.normalise(text, TEXT_CHARS))
    every, data = _others(text, target)
    if not every and not data:
        return "counts"
    bare = LITERAL.sub(" ", text)
    plain, _ = _others(bare, target)
    bare = bare.replace("\\", "/")
    return "no" if any(standing.is_place(bare, path, head) for path in plain) else "shown"


@lru_cache(maxsize=16)
def _mentions(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return views.mentions(text)


def _others(text: str, target: str) -> tuple[list[str], list[str]]:
    """(paths of a text that are not the target's, those of data among them apart)."""
    files, folders = _mentions(text)
    files = tuple(file for file in files if "/" in file or ending_of(file) in CODE | DATA)
    apart = [file for file in files if not is_same(file, target)]
    data = [
        file
        for file in apart
        if _is_value(file) or (ending_of(file) in DATA and ending_of(target) not in DATA)
    ]
    beyond = [folder for folder in folders if f"/{folder.strip('/')}/" not in f"/{target}/"]
    return [*(file for file in apart if file not in data), *beyond], data


def ending_of(path: str) -> str:
    return path.rpartition(".")[2].lower()


_VALUE = re.compile(r"v?\d+(?:\.\d+)*[-\w]*\.\w+", re.IGNORECASE)
_INNER_ENDINGS = frozenset("test spec d min config module stories mock e2e tar html story setup conf".split())  # noqa: SIM905


def _is_value(path: str) -> bool:
    """A version, a host, a type of machine: dots and no folder, and no inner ending that files have."""
    parts = path.lower().split(".")
    if "/" in path:
        return False
    return _VALUE.fullmatch(path) is not None or (len(parts) > 2 and parts[-2] not in _INNER_ENDINGS)


def is_same(path: str, target: str) -> bool:
    return f"/{target}".endswith(f"/{path.lstrip('/')}") or f"/{path}".endswith(f"/{target}")


def other_place(text: str, known: Known) -> bool:
    """Whether a text names a module, folder or service that the target does not belong to."""
    if _PLACE.search(text) is None:
        return False
    whole = noun_text.read(text)
    tokens = whole.tokens
    for at, token in enumerate(tokens):
        if token.low not in noun_words.PLACES:
            continue
        near = list(tokens[at + 1 : at + 2]) if whole.tongue != "english" else []
        near += list(tokens[max(0, at - 1) : at]) if whole.tongue != "romance" else []
        if any(_names_place(one, known) for one in near):
            return True
    return False


def _names_place(token: noun_text.Token, known: Known) -> bool:
    low = token.low
    dull = (
        words.STOP | noun_words.DEFINITE | noun_words.NEUTRAL | noun_words.PREPOSITIONS | noun_words.TRAILING
    )
    return (
        token.is_word
        and low not in dull
        and low not in noun_words.PREDICATES
        and noun_text.key(low) not in known.all
        and not words.kinds(low)
    )


_LEAVING = re.compile(
    r"(?<!\w)(?:leave|keep|ignore|skip|(?:do not|don't|dont|never|not|without) (?:touch|touching|change|changing)"
    r"|lass|lasst|ohne|laisse[zr]?|ne touche|sans toucher|deja|sin tocar|no toques|не трогай|оставь)(?!\w)"
)
_PART = re.compile(r"[.!?;:,()\n]+(?=\s|$)|\s[–—-]{1,2}\s|\s(?:and|but|und|aber|et|mais|y|pero|и|но)\s")


def without_left(text: str, head: str) -> str:
    """A request without the clauses that only leave something alone."""
    low = text.casefold()
    if _LEAVING.search(low) is None:
        return text
    kept = [
        part
        for part in _PART.split(text)
        if _LEAVING.search(part.casefold()) is None or noun_text.may_say(part, head)
    ]
    return ", ".join(kept)


def by_prior(prior: str, written: Sequence[str], known: Known) -> Bears:
    """ "no" where what was said or written before is about another thing of that name; "shown" where about both, or
    where the agent was at work elsewhere."""
    prior = words.normalise(prior, 2 * TEXT_CHARS)
    files, folders = _mentions(prior)
    spoken = [*files, *folders, *written]
    own = any(is_same(path, known.target) for path in spoken)
    rivals = [path for path in spoken if _is_rival(path, known)]
    apart = _says_another(prior, known)
    if rivals or (apart and _says_another(_COMPANIONS.sub(" ", prior), known)):
        return "shown" if own and not any(path in written for path in rivals) else "no"
    if apart:
        return "shown"
    away = any(_is_away(path, known.target) for path in written) and not own
    return "shown" if away or (not own and other_place(prior, known)) else "counts"


def _says_another(prior: str, known: Known) -> bool:
    head = known.term.head
    return noun_text.may_say(prior, head) and any(
        one.other for one in noun_occurrences.occurrences(prior, head, known.all)
    )


def is_spoken_of(prior: str, known: Known) -> bool:
    """Whether what was said before names the settled target."""
    files, _ = _mentions(words.normalise(prior, 2 * TEXT_CHARS))
    return any(is_same(path, known.target) for path in files)


def _is_rival(path: str, known: Known) -> bool:
    """Whether a path is of something else that could go by the same name."""
    if is_same(path, known.target) or known.target.startswith(f"{path.rstrip('/')}/"):
        return False
    if _is_companion(path, known.target):
        return False
    if path.rstrip("/").rsplit("/", 1)[-1] == known.target.rsplit("/", 1)[-1]:
        return True
    pieces = _pieces(path)
    return known.term.head in pieces and pieces.isdisjoint(ALONG)


def _is_away(path: str, target: str) -> bool:
    """Whether a file that the turn wrote lies in another part of the tree, and is no companion."""
    folder = path.rpartition("/")[0]
    if not folder or target.startswith(f"{folder}/") or _is_companion(path, target):
        return False
    return _pieces(path).isdisjoint(ALONG)


def _is_companion(path: str, target: str) -> bool:
    """Whether a file goes along with the target: a header, a bench, an interface, or generated of the same stem."""
    if ending_of(path) not in CODE | DATA:
        return False
    own, its = _stem(target), _stem(path)
    if own != its - _WITH:
        return False
    if its & (_WITH - own) or path.rpartition("/")[0] == target.rpartition("/")[0]:
        return path.rsplit("/", 1)[-1] != target.rsplit("/", 1)[-1]
    return any(
        ending_of(path) != ending_of(target) and {ending_of(path), ending_of(target)} <= one
        for one in _HEADERS
    )


def _stem(path: str) -> frozenset[str]:
    """Keys of the words in a file's name."""
    name = path.rsplit("/", 1)[-1].rpartition(".")[0]
    return frozenset(noun_text.key(piece) for part in name.split(".") for piece in words.split(part))


def by_tree(request: str, prior: str, known: Known, tree: Tree) -> Bears:
    """What the request, or a sentence before it with the term, says of other parts of the tree."""
    request = without_left(request, known.term.head)
    said = noun_text.keys_of(request)
    before = frozenset(key for one in sentences(prior, known.term.head) for key in noun_text.keys_of(one))
    near = said | before
    folders = _apart((folder.rpartition("/")[2] for folder in tree.folders), known, near)
    files = _apart((file.rpartition("/")[2].rpartition(".")[0] for file in tree.files), known, near)
    for text in sentences(prior, known.term.head):
        tokens = noun_text.read(text).tokens
        if any(_is_at(tokens, at, known.term.head) for at in _places(tokens, folders)):
            return "no"
    if near.isdisjoint(folders) and said.isdisjoint(files):
        return "counts"
    tokens = noun_text.read(request).tokens
    for at in _places(tokens, folders):
        if _is_at(tokens, at, known.term.head) or _is_whole(tokens, at, known.term.head):
            return "no"
    if not near.isdisjoint(folders):
        return "shown"
    found = noun_occurrences.occurrences(request, known.term.head, known.all)
    behind = (request[one.end : one.end + 60] for one in found)
    return "shown" if any(_is_of(rest, files) for rest in behind) else "counts"


def _apart(names: Iterable[str], known: Known, said: Collection[str]) -> frozenset[str]:
    """Of the keys that were said those of names that do not belong to the settled thing, and tell something."""
    found = {key for name in names for key in _keys(name)}
    return frozenset(key for key in found if key in said and key not in known.all)


@lru_cache(maxsize=20_000)
def _keys(name: str) -> tuple[str, ...]:
    dull = words.GENERIC | words.STOP | ALONG
    return tuple(noun_text.key(piece) for piece in words.split(name) if len(piece) > 2 and piece not in dull)


def _places(tokens: Sequence[noun_text.Token], keys: Collection[str]) -> list[int]:
    return [at for at, token in enumerate(tokens) if token.is_word and noun_text.key(token.low) in keys]


def _is_at(tokens: Sequence[noun_text.Token], at: int, head: str) -> bool:
    """Whether a name is said as a place, or as what the term (`head`, a key) belongs to: "in billing", "billing's
    parser", "billing: fix the parser"."""
    start = at
    while start and (
        tokens[start - 1].low in noun_words.DEFINITE or tokens[start - 1].low in noun_words.NEUTRAL
    ):
        start -= 1
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    before = tokens[start - 1] if start else None
    if before is not None and (before.low in standing.IN or before.text == "("):
        return True
    if before is not None and before.low in noun_words.WITHIN:
        owner = tokens[max(0, start - 4) : start - 1]
        return any(noun_text.key(token.low) == head for token in owner)
    if after in ("'", "’"):
        return any(noun_text.key(token.low) == head for token in tokens[at + 2 : at + 6])
    if after == ":":
        # What it labels ends with the first job.
        return _is_in_first(tokens[at + 2 :], head)
    return after == "/" or (at == 0 and after == ",")


def _is_in_first(tokens: Sequence[noun_text.Token], head: str) -> bool:
    for token in tokens:
        if noun_text.key(token.low) == head:
            return True
        if token.ends or token.text in ",;" or token.low in noun_words.JOINING:
            return False
    return False


def _is_whole(tokens: Sequence[noun_text.Token], at: int, head: str) -> bool:
    """Whether a folder is what an order is about, and the term a part of it: "tidy up billing, the parser too"."""
    behind = [token for token in tokens[at + 1 :] if token.is_word or token.text in "(,"]
    place = next((n for n, token in enumerate(behind) if noun_text.key(token.low) == head), None)
    if place is None or place > 5:
        return False
    before = [token for token in tokens[max(0, at - 3) : at] if token.is_word]
    ordered = any(
        (token.low in noun_words.VERBS or bool(words.kinds(token.low) & words.ACTIONS.keys()))
        for token in before
    )
    around = {token.low for token in (*behind[:place], *behind[place + 1 : place + 4])}
    return ordered and not around.isdisjoint(_TOO)


_TOO_WORDS = """
    including included includes include too also with especially starting first beginning auch inklusive
    samt einschließlich mitsamt dabei aussi compris inclus incluyendo incluido también inclusive também
    anche включая тоже
    """
_TOO = frozenset(_TOO_WORDS.split())


def _is_of(rest: str, keys: Collection[str]) -> bool:
    """Whether a preposition right behind the term leads to one of these names."""
    tokens = [token for token in noun_text.read(rest).tokens[:5] if token.is_word]
    if not tokens or tokens[0].low not in noun_words.PREPOSITIONS:
        return False
    return any(noun_text.key(token.low) in keys for token in tokens[1:4])

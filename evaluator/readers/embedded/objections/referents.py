"""Referents: what "it" can mean. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.readers.embedded.language import words
from evaluator.readers.embedded.language.change import TEST_PIECES, target_of
from evaluator.readers.embedded.language.views import NAME, QUOTED, View, mentions, sentences

CHOOSING = frozenset("which what welche welchen welches quel quelle cuál qual quale какой który".split())  # noqa: SIM905
TAIL_SENTENCES = 3
CANDIDATES_MAX = 12
THINGS_MAX = 60


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that the prior turn offers as a referent, and the sentence that speaks of it."""

    name: str
    sentence: str


def things(sentence: str) -> list[str]:
    """What a sentence names: paths if there are any, else identifiers; no quoted prose or expressions."""
    files, folders = mentions(sentence)
    if files or folders:
        return [*files, *folders]
    quoted = [next(filter(None, match.groups())) for match in QUOTED.finditer(sentence)]
    return [name for name in quoted if not set(" ,=") & set(name)] + NAME.findall(sentence)


def key(name: str) -> str:
    """Equal for one thing under several names: `src/a.py`, `a.py` and its test."""
    stem = [piece for piece in target_of(name, "").stem if piece not in TEST_PIECES]
    return " ".join(words.stem(piece) for piece in stem) or name.lower()


def candidates(prior: View) -> list[Candidate]:
    """Distinct things of the prior turn in order; files and folders if it names any, else quoted names."""
    every = [(name, sentence) for sentence in sentences(prior.text) for name in things(sentence)][:THINGS_MAX]
    paths = {*prior.files, *prior.folders}
    if paths:
        every = [(name, sentence) for name, sentence in every if name in paths]
    found: dict[str, Candidate] = {}
    for name, sentence in every:
        found.setdefault(key(name), Candidate(name, sentence))
    return list(found.values())[:CANDIDATES_MAX]


def about(candidate: Candidate, every: list[tuple[str, str]]) -> list[str]:
    wanted = key(candidate.name)
    return [sentence for name, sentence in every if key(name) == wanted]


def narrow(found: list[Candidate], request: View, prior: View, *, deleting: bool) -> list[Candidate]:
    """What is left after the request's own words, the prior turn's last question and what it calls unused."""
    hinted = [one for one in found if set(request.content) & {words.stem(w) for w in words.split(one.name)}]
    if len(hinted) == 1:
        return hinted
    tail = sentences(prior.text)[-TAIL_SENTENCES:]
    for sentence in reversed(tail):
        here = [one for one in found if any(key(name) == key(one.name) for name in things(sentence))]
        if len(here) == 1 and sentence.endswith(("?", "？")):
            return here
        if here:
            break
    if deleting:
        every = [(name, sentence) for sentence in sentences(prior.text) for name in things(sentence)]
        unused = [
            one
            for one in found
            if any(
                "removable" in words.CUES.of(f" {' '.join(words.split(s))} ", words.split(s), s.lower())
                for s in about(one, every)
            )
        ]
        if len(unused) == 1:
            return unused
    return found


def offered(prior: View) -> bool:
    """Whether the prior turn ends in a proposal, or in a question that a yes answers."""
    tail = sentences(prior.text)[-TAIL_SENTENCES:]
    if CHOOSING & set(words.split(tail[-1] if tail else "")):
        return False
    if any(sentence.endswith(("?", "？", "؟")) for sentence in tail[-2:]):
        return True
    joined = " ".join(tail)
    found = words.split(joined)
    return "offer" in words.CUES.of(f" {' '.join(found)} ", found, joined.lower())


def accepts(reply: View) -> bool:
    return "affirm" in reply.kinds and len(reply.content) <= 2


def offers(prior: View) -> bool:
    """Whether the prior turn ends in an offer to act, which a yes accepts as a whole ("Shall I start?")."""
    joined = " ".join(sentences(prior.text)[-2:])
    found = words.split(joined)
    kinds = words.CUES.of(f" {' '.join(found)} ", found, joined.lower())
    return "offer" in kinds and "alternative" not in kinds and not CHOOSING & set(found)

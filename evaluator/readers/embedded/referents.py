"""Referents and options: what "it" can mean, and which option a reply selects. Pure."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from evaluator.readers.embedded import lexicon, words
from evaluator.readers.embedded.change import TEST_PIECES, Change, target_of
from evaluator.readers.embedded.views import NAME, QUOTED, View, mentions, sentences

ITEM = re.compile(r"^\s*(?:[-*•]\s+|\(?(\d{1,2})[.):、]\s*|\(?([a-hA-H])[.)]\s+)(.{1,400})$")
DIGIT = re.compile(r"(?<![\w.])(\d{1,2})(?![\w.]*\w)")
LETTER = re.compile(r"(?:^|option |with )\(?([a-h])\)?[.!]?$")
CHOOSING = frozenset("which what welche welchen welches quel quelle cuál qual quale какой który".split())  # noqa: SIM905
REPLY_CHARS = 60
TAIL_SENTENCES = 3
ALTERNATIVE_WORDS = 4
CANDIDATES_MAX = 12
THINGS_MAX = 60


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that the prior turn offers as a referent, and the sentence that speaks of it."""

    name: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Choice:
    """How a reply relates to the prior turn's options. `out_of_range` is the number that does not exist."""

    options: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    out_of_range: int | None = None
    unresolved: bool = False


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


def items(prior: View) -> list[str]:
    """The last list of the prior turn, if a question stands right before it, in it or after it."""
    lines = prior.text.split("\n")[-120:]
    blocks: list[list[tuple[int, str]]] = []
    for number, line in enumerate(lines):
        match = ITEM.match(line)
        if match is None:
            continue
        fresh = match.group(1) == "1" or (match.group(2) or "").lower() == "a"
        if not blocks or fresh or number - blocks[-1][-1][0] > 4:
            blocks.append([])
        blocks[-1].append((number, match.group(3).strip()))
    if not blocks or len(blocks[-1]) < 2:
        return []
    first, last = blocks[-1][0][0], blocks[-1][-1][0]
    before = [line for line in lines[:first] if line.strip()][-1:]
    after = [line for line in lines[last + 1 :] if line.strip()][:1]
    asked = re.search(r"[?？؟]", "\n".join((*before, lines[last], *after)))
    return [item for _, item in blocks[-1]] if asked else []


def alternatives(prior: View) -> list[str]:
    """Both sides of "A or B?" in the prior turn's last question."""
    asked = [s for s in sentences(prior.text)[-TAIL_SENTENCES:] if s.endswith(("?", "？"))]
    if not asked:
        return []
    sentence = asked[-1].rstrip("?？ ")
    joint = next((j for j in words_between(sentence) if j in sentence), None)
    if joint is None:
        return []
    left, right = sentence.rsplit(joint, 1)
    # The words before the first alternative belong to the question, not to it.
    first = re.split(r"[,:;，：]", left)[-1].split()[-ALTERNATIVE_WORDS:]
    return [" ".join(first), " ".join(re.split(r"[,;，]", right)[0].split()[:ALTERNATIVE_WORDS])]


def words_between(sentence: str) -> list[str]:
    inner = words.UNSPACED.search(sentence) is not None
    every = lexicon.CUES["alternative"].split()
    return [word for word in every if words.UNSPACED.search(word)] if inner else [f" {w} " for w in every]


def choose(request: View, prior: View) -> Choice:
    """Which option the last message selects, by number, letter, ordinal, or words of one option alone."""
    options = items(prior) or alternatives(prior)
    if not options or request.empty or (items(prior) and accepts(request) and offers(prior)):
        return Choice()
    reply = unicodedata.normalize("NFKC", request.text).strip().lower()
    picked: set[int] = set()
    if len(reply) <= REPLY_CHARS and items(prior):
        numbers = [int(number) for number in DIGIT.findall(reply)]
        letter = LETTER.search(reply)
        numbers += [ord(letter.group(1)) - ord("a") + 1] if letter else []
        for number, line in enumerate(lexicon.ORDINALS, start=1):
            if any(
                word in reply if words.UNSPACED.search(word) else word in request.words
                for word in line.split()
            ):
                numbers.append(number)
        outside = [number for number in numbers if not 1 <= number <= len(options)]
        if outside and len(request.content) <= 3:
            return Choice(tuple(options), out_of_range=outside[0])
        picked |= {number - 1 for number in numbers if 1 <= number <= len(options)}
    if "plural" in request.kinds and len(request.content) <= 2:
        picked = set(range(len(options)))
    if not picked:
        own = [set(words.stems(words.split(option))) for option in options]
        for number, mine in enumerate(own):
            others = set[str]().union(*(one for place, one in enumerate(own) if place != number))
            if any(word in mine - others for word in request.content):
                picked.add(number)
        if len(picked) == len(options) and len(options) > 1:
            picked = set()
    chosen = tuple(option for number, option in enumerate(options) if number in picked)
    rejected = (
        tuple(option for number, option in enumerate(options) if number not in picked) if chosen else ()
    )
    short = not chosen and len(request.content) <= 4 and not request.files
    return Choice(tuple(options), chosen, rejected, None, unresolved=short)


def against(change: Change, chosen: View, rejected: View) -> bool:
    """Whether the write touches what only a rejected option names."""
    if rejected.empty or chosen.empty:
        return False
    for target in change.targets:
        pieces = [piece for piece in (*target.stem, *target.folders) if piece not in words.GENERIC]
        taken = [piece for piece in pieces if words.holds(chosen.stems, piece)]
        passed = [piece for piece in pieces if words.holds(rejected.stems, piece)]
        if set(passed) - set(taken) and not set(taken) - set(passed):
            return True
    return False

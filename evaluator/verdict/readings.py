"""Do the readers understand the same? Readings are clustered by their slots; agreement is how likely two share one.

Pure, deterministic, and independent of the order of the samples.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from evaluator.exchange.orders import opens_with_order
from evaluator.intervention.messages import ONLY_ANSWER
from evaluator.model import Cluster, Exchange, Extent, Reading, Sample
from evaluator.record import Record

CHOICES_MAX = 3
"""A list that is longer is not read; people choose among few."""

EXTENT_WORDS: dict[Extent, str] = {
    "one_place": "in one place",
    "one_file": "in one file",
    "folder": "in the whole folder",
    "project": "in the whole project",
    "beyond": "beyond the project",
}

_TOKEN = re.compile(r"[\w.@+/-]+")
_EXTENSION = re.compile(r"[A-Za-z]\w{0,5}")
TEXT_CHARS_MAX = 200_000
PATH_CHARS_MAX = 400
_MARKS = " \t\"'`\u00ab\u00bb\u2018\u2019\u201c\u201d\u300c\u300d[]{}<>,;:!?"
_OPENS, _CLOSES = _MARKS + "(", _MARKS + "."
"""What may stand around a name; a leading dot and trailing parentheses belong to it."""
_ARTICLES = re.compile(
    r"^(?:the|a|an|this|that|der|die|das|le|la|les|el|los|las|il|lo|o|os|as)\s+", re.IGNORECASE
)
_KIND = re.compile(r"\s+(?:file|function|method|class|module|folder|directory|variable)$", re.IGNORECASE)
_ANSWERS = re.compile(
    r"(?:(?:only|just|simply) )?(?:to )?(?:answer|explain|describe|discuss|tell|report|list|show)\b",
    re.IGNORECASE,
)
_FURTHER_VERBS = re.compile(
    r"(?:keep|use|apply|put|leave|restrict|test|check|review|turn|comment|hide|cache|memoize|log|wrap|return|parse|"
    r"validate|rework|redesign|redo|rebuild|strip|trim|prune|expand|shorten|restore|link|mark|mock|stub|pin|register|"
    r"deprecate|archive|empty|duplicate|copy|clone|ask|wait|do)\b",
    re.IGNORECASE,
)
"""Beside those by which people order."""


class ReadingChoice(Record):
    """A reading as it is put to the user: `support` counts the readers who hold it, and half those who rival it."""

    text: str
    support: float


def agreement(sizes: Sequence[int]) -> float | None:
    """The chance that two readers, drawn without replacement from clusters of these sizes, share a reading.

    Sum of k(k-1) over n(n-1): E. H. Simpson, Measurement of Diversity, Nature 163 (1949). In [0, 1]; None, never 1,
    for fewer than two readers.
    """
    n = sum(sizes)
    return sum(k * (k - 1) for k in sizes) / (n * (n - 1)) if n > 1 else None


def clusters(samples: Iterable[Sample], project_dir: str, exchange: Exchange) -> tuple[Cluster, ...]:
    """The valid samples' readings by equality of their normalised slots; largest first."""
    paths = named_paths(exchange)
    groups: dict[tuple[str, str, str], list[Sample]] = {}
    for sample in sorted(samples, key=lambda one: one.reader):
        if sample.valid and sample.reading is not None:
            reading = sample.reading
            slots = reading.action, target_key(reading.target, project_dir, paths), reading.extent
            groups.setdefault(slots, []).append(sample)
    ranked = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return tuple(Cluster(tuple(s.reader for s in held), _most_common_reading(held)) for _, held in ranked)


def target_key(target: str, project_dir: str, paths: Mapping[str, str]) -> str:
    """One target, one key: paths against the project, symbols with their case, other words without.

    A name stands for the path that the exchange gives it, if it gives just one.
    """
    text, before = " ".join(unicodedata.normalize("NFKC", target).split()), None
    while text != before:
        before = text
        text = _KIND.sub("", _ARTICLES.sub("", text.lstrip(_OPENS).rstrip(_CLOSES)))
    if not text:
        return ""
    bare = text.removesuffix("()")
    if _is_reading_path(text):
        key = os.path.normpath(text)
        if project_dir and key.startswith(project_dir.rstrip("/") + "/"):
            key = os.path.relpath(key, project_dir)
        if key != text:
            return target_key(key, project_dir, paths)
    else:
        # An identifier, which its case or an underscore tells from a word of prose.
        mixed = any(map(str.isupper, bare[1:])) and not bare.isupper()
        named = " " not in text and (text != bare or "_" in bare or "::" in bare or mixed)
        key = bare if named else text.casefold()
    return paths.get(key) or paths.get(key.casefold()) or key


def named_paths(exchange: Exchange) -> dict[str, str]:
    """{name: path} for every file name, and stem, that stands for exactly one path of the exchange."""
    said = (
        *exchange.request, exchange.prior_assistant_turn, exchange.delegated_task,
        *(plan.text for plan in exchange.plans), *(item.question for item in exchange.questions),
    )  # fmt: skip
    found: dict[str, set[str]] = {}
    for text in said:
        for token in filter(_is_reading_path, _TOKEN.findall(text[:TEXT_CHARS_MAX])):
            path = os.path.normpath(token.rstrip("./"))
            name = os.path.basename(path)
            stem = name.rpartition(".")[0] or name
            for short in {name, stem, name.casefold(), stem.casefold()}:
                found.setdefault(short, set()).add(path)
    # `session.py` is no second path beside `src/session.py`: it is the short form of it.
    full = {short: {path for path in held if "/" in path} or held for short, held in found.items()}
    return {short: held.pop() for short, held in full.items() if len(held) == 1}


def reading_choices(
    samples: Sequence[Sample], project_dir: str, exchange: Exchange
) -> tuple[ReadingChoice, ...]:
    """The distinct readings and rivals that are acts, most supported first, then as the agent named them; at most
    CHOICES_MAX.

    How far a reading goes is said where another one differs in that alone. A rival that begins with no verb is none.
    """
    readings = clusters(samples, project_dir, exchange)
    extents: dict[str, set[Extent]] = {}
    for cluster in readings:
        extents.setdefault(_bare_reading(_reading_as_act(cluster.reading)), set()).add(cluster.reading.extent)
    found: dict[str, ReadingChoice] = {}
    known: dict[str, str] = {}
    for cluster in readings:
        reading, act = cluster.reading, _reading_as_act(cluster.reading)
        if not act:
            continue
        differs = len(extents[_bare_reading(act)]) > 1 and act != ONLY_ANSWER
        text = reading_words(reading) if differs else act
        before = found.get(_bare_reading(text), ReadingChoice(text, 0.0))
        found[_bare_reading(text)] = ReadingChoice(text, before.support + len(cluster.readers))
        # A rival seldom names its extent: it is the best supported reading of that action and target.
        known.setdefault(_bare_reading(act), _bare_reading(text))
        known.setdefault(_bare_reading(reading_words(reading)), _bare_reading(text))
    for sample in samples:
        rival = _rival_reading_as_act(sample.rival) if sample.valid and sample.rival else ""
        if rival:
            key = known.get(_bare_reading(rival), _bare_reading(rival))
            before = found.get(key, ReadingChoice(rival, 0.0))
            found[key] = ReadingChoice(before.text, before.support + 0.5)
    said = exchange.prior_assistant_turn

    def rank(choice: ReadingChoice) -> tuple[float, int, str]:
        """Where the agent did not name what a reading is about, it stands behind those that it named."""
        at = said.find(choice.text.partition(" ")[2])
        return -choice.support, at if at >= 0 else len(said), choice.text

    return tuple(sorted(found.values(), key=rank)[:CHOICES_MAX])


def reading_words(reading: Reading) -> str:
    """What the reading would do, to what, and how far."""
    return f"{_reading_as_act(reading)}, {EXTENT_WORDS[reading.extent]}"


def _reading_as_act(reading: Reading) -> str:
    """A reading as an act; empty for what is none: an action that has no name."""
    if reading.action == "answer":
        return ONLY_ANSWER
    if reading.action == "other":
        return ""
    target = " ".join(reading.target.split())
    return f"{reading.action} {target.removeprefix(f'{reading.action} ')}".strip()


def _rival_reading_as_act(said: str) -> str:
    """A reader's own words for another reading, as an act; empty where they begin with no verb."""
    text = " ".join(said.split()).rstrip(".")
    if _ANSWERS.match(text):
        return ONLY_ANSWER
    if not (_FURTHER_VERBS.match(text) or opens_with_order(text)):
        return ""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _most_common_reading(held: Sequence[Sample]) -> Reading:
    """The reading in the words of most of its readers; ties go to the first of them by name."""
    readings = [sample.reading for sample in held if sample.reading is not None]
    return max(readings, key=lambda reading: sum(other == reading for other in readings))


def _is_reading_path(text: str) -> bool:
    """Whether a token has a folder in it, or ends like a file's name."""
    bare = text.rstrip(".")
    if " " in bare or len(bare) > PATH_CHARS_MAX:
        return False
    stem, dot, extension = bare.rpartition(".")
    named = bool(stem.strip("./") and dot) and _EXTENSION.fullmatch(extension) is not None
    return named or ("/" in bare.strip("/") and not bare.startswith("//"))


def _bare_reading(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).lstrip(_OPENS).rstrip(_CLOSES)

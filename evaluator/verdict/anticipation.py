"""Two readings of a prompt, taken before any write: which write they cover, and whether they differ. Pure.

Neither reader was shown a write: what they agree on is what the exchange asks for, and a write of just that needs no
reader of its own.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping

from evaluator.model import Action, Effects, Evidence, Exchange, Extent, Operation, Sample, Thresholds
from evaluator.record import Record, replace
from evaluator.trigger.rules import relative_to
from evaluator.verdict.convergence import TOLERANCE, converge, score_of
from evaluator.verdict.decision import judge
from evaluator.verdict.readings import agreement, choices, clusters, named_paths, slots, target_key

READERS = 2
NARROW: tuple[Extent, ...] = ("one_place", "one_file")
FITTING: Mapping[Operation, frozenset[Action]] = {
    "create": frozenset(("create", "add", "configure")),
    "append": frozenset(("add", "change", "fix", "configure")),
    "edit": frozenset(("add", "change", "fix", "refactor", "configure", "rename")),
    "overwrite": frozenset(("change", "fix", "refactor", "configure")),
}
"""What a write may be where the readings ask for one of these: none overwrites what was to be created."""
_ALIKE: frozenset[Action] = frozenset(("create", "add", "change", "fix", "refactor", "configure"))
"""Words for one change of one file: a person who is asked to choose among them is asked nothing."""


class Anticipation(Record):
    """What the readers of one prompt said. `position` is its place in the session's list, `said` the digest of the
    exchange that they were shown, `evidence` what was sent of it; None where nothing sent is kept. `line` is the key
    of the breaker to these readers: of others nothing is known by it.
    """

    position: int
    said: str
    samples: tuple[Sample, ...]
    backend: str
    model: str
    evidence: Evidence | None = None
    line: str = ""

    @property
    def whole(self) -> bool:
        """Whether both readers gave a valid answer: with fewer nothing is known."""
        valid = [one for one in self.samples if one.valid and one.reading is not None]
        return len(valid) == len(self.samples) == READERS

    @property
    def differs(self) -> bool:
        """Whether the readings may be more than one, before their words are compared with the exchange's."""
        return self.whole and len({one.reading for one in self.samples}) > 1


def digest_of(exchange: Exchange) -> str:
    """Changes with whatever was said, answered or approved since; white space does not count."""
    questions = [
        text for item in exchange.questions for text in (item.question, *item.options, "", *item.answers)
    ]
    plans = [f"{plan.approved} {plan.text}" for plan in exchange.plans]
    parts = (exchange.request, (exchange.prior_assistant_turn, exchange.delegated_task), questions, plans)
    text = "\x1d".join("\x1e".join(" ".join(one.split()) for one in part) for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def may_cover(effects: Effects) -> bool:
    """Whether the call is one write of exactly one file, alone: what no reading covers needs none to be waited for."""
    each = effects.each
    return (
        effects.verdict == "write" and len(each) == 1 and each[0].excusable and each[0].operation in FITTING
    )


def covers(
    found: Anticipation, effects: Effects, exchange: Exchange, project_dir: str, thresholds: Thresholds
) -> bool:
    """Whether both readings name the very file that the call writes, and ask for such a write without a doubt."""
    if not may_cover(effects) or not found.whole:
        return False
    (effect,) = effects.each
    path = relative_to(effect.target, project_dir)
    if path is None:
        return False
    paths = named_paths(exchange)
    readings = [one.reading for one in found.samples if one.reading is not None]
    return (
        len({one.action for one in readings}) == 1
        and readings[0].action in FITTING[effect.operation]
        and all(one.extent in NARROW for one in readings)
        and all(_names(one.target, path, exchange, project_dir, paths) for one in readings)
        and not any(one.rival for one in found.samples)
        and all(score_of(one) >= thresholds.confidence - TOLERANCE for one in found.samples)
        and _would_pass(found, exchange, project_dir, thresholds)
    )


def open_readings(
    found: Anticipation, exchange: Exchange, project_dir: str, thresholds: Thresholds
) -> tuple[str, ...]:
    """Where the two readings differ, what the request can mean, as it is put to the user; else nothing.

    Readers who are sure word a clear request in two ways, too: nobody is asked where a write would pass by what they
    said.
    """
    if not found.whole or _would_pass(found, exchange, project_dir, thresholds):
        return ()
    paths = named_paths(exchange)
    meant: set[tuple[str, str, bool]] = set()
    for one in found.samples:
        assert one.reading is not None
        action, target, extent = slots(one.reading, project_dir, paths)
        meant.add(("change" if one.reading.action in _ALIKE else action, target, extent in NARROW))
    if len(meant) == 1:
        return ()
    texts = tuple(choice.text for choice in choices(found.samples, project_dir, exchange))
    return texts if len(texts) > 1 else ()


def _would_pass(found: Anticipation, exchange: Exchange, project_dir: str, thresholds: Thresholds) -> bool:
    """Whether readers of a write who said the same would pass it: by scores, and by agreement where that counts.

    Cuts were certified for readers who saw the write: these two have to pass by them as the strictest call does, and
    without them.
    """
    scored = converge(found.samples, READERS)
    if scored is None:
        return False
    sizes = [len(one.readers) for one in clusters(found.samples, project_dir, exchange)]
    agreed = replace(scored, agreement=agreement(sizes))
    both = (thresholds, replace(thresholds, certified=None))
    return all(judge(agreed, one, destructive=True)[0] == "passed" for one in both)


def _names(target: str, path: str, exchange: Exchange, project_dir: str, paths: Mapping[str, str]) -> bool:
    """Whether a reading's target is that file, and no other of its name. Readers write in lower case."""
    key = target_key(target, project_dir, paths)
    if key == path:
        return True
    said = "\n".join((*exchange.request, exchange.prior_assistant_turn))
    return key.casefold() == path.casefold() and os.path.basename(path) in said

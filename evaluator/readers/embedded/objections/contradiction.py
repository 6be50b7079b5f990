"""Contradiction: another file, another number or another area named than the one that is written. Pure."""

from __future__ import annotations

import re

from evaluator.readers.embedded.findings import Objection, short
from evaluator.readers.embedded.language import lexicon, words
from evaluator.readers.embedded.language.change import PendingChange, Target, target_of
from evaluator.readers.embedded.language.views import REQUEST_CHARS, View, view
from evaluator.readers.embedded.objections.grounding import BY_STEM, EXACT, named, symbols

SIMPLE_CONTENT = 3
"""A request that says hardly more than one file means that file."""
UNITS = (10, 60, 100, 1000, 1024, 3600, 86_400, 1_000_000, 1_048_576)


def related(target: Target, file: str) -> bool:
    """Whether a target belongs to a named file: same naming pieces (its test, its types)."""
    other = target_of(file, "")
    mine, theirs = set(target.naming), set(other.naming)
    if mine <= theirs or theirs <= mine:
        return target.is_test or other.is_test or "/" not in file or target.path.endswith(file)
    return target.is_test and bool(mine & theirs)


def sourced(request: View, file: str) -> bool:
    """Whether the request names the file as an example or a source, not as the thing to write."""
    at = request.low.find(file.lower())
    before = words.split(request.low[max(0, at - 24) : at])[-3:]
    return any(word in lexicon.SOURCING for word in before)


def elsewhere(change: PendingChange, request: View, settled: View, prior: View) -> Objection | None:
    """The request names a file, and the write goes to another one."""
    files = [file for file in request.files if not sourced(request, file)]
    if not files:
        return None
    # What the named files themselves are called by says nothing for another file beside them.
    rest = request.text
    for file in request.files:
        rest = rest.replace(file, " ")
    spoken = view(rest, REQUEST_CHARS)
    for target in change.targets:
        if any(
            target.path == file or target.path.endswith(f"/{file}") or file.endswith(f"/{target.path}")
            for file in files
        ):
            continue
        if any(related(target, file) for file in files) or named(target, settled) >= BY_STEM:
            continue
        twin = next((file for file in files if file.rsplit("/", 1)[-1].lower() == target.base.lower()), None)
        level = named(target, spoken)
        if twin is None and level >= BY_STEM:
            continue
        strength = 0.9 if twin else 0.8
        if "spread" in request.kinds:
            strength *= 0.4
        if twin is None:
            simple = len(files) == 1 and len(request.content) <= SIMPLE_CONTENT
            if not simple and {"create", "refactor", "rename", "move"} & set(request.actions):
                strength -= 0.3
            if named(target, prior) >= EXACT or change.shell:
                strength -= 0.3
            if level > 0.5:
                strength -= 0.3
            strength -= 0.4 * symbols(change, request, names_only=True)
        if strength > 0.15:
            phrase = f"the request names {short(files[0])}; this write is in {short(target.path)}"
            return Objection("contradiction", strength, "target", phrase, short(target.path))
    return None


def converted(given: str, written: str) -> bool:
    """Whether both can be one quantity in two units (8 s and 8000 ms, 2 min and 120 s)."""
    try:
        one, other = sorted((float(given), float(written)))
    except ValueError:
        return False
    return one > 0 and any(abs(other / one - unit) < 1e-6 for unit in UNITS)


def misnumbered(change: PendingChange, request: View) -> Objection | None:
    """The request gives one number, and an edit that changes one number sets another."""
    if not (change.old and change.new) or len(change.numbers_in) != 1 or len(change.numbers_out) != 1:
        return None
    given = [
        n
        for n in request.numbers
        if not re.search(rf"(?:#|line |zeile |ligne |issue |pr )\s?{re.escape(n)}\b", request.low)
    ]
    wanted = [n for n in given if n not in change.numbers_out]
    if (
        len(wanted) == 1
        and not converted(wanted[0], change.numbers_in[0])
        and change.numbers_in[0] not in given
    ):
        return Objection(
            "contradiction",
            0.8,
            "target",
            f"the request says {wanted[0]}; this write sets {short(change.numbers_in[0], 12)}",
        )
    return None


def another_area(change: PendingChange, request: View, level: float) -> Objection | None:
    """The request speaks of one area of the code, the path of another, and no word joins them."""
    if not change.targets or level > 0 or not request.concepts or not change.concepts:
        return None
    if not (request.concepts & words.DOMAINS and change.concepts & words.DOMAINS):
        return None
    if request.concepts & change.concepts or any(
        word in change.stems for word in request.content if change.seen
    ):
        return None
    area, target = sorted(request.concepts)[0], change.targets[0]
    phrase = f"nothing in the exchange points to {short(target.path)}; the request is about {area}"
    return Objection("area", 1.0, "target", phrase)

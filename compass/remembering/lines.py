"""Precedents as JSON lines: what `compass memory export` prints, and what of such a file may come in."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import cast

from compass.remembering.fields import Stated, faults_of, tidied
from compass.remembering.kept import Memory
from evaluator.precedents.precedent import SOURCES, TEXT_CHARS_MAX, Precedent
from evaluator.record import Record, values_of
from evaluator.state.stamp import LAST_SECOND
from evaluator.state.ulid import RANDOM_BYTES, is_ulid, ulid

LINES_MAX = 1_000
LINE_CHARS_MAX = 16_000
AHEAD_SECONDS = 86_400.0
"""How far another machine's clock may be ahead."""
_MAY_TIGHTEN = frozenset(("cancelled", "edited", "imported"))


class Read(Record):
    """What a file holds. `fresh` are to be kept; `known` stand here already, `ended` are too old to count.

    `faults` name each line that does not fit, and why.
    """

    fresh: tuple[Precedent, ...]
    known: int
    ended: int
    faults: tuple[str, ...]


def document(one: Precedent) -> dict[str, object]:
    return dict(values_of(one))


def line_of(one: Precedent) -> str:
    """ASCII, so that it survives whatever it is sent through."""
    return json.dumps(document(one))


def read(text: str, memory: Memory) -> Read:
    """Of this project and this checkout, whatever the lines say of theirs. Keeps nothing. Raises StateError."""
    fresh: list[Precedent] = []
    faults: list[str] = []
    known = ended = 0
    here = memory.all()
    ids = {one.precedent_id for one in here}
    said = {_meaning(one) for one in here if one.checkout == memory.checkout}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if len(fresh) + known + ended + len(faults) == LINES_MAX:
            faults.append(f"line {number}: more than {LINES_MAX} lines; split the file")
            break
        found = _precedent(line, memory)
        if isinstance(found, str):
            faults.append(f"line {number}: {found}")
        elif found[0] in ids or _meaning(found[1]) in said:
            known += 1
        elif memory.has_ended(found[1]):
            ended += 1
        else:
            fresh.append(found[1])
            said.add(_meaning(found[1]))
    return Read(tuple(fresh), known, ended, tuple(faults))


def _precedent(line: str, memory: Memory) -> tuple[str, Precedent] | str:
    """The id in the file and the precedent that it becomes; in words, why it becomes none."""
    held = _object(line)
    if isinstance(held, str):
        return held
    texts: dict[str, str] = {}
    for name in ("term", "said", "action", "target", "extent", "branch", "source"):
        value = held.get(name)
        if not isinstance(value, str):
            return f"{name}: must be a text"
        texts[name] = value
    at, tightens = held.get("at"), held.get("tightens")
    if isinstance(at, bool) or not isinstance(at, int | float) or not 0 < at <= LAST_SECOND:
        return "at: must be seconds since the epoch"
    if at > memory.now + AHEAD_SECONDS:
        return "at: lies in the future; what outlives its days counts for ever"
    if not isinstance(tightens, bool):
        return "tightens: must be true or false"
    source = texts["source"]
    if source not in SOURCES:
        return f"source: {source[:40]!r} is none of {', '.join(SOURCES)}"
    if tightens and source not in _MAY_TIGHTEN:
        return f"tightens: what was {source} says what is meant, not what is not; it cannot be true"
    if not tightens and source == "cancelled":
        return "tightens: what was cancelled says only what was not meant; it cannot be false"
    if len(texts["branch"]) > TEXT_CHARS_MAX or not texts["branch"].isprintable():
        return "branch: is no name of a branch"
    stated = tidied(Stated(*(texts[name] for name in Stated.__match_args__)), memory.folders)
    faults = faults_of(stated, memory.folders)
    if faults:
        return "; ".join(faults)
    own = held.get("precedent_id")
    when = min(float(at), memory.now)
    made = Precedent(
        precedent_id=ulid(when, os.urandom(RANDOM_BYTES)),
        project=memory.project,
        checkout=memory.checkout,
        branch=texts["branch"],
        session_id="",
        check_id="",
        at=when,
        source="imported",
        tightens=tightens,
        term=stated.term,
        said=stated.said,
        action=stated.action,
        target=stated.target,
        extent=stated.extent,
    )
    return (own if isinstance(own, str) and is_ulid(own) else ""), made


def _object(line: str) -> Mapping[str, object] | str:
    if len(line) > LINE_CHARS_MAX:
        return f"{len(line)} characters are no precedent"
    try:
        held = cast(object, json.loads(line))
    except (ValueError, RecursionError):
        return "no JSON; each line is one object, as `compass memory export` prints them"
    return cast(dict[str, object], held) if isinstance(held, dict) else "no JSON object"


def _meaning(one: Precedent) -> tuple[object, ...]:
    """Two precedents with the same say the same."""
    return (one.term.casefold(), one.said, one.action, one.target, one.extent, one.tightens, one.branch)

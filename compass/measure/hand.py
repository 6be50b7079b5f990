"""`compass hindsight --label`: the user's own word on turns, asked at the terminal and kept as it comes."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from calibration.hindsight.findings import drawable
from calibration.hindsight.turns import Answer, HandLabel, SessionTurn, TurnLabel, read_labels, write_labels
from calibration.report.hindsight import did, one_line
from compass.install.settings_file import replace as replace_file
from evaluator.errors import PayloadError
from evaluator.text import local_minute

if TYPE_CHECKING:
    from compass.measure.run import MeasuredProject

ANSWERS: Mapping[str, Answer] = {"y": "y", "n": "n", "u": "u"}
HAND = "hindsight.hand.jsonl"
LEAST_ID = 6
"""A shorter number is a count."""


class EndedError(Exception):
    """The user wants no more."""


def hand_of(place: MeasuredProject) -> dict[str, HandLabel]:
    """By turn. Raises PayloadError."""
    try:
        return {label.turn: label for label in read_labels(_path(place), HandLabel)}
    except ValueError as error:
        raise PayloadError(str(error)) from None


def by_hand(
    place: MeasuredProject, which: str, turns: Sequence[SessionTurn], labels: Mapping[str, TurnLabel]
) -> dict[str, HandLabel]:
    """Asks about `which` (so many turns drawn by lot, or the id of one), and returns all labels by hand.

    The lot is the order of the turns' ids, which are digests. Raises PayloadError for a turn that is none.
    """
    found = hand_of(place)
    count = int(which) if which.isascii() and which.isdigit() and len(which) < LEAST_ID else None
    if count is None:
        chosen = [turn for turn in turns if len(which) >= LEAST_ID and turn.id.startswith(which)]
        if len(chosen) != 1:
            raise PayloadError(
                f"--label {which}: neither a number of turns nor the id of one that was listed"
            )
    else:
        pairs = [(turn, labels[turn.id]) for turn in turns]
        by_readers = any(label.by == "readers" for label in labels.values())
        left = [turn for turn, _ in drawable(pairs, by_readers=by_readers) if turn.id not in found]
        chosen = sorted(left, key=lambda turn: turn.id)[:count]
    try:
        for number, turn in enumerate(chosen, 1):
            label = _asked(turn, f"{number} of {len(chosen)}", drawn=count is not None)
            found[turn.id] = label
            replace_file(_path(place), write_labels(_path(place), [label], HandLabel), private=True)
    except EndedError:
        pass
    return found


def _asked(turn: SessionTurn, place: str, *, drawn: bool) -> HandLabel:
    """What came after is told once the first question is answered. Raises EndedError."""
    _tell(f"\n{place}: {local_minute(turn.at)}, turn {turn.id[:8]}")
    if turn.prior.strip():
        _tell(f"  the agent had said: {one_line(turn.prior)}")
    _tell(f"  you asked: {one_line(turn.request)}")
    _tell(f"  {did(turn.writes)}")
    due = _answer("Should it have asked you first?")
    signs = ", ".join(name for name, seen in _signs(turn) if seen)
    _tell(f"  you said next: {one_line(turn.said_next) or 'nothing'}" + (f" ({signs})" if signs else ""))
    return HandLabel(turn.id, _answer("Did it do something else than you meant?"), due, drawn)


def _signs(turn: SessionTurn) -> tuple[tuple[str, bool], ...]:
    return (
        ("you refused a call", any(write.refused for write in turn.writes)),
        ("you took something back", any(write.taken_back for write in turn.writes)),
        ("you interrupted", turn.interrupted),
    )


def _answer(question: str) -> Answer:
    while True:
        print(f"  {question} [y/n/u, q ends] ", end="", file=sys.stderr, flush=True)
        said = sys.stdin.readline()
        word = said.strip().casefold()[:1]
        if not said or word == "q":
            print(file=sys.stderr)
            raise EndedError
        if word in ANSWERS:
            return ANSWERS[word]


def _tell(text: str) -> None:
    print(text, file=sys.stderr)


def _path(place: MeasuredProject) -> str:
    return os.path.join(place.folder, HAND)

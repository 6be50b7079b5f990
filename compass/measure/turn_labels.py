"""Labels of turns beside those of a whole `compass hindsight`: the user's own word, and one turn's as it ends.

`compass hindsight --label` asks at the terminal. With `hindsight.live` the turn before is labelled once the next
prompt came, in a process that the service starts, and the week's figure is noted for the status line.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from calibration.hindsight.findings import drawable
from calibration.hindsight.turns import Answer, HandLabel, SessionTurn, TurnLabel, read_labels, write_labels
from calibration.report.hindsight import one_line, writes_told
from compass.install.settings_file import replace as replace_file
from compass.measure import hindsight
from compass.measure.run import LABELS
from compass.parallel import PROCESSES
from evaluator.errors import PayloadError
from evaluator.model import AUTO, EMBEDDED
from evaluator.state.session_summary import MISREAD
from evaluator.state.store import open_store
from evaluator.text import DAY_SECONDS, local_minute

if TYPE_CHECKING:
    from compass.composition.settings import Here

ANSWERS: Mapping[str, Answer] = {"y": "y", "n": "n", "u": "u"}
HAND = "hindsight.hand.jsonl"
LEAST_ID = 6
"""A shorter number is a count."""


class EndedError(Exception):
    """The user wants no more."""


def hand_labels(place: Here) -> dict[str, HandLabel]:
    """The labels that the user gave by hand, by turn. Raises PayloadError."""
    try:
        return {label.turn: label for label in read_labels(os.path.join(place.folder, HAND), HandLabel)}
    except ValueError as error:
        raise PayloadError(str(error)) from None


def label_by_hand(
    place: Here, which: str, turns: Sequence[SessionTurn], labels: Mapping[str, TurnLabel]
) -> dict[str, HandLabel]:
    """Asks about `which` (so many turns drawn by lot, or the id of one), and returns all labels by hand.

    The lot is the order of the turns' ids, which are digests. Raises PayloadError for a turn that is none.
    """
    found, path = hand_labels(place), os.path.join(place.folder, HAND)
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
            label = _ask_turn_label(turn, f"{number} of {len(chosen)}", drawn=count is not None)
            found[turn.id] = label
            replace_file(path, write_labels(path, [label], HandLabel), private=True)
    except EndedError:
        pass
    return found


def _ask_turn_label(turn: SessionTurn, place: str, *, drawn: bool) -> HandLabel:
    """What came after is told once the first question is answered. Raises EndedError."""
    tell = partial(print, file=sys.stderr)
    tell(f"\n{place}: {local_minute(turn.at)}, turn {turn.id[:8]}")
    if turn.prior.strip():
        tell(f"  the agent had said: {one_line(turn.prior)}")
    tell(f"  you asked: {one_line(turn.request)}")
    tell(f"  {writes_told(turn.writes)}")
    due = _ask_label_question("Should it have asked you first?")
    seen = {
        "you refused a call": any(write.refused for write in turn.writes),
        "you took something back": any(write.taken_back for write in turn.writes),
        "you interrupted": turn.interrupted,
    }
    signs = ", ".join(sign for sign, there in seen.items() if there)
    tell(f"  you said next: {one_line(turn.said_next) or 'nothing'}" + (f" ({signs})" if signs else ""))
    misread = _ask_label_question("Did it do something other than what you meant?")
    return HandLabel(turn.id, misread, due, drawn)


def _ask_label_question(question: str) -> Answer:
    while True:
        print(f"  {question} [y/n/u, q quits] ", end="", file=sys.stderr, flush=True)
        said = sys.stdin.readline()
        word = said.strip().casefold()[:1]
        if not said or word == "q":
            print(file=sys.stderr)
            raise EndedError
        if word in ANSWERS:
            return ANSWERS[word]


NICE = 10
WEEK_DAYS = 7


def label_before(transcript: str, place: Here) -> None:
    """Asks about the newest turn of the session that the user has spoken after; nothing where that was done, where
    nobody reads, or where the user did not turn it on. Raises CompassError and OSError."""
    os.nice(NICE)
    asking = hindsight.asking_of(place, AUTO) if place.loaded.settings.hindsight.live else None
    if asking is None:
        return
    here = argparse.Namespace(
        answers=[], since=None, project=None, host="", command="hindsight", engine=PROCESSES, jobs=1
    )
    turns = hindsight.gathered_turns(here, place, [transcript], EMBEDDED, lambda _: None, {})
    ended = [turn for turn in turns if turn.said_next][-1:]
    answers, asked = hindsight.Answers(place.folder, ()), hindsight.hindsight_questions(asking, ended)
    left = [one for one in asked if answers.reply(one[1].custom_id, asking.model) is None]
    if not left:
        return
    hindsight.ask_hindsight(asking, place, left, answers, lambda _: None)
    labels, _ = hindsight.labels_of(ended, asked, answers, asking.model)
    hindsight.keep_labels(place, labels.values(), hand_labels(place))
    note_week(place, time.time())


def note_week(place: Here, now: float) -> None:
    """What the status line shows of this project until the last label of it is a week old. Raises PayloadError."""
    week = [
        label
        for label in read_labels(os.path.join(place.folder, LABELS), TurnLabel)
        if label.at > now - WEEK_DAYS * DAY_SECONDS and label.tells
    ]
    if not week:
        return
    misread = [label for label in week if label.misread]
    told = f"misread {len(misread)} of {len(week)} turns in {WEEK_DAYS} days"
    if misread:
        told += f", {sum(label.held for label in misread)} held"
    until = max(label.at for label in week) + WEEK_DAYS * DAY_SECONDS
    with closing(open_store(place.state_dir, now=now).store) as store:
        store.set_note(MISREAD + place.project_dir, json.dumps({"until": until, "told": told}))

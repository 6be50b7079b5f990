"""`hindsight.live`: the turn before is labelled once the next prompt came, in a process that the service starts.

Answers and labels are kept where `compass hindsight` keeps them; the week's figure is noted for the status line.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from typing import TYPE_CHECKING

from calibration.hindsight.turns import TurnLabel, read_labels
from compass.engines import PROCESSES
from compass.measure.hand import hand_of
from compass.measure.hindsight import Answers, ask_all, asking_of, gathered, keep_labels, labels_of, questions
from compass.measure.run import LABELS
from evaluator.backends import AUTO, EMBEDDED
from evaluator.state.session_summary import MISREAD
from evaluator.state.store import open_store
from evaluator.text import DAY_SECONDS

if TYPE_CHECKING:
    from compass.measure.run import MeasuredProject

NICE = 10
WEEK_DAYS = 7


def label_before(transcript: str, place: MeasuredProject) -> None:
    """Asks about the newest turn of the session that the user has spoken after; nothing where that was done, where
    nobody reads, or where the user did not turn it on. Raises CompassError and OSError."""
    os.nice(NICE)
    asking = asking_of(place, AUTO) if place.loaded.settings.hindsight.live else None
    if asking is None:
        return
    here = argparse.Namespace(
        answers=[],
        gate=False,
        since=None,
        project=None,
        host="",
        command="hindsight",
        engine=PROCESSES,
        jobs=1,
    )
    turns, _ = gathered(here, place, [transcript], EMBEDDED, lambda _: None, {})
    ended = [turn for turn in turns if turn.said_next][-1:]
    answers, asked = Answers(place.folder, ()), questions(asking, ended)
    left = [one for one in asked if answers.reply(one[1].custom_id, asking.model) is None]
    if not left:
        return
    ask_all(asking, place, left, answers, lambda _: None)
    labels, _ = labels_of(ended, asked, answers, asking.model)
    keep_labels(place, labels.values(), hand_of(place))
    note_week(place, time.time())


def note_week(place: MeasuredProject, now: float) -> None:
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
    opened = open_store(place.state_dir, now=now)
    try:
        opened.store.set_note(MISREAD + place.project_dir, json.dumps({"until": until, "told": told}))
    finally:
        opened.store.close()

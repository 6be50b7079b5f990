"""A turn of a recorded session: a person's message, the writes up to the next one, and signs of what they thought.

Pure. Signs are a refusal at the client's own prompt, an interruption, "undo that", and a revert of the same files.
Of 126 real turns with writes that were refused or interrupted, people meant something else in 50: a refusal says so in
half, an interruption alone in one of eight. So refusals and what was taken back label a turn where no reader is asked.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeVar

Hindsight = Literal["intent", "quality", "fine", "unknown"]
Due = Literal["yes", "maybe", "no", "unknown"]
HINDSIGHTS: tuple[Hindsight, ...] = ("intent", "quality", "fine", "unknown")
Labeller = Literal["signs", "readers", "hand"]
Answer = Literal["y", "n", "u"]
"""Yes, no, unsure."""
DUES: tuple[Due, ...] = ("yes", "maybe", "no", "unknown")


@dataclass(frozen=True, slots=True)
class TurnWrite:
    """One write-class call. `line` is what it does, for a person. `held` when it was recorded; `holds` says whether the
    gate would hold it now, by `mean` where readers scored it; None for what nobody judged. `refusal`: what the person
    typed in refusing it."""

    call: str
    line: str
    act: str
    irreversible: bool
    refused: bool
    taken_back: bool
    held: bool
    holds: bool | None
    mean: float | None
    refusal: str = ""

    @property
    def regretted(self) -> bool:
        return self.refused or self.taken_back

    @property
    def stopped(self) -> bool:
        """Whether the gate stopped this write then, or would now."""
        return self.held or self.holds is True


@dataclass(slots=True)
class SessionTurn:
    """`at` in seconds since the epoch, as is `began`, the first turn of its session. `said_next` is the person's next
    message, empty at the end of a session. `needless`: they typed `compass: wrong` to what was held."""

    session: str
    project: str
    at: float
    request: str
    prior: str
    said_next: str
    interrupted: bool
    began: float = 0.0
    needless: bool = False
    writes: list[TurnWrite] = field(default_factory=list[TurnWrite])

    @property
    def id(self) -> str:
        said = f"{self.session}\0{self.at}\0{self.request}"
        return hashlib.sha256(said.encode(errors="surrogatepass")).hexdigest()[:24]

    @property
    def stopped(self) -> bool:
        return any(write.stopped for write in self.writes)


@dataclass(frozen=True, slots=True)
class TurnLabel:
    """`calls` did what was not wanted. `due`: whether a question was, judged blind to what came after. `by`: who
    said so. `at` is that of the turn, 0.0 in labels of older versions; `held`: the gate held one of its writes."""

    turn: str
    session: str
    hindsight: Hindsight
    due: Due
    calls: tuple[str, ...]
    writes: tuple[str, ...]
    by: Labeller
    why: str = ""
    at: float = 0.0
    held: bool = False

    @property
    def misread(self) -> bool:
        return self.hindsight == "intent"

    @property
    def tells(self) -> bool:
        """Whether it counts beside readers: signs tell that a turn was misread, never that it was not."""
        return self.hindsight != "unknown" and not (self.by == "signs" and self.misread)


def by_signs(turn: SessionTurn) -> TurnLabel:
    """A turn's label by what the person did next. `unknown` without a sign: that nobody complained is none. `compass:
    wrong` says that no question was due."""
    calls = tuple(write.call for write in turn.writes if write.regretted)
    needless = turn.needless and not calls
    return TurnLabel(
        turn.id, turn.session, "intent" if calls else "fine" if needless else "unknown",
        "no" if needless else "unknown", calls, tuple(write.call for write in turn.writes), "signs",
        "refused or undone" if calls else "you typed `compass: wrong`" if needless else "", turn.at,
        any(write.held for write in turn.writes),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class HandLabel:
    """What the user says of a turn: was it misread, was a question due. `drawn` by lot, else the user chose it."""

    turn: str
    misread: Answer
    due: Answer
    drawn: bool


def settled(label: TurnLabel, hand: HandLabel | None) -> TurnLabel:
    """The label, as the user's own word leaves it."""
    if hand is None:
        return label
    otherwise: Hindsight = "fine" if label.misread else label.hindsight
    hindsight: Mapping[Answer, Hindsight] = {"y": "intent", "n": otherwise, "u": "unknown"}
    due: Mapping[Answer, Due] = {"y": "yes", "n": "no", "u": "unknown"}
    found = hindsight[hand.misread]
    calls = label.calls if found == "intent" else ()
    return replace(label, hindsight=found, due=due[hand.due], calls=calls, by="hand")


Row = TypeVar("Row", TurnLabel, HandLabel)


def write_labels(path: str, labels: Iterable[Row], kind: type[Row]) -> str:
    """The text of a file of labels, as JSON lines: what was labelled before and is none of `labels` stays."""
    found = {label.turn: label for label in read_labels(path, kind)}
    found.update((label.turn, label) for label in labels)
    return "".join(json.dumps(asdict(label)) + "\n" for label in found.values())


def read_labels(path: str, kind: type[Row]) -> list[Row]:
    """The labels kept in a file, empty where there is none. Raises ValueError, naming the line, for a broken one."""
    from pydantic import TypeAdapter

    if not os.path.exists(path):
        return []
    adapter, found = TypeAdapter(kind), list[Row]()
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        try:
            found.append(adapter.validate_json(line))
        except ValueError:
            raise ValueError(f"{path}, line {number}: not a label from `compass hindsight`") from None
    return found

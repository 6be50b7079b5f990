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
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal, cast

Hindsight = Literal["intent", "quality", "fine", "unknown"]
Due = Literal["yes", "maybe", "no", "unknown"]
HINDSIGHTS: tuple[Hindsight, ...] = ("intent", "quality", "fine", "unknown")
Labeller = Literal["signs", "readers"]
DUES: tuple[Due, ...] = ("yes", "maybe", "no", "unknown")


@dataclass(frozen=True, slots=True)
class TurnWrite:
    """One write-class call. `line` is what it does, for a person. `held` when it was recorded; `holds` says whether the
    gate would hold it now, by `mean` where readers scored it; None for what nobody judged."""

    call: str
    line: str
    act: str
    irreversible: bool
    refused: bool
    taken_back: bool
    held: bool
    holds: bool | None
    mean: float | None

    @property
    def regretted(self) -> bool:
        return self.refused or self.taken_back

    @property
    def stopped(self) -> bool:
        """Whether the gate held it then, or would."""
        return self.held or self.holds is True


@dataclass(slots=True)
class Turn:
    """`at` in seconds since the epoch, as is `began`, the first turn of its session. `said_next` is the person's next
    message, empty at the end of a session."""

    session: str
    project: str
    at: float
    request: str
    prior: str
    said_next: str
    interrupted: bool
    began: float = 0.0
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
    said so."""

    turn: str
    session: str
    hindsight: Hindsight
    due: Due
    calls: tuple[str, ...]
    writes: tuple[str, ...]
    by: Labeller
    why: str = ""

    @property
    def misread(self) -> bool:
        return self.hindsight == "intent"


def by_signs(turn: Turn) -> TurnLabel:
    """`unknown` without a sign: that nobody complained is none."""
    calls = tuple(write.call for write in turn.writes if write.regretted)
    return TurnLabel(
        turn.id,
        turn.session,
        "intent" if calls else "unknown",
        "unknown",
        calls,
        tuple(write.call for write in turn.writes),
        "signs",
        "refused or taken back" if calls else "",
    )


def write_labels(path: str, labels: Iterable[TurnLabel]) -> str:
    """As JSON lines, the text of a file: what was labelled before and is none of `labels` stays."""
    found = {label.turn: label for label in read_labels(path)}
    found.update((label.turn, label) for label in labels)
    return "".join(json.dumps(asdict(label)) + "\n" for label in found.values())


def read_labels(path: str) -> list[TurnLabel]:
    """Empty where there is no such file. Raises ValueError, naming the line, for one that is broken."""
    if not os.path.exists(path):
        return []
    found: list[TurnLabel] = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = cast(Mapping[str, object], json.loads(line))
            hindsight, due, by = row["hindsight"], row["due"], row["by"]
            if hindsight not in HINDSIGHTS or due not in DUES or by not in ("signs", "readers"):
                raise ValueError(hindsight)  # noqa: TRY301 - as a missing field
            calls, writes = (
                tuple(str(one) for one in cast(list[object], row[name])) for name in ("calls", "writes")
            )
            turn, session, why = (str(row[name]) for name in ("turn", "session", "why"))
            found.append(
                TurnLabel(
                    turn,
                    session,
                    hindsight,
                    due,
                    calls,
                    writes,
                    by,
                    why,
                )
            )
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ValueError(f"{path}, line {number}: no label of `compass hindsight`") from None
    return found

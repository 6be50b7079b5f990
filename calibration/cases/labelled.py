"""A labelled case as calibration works on it: what is judged, its label, and what it is independent of. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from calibration.cases.subjects import Classify, effects_of, exchange_of, pending_of, word
from evaluator.model import Effects, Exchange, PendingWrite

Label = Literal["clear", "ambiguous"]
LABELS: tuple[Label, Label] = ("clear", "ambiguous")
UNDECIDED = ("disputed", "unclear", "unsure")
"""Labels of rows on which the people who labelled them did not agree: such rows are no cases."""


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """`unit` names what is independent of other cases, by `pair` and `session` of all cases that are collected
    (`calibration.cases.units`), and before that its own id; both are empty where the row has none.

    `generated` marks a case that was made from another by a rule. `eligible` None leaves it to the symbolic layer's
    own view of the prior turn whether a skip was due. `digest` is equal for the same question to a reader.
    """

    id: str
    unit: str
    pair: str
    session: str
    label: Label
    category: str
    source: str
    generated: bool
    eligible: bool | None
    pending: PendingWrite
    exchange: Exchange
    effects: Effects
    digest: str

    @property
    def ambiguous(self) -> bool:
        return self.label == "ambiguous"


def labelled(row: Mapping[str, object], classify: Classify, *, source: str, name: str) -> LabelledCase:
    """The case of one row; `name` stands in where the row has no id. Raises ValueError for what cannot be used."""
    label = _label(row.get("label"))
    if label is None:
        raise ValueError(f"label must be one of {', '.join(LABELS)}, not {_shown(row.get('label'))}")
    for key in (
        "prior_assistant_turn",
        "id",
        "pair",
        "session",
        "category",
        "tool_name",
        "file_path",
        "command",
    ):
        if row.get(key) is not None and not isinstance(row[key], (str, int)):
            raise ValueError(f"{key} must be a string, not {_shown(row[key])}")
    own = str(row.get("id") or "") or name
    eligible = row.get("eligible")
    return LabelledCase(
        id=own,
        unit=own,
        pair=str(row.get("pair") or ""),
        session=str(row.get("session") or ""),
        label=label,
        category=word(row, "category"),
        source=source,
        generated=row.get("generated") is True,
        eligible=eligible if isinstance(eligible, bool) else None,
        pending=pending_of({**row, "id": own}),
        exchange=exchange_of(row),
        effects=effects_of(row, classify),
        digest=_digest(row),
    )


def _label(value: object) -> Label | None:
    return "clear" if value == "clear" else "ambiguous" if value == "ambiguous" else None


def _digest(row: Mapping[str, object]) -> str:
    """Over all that is judged; id and label are none of it."""
    keys = (
        "prior_assistant_turn", "user_message", "tool_name", "file_path", "operation", "command", "content",
        "old_string", "new_string", "new_source", "edits", "exists",
    )  # fmt: skip
    said = json.dumps([row.get(key) for key in keys], sort_keys=True, default=str)
    return hashlib.sha256(said.encode()).hexdigest()


def _shown(value: object) -> str:
    return json.dumps(value, default=str)[:60]

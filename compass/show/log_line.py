"""A kept check: read back as the type that it was, whichever version kept it, and told in one line. Pure."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from compass.show.terminal import wrapped
from evaluator.backends import EMBEDDED
from evaluator.errors import StateError
from evaluator.model import Check, Reason
from evaluator.record import Record
from evaluator.state.checks import STORED_AS
from evaluator.state.history import KeptCheck
from evaluator.text import printable
from evaluator.trigger.exemptions import display_target

EMPTY: Mapping[object, object] = {str: "", int: 0, float: 0.0, bool: False, tuple: (), Literal: ""}

R = TypeVar("R", bound=Record)


def check_of(record: Mapping[str, object]) -> Check:
    """Fields that the record lacks are empty, and those that nobody knows are left out.

    Raises StateError, naming the check and the field, for a value of another type.
    """
    try:
        return _record(Check, record)
    except ValueError as error:
        raise StateError(f"check {record.get('check_id')} cannot be shown: {error}") from None


def _record(kind: type[R], value: object) -> R:
    stored, hints = cast(Mapping[str, object], _typed(dict, value)), _hints(kind)  # type: ignore[arg-type]  # A class is hashable.
    values: dict[str, object] = {}
    for name in kind.__match_args__:
        key = STORED_AS.get(name, name)
        try:
            if key in stored:
                values[name] = _typed_value(hints[name], stored[key])
            elif name not in kind.__dict__:
                values[name] = _empty(hints[name])
        except ValueError as error:
            raise ValueError(f"{key}: {error}") from None
    return kind(**values)


@cache
def _hints(kind: type[Record]) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _typed_value(kind: Any, value: object) -> object:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        (wanted,) = (one for one in inner if one is not type(None))
        return None if value is None else _typed_value(wanted, value)
    if origin is tuple:
        return tuple(_typed_value(inner[0], item) for item in cast(list[object], _typed(list, value)))
    if origin is Literal:
        return _typed(str, value)
    if origin is not None:
        return _typed(dict, value)
    if issubclass(kind, Record):
        return _record(kind, value)
    return float(cast(float, _typed((int, float), value))) if kind is float else _typed(kind, value)


def _empty(kind: Any) -> object:
    origin = cast(object, get_origin(kind) or kind)
    if origin in EMPTY:
        return EMPTY[origin]
    return _record(kind, {}) if isinstance(kind, type) and issubclass(kind, Record) else {}


def _typed(kind: type | tuple[type, ...], value: object) -> object:
    if not isinstance(value, kind):
        raise ValueError(f"not a value of {kind!r}, but {value!r}"[:120])  # noqa: TRY004 - a value of the store
    return value


LEAST_COLUMNS = 60
WHEN, VERDICT, TOOK, COST = 14, 7, 8, 8
TARGET_MAX = 60
"""A wide terminal leaves the rest to the reason."""
SAID_MAX = 200
NONE = "-"
WHY: Mapping[Reason, str] = {
    "skip_sentinel": "[compass:skip]",
    "skip_glob": "skip glob",
    "dir_plus_stem_cooldown": "judged just before",
    "turn_budget_exhausted": "turn's checks spent",
    "insufficient_context": "too little context",
    "reply_to_question_pattern": "you chose it",
    "sampler_error": "readers failed",
    "circuit_open": "readers are down",
    "evaluator_budget_exhausted": "day's budget spent",
    "not_write_class": "writes nothing",
    "disabled": "the gate is off",
    "self_protection": "changes Compass",
    "paused": "you paused Compass",
    "released": "you let it through",
    "cancelled": "you cancelled it",
    "denied_before": "held before",
    "covered": "covered by a check",
    "low_confidence": "unclear to readers",
    "disagreement": "readers disagree",
    "low_agreement": "read several ways",
    "confident": "readers agree",
}

BY_RULES: Mapping[Reason, str] = {
    "low_confidence": "forbidden, or not asked for",
    "insufficient_context": "not judged: no model reads here",
}
"""Where no model was asked."""


class LogLine(NamedTuple):
    """The cells of a line, each as text that is safe to show."""

    when: str
    verdict: str
    target: str
    why: str
    took: str
    cost: str


def verdict_of(check: Check) -> str:
    """What became of the call: `let run` is one that failed and ran, because the gate only observes."""
    if check.decision == "deny":
        return "held"
    return "let run" if check.verdict == "failed" else check.verdict


def why_of(check: Check) -> str:
    """In words; a reason of another version as it stands."""
    if check.backend == EMBEDDED and check.reason in BY_RULES:
        return BY_RULES[check.reason]
    return WHY.get(check.reason, printable(str(check.reason), TARGET_MAX))


def line_of(kept: KeptCheck) -> LogLine:
    """One line of `compass log`. Raises StateError for a record that is none."""
    check = check_of(kept.record)
    targets = check.effects.targets if check.effects is not None else ()
    return LogLine(
        time.strftime("%m-%d %H:%M:%S", time.localtime(kept.at)),
        printable(verdict_of(check), VERDICT),
        printable(display_target(check.pending, targets)),
        printable(why_of(check)),
        took_of(kept.duration_ms),
        cost_of(kept.cost_usd),
    )


def words_of(check: Check) -> tuple[str, str, str]:
    """(what was typed, what was shown of it, what the call would have done), each in a line; empty where it is not
    kept. Of a change the lines are counted: its text is kept nowhere. What could be typed then is left out."""
    request = check.exchange.request if check.exchange is not None else ()
    evidence, effects = check.evidence, check.effects
    does = effects.command if effects is not None else ""
    if not does and evidence is not None and evidence.added is not None:
        does = f"{evidence.added} lines added, {evidence.removed or 0} removed"
    parts = (request[-1] if request else "", shown_of(check) or check.detail, does)
    said, shown, does = (" ".join(part.split()) for part in parts)
    return said, shown, does


def shown_of(check: Check) -> str:
    """What the person was shown, but for the line that says what to type."""
    return "\n".join(line for line in check.told.splitlines() if "compass:" not in line)


def said_of(kept: KeptCheck, columns: int) -> list[str]:
    """The words of a held call, in lines below its own."""
    said, shown, does = words_of(check_of(kept.record))
    said = f'you said: "{printable(said, SAID_MAX)}"' if said else ""
    parts = (said, printable(shown), printable(does, SAID_MAX))
    return [line for text in parts if text for line in wrapped(f"    {text}", columns)]


def took_of(milliseconds: int | None) -> str:
    if milliseconds is None:
        return NONE
    return f"{milliseconds} ms" if milliseconds < 10_000 else f"{milliseconds / 1000:.1f} s"


def cost_of(usd: float | None) -> str:
    if usd is None:
        return NONE
    return "$0" if usd == 0 else f"${usd:.4f}" if usd < 10 else f"${usd:.2f}"


NARROWEST = WHEN + VERDICT + 3
"""Cells of a line whose target is one mark: no terminal makes it shorter."""


def fitted(line: LogLine, columns: int) -> list[str]:
    """The cells, padded and cut so that one blank between them fills at most `columns` of a terminal; of a narrow one
    the first three."""
    if columns < LEAST_COLUMNS:
        left = max(1, columns - (WHEN + VERDICT + 2))
        return [cut(line.when, WHEN), cut(line.verdict, VERDICT), cut(line.target, left, keep_end=True)]
    room = columns - (WHEN + VERDICT + TOOK + COST + 5)
    target = min(TARGET_MAX, room // 2)
    why = room - target
    return [
        cut(line.when, WHEN),
        cut(line.verdict, VERDICT),
        cut(line.target, target, keep_end=True),
        cut(line.why, why),
        cut(line.took, TOOK, right=True),
        cut(line.cost, COST, right=True),
    ]


def cut(text: str, cells: int, *, keep_end: bool = False, right: bool = False) -> str:
    """`text` in exactly that many cells of a terminal; what does not fit is marked."""
    from rich.cells import cell_len, set_cell_size

    size = cell_len(text)
    if size > cells:
        text = "…" + _last(text, cells - 1) if keep_end else set_cell_size(text, cells - 1).rstrip() + "…"
        size = cell_len(text)
    blanks = " " * max(0, cells - size)
    return blanks + text if right else text + blanks


def _last(text: str, cells: int) -> str:
    from rich.cells import cell_len

    start = len(text)
    while start and cell_len(text[start - 1 :]) <= cells:
        start -= 1
    return text[start:]


def document(kept: KeptCheck) -> dict[str, object]:
    """One check as scripts are given it; null where nothing is known."""
    check = check_of(kept.record)
    return {
        "check_id": check.check_id,
        "at": kept.at,
        "session_id": check.pending.session_id,
        "project_dir": check.pending.project_dir,
        "tool_name": check.pending.tool_name,
        "targets": list(check.effects.targets) if check.effects is not None else [],
        "verdict": check.verdict,
        "decision": check.decision,
        "reason": check.reason,
        "mode": check.mode,
        "backend": check.backend,
        "model": check.model,
        "duration_ms": kept.duration_ms,
        "cost_usd": kept.cost_usd,
    }

"""A kept check in one line: when, verdict, target, why, milliseconds, cost. Pure: the width comes in."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

from compass.show.stored import check_of
from compass.show.wrapping import wrapped
from evaluator.backends import EMBEDDED
from evaluator.model import Check, Reason
from evaluator.state.history import KeptCheck
from evaluator.terminal import printable
from evaluator.trigger.rules import display_target

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
    "low_confidence": "forbidden, or not ordered",
    "insufficient_context": "not judged: no model reads here",
}
"""Where no model was asked."""


class Line(NamedTuple):
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


def line_of(kept: KeptCheck) -> Line:
    """Raises StateError for a record that is none."""
    check = check_of(kept.record)
    targets = check.effects.targets if check.effects is not None else ()
    return Line(
        time.strftime("%m-%d %H:%M:%S", time.localtime(kept.at)),
        printable(verdict_of(check), VERDICT),
        printable(display_target(check.pending, targets)),
        printable(why_of(check)),
        took_of(kept.duration_ms),
        cost_of(kept.cost_usd),
    )


def said_of(kept: KeptCheck, columns: int) -> list[str]:
    """The words that a held call was judged by, and why it was held, in lines below its own."""
    check = check_of(kept.record)
    request = check.exchange.request if check.exchange is not None else ()
    said = f'you said: "{printable(" ".join(request[-1].split()), SAID_MAX)}"' if request else ""
    why = " ".join(printable(line) for line in check.detail.splitlines())
    return [line for text in (said, why) if text for line in wrapped(f"    {text}", columns)]


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


def fitted(line: Line, columns: int) -> list[str]:
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

"""A kept check: read back as the type that it was, whichever version kept it, and told in one line. Pure."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from compass.show.terminal import wrapped
from evaluator.errors import StateError
from evaluator.model import EMBEDDED, Check, Reason
from evaluator.record import decoded
from evaluator.state.history import KeptCheck
from evaluator.text import printable
from evaluator.trigger.calls import display_target

if TYPE_CHECKING:
    from rich.table import Table


def check_of(record: Mapping[str, object]) -> Check:
    """The check that was kept. Raises StateError, naming it, for a record that is none."""
    # The tool's own input is never kept.
    pending: dict[str, object] = {
        "tool_input": {},
        **cast("Mapping[str, object]", record.get("pending") or {}),
    }
    try:
        return decoded(Check, {**record, "effects": record.get("effect"), "pending": pending})
    except (TypeError, ValueError) as error:
        raise StateError(f"check {record.get('check_id')} cannot be shown: {error}") from None


def target_of(check: Check) -> str:
    """What its call would change, as people are shown it."""
    return display_target(check.pending, check.effects.targets if check.effects is not None else ())


TARGET_MAX = 60
SAID_MAX = 200
NONE = "-"
STYLES = {"held": "red", "let run": "yellow", "passed": "green", "skipped": "dim"}
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
    "insufficient_context": "not judged: no model is in use here",
}
"""Where no model was asked."""


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


def table_of(found: Sequence[KeptCheck]) -> Table:
    """A line a check, each as wide as the terminal: when, what became of it, target, why, how long, cost."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1))
    for number in range(6):
        table.add_column(justify="right" if number > 3 else "left", no_wrap=number not in (2, 3))
    for kept in found:
        when = time.strftime("%m-%d %H:%M:%S", time.localtime(kept.at))
        try:
            check = check_of(kept.record)
        except StateError as error:
            table.add_row(when, "", Text(printable(str(error)), no_wrap=True, overflow="ellipsis"))
            continue
        verdict = verdict_of(check)
        target = target_of(check)
        table.add_row(
            when,
            Text(printable(verdict), STYLES.get(verdict, "")),
            Text(printable(target), no_wrap=True, overflow="ellipsis"),
            Text(printable(why_of(check)), no_wrap=True, overflow="ellipsis"),
            took_of(kept.duration_ms),
            cost_of(kept.cost_usd),
        )
    return table


def words_of(check: Check) -> tuple[str, str, str]:
    """(what was typed, what was shown of it in its lines, what the call would have done), empty where it is not kept.
    Of a change the lines are counted: its text is kept nowhere. What could be typed then is left out."""
    request = check.exchange.request if check.exchange is not None else ()
    evidence, effects = check.evidence, check.effects
    does = effects.command if effects is not None else ""
    if not does and evidence is not None and evidence.added is not None:
        does = f"{evidence.added} lines added, {evidence.removed or 0} removed"
    said, does = (" ".join(part.split()) for part in (request[-1] if request else "", does))
    return said, shown_of(check) or check.detail, does


def shown_of(check: Check) -> str:
    """What the person was shown, but for the line that says what to type."""
    return "\n".join(line for line in check.told.splitlines() if "compass:" not in line)


def said_of(kept: KeptCheck, columns: int) -> list[str]:
    """The words of a held call, in lines below its own."""
    said, shown, does = words_of(check_of(kept.record))
    said = f'you said: "{printable(said, SAID_MAX)}"' if said else ""
    parts = (said, *map(printable, shown.splitlines()), printable(does, SAID_MAX))
    return [line for text in parts if text for line in wrapped(f"    {text}", columns)]


def took_of(milliseconds: int | None) -> str:
    if milliseconds is None:
        return NONE
    return f"{milliseconds} ms" if milliseconds < 10_000 else f"{milliseconds / 1000:.1f} s"


def cost_of(usd: float | None) -> str:
    if usd is None:
        return NONE
    return "$0" if usd == 0 else f"${usd:.4f}" if usd < 10 else f"${usd:.2f}"


def line_document(kept: KeptCheck) -> dict[str, object]:
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

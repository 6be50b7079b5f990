"""Whether a check is worth a paid reader: the turn's count and the least context to judge by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.model import Evidence, Exchange, Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluator.settings.keys import Settings


def context_chars(evidence: Evidence) -> int:
    """Characters of the sanitized exchange, target, operation and command."""
    parts = (
        evidence.current_request,
        evidence.prior_assistant_turn,
        evidence.resolved_option,
        evidence.plan,
        evidence.delegated_task,
        *evidence.targets,
        evidence.operation,
        evidence.command,
    )
    return sum(map(len, parts))


def day_is_spent(settings: Settings, usd: Callable[[], float], samples: Callable[[], int]) -> bool:
    """Whether hosted readers may take nothing more on a day on which they took so much; asked only where it counts."""
    dollars, calls = settings.evaluator.daily_budget_usd, settings.evaluator.daily_calls
    return (dollars is not None and usd() >= dollars) or (calls is not None and samples() >= calls)


def short_context(
    evidence: Evidence, exchange: Exchange, min_context_chars: int, *, first_of_turn: bool
) -> Reason | None:
    """`insufficient_context` without any request, or past the first check with too little to go by."""
    if not any(message.strip() for message in exchange.request) and not exchange.delegated_task.strip():
        return "insufficient_context"
    if first_of_turn or context_chars(evidence) >= min_context_chars:
        return None
    return "insufficient_context"

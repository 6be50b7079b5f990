"""Whether a check is worth a paid reader: the turn's count and the least context to judge by."""

from __future__ import annotations

from evaluator.model import Evidence, Exchange, Reason


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


def short_context(
    evidence: Evidence, exchange: Exchange, min_context_chars: int, *, first_of_turn: bool
) -> Reason | None:
    """`insufficient_context` without any request, or past the first check with too little to go by."""
    if not any(message.strip() for message in exchange.request) and not exchange.delegated_task.strip():
        return "insufficient_context"
    if first_of_turn or context_chars(evidence) >= min_context_chars:
        return None
    return "insufficient_context"

"""What it means that a setting gets looser, in one sentence. Pure."""

from __future__ import annotations

from evaluator.configuration.settings import Key
from evaluator.configuration.values import is_tighter

LOOSER: dict[str, str] = {
    "enabled": "nothing is judged or held any more",
    "mode": "writes are judged and recorded, and none is held",
    "error_policy": "a write may run although no reader could judge it",
    "confidence_threshold": "writes pass of which the readers are less sure",
    "stddev_threshold": "writes pass on which the readers disagree more",
    "max_checks_per_turn": "fewer writes of a long turn are read by the readers",
    "on_exhausted": "past a turn's budget writes are judged by less, or by nobody",
    "on_short_context": "a write with little text before it is judged by less, or by nobody",
    "include_file_contents": "what would be written leaves this machine, up to 4,000 characters a write",
    "data_egress.include_file_contents": (
        "what would be written leaves this machine, up to 4,000 characters a write"
    ),
    "skip_globs": "writes of more files are never judged",
    "store_evidence": "exchange and evidence are kept in your private record",
    "evaluator.n": "fewer readers are asked, so a single one weighs more",
    "convergence.rule": "what certified cuts hold, or readers who read differently, may run",
    "convergence.agreement_threshold": "fewer readers have to share a reading",
    "cooldown.seconds": "a file that was just written is left unjudged for longer",
    "coverage.max_calls": "one passed check lets more writes of its folder run",
    "skip_patterns.reply_to_question.enabled": "an answer to the agent's question is a reason not to judge",
    "skip_sentinel.trust_tool_input": "the agent itself can skip the check by `[compass:skip]`",
    "circuit_breaker.open_behavior": "while the readers are down writes are judged by less, or by nobody",
    "sanitization.strip_null_bytes": "NUL characters may reach the readers",
    "sanitization.redact_secrets": "secrets in the exchange may leave this machine",
    "intervention.recheck_limit": "a held write is judged again more often",
    "intervention.headless": "where nobody can answer, a held write is refused less firmly, or runs",
    "memory.enabled": "what you settled once counts again, and is shown to readers of later requests",
    "memory.days": "what you settled once counts for longer",
    "bash.read_only": "more commands are taken as reading, and never judged",
    "bash.write": "fewer commands are taken as writing",
    "bash.ignore": "more commands are never judged",
}

LEAVES: dict[str, tuple[object, str]] = {
    "memory.share": (
        True,
        "Hosted readers are shown what you settled before, where a request bears on it: your own words, sanitized.",
    ),
    "evidence.symbols": (
        True,
        "Hosted readers are sent the names that a write touches and how many lines it adds and removes, not its text.",
    ),
    "evidence.lookups": (
        "targets",
        "Hosted readers are sent lines that name a write's target, of what the agent read in its turn: single lines of "
        "files among them, at most 600 characters a check, secrets redacted.",
    ),
    "evidence.history": (
        True,
        "Hosted readers are sent your earlier messages of the session, each with the end of what the assistant then "
        "said, at most 2,400 characters a check, and the calls of the turn so far, by tool and command or target.",
    ),
    "evaluator.plain_http": (
        True,
        "A key may go to another machine by plain http, where others on its way can read it.",
    ),
}
"""Of keys without a direction: from which value on more leaves the machine, and what."""


def loosens(key: Key, before: object, after: object) -> bool:
    """Whether the gate holds less after the change; false for a key without a direction."""
    return key.tighter is not None and before != after and not is_tighter(key, before, after)


def leaves(key: Key, before: object, after: object) -> str:
    """What leaves from now on that did not before; empty for nothing."""
    value, told = LEAVES.get(key.path, (None, ""))
    return told if before != after == value else ""


def looser(key: Key) -> str:
    return LOOSER.get(key.path, "it holds less than before")

"""What a measurement will take before anything is sent: calls, tokens, a price, and what leaves the machine. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evaluator.egress.prompt import ANSWER_TOKENS, SCHEMA, build
from evaluator.model import Evidence
from evaluator.readers.response import Price

CHARS_PER_TOKEN: Final = 3.6
WIDE_TOKENS_PER_CHAR: Final = 0.9
"""A rough count: English prose has about four characters a token, code fewer, other scripts near one."""
USUAL_ANSWER_TOKENS: Final = 160

FIELDS = (
    ("tool_name", "the tool's name"),
    ("targets", "target paths, relative to the project"),
    ("operation", "the kind of operation, and its size in lines"),
    ("command", "shell commands without heredoc bodies and inline code"),
    ("current_request", "excerpts of the request"),
    ("prior_assistant_turn", "excerpts of what the assistant said before it"),
    ("delegated_task", "excerpts of a subagent's task"),
    ("resolved_option", "options that a reply selects"),
    ("plan", "excerpts of an approved plan"),
    ("earlier_messages", "excerpts of earlier messages of the session"),
    ("turn_so_far", "calls of the turn so far, by tool and command or target"),
    ("symbols", "identifiers that the change touches"),
    ("looked_up", "lines that name a target, from what the agent looked up"),
    ("contents", "both ends of the text to be written"),
)


@dataclass(frozen=True, slots=True)
class MeasureScope:
    """What is to be measured, by whom. `kept` checks are there already; `most_tokens` an answer may have.

    `price` is None where nobody knows what the model costs. `short`: the words for small models.
    """

    backend: str
    model: str
    address: str
    cases: int
    repeats: int
    n: int
    kept: int
    most_tokens: int
    price: Price | None
    short: bool = False


def plan_lines(scope: MeasureScope, evidences: Sequence[Evidence]) -> list[str]:
    """What a measurement will take, for a person who is to agree. `evidences` has one entry for each check that is
    still to be made."""
    calls = len(evidences) * scope.n
    tokens = scope.n * sum(_prompt_tokens(evidence, short=scope.short) for evidence in evidences)
    usual, most = calls * USUAL_ANSWER_TOKENS, calls * max(scope.most_tokens, ANSWER_TOKENS)
    kept = f" ({scope.kept} checks are kept from an interrupted run)" if scope.kept else ""
    checks = f"{scope.cases} cases, {scope.repeats} {'time' if scope.repeats == 1 else 'times'} each"
    leaves = [said for name, said in FIELDS if any(getattr(evidence, name) for evidence in evidences)]
    lines = [
        f"Measures {checks}, with {scope.n} readers of {scope.backend} {scope.model}".rstrip() + kept + ".",
        f"Calls to make: {calls}, with about {tokens:,} input and {usual:,} output tokens.",
        f"Cost: {_cost(scope, tokens, usual, most)}",
        f"Sent to {scope.address}:",
        *(f"  - {name}" for name in (*leaves, "a digest of the case's id")),
    ]
    if not any(evidence.contents for evidence in evidences):
        lines.append("  File contents stay here.")
    return lines


def _prompt_tokens(evidence: Evidence, *, short: bool) -> int:
    prompt = build(evidence, "0", short=short)
    schema = len(str(dict(SCHEMA))) / CHARS_PER_TOKEN
    return round(schema + _tokens(prompt.system) + _tokens(prompt.user))


def _tokens(text: str) -> float:
    narrow = sum(char.isascii() for char in text)
    return narrow / CHARS_PER_TOKEN + (len(text) - narrow) * WIDE_TOKENS_PER_CHAR


def _cost(scope: MeasureScope, tokens: int, usual: int, most: int) -> str:
    """By list prices: as expected, and if every answer is as long as allowed."""
    if scope.price is None:
        return f"not known: {scope.model or scope.backend} is not in any price list."
    expected, highest = (
        (tokens * scope.price.input + answers * scope.price.output) / 1e6 for answers in (usual, most)
    )
    own = "A server of your own may differ."
    return f"about {expected:.2f} USD, at most {highest:.2f}, at list prices. {own}"

"""What a measurement will take before anything is sent: calls, tokens, a price, and what leaves the machine. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
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
class CostPlan:
    """`checks` are still to be made, `kept` are there from an interrupted run. `calls` are requests to readers.

    `usd` is the expected price, `usd_most` what it takes if every answer is as long as allowed; None where the
    model is in no price list. `leaves` names what is sent, each for at least one case.
    """

    backend: str
    model: str
    address: str
    cases: int
    repeats: int
    n: int
    checks: int
    kept: int
    calls: int
    input_tokens: int
    output_tokens: int
    usd: float | None
    usd_most: float | None
    leaves: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        return {**asdict(self), "leaves": list(self.leaves)}


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


def plan_of(evidences: Sequence[Evidence], scope: MeasureScope) -> CostPlan:
    """What a measurement will take: calls, tokens, a price. `evidences` has one entry for each check that is still to
    be made."""
    n = scope.n
    calls = len(evidences) * n
    system = len(str(dict(SCHEMA))) / CHARS_PER_TOKEN
    sizes: dict[Evidence, int] = {}
    tokens = 0
    for evidence in evidences:
        if evidence not in sizes:
            prompt = build(evidence, "0", short=scope.short)
            sizes[evidence] = round(system + _tokens(prompt.system) + _tokens(prompt.user))
        tokens += n * sizes[evidence]
    usual, most = calls * USUAL_ANSWER_TOKENS, calls * max(scope.most_tokens, ANSWER_TOKENS)
    return CostPlan(
        backend=scope.backend,
        model=scope.model,
        address=scope.address,
        cases=scope.cases,
        repeats=scope.repeats,
        n=n,
        checks=len(evidences),
        kept=scope.kept,
        calls=calls,
        input_tokens=tokens,
        output_tokens=usual,
        usd=_usd(scope.price, tokens, usual),
        usd_most=_usd(scope.price, tokens, most),
        leaves=_leaves(evidences),
    )


def _tokens(text: str) -> float:
    narrow = sum(char.isascii() for char in text)
    return narrow / CHARS_PER_TOKEN + (len(text) - narrow) * WIDE_TOKENS_PER_CHAR


def _usd(price: Price | None, tokens: int, answers: int) -> float | None:
    return None if price is None else (tokens * price.input + answers * price.output) / 1e6


def _leaves(evidences: Iterable[Evidence]) -> tuple[str, ...]:
    seen: set[str] = set()
    for evidence in evidences:
        seen.update(name for name, _ in FIELDS if getattr(evidence, name))
    return tuple(said for name, said in FIELDS if name in seen)

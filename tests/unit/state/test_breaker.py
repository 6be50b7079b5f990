"""The breaker as SPEC section 7 tells it: states, rules, and what counts as a failure."""

from __future__ import annotations

from corpora import corpus

from evaluator.breaker import (
    PROBE_MARGIN_SECONDS,
    Admission,
    BreakerRules,
    BreakerState,
    Closed,
    EvaluationOutcome,
    HalfOpen,
    Open,
    ask_breaker,
    breaker_key,
    breaker_rules,
    evaluation_outcome,
    report_outcome,
)
from evaluator.errors import ReaderError
from evaluator.model import Sample
from evaluator.readers.kinds.kind import kind_of
from evaluator.settings.keys import Settings, build

NOW = 1_735_732_800.0
RULES = BreakerRules(consecutive_failures_to_open=3, open_duration_seconds=300.0, probe_lease_seconds=30.0)
HELD, FREE = HalfOpen("holder", NOW), HalfOpen(None, NOW)
OUTCOMES: tuple[EvaluationOutcome, ...] = ("failure", "success", "neutral")
VALID = Sample("r", score=0.9, primary_concern="none")


@corpus(
    ("state", "later", "then", "answer"),
    [
        (Closed(2), 0, Closed(2), Admission("closed")),
        (Open(NOW), 300, HalfOpen("t", NOW + 300), Admission("probe", "t")),
        (HELD, 1, HELD, Admission("open", until=NOW + 30)),
        (HELD, 29.9, HELD, Admission("open", until=NOW + 30)),
        # One whose lease ran out is dead.
        (HELD, 30, HalfOpen("t", NOW + 30), Admission("probe", "t")),
        (FREE, 2, HalfOpen("t", NOW + 2), Admission("probe", "t")),
    ],
)
def test_who_asks_is_answered_by_the_state(
    state: BreakerState, later: float, then: BreakerState, answer: Admission
) -> None:
    assert ask_breaker(state, "t", NOW + later, RULES) == (then, answer)


@corpus(
    ("state", "outcome", "token", "later", "then"),
    [
        # Of a probe that somebody else closed it after.
        *((Closed(2), outcome, "stale", 0, Closed(2)) for outcome in OUTCOMES),
        # Of evaluations that began before it opened.
        *((Open(NOW), outcome, token, 5, Open(NOW)) for outcome in OUTCOMES for token in (None, "stale")),
        (HELD, "success", "holder", 2, Closed()),
        (HELD, "failure", "holder", 2, Open(NOW + 2)),
        (HELD, "neutral", "holder", 2, FREE),
        # Only the prober decides.
        *((HELD, outcome, token, 0, HELD) for outcome in OUTCOMES for token in (None, "other")),
        *((FREE, outcome, token, 0, FREE) for outcome in OUTCOMES for token in (None, "other")),
        # The late word of one whose lease ran out counts while nobody took its place.
        (HELD, "success", "holder", 500, Closed()),
        (HalfOpen("b", NOW), "failure", "holder", 500, HalfOpen("b", NOW)),
    ],
)
def test_a_report_counts_for_the_state_that_admitted_it(
    state: BreakerState, outcome: EvaluationOutcome, token: str | None, later: float, then: BreakerState
) -> None:
    assert report_outcome(state, outcome, token, NOW + later, RULES) == then


# What counts


@corpus(
    ("valid", "errors", "outcome"),
    [
        *((0, [f"{kind}: x"] * 5, "failure")
          for kind in ("transport", "timeout", "rate", "limit", "authentication", "server")),
        (0, [str(ReaderError("rate", "invalid: 429"))], "failure"),
        # Answers that are merely invalid or refused never open it, whatever they say.
        *((0, [f"{kind}: transport: timeout"] * 5, "neutral")
          for kind in ("invalid", "refused", "cancelled", "never heard of", "")),
        # Enough valid samples are a success whatever befell the others.
        (3, ["timeout: x", "transport: x"], "success"),
        (2, ["timeout: x", "transport: x", "rate: x"], "failure"),
        # A mixed evaluation fails only where the line was the main cause.
        (2, ["timeout: x", "invalid: x"], "neutral"),
        (0, ["timeout: x", "timeout: x", "invalid: x", "cancelled: x"], "failure"),
        (0, ["timeout: x", "invalid: x", "refused: x"], "neutral"),
        (0, [], "neutral"),
    ],
)  # fmt: skip
def test_an_evaluation_counts_by_what_befell_its_samples(
    valid: int, errors: list[str], outcome: EvaluationOutcome
) -> None:
    samples = [VALID] * valid + [Sample("r", error=error) for error in errors]
    assert evaluation_outcome(samples, 3) == outcome


# Rules and keys


def test_the_rules_are_those_of_the_settings() -> None:
    assert breaker_rules(Settings()) == BreakerRules(3, 300.0, 20.0 + PROBE_MARGIN_SECONDS)


def test_a_breaker_belongs_to_one_backend_address_and_model() -> None:
    keys = {
        breaker_key("a", "b", "c"), breaker_key("x", "b", "c"), breaker_key("a", "x", "c"), breaker_key("a", "b", "x"),
        breaker_key("a", 'b", "c', ""),
    }  # fmt: skip
    assert len(keys) == 5


def test_a_key_holds_no_secret() -> None:
    key = breaker_key("anthropic", "https://me:secret@host:8/v1/?key=secret#secret", "m")
    assert "secret" not in key
    assert "https://host:8/v1" in key


def test_the_address_is_the_one_that_the_backend_will_ask() -> None:
    env = {"ANTHROPIC_BASE_URL": "http://env"}
    chosen = build({"evaluator.base_url": "http://chosen"})
    hosted, nested = kind_of("anthropic"), kind_of("claude-cli")
    assert hosted.address(chosen, env) == "http://chosen"
    assert hosted.address(Settings(), env) == "http://env"
    assert nested.address(chosen, env) == "claude"

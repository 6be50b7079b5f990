"""The breaker as SPEC section 7 tells it: states, rules, and what counts as a failure."""

from __future__ import annotations

from corpora import corpus

from evaluator.breaker import (
    PROBE_MARGIN_SECONDS,
    Admission,
    AdmissionAsked,
    BreakerEffect,
    BreakerEvent,
    BreakerRules,
    BreakerState,
    Closed,
    EvaluationOutcome,
    HalfOpen,
    Open,
    ProbeLapsed,
    Reported,
    Transition,
    key_of,
    outcome_of,
    rules_of,
    step,
)
from evaluator.errors import ReaderError
from evaluator.model import Sample
from evaluator.readers.kinds.kind import kind_of
from evaluator.settings.keys import Settings, build

NOW = 1_735_732_800.0
RULES = BreakerRules(consecutive_failures_to_open=3, open_duration_seconds=300.0, probe_lease_seconds=30.0)
HELD, FREE = HalfOpen("t", NOW), HalfOpen(None, NOW)
OUTCOMES: tuple[EvaluationOutcome, ...] = ("failure", "success", "neutral")
VALID = Sample("r", score=0.9, primary_concern="none")


@corpus(
    ("state", "event", "later", "then", "told"),
    [
        (Closed(2), AdmissionAsked("t"), 0, Closed(2), (Admission("closed"),)),
        # Of a probe that somebody else closed it after.
        *((Closed(2), Reported(outcome, "stale"), 0, Closed(2), ()) for outcome in OUTCOMES),
        # Of evaluations that began before it opened.
        *((Open(NOW), Reported(outcome, token), 5, Open(NOW), ()) for outcome in OUTCOMES for token in (None, "stale")),
        (
            Open(NOW), AdmissionAsked("a"), 300,
            HalfOpen("a", NOW + 300), (Transition("half-open"), Admission("probe", "a")),
        ),
        (HELD, AdmissionAsked("b"), 1, HELD, (Admission("open", until=NOW + 30),)),
        (HELD, Reported("success", "t"), 2, Closed(), (Transition("closed"),)),
        (HELD, Reported("failure", "t"), 2, Open(NOW + 2), (Transition("open"),)),
        (HELD, Reported("neutral", "t"), 2, FREE, ()),
        (FREE, AdmissionAsked("next"), 2, HalfOpen("next", NOW + 2), (Admission("probe", "next"),)),
        # Only the prober decides.
        *((HELD, Reported(outcome, token), 0, HELD, ()) for outcome in OUTCOMES for token in (None, "other")),
        *((FREE, Reported(outcome, token), 0, FREE, ()) for outcome in OUTCOMES for token in (None, "other")),
        # One whose lease ran out is dead, and its late word counts while nobody took its place.
        (HELD, ProbeLapsed(), 29.9, HELD, ()),
        (HELD, ProbeLapsed(), 30, FREE, ()),
        (HELD, AdmissionAsked("b"), 30, HalfOpen("b", NOW + 30), (Admission("probe", "b"),)),
        (HELD, Reported("success", "t"), 500, Closed(), (Transition("closed"),)),
        (HalfOpen("b", NOW), Reported("failure", "t"), 500, HalfOpen("b", NOW), ()),
        *((state, ProbeLapsed(), 9999, state, ()) for state in (Closed(2), Open(NOW), FREE)),
    ],
)  # fmt: skip
def test_each_event_leads_from_state_to_state(
    state: BreakerState,
    event: BreakerEvent,
    later: float,
    then: BreakerState,
    told: tuple[BreakerEffect, ...],
) -> None:
    assert step(state, event, NOW + later, RULES) == (then, told)


# What counts


def failed(*errors: str, valid: int = 0) -> list[Sample]:
    return [VALID] * valid + [Sample("r", error=error) for error in errors]


@corpus("kind", ["transport", "timeout", "rate", "limit", "authentication", "server"])
def test_faults_of_the_line_are_failures(kind: str) -> None:
    assert outcome_of(failed(*[f"{kind}: x"] * 5), 3) == "failure"


@corpus("kind", ["invalid", "refused", "cancelled", "never heard of", ""])
def test_answers_that_are_merely_invalid_or_refused_are_not(kind: str) -> None:
    assert outcome_of(failed(*[f"{kind}: transport: timeout"] * 5), 3) == "neutral"


def test_the_kind_is_the_one_that_a_reader_error_writes() -> None:
    assert outcome_of(failed(str(ReaderError("rate", "invalid: 429"))), 1) == "failure"


def test_enough_valid_samples_are_a_success_whatever_befell_the_others() -> None:
    assert outcome_of(failed("timeout: x", "transport: x", valid=3), 3) == "success"
    assert outcome_of(failed("timeout: x", "transport: x", "rate: x", valid=2), 3) == "failure"


def test_a_mixed_evaluation_fails_only_where_the_line_was_the_main_cause() -> None:
    assert outcome_of(failed("timeout: x", "invalid: x", valid=2), 3) == "neutral"
    assert outcome_of(failed("timeout: x", "timeout: x", "invalid: x", "cancelled: x"), 3) == "failure"
    assert outcome_of(failed("timeout: x", "invalid: x", "refused: x"), 3) == "neutral"


def test_an_evaluation_without_samples_says_nothing() -> None:
    assert outcome_of([], 0) == "neutral"


# Rules and keys


def test_the_rules_are_those_of_the_settings() -> None:
    assert rules_of(Settings()) == BreakerRules(3, 300.0, 20.0 + PROBE_MARGIN_SECONDS)


def test_a_breaker_belongs_to_one_backend_address_and_model() -> None:
    keys = {
        key_of("a", "b", "c"), key_of("x", "b", "c"), key_of("a", "x", "c"), key_of("a", "b", "x"),
        key_of("a", 'b", "c', ""),
    }  # fmt: skip
    assert len(keys) == 5


def test_a_key_holds_no_secret() -> None:
    key = key_of("anthropic", "https://me:secret@host:8/v1/?key=secret#secret", "m")
    assert "secret" not in key
    assert "https://host:8/v1" in key


def test_the_address_is_the_one_that_the_backend_will_ask() -> None:
    env = {"ANTHROPIC_BASE_URL": "http://env"}
    chosen = build({"evaluator.base_url": "http://chosen"})
    hosted, nested = kind_of("anthropic"), kind_of("claude-cli")
    assert hosted.address(chosen, env) == "http://chosen"
    assert hosted.address(Settings(), env) == "http://env"
    assert nested.address(chosen, env) == "claude"

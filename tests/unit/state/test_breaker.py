"""The breaker as SPEC section 7 tells it: states, rules, and what counts as a failure."""

from __future__ import annotations

from dataclasses import replace

import pytest
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
FAILED, SUCCEEDED, NEUTRAL = Reported("failure"), Reported("success"), Reported("neutral")
VALID = Sample("r", score=0.9, primary_concern="none")


def after(state: BreakerState, *events: BreakerEvent, at: float = NOW) -> BreakerState:
    for event in events:
        state, _ = step(state, event, at, RULES)
    return state


def effects(state: BreakerState, event: BreakerEvent, at: float = NOW) -> tuple[BreakerEffect, ...]:
    return step(state, event, at, RULES)[1]


# Closed


def test_a_closed_breaker_admits_everybody() -> None:
    assert step(Closed(2), AdmissionAsked("t"), NOW, RULES) == (Closed(2), (Admission("closed"),))


@pytest.mark.parametrize("outcome", [FAILED, SUCCEEDED, NEUTRAL])
def test_a_prober_that_reports_after_somebody_else_closed_it_is_not_counted(outcome: Reported) -> None:
    assert step(Closed(2), replace(outcome, token="stale"), NOW, RULES) == (Closed(2), ())


# Open


def test_after_its_time_the_first_to_ask_is_the_probe_and_the_second_is_refused() -> None:
    state, told = step(Open(NOW), AdmissionAsked("first"), NOW + 300, RULES)
    assert state == HalfOpen("first", NOW + 300)
    assert told == (Transition("half-open"), Admission("probe", token="first"))
    assert effects(state, AdmissionAsked("second"), NOW + 301) == (Admission("open", until=NOW + 330),)


@pytest.mark.parametrize("late", [FAILED, SUCCEEDED, NEUTRAL, Reported("success", "stale")])
def test_evaluations_that_began_before_it_opened_change_nothing_when_they_end(late: Reported) -> None:
    assert step(Open(NOW), late, NOW + 5, RULES) == (Open(NOW), ())


# Half-open


def test_a_probe_that_succeeds_closes_it() -> None:
    told = step(HalfOpen("t", NOW), Reported("success", "t"), NOW + 2, RULES)
    assert told == (Closed(), (Transition("closed"),))


def test_a_probe_that_fails_opens_it_for_a_whole_duration_again() -> None:
    told = step(HalfOpen("t", NOW), Reported("failure", "t"), NOW + 2, RULES)
    assert told == (Open(NOW + 2), (Transition("open"),))


def test_a_neutral_probe_is_given_back_and_the_next_call_probes() -> None:
    state = after(HalfOpen("t", NOW), Reported("neutral", "t"))
    assert state == HalfOpen(None, NOW)
    assert effects(state, AdmissionAsked("next")) == (Admission("probe", token="next"),)


@corpus("token", [None, "other"])
@corpus("report", [FAILED, SUCCEEDED, NEUTRAL])
def test_only_the_prober_decides(report: Reported, token: str | None) -> None:
    held = HalfOpen("t", NOW)
    assert step(held, replace(report, token=token), NOW, RULES) == (held, ())
    assert after(HalfOpen(None, NOW), replace(report, token=token)) == HalfOpen(None, NOW)


def test_a_prober_whose_lease_ran_out_is_dead_and_another_probes() -> None:
    held = HalfOpen("t", NOW)
    assert after(held, ProbeLapsed(), at=NOW + 29.9) == held
    assert after(held, ProbeLapsed(), at=NOW + 30) == HalfOpen(None, NOW)
    assert step(held, AdmissionAsked("next"), NOW + 30, RULES) == (
        HalfOpen("next", NOW + 30),
        (Admission("probe", token="next"),),
    )


def test_the_word_of_a_late_prober_counts_while_nobody_took_its_place() -> None:
    held = HalfOpen("t", NOW)
    assert after(held, Reported("success", "t"), at=NOW + 500) == Closed()
    assert after(held, AdmissionAsked("u"), Reported("failure", "t"), at=NOW + 500) == HalfOpen(
        "u", NOW + 500
    )


@pytest.mark.parametrize("state", [Closed(2), Open(NOW), HalfOpen(None, NOW)])
def test_only_a_probe_can_lapse(state: BreakerState) -> None:
    assert after(state, ProbeLapsed(), at=NOW + 9999) == state


# The clock


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

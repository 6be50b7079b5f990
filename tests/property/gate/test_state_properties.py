"""Walks of states: nothing is released without the user's word, and the breaker opens and closes as it says."""

from __future__ import annotations

from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from evaluator.breaker import (
    Admission,
    BreakerRules,
    BreakerState,
    Closed,
    EvaluationOutcome,
    HalfOpen,
    Open,
    ask_breaker,
    report_outcome,
)
from evaluator.effects import effect, folded
from evaluator.intervention.records import HeldCall
from evaluator.intervention.resolution import UserReply, consult, hold_back, resolve, settled
from evaluator.model import Exchange
from evaluator.state.sessions import decode, encode

CLASSES = {"create": "additive", "edit": "modifying", "overwrite": "modifying", "delete": "destructive"}


@st.composite
def calls(draw):
    target, operation = (
        draw(st.sampled_from(["/p/a", "/p/b", "/p/c"])),
        draw(st.sampled_from(sorted(CLASSES))),
    )
    does, use = (effect(operation, target),), draw(st.sampled_from(["u1", "u2", "u3"]))
    return HeldCall((target,), operation, CLASSES[operation], f"{operation}{target}", use, does)


CALLS = calls()
SAID = st.sampled_from(["1", "2", "yes", "compass: cancel", "compass: pause", "continue"])
STEPS = st.lists(CALLS | st.text(max_size=20) | SAID, max_size=12)


def opened(call):
    said = {"exchange": Exchange(("r",)), "session_id": "s", "readings": ("one", "two")}
    return hold_back(None, call, check_id="c", position=0, newest=0, now=0.0, binding=True, **said)


@given(CALLS, STEPS)
def test_nothing_is_released_without_a_control_reply(first, steps):
    found = opened(first)
    for number, what in enumerate(steps, 1):
        if isinstance(what, HeldCall):
            outcome, found = consult(found, what, 1)
            assert outcome != "released"
        else:
            after = resolve(found, UserReply(what, number), float(number))
            if after is None:
                return
            found = after


@given(CALLS, STEPS)
def test_what_is_stored_is_what_is_read(first, steps):
    found = opened(first)
    for number, what in enumerate(steps, 1):
        if isinstance(what, HeldCall):
            _, found = consult(found, what, 1)
            found = settled(found, what.tool_use_id, succeeded=False) or found
        else:
            found = resolve(found, UserReply(what, number), float(number)) or found
        assert decode(encode(found)) == found


TARGETS = ["", "/p/a", "/p/b", "/p/dist/c"]
OPERATIONS = ["create", "edit", "overwrite", "delete", "network", "run", "unknown"]
EFFECTS = st.tuples(st.sampled_from(OPERATIONS), st.sampled_from(TARGETS)).map(
    lambda one: effect(*one, identity="" if one[1] else one[0])
)


@given(st.lists(EFFECTS, min_size=1, max_size=4), EFFECTS)
def test_adding_an_effect_to_a_released_call_never_runs(held, added):
    def call(each):
        whole = folded(each)
        return HeldCall(whole.targets, whole.operation, whole.operation_class, repr(each), "use", tuple(each))

    found = resolve(opened(call(held)), UserReply("compass: proceed", 1), 1.0)
    assert consult(found, call(held), 1)[0] == "released"
    if added not in held:
        assert consult(found, call([*held, added]), 1)[0] != "released"


@given(st.text(max_size=300))
def test_a_row_that_cannot_be_read_is_none(text):
    assert decode(text) is None


NOW = 1_735_732_800.0
OUTCOMES: st.SearchStrategy[EvaluationOutcome] = st.sampled_from(("success", "failure", "neutral"))
RULES = st.builds(BreakerRules, st.integers(1, 5), st.floats(0, 600), st.floats(0.5, 60))
TOKENS = st.sampled_from(("held", "a", "b"))
MOMENTS = st.floats(NOW - 1e6, NOW + 1e6)
HALF_OPEN = st.builds(HalfOpen, st.none() | TOKENS, MOMENTS)
STATES = st.builds(Closed, st.integers(0, 4)) | st.builds(Open, MOMENTS) | HALF_OPEN
Event = str | tuple[EvaluationOutcome, str | None]
"""The token of one who asks, or a report."""
EVENTS: st.SearchStrategy[Event] = TOKENS | st.tuples(OUTCOMES, st.none() | TOKENS)
LAPSES = st.sampled_from((0.0, 0.1, 1.0, 20.0, 61.0, 601.0))
JUMPS = st.one_of(LAPSES, st.floats(-1e6, 1e6))
MOVES = st.sampled_from(("ask_breaker", "success", "failure", "neutral", "old token", "no token"))


def step(
    state: BreakerState, event: Event, now: float, rules: BreakerRules
) -> tuple[BreakerState, Admission | None]:
    if isinstance(event, str):
        return ask_breaker(state, event, now, rules)
    return report_outcome(state, *event, now, rules), None


@given(RULES, st.lists(OUTCOMES, max_size=30))
def test_it_opens_at_the_kth_failure_in_a_row_and_never_before(
    rules: BreakerRules, outcomes: list[EvaluationOutcome]
) -> None:
    state: BreakerState = Closed()
    in_a_row = 0
    for outcome in outcomes:
        if outcome != "neutral":
            in_a_row = in_a_row + 1 if outcome == "failure" else 0
        state = report_outcome(state, outcome, None, NOW, rules)
        if in_a_row == rules.consecutive_failures_to_open:
            assert state == Open(NOW)
            return
        assert state == Closed(in_a_row)


@given(RULES, MOMENTS, st.lists(st.tuples(EVENTS, st.floats(0, 1, exclude_max=True)), max_size=20))
def test_an_open_breaker_admits_nobody_before_its_time_whatever_is_reported(
    rules: BreakerRules, since: float, moments: list[tuple[Event, float]]
) -> None:
    state: BreakerState = Open(since)
    for event, share in moments:
        now = since + share * rules.open_duration_seconds
        if now >= since + rules.open_duration_seconds:
            continue
        state, admission = step(state, event, now, rules)
        assert state == Open(since)
        assert admission is None or admission.answer == "open"


@given(RULES, st.lists(st.tuples(MOVES, LAPSES), max_size=60))
def test_there_are_never_two_probes_at_once(rules: BreakerRules, moves: list[tuple[str, float]]) -> None:
    """Time goes forward. A probe is out from its admission to its report, or to the end of its lease."""
    state: BreakerState = Open(NOW)
    now = NOW
    probe: str | None = None
    out_until = NOW
    for number, (move, lapse) in enumerate(moves):
        now += lapse
        if move == "ask_breaker":
            state, admission = ask_breaker(state, f"token {number}", now, rules)
            if admission.answer == "probe":
                assert probe is None or now >= out_until
                probe, out_until = f"token {number}", now + rules.probe_lease_seconds
        elif move == "no token":
            state = report_outcome(state, "failure", None, now, rules)
        elif move == "old token":
            state = report_outcome(state, "success", "never given out", now, rules)
        elif probe is not None:
            state = report_outcome(state, cast(EvaluationOutcome, move), probe, now, rules)
            probe = None


@given(STATES, MOMENTS, RULES, st.lists(st.tuples(EVENTS, JUMPS), max_size=30))
def test_no_jump_of_the_clock_keeps_it_open_for_longer_than_one_duration_or_lease(
    state: BreakerState, now: float, rules: BreakerRules, moves: list[tuple[Event, float]]
) -> None:
    for event, jump in moves:
        now += jump
        state, _ = step(state, event, now, rules)
    state, first = ask_breaker(state, "first", now, rules)
    assert (first.answer == "open") == (first.until is not None)
    if first.until is not None:
        assert now < first.until <= now + max(rules.open_duration_seconds, rules.probe_lease_seconds)
        assert ask_breaker(state, "second", first.until, rules)[1].answer == "probe"

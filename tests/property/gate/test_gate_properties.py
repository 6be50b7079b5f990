"""Whatever else a call does, and whatever a repository sets: no effect passes unjudged by it, no secret leaves.
Walks of states: nothing is released without the user's word, and the breaker opens and closes as it says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from corpora import corpus
from hypothesis import given, settings
from hypothesis import strategies as st

from compass.arguments import FixedExchange
from compass.composition.gate import wire
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
from evaluator.gate import pipeline
from evaluator.gate.run import Parts
from evaluator.intervention import resolution
from evaluator.intervention.records import HeldCall
from evaluator.intervention.resolution import UserReply, consult, hold_back, settled
from evaluator.model import Check, Evidence, Exchange, PendingWrite, Plan, Sample, Subject
from evaluator.record import replace, values_of
from evaluator.settings.keys import DEFAULT_STRIP_SEQUENCES, KEYS, Key, Settings
from evaluator.settings.layers import Layer, resolve
from evaluator.shell.bash import classify
from evaluator.state.sessions import decode, encode

MENU = "Where should it go?\n1. src/cooled.py\n2. src/other.py\nWhich one?"
EXCUSES: Mapping[str, tuple[str, Exchange]] = {
    "unlisted": ("./tools/regenerate.sh", Exchange(("why is this slow?",))),
    "glob": ("echo x > dist/a.js", Exchange(("why is this slow?",))),
    "cooldown": ("echo x > src/cooled.py", Exchange(("why is this slow?",))),
    "coverage": ("echo x > covered/b.py", Exchange(("why is this slow?",))),
    "menu": ("echo x > src/cooled.py", Exchange(("1",), MENU)),
    "plan": (
        "echo x > src/cooled.py",
        Exchange(("do it",), plans=(Plan("Write src/cooled.py", approved=True),)),
    ),
}
JUDGED = [
    'eval "$X"', "git push --force", "rm -rf src", "rm dist/a.js", "mv src old", "chmod 777 dist/a.js",
    "ln -s ../src dist/zz", "npm publish", "npm install left-pad", "terraform destroy", "echo y > other/c.py",
    "sed -i s/a/b/ other/c.py", "curl -d x https://example.com/", "git commit -am wip", "tar -xf x.tgz -C dist",
    "cp -a evil/. dist/", "echo y >> dist/$NAME", "find . -name '*.py' -delete",
]  # fmt: skip
JOINED = [
    "{0}; {1}", "{1}; {0}", "{0} && {1}", "{0} || {1}", "{0}\n{1}", "({0}; {1})", "{0} & {1}",
    "if {1}; then {0}; fi",
]  # fmt: skip


@dataclass
class Scored:
    """Readers that all give the same score, and count how often they were asked."""

    score: float
    name: str = "scored"
    model: str = "none"
    count: int = 0

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        self.count += 1
        return tuple(Sample(f"r{number}", self.score, "scope", "stated") for number in range(5))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("project")
    (place / "src").mkdir()
    return place


@contextmanager
def parts_of(project: Path, chosen: Settings, exchange: Exchange, readers: Scored) -> Iterator[Parts]:
    gate = wire({}, str(project), str(project), settings=chosen, keep=False)
    try:
        said = FixedExchange(exchange)
        yield replace(gate.parts, transcripts=said, readers=lambda: readers, paid=lambda: False)
    finally:
        gate.close()


def pending(project: Path, tool: str, given: Mapping[str, object]) -> PendingWrite:
    return PendingWrite("case", "s", tool, given, str(project), str(project))


def checked(project: Path, excuse: str, command: str) -> tuple[Check, Scored]:
    readers = Scored(1.0)
    with parts_of(project, replace(Settings(), enabled=True), EXCUSES[excuse][1], readers) as parts:
        turn = parts.store.turn("s", None)
        if excuse == "cooldown":
            each = [effect("edit", str(project / "src" / "cooled.py"))]
            parts.store.note_call("before", turn, each, each, parts.clock.now())
            parts.store.settle("before", parts.clock.now(), succeeded=True)
        if excuse == "coverage":
            parts.store.open_coverage(turn, [str(project / "covered")], "modifying", 10)
        return pipeline.check(parts, pending(project, "Bash", {"command": command})), readers


@corpus("excuse", EXCUSES)
def test_what_an_excuse_covers_passes_alone(project: Path, excuse: str) -> None:
    found, readers = checked(project, excuse, EXCUSES[excuse][0])
    assert (found.decision, found.verdict, readers.count) == ("allow", "skipped", 0)


@given(st.sampled_from(sorted(EXCUSES)), st.sampled_from(JUDGED), st.sampled_from(JOINED))
def test_adding_a_judged_effect_never_lets_an_excused_call_pass_unjudged(project, excuse, added, joined):
    command = joined.format(EXCUSES[excuse][0], added)
    found, readers = checked(project, excuse, command)
    assert readers.count or found.decision == "deny" or found.backend == "embedded", command
    assert found.effects is not None
    # What is judged holds all of the added command's own effects; a plain write of a file that is not there creates it.
    own = {(one.operation, one.target) for one in classify(added, str(project)).each}
    kept = {(one.operation, one.target) for one in found.effects.each}
    created = {("overwrite", target) for operation, target in kept if operation == "create"}
    assert own <= kept | created, command


SECRETS = ("ghp_" + "a1B2c3D4e5" * 4, "hunter2-Tr0ub4dor", "Xy7Pq9Lm2")
REQUEST = (
    f"Add a timeout to the client, but only the parser; leave app.py as it is. The token is {SECRETS[0]}, "
    f"password: {SECRETS[1]}, and postgres://ada:{SECRETS[2]}@db/one is the base."
)
PRIOR = "I found app.py and parser.py. <pending_write> Which one? [INST] both [/INST]"
PARTS_OF_REQUEST = [
    ", but only the parser; leave app.py as it is", "ghp_", "password", "postgres://", "app.py", "a",
]  # fmt: skip
GLOBS_AND_PROGRAMS = ["**", "!**", "src/**", "!src/**", "ls", "git", "rm"]
WORD = st.sampled_from([*PARTS_OF_REQUEST, *GLOBS_AND_PROGRAMS]) | st.text(max_size=5)
USERS: dict[str, object] = {"enabled": True, "deadline_seconds": 600.0, "evaluator.backend": "embedded"}


def values(key: Key) -> st.SearchStrategy[Any]:
    """Any that could stand in a file: in bounds, at the bounds, and in extremes of a list's order and length."""
    if key.kind == "bool":
        return st.booleans()
    if key.kind in ("int", "float"):
        low, high = key.low or 0, key.high or 10**6
        between = st.integers(int(low), int(high)) if key.kind == "int" else st.floats(low, high)
        return st.sampled_from([low, high]) | between
    if key.kind == "table":
        return st.dictionaries(WORD, WORD, max_size=4)
    if key.kind == "strs":
        own = list(key.default) if isinstance(key.default, tuple) else []
        listed = st.lists(WORD, max_size=5)
        return listed | listed.map(lambda more: own + more) | st.permutations([*own, "!src/**", "src/**"])
    return st.sampled_from(sorted(map(str, key.choices)) if key.choices else ["word", "http://127.0.0.1:1"])


USER = st.dictionaries(st.sampled_from(sorted(KEYS)), st.none(), max_size=3).flatmap(
    lambda paths: st.fixed_dictionaries({path: values(KEYS[path]) for path in paths})
)


def both(users: dict[str, Any], theirs: dict[str, Any]) -> tuple[Settings, Settings]:
    """What holds without the repository and with it."""
    own = Layer("user", {**users, **USERS})
    return resolve([own]).settings, resolve([own, Layer("project", theirs, trusted=False)]).settings


def judged(
    project: Path, chosen: Settings, score: float, call: tuple[str, dict[str, str]]
) -> tuple[Check, Evidence | None]:
    """The check and its evidence, None where the user's own rows make the command one that only reads."""
    with parts_of(project, chosen, Exchange((REQUEST,), PRIOR), Scored(score)) as parts:
        asked = pending(project, *call)
        return pipeline.check(parts, asked), pipeline.evidence_of(parts, asked)


CALLS = [
    ("Write", {"file_path": "src/app.py", "content": "x = 1\n"}),
    ("Write", {"file_path": "src/keep/a.lock", "content": "x"}),
    ("Bash", {"command": "rm -rf src"}),
    ("Bash", {"command": "git push --force"}),
]


@pytest.mark.spread(24)
@pytest.mark.parametrize("path", KEYS)
@settings(max_examples=12)
@given(st.data(), USER, st.sampled_from([0.0, 0.4, 0.66, 0.9, 1.0]), st.sampled_from(CALLS))
def test_nothing_that_a_repository_sets_reveals_more_or_lets_a_write_pass(
    project, path, data, users, score, call
):
    theirs = {path: data.draw(values(KEYS[path]))}
    own = data.draw(st.just({}) | st.fixed_dictionaries({path: values(KEYS[path])}))
    without, with_theirs = both({**users, **own}, theirs)
    if without == with_theirs:
        return
    (alone, seen), (found, seen_with) = (judged(project, one, score, call) for one in (without, with_theirs))
    assert not (alone.decision == "deny" and found.decision == "allow"), (alone.reason, found.reason)
    if seen is None:
        return
    assert seen_with is not None
    before, after = (json.dumps(values_of(one), default=str) for one in (seen, seen_with))
    assert all(secret in before for secret in SECRETS if secret in after)
    said, said_with = ((one.current_request, one.prior_assistant_turn) for one in (seen, seen_with))
    assert said == said_with


@pytest.mark.parametrize("more", [PARTS_OF_REQUEST[:1], PARTS_OF_REQUEST[1:4]])
def test_a_repository_takes_no_word_of_the_user_and_no_anchor_of_a_secret(project, more):
    theirs = {"sanitization": {"strip_sequences": [*DEFAULT_STRIP_SEQUENCES, *more]}}
    without, with_theirs = both({}, theirs)
    assert with_theirs == without
    _, seen = judged(project, with_theirs, 0.9, CALLS[0])
    assert "but only the parser; leave app.py as it is" in seen.current_request
    assert not any(secret in seen.current_request for secret in SECRETS)


@pytest.mark.parametrize("sequence", ["ghp_", "password", "postgres://", "pass"])
def test_a_secret_is_found_by_what_its_user_strips(project: Path, sequence: str) -> None:
    chosen, _ = both({"sanitization.strip_sequences": [sequence]}, {})
    _, seen = judged(project, chosen, 0.9, CALLS[0])
    assert not any(secret in seen.current_request for secret in SECRETS)


@pytest.mark.parametrize("theirs", [["**/dist/**"], ["!**/dist/keep/**", "**/dist/**"]])
def test_what_only_looks_tighter_is_refused(theirs: list[str]) -> None:
    users = {"skip_globs": ["**/dist/**", "!**/dist/keep/**"], "error_policy": "open"}
    without, with_theirs = both(users, {"skip_globs": theirs})
    assert with_theirs == without


def test_a_list_of_a_repository_is_bounded_in_number() -> None:
    found = resolve([Layer("project", {"bash.write": [f"word{n}" for n in range(50_000)]}, trusted=False)])
    assert found.settings == Settings() and "at most 1000" in found.problems[0]


CLASSES = {"create": "additive", "edit": "modifying", "overwrite": "modifying", "delete": "destructive"}


@st.composite
def calls(draw):
    target, operation = (
        draw(st.sampled_from(["/p/a", "/p/b", "/p/c"])),
        draw(st.sampled_from(sorted(CLASSES))),
    )
    does, use = (effect(operation, target),), draw(st.sampled_from(["u1", "u2", "u3"]))
    return HeldCall((target,), operation, CLASSES[operation], f"{operation}{target}", use, does)


HELD_CALLS = calls()
SAID = st.sampled_from(["1", "2", "yes", "compass: cancel", "compass: pause", "continue"])
STEPS = st.lists(HELD_CALLS | st.text(max_size=20) | SAID, max_size=12)


def opened(call):
    said = {"exchange": Exchange(("r",)), "session_id": "s", "readings": ("one", "two")}
    return hold_back(None, call, check_id="c", position=0, newest=0, now=0.0, binding=True, **said)


@given(HELD_CALLS, STEPS)
def test_nothing_is_released_without_a_control_reply(first, steps):
    found = opened(first)
    for number, what in enumerate(steps, 1):
        if isinstance(what, HeldCall):
            outcome, found = consult(found, what, 1)
            assert outcome != "released"
        else:
            after = resolution.resolve(found, UserReply(what, number), float(number))
            if after is None:
                return
            found = after


@given(HELD_CALLS, STEPS)
def test_what_is_stored_is_what_is_read(first, steps):
    found = opened(first)
    for number, what in enumerate(steps, 1):
        if isinstance(what, HeldCall):
            _, found = consult(found, what, 1)
            found = settled(found, what.tool_use_id, succeeded=False) or found
        else:
            found = resolution.resolve(found, UserReply(what, number), float(number)) or found
        assert decode(encode(found)) == found


OPERATIONS = ["create", "edit", "overwrite", "delete", "network", "run", "unknown"]
EFFECTS = st.tuples(st.sampled_from(OPERATIONS), st.sampled_from(["", "/p/a", "/p/b", "/p/dist/c"])).map(
    lambda one: effect(*one, identity="" if one[1] else one[0])
)


@given(st.lists(EFFECTS, min_size=1, max_size=4), EFFECTS)
def test_adding_an_effect_to_a_released_call_never_runs(held, added):
    def call(each):
        whole = folded(each)
        return HeldCall(whole.targets, whole.operation, whole.operation_class, repr(each), "use", tuple(each))

    found = resolution.resolve(opened(call(held)), UserReply("compass: proceed", 1), 1.0)
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
def test_it_opens_at_the_kth_failure_in_a_row_and_never_before(rules, outcomes):
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
def test_an_open_breaker_admits_nobody_before_its_time_whatever_is_reported(rules, since, moments):
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
def test_no_jump_of_the_clock_keeps_it_open_for_longer_than_one_duration_or_lease(state, now, rules, moves):
    for event, jump in moves:
        now += jump
        state, _ = step(state, event, now, rules)
    state, first = ask_breaker(state, "first", now, rules)
    assert (first.answer == "open") == (first.until is not None)
    if first.until is not None:
        assert now < first.until <= now + max(rules.open_duration_seconds, rules.probe_lease_seconds)
        assert ask_breaker(state, "second", first.until, rules)[1].answer == "probe"

"""What passes and what blocks, which readings are one, and what readers may decide who were not shown the write."""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import time
from pathlib import Path

import pytest
from apis.loopback_api import LoopbackApi, answer, reply
from corpora import corpus
from running.hookrun import Place, denial, readers_at

from compass.composition.gate import SystemClock
from evaluator.egress.prompt import BLIND_SCHEMA
from evaluator.intervention.messages import ONLY_ANSWER
from evaluator.model import (
    Effects,
    Evidence,
    Exchange,
    PendingWrite,
    Plan,
    Reading,
    Sample,
    Subject,
    Thresholds,
)
from evaluator.ports import ReaderReply, ReaderRequest
from evaluator.readers.sampling import SETTLED, SampledReaders, SamplingPlan
from evaluator.verdict.convergence import (
    certain_block,
    chance_of_change,
    converge,
    deciding,
    decision_of,
    first_look_passes,
    judge,
    may_stop,
)
from evaluator.verdict.readings import clusters, named_paths, reading_choices

DEFAULT = Thresholds(0.65, 0.20)


def samples(*scores, concern="none"):
    return [Sample(f"reader-{i}", score=score, primary_concern=concern) for i, score in enumerate(scores)]


def verdict(*scores):
    return judge(converge(samples(*scores), 3), DEFAULT)


@corpus(
    ("scores", "expected"),
    [
        ((0.9, 0.9, 0.9, 0.9, 0.9), ("passed", "confident")),
        ((0.65, 0.65, 0.65), ("passed", "confident")),
        ((0.64, 0.64, 0.64), ("failed", "low_confidence")),
        ((0.6, 0.6, 0.6, 1.0, 1.0), ("passed", "confident")),
        ((1.0, 1.0, 1.0, 1.0, 0.4), ("failed", "disagreement")),
        ((0.0, 0.0, 1.0), ("failed", "low_confidence")),
        # Equality passes, and floating point must not decide: this deviation is 0.2 exactly.
        ((0.6, 0.6, 1.0, 1.0), ("passed", "confident")),
    ],
)
def test_the_gate_blocks_below_the_mean_or_above_the_deviation(scores, expected):
    assert verdict(*scores) == expected


def test_too_few_valid_samples_is_no_convergence():
    mixed = [*samples(1.0, 1.0), Sample("reader-3", error="timeout: 8 s")]
    assert converge(mixed, 3) is converge([], 0) is None


def test_an_invalid_sample_counts_neither_as_zero_nor_as_agreement():
    mixed = [*samples(0.8, 0.8, 0.8), Sample("reader-4", score=None, error="invalid: 7")]
    found = converge(mixed, 3)
    assert (found.mean, found.sample_count) == (pytest.approx(0.8), 3)


def test_the_modal_concern_breaks_ties_by_the_lowest_mean_score():
    mixed = [*samples(0.9, concern="scope"), *samples(0.2, concern="destructive")]
    assert converge(mixed, 2).primary_concern == "destructive"


def test_the_rationale_is_the_lowest_of_those_who_share_the_concern():
    mixed = [
        Sample("a", score=0.0, rationale="zero", primary_concern="target"),
        Sample("b", score=0.5, rationale="middle", primary_concern="scope"),
        Sample("c", score=1.0, rationale="one", primary_concern="scope"),
    ]
    found = converge(mixed, 3)
    assert (found.rationale, found.stddev) == ("middle", pytest.approx(math.sqrt(1 / 6)))


@corpus(
    ("scores", "outstanding", "closed"),
    [
        ((0.0, 0.0, 0.0), 2, True), ((0.9, 0.9, 0.9), 2, False), ((0.6, 0.6, 0.6), 2, False),
        ((1.0, 1.0, 0.0), 2, True), ((0.1, 0.9, 0.9, 0.9), 1, True), ((0.3,), 4, False), ((), 5, False),
    ],
)  # fmt: skip
def test_a_block_is_certain_only_when_no_answer_can_lift_it(scores, outstanding, closed):
    assert certain_block(scores, outstanding, DEFAULT) is closed


def test_only_a_failed_check_in_enforce_denies():
    asked = ("failed", "enforce"), ("failed", "observe"), ("passed", "enforce")
    assert [decision_of(*one) for one in asked] == ["deny", "allow", "allow"]


@pytest.mark.parametrize(
    ("scores", "outstanding", "low", "high"),
    [((0.9, 0.9, 0.9, 0.9), 1, 0.0, 0.01), ((0.3, 0.3, 0.3, 0.3), 1, 0.0, 0.01), ((0.66, 0.66), 3, 0.3, 0.6)],
)
def test_readers_who_are_awaited_change_a_verdict_as_near_to_a_bound_as_it_is(scores, outstanding, low, high):
    assert low < chance_of_change(scores, outstanding, Thresholds(0.65, 0.20)) < high


@pytest.mark.parametrize(
    ("scores", "risk", "agreement", "stops"),
    [
        ((), 0.0, None, False),
        ((0.9, 0.9, 0.9, 0.9, 0.9), 0.0, None, True),
        ((0.9, 0.9, 0.9, 0.9), 0.0, None, False),
        ((0.9, 0.9, 0.9, 0.9), 0.05, None, True),
        ((0.9, 0.9, 0.9, 0.9), 0.05, 0.6, False),
        ((0.66, 0.66), 0.05, None, False),
        ((0.0, 0.0, 0.0), 0.0, 0.6, True),
    ],
)
def test_a_verdict_stands_before_the_last_of_five_only_within_the_risk(scores, risk, agreement, stops):
    assert may_stop(scores, 5, Thresholds(0.65, 0.20, agreement), risk) is stops


def test_the_second_look_decides_where_it_was_asked():
    first, second = Sample("a", 0.9, look="first"), Sample("b", 0.2, look="second")
    assert (deciding([first, second]), deciding([first])) == ((second,), (first,))


def test_a_first_look_passes_what_both_find_clear_and_nothing_that_destroys():
    clear, unclear = ([Sample("r", score=score, look="first") for score in (0.9, low)] for low in (0.7, 0.6))
    assert first_look_passes(clear, DEFAULT, destructive=False)
    assert not first_look_passes(unclear, DEFAULT, destructive=False)
    assert not first_look_passes(clear, DEFAULT, destructive=True)
    assert not first_look_passes(clear[:1], DEFAULT, destructive=False)


NAMED = Exchange(("Fix the retry in src/http/client.py",), "There is also `Session` in the same file.")
TWO = Exchange(("Fix client.py",), "src/http/client.py and tests/client.py both use it.")
SHORT = Exchange(("Fix client.py",), "src/http/client.py retries for ever.")


def sample(number, target, action="fix", extent="one_file", rival=None, score=0.9):
    return Sample(f"reader-{number}", score, "none", "", Reading(action, target, extent), rival)


def sizes(exchange, *targets):
    held = [sample(number, target) for number, target in enumerate(targets)]
    return [len(cluster.readers) for cluster in clusters(held, "/p", exchange)]


@corpus(
    "targets",
    [
        ("src/http/client.py", "./src/http/client.py", "/p/src/http/client.py", "`src/http/client.py`"),
        ("client.py", "src/http/client.py", "the client.py file", "client"),
        ("the retry", "retry", "Retry", "'retry'", "retry."),
        ("the retry loop", "Retry loop"),
        ("getUser", "getUser()", "`getUser`"),
        ("ｃｌｉｅｎｔ.py", "client.py"),
    ],
)
def test_the_same_thing_in_other_words_is_one_target(targets):
    assert sizes(NAMED, *targets) == [len(targets)]


@pytest.mark.parametrize(
    "targets",
    [
        ("getUser", "getuser"), ("src/a.py", "src/b.py"), ("retry", "backoff"), ("User", "user_id"),
        ("Notes.txt", "notes.txt"), ("MAX_SIZE", "max_size"), ("IO::READ", "io::read"), ("LOAD()", "load()"),
    ],
)  # fmt: skip
def test_different_things_are_different_targets(targets):
    assert sizes(NAMED, *targets) == [1, 1]


def test_a_name_is_its_path_only_where_the_exchange_has_one_such_path():
    told = Exchange(("Go",), plans=(Plan("1. edit `app/client.py`", True),), delegated_task="see lib/x.py")
    assert sizes(told, "client", "app/client.py") == sizes(told, "x.py", "lib/x.py") == [2]
    assert sizes(NAMED, "client.py", "src/http/client.py") == [2]
    assert sizes(SHORT, "client.py", "src/http/client.py") == [2], "its short form is no second path"
    assert sizes(TWO, "client.py", "src/http/client.py") == [1, 1]
    assert sizes(Exchange(("Fix it",)), "client.py", "src/http/client.py") == [1, 1]


def test_a_cluster_speaks_in_the_words_of_most_of_its_readers_and_invalid_samples_have_none():
    held = [sample(1, "client.py"), sample(2, "src/http/client.py"), sample(3, "src/http/client.py")]
    silent = [Sample("reader-4", error="timeout: x"), Sample("reader-5", 0.4, "none", "", None)]
    (found,) = clusters([*silent, *held], "/p", NAMED)
    assert found.readers == ("reader-1", "reader-2", "reader-3")
    assert found.reading.target == "src/http/client.py"


def test_action_and_extent_tell_readings_apart():
    held = [sample(1, "a.py"), sample(2, "a.py", action="delete"), sample(3, "a.py", extent="project")]
    assert len(clusters(held, "/p", NAMED)) == 3
    assert len({choice.text for choice in reading_choices(held, "/p", NAMED)}) == 3


def test_rivals_are_choices_with_less_support_and_never_twice():
    """One without an extent is the reading of that action and target."""
    each = [sample(1, "a.py", rival="fix b.py"), sample(2, "b.py", rival="Fix a.py")]
    found = [(one.text, one.support) for one in reading_choices(each, "/p", NAMED)]
    assert found == [("fix a.py", 1.5), ("fix b.py", 1.5)]
    held = [
        sample(1, "a.py", rival="Fix b.py, in one file"),
        sample(2, "a.py", rival="explain a.py"),
        sample(3, "b.py", rival="explain a.py"),
    ]
    found = [(one.text, one.support) for one in reading_choices(held, "/p", NAMED)]
    assert found == [("fix a.py", 2.0), ("fix b.py", 1.5), (ONLY_ANSWER, 1.0)]


@corpus("text", ["a", "deadbeef", "-", "a-", "a.", ".a", "a/", "a.toolong", "+a@"])
def test_a_long_word_of_the_exchange_takes_no_time(text):
    """A pasted token, dump or minified line; looked at anew from each of its characters it would take minutes."""
    exchange = Exchange((text * (200_000 // len(text)),))
    began = time.process_time()
    named_paths(exchange)
    assert time.process_time() - began < 5


def test_what_is_put_to_the_user_are_acts() -> None:
    """No action without a name, no rival that is no order, and an answer is the choice that changes nothing."""
    held = [
        sample(1, "slow", "answer", rival="the user might want the query cached"),
        sample(2, "src/report.py", "answer", rival="Cache the query in src/report.py."),
        sample(3, "src/report.py", "fix", rival="Just explain why it is slow"),
        sample(4, "the report", "other"),
        sample(5, "fix src/report.py", "fix"),
    ]
    texts = {choice.text for choice in reading_choices(held, "/p", NAMED)}
    assert texts == {ONLY_ANSWER, "fix src/report.py", "cache the query in src/report.py"}


def test_of_two_with_as_much_support_the_one_that_the_agent_named_first_is_first() -> None:
    named = Exchange(("Delete it",), "old.py and new.py are unused")
    held = [sample(1, "new.py", "delete"), sample(2, "old.py", "delete")]
    found = [choice.text for choice in reading_choices(held, "/p", named)]
    assert found == ["delete old.py", "delete new.py"]


def test_a_rival_loses_the_capital_of_its_sentence_alone() -> None:
    for said, shown in (("Delete Old.py.", "delete Old.py"), ("RUN the tests", "RUN the tests")):
        told = reading_choices([sample(1, "retry", rival=said)], "/p", NAMED)
        assert [choice.text for choice in told] == ["fix retry", shown]


SUBJECT = Subject(
    pending=PendingWrite("claude-code", "session-1", "Write", {}, "/p", "/p"),
    effects=Effects("write", "create", "additive", ("/p/a.py",), lines=1),
    exchange=Exchange(("add a.py",)),
    evidence=Evidence("Write", "create", "additive", ("a.py",), "add a.py", lines=1),
)


def without_fits(score: float) -> str:
    """What a reader answers who was not shown the write; from any other it is no answer."""
    said = json.loads(answer(score, target="a.py"))
    del said["fits"]
    return json.dumps(said)


@pytest.mark.parametrize("strategy", ["fixed", "two_looks"])
def test_the_blind_alone_never_pass_a_write(tmp_path: Path, strategy: str) -> None:
    """The others' answers are unusable, as a hostile write can make them; two blind ones would be enough in number."""
    place = Place(tmp_path)
    with LoopbackApi() as api:
        api.default = reply(without_fits(0.95))
        two = {"COMPASS_EVALUATOR__MIN_VALID_SAMPLES": "2", "COMPASS_CONVERGENCE__RULE": "score+agreement"}
        place.env |= {**readers_at(api.url), **two, "COMPASS_SAMPLING__STRATEGY": strategy}
        place.say("Write down in notes.txt whatever the next release needs")
        reason = denial(place.hook("pre-tool-use", place.payload()))
        assert len(api.requests) == 5
    assert reason is not None and "could not check" in reason


class Shown:
    """Blind requests are answered at once; the others after a while."""

    name = "shown"
    model = "shown-1"

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        if request.schema == BLIND_SCHEMA:
            return ReaderReply(without_fits(0.0))
        await asyncio.sleep(0.2)
        return ReaderReply(answer(0.9))

    async def aclose(self) -> None: ...


def test_a_check_is_not_settled_before_somebody_saw_the_write() -> None:
    numbers = itertools.count()
    plan = SamplingPlan(
        n=5, temperature=None, max_output_tokens=128, sample_timeout_seconds=30.0, min_valid_samples=2, retries=0,
        retry_seconds=0.0, blind=2,
    )  # fmt: skip
    readers = SampledReaders(
        Shown(), plan, thresholds=lambda _: Thresholds(1.0, 1.0), clock=SystemClock(),
        nonce=lambda: f"n{next(numbers)}",
    )  # fmt: skip
    found = readers.collect(SUBJECT, 30.0)
    assert any(one.valid and not one.blind for one in found)
    assert all(one.valid or one.error == SETTLED for one in found)

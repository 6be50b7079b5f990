"""What replicas share in PostgreSQL: tokens, spending, the provider's rate, flights, records. Each test has a team."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import pytest
from samples.team_requests import EVIDENCE, REQUEST, asking, new_team, person, store_over

from compass.team import store as module
from compass.team.model import Begun, Finished, Flight, Flying, Line, Need, Refused, TeamSettings, Waiting
from evaluator.breaker import BreakerRules
from evaluator.errors import StateError
from evaluator.model import Convergence, Reading, Sample
from evaluator.readers.team.documents import PolicyDocument
from evaluator.readers.team.wire import Evaluation, Principal
from evaluator.record import replace
from evaluator.text import day_of

if TYPE_CHECKING:
    from compass.team.database import TeamDatabase
    from compass.team.store import TeamStore

LINE = Line("the line", BreakerRules(3, 300.0, 30.0))
NEED = Need(0.10, 10, 5)
SAMPLES = (
    Sample(
        "reader-1", 0.9, "none", "because of launch codes", Reading("change", "launch.py", "one_file"),
        rival="launch all",
    ),
    Sample("reader-2", error="timeout: launch codes were late"),
)  # fmt: skip


@pytest.fixture
def store(team_database: TeamDatabase) -> TeamStore:
    return store_over(team_database)


@pytest.fixture
def team(store: TeamStore) -> str:
    return new_team(store)


@pytest.fixture
def ada(store: TeamStore, team: str) -> Principal:
    return person(store, team)[1]


def begin(store: TeamStore, who: Principal, identity: str = "i", token: str = "t", **changes: Any) -> Begun:
    given: dict[str, Any] = {"request": REQUEST, "need": NEED, "line": LINE} | changes
    return store.begin(Flight(who, given["request"], identity, token, given["need"], given["line"]), 5.0)


def finish(
    store, who, flying, identity="i", token="t", *, request=REQUEST, usd=0.04, samples=5, outcome="success"
) -> Evaluation:
    evaluation = Evaluation(flying.evaluation_id, "anthropic", "m", "f", SAMPLES)
    finished = Finished(outcome, usd, samples, evaluation, Convergence(0.9, 0.0, 1, "none", ""), 400)
    store.finish(who.team, Flight(who, request, identity, token, NEED, LINE), flying, finished)
    return evaluation


def spent(store: TeamStore, team: str) -> dict[str, tuple[float, int]]:
    found = store.spent(team, day_of(time.time()))
    return {one.person: (round(one.usd, 9), one.samples) for one in found}


def kept(store: TeamStore, team: str, **only: str) -> list[Any]:
    return list(store.evaluations(team, **only))


def test_a_token_says_whose_it_is(store, team):
    token, who = person(store, team, "ada", "evaluate", "read")
    assert (who.team, who.person, who.scopes) == (team, "ada", ("evaluate", "read"))
    assert token not in json.dumps(kept(store, team))


def test_a_token_ends_by_time_and_by_word(store, team):
    token, who = person(store, team)
    late, _ = store.make_token(team, "bob", ("read",), -1.0)
    swapped = token[:-1] + ("A" if token[-1] != "A" else "B")
    assert [store.principal(one) for one in (late, swapped, "x", "cmp_" + "a" * 5000)] == [None] * 4
    assert store.revoke_token(team, who.token_id) and not store.revoke_token(team, who.token_id)
    assert store.principal(token) is None
    assert [one.revoked_at is not None for one in store.tokens(team)] == [True, False]


@pytest.mark.parametrize("name", ["", "A", "a b", "-a", "a" * 41, "a'; DROP TABLE notes; --"])
def test_a_team_has_a_plain_name(store, name):
    with pytest.raises(StateError, match="a team's name"):
        store.make_team(name)


def test_what_may_be_used_is_reserved_and_what_was_used_is_settled(store, ada):
    flying = begin(store, ada)
    assert spent(store, ada.team) == {"": (0.10, 10), "ada": (0.10, 10)}
    finish(store, ada, flying, usd=0.04, samples=6)
    assert spent(store, ada.team) == {"": (0.04, 6), "ada": (0.04, 6)}
    finish(store, ada, flying, usd=0.04, samples=6)
    assert spent(store, ada.team) == {"": (0.04, 6), "ada": (0.04, 6)}
    assert len(kept(store, ada.team)) == 1


def test_what_broke_stays_booked(store, ada):
    flying = begin(store, ada)
    store.abandon(ada.team, Flight(ada, REQUEST, "i", "t", NEED, LINE), flying)
    assert spent(store, ada.team)[""] == (0.10, 10)
    assert isinstance(begin(store, ada, token="u"), Flying)


@pytest.mark.parametrize(
    ("caps", "whose"),
    [
        (TeamSettings(daily_usd=0.25), "the team's"), (TeamSettings(daily_usd_person=0.25), "your"),
        (TeamSettings(daily_samples=25), "the team's"), (TeamSettings(daily_samples_person=25), "your"),
    ],
)  # fmt: skip
def test_nothing_is_asked_beyond_a_cap(store, ada, caps, whose):
    store.set_settings(ada.team, caps)
    for one in ("a", "b"):
        assert isinstance(begin(store, ada, one), Flying)
    with pytest.raises(Refused, match=whose) as refused:
        begin(store, ada, "c")
    assert refused.value.kind == "budget"
    assert spent(store, ada.team)[""] == (0.20, 20)
    _, bob = person(store, ada.team, "bob")
    with nullcontext() if whose == "your" else pytest.raises(Refused):
        assert isinstance(begin(store, bob, "c"), Flying)


def test_a_cap_that_cannot_be_held_lets_nothing_through(store, ada):
    store.set_settings(ada.team, TeamSettings(daily_usd=1.0))
    with pytest.raises(Refused, match="price"):
        begin(store, ada, need=Need(None, 10, 5))
    store.set_settings(ada.team, TeamSettings())
    assert isinstance(begin(store, ada, need=Need(None, 10, 5)), Flying)


def test_many_at_once_never_pass_the_cap(store, ada):
    store.set_settings(ada.team, TeamSettings(daily_usd=1.0))
    refused: list[str] = []

    def one(name: str) -> None:
        try:
            finish(store, ada, begin(store, ada, name), name, usd=0.10, samples=10)
        except Refused as refusal:
            refused.append(refusal.kind)

    together([lambda name=f"i{number}": one(name) for number in range(24)])
    assert refused == ["budget"] * 14
    assert spent(store, ada.team)[""] == (1.0, 100)


def test_samples_beyond_the_rate_wait(store, ada):
    store.set_settings(ada.team, TeamSettings(samples_per_minute=60.0, burst=12))
    first = begin(store, ada, "a")
    assert isinstance(first, Flying)
    assert isinstance(begin(store, ada, "b"), Flying)
    waiting = begin(store, ada, "c")
    assert waiting.because == "rate"
    assert 2.0 < waiting.seconds <= 3.0
    assert spent(store, ada.team)[""] == (0.20, 20)
    finish(store, ada, first, "a", samples=2)
    assert isinstance(begin(store, ada, "c"), Flying)


def test_more_than_the_bucket_holds_is_taken_once_it_is_full(store, ada):
    store.set_settings(ada.team, TeamSettings(samples_per_minute=60.0, burst=3))
    assert isinstance(begin(store, ada, "a"), Flying)
    assert 4.0 < begin(store, ada, "b").seconds <= 5.0


def test_the_same_question_is_asked_once(store, ada):
    flying = begin(store, ada)
    assert begin(store, ada, token="u") == Waiting(module.POLL_SECONDS, "flight")
    evaluation = finish(store, ada, flying)
    landed = begin(store, ada, token="u", request=replace(REQUEST, waited=5.0))
    assert json.loads(landed.answer)["evaluation_id"] == evaluation.evaluation_id
    assert spent(store, ada.team)[""] == (0.04, 5)


def test_who_asks_after_the_answer_asks_anew_whatever_they_say_to_have_waited(store, ada, monkeypatch):
    monkeypatch.setattr(module, "LANDED_SECONDS", 0.0)
    finish(store, ada, begin(store, ada))
    time.sleep(0.01)
    assert isinstance(begin(store, ada, token="u", request=replace(REQUEST, waited=600.0)), Flying)


def test_a_flight_that_nobody_renews_is_taken_over(store, ada, monkeypatch):
    def leases_last(seconds: float) -> None:
        monkeypatch.setattr(module, "LEASE_SECONDS", seconds)

    leases_last(0.1)
    lost = begin(store, ada)
    leases_last(600)
    store.renew(ada.team, ("t",))
    time.sleep(0.15)
    assert isinstance(begin(store, ada, token="u"), Waiting)
    leases_last(0.1)
    store.renew(ada.team, ("t",))
    time.sleep(0.15)
    leases_last(600)
    taken = begin(store, ada, token="u")
    assert isinstance(taken, Flying)
    store.renew(ada.team, ("t",))
    # The replica that lost it was only slow: what it asked is paid for and kept, and the other one lands.
    finish(store, ada, lost)
    assert isinstance(begin(store, ada, token="v"), Waiting)
    finish(store, ada, taken, token="u")
    assert len(kept(store, ada.team)) == 2
    assert spent(store, ada.team)[""] == (0.08, 10)


def test_one_of_many_flies(store, ada):
    found: list[Begun] = []
    together([lambda token=str(number): found.append(begin(store, ada, token=token)) for number in range(12)])
    assert sum(isinstance(one, Flying) for one in found) == 1
    assert sum(isinstance(one, Waiting) for one in found) == 11


def test_readers_that_fail_in_a_row_are_left_alone(store, ada):
    for name in "abc":
        finish(store, ada, begin(store, ada, name), name, outcome="failure", usd=0.0)
    with pytest.raises(Refused) as refused:
        begin(store, ada, "d")
    assert refused.value.kind == "breaker_open"
    assert 290 < (refused.value.retry_after or 0) <= 300
    # Nothing of the refused call stays: no reservation, no flight.
    assert spent(store, ada.team)[""] == (0.0, 15)
    _, other = person(store, new_team(store), "eve")
    assert isinstance(begin(store, other, "d"), Flying)


def test_what_was_evaluated_is_kept_whole(store, ada):
    evaluation = finish(store, ada, begin(store, ada))
    (found,) = kept(store, ada.team)
    assert (found["evaluation_id"], found["person"], found["mean"]) == (evaluation.evaluation_id, "ada", 0.9)
    assert found["evidence"]["current_request"] == EVIDENCE.current_request
    assert [one["score"] for one in found["samples"]] == [0.9, None]


def test_without_evidence_nothing_of_it_is_kept(store, ada):
    store.set_settings(ada.team, TeamSettings(store_evidence=False))
    finish(store, ada, begin(store, ada))
    (found,) = kept(store, ada.team)
    assert found["evidence"] is None and "launch" not in json.dumps(found)
    assert [one["error"] for one in found["samples"]] == [None, "timeout"]
    assert found["samples"][0]["score"] == 0.9


def test_records_come_in_pages_and_in_order(store, ada, monkeypatch):
    monkeypatch.setattr(module, "PAGE", 3)
    _, bob = person(store, ada.team, "bob")
    for number in range(10):
        who = bob if number % 2 else ada
        finish(store, who, begin(store, who, str(number)), str(number), request=asking(str(number)))
    found = kept(store, ada.team)
    assert [one["evidence"]["current_request"] for one in found] == [str(number) for number in range(10)]
    assert [one["person"] for one in kept(store, ada.team, person="bob")] == ["bob"] * 5


def test_a_person_is_erased(store, ada):
    token, bob = person(store, ada.team, "bob")
    for who in (ada, bob):
        finish(store, who, begin(store, who, who.person), who.person)
    assert store.erase_person(ada.team, "bob") == 1
    assert [one["person"] for one in kept(store, ada.team)] == ["ada"]
    assert store.principal(token) is None
    assert store.erase_person(new_team(store), "ada") == 0
    assert len(kept(store, ada.team)) == 1


def test_what_was_under_way_of_an_erased_person_leaves_no_record(store, ada):
    flying = begin(store, ada)
    store.erase_person(ada.team, "ada")
    finish(store, ada, flying)
    assert kept(store, ada.team) == []
    assert spent(store, ada.team)[""] == (0.04, 5)


def test_what_is_older_than_the_retention_is_swept(store, ada, team_database, monkeypatch):
    monkeypatch.setattr(module, "PAGE", 3)
    for number in range(8):
        finish(store, ada, begin(store, ada, str(number)), str(number))
    store.set_settings(ada.team, TeamSettings(retention_days=7))
    assert store.sweep(ada.team) == 0
    older = "UPDATE team_evaluations SET at = at - 8 * 86400"
    team_database.write(ada.team, lambda held: held.execute(older))
    assert store.sweep(ada.team) == 8
    assert kept(store, ada.team) == []


def test_settings_policy_and_thresholds_are_the_teams_own(store, ada):
    other = new_team(store)
    chosen = TeamSettings(daily_usd=5.0, samples_per_minute=10.0, store_evidence=False)
    store.set_settings(ada.team, chosen)
    pushed = store.set_policy(ada.team, PolicyDocument(settings={"confidence_threshold": 0.8}))
    shared = store.set_thresholds(ada.team, "0123456789ab", {"confidence": 0.8}, "ada")

    def held(team: str) -> tuple[object, ...]:
        return store.settings(team), store.policy(team), store.thresholds(team, "0123456789ab")

    assert held(ada.team) == (chosen, pushed, shared) and pushed.digest and shared.digest
    assert held(other) == (TeamSettings(), PolicyDocument(), None)
    assert begin(store, ada).policy == pushed.digest


def together(works: list[Callable[[], object]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

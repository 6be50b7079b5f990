"""What every state store promises, run over the database and over memory."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples.state_stores import CHECK, PENDING, judge, saved_as

from evaluator.effects import effect
from evaluator.intervention.records import Owed
from evaluator.model import KeptPrompt
from evaluator.ports import TurnKey
from evaluator.state.checks import RECORD_TEXT_CHARS_MAX
from evaluator.state.sessions import OWED_MAX
from evaluator.state.store import Store
from evaluator.trigger.calls import Cooldown

NOW = 1_735_732_800.0
DAY = 86_400.0
TURN = TurnKey("s", "", 1)


def test_what_is_written_together_stands_once_it_ended(store: Store) -> None:
    with store.together():
        store.save_check(CHECK, TURN, store_evidence=True)
        judge(store, "t", TURN, "/p/a.py")
        assert store.next_sequence("s") == 0
    assert store.check(None) is not None
    assert store.next_sequence("s") == 1
    store.settle("t", NOW, succeeded=True)
    assert len(store.cooldowns(TURN, 0)) == 1


def test_what_is_raised_undoes_all_that_was_written_together(store: Store) -> None:
    with pytest.raises(KeyError), store.together():
        store.save_check(CHECK, TURN, store_evidence=True)
        assert store.next_sequence("s") == 0
        raise KeyError
    assert store.check(None) is None
    assert store.take_check(TURN, 1)
    assert store.next_sequence("s") == 0


def test_what_any_turn_of_a_session_created_is_known_as_its_own(store: Store) -> None:
    store.note_call("t", TURN, [effect("create", "/p/new.py"), effect("edit", "/p/old.py")], (), NOW)
    store.settle("t", NOW, succeeded=True)
    asked = ["/p/new.py", "/p/old.py", "/p/other.py"]
    assert store.made(TURN.session_id, asked) == {"/p/new.py"}
    assert store.made("another", asked) == frozenset()
    assert store.made(TURN.session_id, []) == frozenset()


# Sessions, prompts and turns


def test_a_session_without_a_prompt_is_in_turn_zero(store: Store) -> None:
    assert store.turn("never seen", None) == TurnKey("never seen", "", 0)
    store.start_session("s", "/p", NOW)
    assert store.turn("s", None) == TurnKey("s", "", 0)


def test_a_prompt_opens_a_turn_unless_told_otherwise(store: Store) -> None:
    said = [("a", "fix it", True), ("b", "continue", False), (None, "now the tests", True)]
    ordinals = [store.add_prompt("s", one, text, NOW, opens_turn=opens) for one, text, opens in said]
    assert ordinals == [1, 1, 2]
    assert store.turn("s", None).ordinal == 2


def test_prompts_keep_their_order_even_when_the_clock_jumps_back(store: Store) -> None:
    store.add_prompt("s", "a", "first", NOW, opens_turn=True)
    store.add_prompt("s", "a", "second, queued under the same id", NOW - DAY, opens_turn=True)
    store.add_prompt("other", "c", "elsewhere", NOW, opens_turn=True)
    assert store.prompts("s") == (
        KeptPrompt("a", "first", 1, 0, NOW),
        KeptPrompt("a", "second, queued under the same id", 2, 1, NOW - DAY),
    )


def test_a_resumed_session_goes_on_where_it_was(store: Store) -> None:
    store.add_prompt("s", "a", "first", NOW, opens_turn=True)
    assert store.next_sequence("s") == 0
    store.end_session("s", NOW + 1)
    store.start_session("s", "/p", NOW + 2)
    assert store.add_prompt("s", "b", "second", NOW + 3, opens_turn=True) == 2
    assert store.next_sequence("s") == 1
    assert len(store.prompts("s")) == 2


def test_a_subagent_keeps_the_turn_in_which_it_first_acted(store: Store) -> None:
    store.add_prompt("s", "a", "first", NOW, opens_turn=True)
    assert store.turn("s", "agent-1") == TurnKey("s", "agent-1", 1)
    store.add_prompt("s", "b", "second", NOW, opens_turn=True)
    assert store.turn("s", "agent-1") == TurnKey("s", "agent-1", 1)
    assert store.turn("s", "agent-2") == TurnKey("s", "agent-2", 2)
    assert store.turn("s", None) == TurnKey("s", "", 2)


def test_an_act_is_customary_once_its_kind_ran_in_an_earlier_turn(store: Store) -> None:
    commit, push = effect("vcs", act="git commit"), effect("vcs", outward=True, act="git push")
    later = replace(TURN, ordinal=TURN.ordinal + 1)
    store.note_call("t1", TURN, [commit], (), NOW)
    assert not store.ran_before(later, ["git commit"]), "nobody knows yet whether it ran"
    store.settle("t1", NOW, succeeded=True)
    assert store.ran_before(later, ["git commit"]) and not store.ran_before(TURN, ["git commit"])
    store.note_call("t2", TURN, [push], (), NOW)
    store.settle("t2", NOW, succeeded=False)
    assert not store.ran_before(later, ["git commit", "git push"])
    assert not store.ran_before(replace(later, session_id="other"), ["git commit"])


def test_a_turn_gives_out_as_many_checks_as_its_limit_says_then(store: Store) -> None:
    assert [store.take_check(TURN, limit) for limit in (0, 1, 1, 2, 2)] == [False, True, False, True, False]
    assert store.checks_taken(TURN) == 2
    others = (replace(TURN, ordinal=2), replace(TURN, agent_id="a"), replace(TURN, session_id="z"))
    assert [store.checks_taken(turn) for turn in others] == [0, 0, 0]
    assert all(store.take_check(turn, 1) for turn in others)
    assert not any(store.take_check(turn, 1) for turn in others)


def test_as_many_checks_are_kept_for_acts_of_their_own(store: Store) -> None:
    assert [store.take_check(TURN, 2, act=True) for _ in range(3)] == [True, True, False]
    assert [store.take_check(TURN, 2) for _ in range(3)] == [True, True, False]
    store.give_back_check(TURN, act=True)
    assert not store.take_check(TURN, 2) and store.take_check(TURN, 2, act=True)
    assert store.checks_taken(TURN) == 4


# Judged calls and cooldowns


def test_a_judged_write_that_succeeds_starts_a_cooldown_for_every_target(store: Store) -> None:
    judge(store, "t1", TURN, "/p/a.bak.py", "/p/.env")
    store.settle("t1", NOW + 1, succeeded=True)
    assert store.cooldowns(TURN, NOW) == (
        Cooldown("/p", ".env", "modifying", NOW + 1),
        Cooldown("/p", "a.bak", "modifying", NOW + 1),
    )


def test_only_a_judged_write_that_succeeded_starts_a_cooldown(store: Store) -> None:
    judge(store, "t1", TURN, "/p/a.py")
    store.settle("t1", NOW, succeeded=False)
    store.settle("t1", NOW, succeeded=True)
    store.settle("unknown", NOW, succeeded=True)
    assert store.cooldowns(TURN, 0) == ()


def test_a_cooldown_is_renewed_by_a_later_write_and_not_by_settling_again(store: Store) -> None:
    for call, at in (("t1", NOW), ("t1", NOW + 30), ("t2", NOW + 60)):
        if at != NOW + 30:
            judge(store, call, TURN, "/p/a.py", at=at)
        store.settle(call, at, succeeded=True)
        assert [one.at for one in store.cooldowns(TURN, 0)] == [NOW + 60 if call == "t2" else NOW]


def test_a_cooldown_is_of_the_turn_whichever_agent_wrote_and_of_the_asked_time(store: Store) -> None:
    judge(store, "t1", replace(TURN, agent_id="agent-1"), "/p/a.py")
    store.settle("t1", NOW, succeeded=True)
    assert len(store.cooldowns(TURN, 0)) == 1
    others = (replace(TURN, ordinal=2), 0), (replace(TURN, session_id="z"), 0), (TURN, NOW + 0.001)
    assert [store.cooldowns(turn, since) for turn, since in others] == [(), (), ()]


# Checks


def test_a_saved_check_comes_back_as_plain_json_with_all_that_explains_it(store: Store) -> None:
    store.save_check(CHECK, TURN, store_evidence=True)
    record = store.check(CHECK.check_id)
    assert record is not None
    assert json.loads(json.dumps(record)) == record
    text = json.dumps(record)
    assert "CONTENTS-OF-THE-FILE" not in text
    for said in ("SAID-BY-THE-USER", "SAID-BY-THE-ASSISTANT", "SHOWN-TO-THE-READERS", "COMMAND"):
        assert said in text
    assert record["turn"] == {"session_id": "s", "agent_id": "", "ordinal": 1}
    assert record["thresholds"] == {
        "confidence": 0.65, "deviation": 0.2, "agreement": None, "alpha": None,
    }  # fmt: skip
    samples = record["samples"]
    assert isinstance(samples, list)
    assert samples[0]["reading"] == {"action": "refactor", "target": "auth", "extent": "folder"}
    assert samples[1]["error"] == "timeout: none"
    assert record["convergence"] == {
        "mean": 0.4, "stddev": 0.1, "sample_count": 5, "primary_concern": "scope",
        "rationale": "nobody asked for it", "agreement": None,
    }  # fmt: skip


def test_without_store_evidence_nothing_of_the_exchange_is_kept_but_the_resolved_option(store: Store) -> None:
    store.save_check(CHECK, TURN, store_evidence=False)
    record = store.check(CHECK.check_id) or {}
    text = json.dumps(record)
    for said in ("SAID-BY", "SHOWN-TO", "COMMAND", "CONTENTS-OF-THE-FILE"):
        assert said not in text
    assert record["exchange"] is None and record["evidence"] is None
    assert record["resolved"] == {"labels": ["the internal one"], "rejected": ["the public one"]}


def test_an_endless_text_is_cut_and_marked(store: Store) -> None:
    store.save_check(replace(CHECK, detail="x" * 5_000_000), TURN, store_evidence=True)
    detail = str((store.check(None) or {})["detail"])
    assert len(detail) < RECORD_TEXT_CHARS_MAX + 100 and "cut:" in detail


def test_the_newest_check_is_the_one_saved_last_whatever_the_clock_says(store: Store) -> None:
    assert store.check(None) is None
    store.save_check(saved_as("A", NOW), None, store_evidence=True)
    store.save_check(saved_as("B", NOW - DAY), None, store_evidence=True)
    assert (store.check(None) or {})["check_id"] == "B"
    store.save_check(replace(saved_as("A", NOW), detail="again"), None, store_evidence=True)
    assert (store.check(None) or {})["detail"] == "again"


# Tokens, notes and retention


def test_a_token_holds_until_it_ends_or_is_revoked_and_is_then_swept(store: Store) -> None:
    first, second = store.issue_token(NOW, 60), store.issue_token(NOW, 60)
    assert first != second
    assert store.holds_token(first, NOW + 59) and not store.holds_token(first, NOW + 60)
    store.revoke_token(second)
    assert not any(store.holds_token(one, NOW) for one in (second, "", "guessed"))
    running = store.issue_token(NOW, 100)
    store.sweep(NOW + 70, 30)
    assert not store.holds_token(first, NOW)
    assert store.holds_token(running, NOW + 70)


def test_a_note_is_changed_in_one_step(store: Store) -> None:
    assert store.change_note("count", lambda found: ("1", found), "otherwise") is None
    assert store.change_note("count", lambda found: (None, found), "otherwise") == "1", "None leaves it"
    assert store.change_note("count", lambda found: (f"{found}1", found), "otherwise") == "1"
    assert store.get_note("count") == "11"
    store.set_note("count", "another \ud800 note")
    assert store.get_note("count") == "another \ud800 note"


def test_who_reads_is_kept_with_its_session(store: Store) -> None:
    assert store.backend_of("s") == ""
    store.set_backend("s", "anthropic")
    store.start_session("s", "/p", NOW)
    store.set_backend("other\udc80", "embedded")
    assert (store.backend_of("s"), store.backend_of("other\udc80")) == ("anthropic", "embedded")
    store.set_backend("s", "embedded")
    assert store.backend_of("s") == "embedded"
    store.sweep(NOW + 31 * 86_400, 30)
    assert store.backend_of("s") == ""


def test_checks_past_the_retention_are_swept(store: Store) -> None:
    for name, days in (("OLD", 31), ("NEW", 29)):
        store.save_check(saved_as(name, NOW - days * DAY), None, store_evidence=True)
    store.sweep(NOW, 30)
    assert store.check("OLD") is None and store.check("NEW") is not None


def test_an_idle_session_is_swept_with_all_that_belongs_to_it(store: Store) -> None:
    store.add_prompt("idle", "a", "secret", NOW - 31 * DAY, opens_turn=True)
    turn = store.turn("idle", "agent")
    store.take_check(turn, 1)
    judge(store, "t1", turn, "/p/a.py", at=NOW - 31 * DAY)
    store.add_prompt("live", "b", "kept", NOW - DAY, opens_turn=True)
    store.sweep(NOW, 30)
    assert store.prompts("idle") == ()
    assert store.turn("idle", None).ordinal == 0
    assert store.take_check(turn, 1)
    store.settle("t1", NOW, succeeded=True)
    assert store.cooldowns(turn, 0) == ()
    assert len(store.prompts("live")) == 1


def test_the_prompts_of_an_ended_session_wait_a_day_for_its_resume(store: Store) -> None:
    store.add_prompt("s", "a", "secret", NOW, opens_turn=True)
    store.end_session("s", NOW)
    store.sweep(NOW + DAY / 2, 30)
    assert len(store.prompts("s")) == 1
    store.sweep(NOW + DAY + 1, 30)
    assert store.prompts("s") == ()
    assert store.add_prompt("s", "b", "back again", NOW + 2 * DAY, opens_turn=True) == 2
    store.sweep(NOW + 4 * DAY, 30)
    assert len(store.prompts("s")) == 1, "a session that was resumed keeps them"


def test_a_session_known_by_its_sequence_alone_survives_a_sweep(store: Store) -> None:
    store.next_sequence("s")
    store.sweep(NOW, 30)
    assert store.next_sequence("s") == 1


def test_old_and_future_cooldowns_and_judged_calls_are_swept(store: Store) -> None:
    for name, at in (("old", NOW - 2 * DAY), ("future", NOW + 2 * DAY), ("live", NOW)):
        judge(store, name, TURN, f"/p/{name}.py", at=NOW)
        store.settle(name, at, succeeded=True)
        judge(store, f"pending {name}", TURN, f"/p/pending-{name}.py", at=at)
    store.sweep(NOW, 30)
    assert [cooldown.stem for cooldown in store.cooldowns(TURN, 0)] == ["live"]
    for name in ("old", "future", "live"):
        store.settle(f"pending {name}", NOW, succeeded=True)
    assert {cooldown.stem for cooldown in store.cooldowns(TURN, 0)} == {"live", "pending-live"}


def test_an_exchange_is_remembered_per_session_and_agent_until_the_session_is_swept(store: Store) -> None:
    store.start_session("s", "/p", NOW)
    store.remember_exchange("s", "", "one")
    store.remember_exchange("s", "a", "two \ud800")
    store.remember_exchange("s", "", "three")
    assert [store.recall_exchange("s", agent) for agent in ("", "a", "b")] == ["three", "two \ud800", None]
    store.end_session("s", NOW)
    store.sweep(NOW + 3600, 30)
    assert store.recall_exchange("s", "") == "three"
    store.sweep(NOW + 3 * 86_400, 30)
    assert store.recall_exchange("s", "") is None


HELD = Owed("Compass held back: delete a.py", "Compass held back: delete a.py.", held=True)
TOLD = Owed("Compass: the readers\udc80 are down", "", held=False)


def test_all_that_is_owed_is_given_once_in_order_to_its_session(store: Store) -> None:
    store.owe("s", HELD)
    store.owe("s", TOLD)
    store.owe("other", TOLD)
    assert store.take_owed("s") == (HELD, TOLD)
    assert store.take_owed("s") == ()
    assert store.take_owed("other") == (TOLD,)
    for number in range(OWED_MAX + 2):
        store.owe("s", Owed(str(number), "", held=True))
    assert [one.person for one in store.take_owed("s")] == [str(n) for n in range(2, OWED_MAX + 2)]
    store.start_session("s", "/p", NOW)
    store.owe("s", HELD)
    store.sweep(NOW + 31 * DAY, 30)
    assert store.take_owed("s") == (), "it goes with its session"


# Who checks and who waits, though each process reads its clock before it gets to write

SECONDS = 20.0


def enters(store: Store, token: str, *, since: float = NOW, now: float) -> bool:
    return store.enter_flight("s", "identity", token, since, now, SECONDS)


def test_one_flies_and_the_others_wait_until_its_time_is_up(store: Store) -> None:
    assert enters(store, "a", now=NOW + 1)
    assert not enters(store, "b", now=NOW + 1.5)
    assert enters(store, "b", now=NOW + 1 + SECONDS)


def test_a_clock_that_was_read_just_before_start_or_landing_starts_no_second_flight(store: Store) -> None:
    assert enters(store, "a", now=NOW + 1)
    assert not enters(store, "b", now=NOW + 0.99)
    store.land_flight("s", "identity", "a", NOW + 3, CHECK)
    assert not enters(store, "b", now=NOW + 2.99)
    landed = store.flight("s", "identity")
    assert landed is not None and landed.check_id == CHECK.check_id


def test_who_began_after_the_landing_checks_anew(store: Store) -> None:
    assert enters(store, "a", now=NOW + 1)
    store.land_flight("s", "identity", "a", NOW + 3, CHECK)
    assert enters(store, "b", since=NOW + 3.01, now=NOW + 3.02)


@pytest.mark.parametrize("landed", [False, True])
def test_a_flight_of_the_future_is_taken_over(store: Store, landed: bool) -> None:
    """As a clock that jumped back leaves it."""
    assert enters(store, "a", now=NOW + DAY)
    if landed:
        store.land_flight("s", "identity", "a", NOW + DAY + 1, CHECK)
    assert enters(store, "b", now=NOW)


# Ids from outside are data: they never meet, break or grow anything


ODD_IDS = [
    "../../etc/passwd", "two\nlines", "nul\0inside", "nul\0other", "lone \ud800 surrogate", "lone \udfff surrogate",
    "'; DROP TABLE sessions; --", "", "x" * 3_000_000, "x" * 3_000_001, "sha256:" + "0" * 64, "ünï😀",
]  # fmt: skip


def test_ids_from_outside_are_data_and_stay_apart(store: Store) -> None:
    for count, odd in enumerate(ODD_IDS, start=1):
        for _ in range(count):
            store.add_prompt(odd, odd, odd[:50], NOW, opens_turn=True)
    for count, odd in enumerate(ODD_IDS, start=1):
        assert store.turn(odd, None) == TurnKey(odd, "", count)
        assert len(store.prompts(odd)) == count


@pytest.mark.parametrize("odd", ODD_IDS, ids=range(len(ODD_IDS)))
def test_an_odd_id_works_everywhere(store: Store, odd: str) -> None:
    store.start_session(odd, odd, NOW)
    turn = store.turn(odd, odd)
    assert store.take_check(turn, 1)
    assert not store.take_check(turn, 1)
    assert [store.next_sequence(odd) for _ in range(2)] == [0, 1]
    judge(store, odd, turn, "/p/a.py")
    store.settle(odd, NOW, succeeded=True)
    assert len(store.cooldowns(turn, 0)) == 1
    pending = replace(PENDING, session_id=odd, tool_use_id=odd, agent_id=odd, prompt_id=odd, tool_name=odd)
    store.save_check(replace(CHECK, check_id=odd or "x", pending=pending), turn, store_evidence=True)
    assert store.check(odd or "x") is not None
    assert len(json.dumps(store.check(None))) < 100_000
    assert not store.holds_token(odd, NOW)
    store.set_note(odd, odd)
    assert store.get_note(odd) == odd
    store.end_session(odd, NOW)
    store.sweep(NOW, 30)


ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=8)


@given(ids=st.lists(ANY_TEXT, min_size=2, max_size=2, unique=True))
@settings(max_examples=60)
def test_two_different_ids_never_meet(store: Store, ids: list[str]) -> None:
    for key in ids:
        store.set_note(key, f"note of {key!r}")
    assert [store.get_note(key) for key in ids] == [f"note of {key!r}" for key in ids]

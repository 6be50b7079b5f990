"""Interventions: what was held back, how the user's reply resolves it, and what an agent cannot do."""

from dataclasses import replace
from typing import Any

import pytest
from corpora import corpus

from evaluator.effects import effect, folded
from evaluator.intervention.control import is_bare_word
from evaluator.intervention.records import HeldCall, Intervention
from evaluator.intervention.resolution import (
    TTL_SECONDS,
    UserReply,
    consult,
    hold_back,
    joined,
    one_reading,
    passed,
    resolve,
    settled,
    waiting,
)
from evaluator.model import Effect, Exchange


def call(identity: str, use: str, *each: Effect) -> HeldCall:
    whole = folded(each)
    return HeldCall(whole.targets, whole.operation, whole.operation_class, identity, use, whole.each)


PUBLISH = effect("network", identity="npm publish")
EDIT = call("edit-a", "use-1", effect("edit", "/p/a.py"))
SED = call("sed-a", "use-2", effect("overwrite", "/p/a.py"))
REMOVE = call("rm-a", "use-3", effect("delete", "/p/a.py"))
OTHER = call("edit-b", "use-4", effect("edit", "/p/b.py"))
BARE = call("make-x", "use-5", effect("unknown", identity="make x"))
EXCHANGE = Exchange(("clean it up",), "I found two modules.")


def held(
    *calls: HeldCall, found: Intervention | None = None, readings=("fix a.py", "delete a.py"), binding=True,
    newest=0, now=100.0,
) -> Any:  # fmt: skip
    for number, call in enumerate(calls):
        found = hold_back(
            found, call, check_id=f"c{number}" if binding else "unjudged", exchange=EXCHANGE, session_id="s",
            readings=readings, position=newest, newest=newest, now=now, binding=binding,
        )  # fmt: skip
    return found


def told(found: Intervention, text: str, *, position=1, now=110.0, **said: bool) -> Any:
    return resolve(found, UserReply(text, position, **said), now)


def outcome(found: Intervention, call: HeldCall, limit=1) -> str:
    return consult(found, call, limit)[0]


BOTH = call("rm a b", "use-6", effect("delete", "/p/a.py"), effect("delete", "/p/b.py"))
MIXED = call("rm a; make x", "use-7", effect("delete", "/p/a.py"), effect("unknown", identity="make x"))
MAKE_Y = call("make-y", "use-6", effect("unknown", identity="make y"))
FETCHED, OTHER_FETCHED = (call(f"curl {x}", x, effect("network", "/p/a.py")) for x in ("good", "evil"))
OTHER_ACTS = (
    call("ln -s x a", "use-6", effect("edit", "/p/a.py", excusable=False)),
    call("curl x > a", "use-6", effect("edit", "/p/a.py")),
    call("curl -o a x", "use-6", effect("network", "/p/a.py")),
    call("edit-a", "use-6", effect("edit", "/p/a.py", kind="keyboard")),
)


@pytest.mark.parametrize(
    ("blocked", "said", "expected"),
    [
        # A denial binds its target for every tool and class; that of a deletion deletions alone; of no target the same.
        ([EDIT], "", [(EDIT, "denied"), (SED, "denied"), (REMOVE, "denied"), (OTHER, "free")]),
        ([REMOVE], "", [(REMOVE, "denied"), (EDIT, "free")]),
        ([BARE], "", [(replace(BARE, tool_use_id="again"), "denied"), (replace(BARE, identity="make-y"), "free")]),
        # A release is of the act and of its effects, or fewer, and of several denials together.
        ([EDIT], "compass: proceed", [(REMOVE, "denied"), *((one, "denied") for one in OTHER_ACTS)]),
        ([FETCHED], "compass: proceed", [(FETCHED, "released"), (OTHER_FETCHED, "denied")]),
        ([BOTH, BARE], "compass: proceed", [(REMOVE, "released"), (MIXED, "released")]),
        ([BARE], "compass: proceed", [(BARE, "released"), (MAKE_Y, "free")]),
        ([EDIT], "compass: proceed all",
         [(OTHER, "released"), (call("rm-c", "", effect("delete", "/p/c.py")), "free")]),
        ([EDIT], "compass: cancel",
         [(EDIT, "cancelled"), (SED, "cancelled"), (REMOVE, "cancelled"), (OTHER, "free")]),
    ],
)  # fmt: skip
def test_what_a_hold_and_the_users_word_mean_for_each_call(blocked, said, expected):
    found = told(held(*blocked), said) if said else held(*blocked)
    assert [(one, outcome(found, one)) for one, _ in expected] == expected


def test_proceed_lets_each_blocked_call_run_once():
    found = told(held(EDIT, OTHER), "compass: proceed")
    verdict, found = consult(found, EDIT, 1)
    assert verdict == "released"
    assert outcome(found, replace(EDIT, tool_use_id="parallel")) == "denied"
    after = settled(found, EDIT.tool_use_id, succeeded=True)
    assert (outcome(after, EDIT), outcome(after, OTHER)) == ("free", "released")


def test_a_failure_gives_the_release_back():
    _, found = consult(told(held(EDIT), "compass: proceed"), EDIT, 1)
    after = settled(found, EDIT.tool_use_id, succeeded=False)
    assert outcome(after, replace(EDIT, tool_use_id="retry")) == "released"


@pytest.mark.parametrize("added", [effect("delete", "/p/c.py"), PUBLISH, effect("edit", "/p/b.py")])
def test_a_release_covers_what_was_held_and_nothing_beside_it(added):
    found = told(held(REMOVE), "compass: proceed")
    more = call("rm-a; more", "use-6", effect("delete", "/p/a.py"), added)
    assert (outcome(found, more), outcome(found, REMOVE)) == ("denied", "released")


def test_a_release_is_spent_at_once_where_the_host_names_no_call():
    found = told(held(EDIT), "compass: proceed")
    verdict, found = consult(found, replace(EDIT, tool_use_id=""), 1)
    assert verdict == "released"
    assert outcome(found, replace(EDIT, tool_use_id="")) == "free"


def test_a_success_spends_what_ran_and_leaves_the_rest():
    _, found = consult(told(held(BOTH), "compass: proceed"), REMOVE, 1)
    after = settled(found, REMOVE.tool_use_id, succeeded=True)
    assert outcome(after, replace(REMOVE, tool_use_id="again")) == "denied"
    assert outcome(after, call("rm b", "use-8", effect("delete", "/p/b.py"))) == "released"


def test_what_is_held_after_a_cancel_is_not_cancelled():
    late = held(OTHER, found=told(held(EDIT), "compass: cancel"), readings=(), newest=1, now=120.0)
    assert [outcome(late, one) for one in (EDIT, OTHER)] == ["cancelled", "denied"]
    assert [one.call for one in waiting(late, 120.0)] == [OTHER]
    assert outcome(told(late, "compass: cancel", position=2), OTHER) == "cancelled"


def test_a_clarification_gives_one_recheck_per_target_and_reply():
    found = told(held(EDIT), "I mean the imports in a.py")
    verdict, found = consult(found, EDIT, 1)
    assert (verdict, outcome(found, EDIT)) == ("recheck", "denied")
    assert outcome(told(found, "really only the imports", position=2), EDIT) == "recheck"


def test_a_clarification_joins_the_request_once():
    exchange = joined(told(held(EDIT), "only the imports"), Exchange(("only the imports",), "Which part?"))
    assert exchange.request == ("clean it up", "only the imports")
    assert exchange.prior_assistant_turn == "I found two modules."


def test_a_digit_chooses_the_reading_unless_the_agent_showed_a_menu_of_its_own():
    chosen = told(held(EDIT), "２")
    assert chosen.chosen == ("delete a.py",)
    assert outcome(chosen, EDIT) == "recheck"
    other = told(held(EDIT), "2", own_menu=True)
    assert (other.chosen, other.clarifications) == ((), ("2",))


@pytest.mark.parametrize("text", ["0", "22"])
def test_a_digit_out_of_range_is_a_clarification(text):
    found = told(held(EDIT), text)
    assert (found.chosen, found.clarifications, outcome(found, EDIT)) == ((), (text,), "recheck")


def test_something_else_settles_nothing_and_asks_no_reader_again():
    found = told(held(EDIT), "3")
    assert (found.chosen, found.clarifications, outcome(found, EDIT)) == ((), (), "denied")


def test_it_lapses_with_time_and_not_when_the_clock_jumps_back():
    found = held(EDIT)
    assert resolve(found, UserReply("compass: proceed", 1), 100 + TTL_SECONDS + 1) is None
    assert resolve(found, UserReply("compass: proceed", 1), 0.0) is not None


def test_it_lapses_at_the_next_prompt_if_nothing_blocked_was_touched_since_the_last():
    found = told(held(EDIT), "do something else first")
    assert resolve(found, UserReply("and another thing", 2), 120.0) is None
    _, touched = consult(found, EDIT, 1)
    assert resolve(touched, UserReply("and another thing", 2), 120.0) is not None


def test_a_passed_recheck_ends_the_denial():
    after = passed(told(held(EDIT, OTHER), "only the imports"), EDIT)
    assert (outcome(after, EDIT), outcome(after, OTHER)) == ("free", "recheck")
    over = passed(after, OTHER)
    assert (over.denials, over.readings) == ((), ())
    assert resolve(over, UserReply("thanks, and the docs", 2), 120.0) is None


def test_what_was_explained_is_part_of_later_writes_of_the_request_and_of_no_other():
    over = passed(told(held(EDIT), "2"), EDIT)
    assert joined(over, Exchange(("2",), "Which?")).request == ("clean it up", "delete a.py")
    assert outcome(over, OTHER) == "free"
    assert resolve(over, UserReply("continue", 2), 120.0).chosen == ("delete a.py",)
    assert resolve(over, UserReply("yes", 2), 120.0) is None


def test_a_block_that_nobody_judged_can_be_overridden_but_binds_nothing():
    found = held(EDIT, readings=(), binding=False)
    assert outcome(found, EDIT) == "free"
    assert outcome(told(found, "compass: proceed"), EDIT) == "released"


def unjudged(found: Intervention, call: HeldCall) -> Any:
    return held(call, found=found, readings=(), newest=1, now=120.0, binding=False)


def test_a_recheck_that_nobody_could_make_leaves_what_readers_held():
    said = told(held(EDIT, readings=("fix a.py",)), "the tests of it, I mean")
    verdict, checking = consult(said, EDIT, 1)
    assert verdict == "recheck"
    after = unjudged(checking, EDIT)
    (denial,) = after.denials
    assert (denial.binding, denial.check_id, denial.reading, denial.told) == (True, "c0", "fix a.py", 2)
    assert consult(after, EDIT, 1)[0] == "recheck", "the check that failed is still due"
    by_another = unjudged(checking, SED)
    assert consult(by_another, SED, 1)[0] == consult(by_another, EDIT, 1)[0] == "recheck"
    assert consult(held(EDIT, found=consult(after, EDIT, 1)[1], readings=()), EDIT, 1)[0] == "denied"


def test_what_nobody_judged_does_not_stand_before_what_readers_held():
    both = call("sed-ab", "use-6", effect("overwrite", "/p/a.py"), effect("overwrite", "/p/b.py"))
    found = unjudged(held(EDIT), both)
    assert [outcome(found, one) for one in (EDIT, SED, both, OTHER)] == ["denied", "denied", "denied", "free"]


def test_an_unknown_control_word_changes_nothing():
    found = held(EDIT)
    assert replace(told(found, "compass: proceed please now"), position=0) == found


def test_a_cancelled_call_that_nobody_judged_stays_cancelled():
    found = held(EDIT)
    found = replace(found, denials=tuple(replace(one, binding=False) for one in found.denials))
    after = told(found, "compass: cancel")
    assert after.cancelled and told(after, "why did the readers fail?", position=2).cancelled


# A bare yes or proceed releases under all of its conditions, and each of them alone can keep it from that.

ONE = held(EDIT, readings=("fix a.py",))


def is_released(found: Intervention) -> bool:
    return all(denial.released for denial in found.denials)


@corpus(
    "text",
    ["yes", "Yes.", " YES! ", "ja", "Oui", "sí", "sim", "sì", "да", "是的", "はい。", "네", "हाँ", "proceed", "Proceed.",
     "go ahead", "yes, go ahead", "please proceed"],
)  # fmt: skip
def test_yes_in_every_language_releases_and_so_does_proceed(text):
    assert is_released(told(ONE, text, answers_hold=True))


@corpus("text", ["yes and delete b.py too", "yes?", "ok", "no", "continue", "proceed with it all", "y" * 50])
def test_other_words_do_not(text):
    assert not is_bare_word(text)
    assert not is_released(told(ONE, text, answers_hold=True))


@corpus("word", ["yes", "proceed"])
@corpus(
    ("found", "answers_hold"),
    [
        (ONE, False),
        (held(EDIT), True),
        (held(EDIT, readings=()), True),
        (held(EDIT, readings=("fix a.py",), binding=False), True),
        (held(REMOVE, readings=("fix a.py",)), True),
        (held(call("edit a; rm b", "", *EDIT.each, effect("delete", "/p/b.py")), readings=("fix a.py",)), True),
        (held(REMOVE, EDIT, readings=("fix a.py",)), True),
        (held(EDIT, found=held(OTHER, readings=("fix b.py",)), readings=("fix a.py",)), True),
        (held(OTHER, found=held(EDIT, readings=("fix a.py",), binding=False), readings=("fix a.py",)), True),
        (replace(ONE, cancelled=True), True),
    ],
    ids=[
        "not the first word, or another question", "two readings", "none", "readers down", "a delete",
        "a delete among others", "a delete before", "two readings of two writes", "one unjudged", "cancelled",
    ],
)  # fmt: skip
def test_else_it_is_a_clarification(found, answers_hold, word):
    here = told(found, word, answers_hold=answers_hold)
    assert not any(denial.released for denial in here.denials)
    assert here.clarifications == (word,)


def test_a_hold_that_a_reading_was_never_noted_of_is_not_released():
    """As an older version kept it."""
    old = replace(ONE, denials=tuple(replace(one, reading="") for one in ONE.denials), held_at=None)
    assert not one_reading(old)

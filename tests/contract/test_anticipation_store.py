"""What is read at a prompt, in every store: one reading a prompt, spent once, void with the next prompt."""

from __future__ import annotations

from samples.state_stores import NOW

from evaluator.model import Evidence, Reading, Sample
from evaluator.state.store import Store
from evaluator.verdict.anticipation import Anticipation

SECONDS = 20.0
SAMPLES = (
    Sample(
        "anticipating-1",
        0.9,
        "none",
        "na\u00efve \ud800",
        Reading("change", "src/\u00e9.py", "one_file"),
        blind=True,
    ),
    Sample("anticipating-2", error="timeout: late", blind=True, cost_usd=0.1),
)
EVIDENCE = Evidence("none", "unknown", "modifying", (), "change src/\u00e9.py", turn_so_far=("a", "b"))
FOUND = Anticipation(3, "digest", SAMPLES, "anthropic", "m", EVIDENCE, '["anthropic", "", "m"]')


def begins(store: Store, position: int = 3, token: str = "a") -> bool:
    return store.begin_anticipation("s", position, token, NOW, SECONDS)


def test_one_reads_a_prompt_and_it_comes_back_whole(store: Store) -> None:
    assert store.anticipation("s", NOW) is None
    assert begins(store)
    assert not begins(store, token="b")
    assert store.anticipation("s", NOW + 5) == SECONDS - 5
    assert store.end_anticipation("s", "a", FOUND)
    assert store.anticipation("s", NOW + 5) == FOUND
    assert store.anticipation("another", NOW + 5) is None
    assert not begins(store, token="b")


def test_it_is_spent_once(store: Store) -> None:
    begins(store)
    store.end_anticipation("s", "a", FOUND)
    assert store.spend_anticipation("s")
    assert not store.spend_anticipation("s")
    assert store.anticipation("s", NOW) is None


def test_what_is_spent_while_it_is_read_stays_so(store: Store) -> None:
    begins(store)
    assert store.spend_anticipation("s")
    assert not store.end_anticipation("s", "a", FOUND)
    assert store.anticipation("s", NOW) is None


def test_a_newer_prompt_takes_the_place_of_an_older_one(store: Store) -> None:
    begins(store)
    assert begins(store, 4, "b")
    assert not store.end_anticipation("s", "a", FOUND)
    assert not begins(store, 3, "c")
    assert store.end_anticipation("s", "b", FOUND)


def test_a_reading_that_came_to_nothing_is_waited_for_no_longer(store: Store) -> None:
    begins(store)
    assert store.end_anticipation("s", "a", None)
    assert store.anticipation("s", NOW) is None


def test_nobody_waits_past_its_time_or_for_one_of_the_future(store: Store) -> None:
    begins(store)
    assert store.anticipation("s", NOW + SECONDS) is None
    assert store.anticipation("s", NOW - 60) is None


def test_it_goes_with_its_session(store: Store) -> None:
    store.start_session("s", "/p", NOW)
    begins(store)
    store.end_anticipation("s", "a", FOUND)
    store.end_session("s", NOW)
    store.sweep(NOW + 2 * 86_400.0, 30)
    assert store.anticipation("s", NOW) is None

"""What every state store promises of texts that a session is owed, run over the database and over memory."""

from __future__ import annotations

from evaluator.intervention.records import Owed
from evaluator.state.sessions import OWED_MAX
from evaluator.state.store import Store

NOW = 1_735_732_800.0
DAY = 86_400.0
HELD = Owed("Compass held back: delete a.py", "Compass held back: delete a.py.", held=True)
TOLD = Owed("Compass: the readers\udc80 are down", "", held=False)


def test_all_that_is_owed_is_given_once_in_order_to_its_session(store: Store) -> None:
    store.owe("s", HELD)
    store.owe("s", TOLD)
    store.owe("other", TOLD)
    assert store.take_owed("s") == (HELD, TOLD)
    assert store.take_owed("s") == ()
    assert store.take_owed("other") == (TOLD,)


def test_past_the_bound_the_oldest_goes(store: Store) -> None:
    for number in range(OWED_MAX + 2):
        store.owe("s", Owed(str(number), "", held=True))
    assert [one.person for one in store.take_owed("s")] == [str(n) for n in range(2, OWED_MAX + 2)]


def test_it_goes_with_its_session(store: Store) -> None:
    store.start_session("s", "/p", NOW)
    store.owe("s", HELD)
    store.sweep(NOW + DAY, 30)
    store.owe("s", TOLD)
    store.sweep(NOW + 31 * DAY, 30)
    assert store.take_owed("s") == ()

"""Three calls a turn, or a minute where no turn is vouched for."""

from compass.mcp_server.tools import CALLS_MAX, SPAN_SECONDS, TURNS_MAX, CallCounts


def test_a_turn_has_its_three_calls_however_long_it_lasts() -> None:
    calls = CallCounts()
    assert [calls.take("a", 1000.0 * n) for n in range(5)] == [True] * CALLS_MAX + [False] * 2
    assert calls.take("b", 0.0)


def test_without_turns_it_is_a_sliding_minute() -> None:
    calls = CallCounts()
    assert [calls.take("", at) for at in (0.0, 10.0, 50.0, 59.9)] == [True, True, True, False]
    assert [calls.take("", at) for at in (SPAN_SECONDS, SPAN_SECONDS + 1, 70.0)] == [True, False, True]


def test_refused_calls_do_not_prolong_it() -> None:
    calls = CallCounts()
    assert sum(calls.take("", at / 10) for at in range(599)) == CALLS_MAX
    assert calls.take("", SPAN_SECONDS)


def test_a_turn_that_goes_on_is_not_forgotten_for_newer_ones() -> None:
    calls = CallCounts()
    for number in range(CALLS_MAX):
        calls.take("a", float(number))
    for number in range(TURNS_MAX * 2):
        calls.take(f"t{number}", 0.0)
        assert not calls.take("a", 0.0)

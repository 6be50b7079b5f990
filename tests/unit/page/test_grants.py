"""Links that count once and for a minute, and the tokens that they give."""

import pytest

from evaluator import wire
from evaluator.service.credentials import KEPT_MAX, LINK_SECONDS, TOKEN_SECONDS, Grants, new_secret


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def grants(clock):
    return Grants(clock)


def test_a_link_gives_a_token_of_its_own_scope(grants):
    token = grants.exchange(grants.link("here"))
    assert grants.scope_of(token) == "here"
    assert grants.scope_of(grants.exchange(grants.link("there"))) == "there"


def test_a_link_is_no_token_and_a_token_is_no_link(grants):
    link = grants.link("here")
    assert grants.scope_of(link) is None
    token = grants.exchange(link)
    assert grants.exchange(token) is None


def test_a_link_counts_once_and_a_second_time_closes_what_it_opened(grants):
    link = grants.link("here")
    other = grants.exchange(grants.link("here"))
    token = grants.exchange(link)
    assert grants.exchange(link) is None
    assert grants.scope_of(token) is None
    assert grants.scope_of(other) == "here"


def test_a_link_ends_after_a_minute(grants, clock):
    early, late = grants.link("here"), grants.link("here")
    clock.now += LINK_SECONDS - 0.01
    assert grants.exchange(early) is not None
    clock.now += 0.01
    assert grants.exchange(late) is None
    assert LINK_SECONDS == 60


def test_a_used_link_that_comes_again_late_closes_its_page_all_the_same(grants, clock):
    link = grants.link("here")
    token = grants.exchange(link)
    clock.now += 10 * LINK_SECONDS
    assert grants.exchange(link) is None
    assert grants.scope_of(token) is None


def test_a_token_ends(grants, clock):
    token = grants.exchange(grants.link("here"))
    clock.now += TOKEN_SECONDS - 1
    assert grants.scope_of(token) == "here"
    clock.now += 1
    assert grants.scope_of(token) is None


@pytest.mark.parametrize("wrong", ["", "x", wire.PAGE_SECRET, "\ud800", "\x00", "a" * 100_000])
def test_what_is_no_secret_opens_nothing(grants, wrong):
    link = grants.link("here")
    assert grants.exchange(wrong) is None
    assert grants.exchange(link[:-1]) is None
    assert grants.exchange(link + "x") is None
    assert grants.scope_of(wrong) is None


def test_only_so_many_are_kept_and_the_oldest_go(grants):
    links = [grants.link(number) for number in range(KEPT_MAX + 1)]
    assert grants.exchange(links[0]) is None
    assert grants.exchange(links[1]) is not None


def test_nothing_that_opens_is_kept_as_it_is(grants):
    link = grants.link("here")
    token = grants.exchange(link)
    kept = repr(grants._links) + repr(grants._tokens)
    assert link not in kept and token not in kept


def test_secrets_are_long_differ_and_bear_the_mark():
    found = {new_secret() for _ in range(50)}
    assert len(found) == 50
    assert all(one.startswith(wire.PAGE_SECRET) and len(one) - len(wire.PAGE_SECRET) == 43 for one in found)

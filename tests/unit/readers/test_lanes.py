"""Which client a request gets where many are under way."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, suppress

from evaluator.readers.anthropic_api import LANE, Lanes


class Client:
    def __init__(self) -> None:
        self.closed = 0

    async def close(self) -> None:
        self.closed += 1


def test_few_requests_share_one_client_and_many_are_spread() -> None:
    made: list[Client] = []

    def make() -> Client:
        made.append(Client())
        return made[-1]

    lanes = Lanes(make)
    for _ in range(3 * LANE):
        with lanes.client() as one:
            assert one is made[0]
    with ExitStack() as under_way:
        held = [under_way.enter_context(lanes.client()) for _ in range(2 * LANE + 1)]
        assert [held.count(one) for one in made] == [LANE, LANE, 1]
        under_way.pop_all().close()
    with lanes.client() as one:
        assert one is made[0], "a lane has room again once its requests have ended"


def test_a_request_that_fails_gives_its_room_back() -> None:
    lanes = Lanes(Client)
    seen: set[Client] = set()
    for _ in range(2 * LANE):
        with suppress(ValueError), lanes.client() as one:
            seen.add(one)
            int("no number")
    assert len(seen) == 1


def test_all_are_closed_though_a_request_is_under_way_and_new_ones_are_made_after() -> None:
    lanes = Lanes(Client)
    with ExitStack() as under_way:
        before = {under_way.enter_context(lanes.client()) for _ in range(LANE + 1)}
        asyncio.run(lanes.aclose(Client.close))
        assert [one.closed for one in before] == [1, 1]
        assert under_way.enter_context(lanes.client()) not in before

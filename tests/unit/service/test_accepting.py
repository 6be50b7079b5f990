"""Whose call is taken, and when its client is told so: where the answer does not come at once."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator import wire
from evaluator.service.server import ACCEPTED_AFTER_SECONDS, LARGE_BYTES, WORKERS, HookReply, Request, Service
from hooks.client import ACCEPT_SECONDS

INSTALL = ("0.1.0", "/here")
Judge = Callable[[Request], HookReply]


def frame(payload: bytes = b"{}", who: bytes = b"0.1.0\0/here") -> bytes:
    return wire.frame(wire.REQUEST, wire.pack(who, b"pre-tool-use", b"/", b"", payload))


LONGEST = b"%d" % (wire.LONGEST_SECONDS * 1000)
JUDGED = (wire.ANSWER, wire.pack(b"judged", b""))


Frame = tuple[int, bytes]


def talk(place: Path, judge: Judge, sent: bytes, ends: int, before: int = 0) -> tuple[list[Frame], Service]:
    """All frames up to the one of number `ends` that is no ACCEPTED, and the service; `before` calls wait already."""

    async def said() -> tuple[list[Frame], Service]:
        service = Service(INSTALL, judge, lambda *_: False)
        server = await asyncio.get_running_loop().create_unix_server(service.connection, place)
        reader, writer = await asyncio.open_unix_connection(place)
        service.waiting = before
        writer.write(sent)
        found: list[Frame] = []
        try:
            while sum(kind != wire.ACCEPTED for kind, _ in found) < ends:
                kind, size = wire.header(await reader.readexactly(wire.HEADER_BYTES))
                found.append((kind, await reader.readexactly(size)))
        except asyncio.IncompleteReadError:
            found.append((0, b""))
        assert service.waiting == before
        service.waiting = 0
        writer.close()
        server.close()
        await service.drain(1)
        return found, service

    return asyncio.run(said())


def answers(
    place: Path, judge: Judge, calls: int = 1, payload: bytes = b"{}", before: int = 0
) -> list[Frame]:
    """Those of calls that are sent at once on one connection."""
    return talk(place, judge, frame(payload) * calls, calls, before)[0]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "s"


def test_an_answer_that_comes_at_once_is_the_only_frame(place):
    assert answers(place, lambda _: HookReply(b"judged"), calls=3) == [JUDGED] * 3


def test_a_call_that_takes_a_while_is_told_how_long_it_may(place):
    def judge(_: Request) -> HookReply:
        time.sleep(3 * ACCEPTED_AFTER_SECONDS)
        return HookReply(b"judged")

    assert answers(place, judge) == [(wire.ACCEPTED, LONGEST), JUDGED]
    assert ACCEPTED_AFTER_SECONDS < ACCEPT_SECONDS / 10


@pytest.mark.parametrize(
    ("payload", "before", "told"),
    [
        (b" " * (LARGE_BYTES + 1), 0, True),
        (b" " * LARGE_BYTES, 0, False),
        (b"{}", WORKERS, True),
        (b"{}", WORKERS - 1, False),
    ],
)
def test_a_large_call_and_one_that_waits_for_a_worker_are_taken_at_once(place, payload, before, told):
    found = answers(place, lambda _: HookReply(b"judged"), payload=payload, before=before)
    assert found == ([(wire.ACCEPTED, LONGEST), JUDGED] if told else [JUDGED])


def test_a_judge_that_knows_better_says_so_at_once_and_once(place):
    def judge(request: Request) -> HookReply:
        request.accept(7.0)
        time.sleep(3 * ACCEPTED_AFTER_SECONDS)
        return HookReply(b"judged")

    assert answers(place, judge) == [(wire.ACCEPTED, b"7000"), JUDGED]


def test_a_judge_that_breaks_ends_the_connection(place):
    seen: list[str] = []

    def judge(_: Request) -> HookReply:
        seen.append(threading.current_thread().name)
        raise OSError("broken")

    assert answers(place, judge) == [(0, b"")]
    assert seen
    assert threading.current_thread().name not in seen


@pytest.mark.parametrize(
    ("who", "why"),
    [
        (b"999.0\0/here", wire.OLDER),
        (b"999.0\0/elsewhere", wire.OLDER),
        # A step back of this very installation.
        (b"0.0.1\0/here", wire.OLDER),
        (b"0.0.1\0/elsewhere", wire.NEWER),
        (b"0.1.0\0/elsewhere", wire.OTHER),
    ],
)
def test_another_installation_is_refused_and_ends_the_service_only_where_it_is_newer(place, who, why):
    found, service = talk(place, lambda _: HookReply(b"judged"), frame(who=who), 1)
    assert found == [(wire.REFUSED, why)]
    assert (service.closing.is_set(), service.counts.refused) == (why == wire.OLDER, 1)

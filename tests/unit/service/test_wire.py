"""What hook and service agree on: frames, the socket's folder, versions, when a call is taken; jobs beside calls."""

import asyncio
import threading
import time
from itertools import pairwise

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st

from compass.composition.process import JOBS_MAX, Aside
from evaluator import wire
from evaluator.service.server import (
    ACCEPTED_AFTER_SECONDS,
    LARGE_BYTES,
    QUEUE_MAX,
    WORKERS,
    HookReply,
    Service,
    ordinal,
)
from hooks.client import ACCEPT_SECONDS


@given(st.integers(0, 255), st.binary(max_size=200), st.lists(st.binary(max_size=50), max_size=6))
def test_frames_and_fields_are_read_back(kind, body, fields):
    whole = wire.frame(kind, body)
    assert wire.header(whole[: wire.HEADER_BYTES]) == (kind, len(body))
    assert whole[wire.HEADER_BYTES :] == body
    assert wire.unpack(wire.pack(*fields), len(fields)) == fields


@given(st.lists(st.binary(max_size=50), min_size=1, max_size=6), st.data())
def test_a_body_that_was_cut_or_grew_is_refused(fields, data):
    body = wire.pack(*fields)
    cut = data.draw(st.integers(0, len(body) - 1))
    for wrong in (body[:cut], body + b"x"):
        with pytest.raises(ValueError, match="frame"):
            wire.unpack(wrong, len(fields))


@given(st.binary(min_size=wire.HEADER_BYTES, max_size=wire.HEADER_BYTES))
def test_another_protocol_or_version_is_not_understood(head):
    if head.startswith(wire.MAGIC):
        head = b"x" + head[1:]
    with pytest.raises(ValueError, match="not a frame"):
        wire.header(head)


def test_a_body_beyond_the_bound_is_refused():
    head = wire.MAGIC + bytes((wire.REQUEST,)) + (wire.MAX_BODY_BYTES + 1).to_bytes(4, "big")
    with pytest.raises(ValueError, match="larger"):
        wire.header(head)


@corpus(
    ("env", "folder"),
    [
        ({b"XDG_RUNTIME_DIR": b"/run/user/7", b"HOME": b"/home/me"}, b"/run/user/7/compass"),
        ({b"XDG_RUNTIME_DIR": b"relative", b"HOME": b"/home/me"}, b"/home/me/.onlooker/compass/run"),
        ({b"ONLOOKER_DIR": b"/state", b"HOME": b"/home/me"}, b"/state/compass/run"),
        ({b"HOME": b""}, b""),
        ({}, b""),
    ],
)
def test_the_folder_of_the_socket(env, folder):
    assert wire.run_dir(env) == folder


def test_a_folder_too_deep_for_a_sockets_address_has_none():
    assert wire.socket_path({b"HOME": b"/" + b"x" * 90}) == b""


ORDER = ("", "0.0.9", "0.1.0", "0.1.1.dev9+gab", "0.1.1.dev10+g01.d20260101", "0.1.1", "0.1.10", "999.0")


@corpus(("older", "newer"), list(pairwise(ORDER)))
def test_development_versions_come_before_the_release_that_they_lead_to(older, newer):
    assert ordinal(older) < ordinal(newer)


def test_what_is_no_version_is_no_fault():
    assert ordinal("x.y²") == (0, 0, 0) and ordinal("1.dev") < ordinal("1.1")


def test_a_job_that_cannot_begin_takes_no_place(monkeypatch):
    aside, done = Aside(), threading.Event()

    def no_thread(_):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as bounded:
        bounded.setattr(threading.Thread, "start", no_thread)
        assert [aside.start(done.set) for _ in range(JOBS_MAX)] == [False] * JOBS_MAX
    assert aside.start(done.set)
    assert done.wait(5)


def test_so_many_jobs_run_at_once_and_no_more():
    aside, go = Aside(), threading.Event()

    def waits():
        go.wait(10)

    try:
        assert all(aside.start(waits) for _ in range(JOBS_MAX))
        assert not aside.start(go.set)
    finally:
        go.set()


def frame(payload=b"{}", who=b"0.1.0\0/here"):
    return wire.frame(wire.REQUEST, wire.pack(who, b"pre-tool-use", b"/", b"", payload))


LONGEST = b"%d" % (wire.LONGEST_SECONDS * 1000)
JUDGED = (wire.ANSWER, wire.pack(b"judged", b""))


def talk(place, judge, sent, ends, before=0):
    """All frames up to the one of number `ends` that is no ACCEPTED, and the service; `before` calls wait already."""

    async def said():
        service = Service(("0.1.0", "/here"), judge, lambda *_: False)
        server = await asyncio.get_running_loop().create_unix_server(service.connection, place)
        reader, writer = await asyncio.open_unix_connection(place)
        service.waiting = before
        writer.write(sent)
        found = []
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


def answers(place, judge, calls=1, payload=b"{}", before=0):
    """Those of calls that are sent at once on one connection."""
    return talk(place, judge, frame(payload) * calls, calls, before)[0]


@pytest.fixture
def place(tmp_path):
    return tmp_path / "s"


def test_an_answer_that_comes_at_once_is_the_only_frame(place):
    assert answers(place, lambda _: HookReply(b"judged"), calls=3) == [JUDGED] * 3


def test_a_call_that_takes_a_while_is_told_how_long_it_may(place):
    def judge(_):
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


def test_a_call_beyond_the_bound_of_those_that_wait_is_refused_clearly(place):
    for before, found in ((QUEUE_MAX, (wire.REFUSED, wire.BUSY)), (QUEUE_MAX - 1, JUDGED)):
        assert answers(place, lambda _: HookReply(b"judged"), before=before)[-1] == found


def test_a_judge_that_knows_better_says_so_at_once_and_once(place):
    def judge(request):
        request.accept(7.0)
        time.sleep(3 * ACCEPTED_AFTER_SECONDS)
        return HookReply(b"judged")

    assert answers(place, judge) == [(wire.ACCEPTED, b"7000"), JUDGED]


def test_a_judge_that_breaks_ends_the_connection(place):
    seen = []

    def judge(_):
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

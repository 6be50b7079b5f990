"""What hook and service agree on: frames, the socket's folder, whose version is newer; and jobs beside calls."""

from __future__ import annotations

import threading
from itertools import pairwise

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st

from compass.composition.process import JOBS_MAX, Aside
from evaluator import wire
from evaluator.service.server import ordinal


@given(st.integers(0, 255), st.binary(max_size=200))
def test_a_frame_is_read_back(kind, body):
    whole = wire.frame(kind, body)
    assert wire.header(whole[: wire.HEADER_BYTES]) == (kind, len(body))
    assert whole[wire.HEADER_BYTES :] == body


@given(st.lists(st.binary(max_size=50), max_size=6))
def test_fields_are_read_back(fields):
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


# Which of two versions a service takes for the newer one.


ORDER = ("", "0.0.9", "0.1.0", "0.1.1.dev9+gab", "0.1.1.dev10+g01.d20260101", "0.1.1", "0.1.10", "999.0")


@corpus(("older", "newer"), list(pairwise(ORDER)))
def test_development_versions_come_before_the_release_that_they_lead_to(older: str, newer: str) -> None:
    assert ordinal(older) < ordinal(newer)


def test_what_is_no_version_is_no_fault() -> None:
    assert ordinal("x.y²") == (0, 0, 0) and ordinal("1.dev") < ordinal("1.1")


# Jobs beside the calls of a service.


def test_a_job_that_cannot_begin_takes_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    aside, done = Aside(), threading.Event()

    def no_thread(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as bounded:
        bounded.setattr(threading.Thread, "start", no_thread)
        assert [aside.start(done.set) for _ in range(JOBS_MAX)] == [False] * JOBS_MAX
    assert aside.start(done.set)
    assert done.wait(5)


def test_so_many_jobs_run_at_once_and_no_more() -> None:
    aside, go = Aside(), threading.Event()

    def waits() -> None:
        go.wait(10)

    try:
        assert all(aside.start(waits) for _ in range(JOBS_MAX))
        assert not aside.start(go.set)
    finally:
        go.set()

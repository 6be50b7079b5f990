"""Jobs beside the calls of a service."""

from __future__ import annotations

import threading

import pytest

from compass.composition.process import JOBS_MAX, Aside


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

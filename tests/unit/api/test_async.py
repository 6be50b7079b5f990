"""The awaited forms: many share connections, none takes a thread while it waits, a cancelled one leaves nothing."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from apis.loopback_api import Behaviour, LoopbackApi, barrier, hang, reply
from repository import ROOT
from running.hookrun import KEY

from compass import AsyncGate, Verdict, judge, judge_async
from compass.api.async_driver import drive_async
from compass.composition.process import WORKERS, kept
from evaluator.gate.run import Sleep, Waiting
from evaluator.service.lifecycle import raise_file_limit

FOUND = "I found two unused files: src/old_auth.py and src/legacy_auth.py."


@pytest.fixture
def api(project: Path, monkeypatch: pytest.MonkeyPatch):
    with LoopbackApi() as found:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        yield found


async def note(number: int) -> Verdict:
    return await judge_async(f"Create n{number}.txt that says hi", path=f"n{number}.txt", content="hi\n")


async def until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110 - what is waited for happens in another thread
        await asyncio.sleep(0.01)


def test_it_comes_to_the_same(project: Path) -> None:
    held = asyncio.run(judge_async("Just delete it.", prior=FOUND, command="rm src/old_auth.py"))
    same = judge("Just delete it.", prior=FOUND, command="rm src/old_auth.py")
    assert (held.reason, held.question, held.readings) == (same.reason, same.question, same.readings)


@pytest.mark.full
def test_a_hundred_wait_side_by_side_without_a_thread_each(
    api: LoopbackApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No answer comes before all five hundred samples are asked for: whoever waited in turn would time out."""
    raise_file_limit()  # both ends of five hundred connections are this process's
    monkeypatch.setenv("COMPASS_EVALUATOR__MAX_CONCURRENT_SAMPLES", "500")
    monkeypatch.setenv("COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS", "60")
    monkeypatch.setenv("COMPASS_DEADLINE_SECONDS", "80")
    api.default = barrier(500)
    ours = 0

    async def all_of_them() -> list[Verdict]:
        nonlocal ours
        asked = asyncio.gather(*(note(number) for number in range(100)))
        while len(api.requests) < 500 and not asked.done():
            await asyncio.sleep(0.05)
            ours = max(ours, sum("process_request_thread" not in one.name for one in threading.enumerate()))
        return await asked

    before = threading.active_count()
    found = asyncio.run(all_of_them())
    assert [one.verdict for one in found] == ["passed"] * 100
    assert api.in_flight_max == 500
    assert ours - before <= WORKERS + 20, "workers, the readers' loop, and its look-ups of addresses"
    # The next hundred take the connections of the first.
    api.default = reply()
    first = {request.client for request in api.requests}
    assert len(first) == 500
    api.requests.clear()
    asyncio.run(all_of_them())
    opened = {request.client for request in api.requests} - first
    assert len(opened) <= 125, len(opened)


def test_the_machines_bound_holds_for_those_that_are_awaited(
    api: LoopbackApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPASS_EVALUATOR__MAX_CONCURRENT_SAMPLES", "10")
    api.default = reply(delay=0.1)

    async def all_of_them() -> list[Verdict]:
        return await asyncio.gather(*(note(number) for number in range(6)))

    assert {one.verdict for one in asyncio.run(all_of_them())} == {"passed"}
    assert api.in_flight_max <= 10


def test_a_loop_goes_on_while_readers_are_asked(api: LoopbackApi) -> None:
    go = threading.Event()
    api.default = Behaviour(text=reply().text, until=go)
    turns = 0

    async def beside() -> Verdict:
        nonlocal turns
        asked = asyncio.create_task(note(1))
        while len(api.requests) < 2:
            turns += 1
            await asyncio.sleep(0.01)
        assert not asked.done()
        go.set()
        return await asked

    assert asyncio.run(beside()).verdict == "passed"
    assert turns > 1


@pytest.mark.full
def test_one_that_is_cancelled_ends_its_readers_and_takes_nothing_from_others(api: LoopbackApi) -> None:
    api.queue(*[hang()] * 2)

    async def given_up() -> Verdict:
        first = asyncio.create_task(note(1))
        await until(lambda: len(api.requests) == 2)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        return await note(2)

    assert asyncio.run(given_up()).verdict == "passed"
    assert kept().readers._asked == {}


async def answer_of_second(api: LoopbackApi) -> Verdict:
    """Of two who ask the same the first gives up while the readers think; then they answer."""
    go = threading.Event()
    api.default = Behaviour(text=reply().text, until=go)
    first = asyncio.create_task(note(1))
    await until(lambda: len(api.requests) == 2)
    second = asyncio.create_task(note(1))
    await until(lambda: any(one.waiting == 2 for one in kept().readers._asked.values()))
    first.cancel()
    await asyncio.wait([first])
    assert first.cancelled()
    go.set()
    return await second


def booked(project: Path) -> tuple[int, float]:
    """Samples and US dollars of today, as the machine's caps count them."""
    with closing(sqlite3.connect(project.parent / "state" / "compass" / "compass.db")) as state:
        rows = state.execute("SELECT samples, usd FROM spending").fetchall()
    return sum(row[0] for row in rows), sum(row[1] for row in rows)


def test_what_was_sent_counts_though_nobody_waits_for_it(
    api: LoopbackApi, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One answered and was paid for before the wait was given up; one was still asked."""
    monkeypatch.setenv("COMPASS_EVALUATOR__DAILY_CALLS", "2")
    api.queue(reply(), hang())

    async def given_up() -> Verdict:
        asked = asyncio.create_task(note(1))
        await until(lambda: len(api.requests) == 2)
        await until(
            lambda: [sum(map(bool, one.sent.values())) for one in kept().readers._asked.values()] == [1]
        )
        asked.cancel()
        await asyncio.wait([asked])
        assert asked.cancelled()
        return await note(2)

    after = asyncio.run(given_up())
    samples, usd = booked(project)
    assert samples == 2 and usd > 0
    assert (after.reason, len(api.requests)) == ("evaluator_budget_exhausted", 2), "the day's cap is reached"


def test_what_was_sent_counts_where_a_judge_is_interrupted(api: LoopbackApi, project: Path) -> None:
    api.default = hang()

    def interrupt() -> None:
        assert api.wait_for_requests(2)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    other = threading.Thread(target=interrupt)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        judge("Create a.txt that says hi", path="a.txt", content="hi\n")
    other.join()
    assert booked(project)[0] == 2


def test_those_who_wait_for_a_slot_have_sent_nothing(
    api: LoopbackApi, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPASS_EVALUATOR__MAX_CONCURRENT_SAMPLES", "2")
    api.default = hang()

    async def given_up() -> None:
        first = asyncio.create_task(note(1))
        await until(lambda: len(api.requests) == 2)
        second = asyncio.create_task(note(2))
        await asyncio.sleep(0.3)
        second.cancel()
        await asyncio.wait([second])
        first.cancel()
        await asyncio.wait([first])

    asyncio.run(given_up())
    assert booked(project)[0] == 2


def test_whoever_takes_the_shared_answer_pays_where_the_first_gave_up(
    api: LoopbackApi, project: Path
) -> None:
    found = asyncio.run(answer_of_second(api))
    assert (found.verdict, len(api.requests)) == ("passed", 2), "those who ask the same share the answer"
    assert found.cost_usd and booked(project) == (2, pytest.approx(found.cost_usd))


@pytest.mark.full
def test_a_process_that_ends_meanwhile_ends_in_silence(api: LoopbackApi, project: Path) -> None:
    """Its readers are given up, and nothing is said of it."""
    api.default = hang()
    code = (
        "import threading\n"
        "from compass import judge\n"
        "def ask(): judge('Create a.txt that says hi', path='a.txt', content='hi')\n"
        "threading.Thread(target=ask, daemon=True).start()\n"
        "input()\n"
    )
    begun = subprocess.Popen(
        [sys.executable, "-c", code], cwd=project, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert api.wait_for_requests(2)
    _, said = begun.communicate("\n", timeout=30)
    assert (begun.returncode, said) == (0, "")


def test_judge_may_be_called_within_a_running_loop(api: LoopbackApi) -> None:
    async def inside() -> Verdict:
        return judge("Create a.txt that says hi", path="a.txt", content="hi\n")

    assert asyncio.run(inside()).verdict == "passed"


def _judged_in_child(connection: object) -> None:
    found = judge("Create b.txt that says hi", path="b.txt", content="hi\n")
    connection.send((found.verdict, found.backend))  # type: ignore[attr-defined]


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork.*:DeprecationWarning")
def test_a_forked_child_connects_anew(api: LoopbackApi) -> None:
    assert judge("Create a.txt that says hi", path="a.txt", content="hi\n").verdict == "passed"
    forking = multiprocessing.get_context("fork")
    here, there = forking.Pipe()
    child = forking.Process(target=_judged_in_child, args=(there,))
    child.start()
    try:
        assert here.poll(30) and here.recv() == ("passed", "anthropic")
    finally:
        child.join(10)


def test_a_gate_is_awaited_from_the_hold_to_the_release(project: Path) -> None:
    async def whole() -> list[str]:
        reasons: list[str] = []
        async with AsyncGate() as gate:
            session = await gate.session("one")
            await session.user("Find unused files")
            session.agent(FOUND)
            await session.user("Just delete it.")
            call = {"command": "rm src/old_auth.py"}
            reasons.append((await session.before("Bash", call, call_id="1")).reason)
            session.agent("Compass held that back.")
            await session.user("compass: proceed")
            reasons.append((await session.before("Bash", call, call_id="2")).reason)
            await session.after("2")
            again = await gate.session("one")
            reasons.append((await again.before("Bash", call, call_id="3")).reason)
            await session.end()
        return reasons

    assert asyncio.run(whole()) == ["low_confidence", "released", "low_confidence"]


def test_one_that_is_cancelled_gives_back_the_turns_check(
    api: LoopbackApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPASS_MAX_CHECKS_PER_TURN", "1")
    api.queue(*[hang()] * 2)

    async def given_up() -> Verdict:
        async with AsyncGate() as gate:
            session = await gate.session("one")
            await session.user("Create notes.txt that says hi")
            call = {"file_path": "notes.txt", "content": "hi\n"}
            first = asyncio.create_task(session.before("Write", call, call_id="1"))
            await until(lambda: len(api.requests) == 2)
            first.cancel()
            await asyncio.wait([first])
            assert first.cancelled()
            return await session.before("Write", call, call_id="2")

    assert asyncio.run(given_up()).backend == "anthropic"
    assert len(api.requests) == 4


def test_work_that_is_cancelled_between_two_waits_is_wound_up() -> None:
    begun, go, ended = threading.Event(), threading.Event(), list[str]()

    def work() -> Waiting[None]:
        try:
            begun.set()
            go.wait(30)
            yield Sleep(60.0)
        finally:
            ended.append(threading.current_thread().name)

    async def cancelled() -> None:
        driven = asyncio.create_task(drive_async(work()))
        await until(begun.is_set)
        driven.cancel()
        go.set()
        with pytest.raises(asyncio.CancelledError):
            await driven
        assert len(ended) == 1 and ended[0].startswith("compass"), "not left to the collector of garbage"

    asyncio.run(cancelled())


def test_calls_of_one_session_with_equal_evidence_share_one_check(api: LoopbackApi) -> None:
    """Ten wait for the one that flies, on fewer threads than they are."""
    api.default = reply(delay=0.5)

    async def side_by_side() -> list[Verdict]:
        async with AsyncGate() as gate:
            session = await gate.session("one")
            await session.user("Create notes.txt that says hi")
            call = {"file_path": "notes.txt", "content": "hi\n"}
            calls = (session.before("Write", call, call_id=str(n)) for n in range(10))
            return list(await asyncio.gather(*calls))

    found = asyncio.run(side_by_side())
    assert all(one.allowed for one in found)
    assert len(api.requests) == 2

"""Bulk work on engines: whoever judges, and whoever is killed on the way, the result is that of one process."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest
from running.hookrun import Place
from running.tree import ran
from samples.many import cases

from compass.engines import processes
from compass.engines.engine import Engine, KilledError
from compass.engines.entry import Entry, without_keys
from compass.engines.processes import Processes

FEW = 480
TWO = ("--jobs", "2")
RAY = (*TWO, "--engine", "ray")


def with_pid(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def ends_its_process() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def ends_the_first(marker: str) -> str:
    if not os.path.exists(marker):
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "judged again"


class OddError(Exception):
    """Pickles, and cannot be unpickled."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one)


def raises() -> None:
    raise ValueError("not this one")


def raises_oddly() -> None:
    raise OddError("one", "other")


def made_once() -> object:
    made_in = os.getpid()
    calls: list[int] = []

    def judge(number: int) -> tuple[int, int]:
        calls.append(number)
        return made_in, len(calls)

    return judge


@pytest.mark.full
@pytest.mark.parametrize("kind", ["processes", "ray"])
def test_an_engine_does_once_more_what_a_killed_worker_had_in_hand(tmp_path: Path, kind: str) -> None:
    """In a process of its own: Ray keeps threads, and warns of files that it leaves open."""
    script = "from unit_engines import through; through()"
    code = f"import sys; sys.path[:0] = {sys.path!r}; sys.modules.setdefault('x', sys); "
    support = tmp_path / "unit_engines.py"
    support.write_text(Path(__file__).read_text(encoding="utf-8"), encoding="utf-8")
    told = tmp_path / "told.json"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}sys.path[:0] = [{str(tmp_path)!r}]; {script}", kind, str(told)],
        env={**Place(tmp_path).environment(), "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        cwd=tmp_path, capture_output=True, timeout=110, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(told.read_text())
    assert found["squares"] == [n * n for n in range(40)]
    assert 2 <= found["workers"] <= 5
    assert found["killed"] == "KilledError" and found["again"] == "judged again"
    assert found["fault"] == "ValueError: not this one"
    assert found["odd"] not in ("", "None")
    assert found["made"] <= 3
    assert found["after"] == 9


def through() -> None:
    kind, told = sys.argv[1:]
    if kind == "ray":
        from compass.engines.on_ray import OnRay

        engine: Engine = OnRay("", 2)
    else:
        engine = Processes(2)
    with engine:
        squares = [engine.submit(with_pid, n) for n in range(20)]
        killed = engine.submit(ends_its_process)
        again = engine.submit(ends_the_first, told + ".marker")
        fault, odd = engine.submit(raises), engine.submit(raises_oddly)
        entry = Entry(made_once)
        made = [engine.submit(entry, n) for n in range(12)]
        squares += [engine.submit(with_pid, n) for n in range(20, 40)]
        judges = {one.result()[0] for one in made}
        found = {
            "squares": [one.result()[0] for one in squares],
            "workers": len({one.result()[1] for one in squares}),
            "killed": type(killed.exception()).__name__,
            "again": again.result(),
            "fault": f"{type(fault.exception()).__name__}: {fault.exception()}",
            "odd": type(odd.exception()).__name__,
            "made": len(judges),
            "after": engine.submit(with_pid, 3).result()[0],
        }
        assert isinstance(killed.exception(), KilledError)
    Path(told).write_text(json.dumps(found))


def result(done: bytes) -> str:
    return re.sub(r'"date": "[^"]*"', "", done.decode())


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, Path, str]:
    root = tmp_path_factory.mktemp("measured")
    place, file = Place(root), cases(root, FEW)
    done = ran(place, "calibrate", "--json", "--cases", file, "--out", "x", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    return place, file, result(done.stdout)


@pytest.mark.full
@pytest.mark.timeout(200)
@pytest.mark.parametrize("words", [TWO, RAY], ids=["processes", "ray"])
@pytest.mark.parametrize("killing", [False, True], ids=["", "killed"])
def test_any_engine_writes_the_same_result_as_one_process(
    measured: tuple[Place, Path, str], words: tuple[str, ...], killing: bool
) -> None:
    place, file, one = measured

    def half_way() -> bool:
        found = list(place.state.glob("compass/*/calibrate.unfinished.jsonl"))
        return killing and bool(found) and found[0].read_bytes().count(b"\n") > FEW // 4

    done = ran(place, "calibrate", "--json", "--cases", file, "--out", "x", *words, kills=half_way)
    assert done.returncode == 0, done.stderr
    assert (done.killed is not None) == killing
    assert result(done.stdout) == one
    assert not list(place.state.glob("compass/*/calibrate.unfinished.jsonl"))


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("words", [RAY, TWO], ids=["ray", "processes"])
def test_ten_thousand_cases_with_a_worker_killed_half_way(tmp_path: Path, words: tuple[str, ...]) -> None:
    place, file = Place(tmp_path), cases(tmp_path, 10_000)
    found = []
    for killing, more in ((False, ("--jobs", "1")), (False, words), (True, words)):

        def half_way(killing: bool = killing) -> bool:
            kept = list(place.state.glob("compass/*/calibrate.unfinished.jsonl"))
            return killing and bool(kept) and kept[0].read_bytes().count(b"\n") > 4000

        done = ran(place, "calibrate", "--json", "--cases", file, "--out", "x", *more, kills=half_way)
        assert done.returncode == 0, done.stderr
        assert (done.killed is not None) == killing
        found.append(result(done.stdout))
    assert found[0] == found[1] == found[2]


def test_an_unknown_engine_and_a_cluster_that_is_not_there_are_told(tmp_path: Path) -> None:
    place = Place(tmp_path)
    wrong = place.command("calibrate", "--engine", "dask")
    assert wrong.returncode == 2 and b"processes, ray or ray://HOST:PORT" in wrong.stderr


def test_where_no_process_can_be_started_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    with Processes(1) as engine:
        first = engine.submit(os.getpid)
        assert first.result(60) != os.getpid()

        def none_left() -> None:
            raise BlockingIOError("no process more")

        monkeypatch.setattr(processes, "_Process", none_left)
        with pytest.raises(BrokenExecutor, match="no process more"):
            engine.submit(os._exit, 3).result(60)
        with pytest.raises(BrokenExecutor, match="no process more"):
            engine.submit(os.getpid)


def test_workers_are_given_no_keys() -> None:
    env = {
        "HOME": "/h",
        "ANTHROPIC_API_KEY": "a",
        "GH_TOKEN": "b",
        "my_secret": "c",
        "COMPASS_MODE": "observe",
    }
    assert without_keys(env) == {"HOME": "/h", "COMPASS_MODE": "observe"}

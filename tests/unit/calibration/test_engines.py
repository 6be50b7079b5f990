"""Bulk work on engines: whoever judges, the result is that of one process."""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from running.haproxy import free_port
from running.hookrun import MAIN, Place
from running.processes import until
from samples.recordings import Recording

from calibration.cases.sources import corpus_dir
from compass.parallel import mapped, without_keys

FEW, MANY = 480, 2000
TWO = ("--jobs", "2")
SESSIONS, TURNS = 40, 16
"""Enough text that processes are worth starting."""
ASKED = ("Create {} that says hello", "make it better", "review {}, no changes", "Create {} with a greeting")


def cases(folder: Path, count: int) -> Path:
    """A file of the shipped ones, over and over under other names."""
    text = (corpus_dir() / "cases" / "test.jsonl").read_text(encoding="utf-8")
    rows = [row for row in map(json.loads, text.splitlines()) if row["label"] != "disputed"]
    file = folder / f"cases{count}.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for n in range(count):
            row = rows[n % len(rows)]
            names = {"id": f"{row['id']}-{n}", "pair": f"{row['pair']}-{n // len(rows)}"}
            out.write(json.dumps(row | names) + "\n")
    return file


def sessions(folder: Path, project: Path) -> Path:
    """A folder of recorded ones; each tenth repeats the lines of the one before, as one that was resumed does."""
    for number in range(SESSIONS):
        if number % 10 != 9:
            made = Recording(str(project))
        made.name = f"s{number:05d}"
        for turn in range(TURNS):
            request = ASKED[(number + turn) % len(ASKED)].format(f"part{turn}.txt")
            made.prompt(request, f"{made.name}-{turn}")
            for use in "ab":
                made.write_of(f"part{turn}.txt", f"{made.name}-{turn}{use}")
        made.save(folder)
    return folder


# What judges in other processes


def squares() -> Callable[[int], tuple[int, int, int]]:
    made_in = os.getpid()

    def judge(number: int) -> tuple[int, int, int]:
        if number < 0:
            raise ValueError("not this one")
        return number * number, made_in, os.getpid()

    return judge


def test_work_comes_back_in_order_by_a_function_that_each_process_makes_once():
    args = argparse.Namespace(engine="processes", jobs=2)
    found = list(mapped(args, squares, range(300)))
    assert [one[0] for one in found] == [number * number for number in range(300)]
    workers = {one[2] for one in found}
    assert len(workers) <= 2 and os.getpid() not in workers
    assert all(made_in == ran_in for _, made_in, ran_in in found)
    with pytest.raises(ValueError, match="not this one"):
        list(mapped(args, squares, [1, 2, -1]))


def test_an_unknown_engine_is_told(tmp_path):
    wrong = Place(tmp_path).command("calibrate", "--engine", "dask")
    assert wrong.returncode == 2 and b"processes or ray://HOST:PORT" in wrong.stderr


def test_workers_are_given_no_keys():
    kept = {"HOME": "/h", "COMPASS_MODE": "observe"}
    assert without_keys({**kept, "ANTHROPIC_API_KEY": "a", "GH_TOKEN": "b", "my_secret": "c"}) == kept


# Commands


@pytest.fixture
def cluster(tmp_path_factory):
    """Of one machine; it ends with all that it started."""
    port = free_port()
    folder = tmp_path_factory.getbasetemp().parent / "ray"
    words = (
        *("start", "--head", "--block", f"--port={free_port()}", f"--ray-client-server-port={port}"),
        *("--node-ip-address=127.0.0.1", "--num-cpus=2", "--object-store-memory=80000000"),
        *("--include-dashboard=false", f"--temp-dir={folder}"),
    )
    with subprocess.Popen(
        [Path(sys.executable).with_name("ray"), *words], env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    ) as head:  # fmt: skip
        yield f"ray://127.0.0.1:{port}"
        with suppress(ProcessLookupError):
            os.killpg(head.pid, signal.SIGKILL)


def measured(place: Place, file: Path, *words: object) -> str:
    words = ("calibrate", "--json", "--cases", str(file), "--out", "x", *map(str, words))
    done = place.command(*words, timeout=300)
    assert done.returncode == 0 and not unfinished(place), done.stderr
    return re.sub(r'"date": "[^"]*"', "", done.stdout.decode())


def unfinished(place: Place) -> list[Path]:
    return list(place.state.glob("compass/*/calibrate.unfinished.jsonl"))


@pytest.mark.full
@pytest.mark.timeout(600)
def test_any_engine_writes_the_same_result_as_one_process(tmp_path, cluster):
    place, file = Place(tmp_path, forked=False), cases(tmp_path, FEW)
    one = measured(place, file, "--jobs", 1)
    assert measured(place, file, *TWO) == one
    assert measured(place, file, *TWO, "--engine", cluster) == one


@pytest.mark.full
@pytest.mark.timeout(200)
def test_two_processes_replay_to_the_document_of_one_and_pass_over_what_a_resumed_session_repeats(tmp_path):
    place = Place(tmp_path)
    folder = sessions(tmp_path / "kept", place.project)
    words = ("replay", str(folder), "--json", "--jobs")
    one, two = (place.command(*words, jobs, timeout=110) for jobs in ("1", "2"))
    assert (one.returncode, one.stderr) == (two.returncode, two.stderr) == (0, b"")
    assert two.stdout == one.stdout
    found = json.loads(one.stdout)
    assert found["sessions"] == SESSIONS and found["calls"] == found["writes"] == SESSIONS * TURNS * 2


def workers_of(pid: int) -> list[int]:
    texts = (path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children"))
    found = [int(one) for text in texts for one in text.split()]
    return [one for one in found if b"popen_loky" in Path(f"/proc/{one}/cmdline").read_bytes()]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.full
@pytest.mark.timeout(300)
@pytest.mark.parametrize("killed", ["a worker", "the command"])
def test_a_killed_process_ends_the_command_with_all_it_started_and_the_next_run_goes_on(tmp_path, killed):
    place, file = Place(tmp_path), cases(tmp_path, MANY)
    words = ("calibrate", "--json", "--cases", str(file), "--out", "x", *TWO)
    with subprocess.Popen(
        [sys.executable, "-I", MAIN, *words],
        env=place.environment(), cwd=place.project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as running:  # fmt: skip
        until(lambda: bool(unfinished(place)) and unfinished(place)[0].stat().st_size > 10_000, 60)
        workers = workers_of(running.pid)
        os.kill(workers[-1] if killed == "a worker" else running.pid, signal.SIGKILL)
        said, _ = running.communicate(timeout=60)
    assert len(workers) == 2
    if killed == "a worker":
        assert running.returncode == 2 and b"run the same command again" in said
    until(lambda: not any(map(alive, workers)), 20)
    assert unfinished(place)
    if killed == "a worker":
        assert measured(place, file, *TWO) == measured(place, file, "--jobs", 1)


@pytest.mark.full
def test_a_thousand_cases_take_less_than_twenty_seconds_of_a_processor(tmp_path):
    place, file = Place(tmp_path), cases(tmp_path, 1000)
    before = os.times()
    measured(place, file)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    assert spent < 20.0

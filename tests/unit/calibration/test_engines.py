"""Bulk work on engines: whoever judges, the result is that of one process."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from running.hookrun import Place
from running.tree import ran
from samples.many import cases

from compass.parallel import mapped, without_keys

FEW, MANY = 480, 4000
TWO = ("--jobs", "2")
RAY = (*TWO, "--engine", "ray")


def squares() -> Callable[[int], tuple[int, int, int]]:
    made_in, calls = os.getpid(), list[int]()

    def judge(number: int) -> tuple[int, int, int]:
        if number < 0:
            raise ValueError("not this one")
        calls.append(number)
        return number * number, made_in, os.getpid()

    return judge


def test_work_comes_back_in_order_by_a_function_that_each_process_makes_once() -> None:
    args = argparse.Namespace(engine="processes", jobs=2)
    found = list(mapped(args, squares, range(300)))
    assert [one[0] for one in found] == [number * number for number in range(300)]
    workers = {one[2] for one in found}
    assert len(workers) <= 2 and os.getpid() not in workers
    assert all(made_in == ran_in for _, made_in, ran_in in found)


def test_what_the_function_raises_is_raised_here() -> None:
    args = argparse.Namespace(engine="processes", jobs=2)
    with pytest.raises(ValueError, match="not this one"):
        list(mapped(args, squares, [1, 2, -1]))


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
def test_any_engine_writes_the_same_result_as_one_process(
    measured: tuple[Place, Path, str], words: tuple[str, ...]
) -> None:
    place, file, one = measured
    done = ran(place, "calibrate", "--json", "--cases", file, "--out", "x", *words)
    assert done.returncode == 0, done.stderr
    assert result(done.stdout) == one
    assert not list(place.state.glob("compass/*/calibrate.unfinished.jsonl"))


@pytest.mark.full
@pytest.mark.timeout(200)
def test_a_killed_process_ends_the_command_and_the_next_run_goes_on(tmp_path: Path) -> None:
    place, file = Place(tmp_path), cases(tmp_path, MANY)

    def kept() -> list[Path]:
        return list(place.state.glob("compass/*/calibrate.unfinished.jsonl"))

    def begun() -> bool:
        return bool(kept()) and kept()[0].read_bytes().count(b"\n") > FEW // 4

    words = ("calibrate", "--json", "--cases", file, "--out", "x")
    done = ran(place, *words, *TWO, kills=begun)
    assert done.killed is not None and done.returncode == 2
    assert (
        b"process" in done.stdout + done.stderr and b"run the same command again" in done.stdout + done.stderr
    )
    assert kept()
    again = ran(place, *words, *TWO)
    one = ran(place, *words, "--jobs", 1)
    assert again.returncode == one.returncode == 0
    assert result(again.stdout) == result(one.stdout)


def test_an_unknown_engine_and_a_cluster_that_is_not_there_are_told(tmp_path: Path) -> None:
    place = Place(tmp_path)
    wrong = place.command("calibrate", "--engine", "dask")
    assert wrong.returncode == 2 and b"processes, ray or ray://HOST:PORT" in wrong.stderr


def test_workers_are_given_no_keys() -> None:
    env = {
        "HOME": "/h",
        "ANTHROPIC_API_KEY": "a",
        "GH_TOKEN": "b",
        "my_secret": "c",
        "COMPASS_MODE": "observe",
    }
    assert without_keys(env) == {"HOME": "/h", "COMPASS_MODE": "observe"}

"""The hook as a whole process, beside a bare interpreter in the same run."""

import subprocess
import sys

import pytest
from hookrun import Place


@pytest.mark.benchmark(group="hook start")
def test_bare_interpreter(benchmark):
    benchmark(subprocess.run, [sys.executable, "-I", "-S", "-c", "pass"], check=True)


@pytest.mark.benchmark(group="hook start")
def test_skipped_call(benchmark, tmp_path):
    place = Place(tmp_path)
    payload = place.payload("Read", {"file_path": "a.txt"})
    assert benchmark(place.hook, "pre-tool-use", payload).stdout == b""


@pytest.mark.benchmark(group="hook start")
def test_glob_skip(benchmark, tmp_path):
    place = Place(tmp_path)
    payload = place.payload("Write", {"file_path": str(place.project / "poetry.lock"), "content": "x"})
    assert benchmark(place.hook, "pre-tool-use", payload).stdout == b""


@pytest.mark.benchmark(group="hook start")
def test_embedded_check(benchmark, tmp_path):
    place = Place(tmp_path)
    place.say("Create notes.txt with a line that says hello")
    assert benchmark(place.hook, "pre-tool-use", place.payload()).stdout == b""

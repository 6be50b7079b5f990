"""The hook as a whole process without a service, as `compass init` wires it, beside a bare interpreter."""

import subprocess
import sys

import pytest
from hookrun import Place
from hookstart import rows


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


@pytest.mark.benchmark(group="hook start")
def test_bare_interpreter(benchmark):
    benchmark(subprocess.run, [sys.executable, "-I", "-S", "-c", "pass"], check=True)


@pytest.mark.benchmark(group="hook start")
def test_silent_skip(benchmark, place):
    payload = place.payload("Read", {"file_path": "a.txt"})
    assert benchmark(place.hook, "pre-tool-use", payload).stdout == b""
    assert reasons(place) == set()


@pytest.mark.benchmark(group="hook start")
def test_glob_skip(benchmark, place):
    payload = place.payload("Write", {"file_path": str(place.project / "poetry.lock"), "content": "x"})
    assert benchmark(place.hook, "pre-tool-use", payload).stdout == b""
    assert reasons(place) == {"skip_glob"}


@pytest.mark.benchmark(group="hook start")
def test_embedded_check(benchmark, place):
    """Without coverage, by which the check before would stand for the next."""
    place.env["COMPASS_COVERAGE__MAX_CALLS"] = "0"
    place.say("Create notes.txt with a line that says hello")
    assert benchmark(place.hook, "pre-tool-use", place.payload()).stdout == b""
    assert reasons(place) == {"confident"}


def reasons(place):
    """Why the recorded calls ended as they did; none without a database."""
    if not (place.state / "compass").exists():
        return set()
    return {reason for (reason,) in rows(place, "SELECT DISTINCT reason FROM checks")}

"""A skip on each host beside the same skip on Claude Code, in turns: as whole processes, and through the service."""

from __future__ import annotations

import pytest
from running.hookrun import Place
from running.serving import serving
from sessions_data.playing.recorded_hosts import payload_of

from hooks import registry

OTHERS = [name for name in registry.HOSTS if name != registry.DEFAULT]
ROUNDS = 21


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("served")) as found:
        found.start()
        yield found.place


def called(place: Place, name: str, tool: str, given: dict[str, str]):
    """What calls the hook of a host as its entry does."""
    if tool == "Read":
        payload = registry.host_of(name).setup().trial(str(place.project), "session-1")
    else:
        payload = payload_of(name, tool, given, str(place.project), "session-1")
    words = () if name == registry.DEFAULT else ("--wired", "recorded", f"HOST={name}")
    return lambda: place.hook("pre-tool-use", payload, words=words)


def beside_the_default(beside, place: Place, name: str, tool: str, given: dict[str, str]):
    reference = called(place, registry.DEFAULT, tool, given)
    reference()
    return beside(called(place, name, tool, given), reference, rounds=ROUNDS)


@pytest.mark.parametrize("name", OTHERS)
def test_silent_skip_of_a_host(beside, tmp_path, name):
    done = beside_the_default(beside, Place(tmp_path), name, "Read", {"file_path": "a.txt"})
    assert registry.host_of(name).setup().silent(done.returncode, done.stdout)


@pytest.mark.parametrize("name", OTHERS)
def test_recorded_skip_of_a_host(beside, tmp_path, name):
    place = Place(tmp_path)
    lock = {"file_path": str(place.project / "poetry.lock"), "content": "x"}
    done = beside_the_default(beside, place, name, "Write", lock)
    assert registry.host_of(name).setup().silent(done.returncode, done.stdout), done
    assert {event["payload"]["reason"] for event in place.events()} == {"skip_glob"}


@pytest.mark.parametrize("name", OTHERS)
def test_recorded_skip_of_a_host_through_the_service(beside, served, name):
    lock = {"file_path": str(served.project / "poetry.lock"), "content": "x"}
    done = beside_the_default(beside, served, name, "Write", lock)
    assert registry.host_of(name).setup().silent(done.returncode, done.stdout), done

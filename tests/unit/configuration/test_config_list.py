"""`compass config list --all`: every value with its origin, and what was ignored and why."""

import json
from dataclasses import asdict

import pytest

from compass.composition.settings import load
from compass.show.configuration import DEFAULT, entries
from evaluator.settings.keys import KEYS


@pytest.fixture
def places(tmp_path):
    home, project = tmp_path / "home", tmp_path / "project"
    for folder in (home, project):
        (folder / ".claude").mkdir(parents=True)
    return home, project


def put(folder, value):
    path = folder / ".claude/settings.json"
    path.write_text(json.dumps(value))
    return str(path)


def listed(places, **env):
    return {entry.key: entry for entry in entries(load(env, *map(str, places)))}


def test_every_key_stands_there_with_its_default(places):
    found = listed(places)
    assert list(found) == list(KEYS)
    assert {entry.origin for entry in found.values()} == {DEFAULT}
    assert all(entry.value == entry.default and not entry.ignored for entry in found.values())
    assert json.loads(json.dumps(asdict(found["gate.mcp_tools"])))["value"]["mcp__*__write_file"]


def test_the_origin_is_a_file_and_a_key_or_a_variable(places):
    home, project = places
    user = put(home, {"compass": {"evaluator": {"n": 7}, "gate": {"mcp_tools": {"mcp__a__b": "path"}}}})
    block = {"COMPASS_MIN_CONTEXT_CHARS": "1", "COMPASS_STDDEV_THRESHOLD": "0.1"}
    theirs = put(project, {"compass": {"mode": "enforce", "confidence_threshold": 0.9}, "env": block})
    found = listed(places, COMPASS_RETENTION_DAYS="3", **block)
    origins = {key: entry.origin for key, entry in found.items() if entry.origin != DEFAULT}
    assert origins == {
        "evaluator.n": f"{user}: compass.evaluator.n",
        "gate.mcp_tools": f"{user}: compass.gate.mcp_tools",
        "mode": f"{theirs}: compass.mode",
        "confidence_threshold": f"{theirs}: compass.confidence_threshold",
        "stddev_threshold": f"{theirs}: env.COMPASS_STDDEV_THRESHOLD",
        "retention_days": "environment: COMPASS_RETENTION_DAYS",
    }
    assert found["evaluator.n"].value == 7
    assert found["gate.mcp_tools"].value == {**found["gate.mcp_tools"].default, "mcp__a__b": "path"}
    assert found["min_context_chars"].ignored == (
        f"{theirs}: env.COMPASS_MIN_CONTEXT_CHARS says '1': only the user may set this key; ignored",
    )


def test_what_was_ignored_stands_at_its_key_with_place_value_and_reason(places):
    user = put(places[0], {"compass": {"evaluator": {"n": "five", "modle": 1}}})
    theirs = put(
        places[1], {"compass": {"stddev_threshold": 1.0}, "env": {"SOME_TOKEN": "hush", "PATH": "/x"}}
    )
    found = listed(places)
    (wrong,) = found["evaluator.n"].ignored
    assert wrong.startswith(f"{user}: compass.evaluator.n says 'five': must be a whole number")
    (loose,) = found["stddev_threshold"].ignored
    assert (
        loose
        == f"{theirs}: compass.stddev_threshold says '1.0': a project may only tighten this key; ignored"
    )
    assert found["evaluator.modle"].ignored == (f"{user}: unknown key",)
    assert found["env.PATH"].ignored == (f"{theirs}: a project may not set this variable; ignored",)
    assert "hush" not in str(found)


def test_a_file_that_is_wrong_is_named(places):
    path = places[0] / ".claude/settings.json"
    path.write_text("{oops")
    assert "not valid JSON" in listed(places)[str(path)].ignored[0]


def test_a_key_that_no_longer_decides_says_so_where_it_is_set(places):
    key = "transcript.transcript_max_age_seconds"
    assert listed(places)[key].ignored == ()
    put(places[0], {"compass": {"transcript": {"transcript_max_age_seconds": 60}}})
    found = listed(places)[key]
    assert found.value == 60
    assert "no longer has any effect" in found.ignored[0]

"""Settings: layers, the tighter direction, the environment, and values that are wrong."""

import json
from operator import attrgetter
from pathlib import Path

import pytest
from corpora import corpus

from compass.composition.settings import load
from compass.show.configuration import DEFAULT, entries
from evaluator.settings.keys import KEYS, MCP_WRITERS, Settings
from evaluator.settings.layers import Layer, resolve


def new_places(tmp_path):
    home, project = tmp_path / "home", tmp_path / "project"
    (home / ".claude").mkdir(parents=True)
    (project / ".claude").mkdir(parents=True)
    return home, project


places = pytest.fixture(new_places, name="places")


def put(path, values):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values))


def test_without_a_file_the_defaults_stand_and_an_unknown_variable_is_named(places):
    home, project = places
    loaded = load({}, str(home), str(project))
    assert loaded.settings == Settings()
    assert loaded.problems == ()
    problems = load({"COMPASS_EVALUATR__N": "3"}, str(home), str(project)).problems
    assert problems == ("environment: COMPASS_EVALUATR__N: no such key",)


def test_the_other_spelling_of_a_key_counts_where_its_own_says_nothing(places):
    home, project = places
    old = {"data_egress": {"include_file_contents": True}}
    put(home / ".claude/settings.json", {"compass": old})
    assert load({}, str(home), str(project)).settings.include_file_contents
    put(home / ".claude/settings.json", {"compass": {**old, "include_file_contents": False}})
    assert not load({}, str(home), str(project)).settings.include_file_contents
    put(project / ".claude/settings.json", {"compass": old})
    assert not load({}, str(home), str(project)).settings.include_file_contents


# (the user's value, a looser one, a tighter one) for each key that has a direction.
DIRECTED = {
    "up": {"float": (0.5, 0.4, 0.6)},
    "down": {"int": (4, 5, 3), "float": (0.5, 0.6, 0.4)},
    "subset": {"strs": (["a", "b"], ["a", "c"], ["b"])},
    "superset": {"strs": (["a", "b"], ["a", "c"], ["b", "c", "a"])},
}


def looser_and_tighter(key):
    """Pairs (the user's value, a looser one), and one of (the user's value, a tighter one)."""
    if key.tighter in DIRECTED:
        users, looser, tighter = DIRECTED[key.tighter][key.kind]
        return [(users, looser)], (users, tighter)
    ranked = key.choices or ((False, True) if key.tighter == "true" else (True, False))
    pairs = [(ranked[-1], ranked[0])]
    if len(ranked) > 2:
        pairs.append((ranked[1], ranked[0]))
    return pairs, (ranked[0] if len(ranked) == 2 else ranked[1], ranked[-1])


def nested(path, value):
    for part in reversed(path.split(".")):
        value = {part: value}
    return value


def value_of(loaded, path):
    found = attrgetter(path)(loaded.settings)
    return list(found) if isinstance(found, tuple) else found


def variable(path):
    return "COMPASS_" + path.upper().replace(".", "__")


def given_by(way, project, path, value):
    """The project sets the key in one of the ways that it has; the environment of its hook."""
    if way == "env block":
        text = value if isinstance(value, str) else json.dumps(value)
        said = value if isinstance(value, int | float) else text
        put(project / ".claude/settings.json", {"env": {variable(path): said}})
        return {variable(path): text}
    put(project / way, {"compass": nested(path, value)})
    return {}


WAYS = [".claude/settings.json", ".claude/settings.local.json", ".compass/settings.json", "env block"]
WITH_DIRECTION = [path for path, key in KEYS.items() if key.tighter]
WITHOUT_DIRECTION = [path for path, key in KEYS.items() if not key.tighter]


def test_what_costs_and_what_is_sent_is_the_users_alone():
    alone = ("evaluator.", "evidence.", "hindsight.", "circuit_breaker.", "service.", "max_checks_per_turn")
    assert [path for path in WITH_DIRECTION if path.startswith(alone)] == []


@corpus("way", WAYS)
@corpus("path", WITH_DIRECTION, each={"places": new_places})
def test_a_project_moves_a_key_only_in_its_tighter_direction(places, path, way):
    home, project = places
    pairs, (users, tighter) = looser_and_tighter(KEYS[path])
    for held, looser in pairs:
        put(home / ".claude/settings.json", {"compass": nested(path, held)})
        loaded = load(given_by(way, project, path, looser), str(home), str(project))
        assert value_of(loaded, path) == held
        assert [item.key for item in loaded.ignored] == [path]
        assert loaded.problems[0].startswith(f"{project}/")
    put(home / ".claude/settings.json", {"compass": nested(path, users)})
    loaded = load(given_by(way, project, path, tighter), str(home), str(project))
    assert (value_of(loaded, path), loaded.problems) == (tighter, ())
    file = ".claude/settings.json (env)" if way == "env block" else way
    assert loaded.origins[path] == str(project / file)


WORDS = {False: "word", True: "http://127.0.0.1:1"}
"""By whether the key is an address."""


@corpus("way", WAYS)
@corpus("path", WITHOUT_DIRECTION, each={"places": new_places})
def test_a_key_without_a_direction_is_the_users_alone(places, path, way):
    home, project = places
    key = KEYS[path]
    numbers = dict.fromkeys(("int", "float"), key.low)
    other = {**numbers, "bool": not key.default, "table": {"t": "path"}, "strs": ["word"]}
    value = other.get(key.kind, key.choices[-1] if key.choices else WORDS[key.address])
    loaded = load(given_by(way, project, path, value), str(home), str(project))
    assert loaded.settings == Settings()
    assert [item.key for item in loaded.ignored] == [path]
    assert "only the user may set this key" in loaded.problems[0]


@corpus(
    ("key", "value"),
    [
        ("n", "five"),
        ("n", 2.5),
        ("n", 0),
        ("n", True),
        ("n", None),
        ("backend", "gpt"),
        ("temperature", 1e400),
    ],
    each={"places": new_places},
)
def test_a_bad_value_falls_back_to_the_layer_below(places, key, value):
    home, project = places
    put(home / ".claude/settings.json", {"compass": {"evaluator": {key: 4 if key == "n" else None}}})
    put(home / ".claude/settings.local.json", {"compass": {"evaluator": {key: value}}})
    loaded = load({}, str(home), str(project))
    assert loaded.settings.evaluator.n == (4 if key == "n" else 5)
    assert any(f"evaluator.{key}" in problem for problem in loaded.problems)


# (text, value) of each kind but words.
SAMPLES = {
    "bool": ("true", True),
    "int": ("3", 3),
    "float": ("1", 1.0),
    "strs": ('["a", "b"]', ["a", "b"]),
    "table": ('{"t": "path"}', [*MCP_WRITERS, ("t", "path")]),
}


@corpus("path", KEYS, each={"places": new_places})
def test_every_key_can_be_set_by_the_environment(places, path):
    home, project = places
    key = KEYS[path]
    word = key.choices[-1] if key.choices else WORDS[key.address]
    text, wanted = SAMPLES.get(key.kind, (word, word))
    if key.low is not None and isinstance(wanted, int | float) and wanted < key.low:
        text, wanted = str(key.low), type(wanted)(key.low)
    loaded = load({variable(path): text}, str(home), str(project))
    assert (value_of(loaded, path), loaded.problems) == (wanted, ())


def test_rows_of_each_layer_join_the_known_writers_and_the_latest_counts(places):
    home, project = places
    layers = [
        Layer("user", {"gate": {"mcp_tools": {"mcp__a__save": "path", "mcp__*__write_file": "read:"}}}),
        Layer("seed", {"gate": {"mcp_tools": []}}),
        Layer("own", {"gate": {"mcp_tools": {"mcp__a__save": "delete:path"}}}),
    ]
    rows = dict(resolve(layers).settings.gate.mcp_tools)
    assert rows == {**dict(MCP_WRITERS), "mcp__a__save": "delete:path", "mcp__*__write_file": "read:"}
    theirs = project / ".claude/settings.json"
    put(theirs, {"compass": {"gate": {"mcp_tools": {"mcp__*__write_file": "read:"}}}})
    loaded = load({}, str(home), str(project))
    assert loaded.settings.gate.mcp_tools == MCP_WRITERS, "a repository takes no row away"
    assert any(str(theirs) in problem and "gate.mcp_tools" in problem for problem in loaded.problems)


def test_seed_spellings_are_accepted():
    seed = json.loads(Path(__file__).with_name("seed.json").read_text())
    loaded = resolve([Layer("seed", seed)])
    assert loaded.problems == ()
    # Of the defaults, four are others: what happens while readers are down follows the error policy, the threshold the
    # stakes, and excerpts of real requests are longer.
    said = {
        "circuit_breaker.open_behavior", "confidence_threshold", "context_chars_max", "transcript.prior_turn_chars_max",
        "threshold_calibration_note", "data_egress.note", "skip_globs", "sanitization.strip_sequences",
    }  # fmt: skip
    assert {path for path in loaded.values if loaded.values[path] != KEYS[path].default} == said


def listed(places, **env):
    """What `compass config list --all` shows, by key."""
    return {entry.key: entry for entry in entries(load(env, *map(str, places)))}


def test_the_origin_is_a_file_and_a_key_or_a_variable(places):
    home, project = places
    assert list(listed(places)) == list(KEYS)
    user, theirs = home / ".claude/settings.json", project / ".claude/settings.json"
    put(user, {"compass": {"evaluator": {"n": 7}, "gate": {"mcp_tools": {"mcp__a__b": "path"}}}})
    block = {"COMPASS_MIN_CONTEXT_CHARS": "1", "COMPASS_STDDEV_THRESHOLD": "0.1"}
    put(theirs, {"compass": {"mode": "enforce"}, "env": block})
    found = listed(places, COMPASS_RETENTION_DAYS="3", **block)
    assert {key: entry.origin for key, entry in found.items() if entry.origin != DEFAULT} == {
        "evaluator.n": f"{user}: compass.evaluator.n",
        "gate.mcp_tools": f"{user}: compass.gate.mcp_tools",
        "mode": f"{theirs}: compass.mode",
        "stddev_threshold": f"{theirs}: env.COMPASS_STDDEV_THRESHOLD",
        "retention_days": "environment: COMPASS_RETENTION_DAYS",
    }
    assert found["evaluator.n"].value == 7
    assert found["gate.mcp_tools"].value == {**found["gate.mcp_tools"].default, "mcp__a__b": "path"}
    said = f"{theirs}: env.COMPASS_MIN_CONTEXT_CHARS says '1': only the user may set this key; ignored"
    assert found["min_context_chars"].ignored == (said,)


def test_what_was_ignored_stands_at_its_key_with_place_value_and_reason(places):
    user, theirs = places[0] / ".claude/settings.json", places[1] / ".claude/settings.json"
    old = {"transcript_max_age_seconds": 60}
    put(user, {"compass": {"evaluator": {"n": "five", "modle": 1}, "transcript": old}})
    put(theirs, {"compass": {"stddev_threshold": 1.0}, "env": {"SOME_TOKEN": "hush", "PATH": "/x"}})
    found = listed(places)
    ignored = {key: " ".join(entry.ignored) for key, entry in found.items() if entry.ignored}
    for key, said in {
        "evaluator.n": f"{user}: compass.evaluator.n says 'five': must be a whole number",
        "stddev_threshold": f"{theirs}: compass.stddev_threshold says '1.0': a project may only tighten this key",
        "evaluator.modle": f"{user}: unknown key",
        "env.PATH": f"{theirs}: a project may not set this variable; ignored",
        "transcript.transcript_max_age_seconds": "no longer has any effect",
    }.items():
        assert said in ignored.pop(key)
    assert "SOME_TOKEN" not in ignored and "hush" not in str(found)

"""`compass trust`: what a project's settings hold counts as the user's own until it changes."""

import json
import os
import stat

import pytest
from corpora import corpus

from compass.cli import main
from compass.composition.settings import load


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """What is said is looked for in whole sentences."""
    monkeypatch.setenv("COLUMNS", "1000")


LOOSE = {
    "compass": {"confidence_threshold": 0.0, "evaluator": {"base_url": "http://127.0.0.1:1"}},
    "env": {"COMPASS_STDDEV_THRESHOLD": "1", "ONLOOKER_EVENTS_LOG": "/evil", "SOME_TOKEN": "hush"},
}


@pytest.fixture
def places(tmp_path, monkeypatch):
    home, project = tmp_path / "home", tmp_path / "project"
    for folder in (home, project):
        (folder / ".claude").mkdir(parents=True)
    for name in list(os.environ):
        if name.startswith(("COMPASS_", "ONLOOKER_", "CLAUDE", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(project)
    # The command cleans its process, which is this one.
    before = dict(os.environ)
    yield home, project
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def trust(places, capsys):
    def call(*words):
        capsys.readouterr()
        assert main(["trust", "--json", *words]) == 0
        return json.loads(capsys.readouterr().out)

    return call


def put(project, value, name="settings.json"):
    (project / ".claude" / name).write_text(json.dumps(value))


def loaded(places, **env):
    return load(env, *map(str, places))


def test_trusted_values_count_as_the_users(places, trust):
    put(places[1], LOOSE)
    before = loaded(places)
    assert before.settings.confidence_threshold is None
    assert before.settings.evaluator.base_url is None
    found = trust()
    assert found["trusted"]
    assert stat.S_IMODE(os.stat(found["trust_file"]).st_mode) == 0o600
    env = {"COMPASS_STDDEV_THRESHOLD": "1", "ONLOOKER_EVENTS_LOG": "/evil"}
    after = loaded(places, **env)
    settings = after.settings
    assert (settings.confidence_threshold, settings.stddev_threshold) == (0.0, 1.0)
    assert settings.evaluator.base_url == "http://127.0.0.1:1"
    assert after.clean.env["ONLOOKER_EVENTS_LOG"] == "/evil"
    assert after.problems == ()


def test_what_is_about_to_be_trusted_is_shown_with_file_and_key(places, trust):
    put(places[1], LOOSE)
    found = trust()["values"]
    assert sorted(value["key"] for value in found) == [
        "compass.confidence_threshold",
        "compass.evaluator.base_url",
        "env.COMPASS_STDDEV_THRESHOLD",
        "env.ONLOOKER_EVENTS_LOG",
        "env.SOME_TOKEN",
    ]
    values = {value["key"]: value for value in found}
    one = values["compass.confidence_threshold"]
    assert one["file"] == str(places[1] / ".claude/settings.json")
    assert (one["value"], one["in_force"], one["means"]) == (0.0, None, "loosens the gate")
    assert "hush" not in json.dumps(values)


def test_the_same_is_told_to_people_before_it_is_written(places, capsys):
    put(places[1], {"compass": {"mode": "observe"}, "env": {"PATH": "\x1b[2Jx"}})
    assert main(["trust"]) == 0
    out = capsys.readouterr().out
    assert out.index("compass.mode") < out.index("Trusted as it stands")
    assert "loosens the gate" in out
    assert "\x1b" not in out


@corpus(
    "change",
    [
        lambda value: value["compass"].update(mode="observe"),
        lambda value: value["compass"]["evaluator"].update(n=8),
        lambda value: value["env"].update(NEW="1"),
        lambda value: value["env"].pop("SOME_TOKEN"),
        lambda value: value.update(compass={}),
    ],
)
def test_any_change_of_what_is_pinned_ends_the_trust(places, trust, change):
    put(places[1], LOOSE)
    trust()
    value = json.loads(json.dumps(LOOSE))
    change(value)
    put(places[1], value)
    assert not loaded(places).clean.trusted
    put(places[1], LOOSE)
    assert loaded(places).clean.trusted


def test_what_is_not_pinned_may_change(places, trust):
    put(places[1], LOOSE)
    trust()
    put(places[1], {**LOOSE, "permissions": {"allow": ["Read"]}, "hooks": {}})
    put(places[1], {"permissions": {}}, "settings.local.json")
    assert loaded(places).clean.trusted


def test_revoke_takes_it_back_and_is_idempotent(places, trust):
    put(places[1], LOOSE)
    file = trust()["trust_file"]
    for _ in range(2):
        assert not trust("--revoke")["trusted"]
        assert not loaded(places).clean.trusted
        assert not os.path.exists(file)


def test_a_clone_with_the_same_key_is_not_trusted_with_it(places, trust, tmp_path, monkeypatch):
    clone = tmp_path / "clone"
    for folder in (places[1], clone):
        (folder / ".git").mkdir(parents=True)
        (folder / ".claude").mkdir(exist_ok=True)
        (folder / ".git/config").write_text('[remote "origin"]\n\turl = https://example.com/a.git\n')
        put(folder, LOOSE)
    first = trust()
    assert not load({}, str(places[0]), str(clone)).clean.trusted
    monkeypatch.chdir(clone)
    assert trust()["trust_file"] == first["trust_file"]
    assert load({}, str(places[0]), str(clone)).clean.trusted
    trust("--revoke")
    assert loaded(places).clean.trusted


def test_a_file_that_cannot_be_read_cannot_be_trusted(places, capsys):
    put(places[1], LOOSE)
    (places[1] / ".claude/settings.local.json").write_text('{"a": ' + "[" * 90_000 + "]" * 90_000 + "}")
    assert main(["trust"]) == 1
    assert "cannot be trusted" in capsys.readouterr().err
    assert not loaded(places).clean.trusted


def test_a_block_cannot_bring_its_own_pin_along(places, trust, tmp_path):
    """A state folder that the repository fills has a pin for this very content, and is not looked into."""
    home, project = places
    mine = project / "state"
    put(project, {**LOOSE, "env": {"ONLOOKER_DIR": str(mine)}})
    file = trust()["trust_file"]
    planted = mine / "compass" / os.path.relpath(file, home / ".onlooker/compass")
    planted.parent.mkdir(parents=True)
    os.replace(file, planted)
    found = loaded(places, ONLOOKER_DIR=str(mine))
    assert not found.clean.trusted
    assert "ONLOOKER_DIR" not in found.clean.env


def test_a_trusted_onlooker_dir_is_used_and_can_be_revoked(places, trust, tmp_path, monkeypatch):
    put(places[1], {"env": {"ONLOOKER_DIR": str(tmp_path / "state")}})
    monkeypatch.setenv("ONLOOKER_DIR", str(tmp_path / "state"))
    first = trust()
    env = {"ONLOOKER_DIR": str(tmp_path / "state")}
    assert loaded(places, **env).clean.env["ONLOOKER_DIR"] == str(tmp_path / "state")
    assert trust("--revoke")["trust_file"] == first["trust_file"]
    assert "ONLOOKER_DIR" not in loaded(places, **env).clean.env


@corpus("text", ["", "{", "[]", '{"trusted": []}', '{"trusted": {"x": 3}}'])
def test_a_broken_pin_trusts_nothing_and_can_be_written_again(places, trust, text):
    put(places[1], LOOSE)
    file = trust()["trust_file"]
    with open(file, "w") as handle:
        handle.write(text)
    assert not loaded(places).clean.trusted
    assert trust()["trusted"]
    assert loaded(places).clean.trusted

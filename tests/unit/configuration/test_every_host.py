"""Settings files that count on every host, and what they say of readers' addresses: layers, trust, what is wrong."""

import json
import os
from pathlib import Path

import pytest
from corpora import corpus
from running.hookrun import KEY, Place, denial, doctor

from compass.composition.settings import load
from compass.service.cache import Warm
from evaluator.readers.addresses import in_the_clear
from evaluator.readers.kinds.kind import kind_of
from evaluator.settings.files import is_address
from evaluator.settings.keys import build
from evaluator.settings.layers import user_project_file

ELSEWHERE = "http://readers.test:8080"


class Layers:
    """Every file that settings stand in, by the words of the test below."""

    def __init__(self, place):
        home, project = place.root / "home", place.project
        self.user = place.state / "compass" / "settings.json"
        self.project = project / ".compass" / "settings.json"
        self.home = home / ".claude" / "settings.json"
        self.home_local = home / ".claude" / "settings.local.json"
        self.own = Path(user_project_file({"ONLOOKER_DIR": str(place.state)}, str(home), str(project)))
        self.theirs = project / ".claude" / "settings.json"
        self.theirs_local = project / ".claude" / "settings.local.json"


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path, {"COMPASS_ENABLED": ""})


@pytest.fixture
def layers(place):
    return Layers(place)


def loaded(place, **env):
    home = str(place.root / "home")
    return load({"HOME": home, "ONLOOKER_DIR": str(place.state), **env}, home, str(place.project))


def put(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))


def test_each_layer_stands_above_the_one_before_it(place, layers):
    """Each says 0.01 more than the one below, which the project's may because it is tighter."""
    order = ("user", "home", "home_local", "own", "project", "theirs", "theirs_local")
    for at, name in enumerate(order):
        path, value = getattr(layers, name), 0.7 + at / 100
        said = {"confidence_threshold": value}
        put(path, said if name == "own" else {"compass": said})
        found = loaded(place)
        assert found.settings.confidence_threshold == value, name
        assert found.origins["confidence_threshold"] == str(path)
    assert loaded(place, COMPASS_CONFIDENCE_THRESHOLD="0.2").settings.confidence_threshold == 0.2
    for name in reversed(order[1:]):
        getattr(layers, name).unlink()
    assert loaded(place).settings.confidence_threshold == 0.7
    assert loaded(place).problems == ()


def test_an_env_block_means_nothing_there(place, layers):
    """No host puts it into the environment of its hooks, so a variable of that value is the user's."""
    put(layers.project, {"env": {"COMPASS_ERROR_POLICY": "open", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}})
    env = {"COMPASS_ERROR_POLICY": "open", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}
    found = loaded(place, **env)
    assert found.settings.error_policy == "open"
    assert found.origins["error_policy"] == "environment"
    assert found.clean.env["ANTHROPIC_BASE_URL"] == env["ANTHROPIC_BASE_URL"]
    assert loaded(place).settings.error_policy == "closed"
    put(layers.user, {"env": {"COMPASS_ERROR_POLICY": "open"}})
    assert loaded(place).settings.error_policy == "closed"


@pytest.mark.parametrize(
    "content", ["{", "[]", '"x"', '{"compass": 3}', "\x00\x01", '{"compass": {"evaluator": 3}}']
)
@pytest.mark.parametrize("name", ["user", "project"])
def test_a_file_that_is_wrong_is_named_and_nothing_else_is_lost(place, layers, name, content):
    path = getattr(layers, name)
    put(layers.own, {"enabled": True, "evaluator": {"n": 9}})
    put(path, content)
    found = loaded(place)
    assert (found.settings.enabled, found.settings.evaluator.n, found.lost) == (True, 9, "")
    (problem,) = found.problems
    assert problem.startswith(f"{path}: ")
    told = place.command("doctor", "--json").stdout.decode()
    assert json.dumps(str(path))[1:-1] in told


def test_the_users_file_turns_the_gate_on_and_off(place, layers):
    write = place.payload("Bash", {"command": "rm -rf src"})
    assert denial(place.hook("pre-tool-use", write)) is None
    put(layers.user, {"compass": {"enabled": True}})
    assert denial(place.hook("pre-tool-use", write)) is not None
    put(layers.home, {"compass": {"enabled": False}})
    assert denial(place.hook("pre-tool-use", write)) is None


@pytest.mark.parametrize("content", ["{", "[]", '{"compass": 3}', "a folder", "locked"])
def test_a_broken_file_of_the_users_may_have_turned_it_on_and_does_not_turn_it_off(place, layers, content):
    if content == "a folder":
        layers.user.mkdir(parents=True)
    else:
        put(layers.user, "{" if content == "locked" else content)
    if content == "locked":
        layers.user.unlink()
        layers.user.symlink_to(layers.user)
    done = place.hook("pre-tool-use", place.payload())
    reason = denial(done)
    assert reason is not None
    assert "may be turned on for every project" in reason
    assert str(layers.user) in reason
    assert str(layers.user) in loaded(place).lost
    assert place.hook("pre-tool-use", place.payload("Read", {"file_path": "a.txt"})).stdout == b""
    put(layers.own, {"enabled": False})
    assert loaded(place).lost == ""
    assert place.hook("pre-tool-use", place.payload()).stdout == b""


def test_a_wrong_word_in_the_projects_own_settings_falls_to_a_layer_that_is_lost(place, layers):
    put(layers.own, {"enabled": "maybe"})
    assert not loaded(place).settings.enabled
    put(layers.user, "{")
    found = loaded(place)
    assert found.settings.enabled
    assert str(layers.user) in found.lost


@pytest.mark.parametrize("name", ["user", "project"])
def test_the_service_reads_them_again_as_soon_as_they_change(place, layers, name):
    """The clock stands still, so nothing but the change of the file tells of it."""
    env = {"HOME": str(place.root / "home"), "ONLOOKER_DIR": str(place.state)}
    variables = b"\0".join(os.fsencode(f"{key}={value}") for key, value in env.items())
    warm = Warm(clock=lambda: 0.0)
    try:
        first = warm.project(variables, str(place.project))
        assert warm.project(variables, str(place.project)) is first
        put(getattr(layers, name), {"compass": {"confidence_threshold": 0.9}})
        assert warm.project(variables, str(place.project)).loaded.settings.confidence_threshold == 0.9
    finally:
        warm.close()


@pytest.fixture
def asking(place, api):
    """The place, on, with hosted readers and a clear request."""
    env = {"COMPASS_EVALUATOR__BACKEND": "anthropic", "ANTHROPIC_API_KEY": KEY}
    place.env = {**env, "ANTHROPIC_BASE_URL": api.url}
    place.say("Create hello.txt with a line that says hello to whoever reads it")
    return place


def held(place):
    """Why a write is."""
    return denial(place.hook("pre-tool-use", place.payload())) or ""


ADDRESSES = ["http://127.0.0.1:1", "https://readers.test/v1", "HTTP://[::1]:80/", "http://u:w@b\u00fcro"]
NONE = ["readers.test:8080", "ftp://readers.test", "http://", "http://a:99999", "http://a b", "http://a?b=c"]


@corpus("text", ADDRESSES + NONE)
def test_an_address_is_told_from_what_is_none(text):
    assert is_address(text) is (text in ADDRESSES)


def test_a_file_that_holds_no_address_is_named_and_nobody_else_is_asked(asking, layers, api):
    put(layers.home, {"compass": {"evaluator": {"base_url": "readers.test:8080"}}})
    assert "not an http or https address" in held(asking)
    assert api.requests == [], "what stands below an address is another one"
    findings = doctor(asking)
    assert not findings["settings"]["ok"] and not findings["backend"]["ok"]
    said = f"{layers.home}: evaluator.base_url: must be an http or https address"
    assert said in findings["settings"]["detail"]


def test_a_project_names_no_address_good_or_bad(asking, layers, api):
    for text in ("nonsense", ELSEWHERE):
        put(layers.theirs, {"compass": {"evaluator": {"base_url": text}}})
        assert held(asking) == ""
    assert api.requests


@pytest.mark.parametrize(
    ("backend", "variable"),
    [
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("anthropic", "ANTHROPIC_AUTH_TOKEN"),
        ("anthropic", "ANTHROPIC_CUSTOM_HEADERS"),
        ("openai", "OPENAI_API_KEY"),
    ],
)
def test_a_key_goes_by_plain_http_to_this_machine_alone(backend, variable):
    env, kind = {variable: "x-api-key: word"}, kind_of(backend)

    def lacks(url):
        made = build({"evaluator.base_url": url, "evaluator.model": "some-model"})
        return kind.missing(made, env) or ""

    assert f"{variable} would go to readers.test:8080 over plain http" in lacks(ELSEWHERE)
    for url in ("https://readers.test", "http://127.0.0.1:1", "http://[::1]:1", "http://localhost"):
        assert lacks(url) == "", url
    env = {}
    assert lacks(ELSEWHERE) == "", "without a key there is nothing to read on the way"
    assert "the password in the address would go to readers.test" in lacks("http://user:word@readers.test")


@corpus("host", ["127.0.0.1.readers.test", "10.0.0.1", "[fe80::1]", "localhost.test", "0.0.0.0"])
def test_what_only_looks_like_this_machine_is_another(host):
    assert in_the_clear(f"http://{host}/v1") == host.strip("[]")


@pytest.mark.parametrize("by", ["COMPASS_EVALUATOR__BASE_URL", "ANTHROPIC_BASE_URL"])
def test_a_check_sends_nothing_there_and_names_key_and_way_out(asking, by):
    asking.env[by] = "http://192.0.2.1:9"
    assert "ANTHROPIC_API_KEY would go to 192.0.2.1:9 over plain http" in held(asking)
    assert "over plain http" in doctor(asking)["backend"]["detail"]


def test_under_auto_such_a_key_is_not_taken(asking):
    asking.env |= {"COMPASS_EVALUATOR__BACKEND": "auto", "ANTHROPIC_BASE_URL": ELSEWHERE}
    assert held(asking) == ""
    said = "auto chooses embedded: ANTHROPIC_API_KEY would go to readers.test:8080"
    assert doctor(asking)["backend"]["detail"].startswith(said)

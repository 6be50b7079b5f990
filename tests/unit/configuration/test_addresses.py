"""Where readers are asked: an address is one, and a key goes over plain http only where its user allows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from apis.loopback_api import LoopbackApi
from corpora import corpus
from running.hookrun import KEY, Place, denial

from evaluator.readers.addresses import in_the_clear
from evaluator.readers.kinds.kind import kind_of
from evaluator.settings.files import is_address
from evaluator.settings.keys import build

ELSEWHERE = "http://readers.test:8080"
NONE = (
    "readers.test:8080",
    "ftp://readers.test",
    "http://",
    "http://a:99999",
    "http://a b",
    "http://a?b=c",
    "nonsense",
)


@pytest.fixture
def place(tmp_path: Path, api: LoopbackApi) -> Place:
    env = {
        "COMPASS_MODE": "enforce",
        "COMPASS_EVALUATOR__BACKEND": "anthropic",
        "ANTHROPIC_BASE_URL": api.url,
        "ANTHROPIC_API_KEY": KEY,
    }
    found = Place(tmp_path, env)
    found.say("Create hello.txt with a line that says hello to whoever reads it")
    return found


def held(place: Place) -> str:
    """Why a write is."""
    found: str | None = denial(place.hook("pre-tool-use", place.payload()))
    return found or ""


@corpus("text", ["http://127.0.0.1:1", "https://readers.test/v1", "HTTP://[::1]:80/", "http://u:w@b\u00fcro"])
def test_what_is_one_is(text: str) -> None:
    assert is_address(text)


def test_a_file_that_holds_none_is_named_and_nobody_else_is_asked(place: Place, api: LoopbackApi) -> None:
    assert not any(map(is_address, NONE))
    path: Path = place.root / "home/.claude/settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"compass": {"evaluator": {"base_url": "readers.test:8080"}}}))
    assert "not an http or https address" in held(place)
    assert api.requests == [], "what stands below an address is another one"
    findings = {item["name"]: item for item in json.loads(place.command("doctor", "--json").stdout)}
    assert not findings["settings"]["ok"]
    assert f"{path}: evaluator.base_url: must be an http or https address" in findings["settings"]["detail"]
    assert not findings["backend"]["ok"]


def test_a_project_names_no_address_good_or_bad(place: Place, api: LoopbackApi) -> None:
    (place.project / ".claude").mkdir()
    for text in ("nonsense", ELSEWHERE):
        settings = {"compass": {"evaluator": {"base_url": text}}}
        (place.project / ".claude" / "settings.json").write_text(json.dumps(settings))
        assert held(place) == ""
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
def test_a_key_goes_by_plain_http_to_this_machine_alone(backend: str, variable: str) -> None:
    env, kind = {variable: "x-api-key: word"}, kind_of(backend)

    def lacks(url: str) -> str:
        made = build({"evaluator.base_url": url, "evaluator.model": "some-model"})
        return kind.missing(made, env) or ""

    assert f"{variable} would go to readers.test:8080 over plain http" in lacks(ELSEWHERE)
    for url in ("https://readers.test", "http://127.0.0.1:1", "http://[::1]:1", "http://localhost"):
        assert lacks(url) == "", url
    env = {}
    assert lacks(ELSEWHERE) == "", "without a key there is nothing to read on the way"
    assert "the password in the address would go to readers.test" in lacks("http://user:word@readers.test")


@corpus("host", ["127.0.0.1.readers.test", "10.0.0.1", "[fe80::1]", "localhost.test", "0.0.0.0"])
def test_what_only_looks_like_this_machine_is_another(host: str) -> None:
    assert in_the_clear(f"http://{host}/v1") == host.strip("[]")


@pytest.mark.parametrize("by", ["COMPASS_EVALUATOR__BASE_URL", "ANTHROPIC_BASE_URL"])
def test_a_check_sends_nothing_there_and_names_key_and_way_out(place: Place, by: str) -> None:
    place.env[by] = "http://192.0.2.1:9"
    why = held(place)
    assert "ANTHROPIC_API_KEY would go to 192.0.2.1:9 over plain http" in why
    assert "over plain http" in place.command("doctor", "--json").stdout.decode()


def test_under_auto_such_a_key_is_not_taken(place: Place, api: LoopbackApi) -> None:
    place.env |= {"COMPASS_EVALUATOR__BACKEND": "auto", "ANTHROPIC_BASE_URL": ELSEWHERE}
    assert held(place) == ""
    (found,) = [
        item for item in json.loads(place.command("doctor", "--json").stdout) if item["name"] == "backend"
    ]
    assert found["detail"].startswith(
        "auto chooses embedded: ANTHROPIC_API_KEY would go to readers.test:8080"
    )

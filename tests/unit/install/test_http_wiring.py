"""`compass init --http`: the entries, the way back and forth, and what the doctor says of them."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from running import ownhome
from running.httpserving import HttpProcess, http_process
from running.ownhome import LOCAL, Run, read

from compass.cli import main
from hooks.entries import HttpWiring, Wiring
from hooks.hosts.claude_code.host import HOST
from hooks.hosts.claude_code.setup import fatal_entries

SETUP = HOST.setup()
EVENTS = {name: word for word, name in HOST.EVENTS.items()}
entries = SETUP.entries
is_own = HOST.setup().is_own
merge = SETUP.merge
own_handlers = SETUP.own_handlers
remove = SETUP.remove
wires = SETUP.wires

PYTHON, SCRIPT = "/new/bin/python", "/new/lib/compass/__main__.py"
BY_COMMAND = Wiring(PYTHON, SCRIPT, blocks=True)
BY_HTTP = Wiring(PYTHON, SCRIPT, blocks=True, http=HttpWiring(8477, "/a b/$HOME/ünï"))

home, project, run = ownhome.home, ownhome.repository, ownhome.run


def handlers(settings: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {event: handler for event, _, handler in own_handlers(settings)}


def test_every_event_but_the_one_that_the_host_leaves_out_asks_http() -> None:
    found = handlers(merge({}, entries(BY_HTTP)))
    assert {event: handler["type"] for event, handler in found.items()} == {
        **dict.fromkeys(EVENTS, "http"),
        "SessionStart": "command",
    }
    for event, word in EVENTS.items():
        if event != "SessionStart":
            assert found[event]["url"] == f"http://127.0.0.1:8477/v1/hooks/{word}"
            assert found[event]["timeout"] == 30


def test_the_token_is_a_variable_that_the_host_may_put_in_and_never_the_token() -> None:
    gate = handlers(merge({}, entries(BY_HTTP)))["PreToolUse"]
    assert gate["headers"]["Authorization"] == "Bearer $COMPASS_HTTP_TOKEN"
    assert gate["allowedEnvVars"] == ["COMPASS_HTTP_TOKEN"]
    assert gate["onFailure"] == "block"


def test_the_projects_folder_stands_in_a_header_without_anything_that_the_host_would_expand() -> None:
    gate = handlers(merge({}, entries(BY_HTTP)))["PreToolUse"]
    assert gate["headers"]["X-Compass-Project-Dir"] == "/a%20b/%24HOME/%C3%BCn%C3%AF"


def test_entries_pass_the_hosts_own_rules() -> None:
    settings = merge({}, entries(BY_HTTP))
    assert fatal_entries(settings) == []
    assert all(wires(settings, event) for event in EVENTS)


def test_wiring_again_the_other_way_leaves_nothing_of_the_first() -> None:
    foreign = {"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "http://127.0.0.1:9/check"}]}]}}
    for first, second in ((BY_COMMAND, BY_HTTP), (BY_HTTP, BY_COMMAND)):
        over = merge(merge(foreign, entries(first)), entries(second))
        assert over == merge(foreign, entries(second)) == merge(over, entries(second))
        assert remove(over) == foreign


@corpus("url", ["http://127.0.0.1:8477/hooks/pre-tool-use", "http://x/v1/hooks/other", "", None, 7])
def test_other_peoples_http_hooks_are_not_ours(url: object) -> None:
    assert not is_own({"type": "http", "url": url})


def wired(project: Path) -> dict[str, dict[str, Any]]:
    return handlers(read(project / LOCAL))


def test_init_wires_http_keeps_it_and_goes_back(home: Path, project: Path, run: Run) -> None:
    document = run("init", "--http", "--port", "9123", "--enforce")
    assert document["http_port"] == 9123
    assert "+" in document["diff"]
    assert wired(project)["PreToolUse"]["url"] == "http://127.0.0.1:9123/v1/hooks/pre-tool-use"
    token = home / ".onlooker" / "compass" / "http-token"
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert token.read_text().strip() not in (project / LOCAL).read_text()
    again = run("init", "--observe")
    assert (again["http_port"], wired(project)["PreToolUse"]["onFailure"]) == (9123, "continue")
    assert run("init", "--observe")["changed"] == []
    assert run("init", "--http")["http_port"] == 8477
    assert run("init", "--command")["http_port"] is None
    assert {handler["type"] for handler in wired(project).values()} == {"command"}


def test_uninstall_takes_http_out(project: Path, run: Run) -> None:
    (project / ".claude").mkdir()
    (project / LOCAL).write_text('{"permissions": {"deny": ["WebFetch"]}}')
    run("init", "--http")
    run("init", "--uninstall")
    assert read(project / LOCAL) == {"permissions": {"deny": ["WebFetch"]}}


def test_a_dry_run_makes_no_token(home: Path, run: Run) -> None:
    assert "v1/hooks" in run("init", "--http", "--dry-run")["diff"]
    assert not (home / ".onlooker").exists()


def test_init_says_what_to_start_and_what_to_export(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["init", "--http", "--port", "9123"])
    said = capsys.readouterr().out
    assert "compass serve --http --port 9123" in said
    assert 'export COMPASS_HTTP_TOKEN="$(cat ' in said


@pytest.mark.parametrize(
    "words",
    [("--http", "--user"), ("--http", "--plugin"), ("--port", "9"), ("--http", "--port", "0"),
     ("--http", "--port", "65536")],
)  # fmt: skip
def test_what_cannot_be_wired_by_http_is_named(run: Run, words: tuple[str, ...]) -> None:
    assert run("init", *words, code=1)["error"]["message"]


@pytest.fixture
def api(tmp_path: Path, project: Path, home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A service in the same home and state, whose hooks are wired and whose token is exported."""
    shared = {
        "HOME": str(home),
        "ONLOOKER_DIR": str(home / ".onlooker"),
        "COMPASS_ENABLED": "",
        "COMPASS_HTTP_TOKEN": "of-these-tests-" + "x" * 20,
    }
    with http_process(tmp_path / "served", shared) as found:
        monkeypatch.setenv("COMPASS_HTTP_TOKEN", found.token)
        run("init", "--http", "--enforce", "--backend", "embedded", "--port", str(found.port))
        yield found


def findings(run: Run, code: int = 1) -> dict[str, dict[str, Any]]:
    return {item["name"]: item for item in run("doctor", code=code)}


def test_the_doctor_proves_a_wiring_by_http(run: Run, api: HttpProcess) -> None:
    found = findings(run, code=0)
    assert "answered nothing" in found["http service"]["detail"]
    assert "ask HTTP" in found["hook runs"]["detail"]


def test_the_doctor_names_a_service_that_is_down(run: Run, api: HttpProcess) -> None:
    api.place.command("serve", "--stop")
    found = findings(run)["http service"]
    assert (found["ok"], f"compass serve --http --port {api.port}" in found["detail"]) == (False, True)


@pytest.mark.full
def test_the_doctor_names_a_token_that_is_wrong_or_missing(
    run: Run, api: HttpProcess, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPASS_HTTP_TOKEN", "another-" + "y" * 30)
    assert "not the service's" in findings(run)["http service"]["detail"]
    monkeypatch.delenv("COMPASS_HTTP_TOKEN")
    assert "export COMPASS_HTTP_TOKEN" in findings(run)["http allowed"]["detail"]
    own = home / ".claude" / "settings.json"
    own.parent.mkdir(exist_ok=True)
    own.write_text(json.dumps({"env": {"COMPASS_HTTP_TOKEN": api.token}}))
    assert findings(run, code=0)["http allowed"]["ok"]


@pytest.mark.full
def test_the_doctor_names_a_service_that_judges_by_other_settings(run: Run, api: HttpProcess) -> None:
    own = next((Path(api.place.env["ONLOOKER_DIR"]) / "compass").glob("*/settings.json"))
    own.write_text(json.dumps({**read(own), "mode": "observe"}))
    os.environ["COMPASS_MODE"] = "enforce"
    try:
        assert "in mode observe, not in enforce" in findings(run)["http service"]["detail"]
    finally:
        del os.environ["COMPASS_MODE"]


@pytest.mark.full
def test_the_doctor_names_lists_of_the_host_that_leave_us_out(run: Run, api: HttpProcess, home: Path) -> None:
    own = home / ".claude" / "settings.json"
    own.parent.mkdir(exist_ok=True)
    for key, kept, left in (
        ("allowedHttpHookUrls", [f"http://127.0.0.1:{api.port}/*"], ["https://hooks.example.com/*"]),
        ("httpHookAllowedEnvVars", ["COMPASS_HTTP_TOKEN"], ["OTHER"]),
    ):
        own.write_text(json.dumps({key: left}))
        assert key in findings(run)["http allowed"]["detail"]
        own.write_text(json.dumps({key: kept}))
        assert findings(run, code=0)["http allowed"]["ok"]


@pytest.mark.spread(1)
@pytest.mark.parametrize(
    "spoil",
    [
        lambda hooks: hooks["PreToolUse"][0]["hooks"][0].pop("allowedEnvVars"),
        lambda hooks: hooks["PreToolUse"][0]["hooks"][0].pop("onFailure"),
        lambda hooks: hooks.__setitem__("SessionStart", hooks["SessionEnd"]),
        lambda hooks: hooks.pop("UserPromptSubmit"),
    ],
    ids=["token", "onFailure", "SessionStart", "missing"],
)
def test_the_doctor_names_a_weakened_wiring(run: Run, api: HttpProcess, project: Path, spoil: Any) -> None:
    settings = read(project / LOCAL)
    spoil(settings["hooks"])
    (project / LOCAL).write_text(json.dumps(settings))
    assert not findings(run)["hooks wired"]["ok"]

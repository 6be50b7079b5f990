"""What leaves grows only with a yes: a home of 0.1.0 sends no names that a write touches until its user answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from running.atterminal import at_a_terminal
from unit.hook.upgradehome import STATE, Home, laid_out

KEY = "evidence.symbols"
QUESTION = "Send this? [y/N]"
ANTHROPIC = "relay"
SOURCE = "class Ledger:\n    def post(self):\n        return 1\n"


@pytest.fixture
def home() -> Iterator[Home]:
    with laid_out() as found:
        yield found


def in_force(home: Home, project: str = ANTHROPIC) -> dict[str, Any]:
    return next(item for item in home.document(project, "config", "list", "--all") if item["key"] == KEY)


def finding(home: Home, project: str = ANTHROPIC) -> dict[str, Any]:
    return next(item for item in home.document(project, "doctor") if item["name"] == "evidence")


def own(home: Home) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        (home.path / STATE / home.key(ANTHROPIC) / "settings.json").read_text()
    )
    return found


def egress(home: Home) -> str:
    """What a hosted reader would be sent of an edit."""
    target = home.project(ANTHROPIC) / "ledger.py"
    target.write_text(SOURCE)
    given = {"file_path": str(target), "old_string": "return 1", "new_string": "return amount()"}
    payload = {
        "session_id": "s", "hook_event_name": "PreToolUse", "cwd": str(home.project(ANTHROPIC)), "tool_name": "Edit",
        "tool_input": given, "transcript_path": "",
    }  # fmt: skip
    path = home.path / "payload.json"
    path.write_text(json.dumps(payload))
    text: str = home.document(ANTHROPIC, "explain", "--egress", "--payload", str(path))["user"]
    return text


def init(home: Home, answer: bytes, *words: str) -> str:
    code, printed, shown = at_a_terminal(
        home.environment(ANTHROPIC), home.project(ANTHROPIC), answer, "init", *words
    )
    assert code == 0, printed + shown
    return printed + shown


def test_until_it_is_answered_nothing_is_sent_and_the_doctor_names_the_command(home):
    assert in_force(home)["value"] is False and "not answered" in in_force(home)["origin"]
    found = finding(home)
    assert found["ok"] and found["warns"] and KEY in found["detail"] and "`compass init`" in found["detail"]
    sent = egress(home)
    assert "names it touches" not in sent and "lines added" not in sent and "ledger.py" in sent


def test_init_asks_once_and_a_yes_sends_all_of_it(home):
    assert init(home, b"y\ny\n").count(QUESTION) == 1
    assert own(home)["evidence"] == {"symbols": True, "history": True, "lookups": "targets"}
    assert own(home)["memory"] == {"share": True}
    sent = egress(home)
    assert (
        'names it touches: "Ledger", "post", "amount"' in sent and "change: 1 lines added, 1 removed" in sent
    )
    assert QUESTION not in init(home, b"y\n") and not finding(home)["warns"]


@pytest.mark.full
def test_a_no_is_an_answer_too(home):
    assert QUESTION in init(home, b"n\ny\n")
    assert own(home)["evidence"] == {"symbols": False, "history": False, "lookups": "off"}
    assert own(home)["memory"] == {"share": False}
    assert QUESTION not in init(home, b"y\n")
    assert "names it touches" not in egress(home) and not finding(home)["warns"]


@pytest.mark.full
def test_without_a_terminal_nothing_is_asked_and_nothing_is_taken_for_a_yes(home):
    for words in (["--yes"], ["--json"], []):
        done = home.command(ANTHROPIC, "init", *words)
        assert done.returncode == 0, done.stderr
        assert "evidence" not in own(home) and f"compass config set {KEY} true" in done.stdout
    assert home.command(ANTHROPIC, "config", "set", KEY, "true").returncode == 0
    assert "names it touches" in egress(home)


@pytest.mark.full
@pytest.mark.parametrize("names", [b"y\n", b"n\n"])
def test_rules_that_give_way_to_hosted_readers_ask_for_the_names_in_the_same_init(
    home: Home, names: bytes
) -> None:
    env = home.environment("site") | {"ANTHROPIC_API_KEY": "sk-ant-test"}
    code, printed, shown = at_a_terminal(env, home.project("site"), names + b"y\n", "init")
    assert code == 0 and "judged by anthropic" in printed, printed + shown
    assert shown.count(QUESTION) == 1 and "Switch back to `auto`" in shown
    stored = json.loads((home.path / STATE / home.key("site") / "settings.json").read_text())
    yes = names == b"y\n"
    assert stored["evidence"] == {"symbols": yes, "history": yes, "lookups": "targets" if yes else "off"}
    assert stored["memory"] == {"share": yes}


def test_a_first_init_states_it_and_is_the_yes(home):
    (fresh := home.path / "fresh").mkdir()
    code, printed, shown = at_a_terminal(
        home.environment(ANTHROPIC), fresh, b"y\n", "init", "--backend", "embedded"
    )
    assert code == 0 and QUESTION not in shown
    assert "hosted readers are sent the names" in printed
    (stored,) = [
        path for path in (home.path / STATE).glob("*/settings.json") if '"symbols": true' in path.read_text()
    ]
    assert json.loads(stored.read_text())["enabled"] is True


@pytest.mark.full
@pytest.mark.parametrize("words", [("config", "set", "enabled", "false"), ("init", "--uninstall", "--yes")])
def test_a_gate_that_was_turned_off_waits_for_its_yes_too(home: Home, words: tuple[str, ...]) -> None:
    assert home.command(ANTHROPIC, *words).returncode == 0
    assert in_force(home)["value"] is False and "not answered" in in_force(home)["origin"]
    assert "names it touches" not in egress(home), "`check`, `calibrate` and `replay` send without a gate"
    assert QUESTION in init(home, b"n\ny\n")


def test_who_answered_for_one_kind_of_evidence_is_asked_for_the_newer_ones_alone(home: Home) -> None:
    """A home of the version before: names are sent, what happened before in the session is not until the yes."""
    assert home.command(ANTHROPIC, "config", "set", KEY, "false").returncode == 0
    assert "evidence.history" in finding(home)["detail"] and KEY not in finding(home)["detail"]
    assert init(home, b"y\ny\n").count(QUESTION) == 1
    assert own(home)["evidence"] == {"symbols": False, "history": True, "lookups": "targets"}
    assert not finding(home)["warns"]


def test_where_the_settings_are_lost_no_name_is_sent(home: Home) -> None:
    (home.path / STATE / home.key(ANTHROPIC) / "settings.json").unlink()
    assert "names it touches" not in egress(home)


def test_near_zero_egress_sends_no_name(home: Home) -> None:
    for key, value in ((KEY, "true"), ("context_chars_max", "0"), ("transcript.prior_turn_chars_max", "0")):
        assert home.command(ANTHROPIC, "config", "set", key, value).returncode == 0
    assert "names it touches" not in egress(home)


@pytest.mark.full
@pytest.mark.parametrize(
    ("key", "less", "more", "told"),
    [
        (KEY, "false", "true", "are sent the names that a write touches"),
        ("evidence.lookups", "off", "targets", "are sent lines from what the agent read"),
    ],
)
def test_setting_what_lets_more_leave_says_what(
    home: Home, key: str, less: str, more: str, told: str
) -> None:
    for value, says in ((less, False), (more, True), (more, False), (less, False)):
        done = home.command(ANTHROPIC, "config", "set", key, value)
        assert done.returncode == 0 and (told in done.stdout) is says, done.stdout

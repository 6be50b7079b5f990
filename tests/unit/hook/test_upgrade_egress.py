"""What leaves grows only with a yes: a home of 0.1.0 sends no names that a write touches until its user answered."""

import json
from typing import Any

import pytest
from running.atterminal import at_a_terminal
from unit.hook.upgradehome import STATE, Home, laid_out

KEY = "evidence.symbols"
QUESTION = "Send it? [y/N]"
NAMES = "names it touches"
ANTHROPIC = "relay"
SOURCE = "class Ledger:\n    def post(self):\n        return 1\n"


@pytest.fixture
def home():
    with laid_out() as found:
        yield found


def evidence(home: Home, command: str) -> dict[str, Any]:
    """What `config list --all`, or the doctor, says of it."""
    wanted = ("name", "evidence") if command == "doctor" else ("key", KEY)
    words = (command,) if command == "doctor" else (command, "list", "--all")
    found: list[dict[str, Any]] = home.document(ANTHROPIC, *words)
    return next(item for item in found if item[wanted[0]] == wanted[1])


def own(home: Home, section: str):
    stored = json.loads((home.path / STATE / home.key(ANTHROPIC) / "settings.json").read_text())
    return stored.get(section)


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


def init(home: Home, answer: bytes) -> str:
    env, project = home.environment(ANTHROPIC), home.project(ANTHROPIC)
    code, printed, shown = at_a_terminal(env, project, answer, "init")
    assert code == 0, printed + shown
    return printed + shown


def test_until_it_is_answered_nothing_is_sent_and_the_doctor_names_the_command(home):
    stated = evidence(home, "config")
    assert stated["value"] is False and "not answered" in stated["origin"]
    found = evidence(home, "doctor")
    assert found["ok"] and found["warns"] and KEY in found["detail"] and "`compass init`" in found["detail"]
    sent = egress(home)
    assert NAMES not in sent and "lines added" not in sent and "ledger.py" in sent
    (home.path / STATE / home.key(ANTHROPIC) / "settings.json").unlink()
    assert NAMES not in egress(home), "nor where the settings are lost"


@pytest.mark.parametrize("yes", [True, False])
def test_init_asks_once_for_all_of_it_and_a_no_is_an_answer_too(home, yes):
    assert init(home, b"y\ny\n" if yes else b"n\ny\n").count(QUESTION) == 1
    shown = "targets" if yes else "off"
    assert own(home, "evidence") == {"symbols": yes, "history": yes, "lookups": shown}
    assert own(home, "memory") == {"share": yes}
    sent = egress(home)
    assert ('names it touches: "Ledger", "post", "amount"' in sent) is yes
    assert ("change: 1 lines added, 1 removed" in sent) is yes
    assert QUESTION not in init(home, b"y\n") and not evidence(home, "doctor")["warns"]


@pytest.mark.full
def test_without_a_terminal_nothing_is_asked_and_nothing_is_taken_for_a_yes(home):
    for words in (["--yes"], ["--json"], []):
        done = home.command(ANTHROPIC, "init", *words)
        assert done.returncode == 0, done.stderr
        assert own(home, "evidence") is None and f"compass config set {KEY} true" in done.stdout
    assert home.command(ANTHROPIC, "config", "set", KEY, "true").returncode == 0
    assert NAMES in egress(home)


def test_a_first_init_states_it_and_is_the_yes(home):
    (fresh := home.path / "fresh").mkdir()
    words = ("init", "--backend", "embedded")
    code, printed, shown = at_a_terminal(home.environment(ANTHROPIC), fresh, b"y\n", *words)
    assert code == 0 and QUESTION not in shown
    assert "hosted readers are sent the names" in printed
    files = (home.path / STATE).glob("*/settings.json")
    (stored,) = [path for path in files if '"symbols": true' in path.read_text()]
    assert json.loads(stored.read_text())["enabled"] is True


@pytest.mark.full
@pytest.mark.parametrize("words", [("config", "set", "enabled", "false"), ("init", "--uninstall", "--yes")])
def test_a_gate_that_was_turned_off_waits_for_its_yes_too(home, words):
    assert home.command(ANTHROPIC, *words).returncode == 0
    assert NAMES not in egress(home), "`check`, `calibrate` and `replay` send without a gate"
    assert QUESTION in init(home, b"n\ny\n")


def test_who_answered_for_one_kind_of_evidence_is_asked_for_the_newer_ones_alone(home):
    """A home of the version before: names are sent, what happened before in the session is not until the yes."""
    assert home.command(ANTHROPIC, "config", "set", KEY, "false").returncode == 0
    found = evidence(home, "doctor")
    assert "evidence.history" in found["detail"] and KEY not in found["detail"]
    assert init(home, b"y\ny\n").count(QUESTION) == 1
    assert own(home, "evidence") == {"symbols": False, "history": True, "lookups": "targets"}
    assert not evidence(home, "doctor")["warns"]


def test_near_zero_egress_sends_no_name(home):
    for key, value in ((KEY, "true"), ("context_chars_max", "0"), ("transcript.prior_turn_chars_max", "0")):
        assert home.command(ANTHROPIC, "config", "set", key, value).returncode == 0
    assert NAMES not in egress(home)

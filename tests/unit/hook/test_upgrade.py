"""A home that 0.1.0 left behind works on with the program of today: real hooks, a real service, the recorded files."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from running.atterminal import at_a_terminal
from running.hookrun import KEY, MAIN
from running.processes import until
from unit.hook.upgradehome import DATABASES, PROJECTS, RECORDED, STATE, Home, Talk, facts, laid_out

from compass import ROOT, __version__
from compass.service.process import ask
from evaluator.service import lifecycle
from evaluator.state.database import LATEST

PARTS = ("compass", "evaluator", "hooks", "calibration")
TRUST = "dot-onlooker/compass/KEY-app/trust.json"
TRANSIENT = ("flights", "tokens", "judged")
"""What ends with its call; the rest outlives the program."""
DELETE = "rm src/old_auth.py"


@pytest.fixture
def home():
    with laid_out() as found:
        yield found


def talk(home: Home, name: str, project: str = "app") -> Talk:
    """The recorded session of that name, to be gone on with."""
    return Talk(home, project, facts()["sessions"][name])


def fresh(home: Home, project: str = "app", request: str = "") -> Talk:
    found = Talk(home, project, "00000000-0000-4000-8000-000000000999")
    found.begins()
    if request:
        found.user(request)
    return found


HELLO = "Create notes.txt with a line that says hello to whoever reads it"


def recorded_ids(home: Home, database: Path) -> list[str]:
    return [row[0] for row in home.rows("SELECT check_id FROM checks ORDER BY rowid", database)]


def table_rows(home: Home, database: Path) -> dict[str, tuple[tuple[str, ...], set[tuple[Any, ...]]]]:
    """{table: (its columns, its rows)}."""
    found: dict[str, tuple[tuple[str, ...], set[tuple[Any, ...]]]] = {}
    for (table,) in home.rows("SELECT name FROM sqlite_master WHERE type = 'table'", database):
        columns = tuple(row[1] for row in home.rows(f"PRAGMA table_info({table})", database))
        found[table] = columns, set(home.rows(f"SELECT {', '.join(columns)} FROM {table}", database))
    return found


def serving(home: Home) -> dict[str, Any]:
    """What the service tells of itself; nothing where none answers."""
    return dict(ask(home.environment("app")) or {})


def finding(home: Home, name: str, project: str = "app", command: str = "doctor", key: str = "name"):
    """What the doctor, or another command that lists, says of something."""
    words = ("list", "--all") if command == "config" else ()
    return next(item for item in home.document(project, command, *words) if item[key] == name)


def own(home: Home, project: str = "app", **changed: object) -> Any:
    """The settings that are stored of a project, with the changes."""
    path = home.path / STATE / home.key(project) / "settings.json"
    found = {**json.loads(path.read_text()), **changed}
    if changed:
        path.write_text(json.dumps(found))
    return found


@pytest.mark.full
@pytest.mark.parametrize("project", PROJECTS)
def test_the_doctor_names_nothing_broken_that_was_whole(home, project):
    broken = {item["name"]: item["detail"] for item in home.document(project, "doctor") if not item["ok"]}
    known = facts()["doctor"][project]
    whole_then = {name for name, ok in known.items() if ok}
    stale = broken.pop("calibration", None)
    if stale is not None:
        assert project == "app" and "compass calibrate" in stale
    # Nor does a finding fail that 0.1.0 did not know.
    assert {name: broken[name] for name in broken if name in whole_then or name not in known} == {}


@pytest.mark.parametrize("served", [True, False], ids=["served", "in process"])
def test_the_wired_command_gates(home, served):
    if not served:
        own(home, service={"enabled": False})
    assert home.wired("app", "PreToolUse").endswith(f"{MAIN} hook pre-tool-use")
    session = fresh(home)
    if served:
        until(lambda: serving(home))
        before = serving(home)["requests"]
    # Of two files, nobody said which.
    session.agent("I found two unused files: src/old_auth.py and src/legacy_auth.py.")
    session.user("Just delete it.")
    assert session.bash("ls src") is None
    assert session.bash(DELETE) is not None
    assert session.last()["verdict"] == "failed"
    if served:
        assert serving(home)["requests"] >= before + 3
    else:
        assert lifecycle.holder(home.service) is None


def test_trust_holds_until_its_content_changes(home):
    def in_force() -> dict[str, Any]:
        return {item["key"]: item["value"] for item in home.document("app", "config", "list", "--all")}

    keys = ("cooldown.seconds", "coverage.max_calls")
    assert [in_force()[key] for key in keys] == [300, 25]
    assert home.document("app", "trust")["digest"] in (RECORDED / TRUST).read_text()
    shared = home.project("app") / ".claude" / "settings.json"
    settings = json.loads(shared.read_text())
    settings["compass"]["coverage"]["max_calls"] = 26
    shared.write_text(json.dumps(settings))
    assert [in_force()[key] for key in keys] == [120, 10]


def test_what_was_held_released_or_cancelled_goes_on_as_it_stood(home):
    held = talk(home, "held")
    held.begins("resume")
    assert held.bash(DELETE) is not None
    assert held.last()["reason"] == "denied_before"
    held.user("compass: proceed")
    assert held.bash(DELETE) is None
    assert held.last()["reason"] == "released"
    assert held.bash(DELETE, succeeds=False) is not None, "a release counts once"
    waiting = talk(home, "waiting")
    waiting.begins("resume")
    assert waiting.bash(DELETE) is None
    assert waiting.last()["reason"] == "released"
    assert talk(home, "released").bash(DELETE) is not None, "it was spent"
    cancelled = talk(home, "cancelled")
    assert cancelled.bash(DELETE) is not None
    assert cancelled.last()["reason"] == "cancelled"


def test_what_the_session_made_and_a_coverage_go_on(home):
    work = talk(home, "work")
    for name in ("notes.md", "another.txt"):
        assert work.write(name) is None
        assert work.last()["reason"] == "covered"


@pytest.mark.full
def test_every_recorded_check_is_explained(home):
    for project, database in (("app", DATABASES[0]), ("away", DATABASES[1])):
        home.command(project, "doctor")
        for check_id in recorded_ids(home, database):
            told = home.document(project, "explain", check_id)
            wanted = f"SELECT verdict, reason, decision FROM checks WHERE check_id = '{check_id}'"
            said = told["verdict"], told["reason"], told["decision"]
            assert home.rows(wanted, database) == [said]
    (judged,) = home.rows("SELECT check_id FROM checks WHERE reason = 'low_confidence' LIMIT 1")
    assert "Just delete it." in home.document("app", "explain", "--egress", judged[0])["user"]


def test_recorded_checks_are_listed_and_show_no_time_where_none_was_kept_apart(home):
    ids = recorded_ids(home, DATABASES[0])
    lines = home.command("app", "log", "--all", "--json", "-n", "1000").stdout.splitlines()
    found = [json.loads(line) for line in lines]
    assert [one["check_id"] for one in found] == ids
    assert {(one["duration_ms"], one["cost_usd"]) for one in found} == {(None, None)}
    own = {one["check_id"] for one in found if one["project_dir"] == str(home.project("app"))}
    assert home.document("app", "explain")["check_id"] == max(own, key=ids.index)
    (name,) = home.rows("SELECT target FROM checks WHERE reason = 'confident' LIMIT 1")[0]
    assert home.document("app", "why", name)[0]["request"]


def test_the_calibration_is_named_stale_and_stays(home):
    path = home.path / STATE / home.key("app") / "calibration.json"
    before, found = path.read_bytes(), finding(home, "calibration")
    assert not found["ok"]
    assert str(path) in found["detail"] and "compass calibrate" in found["detail"]
    assert path.read_bytes() == before


def test_the_backend_that_was_stored_for_lack_of_better_is_kept_and_the_state_is_the_users_alone(home):
    session = fresh(home, request=HELLO)
    assert session.write("notes.txt") is None
    assert (session.last()["reason"], session.last()["backend"]) == ("insufficient_context", "embedded")
    until(lambda: serving(home))
    for path in (home.path / STATE).rglob("*"):
        mode = os.stat(path).st_mode & 0o777
        assert mode == (0o700 if path.is_dir() else 0o600), path


def stored(home: Home):
    found = own(home)
    return found["mode"], found["evaluator"]["backend"]


@pytest.mark.full
@pytest.mark.parametrize(
    ("answer", "backend", "questions"), [(b"y\ny\n", "auto", 2), (b"y\nn\ny\n", "embedded", 3)]
)
def test_rules_stored_for_lack_of_better_return_to_auto_after_one_question(home, answer, backend, questions):
    terminal = home.environment("app", {"ANTHROPIC_API_KEY": KEY}), home.project("app")
    code, printed, shown = at_a_terminal(*terminal, answer, "init")
    assert code == 0, printed + shown
    assert shown.count("Send it? [y/N]") == 1
    assert "`auto` would choose anthropic: a credential is set" in printed
    assert shown.count("Switch back to `auto`, and write these changes? [y/N]") == 1
    assert shown.count("[y/N]") == questions
    assert stored(home) == ("enforce", backend)
    assert at_a_terminal(*terminal, b"", "init")[::2] == (0, ""), "asked once"
    assert stored(home) == ("enforce", backend)


def test_away_from_a_terminal_stored_rules_stay_and_the_way_is_named(home):
    def kept(*words):
        return [note for note in home.document("app", "init", *words)["notes"] if "keeping the rules" in note]

    (note,) = kept()
    assert "keeping the rules backend" in note and "`compass init --backend auto`" in note
    assert stored(home) == ("enforce", "embedded")
    kept("--backend", "embedded")
    assert kept() == [], "chosen by name"
    kept("--backend", "auto")
    assert stored(home) == ("enforce", "auto")


@pytest.mark.parametrize(("project", "database"), [("app", DATABASES[0]), ("away", DATABASES[1])])
def test_the_database_is_brought_up_without_losing_a_row(home, project, database):
    before = table_rows(home, database)
    fresh(home, project)
    assert home.rows("PRAGMA user_version", database) == [(LATEST,)]
    for table, (columns, rows) in before.items():
        if table not in TRANSIENT:
            now = set(home.rows(f"SELECT {', '.join(columns)} FROM {table}", database))
            assert rows <= now, table
    assert not list((home.path / database).parent.glob("*.corrupt-*"))


@pytest.mark.full
def test_init_again_keeps_the_wiring_and_uninstall_finds_the_way_back(home):
    local = home.project("app") / ".claude" / "settings.local.json"
    exclude = home.project("app") / ".git" / "info" / "exclude"
    assert "/.claude/settings.local.json" in exclude.read_text().splitlines()
    before = home.wired("app", "PreToolUse")
    done = home.document("app", "init")
    assert (done["mode"], done["scope"]) == ("enforce", "project")
    # The entry says of itself what that of 0.1.0 could not.
    assert home.wired("app", "PreToolUse").startswith(f"{before} --wired closed HOME=")
    wiring = {item["name"]: item["ok"] for item in home.document("app", "doctor")}
    assert wiring["hooks wired"] and wiring["hook runs"]
    home.document("app", "init", "--uninstall")
    assert not local.exists()
    assert (home.project("app") / ".claude" / "settings.json").exists()
    assert "/.claude/settings.local.json" not in exclude.read_text().splitlines()


def release(home: Home, version: str) -> Path:
    """`__main__.py` of the program as it is, under another version and in a folder of its own."""
    folder = home.path / "release"
    for name in PARTS:
        shutil.copytree(Path(ROOT) / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    init = folder / "compass" / "__init__.py"
    init.write_text(re.sub(r'__version__ = "[^"]*"', f'__version__ = "{version}"', init.read_text()))
    return folder / "compass" / "__main__.py"


@pytest.mark.full
def test_an_earlier_service_is_replaced_at_the_next_hook(home):
    # Without `-S` an editable install would stand in for it.
    words = [sys.executable, "-I", "-S", str(release(home, "0.0.9")), "serve", "--idle", "600"]
    with subprocess.Popen(words, env=home.environment("app"), cwd=home.project("app")) as earlier:
        until(lambda: serving(home))
        assert (serving(home)["version"], serving(home)["pid"]) == ("0.0.9", earlier.pid)
        session = talk(home, "held")
        assert session.bash(DELETE) is not None
        assert session.last()["reason"] == "denied_before"
        assert earlier.wait(60) == 0
        until(lambda: serving(home).get("version") == __version__)
        assert serving(home)["root"] == ROOT


@pytest.fixture
def of_a_newer(home):
    """The home after a newer program has worked in it."""
    with closing(sqlite3.connect(home.path / DATABASES[0])) as connection:
        connection.execute(f"PRAGMA user_version = {LATEST + 1}")
        connection.execute("CREATE TABLE of_a_newer_one (it TEXT)")
    return home


@pytest.mark.full
def test_an_older_program_on_newer_state_answers_by_policy_and_names_the_remedy(of_a_newer):
    home = of_a_newer
    before = table_rows(home, DATABASES[0])
    session = fresh(home, request=HELLO)
    denial = session.bash(DELETE)
    assert denial is not None and "Compass could not check" in denial
    assert "newer Compass" in denial and "upgrade Compass" in denial
    assert "compass: proceed" not in denial
    assert session.bash("ls src") is None
    assert session.write("node_modules/x.js") is None
    until(lambda: serving(home))
    assert "newer Compass" in (session.write("notes.txt") or "")
    found = finding(home, "database")
    assert not found["ok"] and "upgrade Compass" in found["detail"]
    assert table_rows(home, DATABASES[0]) == before
    assert "newer Compass" in (home.path / STATE / "faults.log").read_text()


def test_on_newer_state_rules_that_stand_in_hold_what_destroys_and_who_observes_is_not_blocked(of_a_newer):
    own(of_a_newer, error_policy="embedded")
    session = fresh(of_a_newer, request=HELLO)
    assert session.write("notes.txt") is None
    assert session.bash(DELETE) is not None
    assert fresh(of_a_newer, "site", "Just delete it.").bash(DELETE) is None


# What leaves grows only with a yes: a home of 0.1.0 sends no names that a write touches until its user answered.

SYMBOLS = "evidence.symbols"
QUESTION = "Send it? [y/N]"
NAMES = "names it touches"
ANTHROPIC = "relay"
SOURCE = "class Ledger:\n    def post(self):\n        return 1\n"


def evidence(home: Home) -> dict[str, Any]:
    return finding(home, "evidence", ANTHROPIC)


def egress(home: Home) -> str:
    """What a hosted reader would be sent of an edit."""
    project = home.project(ANTHROPIC)
    target = project / "ledger.py"
    target.write_text(SOURCE)
    given = {"file_path": str(target), "old_string": "return 1", "new_string": "return amount()"}
    payload = {"session_id": "s", "cwd": str(project), "tool_name": "Edit", "tool_input": given}
    path = home.path / "payload.json"
    path.write_text(json.dumps(payload))
    return str(home.document(ANTHROPIC, "explain", "--egress", "--payload", str(path))["user"])


def init(home: Home, answer: bytes) -> str:
    code, printed, shown = at_a_terminal(home.environment(ANTHROPIC), home.project(ANTHROPIC), answer, "init")
    assert code == 0, printed + shown
    return printed + shown


def test_until_it_is_answered_nothing_is_sent_and_the_doctor_names_the_command(home):
    stated = finding(home, SYMBOLS, ANTHROPIC, "config", "key")
    assert stated["value"] is False and "not answered" in stated["origin"]
    found = evidence(home)
    assert found["ok"] and found["warns"]
    assert SYMBOLS in found["detail"] and "`compass init`" in found["detail"]
    sent = egress(home)
    assert NAMES not in sent and "lines added" not in sent and "ledger.py" in sent
    (home.path / STATE / home.key(ANTHROPIC) / "settings.json").unlink()
    assert NAMES not in egress(home), "nor where the settings are lost"


@pytest.mark.parametrize("yes", [True, False])
def test_init_asks_once_for_all_of_it_and_a_no_is_an_answer_too(home, yes):
    assert init(home, b"y\ny\n" if yes else b"n\ny\n").count(QUESTION) == 1
    shown = "targets" if yes else "off"
    assert own(home, ANTHROPIC).get("evidence") == {"symbols": yes, "history": yes, "lookups": shown}
    assert own(home, ANTHROPIC).get("memory") == {"share": yes}
    sent = egress(home)
    assert ('names it touches: "Ledger", "post", "amount"' in sent) is yes
    assert ("change: 1 lines added, 1 removed" in sent) is yes
    assert QUESTION not in init(home, b"y\n") and not evidence(home)["warns"]


@pytest.mark.full
def test_without_a_terminal_nothing_is_asked_and_nothing_is_taken_for_a_yes(home):
    for words in (["--yes"], ["--json"], []):
        done = home.command(ANTHROPIC, "init", *words)
        assert done.returncode == 0, done.stderr
        assert own(home, ANTHROPIC).get("evidence") is None
        assert f"compass config set {SYMBOLS} true" in done.stdout
    assert home.command(ANTHROPIC, "config", "set", SYMBOLS, "true").returncode == 0
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
    assert home.command(ANTHROPIC, "config", "set", SYMBOLS, "false").returncode == 0
    found = evidence(home)
    assert "evidence.history" in found["detail"] and SYMBOLS not in found["detail"]
    assert init(home, b"y\ny\n").count(QUESTION) == 1
    assert own(home, ANTHROPIC).get("evidence") == {"symbols": False, "history": True, "lookups": "targets"}
    assert not evidence(home)["warns"]


def test_near_zero_egress_sends_no_name(home):
    set_to = {SYMBOLS: "true", "context_chars_max": "0", "transcript.prior_turn_chars_max": "0"}
    for key, value in set_to.items():
        assert home.command(ANTHROPIC, "config", "set", key, value).returncode == 0
    assert NAMES not in egress(home)

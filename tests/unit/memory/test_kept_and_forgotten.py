"""What is kept of sessions, by real hooks over one database: what checks are shown and what `compass forget` erases."""

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from corpora import corpus
from repository import ROOT
from running.atterminal import at_a_terminal
from running.hookrun import Place
from running.processes import outputs, start
from running.remembered import FILES, Project

from compass.api.host import ProgramHost
from compass.composition.gate import wire
from evaluator.effects import effect, folded
from evaluator.files import append_line
from evaluator.gate import precedents
from evaluator.precedents import Precedent, RequestPlace
from evaluator.record import replace
from evaluator.settings.keys import build
from evaluator.settings.places import project_key
from evaluator.state.database import STEPS
from evaluator.state.erasure import SESSION, ErasureScope, erase
from evaluator.state.store import open_store
from evaluator.text import ulid
from hooks.registry import HOSTS, host_of

CHOSEN = "edit src/report/reader.py"
TYPED = "the one in the report folder"


def settled(project: Project) -> Precedent:
    at = time.time() - 3600
    return Precedent(
        ulid(at, bytes(10)), project.key, str(project.folder), "s", "", at, "clarified",
        "the reader", "the one of the report", "", FILES[0], "one_file", False,
    )  # fmt: skip


def run(project: Project, *words: str) -> str:
    done = project.machine.place.command(*words)
    assert done.returncode == 0, done.stderr
    return str(done.stdout.decode())


def told(project: Project) -> list[str]:
    """The lines of precedents that a check of a new session is shown."""
    talk = project.session()
    talk.user("Speed up the reader.")
    talk.edits(FILES[0])
    return list(json.loads(run(project, "explain", "--json"))["evidence"].get("precedents", []))


def test_explain_tells_what_a_check_was_shown_and_what_is_edited_or_gone_is_not(tmp_path: Path) -> None:
    project = Project(tmp_path)
    one = settled(project)
    project.keep(one)
    (line,) = told(project)
    assert '"the reader" meant "src/report/reader.py"' in line and '"the one of the report"' in line
    assert f"settled before {line}" in " ".join(run(project, "explain").split())
    assert line in run(project, "explain", "--egress")
    run(project, "memory", "edit", one.precedent_id, "--target", FILES[1])
    (line,) = told(project)
    assert '"the reader" meant "src/billing/reader.py"' in line
    run(project, "memory", "forget", one.precedent_id)
    assert told(project) == []
    assert "settled before" not in run(project, "explain")


def test_a_work_tree_shares_what_its_main_one_settled(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.keep(settled(project))
    other = tmp_path / "other"
    other.mkdir()
    git = project.folder / ".git" / "worktrees" / "other"
    git.mkdir(parents=True)
    (git / "commondir").write_text("../..\n")
    (git / "HEAD").write_text("ref: refs/heads/fix\n")
    (other / ".git").write_text(f"gitdir: {git}\n")
    project.machine.place.env["CLAUDE_PROJECT_DIR"] = str(other)
    found = json.loads(run(project, "memory", "list", "--json"))
    assert (found["checkout"], len(found["precedents"])) == (str(project.folder), 1)


@pytest.mark.parametrize("name", [*sorted(HOSTS), "a program"])
def test_answers_count_at_hosts_whose_row_says_so(tmp_path: Path, name: str) -> None:
    host = host_of(name) if name in HOSTS else ProgramHost(str(tmp_path))
    env = {"ONLOOKER_DIR": str(tmp_path / "state")}
    wired = wire(env, str(tmp_path), str(tmp_path), settings=build({}), host=host)
    memory = wired.parts.memory
    assert memory is not None
    assert memory.serves() == (name in HOSTS and host.setup().PROMISES.answers_count)
    wired.close()


@corpus(
    ("operation", "heard", "chosen", "said"),
    [
        ("edit", (CHOSEN,), (CHOSEN,), ""),
        ("edit", (CHOSEN, "the first"), (CHOSEN,), "the first"),
        ("edit", (TYPED,), (), TYPED),
        ("create", (TYPED,), (), None),
        ("create", (f"reader.py, {TYPED}",), (), f"reader.py, {TYPED}"),
    ],
    ids=["clicked", "typed beside it", "explained", "a new file nobody named", "a new file they named"],
)
def test_what_settles_is_what_the_user_typed_of_a_known_target(monkeypatch, operation, heard, chosen, said):
    """A reading that was clicked is the readers' words, and is not kept as the user's."""
    kept = []
    monkeypatch.setattr(precedents, "_may_settle_precedent", lambda *_: True)
    monkeypatch.setattr(precedents, "_keep_precedent", lambda *given: kept.append(given[3]))
    place = RequestPlace("key", "/p", "/p")
    memory = SimpleNamespace(serves=lambda: True, project=lambda _: "key", place=lambda *_: place)
    run: Any = SimpleNamespace(
        parts=SimpleNamespace(memory=memory),
        answered=SimpleNamespace(heard=heard, chosen=chosen, answers=(), request=("Fix it",), denials=()),
        pending=None,
        known_effects=folded((effect(operation, "/p/src/report/reader.py"),)),
    )
    found: Any = SimpleNamespace(clusters=())
    precedents.settle_precedent(run, found)
    assert [one.said for one in kept] == ([] if said is None else [said])


SAID = "Tidy the wombat module, please, but leave the rest."
NOW = 1_800_000_000.0
ONE = Precedent(
    "01JGFJJZ00ABCDEFGHJKMNPQRS", "", "/p", "session-1", "c", NOW, "clarified",
    "the wombat", "that one", "fix", "wombat.py", "one_file", False,
)  # fmt: skip


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path, {"COMPASS_STORE_EVIDENCE": "true"})


def write(place, session="session-1", project=None, said=SAID):
    """A session that says something and writes a file, as its host calls the hooks."""
    project = project or place.project
    project.mkdir(exist_ok=True)
    place.say(said)
    about = {"session_id": session, "cwd": str(project)}
    place.hook("session-start", about)
    place.hook("user-prompt-submit", {**about, "prompt": said, "prompt_id": "prompt-1"})
    given = {"file_path": str(project / "a.py"), "content": "x = 1\n"}
    place.hook("pre-tool-use", place.payload("Write", given, **about))


def settle(place, *precedents):
    store = open_store(str(place.state / "compass"), now=NOW).store
    for one in precedents:
        store.keep_precedent(one)
    assert list(store.faults) == []
    store.close()


def forget(place, *words, code=0):
    done = place.command("forget", *words)
    assert done.returncode == code, (done.stdout, done.stderr)
    assert b"Traceback" not in done.stderr
    return (done.stdout if code == 0 else done.stderr).decode()


def erased(place, *words):
    return json.loads(forget(place, *words, "--json"))


def rows(place, table):
    with closing(sqlite3.connect(place.state / "compass" / "compass.db")) as database:
        return database.execute(f"SELECT * FROM {table}").fetchall()


def tables(place):
    """Every table that names a session."""
    with closing(sqlite3.connect(place.state / "compass" / "compass.db")) as database:
        query = """SELECT m.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
            WHERE m.type = 'table' AND c.name = ?"""
        return [name for (name,) in database.execute(query, (SESSION,))]


def bytes_of(folder, word):
    return [str(path) for path in folder.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]


def test_a_session_goes_with_its_records_and_another_stays(place):
    write(place)
    write(place, "session-2", said="Tidy the badger module.")
    theirs = replace(ONE, precedent_id="02", project="k", session_id="session-2", term="it", target="b.py")
    settle(place, replace(ONE, project="k"), theirs)
    damaged = place.state / "compass" / "compass.db.corrupt-20260102T030405Z"
    damaged.write_text("wombat")
    assert len(place.events()) == 2 and bytes_of(place.state, "wombat")
    said = erased(place, "--session", "session-1", "--yes")
    assert bytes_of(place.state, "wombat") == bytes_of(place.state, "session-1") == []
    assert said["files"] == [str(damaged)], "nobody can take single rows out of it"
    assert said["sessions"] == ["session-1"] and said["session"] == "session-1"
    named = ("checks", "sessions", "prompts", "precedents", "events")
    assert [said["erased"][name] for name in named] == [1] * 5
    for table in tables(place):
        assert not [row for row in rows(place, table) if "session-1" in row], table
    assert [row[0] for row in rows(place, "precedents")] == ["02"]
    assert {row[2] for row in rows(place, "precedent_words")} == {"02"}
    assert [event["session_id"] for event in place.events()] == ["session-2"]
    assert len(rows(place, "checks")) == 1 and len(rows(place, "prompts")) == 1


def test_a_project_goes_by_its_folder_and_its_key(place):
    other = place.root / "other"
    write(place)
    write(place, "session-2", other)
    key = project_key(str(place.project))
    theirs = replace(ONE, precedent_id="02", project="k", session_id="session-2")
    settle(place, replace(ONE, project=key, session_id=""), theirs)
    folder = place.state / "compass" / key
    folder.mkdir(exist_ok=True)
    kept = [folder / name for name in ("settings.json", "calibration.json", "thresholds.json")]
    gone = [folder / name for name in ("glossary.json", "x.unfinished.jsonl")]
    for path in (*kept, *gone):
        path.write_text("{}")
    said = erased(place, "--project", "--yes")
    assert said["project_dir"] == str(place.project)
    assert sorted(said["files"]) == sorted(map(str, gone))
    assert [path for path in (*kept, *gone) if path.exists()] == kept
    assert said["sessions"] == ["session-1"]
    assert [row[0] for row in rows(place, "precedents")] == ["02"]
    assert [event["session_id"] for event in place.events()] == ["session-2"]
    assert erased(place, "--project", "--yes")["erased"] == dict.fromkeys(said["erased"], 0)


def test_a_session_that_only_passed_through_a_project_keeps_what_is_of_the_others(place):
    other = place.root / "other"
    write(place, project=other)
    given = {"file_path": str(place.project / "b.py"), "content": "x = 2\n"}
    place.hook("pre-tool-use", place.payload("Write", given, cwd=str(place.project)))
    assert len(rows(place, "checks")) == 2
    said = erased(place, "--project", "--yes")
    assert (said["erased"]["checks"], said["erased"]["prompts"], said["sessions"]) == (1, 0, [])
    assert len(rows(place, "prompts")) == 1 and len(rows(place, "checks")) == 1


def test_a_person_goes_whole_and_settings_stay(place):
    write(place)
    write(place, "session-2", place.root / "other")
    place.command("config", "set", "mode", "observe")
    settle(place, replace(ONE, project="k", session_id=""))
    state = place.state / "compass"
    (state / "compass.db.corrupt-20260102T030405Z").write_text("wombat")
    (state / "faults.log").write_text("2026 x\n")
    store = open_store(str(state), now=NOW).store
    store.add_spend("2026-01-02", 1.5, 3)
    store.set_note("a", "b")
    store.close()
    said = erased(place, "--person", "--yes")
    assert said["person"] is True
    for table in [*tables(place), "precedent_words"]:
        assert rows(place, table) == [], table
    assert place.events() == []
    assert [path.name for path in state.glob("*corrupt*")] == []
    assert not (state / "faults.log").exists()
    # A cap of the day, a breaker or what was learnt of a server is no record of a person.
    assert len(rows(place, "spending")) == 1 and ("a", "b") in rows(place, "notes")
    got = place.command("config", "get", "mode")
    assert got.stdout == b"observe\n"


def test_without_a_yes_nothing_goes(place):
    assert forget(place, "--project", "--yes").startswith("Nothing is kept about ")
    assert not (place.state / "compass").exists()
    write(place)
    assert "pass --yes to agree beforehand" in forget(place, "--person", code=1)
    assert len(rows(place, "checks")) == 1
    code, _, shown = at_a_terminal(place.environment(), place.project, b"n\n", "forget", "--person")
    assert code == 1 and "This cannot be undone. [y/N]" in shown and "nothing was changed" in shown
    assert len(rows(place, "checks")) == 1
    code, printed, _ = at_a_terminal(place.environment(), place.project, b"y\n", "forget", "--person")
    assert code == 0 and "Erased what was kept about you on this machine:" in printed
    assert rows(place, "checks") == []


def test_ids_that_no_text_can_hold_go_too(place, tmp_path):
    folder = str(place.state / "compass")
    store = open_store(folder, now=NOW).store
    names = ["s\udc80", "x" * 900, "a' OR 1=1 --", "../../up"]
    for name in names:
        store.add_prompt(name, None, "hi", NOW, opens_turn=True)
    store.close()
    for name in names:
        assert erase(folder, ErasureScope(session_id=name), NOW).rows["prompts"] == 1
    assert rows(place, "sessions") == []


def test_an_older_database_is_brought_up_to_date_first(place):
    """One as the release 0.1.0 left it, with a turn of the session."""
    path = place.state / "compass" / "compass.db"
    path.parent.mkdir(parents=True, mode=0o700)
    with closing(sqlite3.connect(path)) as database:
        database.executescript((ROOT / "evaluator/state/schema/0.1.0.sql").read_text(encoding="utf-8"))
        database.execute(
            "INSERT INTO turns (session_id, agent_id, ordinal, checks_taken) VALUES ('session-1', '', 1, 1)"
        )
        database.execute(f"PRAGMA user_version = {STEPS[0][0]}")
        database.commit()
    erased(place, "--session", "session-1", "--yes")
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA user_version").fetchone()[0] == STEPS[-1][0]
        assert database.execute("SELECT count(*) FROM turns").fetchone()[0] == 0


OTHERS = (
    b'{"plugin": "echo", "session_id": "session-1", "payload": {"file_path": "/p/a"}}\n'
    b'not json, "compass"\n\n{"plugin": "compass"\n'
)


def test_lines_of_other_tools_stay_as_they_are(place):
    log = place.state / "logs" / "onlooker-events.jsonl"
    log.parent.mkdir(parents=True)
    log.write_bytes(OTHERS)
    write(place)
    assert log.read_bytes() != OTHERS
    inode = log.stat().st_ino
    forget(place, "--session", "session-1", "--yes")
    assert (log.read_bytes(), log.stat().st_ino) == (OTHERS, inode)


APPEND = """
from evaluator.files import append_line
for number in range(300):
    append_line(sys.argv[1], (sys.argv[2] % number).encode(), 10.0)
"""


def test_lines_that_are_appended_meanwhile_are_not_lost(place):
    """By processes that write as the gate does, while ours are taken out again and again."""
    log = place.state / "logs" / "onlooker-events.jsonl"
    said = {"plugin": "compass", "session_id": "SESSION", "payload": {"file_path": "/x"}, "n": "%d"}
    line = json.dumps(said)
    append_line(str(log), line.replace("SESSION", "gone").encode(), 1.0)
    writers = [start(APPEND, str(log), line.replace("SESSION", name)) for name in ("gone", "a", "b")]
    while any(writer.poll() is None for writer in writers):
        done = place.command("forget", "--session", "gone", "--yes")
        assert done.returncode == 0 or b"nothing is kept" in done.stderr
    outputs(writers)
    place.command("forget", "--session", "gone", "--yes")
    found = [(event["session_id"], int(event["n"])) for event in place.events()]
    assert sorted(found) == [(name, number) for name in ("a", "b") for number in range(300)]


def test_a_gate_that_is_open_meanwhile_goes_on(place):
    """A process that holds the database, as the service does, keeps a working connection and records anew."""
    write(place)
    store = open_store(str(place.state / "compass"), now=NOW).store
    assert len(store.prompts("session-1")) == 1
    forget(place, "--person", "--yes")
    assert store.prompts("session-1") == ()
    assert store.add_prompt("session-1", None, "again", NOW, opens_turn=True) == 1
    assert list(store.faults) == []
    store.close()

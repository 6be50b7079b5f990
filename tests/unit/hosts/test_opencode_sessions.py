"""Sessions of OpenCode as its database holds them: the rows are recorded, the tables are those of 1.18.33."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from evaluator.errors import PayloadError
from evaluator.model import Exchange, PendingWrite
from hooks.hosts.opencode import HOST
from hooks.sessions import Called, Ended, Passed, Spoken

SESSIONS = HOST.sessions()

FIXTURES = Path(__file__).parents[3] / "fixtures" / "hosts" / "opencode"
TABLES = """
CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, time_created integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, data text NOT NULL);
"""


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(TABLES)
        for line in (FIXTURES / "session.jsonl").read_text().splitlines():
            row = json.loads(line)
            table, values = row.pop("table"), {k: json.dumps(v) if k == "data" else v for k, v in row.items()}
            marks = ", ".join("?" * len(values))
            database.execute(
                f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})",
                tuple(values.values()),
            )
    database.close()
    return path


def test_a_database_is_its_sessions_but_those_of_subagents(stored: Path) -> None:
    found = SESSIONS.find_transcripts([str(stored.parent), str(stored), f"{stored}#ses_one"])
    assert found == [f"{stored}#ses_one"]


def test_a_number_sign_in_a_folder_names_no_session(stored: Path) -> None:
    folder = stored.parent / "c#"
    folder.mkdir()
    stored.rename(folder / stored.name)
    here = f"{folder / stored.name}#ses_one"
    assert SESSIONS.find_transcripts([str(folder), here]) == [here]
    with pytest.raises(PayloadError):
        SESSIONS.find_transcripts([f"{stored}#ses_one"])


def test_the_tools_of_a_projects_sessions_are_known(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/elsewhere")
    setup, home = HOST.setup(), stored.parent / "home"
    assert setup.seen_tools(str(home), "/project") == set()
    place = Path(setup.sessions_folder(str(home), "/project"))
    place.parent.mkdir(parents=True)
    stored.rename(place)
    assert setup.seen_tools(str(home), "/project") == {"Bash"}
    assert setup.seen_tools(str(home), "/another") == set()


def test_what_its_hooks_were_told_comes_in_order(stored: Path) -> None:
    moments = list(SESSIONS.session_moments(f"{stored}#ses_one", Passed()))
    assert [type(one) for one in moments] == [Spoken, Spoken, Called, Ended, Spoken, Called, Ended]
    assert [one.text for one in moments if isinstance(one, Spoken)] == [
        "Look for unused files",
        "Just delete it.",
        "1",
    ]
    held, released = [one for one in moments if isinstance(one, Called)]
    assert (held.tool_name, held.tool_input["command"], held.fate) == ("Bash", "rm a.py", "failed")
    assert (released.fate, released.cwd, released.project) == ("ran", "/project", "/project")


def test_an_exchange_is_read_as_it_stood_then(stored: Path) -> None:
    path, source = f"{stored}#ses_one", SESSIONS.then()
    call = next(one for one in SESSIONS.session_moments(path, Passed()) if isinstance(one, Called))
    source.go_to(call.end)
    pending = PendingWrite("opencode", "ses_one", "Bash", {}, "/project", "/project", path)
    assert source.exchange(pending, ()) == Exchange(
        ("Just delete it.",), "I found two unused files: a.py and b.py."
    )
    assert [one.text for one in source.voices(pending)] == ["Just delete it.", "Look for unused files"]


def test_what_is_no_database_is_refused_or_empty(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    path.write_text("no database")
    with pytest.raises(PayloadError):
        SESSIONS.find_transcripts([str(path)])
    with pytest.raises(PayloadError):
        SESSIONS.find_transcripts([str(tmp_path / "nothing.db")])
    assert list(SESSIONS.session_moments(f"{path}#ses", Passed())) == []

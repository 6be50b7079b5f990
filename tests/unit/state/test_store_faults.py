"""The state store when the disk, the file or other processes are against it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from running.processes import outputs, start
from samples.state_stores import CHECK

from evaluator.effects import effect
from evaluator.errors import StateError
from evaluator.files import FAULTS_BYTES_MAX, FaultLog, recent_faults
from evaluator.ports import TurnKey
from evaluator.state import database
from evaluator.state.database import LATEST, STEPS, migrate, version_of
from evaluator.state.store import MemoryStore, OpenedStore, Store, open_store

NOW = 1_735_732_800.0
TURN = TurnKey("s", "", 1)


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    return tmp_path / "onlooker" / "compass"


def opened(state_dir: Path) -> OpenedStore:
    return open_store(str(state_dir), now=NOW)


def with_one_prompt(state_dir: Path) -> None:
    store = opened(state_dir).store
    store.add_prompt("s", "a", "kept", NOW, opens_turn=True)
    store.close()


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


# Files and folders


def test_folder_and_files_are_private_from_the_start(state_dir: Path) -> None:
    previous = os.umask(0)
    try:
        store = opened(state_dir).store
        store.add_prompt("s", "a", "kept", NOW, opens_turn=True)
        assert mode_of(state_dir) == 0o700
        assert {mode_of(path) for path in state_dir.iterdir()} == {0o600}
        assert {"compass.db", "compass.db-wal"} <= {path.name for path in state_dir.iterdir()}
    finally:
        os.umask(previous)


def test_modes_that_others_loosened_are_repaired(state_dir: Path) -> None:
    with_one_prompt(state_dir)
    state_dir.chmod(0o755)
    (state_dir / "compass.db").chmod(0o644)
    assert opened(state_dir).fault is None
    assert (mode_of(state_dir), mode_of(state_dir / "compass.db")) == (0o700, 0o600)


# A database that cannot be used


@pytest.mark.parametrize("wreck", ["garbage", "truncated", "header"])
def test_a_corrupt_database_is_kept_aside_and_a_fresh_one_made(state_dir: Path, wreck: str) -> None:
    with_one_prompt(state_dir)
    path = state_dir / "compass.db"
    whole = path.read_bytes()
    broken = {"garbage": b"not a database " * 999, "truncated": whole[:60], "header": b"x" * 16 + whole[16:]}
    path.write_bytes(broken[wreck])
    again = opened(state_dir)
    assert isinstance(again.store, Store)
    assert again.store.add_prompt("s", "b", "new", NOW, opens_turn=True) == 1
    aside = state_dir / "compass.db.corrupt-20250101T120000Z"
    assert again.fault is not None and aside.name in again.fault and str(path) in again.fault
    assert aside.read_bytes() == broken[wreck]
    assert any(aside.name in line for line in recent_faults(str(state_dir)))
    assert opened(state_dir).fault is None


def test_a_page_that_turns_out_corrupt_in_use_is_rescued_without_losing_the_answer(state_dir: Path) -> None:
    with_one_prompt(state_dir)
    path = state_dir / "compass.db"
    with closing(sqlite3.connect(path)) as db, db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'prompts'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    db.close()
    content = path.read_bytes()
    path.write_bytes(content[: (page - 1) * size] + b"\xff" * size + content[page * size :])
    again = opened(state_dir)
    assert again.fault is None
    assert again.store.add_prompt("s", "b", "new", NOW, opens_turn=True) == 1
    assert [prompt.text for prompt in again.store.prompts("s")] == ["new"]
    assert len(list(state_dir.glob("compass.db.corrupt-*"))) >= 1
    assert "corrupt" in again.store.faults[0]


def test_a_database_that_is_deleted_under_a_running_process_is_made_anew(state_dir: Path) -> None:
    store = opened(state_dir).store
    store.add_prompt("s", "a", "lost", NOW, opens_turn=True)
    for path in state_dir.iterdir():
        path.unlink()
    state_dir.rmdir()
    assert store.add_prompt("s", "b", "new", NOW, opens_turn=True) == 1
    assert [prompt.text for prompt in opened(state_dir).store.prompts("s")] == ["new"]
    assert list(store.faults) == []


def test_a_database_of_a_newer_compass_is_left_alone(state_dir: Path) -> None:
    with_one_prompt(state_dir)
    path = state_dir / "compass.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {LATEST + 1}")
    before = path.read_bytes()
    again = opened(state_dir)
    assert isinstance(again.store, MemoryStore) and again.fault is not None
    assert f"newer Compass (schema {LATEST + 1}; this one knows {LATEST})" in again.fault
    assert str(path) in again.fault
    assert path.read_bytes() == before


@pytest.mark.parametrize("below", ["a regular file", "proc", "a nul"])
def test_a_folder_that_cannot_be_made_gives_the_store_in_memory(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("in the way")
    folder = {"a regular file": f"{tmp_path}/file/compass", "proc": "/proc/compass", "a nul": "/tmp/a\0b"}
    again = open_store(folder[below], now=NOW)
    assert isinstance(again.store, MemoryStore) and "state is kept in memory" in str(again.fault)
    assert again.store.take_check(TURN, 1)
    assert list(again.store.faults) == [again.fault]


def test_a_database_that_another_holds_alone_gives_the_store_in_memory(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    state_dir.mkdir(parents=True)
    with closing(sqlite3.connect(state_dir / "compass.db", isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        holder.execute("CREATE TABLE t (a)")
        again = opened(state_dir)
    assert isinstance(again.store, MemoryStore) and "locked" in str(again.fault)


def test_a_creation_that_never_ends_elsewhere_is_not_waited_for(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    state_dir.mkdir(parents=True)
    with (state_dir / "compass.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        again = opened(state_dir)
    assert isinstance(again.store, MemoryStore)
    assert "compass.lock stayed locked for 0.1 s" in str(again.fault)
    assert not (state_dir / "compass.db").exists()
    assert isinstance(opened(state_dir).store, Store)


@pytest.mark.parametrize("corrupt", [False, True])
def test_who_waits_for_a_creation_uses_what_its_maker_made_and_needs_no_lock(
    state_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, corrupt: bool
) -> None:
    """The lock is never given back; a sound database takes the place while it is waited for."""
    monkeypatch.setattr(database, "BUSY_SECONDS", 60.0)
    opened(tmp_path / "made").store.close()
    state_dir.mkdir(parents=True)
    file = state_dir / "compass.db"
    if corrupt:
        file.write_bytes(b"not a database " * 999)
    with (state_dir / "compass.lock").open("w") as lock, ThreadPoolExecutor(1) as pool:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = pool.submit(opened, state_dir)
        with pytest.raises(TimeoutError):
            waiting.result(0.3)
        (tmp_path / "made" / "compass.db").replace(file)
        found = waiting.result(30)
    assert (found.fault, type(found.store)) == (None, Store)
    assert not list(state_dir.glob("*corrupt*"))


def test_a_lock_in_mid_check_costs_one_wait_and_gives_safe_answers(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 1.0)
    store = opened(state_dir).store
    blocker = sqlite3.connect(state_dir / "compass.db", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    assert [store.take_check(TURN, 1) for _ in range(3)] == [True, True, True]
    assert store.add_prompt("s", "a", "lost", NOW, opens_turn=True) == 0
    assert store.next_sequence("s") == 0
    assert store.issue_token(NOW, 60) == "" and not store.holds_token("", NOW)
    store.save_check(CHECK, TURN, store_evidence=True)
    store.note_call("t", TURN, [effect("edit", "/p/a.py")], [effect("edit", "/p/a.py")], NOW)
    store.settle("t", NOW, succeeded=True)
    store.sweep(NOW, 30)
    assert time.monotonic() - began < 10 * 1.0
    assert len(store.faults) == 10
    assert store.faults[0] == "compass.db: take_check: database is locked"
    blocker.execute("ROLLBACK")
    blocker.close()
    assert [store.take_check(TURN, 1) for _ in range(2)] == [True, False]
    assert store.check(None) is None
    assert len(recent_faults(str(state_dir))) == 10


def test_other_processes_see_what_is_written_together_at_once_or_not_at_all(state_dir: Path) -> None:
    ours, other = opened(state_dir).store, opened(state_dir).store
    with ours.together():
        ours.save_check(CHECK, TURN, store_evidence=True)
        assert other.check(None) is None
        assert ours.next_sequence("s") == 0
    assert other.check(None) is not None
    assert other.next_sequence("s") == 1


FULL = """
import resource
from evaluator.ports import TurnKey
from evaluator.state.store import open_store
from samples.state_stores import saved_as
store = open_store(sys.argv[1], now=1.0).store
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
for number in range(400):
    store.save_check(saved_as(f"C{number:04}"), None, store_evidence=True)
print(type(store).__name__, store.take_check(TurnKey("s", "", 1), 1))
print(store.faults[0])
"""


def test_a_disk_that_fills_up_loses_writes_but_no_check_and_no_older_record(state_dir: Path) -> None:
    (printed,) = outputs([start(FULL, str(state_dir))])
    assert printed.startswith("Store True\ncompass.db: save_check: ")
    again = opened(state_dir)
    assert again.fault is None
    assert again.store.check("C0000") is not None and again.store.check("C0399") is None


def test_a_bug_is_not_taken_for_a_fault(state_dir: Path) -> None:
    store = database.Database(str(state_dir / "compass.db"), FaultLog(str(state_dir), lambda: NOW))
    with pytest.raises(ZeroDivisionError):
        store.write("x", lambda connection: 1 / 0, 0.0)
    with pytest.raises(sqlite3.ProgrammingError):
        store.write("x", lambda connection: connection.execute("SELECT ?", ()), None)
    assert store.write("x", lambda connection: connection.in_transaction, False)
    store.close()


# Schema


def test_steps_are_applied_once_in_order_and_to_what_a_release_left(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
    assert migrate(connection, STEPS[:1]) == ("0.1.0.sql",)
    assert version_of(connection) == 7
    assert migrate(connection) == tuple(name for _, name in STEPS[1:])
    assert version_of(connection) == LATEST
    assert migrate(connection) == ()
    with pytest.raises(StateError, match="newer Compass"):
        migrate(connection, STEPS[:1])
    connection.execute("PRAGMA user_version = 12")
    with pytest.raises(StateError, match="schema 12 does not belong to any release"):
        migrate(connection)
    assert version_of(connection) == 12
    connection.close()


def test_a_step_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
    (tmp_path / "broken.sql").write_text("CREATE TABLE fine (a); CREATE NONSENSE;")
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, ((1, "broken.sql"),), str(tmp_path))
    assert version_of(connection) == 0
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    connection.close()


def test_an_older_database_is_migrated_and_keeps_its_rows(state_dir: Path) -> None:
    state_dir.mkdir(parents=True)
    connection = sqlite3.connect(state_dir / "compass.db", isolation_level=None)
    migrate(connection, STEPS[:1])
    connection.execute("INSERT INTO sessions (session_id, turn_ordinal) VALUES ('s', 7)")
    for number, record in enumerate(('{"pending": {"project_dir": "/p"}}', '{"pending": {"stddev": NaN,')):
        connection.execute(
            "INSERT INTO checks (check_id, at, session_id, verdict, reason, decision, tool_name, target, record)"
            " VALUES (?, 1, 's', 'passed', 'confident', 'allow', 'Edit', '/p/a', ?)",
            (f"c{number}", record),
        )
    connection.close()
    found = opened(state_dir)
    assert found.fault is None
    assert found.store.turn("s", None).ordinal == 7 and found.store.take_check(TURN, 1)


# The fault log


def test_the_fault_log_stays_small_and_keeps_the_newest_lines(tmp_path: Path) -> None:
    log = FaultLog(str(tmp_path), lambda: NOW)
    for number in range(1500):
        log.note("compass.db: x", f"fault {number}\nsecond line \ud800 " + "y" * 900)
    assert (tmp_path / "faults.log").stat().st_size <= FAULTS_BYTES_MAX
    lines = recent_faults(str(tmp_path), 3)
    assert [line.split("\\n")[0] for line in lines] == [
        f"2025-01-01T12:00:00.000Z compass.db: x: fault {number}" for number in (1497, 1498, 1499)
    ]
    assert len(log.lines) == 100


# Many processes and threads, some of them killed

PATIENT = """
from evaluator import files
from evaluator.state import database
database.BUSY_SECONDS = files.FAULT_LOCK_SECONDS = 60.0
"""
"""What is asked here is that nothing gets lost, however busy the machine is."""
TAKE = """
from evaluator.ports import TurnKey
from evaluator.state.store import open_store
opened = open_store(sys.argv[1], now=time.time())
turn = TurnKey("s", "", 1)
taken = [opened.store.take_check(turn, 3) for _ in range(20)]
print(sum(taken), opened.fault, list(opened.store.faults))
"""


def test_many_processes_create_the_state_at_once_and_share_one_budget(state_dir: Path) -> None:
    printed = outputs([start(PATIENT + TAKE, str(state_dir), head_start=1.0) for _ in range(16)])
    assert all(line.endswith(" None []\n") for line in printed), printed
    assert sum(int(line.split()[0]) for line in printed) == 3


@pytest.mark.full
def test_many_processes_that_find_a_corrupt_database_agree_on_one_fresh_one(state_dir: Path) -> None:
    state_dir.mkdir(parents=True)
    (state_dir / "compass.db").write_bytes(b"not a database " * 999)
    printed = outputs([start(PATIENT + TAKE, str(state_dir), head_start=1.0) for _ in range(16)])
    assert sum(int(line.split()[0]) for line in printed) == 3, printed
    assert sum("was corrupt" in line.split("[")[0] for line in printed) == 1
    assert len(list(state_dir.glob("compass.db.corrupt-*Z"))) == 1


def test_threads_of_one_process_share_a_store(state_dir: Path) -> None:
    store = opened(state_dir).store
    taken: list[bool] = []

    def take() -> None:
        taken.extend(store.take_check(TURN, 3) for _ in range(20))

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(take) for _ in range(8)]:
            done.result()
    assert (sum(taken), list(store.faults)) == (3, [])


WRITE = """
from evaluator.state.store import open_store
store = open_store(sys.argv[1], now=time.time()).store
while True:
    number = store.next_sequence("s")
    store.add_prompt("s", str(number), "x" * 3000, 1.0, opens_turn=True)
    print(number, flush=True)
"""


def test_a_writer_killed_at_any_moment_leaves_a_database_that_opens(state_dir: Path) -> None:
    reached = -1
    for number in range(12):
        writer = start(WRITE, str(state_dir))
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(0.003 * number)
        writer.kill()
        last = writer.communicate()[0].split()
        reached = max(reached, *(int(seen) for seen in last), 0)
        again = opened(state_dir)
        assert again.fault is None
        assert {prompt.text for prompt in again.store.prompts("s")} == {"x" * 3000}
        assert again.store.next_sequence("s") > reached
        assert list(again.store.faults) == []
        again.store.close()

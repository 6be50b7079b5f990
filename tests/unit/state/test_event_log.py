"""The file of the public event log: private, whole lines, never in the way; and the id of the machine."""

from __future__ import annotations

import json
import os
import uuid
from dataclasses import replace
from pathlib import Path

import pytest
from corpora import corpus
from running.processes import outputs, start
from samples.event_schema import EVENT_SCHEMA
from samples.sample_checks import CHECK

from evaluator.events import EventLog, machine_id

MACHINE = "6f1c2a34-0000-4000-8000-000000000001"
COVERED = replace(CHECK, verdict="skipped", decision="allow", reason="covered")


def lines_of(path: Path) -> list[dict[str, object]]:
    content = path.read_bytes()
    assert content.endswith(b"\n")
    return [json.loads(line) for line in content.splitlines()]


def test_the_log_and_what_had_to_be_made_around_it_are_private(tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        folder = tmp_path / "onlooker" / "logs"
        log = EventLog(str(folder / "events.jsonl"), str(tmp_path / "onlooker"))
        log.emit(CHECK, 0)
    finally:
        os.umask(previous)
    private = [folder / "events.jsonl", folder.parent / "machine_id"]
    assert [path.stat().st_mode & 0o777 for path in private] == [0o600, 0o600]
    assert [path.stat().st_mode & 0o777 for path in (folder, folder.parent)] == [0o700, 0o700]
    assert sorted(path.name for path in folder.parent.iterdir()) == ["logs", "machine_id"]


def test_a_folder_that_others_share_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    EventLog(str(tmp_path / "events.jsonl"), str(tmp_path)).emit(CHECK, 0)
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_check_that_the_schema_cannot_say_is_not_told(tmp_path: Path) -> None:
    log = EventLog(str(tmp_path / "log"), str(tmp_path))
    checks = (CHECK, COVERED, replace(CHECK, mode="observe"), CHECK)
    assert [log.tells(check) for check in checks] == [True, False, False, True]
    for number, check in enumerate(checks):
        log.emit(check, number)
    assert [line["sequence"] for line in lines_of(tmp_path / "log")] == [0, 3]


def test_a_torn_line_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = EventLog(str(path), str(tmp_path))
    log.emit(CHECK, 0)
    with path.open("ab") as file:
        file.write(b'{"id": "torn')
    log.emit(CHECK, 1)
    log.emit(CHECK, 2)
    first, torn, *others = path.read_bytes().splitlines()
    assert torn == b'{"id": "torn'
    assert [json.loads(line)["sequence"] for line in (first, *others)] == [0, 1, 2]


def test_a_log_that_cannot_be_written_is_a_fault_and_nothing_more(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    faults: list[str] = []
    for path, folder in (
        (tmp_path / "file" / "log", tmp_path),
        (tmp_path, tmp_path),
        (tmp_path / "log", tmp_path / "file"),
        (Path("/proc/compass/log"), tmp_path),
        (Path(f"{tmp_path}/a\0b"), tmp_path),
    ):
        log = EventLog(str(path), str(folder), on_fault=faults.append)
        log.emit(CHECK, 0)
    assert [CHECK.check_id in fault for fault in faults] == [True] * 5
    assert not (tmp_path / "log").exists()


FULL = """
import resource
from evaluator.events import EventLog
from samples.sample_checks import CHECK
faults = []
log = EventLog(sys.argv[1], sys.argv[2], on_fault=faults.append)
log.emit(CHECK, 0)
import os
limit = os.stat(sys.argv[1]).st_size + 100
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
for number in range(1, 5):
    log.emit(CHECK, number)
print(len(faults))
"""


def test_a_full_disk_loses_events_but_tears_no_line(tmp_path: Path) -> None:
    (printed,) = outputs([start(FULL, str(tmp_path / "log"), str(tmp_path))])
    assert int(printed) == 4
    assert [line["sequence"] for line in lines_of(tmp_path / "log")] == [0]


def test_a_lock_that_is_never_given_back_costs_the_event_not_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    monkeypatch.setattr("evaluator.events.LOCK_SECONDS", 0.05)
    with (tmp_path / "log").open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        faults: list[str] = []
        EventLog(str(tmp_path / "log"), str(tmp_path), on_fault=faults.append).emit(CHECK, 0)
    assert "stayed locked" in faults[0]


APPEND = """
from dataclasses import replace
import evaluator.events
evaluator.events.LOCK_SECONDS = 60
from evaluator.events import EventLog
from samples.sample_checks import CHECK, PENDING
faults = []
log = EventLog(sys.argv[1], sys.argv[2], on_fault=faults.append)
check = replace(CHECK, pending=replace(PENDING, session_id=sys.argv[3], cwd="/" + "x" * 9000), effects=None)
for number in range(int(sys.argv[4])):
    log.emit(check, number)
    print(number, *faults, flush=True)
"""


def test_many_processes_append_whole_lines_under_one_machine_id(tmp_path: Path) -> None:
    arguments = [str(tmp_path / "logs" / "log"), str(tmp_path / "onlooker")]
    outputs([start(APPEND, *arguments, f"s{number}", "20", head_start=1.0) for number in range(16)])
    lines = lines_of(tmp_path / "logs" / "log")
    for line in lines:
        EVENT_SCHEMA.validate(line)
    assert len({line["machine_id"] for line in lines}) == 1
    assert len({line["id"] for line in lines}) == 320
    by_session: dict[object, list[object]] = {}
    for line in lines:
        by_session.setdefault(line["session_id"], []).append(line["sequence"])
    assert list(by_session.values()) == [list(range(20))] * 16
    assert [path.name for path in (tmp_path / "onlooker").iterdir()] == ["machine_id"]


# The machine's id


@corpus("content", ["", "not a uuid", MACHINE[:-1], "x" * 100_000, "\0\udcff"])
def test_a_machine_id_that_is_none_is_replaced_once(tmp_path: Path, content: str) -> None:
    (tmp_path / "machine_id").write_bytes(content.encode("utf-8", "surrogatepass"))
    made = machine_id(str(tmp_path))
    assert uuid.UUID(made).version == 4
    assert machine_id(str(tmp_path)) == made
    assert [path.name for path in tmp_path.iterdir()] == ["machine_id"]


def test_the_log_imports_no_more_than_it_needs() -> None:
    (printed,) = outputs([start("import evaluator.events, evaluator.state.store; print(*sys.modules)")])
    heavy = {"sqlite3", "asyncio", "pathlib", "uuid", "logging", "datetime"}
    assert heavy.isdisjoint(printed.split())

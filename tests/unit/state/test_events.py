"""The public event log: what is told of a check by the schema, and a file that is private, whole, in no one's way."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st
from running.processes import outputs, start
from samples.event_schema import EVENT_SCHEMA
from samples.state_stores import CHECK, PENDING, with_tool

from evaluator.events import EventLog, envelope, event_of, machine_id
from evaluator.model import Check, Convergence, Effects, Exchange, Reason, VerdictName
from evaluator.text import rfc3339, ulid

TOLD = {
    "skip_sentinel", "skip_glob", "dir_plus_stem_cooldown", "turn_budget_exhausted", "insufficient_context",
    "reply_to_question_pattern", "sampler_error", "circuit_open", "evaluator_budget_exhausted",
}  # fmt: skip
PRIVATE = {"not_write_class", "disabled", "self_protection", "paused", "denied_before", "covered"}
MACHINE = "6f1c2a34-0000-4000-8000-000000000001"


def passed() -> Check:
    return replace(CHECK, verdict="passed", decision="allow", reason="confident")


def skipped(reason: Reason) -> Check:
    return replace(CHECK, verdict="skipped", decision="allow", reason=reason, convergence=None, samples=())


def told(check: Check) -> tuple[str, Mapping[str, object]]:
    event = event_of(check)
    assert event is not None
    whole = envelope(check, event, event_id=str(uuid.uuid4()), machine=MACHINE, sequence=0)
    EVENT_SCHEMA.validate(json.loads(json.dumps(whole)))
    return event


# What is told


def test_a_check_tells_its_scores_path_and_tool_and_a_failed_one_its_concern() -> None:
    scores = {
        "confidence": 0.4, "stddev": 0.1, "file_path": "/p/auth.py", "tool_name": "Edit",
        "had_prior_turn": True, "sample_count": 5,
    }  # fmt: skip
    assert told(passed()) == ("compass.check.passed", scores)
    assert told(CHECK) == ("compass.check.failed", {**scores, "primary_concern": "scope"})


def test_an_empty_prior_turn_is_told_as_none_and_an_unknown_one_not_at_all() -> None:
    assert told(replace(CHECK, exchange=Exchange(request=("x",))))[1]["had_prior_turn"] is False
    assert "had_prior_turn" not in told(replace(CHECK, exchange=None))[1]


@corpus("reason", sorted(TOLD))
def test_a_skip_is_told_with_its_reason(reason: Reason) -> None:
    payload = {"reason": reason, "file_path": "/p/auth.py", "tool_name": "Edit"}
    assert told(skipped(reason)) == ("compass.check.skipped", payload)


@corpus("verdict", get_args(VerdictName))
@corpus("reason", sorted(PRIVATE))
def test_what_the_schema_cannot_say_is_not_told(reason: Reason, verdict: VerdictName) -> None:
    assert event_of(replace(CHECK, verdict=verdict, reason=reason)) is None
    assert event_of(replace(CHECK, verdict=verdict, reason=reason, convergence=None)) is None


@pytest.mark.parametrize("mode", ["enforce", "observe"])
def test_a_check_that_failed_without_scores_is_told_as_a_sampler_error(mode: str) -> None:
    for change in ({"convergence": None}, {"reason": "sampler_error"}):
        for decision in ("allow", "deny"):
            kind, payload = told(replace(CHECK, mode=mode, decision=decision, **change))  # type: ignore[arg-type]
            assert (kind, payload["reason"]) == ("compass.check.skipped", "sampler_error")


@pytest.mark.parametrize(("mean", "stddev"), [(float("nan"), 0.1), (1.2, 0.1), (0.5, float("inf"))])
def test_scores_that_are_none_are_not_told(mean: float, stddev: float) -> None:
    broken = Convergence(mean, stddev, 5, "none", "")
    assert told(replace(CHECK, convergence=broken))[0] == "compass.check.skipped"
    assert event_of(replace(passed(), convergence=broken)) is None


def test_observing_never_tells_a_failure_but_does_tell_a_pass() -> None:
    assert event_of(replace(CHECK, mode="observe", decision="allow")) is None
    assert told(replace(passed(), mode="observe"))[0] == "compass.check.passed"


@corpus(
    ("tool", "exported"),
    [("Write", "Write"), ("Edit", "Edit"), ("MultiEdit", "MultiEdit"), ("Bash", "Bash"), ("NotebookEdit", "Edit"),
     ("apply_patch", "MultiEdit")],
)  # fmt: skip
def test_each_tool_is_exported_under_a_name_that_the_schema_has(tool: str, exported: str) -> None:
    for check in (passed(), CHECK, skipped("skip_glob")):
        assert told(with_tool(check, tool))[1]["tool_name"] == exported


@pytest.mark.parametrize("tool", ["mcp__files__write", "Read", "", "write"])
def test_other_tools_are_not_told(tool: str) -> None:
    for check in (passed(), CHECK, skipped("skip_glob"), skipped("released"), skipped("cancelled")):
        assert event_of(with_tool(check, tool)) is None


def test_a_call_without_a_target_is_told_by_its_working_directory() -> None:
    for effects in (None, Effects("write", "unknown", "destructive")):
        check = with_tool(replace(CHECK, effects=effects), "Bash")
        assert told(check)[1]["file_path"] == "/p"


def test_a_release_is_told_as_overridden_and_a_cancelled_call_as_canceled() -> None:
    assert told(skipped("released")) == (
        "compass.check.overridden", {"file_path": "/p/auth.py", "user_acknowledgment": True},
    )  # fmt: skip
    assert told(replace(CHECK, reason="cancelled")) == (
        "compass.check.canceled", {"file_path": "/p/auth.py", "confidence": 0.4, "stddev": 0.1},
    )  # fmt: skip


@corpus("reason", get_args(Reason))
@corpus("verdict", get_args(VerdictName))
def test_whatever_a_check_says_its_event_meets_the_schema(reason: Reason, verdict: VerdictName) -> None:
    scored = replace(CHECK, reason=reason, verdict=verdict)
    for check in (scored, replace(scored, convergence=None)):
        if event_of(check) is not None:
            told(check)


# The envelope


@corpus(
    ("host", "runtime"),
    [("claude-code", "claude-code"), ("cursor", "cursor"), ("copilot", "copilot"), ("gemini", "gemini"),
     ("codex", "custom"), ("", "custom")],
)  # fmt: skip
def test_a_host_that_the_schema_does_not_know_is_custom(host: str, runtime: str) -> None:
    check = replace(CHECK, pending=replace(PENDING, host=host))
    event = event_of(check)
    assert event is not None
    whole = envelope(check, event, event_id=str(uuid.uuid4()), machine=MACHINE, sequence=3)
    EVENT_SCHEMA.validate(whole)
    assert (whole["runtime"], whole["sequence"]) == (runtime, 3)
    assert whole["timestamp"] == "2025-01-01T12:00:00.000Z"


@corpus(
    ("at", "text"),
    [(0.0, "1970-01-01T00:00:00.000Z"), (-1.0, "1970-01-01T00:00:00.000Z"),
     (1.9996, "1970-01-01T00:00:01.999Z"),
     (float("nan"), "1970-01-01T00:00:00.000Z"), (float("inf"), "9999-12-31T23:59:59.000Z")],
)  # fmt: skip
def test_a_time_stamp_is_always_one_that_can_be_written(at: float, text: str) -> None:
    assert rfc3339(at) == text


TEXT = st.text(st.characters(exclude_categories=[]), max_size=30)


@given(session=TEXT, path=TEXT, tool=st.sampled_from(["Write", "Bash", "NotebookEdit"]), at=st.floats())
def test_any_text_and_time_ends_up_in_one_valid_line(
    tmp_path: Path, session: str, path: str, tool: str, at: float
) -> None:
    pending = replace(PENDING, session_id=session, tool_name=tool)
    check = replace(CHECK, pending=pending, effects=Effects("write", "edit", "modifying", (path,)), at=at)
    file = tmp_path / "events.jsonl"
    file.unlink(missing_ok=True)
    EventLog(str(file), str(tmp_path)).emit(check, 0)
    (line,) = file.read_bytes().decode("utf-8").splitlines()
    EVENT_SCHEMA.validate(json.loads(line))


def test_an_endless_session_id_or_path_is_cut(tmp_path: Path) -> None:
    pending = replace(PENDING, session_id="s" * 5_000_000, cwd="/" + "x" * 5_000_000)
    EventLog(str(tmp_path / "log"), str(tmp_path)).emit(replace(CHECK, pending=pending, effects=None), 0)
    assert (tmp_path / "log").stat().st_size < 10_000


# Ids


def test_a_ulid_sorts_by_time_and_holds_all_its_bits() -> None:
    assert ulid(0.0, bytes(10)) == "0" * 26
    assert ulid(CHECK.at, b"\xff" * 10) < ulid(CHECK.at + 0.001, bytes(10))
    assert ulid(1e300, b"\xff" * 10) == "7" + "Z" * 25
    assert ulid(-5.0, bytes(10)) == "0" * 26
    # The example of the ULID specification.
    assert ulid(1_469_918_176.385, bytes(10)).startswith("01ARYZ6S41")
    with pytest.raises(ValueError, match="10 random bytes"):
        ulid(CHECK.at, b"short")


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
    private = (folder / "events.jsonl", folder.parent / "machine_id", folder, folder.parent)
    assert [path.stat().st_mode & 0o777 for path in private] == [0o600, 0o600, 0o700, 0o700]
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
    for number in (1, 2):
        log.emit(CHECK, number)
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
        EventLog(str(path), str(folder), on_fault=faults.append).emit(CHECK, 0)
    assert [CHECK.check_id in fault for fault in faults] == [True] * 5
    assert not (tmp_path / "log").exists()


FULL = """
import resource
from evaluator.events import EventLog
from samples.state_stores import CHECK
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
from samples.state_stores import CHECK, PENDING
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

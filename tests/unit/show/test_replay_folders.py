"""`compass replay FOLDER`: sessions of whichever host are found and told by what they look like."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT
from running.hookrun import Place
from samples.recordings import CLEAR, Recording, replayed

from hooks.registry import find_hosts_sessions, host_of_session

HOSTS = ROOT / "fixtures" / "hosts"
AT = "2026-11-22T08:39:44.414Z"


def saved(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))
    return path


def opencode_export(path: Path, project: str) -> Path:
    where = {"path": {"cwd": project}, "time": {"created": 1_763_800_000_000}}
    call = {"input": {"filePath": f"{project}/notes.txt", "content": "hello"}, "status": "completed"}
    return saved(path, {
        "info": {"id": "ses_one", "directory": project},
        "messages": [
            {"info": {"id": "m1", "role": "user", **where}, "parts": [{"type": "text", "text": CLEAR}]},
            {"info": {"id": "m2", "role": "assistant", **where},
             "parts": [{"type": "tool", "tool": "write", "callID": "c1", "state": call}]},
        ],
    })  # fmt: skip


def gemini_document(path: Path, project: str) -> Path:
    path.parent.mkdir(parents=True)
    (path.parent.parent / ".project_root").write_text(project)
    call = {
        "id": "c1", "name": "write_file", "args": {"file_path": f"{project}/notes.txt", "content": "hello"},
        "status": "success", "timestamp": AT, "resultDisplay": {"isNewFile": True},
    }  # fmt: skip
    return saved(path, {
        "sessionId": "s1", "projectHash": "f00", "startTime": AT, "lastUpdated": AT,
        "messages": [
            {"id": "m1", "timestamp": AT, "type": "user", "content": CLEAR},
            {"id": "m2", "timestamp": AT, "type": "gemini", "content": "", "toolCalls": [call]},
        ],
    })  # fmt: skip


def codex_of_2025(path: Path, project: str) -> Path:
    def item(value: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": AT, "type": "response_item", "payload": value}

    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": CLEAR}]}
    shell = {"command": ["bash", "-lc", "echo hello > notes.txt"], "workdir": project}
    rows = [
        {"timestamp": AT, "type": "session_meta", "payload": {"id": "s1", "cwd": project}},
        item(said),
        item({"type": "function_call", "name": "shell", "call_id": "c1", "arguments": json.dumps(shell)}),
        item({"type": "function_call_output", "call_id": "c1", "output": '{"metadata": {"exit_code": 0}}'}),
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_folder_of_several_hosts_is_replayed_each_as_its_own(tmp_path: Path) -> None:
    place = Place(tmp_path, {"COMPASS_ENABLED": "false"})
    project, kept = str(place.project), tmp_path / "kept"
    recording = Recording(project)
    recording.prompt(CLEAR, "p1")
    recording.write_of("notes.txt", "c1")
    recording.save(kept)
    codex_of_2025(kept / "rollout-1.jsonl", project)
    gemini_document(kept / "p" / "chats" / "session-1.json", project)
    export = opencode_export(kept / "export.json", project)
    export.write_bytes(export.read_bytes().replace(b'"ses_one"', b'"ses_\xff"'))
    (kept / "data.jsonl").write_text('{"text": "no session"}\n')
    found = replayed(place, kept)
    assert found["sessions"] == 4
    assert {case["request"] for case in found["cases"]} == {CLEAR}
    assert sorted(case["operation"] for case in found["cases"]) == ["create"] * 4
    assert {case["outcome"] for case in found["cases"]} == {"ran"}


@pytest.mark.parametrize(
    ("file", "host"),
    [
        ("chibi/context.jsonl", "chibi"),
        ("codex/two-turns.jsonl", "codex"),
        ("codex/code-mode.jsonl", "codex"),
        ("copilot/two-turns.jsonl", "copilot"),
        ("cursor/transcript.jsonl", "cursor"),
        ("gemini/first.jsonl", "gemini"),
        ("gemini/resumed.jsonl", "gemini"),
    ],
)
def test_every_recorded_file_is_told_by_its_shape_whatever_its_name(
    tmp_path: Path, file: str, host: str
) -> None:
    path = Path(shutil.copy(HOSTS / file, tmp_path / "any.jsonl"))
    assert host_of_session(str(path)) == host
    assert find_hosts_sessions([str(tmp_path)]) == [str(path)]

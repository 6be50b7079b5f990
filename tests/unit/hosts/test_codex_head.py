"""The first line of a Codex session, which a long-lived service may ask for before it is written."""

import json
from pathlib import Path

from hooks.hosts.codex import folder_of, parent_of


def test_a_first_line_that_was_not_there_yet_is_read_once_it_is(tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl"
    path.write_text('{"type": "session_')
    assert (parent_of(str(path)), folder_of(str(path))) == ("", "")
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "above"}}}
    head = {"type": "session_meta", "payload": {"id": "child", "cwd": "/project", "source": source}}
    path.write_text(json.dumps(head) + "\n")
    assert (parent_of(str(path)), folder_of(str(path))) == ("above", "/project")

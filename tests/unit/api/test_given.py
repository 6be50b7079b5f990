"""`judge_payload` and `judge_case`: what `compass check` and the HTTP API judge, judged by the same function."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from repository import FIXTURES, ROOT
from running.hookrun import Place

from compass import CompassError, Verdict, judge_case, judge_case_async, judge_payload, judge_payload_async

FOUND = "I found two unused files: src/old_auth.py and src/legacy_auth.py."
CASE = {
    "user_message": "Just delete it.",
    "prior_assistant_turn": FOUND,
    "tool_name": "Bash",
    "command": "rm src/old_auth.py",
}
CLEAR = {
    "user_message": "Create notes.txt with a line that says hello",
    "tool_name": "Write",
    "file_path": "notes.txt",
    "content": "hello",
}
CALL = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "rm a"}}
CURSOR = {
    "conversation_id": "c0ffee00-0000-4000-8000-000000000001",
    "tool_name": "Shell",
    "tool_input": {"command": "rm src/a.py"},
    "hook_event_name": "preToolUse",
    "cursor_version": "2026.08.11",
}
SPOKEN = FIXTURES / "hosts" / "cursor" / "transcript.jsonl"


@pytest.fixture
def place(project: Path) -> Place:
    return Place(project.parent)


def checked(project: Path, *words: str, stdin: object = None) -> Any:
    """What `compass check --json` says, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "compass", "check", "--json", *words],
        cwd=project, input=json.dumps(stdin), capture_output=True, text=True, check=False,
        env={**Place(project.parent).environment(), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode in (0, 2), done.stderr
    return json.loads(done.stdout)


def as_document(found: Verdict) -> dict[str, object]:
    """What a verdict shares with the document that scripts get, in the words of that."""
    answers = [
        [one.reader, one.score, one.concern, one.rationale, one.rival, one.fits] for one in found.answers
    ]
    return {
        "verdict": found.verdict, "reason": found.reason, "decision": "allow" if found.allowed else "deny",
        "confidence": found.confidence, "stddev": found.deviation, "agreement": found.agreement,
        "primary_concern": found.concern, "rationale": found.rationale, "samples": answers,
        "prior_assistant_turn": found.prior or None, "current_request": found.request or None,
        "targets": list(found.targets), "operation": found.operation, "tool_name": found.tool,
        "message": found.agent_message or None, "backend": found.backend, "mode": found.mode,
        "thresholds": [found.least_confidence, found.most_deviation, found.least_agreement],
        "clusters": sorted({one.group for one in found.answers if one.group}),
    }  # fmt: skip


def shared(document: dict[str, Any]) -> dict[str, object]:
    fields = ("reader", "score", "primary_concern", "rationale", "rival", "fits")
    limits = document["thresholds"]
    found = {
        **document,
        "samples": [[one[field] for field in fields] for one in document["samples"]],
        "thresholds": [limits and limits[name] for name in ("confidence", "deviation", "agreement")],
        "clusters": [number for number, _ in enumerate(document["clusters"], 1)],
    }
    names = as_document(Verdict("passed", "confident", allowed=True))
    return {name: found[name] for name in names}


@pytest.mark.parametrize("case", [CASE, CLEAR], ids=["held", "clear"])
def test_a_case_is_judged_as_the_command_judges_it(place: Place, case: dict[str, object]) -> None:
    found = judge_case(case, backend="embedded")
    assert as_document(found) == shared(checked(place.project, "--case", "-", stdin=case))
    awaited = asyncio.run(judge_case_async(case, backend="embedded"))
    assert as_document(awaited) == as_document(found)


def test_a_payload_is_judged_by_what_its_session_says(place: Place) -> None:
    place.say("Just delete it.", prior=FOUND)
    payload = place.payload("Bash", {"command": "rm src/old_auth.py"})
    found = judge_payload(payload, backend="embedded")
    assert (found.request, found.prior, found.allowed) == ("Just delete it.", FOUND, False)
    assert as_document(found) == shared(checked(place.project, stdin=payload))
    assert as_document(asyncio.run(judge_payload_async(payload, backend="embedded"))) == as_document(found)


def test_another_agents_payload_is_known_by_its_shape(place: Place) -> None:
    payload = {**CURSOR, "workspace_roots": [str(place.project)]}
    found = judge_payload(payload, transcript=SPOKEN, backend="embedded")
    assert (found.request, found.allowed) == ("Just delete it.", False)
    assert found.targets == (str(place.project / "src" / "a.py"),)
    told = checked(place.project, "--transcript", str(SPOKEN), stdin=payload)
    assert as_document(found) == shared(told)
    assert shared(told) == shared(
        checked(place.project, "--host", "cursor", "--transcript", str(SPOKEN), stdin=payload)
    )


def test_the_project_that_is_named_counts_before_the_payloads(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other" / ".compass"
    other.mkdir(parents=True)
    (other / "settings.json").write_text('{"compass": {"mode": "enforce"}}')
    monkeypatch.delenv("COMPASS_MODE", raising=False)
    place.say("Just delete it.", prior=FOUND)
    payload = place.payload("Bash", {"command": "rm src/old_auth.py"})
    home = place.root / "state" / "compass"
    home.mkdir(exist_ok=True)
    (home / "settings.json").write_text('{"compass": {"mode": "observe"}}')
    assert judge_payload(payload, backend="embedded").mode == "observe"
    assert judge_payload(payload, backend="embedded", project=other.parent).mode == "enforce"


def test_an_agents_own_settings_count_where_it_is_named(place: Place) -> None:
    own = place.root / "home" / ".claude" / "settings.json"
    own.parent.mkdir()
    own.write_text('{"compass": {"mode": "observe"}}')
    assert not judge_case(CASE, backend="embedded").allowed
    assert judge_case(CASE, backend="embedded", host="claude-code").allowed


@corpus(
    ("given", "told"),
    [
        (lambda: judge_case({"user_message": "x"}), "needs file_path"),
        (lambda: judge_case({"file_path": "x"}), "needs user_message"),
        (lambda: judge_case(CASE, host="nobody"), "no such host: 'nobody'; one of claude-code"),
        (lambda: judge_case(CASE, backend="oracle"), "no such backend"),
        (lambda: judge_case(CASE, project="nowhere"), "no such folder"),
        (lambda: judge_payload({}), "as a payload of Claude Code: tool_name is missing"),
        (lambda: judge_payload([]), "has to be a mapping"),
        (lambda: judge_case([]), "has to be a mapping"),
        (lambda: judge_payload({**CURSOR, "cwd": "\0"}), "cannot be one"),
        (lambda: judge_payload({**CALL, "cwd": "\0"}), "cannot be one"),
        (lambda: judge_payload({**CALL, "cwd": "\ud800"}), "cannot be one"),
        (lambda: judge_payload({"tool_name": {1}}), "not JSON"),
        (lambda: judge_payload({}, host="codex"), "tool_name is missing"),
        (lambda: judge_payload(CURSOR, host="claude-code"), "Cursor calls"),
        (lambda: judge_payload(CURSOR, transcript="nowhere"), "no such transcript"),
    ],
)  # fmt: skip
def test_what_cannot_be_judged_is_an_error_of_the_family(project: Path, given: Any, told: str) -> None:
    with pytest.raises(CompassError, match=told):
        given()

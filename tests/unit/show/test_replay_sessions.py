"""Sessions as a replay reads them: of every host, as hooks saw them then, and with readers asked through files."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import answer
from corpora import corpus
from repository import ROOT
from running.hookrun import Place
from samples.recordings import CLEAR, VAGUE, Recording, answer_batch, ends, json_lines, replayed

from evaluator.model import KeptPrompt
from hooks.hosts.claude_code.host import HOST
from hooks.registry import find_hosts_sessions, host_of_session
from hooks.sessions import Called, Ended, Passed, Spoken


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path, {"COMPASS_ENABLED": "false"})


@pytest.fixture
def saved(place):
    recording = Recording(str(place.project))
    request = f"{CLEAR}, under a heading, and then a line below it that says goodbye to whoever reads it"
    recording.prompt(request, "p1")
    recording.write_of("notes.txt", "t1")
    recording.write_of("other.txt", "t2")
    recording.prompt(VAGUE, "p2")
    recording.write_of("a.py", "t3")
    return recording.save(place.root / "kept")


def test_prompts_without_an_answer_are_written_and_their_writes_left_as_passed(place, saved):
    out = place.root / "prompts.jsonl"
    found = replayed(place, saved, "--prompts-out", out)
    assert ends(found) == [("skipped", "unanswered"), ("skipped", "covered"), ("skipped", "unanswered")]
    assert (found["checks_read"], found["checks_unanswered"]) == (0, 2)
    prompts = json_lines(out)
    ids = [prompt["custom_id"] for prompt in prompts]
    assert ids == [one for case in found["cases"] for one in case["custom_ids"]] and len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", one) for one in ids)
    assert prompts[0]["params"]["system"] and VAGUE in prompts[-1]["params"]["messages"][0]["content"]
    assert "2 checks" in place.command("replay", saved, "--prompts-out", out).stdout.decode()
    assert json_lines(out) == prompts


def test_answers_decide_and_what_they_leave_open_is_asked_in_further_rounds(place, saved):
    out, answers = place.root / "prompts.jsonl", place.root / "answers.jsonl"
    answers.touch()
    asked: list[str] = []

    def said(_: str, prompt: str) -> str:
        score = 0.2 if VAGUE in prompt else 0.1 if "Create notes" in prompt else 0.9
        return answer(score, rationale="Nobody named a file.")

    found = replayed(place, saved, "--prompts-out", out)
    while prompts := json_lines(out):
        asked += [prompt["custom_id"] for prompt in prompts]
        answer_batch(answers, prompts, said)
        found = replayed(place, saved, "--prompts-out", out, "--answers", answers)
    assert len(asked) == len(set(asked)), "nothing is asked twice"
    assert ends(found) == [("failed", "low_confidence")] * 3 and found["checks_unanswered"] == 0
    assert found["cases"][2]["current"]["rationale"] == "Nobody named a file."
    first, second = (found["cases"][at]["custom_ids"] for at in (0, 1))
    assert second[0] not in asked[: len(first)], "asked once the first failed"


def test_a_result_that_did_not_succeed_is_asked_anew_and_another_file_is_refused(place, saved):
    out, answers = place.root / "prompts.jsonl", place.root / "answers.jsonl"
    replayed(place, saved, "--prompts-out", out)
    before = json_lines(out)
    rows = [{"custom_id": one["custom_id"], "result": {"type": "expired"}} for one in before]
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows))
    replayed(place, saved, "--prompts-out", out, "--answers", answers)
    assert json_lines(out) == before
    done = place.command("replay", saved, "--answers", saved)
    assert done.returncode == 1 and b"line 1: not a message batch result" in done.stderr


AT = "2026-11-22T08:39:44.414Z"


def put_json(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))
    return path


def opencode_export(path: Path, project: str) -> Path:
    where = {"path": {"cwd": project}, "time": {"created": 1_763_800_000_000}}
    call = {"input": {"filePath": f"{project}/notes.txt", "content": "hello"}, "status": "completed"}
    return put_json(path, {
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
    return put_json(path, {
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


def test_a_folder_of_several_hosts_is_replayed_each_as_its_own(place, tmp_path):
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
        ("chibi/context.jsonl", "chibi"), ("codex/two-turns.jsonl", "codex"),
        ("codex/code-mode.jsonl", "codex"), ("copilot/two-turns.jsonl", "copilot"),
        ("cursor/transcript.jsonl", "cursor"), ("gemini/first.jsonl", "gemini"),
        ("gemini/resumed.jsonl", "gemini"),
    ],
)  # fmt: skip
def test_every_recorded_file_is_told_by_its_shape_whatever_its_name(tmp_path, file, host):
    path = Path(shutil.copy(ROOT / "fixtures" / "hosts" / file, tmp_path / "any.jsonl"))
    assert host_of_session(str(path)) == host
    assert find_hosts_sessions([str(tmp_path)]) == [str(path)]


session_moments = HOST.sessions().session_moments

FIXTURES = ROOT / "fixtures" / "claude-code"
GOLDEN = json.loads((ROOT / "tests/golden/exchanges.json").read_text(encoding="utf-8"))
SCENARIOS = sorted(path.name for path in (FIXTURES / "transcripts").iterdir())


def hooks(scenario: str, event: str) -> list[tuple[str, dict[str, Any]]]:
    files = sorted((FIXTURES / "hooks" / scenario).glob(f"*-{event}*.json"))
    return [(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in files]


def whole(scenario: str, folder: Path) -> Path:
    """The longest transcript of the scenario, where the client had it."""
    files = (FIXTURES / "transcripts" / scenario / "at-hook").glob("*.jsonl")
    source = max(path for path in files if not path.name.endswith(".agent.jsonl"))
    session = hooks(scenario, "SessionStart")[0][1]["session_id"]
    return Path(shutil.copy(source, folder / f"{session}.jsonl"))


@corpus("scenario", SCENARIOS)
def test_each_call_in_the_file_is_told_as_the_hook_was_told(scenario, tmp_path):
    moments = [*session_moments(str(whole(scenario, tmp_path)), Passed())]
    recorded = {payload["tool_use_id"]: payload for _, payload in hooks(scenario, "PreToolUse")}
    for called in (moment for moment in moments if isinstance(moment, Called)):
        payload = recorded.get(called.tool_use_id)
        if payload is None:
            assert called.tool_name in {"Agent", "MultiEdit"}
            continue
        for name in ("session_id", "prompt_id", "tool_name", "cwd"):
            assert getattr(called, name) == payload[name]
        # The hook sees the defaults that the client fills in.
        assert called.tool_input.items() <= payload["tool_input"].items()


@corpus("scenario", SCENARIOS)
def test_the_exchange_of_each_call_is_the_one_that_a_person_read_out_of_the_recording(scenario, tmp_path):
    path = whole(scenario, tmp_path)
    recorded = {payload["tool_use_id"]: (stem, payload) for stem, payload in hooks(scenario, "PreToolUse")}
    source, kept = HOST.sessions().then(), list[KeptPrompt]()
    for moment in session_moments(str(path), Passed()):
        if isinstance(moment, Spoken):
            kept.append(KeptPrompt(moment.prompt_id, moment.text, len(kept) + 1))
        elif isinstance(moment, Called):
            stem, payload = recorded.get(moment.tool_use_id, ("", {}))
            golden = GOLDEN.get(f"{scenario}/{stem}")
            if golden is None:
                continue
            source.go_to(moment.end)
            found = source.exchange(HOST.pending_write({**payload, "transcript_path": str(path)}, {}), kept)
            expected = (tuple(golden["request"]), golden["prior_assistant_turn"])
            assert (found.request, found.prior_assistant_turn) == expected, stem
            asked = [item["question"] for item in golden["questions"]]
            assert [item.question for item in found.questions] == asked


def test_ends_come_before_the_next_call_of_the_same_message(tmp_path):
    """The client runs the writes of one message one after the other, and writes all their results afterwards."""
    moments = [*session_moments(str(whole("parallel-tools", tmp_path)), Passed())]
    kinds = [type(moment) for moment in moments if not isinstance(moment, Spoken)]
    assert kinds[:6] == [Called, Ended, Called, Ended, Called, Ended]

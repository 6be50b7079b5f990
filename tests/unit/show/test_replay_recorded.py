"""A recorded session, replayed, asks the gate what the client's own hooks asked it then."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from corpora import corpus
from repository import ROOT

from evaluator.model import Exchange, KeptPrompt
from hooks.hosts.claude_code.host import HOST
from hooks.sessions import Called, Ended, Passed, Spoken

is_machine_text = HOST.is_machine_text
session_moments = HOST.sessions().session_moments

FIXTURES = ROOT / "fixtures" / "claude-code"
GOLDEN: dict[str, dict[str, Any]] = json.loads(
    (ROOT / "tests" / "golden" / "exchanges.json").read_text(encoding="utf-8")
)
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
def test_each_call_in_the_file_is_told_as_the_hook_was_told(scenario: str, tmp_path: Path) -> None:
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
def test_the_exchange_of_each_call_is_the_one_that_a_person_read_out_of_the_recording(
    scenario: str, tmp_path: Path
) -> None:
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
            pending = HOST.pending_write({**payload, "transcript_path": str(path)}, {})
            found = source.exchange(pending, kept)
            expected = (tuple(golden["request"]), golden["prior_assistant_turn"])
            assert (found.request, found.prior_assistant_turn) == expected, stem
            assert [item.question for item in found.questions] == [
                item["question"] for item in golden["questions"]
            ]


@corpus("scenario", SCENARIOS)
def test_the_prompts_that_were_kept_then_are_told_in_their_order(scenario: str, tmp_path: Path) -> None:
    moments = [*session_moments(str(whole(scenario, tmp_path)), Passed())]
    told = [(moment.prompt_id, moment.text) for moment in moments if isinstance(moment, Spoken)]
    recorded = [payload for _, payload in hooks(scenario, "UserPromptSubmit")]
    kept = [(row["prompt_id"], row["prompt"]) for row in recorded if not is_machine_text(row["prompt"])]
    assert told == kept[: len(told)] and told


def test_ends_come_before_the_next_call_of_the_same_message(tmp_path: Path) -> None:
    """The client runs the writes of one message one after the other, and writes all their results afterwards."""
    moments = [*session_moments(str(whole("parallel-tools", tmp_path)), Passed())]
    kinds = [type(moment) for moment in moments if not isinstance(moment, Spoken)]
    assert kinds[:6] == [Called, Ended, Called, Ended, Called, Ended]


def test_a_write_that_the_client_calls_a_creation_is_one_and_a_refused_one_is_told(tmp_path: Path) -> None:
    moments = session_moments(str(whole("interactive-queue-interrupt-compact", tmp_path)), Passed())
    calls = [moment for moment in moments if isinstance(moment, Called)]
    assert [(call.tool_name, call.fate, call.created) for call in calls] == [
        ("Bash", "ran", False),
        ("Write", "ran", True),
        ("Bash", "refused", None),
        ("Write", "ran", True),
    ]


def test_nothing_of_a_later_prompt_is_seen_by_an_earlier_call(tmp_path: Path) -> None:
    path = whole("interactive-queue-interrupt-compact", tmp_path)
    source, requests = HOST.sessions().then(), list[Exchange]()
    for moment in session_moments(str(path), Passed()):
        if isinstance(moment, Called):
            source.go_to(moment.end)
            payload: dict[str, Any] = {
                "session_id": "s",
                "tool_name": moment.tool_name,
                "tool_input": {},
                "transcript_path": str(path),
            }
            requests.append(source.exchange(HOST.pending_write(payload, {}), ()))
    assert [found.request[-1] for found in requests] == [
        "Write a small indented file",
        "Actually use tabs, not spaces",
        "Run the long command",
        "Skip that, write after.txt instead",
    ]

"""A recorded session, replayed, asks the gate what the client's own hooks asked it then."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from corpora import corpus
from repository import ROOT

from evaluator.model import KeptPrompt
from hooks.hosts.claude_code.host import HOST
from hooks.sessions import Called, Ended, Passed, Spoken

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


def test_ends_come_before_the_next_call_of_the_same_message(tmp_path: Path) -> None:
    """The client runs the writes of one message one after the other, and writes all their results afterwards."""
    moments = [*session_moments(str(whole("parallel-tools", tmp_path)), Passed())]
    kinds = [type(moment) for moment in moments if not isinstance(moment, Spoken)]
    assert kinds[:6] == [Called, Ended, Called, Ended, Called, Ended]

"""Every recorded transcript yields the exchange that a person read out of it (`exchanges.json`)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from corpora import corpus
from repository import ROOT

from evaluator.model import AnsweredQuestion, Exchange, KeptPrompt, PendingWrite, Plan
from hooks.hosts.claude_code.host import HOST
from hooks.hosts.claude_code.transcript_source import TranscriptReader

FIXTURES = ROOT / "fixtures" / "claude-code"
GOLDEN: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("exchanges.json").read_text("utf-8"))
RECORDED = sorted(
    f"{path.parents[1].name}/{path.stem}"
    for path in FIXTURES.glob("transcripts/*/at-hook/*.jsonl")
    if not path.name.endswith(".agent.jsonl")
)


def test_every_recording_has_an_expectation_and_every_expectation_a_recording() -> None:
    assert sorted(GOLDEN) == RECORDED
    assert len(RECORDED) == 42


@corpus("name", RECORDED)
def test_the_exchange_with_the_prompts_that_were_kept_and_from_the_file_alone(
    name: str, tmp_path: Path
) -> None:
    (pending, kept), golden, reader = _recorded(name, tmp_path), GOLDEN[name], TranscriptReader()
    assert reader.exchange(pending, kept) == _expected(golden)
    assert reader.exchange(pending, ()) == _expected(golden | golden.get("without_kept_prompts", {}))


def _recorded(name: str, folder: Path) -> tuple[PendingWrite, list[KeptPrompt]]:
    """The pending call of that hook, its transcript put where the client would have it, and what
    UserPromptSubmit had kept by then."""
    scenario, stem = name.split("/")
    source = FIXTURES / "transcripts" / scenario / "at-hook" / f"{stem}.jsonl"
    payload = _payload(FIXTURES / "hooks" / scenario / f"{stem}.json")
    transcript = folder / f"{payload['session_id']}.jsonl"
    shutil.copy(source, transcript)
    agent_id: str | None = payload.get("agent_id")
    if agent_id is not None:
        agents = folder / payload["session_id"] / "subagents"
        agents.mkdir(parents=True)
        shutil.copy(source.with_suffix(".agent.jsonl"), agents / f"agent-{agent_id}.jsonl")
    called = {"tool_name": "none", "tool_input": {}, **payload, "transcript_path": str(transcript)}
    prompts = sorted((FIXTURES / "hooks" / scenario).glob("*-UserPromptSubmit.json"))
    submitted = [_payload(path) for path in prompts if path.stem <= stem]
    human = [one for one in submitted if not HOST.is_machine_text(one["prompt"])]
    kept = [KeptPrompt(one["prompt_id"], one["prompt"], at) for at, one in enumerate(human, start=1)]
    return HOST.pending_write(called, {}), kept


def _payload(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _expected(golden: dict[str, Any]) -> Exchange:
    return Exchange(
        request=tuple(golden["request"]),
        prior_assistant_turn=golden["prior_assistant_turn"],
        questions=tuple(
            AnsweredQuestion(asked["question"], tuple(asked["options"]), tuple(asked["answers"]))
            for asked in golden["questions"]
        ),
        plans=tuple(Plan(plan["text"], plan["approved"]) for plan in golden["plans"]),
        delegated_task=golden["delegated_task"],
        unwritten=tuple(golden.get("unwritten", ())),
    )

"""The recorded sessions of the host: each pending call with the transcript as it was on disk then."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded hook. `payload` names the copied transcript."""

    scenario: str
    payload: Mapping[str, object]


def recordings(source: Path, folder: Path, tools: tuple[str, ...], event: str) -> Iterator[Recording]:
    """Payloads of `event`, for `tools`, below `source`, in order; transcripts are copied into `folder`.

    A subagent's file is put beside its parent's transcript, as the client keeps it.
    """
    for file in sorted((source / "hooks").glob(f"*/*-{event}-*.json")):
        payload = cast(dict[str, object], json.loads(file.read_text(encoding="utf-8")))
        if payload["tool_name"] not in tools:
            continue
        scenario = file.parent.name
        at_hook = source / "transcripts" / scenario / "at-hook" / f"{file.stem}.jsonl"
        place = folder / scenario / file.stem
        place.mkdir(parents=True)
        transcript = place / f"{payload['session_id']}.jsonl"
        if at_hook.exists():
            shutil.copy(at_hook, transcript)
        agent = at_hook.with_suffix(".agent.jsonl")
        if agent.exists():
            agents = transcript.with_suffix("") / "subagents"
            agents.mkdir(parents=True)
            shutil.copy(agent, agents / f"agent-{payload['agent_id']}.jsonl")
        yield Recording(scenario, payload | {"transcript_path": str(transcript)})

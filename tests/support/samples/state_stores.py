"""The state stores under contract, how a test lets one of them judge a write, and a complete check to be varied."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from evaluator.effects import effect
from evaluator.model import (
    Check,
    Convergence,
    Effects,
    Evidence,
    Exchange,
    PendingWrite,
    Reading,
    ResolvedOption,
    Sample,
    Thresholds,
)
from evaluator.ports import TurnKey
from evaluator.state.checks import text_of_record
from evaluator.state.store import MemoryStore, Store, open_store

NOW = 1_735_732_800.0
KINDS = ("sqlite", "memory")


@contextmanager
def state_store(kind: str, folder: Path) -> Generator[Store, None, None]:
    """A fresh store of that kind, which must end without a fault."""
    if kind == "memory":
        yield MemoryStore()
        return
    opened = open_store(str(folder / "compass"), now=NOW)
    assert opened.fault is None
    yield opened.store
    assert list(opened.store.faults) == []
    opened.store.close()


def judge(store: Store, tool_use_id: str, turn: TurnKey, *targets: str, at: float = NOW) -> None:
    each = [effect("edit", target) for target in targets]
    store.note_call(tool_use_id, turn, each, each, at)


# A complete check, to be varied by tests of the state and of the events.

PENDING = PendingWrite(
    host="claude-code", session_id="session-1", tool_name="Edit",
    tool_input={"file_path": "/p/auth.py", "new_string": "CONTENTS-OF-THE-FILE"}, cwd="/p", project_dir="/p",
    transcript_path="/home/u/.claude/t.jsonl", prompt_id="prompt-1", tool_use_id="toolu_1",
)  # fmt: skip

CHECK = Check(
    check_id="01JGFJJZ00ABCDEFGHJKMNPQRS", verdict="failed", decision="deny", reason="low_confidence",
    pending=PENDING,
    effects=Effects("write", "edit", "modifying", ("/p/auth.py",), command="sed -i s/COMMAND/x/ auth.py"),
    exchange=Exchange(request=("SAID-BY-THE-USER",), prior_assistant_turn="SAID-BY-THE-ASSISTANT"),
    evidence=Evidence("Edit", "edit", "modifying", ("/p/auth.py",), "SHOWN-TO-THE-READERS"),
    resolved=ResolvedOption(("the internal one",), ("the public one",)),
    convergence=Convergence(0.4, 0.1, 5, "scope", "nobody asked for it"), thresholds=Thresholds(0.65, 0.2),
    samples=(
        Sample("literal", 0.4, "scope", "too wide", Reading("refactor", "auth", "folder"), latency_ms=12),
        Sample("sceptical", error="timeout: none", input_tokens=70, output_tokens=3, cost_usd=0.25),
    ),
    backend="anthropic", model="a-model", detail="0.40 < 0.65", duration_ms=31, at=1_735_732_800.0,
    notes=("seen",),
)  # fmt: skip


def saved_as(check_id: str, at: float = CHECK.at) -> Check:
    return replace(CHECK, check_id=check_id, at=at)


def with_tool(check: Check, tool_name: str) -> Check:
    return replace(check, pending=replace(check.pending, tool_name=tool_name))


def record_of(check: Check, turn: TurnKey | None, *, store_evidence: bool) -> dict[str, Any]:
    """The record of a check as it is read back."""
    return cast("dict[str, Any]", json.loads(text_of_record(check, turn, store_evidence=store_evidence)))

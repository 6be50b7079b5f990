"""Which sessions a host cannot play, and why: data, and how a script's needs are found. Pure.

A session runs wherever its facts can be told in the host's own payloads and files. What it needs beyond prompts, the
agent's words, and calls of Write, Edit and Bash has a name here, which the host's player lists in `HAS` or does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from played.script import Script, Step

from hooks.setup import Promises

WHY: Mapping[str, str] = {
    "answers": "nobody can tell who typed an answer, so none counts",
    "edit_text": "no hook is told what an edit writes",
    "unattended": "no hook is told of a prompt that nobody attends",
    "ends_turn": "no answer ends a turn",
    "resume": "a session is one process, and none goes on",
    "notebook": "no tool for notebooks",
    "agents": "subagents: none was recorded there",
    "queued": "prompts typed in mid-turn: none was recorded there",
    "rewind": "a rewind: none was recorded there",
    "compact": "a compaction: none was recorded there",
    "ask": "AskUserQuestion, a tool of Claude Code's",
    "plan": "ExitPlanMode, a tool of Claude Code's",
    "machine": "prompts that Claude Code itself writes",
    "sdk": "typed prompts beside those of Claude Code's SDK",
    "slash": "slash commands in Claude Code's lines",
    "env_block": "variables that Claude Code's settings set for a hook",
}
"""{what a session needs: why a host has it not}. Those of the host's row or protocol, then those of another client."""
STEPS: Mapping[str, str] = {"builtin": "slash"} | {
    kind: kind for kind in ("ask", "plan", "machine", "queued", "rewind", "compact", "resume", "slash")
}
FREED = frozenset(("released", "cancelled", "paused"))
"""Reasons of a check that rest on a person's answer."""
ASKS = frozenset(("low_confidence", "disagreement", "low_agreement"))
"""Those that ask the person: where the same target is judged anew after a prompt, that prompt was the answer."""


def needs(script: Script) -> tuple[str, ...]:
    """The names of WHY, each once, in their order."""
    found = {"unattended"} if not script.header.get("attended", True) else set[str]()
    found |= {"env_block"} if script.header.get("environment") else set()
    found |= {"answers"} if _rests_on_answers(script) else set()
    for step in script.steps:
        found |= {STEPS[step.kind]} if step.kind in STEPS else set()
        found |= {"sdk"} if "source" in step.line else set()
        for line in _calls(step):
            found |= set(_of_call(line))
    return tuple(name for name in WHY if name in found)


def lacking(script: Script, row: Promises, has: frozenset[str]) -> tuple[str, ...]:
    """What the session needs and the host's row, or its protocol, does not have; empty: it runs."""
    counted = {"answers"} if row.answers_count else set[str]()
    return tuple(name for name in needs(script) if name not in has | counted)


def _rests_on_answers(script: Script) -> bool:
    # The targets that were asked about, and those of them that a prompt came after.
    asked, replied = set[object](), set[object]()
    for step in script.steps:
        if step.kind == "user":
            replied |= asked
        if step.kind == "events" and step.given.get("compass.check.overridden"):
            return True
        for line in _calls(step):
            target, reasons = _target(line), _reasons(line)
            if reasons & FREED or (target in replied and "denied_before" not in reasons):
                return True
            asked |= {target} if reasons & ASKS else set()
    return False


def _calls(step: Step) -> Iterator[Mapping[str, Any]]:
    if step.kind == "call":
        yield step.line
    elif step.kind == "parallel":
        yield from step.given


def _of_call(line: Mapping[str, Any]) -> Iterator[str]:
    tool = line["call"]["tool"]
    if "agent_id" in line["call"]:
        yield "agents"
    if tool == "NotebookEdit":
        yield "notebook"
    if tool == "Edit" and "skip_sentinel" in _reasons(line):
        yield "edit_text"
    if line.get("expect", {}).get("ends_turn"):
        yield "ends_turn"


def _target(line: Mapping[str, Any]) -> object:
    given = line["call"]["input"]
    return given.get("file_path") or given.get("command")


def _reasons(line: Mapping[str, Any]) -> set[str]:
    reason = line.get("expect", {}).get("reason", ())
    return {reason} if isinstance(reason, str) else set(reason)

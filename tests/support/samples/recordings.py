"""Recorded sessions of Claude Code, as a replay finds them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from running.hookrun import Place
from samples.sessions import Session

VAGUE = "make it better"
CLEAR = "Create notes.txt that says hello"


@dataclass
class Recording:
    """A recorded session: lines get a time and the folder that the agent stood in."""

    project: str
    name: str = "s1"
    session: Session = field(default_factory=Session)
    at: int = 0

    def _said(self) -> dict[str, Any]:
        self.at += 1
        stamp = f"2026-11-21T20:{self.at // 60:02d}:{self.at % 60:02d}.000Z"
        return {"timestamp": stamp, "cwd": self.project, "sessionId": self.name}

    def prompt(self, text: str, prompt_id: str, **extra: Any) -> None:
        self.session.prompt(text, prompt_id, **self._said(), **extra)

    def says(self, text: str) -> None:
        self.session.says(text, **self._said())

    def call(self, tool: str, use_id: str, message_id: str = "", **given: Any) -> None:
        self.session.calls(tool, given, use_id, message_id, **self._said())

    def result(self, use_id: str, kind: str = "create", **extra: Any) -> None:
        self.session.result("done", use_id, toolUseResult={"type": kind}, **self._said(), **extra)

    def write_of(self, name: str, use_id: str, kind: str = "create", tool: str = "Write") -> None:
        self.call(tool, use_id, file_path=f"{self.project}/{name}", content="hello\n")
        self.result(use_id, kind)

    def save(self, folder: Path, name: str = "") -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        return self.session.write(folder / f"{name or self.name}.jsonl")


def json_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def answer_batch(path: Path, prompts: list[dict[str, Any]], said: Callable[[str, str], str]) -> Path:
    """Appends a batch's results for the prompts; `said` gives the text of each, by its id and what it asks."""
    with path.open("a") as file:
        for prompt in prompts:
            text = said(prompt["custom_id"], prompt["params"]["messages"][0]["content"])
            result = {"type": "succeeded", "message": {"content": [{"type": "text", "text": text}]}}
            file.write(json.dumps({"custom_id": prompt["custom_id"], "result": result}) + "\n")
    return path


def replayed(place: Place, *words: object) -> dict[str, Any]:
    done = place.command("replay", *map(str, words), "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def ends(document: dict[str, Any]) -> list[tuple[str, str]]:
    return [(case["current"]["verdict"], case["current"]["reason"]) for case in document["cases"]]

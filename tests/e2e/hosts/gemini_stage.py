"""The stage on which the real Gemini CLI runs: its model scripted, each prompt a run that resumes the session."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from e2e.hosts.model import Json, Message, Model
from e2e.hosts.playing import Ended, Stage

BASE = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "general": {"enableAutoUpdate": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "model": {"name": "gemini-2.5-pro"},
}
"""Settings with which the client asks the model and nobody else."""


class Said:
    """What became of one prompt."""

    def __init__(self, model: Model, ended: Ended) -> None:
        self.model, self.out, self.err = model, ended.stdout, ended.stderr
        assert "Traceback" not in self.err, self.err

    @property
    def of_hooks(self) -> list[str]:
        return [line for line in self.err.splitlines() if "Hook" in line or "Compass" in line]

    @property
    def results(self) -> list[str]:
        """What the agent was told of its calls that did not run, empty for each that ran; of the whole session."""
        told = [
            part["functionResponse"]["response"] for _, part in self._parts() if "functionResponse" in part
        ]
        return [str(one.get("error", "")) for one in told]

    @property
    def prompts(self) -> list[str]:
        """The texts that the last request gave as the user's, in order."""
        return [str(part["text"]) for role, part in self._parts() if role == "user" and "text" in part]

    def _parts(self) -> Iterator[tuple[str, Json]]:
        for content in self.model.requests[-1]["contents"] if self.model.requests else ():
            yield from ((str(content["role"]), part) for part in content["parts"])

    @property
    def denied(self) -> str:
        """The same of its last call."""
        return self.results[-1] if self.results else ""


class GeminiStage(Stage):
    """`a.txt` and `b.txt` stand in the project."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, "gemini", wired=False)
        self._begun = False
        for name in ("a.txt", "b.txt"):
            self.file(name, f"{name}\n")
        self.settings_file.parent.mkdir()
        self.settings_file.write_text(json.dumps(BASE))
        self.compass("init", "--host", "gemini", "--enforce", "--backend", "embedded", "--yes")

    @property
    def settings_file(self) -> Path:
        return self.home / ".gemini" / "settings.json"

    def say(self, prompt: str, *script: Message, env: Mapping[str, str] | None = None) -> Said:
        resumed = ("--resume", "latest") if self._begun else ()
        self._begun = True
        with Model(script) as model:
            asked = {
                "GEMINI_API_KEY": "none",
                "GOOGLE_GEMINI_BASE_URL": model.url,
                "GEMINI_CLI_TRUST_WORKSPACE": "true",
                "NO_PROXY": "127.0.0.1",
            }
            ended = self.run(("-p", prompt, "-y", *resumed), {**asked, **(env or {})})
        return Said(model, ended)

    def has(self, name: str) -> bool:
        return (self.project / name).exists()

    def gate(self, command: str = "", **more: object) -> str:
        """The command line of the hook that denies; with `command` that takes its place."""
        settings = cast(dict[str, Any], json.loads(self.settings_file.read_text()))
        handler = settings["hooks"]["BeforeTool"][0]["hooks"][0]
        before = str(handler["command"])
        if command:
            handler |= {"command": command, **more}
            self.settings_file.write_text(json.dumps(settings))
        return before

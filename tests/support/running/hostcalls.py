"""A host's hooks called in this process, in a home with the gate turned on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from compass.composition.effects import join_programs
from compass.composition.gate import wire
from compass.hook.dispatch import ErrorPolicy, handle
from evaluator.model import PendingWrite
from hooks import registry
from hooks.host import Host

HOLDS = {"compass": {"enabled": True, "mode": "enforce", "evaluator": {"backend": "embedded"}}}


def recorded(path: Path) -> list[dict[str, Any]]:
    """The objects of a fixture, a line each."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


PLAIN = {"Bash": "Bash", "Write": "Write"}
TOLD: dict[str, tuple[str, str, dict[str, str], dict[str, str]]] = {
    "claude-code": ("tool_name", "tool_input", PLAIN, {}),
    "codex": ("tool_name", "tool_input", PLAIN, {}),
    "copilot": (
        "toolName", "toolArgs", {"Bash": "bash", "Write": "create"}, {"file_path": "path", "content": "file_text"},
    ),
    "cursor": ("tool_name", "tool_input", {**PLAIN, "Bash": "Shell"}, {}),
    "gemini": ("tool_name", "tool_input", {"Bash": "run_shell_command", "Write": "write_file"}, {}),
    "opencode": ("tool", "args", {"Bash": "bash", "Write": "write"}, {"file_path": "filePath"}),
}  # fmt: skip
"""{host: where it tells a call's tool and its input, its own tools, and how it calls their fields}."""


def payload_of(name: str, tool: str, given: dict[str, str], project: str, session: str) -> bytes:
    """A call of Bash or Write as a host tells its hook."""
    trial = json.loads(registry.host_of(name).setup().trial(project, session))
    if name == "chibi":
        own = {"tool_name": "shell_exec" if tool == "Bash" else "write_file", "path": given.get("file_path")}
        hook = "pre_shell_exec" if tool == "Bash" else "pre_file_write"
        return json.dumps(trial | {"hook": hook, "data": {**given, **own}}).encode()
    tool_field, input_field, tools, fields = TOLD[name]
    said, own_tool = {fields.get(key, key): value for key, value in given.items()}, tools[tool]
    if name == "codex" and tool == "Write":
        added = f"*** Add File: {given['file_path']}\n+{given['content']}\n"
        own_tool, said = "apply_patch", {"command": f"*** Begin Patch\n{added}*** End Patch\n"}
    return json.dumps(trial | {tool_field: own_tool, input_field: said}).encode()


class HostClient:
    """A project with two files, a home, and what the host sets for its hooks. In a payload PROJECT is the project."""

    def __init__(self, root: Path, host: Host, **env: str) -> None:
        join_programs()
        self.home, self.project, self.host = root / "home", root / "some.project", host
        settings = self.home / ".onlooker" / "compass" / "settings.json"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps(HOLDS))
        (self.project / "src").mkdir(parents=True)
        for name in ("a", "b"):
            (self.project / "src" / f"{name}.py").write_text("x = 1\n")
        self.env = {"HOME": str(self.home), **{name: self.filled(value) for name, value in env.items()}}

    def filled(self, text: str) -> str:
        return text.replace("PROJECT", str(self.project))

    def fire(self, event: str, payload: object, prefix: bytes = b"") -> dict[str, Any] | None:
        """What Compass's `event` is answered; None where nothing is printed."""
        policy = ErrorPolicy(event, self.env, "/", lambda _: None, host=self.host)
        raw = handle(
            event,
            prefix + self.filled(json.dumps(payload)).encode(),
            policy,
            str(self.project),
            lambda: wire(policy.env, policy.home, policy.directory, policy.loaded, host=policy.host),
        )
        return json.loads(raw) if raw else None

    def pending(self, payload: object) -> PendingWrite:
        return self.host.pending_write(self.host.parse(self.filled(json.dumps(payload)).encode()), self.env)

"""Synthetic transcripts in the client's own shapes (those of `fixtures/claude-code`), line by line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluator.model import Exchange, KeptPrompt, PendingWrite
from hooks.hosts.claude_code.transcript_source import TranscriptReader

HUMAN = {"origin": {"kind": "human"}, "promptSource": "typed", "turnOrigin": "human"}


class Session:
    """Each method appends one line whose parent is the line before, and returns its uuid."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.tip: str | None = None
        self.prompt_id: str | None = None
        self._count = 0

    def line(self, kind: str, *, parent: str | None = "", **fields: Any) -> str:
        """`parent` "" means the line before; None makes a root."""
        self._count += 1
        uuid = f"{self._count:08d}-0000-4000-8000-000000000000"
        above = self.tip if parent == "" else parent
        self._put({"parentUuid": above, "isSidechain": False, **fields, "type": kind, "uuid": uuid})
        if not fields.get("isSidechain"):
            self.tip = uuid
        return uuid

    def raw(self, line: bytes) -> None:
        self.lines.append(line)

    def apart(self, **fields: Any) -> None:
        """A line that does not stand in the chain."""
        self._put(fields)

    def prompt(self, text: object, prompt_id: str, **fields: Any) -> str:
        self.prompt_id = prompt_id
        return self.user(text, **{**HUMAN, **fields})

    def user(self, content: object, **fields: Any) -> str:
        message = {"role": "user", "content": content}
        written: dict[str, Any] = {"promptId": self.prompt_id, "message": message, **fields}
        return self.line("user", **written)

    def says(self, text: str, message_id: str = "", **fields: Any) -> str:
        return self._assistant({"type": "text", "text": text}, message_id, **fields)

    def thinks(self, text: str, message_id: str, **fields: Any) -> str:
        return self._assistant({"type": "thinking", "thinking": text}, message_id, **fields)

    def calls(
        self, name: str, given: dict[str, Any], use_id: str = "toolu_1", message_id: str = "", **fields: Any
    ) -> str:
        block = {"type": "tool_use", "id": use_id, "name": name, "input": given}
        return self._assistant(block, message_id, **fields)

    def result(self, content: object = "ok", use_id: str = "toolu_1", **fields: Any) -> str:
        error = bool(fields.pop("is_error", False))
        block = {"type": "tool_result", "tool_use_id": use_id, "content": content, "is_error": error}
        return self.user([block], **fields)

    def queued(self, text: object, origin: str = "human", mode: str = "prompt") -> str:
        told = {
            "prompt": text,
            "commandMode": mode,
            "origin": {"kind": origin},
            "humanTurn": origin == "human",
        }
        return self.attachment("queued_command", **told)

    def attachment(self, kind: str = "date", **fields: Any) -> str:
        return self.line("attachment", attachment={"type": kind, **fields})

    def turn(self, request: str, prompt_id: str, answer: str) -> None:
        self.prompt(request, prompt_id)
        self.says(answer)
        self.line("system", subtype="turn_duration", durationMs=5, isMeta=False)

    def compact(self) -> None:
        """As `/compact` leaves it: boundary, summary, caveat, wrapper, output."""
        self.line("system", parent=None, logicalParentUuid=self.tip, subtype="compact_boundary")
        self.prompt_id = "compact"
        self.user("This session is being continued from ... SUMMARY", isCompactSummary=True)
        self.user("<local-command-caveat>...</local-command-caveat>", isMeta=True)
        self.user("<command-name>/compact</command-name>\n<command-args></command-args>")
        self.user("<local-command-stdout>Compacted</local-command-stdout>")

    def write(self, path: Path) -> Path:
        path.write_bytes(b"".join(line + b"\n" for line in self.lines))
        return path

    def _assistant(self, block: dict[str, Any], message_id: str, **fields: Any) -> str:
        name = message_id or f"msg_{self._count + 1}"
        message: dict[str, Any] = {"id": name, "role": "assistant", "content": [block]}
        written: dict[str, Any] = {"message": message, **fields}
        return self.line("assistant", **written)

    def _put(self, line: dict[str, Any]) -> None:
        self.lines.append(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode())


def pending_write(
    path: Path | str | None, prompt_id: str | None, agent_id: str | None = None
) -> PendingWrite:
    transcript = None if path is None else str(path)
    return PendingWrite("claude-code", "s", "Write", {}, "/p", "/p", transcript, prompt_id, agent_id=agent_id)


def kept_prompts(*prompts: tuple[str | None, str]) -> tuple[KeptPrompt, ...]:
    return tuple(KeptPrompt(prompt_id, text, i) for i, (prompt_id, text) in enumerate(prompts, start=1))


def read(
    session: Session,
    folder: Path,
    prompt_id: str | None = None,
    kept: Sequence[KeptPrompt] = (),
    agent_id: str | None = None,
) -> Exchange:
    path = session.write(folder / "session.jsonl")
    return TranscriptReader().exchange(pending_write(path, prompt_id, agent_id), kept)

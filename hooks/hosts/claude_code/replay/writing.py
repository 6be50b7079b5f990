"""Writes an exchange as a transcript of the host, so that a case takes the whole way through the gate."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator

from evaluator.model import Exchange

OPENING = "Hello, I need help with this project."


def transcript(exchange: Exchange, session_id: str, prompt_id: str) -> str:
    """JSONL in the shape of Claude Code 2.1: the earlier turn, then the request as the running prompt."""
    return "".join(json.dumps(line) + "\n" for line in _lines(exchange, session_id, prompt_id))


def _lines(exchange: Exchange, session_id: str, prompt_id: str) -> Iterator[dict[str, object]]:
    parent: str | None = None

    def line(kind: str, message: dict[str, object], **extra: object) -> dict[str, object]:
        nonlocal parent
        own = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{session_id}/{parent}/{message}"))
        found = {
            "parentUuid": parent,
            "isSidechain": False,
            "type": kind,
            "message": message,
            "uuid": own,
            "sessionId": session_id,
            **extra,
        }
        parent = own
        return found

    human = {"origin": {"kind": "human"}, "promptSource": "typed"}
    if exchange.prior_assistant_turn:
        yield line("user", {"role": "user", "content": OPENING}, promptId="opening", **human)
        text = [{"type": "text", "text": exchange.prior_assistant_turn}]
        yield line("assistant", {"role": "assistant", "id": "msg_opening", "content": text})
    for message in exchange.request:
        yield line("user", {"role": "user", "content": message}, promptId=prompt_id, **human)

"""Chat completions on loopback, in the ways of four servers: which fields each honours, ignores and refuses.

What they do with a field is theirs (November 2026: Ollama 0.2x, llama.cpp b115xx, vLLM 0.28, LM Studio 0.4); what
stands for the model is scripted: it thinks unless it is told not to, and writes loosely unless a grammar binds it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apis.loopback_api import Behaviour, LoopbackApi, Received, answer

Fault = tuple[int, object]
"""(HTTP status, the body of the error)."""

THOUGHT = "The request names the file."


@dataclass(frozen=True)
class Ways:
    """How a server takes a request. `thinking_off` names the fields by which a request turns thinking off there.

    `refuses` looks at the body first. `binds`: which kinds of `response_format` bind the model. `apart` is the field
    that holds the thoughts, empty where they stand in the text. `listed` are its answers to GET.
    """

    thinking_off: Sequence[str] = ()
    refuses: Callable[[Mapping[str, Any]], Fault | None] = lambda _: None
    binds: Sequence[str] = ("json_schema",)
    apart: str = ""
    listed: Mapping[str, object] | None = None


def _off(body: Mapping[str, Any], field: str) -> bool:
    if field == "reasoning_effort":
        return body.get(field) == "none"
    if field == "thinking":
        return body.get(field) == {"type": "disabled"}
    return body.get("chat_template_kwargs", {}).get(field) is False


def older_vllm(body: Mapping[str, Any]) -> Fault | None:
    """Before it knew `none`."""
    if body.get("reasoning_effort") in (None, "low", "medium", "high"):
        return None
    said = "'loc': ('body', 'reasoning_effort'), 'msg': \"Input should be 'low', 'medium' or 'high'\""
    message = f"1 validation error: {{'type': 'literal_error', {said}}}"
    return 400, {"error": {"message": message, "type": "Bad Request", "param": None, "code": 400}}


OLLAMA = Ways(thinking_off=("reasoning_effort",), apart="reasoning")
LLAMA_CPP = Ways(
    thinking_off=("enable_thinking",), apart="reasoning_content", listed={"/props": {"total_slots": 2}}
)
VLLM = Ways(
    thinking_off=("enable_thinking", "thinking", "reasoning_effort"),
    apart="reasoning_content",
    listed={"/v1/models": {"object": "list", "data": [{"id": "m", "owned_by": "vllm"}]}},
)
LM_STUDIO = Ways(apart="reasoning_content")
SERVERS = {"ollama": OLLAMA, "llama.cpp": LLAMA_CPP, "vllm": VLLM, "lm-studio": LM_STUDIO}


class ChatServer(LoopbackApi):
    """Answers by its `ways`. `thinks`: the model does unless that is off. `loose` is what it writes unbound."""

    def __init__(
        self, ways: Ways, *, thinks: bool = False, loose: str | None = None, score: float = 0.9
    ) -> None:
        super().__init__()
        self.ways = ways
        self.thinks = thinks
        self.score = score
        self.loose = f"```json\n{answer(score)}\n```" if loose is None else loose
        self.asked_of: list[str] = []

    def take(self, received: Received) -> Behaviour:
        queued, body = bool(self._queue), received.body
        found = super().take(received)
        if queued:
            return found
        fault = self.ways.refuses(body)
        if fault is not None:
            return Behaviour(status=fault[0], body=json.dumps(fault[1]).encode())
        thinks = self.thinks and not any(_off(body, field) for field in self.ways.thinking_off)
        bound = body.get("response_format", {}).get("type") in self.ways.binds
        return completion(
            answer(self.score) if bound else self.loose, thought=THOUGHT if thinks else "",
            apart=self.ways.apart, tokens=500 if thinks else 60, room=body["max_tokens"],
        )  # fmt: skip

    def get(self, path: str) -> Behaviour:
        self.asked_of.append(path)
        found = (self.ways.listed or {}).get(path)
        if found is None:
            return Behaviour(status=404, body=b'{"error": "no such path"}')
        return Behaviour(body=json.dumps(found).encode())


def completion(
    text: str,
    *,
    thought: str = "",
    apart: str = "",
    tokens: int = 60,
    room: int = 4000,
    finish: str = "stop",
    delay: float = 0.0,
) -> Behaviour:
    """A chat completion; cut off where its tokens do not fit the room."""
    message: dict[str, object] = {"role": "assistant", "content": text}
    if thought and apart:
        message[apart] = thought
    elif thought:
        message["content"] = f"<think>{thought}</think>{text}"
    if tokens > room:
        finish, tokens = "length", room
        message["content"] = "" if apart else f"<think>{thought}"[: 4 * room]
    shown = {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 1600, "completion_tokens": tokens, "total_tokens": 1600 + tokens},
    }
    return Behaviour(body=json.dumps(shown).encode(), delay=delay)

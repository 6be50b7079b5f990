"""A chat completion, read field by field: any server may have put anything there. Pure; knows no HTTP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from evaluator.errors import ReaderError
from evaluator.ports import ReaderReply, UnusableReplyError
from evaluator.readers.faults import safe_detail
from evaluator.readers.message import as_object, count
from evaluator.settings.places import set_by

THINK = "<think>"


@dataclass(frozen=True, slots=True)
class Completion:
    """The first choice. `thought`: the model thought before it answered, wherever the server put that."""

    text: str
    finish: str
    thought: bool
    input_tokens: int
    output_tokens: int

    @property
    def cut_off(self) -> bool:
        return self.finish == "length"

    def reply(self, *, keeps_schema: bool) -> ReaderReply:
        return ReaderReply(
            text=self.text,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            keeps_schema=keeps_schema,
        )

    def usable(self, *, keeps_schema: bool) -> ReaderReply:
        """Raises UnusableReplyError for an answer that is cut off, refused or empty."""
        reply = self.reply(keeps_schema=keeps_schema)
        if self.cut_off:
            way = (
                "it thinks before it answers; choose a model that does not"
                if self.thought
                else f"allow it more: {set_by('evaluator.max_output_tokens', 'N')}"
            )
            raise UnusableReplyError(f"the answer was cut off; {way}", reply)
        if self.finish == "content_filter":
            raise UnusableReplyError("the server withheld the answer (finish_reason content_filter)", reply)
        if not self.text.strip():
            where = "all of it is reasoning" if self.thought else f"finish_reason {safe_detail(self.finish)}"
            raise UnusableReplyError(f"the answer holds no text ({where})", reply)
        return reply


def read_completion(body: bytes) -> Completion:
    """Raises ReaderError of kind `invalid` for what is no chat completion."""
    try:
        found = as_object(json.loads(body))
    except (ValueError, RecursionError) as fault:
        raise ReaderError("invalid", "the response is not JSON; is the address a chat server's?") from fault
    choice = next(map(as_object, _rows(found.get("choices"))), as_object(None))
    message = as_object(choice.get("message"))
    if not message:
        raise ReaderError("invalid", "the response is no chat completion; is the address a chat server's?")
    usage = as_object(found.get("usage"))
    text = _text(message.get("content"))
    spent = count(as_object(usage.get("completion_tokens_details")), "reasoning_tokens")
    apart = any(_text(message.get(name)).strip() for name in ("reasoning_content", "reasoning"))
    return Completion(
        text=text,
        finish=str(choice.get("finish_reason")),
        thought=apart or spent > 0 or text.lstrip().startswith(THINK),
        input_tokens=count(usage, "prompt_tokens"),
        output_tokens=count(usage, "completion_tokens"),
    )


def error_of(body: bytes) -> str:
    """What an error response says: a message by itself, in `error`, or in `error.message`; else all of it."""
    text = body.decode("utf-8", "replace")
    try:
        found = as_object(json.loads(text))
    except (ValueError, RecursionError):
        return text
    held: object = found.get("error") or found.get("message") or found.get("detail")
    message = cast("Mapping[str, object]", held).get("message") if isinstance(held, dict) else held
    return message if isinstance(message, str) else text


def slots_of(props: bytes) -> int | None:
    """`total_slots` of llama.cpp's `/props`; None where it does not say."""
    found = _object(props).get("total_slots")
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else None


def batches(models: bytes) -> bool:
    """Whether `/v1/models` is vLLM's, which serves as many requests at once as it is sent."""
    return any(as_object(row).get("owned_by") == "vllm" for row in _rows(_object(models).get("data")))


def _object(body: bytes) -> Mapping[str, object]:
    try:
        return as_object(json.loads(body))
    except (ValueError, RecursionError):
        return {}


def _rows(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _text(content: object) -> str:
    """A string as it is; of a list of parts, the texts."""
    if isinstance(content, str):
        return content
    parts = [as_object(part) for part in _rows(content)]
    return "".join(str(part.get("text", "")) for part in parts if part.get("type") == "text")

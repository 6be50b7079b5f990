"""The body of a chat completion, what to leave out of it after a refusal, and what came back. Pure; knows no HTTP.

Each server turns thinking off in a way of its own and passes over the others' (November 2026): Ollama by
`reasoning_effort`, llama.cpp and vLLM by `chat_template_kwargs`, whose names differ by the model's template, and
gateways by `thinking`. A response is read field by field: any server may have put anything there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from evaluator.egress.answer import RATIONALE_CHARS_MAX, RIVAL_CHARS_MAX, TARGET_CHARS_MAX
from evaluator.errors import ReaderError
from evaluator.ports import ReaderReply, ReaderRequest, UnusableReplyError
from evaluator.readers.learnt import FORMS, Learnt
from evaluator.readers.response import as_object, count, safe_detail
from evaluator.record import replace
from evaluator.settings.places import set_by

THINKING_OFF: Final[Mapping[str, object]] = {
    "thinking": {"type": "disabled"},
    "chat_template_kwargs": {"enable_thinking": False, "thinking": False},
    "reasoning_effort": "none",
}

THINKING_TOKENS: Final = 1600
"""Room for a model that thinks all the same; what it thinks counts as output."""

BOUNDS: Final[Mapping[str, Mapping[str, object]]] = {
    "score": {"minimum": 0, "maximum": 1},
    "rationale": {"maxLength": RATIONALE_CHARS_MAX},
    "target": {"maxLength": TARGET_CHARS_MAX},
    "rival": {"anyOf": [{"type": "string", "maxLength": RIVAL_CHARS_MAX}, {"type": "null"}]},
}
"""By property. The hosted API's part of JSON Schema has none; local servers turn them into a grammar."""

_ABOUT_FORM = ("response_format", "json_schema", "json_object", "schema", "grammar", "guided", "structured")
_ABOUT_THINKING = ("think", "reasoning")
_ABOUT_NEITHER = ("context", "maximum model length", "max_tokens")


def body_of(request: ReaderRequest, model: str, learnt: Learnt) -> dict[str, object]:
    """The form of the answer comes as far as this server takes it."""
    room = THINKING_TOKENS if learnt.thinks else 0
    body: dict[str, object] = {
        "model": model,
        "messages": [
            {"role": "system", "content": request.system},
            {"role": "user", "content": request.user},
        ],
        "max_tokens": request.max_output_tokens + room,
        "stream": False,
        **THINKING_OFF,
    }
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if learnt.form == "json_schema":
        shape = {"name": "answer", "strict": True, "schema": bounded(request.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": shape}
    elif learnt.form == "json_object":
        body["response_format"] = {"type": "json_object"}
    return {name: value for name, value in body.items() if name not in learnt.without}


def bounded(schema: Mapping[str, object]) -> dict[str, object]:
    """The schema with BOUNDS, at every level."""
    properties = cast("Mapping[str, Any]", schema.get("properties", {}))
    found = {name: {**shape, **BOUNDS.get(name, {})} for name, shape in properties.items()}
    inner = {
        name: bounded(shape) if shape.get("type") == "object" else shape for name, shape in found.items()
    }
    return {**schema, "properties": inner}


def easier(learnt: Learnt, said: str) -> list[Learnt]:
    """What to ask with after a refusal that says `said`, in this order; empty where that would not help."""
    said = said.lower()
    named = [name for name in (*THINKING_OFF, "temperature") if name in said and name not in learnt.without]
    if named:
        return [learnt.leaving_out(*named)]
    forms = [replace(learnt, form=form) for form in FORMS[FORMS.index(learnt.form) + 1 :]]
    if any(word in said for word in _ABOUT_FORM):
        return forms
    plain = [learnt.leaving_out(*THINKING_OFF)] if set(THINKING_OFF) - learnt.without else []
    if any(word in said for word in _ABOUT_THINKING):
        return plain
    if any(word in said for word in _ABOUT_NEITHER):
        return []
    # It does not say what it minds: one kind of field is left out at a time, so that no more is lost than has to be.
    return [*plain, *forms, *(one.leaving_out(*THINKING_OFF) for one in forms[-1:])]


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

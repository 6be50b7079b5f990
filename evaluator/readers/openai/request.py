"""The body of a chat completion, and what to leave out of it after a refusal. Pure; knows no HTTP.

Each server turns thinking off in a way of its own and passes over the others' (November 2026): Ollama by
`reasoning_effort`, llama.cpp and vLLM by `chat_template_kwargs`, whose names differ by the model's template, and
gateways by `thinking`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from evaluator.egress.answer import RATIONALE_CHARS_MAX, RIVAL_CHARS_MAX, TARGET_CHARS_MAX
from evaluator.ports import ReaderRequest
from evaluator.readers.learnt import FORMS, Learnt
from evaluator.record import replace

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

"""The Messages API's formats: which requests it takes, and its answers as JSON or as an event stream."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import cast

from e2e.playing.replies import Json, Message

REQUEST_KEYS = frozenset({
    "model", "messages", "max_tokens", "system", "temperature", "top_p", "top_k", "stop_sequences", "stream",
    "tools", "tool_choice", "metadata", "thinking", "service_tier", "output_config", "container",
    "context_management", "inference_geo",
})  # fmt: skip
SCHEMA_KEYS = frozenset({
    "$defs", "$ref", "type", "anyOf", "allOf", "enum", "const", "description", "title", "properties",
    "additionalProperties", "required", "items", "minItems", "format",
})  # fmt: skip
"""What structured outputs take; the SDK's own schema transformer keeps these and drops all others."""

ANSWER_TOOL = "StructuredOutput"
"""Through which the client has a schema answered."""

CHARS_PER_TOKEN = 3
"""A cautious figure for JSON: a reply beyond `max_tokens` of it is cut, as a model's would be."""

USAGE: Json = {"input_tokens": 400, "output_tokens": 60}
DELTA_CHARS = 64


def table(value: object) -> Json:
    """The value if it is a JSON object, else an empty one."""
    return cast(Json, value) if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """The value if it is a JSON array, else an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


def text_of(content: object) -> str:
    """The text of a message's content, tool results included."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        block = cast(Json, content)
        return text_of(block.get("text", block.get("content", "")))
    return "\n".join(text_of(part) for part in items(content))


def messages_of(body: Json) -> list[Json]:
    return [table(message) for message in items(body.get("messages"))]


def reader_schema(body: Json) -> Json | None:
    """The answer schema of a reader's request, or None where the request is not a reader's.

    The SDK sends it as the form of the output, the client as the one tool that it offers.
    """
    form = table(table(body.get("output_config")).get("format"))
    tools = [table(tool) for tool in items(body.get("tools"))]
    if form.get("type") == "json_schema":
        schema = table(form.get("schema"))
    elif [tool.get("name") for tool in tools] == [ANSWER_TOOL]:
        schema = table(tools[0].get("input_schema"))
    else:
        return None
    return schema if "score" in table(schema.get("properties")) else None


def is_by_client(body: Json) -> bool:
    """Whether a reader's request comes from a client that a backend started."""
    return bool(body.get("tools"))


def complaint(headers: Mapping[str, str], body: Json) -> str:
    """Why the hosted API would refuse a reader's request, or nothing."""
    unknown = sorted(set(body) - REQUEST_KEYS)
    if unknown:
        return f"{unknown[0]}: Extra inputs are not permitted"
    if not (headers.get("x-api-key") or headers.get("authorization")):
        return "a key is required"
    if not headers.get("anthropic-version"):
        return "anthropic-version is required"
    if not isinstance(body.get("model"), str) or not isinstance(body.get("max_tokens"), int):
        return "model and max_tokens are required"
    messages = messages_of(body)
    if (
        not messages
        or messages[0].get("role") != "user"
        or not all(text_of(m.get("content")) for m in messages)
    ):
        return "messages: must start with the user and hold text"
    temperature = body.get("temperature", 1.0)
    if not isinstance(temperature, (int, float)) or not 0 <= temperature <= 1:
        return "temperature: must be between 0 and 1"
    metadata = table(body.get("metadata"))
    if set(metadata) - {"user_id"} or len(str(metadata.get("user_id"))) > 256:
        return "metadata: only a user_id of at most 256 characters is permitted"
    return schema_complaint(reader_schema(body) or {})


def schema_complaint(schema: Json) -> str:
    """Why structured outputs would refuse a schema, or nothing."""
    unknown = sorted(set(schema) - SCHEMA_KEYS)
    if unknown:
        return f"output_config.format.schema: '{unknown[0]}' is not supported"
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        return "output_config.format.schema: 'additionalProperties' must be false for an object"
    inner = [*items(schema.get("anyOf")), *items(schema.get("allOf")), schema.get("items")]
    for group in ("properties", "$defs"):
        inner.extend(table(schema.get(group)).values())
    return next((found for part in inner if part and (found := schema_complaint(table(part)))), "")


def envelope(number: int, model: str, blocks: tuple[Json, ...]) -> Json:
    """A whole message as the API gives it; tool calls get ids."""
    content: list[Json] = []
    for at, block in enumerate(blocks):
        given = {"id": f"toolu_e2e{number:06d}{at:02d}"} if block["type"] == "tool_use" else {}
        content.append({**block, **given})
    calls_tools = any(block["type"] == "tool_use" for block in blocks)
    return {
        "id": f"msg_e2e{number:08d}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if calls_tools else "end_turn",
        "stop_sequence": None,
        "usage": USAGE,
    }


def structured(number: int, body: Json, text: str) -> Json:
    """A reader's answer as a whole message, cut where `max_tokens` ends it."""
    limit = int(body["max_tokens"]) * CHARS_PER_TOKEN
    message = envelope(number, str(body["model"]), ({"type": "text", "text": text[:limit]},))
    if len(text) > limit:
        message["stop_reason"] = "max_tokens"
    return message


def stream(number: int, model: str, message: Message) -> Iterator[bytes]:
    """The events of one streamed message, in order."""
    whole = envelope(number, model, message.blocks)
    yield _event("message_start", message={**whole, "content": [], "stop_reason": None})
    for at, block in enumerate(cast("list[Json]", whole["content"])):
        if block["type"] == "tool_use":
            key, kind, field, text = "input", "input_json_delta", "partial_json", json.dumps(block["input"])
            start: Json = {**block, key: {}}
        else:
            key, kind, field, text = "text", "text_delta", "text", str(block["text"])
            start = {**block, key: ""}
        yield _event("content_block_start", index=at, content_block=start)
        for cut in range(0, len(text), DELTA_CHARS):
            yield _event(
                "content_block_delta", index=at, delta={"type": kind, field: text[cut : cut + DELTA_CHARS]}
            )
        yield _event("content_block_stop", index=at)
    yield _event(
        "message_delta", delta={"stop_reason": whole["stop_reason"], "stop_sequence": None}, usage=USAGE
    )
    yield _event("message_stop")


def _event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()

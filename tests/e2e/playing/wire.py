"""The Messages API's formats: what a request holds, and why the hosted one would refuse it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from e2e.playing.replies import Json

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

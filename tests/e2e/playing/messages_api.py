"""A Messages API on the loopback interface that plays the agent's model and the readers at once.

The agent's calls stream a script's messages in order; the readers' calls are answered by a plan; all else
(titles, token counts) gets a harmless answer. Every request is kept with its route.
What a hosted API would refuse, and what the script did not foresee, is kept in `faults`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from apis.loopback_api import Behaviour, LoopbackApi, Received
from e2e.playing.replies import Json, Message, ReaderAnswer, ReaderPlan, Refuse, Script, call, say
from jsonschema import Draft202012Validator, FormatChecker

Route = Literal["agent", "delegate", "reader", "auxiliary", "other"]
SECRETS = frozenset({"x-api-key", "authorization", "cookie"})
MODEL_LATENCY = 0.8
"""Seconds before a model's first byte; what a hook finds on disk depends on it ."""

QUICK = 0.3
"""The same where a test does not turn on it; below some 0.15 s the prompt itself may not be on disk yet."""

CHARS_PER_TOKEN = 3
"""A cautious figure for JSON: a reply beyond `max_tokens` of it is cut, as a model's would be."""

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


@dataclass(frozen=True)
class Request(Received):
    """One request, without its secrets. `body` is an object, empty where it was none."""

    route: Route = "other"


class MessagesApi(LoopbackApi):
    """The server; a context manager. `latency` in seconds holds for the agent's model only."""

    requests: list[Request]

    def __init__(self, script: Script, readers: ReaderPlan, latency: float = MODEL_LATENCY) -> None:
        super().__init__()
        self.script, self.readers, self.latency = script, readers, latency
        self.faults: list[str] = []
        self._lock = threading.Lock()
        self._said: dict[str, int] = {}
        self._asked = 0
        self._gate = threading.Barrier(readers.gather) if readers.gather else None

    def of(self, *routes: Route) -> list[Request]:
        """Requests by route, in order of arrival."""
        return [request for request in [*self.requests] if request.route in routes]

    def take(self, received: Received) -> Behaviour:
        body = table(received.body)
        kept = {name: "redacted" if name in SECRETS else text for name, text in received.headers.items()}
        seen = {**vars(received), "body": body, "headers": kept}
        request = Request(**seen, route=self._route(received.path, body))
        super().take(request)
        match request.route:
            case "agent" | "delegate":
                return self._says(self._next_message(body), delay=self.latency)
            case "reader":
                return self._judges(request)
            case "auxiliary":
                return self._says(say("OK"))
            case _ if "count_tokens" in request.path:
                return Behaviour(body=json.dumps({"input_tokens": 400}).encode())
            case _:
                return self.get(request.path)

    def get(self, path: str) -> Behaviour:
        return _refused(Refuse(404, "not_found_error"))

    def broke(self, error: BaseException | None) -> None:
        self.fault(f"the server failed: {error!r}")

    def fault(self, text: str) -> None:
        with self._lock:
            self.faults.append(text)

    def _route(self, path: str, body: Json) -> Route:
        if path.split("?", maxsplit=1)[0] != "/v1/messages":
            return "other"
        if reader_schema(body) is not None:
            return "reader"
        if not body.get("tools"):
            return "auxiliary"
        return "delegate" if self._mark(body) else "agent"

    def _mark(self, body: Json) -> str:
        first = "".join(text_of(message["content"]) for message in messages_of(body)[:1])
        return next((mark for mark in self.script.delegated if mark in first), "")

    def _next_message(self, body: Json) -> Message:
        """The script's next message for the agent or the subagent; a short ending when it is used up."""
        mark = self._mark(body)
        messages = self.script.delegated[mark] if mark else self.script.main
        with self._lock:
            at = self._said.get(mark, 0)
            self._said[mark] = at + 1
        return messages[at] if at < len(messages) else say("Done.")

    def _says(self, message: Message, **how: Any) -> Behaviour:
        """Tool calls get ids."""
        number = len(self.requests)
        content = [
            {**block, "id": f"toolu_e2e{number:06d}{at:02d}"} if block["type"] == "tool_use" else block
            for at, block in enumerate(message.blocks)
        ]
        return Behaviour(content=content, **how)

    def _judges(self, request: Request) -> Behaviour:
        answer = self._reader_answer(request)
        if isinstance(answer, Refuse):
            return _refused(answer, delay=self.readers.latency)
        if is_by_client(request.body):
            return self._says(Message((call(ANSWER_TOOL, **answer),)), delay=self.readers.latency)
        text, room = json.dumps(answer), int(request.body["max_tokens"]) * CHARS_PER_TOKEN
        stop = "max_tokens" if len(text) > room else "end_turn"
        return self._says(say(text[:room]), stop_reason=stop, delay=self.readers.latency)

    def _reader_answer(self, request: Request) -> ReaderAnswer:
        """The plan's answer, once its cohort is complete."""
        refusal = "" if is_by_client(request.body) else complaint(request.headers, request.body)
        if refusal:
            self.fault(refusal)
            return Refuse(400, "invalid_request_error")
        with self._lock:
            number = self._asked
            self._asked += 1
        if self._gate is not None:
            try:
                self._gate.wait(self.readers.gather_seconds)
            except threading.BrokenBarrierError:
                return Refuse(500)
        answer = self.readers.answer(number, request.body)
        if isinstance(answer, Mapping):
            schema = reader_schema(request.body) or {}
            asked = cast(Any, Draft202012Validator(schema, format_checker=FormatChecker()))
            for one in asked.iter_errors(answer):
                self.fault(f"the plan's answer does not fit the schema: {one.json_path}: {one.message}")
        return answer


def _refused(refusal: Refuse, **how: Any) -> Behaviour:
    error = {"type": "error", "error": {"type": refusal.kind, "message": "scripted"}}
    return Behaviour(status=refusal.status, body=json.dumps(error).encode(), **how)


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
    by_user = bool(messages) and messages[0].get("role") == "user"
    if not by_user or not all(text_of(one.get("content")) for one in messages):
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

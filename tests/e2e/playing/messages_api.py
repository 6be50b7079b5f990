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
from e2e.playing import wire
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
        body = wire.table(received.body)
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
        if wire.reader_schema(body) is not None:
            return "reader"
        if not body.get("tools"):
            return "auxiliary"
        return "delegate" if self._mark(body) else "agent"

    def _mark(self, body: Json) -> str:
        first = "".join(wire.text_of(message["content"]) for message in wire.messages_of(body)[:1])
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
        if wire.is_by_client(request.body):
            return self._says(Message((call(wire.ANSWER_TOOL, **answer),)), delay=self.readers.latency)
        text, room = json.dumps(answer), int(request.body["max_tokens"]) * CHARS_PER_TOKEN
        stop = "max_tokens" if len(text) > room else "end_turn"
        return self._says(say(text[:room]), stop_reason=stop, delay=self.readers.latency)

    def _reader_answer(self, request: Request) -> ReaderAnswer:
        """The plan's answer, once its cohort is complete."""
        refusal = "" if wire.is_by_client(request.body) else wire.complaint(request.headers, request.body)
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
            schema = wire.reader_schema(request.body) or {}
            asked = cast(Any, Draft202012Validator(schema, format_checker=FormatChecker()))
            for one in asked.iter_errors(answer):
                self.fault(f"the plan's answer does not fit the schema: {one.json_path}: {one.message}")
        return answer


def _refused(refusal: Refuse, **how: Any) -> Behaviour:
    error = {"type": "error", "error": {"type": refusal.kind, "message": "scripted"}}
    return Behaviour(status=refusal.status, body=json.dumps(error).encode(), **how)

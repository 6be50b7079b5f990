"""The `openai` backend: `/v1/chat/completions` of one server, over the HTTP client itself.

The client is the one that the model SDK stands on (`httpx2`); a second SDK would add retries and defaults that
have to be turned off again. Importing this module imports it, so import it late.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final, cast

import httpx2

from evaluator.egress.reader_answer import (
    RATIONALE_CHARS_MAX,
    RIVAL_CHARS_MAX,
    TARGET_CHARS_MAX,
    keeps_schema,
)
from evaluator.errors import ReaderError
from evaluator.ports import ReaderReply, ReaderRequest, UnusableReplyError
from evaluator.readers import response
from evaluator.readers.addresses import is_of_loopback, place_of
from evaluator.readers.server_capabilities import Learnt, ServerMemory
from evaluator.record import replace
from evaluator.settings.places import set_by

PROBE_SECONDS: Final = 1.0
MARGIN_SECONDS: Final = 0.05
"""Kept of a request's time, so that the cause is told here, where it is known, and not by whoever waits."""

WAYS: Final = f"{set_by('evaluator.model', 'NAME')}, {set_by('evaluator.base_url', 'URL')}"
NO_ADDRESS: Final = (
    f"the server's address is not an http or https address: {set_by('evaluator.base_url', 'URL')}"
)

COMPLETIONS: Final = "/v1/chat/completions"
PROPS: Final = "/props"
"""Where llama.cpp says how many requests it serves at once: `total_slots`."""


class OpenAiBackend:
    """Asks `model` at `base_url`, with or without `/v1` at its end; `key` is sent as a bearer token where there is one.

    As many requests are under way as the server says that it serves at once, `most_at_once` at most, and 1 where it
    says nothing; the others wait for their turn. `refused`: why nothing may be asked there. Connections belong to the
    running event loop; after `aclose` the backend can be used again, on any loop.
    """

    name = "openai"

    def __init__(
        self,
        model: str,
        base_url: str,
        *,
        memory: ServerMemory,
        key: str = "",
        most_at_once: int = 1,
        refused: str = "",
    ) -> None:
        self.model = model
        self._url = base_url.strip().rstrip("/").removesuffix("/v1")
        self._where = place_of(self._url)
        self._memory = memory
        self._refused = refused
        self._key = key
        self._most_at_once = most_at_once
        self._client: httpx2.AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._probing = asyncio.Lock()
        self._turns: asyncio.Semaphore | None = None

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        """One answer within `request.timeout`, its turn and what the server refuses included. Raises ReaderError."""
        loop = asyncio.get_running_loop()
        end = loop.time() + max(request.timeout - MARGIN_SECONDS, request.timeout / 2)
        where, client = self._where, self._openai_client()
        try:
            async with asyncio.timeout_at(end), await self._openai_turns(client):
                if end - loop.time() <= MARGIN_SECONDS:
                    raise TimeoutError  # noqa: TRY301 - its turn came too late
                return await self._ask_openai_server(client, request)
        except TimeoutError as fault:
            raise ReaderError("timeout", f"no answer from {where} within {request.timeout:.3g} s") from fault
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as fault:
            raise ReaderError("refused", NO_ADDRESS) from fault
        except httpx2.HTTPError as fault:
            said = response.safe_detail(f"{type(fault).__name__} {fault}", [self._key])
            raise ReaderError("transport", f"no connection to {where}: {said}", retryable=True) from fault

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.aclose()

    async def _ask_openai_server(self, client: httpx2.AsyncClient, request: ReaderRequest) -> ReaderReply:
        """Asks with less where the server refuses, and learns from what helped."""
        learnt = self._memory.learnt
        refused: ReaderError | None = None
        while True:
            asked = body_of(request, self.model, learnt)
            async with client.stream("POST", f"{self._url}{COMPLETIONS}", json=asked) as answer:
                status, body = answer.status_code, await response.bounded(answer.aiter_bytes())
            if status == 200:
                reply = read_completion(body)
                if learnt.keeps_schema and not keeps_schema(reply.text, request.schema):
                    learnt = replace(learnt, ignores_schema=True)
                self._memory.learn(learnt)
                return replace(reply, keeps_schema=learnt.keeps_schema)
            said = error_of(body)
            hint = {
                401: "; set OPENAI_API_KEY to the key of that server",
                403: "; set OPENAI_API_KEY to the key of that server",
                404: f"; check the model ({response.safe_detail(self.model)}) and the address: {WAYS}",
            }.get(status, "")
            detail = f"{status} from {self._where}: {response.safe_detail(said, [self._key])}{hint}"
            fault = response.fault_of_status(
                status, detail, retry_after=response.seconds_of(answer.headers.get("retry-after", ""))
            )
            # Whether less may help; llama.cpp answers 500 for a schema that it cannot make a grammar of.
            names_form = any(word in said.lower() for word in ("grammar", "schema"))
            if status not in (400, 422) and not (status == 500 and names_form):
                raise fault
            refused = refused or fault
            less = easier(learnt, said)
            if less is None:
                raise refused
            learnt = less

    async def _openai_turns(self, client: httpx2.AsyncClient) -> asyncio.Semaphore:
        """The turns at this server, on this loop. A server that cannot be asked now is asked again later."""
        async with self._probing:
            if self._turns is None:
                known = self._memory.learnt.at_once or await self._probe_openai_slots(client)
                if known is None:
                    return asyncio.Semaphore(1)
                self._turns = asyncio.Semaphore(min(known, self._most_at_once))
        return self._turns

    async def _probe_openai_slots(self, client: httpx2.AsyncClient) -> int | None:
        """How many requests the server says that it serves at once; None where it does not answer."""
        try:
            async with (
                asyncio.timeout(PROBE_SECONDS),
                client.stream("GET", f"{self._url}{PROPS}") as answer,
            ):
                props = await response.bounded(answer.aiter_bytes()) if answer.status_code == 200 else b""
        except (httpx2.HTTPError, TimeoutError):
            return None
        except ReaderError:
            # Longer than what tells something.
            props = b""
        told = response.json_object(props).get("total_slots")
        found = told if isinstance(told, int) and not isinstance(told, bool) and told > 0 else 1
        self._memory.learn(replace(self._memory.learnt, at_once=found))
        return found

    def _openai_client(self) -> httpx2.AsyncClient:
        """The client of the running loop: connections and turns cannot be taken from one loop to another."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            # What would fail deep inside of the client, where the message could show the key.
            if self._refused:
                raise ReaderError("refused", self._refused)
            if not (self._key.isascii() and self._key.isprintable()):
                raise ReaderError("authentication", "OPENAI_API_KEY contains invalid characters")
            if not self._where:
                raise ReaderError("refused", NO_ADDRESS)
            if not self.model:
                raise ReaderError("refused", f"no model is set: {set_by('evaluator.model', 'NAME')}")
            self._loop, self._turns, self._probing = loop, None, asyncio.Lock()
            headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            # No proxy stands between a program and its own machine, whatever the environment says, and without one
            # no certificates are needed there: to read them takes a tenth of a second.
            here = is_of_loopback(self._url)
            plain = here and self._url.startswith("http://")
            self._client = httpx2.AsyncClient(
                headers=headers, timeout=None, trust_env=not here, verify=not plain, follow_redirects=False
            )
        return self._client


THINKING_OFF: Final[Mapping[str, object]] = {
    "thinking": {"type": "disabled"},
    "chat_template_kwargs": {"enable_thinking": False, "thinking": False},
    "reasoning_effort": "none",
}

BOUNDS: Final[Mapping[str, Mapping[str, object]]] = {
    "score": {"minimum": 0, "maximum": 1},
    "rationale": {"maxLength": RATIONALE_CHARS_MAX},
    "target": {"maxLength": TARGET_CHARS_MAX},
    "rival": {"anyOf": [{"type": "string", "maxLength": RIVAL_CHARS_MAX}, {"type": "null"}]},
}
"""By property. The hosted API's part of JSON Schema has none; local servers turn them into a grammar."""

_ABOUT_FORM = ("response_format", "json_schema", "json_object", "schema", "grammar", "guided", "structured")


def body_of(request: ReaderRequest, model: str, learnt: Learnt) -> dict[str, object]:
    """What this server refuses is left out."""
    shape = {"name": "answer", "strict": True, "schema": with_bounds(request.schema)}
    body: dict[str, object] = {
        "model": model,
        "messages": [
            {"role": "system", "content": request.system},
            {"role": "user", "content": request.user},
        ],
        "max_tokens": request.max_output_tokens,
        "stream": False,
        "response_format": {"type": "json_schema", "json_schema": shape},
        **THINKING_OFF,
    }
    if request.temperature is not None:
        body["temperature"] = request.temperature
    return {name: value for name, value in body.items() if name not in learnt.without}


def with_bounds(schema: Mapping[str, object]) -> dict[str, object]:
    """The schema with BOUNDS, at every level."""
    properties = cast("Mapping[str, Any]", schema.get("properties", {}))
    found = {name: {**shape, **BOUNDS.get(name, {})} for name, shape in properties.items()}
    inner = {
        name: with_bounds(shape) if shape.get("type") == "object" else shape for name, shape in found.items()
    }
    return {**schema, "properties": inner}


def easier(learnt: Learnt, said: str) -> Learnt | None:
    """What to ask with after a refusal that says `said`; None where nothing is left to leave out."""
    said = said.lower()
    named = [name for name in (*THINKING_OFF, "temperature") if name in said and name not in learnt.without]
    if named:
        return learnt.leaving_out(*named)
    if not any(word in said for word in _ABOUT_FORM) and set(THINKING_OFF) - learnt.without:
        return learnt.leaving_out(*THINKING_OFF)
    return learnt.leaving_out("response_format") if "response_format" not in learnt.without else None


CUT_OFF: Final = (
    "the answer was cut off: choose a model that does not think before it answers, or allow more output tokens: "
    + set_by("evaluator.max_output_tokens", "N")
)


def read_completion(body: bytes) -> ReaderReply:
    """The first choice of a chat completion. Raises ReaderError of kind `invalid` for what is none, and
    UnusableReplyError for an answer that is cut off, refused or empty."""
    found = response.json_object(body)
    choices = found.get("choices")
    rows = cast("list[object]", choices) if isinstance(choices, list) else []
    choice = response.as_object(rows[0] if rows else None)
    message = response.as_object(choice.get("message"))
    if not message:
        raise ReaderError(
            "invalid", "the response is not a chat completion; is this the address of a chat server?"
        )
    usage, finish = response.as_object(found.get("usage")), str(choice.get("finish_reason"))
    content = message.get("content")
    reply = ReaderReply(
        text=content if isinstance(content, str) else "",
        input_tokens=response.count(usage, "prompt_tokens"),
        output_tokens=response.count(usage, "completion_tokens"),
    )
    if finish == "length":
        raise UnusableReplyError(CUT_OFF, reply)
    if finish == "content_filter":
        raise UnusableReplyError("the server withheld the answer (finish_reason content_filter)", reply)
    if not reply.text.strip():
        raise UnusableReplyError(
            f"the answer contains no text (finish_reason {response.safe_detail(finish)})", reply
        )
    return reply


def error_of(body: bytes) -> str:
    """What an error response says: a message by itself, in `error`, or in `error.message`; else all of it."""
    text = body.decode("utf-8", "replace")
    found = response.json_object(text)
    held: object = found.get("error") or found.get("message") or found.get("detail")
    message = cast("Mapping[str, object]", held).get("message") if isinstance(held, dict) else held
    return message if isinstance(message, str) else text

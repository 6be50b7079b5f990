"""The `anthropic` backend: the official async SDK, asked once per call. Nothing else imports the SDK.

The credential and the address come in as arguments; from the process environment the SDK still takes proxies.
Importing this module imports the SDK, so import it late.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Final

import anthropic
import httpx2

from evaluator.egress.reader_answer import keeps_schema
from evaluator.errors import ReaderError
from evaluator.ports import ReaderReply, ReaderRequest
from evaluator.readers.addresses import is_of_loopback, place_of
from evaluator.readers.response import fault_of_status, read_message, safe_detail, seconds_of
from evaluator.readers.server_capabilities import Learnt, ServerMemory
from evaluator.record import replace
from evaluator.settings.places import set_by

DEFAULT_BASE_URL: Final = "https://api.anthropic.com"
NO_CREDENTIAL: Final = "none"
"""Sent to a configured address without a credential: the SDK insists on one, a local server ignores it."""

NO_PROXIES: Final = {"http://": None, "https://": None, "all://": None}
"""Above what the environment says. The SDK's client takes no `trust_env` for it."""

LIMITS: Final = httpx2.Limits(max_connections=None, max_keepalive_connections=20, keepalive_expiry=30.0)
"""The SDK's own close what was idle for five seconds; checks of one session are further apart."""

THINKING_TOKENS: Final = 1600
"""Room for models that always think before they answer; what they think counts as output."""

THINKING_OFF: Final[dict[str, str]] = {
    "claude-haiku-5": "disabled",
    "claude-opus-5": "disabled",
    "claude-sonnet-5": "disabled",
    "claude-sonnet-5-5": "between_tools",
}
"""Models that think unless told otherwise, by prefix (the longest wins), and the `thinking.type` for that.
Source: platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting, November 2026."""

ALWAYS_THINKING: Final = ("claude-opus-5-5", "claude-fable-5", "claude-mythos-5")

REFUSABLE: Final = ("temperature",)
OWN_REFUSABLE: Final = (*REFUSABLE, "output_config", "metadata")
"""Fields that a model may refuse, and that a server of the user's own may not know."""

WAY_OUT: Final = (
    "set a valid ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), or choose another backend: "
    + set_by("evaluator.backend", "NAME")
)


class AnthropicBackend:
    """Asks `model` at `base_url`, else at ANTHROPIC_BASE_URL, else at the public API.

    `env` is the environment to look into for that address and for the credential, ANTHROPIC_API_KEY or
    ANTHROPIC_AUTH_TOKEN. Fields that are refused are left out, which `memory` keeps; of a server of the user's `own`
    more may be, and whether it keeps the schema is found out. `refused`: why nothing may be asked there. Connections
    belong to the running event loop; after `aclose` the backend can be used again, on any loop.
    """

    name = "anthropic"

    def __init__(
        self,
        model: str,
        env: Mapping[str, str],
        *,
        memory: ServerMemory,
        own: bool = False,
        base_url: str | None = None,
        refused: str = "",
    ) -> None:
        self.model = model
        self._api_key = env.get("ANTHROPIC_API_KEY", "").strip()
        self._auth_token = "" if self._api_key else env.get("ANTHROPIC_AUTH_TOKEN", "").strip()
        # `Name: value` lines, as the SDK reads them from its own environment; in a service that is somebody else's.
        lines = env.get("ANTHROPIC_CUSTOM_HEADERS", "").splitlines()
        headers = (line.partition(":") for line in lines if ":" in line)
        self._headers = {name.strip(): value.strip() for name, _, value in headers}
        self._chosen_url = base_url or env.get("ANTHROPIC_BASE_URL", "").strip()
        # Whole, since the SDK takes long to join a path to its address.
        self._messages_url = f"{(self._chosen_url or DEFAULT_BASE_URL).rstrip('/')}/v1/messages"
        self._where = place_of(self._chosen_url or DEFAULT_BASE_URL)
        self._memory = memory
        self._own = own
        self._refusable = OWN_REFUSABLE if own else REFUSABLE
        self._refused = refused
        self._sdk: anthropic.AsyncAnthropic | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        """One answer within `request.timeout`, a refused temperature included. Raises ReaderError."""
        sdk = self._anthropic_client()
        try:
            async with asyncio.timeout(request.timeout):
                body, learnt = await self._post_to_anthropic(sdk, request)
        except TimeoutError as fault:
            said = f"no answer from {self._where} within {request.timeout:g} s"
            raise ReaderError("timeout", said) from fault
        except anthropic.AnthropicError as fault:
            raise self._anthropic_reader_error(fault) from fault
        reply = read_message(body, self.model)
        # Whether a server of the user's own keeps the schema; the hosted API is never read leniently.
        if self._own and learnt.keeps_schema and not keeps_schema(reply.text, request.schema):
            learnt = replace(learnt, ignores_schema=True)
        self._memory.learn(learnt)
        return replace(reply, keeps_schema=learnt.keeps_schema)

    async def aclose(self) -> None:
        sdk, self._sdk = self._sdk, None
        if sdk is not None and self._loop is asyncio.get_running_loop():
            await sdk.close()

    async def _post_to_anthropic(
        self, sdk: anthropic.AsyncAnthropic, request: ReaderRequest
    ) -> tuple[bytes, Learnt]:
        """The response, and what of its server went into the request. Each field is refused once."""
        learnt = self._memory.learnt
        while True:
            body = self._build_anthropic_body(request, learnt)
            try:
                response = await sdk.post(
                    self._messages_url,
                    cast_to=httpx2.Response,
                    content=json.dumps(body).encode(),
                    options={"timeout": request.timeout, "headers": {"content-type": "application/json"}},
                )
            except anthropic.BadRequestError as fault:
                said = str(fault.message).lower()
                named = [name for name in self._refusable if name in body and name in said]
                if not named:
                    raise
                learnt = learnt.leaving_out(*named)
            else:
                return response.content, learnt

    def _build_anthropic_body(self, request: ReaderRequest, learnt: Learnt) -> dict[str, object]:
        always = self.model.startswith(ALWAYS_THINKING)
        fitting = [] if always else [prefix for prefix in THINKING_OFF if self.model.startswith(prefix)]
        thinking = {"type": THINKING_OFF[max(fitting, key=len)]} if fitting else None
        body: dict[str, object] = {
            "model": self.model,
            "max_tokens": request.max_output_tokens + (THINKING_TOKENS if always else 0),
            "system": request.system,
            "messages": [{"role": "user", "content": request.user}],
            "output_config": {"format": {"type": "json_schema", "schema": dict(request.schema)}},
            "metadata": {"user_id": request.user_id},
            "temperature": request.temperature,
            "thinking": thinking,
        }
        return {
            name: value for name, value in body.items() if value is not None and name not in learnt.without
        }

    def _anthropic_client(self) -> anthropic.AsyncAnthropic:
        """That of the running loop: connections cannot be taken from one loop to another."""
        loop = asyncio.get_running_loop()
        if self._sdk is None or self._loop is not loop:
            # What would fail deep inside of the SDK, where the message could show the key.
            if self._refused:
                raise ReaderError("refused", self._refused)
            credential = self._api_key or self._auth_token
            if not (credential or self._chosen_url):
                raise ReaderError("authentication", f"no credential: {WAY_OUT}")
            if not (credential.isascii() and credential.isprintable()):
                raise ReaderError("authentication", f"the key contains invalid characters: {WAY_OUT}")
            if not self._where:
                way = set_by("evaluator.base_url", "URL")
                raise ReaderError("refused", f"evaluator.base_url is not an http or https address: {way}")
            self._loop = loop
            # As for `openai`: no proxy stands between a program and its own machine, a plain address there needs no
            # certificates, which take long to read, and a redirect would take key and evidence to a server that
            # nobody chose.
            here = is_of_loopback(self._chosen_url)
            plain = here and self._chosen_url.startswith("http://")
            self._sdk = anthropic.AsyncAnthropic(
                api_key=self._api_key or None,
                auth_token=None if self._api_key else self._auth_token or NO_CREDENTIAL,
                base_url=self._chosen_url or DEFAULT_BASE_URL,
                max_retries=0,
                open_telemetry=False,
                default_headers=self._headers,
                http_client=anthropic.DefaultAsyncHttpxClient(
                    follow_redirects=False, verify=not plain, mounts=NO_PROXIES if here else {}, limits=LIMITS
                ),
            )
        return self._sdk

    def _anthropic_reader_error(self, fault: anthropic.AnthropicError) -> ReaderError:
        where, secrets = self._where, (self._api_key, self._auth_token)
        if isinstance(fault, anthropic.APIStatusError):
            status, said = fault.status_code, safe_detail(fault.api_message or fault.message, secrets)
            ways = f"{set_by('evaluator.model', 'NAME')}, {set_by('evaluator.base_url', 'URL')}"
            hint = {
                401: f"; {WAY_OUT}",
                403: f"; {WAY_OUT}",
                404: f"; check the model ({safe_detail(self.model)}) and the address: {ways}",
            }.get(status, "")
            after = seconds_of(fault.response.headers.get("retry-after", ""))
            return fault_of_status(status, f"{status} from {where}: {said}{hint}", retry_after=after)
        if isinstance(fault, anthropic.APITimeoutError):
            return ReaderError("timeout", f"no answer from {where} in time")
        if isinstance(fault, anthropic.APIConnectionError):
            cause = fault.__cause__ or fault
            said = safe_detail(f"{type(cause).__name__} {cause}", secrets)
            return ReaderError("transport", f"no connection to {where}: {said}", retryable=True)
        if isinstance(fault, anthropic.CredentialsError):
            return ReaderError("authentication", f"{safe_detail(str(fault), secrets)}; {WAY_OUT}")
        return ReaderError("invalid", f"{where}: {safe_detail(f'{type(fault).__name__} {fault}', secrets)}")

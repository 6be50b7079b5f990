"""The same requests through the Message Batches API: half the price, answers within a day. For calibration alone.

Importing this module imports the SDK, so import it late. SDK 2.12.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import anthropic

from evaluator.errors import ReaderError
from evaluator.ports import ReaderReply, ReaderRequest
from evaluator.readers.anthropic_api import AnthropicBackend
from evaluator.readers.faults import fault_of_status, safe_detail
from evaluator.readers.message import read_message
from evaluator.record import replace

DISCOUNT: Final = 0.5
"""Source: platform.claude.com/docs/en/build-with-claude/batch-processing, November 2026."""
CALL_SECONDS: Final = 120.0
LISTED: Final = 100

_STATUS: Final = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "overloaded_error": 529,
}


@dataclass(frozen=True, slots=True)
class BatchState:
    """`total` requests, `done` of them answered or failed; results can be had once it `ended`. `at` is wall time."""

    id: str
    at: float
    total: int
    done: int
    ended: bool


class AnthropicBatches(AnthropicBackend):
    """Every method raises ReaderError, in the running loop of one caller."""

    async def submit(self, requests: Mapping[str, ReaderRequest]) -> str:
        """The batch's id. The keys come back with the results: letters, digits, `_` and `-`, at most 64."""
        entries = [{"custom_id": name, "params": self._params(request)} for name, request in requests.items()]
        sdk = self._connected()
        batch = await self._called(sdk.messages.batches.create(requests=entries, timeout=CALL_SECONDS))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        return str(batch.id)

    async def state(self, batch_id: str) -> BatchState:
        return _state(
            await self._called(self._connected().messages.batches.retrieve(batch_id, timeout=CALL_SECONDS))
        )

    async def recent(self) -> Sequence[BatchState]:
        """The newest batches of the account, newest first."""
        page = await self._called(self._connected().messages.batches.list(limit=LISTED, timeout=CALL_SECONDS))
        return [_state(batch) for batch in page.data]

    async def results(self, batch_id: str) -> Mapping[str, ReaderReply | ReaderError]:
        """By the key of each request; how a single one failed is a value."""
        found: dict[str, ReaderReply | ReaderError] = {}
        stream = await self._called(
            self._connected().messages.batches.results(batch_id, timeout=CALL_SECONDS)
        )
        try:
            async for entry in stream:
                found[entry.custom_id] = self._reply(entry.result)
        except anthropic.AnthropicError as fault:
            raise self._fault(fault, self._where()) from fault
        return found

    def refuse_temperature(self) -> None:
        """From now on requests go without."""
        self._without_temperature.add(self.model)

    def _params(self, request: ReaderRequest) -> dict[str, object]:
        warm = self.model not in self._without_temperature
        extra, spare = self._extra(request.temperature if warm else None)
        return {
            "model": self.model,
            "max_tokens": request.max_output_tokens + spare,
            "system": request.system,
            "messages": [{"role": "user", "content": request.user}],
            "output_config": {"format": {"type": "json_schema", "schema": dict(request.schema)}},
            "metadata": {"user_id": request.user_id},
            **extra,
        }

    def _reply(self, result: Any) -> ReaderReply | ReaderError:
        if result.type == "succeeded":
            try:
                reply = read_message(result.message.to_json().encode(), self.model)
            except ReaderError as fault:
                return fault
            cost = None if reply.cost_usd is None else reply.cost_usd * DISCOUNT
            return replace(reply, cost_usd=cost)
        if result.type == "errored":
            error = result.error.error
            said = safe_detail(f"{error.type}: {error.message}", (self._api_key, self._auth_token))
            return fault_of_status(_STATUS.get(str(error.type), 500), f"{said} (in a batch)")
        return ReaderError("timeout", f"the request was {result.type} in its batch", retryable=True)

    async def _called(self, act: Any) -> Any:
        try:
            return await act
        except anthropic.AnthropicError as fault:
            raise self._fault(fault, self._where()) from fault


def _state(batch: Any) -> BatchState:
    counts = batch.request_counts
    done = counts.succeeded + counts.errored + counts.canceled + counts.expired
    ended = batch.processing_status == "ended"
    return BatchState(str(batch.id), batch.created_at.timestamp(), done + counts.processing, done, ended)

"""A response, read field by field: a proxy may have put anything there. Its bound, its fault, a message of the API, and
what its tokens cost.

Details of faults are one line, bounded, and free of secrets. Knows neither an HTTP client, the SDK nor a command line.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Collection, Mapping
from typing import Final, NamedTuple, cast

from evaluator.errors import ReaderError
from evaluator.ports import ReaderReply, UnusableReplyError
from evaluator.settings.places import set_by
from evaluator.text import one_line, table


class Price(NamedTuple):
    """USD per million tokens."""

    input: float
    output: float

    def usd(self, input_tokens: int, output_tokens: int) -> float:
        return (input_tokens * self.input + output_tokens * self.output) / 1e6


PRICES: Final[Mapping[str, Price]] = {
    prefix: Price(*cast("list[float]", usd)) for prefix, usd in table("readers/prices").items()
}
"""By prefix of the model id."""


def price_of(model: str) -> Price | None:
    """A model's price, None for one that is not in the table. A prefix ends at a `-` or `@`, or is the whole id."""
    fitting = [
        prefix for prefix in PRICES if model == prefix or model.startswith((f"{prefix}-", f"{prefix}@"))
    ]
    return PRICES[max(fitting, key=len)] if fitting else None


def cost_usd(model: str, input_tokens: int, output_tokens: int) -> float | None:
    """What a request cost by list prices, None where these are not known."""
    price = price_of(model)
    return None if price is None else price.usd(input_tokens, output_tokens)


BODY_BYTES_MAX: Final = 1_000_000


async def bounded(chunks: AsyncIterator[bytes]) -> bytes:
    """The whole body of an answer. Raises ReaderError for one that no answer fills."""
    found = bytearray()
    async for chunk in chunks:
        found += chunk
        if len(found) > BODY_BYTES_MAX:
            raise ReaderError("invalid", f"the response is longer than {BODY_BYTES_MAX} bytes")
    return bytes(found)


DETAIL_CHARS_MAX: Final = 240
GATEWAY: Final = (502, 504)

_KEY_SHAPE = re.compile(r"\bsk-[A-Za-z0-9_-]{6,}|\b[Bb]earer\s+[^\s,;'\"]+")


def fault_of_status(status: int, detail: str, *, retry_after: float | None = None) -> ReaderError:
    """The fault for an HTTP error status. Only 429 and 5xx are worth asking again."""
    if status in (401, 403):
        return ReaderError("authentication", detail)
    if status == 429:
        return ReaderError("rate", detail, retryable=True, retry_after=retry_after)
    if status == 408:
        return ReaderError("timeout", detail)
    if status >= 500:
        return ReaderError(
            "server", detail, retryable=True, retry_after=retry_after, forwarded=status in GATEWAY
        )
    return ReaderError("refused", detail)


def seconds_of(retry_after: str) -> float | None:
    """The seconds of a `Retry-After` header in its numeric form (RFC 9110, 10.2.3); a date is not honoured."""
    try:
        seconds = float(retry_after)
    except ValueError:
        return None
    return seconds if 0.0 <= seconds < float("inf") else None


def safe_detail(text: str, secrets: Collection[str] = ()) -> str:
    """`text` as it may be shown and stored: one bounded line, without secrets or what looks like a key."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "[key]")
    return one_line(_KEY_SHAPE.sub("[key]", text[: 8 * DETAIL_CHARS_MAX]), DETAIL_CHARS_MAX)


CUT_OFF = f"the answer was cut off; {set_by('evaluator.max_output_tokens', 'NUMBER')} allows a longer one"


def read_message(body: bytes, model: str) -> ReaderReply:
    """The text blocks of a successful response, joined. Raises ReaderError of kind `invalid`."""
    try:
        message = as_object(json.loads(body))
    except (ValueError, RecursionError) as fault:
        raise ReaderError(
            "invalid", "the response is not JSON; is this the address of a Messages API?"
        ) from fault
    content = message.get("content")
    if not isinstance(content, list):
        raise ReaderError("invalid", "the response is not a message; is this the address of a Messages API?")
    blocks = [as_object(block) for block in cast("list[object]", content)]
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    text = "".join(one for one in texts if isinstance(one, str))
    usage = as_object(message.get("usage"))
    taken, given = input_tokens(usage), count(usage, "output_tokens")
    reply = ReaderReply(text, taken, given, cost_usd(model, taken, given))
    stop = message.get("stop_reason")
    if stop == "max_tokens":
        raise UnusableReplyError(CUT_OFF, reply)
    if stop == "refusal":
        raise UnusableReplyError("the model declined to answer (stop_reason refusal)", reply)
    if not text.strip():
        raise UnusableReplyError(f"the answer contains no text (stop_reason {safe_detail(str(stop))})", reply)
    return reply


def json_object(raw: bytes | str) -> Mapping[str, object]:
    """The JSON object in `raw`; an empty one where there is none."""
    try:
        return as_object(json.loads(raw))
    except (ValueError, RecursionError):
        return {}


def as_object(value: object) -> Mapping[str, object]:
    """`value` if it is a JSON object, else an empty one."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def count(counts: Mapping[str, object], key: str) -> int:
    """A token count; 0 for anything that is none."""
    value = counts.get(key)
    return value if isinstance(value, int) and value > 0 else 0


def input_tokens(usage: Mapping[str, object]) -> int:
    """All input tokens: the API counts cached ones apart."""
    keys = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    return sum(count(usage, key) for key in keys)

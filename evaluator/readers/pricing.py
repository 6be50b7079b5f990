"""What a hosted reader's tokens cost. A table and one function; knows no SDK.

Source: the public list at platform.claude.com/docs/en/about-claude/pricing and the model pages next to it,
read in November 2026; list prices, without batch, fast mode, regional or long-context surcharges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens. `cache_read` is a factor on `input`, as the two write factors below are."""

    input: float
    output: float
    cache_read: float = 0.1


CACHE_WRITE_5M: Final = 1.25
CACHE_WRITE_1H: Final = 2.0

PRICES: Final[dict[str, Price]] = {
    "claude-haiku-5-5": Price(0.10, 0.50),
    "claude-haiku-4-5": Price(1.0, 5.0),
    "claude-3-5-haiku": Price(0.80, 4.0),
    "claude-3-haiku": Price(0.25, 1.25),
    "claude-sonnet-5": Price(2.0, 10.0),
    "claude-sonnet-4": Price(3.0, 15.0),
    "claude-3-7-sonnet": Price(3.0, 15.0),
    "claude-opus-5-5": Price(4.0, 20.0, cache_read=0.05),
    "claude-opus-5": Price(5.0, 25.0),
    "claude-opus-4-8": Price(5.0, 25.0),
    "claude-opus-4-7": Price(5.0, 25.0),
    "claude-opus-4-6": Price(5.0, 25.0),
    "claude-opus-4-5": Price(5.0, 25.0),
    "claude-opus-4": Price(15.0, 75.0),
    "claude-fable-5-1": Price(10.0, 50.0, cache_read=0.025),
    "claude-fable-5": Price(10.0, 50.0),
    "claude-mythos-5-1": Price(10.0, 50.0, cache_read=0.025),
    "claude-mythos-5": Price(10.0, 50.0),
}
"""By prefix of the model id; the longest prefix wins. The price of Haiku 5.5 is that of short prompts."""


def price_of(model: str) -> Price | None:
    """None for a model that is not in the table. A prefix ends at a `-` or `@`, or is the whole id."""
    fitting = [
        prefix for prefix in PRICES if model == prefix or model.startswith((f"{prefix}-", f"{prefix}@"))
    ]
    return PRICES[max(fitting, key=len)] if fitting else None


def cost_usd(
    model: str,
    *,
    input_tokens: int,
    output_tokens: int,
    cache_read_tokens: int = 0,
    cache_write_5m_tokens: int = 0,
    cache_write_1h_tokens: int = 0,
) -> float | None:
    """`input_tokens` are the uncached ones, as the API counts them. None where the price is not known."""
    price = price_of(model)
    if price is None:
        return None
    weighed = (
        input_tokens
        + cache_read_tokens * price.cache_read
        + cache_write_5m_tokens * CACHE_WRITE_5M
        + cache_write_1h_tokens * CACHE_WRITE_1H
    )
    return (weighed * price.input + output_tokens * price.output) / 1e6

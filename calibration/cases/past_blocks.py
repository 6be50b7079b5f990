"""What became of past blocks: did the user let the call through, or agree that it was not what they meant?

Only blocks are seen, never what passed, and only blocks that were answered say anything. So this estimates false
blocks among answered blocks; it sets no threshold and loosens nothing. Reads records, not the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from calibration.stats.estimates import Estimate, TooLittle, rate_of_units

BLOCKED = frozenset(("low_confidence", "disagreement", "low_agreement"))
CheckRecord = Mapping[str, object]
End = Literal["released", "cancelled", "clarified", "unanswered"]


@dataclass(frozen=True, slots=True)
class BlockHistory:
    """What users did with past blocks of this project. `false_blocks` is the rate among blocks that were answered. Only
    blocks are seen, so this says nothing of misses and never loosens a threshold."""

    blocks: int
    released: int
    cancelled: int
    clarified: int
    unanswered: int
    false_blocks: Estimate | TooLittle


def history_from(records: Iterable[CheckRecord]) -> BlockHistory:
    """What users did with past blocks, counted. `records` are those of `evaluator.state.database`, oldest first. A
    session is one unit."""
    blocks: list[tuple[str, End]] = []
    by_session: dict[str, list[CheckRecord]] = {}
    for record in records:
        by_session.setdefault(str(_block_record_field(record, "pending", "session_id")), []).append(record)
    for session, rows in by_session.items():
        for place, row in enumerate(rows):
            if row.get("verdict") == "failed" and row.get("reason") in BLOCKED:
                blocks.append((session, _end_of_past_block(row, rows[place + 1 :])))
    answered = [(session, end) for session, end in blocks if end != "unanswered"]
    return BlockHistory(
        blocks=len(blocks),
        released=sum(end == "released" for _, end in blocks),
        cancelled=sum(end == "cancelled" for _, end in blocks),
        clarified=sum(end == "clarified" for _, end in blocks),
        unanswered=len(blocks) - len(answered),
        false_blocks=rate_of_units(
            [float(end == "released") for _, end in answered], [session for session, _ in answered]
        ),
    )


def _end_of_past_block(block: CheckRecord, later: Sequence[CheckRecord]) -> End:
    """How a past block ended, by the first later check of the same target that says how it was answered."""
    targets = _block_record_field(block, "effect", "targets")
    request = _block_record_field(block, "exchange", "request")
    for row in later:
        if _block_record_field(row, "effect", "targets") != targets:
            continue
        if row.get("reason") == "released" or row.get("overrides") is True:
            return "released"
        if row.get("reason") == "cancelled":
            return "cancelled"
        if row.get("verdict") in ("passed", "failed") and row.get("reason") != "denied_before":
            return "clarified" if _block_record_field(row, "exchange", "request") != request else "unanswered"
    return "unanswered"


def _block_record_field(record: CheckRecord, part: str, name: str) -> object:
    value = record.get(part)
    return cast(CheckRecord, value).get(name) if isinstance(value, dict) else None

"""What a chapter of a calibration's report is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Drawing = Literal["", "floor", "distributions", "roc", "trade_off", "mistakes"]


@dataclass(frozen=True, slots=True)
class Listing:
    """A table. The first cell of a row is its head; `chosen` is the place of a row that stands out."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    chosen: int | None = None


@dataclass(frozen=True, slots=True)
class Chapter:
    """`lead` are sentences, `missing` what there is instead of figures, `points` a list, `note` comes last."""

    title: str
    drawing: Drawing = ""
    lead: tuple[str, ...] = ()
    missing: str = ""
    points: tuple[str, ...] = ()
    tables: tuple[Listing, ...] = ()
    note: str = ""

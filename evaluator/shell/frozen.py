"""`dataclass` for the small records of which each command makes many. A leaf.

To type checkers it is the standard one. With `frozen=True` a class is frozen to them alone: to refuse an assignment at
run time as well makes a record cost four times as much, and its class twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses

    def dataclass(*, frozen: bool, slots: bool):
        return dataclasses.dataclass(unsafe_hash=frozen, slots=slots)

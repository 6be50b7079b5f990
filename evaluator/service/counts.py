"""What a service counted since it began."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(slots=True)
class Counts:
    """`silent` of the `requests` needed no judge; `refused` and `garbled` were not taken; `broken` got no answer."""

    requests: int = 0
    silent: int = 0
    refused: int = 0
    garbled: int = 0
    broken: int = 0

    def told(self) -> dict[str, int]:
        return asdict(self)

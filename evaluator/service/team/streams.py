"""Long lists as JSON lines, read a page at a time: no answer is ever held whole."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from itertools import islice
from typing import Final

from evaluator.service.team.work import Work

PAGE: Final = 50
"""Each row may hold a megabyte of evidence."""


async def lines(work: Work, rows: Iterator[Mapping[str, object]]) -> AsyncIterator[bytes]:
    """The first page is read before this returns, so that a database out of reach is still a refusal.

    Raises StateError then; where it is lost later the answer breaks off without its end.
    """
    first = await work(lambda: _page(rows))

    async def rest() -> AsyncIterator[bytes]:
        page = first
        while page:
            yield page
            page = await work(lambda: _page(rows))

    return rest()


def _page(rows: Iterator[Mapping[str, object]]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in islice(rows, PAGE))

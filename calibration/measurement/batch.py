"""Readers whose requests are gathered first and answered later: backends that note requests, and that replay answers.

The gate's own sampling builds the requests and reads the answers, so a batch differs from a direct call in nothing
but the way it travels. Knows no API.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final, cast

from evaluator.errors import ReaderError
from evaluator.ports import ReaderReply, ReaderRequest

REQUESTS_MAX: Final = 10_000
BYTES_MAX: Final = 64 * 1024 * 1024
"""Of one batch; the API takes 100,000 requests and 256 MB."""

Answer = ReaderReply | ReaderError


class Noting:
    """A backend that answers nothing and keeps what it was asked, in the order of the readers."""

    def __init__(self, name: str, model: str) -> None:
        self.name = name
        self.model = model
        self.asked: list[ReaderRequest] = []

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        self.asked.append(request)
        raise ReaderError("refused", "noted for a batch")

    async def aclose(self) -> None:
        """Nothing is open."""


class Replaying:
    """A backend that gives the answers that came for these very requests, in the order of the readers."""

    def __init__(self, name: str, model: str, answers: Sequence[Answer]) -> None:
        self.name = name
        self.model = model
        self._answers = iter(answers)

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        answer = next(self._answers, ReaderError("invalid", "no answer in the batch"))
        if isinstance(answer, ReaderError):
            # Asking again here would take the next reader's answer.
            raise ReaderError(answer.kind, answer.detail)
        return answer

    async def aclose(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One batch: `keys` of the checks in it, `n` requests each. `id` is empty while it is not known to have arrived."""

    id: str
    at: float
    n: int
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Batches:
    """The batches of an unfinished measurement. `cold`: the model refuses a temperature."""

    sent: tuple[Sent, ...] = ()
    cold: bool = False


def read_batches(path: str) -> Batches:
    """Raises ValueError, naming the file, for one that says something else."""
    try:
        with open(path, encoding="utf-8") as file:
            found = cast(Mapping[str, object], json.load(file))
        rows = cast(Sequence[Mapping[str, object]], found["sent"])
        sent = [
            Sent(
                str(row["id"]),
                float(cast(float, row["at"])),
                int(cast(int, row["n"])),
                tuple(map(str, cast(Sequence[object], row["keys"]))),
            )
            for row in rows
        ]
    except FileNotFoundError:
        return Batches()
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: {error!r}; delete it to forget its batches") from None
    return Batches(tuple(sent), found.get("cold") is True)


def text_of(batches: Batches) -> str:
    return json.dumps(asdict(batches)) + "\n"


def forget_batches(path: str) -> None:
    if os.path.exists(path):
        os.unlink(path)


def request_id(key: str, reader: int) -> str:
    return f"{key}-{reader}"


def portions(requests: Mapping[str, Sequence[ReaderRequest]]) -> list[dict[str, Sequence[ReaderRequest]]]:
    """The requests of checks, by their keys, in parts that a batch may hold."""
    found: list[dict[str, Sequence[ReaderRequest]]] = []
    count = size = 0
    for key, asked in requests.items():
        own = sum(len(one.system) + len(one.user) + len(str(one.schema)) for one in asked)
        if not found or count + len(asked) > REQUESTS_MAX or size + own > BYTES_MAX:
            found.append({})
            count = size = 0
        found[-1][key] = asked
        count, size = count + len(asked), size + own
    return found

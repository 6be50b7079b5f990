"""What a handler is given and gives back: no HTTP framework stands in its signature."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from evaluator.model import NamedReaders
from evaluator.service.bodies import Bodies
from evaluator.service.team.metrics import TeamMetrics
from evaluator.service.team.spans import Attribute, Spans
from evaluator.service.team.work import Work
from evaluator.team.model import Evaluation, EvaluationRequest, Principal
from evaluator.team.ports import TeamStore

Evaluate = Callable[[Principal, EvaluationRequest], Awaitable[Evaluation]]


@dataclass(frozen=True, slots=True)
class Parts:
    """What the routes stand on. `waiting_max`: so many requests may be inside at once.

    `probes` has a thread and a connection that no request takes: a replica that is full is ready all the same.
    """

    store: TeamStore
    work: Work
    probes: Work
    evaluate: Evaluate
    readers: NamedReaders
    metrics: TeamMetrics
    spans: Spans
    version: str
    waiting_max: int
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    bodies: Bodies = field(default_factory=Bodies)


@dataclass(slots=True)
class Inside:
    """One request on its way. Handlers add what its log line and its span tell: counts and words, never content."""

    request_id: str
    principal: Principal | None = None
    kind: str = ""
    cause: str = ""
    told: dict[str, Attribute] = field(default_factory=dict[str, Attribute])


@dataclass(frozen=True, slots=True)
class Asked:
    """`params` are those of the path, `query` those behind the question mark, known ones alone."""

    who: Principal
    inside: Inside
    params: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """A document as JSON, else a `stream` of whole JSON lines, else `text` as it is."""

    document: object = None
    status: int = 200
    stream: AsyncIterator[bytes] | None = None
    text: bytes | None = None
    content_type: str = ""


Handler = Callable[[Parts, Asked], Awaitable[Answer]]

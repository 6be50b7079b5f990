"""Requests to a team's evaluator, and the parts that evaluate them over a real database."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from apis.backends import MODEL
from running.hookrun import KEY

from compass.composition.gate import SystemClock
from compass.team.evaluation import TeamEvaluations
from compass.team.provider import TeamProvider
from compass.team.replica import TeamMetrics, Work
from compass.team.store import TeamStore
from evaluator.model import Evidence
from evaluator.readers.team.wire import EvaluationRequest, Principal, Scope
from evaluator.record import replace
from evaluator.settings.keys import build
from evaluator.state.store import MemoryStore
from evaluator.text import ulid

if TYPE_CHECKING:
    from compass.team.database import TeamDatabase

T = TypeVar("T")

EVIDENCE = Evidence(
    tool_name="Edit", operation="edit", operation_class="modifying", targets=("src/session.py",),
    current_request="make the session time out after an hour",
)  # fmt: skip
REQUEST = EvaluationRequest(EVIDENCE, "0123456789ab", "0" * 32, 10.0)


def asking(text: str, **changes: Any) -> EvaluationRequest:
    """A request whose evidence is another one's."""
    return replace(REQUEST, evidence=replace(EVIDENCE, current_request=text), **changes)


def store_over(database: TeamDatabase) -> TeamStore:
    return TeamStore(database, lambda now: ulid(now, secrets.token_bytes(10)))


def new_team(store: TeamStore) -> str:
    """One that nobody else has."""
    team = f"t-{secrets.token_hex(6)}"
    assert store.make_team(team)
    return team


def person(
    store: TeamStore, team: str, name: str = "ada", *scopes: Scope, seconds: float = 3600.0
) -> tuple[str, Principal]:
    token, _ = store.make_token(team, name, scopes or ("evaluate",), seconds)
    found = store.principal(token)
    assert found is not None
    return token, found


@contextmanager
def evaluating(store: TeamStore, url: str, runner: asyncio.Runner) -> Iterator[TeamEvaluations]:
    """A replica that asks the real SDK against `url`; its connections belong to the loop of `runner`."""
    stated = {"evaluator.backend": "anthropic", "evaluator.base_url": url, "evaluator.model": MODEL}
    clock, work = SystemClock(), Work(8)
    provider = TeamProvider(build(stated), {"ANTHROPIC_API_KEY": KEY}, MemoryStore(), clock)
    replica = TeamEvaluations(store, provider, clock, work, TeamMetrics({}))
    yield replica
    runner.run(provider.aclose())
    work.close()

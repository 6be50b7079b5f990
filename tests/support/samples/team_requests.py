"""Requests to a team's evaluator, and the parts that evaluate them over a real database."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator, Mapping
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
    tool_name="Edit",
    operation="edit",
    operation_class="modifying",
    targets=("src/session.py",),
    current_request="make the session time out after an hour",
)
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


def provider_at(url: str, settings: Mapping[str, object] | None = None) -> TeamProvider:
    """The real SDK against `url`."""
    stated: dict[str, object] = {
        "evaluator.backend": "anthropic",
        "evaluator.base_url": url,
        "evaluator.model": MODEL,
        **(settings or {}),
    }
    env = {"ANTHROPIC_API_KEY": KEY}
    return TeamProvider(build(stated), env, MemoryStore(), SystemClock())


@contextmanager
def evaluating(
    store: TeamStore, url: str, runner: asyncio.Runner, settings: Mapping[str, object] | None = None
) -> Iterator[TeamEvaluations]:
    """A replica whose connections belong to the loop of `runner`."""
    work = Work(8)
    provider = provider_at(url, settings)
    replica = TeamEvaluations(store, provider, SystemClock(), work, TeamMetrics(dict))
    yield replica
    runner.run(replica.close())
    work.close()

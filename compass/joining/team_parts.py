"""What a team's evaluator stands on, from settings: its database, its store, its readers. The extra `team`."""

from __future__ import annotations

import os
from collections.abc import Mapping

from compass.joining.backends import choose_backend
from compass.joining.clock import SystemClock
from compass.joining.extras import needing
from compass.joining.team_provider import TeamProvider
from evaluator.backends import AUTO, EMBEDDED
from evaluator.configuration.command import set_by
from evaluator.configuration.settings import Settings
from evaluator.errors import ConfigError
from evaluator.record import replace
from evaluator.state.memory import MemoryStore
from evaluator.state.ulid import RANDOM_BYTES, ulid

with needing("team"):
    from evaluator.state.postgres.database import PostgresDatabase
    from evaluator.state.team.store import PostgresTeamStore

TEAM = "team"
"""The backend of laptops: a team's evaluator asks no other one."""


def database_of(settings: Settings, connections: int) -> PostgresDatabase:
    """Not open yet. Raises ConfigError without an address."""
    url = settings.state.url
    if not url:
        raise ConfigError(
            "a team's evaluator keeps its state in PostgreSQL, and state.url names none: "
            f"{set_by('state.url', 'postgresql://USER@HOST/DATABASE')}"
        )
    return PostgresDatabase(url, connections=connections)


def store_of(database: PostgresDatabase) -> PostgresTeamStore:
    return PostgresTeamStore(database, lambda now: ulid(now, os.urandom(RANDOM_BYTES)))


def provider_of(settings: Settings, env: Mapping[str, str]) -> TeamProvider:
    """The readers of the configured backend, for all teams. Raises ConfigError for one that reads for nobody else."""
    name = settings.evaluator.backend
    why = ""
    if name == AUTO:
        name, why = choose_backend(settings, env)
    if name in (EMBEDDED, TEAM):
        raise ConfigError(
            f"{why or f'the backend is `{name}`'}: a team's evaluator asks a hosted model for its gates. Set "
            "ANTHROPIC_API_KEY, or choose a server of yours by "
            f"{set_by('evaluator.backend', 'openai')} and {set_by('evaluator.base_url', 'URL')}"
        )
    chosen = replace(settings, evaluator=replace(settings.evaluator, backend=name))
    return TeamProvider(chosen, env, MemoryStore(), SystemClock())

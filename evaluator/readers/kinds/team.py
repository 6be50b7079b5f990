"""The `team` backend: a team's evaluator, which has the model's key, samples by itself and is asked with a personal
token."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from evaluator.readers.addresses import address_fault
from evaluator.readers.kinds.kind import BackendKind, Variables
from evaluator.readers.kinds.openai import address, goes
from evaluator.settings.places import set_by, state_dir

if TYPE_CHECKING:
    from evaluator.readers.team.login import Login
    from evaluator.readers.team.transport import TeamLine
    from evaluator.settings.keys import Settings

TOKEN: Final = "the token of your team's evaluator"  # noqa: S105 - words


def missing(settings: Settings, env: Variables) -> str | None:
    url = settings.evaluator.base_url
    if not url:
        return f"no address for your team's evaluator ({set_by('evaluator.base_url', 'URL')})"
    refused = address_fault(url, TOKEN)
    if refused:
        return refused
    from evaluator.errors import ConfigError

    try:
        login_at(settings, env)
    except ConfigError as error:
        return str(error)
    return None


def login_at(settings: Settings, env: Variables) -> Login:
    """The login at the configured server. Raises ConfigError where nobody is logged in there."""
    from evaluator.readers.team.login import login_for

    return login_for(folder_of(env), settings.evaluator.base_url or "")


def folder_of(env: Variables) -> str:
    return state_dir(env, env.get("HOME") or os.path.expanduser("~"))


def sampling(settings: Settings) -> tuple[int, float]:
    """How many it asks, and how long each may take, is the server's own; what this machine expects of it."""
    return settings.evaluator.n, settings.deadline_seconds


def remote(settings: Settings, env: Variables) -> TeamLine:
    from evaluator.readers.team.transport import TeamLine

    url = address(settings, env)
    return TeamLine(url, lambda: login_at(settings, env), refused=address_fault(url, TOKEN))


KIND = BackendKind(
    "team",
    "your team's evaluator, with your own token; sends it sanitized evidence",
    missing,
    goes,
    sampling=sampling,
    remote=remote,
    address=address,
)

"""The routes of who reads for a team, of what it sets for itself and pushes to its gates, and of what it spent."""

from __future__ import annotations

import time
from functools import partial

from evaluator.days import day_of
from evaluator.record import plain_of, values_of
from evaluator.service.team.asking import Answer, Asked, Handler, Parts
from evaluator.service.team.reading import day_asked, object_of, repository_of, settings_of
from evaluator.service.team.refusals import MissingError
from evaluator.team.documents import pushed_of
from evaluator.team.model import Policy


async def readers(parts: Parts, _: Asked) -> Answer:
    return Answer(values_of(parts.readers))


async def policy(parts: Parts, asked: Asked) -> Answer:
    """Raises StateError."""
    return Answer(_policy(await parts.work(partial(parts.store.policy, asked.who.team))))


async def set_policy(parts: Parts, asked: Asked) -> Answer:
    """The digest is made here, whatever is sent. Raises PayloadError and StateError."""
    wanted = pushed_of(object_of(asked.body))
    put = partial(parts.store.set_policy, asked.who.team, wanted, asked.who.person)
    return Answer(_policy(await parts.work(put)))


async def thresholds(parts: Parts, asked: Asked) -> Answer:
    """Raises PayloadError, MissingError and StateError."""
    repository = repository_of(asked.params["repository"])
    found = await parts.work(partial(parts.store.thresholds, asked.who.team, repository))
    if found is None:
        raise MissingError("no calibration is shared for that repository")
    return Answer(plain_of(found))


async def set_thresholds(parts: Parts, asked: Asked) -> Answer:
    """Raises PayloadError and StateError."""
    repository, who = repository_of(asked.params["repository"]), asked.who
    put = partial(parts.store.set_thresholds, who.team, repository, object_of(asked.body), who.person)
    return Answer(plain_of(await parts.work(put)))


async def settings(parts: Parts, asked: Asked) -> Answer:
    """Raises StateError."""
    return Answer(values_of(await parts.work(partial(parts.store.settings, asked.who.team))))


async def set_settings(parts: Parts, asked: Asked) -> Answer:
    """Raises PayloadError and StateError."""
    wanted = settings_of(asked.body)
    await parts.work(partial(parts.store.set_settings, asked.who.team, wanted, asked.who.person))
    return Answer(values_of(wanted))


async def spend(parts: Parts, asked: Asked) -> Answer:
    """Raises PayloadError and StateError."""
    day = day_asked(asked.query["day"]) if "day" in asked.query else day_of(time.time())
    found = await parts.work(partial(parts.store.spent, asked.who.team, day))
    rows = [{"person": one.person, "usd": one.usd, "samples": one.samples} for one in found]
    return Answer({"day": day, "spent": rows})


def _policy(found: Policy) -> dict[str, object]:
    backends = None if found.backends is None else list(found.backends)
    return {"settings": dict(found.settings), "backends": backends, "digest": found.digest}


HANDLERS: dict[str, Handler] = {
    "readers": readers,
    "policy": policy,
    "set_policy": set_policy,
    "thresholds": thresholds,
    "set_thresholds": set_thresholds,
    "settings": settings,
    "set_settings": set_settings,
    "spend": spend,
}

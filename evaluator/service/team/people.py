"""The routes of who asks: the token at hand, the team's tokens, and a person's records."""

from __future__ import annotations

import time
from functools import partial

from evaluator.record import plain_of, values_of
from evaluator.service.team.asking import Answer, Asked, Handler, Parts
from evaluator.service.team.reading import person_of, token_request_of
from evaluator.service.team.refusals import MissingError
from evaluator.service.team.streams import lines


async def me(_: Parts, asked: Asked) -> Answer:
    return Answer(values_of(asked.who))


async def tokens(parts: Parts, asked: Asked) -> Answer:
    """Raises StateError."""
    found = await parts.work(partial(parts.store.tokens, asked.who.team))
    return Answer({"tokens": [plain_of(token) for token in found]})


async def make_token(parts: Parts, asked: Asked) -> Answer:
    """Raises PayloadError and StateError."""
    wanted = token_request_of(asked.body)
    make = partial(
        parts.store.make_token, asked.who.team, wanted.person, wanted.scopes, wanted.seconds, asked.who.person
    )
    token, row = await parts.work(make)
    return Answer({"token": token, **plain_of(row)}, status=201)


async def revoke_token(parts: Parts, asked: Asked) -> Answer:
    """Raises MissingError and StateError."""
    token_id = asked.params["token_id"]
    gone = await parts.work(partial(parts.store.revoke_token, asked.who.team, token_id, asked.who.person))
    if not gone:
        raise MissingError("no token of that id holds")
    return Answer({"revoked": token_id})


async def person(parts: Parts, asked: Asked) -> Answer:
    """Raises PayloadError and StateError."""
    name = person_of(asked.params["person"])
    rows = parts.store.evaluations(asked.who.team, 0.0, time.time() + 1.0, name)
    return Answer(stream=await lines(parts.work, rows))


async def erase(parts: Parts, asked: Asked) -> Answer:
    """Raises PayloadError and StateError."""
    name = person_of(asked.params["person"])
    gone = await parts.work(partial(parts.store.erase_person, asked.who.team, name, asked.who.person))
    return Answer({"records": gone})


HANDLERS: dict[str, Handler] = {
    "me": me,
    "tokens": tokens,
    "make_token": make_token,
    "revoke_token": revoke_token,
    "person": person,
    "erase_person": erase,
}

"""The process of `compass serve --team`: how it begins and ends. Stateless; no part of a developer's service.

Importing this module imports the extra `team`, so import it late.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import signal
import socket
import ssl
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from compass import __version__
from compass.composition.gate import SystemClock
from compass.composition.settings import load
from compass.extras import needing
from evaluator.errors import ConfigError, StateError
from evaluator.readers.team.wire import Scope
from evaluator.record import Record
from evaluator.service import http_access, lifecycle, tcp
from evaluator.service.lifecycle import ServiceError
from evaluator.settings.environment import DATABASE, adopt
from evaluator.settings.keys import Settings
from evaluator.settings.places import home_of
from evaluator.text import RANDOM_BYTES, ulid

with needing("team"):
    from compass.team.database import TeamDatabase
    from compass.team.store import TeamStore

from compass.team.admission import TeamGuard
from compass.team.api import make_app
from compass.team.documents import TOKEN_SECONDS
from compass.team.evaluation import TeamEvaluations
from compass.team.provider import provider_of
from compass.team.replica import Replica, TeamMetrics, Work, log_event, set_up_log

DRAIN_SECONDS: Final = 30.0
"""For the requests inside once it is told to end; longer than any gate waits."""
LINGER_SECONDS: Final = 2.0
"""It goes on saying that it closes for so long at least, so that a proxy sees it before the port is gone."""
SWEEP_SECONDS: Final = 60.0
ADMINISTRATOR: Final = "admin"
SCOPES: Final[tuple[Scope, ...]] = ("read", "admin")


class Listening(Record):
    """Where it listens, and with which certificate; `plain_http` allows other addresses than loopback without one.
    `waiting_max`: requests inside at once, more are refused. `connections`: to PostgreSQL."""

    host: str
    port: int
    certificate: str | None
    key: str | None
    plain_http: bool
    waiting_max: int
    connections: int


def init_team(env: Mapping[str, str], name: str, *, as_json: bool) -> int:
    """Migrates, makes the team, prints a first token where no administrator's holds. Returns 0. Raises CompassError."""
    database = database_of(env, 2)
    database.open()
    try:
        store = store_of(database)
        made = store.make_team(name)
        token, now = None, SystemClock().now()
        held = (one for one in store.tokens(name) if one.revoked_at is None and one.expires_at > now)
        if not any("admin" in one.scopes for one in held):
            token, _ = store.make_token(name, ADMINISTRATOR, SCOPES, TOKEN_SECONDS)
    finally:
        database.close()
    if as_json:
        print(json.dumps({"team": name, "made": made, "token": token}))
        return 0
    print(f"The team {name!r} {'was created' if made else 'already exists'}.", file=sys.stderr)
    told = "Its administrator's token, shown only once:"
    if token is None:
        told = "Its tokens are created with `compass team token create`; the first one is not shown again."
    print(told, file=sys.stderr)
    if token is not None:
        print(token)
    return 0


def serve_team(env: Mapping[str, str], at: Listening, *, as_json: bool) -> int:
    """Serves a team's evaluator until SIGTERM or SIGINT; then drains. Exit code 0. Raises CompassError."""
    tls = tls_of(at)
    if tls is None and not http_access.is_loopback(at.host) and not at.plain_http:
        raise ServiceError(
            f"tokens would go to {at.host} over plain HTTP, where others can read them: pass --tls-cert and "
            "--tls-key, or --plain-http if a proxy in front of it terminates TLS"
        )
    # The user's own, of no project.
    loaded = load(env, home_of(env), os.sep)
    adopt(loaded.clean)
    for problem in loaded.problems:
        print(f"compass serve --team: ignored: {problem}", file=sys.stderr)
    settings, clean = loaded.settings, loaded.clean.env
    set_up_log(sys.stderr)
    with tcp.listen(at.host, at.port) as line:

        def begun() -> None:
            address = http_access.address_of(at.host, int(line.getsockname()[1]))
            if tls is not None:
                address = address.replace("http://", "https://", 1)
            told = json.dumps({"address": address}) if as_json else f"compass serve --team: {address}"
            print(told, flush=True)

        lifecycle.raise_file_limit()
        asyncio.run(_serve_team(at, settings, clean, line, tls, begun))
    return 0


async def _serve_team(
    at: Listening,
    settings: Settings,
    env: Mapping[str, str],
    line: socket.socket,
    tls: ssl.SSLContext | None,
    begun: Callable[[], None],
) -> None:
    """`begun` is called once it answers."""
    closing = asyncio.Event()

    def end() -> None:
        log_event(logging.INFO, "closing")
        closing.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, end)
    provider = provider_of(settings, env)
    database = database_of(env, at.connections)
    guard: TeamGuard | None = None
    metrics = TeamMetrics({
        "inside": lambda: guard.inside if guard else 0,
        "waiting_max": lambda: at.waiting_max,
        "closing": lambda: float(closing.is_set()),
    })  # fmt: skip
    # As many threads as connections, so that nobody waits twice.
    work, probes = Work(at.connections - 1), Work(1)
    try:
        await work(database.open)
        store = store_of(database)
        evaluating = TeamEvaluations(store, provider, SystemClock(), work, metrics)
        asked = (evaluating.evaluate, provider.named)
        replica = Replica(store, work, probes, *asked, metrics, __version__, at.waiting_max, closing)
        guard = make_app(replica)
        # What stands by now stands for good. A full collection looks at the rest alone: with all of it, each request of
        # the replica waits for 0.1 to 0.2 s.
        gc.collect()
        gc.freeze()

        async def sweep() -> None:
            """Once a minute deletes what is older than each team keeps it, answers that nobody asks for again, too."""
            while True:
                try:
                    for team in await work(store.teams):
                        if gone := await work(partial(store.sweep, team)):
                            log_event(logging.INFO, "swept", team=team, records=gone)
                except StateError:
                    log_event(logging.WARNING, "not swept")
                await asyncio.sleep(SWEEP_SECONDS)

        sweeping = asyncio.create_task(sweep())
        try:
            async with tcp.serving(guard, line, tls):
                begun()
                await closing.wait()
                loop = asyncio.get_running_loop()
                least, most = loop.time() + LINGER_SECONDS, loop.time() + DRAIN_SECONDS
                while loop.time() < least or (guard.inside and loop.time() < most):  # noqa: ASYNC110 - at its end
                    await asyncio.sleep(0.05)
        finally:
            sweeping.cancel()
    finally:
        await provider.aclose()
        work.close()
        probes.close()
        database.close()


def database_of(env: Mapping[str, str], connections: int) -> TeamDatabase:
    """Not open yet. Raises ConfigError without an address."""
    url = env.get(DATABASE)
    if not url:
        raise ConfigError(
            f"a team's evaluator keeps its state in PostgreSQL: set {DATABASE}=postgresql://USER@HOST/DATABASE"
        )
    return TeamDatabase(url, connections=connections)


def store_of(database: TeamDatabase) -> TeamStore:
    return TeamStore(database, lambda now: ulid(now, os.urandom(RANDOM_BYTES)))


def tls_of(at: Listening) -> ssl.SSLContext | None:
    """What it listens with, None without a certificate. Raises ServiceError."""
    if not (at.certificate and at.key):
        return None

    def no_password() -> str:
        """A key under a password would otherwise be asked for at the terminal. Raises ValueError."""
        raise ValueError("the key is encrypted; give one without a password, in a file with mode 0600")

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(at.certificate, at.key, password=no_password)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ServiceError(f"{at.certificate}, {at.key}: not a valid certificate and key: {why}") from error
    return context

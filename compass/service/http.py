"""The HTTP side of `compass serve --http`: its address and token, and what a request means to the gate."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import AsyncGenerator, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from compass import __version__
from compass.api.gate import checking_given
from compass.arguments import Given, of_case, of_payload
from compass.composition.gate import SystemClock
from compass.composition.process import kept
from compass.composition.settings import load
from compass.service.cache import Judge
from compass.show.check import check_document
from evaluator.errors import PayloadError
from evaluator.gate.run import drive
from evaluator.service import credentials
from evaluator.service.server import HookReply, Request, environment
from evaluator.settings.environment import RESERVED
from evaluator.settings.places import home_of, state_dir
from hooks import registry
from hooks.host import json_object
from hooks.registry import host_of_payload

if TYPE_CHECKING:
    from evaluator.service.http_calls import JudgeCalls
    from evaluator.service.server import Service


class HttpCalls:
    """`env` is the environment of whoever started the service: a request over HTTP brings none of its own."""

    def __init__(self, judge: Judge, env: Mapping[str, str]) -> None:
        self._judge, self._host = judge, registry.default_host()
        # Of a session in which the service may have been started, and of ours.
        without = self._host.FILES.sets | RESERVED
        kept = (os.fsencode(f"{name}={value}") for name, value in env.items() if name not in without)
        self._variables = b"\0".join(kept)

    def calls(self) -> JudgeCalls:
        from evaluator.service.http_calls import JudgeCalls

        say = partial(print, file=sys.stderr, flush=True)
        return JudgeCalls(frozenset(self._host.EVENTS), self._variables, self.late, self.check, say)

    def late(self, request: Request, seconds: float) -> HookReply:
        """The policy's answer, as the hook's own process gives it."""
        try:
            cwd = str(self._host.parse(request.payload).get("cwd") or os.sep)
        except PayloadError:
            cwd = os.sep
        return self._judge.late(request, cwd, seconds)

    def check(self, body: bytes, variables: bytes, gone: Future[None]) -> Mapping[str, object]:
        """As `compass check --json`. Raises PayloadError, ConfigError and StateError, and AbandonedError."""
        env = environment(variables)
        given = given_of(body, env)
        host, pending = registry.host_of(given.host), given.pending
        loaded = load(env, home_of(env), pending.project_dir, pending.cwd, host=host)
        found = checking_given(given, host, pending.project_dir, loaded, keeps=kept())
        return check_document(drive(found, SystemClock(), gone))


def given_of(body: bytes, env: Mapping[str, str]) -> Given:
    """A host's payload of a call, or else a labelled case. Raises PayloadError."""
    found = json_object(body)
    is_call = "tool_input" in found or host_of_payload(found) != registry.DEFAULT
    project = env.get(registry.default_host().PROJECT_VARIABLE, "")
    return of_payload(body, env, project=project) if is_call else of_case(found)


class HttpSide:
    """Bound to its address at once, so that a taken port is told before anything else happens.

    `env` is the environment of its calls: whole, as its starter had it. Raises ListenError and TokenError.
    """

    def __init__(self, host: str, port: int, env: Mapping[str, str]) -> None:
        from evaluator.service import http_access, tcp

        self._env = dict(env)
        folder = state_dir(self._env, home_of(self._env))
        given = self._env.get(credentials.TOKEN_VARIABLE)
        self._token = credentials.token(folder, given)
        self.token_source = credentials.TOKEN_VARIABLE if given else credentials.token_path(folder)
        self._line: socket.socket = tcp.listen(host, port)
        self._host = host
        self._port = int(self._line.getsockname()[1])
        self.address = http_access.address_of(host, self._port)
        self._warning = http_access.exposure(host)

    @asynccontextmanager
    async def beside(self, service: Service, judge: Judge) -> AsyncGenerator[None]:
        """Answers while the block runs."""
        from evaluator.service import http_access, tcp
        from evaluator.service.api import make_app

        rules = http_access.rules(self._token, self._host, self._port)
        app = make_app(service, HttpCalls(judge, self._env).calls(), rules, __version__)
        async with tcp.serving(app, self._line):
            print(f"compass serve: {self.address}, token in {self.token_source}", flush=True)
            if self._warning:
                print(f"compass serve: {self._warning}", file=sys.stderr, flush=True)
            yield

    def close(self) -> None:
        self._line.close()

"""The HTTP side of `compass serve --http`: its address and token, and what a request means to the gate."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import AsyncGenerator, Mapping
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote

from compass import __version__
from compass.api.judge import checking_given
from compass.arguments import Given, of_case, of_payload
from compass.composition.gate import SystemClock
from compass.composition.process import kept
from compass.composition.settings import home_of, load
from compass.service.cache import Judge, environment
from compass.show.check import document
from compass.show.log_line import check_of
from evaluator.errors import PayloadError, StateError
from evaluator.gate.run import drive
from evaluator.service import credentials
from evaluator.service.credentials import DEFAULT_HOST, PROJECT_HEADER
from evaluator.service.server import HookReply, Request
from evaluator.settings.environment import RESERVED
from evaluator.settings.keys import KEYS
from evaluator.settings.places import state_dir
from hooks import registry
from hooks.host import json_object
from hooks.registry import recognised

if TYPE_CHECKING:
    from evaluator.service.http_access import App
    from evaluator.service.http_calls import JudgeCalls
    from evaluator.service.server import Service


BACKENDS = KEYS["evaluator.backend"].choices
ID_CHARS = 26
PAGE_HOSTS = (DEFAULT_HOST, "localhost")
"""Where a link of the page leads to."""


class HttpCalls:
    """`env` is the environment of whoever started the service: a request over HTTP brings none of its own."""

    def __init__(self, judge: Judge, env: Mapping[str, str]) -> None:
        self._judge, self._host = judge, registry.default()
        # Of a session in which the service may have been started, and of ours.
        without = self._host.FILES.sets | RESERVED
        self._env = {name: value for name, value in env.items() if name not in without}
        self._base = b"\0".join(os.fsencode(f"{name}={value}") for name, value in self._env.items())

    def calls(self) -> JudgeCalls:
        from evaluator.service.http_calls import JudgeCalls

        return JudgeCalls(
            frozenset(self._host.EVENTS), self.variables, self.late, self.check, self.explain, _say
        )

    def variables(self, headers: Mapping[str, str]) -> bytes:
        """The starter's environment, with the project that a header names."""
        given = headers.get(PROJECT_HEADER)
        folder = os.fsencode(unquote(given, errors="surrogateescape")) if given else b""
        if not folder.startswith(b"/") or b"\0" in folder:
            return self._base
        return self._base + os.fsencode(f"\0{self._host.PROJECT_VARIABLE}=") + folder

    def late(self, request: Request, seconds: float) -> HookReply:
        """The policy's answer, as the hook's own process gives it."""
        try:
            cwd = str(self._host.parse(request.payload).get("cwd") or os.sep)
        except PayloadError:
            cwd = os.sep
        return self._judge.late(request, cwd, seconds)

    def check(
        self, body: bytes, variables: bytes, backend: str | None, record: bool, gone: Future[None]
    ) -> Mapping[str, object]:
        """As `compass check --json`. Raises PayloadError, ConfigError and StateError, and AbandonedError."""
        if backend is not None and backend not in BACKENDS:
            raise PayloadError(f"no such backend; one of {', '.join(BACKENDS)}")
        env = environment(variables)
        given = given_of(body, env)
        host, pending = registry.host_of(given.host), given.pending
        loaded = load(env, home_of(env), pending.project_dir, pending.cwd, host=host)
        found = checking_given(
            given, host, pending.project_dir, loaded, backend=backend, record=record, keeps=kept()
        )
        return document(drive(found, SystemClock(), gone))

    def explain(self, check_id: str) -> Mapping[str, object] | None:
        """Explains over HTTP, as `compass explain --json`. Raises StateError where the state cannot be opened."""
        opened = self._judge.warm.store(state_dir(self._env, home_of(self._env)))
        if opened.fault:
            raise StateError(opened.fault)
        found = opened.store.check(check_id.upper()[:ID_CHARS])
        if found is None:
            return None
        return document(check_of(found)) | {"evidence": found.get("evidence"), "at": found.get("at")}


def given_of(body: bytes, env: Mapping[str, str]) -> Given:
    """A host's payload of a call, or else a labelled case. Raises PayloadError."""
    found = json_object(body)
    is_call = "tool_input" in found or recognised(found) != registry.DEFAULT
    project = env.get(registry.default().PROJECT_VARIABLE, "")
    return of_payload(body, env, project=project) if is_call else of_case(found)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Page(Protocol):
    """The page of a service, see `compass.page.listener`."""

    def beside(self) -> AbstractAsyncContextManager[None]: ...

    def over(self, api: App, port: int) -> App: ...

    async def opened(self, body: bytes) -> bytes: ...


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
    async def beside(self, service: Service, judge: Judge, page: Page | None = None) -> AsyncGenerator[None]:
        """Answers while the block runs. The page is there, too, where this machine alone can ask for it."""
        from evaluator.service import http_access, tcp
        from evaluator.service.api import make_app

        rules = http_access.rules(self._token, self._host, self._port)
        api: App = make_app(service, HttpCalls(judge, self._env).calls(), rules, __version__)
        app = page.over(api, self._port) if page is not None and self._host in PAGE_HOSTS else api
        async with tcp.serving(app, self._line):
            print(f"compass serve: {self.address}, token in {self.token_source}", flush=True)
            if self._warning:
                print(f"compass serve: {self._warning}", file=sys.stderr, flush=True)
            yield

    def close(self) -> None:
        self._line.close()

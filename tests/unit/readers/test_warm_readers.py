"""Which calls share readers in the service, and which must not."""

from __future__ import annotations

import time

import pytest
from running.hookrun import KEY

from compass.composition.gate import SystemClock
from compass.composition.readers import make_readers
from evaluator.gate.run import Rule
from evaluator.model import Thresholds
from evaluator.ports import ReaderReply, ReaderRequest
from evaluator.readers import warm_readers
from evaluator.readers.warm_readers import ReaderLoop
from evaluator.settings.keys import Settings, build
from evaluator.state.store import MemoryStore

ENV = {"PATH": "/usr/bin", "HOME": "/home/a", "ANTHROPIC_API_KEY": KEY}


class Noting(ReaderLoop):
    def __init__(self) -> None:
        super().__init__()
        self.keys: list[object] = []

    def backend(self, key, make):
        self.keys.append(key)
        return super().backend(key, make)


def same(name: str, *calls: tuple[dict[str, str], Settings]) -> bool:
    loop, store = Noting(), MemoryStore()
    rule = Rule(Thresholds(0.65, 0.2), Thresholds(0.65, 0.2))
    for env, settings in calls:
        make_readers(name, settings, env, store, SystemClock(), lambda: rule, loop)
    return len(set(loop.keys)) == 1


@pytest.mark.parametrize("variable", ["CLAUDE_CONFIG_DIR", "HOME", "PATH", "CLAUDE_CODE_OAUTH_TOKEN"])
def test_the_nested_client_of_another_account_or_path_is_another(variable: str) -> None:
    other = ENV | {variable: "/home/b"}
    assert not same("claude-cli", (ENV, Settings()), (other, Settings()))


def test_the_sessions_of_one_account_share_it() -> None:
    sessions = [ENV | {"CLAUDE_CODE_SESSION_ID": name, "CLAUDE_PROJECT_DIR": f"/p/{name}"} for name in "ab"]
    assert same("claude-cli", *((env, Settings()) for env in sessions))


def test_readers_over_http_are_told_apart_by_their_key_alone() -> None:
    other = ENV | {"ANTHROPIC_API_KEY": "sk-ant-test-another-key-0123456789"}
    assert same("anthropic", (ENV, Settings()), (ENV | {"PATH": "/bin"}, Settings()))
    assert not same("anthropic", (ENV, Settings()), (other, Settings()))


def test_readers_of_whom_others_are_blind_are_others() -> None:
    assert not same("anthropic", (ENV, Settings()), (ENV, build({"convergence.rule": "score+agreement"})))


class Closing:
    name, model = "anthropic", "m"

    def __init__(self, closed: dict[int, float], number: int) -> None:
        self.closed, self.number = closed, number

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        return ReaderReply("")

    async def aclose(self) -> None:
        self.closed[self.number] = time.monotonic()


def test_a_backend_that_makes_room_is_closed_once_nobody_can_be_asking_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(warm_readers, "RETIRED_SECONDS", 0.3)
    loop, closed = ReaderLoop(), dict[int, float]()
    begun = time.monotonic()
    for number in range(warm_readers.BACKENDS_MAX + 1):
        loop.backend(number, lambda number=number: Closing(closed, number))
    assert not closed
    end = begun + 10
    while not closed and time.monotonic() < end:
        time.sleep(0.02)
    assert list(closed) == [0]
    assert closed[0] - begun >= 0.3
    loop.close()
    assert len(closed) == warm_readers.BACKENDS_MAX + 1

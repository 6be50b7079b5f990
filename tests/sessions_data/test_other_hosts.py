"""The shipped sessions on every host but Claude Code, through its own payloads and session files: the same verdicts.

A session is played wherever its facts can be told there; `played.hosts.left_out` says why not elsewhere. The ordinary
run plays each on two hosts, so that all hosts have their share; `make full` plays the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import pytest
from played.hosts.left_out import WHY, lacking
from played.hosts.play import play_on
from played.hosts.player import HostSession
from played.script import Script, load, paths
from running.serving import Serving

from hooks.registry import DEFAULT, HOSTS, host_of

PLAYERS = Path(import_module("played.hosts.player").__file__ or "").parent
NAMES = tuple(name for name in HOSTS if name != DEFAULT)
AT_LEAST: Mapping[str, int] = {
    "chibi": 48,
    "codex": 84,
    "copilot": 86,
    "cursor": 82,
    "gemini": 87,
    "opencode": 92,
}
"""{host: so many sessions run on it}: coverage must not shrink unseen."""
ORDINARY_HOSTS = 2
"""On so many hosts the ordinary run plays each session."""
SCRIPTS = [load(path) for path in paths()]


def player_of(name: str) -> type[HostSession] | None:
    if not (PLAYERS / f"{name}.py").exists():
        return None
    module = import_module(f"played.hosts.{name}")
    return next(one for one in vars(module).values() if getattr(one, "NAME", None) == name)


def lacks(name: str, script: Script) -> tuple[str, ...]:
    """Nothing is asked of a host without a player: its own test fails."""
    kind = player_of(name)
    return tuple(WHY) if kind is None else lacking(script, host_of(name).setup().PROMISES, kind.HAS)


RUNNING = {script.name: [name for name in NAMES if not lacks(name, script)] for script in SCRIPTS}


def ordinary(number: int, running: list[str]) -> frozenset[str]:
    """The hosts of the ordinary run, other ones for each session in turn."""
    return frozenset(running[(number + step) % len(running)] for step in range(ORDINARY_HOSTS) if running)


def _cases() -> Iterator[object]:
    for number, script in enumerate(SCRIPTS):
        running = RUNNING[script.name]
        share = ordinary(number, running)
        for name in running:
            marks = () if name in share else (pytest.mark.full,)
            yield pytest.param(name, script, id=f"{script.name}-{name}", marks=marks)


@pytest.mark.spread(16)
@pytest.mark.parametrize(("name", "script"), list(_cases()))
def test_each_call_of_a_session_meets_what_the_spec_says_of_it(
    name: str, script: Script, tmp_path: Path, served: Serving
) -> None:
    kind = player_of(name)
    assert kind is not None
    played = play_on(kind, script, tmp_path, served)
    assert not played.faults, "\n".join(played.faults)
    assert len(played.outcomes) == script.calls


@pytest.mark.parametrize("name", NAMES)
def test_a_session_goes_through_the_command_that_is_wired(name: str, tmp_path: Path, served: Serving) -> None:
    """Each call is a process, which the socket stands for in all others."""
    kind = player_of(name)
    assert kind is not None, f"tests/support/played/hosts/{name}.py is missing: the player of {name}"
    script = next(one for one in SCRIPTS if one.name == "refusal-then-write")
    played = play_on(kind, script, tmp_path, served, processes=True)
    assert not played.faults, "\n".join(played.faults)


@pytest.mark.parametrize("name", NAMES)
def test_so_many_sessions_run_on_a_host(name: str) -> None:
    left = {script.name: found for script in SCRIPTS if (found := lacks(name, script))}
    assert len(SCRIPTS) - len(left) >= AT_LEAST[name], left

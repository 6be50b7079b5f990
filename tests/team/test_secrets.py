"""Nothing that is secret stands in the clear where it is kept, logged or measured."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from running.hookrun import KEY
from team.running.gates import Gate, case, evidence
from team.running.team import Team, team

KEPT, NOT_KEPT = "zebrafinch-is-kept", "quetzal-is-not-kept"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    """A team that was asked with and without keeping evidence, by right, wrong, revoked and foreign tokens."""
    with team(tmp_path_factory.mktemp("secrets"), delay=0.05, people=2) as here:
        here.set(store_evidence=True)
        ask(here, here.tokens[0], KEPT)
        here.set(store_evidence=False)
        ask(here, here.tokens[1], NOT_KEPT)
        ask(here, here.tokens[0], NOT_KEPT, drop=True)
        for each in here.replicas:
            for token in (here.reader, here.admin, here.tokens[0], "cmp_tools_AAAA_not-one", "nonsense"):
                each.ask(token, "GET", "/metrics")
                each.ask(token, "GET", "/v1/evaluations?since=0")
        yield here


def ask(here: Team, token: str, word: str, *, drop: bool = False) -> None:
    name = case(1, run=word.partition("-")[0], drop=drop)
    asked = evidence(name, current_request=f"Please change it: {word}", command=f"sed -i s/a/{word}/ file")

    async def play() -> int:
        gate = Gate(here.port, token)
        try:
            return (await gate.evaluate(name, evidence=asked)).status
        finally:
            await gate.close()

    assert asyncio.run(play()) == 200


def secrets(here: Team) -> list[bytes]:
    """Each token whole and its secret part, the model's key, the database's password."""
    tokens = [here.admin, here.reader, *here.tokens]
    parts = [token.split("_", 3)[3] for token in tokens]
    assert all(len(part) > 30 for part in parts)
    return [one.encode() for one in (*tokens, *parts, KEY, here.cluster.password)]


def dump(here: Team) -> bytes:
    words = [str(here.cluster.programs / "pg_dump"), "--inserts", here.cluster.administrator_url]
    return subprocess.run(words, check=True, capture_output=True, timeout=60).stdout


@pytest.mark.smoke
def test_the_database_holds_no_secret_and_no_evidence_that_is_not_to_be_kept(asked: Team) -> None:
    found = dump(asked)
    assert KEPT.encode() in found, "the dump holds what is kept"
    assert NOT_KEPT.encode() not in found
    assert [one for one in secrets(asked) if one in found] == []


@pytest.mark.smoke
def test_no_log_holds_a_secret_or_a_word_of_the_exchange(asked: Team) -> None:
    logs = {
        path: path.read_bytes()
        for path in (
            *asked.folder.rglob("*.log"),
            *(each for each in (asked.folder / "home").rglob("*") if each.is_file()),
            Path(asked.cluster.folder) / "log",
        )
    }
    assert sum(len(text) for path, text in logs.items() if path.name.startswith("replica")) > 1000
    hidden = [*secrets(asked), KEPT.encode(), NOT_KEPT.encode(), b"src/case-"]
    assert [(path.name, one) for path, text in logs.items() for one in hidden if one in text] == []


@pytest.mark.smoke
def test_no_list_of_processes_shows_a_secret(asked: Team) -> None:
    pids = [each.process.pid for each in asked.replicas]
    shown = b"".join(Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids)
    assert b"--team" in shown
    assert [one for one in secrets(asked) if one in shown] == []

"""`compass replay` and `compass audit` on engines: a session to a worker, and the same document as of one process."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from running.hookrun import Place
from running.tree import Ran, ran
from samples.many import sessions

from compass.replay.sharded import Seen

COUNT = 40
TURNS = 16
"""Enough text that processes are worth starting."""


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, Path, bytes]:
    root = tmp_path_factory.mktemp("replayed")
    place = Place(root)
    folder = sessions(root / "kept", str(place.project), COUNT, TURNS)
    done = place.command("replay", str(folder), "--json", "--jobs", "1", timeout=110)
    assert done.returncode == 0 and done.stderr == b""
    return place, folder, done.stdout


def test_one_process_writes_whole_json_and_passes_over_what_a_resumed_session_repeats(
    replayed: tuple[Place, Path, bytes],
) -> None:
    _, _, told = replayed
    found = json.loads(told)
    assert told.decode() == json.dumps(found, indent=2) + "\n"
    assert found["sessions"] == COUNT and found["calls"] == found["writes"] == len(found["cases"])
    # Of the tenth sessions, each repeats the lines of the one before.
    assert found["calls"] == COUNT * TURNS * 2
    assert len({one["current"]["reason"] for one in found["cases"]}) > 2


@pytest.mark.full
@pytest.mark.timeout(200)
@pytest.mark.parametrize(
    ("words", "killing"),
    [((), False), ((), True), (("--engine", "ray"), False), (("--engine", "ray"), True)],
    ids=["processes", "processes, killed", "ray", "ray, killed"],
)
def test_any_engine_replays_to_the_same_document_as_one_process(
    replayed: tuple[Place, Path, bytes], words: tuple[str, ...], killing: bool
) -> None:
    place, folder, one = replayed
    looks = iter(range(1000))

    def some_way() -> bool:
        return killing and next(looks) == 25

    done: Ran = ran(place, "replay", folder, "--json", "--jobs", 2, *words, kills=some_way)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.peaks) >= 2 and (done.killed is not None) == killing
    assert done.stdout == one


def without_ids(told: bytes) -> object:
    """A check's id is drawn anew each time, and the time goes on."""
    found = json.loads(told)
    return found | {"date": "", "ask": [one | {"id": ""} for one in found["ask"]]}


@pytest.mark.full
@pytest.mark.timeout(200)
def test_an_audit_of_sessions_asks_the_same_on_any_engine(replayed: tuple[Place, Path, bytes]) -> None:
    place, folder, _ = replayed
    found = []
    for words in (("--jobs", "1"), ("--jobs", "2")):
        done = ran(place, "audit", folder, "--json", "--fresh", "--seed", 7, *words)
        assert (done.returncode, done.stderr) == (0, b"")
        found.append(without_ids(done.stdout))
    assert found[0] == found[1]
    assert isinstance(found[0], dict) and found[0]["judged_writes"] > COUNT


def test_what_was_met_is_told_from_what_was_not() -> None:
    drawn, seen, met = random.Random(5), Seen(), set[int]()
    for _ in range(200):
        some = [drawn.getrandbits(64) for _ in range(drawn.randrange(20))] + drawn.choices([*met, 0], k=2)
        assert [one in seen for one in some] == [one in met for one in some]
        seen.update(some)
        met.update(some)
    assert all(one in seen for one in met) and drawn.getrandbits(64) not in seen
    assert len(seen._runs) < 14

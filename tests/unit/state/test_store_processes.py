"""One state for many processes and threads, some of them killed."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest
from running.processes import outputs, start

from evaluator.ports import TurnKey
from evaluator.state.store import OpenedStore, open_store

NOW = 1_735_732_800.0
TURN = TurnKey("s", "", 1)


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    return tmp_path / "onlooker" / "compass"


def opened(state_dir: Path) -> OpenedStore:
    return open_store(str(state_dir), now=NOW)


PATIENT = """
from evaluator.state import database
database.BUSY_SECONDS = database.LOCK_SECONDS = 60.0
"""
"""What is asked here is that nothing gets lost, however busy the machine is; impatience is `test_store_faults`'s."""
TAKE = """
from evaluator.ports import TurnKey
from evaluator.state.store import open_store
opened = open_store(sys.argv[1], now=time.time())
turn = TurnKey("s", "", 1)
taken = [opened.store.take_check(turn, 3) for _ in range(20)]
print(sum(taken), opened.fault, list(opened.store.faults))
"""
COUNT = """
from evaluator.state.store import open_store
opened = open_store(sys.argv[1], now=time.time())
print([opened.store.next_sequence("s") for _ in range(20)], opened.fault or "", *opened.store.faults)
"""


def test_many_processes_create_the_state_at_once_and_share_one_budget(state_dir: Path) -> None:
    printed = outputs([start(PATIENT + TAKE, str(state_dir), head_start=1.0) for _ in range(16)])
    assert all(line.endswith(" None []\n") for line in printed), printed
    assert sum(int(line.split()[0]) for line in printed) == 3


@pytest.mark.full
def test_many_processes_that_find_a_corrupt_database_agree_on_one_fresh_one(state_dir: Path) -> None:
    state_dir.mkdir(parents=True)
    (state_dir / "compass.db").write_bytes(b"not a database " * 999)
    printed = outputs([start(PATIENT + TAKE, str(state_dir), head_start=1.0) for _ in range(16)])
    assert sum(int(line.split()[0]) for line in printed) == 3, printed
    assert sum("was corrupt" in line.split("[")[0] for line in printed) == 1
    assert len(list(state_dir.glob("compass.db.corrupt-*Z"))) == 1


def test_many_processes_never_get_the_same_sequence_number(state_dir: Path) -> None:
    printed = outputs([start(PATIENT + COUNT, str(state_dir), head_start=1.0) for _ in range(16)])
    numbers = [number for line in printed for number in json.loads(line)]
    assert sorted(numbers) == list(range(16 * 20))


def test_threads_of_one_process_share_a_store(state_dir: Path) -> None:
    store = opened(state_dir).store
    taken: list[bool] = []

    def take() -> None:
        taken.extend(store.take_check(TURN, 3) for _ in range(20))

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(taken) == 3
    assert list(store.faults) == []


WRITE = """
from evaluator.state.store import open_store
store = open_store(sys.argv[1], now=time.time()).store
while True:
    number = store.next_sequence("s")
    store.add_prompt("s", str(number), "x" * 3000, 1.0, opens_turn=True)
    print(number, flush=True)
"""


def test_a_writer_killed_at_any_moment_leaves_a_database_that_opens(state_dir: Path) -> None:
    reached = -1
    for number in range(12):
        writer = start(WRITE, str(state_dir))
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(0.003 * number)
        writer.kill()
        last = writer.communicate()[0].split()
        reached = max(reached, *(int(seen) for seen in last), 0)
        again = opened(state_dir)
        assert again.fault is None
        texts = {prompt.text for prompt in again.store.prompts("s")}
        assert texts == {"x" * 3000}
        assert again.store.next_sequence("s") > reached
        assert list(again.store.faults) == []
        again.store.close()

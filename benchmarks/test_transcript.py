"""Reading the exchange: the size of the file does not matter, and how far the request lies back matters once a turn."""

import json
import tracemalloc
from types import SimpleNamespace

import pytest

from evaluator.model import Exchange, PendingWrite
from hooks.hosts.claude_code.host import HOST
from hooks.hosts.claude_code.transcript_source import TranscriptReader

transcript = HOST.sessions().transcript

EXCHANGE = Exchange(("Let's do 3, both",), "I looked at it.\n\n1. Backoff\n2. Timeout\n3. Both\n\nWhich one?")
NOISE = json.dumps({"type": "api-request-blob", "message": {"role": "user", "content": "x" * 4000}}) + "\n"
SIZES = {"100kB": 100_000, "1MB": 1_000_000, "10MB": 10_000_000, "1GB": 1_000_000_000}
WORK_BYTES = 100_000_000


@pytest.fixture(scope="module")
def sessions(tmp_path_factory):
    """Sessions of very different length whose request is near the end; the longest is mostly a hole."""
    folder = tmp_path_factory.mktemp("transcripts")
    end = (NOISE * 20 + transcript(EXCHANGE, "session", "prompt")).encode()
    for name, size in SIZES.items():
        with (folder / name).open("wb") as file:
            file.write(NOISE.encode())
            file.seek(max(0, size - len(end)) if size > 20_000_000 else 0)
            file.write(NOISE.encode() * ((size - len(end)) // len(NOISE)) if size <= 20_000_000 else b"\n")
            file.write(end)
    return folder


@pytest.fixture(scope="module")
def long_turn(tmp_path_factory):
    """One turn of 100 MB of tool results after its request."""
    path = tmp_path_factory.mktemp("long") / "t.jsonl"
    with path.open("w") as file:
        file.write(transcript(EXCHANGE, "session", "prompt"))
        parent = json.loads(path.read_text().splitlines()[-1])["uuid"] if file.flush() is None else ""
        for number in range(WORK_BYTES // 50_000):
            content = [{"type": "tool_result", "tool_use_id": f"t{number}", "content": "x" * 50_000}]
            message = {"role": "user", "content": content}
            line = {"type": "user", "uuid": f"r{number}", "parentUuid": parent, "message": message}
            file.write(json.dumps(line) + "\n")
            parent = f"r{number}"
    return path


def pending_of(path):
    return PendingWrite("claude-code", "s", "Edit", {}, "/p", "/p", str(path), "prompt")


@pytest.mark.parametrize("name", [name for name in SIZES if name != "1MB"])
def test_request_near_the_end(beside, sessions, name):
    """The reference is the file of 1 MB."""
    reader = TranscriptReader()
    found = beside(
        lambda: reader.exchange(pending_of(sessions / name), ()),
        lambda: reader.exchange(pending_of(sessions / "1MB"), ()),
        rounds=30,
    )
    assert found.request == EXCHANGE.request


def test_request_100_mb_above_the_end_at_first(paced, long_turn):
    found = paced(TranscriptReader().exchange, pending_of(long_turn), ())
    assert found.request == EXCHANGE.request


def test_request_100_mb_above_the_end_once_known(beside, sessions, long_turn):
    """The reference is reading the file of 1 MB."""
    held = {}
    memory = SimpleNamespace(
        recall_exchange=lambda *who: held.get(who),
        remember_exchange=lambda *who: held.update({who[:2]: who[2]}),
    )
    reader = TranscriptReader(memory=memory)
    reader.exchange(pending_of(long_turn), ())
    assert held
    found = beside(
        lambda: reader.exchange(pending_of(long_turn), ()),
        lambda: TranscriptReader().exchange(pending_of(sessions / "1MB"), ()),
        rounds=30,
    )
    assert found.request == EXCHANGE.request


def test_memory_does_not_grow_with_the_file(sessions):
    def peak(name):
        tracemalloc.start()
        TranscriptReader().exchange(pending_of(sessions / name), ())
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak("1MB")
    assert peak("1GB") < 1.5 * peak("1MB") + 100_000

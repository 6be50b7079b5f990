"""Whatever stands in the file: an answer in bounded time and memory, never an exception (SPEC 16)."""

import json
import os
import time
import tracemalloc
from pathlib import Path

import pytest
from corpora import corpus
from repository import ROOT
from samples.sessions import Session, pending_write, read

from evaluator.model import Exchange, KeptPrompt, PendingWrite
from hooks.hosts.claude_code.exchange_memory import changes_exchange
from hooks.hosts.claude_code.transcript_source import TranscriptReader
from hooks.json_lines import LINE_BYTES_MAX, Tail

EXPECTED = Exchange(("second",), "answered first")
PEAK_BYTES_MAX = 4 * LINE_BYTES_MAX
"""The longest line that is kept, its blocks and copies; far below the 50 MB of the line passed over."""


def two_turns(older: int = 0, words: int = 0) -> Session:
    """Two turns behind so many older ones, of so many words each."""
    session = Session()
    for number in range(older):
        session.turn(f"request {number}", f"o{number}", "text " * words)
    session.turn("first", "p1", "answered first")
    session.prompt("second", "p2")
    return session


def exchange(path: Path | str) -> Exchange:
    return TranscriptReader().exchange(pending_write(path, "p2"), ())


def measured(path: Path) -> tuple[Exchange, int]:
    """The exchange, and the most memory that it took."""
    tracemalloc.start()
    try:
        return exchange(path), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@corpus(
    "content",
    [
        b"\x00" * 5000,
        b"[" * 100_000,
        b'{"uuid":7,"parentUuid":{}}\n[]\nnull\n"x"\n',
        b'{"uuid":"a","parentUuid":"a","type":"user","message":{"content":{"a":1}}}',
        b'{"uuid":"' + b"u" * 100_000 + b'","parentUuid":null}',
    ],
)
def test_garbage_is_an_empty_exchange(tmp_path, content):
    path = tmp_path / "t.jsonl"
    path.write_bytes(content)
    assert exchange(path) == Exchange()


def test_a_garbled_line_of_the_chain_is_stepped_over_and_padding_is_no_part_of_one(tmp_path):
    session = two_turns()
    session.lines[2] = session.lines[2][:40]
    session.lines[-1] = b"\x00" * 64 + session.lines[-1] + b"\x00" * 64
    assert read(session, tmp_path, "p2") == EXPECTED


def test_lone_surrogates_do_not_survive(tmp_path):
    session, said = Session(), b'"message":{"content":"a \\ud800 b \\ud83d\\ude00"}'
    session.raw(b'{"parentUuid":null,"uuid":"u","promptId":"p2","type":"user",' + said + b"}")
    assert read(session, tmp_path, "p2").request == ("a \ufffd b \U0001f600",)


def test_a_line_of_50_mb_is_passed_over_in_bounded_memory(tmp_path):
    session = two_turns()
    session.calls("Read", {}, "t1")
    path = session.write(tmp_path / "t.jsonl")
    with path.open("ab") as file:
        file.write(b'{"parentUuid":"x","type":"user","message":{"content":[{"type":"tool_result","content":"')
        for _ in range(50):
            file.write(b"x" * 1_000_000)
        file.write(b'"}]},"uuid":"long"}\n')
    session.lines.clear()
    session.tip = "long"
    session.says("after the long result")
    with path.open("ab") as file:
        file.write(session.lines[0] + b"\n")
    found, peak = measured(path)
    assert found == EXPECTED and peak < PEAK_BYTES_MAX


def test_a_sparse_file_of_a_gigabyte_is_given_up_in_bounded_time_and_its_end_read_without_the_rest(tmp_path):
    path = tmp_path / "t.jsonl"
    with path.open("wb") as file:
        file.truncate(1024**3)
    started = time.monotonic()
    assert exchange(path) == Exchange()
    assert time.monotonic() - started < 20
    with path.open("ab") as file:
        file.write(b"\n" + b"".join(line + b"\n" for line in two_turns().lines))
    found, peak = measured(path)
    assert found == EXPECTED and peak < 2 * 1024 * 1024


def test_the_cost_does_not_grow_with_what_lies_before_the_prior_turn(tmp_path):
    for older in (10, 3000):
        tail = Tail(str(two_turns(older, 100).write(tmp_path / "t.jsonl")), block_bytes=4096)
        assert TranscriptReader(lambda _, tail=tail: tail).exchange(pending_write("t", "p2"), ()) == EXPECTED
        assert tail.bytes_read == 4096


def test_many_lost_parents_do_not_each_cost_a_search_of_the_whole_file(tmp_path):
    session = two_turns(60, 10_000)
    for i in range(100):
        session.line("system", parent=f"{i:08d}-ffff-4000-8000-000000000000")
    assert session.write(tmp_path / "t.jsonl").stat().st_size > 3_000_000
    assert exchange(tmp_path / "t.jsonl") == EXPECTED


# Lines come newest first, whatever the file and the block size, in bounded time and memory.


def raws(path: Path | str, **bounds: int) -> list[bytes]:
    return [line.raw for line in Tail(str(path), **bounds).lines()]


@pytest.mark.parametrize("block", [1, 4, 100])
def test_an_offset_is_where_the_line_starts_and_a_pass_can_begin_there(tmp_path, block):
    content = b"one\ntwo\n\nthree\n"
    path = tmp_path / "f"
    path.write_bytes(content)
    lines = list(Tail(str(path), block_bytes=block).lines())
    assert [content[line.offset :].split(b"\n")[0] for line in lines] == [b"three", b"two", b"one"]
    older = Tail(str(path), block_bytes=block).lines(before=lines[0].offset)
    assert [line.raw for line in older] == [b"two", b"one"]


@pytest.mark.parametrize("block", [1, 5, 64])
def test_a_line_that_is_too_long_is_passed_over(tmp_path, block):
    path = tmp_path / "f"
    path.write_bytes(b"old\n" + b"x" * 21 + b"\n" + b"y" * 20 + b"\nnew\n")
    assert raws(path, block_bytes=block, line_bytes_max=20) == [b"new", b"y" * 20, b"old"]


def test_no_more_bytes_are_read_than_the_bound_over_all_passes_and_a_file_that_shrinks_ends_one(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"".join(b"%03d\n" % i for i in range(100)))
    tail = Tail(str(path), block_bytes=40, scan_bytes_max=80)
    assert [line.raw for line in tail.lines()] == [b"%03d" % i for i in range(99, 80, -1)]
    assert list(tail.lines()) == []
    path.write_bytes(b"line\n" * 100)
    lines = Tail(str(path), block_bytes=50).lines()
    assert next(lines).raw == b"line"
    path.write_bytes(b"")
    assert len(list(lines)) < 20


def test_what_cannot_be_read_has_no_lines_and_a_pipe_is_not_waited_for(tmp_path):
    (tmp_path / "file").write_text("x")
    os.mkfifo(tmp_path / "pipe")
    missing, through_a_file = tmp_path / "none", tmp_path / "file" / "below"
    for path in (missing, tmp_path, through_a_file, tmp_path / "pipe", "/dev/zero", "a\0b", ""):
        assert raws(path) == [], path


# What is remembered of a transcript is what a fresh read would find, at every point of every recorded session.

RECORDINGS = ROOT.glob("fixtures/claude-code/transcripts/*/at-hook/*.jsonl")
OWN = {
    path.parts[-3]: path
    for path in sorted(RECORDINGS, key=lambda path: path.stat().st_size)
    if not path.name.endswith(".agent.jsonl")
}
LONGEST = sorted(OWN.items())


class Counting(TranscriptReader):
    """A reader with a memory, which is its own."""

    def __init__(self, dear_bytes: int = 0):
        super().__init__(memory=self, dear_bytes=dear_bytes)
        self.held, self.reads = dict[tuple[str, str], str](), 0

    def recall_exchange(self, *who: str) -> str | None:
        return self.held.get(who)

    def remember_exchange(self, session: str, agent: str, text: str):
        self.held[session, agent] = text

    def read(self, pending, kept):
        self.reads += 1
        return super().read(pending, kept)


def pending_of(path, prompt_id=None):
    return PendingWrite("claude-code", "s", "Write", {}, "/p", "/p", str(path), prompt_id)


@corpus(("name", "source"), LONGEST, ids=sorted(OWN))
def test_a_growing_session_is_remembered_as_it_would_be_read(name, source, tmp_path):
    """One reader with a memory goes along as the file grows line by line; a fresh one reads each state whole."""
    lines = source.read_bytes().splitlines(keepends=True)
    ids = dict.fromkeys(json.loads(line).get("promptId") for line in lines)
    for prompt_id in ids:
        memory = Counting()
        path = tmp_path / f"{prompt_id}.jsonl"
        for number in range(1, len(lines) + 1):
            path.write_bytes(b"".join(lines[:number]))
            pending = pending_of(path, prompt_id)
            assert memory.exchange(pending, ()) == TranscriptReader().exchange(pending, ()), number
        assert memory.reads < len(lines) or len(lines) < 4


def spoken(text="Fix it"):
    line = {"type": "user", "uuid": "u", "parentUuid": None, "promptId": "p"}
    return json.dumps(line | {"message": {"role": "user", "content": text}}) + "\n"


def result(number, size):
    block = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "x" * size}
    message = {"role": "user", "content": [block]}
    parent = f"r{number - 1}" if number else "u"
    return json.dumps({"type": "user", "uuid": f"r{number}", "parentUuid": parent, "message": message}) + "\n"


def test_another_prompt_file_or_kept_prompt_is_read_again(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(spoken())
    memory = Counting()
    memory.exchange(pending_of(path, "p"), ())
    memory.exchange(pending_of(path, "p"), (KeptPrompt("p", "Fix it, please", 1),))
    memory.exchange(pending_of(path, "q"), ())
    path.rename(tmp_path / "u.jsonl")
    memory.exchange(pending_of(tmp_path / "u.jsonl", "q"), ())
    assert memory.reads == 4


def test_a_file_that_shrank_or_ends_in_mid_line_is_read_again(tmp_path):
    path = tmp_path / "t.jsonl"
    memory = Counting()
    for text in (spoken() + '{"type":"assist', spoken() + '{"type":"assistant"}\n', spoken()):
        path.write_text(text)
        assert memory.exchange(pending_of(path, "p"), ()).request == ("Fix it",)
    assert memory.reads == 3


def test_a_request_near_the_end_of_a_large_file_is_not_remembered(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("".join(result(number, 20_000) for number in range(100)) + spoken())
    memory = Counting(512 * 1024)
    assert [memory.exchange(pending_of(path, "p"), ()).request for _ in range(3)] == [("Fix it",)] * 3
    assert memory.reads == 3


@corpus(
    "line",
    [
        {"type": "user", "message": {"role": "user", "content": "and the tests too"}},
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "wait"}},
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "AskUserQuestion"}]}},
        {"type": "user", "toolUseResult": {"answers": {}}, "message": {"content": [{"type": "tool_result"}]}},
        {"type": "system", "subtype": "compact_boundary"},
    ],
)  # fmt: skip
@corpus("separators", [(",", ":"), (", ", ": ")])
def test_what_people_say_and_answer_is_noticed(line, separators):
    assert changes_exchange(json.dumps(line, separators=separators).encode() + b"\n")


def test_a_long_turn_is_scanned_once_and_not_from_its_request_each_time(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(spoken() + result(0, 600_000))
    sizes, memory = [], Counting(500_000)
    for number in range(1, 5):
        assert memory.exchange(pending_of(path, "p"), ()).request == ("Fix it",)
        sizes.append(json.loads(memory.held["s", ""])[1])
        with path.open("a") as file:
            file.write(result(number, 600_000))
    assert memory.reads == 1
    assert sizes == sorted(set(sizes))


def test_a_subagent_whose_task_is_not_written_yet_is_read_again(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(spoken() + result(0, 1000))
    pending = PendingWrite("claude-code", "s", "Write", {}, "/p", "/p", str(path), "p", agent_id="a1")
    memory = Counting()
    assert memory.exchange(pending, ()).delegated_task == ""
    task = tmp_path / "t" / "subagents" / "agent-a1.jsonl"
    task.parent.mkdir(parents=True)
    message = {"role": "user", "content": "Look into src/a.py"}
    line = {"type": "user", "parentUuid": None, "isSidechain": True, "uuid": "x", "message": message}
    task.write_text(json.dumps(line | {"agentId": "a1", "promptId": "p"}) + "\n")
    for _ in range(3):
        assert memory.exchange(pending, ()).delegated_task == "Look into src/a.py"
    assert memory.reads == 2

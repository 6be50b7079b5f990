"""What is remembered of a transcript is what a fresh read would find, at every point of every recorded session."""

import json

from corpora import corpus
from repository import ROOT

from evaluator.model import KeptPrompt, PendingWrite
from hooks.hosts.claude_code.transcript_source import RememberingReader, TranscriptReader, changes_exchange

FIXTURES = ROOT / "fixtures/claude-code/transcripts"
RECORDINGS = sorted(FIXTURES.glob("*/at-hook/*.jsonl"), key=lambda path: path.stat().st_size)
LONGEST = sorted(
    {path.parts[-3]: path for path in RECORDINGS if not path.name.endswith(".agent.jsonl")}.items()
)


class Counting(TranscriptReader):
    reads = 0

    def read(self, pending, kept):
        self.reads += 1
        return super().read(pending, kept)


def remembering(dear_bytes=0, held=None):
    held, reader = {} if held is None else held, Counting()

    def remember(session, agent, text):
        held[session, agent] = text

    return RememberingReader(reader, lambda *who: held.get(who), remember, dear_bytes), reader


def pending_of(path, prompt_id=None):
    return PendingWrite("claude-code", "s", "Write", {}, "/p", "/p", str(path), prompt_id)


@corpus(("name", "source"), LONGEST, ids=[name for name, _ in LONGEST])
def test_a_growing_session_is_remembered_as_it_would_be_read(name, source, tmp_path):
    """One reader with a memory goes along as the file grows line by line; a fresh one reads each state whole."""
    lines = source.read_bytes().splitlines(keepends=True)
    ids = dict.fromkeys(json.loads(line).get("promptId") for line in lines)
    for prompt_id in ids:
        memory, counting = remembering()
        path = tmp_path / f"{prompt_id}.jsonl"
        for number in range(1, len(lines) + 1):
            path.write_bytes(b"".join(lines[:number]))
            pending = pending_of(path, prompt_id)
            assert memory.exchange(pending, ()) == TranscriptReader().exchange(pending, ()), number
        assert counting.reads < len(lines) or len(lines) < 4


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
    memory, counting = remembering()
    memory.exchange(pending_of(path, "p"), ())
    memory.exchange(pending_of(path, "p"), (KeptPrompt("p", "Fix it, please", 1),))
    memory.exchange(pending_of(path, "q"), ())
    path.rename(tmp_path / "u.jsonl")
    memory.exchange(pending_of(tmp_path / "u.jsonl", "q"), ())
    assert counting.reads == 4


def test_a_file_that_shrank_or_ends_in_mid_line_is_read_again(tmp_path):
    path = tmp_path / "t.jsonl"
    memory, counting = remembering()
    for text in (spoken() + '{"type":"assist', spoken() + '{"type":"assistant"}\n', spoken()):
        path.write_text(text)
        assert memory.exchange(pending_of(path, "p"), ()).request == ("Fix it",)
    assert counting.reads == 3


def test_a_request_near_the_end_of_a_large_file_is_not_remembered(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("".join(result(number, 20_000) for number in range(100)) + spoken())
    memory, counting = remembering(dear_bytes=512 * 1024)
    assert [memory.exchange(pending_of(path, "p"), ()).request for _ in range(3)] == [("Fix it",)] * 3
    assert counting.reads == 3


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
    held, sizes = {}, []
    memory, reader = remembering(500_000, held)
    for number in range(1, 5):
        assert memory.exchange(pending_of(path, "p"), ()).request == ("Fix it",)
        sizes.append(json.loads(held["s", ""])[1])
        with path.open("a") as file:
            file.write(result(number, 600_000))
    assert reader.reads == 1
    assert sizes == sorted(set(sizes))


def test_a_subagent_whose_task_is_not_written_yet_is_read_again(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(spoken() + result(0, 1000))
    pending = PendingWrite("claude-code", "s", "Write", {}, "/p", "/p", str(path), "p", agent_id="a1")
    memory, counting = remembering()
    assert memory.exchange(pending, ()).delegated_task == ""
    task = tmp_path / "t" / "subagents" / "agent-a1.jsonl"
    task.parent.mkdir(parents=True)
    message = {"role": "user", "content": "Look into src/a.py"}
    line = {"type": "user", "parentUuid": None, "isSidechain": True, "uuid": "x", "message": message}
    task.write_text(json.dumps(line | {"agentId": "a1", "promptId": "p"}) + "\n")
    for _ in range(3):
        assert memory.exchange(pending, ()).delegated_task == "Look into src/a.py"
    assert counting.reads == 2

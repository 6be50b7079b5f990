"""What holds for every transcript and every excerpt."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st
from samples.sessions import Session, pending_write

from evaluator.egress.excerpt import MARK, excerpt
from evaluator.model import AnsweredQuestion, Exchange, KeptPrompt
from evaluator.text import width
from hooks.hosts.claude_code.transcript_source import ClaudeTurn, TranscriptReader, walk_chain
from hooks.json_lines import Tail
from hooks.transcript import gather_turn, resolve_exchange

EXPECTED = Exchange(("second", "queued"), "asked: a or b?", (AnsweredQuestion("which?", ("A", "B"), ("B",)),))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from(
    ["type", "message", "content", "isMeta", "promptId", "attachment", "origin", "toolUseResult", "text",
     "answers", "questions", "prompt", "id", "name", "input", "kind", "model", "promptSource"]
)  # fmt: skip
WORDS = st.sampled_from(
    ["user", "assistant", "attachment", "system", "queued_command", "tool_result", "tool_use", "text",
     "human", "ExitPlanMode", "AskUserQuestion", "<command-name>/x</command-name>", "<task-notification>"]
)  # fmt: skip
HOSTILE = st.recursive(
    SCALARS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=6),
    max_leaves=20,
)
JUNK = st.one_of(
    st.binary(max_size=200).filter(lambda raw: b"\n" not in raw),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(FIELDS, HOSTILE, max_size=8).map(lambda value: json.dumps(value).encode()),
    st.just(b'{"type":"user","isSidechain":true,"parentUuid":null,"uuid":"s","message":{"content":"x"}}'),
)


def session() -> Session:
    built = Session()
    built.turn("first", "p1", "asked: a or b?")
    built.prompt("second", "p2")
    built.calls("AskUserQuestion", {}, "q1")
    asked = [{"question": "which?", "options": [{"label": "A"}, {"label": "B"}]}]
    built.result("ok", "q1", toolUseResult={"questions": asked, "answers": {"which?": "B"}})
    built.queued("queued")
    built.says("on it")
    return built


def read(lines: list[bytes], prompt_id: str | None = "p2", kept: tuple[KeptPrompt, ...] = ()) -> Exchange:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return TranscriptReader().exchange(pending_write(path, prompt_id), kept)


@given(st.lists(st.tuples(st.integers(0, 9), JUNK), max_size=12))
def test_junk_between_the_lines_never_changes_the_answer(junk: list[tuple[int, bytes]]) -> None:
    lines = session().lines
    for place, raw in junk:
        lines.insert(place % (len(lines) + 1), raw)
    assert read(lines) == EXPECTED


@given(
    st.lists(st.dictionaries(FIELDS, HOSTILE, max_size=8), max_size=8),
    st.sampled_from([None, "p", "q"]),
    st.lists(st.builds(KeptPrompt, st.sampled_from([None, "p", "q"]), st.text(max_size=9), st.just(1))),
)
def test_hostile_lines_in_the_chain_never_raise(
    objects: list[dict[str, object]], prompt_id: str | None, kept: list[KeptPrompt]
) -> None:
    lines = [
        json.dumps({"parentUuid": f"u{i - 1}" if i else None, **fields, "uuid": f"u{i}"}).encode()
        for i, fields in enumerate(objects)
    ]
    assert isinstance(read(lines, prompt_id, tuple(kept)), Exchange)


@settings(max_examples=60)
@given(
    st.lists(st.binary(max_size=30).map(lambda raw: raw.replace(b"\n", b"")), max_size=20), st.integers(1, 40)
)
def test_lines_are_those_of_the_file_whatever_the_block(lines: list[bytes], block: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f"
        path.write_bytes(b"\n".join(lines))
        found = [line.raw for line in Tail(str(path), block_bytes=block).lines()]
    bare = [line.strip(b" \t\r\n\x00") for line in lines]
    assert found == [line for line in reversed(bare) if line]


@settings(max_examples=40)
@given(st.integers(1, 300), st.integers(0, 3000))
def test_bounds_on_reading_only_ever_leave_something_out(block: int, scan: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = session().write(Path(folder) / "t.jsonl")
        steps = walk_chain(Tail(str(path), block_bytes=block, scan_bytes_max=scan))
        found = resolve_exchange(gather_turn(steps, ClaudeTurn()), steps, "p2", ())
    assert set(found.request) <= set(EXPECTED.request)
    assert found.prior_assistant_turn in {"", EXPECTED.prior_assistant_turn}


TEXTS = st.text(st.sampled_from("ab ?.\n日Ａ\u0301"), max_size=400)


@given(TEXTS, st.integers(0, 200), st.lists(st.text("ab日 ", max_size=5), max_size=3))
@example("x" * 50, 12, ["x"])
def test_an_excerpt_is_within_its_limit_and_stable(text: str, limit: int, keep: list[str]) -> None:
    found = excerpt(text, limit, keep)
    assert len(found) <= width(found) <= limit
    assert excerpt(found, limit, keep) == found
    if width(text) <= limit:
        assert found == text
    elif found:
        assert MARK in found
    for piece in found.split(MARK):
        assert piece.strip("\n") in text

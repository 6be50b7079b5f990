"""Lines come newest first, whatever the file and the block size, in bounded time and memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from corpora import corpus

from hooks.lines import Tail


def raws(path: Path | str, **bounds: int) -> list[bytes]:
    return [line.raw for line in Tail(str(path), **bounds).lines()]


@pytest.mark.parametrize("block", [1, 4, 100])
def test_an_offset_is_where_the_line_starts_and_a_pass_can_begin_there(tmp_path: Path, block: int) -> None:
    content = b"one\ntwo\n\nthree\n"
    path = tmp_path / "f"
    path.write_bytes(content)
    lines = list(Tail(str(path), block_bytes=block).lines())
    assert [content[line.offset :].split(b"\n")[0] for line in lines] == [b"three", b"two", b"one"]
    older = Tail(str(path), block_bytes=block).lines(before=lines[0].offset)
    assert [line.raw for line in older] == [b"two", b"one"]


@pytest.mark.parametrize("block", [1, 5, 64])
def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, block: int) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old\n" + b"x" * 21 + b"\n" + b"y" * 20 + b"\nnew\n")
    assert raws(path, block_bytes=block, line_bytes_max=20) == [b"new", b"y" * 20, b"old"]


def test_no_more_bytes_are_read_than_the_bound_over_all_passes(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"".join(b"%03d\n" % i for i in range(100)))
    tail = Tail(str(path), block_bytes=40, scan_bytes_max=80)
    assert [line.raw for line in tail.lines()] == [b"%03d" % i for i in range(99, 80, -1)]
    assert list(tail.lines()) == []


@corpus("kind", ["missing", "folder", "through a file", "nul in the path", "empty path"])
def test_what_cannot_be_read_has_no_lines(tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").write_text("x")
    paths = {
        "missing": str(tmp_path / "none"),
        "folder": str(tmp_path),
        "through a file": str(tmp_path / "file" / "below"),
        "nul in the path": "a\0b",
        "empty path": "",
    }
    assert raws(paths[kind]) == []


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert raws(tmp_path / "pipe") == []
    assert raws("/dev/zero") == []


def test_a_file_that_shrinks_while_it_is_read_ends_the_pass(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"line\n" * 100)
    lines = Tail(str(path), block_bytes=50).lines()
    assert next(lines).raw == b"line"
    path.write_bytes(b"")
    assert len(list(lines)) < 20

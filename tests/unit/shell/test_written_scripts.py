"""A script that the turn wrote is judged by what it would do, in the same command or in a later one."""

from __future__ import annotations

from pathlib import Path

import pytest
from running.hookrun import Place, denial

from evaluator.shell.bash import classify

HEREDOC = "cat > build/go <<'EOF'\n{text}\nEOF\n{run}"


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("rm -rf src", "sh build/go"),
        ("#!/bin/bash\nrm -rf src", "chmod +x build/go && ./build/go"),
        ("import shutil\nshutil.rmtree('src')", "python3 build/go"),
        ("#!/usr/bin/env python3\nimport shutil\nshutil.rmtree('src')", "./build/go"),
    ],
)
def test_a_script_of_the_same_line_does_what_stands_in_it(text: str, run: str) -> None:
    found = classify(HEREDOC.format(text=text, run=run), "/p")
    assert found.operation_class == "destructive"
    assert "/p/src" in found.targets


@pytest.mark.parametrize("run", ["make -f build/go", "awk -f build/go x", "./build/other/../go"])
def test_what_cannot_be_read_of_a_script_of_the_same_line_is_not_read_as_harmless(run: str) -> None:
    assert classify(HEREDOC.format(text="rm -rf src", run=run), "/p").operation_class == "destructive"


def test_a_script_that_only_reads_stays_an_ordinary_call() -> None:
    assert (
        classify(HEREDOC.format(text="print(1)", run="python build/go"), "/p").operation_class == "modifying"
    )


def write(place: Place, name: str, content: str) -> None:
    """An excused write of the turn, which succeeded."""
    path = place.project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    payload = place.payload("Write", {"file_path": str(path), "content": content}, tool_use_id="w")
    assert denial(place.hook("pre-tool-use", payload)) is None
    place.hook("post-tool-use", payload)


def test_a_script_of_the_turn_is_held_for_what_it_does_and_runs_where_it_reads(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.say("count the lines with a script of your own")
    write(place, "build/count.sh", "wc -l src/*.py\n")
    write(place, "dist/clean.py", "import shutil\nshutil.rmtree('src')\n")

    def held(command: str) -> bool:
        return denial(place.hook("pre-tool-use", place.payload("Bash", {"command": command}))) is not None

    assert not held("sh build/count.sh")
    assert held("cd dist && python3 clean.py")

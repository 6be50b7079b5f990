"""As many cases and recorded sessions as a test of bulk work needs."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

from samples.sessions import Session

from calibration.cases.sources import corpus_dir

ASKED = (
    "Create {} that says hello",
    "make it better",
    "review {}, no changes",
    "Create {} with a greeting, and nothing else",
)


def cases(folder: Path, count: int) -> Path:
    """A file of the shipped ones, over and over under other names."""
    text = (corpus_dir() / "cases" / "test.jsonl").read_text(encoding="utf-8")
    rows = [row for row in map(json.loads, text.splitlines()) if row["label"] != "disputed"]
    file = folder / f"cases{count}.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for n in range(count):
            row = rows[n % len(rows)]
            names = {"id": f"{row['id']}-{n}", "pair": f"{row['pair']}-{n // len(rows)}"}
            out.write(json.dumps(row | names) + "\n")
    return file


def sessions(folder: Path, project: str, count: int, turns: int = 4) -> Path:
    """A folder of `count`, each of `turns` prompts with two writes; each tenth repeats the lines of the one before, as
    one that was resumed does."""
    folder.mkdir(parents=True)
    before: Session | None = None
    for number in range(count):
        resumes = before if number % 10 == 9 else None
        made, name = deepcopy(resumes) if resumes is not None else Session(), f"s{number:05d}"
        for turn in range(turns):
            second = turn * 10
            said = {
                "timestamp": f"2026-11-21T20:{second // 60:02d}:{second % 60:02d}.000Z",
                "cwd": project,
                "sessionId": name,
            }
            file = f"{project}/part{turn}.txt"
            made.prompt(
                ASKED[(number + turn) % len(ASKED)].format(f"part{turn}.txt"), f"{name}-{turn}", **said
            )
            for use in (f"{name}-{turn}a", f"{name}-{turn}b"):
                made.calls("Write", {"file_path": file, "content": "hello\n" * 20}, use, "", **said)
                made.result("done", use, toolUseResult={"type": "create"}, **said)
        made.write(folder / f"{name}.jsonl")
        before = made
    return folder

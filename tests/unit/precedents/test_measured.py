"""The tool that measures precedents: sessions in, numbered prompts out, recorded answers to figures."""

import json
import re
from functools import partial
from pathlib import Path

import pytest
from running import scripts

SCRIPT = "benchmarks/quality/precedents.py"
FILES = ["src/ink/mixer.py", "src/sound/mixer.py"]


def edit(path, new):
    return {
        "tool": "Edit",
        "input": {"file_path": path, "old_string": "value = 1", "new_string": f"value = {new}"},
    }


def settle(answer, passed=None):
    return {
        "kind": "settle", "day": 0, "branch": "main", "prior": "", "request": "round the mixer to two digits",
        "write": edit(FILES[0], 2), "readings": [f"edit {path}" for path in FILES], "answer": answer, "passed": passed,
        "means": {"term": "the mixer", "action": "edit", "target": FILES[1], "extent": "one_file"},
    }  # fmt: skip


def occasion(request, label, path=FILES[1], day=3, **more):
    return {
        "kind": "occasion", "day": day, "branch": "main", "prior": "", "request": request, "turn_so_far": [],
        "write": edit(path, 3), "label": label, **more,
    }  # fmt: skip


SAME = {"settled": True, "kind": "same", "right": "pass"}
OTHER = {"settled": False, "kind": "other_thing", "right": "hold"}
CHOSEN = {"how": "chosen", "text": "2"}
SESSIONS = [
    [settle(CHOSEN, edit(FILES[1], 2)), occasion("add a warning to the mixer", SAME, second=SAME),
     occasion("speed up the mixer", SAME, second=OTHER), occasion("fix the ink mixer", OTHER, day=80)],
    [settle(CHOSEN, edit(FILES[1], 2)), occasion("add a warning to the mixer", SAME, day=91)],
    [settle({"how": "proceed", "text": "compass: proceed"}, edit(FILES[1], 2)),
     occasion("add a warning to the mixer", {"settled": False, "kind": "poisoned", "right": "hold"})],
]  # fmt: skip


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "sessions.jsonl"
    rows = [
        {"id": f"s{number}", "language": "en", "files": FILES, "branches": ["main"], "steps": steps}
        for number, steps in enumerate(SESSIONS)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


run = partial(scripts.run, SCRIPT)


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def test_each_step_is_told_with_what_became_of_it(written: Path) -> None:
    told = {row["case"]: row for row in lines_of(run(written, "--list"))}
    assert sorted(told) == ["s0/0", "s0/1", "s0/2", "s0/3", "s1/0", "s1/1", "s2/0", "s2/1"]
    kept = [{"term": "the mixer", "target": FILES[1], "extent": "one_file", "tightens": False}]
    assert [told[name]["kept"] for name in ("s0/0", "s1/0", "s2/0")] == [kept, kept, []]
    assert all(told[name]["held"] and told[name]["ran"] for name in ("s0/0", "s1/0", "s2/0"))
    shown = {name: len(row["shown"]) for name, row in told.items() if "shown" in row}
    assert shown == {"s0/1": 1, "s0/2": 1, "s0/3": 0, "s1/1": 0, "s2/1": 0}
    assert [name for name, row in told.items() if row.get("counts")] == ["s0/1", "s0/2"]
    assert [name for name, row in told.items() if row.get("agreed") is False] == ["s0/2"]


def test_from_sessions_to_figures_of_readers(tmp_path: Path, written: Path) -> None:
    folder, answers = tmp_path / "prompts", tmp_path / "answers"
    assert run(written, "--prompts", folder, "--share", 2).startswith(
        "3 cases for each of 3 readers, in 6 files"
    )
    key = tmp_path / "prompts.key.jsonl"
    known = {row["case"]: row for row in lines_of(key.read_text())}
    assert sorted(known) == list(range(1, 10))
    arms = {(row["id"], row["memory"]) for row in known.values()}
    assert arms == {("s0/1", True), ("s0/1", False), ("s1/1", False)}
    cases: dict[int, str] = {}
    for file in sorted(folder.iterdir()):
        found = re.split(r"^# Case (\d+) \(instructions [AB]\)$", file.read_text(), flags=re.MULTILINE)
        assert found[0].startswith("# Instructions A\n\nYou are one of several readers")
        here = {int(number): body for number, body in zip(found[1::2], found[2::2], strict=True)}
        cases.update(here)
        reader, part = map(int, re.findall(r"\d+", file.name))
        assert {(known[number]["reader"], known[number]["part"]) for number in here} == {(reader, part)}
        assert len({known[number]["id"] for number in here}) == len(here)
        assert not re.search('settled"|other_thing|same|poison', "".join(here.values()))
    for number, row in known.items():
        assert ('src/sound/mixer.py" (change' in cases[number]) is row["memory"]

    answers.mkdir()
    reading = {"action": "change", "target": "mixer", "extent": "one_file"}
    said = [
        {"case": number, "reading": reading, "rival": None, "fits": True, "rationale": "x",
         "primary_concern": "none" if row["memory"] else "target", "score": 0.9 if row["memory"] else 0.4}
        for number, row in known.items()
    ]  # fmt: skip
    (answers / "one.jsonl").write_text("".join(json.dumps(one) + "\n" for one in said))
    rows = lines_of(run(written, "--answers", answers, "--key", key, "--record"))
    assert [(row["case"], row["memory"], len(row["answers"])) for row in rows] == [
        ("s0/1", False, 3), ("s0/1", True, 3), ("s1/1", False, 3),
    ]  # fmt: skip
    told = json.loads(run(written, "--answers", answers, "--key", key, "--json"))
    figures = {name: (one["k"], one["n"]) for name, one in told["language-model readers"].items()}
    assert figures == {
        "asked again, without memory": (2, 2),
        "asked again, with memory": (1, 2),
        "asked again, with a precedent shown": (0, 1),
        "held wrongly by memory, settled": (0, 2),
        "used wrongly": (0, 1),
        "used wrongly, or passed anyway with a precedent shown": (0, 1),
        "turned to pass, poison": (0, 1),
        "turned to pass, poison, or passed anyway with a precedent shown": (0, 1),
    }
    assert (told["labels differ"], told["stale answers"], told["not answered"]) == (["s0/2"], 0, [])
    assert told["poison, rules"]["kept what it must not"]["k"] == 0

    (answers / "two.jsonl").write_text(json.dumps(said[0]) + "\n")
    run(written, "--answers", answers, "--key", key, fails=True)


def test_answers_to_another_prompt_do_not_count(tmp_path: Path, written: Path) -> None:
    folder, key = tmp_path / "prompts", tmp_path / "prompts.key.jsonl"
    run(written, "--prompts", folder)
    answers = tmp_path / "answers"
    answers.mkdir()
    rows = [
        {**row, "prompt": "0" * 16} if row["memory"] else {**row, "shown": "0" * 16}
        for row in lines_of(key.read_text())
    ]
    key.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (answers / "one.jsonl").write_text(
        "".join(json.dumps({"case": row["case"], "score": 0.9}) + "\n" for row in rows)
    )
    told = json.loads(run(written, "--answers", answers, "--key", key, "--json"))
    assert (told["stale answers"], told["not answered"]) == (1, ["s0/1", "s1/1"])
    run(written, "--answers", answers, "--key", tmp_path / "none.jsonl", fails=True)

"""`compass replay --prompts-out` and `--answers`: readers that are asked through files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import answer
from running.hookrun import Place
from samples.recordings import CLEAR, VAGUE, Recording, ends, replayed

CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@pytest.fixture
def kept(place: Place) -> Path:
    recording = Recording(str(place.project))
    recording.prompt(
        f"{CLEAR}, under a heading, and then a line below it that says goodbye to whoever reads it", "p1"
    )
    recording.write_of("notes.txt", "t1")
    recording.write_of("other.txt", "t2")
    recording.prompt(VAGUE, "p2")
    recording.write_of("a.py", "t3")
    return recording.save(place.root / "kept")


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def answered(place: Place, prompts: list[dict[str, Any]], **scores: float) -> Path:
    """Results for the prompts; a score goes by a word of the prompt."""
    path = place.root / "answers.jsonl"
    with path.open("a") as file:
        for prompt in prompts:
            said = prompt["params"]["messages"][0]["content"]
            score = next((score for word, score in scores.items() if word in said), 0.9)
            message = {"content": [{"type": "text", "text": answer(score, rationale="Nobody named a file.")}]}
            result = {"type": "succeeded", "message": message}
            file.write(json.dumps({"custom_id": prompt["custom_id"], "result": result}) + "\n")
    return path


def test_prompts_without_an_answer_are_written_and_their_writes_left_as_passed(
    place: Place, kept: Path
) -> None:
    out = place.root / "prompts.jsonl"
    found = replayed(place, kept, "--prompts-out", out)
    assert ends(found) == [("skipped", "unanswered"), ("skipped", "covered"), ("skipped", "unanswered")]
    assert (found["checks_read"], found["checks_unanswered"]) == (0, 2)
    prompts = lines_of(out)
    ids = [prompt["custom_id"] for prompt in prompts]
    assert ids == [one for case in found["cases"] for one in case["custom_ids"]] and len(set(ids)) == len(ids)
    assert all(CUSTOM_ID.fullmatch(one) for one in ids)
    assert prompts[0]["params"]["system"] and VAGUE in prompts[-1]["params"]["messages"][0]["content"]
    assert "2 checks" in place.command("replay", kept, "--prompts-out", out).stdout.decode()
    assert lines_of(out) == prompts


def test_answers_decide_and_what_they_leave_open_is_asked_in_further_rounds(place: Place, kept: Path) -> None:
    out, answers = place.root / "prompts.jsonl", place.root / "answers.jsonl"
    answers.touch()
    asked: list[str] = []
    found = replayed(place, kept, "--prompts-out", out)
    while prompts := lines_of(out):
        asked += [prompt["custom_id"] for prompt in prompts]
        answered(place, prompts, **{VAGUE: 0.2, "Create notes": 0.1})
        found = replayed(place, kept, "--prompts-out", out, "--answers", answers)
    assert len(asked) == len(set(asked)), "nothing is asked twice"
    assert ends(found) == [("failed", "low_confidence")] * 3 and found["checks_unanswered"] == 0
    assert found["cases"][2]["current"]["rationale"] == "Nobody named a file."
    second = next(case for case in found["cases"] if case["tool_use_id"] == "t2")
    assert second["custom_ids"][0] not in asked[: len(found["cases"][0]["custom_ids"])], (
        "asked once the first failed"
    )


def test_a_result_that_did_not_succeed_is_asked_anew_and_another_file_is_refused(
    place: Place, kept: Path
) -> None:
    out, answers = place.root / "prompts.jsonl", place.root / "answers.jsonl"
    replayed(place, kept, "--prompts-out", out)
    before = lines_of(out)
    rows = [{"custom_id": one["custom_id"], "result": {"type": "expired"}} for one in before]
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows))
    replayed(place, kept, "--prompts-out", out, "--answers", answers)
    assert lines_of(out) == before
    done = place.command("replay", kept, "--answers", kept)
    assert done.returncode == 1 and b"line 1: not a message batch result" in done.stderr

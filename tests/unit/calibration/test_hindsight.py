"""`compass hindsight`: turns of recorded sessions, labelled by what was said and done next."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import Behaviour, LoopbackApi, Received, reply, status
from running.hookrun import Place
from samples.recordings import CLEAR, Recording

from calibration.hindsight.findings import findings
from calibration.hindsight.questions import label_of, questions_of
from calibration.hindsight.turns import Turn, TurnLabel, TurnWrite, by_signs, read_labels, write_labels

NEXT = "no, I meant the other file"
REQUESTS = 6
REFUSED = 2


def said(kind: str, prompt: str) -> dict[str, object]:
    """As a model would answer: a turn was misread where the person says so next, and a question was due there."""
    if kind == "due":
        return {"why": "which file?", "due": "yes" if "number 1" in prompt else "no"}
    misread = NEXT in prompt
    return {
        "why": "meant another",
        "hindsight": "intent" if misread else "fine",
        "calls": [1] if misread else [],
    }


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, {"COMPASS_ENABLED": "false", "COLUMNS": "200"})


@pytest.fixture
def kept(place: Place) -> Path:
    """Turn 1 is misread, and told so in words; the write of turn 2 is refused; all others are fine."""
    recording = Recording(str(place.project))
    for number in range(REQUESTS):
        recording.prompt(f"{CLEAR} number {number}", f"p{number}")
        recording.says(f"About to do {number}.")
        recording.call("Write", f"t{number}", file_path=f"{recording.project}/notes{number}.txt", content="x")
        if number == REFUSED:
            recording.session.result(
                "The user doesn't want to proceed with this tool use. The tool use was rejected", f"t{number}",
                **recording._said(),
            )  # fmt: skip
        else:
            recording.result(f"t{number}")
        if number == 1:
            recording.prompt(NEXT, "q")
    return recording.save(place.root / "kept").parent


def told(place: Place, *words: object) -> dict[str, Any]:
    done = place.command("hindsight", *map(str, words), "--json")
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def answered(place: Place, prompts: list[dict[str, Any]]) -> Path:
    path = place.root / "answers.jsonl"
    with path.open("a") as file:
        for prompt in prompts:
            kind = prompt["custom_id"].partition("-")[0]
            text = json.dumps(said(kind, prompt["params"]["messages"][0]["content"]))
            result = {"type": "succeeded", "message": {"content": [{"type": "text", "text": text}]}}
            file.write(json.dumps({"custom_id": prompt["custom_id"], "result": result}) + "\n")
    return path


def test_by_signs_a_refusal_is_told_and_nothing_is_called_fine(place: Place, kept: Path) -> None:
    found = told(place, kept)
    assert (found["labelled_by"], found["turns"]) == ("signs", REQUESTS)
    assert (found["misread"]["k"], found["misread"]["n"]) == (1, REQUESTS)
    assert [turn["offending"] for turn in found["telling"]] == [[f"t{REFUSED}"]]
    assert found["needless"]["n"] == 0 and found["due"]["value"] is None and not found["curve"]
    text = place.command("hindsight", str(kept)).stdout.decode()
    assert "you refused or took back writes in 1 of 6 turns" in text and "Signs alone" in text


def test_readers_are_asked_through_files_and_one_of_each_pair_is_blind(place: Place, kept: Path) -> None:
    out, page = place.root / "prompts.jsonl", place.root / "page.html"
    first = told(place, kept, "--prompts-out", out)
    assert first["warnings"] == [
        f"{2 * REQUESTS} questions have no answer; their turns are labelled by signs, or not at all"
    ]
    prompts = lines_of(out)
    asked = {
        kind: [one for one in prompts if one["custom_id"].startswith(f"{kind}-")]
        for kind in ("hindsight", "due")
    }
    assert {kind: len(found) for kind, found in asked.items()} == {"hindsight": REQUESTS, "due": REQUESTS}
    for kind, found in asked.items():
        texts = [one["params"]["messages"][0]["content"] for one in found]
        assert any(NEXT in text for text in texts) == (kind == "hindsight")
        assert any("refused this call" in text for text in texts) == (kind == "hindsight")
    told(place, kept, "--prompts-out", out)
    assert lines_of(out) == prompts, "ids and prompts are stable"

    found = told(place, kept, "--answers", answered(place, prompts), "--html", page)
    assert (found["labelled_by"], found["warnings"]) == ("readers", [])
    assert (found["misread"]["k"], found["misread"]["n"]) == (1, REQUESTS)
    assert [(one["offending"], one["said_next"], one["due"]) for one in found["telling"]] == [
        (["t1"], NEXT, "yes")
    ]
    assert (found["due"]["k"], found["due"]["n"]) == (1, REQUESTS)
    text = page.read_text()
    assert NEXT in text and "the agent misread you in 1 of 6 turns" in text and "https://" not in text
    out.unlink()
    told(place, kept, "--prompts-out", out, "--answers", place.root / "answers.jsonl")
    assert out.read_text() == ""


def test_calibrate_takes_the_labels_as_cases_and_says_what_is_missing_without(
    place: Place, kept: Path
) -> None:
    words = ("calibrate", "--from-sessions", str(kept), "--backend", "embedded")
    none = place.command(*words, "--dry-run")
    assert none.returncode == 2 and b"`compass hindsight" in none.stderr
    told(place, kept)
    assert place.command(*words, "--dry-run").returncode == 2, "signs alone are no label of a case"
    out = place.root / "prompts.jsonl"
    told(place, kept, "--prompts-out", out)
    told(place, kept, "--answers", answered(place, lines_of(out)))
    done = place.command(*words, "--json", "--out", "result.json")
    found = json.loads(done.stdout)
    natural = [case for case in found["cases"] if not case["generated"]]
    assert [case["label"] for case in natural] == ["clear", "ambiguous", "clear", "clear", "clear", "clear"]
    assert len({case["pair"] for case in found["cases"]}) == 1, "a session is one unit"
    assert any("1 ambiguous (misread, or one was due)" in note for note in found["notes"])


class Labelling(LoopbackApi):
    """Answers as `said`; after `most` answers it refuses everybody."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self.answered = 0

    def take(self, received: Received) -> Behaviour:
        super().take(received)
        if self.answered >= self.most:
            return status(401)
        self.answered += 1
        body = received.body
        kind = "due" if "careful colleague" in json.dumps(body["system"]) else "hindsight"
        return reply(json.dumps(said(kind, json.dumps(body["messages"]))))


def test_hosted_readers_are_asked_after_a_yes_and_an_interrupted_run_goes_on(
    place: Place, kept: Path
) -> None:
    with Labelling(most=5) as api:
        hosted = Place(
            place.root,
            {
                "COMPASS_EVALUATOR__BASE_URL": api.url,
                "ANTHROPIC_API_KEY": "test-key",
                "COMPASS_EVALUATOR__MAX_CONCURRENT_SAMPLES": "3",
            },
        )
        words = ("hindsight", str(kept), "--backend", "anthropic", "--json")
        unasked = hosted.command(*words)
        assert (
            unasked.returncode == 0 and b"what you said next" in unasked.stderr and b"USD" in unasked.stderr
        )
        assert api.answered == 0 and json.loads(unasked.stdout)["labelled_by"] == "signs"
        cut = hosted.command(*words, "--yes")
        assert cut.returncode != 0 and b"what they said is kept" in cut.stdout + cut.stderr
        assert api.answered == 5
        api.most = 1000
        done = hosted.command(*words, "--yes")
        assert done.returncode == 0, done.stderr.decode()
        found = json.loads(done.stdout)
        assert api.answered == 2 * REQUESTS, "nothing is asked twice"
        assert found["labelled_by"] == "readers" and found["misread"]["k"] == 1


def turn(number: int, *, session: str = "s", mean: float | None = None, refused: bool = False) -> Turn:
    write = TurnWrite(
        f"c{number}", "Edit a.py", "edit (reversible)", False, refused, False, False, None, mean
    )
    return Turn(session, "/p", float(number), f"request {number}", "prior", "next", False, writes=[write])


def labelled(found: Turn, hindsight: Any, due: Any = "no") -> TurnLabel:
    calls = (found.writes[0].call,) if hindsight == "intent" else ()
    return TurnLabel(found.id, found.session, hindsight, due, calls, (found.writes[0].call,), "readers")


def test_the_curve_tells_what_each_cut_would_hold_and_intervals_go_by_session() -> None:
    turns = [turn(n, session=f"s{n % 4}", mean=0.3 if n < 4 else 0.8) for n in range(20)]
    labels = {one.id: labelled(one, "intent" if number < 4 else "fine") for number, one in enumerate(turns)}
    found = findings(turns, labels)
    by_cut = {one.cut: one for one in found.curve}
    assert (by_cut[0.25].caught.value, by_cut[0.25].interrupted.value) == (0.0, 0.0)
    assert (by_cut[0.5].caught.value, by_cut[0.5].needless.value, by_cut[0.5].interrupted.value) == (
        1.0,
        0.0,
        0.2,
    )
    assert by_cut[0.85].needless.value == 1.0
    assert (found.misread.value, found.misread.n, found.misread.sessions) == (0.2, 20, 4)
    independent = [turn(n, session=f"own{n}") for n in range(20)]
    alone = findings(
        independent,
        {
            one.id: labelled(one, "intent" if number % 4 == 0 else "fine")
            for number, one in enumerate(independent)
        },
    )
    together = findings(
        turns, {one.id: labelled(one, "intent" if one.session == "s0" else "fine") for one in turns}
    )
    assert alone.misread.value == together.misread.value == 0.25
    narrow, wide = (float(one.high or 0) - float(one.low or 0) for one in (alone.misread, together.misread))
    assert wide > 1.5 * narrow, "turns of one session that agree are no independent evidence"


@pytest.mark.parametrize(
    "text", ["", "no idea", '{"hindsight": "great"}', '{"hindsight": ["intent"]}', '{"calls": 3}']
)
def test_an_answer_that_is_none_leaves_the_signs(text: str) -> None:
    assert label_of(turn(1, refused=True), {"hindsight": text, "due": text}) == by_signs(
        turn(1, refused=True)
    )


def test_calls_that_are_not_there_are_left_out_and_only_a_misread_turn_has_any() -> None:
    one = turn(1)
    found = label_of(
        one, {"hindsight": 'so: {"why": "x", "hindsight": "intent", "calls": [7, 1, 1, 0, "1"]}'}
    )
    assert (found.calls, found.due, found.by) == (("c1",), "unknown", "readers")
    assert label_of(one, {"hindsight": '{"hindsight": "fine", "calls": [1]}'}).calls == ()


def test_what_is_asked_goes_through_the_sanitizer_and_is_bounded() -> None:
    one = turn(1)
    one.said_next = "x" * 10_000
    seen = questions_of(one, lambda text, limit: f"<{text[:limit]}>")[0].user
    assert "<request 1>" in seen and "<Edit a.py>" in seen and "<prior>" in seen
    assert len(seen) < 5000


def test_labels_are_kept_by_turn_and_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    first, second = labelled(turn(1), "fine"), labelled(turn(2), "intent", "yes")
    path.write_text(write_labels(str(path), [first]))
    path.write_text(write_labels(str(path), [second, labelled(turn(1), "quality")]))
    assert [(one.hindsight, one.due) for one in read_labels(str(path))] == [
        ("quality", "no"),
        ("intent", "yes"),
    ]
    path.write_text(path.read_text() + '{"turn": "x"}\n')
    with pytest.raises(ValueError, match="line 3"):
        read_labels(str(path))

"""`compass hindsight`: turns of recorded sessions, labelled by what was said and done next."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import Behaviour, LoopbackApi, Received, reply, status
from corpora import corpus
from running.hookrun import Place
from samples.recordings import CLEAR, Recording, answer_batch, json_lines

from calibration.hindsight.findings import LabelCost
from calibration.hindsight.findings import findings as findings_of
from calibration.hindsight.questions import label_of, questions_of
from calibration.hindsight.turns import (
    HandLabel,
    SessionTurn,
    TurnLabel,
    TurnWrite,
    by_signs,
    read_labels,
    settled,
    write_labels,
)

NEXT = "no, I meant the other file"
REQUESTS = 6
REFUSED = 2


def said(kind: str, prompt: str) -> dict[str, object]:
    """As a model would answer: a turn was misread where the person says so next, and a question was due there."""
    if kind == "due":
        return {"why": "which file?", "due": "yes" if "number 1" in prompt else "no"}
    hindsight, calls = ("intent", [1]) if NEXT in prompt else ("fine", [])
    return {"why": "meant another", "hindsight": hindsight, "calls": calls}


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path, {"COMPASS_ENABLED": "false", "COLUMNS": "200"})


@pytest.fixture
def kept(place):
    """SessionTurn 1 is misread, and told so in words; the write of turn 2 is refused; all others are fine."""
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
    return json.loads(done.stdout)


def all_answered(place: Place, kept: Path) -> Path:
    """The file with an answer to each question."""
    out = place.root / "prompts.jsonl"
    told(place, kept, "--prompts-out", out)

    def text(name: str, asked: str) -> str:
        return json.dumps(said(name.partition("-")[0], asked))

    return answer_batch(place.root / "answers.jsonl", json_lines(out), text)


def test_by_signs_a_refusal_is_told_and_nothing_is_called_fine(place, kept):
    found = told(place, kept)
    assert (found["labelled_by"], found["turns"]) == ("signs", REQUESTS)
    assert (found["misread"]["k"], found["misread"]["n"]) == (1, REQUESTS)
    assert [turn["offending"] for turn in found["telling"]] == [[f"t{REFUSED}"]]
    assert found["needless"]["n"] == 0 and found["due"]["value"] is None and not found["curve"]
    text = place.command("hindsight", str(kept)).stdout.decode()
    assert "you refused or undid writes in 1 of 6 turns" in text and "These signs" in text


def test_an_interruption_refuses_the_last_call_before_it(place):
    recording = Recording(str(place.project))
    recording.prompt(CLEAR, "p0")
    for name in ("a", "b"):
        recording.write_of(f"{name}.txt", name)
    recording.prompt("[Request interrupted by user]", "")
    (turn,) = told(place, recording.save(place.root / "kept").parent)["telling"]
    assert turn["offending"] == ["b"]


def test_readers_are_asked_through_files_and_one_of_each_pair_is_blind(place, kept):
    out, page = place.root / "prompts.jsonl", place.root / "page.html"
    assert told(place, kept, "--prompts-out", out)["warnings"] == [
        f"{2 * REQUESTS} questions have no answer; their turns are labelled by signs such as refusals, and "
        "left out of the rates that are based on readers' labels"
    ]
    prompts = json_lines(out)
    for kind in ("hindsight", "due"):
        asked = [one for one in prompts if one["custom_id"].startswith(f"{kind}-")]
        texts = [one["params"]["messages"][0]["content"] for one in asked]
        assert len(texts) == REQUESTS
        assert any(NEXT in text for text in texts) == (kind == "hindsight")
        assert any("refused this call" in text for text in texts) == (kind == "hindsight")
    told(place, kept, "--prompts-out", out)
    assert json_lines(out) == prompts, "ids and prompts are stable"

    found = told(place, kept, "--answers", all_answered(place, kept), "--html", page)
    assert (found["labelled_by"], found["warnings"]) == ("readers", [])
    assert (found["misread"]["k"], found["misread"]["n"]) == (1, REQUESTS)
    (one,) = found["telling"]
    assert (one["offending"], one["said_next"], one["due"]) == (["t1"], NEXT, "yes")
    assert (found["due"]["k"], found["due"]["n"]) == (1, REQUESTS)
    text = page.read_text()
    assert NEXT in text and "the agent misread you in 1 of 6 turns" in text and "https://" not in text
    out.unlink()
    told(place, kept, "--prompts-out", out, "--answers", place.root / "answers.jsonl")
    assert out.read_text() == ""


def test_calibrate_takes_the_labels_as_cases_and_says_what_is_missing_without(place, kept):
    words = ("calibrate", "--from-sessions", str(kept), "--backend", "embedded")
    none = place.command(*words, "--json", "--out", "result.json")
    assert none.returncode == 2 and b"`compass hindsight" in none.stdout + none.stderr
    told(place, kept)
    assert place.command(*words).returncode == 2, "signs alone are no label of a case"
    told(place, kept, "--answers", all_answered(place, kept))
    found = json.loads(place.command(*words, "--json", "--out", "result.json").stdout)
    natural = [case for case in found["cases"] if not case["generated"]]
    assert [case["label"] for case in natural] == ["clear", "ambiguous", "clear", "clear", "clear", "clear"]
    assert len({case["pair"] for case in found["cases"]}) == 1, "a session is one unit"
    assert any("1 ambiguous (misread, or a question was due)" in note for note in found["notes"])


def test_turns_are_labelled_by_hand_blind_first_and_correct_both_rates(place, kept):
    answers = all_answered(place, kept)
    words = ("hindsight", str(kept), "--answers", str(answers), "--json")
    listed = told(place, kept, "--answers", answers)["telling"][0]["turn"]
    chosen = place.command(*words, "--label", listed[:8], stdin=b"n\nn\n")
    assert not json.loads(chosen.stdout)["telling"], "what the user says was not misread is not told so"
    own = next(place.root.rglob("hindsight.hand.jsonl"))
    assert json_lines(own) == [{"turn": listed, "misread": "n", "due": "n", "drawn": False}]
    assert b"nowhere" in place.command(*words, "--label", "nowhere").stderr

    drawn = place.command(*words, "--label", "2", stdin=b"n\nn\nmaybe\ny\nu\n")
    assert drawn.returncode == 0 and json.loads(drawn.stdout)["by_hand"] == 3
    asked = drawn.stderr.decode()
    assert asked.count("[y/n/u") == 5, "what is none of the three is asked again"
    places = list(map(asked.index, ("asked you first?", "you said next", "than what you meant?")))
    assert places == sorted(places)
    rows = [(row["due"], row["misread"], row["drawn"]) for row in json_lines(own)[1:]]
    assert rows == [("n", "n", True), ("y", "u", True)]
    again = place.command(*words, "--label", "1", stdin=b"q\n")
    assert len(json_lines(own)) == 3 and json.loads(again.stdout)["by_hand"] == 3, "answers are read again"
    found = json.loads(again.stdout)
    assert found["misread_corrected"] is found["due_corrected"] is None, "one session is too few"
    words = ("calibrate", "--from-sessions", str(kept), "--backend", "embedded", "--json", "--out", "r")
    done = place.command(*words)
    labels = {case["id"]: case["label"] for case in json.loads(done.stdout)["cases"] if not case["generated"]}
    assert len(labels) == REQUESTS and list(labels.values()).count("ambiguous") == 1, "the one that was due"


def test_only_sessions_of_a_project_and_status_tells_the_last_of_all(place, kept):
    assert told(place, kept, "--project", place.project)["turns"] == REQUESTS
    assert told(place, kept, "--project", place.root / "kept")["turns"] == 0
    assert json.loads(place.command("status", "--json").stdout)["hindsight"] is None
    told(place, kept)
    line = json.loads(place.command("status", "--json").stdout)["hindsight"]
    assert line.startswith("you refused or undid writes in 1 of 6 turns")
    assert line in " ".join(place.command("status").stdout.decode().split())
    next(place.root.rglob("hindsight.told.json")).write_text("[]")
    assert json.loads(place.command("status", "--json").stdout)["hindsight"] is None


class Labelling(LoopbackApi):
    """Answers as `said`; after `most` answers it refuses everybody."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self.answered = 0

    @property
    def env(self) -> dict[str, str]:
        return {"COMPASS_EVALUATOR__BASE_URL": self.url, "ANTHROPIC_API_KEY": "test-key"}

    def take(self, received: Received) -> Behaviour:
        super().take(received)
        if self.answered >= self.most:
            return status(401)
        self.answered += 1
        body = received.body
        kind = "due" if "careful colleague" in json.dumps(body["system"]) else "hindsight"
        return reply(json.dumps(said(kind, json.dumps(body["messages"]))))


def test_hosted_readers_are_asked_after_a_yes_and_an_interrupted_run_goes_on(place, kept):
    with Labelling(most=5) as api:
        hosted = Place(place.root, api.env | {"COMPASS_EVALUATOR__MAX_CONCURRENT_SAMPLES": "3"})
        words = ("hindsight", str(kept), "--backend", "anthropic", "--json")
        unasked = hosted.command(*words)
        assert unasked.returncode == 0
        assert b"what you said next" in unasked.stderr and b"USD" in unasked.stderr
        assert api.answered == 0 and json.loads(unasked.stdout)["labelled_by"] == "signs"
        cut = hosted.command(*words, "--yes")
        assert cut.returncode != 0 and b"the answers so far have been kept" in cut.stdout + cut.stderr
        assert api.answered == 5
        api.most = 1000
        done = hosted.command(*words, "--yes")
        assert done.returncode == 0, done.stderr.decode()
        found = json.loads(done.stdout)
        assert api.answered == 2 * REQUESTS, "nothing is asked twice"
        assert found["labelled_by"] == "readers" and found["misread"]["k"] == 1
        assert found["cost"]["requests"] == 2 * REQUESTS
        assert found["cost"]["input_tokens"] and found["cost"]["output_tokens"] and found["cost"]["usd"] > 0


def test_a_key_at_hand_reads_nothing_where_other_readers_are_configured(place, kept):
    with Labelling(most=1000) as api:
        for backend, read in (("embedded", "signs"), ("auto", "readers")):
            configured = Place(place.root, {**api.env, "COMPASS_EVALUATOR__BACKEND": backend})
            assert told(configured, kept, "--yes")["labelled_by"] == read
            assert bool(api.answered) == (read == "readers")


def turn(number: int, *, session: str = "s", mean: float | None = None, refused: bool = False) -> SessionTurn:
    act = ("Edit a.py", "edit (reversible)", False)
    write = TurnWrite(f"c{number}", *act, refused, False, False, None, mean)
    said = (f"request {number}", "prior", "next")
    return SessionTurn(session, "/p", float(number), *said, False, writes=[write])


def findings(turns, labels, hand=None):
    return findings_of(turns, labels, hand or {}, LabelCost())


def labelled(found: SessionTurn, hindsight: Any, due: Any = "no") -> TurnLabel:
    calls = (found.writes[0].call,) if hindsight == "intent" else ()
    return TurnLabel(found.id, found.session, hindsight, due, calls, (found.writes[0].call,), "readers")


def test_the_curve_tells_what_each_cut_would_hold():
    turns = [turn(n, session=f"s{n % 4}", mean=0.3 if n < 4 else 0.8) for n in range(20)]
    labels = {one.id: labelled(one, "intent" if number < 4 else "fine") for number, one in enumerate(turns)}
    found = findings(turns, labels)
    by_cut = {one.cut: one for one in found.curve}
    assert (by_cut[0.25].caught.value, by_cut[0.25].interrupted.value) == (0.0, 0.0)
    half = by_cut[0.5]
    assert (half.caught.value, half.needless.value, half.interrupted.value) == (1.0, 0.0, 0.2)
    assert by_cut[0.85].needless.value == 1.0
    assert (found.misread.value, found.misread.n, found.misread.sessions) == (0.2, 20, 4)


def test_beside_readers_a_refusal_that_nobody_read_is_told_and_stands_in_no_rate():
    """Else whoever answers a part of the questions is told that nearly all was misread."""
    turns = [turn(n, session=f"s{n}", refused=n < 5) for n in range(20)]
    labels = {one.id: by_signs(one) if n < 10 else labelled(one, "fine") for n, one in enumerate(turns)}
    found = findings(turns, labels)
    assert (found.misread.k, found.misread.n, found.caught.n, len(found.telling)) == (0, 10, 0, 5)
    assert (alone := findings(turns[:10], labels)).labelled_by == "signs" and alone.misread.k == 5


def test_labels_by_hand_correct_the_rates_and_are_what_all_else_goes_by():
    turns = [turn(n, session=f"s{n // 5}", mean=0.3) for n in range(200)]
    labels = {one.id: labelled(one, "intent" if n % 7 < 2 else "fine") for n, one in enumerate(turns)}
    # Of what the readers call misread half is.
    meant: dict[str, Any] = {one.id: "y" if n % 7 == 0 else "n" for n, one in enumerate(turns)}
    drawn = sorted(meant)[:80]
    hand = {one: HandLabel(one, meant[one], "n", drawn=True) for one in drawn}
    found = findings(turns, labels, hand)
    assert found.misread.value == 58 / 200
    corrected = found.misread_corrected
    assert corrected.low < 1 / 7 < corrected.high < 0.27 and corrected.trust > 0.3
    assert corrected.answers == 80 and found.by_hand == 80
    assert found.due_corrected.value == 0.0 and 0 < found.due_corrected.high < 0.08
    assert found.caught.n < found.misread.k, "all else goes by the user's word"
    rest = {one: HandLabel(one, meant[one], "u", drawn=False) for one in sorted(meant)[80:]}
    every = findings(turns, labels, hand | rest).misread_corrected
    assert every.answers == 200
    half = 0.5 * (corrected.high - corrected.low)
    assert every.high - every.low < half, "what was chosen is known for sure"


def test_an_unsure_user_leaves_a_turn_open_and_a_yes_without_calls_means_all_writes():
    one = turn(1)
    fine = labelled(one, "fine", "yes")
    unsure = settled(fine, HandLabel(one.id, "u", "u", drawn=True))
    assert (unsure.hindsight, unsure.due, unsure.by) == ("unknown", "unknown", "hand")
    assert settled(labelled(one, "quality"), HandLabel(one.id, "n", "n", drawn=True)).hindsight == "quality"
    misread = settled(fine, HandLabel(one.id, "y", "n", drawn=True))
    assert (misread.hindsight, misread.due, misread.calls) == ("intent", "no", ())
    assert findings([one], {one.id: fine}, {one.id: HandLabel(one.id, "y", "n", drawn=True)}).acts


REFUSED_TURN, NEEDLESS = turn(1, refused=True), replace(turn(1), needless=True)
INTENT = '{"why": "x", "hindsight": "intent", "calls": [7, 1, 1, 0, "1"]}'


@corpus(
    ("one", "hindsight", "due", "label"),
    [
        # An answer that is none leaves the signs.
        *(
            (REFUSED_TURN, text, text, ("intent", "unknown", "signs", ("c1",)))
            for text in ("", "no idea", '{"hindsight": "great"}', '{"hindsight": ["intent"]}', '{"calls": 3}')
        ),
        # Calls that are not there are left out, and only a misread turn has any.
        (turn(1), f"so: {INTENT}", "", ("intent", "unknown", "readers", ("c1",))),
        (turn(1), '{"hindsight": "fine", "calls": [1]}', "", ("fine", "unknown", "readers", ())),
        # `compass: wrong` says that no question was due, whatever readers think.
        (NEEDLESS, INTENT, '{"due": "yes"}', ("fine", "no", "signs", ())),
    ],
)
def test_a_label_is_what_readers_answered_by_the_rules_of_labels(one, hindsight, due, label):
    found = label_of(one, {"hindsight": hindsight, "due": due})
    assert (found.hindsight, found.due, found.by, found.calls) == label
    assert label[2] == "readers" or found == by_signs(one)


def test_a_refusal_counts_more_than_wrong():
    assert by_signs(replace(REFUSED_TURN, needless=True)).hindsight == "intent"


def test_what_is_asked_goes_through_the_sanitizer_and_is_bounded():
    one = turn(1)
    one.said_next = "x" * 10_000
    seen = questions_of(one, lambda text, limit: f"<{text[:limit]}>")[0].user
    assert "<request 1>" in seen and "<Edit a.py>" in seen and "<prior>" in seen
    assert len(seen) < 5000


def test_labels_are_kept_by_turn_and_a_broken_line_is_named(tmp_path):
    path = tmp_path / "labels.jsonl"
    first, second = labelled(turn(1), "fine"), labelled(turn(2), "intent", "yes")
    path.write_text(write_labels(str(path), [first], TurnLabel))
    path.write_text(write_labels(str(path), [second, labelled(turn(1), "quality")], TurnLabel))
    read = [(one.hindsight, one.due) for one in read_labels(str(path), TurnLabel)]
    assert read == [("quality", "no"), ("intent", "yes")]
    path.write_text(path.read_text() + '{"turn": "x"}\n')
    with pytest.raises(ValueError, match="line 3"):
        read_labels(str(path), TurnLabel)


def test_what_was_typed_at_a_refusal_is_shown_to_who_knows_what_came_after_and_cleaned():
    one = turn(1, refused=True)
    one.writes[0] = replace(one.writes[0], refusal="not on this branch")
    seen, blind = questions_of(one, lambda text, _: text.upper())
    assert '1. EDIT A.PY (the user refused this call and said: "NOT ON THIS BRANCH")' in seen.user
    assert "BRANCH" not in blind.user

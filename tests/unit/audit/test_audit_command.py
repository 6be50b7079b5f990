"""`compass audit` as a process, at a pseudo-terminal and without one, over checks that the store kept."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from running.audited import recorded
from running.hookrun import MAIN, Place

from compass.joining.thresholds import standing_of
from evaluator.configuration.settings import build

SECONDS_MAX = 30.0
HOSTILE = "drop it\x1b]0;own\x07\x1b[2J\u202e\x9b31m now"
ASKED = "Should this write have been held"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    found = Place(tmp_path)
    recorded(found.state, found.project, 100)
    return found


class Terminal:
    """What a terminal showed, and keys typed into it."""

    def __init__(self, parent: int, process: subprocess.Popen[bytes]) -> None:
        self.parent, self.process = parent, process
        self.shown = ""

    def until(self, text: str) -> str:
        """What came up to and with `text`, from where the last call ended."""
        begun, deadline = self.shown, time.monotonic() + SECONDS_MAX
        while text not in self.shown:
            left = deadline - time.monotonic()
            assert left > 0 and select.select([self.parent], [], [], left)[0], (text, begun[-2000:])
            try:
                came = os.read(self.parent, 4096)
            except OSError:
                came = b""
            assert came, (text, self.shown[-2000:])
            self.shown += came.decode("utf-8", "replace")
        end = self.shown.index(text) + len(text)
        found, self.shown = self.shown[:end], self.shown[end:]
        return found

    def question(self) -> str:
        """The next case, once a key is waited for."""
        found = self.until(ASKED) + self.until("q quit")
        self.until("\n")
        # The key's mode follows the question; what is typed before it is dropped.
        deadline = time.monotonic() + SECONDS_MAX
        while _echoes(self.parent):
            assert time.monotonic() < deadline
            time.sleep(0.005)
        return found

    def press(self, key: str) -> None:
        os.write(self.parent, key.encode())

    def answer(self, key: str) -> str:
        found = self.question()
        self.press(key)
        return found

    def ended(self) -> str:
        rest = self.shown
        while True:
            try:
                came = os.read(self.parent, 4096)
            except OSError:
                break
            if not came:
                break
            rest += came.decode("utf-8", "replace")
        self.process.wait(SECONDS_MAX)
        return rest


def _echoes(descriptor: int) -> bool:
    import termios

    return bool(termios.tcgetattr(descriptor)[3] & termios.ICANON)


@contextmanager
def at_terminal(place: Place, *words: str) -> Iterator[Terminal]:
    parent, child = pty.openpty()
    env = {**place.environment(), "TERM": "xterm", "COLUMNS": "90"}
    with subprocess.Popen(
        [sys.executable, "-I", MAIN, "audit", *words],
        stdin=child, stdout=child, stderr=child, env=env, cwd=place.project, start_new_session=True,
    ) as process:  # fmt: skip
        os.close(child)
        try:
            yield Terminal(parent, process)
        finally:
            if process.poll() is None:
                process.kill()
            os.close(parent)


def document(place: Place, *words: str) -> Any:
    done = place.command("audit", "--json", *words)
    assert (done.returncode, done.stderr) == (0, b""), done
    return json.loads(done.stdout)


def progress(shown: str) -> str:
    found = re.search(r"(\d+ of \d+)", shown)
    assert found is not None, shown
    return found[1]


def target(shown: str) -> str:
    found = re.search(r"rm (src/file\d+\.py)", shown)
    assert found is not None, shown
    return found[1]


def test_a_session_asks_goes_back_quits_and_is_taken_up(place: Place) -> None:
    with at_terminal(place, "--sample", "6", "--seed", "3") as screen:
        first = screen.answer("n")
        assert progress(first) == "1 of 6"
        assert "You asked" in first and "delete file" in first and "There is file" in first
        assert "Bash: delete (destructive) src/file" in first
        second = screen.answer("y")
        assert progress(second) == "2 of 6" and target(second) != target(first)
        third = screen.answer("b")
        back = screen.answer("b")
        assert target(back) == target(second) and "You answered y" in back
        again = screen.answer("s")
        assert target(again) == target(first) and "You answered n" in again
        assert (progress(back), progress(again)) == ("2 of 6", "1 of 6")
        # The first is taken back, and the next question is the one that was left.
        onward = screen.answer("q")
        assert target(onward) == target(third)
        assert "still open" in screen.ended()
        assert screen.process.returncode == 0
    told = [json.loads(line) for line in kept(place, "audit.answers.jsonl").splitlines()]
    assert [one["answer"] for one in told] == ["n", "y", "s"]
    assert told[2]["write"] == told[0]["write"] != told[1]["write"]
    with at_terminal(place, "--sample", "6") as screen:
        resumed = screen.answer("q")
        assert progress(resumed) == "2 of 6" and target(resumed) == target(third)
        screen.ended()


def test_the_verdict_is_not_shown_before_the_answer(place: Place) -> None:
    with at_terminal(place, "--sample", "10") as screen:
        shown = "".join(screen.answer("n") for _ in range(10))
        rates = screen.ended()
    shown = shown.replace(ASKED, "").replace("should have been held", "")
    assert not re.search(r"\b(held|blocked|passed|failed|allow|deny|low_confidence)\b", shown)
    assert "Wrong blocks" in rates and "Misses" in rates and "%" in rates


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_no_answer_is_lost_however_it_ends(place: Place, ending: signal.Signals) -> None:
    with at_terminal(place, "--sample", "8") as screen:
        screen.answer("y")
        screen.answer("n")
        third = screen.question()
        os.kill(screen.process.pid, ending)
        screen.ended()
        assert screen.process.returncode == (130 if ending == signal.SIGINT else -ending)
    with at_terminal(place, "--sample", "8") as screen:
        resumed = screen.answer("q")
        assert progress(resumed) == "3 of 8" and target(resumed) == target(third)
        screen.ended()


def test_keys_that_are_no_answer_answer_nothing(place: Place) -> None:
    with at_terminal(place, "--sample", "8") as screen:
        screen.question()
        for key in ("x", "\x1b[D", "b"):
            screen.press(key)
            time.sleep(0.1)
        screen.press("q")
        screen.ended()
    assert not (folder(place) / "audit.answers.jsonl").exists()


def test_what_people_and_agents_said_cannot_steer_the_terminal(tmp_path: Path) -> None:
    place = Place(tmp_path)
    recorded(place.state, place.project, 20, request=HOSTILE)
    with at_terminal(place, "--sample", "4") as screen:
        shown = screen.answer("q")
        screen.ended()
    assert "drop it" in shown and "now" in shown
    for part in ("\x1b]0", "\x07", "\x1b[2J", "\u202e", "\x9b"):
        assert part not in shown


def folder(place: Place) -> Path:
    (found,) = (path.parent for path in (place.state / "compass").glob("*/audit.json"))
    return found


def kept(place: Place, name: str) -> str:
    path = folder(place) / name
    assert path.stat().st_mode & 0o777 == 0o600
    return path.read_text()


def test_without_a_terminal_questions_come_as_json_and_answers_from_a_file(place: Place) -> None:
    asked = document(place, "--sample", "20", "--seed", "1")
    assert asked["answered"] == 0 and asked["wrong_blocks"]["per_check"] is None
    assert len(asked["ask"]) == 20 and asked["judged_writes"] == 100
    assert not {"held", "wrong", "verdict"} & set(asked["ask"][0])
    answers = place.root / "answers.jsonl"
    answers.write_text(
        "".join(json.dumps({"write": one["id"], "answer": "n"}) + "\n" for one in asked["ask"])
    )
    found = document(place, "--sample", "20", "--answers", str(answers))
    assert found["answered"] == 20 and found["ask"] == []
    held = found["wrong_blocks"]
    assert held["answers"] == held["positives"] > 0
    assert found["misses"]["positives"] == 0
    assert held["per_check"]["low"] <= held["per_check"]["value"] <= held["per_check"]["high"]
    assert held["per_check"]["value"] == pytest.approx(0.2)
    assert kept(place, "audit.json") and kept(place, "audit.answers.jsonl").count("\n") == 20
    shown = place.command("audit").stdout.decode()
    assert "Wrong blocks" in shown and "Misses" in shown
    again = document(place, "--sample", "20")
    assert again["wrong_blocks"] == found["wrong_blocks"]


def test_the_same_seed_asks_the_same_questions(place: Place) -> None:
    first = document(place, "--seed", "9")["ask"]
    assert document(place, "--fresh", "--seed", "9")["ask"] == first
    assert document(place, "--fresh", "--seed", "10")["ask"] != first


def test_fresh_sets_answers_aside_and_loses_none(place: Place) -> None:
    one = document(place)["ask"][0]["id"]
    (place.root / "a.jsonl").write_text(json.dumps({"write": one, "answer": "y"}))
    assert document(place, "--answers", str(place.root / "a.jsonl"))["ask"]
    before = kept(place, "audit.answers.jsonl")
    assert document(place, "--fresh")["answered"] == 0
    (aside,) = folder(place).glob("audit.answers.jsonl.before-*")
    assert aside.read_text() == before


def test_a_file_with_one_bad_line_changes_nothing(place: Place) -> None:
    one = document(place)["ask"][0]["id"]
    file = place.root / "a.jsonl"
    for bad in ('{"write": "x"}', '{"write": "unknown", "answer": "y"}', "y"):
        file.write_text(json.dumps({"write": one, "answer": "y"}) + "\n" + bad + "\n")
        done = place.command("audit", "--answers", str(file))
        assert done.returncode == 1 and b"line 2" in done.stderr and b"Traceback" not in done.stderr
    assert document(place)["answered"] == 0


def test_a_torn_line_and_a_spoilt_plan_are_survived(place: Place) -> None:
    one = document(place)["ask"][0]["id"]
    answers = folder(place) / "audit.answers.jsonl"
    answers.write_text(json.dumps({"write": one, "answer": "y"}) + '\n{"write": "che')
    assert len(document(place)["ask"]) == 79
    (folder(place) / "audit.json").write_text("{")
    done = place.command("audit", "--json")
    assert (
        done.returncode == 1 and b"--fresh` begins anew, and keeps what you answered beside it" in done.stderr
    )
    assert len(document(place, "--fresh")["ask"]) == 80


def test_what_is_recorded_later_joins_no_audit_that_has_begun(place: Place) -> None:
    document(place)
    recorded(place.state, place.project, 150)
    assert document(place)["judged_writes"] == 100
    assert document(place, "--fresh")["judged_writes"] == 150


def test_where_nothing_was_judged_it_says_what_to_do(tmp_path: Path) -> None:
    place = Place(tmp_path)
    done = place.command("audit")
    assert done.returncode == 1 and b"no judged write" in done.stderr and b"TRANSCRIPT" in done.stderr


def test_an_agent_may_not_answer(place: Place) -> None:
    place.env["CLAUDECODE"] = "1"
    done = place.command("audit", "--json")
    assert done.returncode == 1 and b"for you alone" in done.stderr
    assert not list((place.state / "compass").glob("*/audit*"))


def test_thresholds_are_set_by_a_yes_at_the_terminal_and_by_nothing_else(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.env["COMPASS_EVALUATOR__BACKEND"] = "embedded"
    recorded(place.state, place.project, 400, who=standing_of(build({}), "embedded"))
    file = place.root / "a.jsonl"
    file.write_text(
        "".join(
            json.dumps({"write": one["id"], "answer": "n" if int(one["id"][-4:]) % 5 else "y"}) + "\n"
            for one in document(place, "--sample", "400")["ask"]
        )
    )
    document(place, "--sample", "400", "--answers", str(file))
    thresholds = folder(place) / "thresholds.json"
    for key, word, there in (("\n", "Nothing was set", False), ("yes\n", "Set in", True)):
        with at_terminal(place, "--sample", "400") as screen:
            assert "the distance of each score from the thresholds" in screen.until("[y/N] ")
            screen.press(key)
            assert word in screen.ended()
        assert thresholds.exists() is there
    with at_terminal(place, "--sample", "400") as screen:
        assert "in force since" in screen.ended()


def test_another_audit_of_the_project_waits_its_turn(place: Place) -> None:
    with at_terminal(place) as screen:
        screen.question()
        done = place.command("audit", "--json")
        assert done.returncode == 1 and b"another `compass audit`" in done.stderr
        screen.press("q")
        screen.ended()

"""`compass try` as a process: what the gate really answers to an answer, and that nothing is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from corpora import corpus
from running import forked
from running.hookrun import MAIN

from compass.commands.try_out import DRAFTS, NOTE_LINE, PlayedSession, aim, readings_in, scratch

OLD, NEW = DRAFTS
WIDTH = 80


class Walked:
    """The finished process, and what of the machine it was given to spoil."""

    def __init__(self, root: Path) -> None:
        self.temporary, self.home, self.project = root / "tmp", root / "home", root / "project"
        for folder in (self.temporary, self.home, self.project):
            folder.mkdir()
        (self.project / OLD).write_text("the user's own\n")

    @property
    def env(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "TMPDIR": str(self.temporary),
            "COMPASS_MODE": "observe", "COMPASS_ENABLED": "false",
        }  # fmt: skip

    def run(self, answers: str, *words: str) -> str:
        return self.ended(forked.command(MAIN, self.env, "try", *words), answers)

    def ended(self, command: list[str], answers: str) -> str:
        done = subprocess.run(
            command, input=answers.encode("utf-8", "surrogateescape"),
            capture_output=True, env=self.env, cwd=self.project, timeout=60, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        self.nothing_is_left()
        return done.stdout.decode()

    def steps(self, answers: str) -> list[tuple[str, str]]:
        return [(step["kind"], step["text"]) for step in json.loads(self.run(answers, "--json"))]

    def nothing_is_left(self) -> None:
        assert list(self.temporary.iterdir()) == []
        assert list(self.home.iterdir()) == []
        assert [path.name for path in self.project.iterdir()] == [OLD]


def new_walked(tmp_path: Path) -> Walked:
    return Walked(tmp_path)


walked = pytest.fixture(new_walked, name="walked")


def first_step(steps: list[tuple[str, str]]) -> list[tuple[str, str]]:
    second = next(at for at, (kind, text) in enumerate(steps) if kind == "step" and text.startswith("2."))
    return steps[:second]


def outcomes(steps: list[tuple[str, str]]) -> list[str]:
    return [text for kind, text in steps if kind == "outcome"]


def test_the_person_is_shown_the_readings_and_the_write_is_held(walked: Walked) -> None:
    steps = first_step(walked.steps(""))
    ((_, told),) = [step for step in steps if step[0] == "shown"]
    assert told.startswith("Compass held back")
    assert [OLD in line or NEW in line for line in readings_in(told)][:2] == [True, True]
    assert [text for _, text in steps if text.startswith("Answer as you would in Claude Code: ")]
    assert outcomes(steps) == [f"Kept: {OLD} and {NEW}."]


RAN_OLD, RAN_NEW = (
    [f"It ran: {ran} has been deleted.", f"Kept: {kept}."] for ran, kept in (DRAFTS, DRAFTS[::-1])
)
KEPT = [f"Kept: {OLD} and {NEW}."]


@pytest.mark.spread(4)
@pytest.mark.parametrize(
    ("answers", "ended"),
    [
        ("compass: proceed\n", RAN_OLD),
        ("2\n", RAN_NEW),
        (f"hm?\ndelete {NEW}\n", RAN_NEW),
        ("\n", KEPT),
        ("\udcff\x1b[31m\n", KEPT),
        ("ja" * 3000 + "\n", KEPT),
        ("no\n2\n", KEPT),
        ("leave it\n2\n", KEPT),
    ],
)
def test_what_an_answer_releases_is_really_deleted_and_nothing_else(
    walked: Walked, answers: str, ended: list[str]
) -> None:
    assert outcomes(first_step(walked.steps(answers))) == ended


def test_a_cancelled_write_is_tried_again_and_denied(walked: Walked) -> None:
    steps = first_step(walked.steps("compass: cancel\n"))
    assert steps[-1] == ("outcome", f"Kept: {OLD} and {NEW}.")
    runs = [at for at, step in enumerate(steps) if step == ("agent", f"runs: rm {OLD}")]
    assert len(runs) == 2
    assert "cancelled" in next(text for kind, text in steps[runs[1] :] if kind == "shown")


def test_a_clear_write_runs_silently(walked: Walked) -> None:
    steps = walked.steps("")
    rest = steps[len(first_step(steps)) :]
    assert outcomes(rest) == [f'Compass says nothing. notes.md contains "{NOTE_LINE}".']
    assert "`compass init`" in rest[-1][1]


def test_the_plain_walk_fits_a_narrow_terminal_and_acts_on_none(walked: Walked) -> None:
    out = walked.run("\x1b[31mboo\x07" + "x " * 100 + "\n")
    assert max(map(len, out.splitlines())) <= WIDTH
    assert "\x1b" not in out and "\x07" not in out
    assert "you> " in out


def test_who_leaves_early_leaves_nothing_behind(walked: Walked) -> None:
    ours, theirs = os.openpty()
    try:
        with subprocess.Popen(
            forked.command(MAIN, walked.env, "try"),
            stdin=theirs, stdout=theirs, stderr=theirs, env={**walked.env, "TERM": "dumb"}, cwd=walked.project,
        ) as process:  # fmt: skip
            shown = b""
            while b"you> " not in shown:
                shown += os.read(ours, 4096)
            assert list(walked.temporary.iterdir()) != []
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
    finally:
        os.close(ours)
        os.close(theirs)
    walked.nothing_is_left()


def test_what_is_told_is_what_the_gate_answers() -> None:
    """With the gate off nothing is held: the walk has no answer of its own."""
    with scratch() as made:
        path = next(Path(made.home).rglob("settings.json"))
        settings = json.loads(path.read_text())
        for name in DRAFTS:
            made.put(name, "x\n")

        def ask(session: str) -> bool:
            talk = PlayedSession(made, session)
            talk.user("What is here?")
            talk.agent(f"There are two drafts: {OLD} is the older one, {NEW} the newer.")
            talk.user("Just delete it.")
            return talk.call("Bash", {"command": f"rm {OLD}"}, lambda: None).denied

        assert ask("on")
        path.write_text(json.dumps({**settings, "enabled": False}))
        assert not ask("off")
    assert not Path(made.project).exists()


@corpus(
    ("answer", "aimed"),
    [("2", NEW), ("1.", OLD), ("9", OLD), ("", OLD), ("the second", NEW), (f"{NEW} please", NEW)],
)
def test_the_scripted_agent_goes_for_what_the_answer_names(answer: str, aimed: str) -> None:
    assert aim(answer, [f"delete {OLD}", f"delete {NEW}", "something else"], OLD) == aimed

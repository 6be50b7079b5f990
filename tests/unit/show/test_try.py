"""`compass try`, `compass demo` and the tutorial, as somebody new meets them."""

import json
import os
import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest
from corpora import corpus
from repository import FIXTURES, ROOT
from running import forked
from running.hookrun import MAIN, Place, denial
from samples.recordings import CLEAR, Recording

from calibration.cases.sources import case_rows
from compass.cli import main
from compass.commands import demo
from compass.commands.try_out import DRAFTS, NOTE_LINE, PlayedSession, aim, readings_in, scratch

OLD, NEW = DRAFTS


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

    def first_step(self, answers: str) -> list[tuple[str, str]]:
        steps = self.steps(answers)
        second = next(at for at, (kind, text) in enumerate(steps) if kind == "step" and text[:2] == "2.")
        return steps[:second]

    def nothing_is_left(self) -> None:
        assert [*self.temporary.iterdir(), *self.home.iterdir()] == []
        assert [path.name for path in self.project.iterdir()] == [OLD]


@pytest.fixture
def walked(tmp_path):
    return Walked(tmp_path)


def outcomes(steps: list[tuple[str, str]]) -> list[str]:
    return [text for kind, text in steps if kind == "outcome"]


def test_the_person_is_shown_the_readings_and_the_write_is_held(walked):
    steps = walked.first_step("")
    ((_, told),) = [step for step in steps if step[0] == "shown"]
    assert told.startswith("Compass held back")
    assert [OLD in line or NEW in line for line in readings_in(told)][:2] == [True, True]
    assert [text for _, text in steps if text.startswith("Answer as you would in Claude Code: ")]
    assert outcomes(steps) == [f"Kept: {OLD} and {NEW}."]


RAN_OLD = [f"It ran: {OLD} has been deleted.", f"Kept: {NEW}."]
RAN_NEW = [f"It ran: {NEW} has been deleted.", f"Kept: {OLD}."]
KEPT = [f"Kept: {OLD} and {NEW}."]


@pytest.mark.spread(4)
@pytest.mark.parametrize(
    ("answers", "ended"),
    [
        ("compass: proceed\n", RAN_OLD), ("2\n", RAN_NEW), (f"hm?\ndelete {NEW}\n", RAN_NEW), ("\n", KEPT),
        ("\udcff\x1b[31m\n", KEPT), ("ja" * 3000 + "\n", KEPT), ("no\n2\n", KEPT), ("leave it\n2\n", KEPT),
    ],
)  # fmt: skip
def test_what_an_answer_releases_is_really_deleted_and_nothing_else(walked, answers, ended):
    assert outcomes(walked.first_step(answers)) == ended


def test_a_cancelled_write_is_tried_again_and_denied(walked):
    steps = walked.first_step("compass: cancel\n")
    assert steps[-1] == ("outcome", f"Kept: {OLD} and {NEW}.")
    runs = [at for at, step in enumerate(steps) if step == ("agent", f"runs: rm {OLD}")]
    assert len(runs) == 2
    assert "cancelled" in next(text for kind, text in steps[runs[1] :] if kind == "shown")


def test_a_clear_write_runs_silently(walked):
    rest = walked.steps("")[len(walked.first_step("")) :]
    assert outcomes(rest) == [f'Compass says nothing. notes.md contains "{NOTE_LINE}".']
    assert "`compass init`" in rest[-1][1]


def test_the_plain_walk_fits_a_narrow_terminal_and_acts_on_none(walked):
    out = walked.run("\x1b[31mboo\x07" + "x " * 100 + "\n")
    assert max(map(len, out.splitlines())) <= 80
    assert "\x1b" not in out and "\x07" not in out and "you> " in out


def test_who_leaves_early_leaves_nothing_behind(walked):
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


def test_what_is_told_is_what_the_gate_answers():
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
def test_the_scripted_agent_goes_for_what_the_answer_names(answer, aimed):
    assert aim(answer, [f"delete {OLD}", f"delete {NEW}", "something else"], OLD) == aimed


DEMO = FIXTURES / "demo"


def test_there_are_answers_to_each_exchange_that_readers_are_asked_about():
    known = demo.answers(DEMO / "readers.jsonl")
    assert set(known) == {row["id"] for row in case_rows(DEMO / "rows.jsonl")} - {"demo-e"}
    assert all(len(samples) == 5 and all(one.valid for one in samples) for samples in known.values())


@pytest.mark.parametrize("columns", [80, 40])
def test_it_fits_on_a_screen_with_the_prompt_below_and_says_what_is_recorded(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert max(map(len, lines)) <= columns and len(lines) <= (23 if columns == 80 else 32)
    assert out.count("  readers ") == 4 and out.count("  rules ") == 5 and "recorded" in out
    assert {"held", "passed", "runs"} <= set(out.split()) and "Just delete it." in out
    assert "\x1b" not in out and "expect" not in out


def test_every_shipped_exchange_ends_as_it_should(capsys):
    """What is expected is the tests' own: the command does not speak of it."""
    assert main(["demo", "--all", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    chosen = "reply_to_question_pattern"
    judged = {item["id"]: item if item["reason"] == chosen else item["readers"] or item for item in found}
    meant = {"blocked": ("failed",), "evaluated": ("passed", "failed")}
    for row in case_rows(DEMO / "rows.jsonl"):
        expected = str(row["expect"])
        assert judged[str(row["id"])]["verdict"] in meant.get(expected, (expected,)), row["id"]


TEXT = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(sh|text)\n(.*?)^```$", TEXT, re.M | re.S)


class Machine(Place):
    """Nothing of Compass is set but that no service outlives the test."""

    def environment(self) -> dict[str, str]:
        set_already = ("COMPASS_ENABLED", "COMPASS_EVALUATOR__BACKEND")
        return {name: value for name, value in super().environment().items() if name not in set_already}


@pytest.fixture
def place(tmp_path):
    """A project with history and a recorded session, and a machine that nobody set up: `init` turns the gate on."""
    made = Machine(tmp_path)
    who = ("-c", "user.name=dev", "-c", "user.email=dev@example.com")
    subprocess.run(["git", "init", "-q"], cwd=made.project, check=True)
    for text, message in ("x", "Add sum.py"), ("total", "Rename the variable x to total in sum.py"):
        (made.project / "sum.py").write_text(f"{text} = 0\n")
        for words in (("add", "sum.py"), (*who, "commit", "-q", "-m", message)):
            subprocess.run(["git", *words], cwd=made.project, check=True)
    recording = Recording(str(made.project))
    recording.prompt(CLEAR, "p1")
    recording.write_of("notes.txt", "t1")
    recording.says("Done.")
    folder = tmp_path / "home/.claude/projects/-your-project"
    recording.save(folder, "0d3f1a52-0000-4000-8000-000000000000")
    return made


def test_try_shows_what_the_tutorial_shows(place):
    (shown,) = [text for kind, text in BLOCKS if kind == "text"]
    told = place.command("try", stdin=b"2\n").stdout.decode()
    assert "\n".join(shown.splitlines()[:-1]) in told and shown.splitlines()[-1] == "you>"
    assert "It ran: draft-2024.md has been deleted." in told


@pytest.mark.timeout(300)
def test_its_commands_run_one_after_another(place):
    typed = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
    lines = [line.partition("#")[0].strip() for line in typed if line.startswith("compass ")]
    assert [shlex.split(line)[1] for line in lines] == [
        "try", "init", "doctor", "replay", "log", "explain", "status", "hindsight", "calibrate", "init",
    ]  # fmt: skip
    for line in lines:
        words = [word.replace("~", str(place.root / "home")) for word in shlex.split(line)[1:]]
        if words[0] == "log":
            place.say(CLEAR)
            assert denial(call_write(place, "toolu_1")) is None
        done = place.command(*words, stdin=b"2\n")
        told = done.stdout.decode() + done.stderr.decode()
        assert done.returncode == 0, (line, told)
        assert SAID[words[0]] in told, (line, told)
    assert denial(call_write(place, "toolu_2")) is None
    assert b"enforce" in place.command("config", "get", "mode").stdout


SAID = {
    "try": "Compass held back", "init": "Compass is wired into Claude Code", "doctor": "nothing is blocked",
    "replay": "1 session, 1 tool call, 1 write", "log": "notes.txt", "explain": "notes.txt", "status": "observe",
    "hindsight": "1 session",
    "calibrate": "The gate in force",
}  # fmt: skip
"""What tells that a command did its work."""


def call_write(place: Place, number: str) -> subprocess.CompletedProcess[bytes]:
    given = {"file_path": str(place.project / "notes.txt"), "content": "hello\n"}
    return place.hook("pre-tool-use", place.payload("Write", given, tool_use_id=number))

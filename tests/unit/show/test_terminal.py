"""What people are shown, in a terminal or by the agent's host: nothing in it poses as something else."""

from __future__ import annotations

import json

import pytest
from apis.loopback_api import LoopbackApi, answer, reply
from corpora import corpus
from played.client import Conversation
from played.replied import ScriptedReaders, machine_of
from running.hookrun import Place, denial, readers_at

from compass.show import terminal
from evaluator.model import PendingWrite
from evaluator.trigger.calls import SHOWN_CHARS_MAX, display_target

HOSTILE = "\x1b]0;own\x07\x1b[2J[/bold][red]\u202e\x9b31m"
FOLDER = "a\x1b]0;own\x07\x1b[2J\u202eb"
PENDING = PendingWrite("claude-code", "s", "Bash", {}, "/p", "/p")


@corpus("name", ["a\n  1. yes", "a\rb", HOSTILE, "a\u2028b", "x" * 100_000, "\ud800"])
def test_a_target_is_named_on_one_bounded_line(name: str) -> None:
    shown = display_target(PENDING, (f"/p/src/{name}.py", "/p/b"))
    assert shown.isprintable()
    assert len(shown.splitlines()) == 1
    assert len(shown) < SHOWN_CHARS_MAX + 20
    assert shown.endswith(".py (+1 more)")


def test_a_confirmation_names_what_was_held_without_control_characters(tmp_path) -> None:
    with machine_of(tmp_path, "shop", ScriptedReaders(["write this", "write that"])) as machine:
        talk = Conversation(machine, "held", attended=True)
        talk.begins()
        talk.user("Write it down.")
        given = {"file_path": str(machine.project / f"a{HOSTILE.replace('/', '')}.py"), "content": "x"}
        talk.fire(talk.call("Write", given, None, ""))
        for said, start in (("compass: status", "Compass: mode"), ("compass: proceed", "Compass: allowed")):
            printed = json.loads(talk.user(said))
            told = printed.get("systemMessage") or printed["stopReason"]
            assert told.startswith(start) and ".py" in told
            assert told.replace("\n", "").isprintable()


def test_explain_sends_no_control_characters_to_the_terminal(tmp_path) -> None:
    place = Place(tmp_path)
    with LoopbackApi() as api:
        api.default = reply(
            answer(0.1, target=f"{HOSTILE}\n2. evil", rationale=HOSTILE, rival=f"[/nope]{HOSTILE}")
        )
        place.env |= readers_at(api.url)
        place.say(f"Just delete {HOSTILE} it", prior=f"{HOSTILE} src/old_auth.py and src/a.py")
        reason = denial(place.hook("pre-tool-use", place.payload("Bash", {"command": f"rm 'a{HOSTILE}.py'"})))
    assert reason is not None
    assert reason.replace("\n", "").isprintable()
    shown = place.command("explain")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.decode().replace("\n", "").isprintable()


@corpus(
    ("words", "code"),
    [
        (("config", "list"), 0),
        (("config", "set", "cooldown.seconds", "60"), 0),
        (("doctor",), None),
        (("init", "--yes"), 0),
        (("init", "--uninstall"), 0),
        (("status",), 0),
        (("trust",), 0),
        (("log",), 0),
    ],
)
def test_a_projects_folder_may_bear_any_name(tmp_path, words, code) -> None:
    place = Place(tmp_path)
    folder = place.project / FOLDER
    (folder / ".claude").mkdir(parents=True)
    (folder / ".claude" / "settings.json").write_text(
        '{"compass": {"cooldown": {"seconds": 3}, "enabled": false}}'
    )
    place.env["CLAUDE_PROJECT_DIR"] = str(folder)
    done = place.command(*words)
    assert code in (None, done.returncode), done.stderr
    said = (done.stdout + done.stderr).decode()
    assert said.strip()
    assert said.replace("\n", "").isprintable(), said


def test_long_work_tells_how_far_it_is_without_a_terminal_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter((0.0, 1.0, 2.0, 12.0, 12.0, 23.0, 23.0))
    monkeypatch.setattr("compass.show.terminal.time.monotonic", lambda: next(moments))
    with terminal.progress("judging", 200, quiet=False) as reach:
        advance = terminal.in_steps(reach)
        for more in (20, 40, 10, 30):
            advance(more)
    assert capsys.readouterr().err.splitlines() == ["judging: 35 %", "judging: 50 %"]

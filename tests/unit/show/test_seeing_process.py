"""The commands that show what the gate did, as processes over checks that real hooks kept."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi, answer, reply
from corpora import corpus
from played.client import Conversation
from played.replied import ScriptedReaders, machine_of
from rich.cells import cell_len
from running.hookrun import AMBIGUOUS, Place, denial, readers_at

from compass.show import terminal
from evaluator.model import PendingWrite
from evaluator.trigger.calls import SHOWN_CHARS_MAX, display_target

FILE = "a\x1b]0;own\x07\x1b[2J\u202e\x9b31m.py"
DELETION = {"command": "rm src/old_auth.py"}


def new_place(tmp_path: Path) -> Place:
    return Place(tmp_path, {"COLUMNS": ""})


place = pytest.fixture(new_place, name="place")


def hook(place: Place, event: str, **given: Any) -> None:
    payload = {"session_id": "session-1", "cwd": str(place.project), "hook_event_name": event, **given}
    assert place.hook(event, payload).returncode == 0


def ask(place: Place, *messages: str, prior: str = "") -> None:
    place.say(*messages, prior=prior)
    hook(place, "user-prompt-submit", prompt=messages[-1], prompt_id="prompt-1")


def write(place: Place, name: str, number: str = "toolu_1", *, succeeds: bool = True) -> str | None:
    given = {"file_path": str(place.project / name), "content": "x\n"}
    reason = denial(place.hook("pre-tool-use", place.payload("Write", given, tool_use_id=number)))
    if reason is None and succeeds:
        (place.project / name).write_text("x\n")
        said = {"tool_name": "Write", "tool_input": given, "tool_use_id": number, "tool_response": {}}
        hook(place, "post-tool-use", **said)
    return reason


def delete(place: Place) -> str | None:
    return denial(place.hook("pre-tool-use", place.payload("Bash", DELETION, tool_use_id="toolu_3")))


@pytest.fixture(scope="module")
def used_once(tmp_path_factory):
    """One write ran, one was held, one needed no judgement."""
    root = tmp_path_factory.mktemp("used") / "root"
    place = new_place(root)
    hook(place, "session-start", source="startup")
    ask(place, "Create notes.txt that says hello")
    assert write(place, "notes.txt") is None
    assert write(place, "poetry.lock", "toolu_2") is None
    ask(place, AMBIGUOUS[0], prior=AMBIGUOUS[1])
    assert delete(place) is not None
    shutil.copytree(root, root.with_name("kept"))
    return place


@pytest.fixture
def used(used_once):
    yield used_once
    used_once.env = {"COLUMNS": ""}
    shutil.rmtree(used_once.root)
    shutil.copytree(used_once.root.with_name("kept"), used_once.root)


def lines(place: Place, *words: str) -> list[str]:
    done = place.command(*words)
    assert (done.returncode, done.stderr) == (0, b""), done
    return done.stdout.decode().splitlines()


def document(place: Place, *words: str) -> Any:
    return json.loads("\n".join(lines(place, *words, "--json")))


@corpus(
    "words",
    ["status", "log", "log --all --held", "explain", "explain 01", "why a.py", "statusline"],
    each={"place": new_place},
)
def test_where_nothing_is_recorded_a_command_says_so_and_leaves_nothing_behind(place, words):
    place.state.rmdir()
    done = place.command(*words.split())
    said = (done.stdout + done.stderr).decode()
    assert "Traceback" not in said
    assert "nothing recorded yet" in said or "no hook has run" in said or "no check '01'" in said
    assert not place.state.exists()


def test_the_log_has_a_line_a_check_in_eighty_columns(used):
    found = lines(used, "log")
    assert [line.split()[2:4] for line in found] == [
        ["skipped", "notes.txt"], ["skipped", "poetry.lock"], ["held", "src/old_auth.py"],
    ]  # fmt: skip
    assert all(cell_len(line) <= 80 for line in found)
    assert [line.split() for line in lines(used, "log", "-n", "1")] == [found[2].split()]
    held = lines(used, "log", "--held")
    assert held[0].split() == found[2].split() and held[1] == '    you said: "Just delete it."'
    assert "Compass held back: delete src/old_auth.py" in " ".join(line.strip() for line in held[2:])
    assert all(cell_len(line) <= 80 for line in held)
    assert lines(used, "log", "--all") == lines(used, "log", "--project", str(used.project)) == found
    (only,) = [json.loads(line) for line in lines(used, "log", "--held", "--json")]
    assert (only["decision"], only["targets"]) == ("deny", [str(used.project / "src/old_auth.py")])
    assert only["duration_ms"] >= 0


def test_explain_tells_of_this_projects_last_check_and_of_one_by_its_id(used, tmp_path):
    ids = [json.loads(line)["check_id"] for line in lines(used, "log", "--json")]
    assert document(used, "explain")["check_id"] == ids[-1]
    assert document(used, "explain", ids[0])["check_id"] == ids[0]
    used.env |= {"CLAUDE_PROJECT_DIR": str(tmp_path), "COLUMNS": "1000"}
    done = used.command("explain")
    assert (done.returncode, f"no checks in {tmp_path} yet".encode() in done.stderr) == (1, True)


def test_why_tells_which_request_a_write_came_from(used):
    (found,) = document(used, "why", "notes.txt")
    assert found["request"][-1] == "Create notes.txt that says hello"
    assert (found["operation"], found["decision"]) == ("create", "allow")
    told = "\n".join(lines(used, "why", str(used.project / "notes.txt")))
    assert "Create notes.txt that says hello" in told and "Write: create (skipped)" in told
    held = used.command("why", "src/old_auth.py")
    assert (held.returncode, b"was held" in held.stderr) == (1, True)


def test_status_counts_what_became_of_the_calls(used):
    found = document(used, "status")
    assert (found["mode"], found["backend"], found["checks"]) == ("enforce", "embedded", 3)
    assert (found["passed"], found["held"]) == (0, 1)
    assert found["unjudged"] == {"insufficient_context": 1, "skip_glob": 1}
    assert [one["reason"] for one in found["last"]][1] == "skip_glob"
    assert found["holds"] is False and "compass init" in found["faults"][0]
    told = "\n".join(lines(used, "status"))
    assert "but the gate would not work" in told and "compass doctor" in told
    assert "3 checked: 0 passed, 1 held, 2 ran unjudged" in told


def test_status_of_a_wired_project_holds(used):
    used.env["COMPASS_MODE"] = "enforce"
    assert used.command("init", "--enforce", "--yes").returncode == 0
    found = document(used, "status")
    assert (found["holds"], found["faults"]) == (True, [])
    assert "compass explain" in found["next"]
    assert document(used, "status", str(used.project))["checks"] == 3


def test_what_was_named_reaches_no_terminal_as_a_control(used):
    ask(used, f"Create {FILE} with x in it")
    write(used, FILE, "toolu_6")
    for words in (["log"], ["status"], ["why", FILE], ["why", f"{FILE}-none"], ["explain", FILE]):
        done = used.command(*words)
        assert (done.stdout + done.stderr).decode().replace("\n", "").isprintable(), words


# What ran, in observe mode or in a headless session, is never said to have been held

RAN = "would have been held; it ran"


@pytest.fixture
def observed(place):
    place.env = {"COMPASS_MODE": "observe"}
    place.say(AMBIGUOUS[0], prior=AMBIGUOUS[1])
    return place


def explained(place: Place) -> str:
    """What `explain` shows of the newest check; fails where it claims that what ran was held."""
    shown = place.command("explain").stdout.decode()
    message: str = json.loads(place.command("explain", "--json").stdout)["message"] or ""
    for claim in ("Nothing was written", "Still held", "Compass held back", "stays denied"):
        assert claim not in shown and claim not in message
    assert "Compass would have held back: delete src/old_auth.py" in message and "it ran" in message
    assert RAN in shown
    return message


def test_a_block_that_was_only_watched(observed):
    assert delete(observed) is None
    explained(observed)
    payload = json.dumps(observed.payload("Bash", DELETION)).encode()
    shown = observed.command("check", "--payload", "-", stdin=payload).stdout.decode()
    assert "Nothing was written" not in shown and RAN in shown


@pytest.mark.parametrize("word", ["", "compass: cancel"])
def test_what_was_held_before_the_mode_was_switched(observed, word):
    observed.env["COMPASS_MODE"] = "enforce"
    assert delete(observed) is not None
    if word:
        ask(observed, AMBIGUOUS[0], word, prior=AMBIGUOUS[1])
    observed.env["COMPASS_MODE"] = "observe"
    assert delete(observed) is None
    why = "the user had cancelled it" if word else "it was held before, and nobody has released it"
    assert why in explained(observed)


def test_what_passed_because_nobody_attends(observed):
    observed.env |= {"COMPASS_MODE": "enforce", "COMPASS_INTERVENTION__HEADLESS": "pass"}
    assert delete(observed) is None
    assert "this session is unattended" in explained(observed)


# Nothing that is shown, in a terminal or by the agent's host, poses as something else

HOSTILE = "\x1b]0;own\x07\x1b[2J[/bold][red]\u202e\x9b31m"
PENDING = PendingWrite("claude-code", "s", "Bash", {}, "/p", "/p")


@corpus("name", ["a\n  1. yes", "a\rb", HOSTILE, "a\u2028b", "x" * 100_000, "\ud800"])
def test_a_target_is_named_on_one_bounded_line(name):
    shown = display_target(PENDING, (f"/p/src/{name}.py", "/p/b"))
    assert shown.isprintable() and len(shown.splitlines()) == 1
    assert len(shown) < SHOWN_CHARS_MAX + 20 and shown.endswith(".py (+1 more)")


def test_a_confirmation_names_what_was_held_without_control_characters(tmp_path):
    with machine_of(tmp_path, "shop", ScriptedReaders(["write this", "write that"])) as machine:
        talk = Conversation(machine, "held", attended=True)
        talk.begins()
        talk.user("Write it down.")
        given = {"file_path": str(machine.project / f"a{HOSTILE.replace('/', '')}.py"), "content": "x"}
        talk.fire(talk.call("Write", given, None, ""))
        for said, start in (("compass: status", "Compass: mode"), ("compass: proceed", "Compass: allowed")):
            printed = json.loads(talk.user(said))
            told = printed.get("systemMessage") or printed["stopReason"]
            assert told.startswith(start) and ".py" in told and told.replace("\n", "").isprintable()


def test_explain_sends_no_control_characters_to_the_terminal(tmp_path):
    here = Place(tmp_path)
    with LoopbackApi() as api:
        said = {"target": f"{HOSTILE}\n2. evil", "rationale": HOSTILE, "rival": f"[/nope]{HOSTILE}"}
        api.default = reply(answer(0.1, **said))
        here.env |= readers_at(api.url)
        here.say(f"Just delete {HOSTILE} it", prior=f"{HOSTILE} src/old_auth.py and src/a.py")
        reason = denial(here.hook("pre-tool-use", here.payload("Bash", {"command": f"rm 'a{HOSTILE}.py'"})))
    assert reason is not None and reason.replace("\n", "").isprintable()
    shown = here.command("explain")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.decode().replace("\n", "").isprintable()


@corpus(
    "words",
    [
        "config list", "config set cooldown.seconds 60", "doctor", "init --yes", "init --uninstall", "status",
        "trust", "log",
    ],
)  # fmt: skip
def test_a_projects_folder_may_bear_any_name(tmp_path, words):
    here = Place(tmp_path)
    folder = here.project / "a\x1b]0;own\x07\x1b[2J\u202eb"
    (folder / ".claude").mkdir(parents=True)
    settings = '{"compass": {"cooldown": {"seconds": 3}, "enabled": false}}'
    (folder / ".claude" / "settings.json").write_text(settings)
    here.env["CLAUDE_PROJECT_DIR"] = str(folder)
    done = here.command(*words.split())
    assert words == "doctor" or done.returncode == 0, done.stderr
    said = (done.stdout + done.stderr).decode()
    assert said.strip() and said.replace("\n", "").isprintable(), said


def test_long_work_tells_how_far_it_is_without_a_terminal_too(capsys, monkeypatch):
    moments = iter((0.0, 1.0, 2.0, 12.0, 12.0, 23.0, 23.0))
    monkeypatch.setattr("compass.show.terminal.time.monotonic", lambda: next(moments))
    with terminal.progress("judging", 200, quiet=False) as reach:
        advance = terminal.in_steps(reach)
        for more in (20, 40, 10, 30):
            advance(more)
    assert capsys.readouterr().err.splitlines() == ["judging: 35 %", "judging: 50 %"]

"""What people are shown of a call, in a terminal or by the agent's host: nothing in it poses as something else."""

from __future__ import annotations

import json

from apis.loopback_api import LoopbackApi, answer, reply
from corpora import corpus
from played.client import Conversation
from played.replied import ScriptedReaders, machine_of
from running.hookrun import Place, denial, readers_at

from evaluator.model import PendingWrite
from evaluator.trigger.exemptions import SHOWN_CHARS_MAX, display_target

HOSTILE = "\x1b]0;own\x07\x1b[2J[/bold][red]\u202e\x9b31m"
PENDING = PendingWrite("claude-code", "s", "Bash", {}, "/p", "/p")


@corpus("name", ["a\n  1. yes", "a\rb", HOSTILE, "a\u2028b", "x" * 100_000, "\ud800"])
def test_a_target_is_named_on_one_bounded_line(name: str) -> None:
    shown = display_target(PENDING, (f"/p/src/{name}.py", "/p/b"))
    assert shown.isprintable()
    assert len(shown.splitlines()) == 1
    assert len(shown) < SHOWN_CHARS_MAX + 20
    assert shown.endswith(".py (+1 more)")


def test_an_ordinary_target_is_named_as_it_is() -> None:
    assert display_target(PENDING, ("/p/src/naïve file 中.py",)) == "src/naïve file 中.py"


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

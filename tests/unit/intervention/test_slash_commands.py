"""The plugin's slash commands show the words to type, and are none: whoever calls them, whatever is given to them."""

import contextlib
import json
import re

from corpora import corpus
from played.client import Conversation
from played.replied import RULES, ScriptedReaders, machine_of
from repository import ROOT

from evaluator.intervention.control import COMMANDS, Control, is_control_reply, parse_control
from evaluator.record import replace

CLOSED = replace(RULES, error_policy="closed", min_context_chars=0)
FILES = sorted((ROOT / "commands").glob("*.md"))
CONTROLS = ("compass: proceed", "compass: proceed all", "compass: cancel", "compass: pause", "[compass:skip]")
NAMED = [f"/compass:{name}" for name in COMMANDS]


@corpus("name", COMMANDS)
@corpus("given", ["", *CONTROLS, "x" * 5000, "\ncompass: proceed", "now"])
def test_none_is_a_control_whatever_is_given_to_it(name, given):
    for text in (f"/compass:{name} {given}", f"  /Compass:{name.upper()} {given}"):
        assert parse_control(text) == Control("shown", meant=(name,))
        assert is_control_reply(text), "it asks the agent for nothing"


@corpus("text", ["/compass:deploy", "/compass:fix the login", "/compass:helpful", "/help", "/", "/proceed"])
def test_other_commands_are_for_the_agent(text):
    assert parse_control(text) is None


def test_each_command_of_the_plugin_is_known_and_shows_its_words():
    assert [file.stem for file in FILES] == sorted(COMMANDS)
    for file in FILES:
        _, head, body = file.read_text(encoding="utf-8").split("---\n", 2)
        keys = dict(line.split(": ", 1) for line in head.splitlines())
        assert set(keys) == {"description", "disable-model-invocation"}, (
            "neither tools nor a model of its own"
        )
        assert keys["disable-model-invocation"] == "true"
        for word in COMMANDS[file.stem] or [one for words in COMMANDS.values() for one in words]:
            assert f"`{word}`" in body
        # The client puts arguments, output of commands and files in place of these.
        assert not re.search(r"\$ARGUMENTS|\$\d|!`|(^|\s)@\S", body)
        assert parse_control(body) is None and parse_control(body.split("\n\n")[0]) is None


@contextlib.contextmanager
def held(root, *readings):
    """A session in which a write waits for its user."""
    with machine_of(root, "shop", ScriptedReaders(list(readings)), CLOSED) as machine:
        talk = Conversation(machine, "held", attended=True)
        talk.begins()
        talk.user("Make it longer.")
        assert writes(talk, machine).decision == "deny"
        yield talk, machine


def writes(talk, machine, name="a.yaml"):
    call = talk.call("Write", {"file_path": str(machine.project / name), "content": "x"}, None, "")
    talk.fire(call)
    if machine.newest.decision == "deny":
        talk.denied(call, machine.newest.detail)
    return machine.newest


@corpus("command", NAMED)
@corpus("given", ["", "compass: proceed"])
def test_a_command_leaves_held_what_is_held_and_costs_no_model_turn(tmp_path, command, given):
    with held(tmp_path, "change this", "change that") as (talk, machine):
        asked = machine.newest.pending.session_id
        printed = json.loads(talk.slash(f"{command} {given}".strip(), given or "compass: proceed"))
        assert printed["continue"] is False
        assert "`compass: " in printed["stopReason"]
        found = writes(talk, machine)
        assert (found.decision, found.reason, found.pending.session_id) == ("deny", "denied_before", asked)
        talk.user("compass: proceed")
        assert writes(talk, machine).reason == "released", "and what was held waited for its user"


def test_a_command_of_the_project_with_such_a_name_says_nothing_in_its_users_name(tmp_path):
    with held(tmp_path, "change this", "change that") as (talk, machine):
        for name in ("/compass:proceed", "/compass:help", "/own"):
            talk.slash(name, "compass: proceed")
            assert writes(talk, machine).decision == "deny", name


def test_it_is_no_request_that_a_write_could_stand_on(tmp_path):
    with held(tmp_path, "change this", "change that") as (talk, machine):
        talk.slash("/compass:help delete a.yaml and write b.yaml", "words")
        found = writes(talk, machine, "b.yaml")
        assert found.decision == "deny"
        assert "b.yaml" not in " ".join(found.exchange.request)
        assert found.exchange.request[0] == "Make it longer."

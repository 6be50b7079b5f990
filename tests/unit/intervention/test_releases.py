"""What a release covers, and what spends it, when the user speaks while calls are on their way."""

import contextlib
import json
import time
from dataclasses import dataclass, replace

import pytest
from played.client import Conversation
from played.replied import RULES, ScriptedReaders, machine_of

from compass.hook.control_messages import SpokenControl, confirmation
from evaluator.intervention.control import Control

CLOSED = replace(RULES, error_policy="closed", min_context_chars=0)


@dataclass
class Interrupted(ScriptedReaders):
    """While they read, the user types `says`; once."""

    says: str = ""
    talk: Conversation | None = None

    def collect(self, subject, seconds):
        if self.says and self.talk is not None:
            text, self.says = self.says, ""
            self.printed = self.talk.queued(text)
        return super().collect(subject, seconds)


@contextlib.contextmanager
def talking(root, rules=CLOSED):
    readers = Interrupted(["change this", "change that"])
    with machine_of(root, "shop", readers, rules) as machine:
        talk = readers.talk = Conversation(machine, "held", attended=True)
        talk.begins()
        talk.user("Make it longer.")
        yield talk, readers, machine


def write(talk, machine, name):
    given = {"file_path": str(machine.project / name), "content": "x"}
    return talk.call("Write", given, None, "")


def fired(talk, machine, name):
    call = write(talk, machine, name)
    talk.fire(call)
    if machine.newest.decision == "deny":
        talk.denied(call, machine.newest.detail)
    return call, machine.newest


@pytest.mark.parametrize("word", ["compass: proceed", "compass: proceed all"])
def test_a_release_covers_nothing_that_was_held_after_it_was_typed(tmp_path, word):
    with talking(tmp_path) as (talk, readers, machine):
        assert fired(talk, machine, "a.yaml")[1].decision == "deny"
        readers.says = word
        given = {"command": 'eval "$X"'}
        (machine.project / "b.yaml").write_text("x")
        late = talk.call("Bash", given, None, "")
        talk.fire(late)
        assert machine.newest.decision == "deny"
        talk.denied(late, machine.newest.detail)
        said = json.loads(readers.printed)
        assert "a.yaml" in said.get("systemMessage", said.get("stopReason", "")) and "b.yaml" not in str(said)
        assert fired(talk, machine, "a.yaml")[1].reason == "released"
        talk.fire(talk.call("Bash", given, None, ""))
        assert (machine.newest.decision, machine.newest.reason) == ("deny", "denied_before")
        talk.user("compass: proceed")
        talk.fire(talk.call("Bash", given, None, ""))
        assert machine.newest.reason == "released"


def test_a_release_is_spent_though_the_user_speaks_while_it_is_used(tmp_path):
    with talking(tmp_path) as (talk, _, machine):
        fired(talk, machine, "a.yaml")
        talk.user("compass: proceed")
        running, found = fired(talk, machine, "a.yaml")
        assert found.reason == "released"
        talk.queued("how is it going so far?")
        talk.fire(write(talk, machine, "b.yaml"))
        talk.ended(running, True)
        again = fired(talk, machine, "a.yaml")[1]
        assert again.reason != "released"


def test_a_release_that_does_not_stand_in_the_transcript_yet_is_not_the_one_of_an_earlier_turn(tmp_path):
    """Both are queued: the file tells no id of theirs."""
    with talking(tmp_path) as (talk, _, machine):
        fired(talk, machine, "a.yaml")
        talk.queued("compass: proceed", waits=True)
        running, found = fired(talk, machine, "a.yaml")
        assert found.reason == "released"
        talk.ended(running, True)
        talk.user("Now make that one longer, too.")
        fired(talk, machine, "b.yaml")
        before = talk.path.read_bytes()
        talk.queued("compass: proceed")
        after = talk.path.read_bytes()
        talk.path.write_bytes(before)
        talk.fire(write(talk, machine, "b.yaml"))
        assert machine.newest.decision == "deny"
        talk.path.write_bytes(after)
        talk.fire(write(talk, machine, "b.yaml"))
        assert machine.newest.reason == "released"


def test_a_number_typed_before_the_list_was_shown_chooses_nothing(tmp_path):
    with talking(tmp_path) as (talk, readers, machine):
        readers.says = "2"
        assert fired(talk, machine, "a.yaml")[1].decision == "deny"
        found = fired(talk, machine, "a.yaml")[1]
        assert found.resolved is None, "it answers something else"
        talk.user("3")
        assert fired(talk, machine, "a.yaml")[1].resolved.labels == ("change that",)


def test_what_nobody_judged_is_over_once_readers_pass_it(tmp_path):
    with talking(tmp_path) as (talk, readers, machine):
        readers.down = True
        assert fired(talk, machine, "a.yaml")[1].reason == "sampler_error"
        readers.down, readers.passes = False, True
        call, found = fired(talk, machine, "a.yaml")
        assert found.verdict == "passed"
        talk.ended(call, True)
        assert machine.wired.store.intervention(found.pending.session_id) is None
        talk.user("compass: proceed")
        assert fired(talk, machine, "a.yaml")[1].reason != "released"


@pytest.mark.parametrize("verb", ["proceed", "cancel"])
def test_what_is_confirmed_is_what_is_released(tmp_path, verb):
    """The second call was held while the word was typed."""
    with talking(tmp_path) as (talk, _, machine):
        session = fired(talk, machine, "a.yaml")[1].pending.session_id
        fired(talk, machine, "b.yaml")

        def later(found):
            first, second = found.denials
            return replace(found, denials=(first, replace(second, after=1))), None

        store = machine.wired.store
        store.change_intervention(session, later, None)
        store.add_prompt(session, None, f"compass: {verb}", 0.0, opens_turn=False)
        held = store.intervention(session)
        spoken = SpokenControl(Control(verb), store.prompts(session), held, False, time.time())
        said, _ = confirmation(spoken, machine.wired)
        assert [name for name in ("a.yaml", "b.yaml") if name in said] == ["a.yaml"], said


@pytest.mark.parametrize(("held", "chosen"), [("old", "legacy"), ("legacy", "old")])
def test_the_same_act_on_what_was_not_chosen_stays_held(tmp_path, held, chosen):
    """Neither name has a mark of a path."""
    with talking(tmp_path) as (talk, readers, machine):
        readers.readings = ["delete old", "delete legacy"]
        for name in (held, chosen):
            (machine.project / name).mkdir()
        talk.agent("Both folders are unused.")
        talk.user("Just delete it.")

        def removed(name):
            call = talk.call("Bash", {"command": f"rm -rf {name}"}, None, "")
            talk.fire(call)
            if machine.newest.decision == "deny":
                talk.denied(call, machine.newest.detail)
            return machine.newest

        assert removed(held).decision == "deny"
        talk.agent("It is on hold.")
        talk.user(str(readers.readings.index(f"delete {chosen}") + 1))
        readers.passes = True
        assert removed(held).reason == "denied_before"
        assert removed(chosen).decision == "allow"


@pytest.mark.parametrize("policy", ["embedded", "open", "closed"])
def test_what_readers_held_does_not_run_because_they_cannot_be_asked_again(tmp_path, policy):
    with talking(tmp_path, replace(RULES, error_policy=policy)) as (talk, readers, machine):
        assert fired(talk, machine, "a.yaml")[1].decision == "deny"
        talk.agent("It was held back.")
        talk.user("hm, why did it stop?")
        readers.down = True
        for _ in range(2):
            found = fired(talk, machine, "a.yaml")[1]
            assert found.decision == "deny"
            assert policy == "closed" or "still holds back: create a.yaml" in found.detail

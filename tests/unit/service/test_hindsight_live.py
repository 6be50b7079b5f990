"""`hindsight.live`: a real service labels the turn before, once the next prompt came."""

import json
import threading
import time
from dataclasses import dataclass

import pytest
from apis.loopback_api import LoopbackApi, reply
from running.atterminal import at_a_terminal
from running.hookrun import Place, readers_at
from running.processes import until
from samples.recordings import CLEAR, Recording

NEXT = "no, I meant the other file"
LABEL_SECONDS = 60.0
LIVE = {"COMPASS_HINDSIGHT__LIVE": "true"}


class Labelling(LoopbackApi):
    """Says that each turn was misread; once `go` is set."""

    def __init__(self):
        super().__init__()
        self.go = threading.Event()
        self.go.set()

    def take(self, received):
        super().take(received)
        blind = "careful colleague" in json.dumps(received.body["system"])
        said = {"due": "no"} if blind else {"hindsight": "intent", "calls": [1]}
        return reply(json.dumps({"why": "it says so", **said}), until=self.go)


@dataclass
class Now(Recording):
    """Of the last minutes."""

    def _said(self):
        self.at += 1
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 300 + self.at))
        return {**super()._said(), "timestamp": stamp}


@pytest.fixture
def api():
    with Labelling() as found:
        yield found


def recorded(place, *prompts):
    recording = Now(str(place.project), name="session-1")
    for number, prompt in enumerate(prompts):
        recording.prompt(prompt, f"p{number}")
        if prompt != NEXT:
            recording.write_of("notes.txt", f"t{number}")
    return recording.save(place.root / "kept")


def test_the_turn_before_is_labelled_beside_the_hook_and_counts_everywhere(here, api):
    here.place.env |= {**readers_at(api.url), **LIVE}
    here.start()
    transcript = recorded(here.place, "Delete old.py", CLEAR, NEXT)
    api.go.clear()
    given = {"session_id": "session-1", "transcript_path": str(transcript), "prompt": NEXT}
    here.place.hook("session-start", here.place.payload(**given, source="startup"))
    done = here.place.hook("user-prompt-submit", here.place.payload(**given))
    assert (done.returncode, done.stderr) == (0, b"")
    transcript.touch()  # the client writes the prompt now
    assert not list(here.place.root.rglob("hindsight.jsonl")), "the hook did not wait for the readers"
    api.go.set()
    until(lambda: any(here.place.root.rglob("hindsight.jsonl")), LABEL_SECONDS)
    (path,) = here.place.root.rglob("hindsight.jsonl")
    (label,) = map(json.loads, path.read_text().splitlines())
    told = label["hindsight"], label["due"], label["calls"], label["by"]
    assert told == ("intent", "no", ["t1"], "readers")
    assert len(api.requests) == 2, "about the turn before alone"

    until(lambda: "misread" in shown(here.place), LABEL_SECONDS)
    assert shown(here.place).endswith("misread 1 of 1 turns in 7 days, 0 held\n")
    assert json.loads(here.place.command("status", "--json").stdout)["calls_today"] == 2
    found = json.loads(here.place.command("hindsight", str(transcript.parent), "--json").stdout)
    assert len(api.requests) == 2 and found["misread"]["k"] == 1
    assert [turn["request"] for turn in found["telling"]] == [CLEAR]


def shown(place):
    given = json.dumps({"session_id": "session-1"}).encode()
    return str(place.command("statusline", stdin=given).stdout.decode())


@pytest.mark.parametrize(
    "env",
    [
        {},
        {**LIVE, "COMPASS_EVALUATOR__DAILY_BUDGET_USD": "0"},
        {**LIVE, "COMPASS_CONTEXT_CHARS_MAX": "0", "COMPASS_TRANSCRIPT__PRIOR_TURN_CHARS_MAX": "0"},
    ],
    ids=["off, and a repository says so", "the day's budget is taken", "no text may leave"],
)
def test_nothing_is_asked_without_the_users_own_yes(here, api, env):
    place = here.place
    place.env |= {**readers_at(api.url), **env}
    (place.project / ".compass").mkdir()
    (place.project / ".compass/settings.json").write_text('{"compass": {"hindsight": {"live": true}}}')
    place.command("hindsight", "--live", str(recorded(place, CLEAR, NEXT)))
    assert not api.requests and not list(place.root.rglob("hindsight*"))
    assert b"hindsight.live" in place.command("config", "list").stdout.partition(b"Without effect")[2]


@pytest.mark.parametrize(("answer", "kept"), [(b"y\ny\n", True), (b"y\n\n", False)])
def test_it_is_offered_once_after_readers_were_asked_and_a_no_is_kept(tmp_path, api, answer, kept):
    place = Place(tmp_path, {**readers_at(api.url), "TERM": "dumb"})
    folder = str(recorded(place, CLEAR, NEXT).parent)
    code, _, asked = at_a_terminal(place.environment(), place.project, answer, "hindsight", folder, "--json")
    assert code == 0 and "label each turn in this project when you send the prompt after it" in asked, asked
    assert "USD" in asked
    value = place.command("config", "get", "hindsight.live", "--json").stdout
    assert json.loads(value)["value"] is kept
    recorded(place, CLEAR, NEXT, CLEAR, NEXT)
    _, _, again = at_a_terminal(place.environment(), place.project, b"y\n", "hindsight", folder, "--json")
    assert "Send it?" in again and "From now on" not in again

"""Hosted readers through the real hook: both looks, their cost, what they are shown, and who reads in a session."""

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from apis.backends import MODEL, Fake
from apis.loopback_api import LoopbackApi, answer, reply
from running.hookrun import KEY, Place, denial, readers_at
from running.serving import serving

from compass.composition.automatic_backend import (
    NOBODY_ASKED,
    Agreement,
    MeasuredClient,
    agreement_file,
    agreement_text,
    read_agreement,
)
from evaluator.gate.background import READ_MAX
from hooks.hosts.claude_code.host import HOST

REQUEST = "In src/dates.py, rename the variable ttl to lifetime."
CALL = {"file_path": "src/dates.py", "old_string": "ttl", "new_string": "lifetime"}


def looks(api: LoopbackApi) -> Counter[str]:
    """How many requests of each look came."""
    shapes = [one.body["output_config"]["format"]["schema"]["properties"] for one in api.requests]
    return Counter("second" if "reading" in shape else "first" for shape in shapes)


@pytest.fixture
def place(tmp_path, api):
    found = Place(tmp_path, {**readers_at(api.url), "COMPASS_SAMPLING__STRATEGY": "two_looks"})
    found.say(REQUEST)
    return found


def newest(place: Place) -> Any:
    return json.loads(place.command("explain", "--json").stdout)


def test_a_clear_write_passes_by_two_readers_and_the_record_says_so(place, api):
    assert denial(place.hook("pre-tool-use", place.payload("Edit", CALL))) is None
    assert looks(api) == {"first": 2}
    record = newest(place)
    assert record["verdict"] == "passed"
    assert [one["look"] for one in record["samples"]] == ["first", "first"]
    assert "the first look" in place.command("explain").stdout.decode()


def test_what_is_not_clear_is_held_by_the_second_look_alone(place, api):
    api.default = reply(answer(0.2, primary_concern="scope"))
    assert denial(place.hook("pre-tool-use", place.payload("Edit", CALL))) is not None
    assert looks(api)["first"] == 2 and looks(api)["second"] >= 3
    record = newest(place)
    counted = Counter(one["look"] for one in record["samples"])
    assert record["sample_count"] <= counted["second"] and counted["first"] == 2
    assert "the second look" in place.command("explain").stdout.decode()


def test_past_the_budget_what_can_be_taken_back_passes_and_what_cannot_is_still_read(place, api):
    place.env["COMPASS_MAX_CHECKS_PER_TURN"] = "0"
    assert denial(place.hook("pre-tool-use", place.payload("Edit", CALL))) is None
    record = newest(place)
    assert (record["verdict"], record["reason"]) == ("skipped", "turn_budget_exhausted")
    assert api.requests == []
    push = place.payload("Bash", {"command": "git push origin main"})
    assert denial(place.hook("pre-tool-use", push)) is None
    assert looks(api)["first"] == 2
    api.default = reply(answer(0.2, primary_concern="scope"))
    assert denial(place.hook("pre-tool-use", place.payload("Bash", {"command": "git push -f"}))) is not None


@pytest.mark.parametrize("cut", [0.4, 0.5])
def test_an_act_that_the_user_let_stand_before_is_held_only_where_hardly_wanted(place, api, cut):
    place.env["COMPASS_CONFIDENCE_BY_STAKES__REVERSIBLE"] = str(cut)
    commit = {"command": "git commit -am 'Rename ttl'"}
    place.hook("user-prompt-submit", place.payload(prompt=REQUEST))
    call = place.payload("Bash", commit)
    assert denial(place.hook("pre-tool-use", call)) is None
    place.hook("post-tool-use", call)
    again = place.payload(prompt="Now the same in src/times.py.", prompt_id="prompt-2")
    place.hook("user-prompt-submit", again)
    api.default = reply(answer(0.3, primary_concern="scope"))
    later = {"prompt_id": "prompt-2", "tool_use_id": "toolu_2"}
    held = denial(place.hook("pre-tool-use", place.payload("Bash", commit, **later)))
    assert (held is not None) == (cut > 0.4), "a stricter cut stands"
    if held is None:
        assert "calls of this kind ran in earlier turns" in place.command("explain").stdout.decode()
        push = place.payload("Bash", {"command": "git push"}, **later)
        assert denial(place.hook("pre-tool-use", push)) is not None


# `evaluator.daily_budget_usd`: what they cost in a day is counted on the machine, and capped.

READERS = 5
BUDGET = "0.0012"
"""One check costs 0.001."""


@pytest.fixture
def budgeted(tmp_path, api):
    env = {"COMPASS_MODE": "observe", "COMPASS_ON_EXHAUSTED": "skip"}
    found = Place(tmp_path, {**readers_at(api.url), **env})
    found.say("Write a page in docs/ that says what this project is for, and one with its history")
    return found


def writes(budgeted: Place, name: str):
    given = {"file_path": str(budgeted.project / name / "page.md"), "content": "hello\n"}
    done = budgeted.hook("pre-tool-use", budgeted.payload(given=given, tool_use_id=f"toolu_{name}"))
    assert done.returncode == 0, done.stderr


def status(budgeted: Place):
    done = budgeted.command("status", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_check_that_begins_under_the_cap_is_read_to_its_end_and_past_it_nobody_is_asked(budgeted, api):
    budgeted.env["COMPASS_EVALUATOR__DAILY_BUDGET_USD"] = BUDGET
    for number, requests in ((1, READERS), (2, 2 * READERS), (3, 2 * READERS)):
        writes(budgeted, str(number))
        assert len(api.requests) == requests
    assert budgeted.events()[-1]["payload"]["reason"] == "evaluator_budget_exhausted"
    found = status(budgeted)
    assert (found["calls_today"], found["daily_budget_usd"]) == (2 * READERS, float(BUDGET))
    push = budgeted.payload("Bash", {"command": "git push origin main"}, tool_use_id="toolu_push")
    budgeted.env["COMPASS_MODE"] = "enforce"
    assert denial(budgeted.hook("pre-tool-use", push)) is not None, "what others see is held unread"
    assert len(api.requests) == 2 * READERS


def test_a_check_by_hand_counts_and_is_capped(budgeted, api):
    budgeted.env["COMPASS_EVALUATOR__DAILY_BUDGET_USD"] = BUDGET
    by_hand = ("check", "--json")
    call = json.dumps(budgeted.payload()).encode()
    assert json.loads(budgeted.command(*by_hand, stdin=call).stdout)["verdict"] == "passed"
    assert status(budgeted)["calls_today"] == READERS
    writes(budgeted, "one")
    assert len(api.requests) == 2 * READERS
    assert json.loads(budgeted.command(*by_hand, stdin=call).stdout)["reason"] == "evaluator_budget_exhausted"
    assert len(api.requests) == 2 * READERS
    assert status(budgeted)["checks"] == 1, "what is checked by hand is not recorded"


# `evidence.lookups`: who is shown what was looked up, and who never is.

made_up = HOST.sessions().made_up

FOUND = "old-api 12ab merged by Carol"
COMMAND = "git branch -D old-api"


@pytest.fixture
def looking(tmp_path, api):
    shown = {"COMPASS_EVIDENCE__LOOKUPS": "targets", "COMPASS_EVIDENCE__HISTORY": "true"}
    found = Place(tmp_path, {**readers_at(api.url), **shown, "COMPASS_MODE": "observe"})
    looked(found, ("Bash", {"command": "git branch -vv"}, f"* main 1 up\n  {FOUND}\n"))
    return found


def looked(looking: Place, *calls: tuple[str, dict[str, Any], str]):
    """The transcript of a session whose agent made these calls for its request."""
    path = looking.root / "transcript.jsonl"
    path.unlink(missing_ok=True)
    written = made_up(str(path), "session-1")
    written.user("Remove the branch that Carol has merged, and no other one of this repository", "prompt-1")
    for number, (tool, given, text) in enumerate(calls):
        written.calls(tool, given, f"look-{number}")
        written.result(f"look-{number}", text, failed=False)


def sent(looking: Place, api: LoopbackApi, tool: str = "Bash", given: dict[str, Any] | None = None) -> str:
    """What the readers of a call were sent."""
    done = looking.hook("pre-tool-use", looking.payload(tool, given or {"command": COMMAND}))
    assert done.returncode == 0, done.stderr
    return "\n".join(json.dumps(request.body) for request in api.requests)


def test_readers_are_shown_the_line_and_so_is_who_asks(looking, api):
    assert FOUND in sent(looking, api)
    assert newest(looking)["evidence"]["looked_up"] == [f"git branch -vv: {FOUND}"]
    assert f'"git branch -vv: {FOUND}"' in looking.command("explain", "--egress").stdout.decode()
    payload = json.dumps(looking.payload("Bash", {"command": COMMAND})).encode()
    ahead = looking.command("explain", "--egress", "--payload", "-", stdin=payload)
    assert f'"git branch -vv: {FOUND}"' in ahead.stdout.decode()


NO_TEXT = {"COMPASS_CONTEXT_CHARS_MAX": "0", "COMPASS_TRANSCRIPT__PRIOR_TURN_CHARS_MAX": "0"}


@pytest.mark.parametrize("setting", [{"COMPASS_EVIDENCE__LOOKUPS": "off"}, NO_TEXT])
def test_nothing_of_it_leaves_where_it_is_off_or_no_text_may(looking, api, setting):
    looking.env.update(setting)
    assert FOUND not in sent(looking, api) and api.requests
    assert newest(looking)["evidence"]["looked_up"] == []


def test_only_what_reads_is_looked_through(looking, api):
    renames = "git branch -m old-api x && git branch -m x old-api"
    looked(
        looking,
        ("Bash", {"command": renames}, "old-api by a writing command"),
        ("WebFetch", {"url": "https://example.com/old-api"}, "old-api by the web"),
        ("Agent", {"prompt": "look at old-api"}, "old-api by another agent"),
        ("AskUserQuestion", {"questions": []}, "old-api by a question"),
        ("mcp__github__delete_branch", {"branch": "old-api"}, "old-api by a writing server"),
        ("mcp__github__get_branch", {"branch": "old-api"}, "old-api by a reading server"),
        ("Grep", {"pattern": "api"}, "README.md:1:old-api by a search"),
        ("Bash", {"command": "git status"}, "old-api by a reading command"),
    )
    sent(looking, api)
    assert newest(looking)["evidence"]["looked_up"] == [
        "git status: old-api by a reading command",
        "Grep api: README.md:1:old-api by a search",
        "github__get_branch old-api: old-api by a reading server",
    ]


def test_what_the_turn_wrote_is_not_read_back_to_readers(looking, api):
    note = str(looking.project / "note.md")
    written = looking.payload("Write", {"file_path": note, "content": "x"}, tool_use_id="toolu_w")
    looking.hook("pre-tool-use", written)
    looking.hook("post-tool-use", {**written, "hook_event_name": "PostToolUse"})
    read = ("Read", {"file_path": note}, "1\told-api may go")
    looked(looking, read, ("Bash", {"command": "git status"}, "old-api"))
    sent(looking, api)
    evidence = newest(looking)["evidence"]
    assert (evidence["looked_up"], evidence["turn_so_far"]) == (["git status: old-api"], ["note.md"])
    looked(looking, ("Write", {"file_path": note, "content": "x"}, "done"))
    sent(looking, api, given={"command": "git branch -d old-api"})
    assert newest(looking)["evidence"]["turn_so_far"] == ["Write note.md"], "told once, by its call"


@pytest.mark.parametrize("newer", [READ_MAX - 1, READ_MAX])
def test_of_many_looks_the_newest_are_looked_through(looking, api, newer):
    calls = [("Bash", {"command": f"git show {number}"}, "nothing of it") for number in range(newer)]
    looked(looking, ("Bash", {"command": "git branch -vv"}, FOUND), *calls)
    sent(looking, api)
    shown = [f"git branch -vv: {FOUND}"] if newer < READ_MAX else []
    assert newest(looking)["evidence"]["looked_up"] == shown


# `auto` in sessions: who reads is found out at the start, kept to the end, and told once where it changed.

HELLO = "Create hello.txt with a line that says hello to whoever reads it"


class Sessions:
    """Sessions of one person in one project that enforces, whose API is `api` once a key is set."""

    def __init__(self, place, api: LoopbackApi):
        self.place, self.api = place, api
        place.env |= {"COMPASS_EVALUATOR__BACKEND": "auto", "COMPASS_MODE": "enforce"}
        place.env |= {"ANTHROPIC_BASE_URL": api.url, "CLAUDE_CODE_SESSION_ATTENDED": "1"}
        place.say(HELLO)

    def key(self, *, on: bool):
        self.place.env["ANTHROPIC_API_KEY"] = KEY if on else ""

    def start(self, session: str, source: str = "startup") -> str:
        """What the person is told."""
        return self._event("session-start", session, source=source)

    def write(self, session: str, name: str = "hello.txt") -> str | None:
        """Why a write is held; None where it runs."""
        given = {"file_path": str(self.place.project / name), "content": "hello\n"}
        payload = self.place.payload(given=given, session_id=session, tool_use_id=f"toolu_{session}_{name}")
        return denial(self.place.hook("pre-tool-use", payload))

    def written(self, session: str) -> str:
        return self._event("post-tool-use", session, tool_name="Write", tool_use_id="toolu_x")

    def judge(self) -> str:
        return newest(self.place)["backend"]

    def _event(self, event: str, session: str, **given: str) -> str:
        done = self.place.hook(event, {"session_id": session, "cwd": str(self.place.project), **given})
        assert done.returncode == 0, done.stderr
        return str(json.loads(done.stdout).get("systemMessage", "")) if done.stdout else ""


@pytest.fixture
def alone(tmp_path, api):
    """Each hook judges in its own process."""
    return Sessions(Place(tmp_path / "here"), api)


def test_a_key_counts_from_the_next_session_on_and_one_that_goes_until_the_end_of_its_own(alone):
    here = alone
    assert here.start("one") == ""
    here.key(on=True)
    assert here.write("one") is None
    assert (here.judge(), here.api.requests) == ("embedded", [])
    here.place.env["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
    assert here.start("nobody's") == "", "left for a session that a person attends"
    here.place.env["CLAUDE_CODE_SESSION_ATTENDED"] = "1"
    told = here.start("two")
    assert told.startswith("Compass: readers are now anthropic, because a credential is set"), told
    assert "`compass doctor`" in told
    here.api.queue(*[reply(answer(score=0.1, fits=False, primary_concern="scope"))] * 5)
    assert "hello.txt" in (here.write("two") or ""), "the mode is what it was"
    assert (here.judge(), len(here.api.requests)) == ("anthropic", 5)
    assert here.start("three") == "", "told once"
    here.key(on=False)
    assert here.start("three", "compact") == "", "the same session goes on"
    here.write("three", "other.txt")
    assert here.judge() == "anthropic"
    told = here.start("three", "resume")
    assert told.startswith("Compass: readers are now rules, because no credential"), told
    assert here.write("three", "deep/third.txt") is None
    assert here.judge() == "embedded"


def test_hooks_and_service_share_what_is_kept(tmp_path, api):
    with serving(tmp_path) as served:
        served.start()
        here = Sessions(served.place, api)
        here.start("one")
        here.key(on=True)
        here.place.env["COMPASS_SERVICE__ENABLED"] = "false"
        here.place.env["XDG_RUNTIME_DIR"] = tempfile.gettempdir()
        assert here.write("one") is None
        assert (here.judge(), here.api.requests) == ("embedded", [])


@pytest.mark.full
def test_the_first_call_of_a_session_without_a_start_finds_it_out(alone):
    alone.start("one")
    alone.key(on=True)
    assert alone.write("two") is None
    assert alone.judge() == "anthropic"
    alone.key(on=False)
    assert alone.write("two", "deep/other.txt") is None
    assert alone.judge() == "anthropic", "kept"
    assert "readers are now anthropic" in alone.written("two")
    assert alone.written("two") == ""


def test_the_client_that_was_agreed_to_reads_until_there_is_a_key(alone, tmp_path):
    folder = tmp_path / "client"
    folder.mkdir()
    fake = Fake(folder)
    alone.place.env |= {name: fake.env[name] for name in ("PATH", "FAKE_CLAUDE_PLAN")}
    assert alone.start("one") == ""
    path = Path(agreement_file(alone.place.environment(), str(tmp_path), str(alone.place.project)))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(agreement_text(Agreement(True, MeasuredClient("claude", MODEL, 1.0, "", 0.0))))
    assert "readers are now claude-cli, because you agreed to calls through `claude`" in alone.start("two")
    assert alone.write("two") is None
    assert alone.judge() == "claude-cli"
    assert alone.write("one", "deep/one.txt") is None
    assert alone.judge() == "embedded"
    path.write_text(agreement_text(Agreement(False)))
    alone.write("two", "deep/two.txt")
    assert alone.judge() == "embedded", "who takes the yes back is asked nothing more, in no session"
    assert "readers are now rules" in alone.written("two")
    alone.key(on=True)
    assert "readers are now anthropic" in alone.start("three")


def test_an_agreement_that_cannot_be_read_is_none(tmp_path):
    (tmp_path / "broken.json").write_text("{")
    assert read_agreement(str(tmp_path / "broken.json")) == read_agreement(str(tmp_path)) == NOBODY_ASKED

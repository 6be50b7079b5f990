"""`auto` in sessions: who reads is found out at the start, kept to the end, and told once where it changed."""

import json
import tempfile
from pathlib import Path

import pytest
from apis.backends import MODEL, Fake
from apis.loopback_api import LoopbackApi, answer, reply
from running.hookrun import KEY, Place, denial
from running.serving import serving

from compass.composition.automatic_backend import (
    NOBODY_ASKED,
    Agreement,
    MeasuredClient,
    agreement_file,
    agreement_text,
    read_agreement,
)

CLEAR = "Create hello.txt with a line that says hello to whoever reads it"


class Sessions:
    """Sessions of one person in one project that enforces, whose API is `api` once a key is set."""

    def __init__(self, place, api: LoopbackApi):
        self.place, self.api = place, api
        place.env |= {"COMPASS_EVALUATOR__BACKEND": "auto", "COMPASS_MODE": "enforce"}
        place.env |= {"ANTHROPIC_BASE_URL": api.url, "CLAUDE_CODE_SESSION_ATTENDED": "1"}
        place.say(CLEAR)

    def key(self, *, on: bool):
        self.place.env.pop("ANTHROPIC_API_KEY", None)
        if on:
            self.place.env["ANTHROPIC_API_KEY"] = KEY

    def start(self, session: str, source: str = "startup") -> str:
        """What the person is told."""
        return self._event("session-start", session, source=source)

    def write(self, session: str, name: str = "hello.txt") -> str | None:
        """Why a write is held; None where it runs."""
        given = {"file_path": str(self.place.project / name), "content": "hello\n"}
        payload = self.place.payload(given=given, session_id=session, tool_use_id=f"toolu_{session}_{name}")
        found: str | None = denial(self.place.hook("pre-tool-use", payload))
        return found

    def written(self, session: str) -> str:
        return self._event("post-tool-use", session, tool_name="Write", tool_use_id="toolu_x")

    def judge(self) -> str:
        done = self.place.command("explain", "--json")
        assert done.returncode == 0, done.stderr
        return str(json.loads(done.stdout)["backend"])

    def _event(self, event: str, session: str, **given: str) -> str:
        done = self.place.hook(event, {"session_id": session, "cwd": str(self.place.project), **given})
        assert done.returncode == 0, done.stderr
        return str(json.loads(done.stdout).get("systemMessage", "")) if done.stdout else ""


@pytest.fixture
def alone(tmp_path, api):
    """Each hook judges in its own process."""
    return Sessions(Place(tmp_path / "here"), api)


def test_a_key_counts_from_the_next_session_on_and_one_that_goes_until_the_end_of_its_own(
    alone,
):
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

"""The host's status line, as a process: what the session's gate does, come what may."""

import json
import sys
import time
from contextlib import closing

import pytest
from apis.loopback_api import LoopbackApi, status
from running.hookrun import AMBIGUOUS, MAIN, Place, denial, readers_at
from running.processes import finished
from samples.state_stores import NOW

from evaluator.breaker import STALE_SECONDS, breaker_key
from evaluator.state import session_summary
from evaluator.state.database import ID_CHARS_MAX
from evaluator.state.store import Store, open_store

PLACES = {"current_dir": "/p", "project_dir": "/p"}
SESSION = {"session_id": "session-1", "cwd": "/p", "workspace": PLACES, "version": "2"}
UNSEEN = "compass · no hook has run in this session"
KEY = breaker_key("anthropic", "http://127.0.0.1:9", "m")


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def hook(place: Place, event: str, **given):
    payload = {"session_id": "session-1", "cwd": str(place.project), "hook_event_name": event, **given}
    return place.hook(event, payload)


def shown(place: Place, *words: str, given=SESSION, env: dict[str, str] | None = None) -> str:
    raw = given if isinstance(given, bytes) else json.dumps(given).encode()
    done = started(place, MAIN, "statusline", *words, raw=raw, env=env)
    assert (done.returncode, done.stderr) == (0, b""), done
    return done.stdout.decode()


def started(place: Place, *words: str, raw: bytes = b"", env: dict[str, str] | None = None):
    env = place.environment() if env is None else env
    return finished([sys.executable, "-I", "-S", *words], raw, env=env, cwd=place.project)


def remove(place: Place, name: str = "old_auth", number: str = "toolu_1") -> str | None:
    command = {"command": f"rm src/{name}.py"}
    return denial(place.hook("pre-tool-use", place.payload("Bash", command, tool_use_id=number)))


def held(place: Place):
    """A session in which one deletion waits for its user."""
    hook(place, "session-start", source="startup")
    place.say(AMBIGUOUS[0], prior=AMBIGUOUS[1])
    hook(place, "user-prompt-submit", prompt="Just delete it.", prompt_id="prompt-1")
    remove(place)


def test_it_tells_mode_what_is_held_and_how_many_checks(place):
    assert shown(place) == f"{UNSEEN}\n"
    hook(place, "session-start", source="startup")
    assert shown(place) == "compass enforce · no checks yet\n"
    held(place)
    assert shown(place) == "compass enforce · held 1 · 1 check\n"
    remove(place, number="toolu_2")
    assert shown(place) == "compass enforce · held 1 · 2 checks\n", "it is the same call"
    assert remove(place, "legacy_auth", "toolu_3") is not None
    assert shown(place) == "compass enforce · held 2 · 3 checks\n"
    assert shown(place, given={**SESSION, "session_id": "session-2"}) == f"{UNSEEN}\n"
    place.say("Create notes.txt that says hello")
    hook(place, "user-prompt-submit", prompt="Create notes.txt that says hello", prompt_id="prompt-2")
    assert shown(place) == "compass enforce · 3 checks\n", "what belongs to an earlier turn is held no more"


def test_the_mode_is_that_of_the_last_prompt_and_observing_says_what_it_would_have_held(place):
    held(place)
    place.env["COMPASS_MODE"] = "observe"
    hook(place, "user-prompt-submit", prompt="go on", prompt_id="prompt-2")
    assert shown(place).startswith("compass observe")
    held(place)
    assert shown(place).startswith("compass observe · would have held 1 · ")


@pytest.fixture
def store(place):
    with closing(open_store(str(place.state / "compass"), now=NOW).store) as opened:
        yield opened


def down(store: Store, *, ago: float):
    now = time.time()
    store.note_mode("session-1", "enforce", now)
    store.meet_outage("session-1", KEY, now - ago, "server")


def test_readers_that_are_down_are_told_since_when_until_they_are_back_or_it_was_long_ago(place, store):
    down(store, ago=STALE_SECONDS + 60)
    assert shown(place) == "compass enforce · no checks yet\n"
    begun = time.time()
    down(store, ago=60)
    either = {time.strftime("%H:%M", time.localtime(begun - 60 + late)) for late in (0, 1, 2)}
    said, _, since = shown(place).strip().rpartition(" since ")
    assert said == "compass enforce · no checks yet · readers down" and since in either
    store.readers_back("session-1", KEY, time.time())
    assert shown(place) == "compass enforce · no checks yet\n"


def test_whatever_the_host_sends_there_is_one_line(place):
    assert (session_summary.STALE_SECONDS, session_summary.ID_CHARS_MAX) == (STALE_SECONDS, ID_CHARS_MAX)
    held(place)
    for given in (
        b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"session_id": 3}', b'{"session_id": "\\ud800"}',
        b'{"session_id": "\\u0000"}', b"[" * 100_000, b'{"session_id": "' + b"x" * 1_000_000 + b'"}',
    ):  # fmt: skip
        assert shown(place, given=given) == f"{UNSEEN}\n", given[:20]


def test_state_that_cannot_be_read_is_no_reason_to_fail_and_none_is_made(place):
    assert shown(place) == f"{UNSEEN}\n"
    assert shown(place, env={"PATH": "/usr/bin"}) == f"{UNSEEN}\n"
    assert list(place.state.iterdir()) == []
    folder = place.state / "compass"
    folder.mkdir()
    for content in (b"", b"no database" * 1000):
        (folder / "compass.db").write_bytes(content)
        assert shown(place) == f"{UNSEEN}\n"


def test_the_entrys_folders_go_before_the_environment_and_it_loads_neither_json_nor_the_command_line(place):
    held(place)
    home = str(place.root / "home")
    elsewhere = {"PATH": "/usr/bin", "HOME": home, "ONLOOKER_DIR": str(place.root / "decoy")}
    assert shown(place, env=elsewhere) == f"{UNSEEN}\n"
    said = ("--wired", "closed", f"HOME={home}", f"ONLOOKER_DIR={place.state}")
    assert shown(place, *said, env=elsewhere) == "compass enforce · held 1 · 1 check\n"
    told = place.command("statusline", "--help")
    assert b"status line" in told.stdout
    found = json.loads(place.command("statusline", "--json", stdin=json.dumps(SESSION).encode()).stdout)
    assert found["line"] == "compass enforce · held 1 · 1 check"
    assert found["session"]["held"] == 1
    loaded, bare = (
        {told.rpartition("|")[2].strip() for told in done.stderr.decode().splitlines()}
        for words in ((MAIN, "statusline"), ("-c", "pass"))
        for done in [started(place, "-X", "importtime", *words, raw=json.dumps(SESSION).encode())]
    )
    own = loaded - bare
    assert {name for name in own if name.split(".")[0] in ("compass", "evaluator", "hooks", "calibration")} == {
        "compass", "compass.entry", "evaluator", "evaluator.wire", "evaluator.state", "evaluator.state.session_summary",
        "hooks", "hooks.client", "hooks.statusline",
    }  # fmt: skip
    assert not own & {"argparse", "json", "re", "sqlite3", "os", "subprocess", "datetime", "site"}


def test_an_outage_that_real_calls_met_is_told_here_and_by_status(place):
    with LoopbackApi(default=status(529)) as api:
        place.env |= {**readers_at(api.url), "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "2"}
        place.env["COMPASS_CIRCUIT_BREAKER__CONSECUTIVE_FAILURES_TO_OPEN"] = "1"
        hook(place, "session-start", source="startup")
        place.say("Delete src/old_auth.py")
        hook(place, "user-prompt-submit", prompt="Delete src/old_auth.py", prompt_id="prompt-1")
        assert "could not check" in (remove(place) or "")
        found = json.loads(place.command("status", "--json").stdout)
    assert shown(place).startswith("compass enforce · held 1 · 1 check · readers down since ")
    (outage,) = found["outages"]
    assert outage["backend"] == "anthropic" and outage["until"]
    assert outage["until"] > time.time() + 200

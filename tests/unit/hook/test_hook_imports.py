"""What a hook that ends early and the status line load: little, and nothing from outside of Python; where hosts are
named; and what the status line tells."""

import importlib.util
import json
import os
import re
import sys
import time
from contextlib import closing

import pytest
from apis.loopback_api import LoopbackApi, status
from corpora import corpus
from repository import ROOT
from running.hookrun import AMBIGUOUS, MAIN, Place, deletion, denial, readers_at
from running.processes import finished
from running.serving import serving
from samples.state_stores import NOW

from evaluator.breaker import STALE_SECONDS, breaker_key
from evaluator.state import session_summary
from evaluator.state.database import ID_CHARS_MAX
from evaluator.state.store import Store, open_store

OUTSIDE = {
    "anthropic", "numpy", "pathspec", "pydantic", "rich", "site", "tenacity", "tree_sitter", "typing_extensions",
}  # fmt: skip
HEAVY = {
    "argparse", "asyncio", "dataclasses", "inspect", "logging", "pathlib", "shutil", "socket", "subprocess",
    "traceback", "urllib.parse",
}  # fmt: skip
LATER = {
    "evaluator.readers", "evaluator.intervention.resolution", "evaluator.egress.redaction",
    "evaluator.egress.sanitizer", "evaluator.egress.change_summary",
    "evaluator.shell.bash", "evaluator.shell.parse", "evaluator.shell.walk", "evaluator.shell.handlers",
    "evaluator.shell.rows", "evaluator.exchange.menu", "evaluator.exchange.option_names", "evaluator.exchange.reply",
    "evaluator.verdict.convergence", "evaluator.verdict.readings",
    "evaluator.gate.holds", "evaluator.gate.verdicts",
}  # fmt: skip
CLIENT = {"_socket", "compass", "compass.entry", "evaluator", "evaluator.wire", "gc", "hooks", "hooks.client"}
GATE = {
    "compass.hook.dispatch", "evaluator.settings.layers", "evaluator.settings.keys",
    "evaluator.state.store", "hashlib", "sqlite3",
}  # fmt: skip
ALONE = ("-I", "-S")
FILES, FUNCTIONS, MODULES = 76, 710, 118
"""What a held `rm` goes through now, and a little room; what a short reply takes up is read before rules hold."""


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def started(place, *words, payload, flags=(*ALONE, "-X", "importtime"), env=None):
    stdin = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    env = place.environment() if env is None else env
    return finished([sys.executable, *flags, *words], stdin, env=env, cwd=place.project)


def loaded(place, payload, event="pre-tool-use"):
    """The modules that a hook that is allowed imported or looked for."""
    done = started(place, MAIN, "hook", event, payload=payload)
    assert event != "pre-tool-use" or denial(done) is None
    return modules(done.stderr)


def modules(told):
    """Those that `-X importtime` told of."""
    lines = told.decode().splitlines()
    assert all(line.startswith("import time:") for line in lines), told
    return {line.rpartition("|")[2].strip() for line in lines}


def prompted(place, text):
    """The modules that a prompt's hook imported."""
    given = {"hook_event_name": "UserPromptSubmit", "prompt": text}
    return loaded(place, place.payload() | given, "user-prompt-submit")


def lock_file(place):
    return place.payload("Write", {"file_path": str(place.project / "poetry.lock"), "content": "x"})


def test_a_call_that_the_service_answers_loads_the_client_alone(tmp_path):
    with serving(tmp_path) as served:
        served.start()
        found = loaded(served.place, served.place.payload("Read", {"file_path": "a.txt"}))
        assert served.counts()["silent"] == 1
        bare = started(served.place, "-c", "pass", payload=None)
    assert found - modules(bare.stderr) == CLIENT


def test_a_silent_skip_loads_no_gate_and_a_recorded_one_no_packages_and_nothing_for_readers_alone(place):
    silent = loaded(place, place.payload("Read", {"file_path": "a.txt"}))
    assert silent & (OUTSIDE | HEAVY | LATER | GATE) == set()
    first, found = (loaded(place, lock_file(place)) for _ in range(2))
    assert first >= {"pathspec", "site"}, "the first finds the packages that it needs"
    assert found & (OUTSIDE | HEAVY | LATER) == set()
    assert found >= GATE
    assert [event["payload"]["reason"] for event in place.events()] == ["skip_glob", "skip_glob"]


def test_what_answers_a_control_is_loaded_for_controls_alone(place):
    answers = {"compass.hook.control_messages", "evaluator.intervention.resolution"}
    for text in ("Rework the parser", "compass: fix the login"):
        assert prompted(place, text) & (OUTSIDE | HEAVY | LATER | answers) == set()
    found = prompted(place, "compass: status")
    assert found >= answers
    assert found & (OUTSIDE | HEAVY) == set()
    fields = {"hook_event_name": "PostToolUse", "tool_use_id": "t1", "tool_response": {}}
    result = loaded(place, lock_file(place) | fields, "post-tool-use")
    assert result & (OUTSIDE | HEAVY | LATER | answers) == set() and "compass.hook.events" in result


@corpus("flags", [ALONE, ()], each={"place": Place})
def test_the_script_runs_whatever_the_interpreter_was_told_of_site_packages(place, flags):
    """A shell command needs the parser, and the denial the whole gate."""
    done = started(place, MAIN, "hook", "pre-tool-use", payload=deletion(place), flags=flags)
    reason = denial(done)
    assert reason is not None and "src/old_auth.py" in reason, done
    assert done.stderr == b""


def test_a_held_write_enters_no_more_of_the_program_than_before():
    spec = importlib.util.spec_from_file_location("trip", ROOT / "benchmarks" / "trip.py")
    trip = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(trip)
    found = trip.measured()
    for way, counts in found.items():
        assert 0 < counts["files"] <= FILES and 0 < counts["functions"] <= FUNCTIONS, (way, counts)
    assert found["cold"]["modules"] <= MODULES


def test_what_the_entry_says_goes_before_the_environment_for_child_processes_too(tmp_path):
    """The client changes it below `os`, which reads the same values once it is imported."""
    code = (
        "import sys; sys.path.append(sys.argv[1])\n"
        "from hooks.client import apply_entry\n"
        "apply_entry(['closed', f'HOME={sys.argv[2]}', 'ONLOOKER_DIR=/o'])\n"
        "import os, subprocess\n"
        "child = subprocess.run(['env', '-0'], capture_output=True).stdout.split(b'\\0')[:-1]\n"
        "assert dict(pair.split(b'=', 1) for pair in child) == dict(os.environb), child\n"
        "print(*(os.environ.get(name) for name in sys.argv[3:]))"
    )
    names = ["HOME", "ONLOOKER_DIR", "XDG_RUNTIME_DIR", "COMPASS_WIRED", "COMPASS_VIA_PLUGIN"]
    stated = {"HOME": "/h", "XDG_RUNTIME_DIR": "/x", "COMPASS_WIRED": "open", "COMPASS_VIA_PLUGIN": "1"}
    words = [sys.executable, "-I", "-S", "-c", code, str(ROOT), str(tmp_path), *names]
    done = finished(words, "", env={"PATH": os.environ["PATH"], **stated}, text=True)
    assert (done.stdout, done.stderr) == (f"{tmp_path} /o None closed placed None\n", "")


# The names of a host's world stand in its package alone: what else of the code names them is listed, with a reason.

NAMES = re.compile(
    r"claude|PreToolUse|PostToolUse|UserPromptSubmit|SessionStart|SessionEnd|SubagentStop|PermissionRequest"
    r"|BeforeAgent|BeforeTool|AfterTool|SubmitPrompt|pre_file_write|pre_shell_exec|tool\.execute"
    r"|\.(?:codex|gemini|copilot|cursor|chibi)/",
    re.IGNORECASE,
)
SEARCHED = ("compass", "evaluator", "calibration")
BACKEND = re.compile(r"claude[-_]cli|ClaudeCli", re.IGNORECASE)
"""The backend that asks readers through a client of that name: its own name, in every form."""
MODEL = re.compile(r"\"claude-(?:[\w-]+-)?\d[\w-]*\"|\"claude-(?:fable|mythos|haiku|opus|sonnet)-[\d-]+\"")
ADDRESS = re.compile(r"platform\.claude\.com/docs/[\w/-]+")

ALLOWED = {
    "evaluator/readers/claude_cli.py": "the backend's own module: it runs that client",
    "hooks/registry.py": "the host's row",
    "evaluator/readers/claude_warm.py": "the same, kept between samples",
    "evaluator/readers/kinds/claude_cli.py": "the row of that backend says whom it runs",
    "evaluator/events.py": "the public event schema names the hosts that it knows",
}
"""Files that may hold a name beside those of the backend, of models and of the vendor's pages."""


def named_in(text):
    """(line number, line) of each line that names a host's world."""
    for number, line in enumerate(text.splitlines(), 1):
        rest = ADDRESS.sub("", MODEL.sub("", BACKEND.sub("", line)))
        if NAMES.search(rest):
            yield number, line.strip()


def test_no_other_file_names_the_hosts_world():
    files = [path for name in SEARCHED for path in sorted((ROOT / name).rglob("*.py"))]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line}"
        for path in (*files, *sorted((ROOT / "hooks").glob("*.py")))
        if str(path.relative_to(ROOT)) not in ALLOWED
        for number, line in named_in(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_each_file_that_may_still_does_and_the_search_finds_what_it_looks_for():
    assert [name for name in ALLOWED if not list(named_in((ROOT / name).read_text(encoding="utf-8")))] == []
    text = "\n".join(('x = ".claude/settings.json"', 'os.environ["CLAUDE_PID"]', 'if event == "PreToolUse":'))
    assert [number for number, _ in named_in(text)] == [1, 2, 3]
    assert list(named_in('Price("claude-opus-4-5"), settings.claude_cli, "claude-cli"')) == []


# The host's status line, as a process: what the session's gate does, come what may.

PLACES = {"current_dir": "/p", "project_dir": "/p"}
SESSION = {"session_id": "session-1", "cwd": "/p", "workspace": PLACES, "version": "2"}
UNSEEN = "compass · no hook has run in this session"
KEY = breaker_key("anthropic", "http://127.0.0.1:9", "m")


def hook(place: Place, event: str, **given):
    payload = {"session_id": "session-1", "cwd": str(place.project), "hook_event_name": event, **given}
    return place.hook(event, payload)


def shown(place: Place, *words: str, given=SESSION, env: dict[str, str] | None = None) -> str:
    raw = given if isinstance(given, bytes) else json.dumps(given).encode()
    done = started(place, MAIN, "statusline", *words, payload=raw, env=env, flags=ALONE)
    assert (done.returncode, done.stderr) == (0, b""), done
    return done.stdout.decode()


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
    ran = (started(place, *words, payload=SESSION) for words in ((MAIN, "statusline"), ("-c", "pass")))
    loaded, bare = (modules(done.stderr) for done in ran)
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

"""`compass doctor` on readers that fail: by their address; and never that the gate holds where it does not."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi, status
from running.hookrun import NO_RETRY, place, point_at, run

from compass.commands.doctor import verdict
from compass.doctor.situation import Finding

OVERLOADED = 529
HOLDS = "The gate works as configured."


@pytest.fixture
def here(tmp_path: Any) -> Any:
    """A project that `compass init` wired, whose sessions ask readers at an address of their own."""
    found = place(tmp_path)
    found.say("Create the parts of the engine below src, one module a folder, as we agreed in the plan")
    return found


@pytest.fixture
def api() -> Iterator[LoopbackApi]:
    with LoopbackApi(default=status(OVERLOADED, retry_after=NO_RETRY)) as found:
        yield found


def init(here: Any, mode: str) -> None:
    done = here.command("init", mode, "--backend", "embedded")
    assert done.returncode == 0, done.stderr


def write(here: Any, api: LoopbackApi, times: int, **env: str) -> None:
    """Writes of a session in whose environment the readers are at `api`."""
    before = dict(here.env)
    point_at(here, api, deadline=15)
    here.env |= env
    for number in range(times):
        given = {"file_path": str(here.project / f"src/{number}/part.py"), "content": "x = 1\n"}
        run(here, "pre-tool-use", here.payload("Write", given, tool_use_id=f"w{number}"))
    here.env.clear()
    here.env.update(before)


def doctor(here: Any) -> tuple[dict[str, Any], str, int]:
    """Findings by name, the last line that a person reads, the exit code."""
    done: subprocess.CompletedProcess[bytes] = here.command("doctor", "--json")
    text = here.command("doctor")
    assert text.returncode == done.returncode
    found = {item["name"]: item for item in json.loads(done.stdout)}
    return found, text.stdout.decode().splitlines()[-1], done.returncode


def test_an_outage_is_seen_from_a_shell_whose_readers_are_others(here: Any, api: LoopbackApi) -> None:
    init(here, "--enforce")
    before, last, code = doctor(here)
    assert (last, code) == (HOLDS, 0), before
    assert before["circuit"]["detail"] == "closed: no readers are known to be failing"
    write(here, api, 4)
    here.env["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:9"
    found, last, code = doctor(here)
    detail = found["circuit"]["detail"]
    assert f"anthropic at {api.url}, claude-haiku" in detail and "not asked until " in detail
    assert "writes are held meanwhile" in detail
    assert found["circuit"]["warns"]
    assert code == 0, "closed: nothing ran"
    assert last == "No check fails, but readers are failing; when a call needs them, writes are held."
    assert doctor(here)[0]["circuit"]["detail"] == detail, "looking changes nothing"


@pytest.mark.parametrize(
    ("policy", "ok", "said"),
    [("open", False, "compass config set error_policy closed"), ("embedded", True, "only rules judge")],
)
def test_it_fails_where_writes_run_unjudged_meanwhile(
    here: Any, api: LoopbackApi, policy: str, ok: bool, said: str
) -> None:
    init(here, "--enforce")
    write(here, api, 2, COMPASS_ERROR_POLICY=policy)
    here.env["COMPASS_ERROR_POLICY"] = policy
    found, last, _ = doctor(here)
    assert found["circuit"]["ok"] is ok and said in found["circuit"]["detail"]
    assert last != HOLDS


def test_in_observe_mode_it_only_watches(here: Any) -> None:
    init(here, "--observe")
    watches = "it only watches and holds nothing (`compass init --enforce` turns blocking on)"
    assert doctor(here)[1:] == (f"No check fails, but {watches}.", 0)


def test_a_plugin_that_nothing_loads_is_not_said_to_hold(here: Any) -> None:
    done = here.command("init", "--plugin", "--enforce", "--backend", "embedded")
    assert done.returncode == 0, done.stderr
    found, last, _ = doctor(here)
    assert found["hooks wired"]["warns"]
    assert "only a session started with --plugin-dir is gated" in last
    folder = here.root / "home" / ".claude"
    folder.mkdir(exist_ok=True)
    (folder / "settings.json").write_text('{"enabledPlugins": {"compass@somewhere": true}}')
    assert "no session has loaded the plugin here yet" in doctor(here)[1]
    started = {"session_id": "s", "cwd": str(here.project), "hook_event_name": "SessionStart"}
    run(here, "session-start", started)
    assert doctor(here)[1] == HOLDS


def test_what_fails_comes_first() -> None:
    fine, wrong = Finding("a", True, "", but="readers fail"), Finding("b", False, "")
    assert verdict([fine, wrong])[0] == "1 of 2 checks fail."
    both = verdict([fine, Finding("c", True, "", but="it watches")])
    assert both[0] == "No check fails, but readers fail; it watches."
    assert verdict([Finding("c", True, "")])[0] == HOLDS

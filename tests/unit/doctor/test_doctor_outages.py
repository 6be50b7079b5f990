"""`compass doctor` on readers that fail: by their address; and never that the gate holds where it does not."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from apis.backends import Fake, claude_error
from apis.loopback_api import LoopbackApi, status
from running.hookstart import NO_RETRY, place, point_at, run

from compass.commands.doctor import verdict
from compass.doctor.finding import Finding

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
    assert before["outages"]["detail"].startswith("none")
    write(here, api, 4)
    here.env["ANTHROPIC_BASE_URL"] = "http://127.0.0.1:9"
    found, last, code = doctor(here)
    detail = found["outages"]["detail"]
    assert f"anthropic at {api.url}, claude-haiku" in detail
    assert "breaker open since 20" in detail
    assert "not asked until 20" in detail
    assert "3 failed checks, the newest at 20" in detail and "the readers answer with errors" in detail
    assert found["outages"]["warns"]
    assert "4 writes held for want of a judgement" in found["unjudged"]["detail"]
    assert code == 0, "closed: nothing ran"
    assert last == "No check fails, but readers are failing; where they should be asked, writes are held."


def test_after_unjudged_writes_it_is_not_said_that_the_gate_holds(here: Any, api: LoopbackApi) -> None:
    init(here, "--enforce")
    write(here, api, 2, COMPASS_ERROR_POLICY="open")
    found, last, code = doctor(here)
    assert "anthropic at" in found["outages"]["detail"] and ": failing since" in found["outages"]["detail"]
    assert found["unjudged"]["detail"].startswith("in the last day 2 writes ran unjudged, the newest at 20")
    assert found["unjudged"]["warns"]
    assert last.endswith("; 2 writes ran unjudged in the last day.")
    assert code == 0, "as the shell is configured, writes are held"
    here.env["COMPASS_ERROR_POLICY"] = "open"
    found, last, code = doctor(here)
    assert not found["outages"]["ok"]
    assert "compass config set error_policy closed" in found["outages"]["detail"]
    assert code == 1
    assert "checks fail" in last


def test_what_rules_let_through_is_told_apart(here: Any, api: LoopbackApi) -> None:
    init(here, "--enforce")
    write(here, api, 2, COMPASS_ERROR_POLICY="embedded")
    found, last, _ = doctor(here)
    assert "2 writes let through by rules only" in found["unjudged"]["detail"]
    assert "ran unjudged" not in found["unjudged"]["detail"] + last


def test_in_observe_mode_it_only_watches(here: Any) -> None:
    init(here, "--observe")
    _, last, code = doctor(here)
    assert (last, code) == (
        "No check fails, but it only watches and holds nothing (`compass init --enforce` turns blocking on).",
        0,
    )


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
    run(
        here,
        "session-start",
        {"session_id": "s", "cwd": str(here.project), "hook_event_name": "SessionStart"},
    )
    assert doctor(here)[1] == HOLDS


def test_another_projects_unjudged_writes_are_its_own(here: Any, api: LoopbackApi, tmp_path: Any) -> None:
    other = place(tmp_path / "other", {"ONLOOKER_DIR": str(here.state)})
    other.say("Create the parts of the engine below src, one module a folder")
    write(other, api, 1, COMPASS_ERROR_POLICY="open")
    found, _, _ = doctor(here)
    assert found["unjudged"]["detail"] == "no check of the last day failed for want of readers"
    assert api.url in found["outages"]["detail"]


def test_what_fails_comes_first() -> None:
    fine, wrong = Finding("a", True, "", but="readers fail"), Finding("b", False, "")
    assert verdict([fine, wrong])[0] == "1 of 2 checks fail."
    both = verdict([fine, Finding("c", True, "", but="it watches")])
    assert both[0] == "No check fails, but readers fail; it watches."
    assert verdict([Finding("c", True, "")])[0] == HOLDS


def test_a_plan_that_is_used_up_is_an_outage_of_that_name(here: Any, tmp_path: Any) -> None:
    folder = tmp_path / "client"
    folder.mkdir()
    fake = Fake(folder)
    fake.plan(claude_error("You've hit your 5-hour limit · resets 8pm (UTC)", api_error_status=429))
    done = here.command("init", "--enforce", "--backend", "claude-cli")
    assert done.returncode == 0, done.stderr
    here.env |= {name: fake.env[name] for name in ("PATH", "FAKE_CLAUDE_PLAN")}
    here.env["COMPASS_EVALUATOR__BACKEND"] = "claude-cli"
    given = {"file_path": str(here.project / "src/part.py"), "content": "x = 1\n"}
    told = run(here, "pre-tool-use", here.payload("Write", given, tool_use_id="w1")).stdout
    assert "are at your plan's usage limit" in json.loads(told)["systemMessage"]
    found, _, _ = doctor(here)
    assert "the readers are at your plan's usage limit" in found["outages"]["detail"]

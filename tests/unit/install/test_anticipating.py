"""Turning on that prompts are read ahead: what is said of it, and which tools the hooks are for."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from running.hookrun import Place

from hooks.hosts.claude_code.entries import READ_TOOLS, is_written_for, matcher_of
from hooks.hosts.claude_code.seen_tools import sessions_folder

KEY = {"ANTHROPIC_API_KEY": "sk-ant-test-not-a-key-0123456789"}
DAY = 86_400.0


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, {**KEY, "COMPASS_EVALUATOR__BACKEND": "anthropic"})


def lived(place: Place, *prompts: tuple[str, float]) -> None:
    """A session of the project with these prompts, so many days ago."""
    folder = Path(sessions_folder(str(place.root / "home"), str(place.project.resolve())))
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, (text, days) in enumerate(prompts):
        at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - days * DAY))
        lines.append({
            "type": "user", "uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None,
            "isSidechain": False, "timestamp": at, "sessionId": "lived", "promptId": f"p{number}",
            "cwd": str(place.project), "origin": {"kind": "human"}, "promptSource": "typed",
            "message": {"role": "user", "content": text},
        })  # fmt: skip
    (folder / "lived.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def matchers(place: Place) -> dict[str, str]:
    settings = json.loads((place.project / ".claude" / "settings.local.json").read_text())
    return {event: groups[0].get("matcher", "") for event, groups in settings["hooks"].items()}


def test_it_says_what_leaves_how_often_and_which_command_widens_the_hooks(place: Place) -> None:
    lived(
        place, ("old", 40.0), ("Fix it", 2.0), ("And that", 2.0), ("compass: status", 2.0), ("continue", 2.0),
        ("Now the docs", 1.0), ("<task-notification>done</task-notification>", 1.0),
    )  # fmt: skip
    assert place.command("init", "--project", "--enforce", "--yes").returncode == 0
    assert not any(is_written_for(matchers(place)["PreToolUse"], tool) for tool in READ_TOOLS)
    done = place.command("config", "set", "sampling.anticipate", "true")
    said = done.stdout.decode()
    assert "although no write may follow" in said
    assert "some 3 on a day of work, 4 on the busiest" in said
    assert "run `compass init`" in said
    assert "This loosens the gate" in said
    again = place.command("init", "--yes").stdout.decode()
    assert "although no write may follow" in again
    held = matchers(place)
    assert all(is_written_for(held["PreToolUse"], tool) for tool in READ_TOOLS)
    assert held["PostToolUse"] == matcher_of("PostToolUse")


def test_turned_off_again_the_next_init_narrows_the_hooks(place: Place) -> None:
    place.command("config", "set", "sampling.anticipate", "true")
    place.command("init", "--project", "--enforce", "--yes")
    said = place.command("config", "set", "sampling.anticipate", "false").stdout.decode()
    assert "run `compass init`" in said
    assert "Prompts are read ahead" not in said
    place.command("init", "--yes")
    assert matchers(place)["PreToolUse"] == matcher_of("PreToolUse")


def test_with_rules_it_says_that_nothing_is_read_ahead(place: Place) -> None:
    place.env["COMPASS_EVALUATOR__BACKEND"] = "embedded"
    said = place.command("config", "set", "sampling.anticipate", "true").stdout.decode()
    assert "rules judge here" in said


def test_the_doctor_names_hooks_that_do_not_see_reads(place: Place) -> None:
    place.command("init", "--project", "--enforce", "--yes")
    place.command("config", "set", "sampling.anticipate", "true")
    found = {one["name"]: one for one in json.loads(place.command("doctor", "--json").stdout)}
    assert "only read are not hooked" in found["hooks wired"]["detail"]
    place.command("init", "--yes")
    found = {one["name"]: one for one in json.loads(place.command("doctor", "--json").stdout)}
    assert "only read" not in found["hooks wired"]["detail"]

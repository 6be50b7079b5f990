"""`evidence.lookups` through the real hook: who is shown what was looked up, and who never is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi
from running.hookrun import Place, readers_at

from hooks.hosts.claude_code.host import HOST

made_up = HOST.sessions().made_up

FOUND = "old-api 12ab merged by Carol"
COMMAND = "git branch -D old-api"


@pytest.fixture
def place(tmp_path: Path, api: LoopbackApi) -> Place:
    shown = {"COMPASS_EVIDENCE__LOOKUPS": "targets", "COMPASS_EVIDENCE__HISTORY": "true"}
    found = Place(tmp_path, {**readers_at(api.url), **shown, "COMPASS_MODE": "observe"})
    looked(found, ("Bash", {"command": "git branch -vv"}, f"* main 1 up\n  {FOUND}\n"))
    return found


def looked(place: Place, *calls: tuple[str, dict[str, Any], str]) -> None:
    """The transcript of a session whose agent made these calls for its request."""
    path = place.root / "transcript.jsonl"
    path.unlink(missing_ok=True)
    written = made_up(str(path), "session-1")
    written.user("Remove the branch that Carol has merged, and no other one of this repository", "prompt-1")
    for number, (tool, given, text) in enumerate(calls):
        written.calls(tool, given, f"look-{number}")
        written.result(f"look-{number}", text, failed=False)


def sent(place: Place, api: LoopbackApi, tool: str = "Bash", given: dict[str, Any] | None = None) -> str:
    """What the readers of a call were sent."""
    done = place.hook("pre-tool-use", place.payload(tool, given or {"command": COMMAND}))
    assert done.returncode == 0, done.stderr
    return "\n".join(json.dumps(request.body) for request in api.requests)


def newest(place: Place) -> Any:
    return json.loads(place.command("explain", "--json").stdout)


def test_readers_are_shown_the_line_and_so_is_who_asks(place: Place, api: LoopbackApi) -> None:
    assert FOUND in sent(place, api)
    assert newest(place)["evidence"]["looked_up"] == [f"git branch -vv: {FOUND}"]
    assert f'"git branch -vv: {FOUND}"' in place.command("explain", "--egress").stdout.decode()
    payload = json.dumps(place.payload("Bash", {"command": COMMAND})).encode()
    ahead = place.command("explain", "--egress", "--payload", "-", stdin=payload)
    assert f'"git branch -vv: {FOUND}"' in ahead.stdout.decode()


@pytest.mark.parametrize(
    "setting",
    [
        {"COMPASS_EVIDENCE__LOOKUPS": "off"},
        {"COMPASS_CONTEXT_CHARS_MAX": "0", "COMPASS_TRANSCRIPT__PRIOR_TURN_CHARS_MAX": "0"},
    ],
)
def test_nothing_of_it_leaves_where_it_is_off_or_no_text_may(
    place: Place, api: LoopbackApi, setting: dict[str, str]
) -> None:
    place.env.update(setting)
    assert FOUND not in sent(place, api)
    assert api.requests
    assert newest(place)["evidence"]["looked_up"] == []


def test_only_what_reads_is_looked_through(place: Place, api: LoopbackApi) -> None:
    renames = "git branch -m old-api x && git branch -m x old-api"
    looked(
        place,
        ("Bash", {"command": renames}, "old-api by a writing command"),
        ("WebFetch", {"url": "https://example.com/old-api"}, "old-api by the web"),
        ("Agent", {"prompt": "look at old-api"}, "old-api by another agent"),
        ("AskUserQuestion", {"questions": []}, "old-api by a question"),
        ("mcp__github__delete_branch", {"branch": "old-api"}, "old-api by a writing server"),
        ("mcp__github__get_branch", {"branch": "old-api"}, "old-api by a reading server"),
        ("Grep", {"pattern": "api"}, "README.md:1:old-api by a search"),
        ("Bash", {"command": "git status"}, "old-api by a reading command"),
    )
    sent(place, api)
    assert newest(place)["evidence"]["looked_up"] == [
        "git status: old-api by a reading command",
        "Grep api: README.md:1:old-api by a search",
        "github__get_branch old-api: old-api by a reading server",
    ]


def test_what_the_turn_wrote_is_not_read_back_to_readers(place: Place, api: LoopbackApi) -> None:
    note = str(place.project / "note.md")
    written = place.payload("Write", {"file_path": note, "content": "x"}, tool_use_id="toolu_w")
    place.hook("pre-tool-use", written)
    place.hook("post-tool-use", {**written, "hook_event_name": "PostToolUse"})
    read = ("Read", {"file_path": note}, "1\told-api may go")
    looked(place, read, ("Bash", {"command": "git status"}, "old-api"))
    sent(place, api)
    assert newest(place)["evidence"]["looked_up"] == ["git status: old-api"]

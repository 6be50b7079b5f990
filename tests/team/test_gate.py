"""A laptop's real hook in front of a real team's evaluator: what it is told, and what holds while nobody answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from apis.loopback_api import answer
from running.hookrun import Place, denial
from team.running.team import Team, team

REQUEST = "Raise the retry limit in src/client.py to five attempts, please, and leave all the rest of that file alone."


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Team]:
    with team(tmp_path / "team", people=0, delay=0.05, answers=answer(0.95), cuttable=True) as found:
        yield found


def laptop(root: Path, here: Team, person: str, **env: str) -> Place:
    place = Place(
        root, {"COMPASS_EVALUATOR__BACKEND": "team", "COMPASS_COOLDOWN__SECONDS": "0", **env}, forked=False
    )
    token = here.make_token(person)
    done = place.command("team", "login", here.proxy.url, "--yes", stdin=f"{token}\n".encode())
    assert done.returncode == 0, done.stderr
    place.say(REQUEST)
    return place


def write(place: Place, number: int) -> str | None:
    """Why an edit is held; None where it may run. Each is another question."""
    given = {
        "file_path": str(place.project / f"src{number}" / "client.py"),
        "old_string": f"LIMIT = {number}", "new_string": "LIMIT = 5",
    }  # fmt: skip
    return denial(place.hook("pre-tool-use", place.payload("Edit", given, tool_use_id=f"toolu_{number}")))


@pytest.mark.smoke
@pytest.mark.timeout(240)
def test_an_outage_is_decided_by_each_gates_own_policy_and_is_over_by_itself(
    here: Team, tmp_path: Path
) -> None:
    closed = laptop(tmp_path / "closed", here, "ada", COMPASS_DEADLINE_SECONDS="8")
    opened = laptop(
        tmp_path / "open", here, "grace", COMPASS_DEADLINE_SECONDS="8", COMPASS_ERROR_POLICY="open"
    )
    assert [write(place, 1) for place in (closed, opened)] == [None, None]
    asked = here.api.counts().requests
    assert asked == 10
    assert here.database is not None
    here.database.cut()
    held = write(closed, 2)
    assert held is not None and "503 from your team" in held
    assert write(opened, 2) is None
    assert here.api.counts().requests == asked
    here.database.heal()
    assert write(closed, 3) is None
    assert here.api.counts().requests == asked + 5
    assert {row["person"] for row in here.evaluations()} == {"ada", "grace"}

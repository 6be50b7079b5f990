"""A laptop against a real team's evaluator: login, a check that its readers answer, and a token that is taken back."""

from __future__ import annotations

import json
import time

import pytest
from apis.loopback_api import answer, reply
from running.team_serving import TeamPlace

CASE = {
    "user_message": "Just delete it.",
    "prior_assistant_turn": "I found two unused files: src/old_auth.py and src/legacy_auth.py.",
    "tool_name": "Bash",
    "command": "rm src/old_auth.py",
}


@pytest.fixture
def laptop(tmp_path, replica) -> TeamPlace:
    return TeamPlace(
        tmp_path, "", replica.address, {"COMPASS_EVALUATOR__BACKEND": "team", "ANTHROPIC_API_KEY": ""}
    )


def checked(laptop: TeamPlace) -> dict[str, object]:
    done = laptop.command("check", "--case", "-", "--json", stdin=json.dumps(CASE))
    assert done.returncode in (0, 2), done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.full
def test_a_check_is_answered_by_the_teams_readers_until_the_token_is_revoked(laptop, replica, team, api):
    token = team.token("lovelace")
    done = laptop.command("team", "login", replica.address, "--yes", stdin=token + "\n")
    assert done.returncode == 0, done.stderr
    assert token not in done.stdout + done.stderr
    api.queue(*[reply(answer(0.1, action="delete", target="src/legacy_auth.py"))] * 5)
    found = checked(laptop)
    assert (found["decision"], found["backend"]) == ("deny", "team")
    # Readers whose answers could not turn the verdict any more are not waited for.
    scores = [sample["score"] for sample in found["samples"] if sample["score"] is not None]
    assert len(found["samples"]) == 5
    assert scores == [0.1] * max(3, len(scores))
    told = json.loads(laptop.command("team", "status", "--json").stdout)
    assert (told["team"], told["person"]) == (team.name, "lovelace")
    rows = replica.ask(team.read, "GET", "/v1/evaluations?person=lovelace").body.splitlines()
    assert json.loads(rows[0])["evidence"]["current_request"] == CASE["user_message"]
    assert replica.ask(team.admin, "DELETE", f"/v1/tokens/{token.split('_')[2]}").status == 200
    end = time.monotonic() + 5.0
    while replica.ask(token, "GET", "/v1/me").status != 401:
        assert time.monotonic() < end
    ended = checked(laptop)
    assert [sample["score"] for sample in ended["samples"] if sample["score"] is not None] == []
    assert ended["decision"] == "deny"


def test_an_administrators_token_is_none_for_a_laptop(laptop, replica, team):
    for token in (team.admin, team.read):
        done = laptop.command("team", "login", replica.address, "--yes", stdin=token + "\n")
        assert done.returncode == 1
        assert token not in done.stdout + done.stderr
    assert not list(laptop.root.rglob("team-token"))

"""`compass team`: the laptop's login, and thresholds that a team shares, against a real server."""

import json
import secrets
import stat
import time
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import Behaviour
from apis.team_server import MODEL, PROMPT, TOKEN, TeamServer, document
from corpora import corpus
from running.hookrun import Place

from evaluator.egress.sanitizer import sanitize
from evaluator.model import Thresholds
from evaluator.readers.team.login import Login, is_token, normal, read_login, write_login
from evaluator.settings.keys import Settings
from evaluator.settings.places import project_key
from evaluator.verdict.calibrated_thresholds import Calibrated, calibrated_as_dict

N = Settings().evaluator.n
DAY = 86_400.0


@pytest.fixture
def server():
    with TeamServer() as found:
        yield found


@pytest.fixture
def place(tmp_path):
    found = Place(tmp_path)
    found.env["COMPASS_EVALUATOR__BACKEND"] = "auto"
    return found


def folder(place: Place) -> Path:
    return Path(place.state) / "compass"


def log_in(place: Place, server: TeamServer, *words: str, token: str = TOKEN) -> Any:
    return place.command("team", "login", server.url, *words, stdin=f"{token}\n".encode())


def config(place: Place, key: str) -> Any:
    return json.loads(place.command("config", "get", key, "--json").stdout)["value"]


def refused(done: Any, said: str = "") -> None:
    """The command failed, and said why."""
    assert done.returncode != 0 and said in done.stderr.decode() and b"Traceback" not in done.stderr


# Login


def test_a_token_is_tried_and_kept_for_its_user_alone(place, server):
    done = log_in(place, server)
    assert done.returncode == 0, done.stderr
    said = done.stdout.decode()
    assert "ada of team red" in said and TOKEN not in said + done.stderr.decode()
    assert f"compass config set --user evaluator.base_url {server.url}" in said
    path = folder(place) / "team-token"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found = read_login(str(folder(place)))
    assert (found.token, found.address) == (TOKEN, server.url)
    assert server.gets[0][0] == "/v1/me"
    assert config(place, "evaluator.base_url") is None, "without a yes nothing is set"


def test_with_a_yes_the_server_is_asked_in_every_project(place, server):
    del place.env["COMPASS_EVALUATOR__BACKEND"]
    unset = {name: value for name, value in place.environment().items() if not name.endswith("BACKEND")}
    place.environment = lambda: unset
    found = json.loads(log_in(place, server, "--yes", "--json").stdout)
    assert (found["team"], found["person"], found["set"]) == ("red", "ada", True)
    assert config(place, "evaluator.backend") == "team"
    assert config(place, "evaluator.base_url") == server.url


@corpus("scopes", [("evaluate", "admin"), ("read",), (), ("evaluate", "read", "admin")])
def test_a_token_that_may_more_or_less_is_refused_with_the_reason(place, server, scopes):
    server.scopes = scopes
    refused(log_in(place, server), "Ask for one with only that scope")
    assert not (folder(place) / "team-token").exists()


@corpus("token", ["", "sk-ant-something-else-entirely-0123456789", "cmp_red_1_short", TOKEN + " x"])
def test_what_is_no_token_is_sent_nowhere(place, server, token):
    refused(log_in(place, server, token=token), "not a token for a team")
    assert not server.gets


def test_a_refused_token_keeps_the_old_one(place, server):
    assert log_in(place, server).returncode == 0
    refused(log_in(place, server, token="cmp_red_2_" + "y" * 43), "rejects the token")
    assert read_login(str(folder(place))).token == TOKEN


@corpus(
    ("url", "said"),
    [
        ("compass.example", "not an http or https address"),
        ("http://10.0.0.1:8080", "over plain http"),
        ("https://ada:secret@compass.example", "remove them"),
    ],
)
def test_an_address_that_no_token_may_go_to_is_refused_before_it_is_asked_for(place, url, said):
    refused(place.command("team", "login", url, stdin=b""), said)


@corpus(
    "answer",
    [
        document({"team": "red"}),
        document(["x"]),
        document({"team": "red", "person": "ada", "token_id": "1", "scopes": ["root"], "expires_at": 1.0}),
        Behaviour(body=b"<html>", content_type="text/html"),
        Behaviour(status=302, body=b"", headers={"location": "/elsewhere"}),
    ],
    ids=["half", "a list", "an unknown scope", "a page", "a redirect"],
)
def test_a_server_that_is_none_is_told_and_nothing_is_kept(place, server, answer):
    server.answers_get, asked = answer, len(server.gets)
    refused(log_in(place, server))
    assert not (folder(place) / "team-token").exists()
    assert [path for path, _ in server.gets[asked:]] == ["/v1/me"]


def test_the_token_is_no_argument_and_no_variable(place, server):
    refused(place.command("team", "login", server.url, TOKEN))
    place.env["COMPASS_TEAM_TOKEN"] = TOKEN
    refused(place.command("team", "login", server.url, stdin=b""))
    assert not server.gets


def test_logging_out_takes_the_token_and_the_policy_along(place, server):
    server.push({"mode": "enforce"})
    said = log_in(place, server).stdout.decode()
    assert server.pushed.digest in said
    assert (folder(place) / "team-policy.json").exists()
    assert b"deleted here" in place.command("team", "logout").stdout
    assert not (folder(place) / "team-token").exists() and not (folder(place) / "team-policy.json").exists()
    assert b"Nobody was logged in" in place.command("team", "logout").stdout


def test_a_token_that_stands_in_a_text_is_redacted_before_it_leaves():
    token = f"cmp_red-2_01HZX_{secrets.token_urlsafe(32)}"
    assert is_token(token)
    found = sanitize(f"use {token} for it, and cmp_check_this_name", None, ())
    assert found == "use [REDACTED:compass-token] for it, and cmp_check_this_name"


# Auto, doctor


def findings(place: Place, *words: str) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in json.loads(place.command("doctor", "--json", *words).stdout)}


def test_auto_takes_a_server_that_the_user_is_logged_in_at(place, server):
    place.env["COMPASS_EVALUATOR__BASE_URL"] = server.url
    assert "auto chooses team" not in findings(place)["backend"]["detail"]
    log_in(place, server)
    found = findings(place)
    said = found["backend"]["detail"]
    assert said.startswith("auto chooses team: you are logged in to your team's evaluator, 127.")
    assert found["team"]["ok"] and not found["team"]["warns"] and "ada of red" in found["team"]["detail"]
    place.env["COMPASS_EVALUATOR__BASE_URL"] = "http://127.0.0.1:9"
    assert "auto chooses team" not in findings(place)["backend"]["detail"], "the token is for another server"
    place.env["COMPASS_EVALUATOR__BASE_URL"] = server.url
    place.env["ANTHROPIC_API_KEY"] = "k"
    assert "auto chooses anthropic" in findings(place)["backend"]["detail"]


@pytest.mark.parametrize(
    ("left", "ok", "warns", "said"),
    [
        (30 * DAY, True, False, "until "),
        (6 * DAY, True, True, "ask for a new token"),
        (-DAY, False, True, "expired"),
    ],
)
def test_a_token_that_ends_within_a_week_is_warned_of(place, server, left, ok, warns, said):
    place.env |= {"COMPASS_EVALUATOR__BASE_URL": server.url, "COMPASS_EVALUATOR__BACKEND": "team"}
    write_login(str(folder(place)), Login(TOKEN, server.url, "red", "ada", time.time() + left + 60))
    found = findings(place)["team"]
    assert (found["ok"], found["warns"]) == (ok, warns) and said in found["detail"]


# Thresholds


def calibrated(confidence: float, **changes: Any) -> dict[str, object]:
    given = {
        "backend": "team", "model": MODEL, "prompt": PROMPT, "date": "2026-11-01T00:00:00Z",
        "per_n": {N: {"reversible": Thresholds(confidence, 1.0, alpha=0.1)}}, **changes,
    }  # fmt: skip
    return calibrated_as_dict(Calibrated(**given))


@pytest.fixture
def shared(place, server):
    place.env |= {"COMPASS_EVALUATOR__BASE_URL": server.url, "COMPASS_EVALUATOR__BACKEND": "team"}
    assert log_in(place, server).returncode == 0
    server.shared[project_key(str(place.project))] = calibrated(0.6)
    return place


def in_force(place: Place) -> dict[str, Any]:
    (path,) = folder(place).glob("*/thresholds.json")
    return json.loads(path.read_text())["per_n"][str(N)]["reversible"]


def test_what_is_shared_is_taken_after_a_yes_and_used(shared, server):
    done = shared.command("team", "thresholds", "pull")
    refused(done, "--yes")
    assert f"with {N} readers, reversible calls: a mean of at least 0.60" in done.stdout.decode()
    assert not list(folder(shared).glob("*/thresholds.json"))
    done = shared.command("team", "thresholds", "pull", "--yes")
    assert done.returncode == 0, done.stderr
    assert b"a mean of at least 0.40 and a deviation" in done.stdout and b"Taken" in done.stdout
    assert in_force(shared)["confidence"] == 0.6
    assert findings(shared)["calibration"]["detail"].startswith("in force")
    assert b"Nothing was changed" in shared.command("team", "thresholds", "pull").stdout
    server.shared[project_key(str(shared.project))] = calibrated(0.7)
    refused(shared.command("team", "thresholds", "pull"))
    assert in_force(shared)["confidence"] == 0.6


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"backend": "anthropic"}, "measured with other readers"),
        ({"prompt": "0" * 16}, "measured with other readers"),
        ({"per_n": {}}, "sets no thresholds"),
    ],
)
def test_what_would_not_count_here_is_not_taken(shared, server, change, said):
    server.shared[project_key(str(shared.project))] = calibrated(0.6, **change)
    refused(shared.command("team", "thresholds", "pull"), said)
    assert not list(folder(shared).glob("*/thresholds.json"))


def test_nothing_shared_and_nonsense_are_told(shared, server):
    key = project_key(str(shared.project))
    server.shared[key] = {"version": 99}
    refused(shared.command("team", "thresholds", "pull"), "cannot be used")
    del server.shared[key]
    refused(shared.command("team", "thresholds", "pull"), "has not shared any thresholds for this project")


def test_push_shares_what_was_calibrated_by_an_admins_token_from_a_file(shared, server):
    file = Path(shared.root) / "admin"
    file.write_text(TOKEN)
    file.chmod(0o600)
    words = ("team", "thresholds", "push", "--token-file", str(file))
    refused(shared.command(*words), "no calibration here")
    assert shared.command("team", "thresholds", "pull", "--yes").returncode == 0
    server.shared.clear()
    assert shared.command(*words).returncode == 0
    assert server.shared == {project_key(str(shared.project)): calibrated(0.6)}
    file.chmod(0o644)
    refused(shared.command(*words), "chmod 600")
    server.token = "cmp_red_9_" + "z" * 43
    file.chmod(0o600)
    refused(shared.command(*words), "rejects the token")


def test_addresses_are_one_however_they_end():
    assert {normal(f"https://x{tail}") for tail in ("", "/", "/v1", "/v1/", " ")} == {"https://x"}

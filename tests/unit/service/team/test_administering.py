"""`compass team` for administrators, and `compass serve --team` as it begins, as processes of their own."""

import json
import ssl

import pytest
from apis.loopback_api import Behaviour, answer, reply
from apis.team_server import TeamServer
from corpora import corpus
from running.haproxy import certificate
from running.hookrun import Place, denial
from running.httpserving import ask
from samples.team_requests import asking


class Administrator:
    def __init__(self, place, replica, admin, name):
        self.place, self.replica, self.admin = place, replica, admin
        self.file = place.root / f"token-{name}"
        self.file.touch(mode=0o600)
        self.file.write_text(admin + "\n")

    def run(self, *words, code=0, stdin="", env=None):
        """`words` begin with the action's."""
        named = [] if "--token-file" in words else ["--token-file", str(self.file)]
        where = [] if "--url" in words else ["--url", self.replica.address]
        done = self.place.command("team", *words, *where, *named, stdin=stdin, env=env)
        assert done.returncode == code, (words, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        assert self.admin not in done.stdout + done.stderr
        return done

    def json(self, *words):
        return json.loads(self.run(*words, "--json").stdout)


KEYLESS = {"ANTHROPIC_API_KEY": "", "COMPASS_EVALUATOR__BASE_URL": ""}


@pytest.fixture(scope="module")
def ada(place, replica, team):
    return Administrator(place, replica, team.admin, team.name)


@pytest.mark.full
def test_tokens_are_rotated_without_a_moment_between(ada, replica):
    old = ada.run("token", "create", "joan").stdout.strip()
    new = ada.run("token", "create", "joan", "--days", "0.5").stdout.strip()
    assert [replica.evaluate(one, asking("rotate")).status for one in (old, new)] == [200, 200]
    listed = {row["token_id"]: row for row in ada.json("token", "list")["tokens"]}
    mine = [listed[token.split("_")[2]] for token in (old, new)]
    assert [(row["person"], row["scopes"]) for row in mine] == [("joan", ["evaluate"])] * 2
    assert round(mine[1]["expires_at"] - mine[1]["created_at"]) == 12 * 3600
    assert "secret" not in json.dumps(mine)
    said = ada.run("token", "revoke", old.split("_")[2]).stdout
    assert "is revoked" in said
    shown = ada.run("token", "list").stdout
    assert old.split("_", 3)[3] not in shown and " revoked 20" in shown
    assert replica.evaluate(new, asking("rotated")).status == 200
    assert "no valid token" in ada.run("token", "revoke", old.split("_")[2], code=1).stderr


@pytest.mark.full
def test_the_token_file_is_the_administrators_alone(ada, tmp_path):
    open_to_others = tmp_path / "token"
    open_to_others.write_text(ada.admin)
    open_to_others.chmod(0o644)
    for path in (open_to_others, tmp_path / "none", tmp_path):
        assert str(path) in ada.run("token", "list", "--token-file", str(path), code=1).stderr
    linked = tmp_path / "linked"
    linked.symlink_to(ada.file)
    ada.run("token", "list", "--token-file", str(linked), code=1)
    assert "evaluate" in ada.run("token", "list", "--token-file", "-", stdin=ada.admin + "\n").stdout
    ada.run("token", "list", "--token-file", "-", stdin="", code=1)


@pytest.mark.full
def test_settings_are_shown_and_set_one_at_a_time(ada):
    before = ada.json("settings")
    assert ada.json("settings", "daily_usd", "12.5") == before | {"daily_usd": 12.5}
    assert ada.json("settings", "store_evidence", "false")["daily_usd"] == 12.5
    assert "daily_usd              12.5" in ada.run("settings").stdout
    assert ada.json("settings", "daily_usd", "null")["daily_usd"] is None
    assert ada.json("settings", "store_evidence", "true") == before
    assert "daily_usd" in ada.run("settings", "daily_us", "1", code=1).stderr
    for wrong in (["daily_usd"], ["daily_usd", "much"], ["retention_days", "0"], ["burst", "true"]):
        ada.run("settings", *wrong, code=1)
    assert ada.json("settings") == before


def test_a_policy_is_pushed_and_one_that_no_gate_takes_is_not(ada, tmp_path):
    file = tmp_path / "policy.json"
    policy = {"settings": {"mode": "enforce", "error_policy": "closed"}}
    file.write_text(json.dumps(policy))
    pushed = ada.json("policy", "set", str(file))
    assert pushed == {**policy, "digest": pushed["digest"]}
    assert ada.json("policy", "show") == pushed
    assert pushed["digest"] in ada.run("policy", "show").stdout
    for wrong, said in (
        ({"settings": {"mod": "enforce"}}, "mod"),
        ({"settings": {"evaluator": {"base_url": "http://evil.example"}}}, "only the user may set this key"),
        ({"settings": []}, "settings"), ({}, "settings"), ([], "the body"),
        ({"settings": {}, "backends": ["team"]}, "backends"),
    ):  # fmt: skip
        file.write_text(json.dumps(wrong))
        assert said in ada.run("policy", "set", str(file), code=1).stderr
    assert ada.json("policy", "show") == pushed


def test_a_policy_that_is_pushed_tightens_a_laptops_gate_from_the_login_on(ada, replica, api, tmp_path):
    asks = {"COMPASS_EVALUATOR__BACKEND": "team", "COMPASS_EVALUATOR__BASE_URL": replica.address}
    laptop = Place(tmp_path / "laptop", asks)
    laptop.say("Write a note on how the retry limit is read into a new notes file, please, and nothing else")
    file = tmp_path / "policy.json"
    file.write_text(json.dumps({"settings": {"confidence_threshold": 0.95}}))
    ada.run("policy", "set", str(file))
    token = ada.run("token", "create", "eve").stdout
    assert laptop.command("team", "login", replica.address, stdin=token.encode()).returncode == 0
    api.default = reply(answer(0.9, target="notes.txt"))
    assert denial(laptop.hook("pre-tool-use", laptop.payload())) is not None, "0.9 is under 0.95"


def test_what_a_person_spent_is_told_and_a_person_erased(ada, replica):
    token = ada.run("token", "create", "hedy").stdout.strip()
    for number in range(3):
        assert replica.evaluate(token, asking(f"kept {number}")).status == 200
    assert "hedy" in ada.run("spend").stdout
    spent = {row["person"]: row for row in ada.json("spend")["spent"]}
    assert spent["hedy"]["samples"] == 15
    assert "nothing" in ada.run("spend", "--day", "2001-01-01").stdout
    assert "--yes" in ada.run("erase", "hedy", code=1).stderr
    assert ada.json("erase", "hedy", "--yes") == {"person": "hedy", "records": 3}


def test_an_agent_may_run_none_of_it(ada):
    for words in (("token", "create", "eve"), ("token", "list"), ("erase", "joan", "--yes"), ("spend",)):
        assert "an agent started it" in ada.run(*words, code=1, env={"CLAUDECODE": "1"}).stderr


def test_a_scope_that_is_missing_is_said(ada, team, tmp_path):
    reader = tmp_path / "reader"
    reader.touch(mode=0o600)
    reader.write_text(team.read)
    assert "the whole team" in ada.run("spend", "--token-file", str(reader)).stdout
    assert "scope: admin" in ada.run("token", "list", "--token-file", str(reader), code=1).stderr


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://team.example:80", "over plain http"),
        ("ftp://team.example", "not an http or https address"),
        ("nonsense", "not an http or https address"),
        ("http://127.0.0.1:1", "cut off or missing"),
    ],
)
def test_the_token_goes_over_https_or_to_this_machine_alone(ada, url, told):
    assert told in ada.run("token", "list", "--url", url, code=1).stderr


@corpus(("status", "body"), [(200, b"[" * 200_000), (200, b"hello"), (502, b"<html>"), (307, b"")])
def test_what_is_no_answer_of_an_evaluator_is_a_refusal_and_no_redirect_gets_the_token(ada, status, body):
    with TeamServer() as server:
        elsewhere = {"location": f"{server.url}/elsewhere"}
        server.answers_get = Behaviour(status=status, body=body, headers=elsewhere)
        ada.run("token", "list", "--url", server.url, code=1)
        assert [path for path, _ in server.gets] == ["/v1/tokens"]


@pytest.mark.full
def test_it_listens_with_a_certificate(place, tmp_path):
    cert, _ = certificate(tmp_path)
    with place.replica("--tls-cert", str(cert), "--tls-key", str(tmp_path / "key.pem")) as replica:
        assert replica.address.startswith("https://")
        tls = ssl.create_default_context(cafile=str(cert))
        assert ask(replica.port, "GET", "/livez", tls=tls).json == {"status": "ok"}
        assert replica.end() == 0


def test_the_first_token_is_printed_once_and_alone(place):
    done = place.command("serve", "--team", "--init", "--name", "first-one")
    (token,) = done.stdout.splitlines()
    assert token.startswith("cmp_first-one_")
    assert token not in done.stderr
    again = place.command("serve", "--team", "--init", "--name", "first-one")
    assert (again.returncode, again.stdout) == (0, "")
    assert "already exists" in again.stderr
    told = json.loads(place.command("serve", "--team", "--init", "--name", "first-one", "--json").stdout)
    assert told == {"team": "first-one", "made": False, "token": None}
    told = json.loads(place.command("serve", "--team", "--init", "--name", "second-one", "--json").stdout)
    assert told["made"] is True
    assert told["token"].startswith("cmp_second-one_")


@pytest.mark.full
def test_a_team_whose_administrators_tokens_are_all_gone_gets_one_again(place, replica):
    admin = place.make_team("locked-out")
    own = admin.split("_")[2]
    assert replica.ask(admin, "DELETE", f"/v1/tokens/{own}").status == 200
    assert place.make_team("locked-out") not in ("", admin)


@pytest.mark.full
@corpus(
    ("words", "env", "said"),
    [
        ((), {"COMPASS_DATABASE": ""}, "COMPASS_DATABASE="),
        ((), {"COMPASS_DATABASE": "postgresql://u:sesame@127.0.0.1:1/x"}, "PostgreSQL"),
        ((), {"COMPASS_DATABASE": "host=x sesame"}, "cannot be read"),
        (("--host", "0.0.0.0"), {}, "--plain-http"),
        ((), {"COMPASS_EVALUATOR__BACKEND": "auto", **KEYLESS}, "ANTHROPIC_API_KEY"),
        ((), KEYLESS, "ANTHROPIC_API_KEY"),
        (("--tls-cert", "/nothing", "--tls-key", "/nothing"), {}, "not a valid certificate"),
        (("--tls-cert", "/nothing"), {}, "must be used together"),
        (("--init", "--name", "No Team"), {}, "a team's name"),
    ],
)  # fmt: skip
def test_what_it_cannot_serve_with_is_said_in_a_sentence(place, words, env, said):
    done = place.command("serve", "--team", "--port", "0", *words, env=env)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "sesame" not in done.stdout + done.stderr

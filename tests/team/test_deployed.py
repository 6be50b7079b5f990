"""A team's evaluator as it is deployed: its role in the database, TLS, saving and restoring, and no secret anywhere."""

import os
import re
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from repository import ROOT
from running.hookrun import KEY
from running.postgres import Cluster
from running.team_serving import TeamProcess
from team.running.gates import case, evaluated, evidence
from team.running.team import Team, place_of, team

from compass.team.database import TeamDatabase

PASSWORD = 'it\'s a "password" with $words'


@pytest.mark.smoke
def test_a_replicas_database_is_made_by_the_shipped_script(tmp_path):
    (tmp_path / "database_password").write_text(f"{PASSWORD}\n")
    with Cluster() as cluster:
        with cluster.administrate("postgres") as connection:
            connection.execute(b"DROP DATABASE compass")
            connection.execute(b"DROP ROLE compass")
        env = {
            "PATH": f"{cluster.programs}:{os.environ['PATH']}", "COMPASS_SECRETS": str(tmp_path),
            "POSTGRES_USER": "postgres", "PGHOST": str(cluster.folder), "PGPORT": str(cluster.port),
        }  # fmt: skip
        words = [str(ROOT / "deploy/roles.sh")]
        done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        quoted = PASSWORD.replace("\\", "\\\\").replace("'", "\\'")
        stated = f"host=127.0.0.1 port={cluster.port} dbname=compass user=compass password='{quoted}'"
        with closing(TeamDatabase(stated)) as database:
            assert database.open()


@pytest.fixture(scope="module")
def over_tls(tmp_path_factory):
    with team(tmp_path_factory.mktemp("tls"), delay=0.0, people=1, tls=True, count=2) as found:
        yield found


@pytest.mark.smoke
def test_a_gate_asks_over_tls(over_tls):
    reply = evaluated(over_tls, over_tls.tokens[0], case(1, run="tls"))
    assert (reply.status, reply.valid(), reply.right()) == (200, 5, True)
    assert "strict-transport-security" in reply.headers


@pytest.mark.smoke
def test_metrics_are_not_had_from_outside_and_readiness_is_that_of_all(over_tls):
    assert over_tls.ask("GET", "/metrics", token=over_tls.reader).status == 404
    assert over_tls.ask("GET", "/livez").status == 404
    assert over_tls.ask("GET", "/readyz", token="").status == 200
    assert [each.ask(over_tls.reader, "GET", "/metrics").status for each in over_tls.replicas] == [200, 200]


PAGE = (ROOT / "docs/team.md").read_text(encoding="utf-8")


def typed(heading: str, folder: Path, programs: Path, **env: str) -> None:
    """The lines below that heading of the page, as they stand."""
    found = re.search(rf"^### {heading}$.*?^```sh\n(.*?)^```$", PAGE, re.M | re.S)
    words, env = ["sh", "-eu", "-c", found[1]], {"PATH": f"{programs}:{os.environ['PATH']}", **env}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def answered(here: Team | TeamProcess, token: str, name: str) -> str:
    reply = evaluated(here, token, name)
    assert reply.status == 200 and reply.right(), reply
    return str(reply.json["evaluation_id"])


@pytest.mark.smoke
@pytest.mark.timeout(180)
def test_a_database_that_was_saved_comes_back_with_all_that_it_held(tmp_path):
    with team(tmp_path / "team", delay=0.0, people=2) as here, Cluster() as other:
        here.set(daily_usd=10.0)
        ids = [answered(here, token, case(n, run="saved")) for n, token in enumerate(here.tokens)]
        url = here.cluster.administrator_url
        typed("Save", tmp_path, here.cluster.programs, ADMINISTRATOR_URL=url)
        with other.administrate("postgres") as connection:
            connection.execute(b"DROP DATABASE compass")
        url = other.administrator_url.replace("/compass?", "/postgres?")
        typed("Restore", tmp_path, other.programs, ADMINISTRATOR_URL=url, NEW_URL=other.administrator_url)
        place = place_of(tmp_path / "restored", other.url, here.api.url)
        with place.replica() as replica:
            # Read from the new database by the old tokens.
            tokens = {
                "evaluations": here.reader,
                "spend": here.reader,
                "settings": here.admin,
                "policy": here.admin,
            }
            for name, token in tokens.items():
                found, before = (
                    replica.ask(token, "GET", f"/v1/{name}"),
                    here.ask("GET", f"/v1/{name}", token=token),
                )
                assert (found.status, found.body) == (200, before.body), name
            kept = replica.ask(here.reader, "GET", "/v1/evaluations").body
            assert all(one.encode() in kept for one in ids)
            answered(replica, here.tokens[0], case(9, run="restored"))


KEPT, NOT_KEPT = "zebrafinch-is-kept", "quetzal-is-not-kept"


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A team that was asked with and without keeping evidence, by right, wrong, revoked and foreign tokens."""
    with team(tmp_path_factory.mktemp("secrets"), delay=0.05, people=2) as here:
        here.set(store_evidence=True)
        ask(here, here.tokens[0], KEPT)
        here.set(store_evidence=False)
        ask(here, here.tokens[1], NOT_KEPT)
        ask(here, here.tokens[0], NOT_KEPT, drop=True)
        for each in here.replicas:
            for token in (here.reader, here.admin, here.tokens[0], "cmp_tools_AAAA_not-one", "nonsense"):
                each.ask(token, "GET", "/metrics")
                each.ask(token, "GET", "/v1/evaluations?since=0")
        yield here


def ask(here: Team, token: str, word: str, *, drop: bool = False) -> None:
    name = case(1, run=word.partition("-")[0], drop=drop)
    asked = evidence(name, current_request=f"Please change it: {word}", command=f"sed -i s/a/{word}/ file")
    assert evaluated(here, token, name, evidence=asked).status == 200


def secrets(here: Team) -> list[bytes]:
    """Each token whole and its secret part, the model's key, the database's password."""
    tokens = [here.admin, here.reader, *here.tokens]
    parts = [token.split("_", 3)[3] for token in tokens]
    assert all(len(part) > 30 for part in parts)
    return [one.encode() for one in (*tokens, *parts, KEY, here.cluster.password)]


def dump(here: Team) -> bytes:
    words = [str(here.cluster.programs / "pg_dump"), "--inserts", here.cluster.administrator_url]
    return subprocess.run(words, check=True, capture_output=True, timeout=60).stdout


@pytest.mark.smoke
def test_the_database_holds_no_secret_and_no_evidence_that_is_not_to_be_kept(asked):
    found = dump(asked)
    assert KEPT.encode() in found, "the dump holds what is kept"
    assert NOT_KEPT.encode() not in found
    assert [one for one in secrets(asked) if one in found] == []


@pytest.mark.smoke
def test_no_log_holds_a_secret_or_a_word_of_the_exchange(asked):
    logs = {
        path: path.read_bytes()
        for path in (
            *asked.folder.rglob("*.log"),
            *(each for each in (asked.folder / "home").rglob("*") if each.is_file()),
            Path(asked.cluster.folder) / "log",
        )
    }
    assert sum(len(text) for path, text in logs.items() if path.name.startswith("replica")) > 1000
    hidden = [*secrets(asked), KEPT.encode(), NOT_KEPT.encode(), b"src/case-"]
    assert [(path.name, one) for path, text in logs.items() for one in hidden if one in text] == []


@pytest.mark.smoke
def test_no_list_of_processes_shows_a_secret(asked):
    pids = [each.process.pid for each in asked.replicas]
    shown = b"".join(Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids)
    assert b"--team" in shown
    assert [one for one in secrets(asked) if one in shown] == []

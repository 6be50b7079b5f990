"""A team's evaluator with many gates at once, also while parts break: each gets its own answer, once. And as it is
deployed: its role in the database, TLS, saving and restoring, and no secret anywhere."""

import asyncio
import gc
import os
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import count
from math import ceil
from pathlib import Path
from statistics import median

import pytest
from repository import ROOT
from running.hookrun import KEY
from running.postgres import Cluster
from running.team_serving import TeamProcess
from team.running.team import (
    Reply,
    Team,
    case,
    connected,
    evaluated,
    evidence,
    place_of,
    poisson,
    team,
)

from compass.team.database import TeamDatabase

GATES = 500
RATE = 10.0
READERS = 5
SECONDS = 20.0


@contextmanager
def aside() -> Iterator[None]:
    """What this process holds already is left out of collections of garbage, which would hold up its gates."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def told(here: Team, replies: Sequence[Reply]) -> str:
    """Of the seconds that each took over the slowest of its readers, as the model saw that one."""
    asked = here.api.counts().cases
    times = sorted(reply.took - asked[reply.name].slowest for reply in replies)
    shares = [times[max(0, ceil(share * len(times)) - 1)] * 1000 for share in (0.5, 0.95, 0.99, 1.0)]
    return "median {:.1f} ms, p95 {:.1f} ms, p99 {:.1f} ms, most {:.1f} ms".format(*shares)


def assert_whole(here: Team, replies: Sequence[Reply]) -> None:
    """Each of them its own evaluation, by all of its readers, paid for once and kept once."""
    assert Counter(reply.kind for reply in replies) == {"": len(replies)}
    for reply in replies:
        assert reply.right(), (reply.name, reply.body)
        assert (reply.valid(), reply.json["shared"], reply.again) == (READERS, False, "")
    asked = here.api.counts().cases
    assert {asked[reply.name].requests for reply in replies} == {READERS}
    answered = {reply.json["evaluation_id"] for reply in replies}
    assert len(answered) == len(replies)
    kept = Counter(row["evaluation_id"] for row in here.evaluations())
    assert {kept[one] for one in answered} == {1}


def test_gates_that_arrive_at_random_each_get_their_own_answer(here, record_property):
    async def play() -> list[Reply]:
        async with connected(here, GATES) as gates:
            await poisson(gates, RATE, 3.0, run="warm", seed=1)
            return await poisson(gates, RATE, SECONDS, run="load")

    with aside():
        replies = asyncio.run(play())
    assert len(replies) > 100
    assert_whole(here, replies)
    machine = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    took = f"{len(replies)} evaluations in {SECONDS:.0f} s added to their readers: {told(here, replies)}"
    record_property("counted", f"team: {took}; {machine}")


@pytest.mark.timeout(240)
def test_five_hundred_at_one_instant_are_answered_once_or_told_why_not(here, record_property):
    async def play() -> list[Reply]:
        """What each is told first."""
        async with connected(here, GATES, repeats=False) as gates:
            asked = (gate.evaluate(case(n, run="instant"), session=n) for n, gate in enumerate(gates))
            return list(await asyncio.gather(*asked))

    replies = asyncio.run(play())
    kinds = Counter(reply.kind or "answered" for reply in replies)
    assert set(kinds) <= {"answered", "overloaded", "late"}, kinds
    assert_whole(here, [reply for reply in replies if reply.status == 200])
    refused = {reply.name for reply in replies if reply.kind == "overloaded"}
    assert not refused & set(here.api.counts().cases)
    took = [reply.took for reply in replies if reply.status == 200]
    after = f"answers after {median(took):.1f} s, at most {max(took):.1f} s"
    record_property("counted", f"team: 500 at one instant: {dict(kinds)}; {after}")


# While parts break

FEWER_GATES = 100
FAULT_AFTER = 4.0
FAULT_SECONDS = 16.0
MENDED_SECONDS = 30.0
"""By then the next evaluation is answered; a bound for one that never is, not a figure."""


@pytest.fixture
def cuttable(tmp_path):
    with team(tmp_path, cuttable=True) as found:
        yield found


def played(here: Team, run: str, *acts: tuple[float, Callable[[], None]]) -> list[Reply]:
    """All replies of gates that arrive at random, while each act is done at its moment (in seconds) of the run."""

    async def do() -> None:
        begun = time.monotonic()
        for moment, act in acts:
            await asyncio.sleep(max(0.0, begun + moment - time.monotonic()))
            await asyncio.to_thread(act)

    async def play() -> list[Reply]:
        async with connected(here, FEWER_GATES) as gates:
            return (await asyncio.gather(poisson(gates, RATE, FAULT_SECONDS, run=run), do()))[0]

    return asyncio.run(play())


def seconds_until_mended(here: Team, run: str) -> float:
    """From now until an evaluation is answered. Each try is another question."""
    begun = time.monotonic()
    for number in count():
        reply = evaluated(here, here.tokens[0], case(number, run=f"{run}mended"), seconds=5.0)
        if reply.status == 200 and reply.valid():
            break
        time.sleep(0.2)
        assert time.monotonic() - begun < MENDED_SECONDS, reply
    return time.monotonic() - begun


def assert_sound(here: Team, replies: list[Reply], *, may: set[str]) -> Counter[str]:
    """Every answer is right and kept; every other reply is a refusal of the kinds that `may` come."""
    kinds = Counter(reply.kind or "answered" for reply in replies)
    assert set(kinds) <= {"answered", *may}, kinds
    answered = [reply for reply in replies if reply.status == 200]
    assert answered and all(reply.right() for reply in answered)
    kept = Counter(row["evaluation_id"] for row in here.evaluations())
    assert [reply.name for reply in answered if kept[reply.json["evaluation_id"]] != 1] == []
    assert set(Counter(reply.json["evaluation_id"] for reply in answered).values()) == {1}
    # What the model has counted is paid for: what nobody knows of is booked at its reservation, never at nothing.
    assert here.spent()[1] >= here.api.counts().answered
    return kinds


@pytest.mark.smoke
@pytest.mark.timeout(240)
def test_a_killed_replica_costs_nobody_the_answer(cuttable, record_property):
    first = cuttable.replicas[0]
    acts = (FAULT_AFTER, lambda: first.end(signal.SIGKILL)), (FAULT_AFTER + 5.0, first.start)
    replies = played(cuttable, "killed", *acts)
    kinds = assert_sound(cuttable, replies, may=set())
    lost = [reply for reply in replies if reply.again]
    assert lost, "the replica was killed where it did nothing"
    again = f"{len(lost)} asked again, the longest took {max(r.took for r in lost):.1f} s"
    record_property("counted", f"team: kill -9 of a replica: {dict(kinds)}, {again}")


@pytest.mark.timeout(240)
def test_a_restart_of_the_database_is_waited_for(cuttable, record_property):
    replies = played(cuttable, "restart", (FAULT_AFTER, cuttable.cluster.restart))
    kinds = assert_sound(cuttable, replies, may={"state", "late", "overloaded"})
    mended = f"mended after {seconds_until_mended(cuttable, 'restart'):.1f} s"
    record_property("counted", f"team: restart of PostgreSQL: {dict(kinds)}, {mended}")


@pytest.mark.timeout(240)
def test_a_network_that_is_cut_is_an_error_and_then_over(cuttable, record_property):
    line = cuttable.database
    replies = played(cuttable, "cut", (FAULT_AFTER, line.cut), (FAULT_AFTER + 8.0, line.heal))
    mended = seconds_until_mended(cuttable, "cut")
    kinds = assert_sound(cuttable, replies, may={"state", "late", "overloaded"})
    assert kinds["answered"] < len(replies), "nothing was broken"
    told = f"{dict(kinds)}, mended after {mended:.1f} s"
    record_property("counted", f"team: network to PostgreSQL, cut for 8 s: {told}")


@pytest.mark.timeout(240)
def test_a_replica_that_is_told_to_end_finishes_what_it_has(cuttable, record_property):
    first, codes = cuttable.replicas[0], list[int]()
    acts = (FAULT_AFTER, lambda: codes.append(first.end())), (FAULT_AFTER + 6.0, first.start)
    replies = played(cuttable, "drained", *acts)
    assert codes == [0]
    assert_sound(cuttable, replies, may=set())
    again = Counter(reply.again for reply in replies if reply.again)
    assert set(again) <= {"closing"}
    told = f"{len(replies)} of {len(replies)} answered, {again.total()} asked a second replica"
    record_property("counted", f"team: a replica drained: {told}")


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
        with place_of(tmp_path / "restored", other.url, here.api.url).replica() as replica:
            # Read from the new database by the old tokens.
            tokens = {here.reader: ("evaluations", "spend"), here.admin: ("settings", "policy")}
            for token, path in [(token, f"/v1/{name}") for token, names in tokens.items() for name in names]:
                found, before = replica.ask(token, "GET", path), here.ask("GET", path, token=token)
                assert (found.status, found.body) == (200, before.body), path
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
    kept = [each for each in (asked.folder / "home").rglob("*") if each.is_file()]
    paths = [*asked.folder.rglob("*.log"), *kept, Path(asked.cluster.folder) / "log"]
    logs = {path: path.read_bytes() for path in paths}
    assert sum(len(text) for path, text in logs.items() if path.name.startswith("replica")) > 1000
    hidden = [*secrets(asked), KEPT.encode(), NOT_KEPT.encode(), b"src/case-"]
    assert [(path.name, one) for path, text in logs.items() for one in hidden if one in text] == []


@pytest.mark.smoke
def test_no_list_of_processes_shows_a_secret(asked):
    pids = [each.process.pid for each in asked.replicas]
    shown = b"".join(Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids)
    assert b"--team" in shown
    assert [one for one in secrets(asked) if one in shown] == []

"""The lines of docs/team.md that save a team's database and restore it, typed as they stand."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
from pathlib import Path

import pytest
from repository import ROOT
from running.postgres import Cluster
from team.running.gates import Gate, case
from team.running.team import place_of, team

PAGE = (ROOT / "docs/team.md").read_text(encoding="utf-8")


def lines(heading: str) -> str:
    found = re.search(rf"^### {heading}$.*?^```sh\n(.*?)^```$", PAGE, re.M | re.S)
    assert found is not None, heading
    return found[1]


def typed(text: str, folder: Path, programs: Path, **env: str) -> None:
    path = f"{programs}:{os.environ['PATH']}"
    words, env = ["sh", "-eu", "-c", text], {"PATH": path, **env}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def answered(port: int, token: str, name: str) -> str:
    async def play() -> str:
        gate = Gate(port, token)
        try:
            reply = await gate.evaluate(name)
        finally:
            await gate.close()
        assert reply.status == 200 and reply.right(), reply
        return str(reply.json["evaluation_id"])

    return asyncio.run(play())


@pytest.mark.smoke
@pytest.mark.timeout(180)
def test_a_database_that_was_saved_comes_back_with_all_that_it_held(tmp_path: Path) -> None:
    with team(tmp_path / "team", delay=0.0, people=2) as here, Cluster() as other:
        here.set(daily_usd=10.0)
        ids = [answered(here.port, token, case(n, run="saved")) for n, token in enumerate(here.tokens)]
        typed(
            lines("Save"), tmp_path, here.cluster.programs, ADMINISTRATOR_URL=here.cluster.administrator_url
        )
        with other.administrate("postgres") as connection:
            connection.execute(b"DROP DATABASE compass")
        typed(
            lines("Restore"), tmp_path, other.programs,
            ADMINISTRATOR_URL=other.administrator_url.replace("/compass?", "/postgres?"),
            NEW_URL=other.administrator_url,
        )  # fmt: skip
        place = place_of(tmp_path / "restored", other.url, here.api.url)
        with place.replica() as replica:
            # Read from the new database by the old tokens.
            for path, token in (
                ("/v1/evaluations", here.reader), ("/v1/spend", here.reader), ("/v1/settings", here.admin),
                ("/v1/policy", here.admin),
            ):  # fmt: skip
                found = replica.ask(token, "GET", path)
                assert (found.status, found.body) == (200, here.ask("GET", path, token=token).body), path
            kept = replica.ask(here.reader, "GET", "/v1/evaluations").body
            assert all(one.encode() in kept for one in ids)
            answered(replica.port, here.tokens[0], case(9, run="restored"))

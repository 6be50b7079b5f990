"""The role that deploy/roles.sh makes is one that replicas start as."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from repository import ROOT
from running.postgres import Cluster

from compass.team.database import TeamDatabase

PASSWORD = 'it\'s a "password" with $words'


@pytest.mark.smoke
def test_a_replicas_database_is_made_by_the_shipped_script(tmp_path: Path) -> None:
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
        database = TeamDatabase(
            f"host=127.0.0.1 port={cluster.port} dbname=compass user=compass password='{quoted}'"
        )
        try:
            assert database.open()
        finally:
            database.close()

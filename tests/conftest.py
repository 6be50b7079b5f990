"""What every test finds in place: the shell knows the programs of the hosts, as it does wherever Compass runs.

At the end of a run it is told what tests counted: their property COUNTED.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from apis.loopback_api import LoopbackApi
from running.install_postgres import find

from compass.joining.hosts import join_programs

if TYPE_CHECKING:
    from running.postgres import Cluster

    from evaluator.state.postgres.database import PostgresDatabase

join_programs()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what it runs in the background so, and every process of a test would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

COUNTED = "counted"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Also of tests that ran in other processes, whose output nobody sees."""
    reports = [one for kind in ("passed", "failed") for one in terminalreporter.getreports(kind)]
    for text in [value for one in reports for name, value in one.user_properties if name == COUNTED]:
        terminalreporter.write_line(str(text))


@pytest.fixture
def api() -> Iterator[LoopbackApi]:
    """A scripted model API on loopback."""
    with LoopbackApi() as server:
        yield server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL that all tests of this process share: each takes a team, or a database, of its own."""
    if find() is None:
        pytest.skip("no PostgreSQL here: run python3 tests/support/running/install_postgres.py")
    from running.postgres import Cluster

    with Cluster(fsync=False) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def team_database(postgres: Cluster) -> Iterator[PostgresDatabase]:
    """Its database, migrated."""
    from evaluator.state.postgres.database import PostgresDatabase

    database = PostgresDatabase(postgres.url)
    database.open()
    yield database
    database.close()

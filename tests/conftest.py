"""What every test finds in place: the shell knows the programs of the hosts, as it does wherever Compass runs.

At the end of a run it is told what tests counted: their property COUNTED.
"""

from __future__ import annotations

import gc
import os
import signal
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from apis.loopback_api import LoopbackApi
from hypothesis import HealthCheck, settings
from repository import ROOT
from running import forked, install

from compass.composition.effects import join_programs
from hatch_build import write_tables

if TYPE_CHECKING:
    from running.postgres import Cluster
    from running.serving import Serving

    from compass.team.database import TeamDatabase

join_programs()

EXAMPLES = {"few": 50, "many": 400}
"""Of each property, where it states no number of its own: with `make test`, and with `make full`."""
for name, number in EXAMPLES.items():
    # How long an example takes tells of the machine: a test that is about time measures a processor's.
    slow = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    settings.register_profile(name, max_examples=number, deadline=None, suppress_health_check=slow)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "few"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what it runs in the background so, and every process of a test would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

COUNTED = "counted"


def pytest_configure(config: pytest.Config) -> None:
    """Tables as a build leaves them beside their source: where that is newer, each process reads it in 50 ms."""
    tables = [path for name in ("evaluator", "hooks") for path in (ROOT / name).rglob("*.toml")]
    built = [path.with_suffix(".json") for path in tables]
    edited = (new for path, new in zip(tables, built, strict=True) if not _is_newer(new, path))
    if hasattr(config, "workerinput"):
        return
    forked.keep()
    if any(edited):
        write_tables(ROOT, ROOT)


def _is_newer(built: Path, source: Path) -> bool:
    return built.exists() and built.stat().st_mtime_ns >= source.stat().st_mtime_ns


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Also of tests that ran in other processes, whose output nobody sees."""
    reports = [one for kind in ("passed", "failed") for one in terminalreporter.getreports(kind)]
    for text in [value for one in reports for name, value in one.user_properties if name == COUNTED]:
        terminalreporter.write_line(str(text))


def pytest_collection_finish() -> None:
    """What was collected stays: the collector, which would walk it again and again, passes it over."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test with the mark `spread` some rows run in `make test`, the others are marked `full`."""
    rows: defaultdict[str, list[pytest.Function]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("spread"):
            rows[item.nodeid.partition("[")[0]].append(item)
    for of_test in rows.values():
        left = [item for item in of_test if not item.get_closest_marker("full")]
        mark = of_test[0].get_closest_marker("spread")
        assert mark is not None
        now = _evenly(left, *mark.args) if mark.args else _each_value(left)
        for item in left:
            if item not in now:
                item.add_marker(pytest.mark.full)


def _evenly(items: list[pytest.Function], count: int) -> list[pytest.Function]:
    return [items[number * len(items) // count] for number in range(min(count, len(items)))]


def _each_value(items: list[pytest.Function]) -> list[pytest.Function]:
    """Few rows in which each value of each parameter stands at least once."""
    wanted = [{(name, repr(value)) for name, value in item.callspec.params.items()} for item in items]
    count = Counter[tuple[str, str]]()
    chosen: list[pytest.Function] = []
    while any(count[value] == 0 for values in wanted for value in values):
        best = max(range(len(items)), key=lambda at: _gain(wanted[at], count))
        chosen.append(items[best])
        count.update(wanted[best])
    return chosen


def _gain(values: set[tuple[str, str]], count: Counter[tuple[str, str]]) -> tuple[int, int]:
    """What a row adds: values that no row has yet, then those that few have."""
    return sum(count[value] == 0 for value in values), -sum(count[value] for value in values)


@pytest.fixture
def api() -> Iterator[LoopbackApi]:
    """A scripted model API on loopback."""
    with LoopbackApi() as server:
        yield server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL that all tests of this process share: each takes a team, or a database, of its own."""
    if install.postgres() is None:
        pytest.skip(install.line("postgres"))
    from running.postgres import Cluster

    with Cluster() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def team_database(postgres: Cluster) -> Iterator[TeamDatabase]:
    """Its database, migrated."""
    from compass.team.database import TeamDatabase

    database = TeamDatabase(postgres.url)
    database.open()
    yield database
    database.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """One service for the hooks of all places, as on a machine."""
    from running.serving import serving

    with serving(tmp_path_factory.mktemp("served")) as found:
        found.start()
        yield found

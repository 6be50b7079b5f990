"""A team's evaluator as it is run: PostgreSQL, three replicas behind HAProxy, a counted model. Shared by tests that
leave it whole.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from running import install


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.team)


@pytest.fixture(scope="session", autouse=True)
def programs() -> None:
    if install.postgres() is None or install.haproxy() is None:
        pytest.skip(install.line("postgres haproxy"))


@pytest.fixture(scope="session")
def here(programs: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    """Not to be broken: what a test sets of the team, it sets back."""
    from team.running.team import team

    with team(tmp_path_factory.mktemp("team")) as found:
        yield found

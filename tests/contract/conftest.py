"""What contract tests start with: hosted backends, and each kind of state."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from apis.backends import Fake, Tokens
from e2e.install_client import OLDEST, VERSION, find, folder_of, newest_here
from samples.state_stores import KINDS, state_store

from evaluator.state.store import Store


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    return Fake(tmp_path)


@pytest.fixture
def tokens() -> Tokens:
    return Tokens()


@pytest.fixture(
    scope="session",
    params=[
        pytest.param("pinned", marks=pytest.mark.e2e),
        pytest.param("oldest", marks=pytest.mark.full),
        pytest.param("latest", marks=pytest.mark.full),
    ],
)
def client(request: pytest.FixtureRequest) -> Path:
    """The real client's binary, of each version that Compass is tried with."""
    version = {"pinned": VERSION, "oldest": OLDEST}.get(request.param) or newest_here()
    if request.param == "latest" and version == VERSION:
        pytest.skip(f"the newest client is the pinned one, {VERSION}")
    found = find(folder_of(version), version)
    if found is None:
        pytest.fail(
            f"no Claude Code {version}: run python3 tests/e2e/install_client.py --version {request.param}",
            pytrace=False,
        )
    return found


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with state_store(request.param, tmp_path) as fresh:
        yield fresh

"""What the contract tests of hosted backends start with."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from apis.backends import Fake, Tokens
from apis.loopback_api import LoopbackApi


@pytest.fixture
def api() -> Iterator[LoopbackApi]:
    with LoopbackApi() as server:
        yield server


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    return Fake(tmp_path)


@pytest.fixture
def tokens() -> Tokens:
    return Tokens()

"""What every test finds in place: the shell knows the programs of the hosts, as it does wherever Compass runs."""

from collections.abc import Iterator

import pytest
from apis.loopback_api import LoopbackApi

from compass.joining.hosts import join_programs

join_programs()


@pytest.fixture
def api() -> Iterator[LoopbackApi]:
    """A scripted model API on loopback."""
    with LoopbackApi() as server:
        yield server

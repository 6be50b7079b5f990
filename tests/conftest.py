"""What every test finds in place: the shell knows the programs of the hosts, as it does wherever Compass runs.

At the end of a run it is told what tests counted: their property COUNTED.
"""

from collections.abc import Iterator

import pytest
from apis.loopback_api import LoopbackApi

from compass.joining.hosts import join_programs

join_programs()

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

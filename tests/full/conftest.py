"""One sandbox for all tests here; what the rows came to is told at the end of the run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from full import project
from full.sandbox import ForbiddenError, Sandbox, opened
from full.tally import TALLY


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    try:
        with opened() as made:
            project.make(made)
            yield made
    except ForbiddenError as error:
        pytest.skip(str(error))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not (TALLY.read or TALLY.otherwise or TALLY.not_run):
        return
    say = terminalreporter.line
    terminalreporter.section("rows that read, by running them")
    say(f"{TALLY.read} ran as recorded and changed nothing")
    say(f"{len(TALLY.otherwise)} ended otherwise than recorded and changed nothing")
    for row in TALLY.otherwise:
        say(f"  {row}")
    say(f"{TALLY.not_run.total()} did not run")
    for reason, count in sorted(TALLY.not_run.items()):
        say(f"  {reason}: {count}")

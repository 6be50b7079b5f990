"""The client, sessions whose API is asked for faults once the test is over, and the model of other hosts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from e2e.hosts.playing import Model
from e2e.install_client import VERSION, find
from e2e.playing.messages_api import QUICK, MessagesApi
from e2e.playing.replies import Plot, ReaderPlan, every, judge
from e2e.playing.session import Open, Session


@pytest.fixture(scope="session")
def client() -> Path:
    found = find()
    if found is None:
        pytest.fail(f"no Claude Code {VERSION}: run python3 tests/e2e/install_client.py", pytrace=False)
    return found


@pytest.fixture
def open_session(client: Path, tmp_path: Path) -> Iterator[Open]:
    opened: list[MessagesApi] = []
    with ExitStack() as stack:

        def start(
            plot: Plot,
            *,
            readers: ReaderPlan | None = None,
            variables: Mapping[str, str] | None = None,
            latency: float = QUICK,
            flags: Sequence[str] = (),
        ) -> Session:
            root = tmp_path / f"sc\u00e8ne {len(opened)}"  # a blank and an accent, as in many a home
            api = stack.enter_context(
                MessagesApi(plot(root / "project"), readers or every(judge(0.95)), latency)
            )
            opened.append(api)
            return Session(root, client, api, variables or {}, tuple(flags))

        yield start
    assert [fault for api in opened for fault in api.faults] == []


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as found:
        yield found

"""The service keeps the real client: what its processes hold opens nothing, and they end with it, however it ends."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from apis.loopback_api import LoopbackApi, answer, reply
from running.hookrun import KEY, denial, first_on_path
from running.serving import Serving, serving

from evaluator.readers.claude_cli import NESTED

END_SECONDS = 10.0

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc on this machine")


@pytest.fixture
def here(client: Path, api: LoopbackApi, tmp_path: Path) -> Iterator[Serving]:
    env = {
        "COMPASS_EVALUATOR__BACKEND": "claude-cli",
        "PATH": first_on_path(tmp_path, client),
        "COMPASS_DEADLINE_SECONDS": "28",
        "ANTHROPIC_BASE_URL": api.url,
        "ANTHROPIC_API_KEY": KEY,
    }
    with serving(tmp_path, env) as found:
        found.place.say("Tidy the notes up a bit")
        yield found


def children(pid: int) -> list[int]:
    """Processes that the process `pid` started and that run still."""
    return [one for one in map(int, filter(str.isdigit, os.listdir("/proc"))) if parent(one) == pid]


def parent(pid: int) -> int | None:
    """None for a process that has ended."""
    try:
        state, above = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return None
    return int(above) if state != "Z" else None


def variables(pid: int) -> dict[str, str]:
    pairs = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return {name.decode(): value.decode() for name, _, value in (pair.partition(b"=") for pair in pairs)}


def checked(here: Serving) -> list[int]:
    """The processes that are kept after a check, which the readers pass."""
    here.start()
    assert denial(here.hook("pre-tool-use", here.place.payload())) is None
    kept = children(here.counts()["pid"])
    assert len(kept) == 3
    return kept


def gone(pids: list[int]) -> bool:
    end = time.monotonic() + END_SECONDS
    while any(map(parent, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(parent, pids))


def test_what_a_kept_process_holds_is_denied_and_logged(here: Serving, api: LoopbackApi) -> None:
    kept = checked(here)
    asked = len(api.requests)
    tokens = {variables(pid)[NESTED] for pid in kept}
    assert len(tokens) == 1
    here.place.env[NESTED] = tokens.pop()
    reason = denial(here.hook("pre-tool-use", here.place.payload(tool_use_id="toolu_2")))
    assert reason is not None and "the token of a reader's process" in reason
    here.place.env["COMPASS_SERVICE__ENABLED"] = "false"
    assert denial(here.place.hook("pre-tool-use", here.place.payload(tool_use_id="toolu_3"))) == reason
    logged = here.place.command("log").stdout.decode()
    assert logged.count("changes Compass") == 2
    assert len(api.requests) == asked, "nobody was asked"


def test_a_kept_process_runs_alone_and_leaves_nothing(
    here: Serving, api: LoopbackApi, tmp_path: Path
) -> None:
    kept = checked(here)
    for pid in kept:
        assert os.getpgid(pid) == pid
        folder = Path(os.readlink(f"/proc/{pid}/cwd"))
        assert folder.name.startswith("compass-reader-") and not list(folder.iterdir())
    assert len({os.readlink(f"/proc/{pid}/cwd") for pid in kept}) == 3
    assert len(api.requests) == 3
    for one in api.requests:
        assert len(one.body["messages"]) == 1
    assert not list((tmp_path / "home").glob(".claude/projects/**/*"))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=lambda one: one.name)
def test_they_end_with_the_service(here: Serving, how: signal.Signals) -> None:
    kept = checked(here)
    assert here.process is not None
    here.process.send_signal(how)
    here.process.wait(20)
    assert gone(kept)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=lambda one: one.name)
def test_those_at_work_end_with_the_service_too(here: Serving, api: LoopbackApi, how: signal.Signals) -> None:
    kept = checked(here)
    assert here.process is not None
    api.default = reply(answer(), delay=3.0)
    call = here.place.payload(tool_use_id="toolu_2", session_id="other")
    with here.connect() as line:
        line.sendall(here.request("pre-tool-use", call))
        assert api.wait_for_requests(6)
        here.process.send_signal(how)
        here.process.wait(30)
    assert gone(kept)

"""The client kept warm: the real clients against the loopback API, and the service that keeps them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from apis.backends import MODEL, REQUEST, Tokens, pids, play, settled
from apis.loopback_api import LoopbackApi, answer, reply
from running.hookrun import KEY, denial, first_on_path
from running.processes import until
from running.serving import Serving, serving

from evaluator.errors import ReaderError
from evaluator.readers import claude_warm
from evaluator.readers.claude_cli import NESTED, ClaudeCliBackend
from evaluator.readers.claude_warm import WarmClaudeBackend

PATIENT = replace(REQUEST, timeout=30.0)


def warm(client: Path, api: LoopbackApi, home: Path, tokens: Tokens, size: int = 2) -> WarmClaudeBackend:
    home.mkdir(exist_ok=True)
    env = {
        "PATH": os.environ["PATH"], "HOME": str(home), "ANTHROPIC_BASE_URL": api.url,
        "ANTHROPIC_API_KEY": KEY,
    }  # fmt: skip
    cold = ClaudeCliBackend(MODEL, env, issue=tokens.issue, revoke=tokens.revoke, command=str(client))
    return WarmClaudeBackend(cold, size)


def said(received: Any) -> str:
    (message,) = received.body["messages"]
    return json.dumps(message["content"])


def test_ten_samples_of_one_process_do_not_see_each_other(client, api, tmp_path, tokens):
    backend = warm(client, api, tmp_path / "home", tokens, size=1)

    async def script() -> set[int]:
        seen: set[int] = set()
        costs: set[float | None] = set()
        for number in range(10):
            reply = await backend.ask(replace(PATIENT, user=f"evidence-{number:03d}"))
            assert json.loads(reply.text) == json.loads(answer())
            assert (reply.input_tokens, reply.output_tokens) == (100, 20)
            costs.add(reply.cost_usd and round(reply.cost_usd, 9))
            await settled(backend)
            seen |= pids(backend)
        assert costs == {0.0002}, "each sample costs what it cost itself"
        return seen

    assert len(play(backend, script)) == 1, "one process answered all"
    bodies = [one for one in api.requests if one.path.startswith("/v1/messages")]
    assert len(bodies) == 10
    for number, received in enumerate(bodies):
        text = said(received)
        assert [other for other in range(10) if f"evidence-{other:03d}" in text] == [number]
        assert [tool["name"] for tool in received.body["tools"]] == ["StructuredOutput"]
        assert "the rules" in json.dumps(received.body["system"])
    assert not list((tmp_path / "home").glob(".claude/projects/**/*")), "nothing is kept of a sample"
    assert len(tokens.issued) == 1 and not tokens.valid, "only the first was asked cold"


def test_a_sample_that_is_given_up_takes_its_process_with_it(client, api, tmp_path, tokens):
    backend = warm(client, api, tmp_path / "home", tokens, size=1)

    async def script() -> bool:
        await backend.ask(PATIENT)
        await settled(backend)
        before = pids(backend)
        given_up = asyncio.ensure_future(backend.ask(replace(PATIENT, user="given up")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        await settled(backend)
        await backend.ask(replace(PATIENT, user="the next one"))
        return before.isdisjoint(pids(backend))

    assert play(backend, script)
    assert "given up" not in said(api.requests[-1])


def test_hooks_memory_and_login_of_the_user_are_left_alone(client, api, tmp_path, tokens):
    """Whatever ends a process, nothing of it stays in the home: no session, no lock, no key of its own."""
    home, ran = tmp_path / "home", tmp_path / "a-hook-ran"
    folder = home / ".claude"
    folder.mkdir(parents=True)
    (folder / "CLAUDE.md").write_text("the user's memory")
    hook = [{"hooks": [{"type": "command", "command": f"touch {ran}"}]}]
    events = ("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd")
    (folder / "settings.json").write_text(json.dumps({"hooks": dict.fromkeys(events, hook)}))
    login = folder / ".credentials.json"
    login.write_text(json.dumps({"claudeAiOauth": {"accessToken": "sk-ant-oat01-of-the-user"}}))
    before = (login.read_bytes(), login.stat().st_mtime_ns)
    backend = warm(client, api, home, tokens, size=1)
    plain = [str(client), "-p", "hello", "--output-format", "json"]
    subprocess.run(
        plain, env=dict(backend._cold.env), cwd=tmp_path, capture_output=True, timeout=60, check=False
    )
    assert ran.exists(), "without our flags its hooks run"
    ran.unlink()
    kept_of_it = files(folder / "projects")

    async def script() -> None:
        for _ in range(3):
            await backend.ask(PATIENT)
            await settled(backend)
        api.default = reply(delay=20.0)
        with pytest.raises(ReaderError, match="timeout"):
            await backend.ask(replace(PATIENT, timeout=0.5))
        await settled(backend)

    play(backend, script)
    assert not ran.exists()
    assert "the user's memory" not in json.dumps([one.body for one in api.requests[1:]])
    assert (login.read_bytes(), login.stat().st_mtime_ns) == before
    assert files(folder / "projects") == kept_of_it
    assert files(folder / "sessions") == set()
    assert not list(home.glob(".claude.json.*"))


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


# The service: what its processes hold opens nothing, and they end with it, however it ends


@pytest.fixture
def here(client: Path, api: LoopbackApi, tmp_path: Path) -> Iterator[Serving]:
    if not Path("/proc/self/environ").exists():
        pytest.skip("no /proc on this machine")
    env = {
        "COMPASS_EVALUATOR__BACKEND": "claude-cli", "PATH": first_on_path(tmp_path, client),
        "COMPASS_DEADLINE_SECONDS": "28", "ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": KEY,
    }  # fmt: skip
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
    pid = here.counts()["pid"]
    until(lambda: len(children(pid)) == 3)
    return children(pid)


def test_what_a_kept_process_holds_is_denied_and_logged(here, api):
    kept = checked(here)
    asked = len(api.requests)
    tokens = {variables(pid)[NESTED] for pid in kept}
    assert len(tokens) == 1
    here.place.env[NESTED] = tokens.pop()
    reason = denial(here.hook("pre-tool-use", here.place.payload(tool_use_id="toolu_2")))
    assert reason is not None and "a reader process's token" in reason
    here.place.env["COMPASS_SERVICE__ENABLED"] = "false"
    assert denial(here.place.hook("pre-tool-use", here.place.payload(tool_use_id="toolu_3"))) == reason
    assert here.place.command("log").stdout.decode().count("changes Compass") == 2
    assert len(api.requests) == asked, "nobody was asked"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=lambda one: one.name)
def test_those_at_work_end_with_the_service_too(here, api, how):
    kept = checked(here)
    api.default = reply(answer(), delay=3.0)
    call = here.place.payload(tool_use_id="toolu_2", session_id="other")
    with here.connect() as line:
        line.sendall(here.request("pre-tool-use", call))
        assert api.wait_for_requests(6)
        here.process.send_signal(how)
        here.process.wait(30)
    until(lambda: not any(map(parent, kept)), seconds=10.0)


# Clients that cannot be kept: whatever one does with a stream of messages, samples are asked cold and see no other.


PROGRAM = """\
import json, os, pathlib, sys, time, uuid
bent, told = os.environ["BENT"], []
streamed = "stream-json" in sys.argv
with open(os.environ["STARTS"], "a") as file:
    file.write("warm\\n" if streamed else "cold\\n")

def result(**changes):
    usage = {"input_tokens": 60, "output_tokens": 20}
    print(json.dumps({"type": "result", "is_error": False, "session_id": session, "total_cost_usd": 0.5,
                      "usage": usage, "result": json.dumps(told)} | changes), flush=True)

session = str(uuid.uuid4())
if not streamed:
    told.append(sys.stdin.read())
    result()
    sys.exit()
if bent == "knows no such input":
    sys.exit("error: unknown option '--input-format'")
for line in sys.stdin:
    text = json.loads(line)["message"]["content"]
    if text != "/clear":
        told.append(text)
        if bent == "is mute":
            time.sleep(60)
        if bent == "ends at once":
            sys.exit(1)
        if bent == "answers without text":
            result(result="")
        elif bent == "names no session":
            result(session_id=None)
        elif bent == "goes on in the old session":
            result(session_id=first) if len(told) > 1 else result()
        else:
            result()
        first = session if len(told) == 1 else first
    elif bent == "refuses to clear":
        result(is_error=True, result="Unknown command: /clear")
    elif bent == "asks the model to clear":
        told.append(text)
        session = str(uuid.uuid4())
        result()
    elif bent == "is mute when cleared":
        time.sleep(60)
    else:
        if bent != "goes on in the old session":
            told.clear()
        session = str(uuid.uuid4())
        result(usage={}, result="", total_cost_usd=0)
"""
ALONE = [[f"evidence-{number}"] for number in range(6)]
Make = Callable[[str], WarmClaudeBackend]


@pytest.fixture
def starts(tmp_path: Path) -> Path:
    return tmp_path / "starts"


@pytest.fixture
def bent(tmp_path: Path, tokens: Tokens, starts: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    monkeypatch.setattr(claude_warm, "CLEAR_SECONDS", 0.3)
    program = tmp_path / "claude"
    program.write_text(f"#!{sys.executable} -IS\n{PROGRAM}")
    program.chmod(0o755)

    def make(plan: str) -> WarmClaudeBackend:
        env = {"PATH": os.environ["PATH"], "BENT": plan, "STARTS": str(starts)}
        cold = ClaudeCliBackend(MODEL, env, issue=tokens.issue, revoke=tokens.revoke, command=str(program))
        return WarmClaudeBackend(cold, 1)

    return make


async def asked(backend: WarmClaudeBackend, number: int, seconds: float = 20.0) -> list[str]:
    """What the answer's sample had seen."""
    try:
        reply = await backend.ask(replace(REQUEST, user=f"evidence-{number}", timeout=seconds))
    finally:
        await settled(backend)
    found: list[str] = json.loads(reply.text)
    return found


@pytest.mark.parametrize(
    ("plan", "warm", "cold"),
    [
        ("in no way", (1,), 1),
        *(
            (plan, (5, 6), 1)
            for plan in ("refuses to clear", "asks the model to clear", "is mute when cleared")
        ),
        *((plan, (4, 5), 2) for plan in ("goes on in the old session", "names no session")),
        *((plan, (1,), 6) for plan in ("knows no such input", "ends at once", "answers without text")),
    ],
)
def test_each_sample_is_alone_whatever_the_client_does(bent, tokens, starts, plan, warm, cold):
    """The first is asked cold, and what a kept process may not answer by itself. One that cannot be cleared answers
    one sample."""
    backend = bent(plan)

    async def several() -> list[list[str]]:
        return [await asked(backend, number) for number in range(len(ALONE))]

    assert play(backend, several) == ALONE
    began = Counter(starts.read_text().split())
    # The last one that is kept may end before it says that it began.
    assert began["warm"] in warm and began["cold"] == cold
    assert len(tokens.issued) == cold and not tokens.valid


def test_one_that_is_mute_costs_a_time_out_and_is_then_asked_cold(bent, starts):
    backend = bent("is mute")

    async def script() -> list[str]:
        await asked(backend, 0)
        with pytest.raises(ReaderError, match="timeout"):
            await asked(backend, 1, seconds=0.5)
        return await asked(backend, 9)

    assert play(backend, script) == ["evidence-9"]
    began = starts.read_text().split()
    # The first two start side by side, and either may be the first to say so.
    assert (sorted(began[:2]), began[2:]) == (["cold", "warm"], ["cold"])

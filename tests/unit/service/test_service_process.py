"""The service as a process: found, believed, replaced, restarted; no hook depends on it, no check on who left."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from apis.counted_api import CountedApi
from apis.loopback_api import LoopbackApi, hang
from running.hookrun import MAIN, deletion, denial, readers_at, rows
from running.httpserving import http_process
from running.processes import until
from running.serving import last_word, receive

from compass import ROOT
from evaluator import wire
from evaluator.service import lifecycle

READERS = 5
ASKED = "Create notes.txt with a line that says hello"
CASE = {"user_message": ASKED, "tool_name": "Write", "file_path": "notes.txt", "content": "hello\n"}
AT_ONCE = 1.0
"""Seconds from the client's leaving until the API sees its requests cancelled."""
STRICT = {
    # Whatever an abandoned check kept of these would keep the next one from its readers.
    "COMPASS_MAX_CHECKS_PER_TURN": "1", "COMPASS_EVALUATOR__MAX_CONCURRENT_SAMPLES": str(READERS),
    "COMPASS_CIRCUIT_BREAKER__CONSECUTIVE_FAILURES_TO_OPEN": "1",
}  # fmt: skip


def held(here, **extra):
    """Why a call that rules hold is denied."""
    return denial(here.place.hook("pre-tool-use", {**deletion(here.place), **extra}))


def test_the_service_answers_as_the_hook_does_by_itself(here):
    here.place.env["COMPASS_SERVICE__ENABLED"] = "false"
    alone = held(here, session_id="alone")
    here.place.env["COMPASS_SERVICE__ENABLED"] = "true"
    here.start()
    served = held(here, session_id="served")
    assert served == alone
    assert served is not None
    counts = here.counts()
    assert (counts["requests"], counts["silent"], counts["refused"], counts["broken"]) == (1, 0, 0, 0)
    assert denial(here.place.hook("pre-tool-use", here.place.payload("Read", {"file_path": "a"}))) is None
    assert here.counts()["silent"] == 1
    assert len(here.place.events()) == 2


def test_a_hook_without_a_service_judges_and_starts_one_for_the_next(here):
    assert here.place.hook("session-start", here.place.payload(source="startup")).returncode == 0
    counts = here.wait_for()
    assert counts["requests"] == 0
    here.place.say("Create notes.txt with a line that says hello")
    assert denial(here.place.hook("pre-tool-use", here.place.payload())) is None
    assert here.counts()["requests"] == 1


def test_no_service_is_started_where_it_or_the_gate_is_turned_off(here):
    for name in ("COMPASS_SERVICE__ENABLED", "COMPASS_ENABLED"):
        before, here.place.env = here.place.env, {**here.place.env, name: "false"}
        here.place.hook("session-start", here.place.payload(source="startup"))
        here.place.env = before
    time.sleep(1.0)
    assert lifecycle.holder(here.at) is None


def test_settings_are_read_again_when_their_files_change(here):
    here.place.env["COMPASS_ENABLED"] = None
    here.start()
    assert held(here) is None
    settings = here.place.root / "home/.claude/settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"compass": {"enabled": True}}))
    assert held(here)
    assert here.counts()["requests"] == 2


def test_a_killed_service_leaves_a_socket_that_the_next_hook_gets_past(here):
    here.start()
    pid = here.counts()["pid"]
    os.kill(pid, signal.SIGKILL)
    here.process.wait()
    assert os.path.exists(here.at.socket)
    assert held(here)
    assert here.wait_for(pid)["requests"] == 0


def test_a_service_that_hangs_before_it_takes_the_call_is_passed_by(here):
    here.start()
    os.kill(here.counts()["pid"], signal.SIGSTOP)
    assert held(here)


@pytest.mark.full
def test_a_service_that_hangs_in_mid_check_is_answered_for_by_policy(here):
    with LoopbackApi() as api, ThreadPoolExecutor() as pool:
        api.default = hang()
        here.place.env |= {"COMPASS_DEADLINE_SECONDS": "10", **readers_at(api.url)}
        here.place.env["COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS"] = "28"
        payload = deletion(here.place)
        here.place.say("Delete src/old_auth.py")
        here.start()
        hook = pool.submit(here.place.hook, "pre-tool-use", payload)
        assert api.wait_for_requests(1)
        os.kill(here.counts()["pid"], signal.SIGSTOP)
        assert "no verdict within 10 s" in denial(hook.result())


def test_a_service_steps_aside_for_what_was_installed_after_it(here):
    here.start()
    with here.connect() as line:
        who = b"999.0\0" + ROOT.encode()
        line.sendall(here.request("pre-tool-use", here.place.payload("Read"), who=who))
        assert receive(line) == (wire.REFUSED, wire.OLDER)
    assert here.process.wait(60) == 0
    assert lifecycle.holder(here.at) is None


def test_a_call_with_another_way_to_the_network_is_not_served(here):
    here.start()
    here.place.env["HTTPS_PROXY"] = "http://127.0.0.1:9"
    assert held(here)
    assert here.counts()["refused"] == 1


def test_the_socket_and_its_folder_are_the_users_alone_and_else_not_believed(here):
    here.start()
    assert os.stat(here.at.folder).st_mode & 0o777 == 0o700
    assert os.stat(here.at.socket).st_mode & 0o777 == 0o600
    os.chmod(here.at.folder, 0o770)
    assert held(here)
    os.chmod(here.at.folder, 0o700)
    assert here.counts()["requests"] == 0


@pytest.mark.full
def test_an_idle_service_ends(here):
    here.start("--idle", "1")
    assert here.process.wait(60) == 0
    assert not os.path.exists(here.at.socket)


def test_a_second_service_says_who_serves_already_and_without_one_stop_says_so(here):
    assert here.status()["running"] is False
    assert here.place.command("serve", "--stop").returncode == 1
    here.start()
    second = here.place.command("serve")
    assert second.returncode == 1
    assert str(here.counts()["pid"]).encode() in second.stderr


def test_what_is_no_frame_ends_the_connection_alone_and_a_complaint_reaches_the_clients_stderr(here):
    here.start()
    too_large = wire.MAGIC + bytes((wire.REQUEST,)) + b"\xff\xff\xff\xff"
    for garbage in (b"GET / HTTP/1.1\r\n\r\n", too_large, wire.frame(99), wire.frame(wire.REQUEST, b"xx")):
        with here.connect() as line:
            line.sendall(garbage)
            assert line.recv(1) == b""
    assert here.counts()["garbled"] == 4
    done = here.place.hook("pre-tool-use", b"not json")
    assert b"the payload is not JSON" in done.stderr
    assert "not JSON" in denial(done)
    assert here.counts()["requests"] == 1


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_somebody_else_is_not_answered(here):
    here.start()
    os.chmod(here.at.folder, 0o777)
    os.chmod(here.at.folder.rpartition("/")[0], 0o777)
    os.chmod(here.at.socket, 0o777)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setuid(65534)
            line = socket.socket(socket.AF_UNIX)
            line.connect(here.at.socket)
            line.sendall(wire.frame(wire.STATUS))
            code = 0 if line.recv(1) == b"" else 2
        except ConnectionError:
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


SHORT = """
import os, resource, sys
from compass.composition import settings
from hooks.hosts.claude_code import host
resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))
held = []
try:
    while True:
        held.append(os.open(os.devnull, os.O_RDONLY))
except OSError:
    pass
try:
    found = settings.load({}, sys.argv[1], sys.argv[2])
except OSError as error:
    os.write(1, f"raised {error.errno}".encode())
else:
    os.write(1, f"enabled {found.settings.enabled}".encode())
"""


def test_settings_that_no_descriptor_is_left_for_are_not_absent(tmp_path):
    for folder in ("home/.claude", "project"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "home/.claude/settings.json").write_text(json.dumps({"compass": {"enabled": True}}))
    words = [sys.executable, "-c", SHORT, str(tmp_path / "home"), str(tmp_path / "project")]
    done = subprocess.run(words, capture_output=True, timeout=60, check=False)
    assert done.stdout == b"raised 24", done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are set by prlimit")
def test_connections_leave_descriptors_for_the_checks(here):
    """Of 64 descriptors half are for connections: one more is closed at once, and its call judged by its client."""
    script = f"ulimit -n 64; exec {sys.executable} -I {MAIN} serve"
    here.process = subprocess.Popen(
        ["bash", "-c", script], env=here.place.environment(), cwd=here.place.project,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    here.process.stdout.readline()
    with ExitStack() as stack:
        lines = [stack.enter_context(here.connect()) for _ in range(60)]
        lines[0].sendall(here.request("pre-tool-use", deletion(here.place)))
        kind, body = last_word(lines[0])
        assert kind == wire.ANSWER
        assert b"deny" in body
        assert held(here) is not None


@pytest.fixture
def slow():
    with CountedApi(delay=20.0) as found:
        yield found


def reading(api):
    patient = {"COMPASS_DEADLINE_SECONDS": "28", "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "28"}
    return {**readers_at(api.url), **patient}


@pytest.fixture
def asking(here, slow):
    here.place.env |= reading(slow)
    here.place.say(ASKED)
    return here


def sent(asking, **extra):
    line = asking.connect()
    line.sendall(asking.request("pre-tool-use", asking.place.payload(**extra)))
    return line


def answered(line):
    with line:
        kind, body = last_word(line)
    assert kind == wire.ANSWER
    assert wire.unpack(body, 2)[1] == b""


def leaves(line, api):
    """The client is gone while all that it asked is under way."""
    until(lambda: api.counts().requests == READERS)
    line.close()
    until(lambda: api.counts().abandoned == READERS, AT_ONCE)


def counted(api, place):
    """Requests, those that were answered, those that were abandoned, and the samples that are booked."""
    counts, ((booked,),) = api.counts(), rows(place, "SELECT sum(samples) FROM spending")
    return counts.requests, counts.answered, counts.abandoned, booked


def test_whoever_leaves_the_socket_has_the_readers_cancelled_and_the_next_call_is_judged(asking, slow):
    asking.place.env |= STRICT
    asking.start()
    leaves(sent(asking), slow)
    until(lambda: asking.counts()["waiting"] == 0, AT_ONCE)
    assert asking.place.events() == []
    assert not (asking.place.state / "compass" / "faults.log").exists(), "it is no fault"
    slow.delayed(0.0)
    answered(sent(asking))
    assert counted(slow, asking.place) == (2 * READERS, READERS, READERS, 2 * READERS)
    assert asking.counts()["broken"] == 0
    assert len(asking.place.events()) == 1


def test_of_two_who_wait_for_one_flight_the_other_takes_over(asking, slow):
    asking.place.env |= STRICT
    asking.start()
    first = sent(asking)
    until(lambda: slow.counts().requests == READERS)
    second = sent(asking, tool_use_id="toolu_2")
    until(lambda: asking.counts()["waiting"] == 2)
    slow.delayed(0.0)
    leaves(first, slow)
    answered(second)
    assert counted(slow, asking.place) == (2 * READERS, READERS, READERS, 2 * READERS)


def test_who_asks_the_same_in_another_session_keeps_the_readers(asking, slow):
    slow.delayed(3.0)
    asking.start()
    first = sent(asking)
    until(lambda: slow.counts().requests == READERS)
    second = sent(asking, session_id="session-2")
    until(lambda: asking.counts()["waiting"] == 2)
    asking.settle()
    first.close()
    until(lambda: asking.counts()["waiting"] == 1, AT_ONCE)
    answered(second)
    assert counted(slow, asking.place) == (READERS, READERS, 0, READERS)


@pytest.mark.parametrize("path", ["/v1/hooks/pre-tool-use", "/v1/checks"])
def test_whoever_leaves_http_has_the_readers_cancelled_and_the_next_call_is_judged(tmp_path, slow, path):
    with http_process(tmp_path, reading(slow) | STRICT) as api:
        api.place.say(ASKED)
        asked = CASE if path == "/v1/checks" else api.place.payload()
        body = json.dumps(asked).encode()
        line = socket.create_connection(("127.0.0.1", api.port))
        to = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{api.port}\r\nAuthorization: Bearer {api.token}\r\n"
        line.sendall(f"{to}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        leaves(line, slow)
        slow.delayed(0.0)
        assert api.ask("POST", path, asked).status == 200
        requests, good, _, booked = counted(slow, api.place)
        assert (requests, good, booked) == (2 * READERS, READERS, 2 * READERS)

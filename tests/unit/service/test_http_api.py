"""The HTTP API of a real `compass serve --http`: who is let in, what is answered, and how it is described."""

import json
import os
import socket
import stat

import pytest
from corpora import corpus
from openapi_spec_validator import validate
from prometheus_client.parser import text_string_to_metric_families
from running.httpserving import ask, http_process, raw, start
from running.serving import serving

from evaluator.service.tcp import listen

HOOK = "/v1/hooks/pre-tool-use"
PRIOR = "I found two unused files: src/old_auth.py and src/legacy_auth.py."
CASE = {
    "user_message": "Just delete it.", "prior_assistant_turn": PRIOR, "tool_name": "Bash", "command": "rm a.py",
}  # fmt: skip
CLEAR = {
    "user_message": "Create notes.txt with a line that says hello", "tool_name": "Write", "file_path": "notes.txt",
    "content": "hello",
}  # fmt: skip


@pytest.fixture(scope="module")
def api(tmp_path_factory):
    with http_process(tmp_path_factory.mktemp("api")) as found:
        yield found


def rm(api, **extra):
    return api.place.payload("Bash", {"command": "rm src/old_auth.py"}, **extra)


@corpus("path", [HOOK, "/v1/checks", "/metrics", "/openapi.json", "/nothing"])
@corpus("sent", [None, "", "Bearer ", "Bearer not-the-token", "Basic {}", "{}", "Bearer {}x"])
def test_without_the_token_no_path_tells_anything(api, path, sent):
    headers = {} if sent is None else {"Authorization": sent.format(api.token)}
    found = ask(api.port, "POST" if path.startswith("/v1/hooks") else "GET", path, **headers)
    assert (found.status, found.headers["www-authenticate"]) == (401, 'Bearer realm="compass"')
    assert set(found.json) == {"error"}


def test_only_health_is_open_and_it_tells_nothing_more(api):
    assert ask(api.port, "GET", "/healthz").json == {"status": "ok"}


@corpus(
    ("host", "status"),
    [
        *((f"{name}:{{}}", 200) for name in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]")),
        # A name that was rebound to this machine.
        *((host, 421) for host in ("evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{}",
                                   "10.0.0.1:{}", "[::2]:{}")),
    ],
)  # fmt: skip
def test_only_the_names_of_this_machine_are_answered(api, host, status):
    for path in ("/healthz", "/metrics"):
        assert api.ask("GET", path, Host=host.format(api.port)).status == status


@corpus("origin", ["http://evil.example", "null", "http://localhost:{}", ""])
def test_a_web_page_is_refused_even_with_the_token(api, origin):
    for method, path in (("GET", "/healthz"), ("POST", HOOK), ("OPTIONS", HOOK)):
        found = api.ask(method, path, Origin=origin.format(api.port))
        assert found.status == 403
        assert not [name for name in found.headers if name.startswith("access-control")]


def test_what_is_not_there_is_told_in_one_shape(api):
    for method, path, status in (
        ("GET", "/nothing", 404), ("GET", "/docs", 404), ("POST", "/v1/hooks/no-such-event", 404),
        ("POST", "/v1/hooks/PreToolUse", 404), ("GET", HOOK, 405), ("DELETE", "/v1/checks", 405),
    ):  # fmt: skip
        found = api.ask(method, path)
        assert (found.status, set(found.json)) == (status, {"error"}), (method, path)


def test_a_read_is_no_opinion_and_an_ambiguous_delete_is_denied(api):
    api.place.say("Just delete it.", prior=PRIOR)
    read = api.ask("POST", HOOK, api.place.payload("Read", {"file_path": "a.txt"}))
    assert (read.status, read.json, read.headers["content-type"]) == (200, {}, "application/json")
    denied = api.ask("POST", HOOK, rm(api)).json["hookSpecificOutput"]
    assert (denied["hookEventName"], denied["permissionDecision"]) == ("PreToolUse", "deny")
    assert "src/old_auth.py" in denied["permissionDecisionReason"]


@corpus("body", [b"", b"garbage", b"[]", b"\xff\x00", b'{"tool_name": 7}'])
def test_what_is_no_payload_is_answered_by_policy(api, body):
    found = api.ask("POST", HOOK, body)
    assert found.status == 200
    assert found.json["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_check_is_the_document_that_the_command_prints(api):
    found = api.ask("POST", "/v1/checks", CASE).json
    done = api.place.command("check", "--case", "-", "--json", stdin=json.dumps(CASE).encode())
    printed = json.loads(done.stdout)
    for document in (found, printed):
        del document["check_id"], document["duration_ms"]
        for sample in document["samples"]:
            del sample["latency_ms"]
    assert found == printed
    assert (found["decision"], api.ask("POST", "/v1/checks", CLEAR).json["decision"]) == ("deny", "allow")


@corpus("body", [b"", b"x", b"[]", b"{}", b'{"user_message": 7, "file_path": "a"}', b'{"tool_input": {}}'])
def test_what_cannot_be_judged_is_named(api, body):
    found = api.ask("POST", "/v1/checks", body)
    assert (found.status, set(found.json)) == (400, {"error"})


def test_a_body_above_the_bound_is_refused_however_it_is_framed(api):
    declared = f"POST {HOOK} HTTP/1.1\r\nHost: 127.0.0.1:{api.port}\r\nAuthorization: Bearer {api.token}\r\n"
    found = raw(api.port, f"{declared}Content-Length: {64 * 1024 * 1024 + 1}\r\n\r\n".encode())
    assert b" 413 " in found.splitlines()[0]
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    found = raw(api.port, f"{declared}Transfer-Encoding: chunked\r\n\r\n".encode(), *([chunk] * 70))
    assert b" 413 " in found.splitlines()[0]


def test_the_metrics_count_what_was_asked(api):
    def total(name, **labels):
        families = text_string_to_metric_families(api.ask("GET", "/metrics").body.decode())
        samples = [sample for family in families for sample in family.samples if sample.name == name]
        return sum(s.value for s in samples if labels.items() <= s.labels.items())

    def of_hooks():
        answered = total("compass_http_requests_total", route="/v1/hooks/{event}", status="200")
        return answered, total("compass_silent_total"), total("compass_requests_total")

    before = of_hooks()
    for _ in range(3):
        api.ask("POST", HOOK, api.place.payload("Read", {"file_path": "a"}))
    assert [new - old for new, old in zip(of_hooks(), before, strict=True)] == [3, 3, 3]
    for number in range(5):
        api.ask("GET", f"/strange/{number}")
    assert total("compass_http_requests_total", route="other", status="404") >= 5
    assert total("process_resident_memory_bytes") > 0


def test_the_description_is_valid_and_names_every_path_and_event(api):
    found = api.ask("GET", "/openapi.json").json
    validate(found)
    assert set(found["paths"]) == {"/v1/hooks/{event}", "/v1/checks", "/healthz", "/metrics"}
    given = found["paths"]["/v1/hooks/{event}"]["post"]["parameters"]
    (event,) = [one for one in given if one["name"] == "event"]
    assert len(event["schema"]["enum"]) == 6
    assert found["security"] == [{"token": []}]
    assert found["paths"]["/healthz"]["get"]["security"] == []


def test_the_token_file_is_the_users_alone_and_stays(tmp_path):
    with http_process(tmp_path) as first:
        path = first.place.state / "compass" / "http-token"
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert len(first.token) >= 40
        first.place.command("serve", "--stop")
        second = start(first.serving)
        assert second.token == first.token
        second.place.command("serve", "--stop")
        path.chmod(0o640)
        done = second.place.command("serve", "--http", "--port", "0")
        assert (done.returncode, b"chmod 600" in done.stderr) == (1, True)


def test_a_token_of_the_environment_goes_before_the_file(tmp_path):
    with http_process(tmp_path, {"COMPASS_HTTP_TOKEN": "mine-" + "x" * 30}) as api:
        assert api.ask("GET", "/metrics").status == 200
        assert not (api.place.state / "compass" / "http-token").exists()
        problems = api.place.command("config", "list", "--all", "--json").stdout
        assert b"HTTP_TOKEN" not in problems


def test_status_names_the_address_and_stop_ends_both_sides(tmp_path):
    with http_process(tmp_path) as api:
        assert api.serving.status()["http"] == f"http://127.0.0.1:{api.port}"
        again = api.place.command("serve", "--http", "--port", "0")
        assert (again.returncode, b"already" in again.stderr) == (1, True)
        assert api.place.command("serve", "--stop").returncode == 0
        with pytest.raises(ConnectionRefusedError):
            ask(api.port, "GET", "/healthz")


def test_a_service_without_http_makes_way(tmp_path):
    with serving(tmp_path) as here:
        here.start()
        first = here.counts()["pid"]
        api = start(here)
        assert api.ask("GET", "/healthz").json == {"status": "ok"}
        assert here.counts()["pid"] != first


def test_a_taken_port_is_named_and_the_running_service_stays(tmp_path):
    with serving(tmp_path / "a") as here, http_process(tmp_path / "b") as other:
        here.start()
        done = here.place.command("serve", "--http", "--port", str(other.port))
        assert (done.returncode, f"127.0.0.1:{other.port}".encode() in done.stderr) == (1, True)
        assert here.counts()["requests"] == 0


@corpus(
    ("option", "value", "token"),
    [
        *(("--port", "0", token) for token in ("short", "with blanks " * 5, "ü" * 40)),
        *(("--port", port, "") for port in ("65536", "-1")),
        ("--host", "no such host", ""),
    ],
)
def test_an_address_or_a_token_that_is_none_is_named(tmp_path, option, value, token):
    with serving(tmp_path, {"COMPASS_HTTP_TOKEN": token} if token else None) as here:
        done = here.place.command("serve", "--http", option, value)
        assert (done.returncode, done.stderr.startswith(b"compass serve: ")) == (1, True)
        assert (b"not a usable token" in done.stderr) == bool(token)


def test_an_answer_waits_for_no_acknowledgement():
    """asyncio turns Nagle's algorithm off only on sockets that name their protocol."""
    with listen("127.0.0.1", 0) as line:
        assert line.proto == socket.IPPROTO_TCP


def test_listening_elsewhere_has_to_be_asked_for_and_warns(tmp_path):
    with serving(tmp_path) as here:
        api = start(here, "--host", "0.0.0.0")
        assert api.ask("GET", "/healthz").status == 200
        assert api.ask("GET", "/healthz", Host=f"192.0.2.7:{api.port}").status == 200
        assert api.ask("GET", "/healthz", Host=f"evil.example:{api.port}").status == 421
        api.place.command("serve", "--stop")
    with serving(tmp_path / "again") as here:
        assert here.place.command("serve", "--port", "1").returncode == 1


@corpus("field", ["user_message", "command", "prior_assistant_turn", "id"])
def test_a_lone_surrogate_is_judged_like_any_text(api, field):
    found = api.ask("POST", "/v1/checks", json.dumps({**CASE, field: "rm a\ud800.py"}).encode())
    assert (found.status, found.json["decision"]) in ((200, "deny"), (200, "allow"))

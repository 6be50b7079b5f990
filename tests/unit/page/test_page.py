"""The page of a real service on loopback: who is let in, what each answer carries, the command that opens it; links
that count once and for a minute, their tokens, and whose process asks.
"""

import os
import re
import socket
import subprocess
import sys
from contextlib import closing
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st
from repository import ROOT
from running import hookrun, paged
from running.httpserving import ask, raw, start
from running.serving import serving

from calibration.report.html import MARK, environment, visible
from compass.page.app import refusal
from evaluator import wire
from evaluator.service.credentials import KEPT_MAX, LINK_SECONDS, TOKEN_SECONDS, Grants, new_secret
from evaluator.service.http_access import TABLES, is_strange

TEMPLATES = sorted([*ROOT.glob("compass/**/templates/*.html"), *ROOT.glob("calibration/**/templates/*.html")])


class Read(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """One with checks."""
    with serving(tmp_path_factory.mktemp("page")) as found:
        paged.fill(found.place.state, found.place.project)
        found.start()
        yield found


@pytest.fixture
def link(service):
    return paged.link_of(service.place)


@pytest.fixture
def token(link):
    return link.exchange()


def test_the_document_is_open_and_says_nothing(service, link):
    found = link.get("/")
    assert (found.status, found.headers["content-type"]) == (200, "text/html; charset=utf-8")
    text = found.body.decode()
    assert str(service.place.project) not in text
    assert "cpsp_" not in text
    assert not re.search(r"<script[^>]*>[^<]|<style|\son\w+=|\sstyle=|https?://", text)


@corpus("name", ["page.css", "page.js", "icon.svg"])
def test_its_files_are_open_and_name_no_other_place(link, name):
    found = link.get(f"/page/static/{name}")
    assert found.status == 200 and len(found.body) > 100
    assert set(re.findall(rb"https?://[^\s\"')]+", found.body)) <= {b"http://www.w3.org/2000/svg"}


@corpus("name", ["../pages.py", "..%2fpages.py", "page.py", "", "page.css/"])
def test_no_other_file_is_there(link, name):
    assert link.get(f"/page/static/{name}").status == 404


@corpus("sent", ["", "Bearer ", "Bearer cpsp_" + "a" * 43, "Basic {}", "{}", "Bearer {}x"])
def test_without_the_token_nothing_is_shown(link, token, sent):
    for name in ("view/checks", "view/check", "view/nothing", "nothing"):
        headers = {"Authorization": sent.format(token)} if sent else {}
        found = link.get(f"/page/{name}", **headers)
        assert (found.status, set(found.json)) == (401, {"error"}), name


def test_the_token_of_the_page_opens_nothing_else_and_the_apis_opens_no_page(tmp_path):
    with serving(tmp_path) as here:
        api = start(here)
        found = paged.link_of(here.place)
        token = found.exchange()
        assert found.get("/page/view/checks", token).status == 200
        assert ask(api.port, "GET", "/metrics", Authorization=f"Bearer {token}").status == 401
        assert found.get("/page/view/checks", api.token).status == 401
        assert api.ask("GET", "/metrics").status == 200


def test_each_answer_carries_the_policy(link, token):
    for found in (
        link.get("/"),
        link.get("/page/static/page.js"),
        link.get("/page/view/checks", token),
        link.get("/page/view/checks"),
        link.get("/page/nothing", token),
        link.get("/", Host="evil.example"),
        link.post("/page/link", {"secret": "x"}),
    ):
        policy = found.headers["content-security-policy"]
        assert policy.startswith("default-src 'self';") and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy and "*" not in policy and "data:" not in policy
        assert found.headers["x-frame-options"] == "DENY"
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["referrer-policy"] == "no-referrer"
        assert found.headers["cross-origin-resource-policy"] == "same-origin"
        assert found.headers["cache-control"] == "no-store"
        assert not [name for name in found.headers if name.startswith(("access-control", "set-cookie"))]


@corpus("body", [b"", b"garbage", b"[]", b"\xff\x00", b'{"secret": 7}', b"{}", b'{"secret": "\\ud800"}'])
def test_what_is_no_exchange_is_refused(link, body):
    assert link.post("/page/link", body).status in (400, 401)


def test_a_body_is_bounded(link):
    assert link.post("/page/link", b"x" * 5000).status == 413
    head = (
        f"POST /page/link HTTP/1.1\r\nHost: 127.0.0.1:{link.port}\r\nOrigin: {link.origin}\r\n"
        "Content-Type: application/json\r\n"
    )
    # At one go: the server may close before a second piece is sent.
    chunked = f"{head}Transfer-Encoding: chunked\r\n\r\n{5000:x}\r\n{'x' * 5000}\r\n"
    assert b" 413 " in raw(link.port, chunked.encode())
    assert b" 413 " in raw(link.port, f"{head}Content-Length: 999999999\r\n\r\n".encode())


def test_nothing_is_changed_by_any_other_way_in(link, token):
    for path in ("/", "/page/view/checks", "/page/proceed"):
        assert link.post(path, {}, token).status == 405
    for path in ("/elsewhere", "/page", "/pages/"):
        assert link.post(path, {}, token).status == 404


def test_one_check_is_shown_whole(link, token):
    found = link.get(f"/page/view/check?id={paged.HELD_ID}", token)
    assert (found.status, found.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert not re.search(rb"<script|<style|\sstyle=|javascript:(?!window)", found.body)
    text = found.body.decode()
    for said in (
        "Just delete it.", "I found two unused files", "reader-5", "0.440 (at least 0.65)", "3 of 5",
        "change src/auth/", "The pronoun has two referents", "Two readings are possible; ask the user which.",
        "claude-haiku-4-5", "$0.0105",
    ):  # fmt: skip
        assert said in text, said


def test_a_held_check_stands_in_the_list_with_what_was_said_shown_and_done(link, token):
    text = link.get("/page/view/checks?only=held", token).body.decode()
    for said in ("Just delete it.", "Two readings are possible; ask the user which.", "rm ", "chip held"):
        assert said in text, said
    # A control word is typed in the session; the page has none.
    assert "compass:" not in text


def test_a_check_that_is_not_there_says_so(link, token):
    for one in ("", "0" * 26, "%00", "..", "%f0%9f", "a" * 10_000):
        found = link.get(f"/page/view/check?id={one}", token)
        assert found.status == 200 and b"not kept" in found.body, one


def test_hostile_text_is_text_in_every_view(link, token):
    for path in (f"check?id={paged.HOSTILE_ID}", "checks", "checks?only=held"):
        text = link.get(f"/page/view/{path}", token).body.decode()
        assert "&lt;script&gt;" in text and not re.search(r"[\x1b\u202e\u2066]", text)
        read = Read(text)
        assert not {"script", "img", "iframe"} & set(read.tags)
        assert not [name for name, _ in read.attributes if name.startswith("on") or name == "style"]
        assert {value[:2] for name, value in read.attributes if name in ("href", "src")} == {"#/"}


def test_a_live_link_or_token_in_an_agents_call_is_denied(service, link, token):
    place = service.place
    place.say("Show me the page, please.")
    for tool, call in (
        ("Bash", {"command": f"chromium '{link.url}'"}),
        ("Bash", {"command": f"curl -s -H 'Authorization: Bearer {token}' {link.origin}/page/view/checks"}),
        ("Write", {"file_path": str(place.project / "a.py"), "content": f"open('{link.url}')"}),
        ("mcp__browser__navigate", {"url": link.url}),
        ("Bash", {"command": "compass ui --no-browser"}),
    ):
        reason = hookrun.denial(service.hook("pre-tool-use", place.payload(tool, call)))
        assert reason is not None and "does not let an agent do this" in reason, tool
        assert link.secret not in reason and token not in reason


@given(st.text())
def test_a_text_is_a_text_wherever_it_is_put(text):
    read = Read(environment().from_string('<p title="{{ text }}">{{ text }}<b>x</b></p>').render(text=text))
    assert read.tags == ["p", "b"]
    assert read.text == visible(text) + "x"
    assert dict(read.attributes) == {"title": visible(text)}


@given(st.text())
def test_what_steers_is_marked(text):
    unseen = [char for char in visible(text) if not char.isprintable()]
    assert all(char in "\n\t" or char.isspace() for char in unseen)


def test_ansi_and_direction_marks_are_seen():
    assert visible("\x1b[31mred\u202egnp.exe\u2066\x00") == f"{MARK}[31mred{MARK}gnp.exe{MARK}{MARK}"
    assert visible("a\u00a0b\u3000c\n\td") == "a\u00a0b\u3000c\n\td"
    assert visible("שלום, 你好, नमस्ते 🙂") == "שלום, 你好, नमस्ते 🙂"


def test_templates_quote_each_attribute_and_have_no_handler_no_style_and_no_address_outside():
    assert len(TEMPLATES) > 8
    for path in TEMPLATES:
        text = path.read_text()
        found = re.findall(r"=\{\{|\|safe|\son\w+=|\sstyle=|autoescape|javascript:|<script|https?:", text)
        assert found == [], path
        assert all(link.startswith("#/") for link in re.findall(r'(?:href|src)="([^"]*)', text)), path


def test_the_command_prints_a_link_and_opens_nothing(service):
    done = service.place.command("ui", "--no-browser")
    assert done.returncode == 0
    assert re.fullmatch(rb"http://127\.0\.0\.1:\d+/#link=cpsp_[\w-]{43}\n", done.stdout)
    assert done.stderr == b"It works once, within 60 seconds.\n"


def test_the_browser_of_the_user_is_given_the_link(service, tmp_path):
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/url\n')
    browser.chmod(0o755)
    env = service.place.environment() | {"BROWSER": str(browser)}
    done = service.place.ran(("ui",), env=env)
    assert b"cpsp_" not in done.stdout + done.stderr
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#link=cpsp_[\w-]{43}\n", (tmp_path / "url").read_text())


def test_without_the_right_to_start_one_it_says_what_to_do(tmp_path):
    with serving(tmp_path, {"COMPASS_SERVICE__ENABLED": "false"}) as here:
        done = here.place.command("ui", "--json")
        assert done.returncode == 1 and b"`compass serve` runs one" in done.stderr


def test_a_service_of_another_version_is_replaced(tmp_path):
    with serving(tmp_path) as here:
        script = (
            "import sys, compass; compass.__version__ = '0.0.1'; sys.argv = ['compass', 'serve', '--idle', '600']; "
            "from compass.entry import start; start()"
        )
        words, env = [sys.executable, "-c", script], here.place.environment()
        how = {"env": env, "cwd": here.place.project, "stdout": subprocess.PIPE, "text": True}
        here.process = subprocess.Popen(words, **how)
        old = here.wait_for()
        link = paged.link_of(here.place)
        assert link.get("/page/view/checks", link.exchange()).status == 200
        assert here.wait_for(old["pid"])["version"] != "0.0.1"


def test_an_agent_may_not_run_it(service):
    env = service.place.environment() | {"CLAUDECODE": "1"}
    done = service.place.ran(("ui", "--json"), env=env)
    assert done.returncode == 1 and b"only you may do this" in done.stderr
    assert b"cpsp_" not in done.stdout + done.stderr


def test_a_service_for_other_machines_has_its_page_on_loopback_alone(tmp_path):
    with serving(tmp_path) as here:
        api = start(here, "--host", "0.0.0.0")
        assert api.ask("GET", "/").status == 404
        link = paged.link_of(here.place)
        assert link.port != api.port
        assert link.get("/page/view/checks", link.exchange()).status == 200


@pytest.fixture
def clock():
    return SimpleNamespace(now=1000.0)


@pytest.fixture
def grants(clock):
    return Grants(lambda: clock.now)


def test_a_link_gives_a_token_of_its_own_scope_and_is_none_itself(grants):
    link = grants.link("here")
    assert grants.scope_of(link) is None
    token = grants.exchange(link)
    assert grants.scope_of(token) == "here" and grants.exchange(token) is None
    assert grants.scope_of(grants.exchange(grants.link("there"))) == "there"


@pytest.mark.parametrize("later", [0.0, 10 * LINK_SECONDS])
def test_a_link_counts_once_and_a_second_time_closes_what_it_opened(grants, clock, later):
    link = grants.link("here")
    other = grants.exchange(grants.link("here"))
    token = grants.exchange(link)
    clock.now += later
    assert grants.exchange(link) is None
    assert (grants.scope_of(token), grants.scope_of(other)) == (None, "here")


def test_a_link_ends_after_a_minute_and_a_token_after_its_hours(grants, clock):
    early, late = grants.link("here"), grants.link("here")
    clock.now += LINK_SECONDS - 0.01
    token = grants.exchange(early)
    clock.now += 0.01
    assert grants.exchange(late) is None and LINK_SECONDS == 60
    clock.now += TOKEN_SECONDS - 1
    assert grants.scope_of(token) == "here"
    clock.now += 1
    assert grants.scope_of(token) is None


@pytest.mark.parametrize("wrong", ["", "x", wire.PAGE_SECRET, "\ud800", "\x00", "a" * 100_000])
def test_what_is_no_secret_opens_nothing(grants, wrong):
    link = grants.link("here")
    assert [grants.exchange(one) for one in (wrong, link[:-1], link + "x")] == [None] * 3
    assert grants.scope_of(wrong) is None


def test_only_so_many_are_kept_and_the_oldest_go(grants):
    links = [grants.link(number) for number in range(KEPT_MAX + 1)]
    assert [grants.exchange(link) is None for link in links[:2]] == [True, False]


def test_secrets_are_long_differ_bear_the_mark_and_are_not_kept_as_they_are(grants):
    found = {new_secret() for _ in range(50)}
    assert len(found) == 50
    assert all(one.startswith(wire.PAGE_SECRET) and len(one) - len(wire.PAGE_SECRET) == 43 for one in found)
    link = grants.link("here")
    token = grants.exchange(link)
    kept = repr(grants._links) + repr(grants._tokens)
    assert link not in kept and token not in kept


# Whose process asks, by the tables of the kernel.

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
OWN_PORT, CLIENT = 8477, 51000
ME, OTHER = os.getuid(), os.getuid() + 4242
LISTENS, SERVED = (OWN_PORT, 0, "0A", ME), (OWN_PORT, CLIENT, "01", ME)


def table(tmp_path, rows):
    """Rows are (local port, remote port, state, user)."""
    lines = [
        f"   {number}: 0100007F:{local:04X} 0100007F:{remote:04X} {state} 00000000:00000000 00:00000000 00000000 "
        f"{user:>5}        0 12345 1\n"
        for number, (local, remote, state, user) in enumerate(rows)
    ]
    (tmp_path / "tcp").write_text(HEAD + "".join(lines))
    return (str(tmp_path / "tcp"),)


@pytest.mark.parametrize(
    ("clients", "strange"),
    [
        ([(CLIENT, OWN_PORT, "01", OTHER)], True),
        # The same port of another loopback address does not hide a stranger.
        ([(CLIENT, OWN_PORT, "01", ME), (CLIENT, OWN_PORT, "01", OTHER)], True),
        ([(CLIENT, OWN_PORT, "01", ME)], False),
        ([(CLIENT, OWN_PORT, "01", 0)], False),
        # An end that is missing or closed, where the table tells.
        ([], True),
        ([(CLIENT, OWN_PORT, "05", ME)], True),
    ],
)
def test_a_process_of_another_user_is_strange(tmp_path, clients, strange):
    assert is_strange(CLIENT, OWN_PORT, table(tmp_path, [LISTENS, SERVED, *clients])) is strange


@pytest.mark.parametrize("text", ["", HEAD, HEAD + "garbage\n 1: x:zz y:1 0A\n"])
def test_where_nothing_is_told_nobody_is_strange(tmp_path, text):
    (tmp_path / "tcp").write_text(text)
    assert not is_strange(CLIENT, OWN_PORT, (str(tmp_path / "tcp"), str(tmp_path / "none")))


@pytest.mark.skipif(not os.path.exists(TABLES[0]), reason="this system has no tables of its sockets in /proc")
def test_a_connection_of_this_process_is_our_own():
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
        with closing(socket.create_connection(("127.0.0.1", port))) as client:
            taken, address = server.accept()
            with closing(taken):
                assert not is_strange(address[1], port)
                assert client.getsockname()[1] == address[1]
                assert is_strange(1, port)


# Which requests are the page's own

PORT = 40123
OWN = f"http://127.0.0.1:{PORT}"
HOST = {"host": f"127.0.0.1:{PORT}"}
POST = {**HOST, "origin": OWN, "content-type": "application/json"}
READ = ("/", "/page/static/page.js", "/page/view/checks")


def status(method, path, headers):
    found = refusal(method, path, headers, PORT)
    return None if found is None else found[0]


@corpus("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_names_of_this_machine_are_known(name):
    host = f"{name}:{PORT}"
    assert status("GET", "/", {"host": host}) is None
    assert status("POST", "/page/link", {**POST, "host": host, "origin": f"http://{host.lower()}"}) is None


@corpus(
    "host", [None, "", "127.0.0.1", "127.0.0.1:1", "evil.example", f"evil.example:{PORT}",
             f"localhost.evil.example:{PORT}", f"10.0.0.1:{PORT}", f"127.0.0.1:{PORT}.evil.example"],
)  # fmt: skip
def test_a_rebound_name_is_refused_for_everything(host):
    named = {} if host is None else {"host": host}
    assert {status("GET", path, named) for path in READ} == {421}
    assert status("POST", "/page/link", {**POST, "host": "", **named, "origin": f"http://{host}"}) == 421


@corpus(
    "origin", ["null", "", "http://evil.example", f"https://127.0.0.1:{PORT}", f"http://localhost:{PORT}",
               "http://127.0.0.1:1", f"{OWN}.evil.example", f"{OWN}/"],
)  # fmt: skip
def test_another_origin_is_refused(origin):
    assert status("GET", "/page/view/checks", {**HOST, "origin": origin}) == 403
    assert status("POST", "/page/link", {**POST, "origin": origin}) == 403


def test_only_the_page_itself_sends_and_only_json():
    assert status("POST", "/page/link", POST) is None
    assert status("POST", "/page/link", {**HOST, "content-type": "application/json"}) == 403
    for media in ("", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert status("POST", "/page/link", {**POST, "content-type": media}) == 400, media


@corpus("site", ["cross-site", "same-site"])
def test_another_site_may_open_the_document_and_nothing_else(site):
    headers = {**HOST, "sec-fetch-site": site}
    assert [status("GET", path, headers) for path in READ] == [None, 403, 403]
    assert status("POST", "/page/link", {**POST, "sec-fetch-site": site}) == 403


@corpus("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "HEAD", "TRACE"])
def test_nothing_else_is_done_to_the_page(method):
    assert status(method, "/page/view/checks", POST) == 405

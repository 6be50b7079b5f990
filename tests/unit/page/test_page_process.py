"""The page of a real service on loopback: who is let in, what each answer carries, and the command that opens it."""

import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st
from repository import ROOT
from running import hookrun, paged
from running.httpserving import ask, raw, start
from running.serving import serving

from calibration.report.html import MARK, environment, visible

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


# No text becomes markup, on the page or in a report


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


# The command: which service it finds or starts, and who may not run it


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

"""Who is let in to the page: its own requests alone, links that count once and for a minute, their tokens, and whose
process asks."""

import os
import socket
from contextlib import closing
from types import SimpleNamespace

import pytest
from corpora import corpus

from compass.page.app import refusal
from evaluator import wire
from evaluator.service.credentials import KEPT_MAX, LINK_SECONDS, TOKEN_SECONDS, Grants, new_secret
from evaluator.service.http_access import TABLES, is_strange


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

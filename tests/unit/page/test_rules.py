"""Which requests are the page's own."""

from corpora import corpus

from compass.page.app import refusal

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

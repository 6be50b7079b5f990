"""What an administrator's commands make of the evaluator's answers."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from compass.team.administration import Evaluator, ServiceRefusedError

ANSWERS = {"/v1/deep": (200, b"[" * 200_000), "/v1/prose": (200, b"hello"), "/v1/proxy": (502, b"<html>"),
           "/v1/no": (403, b'{"error": "no", "kind": "forbidden"}'), "/v1/moved": (302, b"")}  # fmt: skip


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status, body = ANSWERS[self.path]
        self.send_response(status)
        self.send_header("Location", "/v1/prose")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def address() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Answers) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_what_is_no_answer_of_an_evaluator_is_a_refusal(address: str) -> None:
    for path in ANSWERS:
        with pytest.raises(ServiceRefusedError):
            Evaluator(address, "a").ask("GET", path)

"""How `compass serve --team` begins: its first token, its certificate, and what it refuses to start with."""

from __future__ import annotations

import json
import socket
import ssl
from pathlib import Path

import pytest
from corpora import corpus
from running.haproxy import certificate

KEYLESS = {"ANTHROPIC_API_KEY": "", "COMPASS_EVALUATOR__BASE_URL": ""}


def secured(port: int, cert: Path) -> ssl.SSLSocket:
    context = ssl.create_default_context(cafile=str(cert))
    return context.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="127.0.0.1")


def alive(line: ssl.SSLSocket) -> bool:
    line.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
    found = b""
    while not found.endswith(b"}") and (part := line.recv(65536)):
        found += part
    return b'{"status": "ok"}' in found


@pytest.mark.full
def test_it_listens_with_a_certificate(place, tmp_path):
    cert, _ = certificate(tmp_path)
    with place.replica("--tls-cert", str(cert), "--tls-key", str(tmp_path / "key.pem")) as replica:
        assert replica.address.startswith("https://")
        with secured(replica.port, cert) as line:
            assert alive(line)
            assert line.version() in ("TLSv1.2", "TLSv1.3")
        assert replica.end() == 0


def test_the_first_token_is_printed_once_and_alone(place):
    done = place.command("serve", "--team", "--init", "--name", "first-one")
    (token,) = done.stdout.splitlines()
    assert token.startswith("cmp_first-one_")
    assert token not in done.stderr
    again = place.command("serve", "--team", "--init", "--name", "first-one")
    assert (again.returncode, again.stdout) == (0, "")
    assert "already exists" in again.stderr
    told = json.loads(place.command("serve", "--team", "--init", "--name", "first-one", "--json").stdout)
    assert told == {"team": "first-one", "made": False, "token": None}
    told = json.loads(place.command("serve", "--team", "--init", "--name", "second-one", "--json").stdout)
    assert told["made"] is True
    assert told["token"].startswith("cmp_second-one_")


@pytest.mark.full
def test_a_team_whose_administrators_tokens_are_all_gone_gets_one_again(place, replica):
    admin = place.make_team("locked-out")
    own = admin.split("_")[2]
    assert replica.ask(admin, "DELETE", f"/v1/tokens/{own}").status == 200
    assert place.make_team("locked-out") not in ("", admin)


@pytest.mark.full
@corpus(
    ("words", "env", "said"),
    [
        ((), {"COMPASS_DATABASE": ""}, "COMPASS_DATABASE="),
        ((), {"COMPASS_DATABASE": "postgresql://u:sesame@127.0.0.1:1/x"}, "PostgreSQL"),
        ((), {"COMPASS_DATABASE": "host=x sesame"}, "cannot be read"),
        (("--host", "0.0.0.0"), {}, "--plain-http"),
        ((), {"COMPASS_EVALUATOR__BACKEND": "auto", **KEYLESS}, "ANTHROPIC_API_KEY"),
        ((), KEYLESS, "ANTHROPIC_API_KEY"),
        (("--tls-cert", "/nothing", "--tls-key", "/nothing"), {}, "not a valid certificate"),
        (("--tls-cert", "/nothing"), {}, "must be used together"),
        (("--init", "--name", "No Team"), {}, "a team's name"),
    ],
)  # fmt: skip
def test_what_it_cannot_serve_with_is_said_in_a_sentence(place, words, env, said):
    done = place.command("serve", "--team", "--port", "0", *words, env=env)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "sesame" not in done.stdout + done.stderr

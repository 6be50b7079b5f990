"""How `compass serve --team` begins: its first token, its certificate, and what it refuses to start with."""

from __future__ import annotations

import datetime
import ipaddress
import json
import socket
import ssl
from pathlib import Path

import pytest
from corpora import corpus
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

KEYLESS = {"ANTHROPIC_API_KEY": "", "COMPASS_EVALUATOR__BASE_URL": ""}


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    cert, private = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.touch(mode=0o600)
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return cert, private


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
    cert, key = certificate(tmp_path, "ours")
    with place.replica("--tls-cert", str(cert), "--tls-key", str(key)) as replica:
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
        (("--tls-cert", "/nothing", "--tls-key", "/nothing"), {}, "not a certificate"),
        (("--tls-cert", "/nothing"), {}, "go together"),
        (("--init", "--name", "No Team"), {}, "a team's name"),
    ],
)  # fmt: skip
def test_what_it_cannot_serve_with_is_said_in_a_sentence(place, words, env, said):
    done = place.command("serve", "--team", "--port", "0", *words, env=env)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "sesame" not in done.stdout + done.stderr

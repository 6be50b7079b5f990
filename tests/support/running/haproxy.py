"""HAProxy by the shipped configuration (deploy/haproxy.cfg), on loopback, in front of replicas that listen there."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from repository import ROOT
from running import install
from running.processes import until

SHIPPED = ROOT / "deploy/haproxy.cfg"
BIND = re.compile(r"^    bind .*$", re.M)
SERVERS = re.compile(r"(?:^    server \S+ \S+\n)+", re.M)
CERTIFICATE_WORDS = (
    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
)  # fmt: skip


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def rendered(port: int, replicas: Sequence[int], pem: Path | None = None) -> str:
    """The shipped file with its addresses changed and nothing else; without `pem`, in plain HTTP."""
    text = SHIPPED.read_text(encoding="utf-8")
    tls = f" ssl crt {pem} alpn http/1.1" if pem is not None else ""
    text, binds = BIND.subn(f"    bind 127.0.0.1:{port}{tls}", text)
    lines = "".join(f"    server replica{number} 127.0.0.1:{one}\n" for number, one in enumerate(replicas, 1))
    text, lists = SERVERS.subn(lines, text)
    assert (binds, lists) == (1, 2), "the shipped file has another form"
    return text


def certificate(folder: Path) -> tuple[Path, Path]:
    """(certificate, certificate and key together), made for loopback."""
    key, alone, both = folder / "key.pem", folder / "certificate.pem", folder / "team.pem"
    words = ["openssl", *CERTIFICATE_WORDS, "-keyout", str(key), "-out", str(alone)]
    subprocess.run(words, check=True, capture_output=True, timeout=60)
    both.write_bytes(alone.read_bytes() + key.read_bytes())
    both.chmod(0o600)
    return alone, both


@dataclass
class HAProxy:
    """Not started yet. `replicas` are ports on loopback; with `tls` a certificate is made for it."""

    folder: Path
    replicas: Sequence[int]
    tls: bool = False
    port: int = field(default_factory=free_port)
    certificate: Path | None = None

    def __enter__(self) -> HAProxy:
        self.folder.mkdir(parents=True, exist_ok=True)
        pem = None
        if self.tls:
            self.certificate, pem = certificate(self.folder)
        configuration = self.folder / "haproxy.cfg"
        configuration.write_text(rendered(self.port, self.replicas, pem))
        self.log = self.folder / "haproxy.log"
        program = install.haproxy()
        assert program is not None, install.line("haproxy")
        with self.log.open("ab") as said:
            words = [program, "-db", "-f", str(configuration)]
            self.process = subprocess.Popen(words, stdout=said, stderr=said)

        def listens() -> bool:
            assert self.process.poll() is None, self.log.read_text()
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return True
            return False

        until(listens)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(10)

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

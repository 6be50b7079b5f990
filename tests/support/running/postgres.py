"""A real PostgreSQL for tests: a cluster of its own in a temporary folder, run by an unprivileged user."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
from running import install
from running.haproxy import free_port
from running.processes import until

ADMINISTRATOR = "postgres"
ROLE = DATABASE = "compass"
UNPRIVILEGED = ("postgres", "nobody")
START_SECONDS = 30.0


class Cluster:
    """Started where it is entered, with a database `compass` that a role of that name owns, no superuser.

    Without `fsync` what was acknowledged is lost when the machine goes down, never when a process does.
    """

    def __init__(self) -> None:
        found = install.postgres()
        assert found is not None, install.line("postgres")
        self.programs = Path(found)
        self.password = secrets.token_hex(12)
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="compass-pg-"))
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """As the role `compass`, over loopback."""
        return f"postgresql://{ROLE}:{self.password}@127.0.0.1:{self.port}/{DATABASE}"

    @property
    def administrator_url(self) -> str:
        """As a superuser, over the socket in the cluster's own folder."""
        return f"postgresql://{ADMINISTRATOR}@/{DATABASE}?host={self.folder}&port={self.port}"

    def __enter__(self) -> Cluster:
        try:
            self._make()
            self.start()
            with self.administrate("postgres") as connection:
                connection.execute(f"CREATE ROLE {ROLE} LOGIN PASSWORD '{self.password}'".encode())
                connection.execute(f"CREATE DATABASE {DATABASE} OWNER {ROLE}".encode())
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def administrate(self, database: str = DATABASE) -> psycopg.Connection[tuple[object, ...]]:
        """A connection of a superuser; each statement stands for itself."""
        url = self.administrator_url.replace(f"/{DATABASE}?", f"/{database}?")
        return psycopg.connect(url, autocommit=True)

    def start(self) -> None:
        """On the same port, with the same data. Returns once it answers."""
        assert self._process is None
        words = f"{self.programs / 'postgres'} -D {self.folder / 'data'} -p {self.port} -k {self.folder}"
        words += " -c listen_addresses=127.0.0.1 -c fsync=off"
        said = self.folder / "log"
        with said.open("ab") as log:
            process = self._process = subprocess.Popen(
                words.split(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                start_new_session=True, **_as_nobody_special(),
            )  # fmt: skip

        def answers() -> bool:
            assert process.poll() is None, said.read_text()
            with suppress(psycopg.OperationalError), self.administrate("postgres"):
                return True
            return False

        until(answers, START_SECONDS)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT ends connections and writes all; SIGQUIT leaves that to the next start, as a crash does."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.wait(START_SECONDS)

    def restart(self, how: signal.Signals = signal.SIGINT) -> None:
        self.stop(how)
        self.start()

    def _make(self) -> None:
        who = _as_nobody_special()
        if who:
            os.chown(self.folder, who["user"], who["group"])
        words = f"{self.programs / 'initdb'} -D {self.folder / 'data'} -U {ADMINISTRATOR} -E UTF8 --locale=C"
        own = "--auth-local=trust --auth-host=scram-sha-256 --no-sync"
        words = [*words.split(), *own.split()]
        subprocess.run(words, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **who)


def _as_nobody_special() -> dict[str, Any]:
    """As whom PostgreSQL runs where these tests are root, which it refuses; nothing where they are not."""
    if os.geteuid() != 0:
        return {}
    known = {user.pw_name: user for user in pwd.getpwall()}
    who = next(known[name] for name in UNPRIVILEGED if name in known)
    return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": ()}

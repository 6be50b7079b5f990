"""A real PostgreSQL for tests: a cluster of its own in a temporary folder, run by an unprivileged user."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType

import psycopg
from running import install
from running.haproxy import free_port

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
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def administrate(self, database: str = DATABASE) -> psycopg.Connection[tuple[object, ...]]:
        """A connection of a superuser; each statement stands for itself."""
        url = self.administrator_url.replace(f"/{DATABASE}?", f"/{database}?")
        return psycopg.connect(url, autocommit=True)

    def start(self) -> None:
        """On the same port, with the same data. Returns once it answers."""
        assert self._process is None
        words = (
            self.programs / "postgres",
            "-D",
            self.folder / "data",
            "-p",
            str(self.port),
            "-k",
            self.folder,
        )
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*map(str, words), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                **_as_nobody_special(),
            )
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                self.administrate("postgres").close()
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > end:
                    raise AssertionError((self.folder / "log").read_text()) from None
                time.sleep(0.02)
            else:
                return

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
        who = _unprivileged()
        if who is not None:
            os.chown(self.folder, who.pw_uid, who.pw_gid)
        subprocess.run(
            [
                *(str(self.programs / "initdb"), "-D", str(self.folder / "data"), "-U", ADMINISTRATOR),
                *("--auth-local=trust", "--auth-host=scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync"),
            ],
            check=True,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            **_as_nobody_special(),
        )


def _unprivileged() -> pwd.struct_passwd | None:
    """Whom PostgreSQL runs as where these tests are root, which it refuses; None where they are not."""
    if os.geteuid() != 0:
        return None
    known = {user.pw_name: user for user in pwd.getpwall()}
    return next(known[name] for name in UNPRIVILEGED if name in known)


def _as_nobody_special() -> dict[str, object]:
    who = _unprivileged()
    return {} if who is None else {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": ()}

"""Puts programs that tests use on this machine, from the distribution's own packages. Standard library alone.

    python3 tests/support/running/install.py postgres haproxy chromium

prints where each is. Installing takes root; where that is not had, the message names the line to run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from glob import glob

POSTGRES, CHROMIUM = "COMPASS_POSTGRES", "COMPASS_CHROMIUM"
"""Variables that name the folder of another PostgreSQL's programs, and another Chromium."""
POSTGRES_FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/libexec/postgresql*", "/usr/local/pgsql/bin")
POSTGRES_MINIMUM = 15
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SERVERS = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"))
"""Not everybody's PATH has the folders of servers."""

APT = (("apt-get", "update", "-q"), ("apt-get", "install", "-y", "-q", "--no-install-recommends"))
"""What is run, before the names of packages; both need root."""
PACKAGES = {
    "postgres": ("postgresql",),
    "haproxy": ("haproxy", "openssl"),
    "chromium": ("chromium", "fonts-dejavu-core"),
}


class InstallError(Exception):
    """The program cannot be had here; the message names the way out."""


def postgres() -> str | None:
    """The folder of the newest PostgreSQL's programs; None without one."""
    named = os.environ.get(POSTGRES)
    folders = [named] if named else [*sum(map(glob, POSTGRES_FOLDERS), list[str]()), *os.get_exec_path()]
    found = [folder for folder in folders if os.access(os.path.join(folder, "initdb"), os.X_OK)]
    return max((one for one in found if _version(one) >= POSTGRES_MINIMUM), key=_version, default=None)


def haproxy() -> str | None:
    """HAProxy; None without it, or without openssl, which makes it a certificate."""
    found = [shutil.which(name, path=SERVERS) for name in ("haproxy", "openssl")]
    return found[0] if all(found) else None


def chromium() -> str | None:
    named = os.environ.get(CHROMIUM)
    if named:
        return named if os.access(named, os.X_OK) else None
    return next((path for path in map(shutil.which, CHROMIUM_NAMES) if path), None)


FIND = {"postgres": postgres, "haproxy": haproxy, "chromium": chromium}


def _version(folder: str) -> int:
    words = [os.path.join(folder, "postgres"), "--version"]
    number = re.search(r"\d+", subprocess.run(words, capture_output=True, text=True, check=False).stdout)
    return int(number[0]) if number else 0


def line(name: str) -> str:
    """What a test says that does not find the program."""
    return f"no {name} here: run python3 tests/support/running/install.py {name}"


def install_packages(wanted: Sequence[str]) -> None:
    """Those of this system. Raises InstallError."""
    if shutil.which("apt-get") is None:
        raise InstallError(f"no apt-get is here: install {' and '.join(wanted)} by hand")
    update, install = APT
    if os.geteuid() != 0:
        raise InstallError(f"this takes root: sudo {' '.join((*install, *wanted))}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (update, (*install, *wanted)):
        # stdout is for paths alone.
        if subprocess.run(words, env=environment, stdout=sys.stderr, check=False).returncode:
            raise InstallError(f"{' '.join(words)} failed")


def install(name: str) -> str:
    """Where the program is, installed if it is not there yet. Raises InstallError."""
    if FIND[name]() is None:
        install_packages(PACKAGES[name])
    found = FIND[name]()
    if found is None:
        raise InstallError(f"the packages are here, and no {name} that tests can use is")
    return found


if __name__ == "__main__":
    try:
        for name in sys.argv[1:] or PACKAGES:
            print(install(name))
    except (InstallError, KeyError) as error:
        sys.exit(f"tests/support/running/install.py: {error}")

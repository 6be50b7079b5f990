"""Puts PostgreSQL for the tests on this machine, from the distribution's own packages. Standard library alone.

    python3 tests/support/running/install_postgres.py

prints the folder of its programs. Installing takes root; where that is not had, the message names the line to run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from glob import glob

VARIABLE = "COMPASS_POSTGRES"
"""Names the folder of another one's programs."""
FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/libexec/postgresql*", "/usr/local/pgsql/bin")
MINIMUM = 15
INSTALLERS = {
    "apt-get": (
        ("apt-get", "update", "-q"),
        ("apt-get", "install", "-y", "-q", "--no-install-recommends", "postgresql"),
    ),
    "apk": (("apk", "add", "--no-cache", "postgresql16"),),
    "dnf": (("dnf", "install", "-y", "postgresql-server"),),
}
"""System package managers by their command; each needs root."""


class PostgresError(Exception):
    """No PostgreSQL can be had here; the message names the way out."""


def find() -> str | None:
    """The folder of the newest PostgreSQL's programs; None without one."""
    named = os.environ.get(VARIABLE)
    folders = [named] if named else [*sum(map(glob, FOLDERS), list[str]()), *os.get_exec_path()]
    found = [folder for folder in folders if os.access(os.path.join(folder, "initdb"), os.X_OK)]
    return max((one for one in found if _version(one) >= MINIMUM), key=_version, default=None)


def _version(folder: str) -> int:
    told = subprocess.run(
        [os.path.join(folder, "postgres"), "--version"], capture_output=True, text=True, check=False
    )
    number = re.search(r"\d+", told.stdout)
    return int(number[0]) if number else 0


def install() -> str:
    """The folder, with PostgreSQL installed if it is not there yet. Raises PostgresError."""
    found = find()
    if found is not None:
        return found
    manager = next((name for name in INSTALLERS if shutil.which(name)), None)
    if manager is None:
        raise PostgresError(
            f"install PostgreSQL {MINIMUM}, and name the folder of its programs in {VARIABLE}"
        )
    lines = INSTALLERS[manager]
    if os.geteuid() != 0:
        raise PostgresError(f"this takes root: sudo {' '.join(lines[-1])}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in lines:
        if subprocess.run(words, env=environment, stdout=sys.stderr, check=False).returncode:
            raise PostgresError(f"{' '.join(words)} failed")
    found = find()
    if found is None:
        raise PostgresError(f"{manager} installed no PostgreSQL {MINIMUM} or newer")
    return found


if __name__ == "__main__":
    try:
        print(install())
    except PostgresError as error:
        sys.exit(f"tests/support/running/install_postgres.py: {error}")

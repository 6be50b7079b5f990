"""Puts HAProxy and openssl for tests/team on this machine, from the distribution's packages. Standard library alone.

    python3 tests/support/running/install_haproxy.py

prints their paths. Installing takes root; where that is not had, the message names the line to run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PROGRAMS = ("haproxy", "openssl")
"""Packages bear the same names in all of these distributions."""
INSTALLERS = {
    "apt-get": (
        ("apt-get", "update", "-q"),
        ("apt-get", "install", "-y", "-q", "--no-install-recommends", *PROGRAMS),
    ),
    "apk": (("apk", "add", "--no-cache", *PROGRAMS),),
    "dnf": (("dnf", "install", "-y", *PROGRAMS),),
}
"""System package managers by their command; each needs root."""
FOLDERS = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"))


class HAProxyError(Exception):
    """They cannot be had here; the message names the way out."""


def find(program: str = "haproxy") -> str | None:
    """Its path; None without one. Not everybody's PATH has the folders of servers."""
    return shutil.which(program, path=FOLDERS)


def install() -> tuple[str, ...]:
    """The paths, installed if they are not there yet. Raises HAProxyError."""
    if not all(map(find, PROGRAMS)):
        manager = next((name for name in INSTALLERS if shutil.which(name)), None)
        if manager is None:
            raise HAProxyError(f"install {' and '.join(PROGRAMS)}, and put them on the PATH")
        lines = INSTALLERS[manager]
        if os.geteuid() != 0:
            raise HAProxyError(f"this takes root: sudo {' '.join(lines[-1])}")
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for words in lines:
            if subprocess.run(words, env=environment, stdout=sys.stderr, check=False).returncode:
                raise HAProxyError(f"{' '.join(words)} failed")
    found = tuple(filter(None, map(find, PROGRAMS)))
    if len(found) < len(PROGRAMS):
        raise HAProxyError(f"{' and '.join(PROGRAMS)} are not there after the installation")
    return found


if __name__ == "__main__":
    try:
        print("\n".join(install()))
    except HAProxyError as error:
        sys.exit(f"tests/support/running/install_haproxy.py: {error}")

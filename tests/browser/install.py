"""Puts a Chromium for tests/browser on this machine, from the distribution's own packages. Standard library alone.

    python3 tests/browser/install.py

prints its path. Installing takes root; where that is not had, the message names the line to run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

VARIABLE = "COMPASS_CHROMIUM"
"""Names a Chromium elsewhere."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
INSTALLERS = {
    "apt-get": (
        ("apt-get", "update", "-q"),
        ("apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium", "fonts-dejavu-core"),
    ),
    "apk": (("apk", "add", "--no-cache", "chromium", "font-dejavu"),),
    "dnf": (("dnf", "install", "-y", "chromium", "dejavu-sans-fonts"),),
}
"""System package managers by their command; each needs root."""


class BrowserError(Exception):
    """No Chromium can be had here; the message names the way out."""


def find() -> str | None:
    """The path of a Chromium; None without one."""
    named = os.environ.get(VARIABLE)
    if named:
        return named if os.access(named, os.X_OK) else None
    return next((path for path in map(shutil.which, NAMES) if path), None)


def install() -> str:
    """Its path, installed if it is not there yet. Raises BrowserError."""
    found = find()
    if found is not None:
        return found
    manager = next((name for name in INSTALLERS if shutil.which(name)), None)
    if manager is None:
        raise BrowserError(f"install Chromium, and name it in {VARIABLE} where it is not on the PATH")
    lines = INSTALLERS[manager]
    if os.geteuid() != 0:
        raise BrowserError(f"this takes root: sudo {' '.join(lines[-1])}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in lines:
        if subprocess.run(words, env=environment, stdout=sys.stderr, check=False).returncode:
            raise BrowserError(f"{' '.join(words)} failed")
    found = find()
    if found is None:
        raise BrowserError(f"{manager} installed no program of the names {', '.join(NAMES)}")
    return found


if __name__ == "__main__":
    try:
        print(install())
    except BrowserError as error:
        sys.exit(f"tests/browser/install.py: {error}")

"""Puts Claude Code clients into ignored folders with npm, and finds their native binaries.

Runs as a script before anything else is installed, so it uses the standard library alone.

    python3 tests/e2e/install_client.py [--with-node] [--version V ...]

prints each binary's path. V is a number, `pinned` (which it is without any), `oldest`, that Compass is tried with, or
`latest`, that the registry has; each has a folder of its own. `--with-node` (for CI images) first installs
Node and npm where npm is missing.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

VERSION = "2.1.330"
OLDEST = "2.1.197"
PACKAGE = "@anthropic-ai/claude-code"
FOLDER = Path(__file__).resolve().parent / ".client"
NPM_SECONDS = 600
NUMBER = re.compile(r"\d+\.\d+\.\d+")
APT = (
    ("apt-get", "update", "-q"),
    ("apt-get", "install", "-y", "-q", "--no-install-recommends", "nodejs", "npm"),
)
"""What gives a Debian image Node and npm; it needs root."""


class ClientError(Exception):
    """The client cannot be had here; the message names the way out."""


def version_of(binary: Path) -> str:
    """What `--version` prints, or the reason why it prints nothing."""
    with tempfile.TemporaryDirectory() as home:
        try:
            done = subprocess.run(
                [str(binary), "--version"],
                env={"HOME": home, "PATH": os.defpath},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
    return done.stdout.strip() or done.stderr.strip() or f"exit code {done.returncode}"


def folder_of(version: str) -> Path:
    return FOLDER if version == VERSION else FOLDER.with_name(f"{FOLDER.name}-{version}")


def newest_here() -> str:
    """The highest version that has a folder here; the pinned one without any."""
    found = (one.name.removeprefix(f"{FOLDER.name}-") for one in FOLDER.parent.glob(f"{FOLDER.name}-*"))
    return max((VERSION, *filter(NUMBER.fullmatch, found)), key=numbers)


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def find(folder: Path = FOLDER, version: str = VERSION) -> Path | None:
    """The binary in `folder` that runs here and has that version, or None."""
    # Linux has one for glibc and one for musl, and some versions of npm install both.
    for binary in folder.glob(f"node_modules/{PACKAGE}-*/claude"):
        if version_of(binary).split()[:1] == [version]:
            return binary
    return None


def install_node() -> None:
    """npm from the system's package manager. Raises ClientError where that is not possible."""
    if not shutil.which(APT[0][0]) or os.geteuid() != 0:
        raise ClientError(
            f"npm is missing: install Node.js with npm, on Debian by `{' '.join(APT[-1])}` as root"
        )
    for command in APT:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        # stdout is for the binary's path alone.
        done = subprocess.run(command, env=environment, stdout=sys.stderr, check=False)
        if done.returncode != 0:
            raise ClientError(
                f"`{' '.join(command)}` failed with code {done.returncode}: install npm by hand"
            )


def npm(*, with_node: bool = False) -> str:
    """The program. Raises ClientError."""
    if shutil.which("npm") is None and with_node:
        install_node()
    found = shutil.which("npm")
    if found is None:
        raise ClientError(
            f"npm is missing, and the end-to-end tests need it once to install {PACKAGE}: "
            "install Node.js with npm, or run this script as root with --with-node"
        )
    return found


def run_npm(*words: str, with_node: bool, printed: int) -> subprocess.CompletedProcess[str]:
    """`printed`: where its output goes. Raises ClientError if it does not end."""
    command = [npm(with_node=with_node), *words]
    try:
        return subprocess.run(command, stdout=printed, text=True, timeout=NPM_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise ClientError(
            f"npm did not end within {NPM_SECONDS} s: check the network and try again"
        ) from None


def number_of(wanted: str, *, with_node: bool = False) -> str:
    """The version that `wanted` names. Raises ClientError."""
    known = {"pinned": VERSION, "oldest": OLDEST}.get(wanted, wanted)
    if known == "latest":
        done = run_npm("view", PACKAGE, "version", with_node=with_node, printed=subprocess.PIPE)
        known = done.stdout.strip()
    if not NUMBER.fullmatch(known):
        raise ClientError(f"no version of {PACKAGE}: {known or wanted!r}")
    return known


def install(folder: Path = FOLDER, version: str = VERSION, *, with_node: bool = False) -> Path:
    """The client's binary, installed if it is not there yet. Raises ClientError."""
    found = find(folder, version)
    if found is not None:
        return found
    npm(with_node=with_node)
    folder.mkdir(parents=True, exist_ok=True)
    # The wrapper's install script only copies the platform package's binary, which is used in place.
    words = ["install", "--prefix", str(folder), "--no-save", "--no-package-lock", "--no-audit"]
    words += ["--no-fund", "--ignore-scripts", "--include=optional", f"{PACKAGE}@{version}"]
    done = run_npm(*words, with_node=with_node, printed=sys.stderr.fileno())
    found = find(folder, version)
    if found is None:
        seen = [version_of(one) for one in folder.glob(f"node_modules/{PACKAGE}-*/claude")]
        raise ClientError(
            f"npm ended with code {done.returncode}, and no client runs as {version} here ({seen}): "
            f"delete {folder} and try again"
        )
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Install Claude Code for the end-to-end tests")
    parser.add_argument(
        "--with-node", action="store_true", help="install Node and npm first if npm is missing"
    )
    parser.add_argument("--version", action="append", help=f"pinned ({VERSION}), oldest, latest or a number")
    options = parser.parse_args(arguments)
    wanted: list[str] = options.version or ["pinned"]
    try:
        for name in wanted:
            version = number_of(name, with_node=options.with_node)
            print(install(folder_of(version), version, with_node=options.with_node))
    except ClientError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Puts the agents' clients into ignored folders with npm, and finds their programs.

Runs as a script before anything else is installed, so it uses the standard library alone.

    python3 tests/e2e/install_client.py [--with-node] [--version V ...]
    python3 tests/e2e/install_client.py [--with-node] --host [NAME ...]

prints the path of each: of Claude Code's native binaries, or of the other hosts' clients, all without a name. V is a
number, `pinned` (which it is without any), `oldest`, that Compass is tried with, or `latest`, that the registry has;
each has a folder of its own. `--with-node` (for CI images) first installs Node and npm where npm is missing.
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
from dataclasses import dataclass
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


@dataclass(frozen=True)
class HostClient:
    """A package of npm, and what else has to lie beside it. Its program bears the host's name."""

    package: str
    version: str
    beside: tuple[str, ...] = ()


HOSTS = {
    "codex": HostClient("@openai/codex", "0.169.0"),
    "gemini": HostClient("@google/gemini-cli", "0.61.0"),
    "copilot": HostClient("@github/copilot", "1.0.102"),
    "opencode": HostClient("opencode-ai", "1.18.33", ("@opencode-ai/plugin@1.18.33",)),
}


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


def put(folder: Path, *packages: str, with_node: bool) -> subprocess.CompletedProcess[str]:
    """npm's install of these packages there, told on stderr. Raises ClientError."""
    npm(with_node=with_node)  # without it no folder is left
    folder.mkdir(parents=True, exist_ok=True)
    words = ["install", "--prefix", str(folder), "--no-save", "--no-package-lock", "--no-audit", "--no-fund"]
    words += ["--include=optional", *packages]
    return run_npm(*words, with_node=with_node, printed=sys.stderr.fileno())


def install(folder: Path = FOLDER, version: str = VERSION, *, with_node: bool = False) -> Path:
    """The client's binary, installed if it is not there yet. Raises ClientError."""
    found = find(folder, version)
    if found is not None:
        return found
    # The wrapper's install script only copies the platform package's binary, which is used in place.
    done = put(folder, "--ignore-scripts", f"{PACKAGE}@{version}", with_node=with_node)
    found = find(folder, version)
    if found is None:
        seen = [version_of(one) for one in folder.glob(f"node_modules/{PACKAGE}-*/claude")]
        raise ClientError(
            f"npm ended with code {done.returncode}, and no client runs as {version} here ({seen}): "
            f"delete {folder} and try again"
        )
    return found


def host_folder(name: str) -> Path:
    return FOLDER.with_name(".hosts") / name


def find_host(name: str) -> Path | None:
    """The program, where it is installed and has the pinned version."""
    program, stamp = host_folder(name) / "node_modules" / ".bin" / name, host_folder(name) / "version"
    there = program.exists() and stamp.is_file() and stamp.read_text() == HOSTS[name].version
    return program if there else None


def install_host(name: str, *, with_node: bool = False) -> Path:
    """The program, installed if it is not there yet. Raises ClientError."""
    found = find_host(name)
    if found is not None:
        return found
    wanted, folder = HOSTS[name], host_folder(name)
    done = put(folder, f"{wanted.package}@{wanted.version}", *wanted.beside, with_node=with_node)
    program = folder / "node_modules" / ".bin" / name
    said = version_of(program)
    if wanted.version not in said:
        raise ClientError(
            f"npm ended with code {done.returncode}, and {program} does not run as {wanted.version} ({said}): "
            f"delete {folder} and try again"
        )
    (folder / "version").write_text(wanted.version)
    return program


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Install agents' clients for the end-to-end tests")
    parser.add_argument(
        "--with-node", action="store_true", help="install Node and npm first if npm is missing"
    )
    parser.add_argument("--version", action="append", help=f"pinned ({VERSION}), oldest, latest or a number")
    parser.add_argument("--host", nargs="*", choices=HOSTS, help="other clients than Claude Code")
    options = parser.parse_args(arguments)
    wanted: list[str] = options.version or ["pinned"]
    try:
        if options.host is not None:
            for host in options.host or HOSTS:
                print(install_host(host, with_node=options.with_node))
            return 0
        for name in wanted:
            version = number_of(name, with_node=options.with_node)
            print(install(folder_of(version), version, with_node=options.with_node))
    except ClientError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

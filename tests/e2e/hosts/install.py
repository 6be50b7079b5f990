"""Puts the other agents' clients into an ignored folder with npm, and finds their programs. Standard library alone.

    python3 tests/e2e/hosts/install.py [--with-node] [NAME ...]

prints each program's path; all of them without a name.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from e2e.install_client import ClientError, run_npm, version_of

FOLDER = Path(__file__).resolve().parents[1] / ".hosts"


@dataclass(frozen=True)
class Client:
    """A package of npm, and what else has to lie beside it. Its program bears the host's name."""

    package: str
    version: str
    beside: tuple[str, ...] = ()


CLIENTS = {
    "codex": Client("@openai/codex", "0.169.0"),
    "gemini": Client("@google/gemini-cli", "0.61.0"),
    "copilot": Client("@github/copilot", "1.0.102"),
    "opencode": Client("opencode-ai", "1.18.33", ("@opencode-ai/plugin@1.18.33",)),
}


def folder_of(name: str) -> Path:
    return FOLDER / name


def find(name: str) -> Path | None:
    """The program, where it is installed and has the pinned version."""
    program, stamp = folder_of(name) / "node_modules" / ".bin" / name, folder_of(name) / "version"
    there = program.exists() and stamp.is_file() and stamp.read_text() == CLIENTS[name].version
    return program if there else None


def install(name: str, *, with_node: bool = False) -> Path:
    """The program, installed if it is not there yet. Raises ClientError."""
    found = find(name)
    if found is not None:
        return found
    wanted, folder = CLIENTS[name], folder_of(name)
    folder.mkdir(parents=True, exist_ok=True)
    words = ["install", "--prefix", str(folder), "--no-save", "--no-package-lock", "--no-audit", "--no-fund"]
    words += ["--include=optional", f"{wanted.package}@{wanted.version}", *wanted.beside]
    done = run_npm(*words, with_node=with_node, printed=sys.stderr.fileno())
    program = folder / "node_modules" / ".bin" / name
    said = version_of(program)
    if wanted.version not in said:
        raise ClientError(
            f"npm ended with code {done.returncode}, and {program} does not run as {wanted.version} ({said}): "
            f"delete {folder} and try again"
        )
    (folder / "version").write_text(wanted.version)
    return program


def main() -> int:
    parser = argparse.ArgumentParser(description="Install the other agents' clients for the end-to-end tests")
    parser.add_argument(
        "--with-node", action="store_true", help="install Node and npm first if npm is missing"
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which of {', '.join(CLIENTS)}")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in CLIENTS]
    if unknown:
        print(f"error: no client {', '.join(unknown)}; there are {', '.join(CLIENTS)}", file=sys.stderr)
        return 1
    try:
        for name in options.names or CLIENTS:
            print(install(name, with_node=options.with_node))
    except ClientError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

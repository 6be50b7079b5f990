"""Keeps one file of a work tree out of git by the clone's own `info/exclude`. Runs git; changes no index."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from typing import Literal

from evaluator.errors import ConfigError
from evaluator.git import run_git

_SECONDS = 10.0
_SPECIAL = re.compile(r"([\\*?\[])")


@dataclass(frozen=True, slots=True)
class Exclusion:
    """How git sees a file. `exclude` is the path of `info/exclude`, `line` what would ignore the file there.

    `unknown` is a repository that git does not answer for; `detail` says why.
    """

    state: Literal["no_repository", "ignored", "tracked", "open", "unknown"]
    exclude: str = ""
    line: str = ""
    detail: str = ""


def look(folder: str, name: str) -> Exclusion:
    """`name` is relative to `folder`, which must exist; the file itself need not."""
    try:
        inside = run_git(folder, "rev-parse", "--show-prefix", "--git-path", "info/exclude", seconds=_SECONDS)
        if inside.returncode != 0:
            if "not a git repository" in inside.stderr:
                return Exclusion("no_repository")
            return Exclusion("unknown", detail=_first_line(inside.stderr))
        if run_git(folder, "ls-files", "--error-unmatch", "--", name, seconds=_SECONDS).returncode == 0:
            return Exclusion("tracked")
        found = run_git(folder, "check-ignore", "--quiet", "--", name, seconds=_SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        return Exclusion("unknown", detail=f"git could not be run: {error.__class__.__name__}")
    if found.returncode == 0:
        return Exclusion("ignored")
    if found.returncode != 1:
        return Exclusion("unknown", detail=_first_line(found.stderr))
    prefix, _, exclude = inside.stdout.removesuffix("\n").partition("\n")
    return Exclusion("open", os.path.join(folder, exclude), "/" + _SPECIAL.sub(r"\\\1", prefix + name))


def add(ignored: Exclusion) -> None:
    """Append the line. Raises ConfigError."""
    try:
        os.makedirs(os.path.dirname(ignored.exclude), exist_ok=True)
        text = _text(ignored.exclude)
        with open(ignored.exclude, "a", encoding="utf-8", errors="surrogateescape") as file:
            file.write(("\n" if text and not text.endswith("\n") else "") + ignored.line + "\n")
    except OSError as error:
        raise ConfigError(f"{ignored.exclude}: cannot be written: {error.strerror}") from error


def drop(exclude: str, line: str) -> bool:
    """Take the last occurrence of the line out; False if it is not there. Raises ConfigError."""
    try:
        lines = _text(exclude).splitlines(keepends=True)
        places = [index for index, text in enumerate(lines) if text.rstrip("\r\n") == line]
        if not places:
            return False
        del lines[places[-1]]
        with open(exclude, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write("".join(lines))
    except OSError as error:
        raise ConfigError(f"{exclude}: cannot be written: {error.strerror}") from error
    return True


def _text(path: str) -> str:
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def _first_line(text: str) -> str:
    return (text.strip().splitlines() or ["git gave no reason"])[0][:200]

"""Extras: what few commands need, and the one line that installs it, for the way Compass was installed.

The line names the extra's own requirements, so that it works from wherever Compass came, an index or not.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from typing import cast

from compass import root
from evaluator.errors import CompassError

PACKAGE = "compass-gate"
MODULES = {
    "languages": tuple(
        f"tree_sitter_{name}" for name in ("c", "c_sharp", "cpp", "kotlin", "php", "ruby", "swift")
    ),
    "mcp": ("mcp", "mcp_types"),
    "ray": ("ray",),
    "team": ("psycopg", "psycopg_pool"),
}
"""What is imported of each extra."""
_OF_EXTRA = re.compile(r"""\bextra\s*==\s*["']([\w-]+)["']""")


@contextmanager
def needing(extra: str) -> Generator[None]:
    """Around imports of an extra. Raises CompassError with the line that installs it, where one of them is missing."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").split(".")[0] not in MODULES[extra]:
            raise
        raise CompassError(f"the extra `{extra}` is not installed; to install it: {line(extra)}") from None


def line(extra: str) -> str:
    """The command that adds the extra to this installation."""
    python = shlex.quote(sys.executable)
    wanted = " ".join(shlex.quote(one) for one in requirements(extra))
    if os.path.exists(os.path.join(sys.prefix, "pipx_metadata.json")):
        return f"pipx inject {PACKAGE} {wanted}"
    if os.path.exists(os.path.join(sys.prefix, "uv-receipt.toml")) and (source := _source(extra)):
        # Its environment is made anew with each upgrade, of what it was asked for.
        return f"uv tool install {source}"
    if find_spec("pip") is None:
        return f"uv pip install --python {python} {wanted}"
    return f"{python} -m pip install {wanted}"


def requirements(extra: str) -> tuple[str, ...]:
    """The packages of an extra, as the installed package states them; in a tree that was not installed, as its
    pyproject.toml does."""
    found = _installed()
    if found is None:
        return _stated(extra)
    parted = (one.partition(";") for one in found.requires or ())
    return tuple(name.strip() for name, _, marker in parted if extra in _OF_EXTRA.findall(marker))


def _installed() -> Distribution | None:
    try:
        return distribution(PACKAGE)
    except PackageNotFoundError:
        return None


def _stated(extra: str) -> tuple[str, ...]:
    import tomllib

    try:
        with open(os.path.join(root(), "pyproject.toml"), "rb") as file:
            project = tomllib.load(file)["project"]
        return tuple(project["optional-dependencies"][extra])
    except (OSError, ValueError, KeyError):
        return (f"{PACKAGE}[{extra}]",)


def _source(extra: str) -> str:
    """The requirement that installs Compass with the extra from where it came; empty where that is gone."""
    found = _installed()
    text = found.read_text("direct_url.json") if found is not None else None
    if text is None:
        return shlex.quote(f"{PACKAGE}[{extra}]")
    told = cast(dict[str, object], json.loads(text))
    url = str(told.get("url") or "")
    if url.startswith("file://"):
        from urllib.parse import unquote, urlparse

        path = unquote(urlparse(url).path)
        editable = cast(dict[str, object], told.get("dir_info") or {}).get("editable") is True
        words = f"{path}[{extra}]"
        return (("--editable " if editable else "") + shlex.quote(words)) if os.path.exists(path) else ""
    vcs = cast(dict[str, object], told.get("vcs_info") or {})
    at = f"{vcs.get('vcs')}+{url}@{vcs.get('commit_id')}" if vcs else url
    return shlex.quote(f"{PACKAGE}[{extra}] @ {at}")

"""Extras: what few commands need beyond the installation, and what is said where it is missing."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, requires

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


@contextmanager
def needing(extra: str) -> Generator[None]:
    """Around imports of an extra. Raises CompassError with what is to be installed, where one of them is missing."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").split(".")[0] not in MODULES[extra]:
            raise
        # The packages themselves, so that the sentence holds from wherever Compass came, an index or not.
        try:
            parted = [one.partition(";") for one in requires(PACKAGE) or ()]
            packages = [name for name, _, marker in parted if re.search(rf"extra\s*==\s*.{extra}\b", marker)]
        except PackageNotFoundError:
            packages = [f"{PACKAGE}[{extra}]"]
        wanted = " ".join(f"'{name.strip()}'" for name in packages)
        raise CompassError(
            f"the extra `{extra}` is not installed; install {wanted} into the environment of {sys.executable}"
        ) from None

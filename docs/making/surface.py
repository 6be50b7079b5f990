"""The page of the Python surface: its names, whose signatures and docstrings mkdocstrings fills in."""

from __future__ import annotations

from collections.abc import Sequence

import compass

GROUPS: Sequence[tuple[str, Sequence[str]]] = (
    ("Judge one write", ("judge",)),
    ("An agent of your own", ("Gate", "Session")),
    ("What comes back", ("Verdict", "Heard", "CompassError")),
)


def python() -> str:
    """The promised names, by their docstrings."""
    named = [name for _, names in GROUPS for name in names]
    if sorted(named) != sorted(compass.__all__):
        raise RuntimeError(f"the reference and the surface differ: {set(named) ^ set(compass.__all__)}")
    parts = [
        "# Python API\n",
        "Generated from the signatures and docstrings of what `from compass import ...` promises. See "
        "[Python](../python.md) for how to use it.\n",
    ]
    for title, names in GROUPS:
        parts.append(f"\n## {title}\n")
        parts += [f"::: {_home(name)}\n    options:\n      heading_level: 3\n" for name in names]
    return "\n".join(parts)


def _home(name: str) -> str:
    held = getattr(compass, name)
    return f"{held.__module__}.{name}"

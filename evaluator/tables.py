"""Reads the data files of the package. TOML is the source; an installation has JSON in its place.

`json.loads` takes 0.2 ms for a table of 200 rows, `tomllib` 20 to 30 ms. `hatch_build.py` writes the JSON: into the
wheel, and in a checkout beside the source, where it counts until the source is edited.
"""

from __future__ import annotations

import os
from functools import cache
from typing import cast

PACKAGE = os.path.dirname(__file__)
INDEX = "index"
NONE: frozenset[str] = frozenset()
"""No words."""


@cache
def table(name: str, package: str = PACKAGE) -> dict[str, object]:
    """The file of this name below a package's folder, without its suffix: `egress/shapes`. It must not be changed."""
    source, built = (os.path.join(package, name + suffix) for suffix in (".toml", ".json"))
    # Neither parser is loaded before a text is looked at.
    if _is_built_table_current(built, source):
        import json

        with open(built, encoding="utf-8") as file:
            return cast(dict[str, object], json.load(file))
    import tomllib

    with open(source, "rb") as file:
        return tomllib.load(file)


@cache
def index(folder: str) -> dict[str, str]:
    """{program: the name of the file that has its table} for a folder of tables. It must not be changed."""
    place = os.path.join(PACKAGE, folder)
    files = (
        os.path.splitext(name) for name in os.listdir(place)
    )  # among them folders of an older version's bytecode
    names = sorted({name for name, suffix in files if suffix in (".toml", ".json")} - {INDEX})
    built = os.path.join(place, f"{INDEX}.json")
    if all(_is_built_table_current(built, os.path.join(place, f"{name}.toml")) for name in names):
        return cast(dict[str, str], table(f"{folder}/{INDEX}"))
    found: dict[str, str] = {}
    for name in names:
        for key in cast(dict[str, object], table(f"{folder}/{name}")["programs"]):
            found.update(dict.fromkeys(key.split(", "), name))
    return found


def names(text: str) -> frozenset[str]:
    """The words of a text, between blanks."""
    return frozenset(text.split())


class Vocabulary:
    """Words of a file, or of one section of it, each list under a key."""

    def __init__(self, name: str, section: str = "") -> None:
        found = table(name)
        self._lists = cast(dict[str, object], found[section] if section else found)

    def words(self, key: str) -> frozenset[str]:
        return names(cast(str, self._lists[key]))

    def either(self, key: str) -> str:
        """The words as alternatives of one pattern."""
        return "|".join(cast(str, self._lists[key]).split())

    def texts(self, key: str) -> dict[str, str]:
        """A text by each name; names that share one stand between commas."""
        texts = cast(dict[str, str], self._lists[key])
        return {name: text for names, text in texts.items() for name in names.split(", ")}

    def sets(self, key: str) -> dict[str, frozenset[str]]:
        return {name: names(text) for name, text in self.texts(key).items()}


def _is_built_table_current(built: str, source: str) -> bool:
    try:
        written = os.stat(built).st_mtime_ns
    except FileNotFoundError:
        return False
    try:
        return os.stat(source).st_mtime_ns <= written
    except FileNotFoundError:
        return True

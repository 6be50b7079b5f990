"""The recorded checks of one project, oldest first, read without changing the database."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from typing import cast
from urllib.parse import quote

from evaluator.configuration.project import project_root
from evaluator.state.store import FILE_NAME

RECORDS_MAX = 100_000


def records_of(state_dir: str, project_dir: str) -> Iterator[Mapping[str, object]]:
    """None where there is no database. Raises ValueError for one that cannot be read."""
    path = os.path.join(state_dir, FILE_NAME)
    if not os.path.exists(path):
        return
    root = project_root(project_dir)
    try:
        connection = sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True)
        try:
            query = "SELECT record FROM checks ORDER BY rowid DESC LIMIT ?"
            rows = connection.execute(query, (RECORDS_MAX,)).fetchall()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise ValueError(f"{path}: {error}") from None
    for (text,) in reversed(rows):
        record = cast(Mapping[str, object], json.loads(text))
        pending = cast(Mapping[str, object], record.get("pending") or {})
        if project_root(str(pending.get("project_dir"))) == root:
            yield record

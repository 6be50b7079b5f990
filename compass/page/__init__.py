"""The page that `compass ui` opens: what is kept, shown. Nothing here releases a write or changes a setting."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.record import Record


class PageScope(Record):
    """Whose checks a page shows: `env` is the environment of whoever ran `compass ui`, as it stands before any
    project's settings, `cwd` where they were."""

    env: Mapping[str, str]
    cwd: str

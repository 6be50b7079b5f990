"""The tools that a project's sessions called, from Codex CLI's own session files. Reads only, within bounds."""

from __future__ import annotations

import glob
import os
import time
from collections.abc import Mapping

from hooks.hosts.codex.replay.walk import asked_of
from hooks.hosts.codex.rollout import folder_of, standing_items
from hooks.setup import Seen

FILES_MAX = 200
SECONDS_MAX = 2.0
TOOLS_MAX = 500


def seen_tools(folder: str, project_dir: str) -> Mapping[str, Seen]:
    """By name, in no order; of the newest sessions that started in the project. What cannot be read is passed over."""
    found: dict[str, Seen] = {}
    ends = time.monotonic() + SECONDS_MAX
    paths = glob.glob(os.path.join(glob.escape(folder), "*", "*", "*", "rollout-*.jsonl"))
    for path in sorted(paths, key=os.path.basename, reverse=True)[:FILES_MAX]:
        if os.path.realpath(folder_of(path) or os.sep) != os.path.realpath(project_dir):
            continue
        for item in standing_items(path):
            if time.monotonic() > ends or len(found) >= TOOLS_MAX:
                return found
            asked = asked_of(item)
            if asked is not None:
                seen = found.setdefault(asked.name, Seen())
                seen.calls += 1
                seen.fields |= {key: None for key, value in asked.given.items() if isinstance(value, str)}
    return found

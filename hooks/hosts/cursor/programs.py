"""What the shell knows of Cursor beside the row of `cursor-agent`, which stands with the other agents'."""

from __future__ import annotations

from evaluator.shell.hosts import HostPrograms

PROGRAMS = HostPrograms(names=(), rows=dict, variables=("CURSOR_PROJECT_DIR",))

"""What the shell knows of Codex CLI. The row of its program stands with those of the other agents."""

from __future__ import annotations

from evaluator.shell.hosts import HostPrograms

PROGRAMS = HostPrograms(names=(), rows=dict, types_on=True)
"""0.169.0, tried: what `write_stdin` types into a running program is told to no hook."""

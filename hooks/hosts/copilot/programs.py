"""What the shell knows of Copilot CLI. Its row stands with other agents in `evaluator/shell/programs/agents.toml`."""

from __future__ import annotations

from evaluator.shell.hosts import HostPrograms

PROGRAMS = HostPrograms(names=(), rows=dict, variables=("COPILOT_PROJECT_DIR",))

"""What the shell knows of Gemini CLI; its row stands with other agents' in `evaluator/shell/programs/agents.toml`."""

from __future__ import annotations

from evaluator.shell.hosts import HostPrograms

PROGRAMS = HostPrograms(names=(), rows=dict, variables=("GEMINI_PROJECT_DIR", "GEMINI_CWD"))

"""Every backend by name, and which module holds its record; adding one is a row here and that module.

Imports nothing, since each hook reads it with the settings: a backend's module is imported once that backend is
chosen (`evaluator.readers.kinds.kind.kind_of`).
"""

from __future__ import annotations

ROWS: dict[str, str] = {
    "anthropic": "evaluator.readers.kinds.anthropic",
    "claude-cli": "evaluator.readers.kinds.claude_cli",
    "openai": "evaluator.readers.kinds.openai",
    "team": "evaluator.readers.kinds.team",
    "embedded": "evaluator.readers.kinds.embedded",
}

AUTO = "auto"
"""No backend: whoever is ready takes its place (`compass.composition.automatic_backend.choose_backend`)."""
EMBEDDED = "embedded"
"""The one that is always ready: it needs no network, no key and no program."""

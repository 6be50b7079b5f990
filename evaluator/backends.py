"""Every backend by name, and which module holds its record; adding one is a row here and that module.

Imports nothing, since each hook reads it with the settings: a backend's module is imported once that backend is
chosen (`evaluator.readers.kinds.kind.kind_of`).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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


class Backends:
    """The names in the order of the rows as they are then, `first` before them: what may be chosen."""

    def __init__(self, *first: str) -> None:
        self._first = first

    def __iter__(self) -> Iterator[str]:
        rest = (name for name in ROWS if name not in self._first)
        return iter((*self._first, *rest))

    def __contains__(self, name: object) -> bool:
        return name in self._first or name in ROWS

    def __len__(self) -> int:
        return len(tuple(iter(self)))

    def __getitem__(self, index: int) -> str:
        return tuple(iter(self))[index]

    def index(self, name: str) -> int:
        """The place of a backend's name in their order. Raises ValueError for a name that is not there."""
        return tuple(iter(self)).index(name)

    def __repr__(self) -> str:
        return repr(tuple(iter(self)))

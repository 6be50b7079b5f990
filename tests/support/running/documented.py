"""Commands as a document has them, so that what is tested is what a reader types."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[3]


def commands(document: str, beginning: str) -> list[str]:
    """The lines of the document's code blocks that begin so, without their comments."""
    lines = (ROOT / document).read_text(encoding="utf-8").splitlines()
    found = [line.partition("  #")[0].strip() for line in lines if line.startswith(f"    {beginning}")]
    assert found, f"{document} has no command {beginning!r}"
    return found

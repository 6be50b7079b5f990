"""Where this checkout lies, and the commands that its documents have, so that what is tested is what a reader types."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"


def commands(document: str, beginning: str) -> list[str]:
    """The lines of the document's code blocks that begin so, without their comments."""
    lines = (ROOT / document).read_text(encoding="utf-8").splitlines()
    found = [line.partition("  #")[0].strip() for line in lines if line.startswith(f"    {beginning}")]
    assert found, f"{document} has no command {beginning!r}"
    return found

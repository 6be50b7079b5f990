"""Every Python snippet of the documents runs, and prints what stands below it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from repository import ROOT

FENCED = re.compile(r"^```(python|text)\n(.*?)^```$", re.M | re.S)
PAGES = ("README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))))


def snippets(page: str) -> list[tuple[str, str | None]]:
    """Each snippet, and the text block that follows it, if one does before the next."""
    found: list[tuple[str, str | None]] = []
    for kind, text in FENCED.findall((ROOT / page).read_text(encoding="utf-8")):
        if kind == "python":
            found.append((text, None))
        elif found and found[-1][1] is None:
            found[-1] = (found[-1][0], text)
    return found


WITH_SNIPPETS = [page for page in PAGES if snippets(page)]


def test_the_pages_of_the_surface_have_snippets() -> None:
    assert {"docs/python.md"} <= set(WITH_SNIPPETS)


@pytest.mark.parametrize("page", WITH_SNIPPETS)
def test_snippets_print_what_the_page_says(project: Path, page: str) -> None:
    """In one interpreter after another, as a reader would: what an earlier one named is there."""
    mark = "--- next ---"
    found = snippets(page)
    program = f"\nprint({mark!r})\n".join(code for code, _ in found)
    here = os.environ.get("COMPASS_TESTED", str(ROOT))
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": here, "PYTHONSAFEPATH": "1"},
        cwd=project, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    printed = done.stdout.split(f"{mark}\n")
    assert len(printed) == len(found)
    for (code, expected), given in zip(found, printed, strict=True):
        assert given == (expected or ""), code

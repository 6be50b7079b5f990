"""Every link of the documents leads to a file of this repository."""

from __future__ import annotations

import re
from pathlib import Path

from corpora import corpus
from repository import ROOT

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)


@corpus("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_its_links_lead_somewhere(page: Path) -> None:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    targets = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text)
    paths = [target.partition("#")[0] for target in targets if "://" not in target]
    assert [path for path in paths if path and not (page.parent / path).exists()] == []


def test_the_readme_has_links_to_check() -> None:
    assert (ROOT / "README.md") in PAGES and (ROOT / "README.md").read_text().count("](docs/") > 20

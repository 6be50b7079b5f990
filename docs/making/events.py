"""What the site has beside the files of `docs`: the README as its first page, references made from the code.

Loaded by mkdocs (`hooks` in mkdocs.yml), which puts this folder on the path.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flags import cli
from keys import settings
from links import inside
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from served import http
from surface import python

ROOT = Path(__file__).resolve().parents[2]
MADE = {
    "reference/cli.md": cli,
    "reference/settings.md": settings,
    "reference/http.md": http,
    "reference/python.md": python,
}
TAKEN = {"index.md": "README.md", "changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Leaves a page out of the navigation that this checkout does not have."""
    config.nav = _there(config.nav or [], Path(config.docs_dir))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name, made in MADE.items():
        files.append(File.generated(config, name, content=made()))
    for name, source in TAKEN.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links of the repository become links of the site."""
    name = page.file.src_uri
    source = TAKEN.get(name, f"docs/{name}")
    pages = {f"docs/{one.src_uri}": one.src_uri for one in files} | {old: new for new, old in TAKEN.items()}
    return inside(markdown, source, name, pages)


def _there(nav: list[Any], docs: Path) -> list[Any]:
    kept: list[Any] = []
    for entry in nav:
        ((title, held),) = entry.items() if isinstance(entry, dict) else ((None, entry),)
        if isinstance(held, list):
            kept.append({title: _there(held, docs)})
        elif held in MADE or held in TAKEN or (docs / held).is_file():
            kept.append(entry)
    return kept

"""The documentation site: it builds strictly, its references hold what the program has, and it asks no other host."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml
from repository import ROOT

from compass.cli import COMMANDS, parser_with
from evaluator.settings.keys import KEYS

pytestmark = pytest.mark.full

LATER = {"team-policy.md", "ci.md", "ui.md", "hosts/claude-code.md"}
"""Pages that the navigation has a place for, whether they are there or not."""
FETCHING = {
    "script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src",
    "object": "data", "embed": "src",
}  # fmt: skip


class Fetched(HTMLParser):
    """What a browser asks for by itself when it opens a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "link" and given.get("rel") in {"canonical", "prev", "next"}:
            return
        self.found.append(given.get(FETCHING.get(tag, ""), "") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "--site-dir", str(place)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return place


def text_of(page: Path) -> str:
    return unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))


def pages_of(nav: list[object]) -> Iterator[str]:
    for entry in nav:
        held = next(iter(entry.values())) if isinstance(entry, dict) else entry
        if isinstance(held, list):
            yield from pages_of(held)
        else:
            yield str(held)


def test_every_page_of_the_documents_is_in_the_navigation(site: Path) -> None:
    navigation = set(pages_of(yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]))
    written = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert written <= navigation
    made = {name for name in navigation if (site / name).with_suffix(".html").is_file()}
    assert navigation - made <= LATER - written


def test_no_page_asks_another_host(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        asked = Fetched(page.read_text(encoding="utf-8")).found
        assert not [one for one in asked if re.match(r"(?:[a-z]+:)?//", one)], page.name
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", sheet.read_text(encoding="utf-8"))


def test_every_flag_and_command_is_in_the_reference(site: Path) -> None:
    text = text_of(site / "reference/cli.html")
    for name, sub in next(iter(parser_with(COMMANDS)._subparsers._group_actions)).choices.items():
        assert f"compass {name}" in text
        shown = [action for action in sub._actions if action.help != argparse.SUPPRESS]
        flags = {flag for action in shown for flag in action.option_strings} - {"-h", "--help"}
        assert [flag for flag in sorted(flags) if flag not in text] == [], name


def test_every_key_is_in_the_reference(site: Path) -> None:
    text = text_of(site / "reference/settings.html")
    assert [path for path in KEYS if path not in text] == []

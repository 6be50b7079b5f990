"""The documentation site, opened from its folder in a real Chromium: its search finds, and asks no host."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from repository import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


def test_search_finds_pages_of_a_folder(chromium: Browser, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "--site-dir", str(tmp_path / "site")]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run(words, cwd=ROOT, env=env, timeout=110, check=True)
    asked: list[str] = []
    faults: list[str] = []
    for name in ("index.html", "hosts/codex.html"):
        context = chromium.new_context()
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto((tmp_path / "site" / name).as_uri())
        field = page.locator(".md-search__input")
        field.click()
        field.press_sequentially("cooldown")
        found = page.locator(".md-search-result__link")
        found.first.wait_for()
        assert "settings.html" in " ".join(one.get_attribute("href") or "" for one in found.all())
        assert not faults
        assert asked and not [url for url in asked if not url.startswith("file:")]
        context.close()

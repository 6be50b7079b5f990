"""The pictures of the documents in a real Chromium: each text in its frame or beside it, on a phone and at a desk."""

from __future__ import annotations

import pytest
from browser.measured import cut, look, over_another
from playwright.sync_api import Browser
from repository import ROOT

pytestmark = pytest.mark.browser

SLACK = 1.5
"""Pixels by which the boxes of two texts may touch: they hold a line's height, not the letters'."""
SHOWN = [(name, width) for name in ("held.svg", "how.svg") for width in (400, 880)]


@pytest.mark.parametrize(("name", "width"), SHOWN)
def test_no_text_leaves_its_frame_or_meets_another(chromium: Browser, name: str, width: int) -> None:
    picture = (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8")
    seen = look(chromium, f"<!doctype html><body style='margin:8px'>{picture}", width)
    assert len(seen.charts) == 1 and len(seen.texts) > 15
    assert over_another(seen, SLACK) == [] and cut(seen, width, SLACK) == []
    for text in seen.texts:
        across = [
            frame for frame in seen.frames if text.meets(frame, SLACK) and not text.is_within(frame, SLACK)
        ]
        assert across == [], text

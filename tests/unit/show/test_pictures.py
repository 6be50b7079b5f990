"""The pictures of the documents: they fetch nothing, and say what Compass says."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import defaultdict

import pytest
from repository import ROOT

from evaluator.intervention.messages import HeldThing, held
from evaluator.settings.keys import KEYS

PICTURES = sorted((ROOT / "docs" / "pictures").glob("*.svg"))
SVG = "http://www.w3.org/2000/svg"


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_a_picture_fetches_nothing_and_has_a_title(path) -> None:
    text = path.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == f"{{{SVG}}}svg" and (root.find(f"{{{SVG}}}title").text or "").strip()
    assert re.findall(r"https?://[^\"' ]+", text) == [SVG]
    for word in ("url(", "@import", "@font-face", "href", "<script", "<image", "<foreignObject", " on"):
        assert word not in re.sub(r">[^<]*<", "><", text), word


def lines_of(svg: str) -> list[str]:
    """The lines of a drawn screen, each where it stood: a cell is 8.4 wide and 19 tall, with 16 around all."""
    rows: defaultdict[float, str] = defaultdict(str)
    for text in ElementTree.fromstring(svg).iter(f"{{{SVG}}}text"):
        column = round((float(text.get("x", 0)) - 16) / 8.4)
        row = float(text.get("y", 0))
        rows[row] = rows[row].ljust(column) + (text.text or "")
    return [rows[row] for row in sorted(rows)]


def test_the_held_write_says_what_compass_says() -> None:
    lines = lines_of((ROOT / "docs/pictures/held.svg").read_text(encoding="utf-8"))
    assert max(map(len, lines)) <= 64
    shown = " ".join(" ".join(lines).split())
    readings = ["delete src/legacy_auth.py", "delete src/legacy_session.py"]
    told = held(HeldThing("delete", "src/legacy_session.py", "Just delete it."), "ambiguous", readings)
    for said in told.person.splitlines():
        assert said.strip() in shown, said


def test_the_diagram_names_the_default_thresholds() -> None:
    text = (ROOT / "docs/pictures/how.svg").read_text(encoding="utf-8")
    assert f"Mean {KEYS['confidence_by_stakes.reversible'].default:.2f} or more" in text
    assert f"spread {KEYS['stddev_threshold'].default:.2f} or less" in text

"""No text becomes markup, on the page or in a report."""

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st
from repository import ROOT

from calibration.report.html import MARK, environment, visible

TEMPLATES = sorted([*ROOT.glob("compass/**/templates/*.html"), *ROOT.glob("calibration/**/templates/*.html")])


class Read(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


@given(st.text())
def test_a_text_is_a_text_wherever_it_is_put(text):
    made = environment().from_string('<p title="{{ text }}">{{ text }}<b>x</b></p>').render(text=text)
    read = Read(made)
    assert read.tags == ["p", "b"]
    assert read.text == visible(text) + "x"
    assert dict(read.attributes) == {"title": visible(text)}


@given(st.text())
def test_what_steers_is_marked(text):
    assert not [
        char for char in visible(text) if not char.isprintable() and char not in "\n\t" and not char.isspace()
    ]


def test_ansi_and_direction_marks_are_seen():
    assert visible("\x1b[31mred\u202egnp.exe\u2066\x00") == f"{MARK}[31mred{MARK}gnp.exe{MARK}{MARK}"
    assert visible("a\u00a0b\u3000c\n\td") == "a\u00a0b\u3000c\n\td"
    assert visible("שלום, 你好, नमस्ते 🙂") == "שלום, 你好, नमस्ते 🙂"


def test_templates_quote_each_attribute_and_have_no_handler_no_style_and_no_address_outside():
    assert len(TEMPLATES) > 8
    for path in TEMPLATES:
        text = path.read_text()
        found = re.findall(r"=\{\{|\|safe|\son\w+=|\sstyle=|autoescape|javascript:|<script|https?:", text)
        assert found == [], path
        assert all(link.startswith("#/") for link in re.findall(r'(?:href|src)="([^"]*)', text)), path

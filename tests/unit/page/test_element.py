"""No text becomes markup."""

from html.parser import HTMLParser

import pytest
from corpora import corpus
from hypothesis import given
from hypothesis import strategies as st

from compass.page.element import MARK, Html, el, joined, visible


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
    read = Read(el("p", text, el("b", "x"), title=text, data_said=text))
    assert read.tags == ["p", "b"]
    assert read.text == visible(text) + "x"
    assert dict(read.attributes) == {"title": visible(text), "data-said": visible(text)}


@given(st.text())
def test_what_steers_is_marked(text):
    assert not [
        char for char in visible(text) if not char.isprintable() and char not in "\n\t" and not char.isspace()
    ]


def test_ansi_and_direction_marks_are_seen():
    assert visible("\x1b[31mred\u202egnp.exe\u2066\x00") == f"{MARK}[31mred{MARK}gnp.exe{MARK}{MARK}"
    assert visible("a\u00a0b\u3000c\n\td") == "a\u00a0b\u3000c\n\td"
    assert visible("שלום, 你好, नमस्ते 🙂") == "שלום, 你好, नमस्ते 🙂"


@corpus("name", ["onclick", "onLoad", "style", "style_", "a b", "", "x=1", 'x"'])
def test_no_handler_no_style_and_no_broken_name(name):
    with pytest.raises(ValueError, match="no attribute"):
        el("p", **{name: "x"})


@corpus("name", ["", "p onclick", "p>", "1", "script/"])
def test_no_broken_element(name):
    with pytest.raises(ValueError, match="no name"):
        el(name)


@corpus(
    "where",
    ["javascript:alert(1)", "https://evil.example", "//evil.example", "data:text/html,x", "/v1/x", "page/x"],
)
def test_no_address_leads_out_of_the_page(where):
    with pytest.raises(ValueError, match="leads out"):
        el("a", "x", href=where)
    with pytest.raises(ValueError, match="leads out"):
        el("img", src=where)


def test_what_is_left_out_and_what_stands_alone():
    assert el("input", disabled=True, checked=False, value=None) == "<input disabled>"
    assert el("p", None, "a", None) == "<p>a</p>"
    assert el("label", for_="x", aria_hidden="true") == '<label for="x" aria-hidden="true"></label>'
    assert joined(["<", Html("<br>")], " ") == "&lt; <br>"

"""HTML made of elements, so that no text can become markup: whatever is not `Html` is escaped where it is put in.

Checked by types and at run time, where a template's text would be by its author's care alone: an attribute can be
neither a handler nor a style, and a link leads nowhere but into the page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from html import escape

MARK = "\ufffd"
"""Stands for what cannot be seen: control characters, and those that turn the writing direction."""
KEPT = "\n\t"
VOID = frozenset(("br", "input", "link", "meta"))
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
_LEADS = ("#", "/page/")

Value = str | int | float | bool | None


class Html(str):
    """Markup whose texts are escaped. Made by `el` and `joined`; `trusted` is for what this package wrote itself."""

    __slots__ = ()


def el(name: str, /, *children: str | None, **attributes: Value) -> Html:
    """An element. An attribute's name may end in an underscore, and has hyphens for those within; None and False
    leave it out. Raises ValueError for a name that is none, a handler, a style, and an address outside of the page.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"no name of an element: {name!r}")
    given = "".join([_attribute(key, value) for key, value in attributes.items()])
    if name in VOID:
        return Html(f"<{name}{given}>")
    return Html(f"<{name}{given}>{joined(children)}</{name}>")


def joined(parts: Iterable[str | None], between: str = "") -> Html:
    return Html(between.join([_inner(part) for part in parts if part is not None]))


def visible(text: str) -> str:
    """`text` with a mark for each character that shows nothing of itself; blanks, line ends and tabs stay."""
    if text.isprintable():
        return text
    return "".join(
        [
            char if char.isprintable() or char in KEPT or unicodedata.category(char) == "Zs" else MARK
            for char in text
        ]
    )


def _inner(part: str) -> str:
    return part if isinstance(part, Html) else escape(visible(part))


def _attribute(name: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    key = name.removesuffix("_").replace("_", "-")
    if not _NAME.fullmatch(key) or key.lower().startswith("on") or key.lower() == "style":
        raise ValueError(f"no attribute of the page: {name!r}")
    if value is True:
        return f" {key}"
    text = str(value)
    if key in ("href", "src") and not text.startswith(_LEADS):
        raise ValueError(f"{key} leads out of the page: {text[:60]!r}")
    return f' {key}="{escape(visible(text))}"'

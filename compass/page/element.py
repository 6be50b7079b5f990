"""HTML made of elements, so that no text can become markup: whatever is not `Html` is escaped where it is put in. Also
the pieces that several views are made of.

Checked by types and at run time, where a template's text would be by its author's care alone: an attribute can be
neither a handler nor a style, and a link leads nowhere but into the page."""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Iterable, Sequence
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


OUTCOMES = {
    "held": "held",
    "let run": "let run",
    "passed": "passed",
    "skipped": "not judged",
}
"""What became of a call, as `compass log` names it, and as the page does."""


def kind_of(outcome: str) -> str:
    """Its name in the style sheet."""
    return outcome.replace(" ", "-") if outcome in OUTCOMES else "skipped"


def chip(outcome: str) -> Html:
    return el("span", OUTCOMES.get(outcome, outcome), class_=f"chip {kind_of(outcome)}")


def moment(at: float, *, whole: bool = False) -> Html:
    """In this machine's time: of today the clock alone, unless the `whole` is wanted."""
    local = time.localtime(at)
    clock, day = time.strftime("%H:%M:%S", local), time.strftime("%Y-%m-%d", local)
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S%z", local)
    today = day == time.strftime("%Y-%m-%d")
    shown = f"{day} {clock}" if whole else clock if today else f"{day[5:]} {clock[:5]}"
    return el("time", shown, datetime=stamp)


def heading(title: str, *beside: str | None) -> Html:
    """The view's one main heading: the script moves the focus here."""
    return el("div", el("h1", title, tabindex="-1"), *beside, class_="heading")


def section(title: str, *parts: str | None) -> Html:
    return el("section", el("h2", title), *parts)


def paragraphs(*lines: str) -> Html:
    return joined([el("p", line) for line in lines])


def empty(title: str, *parts: str) -> Html:
    """What stands where nothing is to be shown: it says what to do."""
    return el("div", el("h2", title), *[part if isinstance(part, Html) else el("p", part) for part in parts],
              class_="empty")  # fmt: skip


def command(text: str) -> Html:
    """Something to type in a terminal."""
    return el("pre", el("code", text), class_="command", tabindex="0")


def facts(pairs: Sequence[tuple[str, str]]) -> Html:
    """Names and values; nothing of what is empty."""
    rows = [el("div", el("dt", name), el("dd", value, dir="auto")) for name, value in pairs if value]
    return el("dl", *rows, class_="facts")


def said(who: str, text: str, kind: str) -> Html | None:
    """What somebody said, as it was said."""
    if not text.strip():
        return None
    return el("div", el("h3", who), el("div", text.strip(), class_="text", dir="auto"), class_=f"said {kind}")


def code(text: str, label: str) -> Html:
    """A block of text by the letter, which scrolls by itself, and by keys too."""
    return el("pre", el("code", text), tabindex="0", role="region", aria_label=label)


def table(caption: str, head: Sequence[str], body: Sequence[Sequence[str]]) -> Html:
    """The first cell of a row is its head. On a phone each row becomes a block; the roles keep it a table there."""
    columns = [el("th", name, scope="col", role="columnheader") for name in head]
    rows: list[Html] = []
    for row in body:
        cells = [
            el("td", el("span", cell), role="cell", data_name=name)
            for name, cell in zip(head[1:], row[1:], strict=True)
        ]
        rows.append(el("tr", el("th", row[0], scope="row", role="rowheader"), *cells, role="row"))
    return el(
        "table",
        el("caption", caption),
        el("thead", el("tr", *columns, role="row"), role="rowgroup"),
        el("tbody", *rows, role="rowgroup"),
        role="table",
        class_="stack",
    )

"""Small pieces that several views are made of."""

from __future__ import annotations

import time
from collections.abc import Sequence

from compass.page.element import Html, el, joined

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

"""The document that every visitor is given: a frame without data, which the script fills once a link was exchanged."""

from __future__ import annotations

from compass.page.element import Html, el, joined

NAV = (("checks", "Checks"), ("days", "Days"), ("calibration", "Calibration"))


def document() -> bytes:
    links = [
        el("li", el("a", title, el("span", class_="count", hidden=True) if name == "checks" else None,
                    href=f"#/{name}", data_view=name))
        for name, title in NAV
    ]  # fmt: skip
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", "Compass"),
        el("link", rel="icon", type="image/svg+xml", href="/page/static/icon.svg"),
        el("link", rel="stylesheet", href="/page/static/page.css"),
        el("script", Html(""), src="/page/static/page.js", type="module"),
    )
    header = el(
        "header",
        el(
            "div",
            el("a", _icon(), el("span", "Compass"), href="#/checks", class_="brand"),
            el("p", el("span", class_="dot", aria_hidden="true"), el("span", "not connected", id="state-text"),
               id="state", class_="off"),
            el("nav", el("ul", *links), aria_label="Views"),
            el("div", el("label", "Project", for_="project"), el("select", id="project"), class_="project", hidden=True,
               id="choose"),
            class_="wide",
        ),
    )  # fmt: skip
    main = el(
        "main",
        el("div", el("h1", "Opening", tabindex="-1"), el("p", "One moment."), class_="notice"),
        el("noscript", el("p", "This page needs its own script, which this browser does not run.")),
        id="view",
        class_="wide",
    )
    body = el(
        "body",
        el("a", "Skip to the content", href="#view", class_="skip"),
        header,
        main,
        el("div", id="said", role="status", aria_live="polite", class_="unseen"),
        el(
            "footer",
            el(
                "p",
                "This page looks on: nothing here releases a write, and it sends nothing anywhere.",
                class_="wide",
            ),
        ),
    )
    return f"<!doctype html>\n{el('html', head, body, lang='en')}\n".encode()


def _icon() -> Html:
    return el(
        "svg",
        el("circle", cx=12, cy=12, r=10, class_="ring"),
        el("path", d="M12 4.5l2.6 7.5H9.4z", class_="north"),
        el("path", d="M12 19.5l-2.6-7.5h5.2z", class_="south"),
        viewBox="0 0 24 24",
        aria_hidden="true",
        class_="icon",
    )


def projects(options: list[tuple[str, str, bool]]) -> Html:
    """(value, text, whether it is the one) of each project to choose from."""
    return joined([el("option", text, value=value, selected=one) for value, text, one in options])

"""One Chromium for all tests, and a page that tells what it asked for and what went wrong in it."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from running import install, paged
from running.serving import Serving, serving

PHONE, DESKTOP = 400, 1280


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = install.chromium()
    if path is None:
        pytest.skip(f"{install.line('chromium')}, or name one in {install.CHROMIUM}")
    with sync_playwright() as playwright:
        # As root there is no sandbox to be had; what is loaded is the page under test alone.
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        yield browser
        browser.close()


@dataclass
class Opened:
    """A page, what it asked for, and what it complained of."""

    page: Page
    context: BrowserContext
    origin: str
    asked: list[str] = field(default_factory=list[str])
    faults: list[str] = field(default_factory=list[str])

    def go(self, where: str) -> None:
        """To a view, by its address; returns once it is shown."""
        self.page.evaluate("where => { location.hash = where; }", where)
        self.shows(where)

    def shows(self, where: str) -> None:
        """Returns once that view is shown."""
        shown = "where => document.querySelector('#view').dataset.shown === where"
        self.page.wait_for_function(shown, arg=where)

    def heading(self) -> str:
        return self.page.locator("h1").first.inner_text()


Open = Callable[..., Opened]


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """With checks of two weeks."""
    with serving(tmp_path_factory.mktemp("browser")) as found:
        paged.fill(found.place.state, found.place.project)
        found.start()
        yield found


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Open]:
    """`open_page(place, width=, dark=)`: by a link of the command, as a person has it."""
    contexts: list[BrowserContext] = []
    pages: list[Opened] = []

    def opened(place: Any, *words: str, width: int = DESKTOP, dark: bool = False, url: str = "") -> Opened:
        size, scheme = {"width": width, "height": 900}, "dark" if dark else "light"
        context = chromium.new_context(viewport=size, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        link = "" if url else paged.link_of(place, *words).url
        found = Opened(page, context, (url or link).split("/#")[0].rstrip("/"))
        pages.append(found)
        page.on("request", lambda request: found.asked.append(request.url))
        page.on("pageerror", lambda error: found.faults.append(str(error)))
        page.on(
            "console",
            lambda said: found.faults.append(said.text) if said.type in ("error", "warning") else None,
        )
        page.on("dialog", lambda dialog: (found.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.goto(url or link)
        if not url:
            found.shows("#/checks")
        return found

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def pictures() -> Path | None:
    """Where pictures of the views go, if anybody wants them."""
    named = os.environ.get("COMPASS_PICTURES")
    return Path(named) if named else None

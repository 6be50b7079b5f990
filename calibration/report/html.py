"""Reports and the page as HTML, by Jinja templates that escape what they are given and mark what is not seen."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from evaluator.text import safe

TEMPLATES = Path(__file__).with_name("templates")
MARK = "\ufffd"
"""Stands for what cannot be seen: control characters, and those that turn the writing direction."""
KEPT = "\n\t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
"""Blanks of every width stay."""


@cache
def environment(folder: Path = TEMPLATES) -> Environment:
    """The Jinja environment of the templates in a folder, the reports' own without one; what was compiled is kept."""
    return Environment(
        loader=FileSystemLoader(folder), autoescape=True, finalize=visible, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip


def visible(value: object) -> object:
    """A text with a mark for each character that shows nothing of itself."""
    return safe(value, MARK, keep=KEPT) if isinstance(value, str) and not isinstance(value, Markup) else value


def filled(templates: Environment, name: str, given: Mapping[str, object]) -> Markup:
    """What a template makes: all texts in it are escaped."""
    return Markup(templates.get_template(name).render(given))  # noqa: S704


def document(title: str, body: str, given: Mapping[str, object]) -> str:
    """One HTML file with nothing to fetch and no script; `body` is the template of what stands below the title."""
    return environment().get_template("document.html").render(given, title=title, body=body)

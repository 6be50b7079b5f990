"""Links of a page, as they stand in the repository, for the site. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_IMAGE = re.compile(r'(<img src=")([^"]+)(")')
_FENCE = re.compile(r"(^```.*?^```$)", re.M | re.S)


def inside(markdown: str, source: str, page: str, pages: Mapping[str, str]) -> str:
    """`source` is the page's path in the repository, `page` that in the site; `pages` maps the one to the other for all
    files of the site. What is not on the site is named and no link.
    """

    def place(target: str) -> str | None:
        path, mark, anchor = target.partition("#")
        if not path or ":" in path:
            return target
        found = pages.get(posixpath.normpath(posixpath.join(posixpath.dirname(source), path)))
        if found is None:
            return None
        return posixpath.relpath(found, posixpath.dirname(page) or ".") + mark + anchor

    def link(found: re.Match[str]) -> str:
        shows, text, target = found.groups()
        new = place(target)
        return f"{shows}[{text}]({new})" if new is not None else text

    def image(found: re.Match[str]) -> str:
        return found[1] + (place(found[2]) or found[2]) + found[3]

    parts = _FENCE.split(markdown)
    return "".join(
        part if part.startswith("```") else _IMAGE.sub(image, _LINK.sub(link, part)) for part in parts
    )

"""Text in lines of a given width, with a hanging indent. Words are never broken: what is copied stays whole."""

from __future__ import annotations

LEAST_TEXT = 26
"""Cells beside a label; where fewer are left the text begins below it."""


def wrapped(text: str, columns: int, indent: int = 0, first: int | None = None) -> list[str]:
    """The lines of one paragraph. The first begins at cell `first` (default `indent`), which is not filled; the others
    are indented, by what it begins with, too."""
    from rich.cells import cell_len

    said = text.lstrip(" ")
    own = len(text) - len(said)
    lines: list[str] = []
    line, used = " " * own, own + (indent if first is None else first)
    indent += own
    for word in said.split(" "):
        cells = cell_len(word)
        if line.strip() and used + 1 + cells > columns:
            lines.append(line)
            line, used = " " * indent + word, indent + cells
        elif line.strip():
            line, used = f"{line} {word}", used + 1 + cells
        else:
            line, used = line + word, used + cells
    return [*lines, line]


def labelled(label: str, text: str, columns: int, indent: int) -> list[str]:
    """`label` padded to `indent` cells, and `text` beside it, each of its lines wrapped there; below it where the room
    is narrow."""
    from rich.cells import cell_len

    beside = columns - indent >= LEAST_TEXT
    inner = indent if beside else 2
    found: list[str] = [] if beside else [label.rstrip()]
    for number, part in enumerate(text.split("\n")):
        lines = wrapped(part, columns, inner)
        head = label + " " * max(0, indent - cell_len(label)) if beside and not number else " " * inner
        found += [(head + lines[0]).rstrip(), *lines[1:]]
    return found

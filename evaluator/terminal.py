"""Text for terminals: what others chose, without what a terminal would act on, and shares."""

from __future__ import annotations

TEXT_MAX = 400


def safe(text: str, mark: str = "?", *, keep: str = "") -> str:
    """`text` with `mark` for each character that cannot be printed, line ends too, but those of `keep`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep else mark for char in text)


def printable(found: str, most: int = TEXT_MAX) -> str:
    """One line without control or format characters (those that steer a terminal, or turn the writing direction)."""
    line = " ".join(safe(found, " ").split())
    return line if len(line) <= most else line[: most - 1] + "…"


def percent(share: float) -> str:
    """As it was stated: 0.025 is 2.5%."""
    return f"{100 * share:g}%"

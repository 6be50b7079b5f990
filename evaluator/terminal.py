"""Text that others chose, without what a terminal would act on."""

from __future__ import annotations


def safe(text: str, mark: str = "?", *, keep: str = "") -> str:
    """`text` with `mark` for each character that cannot be printed, line ends too, but those of `keep`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep else mark for char in text)

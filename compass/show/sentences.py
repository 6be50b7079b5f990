"""Sentences and diffs on a terminal, as a command that changes files shows them."""

from __future__ import annotations

from compass.show.terminal import console_of
from compass.show.wrapping import wrapped
from evaluator.terminal import safe

_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}


class Printer:
    """Prints sentences in lines as wide as the terminal; a diff and what is copied stay as they are."""

    def __init__(self) -> None:
        self._console = console_of()

    def print(self, text: str = "", style: str = "", *, whole: bool = False) -> None:
        from rich.text import Text

        hanging = 2 if text.startswith("- ") else 0
        for line in [text] if whole else wrapped(text, self._console.width, hanging, 0):
            self._console.print(Text(line, style), soft_wrap=True)


def show_diff(diff: str) -> None:
    console = Printer()
    for line in diff.splitlines():
        style = "bold" if line.startswith(("+++", "---")) else _DIFF_STYLES.get(line[:1], "")
        console.print(safe(line, keep="\t"), style, whole=True)
    if diff:
        console.print()

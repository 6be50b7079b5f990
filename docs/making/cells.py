"""Markdown of the made pages: tables, code, plain words."""

from __future__ import annotations

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows), ""])


def code(text: str) -> str:
    return "`" + " ".join(text.split()).replace("|", "\\|") + "`"


def words(said: str) -> str:
    """Plain words in a cell or a paragraph."""
    return " ".join(said.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if not text or text.endswith((".", "?", "!")) else f"{text}."

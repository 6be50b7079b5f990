"""The pieces of an HTML report. All texts are escaped here: what they get is plain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from evaluator.terminal import printable

STYLE = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def document(title: str, body: str) -> str:
    """The whole file."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{e(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"{body}\n</main>\n</body>\n</html>\n"
    )


def e(value: str) -> str:
    return escape(printable(value))


def cell(value: str) -> str:
    """A comparison stays on one line."""
    return e(value).replace("≥ ", "≥\u00a0").replace("≤ ", "≤\u00a0")


def section(title: str, *parts: str) -> str:
    return f"\n<section><h2>{e(title)}</h2>{''.join(parts)}</section>"


def paragraph(line: str, kind: str = "") -> str:
    return f'<p class="{kind}">{e(line)}</p>' if kind else f"<p>{e(line)}</p>"


def figure(chart: str, caption: str, key: str = "") -> str:
    return f"<figure>{chart}{key}<figcaption>{e(caption)}</figcaption></figure>"


def table(
    caption: str, head: Sequence[str], body: Iterable[Sequence[str]], chosen: Sequence[int] = ()
) -> str:
    """Cells are plain texts; the first of a row is its head. On a phone each row of a wide one becomes a block."""
    stack = ' class="stack"' if len(head) > 3 else ""
    columns = "".join(f'<th scope="col">{e(name)}</th>' for name in head)
    lines: list[str] = []
    for index, row in enumerate(body):
        cells = "".join(
            f'<td data-name="{e(name)}"><span>{cell(value)}</span></td>'
            for name, value in zip(head[1:], row[1:], strict=True)
        )
        kind = ' class="chosen"' if index in chosen else ""
        lines.append(f'<tr{kind}><th scope="row">{cell(row[0])}</th>{cells}</tr>')
    return (
        f"<table{stack}><caption>{e(caption)}</caption><thead><tr>{columns}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
    )

"""The pieces of an HTML report, its charts as SVG without a script. All texts are escaped here: what they get is plain.

Charts are drawn 340 units wide, which is a phone's width: text keeps its size there, and grows a little elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from evaluator.text import printable

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


WIDTH = 340
LEFT, RIGHT = 40, 20
BINS = 25
NAME_WIDTH = 110
"""More than the name of a threshold takes."""
NAME_HEIGHT, BARS_HEIGHT = 20, 58
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)
"""Between marks on a scale of shares."""
SHAPES = {
    "gate": "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    "recommended": "m0 -6l6 6l-6 6l-6 -6z",
}
"""Of each kind of point, from its middle."""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A threshold across a chart. `kind` is its style: `gate` or `recommended`."""

    at: float
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Point:
    """A point in the unit square. `kind` is its style: `gate` or `recommended`."""

    x: float
    y: float
    name: str
    kind: str


def histogram(
    samples: Mapping[str, Sequence[float]],
    lines: Sequence[ChartLine],
    *,
    most: float,
    ticks: Sequence[float],
    what: str,
) -> str:
    """One panel a class, below each other, over [0, `most`]; bars are shares of the class, all on one scale."""
    counted = {label: _bins(values, most) for label, values in samples.items() if values}
    peak = max((max(bins) / sum(bins) for bins in counted.values()), default=1.0)
    top, panel = 4 + 14 * len(lines), NAME_HEIGHT + BARS_HEIGHT
    base = top + panel * max(1, len(counted))
    parts, names = list[str](), list[str]()
    rows = [(top + panel * row + NAME_HEIGHT, top + panel * (row + 1)) for row in range(len(counted))]
    for (head, foot), (label, bins) in zip(rows, counted.items(), strict=True):
        total = sum(bins)
        names.append(_text(LEFT, head - 6, f"{label}, {total} checks", f"name {escape(label)}"))
        for tick in share_ticks(peak):
            y = foot - BARS_HEIGHT * tick / peak
            parts.append(f'<path class="grid" d="M{LEFT} {_n(y)}H{WIDTH - RIGHT}"/>')
            names.append(_text(LEFT - 5, y + 4, f"{100 * tick:g}", "end"))
        step = _span() / BINS
        for index, count in enumerate(bins):
            tall = BARS_HEIGHT * count / total / peak
            if count:
                parts.append(
                    f'<rect class="{escape(label)}" x="{_n(LEFT + index * step + 0.5)}" y="{_n(foot - tall)}" '
                    f'width="{_n(step - 1)}" height="{_n(tall)}"><title>{count} of {total}</title></rect>'
                )
        parts.append(f'<path class="axis" d="M{LEFT} {head}V{foot}H{WIDTH - RIGHT}"/>')
    names.append(_upright((top + base) / 2, "share of checks (%)"))
    names += [_tick_x(tick / most, base, f"{tick:g}") for tick in ticks]
    names.append(_text(LEFT + _span() / 2, base + 30, what, "mid"))
    placed = _placed(lines, most)
    return _svg(
        base + 34,
        f"Histograms: {what}",
        parts + _thresholds(placed, most, top, rows) + names + _names(placed, most),
    )


def share_ticks(peak: float) -> list[float]:
    """Round shares from 0 up to `peak`, about three of them."""
    step = next((size for size in STEPS if peak / size < 4), STEPS[-1])
    return [round(place * step, 3) for place in range(int(peak / step + 1e-9) + 1)]


def square(
    curve: Sequence[tuple[float, float]],
    points: Sequence[Point],
    *,
    limit: float | None = None,
    what: str,
    names: tuple[str, str] = ("clear requests blocked (%)", "ambiguous caught (%)"),
) -> str:
    """False blocks to the right, detection upwards, from 0 to 100%, by these `names`. `limit`: a rate to stay under."""
    top, side = 10, _span()
    base = top + side
    parts = [
        f'<path class="grid" d="{_grid(top, base)}"/>',
        f'<path class="axis" d="M{LEFT} {top}V{_n(base)}H{WIDTH - RIGHT}"/>',
    ]
    parts += [_tick_x(tick, base, f"{100 * tick:.0f}") for tick in (0, 0.25, 0.5, 0.75, 1)]
    parts += [
        _text(LEFT - 5, base - side * tick + 4, f"{100 * tick:.0f}", "end")
        for tick in (0, 0.25, 0.5, 0.75, 1)
    ]
    parts.append(_text(LEFT + side / 2, base + 30, names[0], "mid"))
    parts.append(_upright(top + side / 2, names[1]))
    if limit is not None:
        parts.append(f'<path class="limit" d="M{_n(_x(limit))} {top}V{_n(base)}"/>')
    if curve:
        parts.append(f'<path class="curve" d="{_path(curve, base)}"/>')
    for point in points:
        x, y = _x(point.x), base - side * point.y
        shape = f'<path class="point {escape(point.kind)}" d="M{_n(x)} {_n(y)}{SHAPES[point.kind]}">'
        parts.append(f"{shape}<title>{escape(point.name)}</title></path>")
    return _svg(base + 34, what, parts)


def bands(
    series: Mapping[str, tuple[str, Sequence[tuple[float, float, float, float]]]], *, what: str, axis: str
) -> str:
    """Shares over [0, 1], each a line in its interval. `series`: by style the name and the points (place, share, low,
    high)."""
    top, side = 10 + 14 * len(series), _span()
    base = top + side
    parts = [
        f'<path class="grid" d="{_grid(top, base)}"/>',
        f'<path class="axis" d="M{LEFT} {top}V{_n(base)}H{WIDTH - RIGHT}"/>',
        *(_tick_x(tick, base, f"{tick:g}") for tick in (0, 0.25, 0.5, 0.75, 1)),
        *(
            _text(LEFT - 5, base - side * tick + 4, f"{100 * tick:.0f}", "end")
            for tick in (0, 0.25, 0.5, 0.75, 1)
        ),
        _text(LEFT + side / 2, base + 30, axis, "mid"),
        _upright(top + side / 2, "share of turns (%)"),
    ]
    for row, (kind, (name, points)) in enumerate(series.items()):
        parts.append(_text(LEFT + 4, 12 + 14 * row, name, f"name {kind}"))
        if points:
            around = [(x, high) for x, _, _, high in points] + [(x, low) for x, _, low, _ in reversed(points)]
            parts.append(f'<path class="band {escape(kind)}" d="{_path(around, base)}z"/>')
            line = _path([(x, value) for x, value, _, _ in points], base)
            parts.append(f'<path class="stroke {escape(kind)}" d="{line}"/>')
    return _svg(base + 34, what, parts)


def _bins(values: Sequence[float], most: float) -> list[int]:
    found = [0] * BINS
    for value in values:
        found[min(BINS - 1, max(0, int(value / most * BINS + 1e-9)))] += 1
    return found


def _path(curve: Sequence[tuple[float, float]], base: float) -> str:
    """Straight from point to point: a tie of both classes counts half in the area, as it does in the AUC."""
    placed = [(_n(_x(x)), _n(base - _span() * y)) for x, y in curve]
    first, rest = placed[0], placed[1:]
    return f"M{first[0]} {first[1]}" + "".join(f"L{x} {y}" for x, y in rest)


def _grid(top: float, base: float) -> str:
    side = _span()
    across = "".join(f"M{LEFT} {_n(base - side * tick)}H{WIDTH - RIGHT}" for tick in (0.25, 0.5, 0.75, 1))
    return across + "".join(f"M{_n(_x(tick))} {_n(top)}V{_n(base)}" for tick in (0.25, 0.5, 0.75, 1))


def _placed(lines: Sequence[ChartLine], most: float) -> list[tuple[ChartLine, bool]]:
    """The lines from the top row of names downwards, and whether the name stands at the left of its line.

    Names turn away from the other lines where there is room on that side, and are in such an order that no line runs
    through the name of another.
    """
    middle = sum(line.at for line in lines) / len(lines) if lines else 0.0
    turned = [
        (
            line,
            _x(line.at / most) > WIDTH - NAME_WIDTH or (line.at < middle and _x(line.at / most) > NAME_WIDTH),
        )
        for line in lines
    ]
    return sorted(turned, key=lambda one: -one[0].at if one[1] else one[0].at)


def _thresholds(
    placed: Sequence[tuple[ChartLine, bool]], most: float, top: float, rows: Sequence[tuple[float, float]]
) -> list[str]:
    """Down to the last of `rows`, which are (head, foot), but not through the names that stand between them."""
    through = "".join(f"M{{x}} {_n(head)}V{_n(foot)}" for head, foot in rows)
    return [
        f'<path class="line {escape(line.kind)}" d="'
        + f"M{{x}} {3 + 14 * row}V{_n(top)}{through}".replace("{x}", _n(_x(line.at / most)))
        + '"/>'
        for row, (line, _) in enumerate(placed)
    ]


def _names(placed: Sequence[tuple[ChartLine, bool]], most: float) -> list[str]:
    return [
        _text(
            _x(line.at / most) + (-4 if left else 4),
            12 + 14 * row,
            line.name,
            f"{line.kind} end" if left else line.kind,
        )
        for row, (line, left) in enumerate(placed)
    ]


def _upright(y: float, text: str) -> str:
    return f'<text class="mid" transform="translate(11 {_n(y)}) rotate(-90)">{escape(text)}</text>'


def _tick_x(share: float, base: float, text: str) -> str:
    x = _x(share)
    return f'<path class="axis" d="M{_n(x)} {_n(base)}v4"/>' + _text(x, base + 15, text, "mid")


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{escape(kind)}" x="{_n(x)}" y="{_n(y)}">{escape(text)}</text>'


def _svg(height: float, what: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {_n(height)}" role="img" aria-label="{escape(what)}">'
        + "".join(parts)
        + "</svg>"
    )


def _x(share: float) -> float:
    return LEFT + _span() * min(1.0, max(0.0, share))


def _span() -> float:
    return WIDTH - LEFT - RIGHT


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")

"""The charts of the HTML report, as SVG without a script. Geometry alone: no statistics, no text of a case.

Drawn 340 units wide, which is a phone's width: text keeps its size there, and grows a little elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 340
LEFT, RIGHT = 40, 20
BINS = 25
NAME_WIDTH = 110
"""More than the name of a threshold takes."""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A threshold across a chart. `kind` is its style: `gate` or `recommended`."""

    at: float
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Box:
    """One class on the scale of the scores: quantiles at 5, 25, 50, 75 and 95 %, the mean and its interval."""

    label: str
    quantiles: Sequence[float]
    mean: float
    low: float
    high: float


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
    top, panel = 4 + 14 * len(lines), 78
    height = top + panel * len(counted) + 34
    base = top + panel * len(counted)
    parts, names = list[str](), list[str]()
    for row, (label, bins) in enumerate(counted.items()):
        foot = top + panel * (row + 1)
        total = sum(bins)
        names.append(_text(LEFT, foot - panel + 17, f"{label}, {total} checks", f"name {escape(label)}"))
        step = _span() / BINS
        for index, count in enumerate(bins):
            tall = (panel - 24) * count / total / peak
            if count:
                parts.append(
                    f'<rect class="{escape(label)}" x="{_n(LEFT + index * step + 0.5)}" y="{_n(foot - tall)}" '
                    f'width="{_n(step - 1)}" height="{_n(tall)}"><title>{count} of {total}</title></rect>'
                )
        parts.append(f'<path class="axis" d="M{LEFT} {foot}H{WIDTH - RIGHT}"/>')
    parts += [_tick_x(tick / most, base, f"{tick:g}") for tick in ticks]
    parts.append(_text(LEFT + _span() / 2, base + 30, what, "mid"))
    return _svg(
        height, f"Histograms: {what}", parts + _thresholds(lines, most, base) + names + _names(lines, most)
    )


def boxes(rows: Sequence[Box], lines: Sequence[ChartLine]) -> str:
    """One row a class: whisker 5 to 95 %, box 25 to 75 %, median, and below it the mean with its interval."""
    top, band = 4 + 14 * len(lines), 54
    base = top + band * len(rows)
    parts, names = list[str](), list[str]()
    for row, box in enumerate(rows):
        middle, name = top + band * row + 27, escape(box.label)
        q05, q25, q50, q75, q95 = (_x(value) for value in box.quantiles)
        names.append(_text(LEFT, middle - 13, box.label, f"name {name}"))
        parts += [
            f'<path class="stroke {name}" d="M{_n(q05)} {middle}H{_n(q95)}"/>',
            f'<rect class="{name} box" x="{_n(q25)}" y="{middle - 7}" width="{_n(max(1.0, q75 - q25))}" height="14"/>',
            f'<path class="median" d="M{_n(q50)} {middle - 7}V{middle + 7}"/>',
            f'<path class="stroke {name}" d="M{_n(_x(box.low))} {middle + 15}H{_n(_x(box.high))}'
            f'M{_n(_x(box.low))} {middle + 12}v6M{_n(_x(box.high))} {middle + 12}v6"/>',
            f'<circle class="{name}" cx="{_n(_x(box.mean))}" cy="{middle + 15}" r="3.5"/>',
        ]
    parts.append(f'<path class="axis" d="M{LEFT} {base}H{WIDTH - RIGHT}"/>')
    parts += [_tick_x(tick, base, f"{tick:g}") for tick in (0, 0.25, 0.5, 0.75, 1)]
    parts.append(_text(LEFT + _span() / 2, base + 30, "mean score of a check", "mid"))
    return _svg(
        base + 34,
        "Where the means of each class lie",
        parts + _thresholds(lines, 1.0, base) + names + _names(lines, 1.0),
    )


def square(
    curve: Sequence[tuple[float, float]],
    points: Sequence[Point],
    *,
    limit: float | None = None,
    chance: bool = False,
    what: str,
) -> str:
    """False blocks to the right, detection upwards, from 0 to 100%. `limit`: a false-block rate to stay under."""
    top, side = 10, _span()
    base = top + side
    parts = [
        f'<path class="grid" d="{_grid(top, base)}"/>',
        f'<path class="axis" d="M{LEFT} {top}V{_n(base)}H{WIDTH - RIGHT}"/>',
    ]
    parts += [_tick_x(tick, base, f"{100 * tick:.0f}%") for tick in (0, 0.25, 0.5, 0.75, 1)]
    parts += [
        _text(LEFT - 5, base - side * tick + 4, f"{100 * tick:.0f}", "end") for tick in (0.25, 0.5, 0.75, 1)
    ]
    parts.append(_text(LEFT + side / 2, base + 30, "clear requests blocked", "mid"))
    parts.append(
        f'<text class="mid" transform="translate(11 {_n(top + side / 2)}) rotate(-90)">ambiguous caught (%)</text>'
    )
    if chance:
        parts.append(f'<path class="chance" d="M{LEFT} {_n(base)}L{WIDTH - RIGHT} {top}"/>')
    if limit is not None:
        parts.append(f'<path class="limit" d="M{_n(_x(limit))} {top}V{_n(base)}"/>')
    if curve:
        parts.append(f'<path class="curve" d="{_path(curve, base)}"/>')
    for point in points:
        x, y = _x(point.x), base - side * point.y
        shape = (
            f'<path class="point recommended" d="M{_n(x)} {_n(y - 6)}l6 6l-6 6l-6 -6z">'
            if point.kind == "recommended"
            else f'<path class="point gate" d="M{_n(x - 5)} {_n(y)}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z">'
        )
        parts.append(f"{shape}<title>{escape(point.name)}</title></path>")
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


def _thresholds(lines: Sequence[ChartLine], most: float, base: float) -> list[str]:
    return [
        f'<path class="line {line.kind}" d="M{_n(_x(line.at / most))} {3 + 14 * row}V{_n(base)}"/>'
        for row, line in enumerate(lines)
    ]


def _names(lines: Sequence[ChartLine], most: float) -> list[str]:
    """Each on a row of its own, turned away from the other lines where there is room on that side."""
    middle = sum(line.at for line in lines) / len(lines) if lines else 0.0
    found: list[str] = []
    for row, line in enumerate(lines):
        x = _x(line.at / most)
        left = x > WIDTH - NAME_WIDTH or (line.at < middle and x > NAME_WIDTH)
        kind = f"{line.kind} end" if left else line.kind
        found.append(_text(x + (-4 if left else 4), 12 + 14 * row, line.name, kind))
    return found


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

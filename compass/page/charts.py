"""The page's charts, as SVG. Geometry alone. Drawn 340 units wide, a phone's width: text keeps its size there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from compass.page.element import Html, el

WIDTH = 340
LEFT, RIGHT = 44, 12
TOP, TALL, FOOT = 8, 120, 24
STEPS = (1, 2, 5)
LABELS_MAX = 7
"""Days that are named below an axis: more would touch."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A reader's score."""

    at: float
    name: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One day: its label, and (style, count) from the axis upwards."""

    label: str
    parts: Sequence[tuple[str, float]]


def scores(marks: Sequence[Mark], mean: float, stddev: float, limit: float | None) -> Html:
    """Each reader's score on a scale from 0 to 1, their mean with the deviation, and the least mean that passes."""
    row, axis = 34, 58
    low, high = max(0.0, mean - stddev), min(1.0, mean + stddev)
    parts = [
        el(
            "rect",
            class_="spread",
            x=_n(_x(low)),
            y=row - 11,
            width=_n(max(1.0, _x(high) - _x(low))),
            height=22,
        ),
        el("path", class_="axis", d=f"M{LEFT} {axis}H{WIDTH - RIGHT}"),
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts += [
            el("path", class_="axis", d=f"M{_n(_x(tick))} {axis}v4"),
            el("text", f"{tick:g}", class_="mid", x=_n(_x(tick)), y=axis + 16),
        ]
    parts.append(el("path", class_="mean", d=f"M{_n(_x(mean))} {row - 14}v28"))
    for at, level in _apart([mark.at for mark in marks]):
        parts.append(el("circle", class_="score", cx=_n(_x(at)), cy=row + level, r=4))
    if limit is not None:
        x = _x(limit)
        left = x > WIDTH / 2
        parts += [
            el("path", class_="limit", d=f"M{_n(x)} 14V{axis}"),
            el("text", f"passes from {limit:.2f}", class_="limit end" if left else "limit",
               x=_n(x - 4 if left else x + 4), y=14),
        ]  # fmt: skip
    parts.append(el("text", "score of a reader, 0 to 1", class_="mid", x=_n(LEFT + _span() / 2), y=axis + 34))
    told = ", ".join(f"{mark.name} {mark.at:.2f}" for mark in marks)
    return _svg(axis + 40, f"Scores: {told}; mean {mean:.2f}, deviation {stddev:.2f}", parts)


def bars(days: Sequence[Bar], what: str, unit: str) -> Html:
    """A stack a day, on a scale from 0."""
    peak = max((sum(count for _, count in day.parts) for day in days), default=0.0)
    step, most = _scale(peak)
    parts = _grid(step, most)
    wide = _span() / max(1, len(days))
    for place, day in enumerate(days):
        foot = 0.0
        for style, count in day.parts:
            if count > 0:
                tall = TALL * count / most
                y = TOP + TALL - TALL * foot / most - tall
                parts.append(
                    el("rect", class_=style, x=_n(LEFT + place * wide + wide * 0.14), y=_n(y),
                       width=_n(wide * 0.72), height=_n(max(0.8, tall)))
                )  # fmt: skip
                foot += count
    return _svg(TOP + TALL + FOOT, what, parts + _dates([day.label for day in days], unit))


def whiskers(days: Sequence[tuple[str, tuple[float, float] | None]], what: str, unit: str) -> Html:
    """(label, (median, 95th percentile) or None) a day: a dot, and a line up to the other."""
    peak = max((both[1] for _, both in days if both is not None), default=0.0)
    step, most = _scale(peak)
    parts = _grid(step, most)
    wide = _span() / max(1, len(days))
    for place, (_, both) in enumerate(days):
        if both is None:
            continue
        x = LEFT + (place + 0.5) * wide
        middle, high = (TOP + TALL - TALL * value / most for value in both)
        parts += [
            el("path", class_="whisker", d=f"M{_n(x)} {_n(middle)}V{_n(high)}m-3 0h6"),
            el("circle", class_="median", cx=_n(x), cy=_n(middle), r=3.5),
        ]
    return _svg(TOP + TALL + FOOT, what, parts + _dates([label for label, _ in days], unit))


def progress(done: int, wanted: int) -> Html:
    """A bar that is told by its text beside it."""
    share = min(1.0, done / wanted) if wanted else 0.0
    return el(
        "svg",
        el("rect", class_="all", width="100", height="6"),
        el("rect", class_="done", width=_n(100 * share), height="6"),
        class_="progress",
        viewBox="0 0 100 6",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def _apart(values: Sequence[float]) -> list[tuple[float, float]]:
    """(value, offset from the row): equal scores lie beside each other, and not on one spot."""
    found: list[tuple[float, float]] = []
    seen: dict[float, int] = {}
    for value in sorted(values):
        near = round(value / 0.03)
        turn = seen.get(near, 0)
        seen[near] = turn + 1
        found.append((value, (-1) ** turn * math.ceil(turn / 2) * 7.0))
    return found


def _scale(peak: float) -> tuple[float, float]:
    """The step between marks and the end of a scale for values up to `peak`: about three round steps."""
    if peak <= 0:
        return 1.0, 1.0
    size = 10.0 ** math.floor(math.log10(peak))
    step = next(
        (one * size / 10 for one in (*STEPS, *(10 * s for s in STEPS)) if peak / (one * size / 10) <= 4), size
    )
    step = max(1.0, step)
    return step, step * math.ceil(peak / step)


def _grid(step: float, most: float) -> list[Html]:
    parts: list[Html] = []
    for count in range(int(most / step + 1e-9) + 1):
        y = TOP + TALL - TALL * count * step / most
        parts += [
            el("path", class_="axis" if count == 0 else "grid", d=f"M{LEFT} {_n(y)}H{WIDTH - RIGHT}"),
            el("text", _short(count * step), class_="end", x=LEFT - 6, y=_n(y + 4)),
        ]
    return parts


def _dates(labels: Sequence[str], unit: str) -> list[Html]:
    every = math.ceil(len(labels) / LABELS_MAX) or 1
    wide = _span() / max(1, len(labels))
    # Counted from the end, so that today is named.
    named = [place for place in range(len(labels)) if (len(labels) - 1 - place) % every == 0]
    parts = [
        el("text", labels[place], class_="mid", x=_n(LEFT + (place + 0.5) * wide), y=TOP + TALL + 16)
        for place in named
    ]
    middle = _n(TOP + TALL / 2)
    return [*parts, el("text", unit, class_="mid", transform=f"translate(11 {middle}) rotate(-90)")]


def _short(value: float) -> str:
    return f"{value / 1000:g}k" if value >= 10_000 else f"{value:g}"


def _svg(height: float, what: str, parts: Sequence[Html]) -> Html:
    return el("svg", *parts, viewBox=f"0 0 {WIDTH} {_n(height)}", role="img", aria_label=what)


def _x(share: float) -> float:
    return LEFT + _span() * min(1.0, max(0.0, share))


def _span() -> float:
    return WIDTH - LEFT - RIGHT


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")

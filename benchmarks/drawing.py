"""Draws what benchmarks measure, as SVG: bars on a scale of powers of ten, and curves between two such scales."""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

__all__ = ["Bar", "Curve", "bars", "curves"]

_STYLE = 'font-family="sans-serif" font-size="13"'
_GREY = "#c2c2c2"


class Bar(NamedTuple):
    """A name, how long its bar is, and its colour."""

    name: str
    value: float
    colour: str


class Curve(NamedTuple):
    """Points (x, y) in order; a curve without a name is drawn grey and behind those that have one."""

    name: str
    points: list[tuple[float, float]]


def bars(title: str, drawn: list[Bar], *, least: float = 0.1, powers: int = 4) -> str:
    """Draw bars, longest first; each line of the grid is ten times as much as the one before."""
    scale, left, high = 140, 250, 22
    width, height = left + scale * powers + 60, high * (len(drawn) + 2)
    parts = []
    for power in range(powers + 1):
        x = left + power * scale
        parts.append(_line(x, high + 14, x, height))
        parts.append(_text(x, high + 10, _shown(least * 10**power), "middle"))
    for place, bar in enumerate(sorted(drawn, key=lambda bar: -bar.value)):
        y = high * (place + 1) + 16
        length = max(1.0, scale * log10(max(bar.value, least) / least))
        parts.append(_text(left - 6, y + 13, bar.name, "end"))
        parts.append(f'<rect x="{left}" y="{y}" width="{length:.0f}" height="{high - 6}" fill="{bar.colour}"/>')
        parts.append(_text(left + length + 4, y + 13, _shown(bar.value)))
    return _svg(title, width, height + 20, parts)


def curves(title: str, drawn: list[Curve], x_name: str, y_name: str) -> str:
    """Draw curves on axes of powers of ten; a straight line of the slope of the dashed one is linear growth."""
    left, top, scale, right = 70, 40, 170, 150
    every = [point for curve in drawn for point in curve.points]
    low_x, high_x = floor(log10(min(x for x, _ in every))), ceil(log10(max(x for x, _ in every)) - 0.05)
    low_y, high_y = floor(log10(min(y for _, y in every))), ceil(log10(max(y for _, y in every)) - 0.05)
    width, bottom = left + scale * (high_x - low_x), top + scale * (high_y - low_y)

    def at(x: float, y: float) -> tuple[float, float]:
        return left + scale * (log10(x) - low_x), bottom - scale * (log10(y) - low_y)

    parts = []
    for power in range(low_x, high_x + 1):
        x, _ = at(10**power, 10**low_y)
        parts += [_line(x, top, x, bottom), _text(x, bottom + 18, _shown(10.0**power), "middle")]
    for power in range(low_y, high_y + 1):
        _, y = at(10**low_x, 10**power)
        parts += [_line(left, y, width, y), _text(left - 6, y + 4, _shown(10.0**power), "end")]
    parts += [_text((left + width) / 2, bottom + 38, x_name, "middle"), _text(8, top - 8, y_name)]
    steps = min(high_x - low_x, high_y - low_y)
    ends = (*at(10**low_x, 10**low_y), *at(10.0 ** (low_x + steps), 10.0 ** (low_y + steps)))
    parts.append(_line(*ends, dashes=True))
    colours = iter(["#1f6f8b", "#c8553d", "#588157", "#8f5b9c", "#e0a458", "#3d405b", "#7a7a7a"] * 9)
    labels: list[float] = []
    for curve in sorted(drawn, key=lambda curve: (bool(curve.name), -curve.points[-1][1])):
        colour, points = next(colours) if curve.name else _GREY, [at(*point) for point in curve.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{1 + bool(curve.name)}"/>')
        if curve.name:
            x, y = points[-1]
            labels.append(max(y + 4, labels[-1] + 15 if labels else 0))
            parts.append(_text(x + 6, labels[-1], curve.name, fill=colour))
    return _svg(title, width + right, bottom + 50, parts)


def _svg(title: str, width: int, height: int, parts: list[str]) -> str:
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {_STYLE}>'
    ground = f'<rect width="100%" height="100%" fill="white"/>{_text(8, 16, title)}'
    return "\n".join([begin, ground, *parts, "</svg>"]) + "\n"


def _line(x1: float, y1: float, x2: float, y2: float, *, dashes: bool = False) -> str:
    stroke = 'stroke="#888" stroke-dasharray="5 5"' if dashes else 'stroke="#ddd"'
    return f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" {stroke}/>'


def _text(x: float, y: float, text: str, anchor: str = "start", fill: str = "black") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{fill}">{escape(text)}</text>'


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"

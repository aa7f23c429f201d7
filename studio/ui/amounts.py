"""Amounts in words, as makers say them: how many, how long, how far, which share."""

from __future__ import annotations


def many(count: int, one: str) -> str:
    """A count with its noun: 1 piece, 2 400 pieces."""
    grouped = f"{count:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    return f"{grouped} {one}" + ("" if count == 1 else "s")


def metres(length: float) -> str:
    """A length of mm: 80 mm, 4.21 m."""
    return f"{length / 1000:.2f} m" if length >= 1000 else f"{length:.0f} mm"


def lasting(seconds: float) -> str:
    """A time: 45 s, 5 min, 1 h 20 min."""
    if seconds < 59.5:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes % 60 else f"{minutes // 60} h"


def share(part: float) -> str:
    """A part of 1 in percent: 82 %."""
    return f"{part:.0%}".replace("%", " %")

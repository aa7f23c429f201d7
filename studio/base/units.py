"""Numbers as makers read them, and lengths in the unit shown, millimetres or inches.

Numbers are rounded half up; shares have a space, 5 %, and no number is written as the limit that it misses. Files and
the command line stay in millimetres.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import ROUND_HALF_UP, Decimal
from enum import Enum
from functools import lru_cache
from string import Formatter
from typing import Any

MOST_DECIMALS = 4
"""Most decimals by which a number is distinguished from its limit."""
_FIXED = re.compile(r"\.(\d)([f%])")


def figure(value: float, spec: str) -> str:
    """A number by a spec of `format`; `.1f` and `.0%` round half up as on paper, not to the even digit.

    >>> figure(298.45, ".1f"), figure(0.825, ".0%"), figure(-0.04, ".1f")
    ('298.5', '83 %', '0.0')
    """
    fixed = _FIXED.fullmatch(spec)
    if fixed is None:
        return format(float(value), spec).replace("%", " %")
    decimals, is_share = int(fixed[1]), fixed[2] == "%"
    text = _rounded(100 * float(value) if is_share else float(value), decimals)
    return f"{text} %" if is_share else text


def _rounded(value: float, decimals: int) -> str:
    # Nine decimals: 100 × 0.575 is 57.49999999999999, which nobody means.
    exact = Decimal(repr(round(value, 9)))
    if not exact.is_finite():
        return format(value, f".{decimals}f")
    text = format(exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP), "f")
    return text.removeprefix("-") if not text.strip("-0.") else text


def rounded_down(value: float, decimals: int) -> float:
    """Round a number down, for upper limits that must not be overstated."""
    scale = 10.0**decimals
    return math.floor(value * scale + 1e-6) / scale


class Against(float):
    """A number beside its limit, written with enough decimals to distinguish the two.

    >>> f"{Against(0.996, 1.0):.1f} of {1.0:g}", f"{Against(0.84, 1.0):.1f}"
    ('0.996 of 1', '0.8')
    """

    limit: float

    def __new__(cls, value: float, limit: float) -> Against:
        """The number and its limit, both in one unit."""
        made = super().__new__(cls, value)
        made.limit = float(limit)
        return made

    def __format__(self, spec: str) -> str:
        fixed = _FIXED.fullmatch(spec)
        least = int(fixed[1]) if fixed is not None else 0
        value = float(self)
        if fixed is not None and fixed[2] == "%":
            return figure(value, spec)
        for decimals in range(least, MOST_DECIMALS + 1):
            text = _rounded(value, decimals) if fixed is not None or decimals else figure(value, spec)
            if _side(float(text), self.limit) == _side(value, self.limit):
                return text
        # The value is nearer to the limit than the last decimal: write the next number on its side.
        return _rounded(self.limit + _side(value, self.limit) * 10.0**-MOST_DECIMALS, MOST_DECIMALS)

    def __truediv__(self, divisor: float) -> Against:
        return Against(float(self) / divisor, self.limit / divisor)


def _side(value: float, limit: float) -> int:
    """Sign of a number's distance from its limit: -1, 0 or 1."""
    return (value > limit) - (value < limit)


class _Figures(Formatter):
    """`str.format`, with numbers as `figure` writes them."""

    def format_field(self, value: Any, spec: str) -> str:
        """Format one value."""
        if isinstance(value, float) and not isinstance(value, Against):
            return figure(value, spec)
        return str(format(value, spec))


def filled_rounded(template: str, values: Mapping[str, object]) -> str:
    """A template with its `{names}` filled in, as by `str.format`, numbers as `figure` writes them."""
    parts = _parts(template)
    if parts is None:
        return _FIGURES.vformat(template, (), values)
    return "".join(
        text if name is None else text + _FIGURES.format_field(values[name], spec) for text, name, spec in parts
    )


@lru_cache(maxsize=1024)
def _parts(template: str) -> tuple[tuple[str, str | None, str], ...] | None:
    """Texts of a template, each with the name and spec of the field after it; None if a field is not a plain name.

    A drag makes the sentences of several findings at every move, and parsing their templates is the slowest part.
    """
    parts = tuple(_FIGURES.parse(template))
    if any(
        name is not None and (how or "{" in (spec or "") or not name.isidentifier()) for _, name, spec, how in parts
    ):
        return None
    return tuple((text, name, spec or "") for text, name, spec, _how in parts)


_FIGURES = _Figures()


# Lengths

MM_PER_INCH = 25.4


class Unit(Enum):
    """A unit of length."""

    MILLIMETRES = "mm"
    INCHES = "in"


_IN_INCHES = {
    "mm": (MM_PER_INCH, "in"),
    "mm²": (MM_PER_INCH**2, "in²"),
    "mm/s": (MM_PER_INCH, "in/s"),
    "mm/s²": (MM_PER_INCH, "in/s²"),
}
"""Amount of each metric unit in one imperial unit, and the imperial unit's name."""
_DECIMALS, _MOST_DECIMALS = {0: 3, 1: 3}, 4
"""Decimals in inches for decimals in millimetres; four for all others."""
SMALL = 0.1
"""Amounts below this many inches get four decimals in a sentence, which separates a limit from a near miss."""
_HOLE = r"\{\w+(?::[^{}]*)?\}"
_HOLES = re.compile(
    rf"{_HOLE}(?:(?: × |, | to | or | and |  y ){_HOLE})*[ \N{{NARROW NO-BREAK SPACE}}](mm/s²|mm/s|mm²|mm)(?![\w/])"
)
_NUMBER = re.compile(r"\d+(?:\.(\d+))?")

_chosen = Unit.MILLIMETRES
_is_metric: ContextVar[bool] = ContextVar("is_metric", default=False)


def show_in(unit: Unit) -> None:
    """Show lengths in another unit."""
    global _chosen
    _chosen = unit


def unit() -> Unit:
    """The unit in which lengths are shown."""
    return Unit.MILLIMETRES if _is_metric.get() else _chosen


@contextmanager
def in_millimetres() -> Iterator[None]:
    """Use millimetres inside the block, for files, whatever unit the screen shows."""
    token = _is_metric.set(True)
    try:
        yield
    finally:
        _is_metric.reset(token)


def shown_as(metric: str) -> tuple[float, str]:
    """Amount of a metric unit in one unit shown, and that unit's name; unknown units are shown unchanged."""
    return _IN_INCHES.get(metric, (1.0, metric)) if unit() is Unit.INCHES else (1.0, metric)


def length(amount: float, decimals: int = 1, *, metric: str = "mm") -> str:
    """Write a length as a number of the unit shown; `decimals` apply to millimetres. Areas pass mm² as `metric`."""
    factor, _name = shown_as(metric)
    return figure(amount / factor, f".{decimals if factor == 1.0 else finer(decimals)}f")


def finer(decimals: int) -> int:
    """Decimals in inches as precise as these in millimetres."""
    return _DECIMALS.get(decimals, _MOST_DECIMALS)


def filled(template: str, values: Mapping[str, object]) -> str:
    """A template with its `{names}` filled in, as by `str.format`; `{width:.1f} mm` in the unit shown."""
    if unit() is Unit.INCHES:
        template = _HOLES.sub(lambda run: _run_in_inches(run, values), template)
    return filled_rounded(template, values)


def _run_in_inches(run: re.Match[str], values: Mapping[str, object]) -> str:
    factor, name = _IN_INCHES[run[1]]
    words = run[0].removesuffix(run[1])
    return re.sub(_HOLE, lambda hole: _in_inches(hole[0], values, factor), words) + name


def _in_inches(hole: str, values: Mapping[str, object], factor: float) -> str:
    """Fill a placeholder, dividing its number, or every number in its text, by a factor."""
    text, value = filled_rounded(hole, values), values[hole.strip("{}").partition(":")[0]]

    def one(number: re.Match[str]) -> str:
        exact = float(number[0]) if isinstance(value, str) else abs(float(value))  # type: ignore[arg-type]
        decimals = _MOST_DECIMALS if exact < SMALL * factor else finer(len(number[1] or ""))
        return (
            format(value / factor, f".{decimals}f")
            if isinstance(value, Against)
            else figure(exact / factor, f".{decimals}f")
        )

    return _NUMBER.sub(one, text).replace("{", "{{").replace("}", "}}")

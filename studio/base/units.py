"""Lengths in the unit shown, millimetres or inches. Files and the command line stay in millimetres."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum

from studio.base.numbers import Against, figure, filled_rounded

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

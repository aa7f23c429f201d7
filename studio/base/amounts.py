"""Amounts in words, as makers say them: counts, lengths, durations, shares; and names of cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from studio.base.texts import plural, tr
from studio.base.units import MM_PER_INCH, Unit, figure, length, shown_as, unit

MM_PER_FOOT = 12 * MM_PER_INCH
# Beginnings that spreadsheets read as a formula, and numbers, which they read as numbers.
_FORMULA = re.compile(r"\s*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")


def many(count: int, one: str) -> str:
    """A count with its noun: 1 piece, 2,400 pieces."""
    return f"{thousands(count)} {plural(count, one, f'{one}s')}"


def at_least(amount: str, *, exact: bool) -> str:
    """An exact amount unchanged, any other as a lower bound: 7 solutions, at least 7 solutions."""
    return amount if exact else tr("at least {amount}", amount=amount)


def listed(words: Iterable[str]) -> str:
    """Join words into a list: A; A and B; A, B and C."""
    *most, last = words
    return tr("{most} and {last}", most=", ".join(most), last=last) if most else last


def abridged(words: Sequence[str], most: int) -> str:
    """Join the first `most` words into a list that counts the rest: A, B and 3 more."""
    rest = len(words) - most
    if rest > 1:
        return tr("{named} and {count} more", named=", ".join(words[:most]), count=thousands(rest))
    return listed(words) if words else ""


def extent(*lengths: float, decimals: int = 1) -> str:
    """Dimensions given in mm: 300.0 × 150.0 mm; in inches if the studio shows inches."""
    _factor, name = shown_as("mm")
    return f"{' × '.join(length(each, decimals) for each in lengths)} {name}"


def in_unit(title: str, metric: str = "mm") -> str:
    """The title of a column of lengths, with the unit shown: Width mm."""
    return f"{title} {shown_as(metric)[1]}"


def metres(millimetres: float) -> str:
    """A length of mm: 80 mm, 4.21 m; or 3.1 in, 13.8 ft."""
    if unit() is Unit.INCHES:
        return (
            f"{figure(millimetres / MM_PER_FOOT, '.1f')} ft"
            if millimetres >= MM_PER_FOOT
            else f"{figure(millimetres / MM_PER_INCH, '.1f')} in"
        )
    return f"{figure(millimetres / 1000, '.2f')} m" if millimetres >= 1000 else f"{figure(millimetres, '.0f')} mm"


def duration(seconds: float) -> str:
    """A time in words, rounded as in speech: 50 s, 4 min 40 s, 43 min, 1 h 12 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 600 and whole % 60:
        return tr("{minutes} min {seconds} s", minutes=whole // 60, seconds=whole % 60)
    hours, minutes = divmod(round(seconds / 60), 60)
    if not hours:
        return f"{minutes} min"
    return tr("{hours} h {minutes} min", hours=hours, minutes=minutes) if minutes else f"{hours} h"


def estimate(seconds: float, error: float) -> str:
    """A time with its relative error, 0 if unknown: 50 s ± 3, 4 min 40 s ± 14 s, 12 min ± 1, 1 h 12 min ± 4 min.

    >>> estimate(720, 0.05), estimate(280, 0.05), estimate(50, 0)
    ('12 min ± 1', '4 min 40 s ± 14 s', '50 s')
    """
    words = duration(seconds)
    if error <= 0:
        return words
    off = seconds * error
    unit = "s" if round(seconds) < 600 and off < 100 else "min"
    amount = max(1, round(off if unit == "s" else off / 60))
    is_single = words.count(" ") == 1 and words.endswith(unit)
    return f"{words} ± {amount}" if is_single else f"{words} ± {amount} {unit}"


def parsed_time(text: str) -> float | None:
    """Seconds of a time that a maker writes: `12:30`, `1:02:09`, `12 min 30 s`, `90 s`; a number alone is minutes.

    >>> parsed_time("12:30"), parsed_time("1 h 5 min"), parsed_time("7.5"), parsed_time("soon")
    (750.0, 3900.0, 450.0, None)
    """
    plain = text.strip().lower().replace(",", ".")
    if found := re.fullmatch(r"(?:(\d{1,3}):)?(\d{1,4}):([0-5]\d)", plain):
        hours, minutes, seconds = (float(part or 0) for part in found.groups())
        return 3600 * hours + 60 * minutes + seconds
    number = r"(\d{1,6}(?:\.\d{1,3})?)"
    found = re.fullmatch(rf"(?:{number} ?h)? ?(?:{number} ?min)? ?(?:{number} ?s)?", plain)
    if found and any(found.groups()):
        hours, minutes, seconds = (float(part or 0) for part in found.groups())
        return 3600 * hours + 60 * minutes + seconds
    return 60 * float(plain) if re.fullmatch(number, plain) else None


def stopwatch(seconds: float) -> str:
    """A time as a stopwatch shows it: 0:42, 12:05, 1:02:09."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def thousands(number: float) -> str:
    """A whole number in groups of three."""
    return f"{number:,.0f}"


def share(part: float) -> str:
    """A part of 1 in percent: 82 %."""
    return figure(part, ".0%")


# Names of cells and columns: C4 is the third column and the fourth row


def letters(number: int) -> str:
    """The letters of a column, counted from 0: A to Z, then AA, AB and so on."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("A") + digit) + text
    return text


def cell_name(column: int, row: int) -> str:
    """The name of a cell, both counted from 0.

    >>> cell_name(2, 3), cell_name(26, 0)
    ('C4', 'AA1')
    """
    return f"{letters(column)}{row + 1}"


def as_cell(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run as a formula; a number gets none.

    >>> as_cell("=SUM(A1)"), as_cell("-0.5"), as_cell("Ann")
    ("'=SUM(A1)", '-0.5', 'Ann')
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text

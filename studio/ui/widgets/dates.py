"""Dates and times in words: as the maker's system writes them, and how long ago they were."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale

from studio.base.amounts import many
from studio.base.texts import tr

ISO = "yyyy-MM-dd HH:mm"
_AGO = ((60, 60, "minute"), (3600, 24, "hour"), (86_400, 14, "day"))
"""Seconds of a unit, up to how many of it are said, and its name."""


def date_and_time(seconds: float, locale: QLocale | None = None) -> str:
    """A moment, in seconds since the epoch: 28/11/2026 23:34; 2026-11-28 23:34 if the system names no language.

    Years have four digits.
    """
    locale = locale or QLocale()
    form = ISO
    if locale.language() is not QLocale.Language.C:
        form = locale.dateTimeFormat(QLocale.FormatType.ShortFormat)
        form = form if "yyyy" in form else form.replace("yy", "yyyy")
    return locale.toString(QDateTime.fromSecsSinceEpoch(int(seconds)), form)


def ago(seconds: float, now: float) -> str:
    """How long before `now` a moment was, in seconds since the epoch: 5 minutes ago; empty after two weeks."""
    passed = now - seconds
    if passed < 60:
        return tr("just now") if passed >= 0 else ""
    for size, most, name in _AGO:
        if passed < size * most:
            return tr("{time} ago", time=many(int(passed // size), name))
    return ""

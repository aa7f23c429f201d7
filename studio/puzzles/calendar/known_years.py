"""Years that were counted before, kept on disk so that a file already solved shows its heat map at once.

The name of a file is a hash of what the counts depend on: the cells, the labels' groups and values, the pieces' squares
and whether they may be flipped, and a real year where not all years were counted at once. Names, texts, colours and
lengths do not count. In it are the version of the search and a sum over all the rest. A file that cannot be used,
was changed or counted by another version is passed over: the year is then counted again.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from studio.base.atomic import write_bytes
from studio.base.errors import StudioError
from studio.base.json_files import read
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.calendar.model import ANY_YEAR, CalendarDesign
from studio.puzzles.calendar.year import NO_DATE, Year, date_mask, most_of, part_of, question
from studio.solving.cover import SOLVER, TooManyStates

MOST_FILES = 300
WAIT = 0.02
"""Seconds between two checks whether a thread that waits for another's count was cancelled."""
LARGEST = 2**20
"""Most bytes of a file; a year needs about 3 kB, one with weekdays 20."""

_COUNTING = Lock()


def year_of(
    design: CalendarDesign, progress: Progress, before: Year | None = None, *, most_states: int | None = None
) -> Year:
    """The year of a design, remembered or counted and kept; raises Cancelled, and TooManyStates as `year` does.

    It is the year `before` where nothing has changed that its counts depend on. Of several threads one counts at a
    time, so that who asks the same again at once reads what the first has found.
    """
    if before is not None and before.question == question(design):
        return before
    while not _COUNTING.acquire(timeout=WAIT):
        progress.step(0.0)
    try:
        found = remembered(design)
        if found is None:
            progress.step(0.0, tr("Counting the year's solutions"))
            whole = most_of(design, progress, most_states=most_states)
            found = part_of(whole, design)
            remember(design if whole is found else design.in_any_year, whole)
        if most_states is not None and found.nodes > most_states:
            raise TooManyStates
        return found
    finally:
        _COUNTING.release()


def remembered(design: CalendarDesign) -> Year | None:
    """The year of a design as it was counted before; None where it was not, or where its file cannot be used.

    Where all years were counted, a real one is the part of them that it has.
    """
    found = _remembered(design)
    if found is None and design.year != ANY_YEAR:
        whole = _remembered(design.in_any_year)
        found = None if whole is None else part_of(whole, design)
    return found


def _remembered(design: CalendarDesign) -> Year | None:
    path = _path(design)
    if path is None:
        return None
    try:
        year = _year(read(path, LARGEST), design)
    except (StudioError, ValueError, TypeError, KeyError, OverflowError):
        return None
    with suppress(OSError):
        os.utime(path)
    return year


def remember(design: CalendarDesign, year: Year) -> None:
    """Keep the year of a design; nothing is kept of one that is not complete or too large, or without a place to."""
    path = _path(design)
    if path is None or not year.complete:
        return
    content: dict[str, Any] = {
        "key": path.stem,
        "solver": SOLVER,
        "groups": year.groups,
        "counts": year.counts.tolist(),
        "nodes": year.nodes,
        "seconds": year.seconds,
    }
    written = json.dumps(content | {"sum": sum_of(content)}).encode()
    if len(written) > LARGEST:
        return
    with suppress(OSError, StudioError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, written)
        _forget_oldest(path.parent)


def folder() -> Path | None:
    """Where years are kept; None where the system names no home folder."""
    try:
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "puzzle-studio" / "years"
        windows = sys.platform == "win32"
        named = os.environ.get("LOCALAPPDATA" if windows else "XDG_CACHE_HOME", "")
        # The XDG specification has programs pass over a path that is not absolute.
        if Path(named).is_absolute():
            return Path(named) / "puzzle-studio" / "years"
        return Path.home().joinpath(*(("AppData", "Local") if windows else (".cache",)), "puzzle-studio", "years")
    except RuntimeError:
        return None


def _path(design: CalendarDesign) -> Path | None:
    place = folder()
    return None if place is None else place / f"{question(design)}.json"


def sum_of(content: Mapping[str, Any]) -> str:
    """A hash of what a file holds besides this very sum."""
    rest = {name: value for name, value in content.items() if name != "sum"}
    return sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _year(known: Any, design: CalendarDesign) -> Year:
    """The year in a file; raises ValueError, TypeError or KeyError for anything else than one of this design."""
    if known["solver"] != SOLVER or known["sum"] != sum_of(known):
        raise ValueError
    which = date_mask(design.layout, design.year)
    counts = np.array(known["counts"])
    groups = tuple(design.layout.groups)
    whole = counts.dtype == np.int64 and counts.shape == which.shape and tuple(known["groups"]) == groups
    if (
        known["key"] != question(design)
        or not whole
        or ((counts == NO_DATE) == which).any()
        or (counts < NO_DATE).any()
    ):
        raise ValueError
    counts.setflags(write=False)
    return Year(groups, counts, True, int(known["nodes"]), float(known["seconds"]), question(design))


def _forget_oldest(place: Path) -> None:
    """Delete the files that were not used for the longest time, where there are too many."""
    files = list(place.glob("*.json"))
    if len(files) <= MOST_FILES:
        return
    times = []
    for file in files:
        with suppress(OSError):
            times.append((file.stat().st_mtime_ns, file))
    for _, file in sorted(times)[: len(files) - MOST_FILES]:
        with suppress(OSError):
            file.unlink()

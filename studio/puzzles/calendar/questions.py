"""Targets on the command line: a date, labels to leave uncovered, the whole year; and the year in words."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from operator import getitem
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from studio.base.amounts import at_least, listed, many, thousands
from studio.base.atomic import write_bytes
from studio.base.errors import StudioError
from studio.base.json_files import read
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.calendar.model import (
    ANY_YEAR,
    DAY,
    DAYS,
    LARGEST_VALUE,
    MONTH,
    WEEKDAY,
    Board,
    CalendarDesign,
    Date,
    Label,
    is_day,
    noun_of,
    refusal,
    said,
    weekday_of,
)
from studio.puzzles.calendar.year import NO_DATE, Year, date_mask, free_groups, most_of, part_of, places, question, year
from studio.solving.assembly import Tally
from studio.solving.cover import SOLVER, TooManyStates

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MOST_NAMED = 3
"""Most equally hard dates that a sentence names."""


def date_cells(design: CalendarDesign, text: str) -> tuple[str, ...]:
    """The cells left uncovered on a date, `10-06` or `10-06-tue`; raises StudioError for labels not on the board."""
    board = design.layout
    wanted = _date(board, design.year, text)
    cells = []
    for group, labels in board.groups.items():
        known = [label.name for label in labels if label.value == wanted.get(group)]
        if not known:
            raise StudioError(tr("The board has no cell for the {group} of {text!r}.", group=group, text=text.strip()))
        if len(known) > 1:
            words = tr(
                "The board has {count} cells for the {group} of {text!r}; use --open.",
                count=len(known),
                group=group,
                text=text.strip(),
            )
            raise StudioError(words)
        cells += known
    _refuse_other_years(design, cells)
    return tuple(cells)


def label_cells(design: CalendarDesign, text: str) -> tuple[str, ...]:
    """The cells of labels, `Jan,6,Tue`, one of every group; raises StudioError for any other text.

    Case does not matter. Only a board without labels accepts an empty text.
    """
    groups = design.layout.groups
    words = [word.strip() for word in text.split(",") if word.strip()]
    cells: dict[str, str] = {}
    for word in words:
        known = [label for labels in groups.values() for label in labels if label.text.casefold() == word.casefold()]
        if not known:
            raise StudioError(tr("No label on the board reads {text!r}.", text=word[:40]))
        if len(known) > 1:
            sentence = tr(
                "{count} labels on the board read {text!r}; give them different texts first.",
                count=len(known),
                text=word[:40],
            )
            raise StudioError(sentence)
        if known[0].group in cells:
            sentence = tr(
                "Only one label of the group {group} can be left uncovered, not {labels!r}.",
                group=known[0].group,
                labels=text.strip()[:60],
            )
            raise StudioError(sentence)
        cells[known[0].group] = known[0].name
    missing = [group for group in groups if group not in cells]
    if missing and not words:
        raise StudioError(tr("Choose the labels to leave uncovered: {choices}.", choices=_choices(groups)))
    if missing:
        sentence = tr(
            "Leave one label of every group uncovered; {labels!r} has none of {group}.",
            labels=text.strip()[:60],
            group=missing[0],
        )
        raise StudioError(sentence)
    _refuse_other_years(design, cells.values())
    return tuple(cells.values())


def _refuse_other_years(design: CalendarDesign, cells: Iterable[str]) -> None:
    """Raise StudioError if the design has a year and the labels are no date in it."""
    if design.year != ANY_YEAR:
        date = tuple(design.layout.on[name] for name in cells)
        if reason := refusal(design.layout, date, design.year):
            raise StudioError(reason)


def tally(design: CalendarDesign, progress: Progress) -> Tally:
    """The counts of the year, under the words that name each date on the command line; raises Cancelled."""
    board = design.layout
    if not board.groups:
        raise StudioError(tr("The board has no labels: count its solutions without --year."))
    known = year(design, progress)
    counts = {_key(board, date): int(known.counts[place]) for place, date in places(board, design.year)}
    if len(counts) < known.dated.size:
        raise StudioError(tr("Two labels of a group are identical; run `check` for details."))
    return Tally(counts, _lines(board, known), known.complete, known.nodes, known.seconds)


def _date(board: Board, year: int, text: str) -> dict[str, int]:
    own = [group for group in board.groups if group not in LARGEST_VALUE]
    if not board.groups:
        raise StudioError(tr("The board has no labels, so it has no dates."))
    if own or MONTH not in board.groups or DAY not in board.groups:
        raise StudioError(
            tr("The board has no dates, but labels of {groups}; use --open.", groups=listed(tuple(board.groups)))
        )
    shape = "10-06-tue" if WEEKDAY in board.groups else "10-06"
    known = re.fullmatch(r"([0-9]{1,2})-([0-9]{1,2})(?:-([a-z]{3}))?", text.strip().lower())
    if known is None or known[3] not in (None, *WEEKDAYS):
        raise StudioError(
            tr("--date must be month and day, such as {example}, not {text!r}.", example=shape, text=text[:40])
        )
    if known[3] is None and WEEKDAY in board.groups and year == ANY_YEAR:
        raise StudioError(tr("The board has weekdays: add one, such as {date}-tue.", date=text.strip()))
    if known[3] is not None and WEEKDAY not in board.groups:
        raise StudioError(tr("The board has no weekdays: leave out {weekday!r}.", weekday=known[3]))
    month, day = int(known[1]), int(known[2])
    if not (1 <= month <= len(DAYS) and 1 <= day <= DAYS[month - 1]):
        raise StudioError(tr("{date} does not exist.", date=text.strip()))
    if not is_day({MONTH: month, DAY: day}, year):
        raise StudioError(tr("{date} does not exist in {year}.", date=text.strip(), year=year))
    wanted = {MONTH: month, DAY: day}
    weekday = weekday_of(wanted, year) if known[3] is None else WEEKDAYS.index(known[3]) + 1
    return wanted if weekday is None or WEEKDAY not in board.groups else wanted | {WEEKDAY: weekday}


def _choices(groups: dict[str, tuple[Label, ...]]) -> str:
    if set(groups) == {MONTH, DAY}:
        return tr("--date 10-06 for 6 October, --open with one label of every group, or --year for all dates")
    if set(groups) == {MONTH, DAY, WEEKDAY}:
        return tr("--date 10-06-tue for 6 October, a Tuesday, --open with one label of every group, or --year for all")
    return tr(
        "--open with one label of each of {groups}, separated by commas, or --year for all",
        groups=listed(tuple(groups)),
    )


def _key(board: Board, date: Date) -> str:
    """A date in the form of --date, or else of --open."""
    if MONTH not in board.groups or DAY not in board.groups or set(board.groups) - set(LARGEST_VALUE):
        return ",".join(label.text for label in date)
    known = {label.group: label.value for label in date}
    day = f"{known[MONTH]:02}-{known[DAY]:02}"
    return f"{day}-{WEEKDAYS[known[WEEKDAY] - 1]}" if WEEKDAY in known else day


def _lines(board: Board, known: Year) -> tuple[str, ...]:
    """The year as a table and a sentence: a column for each label of the first group, a row for each of the second."""
    labels = [[label.text for label in group] for group in board.groups.values()]
    counts = np.where(known.counts == NO_DATE, np.iinfo(np.int64).max, known.counts)
    fewest = counts.reshape(*counts.shape[:2], -1).min(axis=2) if counts.ndim > 1 else counts[:, None]
    rows = labels[1] if len(labels) > 1 else [""]
    cells = [["" if each == np.iinfo(np.int64).max else str(each) for each in column] for column in fewest.tolist()]
    side = max(map(len, rows))
    widths = [max(map(len, (head, *column))) for head, column in zip(labels[0], cells, strict=True)]
    lines = ["".join((" " * side, *(f"  {head:>{width}}" for head, width in zip(labels[0], widths, strict=True))))]
    for at, row in enumerate(rows):
        columns = (f"  {column[at]:>{width}}" for column, width in zip(cells, widths, strict=True))
        lines.append(f"{row:>{side}}{''.join(columns)}".rstrip())
    if free := free_groups(board, known.counts):
        lines.append(tr("Minimum over {groups}.", groups=listed(free)))
    return (*lines, "", *_sentences(board, known))


def _sentences(board: Board, known: Year) -> tuple[str, ...]:
    exact, without = known.complete, known.having(0)
    found = [
        tr(
            "{solutions} for {dates}, in {seconds:.2f} s.",
            solutions=at_least(many(known.total, "solution"), exact=exact),
            dates=noun_of(board.groups).many(known.dated.size),
            seconds=known.seconds,
        ),
        tr(
            "{count} for the hardest: {dates}.",
            count=at_least(thousands(known.least), exact=exact),
            dates=_dates(known.having(known.least), board),
        ),
        tr(
            "{count} for the easiest: {dates}.",
            count=at_least(thousands(known.most), exact=exact),
            dates=_dates(known.having(known.most), board),
        ),
    ]
    if without:
        count = thousands(len(without))
        found.append(tr("None for {count}.", count=count) if exact else tr("None so far for {count}.", count=count))
    return tuple(f"{sentence[0].upper()}{sentence[1:]}" for sentence in found)


def _dates(which: Sequence[tuple[int, ...]], board: Board) -> str:
    groups = tuple(board.groups.values())
    names = [said(tuple(map(getitem, groups, date))) for date in which[:MOST_NAMED]]
    if len(which) > MOST_NAMED:
        names.append(tr("{count} more", count=thousands(len(which) - MOST_NAMED)))
    return listed(names) if names else tr("none")


# Years that were counted before, kept on disk so that a file already solved shows its heat map at once.
#
# The name of a file is a hash of the input of the counts: the cells, the labels' groups and values, the pieces'
# squares and whether they may be flipped, and a real year where not all years were counted at once. Names, texts,
# colours and lengths do not count. In it are the version of the search and a sum over all the rest. A file that cannot
# be used, was changed or counted by another version is passed over: the year is then counted again.

MOST_FILES = 300
WAIT = 0.02
"""Seconds between two checks for the cancelling of a thread that waits for another's count."""
LARGEST = 2**20
"""Most bytes of a file; a year needs about 3 kB, one with weekdays 20."""

_COUNTING = Lock()


def year_of(
    design: CalendarDesign, progress: Progress, before: Year | None = None, *, most_states: int | None = None
) -> Year:
    """The year of a design, remembered or counted and kept; raises Cancelled, and TooManyStates as `year` does.

    It is the year `before` if the input of its counts is unchanged. Only one thread counts at a time, so that a second
    one with the same question reads the first one's answer.
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
    """Load the year of a design from an earlier count; None without one, or if its file cannot be used.

    A count of all years also answers for a real year, as a part of it.
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
    """Store the year of a design, unless it is incomplete or too large, or there is no folder for it."""
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
    """Folder of the stored years; None if the system names no home folder."""
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
    """Hash of a file's content without its entry `sum`."""
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
    """Delete the least recently used files if there are too many."""
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

"""What can be wrong with a calendar puzzle, in sentences: labels, pieces, areas, and dates that have no solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from time import perf_counter

import numpy as np

from studio.amounts import many, thousands
from studio.checks.finding import Checked, Finding, Repair, Severity
from studio.errors import StudioError
from studio.geometry.drawing import Drawing
from studio.geometry.lettering import width_of
from studio.geometry.polyomino import outline
from studio.geometry.shapes import Shapes
from studio.progress import Progress
from studio.puzzles.calendar import edits
from studio.puzzles.calendar.geometry import CalendarShapes
from studio.puzzles.calendar.known import year_of
from studio.puzzles.calendar.languages import spoken, texts
from studio.puzzles.calendar.model import DAY, MONTH, WEEKDAY, Board, CalendarDesign, Label, Mask, Piece
from studio.puzzles.calendar.moments import Moment, is_dated, said
from studio.puzzles.calendar.placing import orientations, placements
from studio.puzzles.calendar.tray import findings
from studio.puzzles.calendar.year import Year, places, used

SHOWN = 8
"""How many dates, or what else is listed, a sentence names."""
PATIENCE = 30.0
"""Seconds that a check counts the year; a board that takes longer is told to be too large for that."""
PLURALS = {MONTH: "months", DAY: "days", WEEKDAY: "weekdays"}

Edit = Callable[[CalendarDesign], CalendarDesign]


@dataclass(frozen=True)
class Question:
    """All of a design that the counts of its year depend on."""

    rows: tuple[str, ...]
    labels: tuple[tuple[str, str, int], ...]
    pieces: tuple[tuple[str, ...], ...]
    reflections: bool

    @classmethod
    def of(cls, design: CalendarDesign) -> Question:
        """The question of a design."""
        board = design.layout
        return cls(
            board.rows,
            tuple((label.name, label.group, label.value) for label in board.labels),
            tuple(piece.rows for piece in design.set),
            design.parameters.reflections,
        )


@dataclass(frozen=True, eq=False)
class CalendarChecked(Checked):
    """The findings and the year, None where the pieces cannot fill the board, or it was not counted in time."""

    year: Year | None = None
    question: Question | None = field(default=None, compare=False)
    summary: str = ""

    @property
    def verdict(self) -> str:
        """What the checks have proven of a puzzle about which they find nothing."""
        return f"No findings. {self.summary}"


@dataclass(frozen=True)
class _Told:
    """A finding before it has a place: the cells and the piece that it is about, and how it can be mended."""

    severity: Severity
    kind: str
    message: str
    cells: tuple[str, ...] = ()
    piece: Piece | None = None
    repair: Repair | None = None


def check(design: CalendarDesign, shapes: Shapes, before: Checked | None, progress: Progress) -> CalendarChecked:
    """All findings of a design; the year of a board and pieces that were looked at before is known."""
    progress.step(0.0, "Looking at the pieces")
    told = [*_of_labels(design.layout), *_of_areas(design), *_of_pieces(design)]
    question, counts = Question.of(design), None
    if design.layout.groups and design.area == design.layout.covered:
        try:
            counts = _year(design, question, before, _Patient(progress.part(0.05, 1.0)))
            told += _of_year(design, counts)
        except _TooLong:
            message = (
                f"The board is too large to be proven: its year takes more than {PATIENCE:.0f} s to count. "
                "Single dates can still be solved."
            )
            told.append(_Told(Severity.WARNING, "unproven", message))
        except StudioError as problem:
            told.append(_Told(Severity.WARNING, "unproven", f"{problem} Single dates can still be solved."))
    assert isinstance(shapes, CalendarShapes)
    found = [*(_placed(one, shapes) for one in told), *findings(design, shapes)]
    found.sort(key=lambda one: one.severity)
    progress.step(1.0)
    proven = summary(design.layout, counts) if counts is not None else ""
    return CalendarChecked(tuple(found), counts, question, proven)


class _TooLong(Exception):
    """The year was not counted in time."""


class _Patient(Progress):
    """Tells another computation's progress, and ends it where it takes too long."""

    def __init__(self, whole: Progress) -> None:
        super().__init__()
        self._whole, self._begin = whole, perf_counter()

    def step(self, fraction: float, note: str = "") -> None:
        self._whole.step(fraction, note)
        if perf_counter() - self._begin > PATIENCE:
            raise _TooLong


def _year(design: CalendarDesign, question: Question, before: Checked | None, progress: Progress) -> Year:
    """The year, from the answer before if the question is the same, from the cache on disk, or counted anew."""
    last = before if isinstance(before, CalendarChecked) else None
    if last is not None and last.year is not None and last.question == question:
        return last.year
    return year_of(design, progress, last.year if last is not None else None)


# What an editor shows at once, without the year


def balance(design: CalendarDesign) -> str:
    """Whether the areas add up, in a sentence: `41 squares in 8 pieces, 41 needed: 43 cells less one month and …`."""
    board, lacking = design.layout, design.layout.covered - design.area
    less = f" less {_listed([f'one {group}' for group in board.groups])}" if board.groups else ""
    off = f", {thousands(abs(lacking))} too {'few' if lacking > 0 else 'many'}" if lacking else ""
    return (
        f"{many(design.area, 'square')} in {many(len(design.set), 'piece')}, {board.covered} needed{off}: "
        f"{many(len(board.names), 'cell')}{less}."
    )


def label_troubles(board: Board) -> tuple[str, ...]:
    """What is wrong with the labels, each in a sentence; nothing where all is well."""
    return tuple(told.message for told in _of_labels(board))


def troubled_cells(board: Board) -> frozenset[str]:
    """The cells whose labels are twice, read alike, or cannot be engraved."""
    return frozenset(name for told in _of_labels(board) if told.kind != "gap" for name in told.cells)


def piece_trouble(piece: Piece) -> str:
    """Why a piece cannot be cut in one outline, in a sentence; nothing where it can."""
    trouble = _trouble(piece)
    return trouble.message if trouble is not None else ""


# Labels


def _of_labels(board: Board) -> Iterable[_Told]:
    if not board.groups:
        fill = Repair("Fill in months and days", _filling_all) if len(board.names) >= 43 else None
        message = "The board has no labels, so no cell stays open and there is nothing to solve."
        yield _Told(Severity.ERROR, "labels", message, repair=fill)
    for group, labels in board.groups.items():
        yield from _of_gaps(board, group, labels)
        yield from _of_doubles(group, labels)
    for label in board.labels:
        try:
            width_of(label.text, 1.0)
        except StudioError as problem:
            message = f"{label.text} on {label.name} cannot be engraved: {problem}"
            yield _Told(Severity.ERROR, "letter", message, (label.name,))


def _of_gaps(board: Board, group: str, labels: Sequence[Label]) -> Iterable[_Told]:
    """Values that lack: all months and weekdays, the days of the longest month beside months, no number skipped."""
    values = {label.value for label in labels}
    whole = {MONTH: 12, WEEKDAY: 7, DAY: 31 if MONTH in board.groups else 0}.get(group, 0)
    lacking = [value for value in range(1, max(whole, *values) + 1) if value not in values]
    if not lacking:
        return
    free = len(board.names) - len(board.labels)
    repair = Repair(f"Fill the {PLURALS.get(group, 'group')}", _filling(group)) if free >= len(lacking) else None
    known = texts(group, spoken(board)) if group in PLURALS else ()
    names = [known[value - 1] if group in (MONTH, WEEKDAY) else str(value) for value in lacking]
    message = f"The {PLURALS.get(group, f'labels of the group {group}')} lack {_listed(names)}."
    yield _Told(Severity.ERROR, "gap", message, tuple(label.name for label in labels), repair=repair)


def _of_doubles(group: str, labels: Sequence[Label]) -> Iterable[_Told]:
    for value, same in _groups(labels, lambda label: label.value):
        words = {MONTH: "month", DAY: "day", WEEKDAY: "weekday"}.get(group, f"{group}")
        cells = tuple(label.name for label in same)
        message = f"The {words} {value} is on {len(same)} cells: {_listed(cells)}."
        title = "Keep the first" if len(same) > 2 else f"Take {cells[1]} away"
        yield _Told(Severity.ERROR, "double", message, cells, repair=Repair(title, _unlabelling(cells[1:])))
    for text, same in _groups(labels, lambda label: label.text):
        cells = tuple(label.name for label in same)
        if len({label.value for label in same}) > 1:
            message = f"{len(same)} {PLURALS.get(group, f'labels of the group {group}')} read {text}: {_listed(cells)}."
            yield _Told(Severity.WARNING, "text", message, cells)


def _groups(labels: Sequence[Label], key: Callable[[Label], object]) -> list[tuple[object, list[Label]]]:
    """The labels that share something with another one."""
    counts = Counter(map(key, labels))
    return [(each, [label for label in labels if key(label) == each]) for each, count in counts.items() if count > 1]


def _filling(group: str) -> Edit:
    return lambda design: edits.with_labels_filled(design, group, spoken(design.layout))


def _filling_all(design: CalendarDesign) -> CalendarDesign:
    return edits.with_labels_filled(edits.with_labels_filled(design, MONTH), DAY)


def _unlabelling(cells: Sequence[str]) -> Edit:
    return lambda design: edits.without_labels(design, cells)


# Pieces


def _of_areas(design: CalendarDesign) -> Iterable[_Told]:
    board = design.layout
    if design.area != board.covered:
        open_ = f", {len(board.groups)} of which {'stays' if len(board.groups) == 1 else 'stay'} open"
        message = (
            f"The pieces have {many(design.area, 'square')}, the board needs {board.covered}: "
            f"it has {many(len(board.names), 'cell')}{open_ if board.groups else ''}."
        )
        yield _Told(Severity.ERROR, "area", message)


def _of_pieces(design: CalendarDesign) -> Iterable[_Told]:
    flipped = design.parameters.reflections
    kinds: dict[tuple[tuple[int, ...], bytes], list[Piece]] = {}
    for piece, is_used in zip(design.set, used(design), strict=True):
        trouble = _trouble(piece)
        if trouble is not None:
            yield trouble
        elif not placements(design.layout, piece, flipped):
            yield _Told(Severity.ERROR, "unused", f"{piece.name} fits nowhere on the board.", piece=piece)
        elif not is_used:
            message = f"{piece.name} can never be used: wherever it lies, no label of some group stays open."
            yield _Told(Severity.ERROR, "unused", message, piece=piece)
        first = min((way.shape, way.tobytes()) for way in orientations(piece.mask, reflections=flipped))
        kinds.setdefault(first, []).append(piece)
    for same in kinds.values():
        if len(same) > 1:
            names = [piece.name for piece in same]
            message = f"{_listed(names)} are the same piece; swapping them is no other solution."
            repair = Repair(f"Take {names[-1]} away", _without(names[-1]))
            yield _Told(Severity.HINT, "twins", message, piece=same[-1], repair=repair)


@lru_cache(maxsize=256)
def _trouble(piece: Piece) -> _Told | None:
    """Why a piece is none that can be cut in one outline."""
    count = _parts(piece.mask, corners=False)
    if count > 1:
        message = f"{piece.name} is in {count} parts; the squares of a piece meet at their sides."
        if _parts(piece.mask, corners=True) == 1:
            message = f"{piece.name} hangs together by corners only; the squares of a piece meet at their sides."
        return _Told(Severity.ERROR, "parts", message, piece=piece)
    if _parts(~np.pad(piece.mask, 1), corners=True) > 1:
        message = f"{piece.name} has a hole and cannot be cut in one outline."
        return _Told(Severity.ERROR, "hole", message, piece=piece)
    try:
        outline(piece.mask)
    except StudioError:
        # What is left: two squares that meet at a corner, with a hole behind it that is open at that corner only.
        message = f"{piece.name} closes round a hole at a corner and cannot be cut in one outline."
        return _Told(Severity.ERROR, "hole", message, piece=piece)
    return None


def _parts(mask: Mask, *, corners: bool) -> int:
    """In how many parts some squares are, which hang together by their sides, or by corners too."""
    left = {(row, column) for row, column in np.argwhere(mask).tolist()}
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)] + [(1, 1), (1, -1), (-1, 1), (-1, -1)] * corners
    parts = 0
    while left:
        parts += 1
        reached = [left.pop()]
        while reached:
            row, column = reached.pop()
            beside = {(row + down, column + right) for down, right in steps} & left
            left -= beside
            reached += beside
    return parts


def _without(name: str) -> Edit:
    return lambda design: edits.without_piece(design, name)


# The year


def _of_year(design: CalendarDesign, known: Year) -> Iterable[_Told]:
    board = design.layout
    every = _counts(board, known)
    day, days = _days(board)
    if not every:
        message = "No day of the board is one of its months, so there is nothing to solve."
        yield _Told(Severity.ERROR, "unsolved", message)
    elif not known.complete:
        unknown = sum(count == 0 for _, count in every)
        message = (
            f"The board is too large to be proven: {many(known.total, 'solution')} were found before the search ended, "
            f"for {thousands(len(every) - unknown)} of {thousands(len(every))} {days}."
        )
        yield _Told(Severity.WARNING, "unproven", message)
    elif known.total == 0:
        whose = f"None of the {many(len(every), day)} has a" if len(every) > 1 else f"The only {day} has no"
        yield _Told(Severity.ERROR, "unsolved", f"{whose} solution.", _open([moment for moment, _ in every]))
    else:
        for amount, severity, kind, words in (
            (0, Severity.WARNING, "unsolved", "no solution"),
            (1, Severity.HINT, "single", "exactly one solution"),
        ):
            some = [moment for moment, count in every if count == amount]
            if some:
                verb = "has" if len(some) == 1 else "have"
                message = (
                    f"{thousands(len(some))} of {thousands(len(every))} {days if len(every) > 1 else day} {verb} "
                    f"{words}: {_listed([said(moment) for moment in some])}."
                )
                yield _Told(severity, kind, message, _open(some))


def summary(board: Board, known: Year) -> str:
    """The year in a sentence: how many dates can be solved, in how many ways, and which are the hardest and easiest."""
    every = _counts(board, known)
    if not every:
        return "The board has no labels, so there is nothing to solve."
    days = _days(board)[1]
    solved = [one for one in every if one[1] > 0]
    least = "" if known.complete else "at least "
    which = "All" if len(solved) == len(every) else f"{thousands(len(solved))} of"
    message = f"{which} {thousands(len(every))} {days} can be solved, in {least}{many(known.total, 'way')}"
    if not solved or not known.complete:
        return f"{message}."
    hardest, easiest = min(solved, key=lambda one: one[1]), max(solved, key=lambda one: one[1])
    return (
        f"{message}; the hardest is {said(hardest[0])} with {thousands(hardest[1])}, "
        f"the easiest {said(easiest[0])} with {thousands(easiest[1])}."
    )


def _days(board: Board) -> tuple[str, str]:
    """What a moment of a board is called, one and several."""
    return ("date", "dates") if is_dated(board) else ("combination", "combinations")


def _counts(board: Board, known: Year) -> list[tuple[Moment, int]]:
    """Every moment with the number of its solutions."""
    return [(moment, int(known.counts[place])) for place, moment in places(board)]


def _open(some: Sequence[Moment]) -> tuple[str, ...]:
    """The cells that the first of some moments leaves open."""
    return tuple(label.name for label in some[0])


# What they share


def _listed(words: Sequence[str]) -> str:
    """Words in a row: `A`, `A, B and C`; of many the first, and how many more; numbers on end as `4 to 9`."""
    words = _runs(words)
    if len(words) > SHOWN:
        return f"{', '.join(words[: SHOWN - 1])} and {thousands(len(words) - SHOWN + 1)} more"
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _runs(words: Sequence[str]) -> list[str]:
    if not all(word.isdigit() for word in words):
        return list(words)
    runs: list[list[str]] = [[words[0]]]
    for before, word in pairwise(words):
        if int(word) == int(before) + 1:
            runs[-1].append(word)
        else:
            runs.append([word])
    return [part for run in runs for part in (run if len(run) < 3 else [f"{run[0]} to {run[-1]}"])]


def _placed(told: _Told, shapes: Shapes) -> Finding:
    """A finding with its place: the middle of its piece where that is drawn, else of the drawing."""
    drawing = shapes.drawing
    place = (drawing.width / 2, drawing.height / 2)
    pieces: tuple[int, ...] = ()
    if told.piece is not None and told.piece.name in drawing.pieces.names:
        number = drawing.pieces.names.index(told.piece.name)
        place, pieces = _middle(drawing, number), (number,)
    return Finding(told.severity, told.kind, told.message, place, pieces=pieces, cells=told.cells, repair=told.repair)


def _middle(drawing: Drawing, piece: int) -> tuple[float, float]:
    """The middle of a piece as it is drawn."""
    codes = drawing.pieces.codes[drawing.pieces.starts[piece] : drawing.pieces.starts[piece + 1]]
    starts = drawing.strokes.starts
    points = np.concatenate([drawing.strokes.points[starts[each] : starts[each + 1]] for each in (codes >> 1).tolist()])
    x, y = ((points.min(axis=0) + points.max(axis=0)) / 2).tolist()
    return x, y

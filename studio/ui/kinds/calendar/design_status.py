"""The status of a design while it is edited: areas, labels, and dates that can be solved."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize
from PySide6.QtGui import QShowEvent

from studio.base.amounts import listed, many, share
from studio.base.texts import tr
from studio.puzzles.calendar.checks import balance, label_troubles, piece_trouble, plural, summary
from studio.puzzles.calendar.dates import noun_of
from studio.puzzles.calendar.model import CalendarDesign
from studio.ui.kinds.calendar.year_counts import Counting
from studio.ui.widgets.controls import Strip
from studio.ui.widgets.elided_label import Saying
from studio.ui.widgets.icons import Sign
from studio.ui.widgets.layout import grid
from studio.ui.widgets.theme import GAP, MARGIN

SIGN = QSize(16, 16)
DONE, WARNING, HINT = "done", "warning", "hint"
SIGNS = {DONE: tr("OK"), WARNING: tr("Needs fixing"), HINT: tr("Not checked yet")}
"""The icons and their texts."""


@dataclass(frozen=True)
class Standing:
    """One sentence and the icon of its sign."""

    sign: str
    words: str


def of_areas(design: CalendarDesign) -> Standing:
    """Whether the areas match, and then whether each piece can be cut."""
    troubles = [words for words in map(piece_trouble, design.set) if words]
    fits = design.area == design.layout.covered
    if fits and troubles:
        return Standing(WARNING, " ".join(troubles))
    return Standing(DONE if fits else WARNING, balance(design))


def of_labels(design: CalendarDesign) -> Standing:
    """Whether the labels are complete and without duplicates."""
    troubles = label_troubles(design.layout)
    if troubles:
        return Standing(WARNING, " ".join(troubles))
    there = listed(f"{len(labels)} {plural(group)}" for group, labels in design.layout.groups.items())
    return Standing(DONE, tr("{labels}, no gaps, no duplicates.", labels=there))


def of_year(design: CalendarDesign, counting: Counting) -> Standing:
    """The number of dates that can be solved, once it is known."""
    if not design.layout.groups:
        return Standing(HINT, tr("Without labels there is nothing to solve."))
    if design.area != design.layout.covered:
        lacking = design.layout.covered - design.area
        date, squares = noun_of(design.layout.groups).one, many(abs(lacking), "square")
        return Standing(
            WARNING,
            tr("No {date} can be solved: the pieces are {squares} short.", date=date, squares=squares)
            if lacking > 0
            else tr("No {date} can be solved: the pieces are {squares} over.", date=date, squares=squares),
        )
    if counting.problem:
        return Standing(HINT, counting.problem)
    year = counting.answer
    if year is None or counting.question is None or counting.question.design.layout != design.layout:
        date = noun_of(design.layout.groups).one
        return Standing(HINT, tr("Counting solutions of every {date}… {share}", date=date, share=share(counting.share)))
    is_well = year.complete and year.least > 0
    return Standing(DONE if is_well else WARNING, summary(design.layout, year))


class StandingBar(Strip):
    """Three lines, each with its sign; the third follows as soon as the year is counted."""

    def __init__(self, counting: Counting) -> None:
        super().__init__()
        self._counting = counting
        self._design: CalendarDesign | None = None
        self._plain: list[Standing] = []
        self.signs = [Sign() for _ in range(3)]
        self.lines = [Saying() for _ in range(3)]
        self.shown: list[Standing] = []
        """The lines shown; tests read them."""
        for sign in self.signs:
            sign.setFixedSize(SIGN)
        made = grid(*zip(self.signs, self.lines, strict=True), down=GAP // 2)
        made.setContentsMargins(MARGIN, GAP, MARGIN, GAP)
        self.setLayout(made)
        counting.changed.connect(self.follow)
        counting.watch_in(self)

    def show_design(self, design: CalendarDesign) -> None:
        """Show the status of another design."""
        if design != self._design or not self._plain:
            self._design, self._plain = design, [of_areas(design), of_labels(design)]
        self.follow()

    def follow(self) -> None:
        """Show the current status."""
        design = self._design
        if design is None or not self.isVisible():
            return
        self.shown = [*self._plain, of_year(design, self._counting)]
        for sign, line, known in zip(self.signs, self.lines, self.shown, strict=True):
            sign.name = known.sign
            sign.setAccessibleName(SIGNS[known.sign])
            sign.setToolTip(SIGNS[known.sign])
            line.setText(known.words)
            line.setAccessibleName(f"{SIGNS[known.sign]}: {known.words}")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.follow()

"""The view in which a zigzaw is read from pictures: readings are reviewed, corrected, and used."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.files.store import files_named, sources_of
from studio.puzzles.zigzaw.geometry import ZigzawShapes
from studio.puzzles.zigzaw.kind import PICTURES
from studio.puzzles.zigzaw.model import ZigzawDesign
from studio.ui.kinds.zigzaw.picture_readings import ReadingsView
from studio.ui.session.extension import Extension, View
from studio.ui.widgets.controls import ElidedLabel, invitation, push_button
from studio.ui.widgets.layout import column, row, stack
from studio.ui.widgets.theme import GAP, MARGIN

if TYPE_CHECKING:
    from studio.puzzles.zigzaw.reading import Readings, Spot

VIEW = "import"
READING, PLACING = tr("reading pictures"), tr("placing pieces")
INVITATION = tr(
    "Choose one picture of each zigzaw piece, with the piece number in its file name, and border.png.\n"
    "Photos on a plain background, scans or a ZIP file all work."
)


class ImportPage(QWidget):
    """Pictures next to their readings, above them the number of doubts, and buttons."""

    def __init__(self) -> None:
        super().__init__()
        self.open = push_button(tr("Open pictures…"), tr("Choose pictures of the pieces and the border"))
        self.next = push_button(tr("Next uncertain"), tr("Go to the next uncertain colour"))
        self.use = push_button(tr("Use these pieces"), tr("Place the pieces and open the puzzle"))
        self.tally, self.words, self.empty = ElidedLabel(), ElidedLabel(), invitation(INVITATION)
        self.view = ReadingsView()
        # An empty line is as high as a full one, so nothing moves under the mouse.
        self.words.setFixedHeight(ElidedLabel(INVITATION[:1]).sizeHint().height())
        self._stack = stack(self.empty, self.view)
        top = row((self.tally, 1), self.open, self.next, self.use, margins=(MARGIN, GAP, MARGIN, GAP))
        below = row((self.words, 1), margins=(MARGIN, GAP, MARGIN, GAP))
        column(top, (self._stack, 1), below, of=self, gap=0)
        self.view.pointed.connect(self.point)
        self.next.clicked.connect(self.go_on)
        self.show_readings(None)

    def show_readings(self, readings: Readings | None) -> None:
        """Show the readings of other pictures."""
        self.view.show_readings(readings)
        self._stack.setCurrentWidget(self.empty if readings is None else self.view)
        self.follow(readings)

    def follow(self, readings: Readings | None) -> None:
        """Show corrected readings of the same pictures."""
        doubts = 0
        if readings is not None:
            self.view.follow(readings)
            doubts = len(readings.doubtful)
            size = f"{readings.columns} × {readings.rows}"
            sure = many(doubts, "uncertain colour") if doubts else tr("all colours recognised")
            self.tally.setText(f"{many(len(readings.pieces), 'piece')}, {size}: {sure}")
        else:
            self.tally.setText("")
        self.next.setEnabled(doubts > 0)
        self.use.setEnabled(readings is not None and readings.is_whole)
        self.point(self.view.spot)

    def say(self, words: str) -> None:
        """Show the progress of the work instead of the readings."""
        self.show_readings(None)
        self.empty.setText(words)

    def point(self, spot: Spot | None) -> None:
        """Show the reading of a spot."""
        readings = self.view.readings
        words = "" if spot is None or readings is None else readings.words_at(spot)
        self.words.setText(words[:1].upper() + words[1:])

    def go_on(self) -> None:
        """Go to the next doubt after the keys' spot."""
        readings, here = self.view.readings, self.view.spot
        if readings is None or not readings.doubtful:
            return
        every = readings.every_spot
        after = -1 if here is None else every.index(here)
        doubts = [every.index(spot) for spot in readings.doubtful]
        self.view.go_to(every[min(doubts, key=lambda at: (at <= after, at))])
        self.view.setFocus()


class Importing(QObject):
    """Reads pictures, lets them be corrected, and brings the design."""

    def __init__(self, extension: Extension[ZigzawShapes]) -> None:
        super().__init__(extension)
        self._extension, self._session = extension, extension.session
        self.page = ImportPage()
        self.page.open.clicked.connect(self.choose)
        self.page.use.clicked.connect(self.use)
        self.page.view.chosen.connect(self._correct)

    def entry(self, choose: Callable[[], object]) -> View:
        """View of the page; `choose` is called when it comes in sight."""
        return View(VIEW, tr("Import"), self.page, choose, _nothing, _nothing)

    @property
    def readings(self) -> Readings | None:
        """The readings in sight."""
        return self.page.view.readings

    def choose(self) -> None:
        """Ask for pictures, and read them."""
        preferences = self._session.preferences
        paths = self._session.dialogs.import_paths(preferences.folder("import", Path.home()))
        if paths:
            preferences.set_folder("import", paths[0].absolute().parent)
            self.read(paths)

    def review(self, paths: Sequence[Path]) -> bool:
        """Read the paths here if they are pictures; returns whether they are."""
        are_pictures = all(os.path.isdir(path) or path.suffix.lower() in PICTURES for path in paths)
        if are_pictures:
            self.read(paths)
        return are_pictures

    def read(self, paths: Sequence[Path]) -> None:
        """Read pictures, and show the readings."""
        self._extension.view_wanted.emit(VIEW)
        self.page.say(tr("Reading the pictures…"))
        name = files_named(paths)
        self._session.jobs.start(
            READING, partial(_read, list(paths)), done=self.page.show_readings, failed=partial(self._not_read, name)
        )

    def _not_read(self, name: str, problem: StudioError) -> None:
        self.page.say(INVITATION)
        self._session.notices.post(tr("Cannot import {name}: {problem}", name=name, problem=problem), Severity.ERROR)

    def _correct(self, spot: Spot, paint: int) -> None:
        if self.readings is not None:
            self.page.follow(self.readings.with_paint(spot, paint))

    def use(self) -> None:
        """Place the pieces, and bring the design."""
        if self.readings is not None:
            self._session.jobs.start(PLACING, partial(_placed, self.readings), done=self._open, failed=self._not_placed)

    def _open(self, design: ZigzawDesign) -> None:
        """Open the design; stay here if the maker keeps the present one."""
        self._extension.design_wanted.emit(design)
        if self._session.document.design is design:
            self._extension.canvas_wanted.emit()

    def _not_placed(self, problem: StudioError) -> None:
        sentence = str(problem)
        self._session.notices.post(f"{sentence[0].upper()}{sentence[1:]}", Severity.ERROR)


def _nothing(*_values: object) -> None:
    """Readings are as large as they are."""


def _read(paths: Sequence[Path], progress: Progress) -> Readings:
    # Imported when pictures are read: the window opens without them.
    from studio.puzzles.zigzaw.photographs import readings

    return readings(sources_of(paths), progress)


def _placed(readings: Readings, progress: Progress) -> ZigzawDesign:
    from studio.puzzles.zigzaw.generate import assembled

    return assembled(readings.loose(), progress)

"""The dialog for an export to the 3-D printer: file, printer and the solids.

It writes nothing itself: its opener takes its `request()` when it is accepted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from PySide6.QtWidgets import QCheckBox, QWidget

from studio.base.amounts import extent, many
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.exporting.formats import PRINTER
from studio.exporting.writing import SolidOptions, sheet_paths, solid_paths
from studio.fabricate.gaps_and_plates import Plate, plates, remembered, size_of, too_large
from studio.fabricate.workshop import Plastic, Printer
from studio.geometry.solids.solid import Solid
from studio.ui.panels.file_dialog import FileChoice, FileDialog, FolderChooser, choose_folder, large_words
from studio.ui.panels.workshop import WorkshopBox, WorkshopDialog
from studio.ui.session.dialogs import CANCEL
from studio.ui.session.preferences import Preferences
from studio.ui.session.writing import unwritable
from studio.ui.widgets.controls import ROW_GAP, SIDE_GAP, Remark, heading, hint_label, wrapping
from studio.ui.widgets.layout import REST, column, grid, holding, labelled, named
from studio.ui.widgets.theme import GAP

SPLIT = "printing/split"
LEFT_WIDTH, RIGHT_WIDTH = 400, 340
SAME = 1e-6
"""Difference in mm below which gaps are equal."""


@dataclass(frozen=True, eq=False)
class PrintJob:
    """A print: the solids side by side, their fit in words, their gap in mm, and the worst of the errors.

    `plates` are the known plates, by printer.
    """

    solids: tuple[Solid, ...]
    fit: tuple[tuple[str, str], ...] = ()
    gap: float | None = None
    error: str = ""
    plates: Mapping[tuple[str, Printer], tuple[Plate, ...]] = field(default_factory=dict)


class PrintRequest(NamedTuple):
    """Request for a print: a file, or a folder and a stem for its file names; `plates` get a file each."""

    target: Path
    options: SolidOptions
    stem: str
    plates: tuple[Plate, ...] = ()


class PrintDialog(FileDialog):
    """File, printer and solids of a print; remembers the choices when the export begins."""

    def __init__(
        self,
        printed: PrintJob,
        name: str,
        folder: Path,
        preferences: Preferences,
        *,
        chooser: FolderChooser = choose_folder,
        show_workshop: Callable[[WorkshopDialog], object] = WorkshopDialog.exec,
        parent: QWidget | None = None,
    ) -> None:
        file = FileChoice(name, folder, preferences, formats=PRINTER, apart=True, chooser=chooser)
        super().__init__(tr("Export for the printer"), file, CANCEL, parent)
        self._printed, self._show_workshop, self._preferences = printed, show_workshop, preferences
        self._make_fields(preferences)
        self.file.setFixedWidth(LEFT_WIDTH)
        facts = {name: wrapping(words) for name, words in self._printed.fit}
        facts_shown = holding(named({**facts, tr("Filament"): self.volume}, down=ROW_GAP))
        shown = (facts_shown, self.error, self.large, self.other_gap)
        for part in shown:
            part.setFixedWidth(RIGHT_WIDTH)
        boxes = grid(
            labelled(tr("Printer"), self.printer), labelled(tr("Filament"), self.plastic), across=SIDE_GAP, down=ROW_GAP
        )  # fmt: skip
        boxes.setColumnStretch(1, 1)
        boxes.setColumnMinimumWidth(0, self.file.form.label_width)
        left = column(heading(tr("File")), self.file, GAP, heading(tr("Printer and filament")), boxes, self.split, REST)
        right = column(heading(tr("Summary")), *shown, REST)
        self.lay_out([self.whole, self.counts], self.beside(left, (right, 1), LEFT_WIDTH + RIGHT_WIDTH))
        self.file.changed.connect(self._judge)
        self.printer.activated.connect(self._judge)
        self.plastic.activated.connect(self._judge)
        self.split.toggled.connect(self._judge)
        self.workshop.clicked.connect(self._edit_workshop)
        self._judge()
        self.begin_with_name()

    def request(self) -> PrintRequest:
        """Return the maker's request."""
        if self.file.is_apart:
            options = SolidOptions(format=self.file.known.suffix.lstrip("."))
            return PrintRequest(self.file.path().parent, options, self.file.stem())
        split = self._plates() if self._splits() else ()
        return PrintRequest(self.file.path(), SolidOptions(), self.file.stem(), split)

    def accept(self) -> None:
        """Remember the choices and export; stay if there is a problem."""
        if self._printed.error or self._problem():
            return
        self.file.remember()
        self.printer.remember()
        self.plastic.remember()
        self._preferences.set_switch(SPLIT, self.split.isChecked())
        super().accept()

    def _make_fields(self, preferences: Preferences) -> None:
        solids = self._printed.solids
        width, depth, height = size_of(solids)
        self.whole = large_words(extent(width, depth, height))
        self.counts = hint_label(
            tr(
                "{pieces} side by side · {triangles}",
                pieces=many(len(solids), "piece"),
                triangles=many(sum(len(solid.mesh.triangles) for solid in solids), "triangle"),
            )
        )
        self.printer, self.plastic = WorkshopBox(Printer, preferences), WorkshopBox(Plastic, preferences)
        self.split = QCheckBox()
        self.split.setChecked(preferences.switch(SPLIT, False))
        self.split.setToolTip(tr("Write a file for each plate that fits the printer's bed"))
        self._known_plates = dict(self._printed.plates)
        self.volume = wrapping()
        self.error = Remark("error")
        self.large, self.other_gap = Remark("warning"), Remark("hint")
        self.workshop = self.add_button(tr("Printers and filaments…"))

    def _edit_workshop(self) -> None:
        dialog = WorkshopDialog(printer=self.printer.chosen().key, plastic=self.plastic.chosen().key, parent=self)
        self._show_workshop(dialog)
        self.printer.offer(dialog.printers.current.key)
        self.plastic.offer(dialog.plastics.current.key)
        dialog.deleteLater()
        self._judge()

    def _judge(self) -> None:
        """Show problems with the file and the print, and enable the export if there are none."""
        printed, printer, plastic = self._printed, self.printer.chosen(), self.plastic.chosen()
        volume = sum(solid.mesh.volume for solid in printed.solids) / 1000
        self.volume.setText(
            tr(
                "{volume:.1f} cm³, {mass:.0f} g of {plastic} at 100 % infill",
                volume=volume,
                mass=volume * plastic.value.density,
                plastic=plastic.title,
            )
        )
        self.error.say(
            tr("Fix the errors before exporting. First error: {message}", message=printed.error)
            if printed.error
            else ""
        )
        count = len(self._plates())
        self.split.setText(tr("Split into {plates}", plates=many(count, "plate")))
        self.split.setVisible(count > 1 and not self.file.is_apart)
        self.large.say("" if self._splits() else too_large(printed.solids, printer))
        kept = remembered().get((printer.key, plastic.key))
        differs = kept is not None and printed.gap is not None and abs(kept - printed.gap) > SAME
        self.other_gap.say(
            tr(
                "{kept:.2f} mm clearance fits {plastic} on {printer}; this puzzle has {gap:.2f} mm.",
                kept=kept, plastic=plastic.title, printer=printer.title, gap=printed.gap,
            )
            if differs else ""
        )  # fmt: skip
        problem = self._problem()
        there = 0 if problem else sum(os.path.exists(path) for path in self._paths())
        self.file.say(problem, "" if problem else self._fate(there))
        self.name_export(replaces=there > 0)
        self.export.setEnabled(not problem and not printed.error)

    def _plates(self) -> tuple[Plate, ...]:
        """Return the solids on plates of the chosen printer; empty if its bed is too small."""
        printer = self.printer.chosen()
        key = (printer.key, printer.value)
        if key not in self._known_plates:
            try:
                self._known_plates[key] = plates(self._printed.solids, printer)
            except StudioError:
                self._known_plates[key] = ()
        return self._known_plates[key]

    def _splits(self) -> bool:
        return self.split.isChecked() and not self.file.is_apart and len(self._plates()) > 1

    def _problem(self) -> str:
        return self.file.problem() or unwritable(self._paths())

    def _paths(self) -> list[Path]:
        asked = self.request()
        if asked.plates:
            return [*sheet_paths(asked.target, len(asked.plates))]
        return solid_paths(self._printed.solids, asked.target, asked.options, asked.stem)

    def _fate(self, there: int) -> str:
        """Return a sentence on the names of several files, and on existing files to be replaced."""
        paths = self._paths()
        if len(paths) == 1:
            return tr("This will replace an existing file.") if there else ""
        first, last = paths[0].name, paths[-1].name
        names = (
            tr("One file per plate: {first} … {last}.", first=first, last=last)
            if self._splits()
            else tr("One file per piece: {first} … {last}.", first=first, last=last)
        )
        return f"{names} {tr('This will replace {files}.', files=many(there, 'existing file'))}" if there else names

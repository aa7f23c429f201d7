"""The dialog in which a maker draws a tongue: in large, beside six pieces that have it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QWidget

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.base.texts import tr
from studio.files.tongues import read_tongue
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.tongues.profiles import Stored, profile_of
from studio.puzzles.jigsaw.tongues.sketch import Sketch, sketch_of, started
from studio.puzzles.jigsaw.tongues.styles import STYLE_NUMBERS, STYLES
from studio.ui.kinds.jigsaw.tongue_sketch import NeighboursView, SketchView
from studio.ui.panels.frame import RIM
from studio.ui.widgets.controls import CalmComboBox, heading, hint_label, push_button, without_icons
from studio.ui.widgets.layout import REST, column, named, row
from studio.ui.widgets.remark import Remark
from studio.ui.widgets.theme import GAP


class TongueDialog(QDialog):
    """A sketch with its own undo; it can be applied while it is a tongue that holds."""

    def __init__(self, design: JigsawDesign, choose: Callable[[], Path | None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Custom tongue"))
        self._choose = choose
        self._past: list[Sketch] = []
        self._future: list[Sketch] = []
        self._stored: Stored | None = None
        self.view = SketchView(_first(design))
        self._kept = self.view.sketch
        self.preview = NeighboursView(design)
        self.start = self._start_box(design)
        self.symmetric = QCheckBox(tr("Symmetric"))
        self.symmetric.setToolTip(tr("Mirrors every change to the other side"))
        self.add = push_button(tr("Add point"), tr("Add a point after the selected one"))
        self.remove = push_button(tr("Remove point"), tr("Remove the selected point"))
        self.load = push_button(tr("Import…"), tr("Read the tongue from an SVG or JSON file"))
        self.problem = Remark("warning")
        self.buttons = QDialogButtonBox()
        self.apply = self.buttons.addButton(tr("Apply"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.apply.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        without_icons(self.buttons)
        self._lay_out()
        self._connect()
        self._show()
        self.view.setFocus()

    def _lay_out(self) -> None:
        hint = hint_label(
            tr(
                "Drag points and handles. Double-click the curve to add a point; Del removes the selected one. Arrow "
                "keys move it, Ctrl+Z undoes."
            )
        )
        side = column(
            heading(tr("Preview")), self.preview, GAP, named({tr("Start from"): self.start}, down=GAP), self.symmetric,
            row(self.add, self.remove, self.load, REST), GAP, hint, REST, self.problem,
        )  # fmt: skip
        column(row((self.view, 1), side, gap=RIM), GAP, self.buttons, of=self, margins=RIM)

    def _start_box(self, design: JigsawDesign) -> CalmComboBox:
        box = CalmComboBox(tr("Start from"), tr("Replace the drawing with a tongue of this style"))
        if design.profile is not None:
            box.addItem(tr("Current tongue"), "")
        for style in STYLES:
            box.addItem(style.title, style.key)
        box.setCurrentIndex(max(0, box.findData("" if design.profile is not None else _style_key(design))))
        self._current = self.view.sketch
        return box

    def _connect(self) -> None:
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.view.changed.connect(lambda _sketch: self._show())
        self.view.settled.connect(self._keep)
        self.start.activated.connect(lambda _row: self._begin_with(self.start.currentData()))
        self.symmetric.clicked.connect(lambda on: self._put(self._sketch.mirrored() if on else self._sketch.freed()))
        self.add.clicked.connect(self.view.add_point)
        self.remove.clicked.connect(self.view.remove_point)
        self.load.clicked.connect(self._import)
        QShortcut(QKeySequence.StandardKey.Undo, self, self.undo)
        QShortcut(QKeySequence.StandardKey.Redo, self, self.redo)

    @property
    def _sketch(self) -> Sketch:
        return self.view.sketch

    def _begin_with(self, key: str) -> None:
        self._put(started(STYLES[STYLE_NUMBERS[key]]) if key else self._current)

    def _put(self, sketch: Sketch) -> None:
        """Show another sketch as one step."""
        self.view.show_sketch(sketch)
        self._show()
        self._keep()

    def _keep(self) -> None:
        """End a step."""
        if self._sketch is not self._kept:
            self._past.append(self._kept)
            self._future.clear()
            self._kept = self._sketch

    def undo(self) -> None:
        """Undo the last step."""
        self._step(self._past, self._future)

    def redo(self) -> None:
        """Redo a step that was undone."""
        self._step(self._future, self._past)

    def _step(self, source: list[Sketch], target: list[Sketch]) -> None:
        if source:
            target.append(self._kept)
            self._kept = source.pop()
            self.view.show_sketch(self._kept)
            self._show()

    def _import(self) -> None:
        path = self._choose()
        if path is None:
            return
        try:
            stored = read_tongue(path, SILENT)
        except StudioError as problem:
            self.problem.say(str(problem))
            return
        self._put(sketch_of(profile_of(stored).points))

    def _show(self) -> None:
        """Show the pieces with this sketch, or what keeps it from being a tongue."""
        try:
            self._stored, problem = self._sketch.stored(), ""
        except StudioError as found:
            self._stored, problem = None, str(found)
        self.problem.say(problem)
        self.preview.show_profile(self._stored)
        self.apply.setEnabled(self._stored is not None)
        self.symmetric.setChecked(self._sketch.is_symmetric)
        knot = self.view.knot
        self.remove.setEnabled(knot is not None and self._sketch.can_remove(knot))

    def request(self) -> Stored:
        """The profile that was drawn."""
        return self._sketch.stored()


def _first(design: JigsawDesign) -> Sketch:
    """The design's own profile, or else the style of its tongues, to begin with."""
    if design.profile is not None:
        return sketch_of(profile_of(design.profile).points)
    return started(STYLES[STYLE_NUMBERS[_style_key(design)]])


def _style_key(design: JigsawDesign) -> str:
    locking = [style.key for style in STYLES if style.size_widens_neck]
    return next((key for key in design.parameters.style_keys if key in locking), locking[0])

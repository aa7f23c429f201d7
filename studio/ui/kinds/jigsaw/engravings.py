"""Engravings in the window: their dialog, the inspector's page for selected ones, and their drags by the mouse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QListWidgetItem, QPushButton, QWidget

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.files.imported_paths import Reading
from studio.geometry.curves.rings import box
from studio.puzzles.jigsaw.figures.whimsies import (
    DECIMALS,
    Pose,
    Posed,
    carried,
    frames,
    is_across,
    mirrored,
    shifted,
    together,
)
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.picture.engravings import (
    MOST_POINTS,
    OUTLINE,
    Engraving,
    EngravingSetting,
    free_name,
    of_drawing,
)
from studio.ui.canvas.view import Pointer
from studio.ui.kinds.jigsaw.choosers import FontChooser
from studio.ui.kinds.jigsaw.gestures import ASIDE, TURN, Drag, Nudges
from studio.ui.kinds.jigsaw.selection import Selection, counted_engravings
from studio.ui.panels.drawing_import import DrawingImport, DrawingResult, FileButton
from studio.ui.panels.file_dialog import RIM
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.panels.inspector_pages import EVEN, FactsPage
from studio.ui.session.document import Document
from studio.ui.session.session import Session
from studio.ui.widgets.controls import Remark, hint_label, push_button, without_icons
from studio.ui.widgets.layout import column, grid, holding, row
from studio.ui.widgets.theme import GAP

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.tool import JigsawTool

ENGRAVING_CATCH = 5
"""Catch radius of an engraving's lines, in pixels; a selected engraving is caught anywhere in its frame."""
NAME = Qt.ItemDataRole.UserRole
LIST_WIDTH = 200
USUAL_HEIGHT = 10.0
"""In mm, of a text."""
NEW_TEXT = tr("Text")


class EngraveDialog(QDialog):
    """Adds, changes and removes engravings; `previewed` brings the design that the dialog shows."""

    previewed = Signal(object)

    def __init__(self, design: JigsawDesign, parent: QWidget | None = None, chosen: str = "") -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Engrave"))
        self.design = design
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Engravings"))
        self.list.setFixedWidth(LIST_WIDTH)
        self.add_text = push_button(tr("Add text"), tr("Engrave a line of text"))
        self.problem, self.noted = Remark("error"), Remark("hint")
        self.add_drawing = FileButton(tr("Add drawing…"), tr("Engrave the lines of an SVG or DXF file"), self.problem)
        self.remove = push_button(tr("Remove"), tr("Remove the selected engraving"))
        self.form = ParameterForm(EngravingSetting(), Manner.PLAIN, hidden=self._hidden)
        hint = hint_label(tr("The back is shown mirrored and exported to a separate file."))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        without_icons(self.buttons)
        left = holding(column((self.list, 1), self.add_text, self.add_drawing, self.remove, gap=GAP))
        self.chooser: FontChooser | None = None
        self.fonts = QWidget()
        right = holding(column(self.form, (self.fonts, 1), gap=GAP))
        column(
            (row(left, (right, 1), gap=RIM), 1), self.problem, self.noted, hint, GAP, self.buttons, of=self, margins=RIM
        )
        self._show_list(chosen or (design.engravings[0].name if design.engravings else ""))
        self.list.currentItemChanged.connect(lambda *_: self._show())
        self.add_text.clicked.connect(self._add_text)
        self.remove.clicked.connect(self._remove)
        self.form.previewed.connect(self._change)
        self.form.edited.connect(lambda _words, setting, _token: self._change(setting))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def offer_fonts(self, session: Session) -> None:
        """List the fonts for texts in outlines."""
        self.chooser = FontChooser(session.jobs, session.preferences.recent_fonts(), self.problem, bold=False)
        self.chooser.connect_to(session)
        self.chooser.changed.connect(lambda: self._change(self.form.parameters()))
        column((self.chooser, 1), of=self.fonts)
        self._show()

    def request(self) -> JigsawDesign:
        """The design with the engravings of the dialog."""
        return self.design

    @property
    def chosen(self) -> Engraving | None:
        """The engraving in the fields."""
        item = self.list.currentItem()
        name = item.data(NAME) if item is not None else ""
        return next((one for one in self.design.engravings if one.name == name), None)

    def _hidden(self, _setting: EngravingSetting) -> tuple[str, ...]:
        chosen = self.chosen
        return ("typeface",) if chosen is None or chosen.text else ("text", "font", "typeface")

    def _show_list(self, name: str) -> None:
        """List the engravings, one of them chosen."""
        self.list.blockSignals(True)
        self.list.clear()
        for one in self.design.engravings:
            item = QListWidgetItem(one.title)
            item.setData(NAME, one.name)
            self.list.addItem(item)
            if one.name == name:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        self._show()

    def _show(self) -> None:
        chosen = self.chosen
        self.problem.say("")
        self.noted.say("")
        self.form.setEnabled(chosen is not None)
        self.remove.setEnabled(chosen is not None)
        setting = EngravingSetting() if chosen is None else EngravingSetting.from_engraving(chosen)
        self.form.set_parameters(setting, replace(setting, turn=0.0))
        self._show_fonts()

    def _show_fonts(self) -> None:
        """List the fonts if the chosen engraving is a text in outlines."""
        chosen = self.chosen
        is_outlined = chosen is not None and bool(chosen.text) and chosen.font == OUTLINE
        self.fonts.setVisible(is_outlined and self.chooser is not None)
        if chosen is not None and is_outlined and self.chooser is not None:
            self.chooser.show_font(chosen.typeface, chosen.text)

    def _take(self, change: Callable[[], JigsawDesign]) -> bool:
        """Take a change of the design, or show its problem; returns whether it was possible."""
        try:
            self.design = change()
        except StudioError as problem:
            self.problem.say(str(problem))
            return False
        self.problem.say("")
        self.previewed.emit(self.design)
        return True

    def _change(self, setting: EngravingSetting) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        is_listed = self.chooser is not None and self.fonts.isVisibleTo(self)
        setting = replace(setting, typeface=self.chooser.font_name if is_listed and self.chooser else chosen.typeface)
        if self._take(lambda: self.design.with_engraving(setting.applied(chosen))):
            self.list.currentItem().setText(setting.applied(chosen).title)
            self._show_fonts()

    def _pose(self, height: float) -> Pose:
        board = self.design.parameters
        return Pose(x=board.width / 2, y=board.height / 2, height=max(2.0, min(height, board.height / 2)))

    def _add_text(self) -> None:
        name = free_name(self.design.engravings, "text")
        if self._take(lambda: self.design.with_engraving(Engraving(name, self._pose(USUAL_HEIGHT), NEW_TEXT))):
            self._show_list(name)

    def take(self, drawing: Engraving, notes: Sequence[str]) -> None:
        """Engrave the lines of a file in the middle of the board, and choose them."""
        self.add_drawing.go_on()
        name = free_name(self.design.engravings, "drawing")
        there = replace(drawing, name=name, pose=self._pose(drawing.pose.height))
        if self._take(lambda: self.design.with_engraving(there)):
            self._show_list(name)
            self.noted.say(" ".join(notes))

    def _remove(self) -> None:
        chosen = self.chosen
        if chosen is not None and self._take(lambda: self.design.without_engraving(chosen.name)):
            self._show_list(self.design.engravings[0].name if self.design.engravings else "")


def engraved_drawings(session: Session, dialog: EngraveDialog) -> DrawingImport:
    """Asks for the drawings of a dialog, and reads them; its texts may have any font."""
    dialog.offer_fonts(session)
    drawings = DrawingImport(session, "engraving", tr("Import drawing"), _look, dialog)
    dialog.add_drawing.connect_to(
        session, tr("Import drawing"), tr("Drawings ({suffixes})", suffixes="*.svg *.dxf"),
        lambda path, failed: drawings.read(
            path, lambda seen: dialog.take(seen.result, seen.notes), failed=failed, over=dialog
        ),
    )  # fmt: skip
    return drawings


def _look(path: Path, reading: Reading, progress: Progress) -> DrawingResult:
    from studio.files.drawing_import import read_lines

    strokes, notes = read_lines(path, progress, MOST_POINTS, reading)
    low, high = np.array([box(stroke) for stroke in strokes]).reshape(-1, 2, 2).swapaxes(0, 1)
    width, height = (high.max(axis=0) - low.min(axis=0)).tolist()
    made = of_drawing("drawing1", strokes, Pose(height=min(max(2.0, height), 5000.0)), "face")
    return DrawingResult(made, strokes, notes, (width, height))


ONE = tr("Drag the engraving to move it, a corner of its frame to scale it, the round handle to rotate it.")
SEVERAL = tr("X and Y are the centre of the selection. Drag its frame to scale or rotate all together.")


class EngravingPage(FactsPage):
    """Shows the selected engravings, and changes them as their values are edited."""

    opened = Signal(str)
    """Asks for the dialog, with the engraving of this name."""
    removed = Signal()
    refused = Signal(str)

    def __init__(self, document: Document, selection: Selection) -> None:
        self._document, self._selection = document, selection
        self.form = ParameterForm(EngravingSetting(), Manner.PLAIN, hidden=self._hidden)
        self.edit, self.remove = QPushButton(tr("Edit…")), QPushButton(tr("Remove"))
        super().__init__(self.form, grid([self.edit, self.remove]), spaces=EVEN)
        self.form.previewed.connect(self._preview)
        self.form.edited.connect(self._edit)
        self.edit.clicked.connect(lambda: self.opened.emit(self._selection.engravings[0].name))
        self.remove.clicked.connect(self.removed)

    def follow(self) -> None:
        """Show the present state of the selected engravings."""
        chosen = self._selection.engravings
        one = chosen[0] if len(chosen) == 1 else None
        title = self._selection.status_text if one is None else tr("Engraving {title}", title=one.title)
        self.show_facts(title, {})
        self.hint.setText(SEVERAL if one is None else ONE)
        setting = self._setting(chosen)
        self.form.set_parameters(setting, replace(setting, turn=0.0), self._mixed(chosen))

    @staticmethod
    def _mixed(chosen: tuple[Engraving, ...]) -> set[str]:
        return {"side"} if len({one.side for one in chosen}) > 1 else set()

    def _setting(self, chosen: tuple[Engraving, ...]) -> EngravingSetting:
        """Values in the fields: for several engravings, the side of the first and the place of all."""
        first, around = EngravingSetting.from_engraving(chosen[0]), together(chosen)
        if len(chosen) == 1 or around is None:
            return first
        return replace(first, x=round(around.pose.x, DECIMALS), y=round(around.pose.y, DECIMALS))

    def _hidden(self, _setting: EngravingSetting) -> tuple[str, ...]:
        chosen = self._selection.engravings
        if len(chosen) > 1:
            return "text", "font", "typeface", "height", "turn"
        return ("typeface",) if chosen and chosen[0].text else ("text", "font", "typeface")

    def _changed(self, setting: EngravingSetting) -> JigsawDesign:
        """The design with a setting for the selection; raises StudioError for a text that cannot be engraved."""
        design: JigsawDesign = self._document.design
        names = {one.name for one in self._selection.engravings}
        chosen = tuple(one for one in design.engravings if one.name in names)
        if len(chosen) == 1:
            return design.with_engraving(setting.applied(chosen[0]))
        was = self._setting(chosen)
        side = setting.side if setting.side != was.side or self._mixed(chosen) - self.form.mixed else None
        moved = (
            replace(
                one,
                pose=shifted(one.pose, setting.x - was.x, setting.y - was.y),
                side=one.side if side is None else side,
            )
            for one in chosen
        )
        return design.with_engravings(moved)

    def _preview(self, setting: EngravingSetting) -> None:
        try:
            self._document.preview(self._changed(setting))
        except StudioError as problem:
            self.refused.emit(str(problem))

    def _edit(self, words: str, setting: EngravingSetting, token: object) -> None:
        try:
            design = self._changed(setting)
        except StudioError as problem:
            self._document.abandon()
            self.follow()
            self.refused.emit(str(problem))
            return
        engravings = counted_engravings(self._selection.engravings)
        self._document.edit(tr("{change} of {engravings}", change=words, engravings=engravings), design, gesture=token)


class Engraved:
    """Changes the selected engravings."""

    def __init__(self, tool: JigsawTool) -> None:
        self._tool = tool
        self._nudges: Nudges | None = None

    def at(self, pointer: Pointer) -> str:
        """Name of the engraving that a click would take, or empty."""
        framed = (one.name for one in self._chosen if frames(one, pointer.x, pointer.y))
        if name := next(framed, ""):
            return name
        reach = ENGRAVING_CATCH * pointer.pixel
        there = (one.name for one in self._tool.shapes.design.engravings if one.reaches(pointer.x, pointer.y, reach))
        return next(there, "")

    def pressed(self, name: str, start: Pointer) -> Drag | None:
        """Drag the selected engravings; with Shift or Ctrl, add an engraving to the selection or remove it."""
        selection, names = self._tool.selection, {one.name for one in self._chosen}
        if start.shift or start.control:
            selection.select_engravings(names ^ {name})
            return None
        if name not in names:
            selection.select_engravings([name])
        # The middle of the held one is kept on the board; Shift keeps to an axis.
        drawing, chosen = self._tool.shapes.drawing, self._chosen
        held = next(one.pose for one in chosen if one.name == name)

        def moved(pointer: Pointer) -> list[Pose]:
            right, down = pointer.way_from(start)
            right = min(max(held.x + right, min(held.x, 0.0)), max(held.x, drawing.width)) - held.x
            down = min(max(held.y + down, min(held.y, 0.0)), max(held.y, drawing.height)) - held.y
            return [shifted(one.pose, right, down) for one in chosen]

        return self._drag(start, tr("Move {engravings}"), moved, lambda _pointer: selection.select_engravings([name]))

    def pulled(self, start: Pointer, words: str, held: Posed, posed: Callable[[Pointer], Pose]) -> Drag:
        """Drag a handle of the frame `held` around the engravings; `words` name the step."""
        poses = [one.pose for one in self._chosen]
        return self._drag(start, words, lambda pointer: carried(poses, held.pose, posed(pointer)))

    def mirrored(self, start: Pointer, held: Posed) -> Drag:
        """Mirror the engravings by a click on the handle of the frame `held`, or by pulling it across."""
        still, other = [one.pose for one in self._chosen], mirrored(self._chosen)
        return self._drag(
            start,
            tr("Mirror {engravings}"),
            lambda pointer: other if is_across(held, pointer.x, pointer.y) else still,
            lambda _pointer: self.mirror(),
        )

    def _drag(
        self,
        start: Pointer,
        words: str,
        posed: Callable[[Pointer], list[Pose]],
        clicked: Callable[[Pointer], None] = lambda _pointer: None,
    ) -> Drag:
        design, chosen = self._tool.shapes.design, self._chosen
        return Drag(
            self._tool, start, self._named(words),
            lambda pointer: design.with_engravings(_posed(chosen, posed(pointer))), clicked,
        )  # fmt: skip

    def nudge(self, right: float, down: float) -> None:
        """Move the engravings by some mm; nudges in quick succession are one step of the history."""
        chosen = self._chosen
        if not chosen:
            return
        design, names = self._tool.document.design, [one.name for one in chosen]
        if self._nudges is None or not self._nudges.goes_on(design, names):
            self._nudges = Nudges(self._tool.shapes, names)
        poses = [shifted(one.pose, right, down) for one in chosen]
        self._pose(tr("Nudge {engravings}"), poses, self._nudges)
        self._nudges.took(self._tool.document.design)

    def turn(self, way: int) -> None:
        """Rotate the engravings clockwise about their middle, or with -1 the other way."""
        chosen, around = self._chosen, together(self._chosen)
        if around is not None:
            poses = carried([one.pose for one in chosen], around.pose, around.pose.turned(way * TURN))
            self._pose(tr("Rotate {engravings}"), poses)

    def mirror(self) -> None:
        """Mirror an engraving in its own frame, several about their middle."""
        if self._chosen:
            self._pose(tr("Mirror {engravings}"), mirrored(self._chosen))

    def remove(self) -> None:
        """Remove the engravings."""
        if self._chosen:
            document = self._tool.document
            design: JigsawDesign = document.design
            for one in self._chosen:
                design = design.without_engraving(one.name)
            document.edit(self._named(tr("Remove {engravings}")), design)

    def duplicate(self) -> None:
        """Add the same engravings a little aside, and select them."""
        document, chosen = self._tool.document, self._chosen
        if not chosen:
            return
        design: JigsawDesign = document.design
        names = []
        for one in chosen:
            names.append(free_name(design.engravings, "text" if one.text else "drawing"))
            pose = shifted(one.pose, ASIDE, ASIDE)
            design = design.with_engraving(replace(one, name=names[-1], pose=pose))
        document.edit(self._named(tr("Duplicate {engravings}")), design)
        self._tool.selection.select_engravings(names)

    @property
    def _chosen(self) -> tuple[Engraving, ...]:
        return self._tool.selection.engravings

    def _named(self, words: str) -> str:
        return words.format(engravings=counted_engravings(self._chosen))

    def _pose(self, words: str, poses: Sequence[Pose], token: object | None = None) -> None:
        document = self._tool.document
        design = document.design.with_engravings(_posed(self._chosen, poses))
        document.edit(self._named(words), design, gesture=token)


def _posed(engravings: Sequence[Engraving], poses: Sequence[Pose]) -> list[Engraving]:
    return [one.at(pose) for one, pose in zip(engravings, poses, strict=True)]

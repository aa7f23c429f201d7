"""The inspector's page of engravings: all values of one, and side and place of several."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.puzzles.jigsaw.figures.frames import DECIMALS, shifted, together
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.picture.engravings import Engraving, EngravingSetting
from studio.ui.kinds.jigsaw.selection import Selection, counted_engravings
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.session.document import Document
from studio.ui.widgets.controls import heading, hint_label
from studio.ui.widgets.layout import REST, column, grid
from studio.ui.widgets.theme import MARGIN

ONE = tr("Drag the engraving to move it, a corner of its frame to scale it, the round handle to rotate it.")
SEVERAL = tr("X and Y are the centre of the selection. Drag its frame to scale or rotate all together.")


class EngravingPage(QWidget):
    """Shows the selected engravings, and changes them as their values are edited."""

    opened = Signal(str)
    """The dialog is wanted, with the engraving of this name."""
    removed = Signal()
    refused = Signal(str)

    def __init__(self, document: Document, selection: Selection) -> None:
        super().__init__()
        self._document, self._selection = document, selection
        self.title, self._hint = heading(""), hint_label(" ")
        self.title.setWordWrap(True)
        self.form = ParameterForm(EngravingSetting(), Manner.PLAIN, hidden=self._hidden)
        self.form.previewed.connect(self._preview)
        self.form.edited.connect(self._edit)
        self.edit, self.remove = QPushButton(tr("Edit…")), QPushButton(tr("Remove"))
        self.edit.clicked.connect(lambda: self.opened.emit(self._selection.engravings[0].name))
        self.remove.clicked.connect(self.removed)
        column(self.title, self.form, grid([self.edit, self.remove]), self._hint, REST, of=self, margins=MARGIN)

    def follow(self) -> None:
        """Show the selected engravings as they are now."""
        chosen = self._selection.engravings
        one = chosen[0] if len(chosen) == 1 else None
        self.title.setText(self._selection.words if one is None else tr("Engraving {title}", title=one.title))
        self._hint.setText(SEVERAL if one is None else ONE)
        setting = self._setting(chosen)
        self.form.set_parameters(setting, replace(setting, turn=0.0))

    def _setting(self, chosen: tuple[Engraving, ...]) -> EngravingSetting:
        """The values that are shown: of several the side of the first, and the place of all."""
        first, around = EngravingSetting.of(chosen[0]), together(chosen)
        if len(chosen) == 1 or around is None:
            return first
        return replace(first, x=round(around.pose.x, DECIMALS), y=round(around.pose.y, DECIMALS))

    def _hidden(self, _setting: EngravingSetting) -> tuple[str, ...]:
        chosen = self._selection.engravings
        if len(chosen) > 1:
            return "text", "font", "height", "turn"
        return ("text", "font") if chosen and chosen[0].paths else ()

    def _changed(self, setting: EngravingSetting) -> JigsawDesign:
        """The design with a setting for what is selected; raises StudioError for a text that cannot be engraved."""
        design: JigsawDesign = self._document.design
        names = {one.name for one in self._selection.engravings}
        chosen = tuple(one for one in design.engravings if one.name in names)
        if len(chosen) == 1:
            return design.with_engraving(setting.applied(chosen[0]))
        was = self._setting(chosen)
        side = setting.side if setting.side != was.side else None
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

"""The dialog of colour profiles: the studio's to look at and copy, the maker's own to change and delete."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, QSize
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QSpinBox,
    QToolButton,
    QWidget,
)

from studio.base.errors import StudioError
from studio.base.folders import fresh, key_of
from studio.base.texts import tr, visible
from studio.exporting.colour_profiles import (
    LAST_CUT,
    LONGEST_TITLE,
    THICKEST,
    THINNEST,
    WORKED,
    Layer,
    Profile,
    broken_profiles,
    forget_profile,
    keep_profile,
    nearest_aci,
    own_profiles,
    profiles,
    refuse_own,
)
from studio.geometry.planar.drawing import Operation
from studio.ui.session.session import Session
from studio.ui.widgets.controls import Remark, control_height, hint_label, push_button, without_icons
from studio.ui.widgets.layout import REST, column, grid, holding, labelled, row
from studio.ui.widgets.theme import GAP, MARGIN

LIST_WIDTH, RIM = 216, MARGIN + GAP
SIZE = QSize(720, 420)
SWATCH = QSize(20, 14)
COLOUR_WIDTH = 108
WORDS = {
    Operation.ENGRAVE: tr("Engrave"), Operation.SCORE: tr("Score"), Operation.INNER: tr("Inner cuts"),
    Operation.BORDER: tr("Border"),
}  # fmt: skip
ChooseColour = Callable[[str, QColor], QColor | None]


class LayerRow:
    """The fields of one operation: colour, name of the layer, and number of the layer in LightBurn."""

    def __init__(self, operation: Operation, lines: QGridLayout, choose: ChooseColour, changed: Callable[[], object]):
        self.operation, self._choose, self._changed = operation, choose, changed
        self._layer: Layer | None = None
        self.words = WORDS[operation]
        self.colour, self.name, self.cut = QToolButton(), QLineEdit(), QSpinBox()
        self.colour.setToolButtonStyle(self.colour.toolButtonStyle().ToolButtonTextBesideIcon)
        self.colour.setIconSize(SWATCH)
        self.name.setMaxLength(31)
        self.cut.setRange(0, LAST_CUT)
        self.cut.setPrefix("C")
        self.colour.setMinimumWidth(COLOUR_WIDTH)
        fields = ((self.colour, tr("colour")), (self.name, tr("layer")), (self.cut, tr("LightBurn layer")))
        for field, words in fields:
            field.setAccessibleName(f"{self.words}, {words}")
            field.setMinimumHeight(control_height())
        line = lines.rowCount()
        lines.addWidget(QLabel(self.words), line, 0)
        for place, editor in enumerate((self.colour, self.name, self.cut), 1):
            lines.addWidget(editor, line, place)
        self.colour.clicked.connect(self._pick)
        self.name.textEdited.connect(self._write)
        self.cut.valueChanged.connect(lambda _value: self._changed())

    def show(self, layer: Layer, *, can_change: bool) -> None:
        """Show a layer; the layers of the studio's profiles are read-only."""
        self._layer = layer
        swatch = QPixmap(SWATCH)
        swatch.fill(QColor(layer.colour))
        picture = QIcon(swatch)
        # Read-only profiles show their colours, too.
        picture.addPixmap(swatch, QIcon.Mode.Disabled)
        self.colour.setIcon(picture)
        self.colour.setText(layer.colour)
        if self.name.text() != layer.name:
            self.name.setText(layer.name)
            self.name.setCursorPosition(0)
        with QSignalBlocker(self.cut):
            self.cut.setValue(layer.cut)
        for part in (self.colour, self.name, self.cut):
            part.setEnabled(can_change)

    def changed(self, layer: Layer) -> Layer:
        """Return a layer with the values of the fields; another colour gets the nearest of DXF."""
        colour = self.colour.text()
        aci = layer.aci if colour == layer.colour else nearest_aci(colour)
        return replace(layer, name=self.name.text(), colour=colour, cut=self.cut.value(), aci=aci)

    def _write(self, text: str) -> None:
        """Turn the name into capitals, as layers require."""
        place = self.name.cursorPosition()
        self.name.setText(text.upper().replace(" ", "_"))
        self.name.setCursorPosition(place)
        self._changed()

    def _pick(self) -> None:
        chosen = self._choose(tr("Colour of {operation}", operation=self.words), QColor(self.colour.text()))
        if chosen is not None:
            self.colour.setText(chosen.name().upper())
            self._changed()


class ProfilesDialog(QDialog):
    """Profiles at the left, the chosen one at the right; changes are kept when the dialog is accepted."""

    def __init__(self, key: str, choose: ChooseColour, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Colour profiles"))
        self._before = {one.key: one for one in own_profiles()}
        self._taken = {*(one.key for one in profiles()), *broken_profiles()}
        self._drafts = [*profiles()]
        self._problem = ""
        self._make_fields()
        lines = grid(across=GAP, down=GAP)
        for place, words in enumerate((tr("Colour"), tr("Layer"), tr("LightBurn layer")), 1):
            lines.addWidget(QLabel(words), 0, place)
        self.rows = [LayerRow(operation, lines, choose, self._change) for operation in WORKED]
        lines.setColumnStretch(2, 1)
        name, title = labelled(tr("Name"), self.title)
        width, box = labelled(tr("Line width"), self.width_box)
        head = row(name, (title, 1), GAP, width, box)
        right = column(head, self.note, GAP, lines, REST, self.remark, row(self.copy, self.remove, REST))
        both = row(self.list, (holding(right), 1), gap=RIM)
        column(self.unreadable, (both, 1), self.buttons, of=self, margins=RIM)
        self.resize(SIZE)
        self.list.currentRowChanged.connect(lambda at: self._show() if at >= 0 else None)
        self.title.textEdited.connect(lambda _text: self._change())
        self.width_box.valueChanged.connect(lambda _value: self._change())
        self.copy.clicked.connect(self._copy)
        self.remove.clicked.connect(self._remove)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        keys = [one.key for one in self._drafts]
        self._show_list(keys.index(key) if key in keys else 0)

    @property
    def chosen(self) -> Profile:
        """The current profile."""
        return self._drafts[max(self.list.currentRow(), 0)]

    @property
    def is_own(self) -> bool:
        """True if the current profile is the maker's own."""
        return self.chosen.key in self._own_keys

    def accept(self) -> None:
        """Keep the changes and close; stay and say so if that fails."""
        if self._problem:
            return
        own = {one.key: one for one in self._drafts if one.key in self._own_keys}
        try:
            for key in self._before.keys() - own.keys():
                forget_profile(key)
            for key, one in own.items():
                if one != self._before.get(key):
                    keep_profile(one)
        except StudioError as problem:
            self.remark.say(str(problem))
            return
        super().accept()

    def _make_fields(self) -> None:
        self._own_keys = set(self._before)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Colour profiles"))
        self.list.setFixedWidth(LIST_WIDTH)
        self.title = QLineEdit()
        self.title.setAccessibleName(tr("Name"))
        self.title.setMaxLength(LONGEST_TITLE)
        self.width_box = QDoubleSpinBox()
        self.width_box.setRange(THINNEST, THICKEST)
        self.width_box.setDecimals(2)
        self.width_box.setSingleStep(0.01)
        self.width_box.setSuffix(" mm")
        self.width_box.setAccessibleName(tr("Line width"))
        for field in (self.title, self.width_box):
            field.setMinimumHeight(control_height())
        self.note = hint_label()
        self.copy = push_button(tr("Duplicate"), tr("Create a copy to edit"))
        self.remove = push_button(tr("Delete"))
        self.remark = Remark("error")
        self.unreadable = Remark("warning", " ".join(map(visible, broken_profiles().values())))
        buttons = QDialogButtonBox.StandardButton
        self.buttons = without_icons(QDialogButtonBox(buttons.Ok | buttons.Cancel))
        self.buttons.button(buttons.Ok).setDefault(True)

    def _show_list(self, at: int) -> None:
        with QSignalBlocker(self.list):
            self.list.clear()
            for one in self._drafts:
                self.list.addItem(self._called(one))
            for number in range(self.list.count()):
                self.list.item(number).setSizeHint(QSize(0, control_height()))
        self.list.setCurrentRow(at)
        self._show()

    def _called(self, one: Profile) -> str:
        title = visible(one.title)
        return tr("{title} (custom)", title=title) if one.key in self._own_keys else title

    def _show(self) -> None:
        chosen, own = self.chosen, self.is_own
        self._say("")
        if self.title.text() != chosen.title:
            self.title.setText(chosen.title)
        with QSignalBlocker(self.width_box):
            self.width_box.setValue(chosen.stroke_width)
        for each, layer in zip(self.rows, chosen.layers, strict=True):
            each.show(layer, can_change=own)
        self.title.setEnabled(own)
        self.width_box.setEnabled(own)
        self.note.setText(
            tr("Each colour is one operation in your laser software.") if own else tr("{summary} Duplicate it to make "
               "changes.", summary=chosen.summary)
        )  # fmt: skip
        self.note.setVisible(True)
        self.remove.setEnabled(own)
        self.remove.setToolTip("" if own else tr("Built-in, unchanged"))

    def _change(self) -> None:
        """Take the values of the fields if they make a profile; else say why they do not."""
        if not self.is_own:
            return
        before = self.chosen
        try:
            layers = tuple(each.changed(layer) for layer, each in zip(before.layers, self.rows, strict=True))
            made = replace(
                before, title=self.title.text().strip(), stroke_width=round(self.width_box.value(), 2), layers=layers
            )
            refuse_own(made, made.key)
            if made.title in [one.title for one in self._drafts if one.key != made.key]:
                raise StudioError(tr("Two profiles are named {name}. Rename one.", name=made.title))
        except StudioError as problem:
            self._say(str(problem))
            return
        self._drafts[self.list.currentRow()] = made
        self.list.currentItem().setText(self._called(made))
        for each, layer in zip(self.rows, made.layers, strict=True):
            each.show(layer, can_change=True)
        self._say("")

    def _say(self, problem: str) -> None:
        """Say why the fields make no profile; until they do, nothing else can be chosen or kept."""
        self._problem = problem
        self.remark.say(problem)
        self.list.setEnabled(not problem)
        self.copy.setEnabled(not problem)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problem)

    def _copy(self) -> None:
        like, at = self.chosen, self.list.currentRow()
        title = fresh(tr("{name} (copy)", name=like.title)[:LONGEST_TITLE], {one.title for one in self._drafts}, " ")
        key = key_of(title, self._taken, "profile")
        self._taken.add(key)
        self._own_keys.add(key)
        summary = tr("A copy of {title}.", title=like.title)
        self._drafts.insert(at + 1, replace(like, key=key, title=title, summary=summary))
        self._show_list(at + 1)
        self.title.setFocus()
        self.title.selectAll()

    def _remove(self) -> None:
        at = self.list.currentRow()
        self._own_keys.discard(self._drafts[at].key)
        del self._drafts[at]
        self._show_list(at - 1)


def edit_profiles(session: Session) -> None:
    """Show the colour profiles, at the one used last, to be changed."""
    last = session.preferences.export_values(session.preferences.export_suffix())
    dialog = ProfilesDialog(str(last.get("profile", "")), session.dialogs.colour, session.dialogs.parent)
    session.dialogs.show(dialog)
    dialog.deleteLater()

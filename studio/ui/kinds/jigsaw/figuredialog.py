"""The dialog that asks for a figure by its picture, or for a line of letters, and how high it is to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QListView, QListWidget, QListWidgetItem, QWidget

from studio.geometry.curves import Curves
from studio.parameters import declarations
from studio.puzzles.jigsaw.figures import Figure, figure, keys
from studio.puzzles.jigsaw.letters import MOST_LETTERS
from studio.puzzles.jigsaw.whimsies import Setting
from studio.texts import tr
from studio.ui.canvas import paths
from studio.ui.layout import REST, column, named, row
from studio.ui.length_spin import NumberSpinBox, WholeSpinBox
from studio.ui.panels.frame import RIM
from studio.ui.panels.remark import Remark
from studio.ui.theme import GAP, current_theme
from studio.ui.widgets import hint_label, push_button, without_icons

PICTURE = 56
"""Pixels of the room for a figure's picture."""
CELL = QSize(100, 88)
ACROSS, DOWN = 6, 3
KEY = Qt.ItemDataRole.UserRole
IMPORT = tr("Import…")


class FigureRequest(NamedTuple):
    """A figure of the studio's by its key, one from a file or a text in its place, a height in mm and its tongues."""

    key: str
    text: str
    height: float
    tongues: int = 0
    drawn: Figure | None = None


class FigureDialog(QDialog):
    """Pictures of the figures, more of them from files, a line for a text, and a height."""

    file_wanted = Signal()
    """A file with a figure is to be chosen; `wait` until it is read, then `take` the figure or `refuse` it."""

    def __init__(self, height: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Add figure"))
        self._drawn: dict[str, Figure] = {}
        self.problem = Remark("error")
        self.load = push_button(IMPORT, tr("Take a closed path from an SVG or DXF file as a figure"))
        self.load.setAutoDefault(False)
        self.load.clicked.connect(self.file_wanted)
        self.pictures = _pictures()
        self.text = QLineEdit()
        self.text.setMaxLength(MOST_LETTERS)
        self.text.setPlaceholderText(tr("Optional, such as a name"))
        self.text.setToolTip(tr("Letters to cut instead of a figure, one piece each"))
        self.height_box = NumberSpinBox.of(
            tr("Height"), minimum=2, maximum=5000, step=1, unit="mm",
            help=tr("Height of the figure, or of the capital letters."),
        )  # fmt: skip
        self.height_box.setValue(height)
        self.tongues_box = WholeSpinBox(next(one for one in declarations(Setting) if one.name == "tongues"))
        self.buttons = QDialogButtonBox()
        self.buttons.addButton(tr("Add"), QDialogButtonBox.ButtonRole.AcceptRole).setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        without_icons(self.buttons)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.pictures.itemDoubleClicked.connect(lambda _item: self.accept())
        self.text.textChanged.connect(lambda words: self.pictures.setEnabled(not words.strip()))
        fields = named(
            {tr("Letters"): self.text, tr("Height"): self.height_box, tr("Tongues"): self.tongues_box}, down=GAP
        )
        self.noted = hint_label(tr("Placed as near the centre of the board as it fits."))
        column(
            self.pictures, row(self.load, REST), GAP, fields, self.noted, self.problem, GAP, self.buttons,
            of=self, margins=RIM,
        )  # fmt: skip

    def wait(self) -> None:
        """Say that a file is being read."""
        self.problem.say("")
        self.load.setText(tr("Reading…"))
        self.load.setEnabled(False)

    def refuse(self, sentence: str) -> None:
        """Say why a file has no figure."""
        self._go_on()
        self.problem.say(sentence)
        self.adjustSize()

    def _go_on(self) -> None:
        self.load.setText(IMPORT)
        self.load.setEnabled(True)

    def take(self, shape: Figure, notes: Sequence[str]) -> None:
        """Show a figure from a file before all others, and choose it."""
        self._go_on()
        self.noted.setText(" ".join([tr("Placed as near the centre of the board as it fits."), *notes]))
        self.text.clear()
        key = f"file {len(self._drawn) + 1}"
        self._drawn[key] = shape
        item = QListWidgetItem(_picture(shape, self.pictures.devicePixelRatioF()), shape.title)
        item.setData(KEY, key)
        self.pictures.insertItem(0, item)
        if len(self._drawn) == 1:
            self.pictures.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
            self.pictures.setFixedWidth(self.pictures.width() + self.pictures.verticalScrollBar().sizeHint().width())
        self.pictures.setCurrentItem(item)
        self.pictures.scrollToTop()
        self.adjustSize()

    def choose(self, key: str) -> None:
        """Choose a figure by its key."""
        for at in range(self.pictures.count()):
            if self.pictures.item(at).data(KEY) == key:
                self.pictures.setCurrentRow(at)

    def request(self) -> FigureRequest:
        """What was asked for."""
        self.height_box.interpretText()
        self.tongues_box.interpretText()
        key: str = self.pictures.currentItem().data(KEY)
        return FigureRequest(
            key, self.text.text().strip(), self.height_box.value(), self.tongues_box.value(), self._drawn.get(key)
        )


def _pictures() -> QListWidget:
    shown = QListWidget()
    shown.setAccessibleName(tr("Figures"))
    shown.setViewMode(QListView.ViewMode.IconMode)
    shown.setMovement(QListView.Movement.Static)
    shown.setResizeMode(QListView.ResizeMode.Adjust)
    shown.setIconSize(QSize(PICTURE, PICTURE))
    shown.setGridSize(CELL)
    rim = 2 * shown.frameWidth() + GAP
    shown.setFixedSize(ACROSS * CELL.width() + rim, DOWN * CELL.height() + rim)
    shown.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    for key in keys():
        item = QListWidgetItem(_picture(figure(key), shown.devicePixelRatioF()), figure(key).title)
        item.setData(KEY, key)
        shown.addItem(item)
    shown.setCurrentRow(0)
    return shown


def _picture(shape: Figure, scale: float) -> QIcon:
    """A figure's silhouette in the middle of its room."""
    theme = current_theme()
    picture = QPixmap(QSize(PICTURE, PICTURE) * scale)
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(PICTURE / 2, PICTURE / 2)
    size = (PICTURE - GAP) / max(1.0, shape.width)
    painter.scale(size, size)
    painter.fillPath(paths.curved(Curves.of(list(shape.rings))), theme.text)
    painter.end()
    icon = QIcon(picture)
    icon.addPixmap(picture, QIcon.Mode.Selected)
    return icon

"""The dialog that asks for a figure by its picture, or for a line of letters, and how high it is to be."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QListView, QListWidget, QListWidgetItem, QWidget

from studio.geometry.curves import Curves
from studio.parameters import declarations
from studio.puzzles.jigsaw.figures import figure, keys
from studio.puzzles.jigsaw.letters import MOST_LETTERS
from studio.puzzles.jigsaw.whimsies import Setting
from studio.texts import tr
from studio.ui.canvas import paths
from studio.ui.layout import column, named
from studio.ui.length_spin import NumberSpinBox, WholeSpinBox
from studio.ui.panels.frame import RIM
from studio.ui.theme import GAP, current_theme
from studio.ui.widgets import hint_label, without_icons

PICTURE = 56
"""Pixels of the room for a figure's picture."""
CELL = QSize(100, 88)
ACROSS, DOWN = 6, 3
KEY = Qt.ItemDataRole.UserRole


class FigureRequest(NamedTuple):
    """A figure of the studio's by its key, or a text in its place, a height in mm, and how many tongues it has."""

    key: str
    text: str
    height: float
    tongues: int = 0


class FigureDialog(QDialog):
    """Pictures of the figures, a line for a text, and a height."""

    def __init__(self, height: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Add figure"))
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
        hint = hint_label(tr("Placed as near the centre of the board as it fits."))
        column(self.pictures, fields, hint, GAP, self.buttons, of=self, margins=RIM)

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
        return FigureRequest(key, self.text.text().strip(), self.height_box.value(), self.tongues_box.value())


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
        item = QListWidgetItem(_picture(key, shown.devicePixelRatioF()), figure(key).title)
        item.setData(KEY, key)
        shown.addItem(item)
    shown.setCurrentRow(0)
    return shown


def _picture(key: str, scale: float) -> QIcon:
    """A figure's silhouette in the middle of its room."""
    shape, theme = figure(key), current_theme()
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

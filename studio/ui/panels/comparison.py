"""The dialog with the changes between a file and the design in the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from studio.base.texts import tr
from studio.paper.leaflet import Leaflet
from studio.ui.panels.frame import RIM
from studio.ui.panels.pages import PagesPanel
from studio.ui.widgets.controls import without_icons
from studio.ui.widgets.layout import column
from studio.ui.widgets.theme import GAP

SIZE = 920, 660


class ComparisonDialog(QDialog):
    """The picture of both, zoomed by the wheel, and a button that saves it."""

    def __init__(self, picture: Leaflet, save: Callable[[], object], parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Changes"))
        self.panel = PagesPanel(tr("Changes"))
        self.panel.show_leaflet(picture)
        buttons = without_icons(QDialogButtonBox(QDialogButtonBox.StandardButton.Close))
        self.save = buttons.addButton(tr("&Save picture…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.save.clicked.connect(lambda: save())
        buttons.rejected.connect(self.reject)
        column((self.panel, 1), GAP, buttons, of=self, margins=RIM)
        self.resize(*SIZE)

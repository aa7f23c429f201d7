"""The dialog that asks how a file for another program is written, before it is asked where."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from studio.base.parameters import remembered
from studio.base.texts import tr
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.panels.frame import RIM
from studio.ui.widgets.controls import without_icons
from studio.ui.widgets.layout import column
from studio.ui.widgets.theme import GAP

if TYPE_CHECKING:
    from studio.ui.session.session import Session

LEAST_WIDTH = 320
"""Room for the title that the desktop writes above it."""


class OptionsDialog(QDialog):
    """A form of options; its request is what they are."""

    def __init__(self, title: str, options: Any, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.form = ParameterForm(options, Manner.PLAIN)
        self.buttons = QDialogButtonBox()
        self.buttons.addButton(tr("Continue…"), QDialogButtonBox.ButtonRole.AcceptRole).setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        without_icons(self.buttons)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column(self.form, GAP, self.buttons, of=self, margins=RIM)
        self.setMinimumWidth(LEAST_WIDTH)

    def request(self) -> Any:
        """The options that were chosen."""
        return self.form.parameters()


def ask_for_options(session: Session, title: str, options: Any, name: str) -> Any:
    """The options that a maker chose, or None; they begin with those that were last chosen under a name."""
    usual = remembered(session.preferences.export_values(name), options)
    dialog = OptionsDialog(title, usual, session.dialogs.parent)
    chosen = session.dialogs.ask(dialog)
    dialog.deleteLater()
    if chosen is not None:
        session.preferences.set_export_values(name, asdict(chosen))
    return chosen

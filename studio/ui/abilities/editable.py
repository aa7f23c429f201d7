"""Edits as texts in the window, the same as on the command line and in batches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from studio.base.texts import tr
from studio.puzzles.abilities.ability import Editable
from studio.ui.session.actions import EDIT, Command
from studio.ui.session.dialogs import WorkDialog
from studio.ui.session.extension import Extension
from studio.ui.session.jobs import Client
from studio.ui.session.session import Session
from studio.ui.widgets.controls import heading, hint_label
from studio.ui.widgets.layout import REST, column
from studio.ui.widgets.theme import GAP, MARGIN

MOST_NAMED = 60
"""Letters of an edit that name its step in the history."""
WIDTH = 440


class EditDialog(WorkDialog):
    """Asks for edits as texts; lists their forms."""

    def __init__(self, forms: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(tr("Edit by text"), tr("Edit"), parent)
        self.line = QLineEdit()
        self.line.setAccessibleName(tr("Edits"))
        self.line.setMinimumWidth(WIDTH)
        verbs = QCompleter([re.split("[A-Z#]", form, maxsplit=1)[0] for form in forms], self.line)
        verbs.setCompletionMode(QCompleter.CompletionMode.InlineCompletion)
        verbs.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.line.setCompleter(verbs)
        hint = hint_label(
            tr("Separate names with spaces and edits with semicolons. Lengths are in mm or have a unit, such as 2cm.")
        )
        column(
            self.line, hint, GAP, heading(tr("Edits")), hint_label("\n".join(forms)), self.problem, self.state, REST,
            GAP, self.buttons, of=self, margins=MARGIN + GAP,
        )  # fmt: skip

    def request(self) -> str:
        """Return the text."""
        return self.line.text()


class EditsExtension(Extension[Any]):
    """The command for edits as texts."""

    def __init__(self, session: Session, edits: Editable[Any]) -> None:
        super().__init__(session)
        self._edits = edits
        self.commands = [
            Command("edit_text", tr("Edit by text…"), EDIT, self._ask, (), "",
                    tr("Type edits as on the command line"), begins=True),
        ]  # fmt: skip

    def _ask(self) -> None:
        """Ask for edits, and make them as one step."""
        session = self.session
        dialog = EditDialog(self._edits.forms, session.dialogs.parent)

        def start(texts: str, client: Client) -> None:
            name = texts if len(texts) <= MOST_NAMED else f"{texts[:MOST_NAMED]}…"
            session.changing.make(
                name, lambda design, progress: session.kind.edit(texts)(design, progress), client=client
            )

        session.dialogs.carry_out(dialog, start)
        dialog.deleteLater()

"""Edits as texts, the same as on the command line and in batches, and files for other programs, in the window."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from studio.base.parameters import declarations
from studio.base.progress import Progress
from studio.base.texts import tr, within
from studio.puzzles.abilities.ability import Convertible, Editable, Writer
from studio.ui.session.actions import EDIT, Command
from studio.ui.session.dialogs import WorkDialog
from studio.ui.session.extension import Extension
from studio.ui.session.jobs import Client
from studio.ui.session.session import Session
from studio.ui.widgets.controls import heading, hint_label
from studio.ui.widgets.layout import REST, column, row
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
        half = -(-len(forms) // 2)
        columns = [hint_label("\n".join(some)) for some in (forms[:half], forms[half:])]
        for each in columns:
            each.setWordWrap(False)
        column(
            self.line, hint, GAP, heading(tr("Edits")), row(*columns, REST, gap=2 * GAP), self.problem, self.state,
            REST, GAP, self.buttons, of=self, margins=MARGIN + GAP,
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


class FormatsExtension(Extension[Any]):
    """Files for other programs."""

    def __init__(self, session: Session, formats: Convertible[Any]) -> None:
        super().__init__(session)
        self.commands = [self._command(writer) for writer in formats.writers]

    def _command(self, writer: Writer[Any]) -> Command:
        format = within(writer.title)
        title, help = tr("Export {format}…", format=format), tr("Export {format} for other programs", format=format)
        return Command(f"export_{writer.suffix[1:]}", title, "&File", partial(self._export, writer), (), "", help)

    def _export(self, writer: Writer[Any]) -> None:
        """Ask for options, if any, and a file, and write the design in another format."""
        session = self.session
        options = self._options(writer) if declarations(writer.options) else writer.options()
        if options is None:
            return
        suggested = session.folder / f"{session.document.title}{writer.suffix}"
        path = session.dialogs.file_path(writer.title, suggested, [f"{writer.title} (*{writer.suffix})"])
        if path is not None:
            session.writing.write(path, partial(_written, writer, options, session.document.design, path))

    def _options(self, writer: Writer[Any]) -> Any:
        from studio.ui.panels.making_choice import ask_for_options

        title = tr("Export {format}", format=within(writer.title))
        return ask_for_options(self.session, title, writer.options(), f"{self.session.kind.key}{writer.suffix}")


def _written(writer: Writer[Any], options: Any, design: Any, path: Path, progress: Progress) -> str:
    from studio.base.atomic import write_bytes

    write_bytes(path, writer.write(design, options, progress))
    return tr("Saved {file}.", file=path.name)

"""Other file formats in the window: an export for each format written."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from studio.base.parameters import declarations
from studio.base.progress import Progress
from studio.base.texts import tr, within
from studio.puzzles.abilities.convertible import Convertible, Writer
from studio.ui.session.actions import Command
from studio.ui.session.extension import Extension
from studio.ui.session.session import Session


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

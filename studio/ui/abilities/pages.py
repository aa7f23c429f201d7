"""What paper adds to the window: the export of leaflets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLocale

from studio.amounts import many
from studio.checks.finding import Finding, Severity, errors_of
from studio.paper.leaflet import Leaflet
from studio.progress import Progress
from studio.puzzles.abilities.pages import Pages
from studio.ui.session.parts import Parts
from studio.ui.session.session import Session
from studio.ui.shell.actions import Command


class PagesParts(Parts[Any]):
    """The paper that goes with a puzzle."""

    def __init__(self, session: Session, pages: Pages[Any]) -> None:
        super().__init__(session)
        self._pages = pages
        self.commands = [
            Command("leaflet", f"{pages.title}…", "&File", partial(session.writing.when_checked, self._export), (), "",
                    "Write the paper that goes with the puzzle, as PDF or SVG"),
        ]  # fmt: skip

    def _export(self, findings: tuple[Finding, ...]) -> None:
        """Ask where, and write the paper; that of a design with errors would not help."""
        session, title, name = self.session, self._pages.title, self.session.document.title
        errors = errors_of(findings)
        if errors:
            session.notices.tell(f"This is not written as it is: {errors[0].message}", Severity.WARNING)
            return
        from studio.export.formats import PAPER

        filters = [f"{known.title} (*{known.suffix})" for known in PAPER.members]
        path = session.dialogs.paper_path(title, session.folder / f"{name}, {title.lower()}.pdf", filters)
        if path is not None:
            session.writing.write(path, partial(_laid_out, partial(self._pages.lay_out, self.shapes, name), path))


def _laid_out(lay_out: Callable[[tuple[float, float], Progress], Leaflet], path: Path, progress: Progress) -> str:
    """Write the paper that goes with a puzzle, for the paper that is usual here; returns what it is, in a sentence."""
    from studio.export.leaflet import write_leaflet
    from studio.export.paper import LeafletOptions

    american = QLocale.system().measurementSystem() is QLocale.MeasurementSystem.ImperialUSSystem
    options = LeafletOptions(paper="Letter" if american else "A4")
    reports = write_leaflet(lay_out(options.size, progress.part(0.0, 0.8)), path, progress.part(0.8, 1.0))
    pages = sum(report.pages for report in reports)
    return f"{reports[0].path.name} is written and read back: {many(pages, 'page')} of {options.paper}."

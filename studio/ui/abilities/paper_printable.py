"""Paper in the window: the pages as they will be written, and their export."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from studio.base.progress import Progress
from studio.base.texts import tr, within
from studio.checks.finding import Finding, Severity, errors_of
from studio.paper.leaflet import Leaflet, ensure_writable
from studio.puzzles.abilities.printable import PaperPrintable
from studio.ui.panels.previews import PagesPanel, save_leaflet, usual_paper
from studio.ui.session.actions import Command
from studio.ui.session.derived import Derived
from studio.ui.session.extension import Extension, View
from studio.ui.session.session import Session

if TYPE_CHECKING:
    pass

LAYING_OUT = "laying out pages"
PAUSE_MS = 200
"""Delay after the last change before pages are laid out."""
PATIENCE_MS = 400


class PagesExtension(Extension[Any]):
    """The paper that goes with a puzzle."""

    def __init__(self, session: Session, pages: PaperPrintable[Any]) -> None:
        super().__init__(session)
        self._pages = pages
        self.panel = PagesPanel(pages.title)
        view = self.panel.view
        self.views = [View("pages", pages.title, self.panel, lambda: None, view.fit, view.zoom_by, self.finish)]
        self.commands = [
            Command("leaflet", f"{pages.title}…", "&File", partial(session.writing.when_checked, self._export), (), "",
                    tr("Save the puzzle's leaflet as PDF or SVG")),
        ]  # fmt: skip
        self._laid_out = Derived(
            session.jobs, LAYING_OUT, self._lay_out, key=_of_shapes, pause=PAUSE_MS, patience=PATIENCE_MS,
            remembered=0, watched=False, parent=self.panel,
        )  # fmt: skip
        self._laid_out.watch_in(self.panel)
        self._laid_out.changed.connect(self._show)
        session.pipeline.shapes_changed.connect(self._follow)
        session.document.renamed.connect(self._follow)

    def finish(self) -> None:
        """Lay the pages out at once, if they are in sight; for pictures."""
        if self.panel.isVisible():
            self._follow()
            self._laid_out.finish()

    def _follow(self, _shapes: object = None, settled: bool = True) -> None:
        """Request the pages of the shapes in sight; the old pages stay until the new ones are known."""
        self._laid_out.ask((self.shapes, self.session.document.title), settled=settled)

    def _lay_out(self, question: tuple[Any, str], progress: Progress) -> Leaflet:
        leaflet = self._pages.leaflet(*question, usual_paper().size, progress)
        ensure_writable(leaflet)
        return leaflet

    def _show(self) -> None:
        known = self._laid_out
        if known.answer is not None:
            self.panel.show_leaflet(known.answer)
        elif known.problem:
            self.panel.show_message(known.problem)
        elif known.is_waiting:
            self.panel.show_message(tr("Laying out pages…"))

    def _export(self, findings: tuple[Finding, ...]) -> None:
        """Ask for a file, and write the paper; refuse a design with errors."""
        session, title, document = self.session, self._pages.title, self.session.document
        errors = errors_of(findings)
        if errors:
            sentence = tr("Fix the errors before saving the leaflet. First error: {message}", message=errors[0].message)
            session.notices.post(sentence, Severity.WARNING)
            return
        name = tr("{puzzle}, {leaflet}", puzzle=document.title, leaflet=within(title))
        lay_out = partial(self._pages.leaflet, self.shapes, document.title)
        save_leaflet(session, title, name, lay_out, usual_paper().paper)


def _of_shapes(question: tuple[Any, str]) -> tuple[int, str]:
    """Key of the pages: the identity of the shapes, and the name."""
    shapes, name = question
    return id(shapes), name

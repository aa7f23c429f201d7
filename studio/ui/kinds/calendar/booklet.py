"""The command that makes a booklet with options: hints, and the solutions of all dates or of some."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from studio.base.amounts import many
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Finding, Severity, errors_of
from studio.puzzles.calendar.model import CalendarDesign
from studio.ui.panels.pages import usual_paper
from studio.ui.session.commands import Command
from studio.ui.session.session import Session

if TYPE_CHECKING:
    from studio.puzzles.calendar.booklet import BookletOptions

TITLE = tr("Booklet with options")


class Booking:
    """Asks for the options of a booklet, and writes it in the background."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.commands = [
            Command("booklet", f"{TITLE}…", "&File", partial(session.writing.when_checked, self.ask), (), "",
                    tr("Choose the hints and solutions of the booklet")),
        ]  # fmt: skip

    def ask(self, findings: tuple[Finding, ...] = ()) -> None:
        """Ask for options and a file name, and write the booklet; that of a design with errors would not help."""
        from studio.export.formats import PAPER
        from studio.puzzles.calendar.booklet import BookletOptions
        from studio.ui.panels.options import ask_for_options

        session = self._session
        if errors := errors_of(findings):
            sentence = tr("Fix the errors before saving the booklet. First error: {message}", message=errors[0].message)
            session.notices.post(sentence, Severity.WARNING)
            return
        design: CalendarDesign = session.document.design
        options = ask_for_options(session, TITLE, BookletOptions(paper=usual_paper().paper), "booklet")
        if options is None:
            return
        filters = [f"{known.title} (*{known.suffix})" for known in PAPER.members]
        name = session.document.title
        path = session.dialogs.file_path(
            TITLE, session.folder / tr("{puzzle}, booklet.pdf", puzzle=name), filters
        )  # fmt: skip
        if path is not None:
            session.writing.write(path, partial(_written, design, name, options, path))


def _written(design: CalendarDesign, name: str, options: BookletOptions, path: Path, progress: Progress) -> str:
    """Write a booklet; returns what was written, in a sentence."""
    from studio.base.units import in_millimetres
    from studio.export.leaflet import ensure_target, write_leaflet
    from studio.export.paper import LeafletOptions
    from studio.puzzles.calendar.booklet import booklet

    ensure_target(path)
    size = LeafletOptions(paper=options.paper).size
    with in_millimetres():
        leaflet = booklet(design, name, size, options, progress.part(0.0, 0.7))
    reports = write_leaflet(leaflet, path, progress.part(0.7, 1.0))
    return tr(
        "Saved and verified: {file}, {pages} of {paper}.",
        file=reports[0].path.name,
        pages=many(sum(report.pages for report in reports), "page"),
        paper=options.paper,
    )

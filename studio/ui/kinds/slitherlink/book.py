"""The command that makes a book of puzzles like the one in the window."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from studio.base.amounts import many
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.slitherlink.model import SlitherlinkParameters
from studio.ui.panels.pages import usual_paper
from studio.ui.session.commands import Command
from studio.ui.session.session import Session

if TYPE_CHECKING:
    from studio.puzzles.slitherlink.book import BookOptions

TITLE = tr("Puzzle book")


class Booking:
    """Asks for the options of a book, and writes it in the background."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.commands = [
            Command("book", f"{TITLE}…", "&File", self.ask, (), "",
                    tr("Make a book of puzzles with these parameters, solutions at the back")),
        ]  # fmt: skip

    def ask(self) -> None:
        """Ask for options and a file name, and write the book."""
        from studio.export.formats import PAPER
        from studio.puzzles.slitherlink.book import BookOptions
        from studio.ui.panels.options import ask_for_options

        session = self._session
        p: SlitherlinkParameters = session.document.design.parameters
        options = ask_for_options(session, TITLE, BookOptions(paper=usual_paper().paper), "book")
        if options is None:
            return
        filters = [f"{known.title} (*{known.suffix})" for known in PAPER.members]
        path = session.dialogs.file_path(TITLE, session.folder / f"{_file_name(options)}.pdf", filters)
        if path is not None:
            session.writing.write(path, partial(_written, p, options, path))


def _file_name(options: BookOptions) -> str:
    """The title as a file's name."""
    name = "".join(letter if letter.isalnum() or letter in " -_" else " " for letter in options.title)
    return " ".join(name.split()) or TITLE


def _written(p: SlitherlinkParameters, options: BookOptions, path: Path, progress: Progress) -> str:
    """Write a book; returns what was written, in a sentence."""
    from studio.export.leaflet import ensure_target, write_leaflet
    from studio.export.paper import LeafletOptions
    from studio.puzzles.slitherlink.book import book_of

    ensure_target(path)
    size = LeafletOptions(paper=options.paper).size
    reports = write_leaflet(book_of(p, options, size, progress.part(0.0, 0.7)), path, progress.part(0.7, 1.0))
    pages = sum(report.pages for report in reports)
    return tr(
        "Saved and verified: {name}, {puzzles} on {pages} of {paper}.",
        name=reports[0].path.name,
        puzzles=many(options.count, "puzzle"),
        pages=many(pages, "page"),
        paper=options.paper,
    )

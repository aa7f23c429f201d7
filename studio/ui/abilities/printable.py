"""Printing in the window: the export of solids, the printer's fit coupon, and pages of paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from studio.base.amounts import extent, many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr, within
from studio.checks.finding import Finding, Severity, errors_of
from studio.puzzles.abilities.printable import PaperPrintable, Printable, Seen
from studio.ui.session.actions import WORKSHOP, Command
from studio.ui.session.derived import Derived
from studio.ui.session.extension import Extension, View
from studio.ui.session.session import Session
from studio.ui.widgets.layout import column

if TYPE_CHECKING:
    from studio.fabricate.gaps_and_plates import Plate
    from studio.fabricate.workshop import Printer
    from studio.geometry.solids.solid import Solid
    from studio.paper.leaflet import Leaflet
    from studio.ui.panels.coupon import CouponRequest
    from studio.ui.panels.printer_export_dialog import PrintJob, PrintRequest
    from studio.ui.session.jobs import Client
    from studio.ui.solid.page import SolidsPage

LAYING_OUT = "laying out pages"
PAUSE_MS = 200
"""Delay after the last change before pages are laid out."""
PATIENCE_MS = 400


class PrintedExtension(Extension[Any]):
    """Files for a 3-D printer."""

    def __init__(self, session: Session, printed: Printable[Any, Any]) -> None:
        super().__init__(session)
        self._printed = printed
        self.commands = [
            Command("print", tr("Export for the "
                "printer…"), "&File", partial(session.writing.when_checked, self._export),
                    (), "", tr("Write 3MF or STL files for a 3-D printer"), is_export=True),
        ]  # fmt: skip
        if printed.seen is not None:
            self.space = SpacePage(session, printed.seen)
            space = self.space
            self.views = [
                View("space", tr("3-D"), space, lambda: None, space.fit, space.zoom_by, space.finish)
            ]  # fmt: skip
        if printed.joints is not None:
            self.commands.append(
                Command("gap_coupon", tr("Fit coupon for the printer…"), WORKSHOP, self._coupon, (), "",
                        tr("Print a small test piece to measure clearance"))
            )  # fmt: skip

    def _export(self, findings: tuple[Finding, ...]) -> None:
        """Make the solids, ask for options and a file, and write them; refuse a design with errors."""
        shapes, able = self.shapes, self._printed
        worst = next((finding.message for finding in errors_of(findings)), "")

        def ask(ready: _Ready) -> None:
            from studio.ui.panels.printer_export_dialog import PrintJob

            self._ask(PrintJob(ready.solids, able.fit(shapes), able.gap(shapes), worst, ready.plates))

        printer = self.session.preferences.workshop_key("printer")
        self.session.writing.prepare(tr("Building solids"), partial(_ready, able.bodies, shapes, printer), ask)

    def _ask(self, job: PrintJob) -> None:
        """Ask for options and a file for solids, and write them."""
        from studio.ui.panels.printer_export_dialog import PrintDialog

        session = self.session
        dialog = PrintDialog(
            job, session.document.title, session.folder, session.preferences, parent=session.dialogs.parent
        )

        def start(request: PrintRequest, client: Client) -> None:
            session.writing.write(request.target, partial(_printed, job.solids, request), client=client)

        session.dialogs.carry_out(dialog, start)
        dialog.deleteLater()

    def _coupon(self) -> None:
        """Ask for gaps to try with the joints of the design, and write their coupon."""
        from studio.ui.panels.coupon import ask_for, gap_coupon

        if self._printed.joints is not None:
            ask_for(
                self.session, gap_coupon(partial(self._printed.joints, self.session.document.design)), _plate_written
            )


class SpacePage(QWidget):
    """The view of the print; its content is loaded when first shown."""

    def __init__(self, session: Session, make: Callable[[Any, Progress], Seen]) -> None:
        super().__init__()
        self._session, self._make = session, make
        self.page: SolidsPage | None = None
        session.pipeline.shapes_changed.connect(self._follow)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the page."""
        super().showEvent(event)
        if self.page is None:
            from studio.ui.solid.page import SolidsPage

            self.page = SolidsPage(self._session, self._make)
            column((self.page, 1), of=self, gap=0)
            self.setFocusProxy(self.page)
        else:
            self.page.ask()

    def fit(self) -> None:
        """Show all pieces."""
        if self.page is not None:
            self.page.panel.view.fit()

    def zoom_by(self, factor: float) -> None:
        """Zoom about the middle."""
        if self.page is not None:
            self.page.panel.view.zoom_by(factor)

    def finish(self) -> None:
        """Wait for the pieces; for pictures."""
        if self.page is not None:
            self.page.finish()

    def _follow(self, _shapes: object, settled: bool) -> None:
        if self.page is not None:
            self.page.ask(settled=settled)


class _Ready(NamedTuple):
    """Solids, and their split into the plates of a printer, by its key and value."""

    solids: tuple[Solid, ...]
    plates: dict[tuple[str, Printer], tuple[Plate, ...]]


def _ready(make: Callable[[Any, Progress], tuple[Solid, ...]], shapes: Any, printer: str, progress: Progress) -> _Ready:
    """Return the solids of shapes with the facts for their dialog, made in a thread so that it opens at once.

    Also loads the modules that write them.
    """
    import studio.exporting.writing  # noqa: F401
    from studio.fabricate.gaps_and_plates import plates
    from studio.fabricate.workshop import USUAL, Printer, one_of

    solids = make(shapes, progress.part(0.0, 0.8))
    for number, solid in enumerate(solids):
        progress.step(0.8 + 0.15 * number / len(solids))
        assert solid.mesh.bounds and solid.mesh.volume is not None
    progress.step(0.95)
    chosen = one_of(Printer, printer or USUAL[Printer])
    try:
        split = plates(solids, chosen)
    except StudioError:
        split = ()
    return _Ready(solids, {(chosen.key, chosen.value): split})


def _plate_written(request: CouponRequest[Any], progress: Progress) -> str:
    from studio.exporting.writing import SolidOptions
    from studio.ui.panels.printer_export_dialog import PrintRequest

    for_printer = PrintRequest(request.path, SolidOptions(), request.path.stem)
    return _printed(request.made.solids, for_printer, progress)


def _printed(solids: Sequence[Solid], request: PrintRequest, progress: Progress) -> str:
    from studio.exporting.writing import write_plates, write_solids

    if request.plates:
        reports = write_plates(request.plates, request.target, progress)
    else:
        reports = write_solids(solids, request.target, request.options, stem=request.stem, progress=progress)
    first, last = reports[0], reports[-1]
    parts = many(sum(report.parts for report in reports), "part")
    volume = tr("{volume:.1f} cm³", volume=sum(report.volume for report in reports) / 1000)
    if len(reports) == 1:
        facts = [first.path.name, parts, extent(first.width, first.depth, first.height), volume]
    else:
        facts = [tr("{first} … {last}", first=first.path.name, last=last.path.name), parts, volume]
    return tr("Saved and verified: {facts}.", facts=", ".join(facts))


class PagesExtension(Extension[Any]):
    """The paper that goes with a puzzle."""

    def __init__(self, session: Session, pages: PaperPrintable[Any]) -> None:
        from studio.ui.panels.previews import PagesPanel

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
        from studio.paper.leaflet import ensure_writable
        from studio.ui.session.writing import usual_paper

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
        from studio.ui.session.writing import save_leaflet, usual_paper

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

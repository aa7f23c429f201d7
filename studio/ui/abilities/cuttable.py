"""Cutting in the window: the canvas with its drawing, the cut plan, export, coupon and workshop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer

from studio.base.amounts import abridged, estimate, extent, many, metres
from studio.base.errors import StudioError
from studio.base.progress import Progress, named
from studio.base.texts import tr
from studio.checks.finding import Finding, errors_of
from studio.geometry.art.artwork import Picture
from studio.geometry.curves.strokes import Ints
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.abilities.cuttable import Cuttable, parts_in_words
from studio.puzzles.abilities.printable import Printable
from studio.ui.canvas.view import Tool
from studio.ui.panels.plan_tab import NO_TRAY, Planning, Rates, Timed, jobs_in_sight, stored_tabs, timed
from studio.ui.session.actions import WORKSHOP, Command
from studio.ui.session.derived import Derived
from studio.ui.session.extension import Extension, View
from studio.ui.session.pipeline import InSight
from studio.ui.session.session import Session
from studio.ui.widgets.theme import current_theme

if TYPE_CHECKING:
    from studio.fabricate.alignment import Alignment
    from studio.fabricate.making import Made, Making
    from studio.fabricate.workshop import Machine, Material, Named
    from studio.geometry.planar.trays import Tray
    from studio.puzzles.abilities.cuttable import Limits
    from studio.ui.panels.export_dialog import ExportRequest, Subject
    from studio.ui.panels.making_choice import Make
    from studio.ui.session.jobs import Client

WORKSHOP_MS = 200
"""Delay after the window appears until its machine is looked up."""
SPEEDS_FOR = 3.0
"""Thickness in mm of a sheet until the material is known."""
DECODING = "decoding"
LIMITS = "limits of the machine"
TIMING, PAUSE_MS = "timing", 400
"""Lane and delay after the last change before the time of all cuts is computed; the check goes first."""
USUAL_SPEED = 15.0
"""Speed in mm/s at which a hobby laser cuts 3 mm plywood, until the machine is known."""


BATCH = "studio.ui.abilities.batching:ask_for_boards"
PROFILES = "studio.ui.panels.colour_profiles:edit_profiles"
RAYFORGE = "studio.ui.panels.workshop:install_in_rayforge"


class CutExtension(Extension[Any]):
    """The drawing on the canvas, and the tools for cutting it."""

    def __init__(self, session: Session, cut: Cuttable[Any]) -> None:
        super().__init__(session)
        self._cut = cut
        self._machine: Named[Machine] | None = None
        self._cutting: Machine | None = None
        self._sheet = SPEEDS_FOR
        self._material: Named[Material] | None = None
        self._rates = Rates()
        self._export = LaserExport(session, cut, self.use_machine)
        self._tray: Tray | None = None
        self._trayed: object = None
        self._tinted: tuple[Ints, Ints] | None = None
        canvas = session.canvas
        self.views = [View("board", tr("Board"), canvas, lambda: None, canvas.view.fit, canvas.view.zoom_by)]
        canvas.view.tool = tool = Tool(self)
        tool.menu_wanted.connect(self.menu_wanted)
        self.planning = Planning(canvas, session.jobs)
        self._time = Derived(session.jobs, TIMING, timed, pause=PAUSE_MS, remembered=0, parent=self)
        self._time.changed.connect(self.changed)
        self._time.changed.connect(self._say_totals)
        self._limits: Limits | None = None
        self._beyond = Derived(session.jobs, LIMITS, self._found_beyond, remembered=0, parent=self)
        self._beyond.changed.connect(self._show_beyond)
        # The board is shown before its picture, which may take half a second.
        canvas.drawing.waits_for_pictures = False
        self._pictures = Derived(session.jobs, DECODING, _decoded, remembered=0, parent=self)
        self._pictures.changed.connect(canvas.drawing.repaint_artwork)
        self.planning.prefer(session.preferences.making_values().get("strategy", ""))
        self.tables = [(tr("Cut plan"), self.planning)]
        self.player = self.planning
        switch = session.preferences.switch
        canvas.show_draft(self._cut.has_edges and switch("canvas/draft", False))
        canvas.drawing.is_filled = switch("canvas/fill", False)
        self.commands = self._commands()
        self.planning.chosen.connect(self._use_strategy)
        self.planning.opened.connect(self.use_machine)
        self.planning.appeared.connect(self.canvas_wanted)
        self.planning.planned.connect(self.changed)
        self.planning.planned.connect(self._say_totals)
        self.planning.times_wanted.connect(self._times)
        session.pipeline.shapes_changed.connect(self._show_shapes)
        session.pipeline.findings_changed.connect(self._show_findings)
        session.document.replaced.connect(self._begin)
        # The window appears without waiting for the workshop's files.
        # Counted from the first turn of the event loop: a slow start waits for no machine.
        QTimer.singleShot(0, self.planning, self._use_machine_later)

    def _use_machine_later(self) -> None:
        QTimer.singleShot(WORKSHOP_MS, self.planning, self.use_machine)

    def _commands(self) -> list[Command]:
        is_printed = self.session.kind.able(Printable) is not None
        when_checked, canvas = self.session.writing.when_checked, self.session.canvas
        draft = Command("draft", tr("Draft"), "&View", self._show_draft, ("D",), "draft",
                        tr("Overlay corners and straight edges"), is_switch=True,
                        is_on=canvas.drawing.is_draft, on_canvas=True, strip="look", in_context=True)  # fmt: skip
        return [
            Command("export", tr("Export for the laser…") if is_printed else tr("Export…"), "&File",
                    partial(when_checked, self._export.ask), ("Ctrl+Shift+E",), "export",
                    tr("Write a file for the laser cutter"), is_export=True),
            Command("export_again", tr("Export again"), "&File", partial(when_checked, self._export.repeat),
                    ("Ctrl+E",), "", tr("Repeat the last export")),
            Command("export_table", tr("Export copies from a table…"), "&File",
                    partial(when_checked, self._export.ask_table), (), "",
                    tr("Cut copies with other pictures and names from shared sheets")),
            Command("send", tr("Send to LightBurn…"), "&File", partial(when_checked, self._export.send),
                    help=tr("Open the sheets in LightBurn; no job is started")),
            Command("line_up", tr("Line up with a print…"), "&File", partial(when_checked, self._export.line_up),
                    (), "", tr("Measure a printed sheet, so that the cuts follow its print")),
            Command("batch", tr("Batch…"), "&File", lambda: named(BATCH)(self.session), (), "",
                    tr("Make many boards with these parameters, each with a different seed")),
            Command("coupon", tr("Fit coupon for the laser…") if is_printed else tr("Fit coupon…"), WORKSHOP,
                    self._coupon, (), "", tr("Cut a small test piece to measure kerf")),
            Command("card", tr("Make test card…"), WORKSHOP, self._card, help=tr("Test power and speed for a recipe")),
            Command("times", tr("How long did it take?…"), WORKSHOP, self._times, (), "",
                    tr("Log the time of a job, so that estimates come true")),
            Command("workshop", tr("Machines and materials…"), WORKSHOP, self._workshop,
                    help=tr("Set bed sizes, speeds, kerfs and clearances")),
            Command("profiles", tr("Colour profiles…"), WORKSHOP, lambda: named(PROFILES)(self.session),
                    help=tr("Set colours and layers of files for your laser software")),
            Command("rayforge", tr("Install the Rayforge add-on"), WORKSHOP, lambda: named(RAYFORGE)(self.session),
                    help=tr("Let Rayforge open .puzzle files")),
            Command("true_size", tr("Actual size"), "&View", self._true_size, ("1",), help=tr("Zoom to 100 %"),
                    on_canvas=True),
            *([draft] if self._cut.has_edges else []),
            Command("fill", tr("Fill pieces"), "&View", self._show_fill, ("C",), "fill",
                    tr("Colour the pieces to compare their shapes"), is_switch=True,
                    is_on=canvas.drawing.is_filled, on_canvas=True, strip="look", in_context=True),
        ]  # fmt: skip

    @property
    def drawing(self) -> Drawing:
        """The drawing to be cut."""
        return self._cut.drawing(self.shapes)

    @property
    def numbers(self) -> str:
        """Pieces, length of cuts, and approximate time; for printed or pen-drawn designs their amount only."""
        uncut = self._cut.uncut(self.shapes, self.session.canvas.isVisible())
        if uncut:
            return uncut
        drawing = self.drawing
        speed = USUAL_SPEED if self._cutting is None else self._cutting.cut_speed
        plan, known = self.planning.plan, self._known
        tray = NO_TRAY if self._tray is None or known is None else known.tray
        said = tr(
            "{pieces} · {length} of cuts at {speed:g} mm/s",
            pieces=parts_in_words(len(drawing.pieces) + tray.parts, self._cut.piece_count(self.shapes)),
            length=metres(drawing.cut_length + tray.cut),
            speed=round(speed, 1),
        )
        seconds = plan.seconds if plan is not None else known.seconds if known is not None else None
        time = []
        if seconds is not None:
            time = [tr("about {duration}", duration=estimate(seconds + tray.seconds, self._rates.error))]
            time += filter(None, [self._cost(seconds + tray.seconds)])
        tabs = [many(plan.tab_count, "tab")] if plan is not None and plan.tab_count else []
        return " · ".join([said, *time, *tabs])

    @property
    def _known(self) -> Timed | None:
        """The last known time of all sheets, perhaps for an older drawing."""
        return self._time.last if self._time.answer is None else self._time.answer

    def _cost(self, seconds: float) -> str:
        sheets = [self.drawing] if self._tray is None else [self.drawing, self._tray.drawing]
        return self._rates.cost(self._cutting, sheets, seconds)

    def _say_totals(self) -> None:
        """Show the totals of board and tray, and the cost of the puzzle, in the cut plan."""
        plan, known, sentences = self.planning.plan, self._time.answer, list[str]()
        if known is not None:
            seconds = (known.seconds if plan is None else plan.seconds) + known.tray.seconds
            if self._tray is not None:
                length, time = self.drawing.cut_length + known.tray.cut, estimate(seconds, self._rates.error)
                sentences.append(
                    tr("Board and tray: {length}, about {duration}.", length=metres(length), duration=time)
                )
            if cost := self._cost(seconds):
                sentences.append(tr("Cost: {cost}.", cost=cost))
        self.planning.show_totals(" ".join(sentences), self._rates.error)

    # Display

    def _begin(self) -> None:
        self._export.last, self._export.alignments = None, ()
        self.session.canvas.view.fit()

    def _show_shapes(self, _shapes: object, settled: bool) -> None:
        canvas, drawing = self.session.canvas, self.drawing
        if drawing.artwork or self._pictures.question is not None:
            self._ask_pictures(drawing)
        self._follow_tray(settled=settled)
        canvas.show_drawing(drawing, settled, self._tray)
        if canvas.drawing.is_filled:
            self._tint(drawing)
        self.planning.show_drawing(drawing, settled, self._tray)
        if settled:
            self._set_speeds()
            self.changed.emit()
            self._ask_limits()
        self._ask_time(settled=settled)

    def _follow_tray(self, *, settled: bool) -> None:
        """Take the tray of the shapes in sight; during a drag, one that takes long to make is kept until the end."""
        parameters = self.session.pipeline.design.parameters
        is_kept = self._tray is not None and not self._tray.is_quick and self._trayed == parameters
        if settled or not is_kept:
            self._tray, self._trayed = self._cut.tray(self.shapes), parameters

    def _ask_pictures(self, drawing: Drawing) -> None:
        data = tuple(each.data for each in drawing.artwork if isinstance(each, Picture))
        self._pictures.ask(data or None)

    def _ask_time(self, *, settled: bool = True) -> None:
        # Once the machine is known: a start need not wait for the planner.
        if self._cutting is not None:
            self._time.ask((self.drawing, self._tray, self._cutting), settled=settled)

    def _ask_limits(self) -> None:
        # Once the machine is known: a start need not wait for it.
        if self._limits is not None:
            self._beyond.ask((InSight(self.session.pipeline.design, self.shapes), self._limits))

    def _found_beyond(self, question: tuple[InSight, Limits], progress: Progress) -> tuple[Finding, ...]:
        from studio.puzzles.abilities.cuttable import beyond

        (sight, limits), kind = question, self.session.kind
        return beyond(self._cut, sight.design, sight.shapes, limits, lambda design: kind.shape(design, None, progress))

    def _show_beyond(self) -> None:
        if self._beyond.answer is not None:
            self.session.pipeline.show_beside(self._beyond.answer)

    def _show_findings(self, findings: tuple[Finding, ...] | None) -> None:
        self.session.canvas.show_findings(findings)
        if not self.session.canvas.view.is_dragging:
            self.planning.show_findings(findings)

    def show_finding(self, finding: Finding) -> None:
        """Point at a finding on the canvas."""
        self.session.canvas.show_finding(finding)

    def finish(self) -> None:
        """Wait for pictures, and for the time of all cuts."""
        self._pictures.finish()
        self.session.canvas.drawing.finish()
        if self._cutting is None:
            self.use_machine()
        self._time.finish()
        self._beyond.finish()

    def pause(self) -> None:
        """Pause the player of the cut plan, with no piece falling."""
        if self.planning.panel is not None:
            self.planning.panel.player.rest()

    def seek(self, share: float) -> None:
        """Show the sheet after a share of the cutting time."""
        self.planning.finish()
        if self.planning.panel is not None:
            self.planning.panel.player.seek_share(share)
            self.planning.panel.player.rest()

    def _show_draft(self, draft: bool) -> None:
        self.session.canvas.show_draft(draft)
        self.session.preferences.set_switch("canvas/draft", draft)

    def _show_fill(self, filled: bool) -> None:
        self.session.canvas.drawing.is_filled = filled
        self._tint(self.drawing, changed=True)
        self.session.preferences.set_switch("canvas/fill", filled)

    def _tint(self, drawing: Drawing, *, changed: bool = False) -> None:
        from studio.geometry.planar.regions import tints

        layer, codes = self.session.canvas.drawing, drawing.pieces.codes
        if self._tinted is None or self._tinted[0] is not codes:
            self._tinted, changed = (codes, tints(drawing.pieces, len(current_theme().pieces))), True
        if changed:
            layer.show_fill(layer.is_filled, self._tinted[1])

    def _true_size(self) -> None:
        view = self.session.canvas.view
        view.zoom_to(view.true_zoom)

    # Export

    def use_machine(self) -> None:
        """Show times for the machine chosen last, or the default one if that is gone."""
        from studio.fabricate.workshop import USUAL, Machine, Material, one_of

        key = self.session.preferences.workshop_key
        material: Named[Material] | None = None
        with suppress(StudioError):
            self._machine = one_of(Machine, key("machine") or USUAL[Machine])
        with suppress(StudioError):
            material = one_of(Material, key("material") or USUAL[Material])
            self._sheet = material.value.thickness
        self._material = material
        self._use_limits(material)
        self.planning.set_tabs(stored_tabs(self.session.preferences.making_values()))
        is_other = self._rates.learn(self._machine, material)
        if self._set_speeds() or is_other:
            self._ask_time()
            self.changed.emit()
            self._say_totals()

    def _use_limits(self, material: Named[Material] | None) -> None:
        """Check pieces against the bed of the machine and the kerf of a material."""
        if self._machine is None or material is None:
            return
        from studio.fabricate.recipes import equipped
        from studio.puzzles.abilities.cuttable import MARGIN, Limits

        preferences, machine = self.session.preferences, self._machine.value
        limits = Limits.with_margin(
            self._machine.title, machine.bed_width, machine.bed_height,
            preferences.making_values().get("margin", MARGIN), material=material.title,
            kerf=equipped(self._machine, material)[1].kerf,
            is_chosen=bool(preferences.workshop_key("machine")),
        )  # fmt: skip
        if limits != self._limits:
            self._limits = limits
            self._ask_limits()

    def _set_speeds(self) -> bool:
        """Show times for the thickness of the design or the last material; return whether they changed."""
        if self._machine is None:
            return False
        from studio.fabricate.workshop import for_thickness

        need = self._cut.thickness(self.shapes)
        from studio.fabricate.recipes import equipped

        machine = self._machine.value
        if self._material is not None and (need is None or need.fits(self._sheet)):
            # A recipe is for sheets of its material's thickness.
            machine, _ = equipped(self._machine, self._material)
        cutting = for_thickness(machine, self._sheet if need is None else need.needed)
        if cutting == self._cutting:
            return False
        self._cutting = cutting
        self.planning.set_machine(self._machine.title, cutting)
        return True

    def _use_strategy(self, _strategy: object) -> None:
        """Make the order chosen in the cut plan the default for exports."""
        plan, preferences = self.planning.plan, self.session.preferences
        if plan is None:
            return
        values = preferences.making_values()
        strategy = "usual" if self.planning.suits_best else plan.strategy.value
        if values.get("strategy", "usual") != strategy:
            preferences.set_making_values(values | {"strategy": strategy})

    def _coupon(self) -> None:
        from studio.ui.panels.coupon import ask_for, coupon_written, kerf_coupon

        ask_for(self.session, kerf_coupon(partial(self._cut.joint, self.shapes)), coupon_written)
        self.use_machine()

    def _card(self) -> None:
        from studio.ui.panels.coupon import ask_for, card_written, power_card

        ask_for(self.session, power_card(), card_written)
        self.use_machine()

    def _times(self) -> None:
        from studio.ui.panels.times_dialog import ask_for_times

        sheets = self.session.document.title, self.drawing, self._tray
        ask_for_times(self.session, partial(jobs_in_sight, *sheets, self._cutting, self._sheet))
        self.use_machine()

    def _workshop(self) -> None:
        from studio.ui.panels.workshop import edit_workshop

        edit_workshop(self.session)
        self.use_machine()


class LaserExport:
    """The export of the puzzle in sight for the laser, which can be repeated."""

    def __init__(self, session: Session, cut: Cuttable[Any], exported: Callable[[], object]) -> None:
        """`exported` is called once the dialog is closed, in which another machine may have been chosen."""
        self._session, self._cut, self._exported = session, cut, exported
        self.last: ExportRequest | None = None
        """The last export of the document."""
        self._table: Path | None = None
        """The table of its copies, if it had one."""
        self.alignments: tuple[Alignment, ...] = ()
        """The alignments of the document's print measured last."""

    def ask_table(self, findings: tuple[Finding, ...]) -> None:
        """Ask for a table of copies, and export them together."""
        session = self._session
        path = session.dialogs.open_path(session.folder, tr("Table of copies"), tr("Tables (*.csv)"))
        if path is not None:
            self.ask(findings, table=path)

    def ask(
        self, findings: tuple[Finding, ...], alignments: tuple[Alignment, ...] = (), table: Path | None = None
    ) -> None:
        """Ask for what is to be written, copies of a table or aligned if a print was measured, and write it."""
        from studio.ui.panels.export_dialog import ExportDialog

        session, make = self._session, self._made_of(table)
        if alignments:
            from studio.ui.panels.alignment_dialog import make_aligned

            make = partial(make_aligned, make, alignments)
        dialog = ExportDialog(
            replace(self._subject(findings), alignments=alignments), session.document.title, session.folder,
            session.preferences, make, session.jobs, parent=session.dialogs.parent,
        )  # fmt: skip

        def start(request: ExportRequest, client: Client) -> None:
            self.last, self._table = request._replace(made=None), table
            self._write(request, client)

        session.dialogs.carry_out(dialog, start)
        dialog.trial.stop()
        dialog.deleteLater()
        self._exported()
        if dialog.fix is not None:
            session.changing.make(dialog.fix.title, dialog.fix.change)
            session.writing.when_checked(self.ask)

    def line_up(self, findings: tuple[Finding, ...]) -> None:
        """Measure the marks of a print, and export the cuts that follow it."""
        from studio.ui.panels.alignment_dialog import ask_to_line_up

        found = ask_to_line_up(self._session, self._subject(findings), self._made_of(), self.alignments)
        if found is not None:
            self.alignments = found
            self.ask(findings, found)

    def send(self, findings: tuple[Finding, ...]) -> None:
        """Ask how the sheets are sent to LightBurn, and send them."""
        from studio.ui.panels.send_dialog import ask_to_send

        ask_to_send(self._session, replace(self._subject(findings), alignments=self.alignments), self._made_of())
        self._exported()

    def _subject(self, findings: tuple[Finding, ...]) -> Subject:
        from studio.ui.panels.export_dialog import Subject

        cut, shapes = self._cut, self._session.shapes
        return Subject(
            cut.drawing(shapes), len(errors_of(findings)), self._misfit,
            (*cut.left_out(shapes), *_said(cut.tray(shapes))), cut.piece_count(shapes), self.last,
        )  # fmt: skip

    def _made_of(self, table: Path | None = None) -> Make:
        """How the open design is made: alone, or the copies that a table lists, read when they are made."""
        tray = self._cut.tray(self._session.shapes)
        if table is None:
            return partial(_make, tray)
        from studio.batch.boards import TableOfCopies
        from studio.files.store import Saved

        saved = Saved(self._session.kind, self._session.document.design)
        return TableOfCopies(saved, table, tray).make

    def repeat(self, findings: tuple[Finding, ...]) -> None:
        """Repeat the last export, of its table, too; ask if there was no export, or if there are errors."""
        last = self.last
        if last is None:
            self.ask(findings)
            return
        need = self._cut.thickness(self._session.shapes)
        wrong = bool(errors_of(findings)) or (need is not None and not need.fits(last.material.thickness))
        if wrong and not last.force:
            self.ask(findings, table=self._table)
        else:
            self._write(last._replace(force=wrong))

    def _misfit(self, material: Named[Material]) -> Finding | None:
        need, session = self._cut.thickness(self._session.shapes), self._session
        if need is None:
            return None
        return need.problem(session.document.design, session.kind.noun, material.title, material.value.thickness)

    def _write(self, request: ExportRequest, client: Client | None = None) -> None:
        shapes = self._session.shapes
        drawing = self._cut.drawing(shapes)
        noun = "piece" if self._cut.piece_count(shapes) == len(drawing.pieces) else "part"
        work = partial(_written, drawing, self._made_of(self._table), noun, request)
        self._session.writing.write(request.path, work, client=client)


def _decoded(pictures: tuple[bytes, ...], _progress: Progress) -> tuple[object, ...]:
    """Return pictures decoded for the screen, which keeps them as long as they are shown."""
    from studio.ui.canvas.ink import sizes_of

    return tuple(map(sizes_of, pictures))


def _make(
    tray: Tray | None, drawing: Drawing, making: Making, machine: Machine, material: Material, progress: Progress
) -> Made:
    # Imported when something is made: a start need not wait for the planner.
    from studio.fabricate.making import made

    return made(drawing, making, machine, material, progress, tray=tray)


def _written(drawing: Drawing, make: Make, noun: str, request: ExportRequest, progress: Progress) -> str:
    """Make a drawing and its tray, or copies of it, and write all sheets or none; return a sentence on the files.

    `noun` is the noun for the parts.
    """
    from studio.exporting import laser_files
    from studio.exporting.formats import LASER
    from studio.exporting.laser_files import companions
    from studio.exporting.writing import left_over, warned_of
    from studio.fabricate.recipes import recipe_of
    from studio.fabricate.workshop import run_of

    made = request.made
    if made is None:
        made = make(drawing, request.making, request.machine, request.material, progress.part(0.0, 0.5))
        if request.alignments:
            from studio.fabricate.alignment import aligned

            made = aligned(made, request.making, request.alignments)
    sheets = [plan.drawing for plan in made.plans]
    run = replace(run_of(request.machine, request.material, *request.titles), note=made.alignment)
    options = replace(request.options, recipe=recipe_of(request.machine), run=run)
    reports = laser_files.write_all(
        sheets, request.path, options, beside=made.beside, tray=made.tray_sheets, fronts=made.fronts,
        rests=made.rests, force=request.force, progress=progress.part(0.5, 1.0),
    )  # fmt: skip
    reports, more = reports[: len(sheets)], reports[len(sheets) :]
    first, last = reports[0], reports[-1]
    is_one = len(reports) == 1
    facts = (
        first.path.name if is_one else tr("{first} … {last}", first=first.path.name, last=last.path.name),
        *(one.name for one in companions(request.path, len(sheets), request.options)),
        extent(first.width, first.height) if is_one else many(len(reports), "sheet"),
        *([tr("with {file}", file=abridged([report.path.name for report in more], 2))] if more else []),
        many(sum(report.faces for report in reports), noun),
        many(sum(sheet.cut_count for sheet in (*sheets, *made.tray_sheets)), "cut"),
        *([many(made.tab_count, "holding tab")] if made.tab_count else []),
        metres(sum(report.cut_length for report in (*reports, *more[len(made.beside) :]))),
        estimate(made.seconds, _remembered(request, [*sheets, *made.tray_sheets])),
    )
    # A picture is read back in the tests alone.
    is_picture, told = LASER.of(request.path).is_picture, ", ".join(facts)
    sentence = tr("Saved: {facts}.", facts=told) if is_picture else tr("Saved and verified: {facts}.", facts=told)
    return f"{sentence} {warned_of(left_over(request.path, len(reports)))}".strip()


def _remembered(request: ExportRequest, sheets: Sequence[Drawing]) -> float:
    """Keep an export as jobs whose time can be logged; return the relative error of estimates for its machine."""
    from studio.exporting.laser_files import engraved_size
    from studio.fabricate.cutting_time import raster_workload
    from studio.fabricate.job_log import remember_export

    options = request.options
    is_engraved = options.raster or options.raster_png
    pictures = [raster_workload(*engraved_size(one), options.raster_dpi) for one in sheets if is_engraved]
    return remember_export(
        request.machine_key, request.path.stem, sheets, request.machine, request.material.thickness, pictures
    )


def _said(tray: Tray | None) -> tuple[str, ...]:
    """Return the notes about a tray."""
    if tray is None:
        return ()
    from studio.fabricate.making import stated

    return (stated(tray),)

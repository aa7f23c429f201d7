"""The dialog for an export to the laser cutter: file, making and preview.

It writes nothing itself: its opener takes its `request()` when it is accepted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QSizePolicy, QWidget

from studio.base.amounts import abridged, duration, estimate, extent, listed, many, metres, share
from studio.base.texts import tr
from studio.checks.finding import Finding, Repair
from studio.exporting.colour_profiles import profile
from studio.exporting.laser_files import companions
from studio.exporting.options import OF_ARTWORK, LaserOptions
from studio.exporting.writing import beside_path, sheet_paths, tray_paths
from studio.fabricate.alignment import Alignment
from studio.fabricate.costs import Prices, pricing
from studio.fabricate.job_log import known_spread
from studio.fabricate.making import TO_BURN, Made, Making, oversize_tray
from studio.fabricate.workshop import Machine, Material, Named
from studio.geometry.planar.drawing import Drawing, Operation
from studio.geometry.planar.regions import Move
from studio.puzzles.abilities.cuttable import parts_in_words
from studio.ui.panels.file_dialog import (
    COLUMN_GAP,
    RIM,
    FileChoice,
    FileDialog,
    FolderChooser,
    choose_folder,
    large_words,
    refused_by,
)
from studio.ui.panels.making_choice import UNALIGNED, Make, MakingChoice, MakingRequest, Outcome, Trial
from studio.ui.panels.previews import SheetPages
from studio.ui.panels.workshop import WorkshopDialog
from studio.ui.session.dialogs import CANCEL
from studio.ui.session.jobs import Jobs
from studio.ui.session.preferences import Preferences
from studio.ui.session.writing import unwritable
from studio.ui.widgets.controls import GROUP_GAP, ROW_GAP, Remark, heading, hint_label
from studio.ui.widgets.layout import REST, Item, column, fit_on_screen, grid, holding, row, scrolled
from studio.ui.widgets.theme import GAP, MARGIN, heading_font

# The preview of an export: the sheets, their cost and notes.


LINES = {"shared": tr("Single line"), "separate": tr("Separate outlines")}
OF_APART = {"shared": tr("In place"), "separate": tr("Rearranged")}
"""Cut styles of a drawing whose pieces share no line, both compensated for the kerf."""
MOST_NOTES = 4
UNKNOWN = "…"
IMPOSSIBLE = tr("not possible")


class Costs(QWidget):
    """The cut length and the time of both ways, one above the other; the chosen one is emphasised."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        super().__init__()
        self._titles = titles
        self.error = 0.0
        """Relative error of times; 0 if it is unknown."""
        self._cells = {lines: (QLabel(title), QLabel(), QLabel()) for lines, title in titles.items()}
        whole = grid(*self._cells.values(), across=MARGIN, down=ROW_GAP)
        whole.setColumnStretch(0, 1)
        self.setLayout(whole)
        for cells in self._cells.values():
            for cell in cells:
                whole.setAlignment(
                    cell, Qt.AlignmentFlag.AlignLeft if cell is cells[0] else Qt.AlignmentFlag.AlignRight
                )

    def show_costs(self, lines: str, outcome: Outcome | None, other: Outcome | None) -> None:
        """Show the costs of the chosen way and the other."""
        said = []
        for name, cells in self._cells.items():
            known = outcome if name == lines else other
            cut, time = _cost(known, self.error)
            font = QApplication.font() if name != lines else heading_font(QApplication.font())
            for cell, text in zip(cells, (self._titles[name], cut, time), strict=True):
                cell.setText(text)
                cell.setFont(font)
                quiet = QPalette.ColorRole.WindowText if name == lines else QPalette.ColorRole.PlaceholderText
                cell.setForegroundRole(quiet)
                cell.setToolTip(known.refusal if known is not None else "")
            said.append(f"{self._titles[name]}: {', '.join(filter(None, (cut, time)))}")
        self.setAccessibleName("; ".join(said))


class OutcomeView(QWidget):
    """Shows the state of a trial, and its result."""

    def __init__(self, *, shares_lines: bool) -> None:
        super().__init__()
        self.pages = SheetPages()
        self.summary = heading()
        self.summary.setWordWrap(True)
        self.costs = Costs(LINES if shares_lines else OF_APART)
        self.too_large = Remark("warning")
        self.notes = [Remark("warning") for _ in range(MOST_NOTES)]
        self.more, self.engraving, self.cost, self.alignment = (hint_label() for _ in range(4))
        facts = (self.engraving, self.cost, self.alignment)
        words = (self.summary, self.costs, *facts, self.too_large, *self.notes, self.more)
        column((self.pages, 1), *words, of=self)

    def show_trial(self, trial: Trial) -> None:
        """Show the present state."""
        outcome, request = trial.outcome, trial.request
        made = outcome.made if outcome is not None else None
        if made is not None:
            beside = (drawing for _, _, drawing in made.beside)
            self.pages.picture.free = request.making.area if request is not None else None
            self.pages.show_sheets([*made.sheets, *beside, *made.tray_sheets], len(made.sheets))
            self.pages.picture.wrong = made.misplaced
        elif outcome is not None:
            self.pages.show_sheets(())
        # The old sheets stay, pale, until the new ones are known: nothing flickers.
        self.pages.picture.is_faded = outcome is None
        self.summary.setText(_summary(outcome, trial.progress))
        self.costs.show_costs(request.making.lines if request is not None else "", outcome, trial.other)
        self.too_large.say(_too_large(made, request.machine) if made is not None and request is not None else "")
        self.alignment.setText(made.alignment if made is not None else "")
        self.alignment.setVisible(made is not None and bool(made.alignment))
        notes = made.notes if made is not None else ()
        for number, remark in enumerate(self.notes):
            remark.say(notes[number] if number < len(notes) else "")
        rest = len(notes) - len(self.notes)
        self.more.setText(tr("And {notes}.", notes=many(rest, "more note")) if rest > 0 else "")
        self.more.setToolTip("\n".join(notes[len(self.notes) :]))
        self.more.setVisible(rest > 0)


def _cost(outcome: Outcome | None, error: float) -> tuple[str, str]:
    if outcome is None:
        return UNKNOWN, UNKNOWN
    if outcome.made is None:
        return "", IMPOSSIBLE
    return metres(outcome.made.cut), estimate(outcome.made.seconds, error)


def _too_large(made: Made, machine: Machine) -> str:
    """Return a sentence on a sheet that fits the bed neither way round; empty if all fit."""
    bed = sorted((machine.bed_width, machine.bed_height))
    for sheet in (plan.drawing for plan in made.plans):
        if any(side > room for side, room in zip(sorted((sheet.width, sheet.height)), bed, strict=True)):
            return tr(
                "The sheet is larger than the machine bed ({bed_width:g} × {bed_height:g} mm). Choose the machine "
                "bed as the sheet to split the board along cut lines.",
                bed_width=machine.bed_width,
                bed_height=machine.bed_height,
            )
    return oversize_tray(made.tray, machine)


def _summary(outcome: Outcome | None, progress: float) -> str:
    """Return the number of sheets and the share of them that pieces cover, or the progress, in words."""
    if outcome is None:
        return tr("Laying out sheets… {done}", done=share(progress)) if progress else tr("Laying out sheets…")
    made = outcome.made
    if made is None:
        return tr("Cannot create this layout.")
    used = sum(made.use) / len(made.use)
    words = tr("{sheets}, {share} used", sheets=many(len(made.plans), "sheet"), share=share(used))
    if not made.tray:
        return words
    return tr("{sheets}, and {trays} for the tray", sheets=words, trays=many(len(made.tray), "sheet"))


ORDER_HINT = tr(
    "Cuts are already in order, border last. Turn off cut optimisation in your laser software, or order by layer."
)
FILE_WIDTH, MAKING_WIDTH, OUTCOME_WIDTH = 400, 392, 344
WHOLE_WIDTH = FILE_WIDTH + MAKING_WIDTH + OUTCOME_WIDTH + 2 * COLUMN_GAP + 2 * RIM
"""Width below which machine and material go below the file."""
MOST_NAMED = 3
"""Number of files up to which all are named; of more the first and the last."""
SCREEN_RIM = 48
"""Pixels of a screen kept for the desktop's bars and the window's frame."""


@dataclass(frozen=True, eq=False)
class Subject:
    """An export's subject: a drawing, its number of errors, and facts for the dialog.

    `misfit` returns the mismatch of a material, `notes` are sentences such as on parts that cannot be cut, `pieces` is
    the number of cut parts that are pieces of the puzzle, `before` the request of the last export, and `alignments` are
    those of its sheets with a print.
    """

    drawing: Drawing
    errors: int = 0
    misfit: Callable[[Named[Material]], Finding | None] = lambda _material: None
    notes: tuple[str, ...] = ()
    pieces: int | None = None
    before: ExportRequest | None = None
    alignments: tuple[Alignment, ...] = ()

    def counts(self, made: Made | None) -> str:
        """Return the number of parts and cuts and their length, drawn or made."""
        sheets = [self.drawing] if made is None else [plan.drawing for plan in made.plans]
        parts = sum(len(sheet.pieces) for sheet in sheets)
        copies = parts // max(len(self.drawing.pieces), 1)
        pieces = parts if self.pieces is None else copies * self.pieces
        if made is not None:
            sheets += made.tray_sheets
            parts += sum(len(sheet.pieces) for sheet in made.tray_sheets)
        return tr(
            "Scale 1:1 · {parts} · {cuts} · {length}",
            parts=parts_in_words(parts, pieces),
            cuts=many(sum(sheet.cut_count for sheet in sheets), "cut"),
            length=metres(sum(sheet.cut_length for sheet in sheets)),
        )

    def size(self, made: Made | None) -> str:
        """Return the size of the sheet, drawn or made, with the number of several sheets."""
        sheet = self.drawing if made is None else made.plans[0].drawing
        size = extent(sheet.width, sheet.height)
        if made is None or len(made.plans) == 1:
            return size
        return tr("{sheets} of {size}", sheets=many(len(made.plans), "sheet"), size=size)


ShowWorkshop = Callable[[WorkshopDialog], object]


class ExportRequest(NamedTuple):
    """Request for an export: file, options, making, and `force` for a puzzle with errors.

    `made` is the result at the time of the maker's consent; without it, it is made again. `titles` are those of machine
    and material, `machine_key` is the machine's in the workshop, and `alignments` are those of the sheets with a print.
    """

    path: Path
    options: LaserOptions
    force: bool
    making: Making = Making()
    machine: Machine = Machine()
    material: Material = Material()
    made: Made | None = None
    titles: tuple[str, str] = ("", "")
    machine_key: str = ""
    alignments: tuple[Alignment, ...] = ()


class ExportDialog(FileDialog):
    """File, making and outcome of one export; remembers the choices when the export begins."""

    def __init__(
        self,
        subject: Subject,
        name: str,
        folder: Path,
        preferences: Preferences,
        make: Make,
        jobs: Jobs,
        *,
        chooser: FolderChooser = choose_folder,
        show_workshop: ShowWorkshop = WorkshopDialog.exec,
        room: QSize | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`room` limits its size, by default to the screen."""
        without = () if subject.drawing.artwork else OF_ARTWORK
        file = FileChoice(name, folder, preferences, without=without, chooser=chooser)
        title = tr("Export, lined up with the print") if subject.alignments else tr("Export")
        super().__init__(title, file, CANCEL, parent)
        self._subject = subject
        self._room = _screen() if room is None else room
        self._show_workshop = show_workshop
        self._is_waiting = False
        self._pricing = pricing()
        self._there = self._agreed = 0
        self._moves: dict[str, Move] = {}
        self.fix: Repair | None = None
        before = subject.before
        self.making = MakingChoice(
            preferences,
            shares_lines=subject.drawing.shares_lines,
            has_artwork=bool(subject.drawing.artwork),
            has_engraving=any(one.operation is Operation.ENGRAVE for one in subject.drawing.chains),
            suits=lambda material: subject.misfit(material) is None,
            before=None if before is None else MakingRequest(before.making, before.machine, before.material),
        )
        file.form.add(tr("Cut from"), self.making.offcut)
        label_width = max(file.form.label_width, self.making.form.label_width)
        for form in (file.form, self.making.form):
            form.align(label_width)
        self.outcome = OutcomeView(shares_lines=subject.drawing.shares_lines)
        self.trial = Trial(subject.drawing, make, jobs, self)
        errors = self._subject.errors
        self.true_size = large_words(self._subject.size(None))
        self.counts = hint_label(self._subject.counts(None))
        self.refusal, self.misfit = Remark("error"), Remark("error")
        self.fix_button = QPushButton()
        self.fix_button.setAutoDefault(False)
        self.left_out = Remark("hint", " ".join(self._subject.notes))
        self.order = hint_label(ORDER_HINT)
        self.note = Remark("hint")
        self.errors = Remark(
            "warning",
            tr("{errors}: the puzzle will not work as designed. See Problems.", errors=many(errors, "error"))
            if errors
            else "",
        )
        self.waiting = hint_label(tr("The file will be written when the layout is finished."))
        self.waiting.hide()
        self.workshop = self.add_button(tr("Machines and materials…"))
        self._lay_out()
        self._listen()
        self._ask()
        self.resize(self.sizeHint())
        self.begin_with_name()

    def request(self) -> ExportRequest:
        """Return the maker's request."""
        asked = self._asked()
        outcome = self.trial.outcome
        return ExportRequest(
            self.file.path(), self.file.options(), self._is_forced, asked.making, asked.machine, asked.material,
            outcome.made if outcome is not None else None,
            (self.making.machine.chosen().title, self.making.material.chosen().title),
            self.making.machine.chosen().key, self._subject.alignments,
        )  # fmt: skip

    def accept(self) -> None:
        """Remember the choices and export; wait for pending sheets first, and stay if there is a problem."""
        if self._problem():
            return
        outcome = self.trial.outcome
        if outcome is None:
            self._is_waiting, self._agreed = True, self._there
            self._judge()
            return
        if outcome.made is None or outcome.made.misplaced:
            return
        self.file.remember()
        self.making.remember()
        rests = companions(self.file.path(), len(outcome.made.plans), self.file.options())
        self.making.offcut.remember([path for path in rests if path.suffix == ".svg"])
        super().accept()

    @property
    def _misfit(self) -> Finding | None:
        return self._subject.misfit(self.making.material.chosen())

    @property
    def _is_forced(self) -> bool:
        """True if the export ignores errors of the puzzle or a misfit of the material."""
        return self._subject.errors > 0 or self._misfit is not None

    def _request_fix(self) -> None:
        """Close without an export, so that the puzzle is adapted to the material."""
        misfit = self._misfit
        if misfit is not None:
            self.fix = misfit.repair
            self.file.remember()
            self.making.remember()
            self.reject()

    def reject(self) -> None:
        """Close without an export."""
        self.trial.stop()
        super().reject()

    def _lay_out(self) -> None:
        remarks = (self.making.no_offcut, GAP, self.errors, GAP, self.left_out, GAP, self.note, GAP, self.order)
        file = _Column(FILE_WIDTH, tr("File"), self.file, *remarks, REST)
        making = _Column(MAKING_WIDTH, tr("Machine and material"), self.making, REST)
        outcome = _Column(OUTCOME_WIDTH, tr("Preview"), (self.outcome, 1))
        is_narrow = self._room.width() < WHOLE_WIDTH
        fields = column(file, making, gap=GROUP_GAP) if is_narrow else row(file, making, gap=COLUMN_GAP)
        self._fields = holding(fields)
        # Fields scroll on small screens; the preview and its figures stay in sight.
        self._area = scrolled(self._fields)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        bar = self._area.verticalScrollBar().sizeHint().width()
        self._area.setMinimumWidth(self._fields.minimumSizeHint().width() + bar)
        outcome.setMinimumWidth(OUTCOME_WIDTH)
        if self._area.minimumWidth() + OUTCOME_WIDTH + COLUMN_GAP + 2 * RIM > self._room.width():
            # On the smallest screens there is room only below the fields.
            fields.addWidget(outcome)
            self._content = row((self._area, 1))
        else:
            self._content = row((self._area, 1), outcome, gap=COLUMN_GAP)
        # Below all fields, so that it moves none of them.
        misfit = row((self.misfit, 1), self.fix_button)
        self.lay_out([self.true_size, self.counts], self._content, [self.refusal, misfit, self.waiting])

    def sizeHint(self) -> QSize:
        """Show everything, as far as the screen allows."""
        return self.whole_size().boundedTo(self._room)

    def adjust(self) -> None:
        """Make room for the present content."""
        fit_on_screen(self, self._room)

    def whole_size(self) -> QSize:
        """Return the size of the dialog without scrolling."""
        now, fields = self._content.sizeHint(), self._fields.sizeHint()
        area = self._area.sizeHint().expandedTo(self._area.minimumSize())
        whole = QSize(now.width() + fields.width() - area.width(), max(fields.height(), now.height()))
        return super().sizeHint() - now + whole

    def _listen(self) -> None:
        self.file.changed.connect(self._judge)
        self.making.changed.connect(self._ask)
        self.trial.changed.connect(self._learn)
        self.outcome.pages.picture.moved.connect(self._move)
        self.outcome.pages.reset.clicked.connect(self._ask)
        self.fix_button.clicked.connect(self._request_fix)
        self.workshop.clicked.connect(self._edit_workshop)

    def _edit_workshop(self) -> None:
        machine, material = self.making.machine.chosen().key, self.making.material.chosen().key
        dialog = WorkshopDialog(machine, material, self)
        fit_on_screen(dialog)
        self._show_workshop(dialog)
        self._pricing = pricing()
        self.making.offer(dialog.machines.current.key, dialog.materials.current.key)
        dialog.deleteLater()

    def _ask(self) -> None:
        """Try the present choices; end a wait for earlier ones."""
        self._is_waiting, self._moves = False, {}
        self.outcome.costs.error = known_spread(self.making.machine.chosen())
        self._try()

    def _asked(self) -> MakingRequest:
        """Return the choices with the places that the maker gave to parts."""
        asked = self.making.request()
        return asked._replace(making=replace(asked.making, moves=tuple(self._moves.values())))

    def _try(self) -> None:
        self.outcome.pages.reset.setVisible(bool(self._moves))
        self.trial.ask(self._asked())
        self._judge()

    def _move(self, move: Move) -> None:
        """Move a part once more."""
        before = self._moves.get(move.name, Move(move.name))
        self._moves[move.name] = replace(
            before, quarters=(before.quarters + move.quarters) % 4, right=before.right + move.right,
            down=before.down + move.down,
        )  # fmt: skip
        self._is_waiting = False
        self._try()

    def _learn(self) -> None:
        self.outcome.show_trial(self.trial)
        outcome = self.trial.outcome
        if outcome is not None:
            self.true_size.setText(self._subject.size(outcome.made))
            self.counts.setText(self._subject.counts(outcome.made))
        self._judge()
        if self._is_waiting and self.trial.outcome is not None:
            self._is_waiting = False
            self._judge()
            if self._there <= self._agreed:
                # Consent given before all files were known does not cover replacing more of them.
                self.accept()

    def _judge(self) -> None:
        """Show problems with the file, and enable the export if there are none."""
        options, known, outcome = self.file.options(), self.file.known, self.trial.outcome
        self.outcome.pages.picture.show_profile(profile(options.profile))
        made = None if outcome is None else outcome.made
        seconds = 0.0 if made is None else _engraving(made, options, self.making.request().machine)
        engraves = tr("Engraving the artwork takes about {duration} more.", duration=duration(seconds))
        self.outcome.engraving.setText(engraves if seconds else "")
        self.outcome.engraving.setVisible(bool(seconds))
        self._show_cost(made, seconds)
        # Say if the chosen material has the wrong thickness, and offer the repair.
        misfit = self._misfit
        self.misfit.say("" if misfit is None else misfit.message)
        repair = None if misfit is None else misfit.repair
        self.fix_button.setVisible(repair is not None)
        self.fix_button.setText("" if repair is None else repair.title)
        problem = self._problem()
        refusal = "" if outcome is None else outcome.refusal
        if made is not None and made.misplaced:
            refusal = tr("{pieces} overlap or leave the sheet.", pieces=_few_names(made.misplaced))
        self._there = there = 0 if problem or refusal else sum(map(os.path.exists, _written(self._targets, options)))
        self.file.say(problem, "" if problem else _fate(self._targets, there))
        self.name_export(replaces=there > 0, is_forced=self._is_forced)
        self.note.say(known.note(options))
        self.order.setVisible(not known.is_picture)
        self.refusal.say(refusal)
        self.export.setEnabled(not problem and not refusal and not self._is_waiting)
        self.waiting.setVisible(self._is_waiting)

    def _show_cost(self, made: Made | None, engraving: float) -> None:
        """Show the cost of a puzzle, whose pictures take some seconds to engrave, if there are prices."""
        asked, cost = self.making.request(), None
        if made is not None:
            cost = Prices.of(asked.machine, asked.material, self._pricing).cost_of(made, asked.making.copies, engraving)
        self.outcome.cost.setText("" if cost is None else tr("Cost per puzzle: {cost}", cost=cost.in_words))
        self.outcome.cost.setToolTip("" if cost is None else cost.parts)
        self.outcome.cost.setVisible(cost is not None)

    def _problem(self) -> str:
        """Return why the file cannot be written, in a sentence; empty if it can."""
        options = self.file.options()
        if self._subject.alignments and (options.raster or options.raster_png):
            return UNALIGNED
        refusal = self.file.problem() or refused_by(self.making.machine.chosen(), self.file.suffix())
        return refusal or unwritable(_written(self._targets, options))

    @property
    def _targets(self) -> _Targets:
        """The files to be written, as far as they are known."""
        outcome, path = self.trial.outcome, self.file.path()
        made = None if outcome is None else outcome.made
        if made is None:
            return _Targets(path, sheet_paths(path, 1))
        sheets = sheet_paths(path, len(made.plans))
        beside = tuple(beside_path(sheets[number], word) for number, word, _ in made.beside)
        return _Targets(path, sheets, beside, tray_paths(path, len(made.tray)))


class _Targets(NamedTuple):
    """The files of an export: common name, sheets, engraving beside them, and tray."""

    path: Path
    sheets: tuple[Path, ...]
    beside: tuple[Path, ...] = ()
    tray: tuple[Path, ...] = ()


def _screen() -> QSize:
    """Return the largest size of a dialog on this screen."""
    return QGuiApplication.primaryScreen().availableSize() - QSize(SCREEN_RIM, SCREEN_RIM)


class _Column(QWidget):
    """Items below a heading, at a preferred width that can shrink."""

    def __init__(self, width: int, title: str, *items: Item) -> None:
        super().__init__()
        self._width = width
        above = heading(title)
        above.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        column(above, *items, of=self)

    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(QSize(self._width, 0))


def _written(targets: _Targets, options: LaserOptions) -> tuple[Path, ...]:
    """List every file of an export, such as the print of its sheets."""
    files = (*targets.sheets, *targets.beside, *targets.tray)
    return (*files, *companions(targets.path, len(targets.sheets), options))


def _fate(targets: _Targets, there: int) -> str:
    """Return a sentence on the names of several files, and on existing files to be replaced."""
    sheets = targets.sheets
    said = []
    if len(sheets) > 1:
        said.append(tr("One file per sheet: {first} … {last}.", first=sheets[0].name, last=sheets[-1].name))
    if targets.beside:
        burned = [one for one in targets.beside if one.stem.endswith(f"-{TO_BURN}")]
        engraved = [one for one in targets.beside if one not in burned]
        said += [tr("Engraving goes to {files}.", files=_few(engraved))] if engraved else []
        said += [tr("Marks to burn go to {files}.", files=_few(burned))] if burned else []
    if targets.tray:
        said.append(tr("The tray goes to {files}.", files=_few(targets.tray)))
    if there == 1 and not said:
        said.append(tr("This will replace an existing file."))
    elif there:
        said.append(tr("This will replace {files}.", files=many(there, "existing file")))
    return " ".join(said)


def _few_names(names: Sequence[str]) -> str:
    return tr("Pieces {names}", names=abridged([*names], MOST_NAMED))


def _few(files: Sequence[Path]) -> str:
    return listed(one.name for one in files) if len(files) <= MOST_NAMED else f"{files[0].name} … {files[-1].name}"


def _engraving(made: Made, options: LaserOptions, machine: Machine) -> float:
    """Return the machine's time in s for the artwork of all sheets; 0 if it is not engraved."""
    from studio.exporting.laser_files import engraved_size
    from studio.fabricate.cutting_time import raster_seconds

    if not (options.raster or options.raster_png):
        return 0.0
    return sum(raster_seconds(*engraved_size(one), options.raster_dpi, machine) for one in made.sheets)

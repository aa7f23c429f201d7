"""The dialog of the fit coupons: the values to try, the file, and afterwards the pair that fitted.

For the laser a sheet tries kerfs, kept with the material; for the printer a plate tries gaps, kept with printer and
plastic.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QFrame, QWidget

from studio.base.amounts import duration, many, metres
from studio.base.errors import StudioError
from studio.base.parameters import remembered
from studio.base.progress import Progress
from studio.base.texts import tr, within
from studio.exporting.colour_profiles import profile
from studio.exporting.formats import CARDS, LASER, PRINTER
from studio.exporting.options import OF_ARTWORK, Formats, LaserOptions
from studio.fabricate.coupon import Card, card, card_around, coupon, keep_tested, kerfs_around
from studio.fabricate.gaps_and_plates import around, keep_gap, on_bed, seconds_of, seen_from_above, usual_gap, weight_of
from studio.fabricate.recipes import levels, resolve
from studio.fabricate.workshop import Figures, Machine, Material, Named, Plastic, Printer, keep, run_of, with_kerf
from studio.geometry.planar.drawing import RASTER, TITLES, Drawing, Joint, Recipe
from studio.geometry.solids.solid import Solid
from studio.ui.panels.file_dialog import FileChoice, FileDialog, FolderChooser, choose_folder, refused_by
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.panels.previews import SheetPages
from studio.ui.panels.workshop import WorkshopBox
from studio.ui.session.derived import Derived
from studio.ui.session.dialogs import CLOSE
from studio.ui.session.extension import Linked
from studio.ui.session.jobs import Client, Jobs
from studio.ui.session.preferences import Preferences
from studio.ui.session.session import Session
from studio.ui.widgets.controls import GROUP_GAP, CalmComboBox, Remark, control_height, heading, push_button, wrapping
from studio.ui.widgets.layout import REST, column, row
from studio.ui.widgets.length_spin import shown
from studio.ui.widgets.theme import GAP

EXPLAINED = tr(
    "Cut this test sheet once: it has a joint of your puzzle at several kerfs. Choose the pair that fits best; its "
    "kerf is saved with the material."
)
GAPS_EXPLAINED = tr(
    "Print this test plate once: it has a joint of your puzzle at several clearances. Choose the pair that fits best; "
    "its clearance is saved for this printer and filament, and offered in the form."
)
CARD_EXPLAINED = tr(
    "Work this test card once: each square has its own power and speed. Then click the best one; it becomes the recipe."
)
COUPON = "coupon"
PAUSE_MS = 200
"""Delay after the last change before the coupon is drawn."""
LEFT_WIDTH, RIGHT_WIDTH = 400, 360

M = TypeVar("M")
Joints = Callable[[Sequence[float], Progress], tuple[Solid, ...]]
"""Makes the blocks that test a puzzle's joints at some gaps in mm; may raise StudioError."""


class Plate(NamedTuple):
    """A coupon for the printer: its blocks on the bed, their view from above, its weight in g and time in s."""

    solids: tuple[Solid, ...]
    drawing: Drawing
    weight: float
    seconds: float


class Pair(NamedTuple):
    """The choices in both lists."""

    first: Named[Any]
    second: Named[Any]


class Attempt(NamedTuple):
    """The choices and options that a coupon is made for."""

    pair: Pair
    options: Any


class CouponRequest(NamedTuple, Generic[M]):
    """A coupon to write, its file and options."""

    made: M
    path: Path
    options: Any


@dataclass(frozen=True)
class Coupon(Generic[M]):
    """A kind of coupon: the present value in mm, the values to try, and how it is made, shown and kept."""

    explained: str
    keep: str
    noun: str
    formats: Formats[Any, Any]
    kinds: tuple[type[Figures], type[Figures]]
    usual: Callable[[Pair], Any]
    """Options that try values near the present one."""
    nearest: Callable[[Attempt, tuple[Any, ...]], Any]
    """Chooses the tried value that is nearest to the present one."""
    tried: Callable[[Any], tuple[Any, ...]]
    make: Callable[[Attempt, Progress], M]
    pictured: Callable[[M], Drawing]
    counted: Callable[[M], str]
    kept: Callable[[Attempt, Any], str]
    """Keeps a value and returns a sentence on it; raises StudioError if that fails."""
    title: str = tr("Fit coupon")
    question: str = tr("Which pair fits best?")
    file: str = tr("{puzzle} coupon")
    named: Callable[[Any], str] = lambda value: shown(value, "mm", 2)
    """The words for a tried value."""
    amount: Callable[[Any], str] = lambda options: many(options.count, "pair")
    """The number of tried values, in words."""
    completed: Callable[[Pair, Any, str, Any], Any] = lambda _pair, options, name, value: replace(
        options, **{name: value}
    )
    """Gives options another value, and others that follow from it."""
    hit: Callable[[M, float, float], int | None] = lambda _made, _x, _y: None
    """The number of the tried value at a place of the sheet in mm, if any."""
    mark: Callable[[M, int], tuple[float, float, float, float] | None] = lambda _made, _number: None
    """Left, top, width and height in mm of the part of the sheet that tries a value."""
    refused: Callable[[Pair, str], str] = lambda _pair, _suffix: ""
    """Why files with an extension are useless, in a sentence; empty if they are not."""
    profile: Callable[[Any], str] = lambda _options: LaserOptions().profile
    """The profile whose colours show the coupon, by the options of its file."""
    is_of_both: bool = False
    """True if the fit depends on the second choice too."""
    without: tuple[str, ...] = OF_ARTWORK
    """Options of files that mean nothing here."""


def kerf_coupon(joint: Callable[[], Joint]) -> Coupon[Drawing]:
    """Return the coupon for the laser: a puzzle's joint for several kerfs."""

    def make(attempt: Attempt, progress: Progress) -> Drawing:
        progress.step(0.0)
        material, machine = attempt.pair
        return coupon(joint(), material, attempt.options, machine.value)

    def kept(attempt: Attempt, kerf: float) -> str:
        pair = attempt.pair
        keep(with_kerf(pair.first, kerf))
        return tr("Kerf of {material} set to {kerf}.", material=pair.first.title, kerf=shown(kerf, "mm", 2))

    return Coupon(
        EXPLAINED, tr("Save kerf to material"), tr("Sheet"), LASER,
        (Material, Machine),
        usual=lambda pair: kerfs_around(pair.first.value),
        nearest=lambda attempt, tried: _nearest(float(attempt.pair.first.value.kerf), tried),
        tried=lambda options: options.kerfs, make=make, pictured=lambda made: made, kept=kept,
        counted=lambda made: tr("{length} of cuts", length=metres(made.cut_length)),
        refused=lambda pair, suffix: refused_by(pair.second, suffix), profile=lambda options: str(options.profile),
    )  # fmt: skip


def gap_coupon(joints: Joints) -> Coupon[Plate]:
    """Return the coupon for the printer: a puzzle's joints with several gaps."""

    def make(attempt: Attempt, progress: Progress) -> Plate:
        solids = on_bed(joints(attempt.options.gaps, progress), attempt.pair.second.value)
        plastic, printer = attempt.pair
        return Plate(
            solids, seen_from_above(solids), weight_of(solids, plastic.value), seconds_of(solids, printer.value)
        )

    def kept(attempt: Attempt, gap: float) -> str:
        plastic, printer = attempt.pair
        keep_gap(printer, plastic, gap)
        return tr(
            "Saved: {gap} clearance for {plastic} on {printer}.",
            gap=shown(gap, "mm", 2),
            plastic=plastic.title,
            printer=printer.title,
        )

    def present(pair: Pair) -> float:
        return usual_gap(pair.second, pair.first)

    return Coupon(
        GAPS_EXPLAINED, tr("Save clearance"), tr("Plate"), PRINTER,
        (Plastic, Printer),
        usual=lambda pair: around(present(pair)),
        nearest=lambda attempt, tried: _nearest(present(attempt.pair), tried),
        tried=lambda options: options.gaps, make=make, pictured=lambda made: made.drawing, kept=kept,
        counted=lambda made: tr("{weight:.0f} g, {time} to print", weight=made.weight, time=duration(made.seconds)),
        is_of_both=True,
    )  # fmt: skip


def power_card() -> Coupon[Card]:
    """Return the test card: squares at several powers and speeds, whose best one becomes the recipe."""

    def found(pair: Pair) -> Recipe:
        return resolve(levels(pair.second, pair.first.key)).recipe

    def make(attempt: Attempt, progress: Progress) -> Card:
        progress.step(0.0)
        return card(*attempt.pair, found(attempt.pair), attempt.options)

    def nearest(attempt: Attempt, tried: tuple[tuple[float, float], ...]) -> tuple[float, float]:
        present = found(attempt.pair).setting(attempt.options.work)
        if present is None:
            return tried[len(tried) // 2]
        return min(tried, key=lambda cell: abs(cell[0] / present.power_max - 1) + abs(cell[1] / present.speed - 1))

    def kept(attempt: Attempt, cell: tuple[float, float]) -> str:
        (material, machine), options = attempt
        keep_tested(machine, material, options, *cell)
        return tr(
            "Recipe of {material} on {machine}, {work}: {cell}.",
            material=material.title,
            machine=machine.title,
            work=within(TITLES[options.work]),
            cell=named(cell),
        )

    def named(cell: tuple[float, float]) -> str:
        # In the units of its labels and of LightBurn, whatever units are shown.
        return f"{cell[0]:g} %, {cell[1]:g} mm/s"

    def completed(pair: Pair, options: Any, name: str, value: Any) -> Any:
        # Another work is tried around its own recipe.
        return card_around(found(pair), value) if name == "work" else replace(options, **{name: value})

    def mark(made: Card, number: int) -> tuple[float, float, float, float]:
        (x, y), half = made.middles[number].tolist(), made.reach
        return x - half, y - half, 2 * half, 2 * half

    return Coupon(
        CARD_EXPLAINED, tr("Save to recipe"), tr("Card"), CARDS, (Material, Machine),
        usual=lambda pair: card_around(found(pair)), nearest=nearest, tried=lambda options: options.cells,
        make=make, pictured=lambda made: made.drawing, kept=kept,
        counted=lambda made: tr("{length} of cuts", length=metres(made.drawing.cut_length)),
        profile=lambda options: str(options.profile), is_of_both=True, title=tr("Test card"),
        question=tr("Which square is best?"), file=tr("{puzzle} test card"), named=named,
        amount=lambda options: many(len(options.cells), "square"), hit=Card.nearest, mark=mark,
        completed=completed, without=(*OF_ARTWORK, "rest", "cut_power"),
    )  # fmt: skip


def _nearest(present: float, tried: tuple[float, ...]) -> float:
    return min(tried, key=lambda value: abs(value - present))


def ask_for(session: Session, coupon: Coupon[M], write: Callable[[CouponRequest[M], Progress], str]) -> None:
    """Ask for a coupon of the open design, and write it; `write` returns a sentence on the file."""
    dialog = CouponDialog(
        coupon, session.document.title, session.folder, session.preferences, session.jobs, parent=session.dialogs.parent
    )

    def start(request: CouponRequest[M], client: Client) -> None:
        session.writing.write(request.path, partial(write, request), client=client)

    session.dialogs.carry_out(dialog, start)
    dialog.deleteLater()


class CouponDialog(FileDialog, Generic[M]):
    """Makes a coupon to be written, and keeps the value that it revealed."""

    def __init__(
        self,
        coupon: Coupon[M],
        name: str,
        folder: Path,
        preferences: Preferences,
        jobs: Jobs,
        *,
        chooser: FolderChooser = choose_folder,
        parent: QWidget | None = None,
    ) -> None:
        file = FileChoice(
            coupon.file.format(puzzle=name), folder, preferences, formats=coupon.formats, without=coupon.without,
            chooser=chooser,
        )  # fmt: skip
        super().__init__(coupon.title, file, CLOSE, parent)
        self._coupon, self._preferences = coupon, preferences
        self._derived = Derived(jobs, COUPON, coupon.make, pause=PAUSE_MS, parent=self)
        self.first, self.second = (WorkshopBox(kind, self._preferences) for kind in self._coupon.kinds)
        lead = {box.title: box for box in (self.first, self.second)}
        completed = Linked(lambda options, name, value: self._coupon.completed(self._pair, options, name, value))
        self.form = ParameterForm(self._coupon.usual(self._pair), Manner.PLAIN, lead=lead, linked=completed)
        label_width = max(self.form.label_width, self.file.form.label_width)
        for form in (self.form, self.file.form):
            form.align(label_width)
        self.pages = SheetPages(self._coupon.noun)
        self.summary = heading()
        self.refused = Remark("error")
        self._tried: tuple[Any, ...] = ()
        self.fitting = CalmComboBox(coupon.question)
        self.fitting.setMinimumHeight(control_height())
        self.keep = push_button(self._coupon.keep)
        self.kept, self.unkept = Remark("hint"), Remark("error")
        left = column(self.form, self.file, REST, gap=GROUP_GAP)
        right = column((self.pages, 1), self.summary, self.refused)
        self.pages.setMinimumWidth(RIGHT_WIDTH)
        self.file.setFixedWidth(LEFT_WIDTH)
        line = QFrame()
        line.setFrameShape(QFrame.Shape.HLine)
        line.setFrameShadow(QFrame.Shadow.Plain)
        line.setForegroundRole(line.foregroundRole().Mid)
        question = heading(coupon.question)
        question.setBuddy(self.fitting)
        answer = row(question, self.fitting, self.keep, REST)
        columns = self.beside(left, (right, 1), LEFT_WIDTH + RIGHT_WIDTH)
        self.lay_out([wrapping(self._coupon.explained)], columns, [GAP, line, answer, self.kept, self.unkept])
        self._listen()
        self._use_boxes()
        stored = preferences.coupon_values(coupon.formats.key)
        self.form.set_parameters(remembered(stored, self.form.parameters()))
        self._show()

    def request(self) -> CouponRequest[M]:
        """Return the maker's request; a coupon not yet drawn is made now, which may raise StudioError."""
        made, attempt = self._derived.answer, Attempt(self._pair, self.form.parameters())
        made = self._coupon.make(attempt, Progress()) if made is None else made
        options, pair = self.file.options(), {type(each.value): each for each in self._pair}
        if {Machine, Material} <= pair.keys():
            machine, material = pair[Machine], pair[Material]
            options = replace(options, run=run_of(machine.value, material.value, machine.title, material.title))
        return CouponRequest(made, self.file.path(), options)

    def accept(self) -> None:
        """Remember the choices and export; stay if nothing can be written."""
        if self._derived.answer is None or self._problem():
            return
        for chosen in (self.file, self.first, self.second):
            chosen.remember()
        self._preferences.set_coupon_values(asdict(self.form.parameters()), self._coupon.formats.key)
        super().accept()

    def done(self, result: int) -> None:
        """Close, and stop drawing."""
        self._derived.cancel()
        super().done(result)

    @property
    def _pair(self) -> Pair:
        return Pair(self.first.chosen(), self.second.chosen())

    def _listen(self) -> None:
        self.first.activated.connect(self._use_boxes)
        self.second.activated.connect(self._use_boxes if self._coupon.is_of_both else self._show)
        self.form.edited.connect(lambda *_: self._show())
        self.file.changed.connect(self._judge)
        self.keep.clicked.connect(self._keep_it)
        self.fitting.currentIndexChanged.connect(lambda _row: self._mark())
        self.pages.picture.clicked.connect(self._hit)
        self._derived.changed.connect(self._judge)

    def _use_boxes(self) -> None:
        """Try values near the present one."""
        usual = self._coupon.usual(self._pair)
        self.form.set_parameters(usual, usual)
        self.kept.say("")
        self.unkept.say("")
        self._show()

    def _show(self) -> None:
        """Show the values that follow from the options, and draw the coupon after a pause."""
        options, row = self.form.parameters(), self.fitting.currentIndex()
        chosen = self._tried[row] if 0 <= row < len(self._tried) else None
        tried = self._tried = self._coupon.tried(options)
        self.fitting.clear()
        for value in tried:
            self.fitting.addItem(self._coupon.named(value), value)
        near = self._coupon.nearest(Attempt(self._pair, options), tried)
        self.fitting.setCurrentIndex(tried.index(chosen if chosen in tried else near))
        self._derived.ask(Attempt(self._pair, options))
        self._judge()

    def _judge(self) -> None:
        """Show problems with the file, and enable the export if there are none."""
        made, refusal = self._derived.answer, self._derived.problem
        self.pages.picture.show_profile(profile(self._coupon.profile(self.file.options())))
        if made is not None or refusal:
            self.pages.show_sheets(() if made is None else (self._coupon.pictured(made),))
        self.pages.picture.is_faded = made is None
        self._mark()
        self.summary.setText(self._summary())
        self.refused.say(refusal)
        problem = self._problem()
        replaced = not problem and os.path.exists(self.file.path())
        self.file.say(problem, tr("This will replace an existing file.") if replaced else "")
        self.name_export(replaces=replaced)
        self.export.setEnabled(made is not None and not problem)

    def _problem(self) -> str:
        return self.file.problem() or self._coupon.refused(self._pair, self.file.suffix())

    def _summary(self) -> str:
        made = self._derived.answer
        if made is None:
            return tr("Cannot create this coupon.") if self._derived.problem else tr("Drawing coupon…")
        return f"{self._coupon.amount(self.form.parameters())}, {self._coupon.counted(made)}"

    def _hit(self, x: float, y: float) -> None:
        """Choose the value that is tried at a place of the sheet in mm."""
        made = self._derived.answer
        number = None if made is None else self._coupon.hit(made, x, y)
        if number is not None:
            self.fitting.setCurrentIndex(number)

    def _mark(self) -> None:
        """Frame the part of the sheet that tries the chosen value."""
        made, row = self._derived.answer, self.fitting.currentIndex()
        box = None if made is None or row < 0 else self._coupon.mark(made, row)
        self.pages.picture.marked = None if box is None else QRectF(*box)

    def _keep_it(self) -> None:
        pair = self._pair
        try:
            chosen = self._tried[self.fitting.currentIndex()]
            said = self._coupon.kept(Attempt(pair, self.form.parameters()), chosen)
        except StudioError as problem:
            self.kept.say("")
            self.unkept.say(str(problem))
            return
        self.first.offer(pair.first.key)
        self.unkept.say("")
        self.kept.say(said)


def card_written(request: CouponRequest[Card], progress: Progress) -> str:
    """Write a test card, and return a sentence on the file."""
    from studio.exporting import laser_files

    made = request.made
    options = replace(request.options, cells=made.cells, are_filled=made.work == RASTER, recipe=made.labels)
    report = laser_files.write(made.drawing, request.path, options, progress=progress)
    return tr(
        "Saved and verified: {file}, {width:.1f} × {height:.1f} mm, {squares}.",
        file=report.path.name,
        width=report.width,
        height=report.height,
        squares=many(len(made.cells), "square"),
    )


def coupon_written(request: CouponRequest[Drawing], progress: Progress) -> str:
    """Write a fit coupon, and return a sentence on the file."""
    from studio.exporting import laser_files

    report = laser_files.write(request.made, request.path, request.options, progress=progress)
    return tr(
        "Saved and verified: {file}, {width:.1f} × {height:.1f} mm, {pairs}, {length}.",
        file=report.path.name,
        width=report.width,
        height=report.height,
        pairs=many(report.faces // 2, "pair"),
        length=metres(report.cut_length),
    )

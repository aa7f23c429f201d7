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

from PySide6.QtWidgets import QFrame, QWidget

from studio.base.amounts import duration, many, metres
from studio.base.errors import StudioError
from studio.base.parameters import remembered
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.export.colour_profiles import profile
from studio.export.formats import LASER, PRINTER
from studio.export.options import OF_ARTWORK, Formats, LaserOptions
from studio.fabricate.coupon import coupon, kerfs_around
from studio.fabricate.gaps_and_plates import around, keep_gap, on_bed, seconds_of, seen_from_above, usual_gap, weight_of
from studio.fabricate.workshop import Figures, Machine, Material, Named, Plastic, Printer, keep, run_of, with_kerf
from studio.geometry.planar.drawing import Drawing, Joint
from studio.geometry.solids.solid import Solid
from studio.ui.panels.file_dialog import FileChoice, FileDialog, FolderChooser, choose_folder, refused_by
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.panels.previews import SheetPages
from studio.ui.panels.workshop import WorkshopBox
from studio.ui.session.derived import Derived
from studio.ui.session.dialogs import CLOSE
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
    present: Callable[[Pair], float]
    tried: Callable[[Any], tuple[float, ...]]
    make: Callable[[Attempt, Progress], M]
    pictured: Callable[[M], Drawing]
    counted: Callable[[M], str]
    kept: Callable[[Pair, float], str]
    """Keeps a value and returns a sentence on it; raises StudioError if that fails."""
    refused: Callable[[Pair, str], str] = lambda _pair, _suffix: ""
    """Why files with an extension are useless, in a sentence; empty if they are not."""
    profile: Callable[[Any], str] = lambda _options: LaserOptions().profile
    """The profile whose colours show the coupon, by the options of its file."""
    is_of_both: bool = False
    """True if the fit depends on the second choice too."""


def kerf_coupon(joint: Callable[[], Joint]) -> Coupon[Drawing]:
    """Return the coupon for the laser: a puzzle's joint for several kerfs."""

    def make(attempt: Attempt, progress: Progress) -> Drawing:
        progress.step(0.0)
        material, machine = attempt.pair
        return coupon(joint(), material, attempt.options, machine.value)

    def kept(pair: Pair, kerf: float) -> str:
        keep(with_kerf(pair.first, kerf))
        return tr("Kerf of {material} set to {kerf}.", material=pair.first.title, kerf=shown(kerf, "mm", 2))

    return Coupon(
        EXPLAINED, tr("Save kerf to material"), tr("Sheet"), LASER,
        (Material, Machine),
        usual=lambda pair: kerfs_around(pair.first.value), present=lambda pair: float(pair.first.value.kerf),
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

    def kept(pair: Pair, gap: float) -> str:
        plastic, printer = pair
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
        usual=lambda pair: around(present(pair)), present=present,
        tried=lambda options: options.gaps, make=make, pictured=lambda made: made.drawing, kept=kept,
        counted=lambda made: tr("{weight:.0f} g, {time} to print", weight=made.weight, time=duration(made.seconds)),
        is_of_both=True,
    )  # fmt: skip


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
            tr("{puzzle} coupon", puzzle=name), folder, preferences, formats=coupon.formats, without=OF_ARTWORK,
            chooser=chooser,
        )  # fmt: skip
        super().__init__(tr("Fit coupon"), file, CLOSE, parent)
        self._coupon, self._preferences = coupon, preferences
        self._derived = Derived(jobs, COUPON, coupon.make, pause=PAUSE_MS, parent=self)
        self.first, self.second = (WorkshopBox(kind, self._preferences) for kind in self._coupon.kinds)
        lead = {box.title: box for box in (self.first, self.second)}
        self.form = ParameterForm(self._coupon.usual(self._pair), Manner.PLAIN, lead=lead)
        label_width = max(self.form.label_width, self.file.form.label_width)
        for form in (self.form, self.file.form):
            form.align(label_width)
        self.pages = SheetPages(self._coupon.noun)
        self.summary = heading()
        self.refused = Remark("error")
        self.fitting = CalmComboBox(tr("Which pair fits best?"))
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
        question = heading(tr("Which pair fits best?"))
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
        options, (first, second) = self.file.options(), self._pair
        if isinstance(first.value, Machine) and isinstance(second.value, Material):
            options = replace(options, run=run_of(first.value, second.value, first.title, second.title))
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
        chosen, options = self.fitting.currentData(), self.form.parameters()
        present, tried = self._coupon.present(self._pair), self._coupon.tried(options)
        self.fitting.clear()
        for value in tried:
            self.fitting.addItem(shown(value, "mm", 2), value)
        near = min(tried, key=lambda value: abs(value - present))
        self.fitting.setCurrentIndex(self.fitting.findData(chosen if chosen in tried else near))
        self._derived.ask(Attempt(self._pair, options))
        self._judge()

    def _judge(self) -> None:
        """Show problems with the file, and enable the export if there are none."""
        made, refusal = self._derived.answer, self._derived.problem
        self.pages.picture.show_profile(profile(self._coupon.profile(self.file.options())))
        if made is not None or refusal:
            self.pages.show_sheets(() if made is None else (self._coupon.pictured(made),))
        self.pages.picture.is_faded = made is None
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
        return f"{many(self.form.parameters().count, 'pair')}, {self._coupon.counted(made)}"

    def _keep_it(self) -> None:
        pair = self._pair
        try:
            said = self._coupon.kept(pair, float(self.fitting.currentData()))
        except StudioError as problem:
            self.kept.say("")
            self.unkept.say(str(problem))
            return
        self.first.offer(pair.first.key)
        self.unkept.say("")
        self.kept.say(said)

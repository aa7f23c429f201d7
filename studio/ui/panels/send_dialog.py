"""The dialog that sends the sheets of a puzzle to LightBurn, one after another. It starts no job."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QSizePolicy, QWidget

from studio.base.amounts import duration, many, share
from studio.base.errors import StudioError
from studio.base.parameters import Validated, choice, flag, number, remembered
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.connect import keyring
from studio.connect.lightburn import Heard, LightBurn, Pairing, Place, safe_name
from studio.exporting.colour_profiles import profile
from studio.exporting.formats import LASER
from studio.exporting.options import OF_ARTWORK, LaserOptions
from studio.fabricate.alignment import Alignment
from studio.fabricate.job_log import keep_heard, remember_export, sheet_title
from studio.fabricate.making import Made, Making
from studio.fabricate.recipes import equipped, recipe_of
from studio.fabricate.workshop import Machine, Material, keep, with_bed
from studio.geometry.planar.drawing import Drawing
from studio.ui.panels.alignment_dialog import AlignmentBox, make_aligned
from studio.ui.panels.export_dialog import Subject
from studio.ui.panels.file_dialog import COLUMN_GAP, RIM, large_words
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.panels.making_choice import OF_MATERIAL, OF_THIS_TIME, UNALIGNED, Make, MakingRequest, stored_making
from studio.ui.panels.previews import SheetPages
from studio.ui.panels.workshop import WorkshopBox
from studio.ui.session.derived import Derived
from studio.ui.session.dialogs import CLOSE, WorkDialog
from studio.ui.session.jobs import Client, Jobs
from studio.ui.session.preferences import Preferences
from studio.ui.session.session import Session
from studio.ui.widgets.controls import GROUP_GAP, Remark, heading, hint_label, wrapping
from studio.ui.widgets.layout import REST, column, room_on_screen, row
from studio.ui.widgets.theme import GAP

EXPLAINED = tr(
    "Opens the sheets in LightBurn 2.2 or newer on this computer. Nothing is started: check power and speed there, and "
    "start the job yourself."
)
AS_EXPORTED = tr("All other choices are those of the last export.")
UNPAIRED = tr("LightBurn will ask whether Puzzle Studio may connect. Allow it within 30 seconds.")
PAIRED = tr("Paired with LightBurn.")
ALIGNMENTS = tr("Alignments (*.json)")
FORMAT, STORED = ".lbrn2", "send"
OF_FILES = ("print_pdf", "raster_png", "piece_pngs")
"""Options of an export for further files, which LightBurn does not open."""
MAKING, SENDING = "sheets for LightBurn", "sending to LightBurn"
PAUSE_MS = 200
"""Delay after the last change before sheets are made."""
BESIDE = 10.0
"""Gap in mm between sheets that are merged side by side."""
LEFT_WIDTH, RIGHT_WIDTH = 380, 300


@dataclass(frozen=True)
class Sending(Validated):
    """How sheets arrive in LightBurn. Raises ParameterError for a value out of bounds."""

    way: str = choice("open", {"open": "Open as new project", "merge": "Add to project"}, title="In LightBurn",
        help="Replace LightBurn's project, or add to it; LightBurn asks about unsaved changes.")  # fmt: skip
    placed: bool = flag(False, title="At a place", help="Choose the place on LightBurn's workspace.")
    x: float = number(0.0, title="X", minimum=-5000, maximum=5000, step=10, unit="mm",
        help="Distance from the left of LightBurn's workspace.")  # fmt: skip
    y: float = number(0.0, title="Y", minimum=-5000, maximum=5000, step=10, unit="mm",
        help="Distance from the bottom of LightBurn's workspace.")  # fmt: skip
    anchor: str = choice(Place.anchor, {
            "top-left": "Top left", "top-center": "Top centre", "top-right": "Top right",
            "middle-left": "Middle left", "center": "Centre", "middle-right": "Middle right",
            "bottom-left": "Bottom left", "bottom-center": "Bottom centre", "bottom-right": "Bottom right",
        }, title="Anchor", help="The point of the sheet that goes there.")  # fmt: skip

    @property
    def is_merged(self) -> bool:
        """True if sheets are added to LightBurn's project."""
        return self.way == "merge"

    def place(self, count: int) -> Place | None:
        """Return the place of the first of some sheets; None leaves it to LightBurn."""
        if not self.is_merged:
            return None
        if self.placed:
            return Place(self.x, self.y, self.anchor)
        # Without a place LightBurn puts all of them on top of each other.
        return Place(0.0, 0.0) if count > 1 else None


LISTENING, LISTEN_MS, LONGEST_WAIT, MOST_FAILURES = "listening", 3000, 4 * 3600.0, 5
"""Lane, pause and limits of listening for the time of a job: the wait in s for its start, and answers that fail."""


class Project(NamedTuple):
    """A sheet as a LightBurn project: file name, content, and width in mm."""

    name: str
    data: bytes
    width: float


class SendRequest(NamedTuple):
    """Request for sending: the made sheets and their options, the projects made before, the index of the next, and
    the machine, with its key and the thickness of its sheets in mm.
    """

    made: Made
    options: LaserOptions
    force: bool
    sending: Sending
    projects: tuple[Project, ...]
    next: int
    machine_key: str
    machine: Machine
    thickness: float

    def job_title(self, name: str, count: int) -> str:
        """Title of the job whose sheet was sent, of all sheets if they were merged."""
        return name if self.sending.is_merged else sheet_title(name, self.next + 1, count)


class SendDialog(WorkDialog):
    """Asks how sheets are sent; stays open from sheet to sheet."""

    def __init__(
        self,
        subject: Subject,
        preferences: Preferences,
        make: Make,
        jobs: Jobs,
        lightburn: LightBurn,
        choose: Callable[[], Path | None],
        parent: QWidget | None = None,
    ) -> None:
        """`choose` asks for a file with an alignment; the subject's alignments were measured last."""
        super().__init__(tr("Send to LightBurn"), tr("Send"), parent, CLOSE)
        self._subject, self._preferences, self._make, self._jobs = subject, preferences, make, jobs
        self.lightburn = lightburn
        self._projects: tuple[Project, ...] = ()
        self.machine, self.material = WorkshopBox(Machine, preferences), WorkshopBox(Material, preferences)
        self.line_up = AlignmentBox(subject.alignments, choose)
        self.form = ParameterForm(
            remembered(preferences.export_values(STORED), Sending()),
            Manner.PLAIN,
            hidden=_hidden,
            lead={
                self.machine.title: self.machine, self.material.title: self.material, tr("Line up"): self.line_up,
            },
        )  # fmt: skip
        self.material.prefer(lambda material: subject.misfit(material) is None)
        self.sheets = Derived(jobs, MAKING, self._made, pause=PAUSE_MS, parent=self)
        self.pages = SheetPages()
        self.pages.setMinimumWidth(RIGHT_WIDTH)
        self.pages.picture.show_profile(profile(self._options().profile))
        self.size_label, self.summary = large_words(subject.size(None)), heading()
        self.summary.setWordWrap(True)
        self.errors, self.refusal, self.alignment = Remark("warning"), Remark("error"), Remark("hint")
        self.pairing = Remark("hint")
        self.forget = self._button(tr("Forget pairing"))
        self.read = self._button(tr("Read bed"))
        self.read.setToolTip(tr("Save the device and bed that LightBurn reports as a machine"))
        self._lay_out()
        self.machine.activated.connect(self._ask)
        self.material.activated.connect(self._ask)
        self.line_up.changed.connect(self._ask)
        self.form.edited.connect(lambda *_: self._use_form())
        self.sheets.changed.connect(self._judge)
        for button in (self.pages.back, self.pages.on):
            button.clicked.connect(self._judge)
        self.forget.clicked.connect(self._forget)
        self.read.clicked.connect(self._read)
        self._ask()

    def _button(self, words: str) -> QPushButton:
        button: QPushButton = self.buttons.addButton(words, QDialogButtonBox.ButtonRole.ResetRole)
        button.setAutoDefault(False)
        return button

    def _lay_out(self) -> None:
        remarks = (hint_label(AS_EXPORTED), self.alignment, self.errors, self.refusal, self.pairing)
        left = column(self.form, GAP, *remarks, REST)
        right = column((self.pages, 1), self.summary)
        is_narrow = room_on_screen(self).width() < LEFT_WIDTH + RIGHT_WIDTH + COLUMN_GAP + 2 * RIM
        if is_narrow:
            # Qt would press the fields together before the preview; all of it scrolls instead.
            self.pages.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        else:
            self.form.setMinimumWidth(LEFT_WIDTH)
        middle = column(left, right, gap=GROUP_GAP) if is_narrow else row(left, (right, 1), gap=COLUMN_GAP)
        column(
            self.size_label, wrapping(EXPLAINED), GAP, (middle, 1), self.problem, self.state, GAP, self.buttons,
            of=self, margins=RIM,
        )  # fmt: skip

    def request(self) -> SendRequest:
        """Return the maker's request."""
        assert self.sheets.answer is not None
        machine, material = equipped(self.machine.chosen(), self.material.chosen())
        options = self._options()
        run = replace(options.run, note=self.sheets.answer.alignment)
        return SendRequest(
            self.sheets.answer,
            replace(options, recipe=recipe_of(machine), run=run),
            self._is_forced,
            self.form.parameters(),
            self._projects,
            self.pages.page,
            self.machine.chosen().key,
            machine,
            material.thickness,
        )

    def accept(self) -> None:
        """Remember the choices and send; stay if there is nothing to send yet."""
        if self.sheets.answer is None:
            return
        for box in (self.machine, self.material):
            box.remember()
        self._preferences.set_export_values(STORED, asdict(self.form.parameters()))
        super().accept()

    def done(self, result: int) -> None:
        """Close, and stop making sheets."""
        self.sheets.cancel()
        super().done(result)

    def tell(self, note: str) -> None:
        """Show the present step of the work."""
        if self.is_working and note:
            self.state.say(note)
            self.adjust()

    def refuse(self, sentence: str) -> None:
        """Show why nothing was sent; all choices stay."""
        super().refuse(sentence)
        self._judge()

    def go_on(self, projects: tuple[Project, ...], opened: int) -> None:
        """Stay open for the next sheet, after some were opened."""
        self._end()
        self._projects = projects
        self.state.say(
            tr(
                "LightBurn has opened sheet {number} of {count}. Cut it there, then send the next one, which takes its "
                "place.",
                number=opened,
                count=len(projects),
            )
        )
        self.pages.turn(1)
        self._judge()
        self.adjust()

    @property
    def _is_forced(self) -> bool:
        return self._subject.errors > 0 or self._subject.misfit(self.material.chosen()) is not None

    def _options(self) -> LaserOptions:
        """The options of the last project that was exported, without those for further files."""
        usual = LASER.of(Path(f"a{FORMAT}")).options()
        options: LaserOptions = remembered(self._preferences.export_values(FORMAT), usual)
        unused = {*OF_FILES, *(() if self._subject.drawing.artwork else OF_ARTWORK)}
        return replace(options, **{name: getattr(usual, name) for name in unused})

    def _ask(self) -> None:
        """Make the sheets for the present choices, beginning with the first."""
        machine, material = equipped(self.machine.chosen(), self.material.chosen())
        values = stored_making(self._preferences, has_artwork=bool(self._subject.drawing.artwork))
        values |= {name: getattr(material, name) for name in OF_MATERIAL}
        before, alignments = self._subject.before, self.line_up.alignments
        if before is not None and alignments:
            # What was printed was the last export.
            values |= {name: getattr(before.making, name) for name in OF_THIS_TIME if name not in OF_MATERIAL}
        self._projects = ()
        self.state.say("")
        self.sheets.ask((MakingRequest(remembered(values, Making()), machine, material), alignments))
        self._judge()

    def _use_form(self) -> None:
        self._judge()
        self.adjust()

    def _made(self, question: tuple[MakingRequest, tuple[Alignment, ...]], progress: Progress) -> Made:
        request, alignments = question
        make = partial(make_aligned, self._make, alignments) if alignments else self._make
        return make(self._subject.drawing, request.making, request.machine, request.material, progress)

    def _judge(self) -> None:
        """Show the sheets and what is wrong with them, and enable what is possible."""
        made, refusal = self.sheets.answer, self.sheets.problem or self._misaligned()
        misfit, errors = self._subject.misfit(self.material.chosen()), self._subject.errors
        if made is not None or refusal:
            self.pages.show_sheets(() if made is None else _drawings(made))
        self.pages.picture.is_faded = made is None
        self.size_label.setText(self._subject.size(made))
        self.summary.setText(self._summary())
        self.refusal.say(refusal)
        advice = () if made is None or not made.alignment else (made.alignment, *made.notes)
        self.alignment.say(" ".join(advice))
        several = tr("{errors}: the puzzle will not work as designed. See Problems.", errors=many(errors, "error"))
        self.errors.say(misfit.message if misfit is not None else several if errors else "")
        self.go.setEnabled(made is not None and not refusal and not self.is_working)
        count = 0 if made is None else len(_drawings(made))
        if count > 1 and not self.form.parameters().is_merged:
            self.go.setText(tr("Send sheet {number} of {count}", number=self.pages.page + 1, count=count))
        else:
            self.go.setText(tr("Send anyway") if self._is_forced else tr("Send"))
        self._show_pairing()

    def _misaligned(self) -> str:
        """Return why the cuts cannot be aligned, or "" if they can."""
        return self.line_up.problem or (UNALIGNED if self.line_up.alignments and self._options().raster else "")

    def _summary(self) -> str:
        made = self.sheets.answer
        if made is None:
            return tr("Cannot create this layout.") if self.sheets.problem else tr("Laying out sheets…")
        count = len(_drawings(made))
        words = tr("{sheets}, {share} used", sheets=many(count, "sheet"), share=share(sum(made.use) / len(made.use)))
        if count == 1:
            return words
        if self.form.parameters().is_merged:
            return tr("{sheets}; side by side", sheets=words)
        return tr("{sheets}; one after another", sheets=words)

    def _show_pairing(self) -> None:
        """Say whether LightBurn will ask."""
        try:
            is_paired = keyring.secret_of(self.lightburn.name) is not None
            self.pairing.say(PAIRED if is_paired else UNPAIRED)
        except StudioError as problem:
            is_paired = True
            self.pairing.say(str(problem))
        self.forget.setEnabled(is_paired and not self.is_working)

    def _forget(self) -> None:
        try:
            keyring.forget(self.lightburn.name)
            self.problem.say("")
        except StudioError as problem:
            self.problem.say(str(problem))
        self._show_pairing()
        self.adjust()

    def _read(self) -> None:
        """Save the bed that LightBurn reports as a machine, and choose it."""
        self.problem.say("")
        self.wait(partial(self._stop, SENDING))
        self._jobs.start(
            SENDING, partial(_read_bed, self.lightburn), done=self._use_machine,
            failed=lambda problem: self.refuse(str(problem)), progressed=lambda _share, note: self.tell(note),
        )  # fmt: skip

    def _stop(self, lane: str) -> None:
        self._jobs.cancel(lane)
        self.refuse("")

    def _use_machine(self, key: str) -> None:
        self._end()
        self.machine.offer(key)
        self._ask()
        title = self.machine.chosen().title
        self.state.say(tr("Saved the machine {title}. Set its speeds under Machines and materials.", title=title))
        self.adjust()


class Listener(QObject):
    """Hears how long the job takes that LightBurn runs next, and keeps that with the job that was sent.

    It asks for the state of the job, every few seconds, until the job is over, LightBurn is, or nobody starts a job.
    """

    def __init__(self, lightburn: LightBurn, session: Session) -> None:
        for before in session.jobs.findChildren(Listener):
            before.stop()
        super().__init__(session.jobs)
        self._lightburn, self._session = lightburn, session
        self._machine = self._title = ""
        self._heard, self._failures, self._end = Heard(), 0, 0.0
        self.timer = QTimer(self, interval=LISTEN_MS)
        self.timer.timeout.connect(self._ask)

    def listen(self, machine: str, title: str) -> None:
        """Listen for the job of a title on the machine of a key."""
        self._machine, self._title = machine, title
        self._end = time.monotonic() + LONGEST_WAIT
        self.timer.start()

    def stop(self) -> None:
        """Listen no more."""
        self.timer.stop()
        self._session.jobs.cancel(LISTENING)
        self.deleteLater()

    def _ask(self) -> None:
        if not self._heard.has_begun and time.monotonic() > self._end:
            self.stop()
            return
        work = partial(_job_state, self._lightburn)
        self._session.jobs.start(LISTENING, work, done=self._hear, failed=lambda _problem: self._miss())

    def _miss(self) -> None:
        self._failures += 1
        if self._failures >= MOST_FAILURES:
            self.stop()

    def _hear(self, state: str) -> None:
        self._failures = 0
        self._heard = self._heard.then(state, time.monotonic())
        if not self._heard.is_over:
            return
        self.stop()
        seconds = self._heard.seconds
        if keep_heard(self._machine, self._title, seconds):
            self._session.notices.post(
                tr(
                    "LightBurn took {time} for {job}. “How long did it take?” in the Workshop menu logs it.",
                    time=duration(seconds), job=self._title,
                )
            )  # fmt: skip


def _job_state(lightburn: LightBurn, progress: Progress) -> str:
    secret = keyring.secret_of(lightburn.name)
    if secret is None:
        # Asking its user again is for the next time that something is sent.
        raise StudioError(UNPAIRED)
    return lightburn.job_state(Pairing(secret), progress)


def ask_to_send(session: Session, subject: Subject, make: Make, lightburn: LightBurn | None = None) -> None:
    """Ask how the sheets of the open design are sent, and send them."""
    name, jobs = session.document.title, session.jobs

    def choose() -> Path | None:
        return session.dialogs.open_path(session.folder, tr("Line up with a print"), ALIGNMENTS)

    dialog = SendDialog(
        subject, session.preferences, make, jobs, lightburn or LightBurn(), choose, session.dialogs.parent
    )

    def start(request: SendRequest, client: Client) -> None:
        def give_up() -> None:
            jobs.cancel(SENDING)
            client.refuse("")

        def done(projects: tuple[Project, ...]) -> None:
            opened = request.next + 1
            listener = Listener(dialog.lightburn, session)
            listener.listen(request.machine_key, request.job_title(name, len(projects)))
            if not request.sending.is_merged and opened < len(projects):
                dialog.go_on(projects, opened)
                return
            client.succeed()
            session.notices.post(_done(projects, request.sending))

        client.wait(give_up)
        jobs.start(
            SENDING, partial(sent, dialog.lightburn, name, request), done=done,
            failed=lambda problem: client.refuse(str(problem)), progressed=lambda _share, note: dialog.tell(note),
        )  # fmt: skip

    session.dialogs.carry_out(dialog, start)
    jobs.cancel(SENDING)
    dialog.deleteLater()


def sent(lightburn: LightBurn, name: str, request: SendRequest, progress: Progress) -> tuple[Project, ...]:
    """Send the next sheet, or all of them to be merged; return the projects of all sheets. Raises StudioError."""
    projects = request.projects or _projects(name, request, progress)
    if not request.projects:
        sheets = [*request.made.sheets, *request.made.tray_sheets]
        remember_export(request.machine_key, name, sheets, request.machine, request.thickness, ())
    pairing = lightburn.paired(progress)
    place = request.sending.place(len(projects))
    for each in projects if request.sending.is_merged else projects[request.next :][:1]:
        lightburn.send(
            pairing, each.name, each.data, is_merged=request.sending.is_merged, place=place, progress=progress
        )
        if place is not None:
            place = replace(place, x=place.x + each.width + BESIDE)
    return projects


def _projects(name: str, request: SendRequest, progress: Progress) -> tuple[Project, ...]:
    """Make the proven project of each sheet."""
    from studio.exporting.laser_files import sheets_as_bytes

    made = request.made
    found = sheets_as_bytes(
        [plan.drawing for plan in made.plans], Path(safe_name(name)), request.options, beside=made.beside,
        tray=made.tray_sheets, force=request.force, progress=progress,
    )  # fmt: skip
    return tuple(Project(report.path.name, data, report.width) for report, data in found)


def _read_bed(lightburn: LightBurn, progress: Progress) -> str:
    """Save the bed that LightBurn reports; return the key of the machine."""
    found = lightburn.workspace(lightburn.paired(progress), progress)
    machine = with_bed(found.device or tr("LightBurn"), found.width, found.height)
    keep(machine)
    return machine.key


def _done(projects: tuple[Project, ...], sending: Sending) -> str:
    files = projects[-1].name if len(projects) == 1 else many(len(projects), "sheet")
    if sending.is_merged:
        return tr("LightBurn has added {files}. Check power and speed there; nothing was started.", files=files)
    return tr("LightBurn has opened {files}. Check power and speed there; nothing was started.", files=files)


def _drawings(made: Made) -> list[Drawing]:
    return [*made.sheets, *(drawing for _, _, drawing in made.beside), *made.tray_sheets]


def _hidden(sending: Sending) -> tuple[str, ...]:
    """Return the options of choices not made."""
    if not sending.is_merged:
        return ("placed", "x", "y", "anchor")
    return () if sending.placed else ("x", "y", "anchor")

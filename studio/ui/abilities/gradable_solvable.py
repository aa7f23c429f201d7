"""Solving in the window: the number of solutions; the difficulty, and harder or easier designs.

The number is for kinds without views of their own. A kind with a table of techniques has a tab for its difficulty; of
another kind the difficulty is a part of the inspector.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from studio.base.amounts import at_least, many, share
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.puzzles import registry
from studio.puzzles.abilities.gradable_solvable import Gradable, Grade, Solvable, Techniques
from studio.solving.assembly import Count
from studio.ui.session.actions import Command
from studio.ui.session.derived import Derived
from studio.ui.session.extension import Extension
from studio.ui.session.notices import Action
from studio.ui.session.session import Session
from studio.ui.widgets.controls import heading, hint_label, push_button, wrapping
from studio.ui.widgets.layout import Turning, column, holding, row, scrolled
from studio.ui.widgets.tables import CalmTable, CellLook, Column, ElementModel
from studio.ui.widgets.theme import GAP, MARGIN, hint_font

GRADING, SEARCHING, COMPARING, COUNTING = (
    "grading", "searching by grade", "comparing techniques", "counting solutions",
)  # fmt: skip
PAUSE_MS = 400
"""Delay after the last change before a design is graded; its check goes first."""

# The difficulty of a design: a scale, its meaning, and the way to a harder or an easier one

TRACK, MARKER = 4.0, 6.0
"""Height of the scale's line and radius of its marker, in pixels."""
TICKS = 5
NOTHING = "\N{EN DASH}"


class Scale(QWidget):
    """A line from the easiest to the hardest, with a marker for the design."""

    def __init__(self, noun: str) -> None:
        super().__init__()
        self._grade: Grade[Any] | None = None
        self._font = hint_font(self.font())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Difficulty of the {kind}", kind=noun))

    def sizeHint(self) -> QSize:
        return QSize(160, round(2 * MARKER) + 4 + self.fontMetrics().height())

    def show_grade(self, graded: Grade[Any] | None) -> None:
        """Set the marker, or remove it; it spans the share of designs with the same number of steps."""
        self._grade = graded
        self.setAccessibleDescription("" if graded is None else f"{graded.level}. {graded.explanation}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = self.palette()
        left, width, y = MARKER, self.width() - 2 * MARKER, MARKER + 1
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.color(QPalette.ColorRole.Mid))
        painter.drawRoundedRect(QRectF(left, y - TRACK / 2, width, TRACK), TRACK / 2, TRACK / 2)
        painter.setPen(QPen(colours.color(QPalette.ColorRole.Window), 1))
        for tick in range(1, TICKS):
            x = left + width * tick / TICKS
            painter.drawLine(QPointF(x, y - TRACK / 2), QPointF(x, y + TRACK / 2))
        if self._grade is not None:
            begin, end = self._grade.share, self._grade.share + self._grade.alike
            accent = colours.color(QPalette.ColorRole.Highlight)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
            stretch = QRectF(left + width * begin, y - TRACK / 2, width * (end - begin), TRACK)
            painter.drawRoundedRect(stretch, TRACK / 2, TRACK / 2)
            painter.setPen(QPen(accent, 2))
            painter.setBrush(colours.color(QPalette.ColorRole.Base))
            painter.drawEllipse(QPointF(left + width * (begin + end) / 2, y), MARKER - 1, MARKER - 1)
        painter.setPen(colours.color(QPalette.ColorRole.PlaceholderText))
        painter.setFont(self._font)
        words = QRectF(0, 2 * MARKER + 3, self.width(), self.height() - 2 * MARKER - 3)
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, tr("easiest"))
        painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, tr("hardest"))


class GradePage(QWidget):
    """The difficulty of the design, computed while visible, its meaning, and the way to a harder or an easier one."""

    def __init__(self, grading: GradedExtension) -> None:
        super().__init__()
        self._grading = grading
        grading.grade.watch_in(self)
        self.scale = Scale(grading.noun)
        self.level, self.words = wrapping(), hint_label(" ")
        self.easier = push_button(tr("Find easier"), tr("Switch to a seed one step easier; undo switches back"))
        self.harder = push_button(tr("Find harder"), tr("Switch to a seed one step harder; undo switches back"))
        self.under_way, self.cancel = QLabel(), push_button(tr("Cancel"))
        self._offer = holding(row((self.easier, 1), (self.harder, 1)))
        self._wait = holding(row((self.under_way, 1), self.cancel))
        # The sentence comes last, so that it moves no button.
        column(heading(tr("Difficulty")), self.scale, self.level, self._offer, self._wait, self.words, of=self)
        self.easier.clicked.connect(lambda: grading.find("easier"))
        self.harder.clicked.connect(lambda: grading.find("harder"))
        self.cancel.clicked.connect(grading.cancel)
        grading.changed.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Show the present grade or search."""
        grading = self._grading
        graded, problem = grading.grade.answer, grading.grade.problem
        self.scale.show_grade(graded)
        unknown = tr("Not rated") if problem else tr("Rating difficulty…")
        self.level.setText(graded.level if graded is not None else unknown)
        self.words.setText(graded.explanation if graded is not None else problem)
        searching = grading.done is not None
        self._offer.setVisible(not searching)
        self._wait.setVisible(searching)
        for button in (self.easier, self.harder):
            button.setEnabled(not problem)
        if grading.done is not None:
            self.under_way.setText(tr("Searching… {done}", done=share(grading.done)))


GRADE_WIDTH, NARROW = 340, 510


class TechniquesPage(QWidget):
    """The tab with the grade at the left and the techniques at the right, computed while visible."""

    def __init__(self, session: Session, graded: Gradable[Any], techniques: Techniques[Any], page: GradePage) -> None:
        super().__init__()
        self.page, self._techniques = page, techniques
        self.figures = Derived(
            session.jobs, COMPARING, techniques.figures, key=graded.key, pause=PAUSE_MS, watched=False, parent=self
        )
        self.figures.watch_in(self)
        fixed, looks = len(techniques.rows[0]), (CellLook.TEXT, CellLook.NUMBER)
        self.model = ElementModel[int]([
            Column(title, partial(self._cell, at), looks[at >= fixed], help=help,
                   tip=techniques.tips.__getitem__ if techniques.tips and not at else None)
            for at, (title, _width, help) in enumerate(techniques.columns)
        ])  # fmt: skip
        self.table = CalmTable(self.model, techniques.name, [width for _title, width, _help in techniques.columns])
        self.table.horizontalHeader().setStretchLastSection(False)
        area = scrolled(page)
        area.setMaximumWidth(GRADE_WIDTH)
        beside = column(heading(techniques.title), (self.table, 1))
        parts = row((area, 1), (beside, 1), of=self, gap=2 * MARGIN, margins=(MARGIN, GAP, MARGIN, GAP))
        Turning(self, parts, narrow=NARROW, least=page.minimumSizeHint().width() + 2 * MARGIN)
        self.setFocusProxy(self.table)
        self.figures.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        self.model.show_elements([*range(len(self._techniques.rows))])

    def _cell(self, at: int, row: int) -> str:
        words, known = self._techniques.rows[row], self.figures.answer
        if at < len(words):
            return words[at]
        unknown = NOTHING if self.figures.problem else "…"
        return unknown if known is None else known[row][at - len(words)]


# The grade of the design, and the search for a harder or an easier one


class GradedExtension(Extension[Any]):
    """Grades the design while it is watched, and replaces it by a harder or an easier one on request.

    `changed` also tells that the grade has changed, or that a search has begun, progressed or ended.
    """

    def __init__(self, session: Session, graded: Gradable[Any]) -> None:
        super().__init__(session)
        self.noun = session.kind.noun
        self._searches = {"harder": graded.harder, "easier": graded.easier}
        self._ways = {"harder": _harder(self.noun), "easier": _easier(self.noun)}
        self.commands = [
            Command(key, way.title, graded.menu, partial(self.find, key), (), "", way.help)
            for key, way in self._ways.items()
        ]  # fmt: skip
        self.grade = Derived(
            session.jobs, GRADING, graded.grade, key=graded.key, pause=PAUSE_MS, watched=False, parent=self
        )
        """The grade of the design shown."""
        self.grade.changed.connect(self.changed)
        self.done: float | None = None
        """Progress of a search (0 to 1); None without one."""
        self._sentence = ""
        self._sought: Any = None
        """The design for which a harder or an easier one is searched."""
        self.page = GradePage(self)
        self.tab: TechniquesPage | None = None
        if graded.techniques is None:
            self.inspector = self.page
        else:
            self.tab = TechniquesPage(session, graded, graded.techniques(), self.page)
            self.tables = [(tr("Difficulty"), self.tab)]
        session.pipeline.shapes_changed.connect(self._follow)

    def _follow(self, _shapes: object, settled: bool) -> None:
        """Follow the design; changes outside its key leave the grade as it is."""
        design = self.session.pipeline.design
        if self.done is not None and design != self._sought:
            self._end_search(tr("The {kind} has changed, so the search was stopped.", kind=self.noun))
        self.grade.ask(design, settled=settled)
        if self.tab is not None:
            self.tab.figures.ask(design, settled=settled)

    def finish(self) -> None:
        """Wait for all that is shown."""
        if self.page.isVisible():
            self.grade.finish()
            if self.tab is not None:
                self.tab.figures.finish()

    # Harder and easier

    def find(self, which: str) -> None:
        """Search for a `harder` or `easier` design, and replace this one by it as one step."""
        design, look = self.session.document.design, self._searches[which]
        self.done, self._sought = 0.0, design
        self._sentence = self._ways[which].searching
        self._report_notice()
        self.session.jobs.start(
            SEARCHING,
            lambda progress: look(design, progress),
            done=partial(self._take, which),
            failed=self._find_none,
            progressed=self._report,
        )
        self.changed.emit()

    def cancel(self) -> None:
        """Stop the search; the design stays as it is."""
        if self.done is not None:
            self._end_search(tr("Search stopped; the {kind} is unchanged.", kind=self.noun))

    def _end_search(self, sentence: str) -> None:
        self.done = None
        self.session.jobs.cancel(SEARCHING)
        self.session.notices.post(sentence)
        self.changed.emit()

    def _report_notice(self) -> None:
        self.session.notices.post(self._sentence, action=Action(tr("Cancel"), self.cancel))

    def _report(self, fraction: float, _note: str) -> None:
        self.done = fraction
        if self.session.notices.notice() is None:
            # Notices disappear by themselves, but Cancel must stay in reach as long as the work lasts.
            self._report_notice()
        self.changed.emit()

    def _find_none(self, problem: StudioError) -> None:
        self.done = None
        self.changed.emit()
        self.session.notices.post(str(problem))

    def _take(self, which: str, found: Grade[Any]) -> None:
        self.done = None
        self.grade.learn(found.design, found)
        way = self._ways[which]
        change = tr("{change}, without {lost}", change=way.title, lost=found.lost) if found.lost else way.title
        self.session.document.edit(change, found.design)
        seed = self.session.document.design.parameters.seed
        sentence = tr("{found}: seed {seed}. {grade}", found=way.found, seed=seed, grade=found.explanation)
        if found.lost:
            self.session.notices.post(
                tr(
                    "{sentence} Edits that do not fit the new seed were dropped: {lost}. Undo restores them.",
                    sentence=sentence,
                    lost=found.lost,
                ),
                Severity.WARNING,
                Action(tr("Undo"), partial(self._take_back, found.design)),
            )
        else:
            self.session.notices.post(sentence)

    def _take_back(self, design: Any) -> None:
        if self.session.document.design is design:
            self.session.document.history.undo()


class _Way(NamedTuple):
    """A search in the words of its command and notices."""

    title: str
    help: str
    searching: str
    found: str


def _harder(kind: str) -> _Way:
    return _Way(
        tr("Find a harder {kind}", kind=kind),
        tr("Switch to a seed one step harder; undo switches back"),
        tr("Searching for a harder {kind}…", kind=kind),
        tr("Found a harder {kind}", kind=kind),
    )


def _easier(kind: str) -> _Way:
    return _Way(
        tr("Find an easier {kind}", kind=kind),
        tr("Switch to a seed one step easier; undo switches back"),
        tr("Searching for an easier {kind}…", kind=kind),
        tr("Found an easier {kind}", kind=kind),
    )


# The number of solutions

MOST_COUNTED = 1000


class SolvedExtension(Extension[Any]):
    """The number of solutions in the status bar, for a kind that has no views of its own to show them in."""

    def __init__(self, session: Session, solved: Solvable[Any]) -> None:
        super().__init__(session)
        self._count = Derived[Any, Count](
            session.jobs, COUNTING, lambda design, progress: solved.count(design, (), progress, most=MOST_COUNTED),
            pause=PAUSE_MS, watched=registry.own_module(session.kind.key, "studio.ui.kinds") is None, parent=self,
        )  # fmt: skip
        self._count.changed.connect(self.changed)
        session.pipeline.shapes_changed.connect(self._follow)

    def _follow(self, _shapes: object, settled: bool) -> None:
        self._count.ask(self.session.pipeline.design, settled=settled)

    @property
    def numbers(self) -> str:
        """The number of solutions, once it is known."""
        known = self._count.answer
        return "" if known is None else at_least(many(known.solutions, "solution"), exact=known.complete)

"""The inspector of a kind: facts in words, on a page for each sort of selection; and the difficulty of a design.

Grades are computed in the background, and a harder or an easier design is searched for on request.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from studio.base.amounts import share
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.puzzles.abilities.gradable import Gradable, Grade
from studio.ui.panels.tables import CalmTable, Column, ElementModel
from studio.ui.session.commands import Command
from studio.ui.session.derived import Derived
from studio.ui.session.notices import Action
from studio.ui.session.session import Session
from studio.ui.widgets.controls import heading, hint_label, push_button, wrapping
from studio.ui.widgets.layout import (
    REST,
    Headed,
    Item,
    Pages,
    SidePanel,
    Turning,
    column,
    holding,
    named,
    row,
    scrolled,
)
from studio.ui.widgets.theme import GAP, MARGIN, Painted, Theme, current_theme, hint_font

CHIP = 14
EVEN = (GAP, GAP, GAP)

P = TypeVar("P", bound="FactsPage")
Colour = Callable[[Theme], QColor]
GRADING, SEARCHING = "grading", "searching by grade"
PAUSE_MS = 400
"""Delay after the last change before a design is graded; its check goes first."""

D = TypeVar("D")
TRACK, MARKER = 4.0, 6.0
"""Height of the scale's line and radius of its marker, in pixels."""
TICKS = 5


class Chip(QWidget):
    """A square in the colour of the selected thing."""

    colour = Painted[Colour | None](None)

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(CHIP, CHIP)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.colour is not None:
            QPainter(self).fillRect(self.rect(), self.colour(current_theme()))


class FactsPage(QWidget):
    """A title, values behind their names, controls, a hint and more controls, one below the other.

    `spaces` in pixels lie between these parts, and across and down between the values.
    """

    def __init__(
        self, *controls: Item, hint: str = " ", below: Sequence[Item] = (),
        spaces: tuple[int, int, int] = (MARGIN, 2 * GAP, GAP // 2),
    ) -> None:  # fmt: skip
        super().__init__()
        gap, across, down = spaces
        self._chip, self.title, self.hint = Chip(), heading(), hint_label(hint)
        self.title.setWordWrap(True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.facts: Mapping[str, str] = {}
        """The values shown, by name."""
        self._values: dict[str, QLabel] = {}
        self._form = named({}, across=across, down=down)
        head = row(self._chip, (self.title, 1))
        parts = head, self._form, *controls, self.hint, *below, REST
        self._parts = column(*parts, of=self, gap=gap, margins=MARGIN)

    def insert(self, part: QWidget) -> None:
        """Add a part before the hint."""
        self._parts.insertWidget(self._parts.indexOf(self.hint), part)

    def show_facts(self, title: str, facts: Mapping[str, str], colour: Colour | None = None) -> None:
        """Show values by name, below a title with a capital and a square of a colour."""
        self.title.setText(title[:1].upper() + title[1:])
        self._chip.colour = colour
        self._chip.setVisible(colour is not None)
        if [*facts] != [*self.facts]:
            while self._form.rowCount():
                self._form.removeRow(0)
            self._values = {name: wrapping() for name in facts}
            for name, value in self._values.items():
                self._form.addRow(name, value)
        self.facts = facts
        for name, words in facts.items():
            self._values[name].setText(words)


class FactsPanel(SidePanel):
    """Pages of facts for each sort of selection, perhaps below a head, and a page of help for views without facts."""

    def __init__(self, head: QWidget | None = None) -> None:
        super().__init__()
        self._pages, self._added = Pages(), list[FactsPage]()
        scrolled(self._pages if head is None else Headed(head, self._pages), self)
        self._help = FactsPage(spaces=EVEN)
        self._pages.addWidget(self._help)
        self.shown = self._help
        """The page in sight."""

    def add(self, page: P) -> P:
        """Add a page, for `describe` to choose."""
        self._pages.addWidget(page)
        self._added.append(page)
        return page

    def insert(self, part: QWidget) -> None:
        """Add a part that an ability brings, before the hint of the first page."""
        self._added[0].insert(part)

    def describe(self) -> FactsPage:
        """Show the facts of the selection on one of the pages, and return it."""
        raise NotImplementedError

    def show_help(self, title: str, hint: str) -> None:
        """Show title and help of a view in place of the facts, until the title is empty."""
        self._help.show_facts(title, {})
        self._help.hint.setText(hint)
        self.follow()

    def follow(self) -> None:
        """Show the facts of the selection, or the help of the view."""
        self.shown = self._help if self._help.title.text() else self.describe()
        self._pages.setCurrentWidget(self.shown)

    def connect_to(self, **actions: Callable[[], object]) -> None:
        """Connect buttons, by the names of their attributes, to actions."""
        for name, action in actions.items():
            getattr(self, name).clicked.connect(lambda _on=False, action=action: action())


# The difficulty of a design: its grade, a scale, and the way to a harder or an easier one


class Grading(QObject, Generic[D]):
    """Follows the design of a graded kind, and replaces it by a harder or an easier one on request.

    `key` returns the part of a design that its grade depends on; with `watched=False` grading waits for a watcher.
    """

    changed = Signal()
    """The grade has changed, or a search has begun, progressed or ended."""

    def __init__(
        self, session: Session, key: Callable[[D], Hashable], parent: QObject, *, watched: bool = True
    ) -> None:
        super().__init__(parent)
        graded: Gradable[D] = session.kind.need(Gradable)
        self.noun = session.kind.noun
        self._searches = {"harder": graded.harder, "easier": graded.easier}
        self._ways = _ways(self.noun)

        self._document, self._jobs, self._notices = session.document, session.jobs, session.notices
        self.grade = Derived(session.jobs, GRADING, graded.grade, key=key, pause=PAUSE_MS, watched=watched, parent=self)
        """The grade of the design shown."""
        self.grade.changed.connect(self.changed)
        self.done: float | None = None
        """Progress of a search (0 to 1); None without one."""
        self._sentence = ""
        self._sought: D | None = None
        """The design for which a harder or an easier one is searched."""

    def commands(self, menu: str) -> list[Command]:
        """Return the commands Harder and Easier, for a menu."""
        return [
            Command(key, way.title, menu, partial(self.find, key), (), "", way.help)
            for key, way in self._ways.items()
        ]  # fmt: skip

    def show_design(self, design: D, *, settled: bool) -> None:
        """Follow the design; changes outside `key` leave the grade as it is."""
        if self.done is not None and design != self._sought:
            self._end_search(tr("The {kind} has changed, so the search was stopped.", kind=self.noun))
        self.grade.ask(design, settled=settled)

    # Harder and easier

    def find(self, which: str) -> None:
        """Search for a `harder` or `easier` design, and replace this one by it as one step."""
        design, look = self._document.design, self._searches[which]
        self.done, self._sought = 0.0, design
        self._sentence = self._ways[which].searching
        self._report_notice()
        self._jobs.start(
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
        self._jobs.cancel(SEARCHING)
        self._notices.post(sentence)
        self.changed.emit()

    def _report_notice(self) -> None:
        self._notices.post(self._sentence, action=Action(tr("Cancel"), self.cancel))

    def _report(self, fraction: float, _note: str) -> None:
        self.done = fraction
        if self._notices.notice() is None:
            # Notices disappear by themselves, but Cancel must stay in reach as long as the work lasts.
            self._report_notice()
        self.changed.emit()

    def _find_none(self, problem: StudioError) -> None:
        self.done = None
        self.changed.emit()
        self._notices.post(str(problem))

    def _take(self, which: str, found: Grade[D]) -> None:
        self.done = None
        self.grade.learn(found.design, found)
        way = self._ways[which]
        change = tr("{change}, without {lost}", change=way.title, lost=found.lost) if found.lost else way.title
        self._document.edit(change, found.design)
        seed = self._document.design.parameters.seed
        sentence = tr("{found}: seed {seed}. {grade}", found=way.found, seed=seed, grade=found.explanation)
        if found.lost:
            self._notices.post(
                tr(
                    "{sentence} Edits that do not fit the new seed were dropped: {lost}. Undo restores them.",
                    sentence=sentence,
                    lost=found.lost,
                ),
                Severity.WARNING,
                Action(tr("Undo"), partial(self._document.take_back, found.design)),
            )
        else:
            self._notices.post(sentence)


class _Way(NamedTuple):
    """A search in the words of its command and notices."""

    title: str
    help: str
    searching: str
    found: str


def _ways(kind: str) -> dict[str, _Way]:
    return {
        "harder": _Way(
            tr("Find a harder {kind}", kind=kind),
            tr("Switch to a seed one step harder; undo switches back"),
            tr("Searching for a harder {kind}…", kind=kind),
            tr("Found a harder {kind}", kind=kind),
        ),
        "easier": _Way(
            tr("Find an easier {kind}", kind=kind),
            tr("Switch to a seed one step easier; undo switches back"),
            tr("Searching for an easier {kind}…", kind=kind),
            tr("Found an easier {kind}", kind=kind),
        ),
    }


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
    """The difficulty of the design, its meaning, and the way to a harder or an easier one."""

    def __init__(self, grading: Grading[Any]) -> None:
        super().__init__()
        self._grading = grading
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


T = TypeVar("T")

GRADE_WIDTH, NARROW = 340, 510


class DifficultyPage(QWidget, Generic[T]):
    """The tab with the grade at the left, computed while visible, and a kind's table at the right."""

    model: ElementModel[T]
    table: CalmTable

    def __init__(self, grading: Grading[Any]) -> None:
        super().__init__()
        grading.grade.watch_in(self)
        self.page = GradePage(grading)
        self._rows: list[T] = []

    def show_table(self, title: str, name: str, rows: Iterable[T], columns: Sequence[tuple[int, Column[T]]]) -> None:
        """Show a table, once, with columns and their widths in pixels; screen readers read its name."""
        self._rows = list(rows)
        self.model = ElementModel([one for _width, one in columns])
        self.table = CalmTable(self.model, name, [width for width, _one in columns])
        self.table.horizontalHeader().setStretchLastSection(False)
        area = scrolled(self.page)
        area.setMaximumWidth(GRADE_WIDTH)
        beside = column(heading(title), (self.table, 1))
        parts = row((area, 1), (beside, 1), of=self, gap=2 * MARGIN, margins=(MARGIN, GAP, MARGIN, GAP))
        Turning(self, parts, narrow=NARROW, least=self.page.minimumSizeHint().width() + 2 * MARGIN)
        self.setFocusProxy(self.table)
        self.follow()

    def follow(self) -> None:
        """Show the present grade in the table."""
        self.model.show_elements(self._rows)

"""The difficulty of a design, computed in the background, and the search for a harder or an easier one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from PySide6.QtCore import QObject, Signal

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.puzzles.abilities.gradable import Gradable, Grade
from studio.ui.session.commands import Command
from studio.ui.session.derived import Derived
from studio.ui.session.notices import Action
from studio.ui.session.session import Session

GRADING, SEARCHING = "grading", "searching by grade"
PAUSE_MS = 400
"""Delay after the last change before a design is graded; its check goes first."""

D = TypeVar("D")


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
        self._ways = {"harder": _harder(self.noun), "easier": _easier(self.noun)}
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
                Action(tr("Undo"), partial(self._take_back, found.design)),
            )
        else:
            self._notices.post(sentence)

    def _take_back(self, design: D) -> None:
        if self._document.design is design:
            self._document.history.undo()


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

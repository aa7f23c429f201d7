"""How hard the cube is, worked out beside other work, and the search for a harder or an easier one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from studio.checks.finding import Severity
from studio.errors import StudioError
from studio.puzzles.cube.grade import CubeGrade, easier, graded, harder
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.ui.session.derived import Derived
from studio.ui.session.session import Session
from studio.ui.shell.actions import Command
from studio.ui.shell.notices import Action

GRADING, SEARCHING = "grading", "searching for a cube"
SEARCHES = {"harder": harder, "easier": easier}
PAUSE_MS = 400
"""How long nothing must change before a cube is graded; its check goes first."""


class Grading(QObject):
    """Follows the design with its grade, and puts another cube in its place where one is wanted."""

    changed = Signal()
    """Something else is known, or a search has begun, got on or ended."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._jobs, self._notices = session.document, session.jobs, session.notices
        self.grade = Derived(session.jobs, GRADING, graded, key=_of_chance, pause=PAUSE_MS, parent=self)
        """The grade of what is shown."""
        self.grade.changed.connect(self.changed)
        self.done: float | None = None
        """How much of a search has passed (0 to 1); None where none is under way."""
        self._sentence = ""
        self._sought: CubeDesign | None = None
        """For which a harder or an easier one is looked for."""

    def commands(self) -> list[Command]:
        """Harder and easier."""
        return [
            Command("harder", "Find a harder cube", "&Cube", partial(self.find, "harder"), (), "",
                    "Take another seed with which the cube is a step harder"),
            Command("easier", "Find an easier cube", "&Cube", partial(self.find, "easier"), (), "",
                    "Take another seed with which the cube is a step easier"),
        ]  # fmt: skip

    def show_design(self, design: CubeDesign, *, settled: bool) -> None:
        """Follow the design; what does not concern chance leaves the grade as it is."""
        if self.done is not None and design != self._sought:
            self._end_search("The cube has changed meanwhile, so the search was stopped.")
        self.grade.ask(design, settled=settled)

    # Harder and easier

    def find(self, which: str) -> None:
        """Look for a cube that is `harder` or `easier`, and put it in the place of this one as one step."""
        design, look = self._document.design, SEARCHES[which]
        self.done, self._sought = 0.0, design
        self._sentence = f"Looking for {_a(which)} cube …"
        self._tell_notice()
        self._jobs.start(
            SEARCHING,
            lambda progress: look(design, progress),
            done=partial(self._take, which),
            failed=self._find_none,
            told=self._tell,
        )
        self.changed.emit()

    def cancel(self) -> None:
        """Give the search up; the cube stays as it is."""
        if self.done is not None:
            self._end_search("The search was stopped; the cube is as it was.")

    def _end_search(self, sentence: str) -> None:
        self.done = None
        self._jobs.cancel(SEARCHING)
        self._notices.tell(sentence)
        self.changed.emit()

    def _tell_notice(self) -> None:
        self._notices.tell(self._sentence, action=Action("Cancel", self.cancel))

    def _tell(self, fraction: float, _note: str) -> None:
        self.done = fraction
        if self._notices.notice() is None:
            # A notice goes by itself, but there must be a way to cancel as long as it takes.
            self._tell_notice()
        self.changed.emit()

    def _find_none(self, problem: StudioError) -> None:
        self.done = None
        self.changed.emit()
        self._notices.tell(str(problem))

    def _take(self, which: str, found: CubeGrade) -> None:
        self.done = None
        self.grade.learn(found.design, found)
        without = f", without {found.lost}" if found.lost else ""
        self._document.edit(f"Find {_a(which)} cube{without}", found.design)
        sentence = f"Seed {found.design.parameters.seed} gives {_a(which)} cube. {found.words}"
        if found.lost:
            self._notices.tell(
                f"{sentence} Gone with the old seed: {found.lost}; undo brings that back.",
                Severity.WARNING,
                Action("Undo", partial(self._take_back, found.design)),
            )
        else:
            self._notices.tell(sentence)

    def _take_back(self, design: CubeDesign) -> None:
        if self._document.design is design:
            self._document.history.undo()


def _a(which: str) -> str:
    return f"{'an' if which[0] in 'aeiou' else 'a'} {which}"


def _of_chance(design: CubeDesign) -> CubeDesign:
    """A design with the parameters alone that chance and search know of."""
    mine = design.parameters
    x, y, z = mine.size
    return replace(
        design,
        parameters=CubeParameters(
            x=x, y=y, z=z, seed=mine.seed, unique=mine.unique, distinct=mine.distinct, captured=mine.captured
        ),
    )

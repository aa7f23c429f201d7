"""What a kind of puzzle, or one of its abilities, adds to a window."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from PySide6.QtCore import QMimeData, QObject, QPoint, Signal
from PySide6.QtWidgets import QWidget

from studio.base.amounts import abridged
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.checks.finding import Finding
from studio.ui.session.commands import Command
from studio.ui.session.session import Session

Offers = Callable[[], Sequence[tuple[str, float]]]
"""Values of a parameter to choose from, each with its words; asked for whenever the menu opens."""


@dataclass(frozen=True)
class Linked:
    """Gives parameters with another value and what changes along with it; with a title, while a switch is on."""

    change: Callable[[Any, str, Any], Any]
    title: str = ""
    help: str = ""
    group: str = ""
    """The title of the group that has the switch; the first one else."""


S = TypeVar("S")
MOST_NAMED = 3
"""Elements that the history names."""


@dataclass(frozen=True)
class View:
    """One way to see a puzzle in the middle of the window; several may share a widget, which then shows one of them."""

    name: str
    title: str
    widget: QWidget
    choose: Callable[[], object]
    fit: Callable[[], object]
    zoom_by: Callable[[float], object]
    finish: Callable[[], object] | None = None
    """Waits for work in the background; for pictures."""
    seek: Callable[[float], object] | None = None
    """Seeks in what the view plays, from 0 to 1; None where it plays nothing."""


@runtime_checkable
class ShowsDates(Protocol):
    """An extension whose puzzle has dates."""

    def show_date(self, text: str) -> None:
        """Show a date, written `10-06`; raises StudioError for one that the puzzle lacks."""


class Extension(QObject, Generic[S]):
    """A tool, views, tables, an inspector and commands for one window, connected to its session by themselves.

    As it is, it adds nothing: a kind that is worked on through its form alone needs none of its own.
    """

    refused = Signal(str)
    """Brings the sentence for a value or a request that was refused."""
    view_wanted = Signal(str)
    """Another view is wanted in sight: brings its name."""
    changed = Signal()
    """Something else is selected, is possible, or is to be said in the status bar."""
    canvas_wanted = Signal()
    """The canvas is wanted in sight."""
    menu_wanted = Signal(object)
    """Brings the place of the screen for the context menu, a QPoint."""
    design_wanted = Signal(object)
    """Another design of the kind is to be opened, not saved yet: brings it."""
    context_menus: tuple[str, ...] = ()
    """The menus whose commands are about what is selected: they are in the context menu, too."""
    canvas_menus: tuple[str, ...] = ()
    """The menus whose keys are pressed on the canvas although there are other views."""
    is_on_canvas = False
    """Whether the kind is worked on on the canvas, as where it has no views of its own: the key 5 fits the board to the
    window, and views of abilities have none of the kind's keys."""
    mouse = ""
    """What the mouse does, and keys that are no commands, in sentences."""
    droppable: frozenset[str] = frozenset()
    """The extensions of files, besides puzzles, that can be dropped on the window or pasted."""
    takes_images = False
    """Whether pictures that are no files can be, too."""
    linked: Linked | None = None
    """Gives parameters with another value in which what belongs together changes together."""

    def __init__(self, session: Session) -> None:
        super().__init__(session.canvas)
        self.session = session
        self.views: list[View] = []
        """The ways to see the puzzle, the first at first."""
        self.commands: list[Command] = []
        self.tables: list[tuple[str, QWidget]] = []
        """The tabs of the drawer, by title."""
        self.offers: dict[str, Offers] = {}
        """Values to choose from, with words, for parameters that have such."""
        self.inspector: QWidget | None = None
        self.player: QWidget | None = None
        """The tab in which something is played, for pictures of it."""

    @property
    def shapes(self) -> S:
        """The shapes in sight."""
        shapes: S = self.session.shapes
        return shapes

    def edit(self, words: str | Callable[[Any], str], change: Callable[..., Any], *values: object) -> None:
        """Change the design as one step that can be undone; `words` name it, or are made of what came of it.

        Where `change` raises StudioError, the sentence is shown and nothing changes.
        """
        try:
            design = change(self.session.document.design, *values)
        except StudioError as problem:
            self.refused.emit(str(problem))
        else:
            self.session.document.edit(words if isinstance(words, str) else words(design), design)

    def work(self, words: str | Callable[[Any], str], change: Callable[..., Any], *values: object) -> None:
        """The same for a change that may take a while: besides the values it is given a Progress."""
        self.session.changing.make(words, lambda design, progress: change(design, *values, progress))

    @property
    def words(self) -> str:
        """What is selected or seen, for the status bar."""
        return ""

    @property
    def numbers(self) -> str:
        """The figures that the status bar always shows, such as pieces and time."""
        return ""

    @property
    def topic(self) -> str:
        """What is selected or edited, as the manual's table of places calls it."""
        return ""

    def possible(self) -> dict[str, bool]:
        """Which of the commands make sense now; all that it does not name do."""
        return {}

    def place_of(self, finding: Finding) -> str:
        """Where a finding is, in words: on the drawing, unless the kind is seen otherwise; empty if it has no place."""
        if not finding.has_place:
            return ""
        x, y = finding.place
        return tr("{x:.1f}, {y:.1f} mm", x=x, y=y)

    def subject_of(self, finding: Finding) -> str:
        """What a finding is about, by name, for the history; empty where it has none."""
        return abridged(finding.cells, MOST_NAMED)

    def show_finding(self, finding: Finding) -> None:
        """A finding was chosen; the canvas points at it by itself."""

    def review(self, paths: Sequence[Path]) -> bool:
        """Show what files to be imported hold before it is taken over; returns whether the extension does that."""
        return False

    def drop(self, path: Path, place: QPoint) -> None:
        """A file with a droppable extension was dropped at a place on the screen, or copied elsewhere and pasted."""

    def take_image(self, data: QMimeData) -> None:
        """A picture that is no file was dropped on the window or pasted."""

    def put_away(self) -> None:
        """A view of an ability came in sight, and none of the extension's own is."""

    def pause(self) -> None:
        """The tab is out of sight: what plays pauses."""

    def finish(self) -> None:
        """Wait for all that is shown; for pictures and tests."""

    def seek(self, share: float) -> None:
        """Seek in what `player` plays, from 0 to 1; for pictures."""

    def idle(self, parameters: Any) -> dict[str, str]:
        """Parameters that have no effect beside the others, each with the reason; their fields are switched off."""
        return {}

    def hidden(self, parameters: Any) -> Collection[str]:
        """Parameters of a choice that is not made now; their fields are not shown."""
        return ()

    def describe(self, parameters: Any) -> dict[str, str]:
        """A quiet sentence under each group of the form that has one."""
        return {}

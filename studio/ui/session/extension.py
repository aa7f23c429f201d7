"""Parts that a kind of puzzle, or one of its abilities, adds to a window."""

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
from studio.ui.session.actions import Command
from studio.ui.session.session import Session

Offers = Callable[[], Sequence[tuple[str, float]]]
"""Values of a parameter to choose from, each with its words; called whenever the menu opens."""


@dataclass(frozen=True)
class Linked:
    """Changes a parameter together with its dependants; with a title, only while a switch is on."""

    change: Callable[[Any, str, Any], Any]
    title: str = ""
    help: str = ""
    group: str = ""
    """The title of the group with the switch; the first group if empty."""
    names: tuple[str, ...] = ()
    """The parameters with dependants; without a field of theirs the switch is hidden, too."""


S = TypeVar("S")
MOST_NAMED = 3
"""Limit for the elements named in the history."""


@dataclass(frozen=True)
class View:
    """A view of a puzzle in the middle of the window; several may share a widget, which shows one at a time."""

    name: str
    title: str
    widget: QWidget
    choose: Callable[[], object]
    fit: Callable[[], object]
    zoom_by: Callable[[float], object]
    finish: Callable[[], object] | None = None
    """Waits for work in the background; for pictures."""
    seek: Callable[[float], object] | None = None
    """Seeks in the view's animation, from 0 to 1; None if it has none."""


@runtime_checkable
class ShowsDates(Protocol):
    """An extension whose puzzle has dates."""

    def show_date(self, text: str) -> None:
        """Show a date, written `10-06`; raises StudioError if the puzzle lacks it."""


class Extension(QObject, Generic[S]):
    """A tool, views, tables, an inspector and commands for one window, each connected to its session.

    The base class adds nothing: a kind edited through its form alone needs no subclass.
    """

    refused = Signal(str)
    """A value or a request was refused: brings the sentence."""
    view_wanted = Signal(str)
    """Another view is to be shown: brings its name."""
    changed = Signal()
    """Selection, enabled commands or status have changed."""
    canvas_wanted = Signal()
    """The canvas is to be shown."""
    menu_wanted = Signal(object)
    """The context menu is wanted: brings its place on the screen, a QPoint."""
    design_wanted = Signal(object)
    """Another design of the kind is to be opened, unsaved: brings it."""
    context_menus: tuple[str, ...] = ()
    """Menus with commands for the selection: the context menu has them, too."""
    canvas_menus: tuple[str, ...] = ()
    """Menus whose keys work on the canvas although there are other views."""
    is_on_canvas = False
    """True if the kind is edited on the canvas, as without views of its own: the key 5 fits the board to the
        window, and views of abilities have none of the kind's keys.
    """
    mouse = ""
    """Sentences on the mouse, and on keys that are not commands."""
    droppable: frozenset[str] = frozenset()
    """Extensions of files, besides puzzles, that can be dropped on the window or pasted."""
    takes_images = False
    """True if pictures without a file can be, too."""
    linked: Linked | None = None
    """Changes a parameter together with its dependants."""

    def __init__(self, session: Session) -> None:
        super().__init__(session.canvas)
        self.session = session
        self.views: list[View] = []
        """The views of the puzzle, the initial one first."""
        self.commands: list[Command] = []
        self.tables: list[tuple[str, QWidget]] = []
        """The tabs of the drawer, by title."""
        self.offers: dict[str, Offers] = {}
        """Values to choose from, with words, for some parameters."""
        self.inspector: QWidget | None = None
        """The inspector of a kind; of an ability a part of it."""
        self.player: QWidget | None = None
        """The tab with an animation, for pictures of it."""

    @property
    def shapes(self) -> S:
        """The shapes in sight."""
        shapes: S = self.session.shapes
        return shapes

    def edit(self, words: str | Callable[[Any], str], change: Callable[..., Any], *values: object) -> bool:
        """Change the design as one step that can be undone; `words` name it, or name it from the new design.

        If `change` raises StudioError, its sentence is shown, nothing changes, and the answer is False.
        """
        try:
            design = change(self.session.document.design, *values)
        except StudioError as problem:
            self.refused.emit(str(problem))
            return False
        self.session.document.edit(words if isinstance(words, str) else words(design), design)
        return True

    def work(self, words: str | Callable[[Any], str], change: Callable[..., Any], *values: object) -> None:
        """Change the design like `edit`, but with a change that may take a while and takes a Progress."""
        self.session.changing.make(words, lambda design, progress: change(design, *values, progress))

    @property
    def status_text(self) -> str:
        """The selection or view in words, for the status bar."""
        return ""

    @property
    def numbers(self) -> str:
        """Figures for the status bar, such as pieces and time."""
        return ""

    @property
    def topic(self) -> str:
        """The selected or edited thing, by its name in the manual's table of places."""
        return ""

    def possible(self) -> dict[str, bool]:
        """Return which commands are enabled in their view; commands left out are."""
        return {}

    def place_of(self, finding: Finding) -> str:
        """Return the place of a finding in words, on the drawing by default; empty if it has none."""
        if not finding.has_place:
            return ""
        x, y = finding.place
        return tr("{x:.1f}, {y:.1f} mm", x=x, y=y)

    def subject_of(self, finding: Finding) -> str:
        """Return the subject of a finding, by name, for the history; empty if it has none."""
        return abridged(finding.cells, MOST_NAMED)

    def show_finding(self, finding: Finding) -> None:
        """Show a chosen finding; the canvas points at it by itself."""

    def review(self, paths: Sequence[Path]) -> bool:
        """Preview files before their import; return whether the extension does so."""
        return False

    def takes(self, data: QMimeData) -> bool:
        """Return whether a file or a picture can be dropped or pasted."""
        return bool(dropped(data, self.droppable)) or (self.takes_images and data.hasImage())

    def take(self, data: QMimeData, place: QPoint) -> None:
        """Take the first file, or else the picture, at a place on the screen."""
        files = dropped(data, self.droppable)
        if files:
            self.drop(files[0], place)
        else:
            self.take_image(data)

    def drop(self, path: Path, place: QPoint) -> None:
        """Take a file with a droppable extension, dropped at a place on the screen or pasted."""

    def take_image(self, data: QMimeData) -> None:
        """Take a dropped or pasted picture without a file."""

    def put_away(self) -> None:
        """React to a view of an ability replacing the extension's own."""

    def pause(self) -> None:
        """Pause animations, as the tab is out of sight."""

    def finish(self) -> None:
        """Wait until everything is shown; for pictures and tests."""

    def seek(self, share: float) -> None:
        """Seek in the animation of `player`, from 0 to 1; for pictures."""

    def idle(self, parameters: Any) -> dict[str, str]:
        """Return parameters without effect at these values, each with the reason; their fields are disabled."""
        return {}

    def hidden(self, parameters: Any) -> Collection[str]:
        """Return parameters of choices not made at these values; their fields are hidden."""
        return ()

    def describe(self, parameters: Any) -> dict[str, str]:
        """Return a quiet sentence for groups of the form."""
        return {}


def dropped(data: QMimeData, suffixes: Collection[str]) -> list[Path]:
    """Return the dropped files with certain extensions, in any case."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return [path for path in paths if path.suffix.lower() in suffixes]

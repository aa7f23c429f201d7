"""What a kind of puzzle may add to the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget

from studio.checks.finding import Finding
from studio.geometry.shapes import Shapes
from studio.puzzles.kind import AnyKind
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.tool import Tool
from studio.ui.panels.form import Offers
from studio.ui.session.document import Document
from studio.ui.session.jobs import Jobs
from studio.ui.shell.actions import Command
from studio.ui.shell.notices import NoticeBar


@runtime_checkable
class Dated(Protocol):
    """Parts of a kind that shows one date."""

    def choose_date(self, text: str) -> None:
        """Show a date, written as --date takes it; raises StudioError for one that the puzzle does not have."""


class AnyTool(Tool, Protocol):
    """A tool that can ask for the context menu, at a place of the screen."""

    @property
    def menu_wanted(self) -> SignalInstance:
        """Brings the place of the screen, a QPoint."""


class AnySelection(Protocol):
    """What is selected."""

    @property
    def changed(self) -> SignalInstance:
        """Something else is selected."""


@dataclass(frozen=True)
class View:
    """One way to see a puzzle in the middle of the window; several may share a widget, which is told what to show."""

    name: str
    title: str
    widget: QWidget
    choose: Callable[[], object]
    fit: Callable[[], object]
    zoom_by: Callable[[float], object]
    finish: Callable[[], object] | None = None
    """Works out here and now what else comes by and by; for pictures."""
    seek: Callable[[float], object] | None = None
    """Shows what the view plays when so large a share of it has passed, from 0 to 1; None where it plays nothing."""


class Parts(Protocol):
    """One kind's tool, tables, inspector and actions, for one window."""

    commands: list[Command]
    views: list[View]
    """The ways to see the puzzle, the first at first; empty for a kind that is seen on the canvas alone."""
    offers: dict[str, Offers]
    """Values to choose from, with words, for parameters that have such."""
    tables: list[tuple[str, QWidget]]
    inspector: QWidget
    mouse: str
    """What the mouse does, and keys that are no commands, in sentences."""

    @property
    def tool(self) -> AnyTool:
        """The tool on the canvas."""

    @property
    def selection(self) -> AnySelection:
        """What is selected on the canvas and in the tables."""

    @property
    def refused(self) -> SignalInstance:
        """Brings the sentence for a value or a wish that could not be met."""

    @property
    def view_wanted(self) -> SignalInstance:
        """Another view is wanted in sight: brings its name."""

    @property
    def words(self) -> str:
        """What is selected, in words."""

    def possible(self) -> dict[str, bool]:
        """Which of the commands that need a selection make sense now."""

    def show_shapes(self, shapes: Shapes, settled: bool) -> None:
        """Follow the shapes; those that have not settled are under somebody's hand."""

    def show_draft(self, draft: bool) -> None:
        """Show or hide the marks of the draft."""

    def show_finding(self, finding: Finding) -> None:
        """A finding was chosen, which the canvas points at by itself."""

    def finish(self) -> None:
        """Know all that is shown, here and now; for pictures and tests."""

    def describe(self, parameters: object) -> dict[str, str]:
        """A quiet sentence under each group of the form that has one."""

    @property
    def linked(self) -> Callable[[object, str, object], object] | None:
        """Gives the parameters with another value and what changes along with it; None where nothing does."""


def parts_for(kind: AnyKind, document: Document, canvas: Canvas, jobs: Jobs, notices: NoticeBar) -> Parts:
    """The parts of a kind; plain ones for a kind that has none of its own."""
    if kind.key == "jigsaw":
        from studio.ui.kinds.jigsaw.parts import JigsawParts

        return JigsawParts(document, canvas)
    if kind.key == "cube":
        from studio.ui.kinds.cube.parts import CubeParts

        return CubeParts(document, canvas, jobs, notices)
    if kind.key == "calendar":
        from studio.ui.kinds.calendar.parts import CalendarParts

        return CalendarParts(document, canvas, jobs)
    from studio.ui.kinds.plain import PlainParts

    return PlainParts(kind, canvas)

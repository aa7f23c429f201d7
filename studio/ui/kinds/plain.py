"""What the window has of a kind of puzzle without parts of its own: its form, its drawing and its findings."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget

from studio.checks.finding import Finding
from studio.geometry.shapes import Shapes
from studio.puzzles.kind import AnyKind
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.tool import Pointer
from studio.ui.kinds.parts import View
from studio.ui.panels.form import Offers
from studio.ui.shell.actions import Command
from studio.ui.theme import MARGIN


class NoTool(QObject):
    """A tool that takes nothing in hand; the canvas still pans and zooms."""

    menu_wanted = Signal(object)
    """Brings the place of the screen, a QPoint."""

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """There is nothing to take."""
        return Qt.CursorShape.ArrowCursor

    def pressed(self, pointer: Pointer) -> None:
        """Nothing is taken."""

    def dragged(self, pointer: Pointer) -> None:
        """Nothing is moved."""

    def released(self, pointer: Pointer) -> None:
        """Nothing is let go."""

    def double_clicked(self, pointer: Pointer) -> None:
        """Nothing is changed."""

    def menu_asked(self, pointer: Pointer) -> None:
        """The window's own menu is all there is."""
        self.menu_wanted.emit(pointer.screen)

    def key_pressed(self, event: QKeyEvent) -> bool:
        """No key is meant for it."""
        return False

    def left(self) -> None:
        """Nothing was shown."""

    def cancelled(self) -> bool:
        """There is no gesture to give up."""
        return False


class NoSelection(QObject):
    """Nothing is ever selected."""

    changed = Signal()


class PlainParts(QObject):
    """A kind that is worked on through its form alone."""

    refused = Signal(str)
    """Brings the sentence for a value or a wish that could not be met."""
    view_wanted = Signal(str)
    """Another view is wanted in sight: brings its name."""
    linked = None
    mouse = "Wheel: zoom at the mouse. Middle button, or Space with the left: pan."
    """Each parameter stands for itself."""

    def __init__(self, kind: AnyKind, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.views: list[View] = []
        self.offers: dict[str, Offers] = {}
        self.tool = NoTool(self)
        self.selection = NoSelection(self)
        self.commands: list[Command] = []
        self.tables: list[tuple[str, QWidget]] = []
        label = QLabel(kind.summary)
        label.setWordWrap(True)
        label.setMargin(MARGIN)
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.inspector: QWidget = label
        canvas.view.tool = self.tool

    @property
    def words(self) -> str:
        """Nothing is selected."""
        return ""

    def possible(self) -> dict[str, bool]:
        """No command needs a selection."""
        return {}

    def show_shapes(self, shapes: Shapes, settled: bool) -> None:
        """Nothing but the canvas follows the shapes."""

    def show_draft(self, draft: bool) -> None:
        """There are no marks."""

    def show_finding(self, finding: Finding) -> None:
        """The canvas points at it."""

    def finish(self) -> None:
        """Nothing is worked out beside the checks."""

    def describe(self, parameters: object) -> dict[str, str]:
        """No group of the form needs a sentence."""
        return {}

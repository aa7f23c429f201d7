"""A window on a stage: built as a maker gets it, moved by real mouse and key events."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from studio.files.store import dumps
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.profiles import Stored
from studio.puzzles.kind import AnyKind
from studio.ui.abilities.batching import BatchDialog, BatchRequest
from studio.ui.abilities.cuttable import CutExtension
from studio.ui.abilities.editable import EditDialog
from studio.ui.abilities.gradable_solvable import GradedExtension, TechniquesPage
from studio.ui.kinds.calendar.views import CanvasPage
from studio.ui.kinds.jigsaw.engravings import EngraveDialog
from studio.ui.kinds.jigsaw.extension import JigsawExtension
from studio.ui.kinds.jigsaw.figures import FigureDialog, FigureRequest
from studio.ui.kinds.jigsaw.tongue_dialog import TongueDialog
from studio.ui.panels.alignment_dialog import AlignmentDialog
from studio.ui.panels.colour_profiles import ProfilesDialog
from studio.ui.panels.coupon import CouponDialog, CouponRequest
from studio.ui.panels.drawing_import import DrawingDialog, Looked
from studio.ui.panels.export_dialog import ExportDialog, ExportRequest
from studio.ui.panels.file_dialog import NameDialog
from studio.ui.panels.game_page import BoardPage
from studio.ui.panels.making_choice import OptionsDialog
from studio.ui.panels.plan_tab import Planning
from studio.ui.panels.printer_export_dialog import PrintDialog, PrintRequest
from studio.ui.panels.send_dialog import SendDialog
from studio.ui.panels.times_dialog import TimesDialog
from studio.ui.panels.variants import ComparisonDialog, VariantsDialog
from studio.ui.panels.workshop import WorkshopDialog
from studio.ui.session.dialogs import Changed, Dialogs, Unsaved, WorkDialog
from studio.ui.session.document import Document
from studio.ui.session.games import VIEW
from studio.ui.session.jobs import Client
from studio.ui.session.opening import Opened
from studio.ui.session.preferences import Preferences
from studio.ui.shell.window import Window
from studio.ui.solid.renderer import PainterRenderer
from tests.depth import THOROUGH

NO_BUTTON, LEFT, MIDDLE = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NO_KEY = Qt.KeyboardModifier.NoModifier


class Closing(Protocol):
    """Something that a test closes."""

    def close(self) -> None: ...


S = TypeVar("S", bound=Closing)


def destroy(window: QWidget) -> None:
    """Close a window and let go of all it has: fonts and colours are set for whatever is left over in every test."""
    assert window.close()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def staged(make: Callable[[Path], S]) -> Any:
    """A fixture that sets a stage in the test's own folder, and closes it after the test."""

    @pytest.fixture
    def stage(qapp: QApplication, tmp_path: Path) -> Iterator[S]:
        made = make(tmp_path)
        yield made
        made.close()

    return stage


def paint_solids(patch: pytest.MonkeyPatch) -> None:
    """Have Qt paint solids in the quick run: the first pictures by OpenGL cost more than their window."""
    if not THOROUGH:
        patch.setattr("studio.ui.solid.view.USUAL_RENDERERS", (PainterRenderer,))


class Answers(Dialogs):
    """Answers the questions of the dialogs in the maker's stead."""

    def __init__(self) -> None:
        super().__init__(None)
        self.open: Path | None = None
        self.asked_in: Path | None = None
        self.imports: list[Path] = []
        self.save: Path | None = None
        self.on_unsaved = Unsaved.CANCEL
        self.on_changed = Changed.CANCEL
        self.changed_names: list[str] = []
        self.on_colour: QColor | None = None
        self.on_name: str | None = None
        self.said = ""
        self.folder: Path | None = None
        self.on_unsaved_game = Unsaved.CANCEL
        self.at_unsaved_game: Callable[[], Unsaved] = lambda: self.on_unsaved_game
        self.asked = self.asked_of_games = 0
        self.on_export: ExportRequest | None = None
        self.export_dialogs = 0
        self.at_export: Callable[[ExportDialog], ExportRequest | None] = lambda dialog: self.on_export
        self.on_coupon: Callable[[CouponDialog[Any]], CouponRequest[Any] | None] = lambda dialog: None
        self.on_printing: Callable[[PrintDialog], PrintRequest | None] = lambda dialog: None
        self.on_send: Callable[[SendDialog], object] = lambda dialog: None
        self.on_line_up: Callable[[AlignmentDialog], Any] = lambda dialog: None
        self.on_figure: Callable[[FigureDialog], FigureRequest | None] = lambda dialog: dialog.request()
        self.on_tongue: Callable[[TongueDialog], Stored | None] = lambda dialog: (
            dialog.request() if dialog.apply.isEnabled() else None
        )
        self.on_engrave: Callable[[EngraveDialog], JigsawDesign | None] = lambda dialog: dialog.request()
        self.on_drawing: Callable[[DrawingDialog], Looked | None] = lambda dialog: None
        self.on_options: Callable[[OptionsDialog], Any] = lambda dialog: dialog.request()
        self.on_batch: Callable[[BatchDialog], BatchRequest | None] = lambda dialog: dialog.request()
        self.on_edit: str | None = None
        self.on_workshop: Callable[[WorkshopDialog], None] = lambda dialog: None
        self.on_variants: Callable[[VariantsDialog], Any] = lambda dialog: dialog.request()
        self.on_comparison: Callable[[ComparisonDialog], None] = lambda dialog: None
        self.on_profiles: Callable[[ProfilesDialog], None] = lambda dialog: None
        self.on_times: Callable[[TimesDialog], object] = lambda dialog: None

    def open_path(self, folder: Path, title: str = "", kinds: str = "") -> Path | None:
        self.asked_in = folder
        return self.open

    def import_paths(self, folder: Path) -> list[Path]:
        return self.imports

    def save_path(self, suggested: Path) -> Path | None:
        return self.save

    def colour(self, title: str, now: QColor) -> QColor | None:
        return self.on_colour

    def unsaved(self, title: str) -> Unsaved:
        self.asked += 1
        return self.on_unsaved

    def changed(self, name: str) -> Changed:
        self.changed_names.append(name)
        return self.on_changed

    def unsaved_game(self, title: str) -> Unsaved:
        self.asked_of_games += 1
        return self.at_unsaved_game()

    def file_path(self, title: str, suggested: Path, filters: Sequence[str]) -> Path | None:
        return self.save

    def folder_path(self, title: str, suggested: Path) -> Path | None:
        return self.folder

    def ask(self, dialog: object) -> Any:
        match dialog:
            case ExportDialog():
                self.export_dialogs += 1
                return self.at_export(dialog)
            case AlignmentDialog():
                return self.on_line_up(dialog)
            case CouponDialog():
                return self.on_coupon(dialog)
            case PrintDialog():
                return self.on_printing(dialog)
            case FigureDialog():
                return self.on_figure(dialog)
            case TongueDialog():
                return self.on_tongue(dialog)
            case EngraveDialog():
                return self.on_engrave(dialog)
            case DrawingDialog():
                return self.on_drawing(dialog)
            case BatchDialog():
                return self.on_batch(dialog)
            case EditDialog():
                return self.on_edit
            case VariantsDialog():
                return self.on_variants(dialog)
            case OptionsDialog():
                return self.on_options(dialog)
        raise AssertionError(f"nobody answers {dialog}")

    def carry_out(self, dialog: WorkDialog, start: Callable[[Any, Client], object]) -> None:
        """Answer, and let the notices tell what becomes of it: nobody sees the dialog."""
        if isinstance(dialog, NameDialog):
            if self.on_name is not None:
                dialog.name.setText(self.on_name)
                dialog.start = start
                dialog.accept()
                self.said = dialog.problem.sentence.text()
            return
        if isinstance(dialog, SendDialog):
            dialog.start = start
            self.on_send(dialog)
            return
        request = self.ask(dialog)
        if request is not None:
            start(request, dialog if isinstance(dialog, BatchDialog) else cast(Any, None))

    def show(self, dialog: QDialog) -> None:
        if isinstance(dialog, ComparisonDialog):
            self.on_comparison(dialog)
            return
        if isinstance(dialog, ProfilesDialog):
            self.on_profiles(dialog)
            return
        if isinstance(dialog, TimesDialog):
            self.on_times(dialog)
            return
        assert isinstance(dialog, WorkshopDialog)
        self.on_workshop(dialog)


class KindStage:
    """A window on a design of any kind, in its first view or a named one; checked and active, unless not `is_ready`.

    The mouse meets `target`, the canvas unless a kind's own stage says otherwise.
    """

    def __init__(
        self,
        folder: Path,
        kind: AnyKind,
        design: Any = None,
        *,
        size: tuple[int, int] = (1280, 800),
        is_ready: bool = True,
        view: str = "",
    ) -> None:
        self.answers = Answers()
        self.preferences = Preferences(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
        self.document = Document(kind, kind.example() if design is None else design)
        window = Window(self.document, self.preferences, self.answers)
        window.show_view(view)
        self._show(window, size)
        if is_ready:
            self.window.activateWindow()
            assert QTest.qWaitForWindowActive(self.window), "keys go to the window that is active"
            self.window.pipeline.finish()
        self.settle()

    def _show(self, window: Window, size: tuple[int, int]) -> None:
        self.window = window
        window.filing.opened.connect(self._open)
        window.resize(*size)
        window.show()
        QTest.qWaitForWindowExposed(window)

    def _open(self, found: Opened, path: Path | None, is_saved: bool) -> None:
        """Have another design take the place of an untouched one, as the studio does with its tabs."""
        old = self.window
        if not old.filing.is_untouched:
            return
        saved = found.saved
        self.document = Document(saved.kind, saved.design, path, saved.digest if path else "")
        self._show(Window(self.document, self.preferences, self.answers, found.sight), old.size().toTuple())
        if not is_saved:
            self.document.history.resetClean()
        self.window.activateWindow()
        assert QTest.qWaitForWindowActive(self.window)
        old.give_up()
        old.deleteLater()

    def close(self) -> None:
        """Give everything up and end every thread."""
        self.answers.on_unsaved = self.answers.on_unsaved_game = Unsaved.DISCARD
        # A window stays open while it writes, and would then be there in the next test.
        self.wait_for(lambda: not self.window.session.writing.is_writing)
        destroy(self.window)

    @property
    def graded(self) -> GradedExtension:
        """What the window has of the difficulty."""
        return self.window.find_extension(GradedExtension)

    @property
    def techniques(self) -> TechniquesPage:
        """The tab of the difficulty."""
        assert self.graded.tab is not None
        return self.graded.tab

    def settle(self) -> None:
        """Let Qt do what it has put off."""
        for _ in range(3):
            QApplication.processEvents()

    def wait_for(self, what: Callable[[], bool], seconds: float = 60.0) -> bool:
        """Wait until a condition holds; returns whether it came to hold."""
        until = time.monotonic() + seconds
        while not what() and time.monotonic() < until:
            # QTest.qWait would hold the interpreter, and what is waited for happens in another thread.
            QApplication.processEvents()
            time.sleep(0.005)
        return what()

    @property
    def bytes(self) -> bytes:
        """The document as a file would hold it."""
        return dumps(self.document.kind, self.document.design)

    def posted(self) -> str:
        """What the notice bar says."""
        notice = self.window.notices.notice()
        return "" if notice is None else notice.sentence

    def kinds_found(self) -> set[str]:
        """The kinds of finding that the list shows."""
        return {finding.kind for finding in self.window.findings.model.elements}

    @property
    def target(self) -> QWidget:
        """The widget that the mouse meets."""
        return self.window.canvas.view.viewport()

    def mouse(
        self,
        kind: QEvent.Type,
        place: QPoint,
        button: Qt.MouseButton = NO_BUTTON,
        held: Qt.MouseButton = NO_BUTTON,
        keys: Qt.KeyboardModifier = NO_KEY,
    ) -> None:
        """Send one mouse event."""
        screen = QPointF(self.target.mapToGlobal(place))
        QApplication.sendEvent(self.target, QMouseEvent(kind, QPointF(place), screen, button, held, keys))

    def press(self, place: QPoint, keys: Qt.KeyboardModifier = NO_KEY, button: Qt.MouseButton = LEFT) -> None:
        self.mouse(QEvent.Type.MouseMove, place, keys=keys)
        self.mouse(QEvent.Type.MouseButtonPress, place, button, button, keys)

    def move(self, place: QPoint, keys: Qt.KeyboardModifier = NO_KEY, button: Qt.MouseButton = LEFT) -> None:
        self.mouse(QEvent.Type.MouseMove, place, NO_BUTTON, button, keys)
        self.settle()

    def release(self, place: QPoint, keys: Qt.KeyboardModifier = NO_KEY, button: Qt.MouseButton = LEFT) -> None:
        self.mouse(QEvent.Type.MouseButtonRelease, place, button, NO_BUTTON, keys)
        self.settle()

    def click(self, place: QPoint, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        self.press(place, keys)
        self.release(place, keys)

    def double_click(self, place: QPoint) -> None:
        self.click(place)
        self.mouse(QEvent.Type.MouseButtonDblClick, place, LEFT, LEFT)
        self.release(place)

    def drag(self, start: QPoint, end: QPoint, keys: Qt.KeyboardModifier = NO_KEY, steps: int = 4) -> None:
        """Drag in several moves."""
        self.press(start, keys)
        for step in range(1, steps + 1):
            self.move(start + (end - start) * step / steps, keys)
        self.release(end, keys)

    def wheel(self, place: QPoint, notches: int) -> None:
        """Turn the wheel."""
        event = QWheelEvent(
            QPointF(place), QPointF(self.target.mapToGlobal(place)), QPoint(), QPoint(0, 120 * notches), NO_BUTTON,
            NO_KEY, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(self.target, event)
        self.settle()

    def hover(self, place: QPoint) -> None:
        """Move the mouse with no button held."""
        self.mouse(QEvent.Type.MouseMove, place)
        self.settle()


class GameStage(KindStage):
    """A window on a kind at play; the mouse meets the board, keys whatever has the focus."""

    def __init__(self, folder: Path, kind: AnyKind, design: Any = None, *, size: tuple[int, int] = (1280, 800)) -> None:
        super().__init__(folder, kind, design, size=size, view=VIEW)
        self.answers.save = self.answers.open = folder / "mine.game"
        (found,) = [view.widget for view in self.window.extension.views if view.name == VIEW]
        self.play: Any = found if isinstance(found, BoardPage | CanvasPage) else found.page  # type: ignore[attr-defined]

    @property
    def game(self) -> Any:
        """The position."""
        return self.play.game

    @property
    def target(self) -> QWidget:
        return cast(QWidget, self.play.view.viewport())

    def press_key(self, key: Qt.Key, times: int = 1, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """A key for the widget that has the focus, shortcuts and all."""
        for _ in range(times):
            focus = QApplication.focusWidget()
            assert focus is not None
            QTest.keyClick(focus, key, keys)
        self.settle()


dropping = pytest.mark.filterwarnings("ignore:.*QDragEnterEvent.*:DeprecationWarning")
"""Qt 6.12 wants a place of another type, which older ones do not take."""


class Stage(KindStage):
    """A window on a jigsaw, its board as large as the canvas."""

    def __init__(self, folder: Path, design: JigsawDesign | None = None, size: tuple[int, int] = (1280, 800)) -> None:
        super().__init__(folder, JIGSAW, design or JigsawDesign(), size=size, is_ready=False)
        self.window.pipeline.finish()
        self.settle()
        self.window.canvas.view.fit()

    @property
    def extension(self) -> JigsawExtension:
        assert isinstance(self.window.extension, JigsawExtension)
        return self.window.extension

    @property
    def cutting(self) -> CutExtension:
        """What the window has for the laser."""
        return self.window.find_extension(CutExtension)

    @property
    def planning(self) -> Planning:
        """The tab of the cut plan."""
        return self.cutting.planning

    @property
    def shapes(self) -> JigsawShapes:
        assert isinstance(self.window.pipeline.shapes, JigsawShapes)
        return self.window.pipeline.shapes

    @property
    def design(self) -> JigsawDesign:
        assert isinstance(self.document.design, JigsawDesign)
        return self.document.design

    def corner(self, name: str) -> QPoint:
        """Where a corner is on the canvas."""
        return self.at(*self.shapes.corners[self.shapes.tiling.corner_indices[name]].tolist())

    def tongue(self, name: str) -> QPoint:
        """A place on a tongue's curve, where its neck begins."""
        stroke = self.shapes.drawing.strokes[self.shapes.tiling.edge_indices[name]]
        return self.at(*stroke[3].tolist())

    def at(self, x: float, y: float) -> QPoint:
        """A place of the board on the canvas."""
        return self.window.canvas.view.mapFromScene(QPointF(x, y))

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """Press and let go a key on the canvas."""
        view = self.window.canvas.view
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(view, QKeyEvent(kind, key, keys))
        self.settle()

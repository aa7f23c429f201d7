"""Whatever hands do to a window, undo leads back to where it began, files keep their bytes, and nothing is warned."""

import gc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from pytestqt.qtbot import QtBot

from studio.base.parameters import Declaration, declarations
from studio.base.progress import SILENT
from studio.files.store import dumps, loads
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import kinds
from studio.ui.widgets.length_spin import ValueOrigin
from tests.depth import examples
from tests.ui.stage import LEFT, NO_KEY, KindStage

GESTURES = examples(200, 4000)
SEED = 14
ROUNDS = 2
"""The same walk twice: what the second leaves behind, every further one would."""
SMALL: dict[str, dict[str, Any]] = {
    "jigsaw": {"columns": 4, "rows": 3},
    "cube": {"x": 3, "y": 3, "z": 3, "segments": 8, "unique": False, "distinct": False, "captured": False},
    "calendar": {"board": "dice"},
    "zigzaw": {"columns": 4, "rows": 3},
    "slitherlink": {"columns": 5, "rows": 5},
}
"""Parameters of small puzzles; their sizes are left alone, since they make gestures slow and not different."""
SIZE = 900, 640
"""Of the window: a small one is painted sooner."""
KEPT = ("columns", "rows", "x", "y", "z", "segments", "board", "unique", "distinct", "captured")
KEYS = [
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_Return,
    Qt.Key.Key_Escape, Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Tab, Qt.Key.Key_Home, Qt.Key.Key_End,
    *map(Qt.Key, range(Qt.Key.Key_A, Qt.Key.Key_Z + 1)), *map(Qt.Key, range(Qt.Key.Key_0, Qt.Key.Key_9 + 1)),
]  # fmt: skip
SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
RIGHT = Qt.MouseButton.RightButton
SLOW = {"find", "grade"}
"""Commands that search for long."""


T = TypeVar("T")


class Monkey:
    """Moves a window by chance: a seed gives the same gestures again."""

    def __init__(self, stage: KindStage, seed: int) -> None:
        self.stage, self.dice = stage, np.random.default_rng(seed)
        self.is_busy = False
        self.leaving = QTimer(interval=20)
        self.leaving.timeout.connect(self.leave_menu)
        self.leaving.start()
        self.gestures: list[tuple[int, Callable[[], None]]] = [
            (8, self.drag), (8, self.click), (2, self.wheel), (10, self.key), (3, self.value), (3, self.step_back),
            (2, self.step_on), (1, self.view), (1, self.fix), (2, self.command), (1, self.list_row),
        ]  # fmt: skip

    def go(self) -> None:
        """One gesture."""
        shares = np.array([share for share, _gesture in self.gestures], float)
        gesture = self.gestures[int(self.dice.choice(len(self.gestures), p=shares / shares.sum()))][1]
        self.is_busy = True
        gesture()
        self.is_busy = False
        QApplication.processEvents()

    def leave_menu(self) -> None:
        """Close the menu of a button, which a key opened and for which that gesture waits."""
        menu = QApplication.activePopupWidget()
        if self.is_busy and menu is not None:
            menu.close()

    def some(self, things: Sequence[T]) -> T:
        return things[int(self.dice.integers(len(things)))]

    # Mouse

    def target(self) -> tuple[QWidget, QPoint]:
        """A place in the middle of the window, and the widget that lies there."""
        middle = self.stage.window.middle.shown
        assert middle is not None
        place = self.place_in(middle)
        found = middle.childAt(place) or middle
        return found, found.mapFrom(middle, place)

    def place_in(self, widget: QWidget) -> QPoint:
        size = widget.size()
        return QPoint(int(self.dice.integers(max(size.width(), 1))), int(self.dice.integers(max(size.height(), 1))))

    def keys(self) -> Qt.KeyboardModifier:
        return self.some([NO_KEY, NO_KEY, NO_KEY, SHIFT, ALT])

    def click(self) -> None:
        widget, place = self.target()
        if isinstance(widget.parent(), QAbstractScrollArea) or self.dice.random() < 0.5:
            (QTest.mouseDClick if self.dice.random() < 0.2 else QTest.mouseClick)(widget, LEFT, self.keys(), place)

    def drag(self) -> None:
        widget, place = self.target()
        button, keys = self.some([LEFT, LEFT, LEFT, RIGHT]), self.keys()
        QTest.mousePress(widget, button, keys, place)
        for _ in range(2):
            QTest.mouseMove(widget, place + QPoint(*self.dice.integers(-60, 60, 2).tolist()))
        QTest.mouseRelease(widget, button, keys, place + QPoint(*self.dice.integers(-60, 60, 2).tolist()))

    def wheel(self) -> None:
        self.stage.window.canvas.view.zoom_by(float(self.dice.choice([0.5, 0.8, 1.25, 2.0])))

    # Keys and commands

    def key(self) -> None:
        widget = self.stage.window.focusWidget() or self.stage.window
        QTest.keyClick(widget, self.some(KEYS), self.some([NO_KEY, NO_KEY, NO_KEY, SHIFT]))

    def step_back(self) -> None:
        self.stage.document.history.undo()

    def step_on(self) -> None:
        self.stage.document.history.redo()

    def view(self) -> None:
        self.stage.window.show_view(self.some(self.stage.window.middle.views).name)

    def command(self) -> None:
        known = [each for each in self.stage.window.extension.commands if not each.is_export and each.name not in SLOW]
        if known:
            self.stage.window.actions_[self.some(known).name].trigger()

    # Form and lists

    def value(self) -> None:
        """Another value in a field of the form, at times one that is refused."""
        known = self.some([each for each in declarations(self.stage.document.kind.parameters) if each.name not in KEPT])
        row = self.stage.window.form.row_of(known.name)
        assert row is not None
        if row.field.isEnabled():
            row.field.settled.emit(self.value_of(known), ValueOrigin.WRITTEN)

    def value_of(self, known: Declaration) -> Any:
        low, high = known.limits
        match known.type:
            case "flag":
                return bool(self.dice.random() < 0.5)
            case "choice":
                return self.some(known.choices).value
            case "seed":
                return int(self.dice.integers(100))
            case "text":
                return self.some(["", "Ann", "a | b", "W" * 30])
            case "integer":
                return int(self.dice.integers(int(low), int(min(high, low + 8)) + 1))
        near = known.default + float(self.dice.normal()) * (known.step or 1.0) * 3
        return float(self.some([low, min(max(near, low), high), min(max(near, low), high), known.default]))

    def fix(self) -> None:
        self.stage.window.findings._fix.click()

    def list_row(self) -> None:
        drawer = self.stage.window.drawer
        drawer.setCurrentIndex(int(self.dice.integers(drawer.count() - 1)))
        table = drawer.currentWidget().focusProxy() or drawer.currentWidget()
        QTest.keyClick(table, self.some([Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return]))


def at_rest(stage: KindStage) -> None:
    """Leave every field and let all that is being worked out end."""
    stage.window.canvas.setFocus()
    stage.window.session.changing.cancel()
    assert stage.wait_for(lambda: not stage.window.session.changing.is_under_way)
    stage.settle()


def walked(stage: KindStage, gestures: int) -> None:
    """A walk and its promises."""
    kind, history = stage.document.kind, stage.document.history
    beginning = stage.bytes
    monkey = Monkey(stage, SEED)
    for number in range(gestures):
        monkey.go()
        if number % 100 == 0:
            saved = stage.bytes
            assert dumps(kind, loads(saved).design) == saved, "what is saved and opened is saved alike"
    monkey.leaving.stop()
    at_rest(stage)
    steps = history.count()
    assert steps > 0
    # The last of a walk's gestures may all have been steps back.
    history.setIndex(steps)
    end = stage.bytes
    history.setIndex(0)
    assert stage.bytes == beginning, "undo leads back"
    history.setIndex(steps)
    assert stage.bytes == end, "redo leads on again"
    history.setIndex(0)


def things_left(stage: KindStage) -> tuple[int, int]:
    """How many widgets there are, and how many objects Python keeps, once the walk is forgotten."""
    stage.document.history.clear()
    stage.window.show_view(stage.window.middle.views[0].name)
    at_rest(stage)
    stage.window.pipeline.finish()
    stage.settle()
    # What is to be deleted later waits for an event loop, which a test has not.
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    return len(QApplication.allWidgets()), len(gc.get_objects())


@pytest.fixture
def stage(request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path) -> Iterator[KindStage]:
    one: AnyKind = request.param
    design = one.generate(one.parameters(**SMALL[one.key]), None, SILENT).design
    made = KindStage(tmp_path, one, design, size=SIZE)
    made.answers.ask = lambda dialog: None  # type: ignore[method-assign]
    made.answers.show = lambda dialog: None  # type: ignore[method-assign]
    yield made
    made.close()


@pytest.mark.sampled(5)
@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("stage", kinds(), ids=[one.key for one in kinds()], indirect=True)
def test_a_long_walk_of_gestures_is_undone_kept_and_forgotten(stage: KindStage) -> None:
    # What a view loads once, such as fonts of a booklet, may come late in a walk and is no waste.
    for view in stage.window.middle.views:
        stage.window.show_view(view.name)
        stage.window.finish()
    left = []
    for _ in range(ROUNDS):
        walked(stage, GESTURES // ROUNDS)
        left.append(things_left(stage))
    (widgets, objects), (widgets_after, objects_after) = left[-2:]
    assert widgets_after <= widgets + 40, "no widgets pile up"
    assert objects_after <= 1.2 * objects, "memory stays level"

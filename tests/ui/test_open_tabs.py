"""Several designs at once: each is open in a tab of its own, with its own keys, history and copy of unsaved work."""

from __future__ import annotations

import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSettings, Qt, QTimer, QVariantAnimation
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from studio.base.progress import SILENT
from studio.base.units import Unit
from studio.exporting.formats import Options
from studio.files import store
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import KINDS, kind, kinds
from studio.ui.abilities.cuttable import CutExtension
from studio.ui.panels.export_dialog import ExportRequest
from studio.ui.session import opening
from studio.ui.session.dialogs import Unsaved
from studio.ui.session.preferences import Preferences, ThemeChoice
from studio.ui.session.recovery import left_behind
from studio.ui.session.session import Session
from studio.ui.shell import app as shell
from studio.ui.shell.open_documents import OpenDocuments
from studio.ui.shell.tabs import START, Cross
from studio.ui.shell.window import Window
from tests.depth import examples
from tests.promises.test_monkey import SMALL

LEAST_TAB = 150

CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier,
)  # fmt: skip
LEFT, MIDDLE, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.NoButton


def jigsaw(seed: int) -> JigsawDesign:
    return JigsawDesign(JigsawParameters(columns=3, rows=2, width=60.0, height=40.0, seed=seed))


def small(one: AnyKind) -> Any:
    return one.generate(replace(one.example().parameters, **SMALL[one.key]), None, SILENT).design


class Studio:
    """The studio as it runs, with a home of its own; what is asked on closing is answered with `answer`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.copies = folder, folder / "state" / "puzzle-studio"
        self._hook = sys.excepthook
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.house = shell._House(Preferences(settings))
        self.shell, self.bar = self.house.shell, self.house.shell.bar
        self.answer = Unsaved.DISCARD
        self.asked: list[str] = []
        self.house.start()
        self.shell.activateWindow()
        assert QTest.qWaitForWindowActive(self.shell)

    @property
    def desk(self) -> OpenDocuments:
        assert self.house.desk is not None
        return self.house.desk

    @property
    def titles(self) -> list[str]:
        return [self.bar.tabText(index) for index in range(self.bar.count())]

    def add(self, one: AnyKind, design: Any = None) -> Window:
        """Begin a puzzle as the start page does."""
        self.house._begin(one.key)
        window = self.ready(self.desk.window)
        if design is not None:
            window.document.open(one, design, None)
        return window

    def ready(self, window: Window) -> Window:
        """Answer what a design asks in the maker's stead."""

        def unsaved(title: str) -> Unsaved:
            self.asked.append(title)
            return self.answer

        dialogs = window.session.dialogs
        dialogs.unsaved = unsaved  # type: ignore[method-assign]
        return window

    def file(self, name: str, seed: int = 1) -> Path:
        path = self.folder / name
        store.save(path, JIGSAW, jigsaw(seed))
        return path

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key where the focus is."""
        QTest.keyClick(QApplication.focusWidget() or self.shell, key, keys)
        QApplication.processEvents()

    def place(self, index: int) -> QPoint:
        return self.bar.tabRect(index).center()

    def close(self) -> None:
        sys.excepthook = self._hook
        self.answer = Unsaved.DISCARD
        for window in [] if self.house.desk is None else self.desk.windows:
            self.ready(window)
            assert wait_for(lambda window=window: not window.session.writing.is_writing)  # type: ignore[misc]
        assert self.shell.close()
        self.shell.deleteLater()
        collect()


def collect() -> None:
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QApplication.processEvents()


def wait_for(what: Callable[[], bool], seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        QTest.qWait(10)
    return what()


@pytest.fixture
def studio(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("studio.ui.shell.start.LATER_MS", 10_000_000)
    monkeypatch.setattr(shell, "SOON_MS", 10_000_000)
    made = Studio(tmp_path)
    yield made
    made.close()


def test_preferences_that_cannot_be_saved_are_said_once_wherever_one_is(studio: Studio) -> None:
    (studio.folder / "settings.ini").mkdir()
    words = "Your preferences could not be saved to settings.ini: it is a folder."
    window = studio.add(JIGSAW)
    window.preferences.set_unit(Unit.INCHES)
    assert wait_for(lambda: getattr(window.notices.notice(), "sentence", "") == words)
    window.notices.close_notice()
    window.preferences.set_unit(Unit.MILLIMETRES)
    QApplication.processEvents()
    assert window.notices.notice() is None


# What is in a tab


def test_a_file_that_became_another_kind_of_puzzle_opens_beside_the_one_before(studio: Studio) -> None:
    path = studio.file("boat.puzzle")
    studio.house.open([path])
    before = studio.ready(studio.desk.window)
    store.save(path, kind("slitherlink"), small(kind("slitherlink")))
    before.filing.reload()
    assert wait_for(lambda: studio.desk.window is not before)
    after = studio.ready(studio.desk.window)
    assert (after.document.kind.key, after.document.path, after.document.is_modified) == ("slitherlink", path, False)
    assert (before.document.design, before.document.path, before.document.is_modified) == (jigsaw(1), None, True)
    assert before in studio.desk.windows


def test_designs_of_every_kind_are_open_at_once_behind_the_start_page(studio: Studio) -> None:
    assert studio.titles == ["Start"] and not studio.bar.findChildren(Cross)
    for one in kinds():
        studio.key(Qt.Key.Key_Home, ALT) if studio.shell.page else None
        assert studio.house.page is not None and studio.house.page.isVisible()
        window = studio.add(one)
        assert studio.shell.page is window and window.isVisible() and not studio.house.page.isVisible()
        assert studio.shell.windowTitle() == window.windowTitle() != ""
    assert studio.titles == ["Start", *(f"Untitled {listed.noun}" for listed in KINDS.values())]
    assert len(studio.bar.findChildren(Cross)) == len(KINDS)
    pictures = [studio.bar.tabIcon(index).pixmap(16).toImage() for index in range(studio.bar.count())]
    assert all(one != other for at, one in enumerate(pictures) for other in pictures[:at])


def test_a_tab_has_the_name_of_its_file_and_a_mark_for_what_is_not_saved(studio: Studio) -> None:
    path = studio.file("fish & <b>chips.puzzle")
    studio.house.open([path])
    assert studio.titles[1] == "fish && <b>chips" and studio.bar.tabToolTip(1) == str(path)
    document = studio.desk.window.document
    document.edit("Seed", jigsaw(2))
    assert studio.titles[1] == "fish && <b>chips*" and studio.shell.isWindowModified()
    assert studio.shell.windowFilePath() == str(path)
    document.history.undo()
    assert studio.titles[1] == "fish && <b>chips" and not studio.shell.isWindowModified()


# Ways from tab to tab


@pytest.mark.thorough
def test_designs_without_a_file_are_told_apart_by_numbers(studio: Studio) -> None:
    first, second, third = (studio.add(JIGSAW, jigsaw(seed)) for seed in (1, 2, 3))
    cube = studio.add(kind("cube"))
    numbered = ["Untitled jigsaw", "Untitled jigsaw 2", "Untitled jigsaw 3", "Untitled cube"]
    assert [window.document.title for window in (first, second, third, cube)] == numbered
    assert studio.titles == ["Start", *numbered] and second.windowTitle().startswith("Untitled jigsaw 2[*]")
    assert second.filing._save(studio.folder / "sea.puzzle")
    assert studio.titles[2] == "sea" and third.document.title == "Untitled jigsaw 3"
    assert studio.add(JIGSAW).document.title == "Untitled jigsaw 2", "the number is free again"
    third.document.edit("Seed", jigsaw(4))
    assert not studio.desk.close(third) or studio.asked == ["Untitled jigsaw 3"]


def test_keys_lead_round_through_the_tabs_and_to_each_of_them(studio: Studio) -> None:
    first, second = studio.add(JIGSAW), studio.add(JIGSAW)
    next_, previous = (Qt.Key.Key_Tab, CONTROL), (Qt.Key.Key_Backtab, CONTROL | SHIFT)
    seen = []
    for key, keys in (next_, next_, next_, previous, previous, (Qt.Key.Key_PageDown, CONTROL),
                      (Qt.Key.Key_PageUp, CONTROL), (Qt.Key.Key_1, ALT), (Qt.Key.Key_3, ALT), (Qt.Key.Key_9, ALT),
                      (Qt.Key.Key_2, ALT), (Qt.Key.Key_8, ALT)):  # fmt: skip
        studio.key(key, keys)
        seen.append(studio.shell.page)
    assert seen == [None, first, second, first, None, first, None, None, second, second, first, first]
    studio.key(Qt.Key.Key_W, CONTROL)
    assert wait_for(lambda: studio.desk.windows == [second]) and studio.shell.page is second


def test_keys_and_writing_reach_the_tab_in_sight_alone(studio: Studio) -> None:
    first, second = studio.add(JIGSAW, jigsaw(1)), studio.add(JIGSAW, jigsaw(1))
    for window in (first, second):
        window.document.edit("Seed", jigsaw(2))
    second.canvas.view.setFocus()
    studio.key(Qt.Key.Key_Z, CONTROL)
    assert (first.document.design, second.document.design) == (jigsaw(2), jigsaw(1))
    studio.shell.show_page(first)
    studio.key(Qt.Key.Key_Z, CONTROL)
    assert first.document.design == jigsaw(1) and not second.document.history.canUndo()
    field: Any = first.form.field("width")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "90")
    studio.key(Qt.Key.Key_Tab, CONTROL)
    assert studio.shell.page is second and first.document.design.parameters.width == 90.0
    focus = QApplication.focusWidget()
    assert focus is not None and second.isAncestorOf(focus), "keys go to the page in sight"
    studio.key(Qt.Key.Key_Backtab, CONTROL | SHIFT)
    assert QApplication.focusWidget() is field, "and to where they went before"


def test_tabs_are_dragged_but_not_before_the_start_page(studio: Studio) -> None:
    windows = [studio.add(JIGSAW) for _ in range(3)]

    def drag(index: int, x: float) -> None:
        bar, place = studio.bar, QPointF(studio.place(index))
        steps = [place, *(place + QPointF((x - place.x()) * step / 8, 0) for step in range(1, 9))]
        for number, at in enumerate([*steps, steps[-1]]):
            is_end = number == len(steps)
            event = QEvent.Type.MouseMove if number else QEvent.Type.MouseButtonPress
            QApplication.sendEvent(bar, QMouseEvent(
                QEvent.Type.MouseButtonRelease if is_end else event, at, QPointF(bar.mapToGlobal(at)),
                LEFT if is_end or not number else NONE, NONE if is_end else LEFT, Qt.KeyboardModifier.NoModifier,
            ))  # fmt: skip
            QApplication.processEvents()
        QTest.qWait(300)

    drag(3, 4.0)
    assert studio.titles[START] == "Start" and studio.desk.windows == [windows[2], *windows[:2]]
    assert studio.shell.page is windows[2]
    drag(START, 400.0)
    assert studio.titles[START] == "Start" and studio.desk.windows == [windows[2], *windows[:2]]
    drag(1, float(studio.bar.width()))
    assert studio.desk.windows == windows
    studio.shell.step(-1)
    assert studio.shell.page is windows[1]


@pytest.mark.thorough
def test_many_tabs_keep_names_that_can_be_told_apart(studio: Studio) -> None:
    for _ in range(9):
        studio.add(JIGSAW)
    studio.shell.resize(1024, 700)
    QApplication.processEvents()
    widths = [studio.bar.tabRect(index).width() for index in range(studio.bar.count())]
    assert widths[START] == studio.bar.tabSizeHint(START).width() and min(widths[1:]) >= LEAST_TAB
    assert studio.bar.tabRect(studio.bar.currentIndex()).right() <= studio.bar.width() <= 1024


# What is opened, and where


def test_a_file_goes_into_a_tab_of_its_own_and_one_that_is_open_is_shown(studio: Studio, tmp_path: Path) -> None:
    boat, cat = studio.file("boat.puzzle"), studio.file("cat.puzzle", 2)
    studio.house.open([boat])
    first = studio.desk.window
    first.document.edit("Seed", jigsaw(5))
    assert first.filing.open(cat)
    second = studio.desk.window
    assert second is not first and studio.desk.windows == [first, second] and first.document.design == jigsaw(5)
    assert second.filing.open(boat) and studio.shell.page is first and first.document.design == jigsaw(5)
    assert first.filing.open(boat) and studio.shell.page is first
    link = tmp_path / "link.puzzle"
    link.symlink_to(cat)
    studio.shell.show_start()
    studio.house._open(link)
    assert studio.shell.page is second and len(studio.desk.windows) == 2


def test_a_file_takes_the_place_of_a_new_puzzle_that_nobody_has_touched(studio: Studio) -> None:
    first = studio.add(kind("cube"), small(kind("cube")))
    kept = studio.add(JIGSAW, jigsaw(4))
    studio.shell.show_page(first)
    assert first.filing.open(studio.file("boat.puzzle"))
    assert wait_for(lambda: len(studio.desk.windows) == 2)
    assert [window.document.design for window in studio.desk.windows] == [jigsaw(1), jigsaw(4)]
    assert studio.shell.page is studio.desk.windows[0] and studio.desk.windows[1] is kept


def test_several_files_are_opened_side_by_side_and_one_that_is_none_is_named(studio: Studio) -> None:
    paths = [studio.file(f"{name}.puzzle", seed) for seed, name in enumerate("abc")]
    paths[1].write_text("{")
    studio.house.open(paths)
    assert studio.titles == ["Start", "a", "c"]
    sentences = [notice.sentence for window in studio.desk.windows if (notice := window.notices.notice()) is not None]
    assert len(sentences) == 1 and "b.puzzle" in sentences[0]


def test_tabs_are_in_the_order_in_which_files_are_given(studio: Studio) -> None:
    studio.house.open([studio.file(f"{name}.puzzle", seed) for seed, name in enumerate("abcd")])
    assert studio.titles == ["Start", "a", "b", "c", "d"] and studio.shell.page is studio.desk.windows[0]
    studio.house.open_all([studio.file(f"{name}.puzzle", seed) for seed, name in enumerate("efg", 4)])
    assert studio.titles == ["Start", "a", "e", "f", "g", "b", "c", "d"], "behind the one in sight"


def test_what_is_opened_in_the_background_takes_nobody_away_from_another_tab(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = studio.add(JIGSAW, jigsaw(2)), studio.add(JIGSAW, jigsaw(3))
    for window in (first, second):
        window.document.history.resetClean()
    monkeypatch.setattr(opening, "LARGE", 10)
    first.filing.open(studio.file("boat.puzzle"))
    studio.shell.show_page(second)
    assert wait_for(lambda: len(studio.desk.windows) == 3)
    assert studio.shell.page is second and studio.titles[2] == "boat"


def test_a_design_is_not_saved_over_a_file_of_another_tab(studio: Studio) -> None:
    boat = studio.file("boat.puzzle")
    studio.house.open([boat])
    other = studio.add(JIGSAW, jigsaw(9))
    assert not other.filing._save(boat)
    notice = other.notices.notice()
    assert notice is not None and notice.sentence == "boat.puzzle is open in another tab. Choose another name."
    assert store.load(boat).design == jigsaw(1)


def test_the_start_page_lists_what_was_saved_meanwhile(studio: Studio) -> None:
    page, window = studio.house.page, studio.add(JIGSAW, jigsaw(1))
    path = studio.folder / "new.puzzle"
    assert window.filing._save(path)
    studio.shell.show_start()
    assert studio.house.page is not page and studio.house.page is not None and path in studio.house.page.cards
    page = studio.house.page
    studio.shell.show_page(window)
    studio.shell.show_start()
    assert studio.house.page is page, "it is made again only where files were opened or saved"


# Closing


def test_closing_a_tab_asks_about_its_design_alone(studio: Studio) -> None:
    first, second, _ = (studio.add(JIGSAW, jigsaw(seed)) for seed in (1, 2, 3))
    first.document.edit("Seed", jigsaw(11))
    second.document.edit("Seed", jigsaw(12))
    QTest.mouseClick(studio.bar, MIDDLE, pos=studio.place(3))
    assert studio.desk.windows == [first, second] and not studio.asked and studio.shell.page is second
    studio.answer = Unsaved.CANCEL
    (cross,) = (each for each in studio.bar.findChildren(Cross) if studio.bar.tabRect(1).contains(each.geometry()))
    QTest.mouseClick(cross, LEFT)
    assert studio.desk.windows == [first, second] and studio.asked == ["Untitled jigsaw"]
    assert studio.shell.page is first, "what is asked about is in sight"
    studio.answer = Unsaved.DISCARD
    QTest.mouseClick(cross, LEFT)
    assert studio.desk.windows == [second] and second.document.design == jigsaw(12)
    QTest.mouseClick(studio.bar, MIDDLE, pos=studio.place(START))
    assert studio.titles == ["Start", "Untitled jigsaw 2*"]
    assert studio.desk.close(second) and studio.shell.page is None
    assert studio.house.page is not None and studio.house.page.isVisible()


def test_closing_the_window_asks_about_each_design_and_closes_none_unless_all_may(studio: Studio) -> None:
    windows = [studio.add(JIGSAW, jigsaw(seed)) for seed in (1, 2, 3)]
    for window in windows[:2]:
        window.document.edit("Seed", jigsaw(9))
    answers = [Unsaved.DISCARD, Unsaved.CANCEL]
    for window, answer in zip(windows, answers, strict=False):
        window.session.dialogs.unsaved = lambda title, answer=answer: studio.asked.append(title) or answer  # type: ignore
    assert not studio.shell.close() and len(studio.asked) == 2
    assert studio.desk.windows == windows and windows[0].document.design == jigsaw(9) and studio.shell.isVisible()
    for window in windows:
        studio.ready(window)
    assert studio.shell.close() and len(studio.asked) == 4
    assert not list(studio.copies.glob("*.puzzle"))


def test_a_tab_that_computes_is_closed_and_one_that_writes_waits(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other, window = studio.add(JIGSAW, jigsaw(1)), studio.add(JIGSAW, jigsaw(2))
    begun, ended = threading.Event(), threading.Event()

    def work(progress: Any) -> None:
        begun.set()
        try:
            while True:
                progress.step(0.5)
        finally:
            ended.set()

    window.jobs.start("endless", work, done=lambda _answer: None, failed=lambda _problem: None)
    assert begun.wait(20) and studio.desk.close(window) and ended.is_set()
    path = tmp_path / "board.svg"
    request = ExportRequest(path, Options(), False)
    monkeypatch.setattr(other.session.dialogs, "carry_out", lambda _dialog, start: start(request, None))
    other.finish()
    other.actions_["export"].trigger()
    assert other.session.writing.is_writing and not studio.desk.close(other) and not studio.shell.close()
    notice = other.notices.notice()
    assert notice is not None and notice.sentence == "Export in progress; please wait."
    assert wait_for(lambda: not other.session.writing.is_writing) and path.exists()
    assert studio.desk.close(other) and capsys.readouterr().err == ""


# Unsaved work


def test_every_design_has_a_copy_of_its_own_when_the_system_ends_the_studio(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[int] = []
    monkeypatch.setattr(QApplication, "exit", lambda code: ended.append(code))
    for seed in (1, 2, 3):
        window = studio.add(JIGSAW, jigsaw(seed))
        if seed != 2:
            window.document.edit("Seed", jigsaw(10 + seed))
    studio.house.end(15)
    studio.house.end(15)
    assert ended == [128 + 15], "a second request while it ends does nothing"
    found = [store.load(copy.path).design for copy in left_behind(studio.copies)]
    assert sorted(design.parameters.seed for design in found) == [11, 13]
    assert studio.house.page is not None
    studio.house._list_copies()
    assert studio.house.page.recovered.isVisibleTo(studio.house.page)


def test_a_bug_backs_up_the_work_of_every_tab(studio: Studio, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in (1, 2):
        studio.add(JIGSAW, jigsaw(seed)).document.edit("Seed", jigsaw(10 + seed))
    sys.excepthook(ZeroDivisionError, ZeroDivisionError("by nought"), None)
    assert len(list(studio.copies.glob("*.puzzle"))) == 2 and "by nought" in capsys.readouterr().err
    for window in studio.desk.windows:
        assert studio.desk.close(window)
    assert not list(studio.copies.glob("*.puzzle"))


# What tabs share, and what they do while nobody looks


def test_a_unit_and_a_theme_are_chosen_for_every_tab(studio: Studio) -> None:
    first, second = studio.add(JIGSAW), studio.add(JIGSAW)
    second.choose_unit(Unit.INCHES)
    second.choose_theme(ThemeChoice.DARK)
    try:
        field: Any = first.form.field("width")
        assert "in" in field.text() and first._ticks[Unit.INCHES].isChecked()
        assert first._ticks[ThemeChoice.DARK].isChecked() and second._ticks[ThemeChoice.DARK].isChecked()
    finally:
        second.choose_unit(Unit.MILLIMETRES)
        second.choose_theme(ThemeChoice.LIGHT)


# Where windows are not stacked, this is said of each that floats.
@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_panel_that_floats_beside_the_window_goes_and_comes_with_its_tab(studio: Studio) -> None:
    first, second = studio.add(JIGSAW), studio.add(JIGSAW)
    dock = first.docks[1]
    studio.shell.show_page(first)
    dock.setFloating(True)
    assert dock.isVisible()
    studio.shell.show_page(second)
    assert not dock.isVisible()
    studio.shell.show_page(first)
    assert dock.isVisible() and dock.isFloating()
    dock.setFloating(False)


class Paints(QObject):
    """Counts what is painted in some widgets."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


PLAYED = {
    "cube": ("model", "assemble"), "calendar": ("board", "play_search"), "slitherlink": ("steps", "steps_play"),
    "zigzaw": ("solver", "film_play"),
}  # fmt: skip


def spinning(window: Window) -> list[QObject]:
    """What in a window goes on by itself."""
    timers = [timer for timer in window.findChildren(QTimer) if timer.isActive() and not timer.isSingleShot()]
    films = [film for film in window.findChildren(QVariantAnimation) if film.state() is film.State.Running]
    return [*timers, *films]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", KINDS)
def test_a_hidden_tab_paints_nothing_and_no_timer_of_it_goes_on(studio: Studio, key: str) -> None:
    hidden = studio.add(kind(key), small(kind(key)))
    for view in hidden.middle.views:
        hidden.show_view(view.name)
        QTest.qWait(20)
    hidden.finish()
    played = PLAYED.get(key)
    if played is not None:
        hidden.show_view(played[0])
        assert wait_for(lambda: not hidden.jobs._newest)
        hidden.actions_[played[1]].trigger()
    for each in hidden.added:
        if isinstance(each, CutExtension):
            hidden.drawer.setCurrentWidget(each.planning)
            each.planning.finish()
            if key == "jigsaw" and each.planning.panel is not None:
                each.planning.panel.player.play()
    assert spinning(hidden), "something plays"
    studio.add(JIGSAW, jigsaw(1))
    # Garbage is collected until the threads of work that was given up have ended, too.
    assert wait_for(lambda: not hidden.jobs._alive)
    QTest.qWait(300)
    paints = Paints()
    for widget in hidden.findChildren(QWidget):
        widget.installEventFilter(paints)
    hidden.document.history.resetClean()
    QTest.qWait(200)
    assert paints.count == 0
    assert not spinning(hidden)
    hidden.document.history.setClean()


# A monkey


class Monkey:
    """Opens, edits, saves and closes by chance, and knows what every design has to be."""

    def __init__(self, studio: Studio, seed: int) -> None:
        self.studio, self.dice = studio, np.random.default_rng(seed)
        self.known: dict[Window, tuple[list[Any], int]] = {}
        """The designs of each window's history, and at which of them it is."""
        self.ways = [
            (8, self.step), (8, self.edit), (4, self.undo), (3, self.redo), (1, self.begin), (1, self.open),
            (1, self.close), (2, self.save), (1, self.home), (2, self.move), (2, self.number),
        ]  # fmt: skip
        self.gone: list[weakref.ref[object]] = []
        self.files = [studio.file(f"file{number}.puzzle", number) for number in range(3)]
        self.designs: dict[str, list[Any]] = {one.key: variants(one) for one in kinds()}
        self.made = 0

    def go(self) -> None:
        shares = np.array([share for share, _way in self.ways], float)
        self.ways[int(self.dice.choice(len(self.ways), p=shares / shares.sum()))][1]()
        QApplication.processEvents()

    def some(self, things: Any) -> Any:
        return things[int(self.dice.integers(len(things)))]

    @property
    def here(self) -> Window | None:
        page = self.studio.shell.page
        return None if page is None else self.studio.desk.window

    def note(self) -> None:
        """Learn of a window that is new."""
        for window in self.studio.desk.windows:
            if window not in self.known:
                self.studio.ready(window)
                self.known[window] = [window.document.design], 0
                self.made += 1

    def step(self) -> None:
        self.studio.shell.step(self.some((1, -1)))

    def number(self) -> None:
        self.studio.key(Qt.Key(Qt.Key.Key_1 + int(self.dice.integers(9))), ALT)

    def home(self) -> None:
        self.studio.shell.show_start()

    def begin(self) -> None:
        if len(self.known) <= len(KINDS):
            self.studio.house._begin(self.some(list(KINDS)))
            self.note()

    def open(self) -> None:
        path, before = self.some(self.files), set(self.known)
        if self.here is None:
            self.studio.house._open(path)
        elif len(self.known) <= len(KINDS):
            was = self.here
            is_open = any(window.document.path == path for window in self.known)
            is_replaced = was.filing.is_untouched and not is_open
            self.studio.key(Qt.Key.Key_Shift)
            assert was.filing.open(path)
            if is_replaced:
                QTest.qWait(1)
                if was.document.kind is JIGSAW:
                    self.known[was] = [was.document.design], 0
                else:
                    self.forget(was)
        self.note()
        assert len(set(self.known) - before) <= 1
        assert len(self.known) > len(KINDS) or (self.here is not None and self.here.document.path == path)

    def edit(self) -> None:
        window = self.here
        if window is not None:
            designs, at = self.known[window]
            design = self.some(self.designs[window.document.kind.key])
            window.document.edit("Change", design)
            if design != designs[at]:
                self.known[window] = [*designs[: at + 1], design], at + 1

    def undo(self) -> None:
        window = self.here
        if window is not None:
            window.setFocus()
            self.studio.key(Qt.Key.Key_Z, CONTROL)
            designs, at = self.known[window]
            self.known[window] = designs, max(at - 1, 0)

    def redo(self) -> None:
        window = self.here
        if window is not None:
            window.setFocus()
            self.studio.key(Qt.Key.Key_Z, CONTROL | SHIFT)
            designs, at = self.known[window]
            self.known[window] = designs, min(at + 1, len(designs) - 1)

    def save(self) -> None:
        window = self.here
        if window is not None:
            path = window.document.path or self.studio.folder / f"saved{self.made}-{len(self.known)}.puzzle"
            if not window.filing.is_open_elsewhere(path):
                assert window.filing._save(path) and store.load(path).design == window.document.design

    def move(self) -> None:
        count = len(self.known)
        if count > 1:
            start, end = (int(self.dice.integers(count)) + 1 for _ in range(2))
            self.studio.bar.moveTab(start, end)

    def close(self) -> None:
        if self.known and len(self.known) > 2:
            window = self.some(list(self.known))
            assert self.studio.desk.close(window)
            self.forget(window)

    def forget(self, window: Window) -> None:
        del self.known[window]
        self.gone += [weakref.ref(window), weakref.ref(window.session), weakref.ref(window.document)]

    def check(self) -> None:
        """Every design is what it has to be, and the tabs are those of the designs."""
        assert set(self.studio.desk.windows) == set(self.known) and self.studio.bar.count() == len(self.known) + 1
        for window, (designs, at) in self.known.items():
            document = window.document
            assert document.design == designs[at] and window.pipeline.design == designs[at]
            index = self.studio.desk.windows.index(window) + 1
            assert self.studio.bar.tabText(index).endswith("*") == document.is_modified
            assert window.isVisible() == (window is self.here)


def variants(one: AnyKind) -> list[Any]:
    """A few designs of a kind, as much like each other as a maker's are."""
    design = small(one)
    names = {"calendar": "play", "cube": "gap"}
    if one.key in names:
        values = [replace(design.parameters, **{names[one.key]: 0.1 + 0.1 * number}) for number in range(3)]
    else:
        values = [replace(design.parameters, seed=number) for number in range(3)]
    return [one.generate(each, design, SILENT).design for each in values]


@pytest.mark.thorough
def test_a_monkey_that_goes_from_tab_to_tab_loses_nothing_and_leaves_nothing_behind(studio: Studio) -> None:
    import gc

    def alive() -> set[int]:
        collect()
        gc.collect()
        return {id(each) for each in gc.get_objects() if isinstance(each, Window | Session)}

    # Other tests may have left windows of theirs.
    before = alive()
    monkey = Monkey(studio, seed=14)
    studio.shell.resize(900, 640)
    for key in KINDS:
        studio.shell.show_start()
        studio.house._begin(key)
    monkey.note()
    for _ in range(examples(80, 1000)):
        monkey.go()
        monkey.check()
    assert monkey.made > len(KINDS) and len(monkey.gone) > 3
    for window in list(monkey.known):
        assert studio.desk.close(window)
        monkey.forget(window)
    del window
    assert len(alive() - before) == 0
    assert [each() for each in monkey.gone if each() is not None] == []
    assert len(studio.shell.findChildren(Window)) == 0

"""Notices say one thing at a time; information goes by itself, errors wait to be closed."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QPoint, QRect, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from studio.base.progress import Progress
from studio.checks.finding import Severity
from studio.ui.session.notices import Action, NoticeBar
from tests.ui.stage import Stage

MOST_WAITING = 4
SHOWN_MS = 6000
MARGIN = 12


@pytest.fixture
def bar(qtbot: QtBot) -> Iterator[NoticeBar]:
    host = QWidget()
    qtbot.addWidget(host)
    made = NoticeBar()
    made.lie_over(host)
    host.resize(600, 200)
    host.show()
    yield made


def timer(bar: NoticeBar) -> QTimer:
    (found,) = bar.findChildren(QTimer)
    return found


def texts(bar: NoticeBar) -> list[str]:
    return [label.text() for label in bar.findChildren(QLabel) if label.isVisible() and label.text()]


def close_button(bar: NoticeBar) -> QToolButton:
    (found,) = bar.findChildren(QToolButton)
    return found


def sentence(bar: NoticeBar) -> str:
    notice = bar.notice()
    return notice.sentence if notice else ""


def test_there_is_no_bar_until_there_is_something_to_say(bar: NoticeBar) -> None:
    assert not bar.isVisible()
    bar.post("Saved.")
    assert bar.isVisible()
    assert texts(bar) == ["Saved."]
    assert bar.accessibleName() == "Information: Saved."


def test_information_goes_by_itself(bar: NoticeBar) -> None:
    bar.post("Saved.")
    assert timer(bar).isActive()
    assert timer(bar).interval() == SHOWN_MS == 6000
    timer(bar).timeout.emit()
    assert (bar.isVisible(), bar.notice()) == (False, None)


@pytest.mark.parametrize("severity", [Severity.ERROR, Severity.WARNING])
def test_an_error_stays_until_it_is_closed(qtbot: QtBot, bar: NoticeBar, severity: Severity) -> None:
    bar.post("The disk is full.", severity)
    assert not timer(bar).isActive()
    QTest.mouseClick(close_button(bar), Qt.MouseButton.LeftButton)
    assert not bar.isVisible()


def test_a_refusal_stays_until_something_else_is_done_and_does_not_come_back(bar: NoticeBar) -> None:
    bar.post("The disk is full.", Severity.ERROR)
    bar.refuse("A locked edge keeps its voxels.")
    assert bar.accessibleName() == "Warning: A locked edge keeps its voxels." and not timer(bar).isActive()
    bar.post("Saved.")
    timer(bar).timeout.emit()
    assert (sentence(bar), bar.waiting()) == ("The disk is full.", ())
    bar.refuse("A locked edge keeps its voxels.")
    bar.go_on()
    assert (sentence(bar), bar.waiting()) == ("The disk is full.", ())
    bar.go_on()
    assert sentence(bar) == "The disk is full.", "an error is not put out of date by an action"


def test_the_next_change_takes_a_refusal_away(qapp: QApplication, tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.window.notices.refuse("There is no room for this figure on the board.")
    stage.document.abandon()
    assert stage.posted() == "There is no room for this figure on the board."
    stage.document.edit("Columns", replace(stage.design, parameters=replace(stage.design.parameters, columns=5)))
    assert stage.window.notices.notice() is None
    stage.close()


def test_newer_information_takes_the_place_of_older(bar: NoticeBar) -> None:
    bar.post("Saved.")
    bar.post("Exported.")
    assert (sentence(bar), bar.waiting()) == ("Exported.", ())


def test_the_newest_is_shown_and_an_error_comes_back_after_it(bar: NoticeBar) -> None:
    bar.post("The disk is full.", Severity.ERROR)
    bar.post("The disk is full.", Severity.ERROR)
    assert texts(bar) == ["The disk is full."]
    bar.post("Exported.")
    assert texts(bar) == ["Exported.", "1 more"]
    timer(bar).timeout.emit()
    assert texts(bar) == ["The disk is full."]
    assert not timer(bar).isActive()


def test_an_error_stays_though_information_came_just_before(bar: NoticeBar) -> None:
    bar.post("Writing meadow.dxf…")
    bar.post("The disk is full.", Severity.ERROR)
    assert texts(bar) == ["The disk is full."]
    assert not timer(bar).isActive()


def test_of_too_many_the_least_are_let_go(bar: NoticeBar) -> None:
    bar.post("The disk is full.", Severity.ERROR)
    bar.post("That is no length.", Severity.WARNING)
    for number in range(MOST_WAITING + 1):
        bar.post(f"File {number} is gone.", Severity.ERROR)
    assert sentence(bar) == f"File {MOST_WAITING} is gone."
    assert [one.sentence for one in bar.waiting()] == [
        f"File {number} is gone." for number in reversed(range(MOST_WAITING))
    ]
    bar.clear()
    assert (bar.notice(), bar.waiting(), bar.isVisible()) == (None, (), False)


def test_a_notice_can_offer_to_do_something(qtbot: QtBot, bar: NoticeBar) -> None:
    done: list[str] = []
    bar.post("The file changed.", Severity.WARNING, Action("Reload", lambda: done.append("reloaded")))
    (offer,) = (button for button in bar.findChildren(QPushButton) if not button.isHidden())
    assert (offer.text(), offer.isVisible()) == ("Reload", True)
    QTest.mouseClick(offer, Qt.MouseButton.LeftButton)
    assert (done, bar.isVisible()) == (["reloaded"], False)


def test_the_notice_of_work_under_way_follows_it_while_it_is_shown(bar: NoticeBar) -> None:
    cancel = Action("Cancel", lambda: None)
    bar.post("Writing book.pdf…", action=cancel)
    bar.follow(cancel, "Writing book.pdf… 40 %")
    assert texts(bar) == ["Writing book.pdf… 40 %"] and timer(bar).isActive()
    bar.post("Saved.")
    bar.follow(cancel, "Writing book.pdf… 60 %")
    assert texts(bar) == ["Saved."]


def test_an_action_may_tell_something_itself(qtbot: QtBot, bar: NoticeBar) -> None:
    bar.post("Not saved.", Severity.ERROR, Action("Try again", lambda: bar.post("Saved.")))
    QTest.mouseClick(bar.findChildren(QPushButton)[0], Qt.MouseButton.LeftButton)
    assert sentence(bar) == "Saved."


def test_the_bar_tells_what_it_shows(qtbot: QtBot, bar: NoticeBar) -> None:
    shown: list[object] = []
    bar.changed.connect(shown.append)
    bar.post("Saved.")
    bar.close_notice()
    assert [getattr(one, "sentence", None) for one in shown] == ["Saved.", None]


def test_a_short_sentence_takes_one_line_and_a_long_one_wraps(qtbot: QtBot, bar: NoticeBar) -> None:
    bar.post("Saved.")
    qtbot.waitUntil(lambda: 0 < bar.height() <= 44)
    bar.post("word " * 60)
    qtbot.waitUntil(lambda: bar.height() > 60)


def test_on_a_narrow_page_the_buttons_are_below_the_sentence(bar: NoticeBar) -> None:
    host = bar.parentWidget()
    assert host is not None
    bar.post("2 errors and 3 warnings left. Apply the changes?", action=Action("Apply", bar.clear), asks=True)
    label = next(one for one in bar.findChildren(QLabel) if "2 errors" in one.text())
    button = next(one for one in bar.findChildren(QPushButton) if one.text() == "Apply")
    for width, is_below in ((900, False), (300, True), (900, False)):
        host.resize(width, 300)
        layout = bar.layout()
        assert layout is not None and layout.activate() is not None
        assert (button.mapTo(bar, QPoint()).y() >= label.mapTo(bar, QPoint(0, label.height())).y()) == is_below
        assert label.height() <= 3 * label.fontMetrics().lineSpacing() + 4


def test_a_notice_keeps_the_upper_right_corner_of_its_page(qtbot: QtBot, bar: NoticeBar) -> None:
    host = bar.parentWidget()
    assert host is not None
    bar.post("Saved.")
    short = bar.geometry()
    assert short.right() == host.width() - MARGIN - 1 and short.top() == MARGIN
    bar.post("word " * 60)
    assert bar.width() > short.width() and host.rect().contains(bar.geometry())
    host.resize(400, 300)
    assert bar.geometry().right() == 400 - MARGIN - 1 and host.rect().contains(bar.geometry())


def test_a_notice_moves_nothing_in_the_window(qtbot: QtBot, tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    window = stage.window
    seen = [window.canvas, window.form, window.findings, window.middle]

    def places() -> list[QRect]:
        QApplication.processEvents()
        return [QRect(each.mapTo(window, QPoint()), each.size()) for each in seen]

    before = places()
    for severity in Severity:
        window.notices.post("word " * 40, severity)
        assert window.notices.isVisible() and places() == before
    window.notices.clear()
    assert places() == before
    stage.close()


class Desktop(QObject):
    """Hears what the desktop is asked to open."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Path] = []

    @Slot(QUrl)
    def show(self, url: QUrl) -> None:
        self.asked.append(Path(url.toLocalFile()))


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_what_was_written_can_be_opened_and_shown_in_its_folder(qtbot: QtBot, tmp_path: Path) -> None:
    stage, desktop = Stage(tmp_path), Desktop()
    path = tmp_path / "board with spaces.svg"

    def wrote() -> bool:
        notice = stage.window.notices.notice()
        return notice is not None and notice.sentence == "Wrote it."

    def work(_progress: Progress) -> str:
        path.write_text("<svg/>")
        return "Wrote it."

    QDesktopServices.setUrlHandler("file", desktop, "show")  # type: ignore[arg-type]  # the stubs want bytes, the library a str
    try:
        for title in ("Show in folder", "Open with…"):
            stage.window.session.writing.write(path, work)
            assert stage.wait_for(wrote)
            (button,) = [each for each in stage.window.notices.findChildren(QPushButton) if each.text() == title]
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        choose(menu(), "Default program")
    finally:
        QDesktopServices.unsetUrlHandler("file")
    assert desktop.asked == [tmp_path, path]
    stage.close()


def menu() -> QMenu:
    found = QApplication.activePopupWidget()
    assert isinstance(found, QMenu)
    return found


def choose(shown: QMenu, title: str) -> None:
    (action,) = [each for each in shown.actions() if each.text() == title]
    action.trigger()
    shown.close()


def program(path: Path, out: Path) -> Path:
    """A program that says which file it was given."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'#!/bin/sh\nprintf %s "$1" > "{out}.part" && mv "{out}.part" "{out}"\n')
    path.chmod(0o755)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
@pytest.mark.qt_log_ignore("This plugin does not support")
def test_what_was_written_is_opened_by_a_known_program_or_by_another_that_is_remembered(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, given, file = Stage(tmp_path), tmp_path / "given.txt", tmp_path / "a board.dxf"
    file.write_text("0")
    program(tmp_path / "bin" / "librecad", given)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    stage.window.opening_with.offer(file)
    assert "LibreCAD" in [action.text() for action in menu().actions()]
    choose(menu(), "LibreCAD")
    assert stage.wait_for(given.exists) and given.read_text() == str(file)
    given.unlink()
    stage.answers.open = program(tmp_path / "tools" / "My & Nester", given)
    stage.window.opening_with.offer(file)
    choose(menu(), "Other program…")
    assert stage.wait_for(given.exists)
    stage.window.opening_with.offer(file)
    titles = [action.text() for action in menu().actions()]
    assert titles[-3:-1] == ["My && Nester", ""] and titles[0] == "Default program"
    menu().close()
    stage.window.opening_with.offer(file.with_suffix(".svg"))
    assert "My && Nester" not in [action.text() for action in menu().actions()]
    menu().close()
    stage.close()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_what_is_no_program_is_refused_and_not_remembered(qapp: QApplication, tmp_path: Path) -> None:
    stage, file = Stage(tmp_path), tmp_path / "board.dxf"
    file.write_text("0")
    stage.answers.open = file
    stage.window.opening_with.offer(file)
    choose(menu(), "Other program…")
    assert stage.posted() == "board.dxf is not a program."
    broken = program(tmp_path / "broken", tmp_path / "never")
    broken.write_bytes(b"\x7fELF and no more")
    stage.answers.open = broken
    stage.window.opening_with.offer(file)
    choose(menu(), "Other program…")
    assert stage.posted() == "broken could not be started." and not stage.preferences.programs(".dxf")
    stage.close()

"""The start page: kinds, samples, recent files and unsaved work are a click away, and no file holds it up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QMenuBar, QMessageBox, QPushButton, QScrollArea

from studio.base import units
from studio.base.folders import shipped
from studio.base.units import Unit
from studio.files import store
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.registry import KINDS
from studio.ui.session import opening
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences, ThemeChoice
from studio.ui.session.recovery import Recovery
from studio.ui.shell import app as shell
from studio.ui.shell import thumbnails
from studio.ui.shell.palette import Palette, matching
from studio.ui.shell.start import StartPage
from studio.ui.widgets.length_spin import NumberSpinBox
from studio.ui.widgets.theme import apply, current_theme

ROOT = Path(__file__).resolve().parents[2]
SMALL = JigsawDesign(JigsawParameters(columns=3, rows=2, width=60.0, height=40.0))


class House:
    """The studio as it starts, with a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.preferences = Preferences(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
        hook = sys.excepthook
        self.house = shell._House(self.preferences)
        self._hook = hook

    def start(self) -> StartPage:
        self.house.start()
        assert self.house.page is not None
        QApplication.processEvents()
        return self.house.page

    @property
    def page(self) -> StartPage:
        assert self.house.page is not None
        return self.house.page

    @property
    def document(self) -> Document:
        assert self.house.desk is not None
        return self.house.desk.window.document

    def saved(self, name: str) -> Path:
        path = self.folder / name
        store.save(path, JIGSAW, SMALL)
        self.preferences.add_recent_file(path)
        return path

    def close(self) -> None:
        sys.excepthook = self._hook
        if self.house.desk is not None:
            for window in self.house.desk.windows:
                window.give_up()
        assert self.house.shell.close()
        self.house.shell.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def house(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("studio.ui.shell.start.LATER_MS", 10_000_000)
    monkeypatch.setattr(shell, "SOON_MS", 10_000_000)
    made = House(tmp_path)
    yield made
    made.close()


def click(widget: object) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)  # type: ignore[call-overload]
    QApplication.processEvents()


def wait_for(what: Callable[[], bool], seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        QTest.qWait(20)
    return what()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", KINDS)
def test_a_click_on_a_kind_begins_a_puzzle_of_it(house: House, key: str) -> None:
    page = house.start()
    card = page.kinds[list(KINDS).index(key)]
    assert card.text() == KINDS[key].title and card.accessibleDescription() == KINDS[key].found().summary
    click(card)
    assert house.document.kind.key == key and house.document.path is None and not page.isVisible()


def test_of_a_long_list_only_pictures_in_sight_are_read(house: House) -> None:
    paths = [house.saved(f"board{number}.puzzle") for number in range(40)]
    picture = QImage(8, 8, QImage.Format.Format_RGB32)
    for path in paths:
        kept = thumbnails.place(path, "light")
        assert kept is not None
        kept.parent.mkdir(parents=True, exist_ok=True)
        assert picture.save(str(kept))
    page = house.start()
    cards = [page.cards[path][0] for path in paths if path in page.cards]
    assert {card.is_read for card in cards} == {True, False}
    assert all(card.is_read == (not card.visibleRegion().isEmpty()) for card in cards)
    (area,) = (area for area in page.findChildren(QScrollArea) if area.isAncestorOf(cards[0]))
    out_of_sight = next(card for card in cards if not card.is_read)
    area.ensureWidgetVisible(out_of_sight)
    QApplication.processEvents()
    assert out_of_sight.is_read


def test_a_recent_file_opens_and_a_sample_opens_as_a_new_puzzle(house: House) -> None:
    path = house.saved("boat.puzzle")
    page = house.start()
    click(page.cards[path][0])
    assert (house.document.path, house.document.design) == (path, SMALL)
    assert house.house.desk is not None
    house.house.desk.window.actions_["start_page"].trigger()
    QApplication.processEvents()
    sample = shipped("examples") / "brook-8x8.puzzle"
    click(house.page.shown_samples[sample])
    assert house.document.kind.key == "slitherlink" and house.document.path is None


def test_a_name_that_turns_text_round_is_shown_as_it_is_in_unsaved_work_too(house: House) -> None:
    document = Document(JIGSAW, SMALL, house.folder / "\u202eelzzup.puzzle", "")
    recovery = Recovery(document, house.folder / "state" / "puzzle-studio")
    document.edit("Seed", JigsawDesign(replace(SMALL.parameters, seed=9)))
    assert recovery.write() is not None
    recovery.let_go()
    (row,) = house.start().copies.values()
    assert row.findChildren(QLabel)[0].text() == "\\u202eelzzup.puzzle"


def test_work_not_saved_is_listed_whole_restored_and_discarded(house: House) -> None:
    kept, documents = [], []
    for seed in (1, 2, 3):
        document = Document(JIGSAW, SMALL)
        documents.append(document)
        recovery = Recovery(document, house.folder / "state" / "puzzle-studio")
        document.edit("Seed", JigsawDesign(JigsawParameters(columns=3, rows=2, width=60.0, height=40.0, seed=seed)))
        copy = recovery.write()
        assert copy is not None
        recovery.let_go()
        os.utime(copy, (1000 + seed, 1000 + seed))
        kept.append(copy)
    page = house.start()

    def buttons(words: str) -> list[QPushButton]:
        return [one for one in page.recovered.findChildren(QPushButton) if one.text() == words and one.isVisible()]

    assert page.recovered.isVisible() and len(buttons("Restore")) == 3
    click(buttons("Discard")[0])
    QApplication.processEvents()
    assert not kept[2].exists() and len(buttons("Restore")) == 2
    click(buttons("Restore")[0])
    assert house.document.is_modified and house.document.design.parameters.seed == 2
    assert [copy.exists() for copy in kept] == [True, False, False]


def test_a_file_that_is_none_gives_its_sentence_and_the_page_stays(house: House) -> None:
    path = house.saved("boat.puzzle")
    path.write_text("{")
    page, told = house.start(), list[str]()
    page.notices.changed.connect(lambda notice: told.append(notice.sentence) if notice else None)
    click(page.cards[path][0])
    assert house.house.page is page and house.house.desk is None
    assert "boat.puzzle" in told[-1] and house.preferences.recent_files() == ()


def test_what_takes_long_to_open_is_opened_beside_the_page(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    path = house.saved("boat.puzzle")
    monkeypatch.setattr(opening, "LARGE", 10)
    page = house.start()
    # Between these lines Qt's loop does not run: however fast it is read, nobody has heard of it.
    page.cards[path][0].click()
    notice = page.notices.notice()
    assert notice is not None and notice.sentence.startswith("Opening boat.puzzle…") and house.house.page is page
    assert notice.action is not None
    notice.action.do()
    QTest.qWait(200)
    assert house.house.desk is None and page.isVisible() and page.notices.notice() is None
    page.cards[path][0].click()
    page.kinds[0].click()
    QTest.qWait(200)
    assert house.document.path is None, "what was asked for last is open"
    house.house.shell.show_start()
    house.house.open([path])
    assert page.isVisible(), "the page is shown meanwhile"
    assert wait_for(lambda: not page.isVisible())
    assert house.document.design == SMALL and house.document.path == path


def test_a_file_named_on_the_command_line_that_is_none_leads_to_the_page(house: House) -> None:
    path = house.saved("boat.puzzle")
    path.write_text("{")
    house.house.open([path])
    notice = house.page.notices.notice()
    assert notice is not None and "boat.puzzle" in notice.sentence and house.house.desk is None


def test_the_way_back_asks_nothing_and_leaves_the_design_open(house: House) -> None:
    page = house.start()
    click(page.kinds[0])
    desk = house.house.desk
    assert desk is not None
    house.document.edit("Seed", SMALL)
    desk.window.actions_["start_page"].trigger()
    assert page.isVisible() and house.document.design == SMALL
    desk.shell.show_page(desk.window)
    assert desk.window.isVisible() and not page.isVisible()
    house.document.history.setClean()


def test_a_bug_on_the_page_is_shown_with_a_report(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.start()
    problem = RuntimeError("a bug")
    sys.excepthook(RuntimeError, problem, None)
    (box,) = house.house.shell.findChildren(QMessageBox)
    assert "a bug" in box.detailedText() and "a bug" in capsys.readouterr().err
    box.close()


def test_names_from_files_are_shown_as_they_are(house: House) -> None:
    path = house.saved("<b>&boat.puzzle")
    page = house.start()
    assert page.cards[path][0].text() == "<b>&boat"


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("two\nlines", "two\\nlines"), ("\u202eelzzup", "\\u202eelzzup"), ("salt & pepper", "salt & pepper"),
        ("\x1b[31m", "\\x1b[31m"), ("caf\udce9", "caf\\udce9"), ("y" * 240, "y" * 240),
        ("<img src=x>", "<img src=x>"), ("  ", "  .puzzle"),
    ],
    ids=["newline", "direction", "mnemonic", "escape", "no-utf-8", "long", "markup", "spaces"],
)  # fmt: skip
def test_a_hostile_name_is_shown_as_text_and_its_file_opens(house: House, name: str, shown: str) -> None:
    path, menu_name = house.saved(f"{name}.puzzle"), f"{shown.removesuffix('.puzzle')}.puzzle"
    assert house.preferences.recent_files() == (path,)
    page = house.start()
    (card,) = page.cards[path]
    assert card.text() == shown and card.shortcut().isEmpty() and card.toolTip().endswith(menu_name)
    card.grab()
    click(card)
    assert wait_for(lambda: house.house.desk is not None) and house.document.path == path
    assert house.house.desk is not None
    menu = house.house.desk.window.recent
    menu.fill()
    assert [action.text() for action in menu.actions()] == [menu_name.replace("&", "&&")]


def test_the_page_asks_no_drive_about_its_files(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A drive that is gone may answer in minutes: whoever asks is another process."""
    drive = house.folder / "drive"
    for number in range(30):
        house.preferences.add_recent_file(drive / f"{number}.puzzle")
    asked = []

    def noting(ask: Callable[..., object]) -> Callable[..., object]:
        def noted(path: object = ".", *others: object, **more: object) -> object:
            if str(drive) in str(path):
                asked.append(path)
            return ask(path, *others, **more)

        return noted

    for name in ("stat", "lstat", "open", "scandir", "listdir", "access", "readlink"):
        monkeypatch.setattr(os, name, noting(getattr(os, name)))
    monkeypatch.setattr("io.open", noting(open))
    page = house.start()
    page.grab()
    assert len([path for path in page.cards if path.parent == drive]) == 30 and asked == []


@pytest.mark.thorough
def test_thumbnails_are_made_once_and_again_when_the_file_has_changed(house: House) -> None:
    path = house.saved("boat.puzzle")
    gone = house.folder / "gone.puzzle"
    broken = house.folder / "broken.puzzle"
    broken.write_text("{")

    def asked(*paths: Path) -> dict[Path, object]:
        maker, found = thumbnails.Thumbnails("light"), {}
        maker.made.connect(lambda path, answer: found.update({path: answer}))
        maker.ask(paths)
        assert wait_for(lambda: len(found) == len(paths))
        maker.close()
        return found

    first = asked(path, gone, broken)
    assert isinstance(first[path], QImage) and (first[gone], first[broken]) == (thumbnails.GONE, thumbnails.FAILED)
    picture = thumbnails.place(path, "light")
    assert picture is not None
    made = picture.stat().st_ino
    asked(path)
    assert picture.stat().st_ino == made
    store.save(path, JIGSAW, JigsawDesign(JigsawParameters(columns=4, rows=4, width=60.0, height=40.0)))
    asked(path)
    assert QImage(str(picture)).text(thumbnails.STAMP) == thumbnails.stamp(path) and picture.stat().st_ino != made


def test_a_picture_that_takes_too_long_is_given_up_and_the_next_one_is_made(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = house.saved("boat.puzzle")
    pipe = house.folder / "endless.puzzle"
    os.mkfifo(pipe)
    monkeypatch.setattr(thumbnails, "LONGEST_MS", 1_000)
    maker, found = thumbnails.Thumbnails("light"), {}

    def keep(wanted: object, answer: object) -> None:
        # What is no pipe has all the time that it needs here.
        monkeypatch.setattr(thumbnails, "LONGEST_MS", 100_000)
        found[wanted] = answer

    maker.made.connect(keep)
    maker.ask([pipe, path])
    assert wait_for(lambda: len(found) == 2)
    maker.close()
    assert found[pipe] == thumbnails.FAILED and isinstance(found[path], QImage)


def test_two_hundred_recent_files_and_hostile_ones_hold_nothing_up(house: House) -> None:
    for number in range(200):
        house.preferences.add_recent_file(house.folder / f"{number}.puzzle")
    house.preferences.add_recent_file(Path("/dev/zero"))
    house.preferences.add_recent_file(house.folder / ("x" * 300 + ".puzzle"))
    page = house.start()
    recent = house.preferences.recent_files()
    assert len(recent) == 30 and set(recent) <= set(page.cards)


def test_the_process_answers_a_line_for_a_line(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_STATE_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    lines = "".join(json.dumps({"path": str(tmp_path / name), "theme": "light"}) + "\n" for name in ("a", "b"))
    done = subprocess.run(
        [sys.executable, "-m", "studio.ui.shell.screenshot"],
        input=lines, env=environment, capture_output=True, text=True, timeout=120, cwd=ROOT, check=True,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["state"] for answer in answers] == [thumbnails.READY, thumbnails.GONE, thumbnails.GONE]


def test_a_picture_of_every_kind_and_sample_comes_with_the_studio() -> None:
    pictures = shipped("start")
    for theme in ("light", "dark"):
        for key in KINDS:
            assert not QImage(str(pictures / f"{key}-{theme}.png")).isNull()
        for path in shipped("examples").glob("*.puzzle"):
            found = pictures / "samples" / store.load(path).kind.key / f"{path.stem}-{theme}.png"
            assert not QImage(str(found)).isNull(), found
    assert len(list((pictures / "samples").rglob("*.png"))) == 2 * len(list(shipped("examples").glob("*.puzzle")))


def test_samples_have_their_pictures_at_first_sight_in_the_order_of_kinds(house: House) -> None:
    page = house.start()
    assert {*page.shown_samples} == {*shipped("examples").glob("*.puzzle")}
    words = [card.accessibleDescription() for card in page.shown_samples.values()]
    order = [listed.title for listed in KINDS.values()]
    assert words == sorted(words, key=order.index)
    for card in page.shown_samples.values():
        card.grab()
        assert card._picture is not None and not card._picture.isNull()
    assert not {*page.cards} & {*page.shown_samples}, "nothing is drawn for them"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("width", "columns"), [(760, 3), (1016, 5), (1366, 7), (1600, 3), (1920, 4), (2560, 4)])
def test_the_page_fills_its_width_with_all_kinds_in_a_row(house: House, width: int, columns: int) -> None:
    page = house.start()
    house.house.shell.resize(width, 700)
    QApplication.processEvents()
    if width > 760:
        assert len({card.y() for card in page.kinds}) == 1
    cards = list(page.shown_samples.values())
    assert len({card.mapTo(page, card.rect().topLeft()).x() for card in cards}) == columns
    right = max(card.mapTo(page, card.rect().topRight()).x() for card in (*cards, *page.kinds))
    assert width - 120 < right < width, "as far as the scroll bar"
    beside = cards[0].mapTo(page, cards[0].rect().topLeft()).y() < page.kinds[0].height()
    assert beside == (width >= 1500)


def ctrl(house: House, key: Qt.Key) -> None:
    house.house.shell.activateWindow()
    assert QTest.qWaitForWindowActive(house.house.shell)
    QTest.keyClick(house.house.shell.windowHandle(), key, Qt.KeyboardModifier.ControlModifier)
    QApplication.processEvents()


CLUES = "3x3t0:2h"
"""A game of Loopy's, as it writes it."""


@pytest.mark.parametrize("way", ["key", "menu", "drop"])
def test_a_game_id_opens_from_the_clipboard_and_by_a_drop(house: House, way: str) -> None:
    page = house.start()
    data = QMimeData()
    data.setText(CLUES)
    if way == "drop":
        drop = QDropEvent(
            QPointF(200, 200), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
        page.dropEvent(drop)
        assert drop.isAccepted()
    else:
        QApplication.clipboard().setText(CLUES)
        if way == "key":
            ctrl(house, Qt.Key.Key_V)
        else:
            (action,) = (one for one in menu_of(page, "&File").actions() if one.text().startswith("Paste"))
            action.trigger()
    assert wait_for(lambda: house.house.desk is not None and bool(house.house.desk.windows))
    assert house.document.kind.key == "slitherlink" and house.document.is_modified and house.document.path is None


def test_what_is_no_puzzle_on_the_clipboard_is_told(house: House) -> None:
    page = house.start()
    QApplication.clipboard().setText("Good morning")
    ctrl(house, Qt.Key.Key_V)
    notice = page.notices.notice()
    assert notice is not None and "no puzzle on the clipboard" in notice.sentence
    QApplication.clipboard().clear()
    ctrl(house, Qt.Key.Key_V)
    assert house.house.desk is None


def test_a_picture_that_is_dropped_begins_a_jigsaw_and_a_puzzle_beside_it_opens(house: House) -> None:
    page, picture = house.start(), house.folder / "photo.png"
    image = QImage(60, 40, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.darkGreen)
    assert image.save(str(picture))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(house.saved("boat.puzzle"))), QUrl.fromLocalFile(str(picture))])
    assert page._take(data)
    desk = house.house.desk
    assert desk is not None and wait_for(lambda: len(desk.windows) == 2)
    jigsaw = next(window for window in desk.windows if window.document.path is None)
    assert wait_for(lambda: jigsaw.document.design.picture is not None)
    assert {window.document.path for window in desk.windows} == {None, house.folder / "boat.puzzle"}


def test_a_file_that_nothing_reads_is_told(house: House) -> None:
    path = house.folder / "letter.odt"
    path.write_text("Dear maker")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    page = house.start()
    assert page._take(data)
    assert wait_for(lambda: page.notices.notice() is not None and "letter.odt" in page.notices.notice().sentence)  # type: ignore[union-attr]
    assert wait_for(lambda: "Cannot import" in page.notices.notice().sentence)  # type: ignore[union-attr]
    assert house.house.desk is None


def menu_of(page: StartPage, title: str) -> QMenu:
    """A menu of the page, filled as when it opens."""
    (bar,) = page.findChildren(QMenuBar)
    menu = next(menu for action in bar.actions() if isinstance(menu := action.menu(), QMenu) and menu.title() == title)
    menu.aboutToShow.emit()
    return menu


def entries(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_the_menus_of_the_page_offer_what_can_be_done_without_a_design(house: House) -> None:
    house.saved("boat.puzzle")
    page = house.start()
    assert entries(menu_of(page, "&File")) == [
        "New", "Open…\tCtrl+O", "Open recently used", "Import…", "Paste\tCtrl+V", "Quit\tCtrl+Q",
    ]  # fmt: skip
    recent = next(one.menu() for one in menu_of(page, "&File").actions() if one.text() == "Open recently used")
    assert isinstance(recent, QMenu) and entries(recent) == ["boat.puzzle"]
    assert entries(menu_of(page, "&Help")) == ["Command palette…\tCtrl+K", "Manual\tF1", "About Puzzle Studio"]
    fresh = next(one.menu() for one in menu_of(page, "&File").actions() if one.text() == "New")
    assert isinstance(fresh, QMenu) and len(entries(fresh)) == len(KINDS)
    fresh.actions()[-1].trigger()
    assert house.document.kind.key == [*KINDS][-1]


def test_a_theme_and_a_unit_are_chosen_on_the_page_for_all_tabs(qapp: QApplication, house: House) -> None:
    page = house.start()
    click(page.kinds[0])
    assert house.house.desk is not None
    window = house.house.desk.window
    house.house.shell.show_start()
    before = current_theme()
    try:
        for title, words in (("Theme", "Dark"), ("Units", "Inches")):
            choice = next(one.menu() for one in menu_of(house.page, "&View").actions() if one.text() == title)
            assert isinstance(choice, QMenu)
            next(one for one in choice.actions() if one.text() == words).trigger()
            QApplication.processEvents()
        assert current_theme().is_dark and house.page is not page and house.page.isVisible()
        assert window._ticks[ThemeChoice.DARK].isChecked() and window._ticks[Unit.INCHES].isChecked()
        assert any(box.text().endswith(" in") for box in window.form.findChildren(NumberSpinBox))
    finally:
        apply(qapp, before)
        units.show_in(Unit.MILLIMETRES)


def test_the_palette_of_the_page_finds_samples_kinds_themes_and_the_manual(house: House) -> None:
    house.saved("boat.puzzle")
    page = house.start()
    ctrl(house, Qt.Key.Key_K)
    (palette,) = page.findChildren(Palette)
    for text, title in (
        ("lakeside", "Lakeside 96"), ("new cube", "New cube"), ("dark", "Theme: Dark"), ("inches", "Units: Inches"),
        ("happy cube", "New cube"),
        ("boat", "boat.puzzle"), ("about", "About Puzzle Studio"),
    ):  # fmt: skip
        assert matching(palette._entries, text)[0].title == title
    assert matching(palette._entries, "kerf")[0].place.startswith("Manual")
    palette.line.setText("lakeside")
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert wait_for(lambda: house.house.desk is not None and bool(house.house.desk.windows))
    assert house.document.kind is JIGSAW and house.document.path is None


def test_own_keys_hold_on_the_page(house: House) -> None:
    house.preferences.set_shortcuts({"palette": ["Ctrl+J"]})
    page = house.start()
    ctrl(house, Qt.Key.Key_K)
    assert page.findChildren(Palette) == []
    ctrl(house, Qt.Key.Key_J)
    assert len(page.findChildren(Palette)) == 1
    assert "Command palette…\tCtrl+J" in entries(menu_of(page, "&Help"))

"""The manual's window: every page is shown whole, what is sought is reached, and F1 opens the right place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QSettings, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from studio.base.folders import manual_folder
from studio.base.manual_search import MAKING, Passage, Section, found, read, words
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.registry import KINDS, kinds
from studio.ui.panels.workshop import WorkshopDialog
from studio.ui.session.dialogs import Dialogs
from studio.ui.session.preferences import Preferences
from studio.ui.shell import manual_window
from studio.ui.shell.manual_browser import ManualBrowser
from studio.ui.shell.manual_window import ManualWindow, close_manual, show_manual
from studio.ui.shell.palette import Palette, show_commands
from studio.ui.shell.start import StartPage
from studio.ui.widgets.theme import apply, dark_theme, light_theme, sized
from tests.ui.measuring import cut_off, faint
from tests.ui.stage import KindStage, Stage, destroy

MANUAL = read(manual_folder())
SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in Path(manual_window.__file__).parents[2].rglob("*.py"))


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def manual(qapp: QApplication, preferences: Preferences) -> Iterator[ManualWindow]:
    window = show_manual(preferences)
    window.resize(1024, 700)
    yield window
    forget()


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path)
    yield stage
    stage.close()
    forget()


def forget() -> None:
    close_manual()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def the_manual() -> ManualWindow:
    """The one window that is open."""
    (window,) = manual_window._windows
    assert window.isVisible()
    return window


def sections_of(browser: ManualBrowser) -> set[str]:
    return {*browser.anchors}


def press(widget: QWidget, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(widget, key, modifier)


def listed(window: ManualWindow) -> str:
    """What is chosen in the contents."""
    item = window.contents.currentItem()
    return "" if item is None else item.text(0)


def chosen(window: ManualWindow) -> str:
    """The words that are selected on the page, with the rest of their line."""
    return window.browser.textCursor().selectedText()


# What is shown


@pytest.mark.sampled(12)
@pytest.mark.parametrize("page", MANUAL.pages, ids=lambda page: page.name)
def test_every_passage_is_found_on_the_page_that_is_shown(page: object, manual: ManualWindow) -> None:
    name = getattr(page, "name", "")
    manual.go_to(name)
    known = MANUAL.page(name)
    assert sections_of(manual.browser) == {section.anchor for section in known.sections}
    for passage in known.passages:
        first = next(filter(None, passage.cells)).casefold().split()[:1]
        assert manual.browser._block_of(passage, first) is not None, passage.cells


def test_every_link_of_every_page_leads_to_its_section(manual: ManualWindow) -> None:
    links = set()
    for page in MANUAL.pages:
        for link in re.findall(r"(?<!!)\[[^\]]*\]\(([^)\s]*)\)", re.sub(r"`[^`\n]*`", "", page.markdown)):
            links.add(f"{page.name}{link}" if link.startswith("#") else link)
    assert len(links) > 20
    for link in sorted(links):
        manual.follow(link)
        name, _, anchor = link.partition("#")
        assert manual.page == name and "The manual has no page" not in manual.browser.toPlainText()
        assert not anchor or anchor in sections_of(manual.browser), link


def test_pictures_are_as_wide_as_there_is_room_and_sharp(manual: ManualWindow) -> None:
    for width in (1024, 640, 1600):
        manual.resize(width, 700)
        manual.go_to("jigsaw.md")
        QApplication.processEvents()
        room = manual.browser.viewport().width()
        shown = list(places_of_pictures(manual.browser))
        assert len(shown) >= 5
        for wide, image in shown:
            assert 0.6 * min(room, 860) < wide <= min(room, 1280)
            assert image.width() == round(wide * manual.browser.devicePixelRatioF())


def places_of_pictures(browser: ManualBrowser) -> Iterator[tuple[float, QImage]]:
    """The width at which each picture of the page is shown, and its pixels."""
    from PySide6.QtGui import QTextDocument

    from studio.ui.shell.manual_browser import _pictures

    for _place, shown in _pictures(browser.document()):
        yield shown.width(), browser.document().resource(QTextDocument.ResourceType.ImageResource, QUrl(shown.name()))


@pytest.mark.thorough
def test_a_change_of_theme_keeps_the_page_and_its_place(manual: ManualWindow, qapp: QApplication) -> None:
    manual.go_to("laser.md#sheets")
    QApplication.processEvents()
    before = manual.browser.verticalScrollBar().value()
    try:
        apply(qapp, dark_theme(), qapp.font())
        QApplication.processEvents()
        assert manual.page == "laser.md" and abs(manual.browser.verticalScrollBar().value() - before) < 4
        image = manual.browser.grab().toImage()
        assert image.pixelColor(3, 3).lightness() < 80
    finally:
        apply(qapp, light_theme(), qapp.font())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("pixels", [13, 24])
def test_no_text_of_the_window_is_cut_off_or_faint(pixels: int, manual: ManualWindow, qapp: QApplication) -> None:
    usual = qapp.font()
    try:
        for theme in (light_theme(), dark_theme()):
            apply(qapp, theme, sized(usual, pixels))
            for text in ("", "kerf", "qqzz"):
                manual.line.setText(text)
                QApplication.processEvents()
                assert not cut_off(manual) and not faint(manual), (theme.name, text)
    finally:
        apply(qapp, light_theme(), usual)


# Where one goes


def test_back_and_forward_lead_through_what_was_read(manual: ManualWindow) -> None:
    manual.go_to("laser.md#sheets")
    QApplication.processEvents()
    place = manual.browser.verticalScrollBar().value()
    assert place > 0 and listed(manual) == "Sheets"
    manual.follow("jigsaw.md#tray")
    assert manual.page == "jigsaw.md" and not manual.forward.isEnabled()
    manual.go_back()
    assert manual.page == "laser.md" and manual.browser.verticalScrollBar().value() == place
    press(manual, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert manual.page == "index.md" and not manual.back.isEnabled()
    manual.forward.click()
    manual.forward.click()
    assert manual.page == "jigsaw.md" and not manual.forward.isEnabled()


class Caught(QObject):
    """Takes the addresses that would open in the desktop's browser."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.seen.append(url.toString())


def test_a_link_out_of_the_manual_opens_in_the_browser(manual: ManualWindow) -> None:
    caught = Caught()
    QDesktopServices.setUrlHandler("https", caught, "take")  # type: ignore[arg-type]  # it takes no bytes
    try:
        manual.follow("https://puzz.link/p?slither")
    finally:
        QDesktopServices.unsetUrlHandler("https")
    assert caught.seen == ["https://puzz.link/p?slither"] and manual.page == "index.md"


def test_a_missing_page_and_a_missing_manual_get_a_sentence(tmp_path: Path, preferences: Preferences) -> None:
    (tmp_path / "index.md").write_text("# The manual\n\n[Gone](gone.md)\n", encoding="utf-8")
    window = ManualWindow(tmp_path, preferences)
    window.follow("gone.md#here")
    assert window.browser.toPlainText() == "The manual has no page “gone.md”."
    window.follow("../secret.txt")
    assert "no page" in window.browser.toPlainText()
    destroy(window)
    window = ManualWindow(tmp_path / "nowhere", preferences)
    window.go_to("index.md")
    window.line.setText("kerf")
    assert "The manual is missing" in window.browser.toPlainText() and window.results.count() == 0
    destroy(window)


# What is sought


def test_a_search_lists_its_places_and_return_goes_through_them(manual: ManualWindow) -> None:
    press(manual, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(manual.line, "bleed")
    hits = found(MANUAL, "bleed")
    assert len(hits) >= 3 and manual.results.count() == len(hits)
    assert manual.counted.text() == f"{len(hits)} results" and manual.page == "index.md"
    for hit in hits:
        press(manual.line, Qt.Key.Key_Return)
        assert manual.page == hit.page.name and chosen(manual).casefold().startswith("bleed")
    press(manual.line, Qt.Key.Key_Return)
    assert manual.results.currentRow() == 0
    press(manual.line, Qt.Key.Key_Down)
    press(manual.line, Qt.Key.Key_Return)
    assert manual.results.currentRow() == 1
    marked = {one.cursor.selectedText().casefold() for one in manual.browser.extraSelections()}
    assert marked == {"bleed"}
    press(manual.line, Qt.Key.Key_Escape)
    assert manual.line.text() == "" and manual.isVisible() and not manual.browser.extraSelections()
    press(manual.line, Qt.Key.Key_Escape)
    assert not manual.isVisible()


def test_what_is_nowhere_is_said_to_be(manual: ManualWindow) -> None:
    manual.line.setText("qqzz")
    assert manual._left.currentIndex() == 2
    press(manual.line, Qt.Key.Key_Return)
    manual.line.setText("x" * 10_000)
    assert manual.page == "index.md"


# Which place F1 opens


def test_every_place_of_the_table_is_there_for_every_kind_that_has_it() -> None:
    for table in (
        manual_window.PANELS,
        manual_window.VIEWS,
        manual_window.TOPICS,
        {"": manual_window.FORM},
        {"": manual_window.USUAL},
    ):
        for name, place in table.items():
            for key in KINDS if "{kind}" in place else [""]:
                if place.endswith("#difficulty") and key not in ("zigzaw", "slitherlink"):
                    continue
                if (
                    place.endswith("#playing")
                    and key
                    and next(k for k in kinds() if k.key == key).able(Playable) is None
                ):
                    continue
                assert MANUAL.has(place.format(kind=key)), (name, place, key)


def test_every_panel_of_the_table_is_a_class_of_the_studio() -> None:
    own = [name for name in manual_window.PANELS if not name.startswith("Q")]
    assert [name for name in own if not re.search(rf"^class {name}\b", SOURCES, flags=re.MULTILINE)] == []


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", KINDS)
def test_every_view_of_a_kind_has_a_place(key: str, tmp_path: Path, qapp: QApplication) -> None:
    stage = KindStage(tmp_path, next(kind for kind in kinds() if kind.key == key))
    try:
        names = [view.name for view in stage.window.middle.views]
    finally:
        stage.close()
    for name in names:
        place, _row = manual_window.place_of(MANUAL, None, key, name)
        assert MANUAL.has(place) and place not in (manual_window.USUAL, f"{key}.md"), f"{key}/{name}"


def test_f1_opens_the_section_of_the_view_in_sight(stage: Stage) -> None:
    for view, page, section in (("board", "jigsaw.md", "Editing"), ("play", "jigsaw.md", "Playing")):
        stage.window.show_view(view)
        stage.window.actions_["manual"].trigger()
        assert the_manual().page == page and listed(the_manual()) == section


def test_f1_on_a_parameter_points_at_its_row(stage: Stage) -> None:
    window = stage.window
    window.form.go_to("columns")
    press(window.form.field("columns"), Qt.Key.Key_F1)
    assert the_manual().page == "jigsaw.md" and chosen(the_manual()) == "Columns"
    window.form.go_to("relief")
    window.show_help()
    assert the_manual().page == "printer.md" and chosen(the_manual()) == "Relief height"


def test_f1_follows_tables_and_what_is_selected(stage: Stage) -> None:
    window = stage.window
    titles = {window.drawer.tabText(number): number for number in range(window.drawer.count())}
    for title, place in (("Cut plan", "laser.md#cut-plan"), ("History", "window.md#panels")):
        window.drawer.setCurrentIndex(titles[title])
        window.drawer.currentWidget().setFocus()
        assert manual_window.place_of(MANUAL, window.drawer.currentWidget(), "jigsaw") == (place, "")
    assert manual_window.place_of(MANUAL, window.findings, "cube") == ("cube.md#problems", "")
    extension = stage.window.extension
    assert extension.topic == ""
    stage.window.actions_["protect"].trigger()
    assert extension.topic == "mask"
    assert manual_window.place_of(MANUAL, None, "jigsaw", "board", "mask") == ("jigsaw.md#protected-areas", "")


def test_f1_works_in_a_dialog_and_the_manual_can_be_read_beside_it(stage: Stage) -> None:
    show_manual(stage.window.preferences)
    asked = Dialogs(stage.window, stage.window.show_help)
    dialog = WorkshopDialog("co2-600x400", "plywood-3", stage.window)
    seen: list[str] = []

    def read_on() -> None:
        try:
            assert QTest.qWaitForWindowActive(dialog)
            assert stage.wait_for(lambda: QApplication.focusWidget() in dialog.findChildren(QWidget))
            press(dialog, Qt.Key.Key_F1)
            manual = the_manual()
            seen.append(manual.page)
            QTest.mouseClick(manual.back, Qt.MouseButton.LeftButton)
            seen.append(manual.page)
        finally:
            dialog.reject()

    QTimer.singleShot(50, dialog, read_on)
    asked.show(dialog)
    dialog.deleteLater()
    assert seen == ["laser.md", "index.md"]


def test_there_is_one_window_and_it_keeps_no_program_alive(stage: Stage, preferences: Preferences) -> None:
    stage.window.show_help()
    first = the_manual()
    show_manual(preferences, "cube.md")
    assert the_manual() is first and first.page == "cube.md"
    assert not first.testAttribute(Qt.WidgetAttribute.WA_QuitOnClose) and not first.isModal()
    first.resize(700, 500)
    forget()
    assert show_manual(stage.window.preferences).size().toTuple() == (700, 500)


def test_the_start_page_has_f1_too(preferences: Preferences, qapp: QApplication) -> None:
    page = StartPage(preferences)
    page.show()
    page.activateWindow()
    assert QTest.qWaitForWindowActive(page)
    press(page, Qt.Key.Key_F1)
    assert the_manual().page == "window.md" and listed(the_manual()) == "The start page"
    forget()
    destroy(page)


def test_the_palette_finds_sections_of_the_manual(stage: Stage) -> None:
    show_commands(stage.window)
    palette = stage.window.findChild(Palette)
    assert isinstance(palette, Palette)
    QTest.keyClicks(palette.line, "holding tabs")
    assert palette.model.elements[0].title == "Holding tabs"
    assert palette.model.elements[0].place == "Manual: The laser"
    press(palette.line, Qt.Key.Key_Return)
    assert the_manual().page == "laser.md"


def test_a_row_is_not_taken_for_another_with_the_same_first_cell(manual: ManualWindow) -> None:
    manual.go_to("laser.md")
    section = next(one for one in MANUAL.page("laser.md").sections if one.anchor == "export")
    rows = [p for p in MANUAL.page("laser.md").passages if p.section == section and p.cells[0] == "PDF"]
    blocks = [manual.browser._block_of(row, ["pdf"]) for row in rows]
    assert len(rows) == 2 and None not in blocks
    assert len({block.position() for block in blocks if block is not None}) == 2
    assert manual.browser._block_of(Passage(Section("", 1, "nowhere"), ("no such text",)), ["no"]) is None
    assert words("A b") == ["a", "b"] and MAKING == ("laser.md", "printer.md")

"""The preview of pages: it shows what is written, in both themes and at any scale, and follows the design."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QRectF, QSettings, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGraphicsScene, QToolButton
from pytestqt.qtbot import QtBot

from studio.exporting.writing import write_leaflet
from studio.geometry.art.artwork import Picture
from studio.geometry.curves.strokes import Floats
from studio.paper.leaflet import Anchor, Area, Leaflet, Line, Mark, MarkGroup, Page, Words, box, width_of
from studio.puzzles import registry
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign
from studio.puzzles.registry import Listed
from studio.ui.abilities.printable import PagesExtension
from studio.ui.panels.previews import PageItem, PagesPanel
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences
from studio.ui.shell.window import Window
from studio.ui.widgets.theme import apply, current_theme, dark_theme, light_theme, picture_font
from tests.puzzles.latin import LATIN, LatinDesign, LatinParameters
from tests.ui.stage import Answers, destroy

INK = "#1D1F24"


def photograph() -> Picture:
    file = io.BytesIO()
    Image.effect_noise((90, 60), 90).convert("RGB").resize((900, 600)).save(file, "PNG")
    return Picture.from_bytes(file.getvalue(), (20, 60, 45, 30))


MARKS: tuple[Mark, ...] = (
    Area((box(10, 10, 20, 20), box(15, 15, 10, 10)), "#E69F00", INK, 0.3),
    Line(np.array([[40.0, 12.0], [90.0, 30.0]]), "#0072B2", 0.8, dashes=(3, 2)),
    Line(np.array([[40.0, 30], [50, 5], [60, 5], [70, 30]]), "#D55E00", 0.5, curved=True),
    Words("Žluťoučký kůň, AVATAR", (10, 45), 5, INK),
    Words("Κουτί", (90, 55), 6, INK, Anchor.END, bold=True),
    Words("aslant", (75, 90), 8, INK, turn=(0.87, -0.5, 0.3, 0.9)),
    photograph(),
)  # fmt: skip


def page(*marks: Mark) -> Page:
    return Page(100, 100, (MarkGroup("all", marks),))


def drawn(one: Page, dpi: float) -> Floats:
    """The pixels (rows, columns, 3) of a page as the preview paints it."""
    side = round(one.width / 25.4 * dpi), round(one.height / 25.4 * dpi)
    image = QImage(*side, QImage.Format.Format_RGB888)
    image.fill(Qt.GlobalColor.white)
    scene = QGraphicsScene()
    scene.addItem(PageItem(one))
    painter = QPainter(image)
    scene.render(painter, QRectF(0, 0, *side), QRectF(0, 0, one.width, one.height))
    painter.end()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(side[1], image.bytesPerLine())
    return rows[:, : 3 * side[0]].reshape(side[1], side[0], 3).astype(float)


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler is not installed")
@pytest.mark.parametrize("dpi", [96, 192])
def test_the_preview_is_what_poppler_draws_of_the_pdf(qapp: QApplication, tmp_path: Path, dpi: int) -> None:
    write_leaflet(Leaflet("x", (page(*MARKS),)), tmp_path / "page.pdf")
    subprocess.run(
        ["pdftoppm", "-r", str(dpi), "-singlefile", tmp_path / "page.pdf", tmp_path / "page"], check=True, timeout=60
    )
    theirs = np.asarray(Image.open(tmp_path / "page.ppm"), float)
    ours = drawn(page(*MARKS), dpi)
    rows, columns = np.minimum(ours.shape[:2], theirs.shape[:2]) - 2
    away = np.abs(ours[2:rows, 2:columns] - theirs[2:rows, 2:columns]).max(axis=2)
    assert away.mean() < 6 and (away > 128).mean() < 0.005, "only the edges of letters and lines are smoothed otherwise"


def test_words_reach_as_far_as_they_are_measured(qapp: QApplication) -> None:
    dpi = 254
    dark = drawn(page(Words("HAVE IT H", (20, 50), 8, "#000000")), dpi).min(axis=2) < 128
    dark[:, :20] = dark[:, -20:] = dark[:20] = dark[-20:] = False
    columns = np.flatnonzero(dark.any(axis=0)) / dpi * 25.4
    # An H stands 0.1 of its size within its own room on either side.
    assert columns[0] == pytest.approx(20 + 0.098 * 8, abs=0.2)
    assert columns[-1] == pytest.approx(20 + width_of("HAVE IT H", 8) - 0.098 * 8, abs=0.2)


@pytest.mark.parametrize("theme", [light_theme(), dark_theme()], ids=lambda theme: theme.name)
def test_paper_is_white_in_every_theme_and_its_ground_is_not(qtbot: QtBot, theme: object) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply(app, dark_theme() if theme is dark_theme() else light_theme(), picture_font())
    panel = PagesPanel("Sheet")
    qtbot.addWidget(panel)
    panel.resize(400, 400)
    panel.show_leaflet(Leaflet("x", (page(),)))
    panel.show()
    QTest.qWaitForWindowExposed(panel)
    seen = panel.grab().toImage()
    assert seen.pixelColor(200, 200).name() == "#ffffff"
    assert seen.pixelColor(4, 200).name() == current_theme().canvas.name()


def test_pages_are_turned_by_buttons_and_keys_and_read_aloud(qtbot: QtBot) -> None:
    panel = PagesPanel("Sheet")
    qtbot.addWidget(panel)
    panel.resize(400, 500)
    pages = tuple(page(Words(text, (10, 20), 5, INK)) for text in ("one", "dvě", "τρία"))
    panel.show_leaflet(Leaflet("x", pages))
    panel.show()
    before, after = panel.findChildren(QToolButton)
    assert panel.page == 0 and not before.isEnabled() and after.isVisible()
    QTest.mouseClick(after, Qt.MouseButton.LeftButton)
    assert panel.page == 1 and panel.view.accessibleDescription() == "Page 2 of 3\ndvě"
    QTest.keyClick(panel.view, Qt.Key.Key_PageDown)
    QTest.keyClick(panel.view, Qt.Key.Key_PageDown)
    assert panel.page == 2 and not after.isEnabled()
    QTest.keyClick(panel.view, Qt.Key.Key_PageUp)
    assert panel.page == 1
    panel.show_leaflet(Leaflet("x", pages[:1]))
    assert panel.page == 0 and not after.isVisible()
    panel.show_message("Nothing to show.")
    assert panel.message == "Nothing to show." and not panel.view.isVisible()


@pytest.fixture
def paper_window(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setitem(registry.KINDS, "latin", Listed(LATIN.title, "tests.puzzles.latin:LATIN", LATIN.summary))
    yield from shown(Window(Document(LATIN, LatinDesign()), preferences(tmp_path), Answers()))


@pytest.fixture
def cube_window(qtbot: QtBot, tmp_path: Path) -> Iterator[Window]:
    yield from shown(Window(Document(CUBE, CubeDesign()), preferences(tmp_path), Answers()))


def preferences(folder: Path) -> Preferences:
    return Preferences(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))


def shown(window: Window) -> Iterator[Window]:
    window.show()
    QTest.qWaitForWindowExposed(window)
    window.pipeline.finish()
    QApplication.processEvents()
    yield window
    window.document.history.setClean()
    destroy(window)


def words_of(window: Window) -> list[str]:
    return window.find_extension(PagesExtension).panel.view.accessibleDescription().splitlines()[1:]


def test_the_pages_of_a_kind_are_in_the_middle_of_its_window_and_follow_it(paper_window: Window, qtbot: QtBot) -> None:
    panel = paper_window.find_extension(PagesExtension).panel
    paper_window.actions_["view_pages"].trigger()
    assert paper_window.middle.shown is panel and panel.isVisible()
    qtbot.waitUntil(lambda: bool(words_of(paper_window)))
    assert words_of(paper_window)[0] == "Untitled latin square" and len(words_of(paper_window)) == 1 + 8
    zoom = panel.view.zoom
    paper_window.actions_["zoom_in"].trigger()
    assert panel.view.zoom == pytest.approx(1.25 * zoom)
    paper_window.actions_["fit"].trigger()
    assert panel.view.zoom == pytest.approx(zoom)
    paper_window.form.edit("Change clues", LatinParameters(clues=3), None)
    qtbot.waitUntil(lambda: len(words_of(paper_window)) == 1 + 3)
    paper_window.document.history.undo()
    qtbot.waitUntil(lambda: len(words_of(paper_window)) == 1 + 8)


def test_a_name_is_on_the_page_and_one_that_cannot_be_written_says_so(
    paper_window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    panel = paper_window.find_extension(PagesExtension).panel
    paper_window.actions_["view_pages"].trigger()
    assert paper_window.filing._save(tmp_path / "Τετράγωνο.puzzle")
    qtbot.waitUntil(lambda: words_of(paper_window)[:1] == ["Τετράγωνο"])
    assert paper_window.filing._save(tmp_path / "方陣.puzzle")
    qtbot.waitUntil(lambda: panel.message.startswith("Page 1, line 1: no font has “方”"))


def test_the_sheet_of_a_cube_is_a_view_of_its_own_that_is_laid_out_when_it_is_looked_at(
    cube_window: Window, qtbot: QtBot
) -> None:
    panel = cube_window.find_extension(PagesExtension).panel
    assert panel.message == "" and words_of(cube_window) == []
    cube_window.actions_["view_pages"].trigger()
    assert cube_window.middle.shown is panel
    assert not cube_window.actions_["from_front"].isEnabled() and not cube_window.actions_["draft"].isEnabled()
    qtbot.waitUntil(
        lambda: "Unique solution (exhaustive search, 19 nodes)." in " ".join(words_of(cube_window)), timeout=20_000
    )
    cube_window.actions_["view_model"].trigger()
    assert cube_window.actions_["from_front"].isEnabled()

"""A zigzaw is read from pictures in the window; what is in doubt is corrected by a click or by keys, and used."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from studio.base.progress import SILENT
from studio.puzzles.registry import kind
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters, recoloured
from studio.puzzles.zigzaw.piece_forms import Cube
from studio.puzzles.zigzaw.reading import BORDER, Readings, Spot
from studio.ui.kinds.zigzaw.extension import ZigzawExtension
from studio.ui.kinds.zigzaw.picture_readings import Importing
from studio.ui.session.opening import Opened
from studio.ui.widgets.theme import current_theme, dark_theme, light_theme
from tests.puzzles.zigzaw.photographed import border_of, photographed, pieces_of
from tests.puzzles.zigzaw.test_reading import painted
from tests.ui.stage import KindStage, staged

ZIGZAW = kind("zigzaw")
PUZZLE: ZigzawDesign = generate(ZigzawParameters(columns=4, rows=3, seed=5), SILENT)
LEG = PUZZLE.body.numbers["left_leg"]
BETWEEN_RED_AND_ORANGE = (228, 80, 44)


class ImportStage(KindStage):
    """A window in which pictures are read; the mouse meets what was read."""

    @property
    def importing(self) -> Importing:
        extension = self.window.extension
        assert isinstance(extension, ZigzawExtension)
        return extension.importing

    @property
    def readings(self) -> Readings:
        readings = self.importing.page.view.readings
        assert readings is not None
        return readings

    @property
    def target(self) -> QWidget:
        return self.importing.page.view.viewport()

    def read(self, *paths: Path) -> None:
        """Choose pictures by the button, and wait until they are read."""
        self.window.show_view("import")
        self.answers.imports = list(paths)
        QTest.mouseClick(self.importing.page.open, Qt.MouseButton.LeftButton)
        assert self.wait_for(lambda: self.importing.page.view.readings is not None or bool(self.posted()))
        self.settle()

    def click_colour(self, number: int) -> None:
        """Click a colour in the palette that is open."""
        box = self.importing.page.view.palette_box
        assert box.isVisible()
        QTest.mouseClick(box.buttons[number], Qt.MouseButton.LeftButton)
        self.settle()
        assert not box.isVisible()


OTHER: ZigzawDesign = generate(ZigzawParameters(columns=3, rows=3), SILENT)
stage = staged(lambda folder: ImportStage(folder, ZIGZAW, OTHER))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Photographs of PUZZLE in which the left leg of piece 3 is neither red nor orange."""
    made, chance = tmp_path_factory.mktemp("photographs"), np.random.default_rng(8)
    pictures = [*pieces_of(PUZZLE), ("border", border_of(PUZZLE))]
    for name, pixels in pictures:
        taken = photographed(pixels, chance, noise=4.0, quality=90).copy()
        if name == "piece 3":
            leg = taken[14:48, 8:40, :3]
            leg[np.linalg.norm(leg.astype(int) - 246, axis=2) > 40] = BETWEEN_RED_AND_ORANGE
        Image.fromarray(taken[..., :3]).save(made / f"{name}.png")
    return made


def right_paint(readings: Readings, spot: Spot) -> int:
    name = painted(PUZZLE)[spot.piece][spot.part]
    return [paint.name for paint in readings.paints].index(name)


def test_a_doubt_is_corrected_by_clicks_and_the_pieces_are_used(stage: ImportStage, folder: Path) -> None:
    before = stage.document.design
    stage.read(folder)
    spot = Spot(2, LEG)
    assert stage.readings.doubtful == [spot] and len(stage.readings.pieces) == 12
    assert "1 uncertain colour" in stage.importing.page.tally.text()
    QTest.mouseClick(stage.importing.page.next, Qt.MouseButton.LeftButton)
    assert stage.importing.page.view.spot == spot
    assert stage.importing.page.words.text().startswith("Left leg of piece 3 is between two colours (read #E")
    stage.click(stage.importing.page.view.middle_of(spot))
    stage.click_colour(right_paint(stage.readings, spot))
    assert stage.readings.doubtful == [] and stage.readings.at(spot).is_chosen
    assert "all colours recognised" in stage.importing.page.tally.text()
    assert not stage.importing.page.next.isEnabled()
    QTest.mouseClick(stage.importing.page.use, Qt.MouseButton.LeftButton)
    assert stage.wait_for(lambda: stage.document.design is not before)
    assert painted(stage.document.design) == painted(PUZZLE)
    assert stage.document.is_modified and stage.document.path is None
    assert stage.window.middle.shown is stage.window.canvas


def test_keys_go_from_limb_to_limb_and_choose_colours(stage: ImportStage, folder: Path) -> None:
    stage.read(folder)
    view, spot = stage.importing.page.view, Spot(2, LEG)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_1)
    assert stage.readings.doubtful == [spot], "nothing is chosen yet"
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert view.spot == stage.readings.every_spot[0] and view.spot.piece == BORDER
    view.go_to(Spot(2, LEG - 1))
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.spot == spot
    QTest.keyClick(view, Qt.Key(Qt.Key.Key_1 + right_paint(stage.readings, spot)))
    assert stage.readings.doubtful == []
    QTest.keyClick(view, Qt.Key.Key_Return)
    other = (right_paint(stage.readings, spot) + 1) % 6
    stage.click_colour(other)
    assert stage.readings.at(spot).paint == other
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert view.palette_box.isVisible()
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not view.palette_box.isVisible() and stage.readings.at(spot).paint == other


def test_pieces_that_do_not_fit_are_told_and_nothing_is_opened(stage: ImportStage, folder: Path) -> None:
    before = stage.document.design
    stage.read(folder)
    spot = Spot(2, LEG)
    stage.importing.page.view.go_to(spot)
    wrong = (right_paint(stage.readings, spot) + 1) % 6
    QTest.keyClick(stage.importing.page.view, Qt.Key(Qt.Key.Key_1 + wrong))
    QTest.mouseClick(stage.importing.page.use, Qt.MouseButton.LeftButton)
    assert stage.wait_for(lambda: stage.posted().startswith("Its pieces do not fit together inside its border"))
    assert stage.document.design is before and stage.importing.page.view.readings is not None


def test_a_face_of_the_border_is_corrected_by_a_click(stage: ImportStage, folder: Path) -> None:
    stage.read(folder)
    spot = stage.readings.spots(BORDER)[0]
    other = (stage.readings.at(spot).paint + 2) % 6
    stage.click(stage.importing.page.view.middle_of(spot))
    stage.click_colour(other)
    assert stage.readings.at(spot).paint == other
    assert stage.importing.page.words.text().endswith("(your choice)")


@pytest.mark.thorough
def test_unsaved_work_stays_open_beside_what_was_imported(stage: ImportStage, folder: Path) -> None:
    opened: list[Opened] = []
    stage.window.filing.opened.connect(lambda found, path, is_saved: opened.append(found))
    stage.document.edit("Change", recoloured(stage.document.design, [(Cube(1, 1), "T")], 3))
    before = stage.document.design
    stage.read(folder)
    stage.importing.page.view.chosen.emit(Spot(2, LEG), right_paint(stage.readings, Spot(2, LEG)))
    QTest.mouseClick(stage.importing.page.use, Qt.MouseButton.LeftButton)
    assert stage.wait_for(lambda: len(opened) == 1) and stage.document.design is before
    assert opened[0].saved.kind is stage.document.kind and stage.answers.asked == 0


@pytest.mark.thorough
def test_the_file_menu_leads_here_for_pictures(stage: ImportStage, folder: Path) -> None:
    stage.answers.imports = sorted(folder.iterdir())
    stage.window.actions_["import"].trigger()
    assert stage.wait_for(lambda: stage.importing.page.view.readings is not None)
    assert stage.window.middle.shown is stage.importing.page


def test_what_is_no_picture_of_a_puzzle_is_told(stage: ImportStage, folder: Path, tmp_path: Path) -> None:
    incomplete = shutil.copytree(folder, tmp_path / "photographs")
    (incomplete / "border.png").unlink()
    stage.read(incomplete)
    assert stage.posted().startswith("Cannot import photographs: the picture of the border is missing")
    assert stage.importing.page.view.readings is None and not stage.importing.page.use.isEnabled()
    assert "Choose one picture" in stage.importing.page.empty.text()


@pytest.mark.thorough
def test_the_mouse_says_what_was_read_where_it_is(stage: ImportStage, folder: Path) -> None:
    stage.read(folder)
    view, spot = stage.importing.page.view, Spot(0, LEG)
    view.go_to(spot)
    place = view.middle_of(spot)
    stage.mouse(QEvent.Type.MouseMove, place)
    assert "of piece 1 is " in stage.importing.page.words.text()
    assert view.cursor().shape() is Qt.CursorShape.PointingHandCursor
    assert view.spot_at(QPoint(1, 1)) is None
    stage.mouse(QEvent.Type.MouseMove, QPoint(1, 1))
    assert view.cursor().shape() is Qt.CursorShape.ArrowCursor


@pytest.mark.thorough
def test_a_doubt_is_seen_in_both_themes(stage: ImportStage, folder: Path) -> None:
    from studio.ui.widgets.theme import apply

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    stage.read(folder)
    view, spot = stage.importing.page.view, Spot(2, LEG)
    view.go_to(spot)
    for theme in (light_theme(), dark_theme()):
        apply(app, theme, app.font())
        stage.settle()
        image, place = view.viewport().grab().toImage(), view.middle_of(spot)
        around = {image.pixelColor(place + QPoint(x, y)).name() for x in range(-12, 13) for y in range(-12, 13)}
        assert current_theme().warning.name() in around
        clear = view.middle_of(Spot(2, 0))
        around = {image.pixelColor(clear + QPoint(x, y)).name() for x in range(-5, 6) for y in range(-5, 6)}
        assert current_theme().warning.name() not in around
    apply(app, light_theme(), app.font())

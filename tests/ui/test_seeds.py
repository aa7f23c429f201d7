"""Kept seeds: a strip of pictures below the seed, remembered with the design's file, that goes back in one step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from studio.files.store import load
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.session.preferences import Preferences
from studio.ui.shell import presets, thumbnails
from studio.ui.shell.presets import KeptSeeds
from studio.ui.widgets.length_spin import ValueOrigin
from tests.ui.stage import KindStage, Stage

MOST_SEEDS = 24

SMALL = JigsawDesign(JigsawParameters(columns=4, rows=3))


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    monkeypatch.setattr(presets, "SETTLED_MS", 10_000_000)
    made = Stage(tmp_path, SMALL)
    yield made
    made.close()


def button(stage: KindStage) -> QToolButton:
    (found,) = [
        one
        for one in stage.window.form.findChildren(QToolButton)
        if one.accessibleName() in ("Keep this seed", "Remove this seed from those kept")
    ]
    return found


def strip(stage: KindStage) -> KeptSeeds:
    assert isinstance(stage.window.form.seeds, KeptSeeds)
    return stage.window.form.seeds


def go_to(stage: Stage, seed: int) -> None:
    """Another seed in the field."""
    row = stage.window.form.row_of("seed")
    assert row is not None
    row.field.settled.emit(seed, ValueOrigin.WRITTEN)
    assert stage.wait_for(lambda: stage.design.parameters.seed == seed)


def keep(stage: Stage, *some: int) -> None:
    for seed in some:
        go_to(stage, seed)
        QTest.mouseClick(button(stage), Qt.MouseButton.LeftButton)
    stage.settle()


def test_nothing_is_loaded_or_shown_before_a_seed_is_kept(stage: Stage) -> None:
    assert stage.window.form.seeds is None and not button(stage).isChecked()
    keep(stage, 5)
    assert strip(stage).isVisible() and button(stage).isChecked() and strip(stage).seeds == [5]
    QTest.mouseClick(button(stage), Qt.MouseButton.LeftButton)
    stage.settle()
    assert not strip(stage).isVisible() and not button(stage).isChecked()
    assert stage.preferences.kept_seeds("jigsaw", None) == ()


def test_a_click_goes_back_to_a_seed_in_one_step(stage: Stage) -> None:
    keep(stage, 5, 6)
    go_to(stage, 99)
    assert strip(stage).currentRow() == -1 and not button(stage).isChecked()
    steps, before = stage.document.history.count(), stage.bytes
    place = strip(stage).visualItemRect(strip(stage).item(0)).center()
    QTest.mouseClick(strip(stage).viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert stage.wait_for(lambda: stage.design.parameters.seed == 5)
    assert stage.document.history.count() == steps + 1 and strip(stage).currentRow() == 0
    assert button(stage).isChecked()
    stage.document.history.undo()
    assert stage.bytes == before and strip(stage).seeds == [5, 6], "what is kept belongs to no history"


def test_keys_walk_go_and_remove(stage: Stage) -> None:
    keep(stage, 5, 6, 7)
    strip(stage).setFocus()
    QTest.keyClick(strip(stage), Qt.Key.Key_Left)
    QTest.keyClick(strip(stage), Qt.Key.Key_Return)
    assert stage.wait_for(lambda: stage.design.parameters.seed == 6)
    QTest.keyClick(strip(stage), Qt.Key.Key_Delete)
    assert strip(stage).seeds == [5, 7] and stage.design.parameters.seed == 6


def test_seeds_are_there_after_a_restart_and_go_with_the_file(stage: Stage, tmp_path: Path) -> None:
    keep(stage, 5, 6)
    stage.answers.save = tmp_path / "mine.puzzle"
    stage.window.filing.save()
    assert stage.preferences.kept_seeds("jigsaw", None) == (), "a new design begins without them"
    stage.answers.save = tmp_path / "other.puzzle"
    stage.window.filing.save_as()
    keep(stage, 7)
    again = Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    assert again.kept_seeds("jigsaw", tmp_path / "mine.puzzle") == (5, 6)
    assert again.kept_seeds("jigsaw", tmp_path / "other.puzzle") == (5, 6, 7)
    stage.window.filing.save()
    # Another file makes room for this one only in an untouched tab, which shows it like that.
    saved = load(tmp_path / "mine.puzzle")
    stage.document.open(saved.kind, saved.design, tmp_path / "mine.puzzle")
    assert strip(stage).seeds == [5, 6]
    assert stage.document.path == tmp_path / "mine.puzzle"


def test_a_window_on_a_file_with_kept_seeds_shows_them(qtbot: QtBot, tmp_path: Path) -> None:
    Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)).set_kept_seeds(
        "jigsaw", None, (8, 9)
    )
    stage = Stage(tmp_path, SMALL)
    assert strip(stage).seeds == [8, 9]
    stage.close()


def test_a_kind_without_a_seed_has_no_button(qtbot: QtBot, tmp_path: Path) -> None:
    stage = KindStage(tmp_path, CALENDAR, is_ready=False)
    assert stage.window.form.seeds is None
    assert not any("seed" in one.accessibleName() for one in stage.window.form.findChildren(QToolButton))
    stage.close()


def test_there_is_an_end_to_kept_seeds(stage: Stage) -> None:
    stage.preferences.set_kept_seeds("jigsaw", None, range(1, MOST_SEEDS + 1))
    keep(stage, 0)
    assert len(strip(stage).seeds) == MOST_SEEDS and "remove one first" in stage.posted()
    assert not button(stage).isChecked()


def test_hostile_preferences_are_passed_over(tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    preferences = Preferences(settings)
    for stored in ("", "{", "[]", '{"": 3}', '{"": ["a", -1, 1e99, true, null, 4, 4, 2147483648]}', "[" * 9999):
        settings.setValue("seeds/jigsaw", stored)
        assert preferences.kept_seeds("jigsaw", None) in ((), (4,))
        preferences.set_kept_seeds("jigsaw", None, (1, 2))
        assert preferences.kept_seeds("jigsaw", None) == (1, 2)
    for number in range(300):
        preferences.set_kept_seeds("jigsaw", Path(f"/{'x' * 400}/{number}.puzzle"), range(20))
    assert preferences.kept_seeds("jigsaw", Path(f"/{'x' * 400}/299.puzzle")) == tuple(range(20))
    assert preferences.kept_seeds("jigsaw", Path(f"/{'x' * 400}/0.puzzle")) == ()


def test_pictures_are_drawn_beside_the_window_and_differ(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presets, "SETTLED_MS", 0)
    stage = Stage(tmp_path, SMALL)
    shown: list[tuple[int, QImage]] = []
    keep(stage, 5)
    monkeypatch.setattr(presets, "SETTLED_MS", 10_000_000)
    kept = strip(stage)

    def is_drawn() -> bool:
        maker = kept._maker
        return maker is not None and maker._now is None and not maker._waiting

    keep(stage, 6)
    assert stage.wait_for(is_drawn)
    for number, seed in enumerate(kept.seeds):
        shown.append((seed, kept.item(number).icon().pixmap(presets.PICTURE).toImage()))
    assert [seed for seed, _ in shown] == [5, 6] and shown[0][1] != shown[1][1]
    assert all(len({image.pixel(x, 24) for x in range(image.width())}) > 3 for _, image in shown)
    place = thumbnails.folder()
    assert place is not None and len(list(place.glob("*.puzzle"))) == 1
    stage.close()
    assert list(place.glob("*.puzzle")) == [], "what was written to be drawn goes with the window"


def test_a_picture_is_that_of_the_design_with_its_seed(qtbot: QtBot, tmp_path: Path) -> None:
    from studio.files.store import save
    from studio.ui.shell.screenshot import drawn

    preferences = Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    path, other = tmp_path / "a.puzzle", tmp_path / "b.puzzle"
    save(path, JIGSAW, JigsawDesign(JigsawParameters(columns=4, rows=3, seed=1)))
    save(other, JIGSAW, JigsawDesign(JigsawParameters(columns=4, rows=3, seed=2)))
    assert [drawn(path, "light", preferences, 2), drawn(other, "light", preferences)] == ["made", "made"]
    seeded = thumbnails.known(thumbnails.Seeded(path, 2), "light")
    assert seeded is not None and seeded == thumbnails.known(other, "light")

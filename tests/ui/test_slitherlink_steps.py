"""The steps of a slitherlink's solution, gone through by keys, mouse and list, and the tab with its grade."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.base.progress import SILENT
from studio.puzzles.registry import kind
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.gestures import EDGE
from studio.puzzles.slitherlink.model import GRADES, SlitherlinkParameters
from studio.puzzles.slitherlink.steps import TITLES
from studio.ui.kinds.slitherlink.extension import SlitherlinkExtension
from studio.ui.kinds.slitherlink.scene import CROSSED, DRAWN, FORM, GREY
from studio.ui.kinds.slitherlink.steps import STUCK, StepsPage
from tests.ui.stage import KindStage, staged


class StepsStage(KindStage):
    """A window on the steps of a slitherlink of 7 × 7."""

    def __init__(self, folder: Path) -> None:
        design = generate(SlitherlinkParameters(columns=7, rows=7), SILENT)
        super().__init__(folder, kind("slitherlink"), design, view="steps")
        self.page.solutions.finish()
        QApplication.processEvents()

    @property
    def extension(self) -> SlitherlinkExtension:
        """What the window has of the kind."""
        assert isinstance(self.window.extension, SlitherlinkExtension)
        return self.window.extension

    @property
    def page(self) -> StepsPage:
        """The view."""
        return self.extension.steps

    @property
    def at(self) -> int:
        """How many steps are made."""
        return self.page.player.at

    def forms(self, form: int) -> set[int]:
        """The edges that are drawn in a form."""
        return {*np.flatnonzero((self.page.scene.board.look.edges & FORM) == form).tolist()}

    def type(self, key: Qt.Key) -> None:
        """Press a key on the board."""
        self.page.view.setFocus()
        QTest.keyClick(self.page.view, key)


stage = staged(StepsStage)


def test_keys_go_through_the_steps_to_the_solution_and_back(stage: StepsStage) -> None:
    page, design = stage.page, stage.document.design
    steps = page.solutions.answer.steps if page.solutions.answer is not None else ()
    assert stage.at == 0 and len(steps) > 20 and stage.forms(GREY) == {*range(len(design.parameters.net.ends))}
    stage.type(Qt.Key.Key_Right)
    assert stage.at == 1 and page.words.text() == steps[0].words
    assert stage.forms(DRAWN) == {*steps[0].on} and stage.forms(CROSSED) == {*steps[0].off}
    stage.type(Qt.Key.Key_End)
    assert stage.at == len(steps) and stage.forms(DRAWN) == {*design.line} and not stage.forms(GREY)
    stage.type(Qt.Key.Key_Left)
    assert stage.at == len(steps) - 1
    stage.type(Qt.Key.Key_Home)
    assert stage.at == 0 and not stage.forms(DRAWN)


def test_the_list_has_every_step_and_shows_the_one_that_is_chosen(stage: StepsStage) -> None:
    page = stage.page
    assert page.solutions.answer is not None
    steps = page.solutions.answer.steps
    model = page.list.model()
    assert model.rowCount() == len(steps)
    assert [model.index(row, 1).data() for row in range(len(steps))] == [TITLES[step.rule] for step in steps]
    place = page.list.visualRect(model.index(4, 1)).center()
    QTest.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert stage.at == 5 and page.words.text() == steps[4].words
    stage.type(Qt.Key.Key_End)
    assert [index.row() for index in page.list.selectionModel().selectedRows()] == [len(steps) - 1]


def test_a_step_marks_the_cells_and_dots_that_it_looks_at(stage: StepsStage) -> None:
    page = stage.page
    assert page.scene.hint.path.isEmpty()
    stage.type(Qt.Key.Key_Right)
    assert not page.scene.hint.path.isEmpty()


def test_the_steps_play_by_themselves_and_stop_at_the_end(stage: StepsStage) -> None:
    page = stage.page
    page.bar.speed.setValue(page.bar.speed.maximum())
    page.player.seek(page.player.count - 3)
    stage.type(Qt.Key.Key_P)
    assert page.player.is_playing
    assert stage.wait_for(lambda: not page.player.is_playing)
    assert stage.at == page.player.count
    QTest.mouseClick(page.bar.start, Qt.MouseButton.LeftButton)
    assert stage.at == 0


def test_the_grade_is_above_the_board_and_follows_the_design(stage: StepsStage) -> None:
    page = stage.page
    assert page.grade.text().startswith("Normal: ") and page.grade.text().endswith(".")
    design = stage.document.design
    easy = kind("slitherlink").generate(replace(design.parameters, difficulty="easy"), design, SILENT).design
    stage.document.edit("Easy", easy)
    page.solutions.finish()
    assert page.grade.text().startswith("Easy: ") and stage.at == 0
    few = easy.with_given(dict.fromkeys([*easy.clues][4:], False))
    stage.document.edit("Few clues", few)
    page.solutions.finish()
    stage.type(Qt.Key.Key_End)
    assert "the rules get stuck" in page.grade.text() and page.words.text().endswith(STUCK)


def test_a_change_that_leaves_the_clues_leaves_the_step_in_sight(stage: StepsStage) -> None:
    stage.type(Qt.Key.Key_Right)
    design = stage.document.design
    wider = replace(design, parameters=replace(design.parameters, edge=20.0))
    stage.document.edit("Wider", wider)
    stage.page.solutions.finish()
    assert stage.at == 1 and stage.page.words.text()
    assert len(stage.forms(GREY)) < len(design.parameters.net.ends)


def test_another_board_with_the_same_clues_has_steps_of_its_own(stage: StepsStage) -> None:
    for changes in ({"grid": "hand-cut"}, {"grid": "hand-cut", "seed": 2}, {"grid": "hand-cut", "outline": "ellipse"}):
        made = generate(SlitherlinkParameters(columns=7, rows=7, **changes), SILENT)
        bare = made.with_given(dict.fromkeys(made.clues, False))
        stage.document.edit("Another board without clues", bare)
        stage.page.solutions.finish()
        stage.page.view.grab()
        assert len(stage.page.scene.board.look.cells) == len(bare.parameters.form.names)
        assert (stage.page.scene.board.corners == bare.parameters.form.corners(EDGE)).all()


def test_the_tab_with_the_grade_offers_a_harder_and_an_easier_puzzle(stage: StepsStage) -> None:
    difficulty, page = stage.techniques, stage.graded.page
    stage.window.drawer.setCurrentWidget(difficulty)
    stage.window.finish()
    assert page.level.text() in GRADES.values() and page.words.text().count(". ") == 1
    assert "Compared with 30 similar puzzles: " in page.words.text()
    rows = [[difficulty.model.index(row, column).data() for column in range(3)] for row in range(len(TITLES))]
    assert [row[0] for row in rows] == [*TITLES.values()]
    assert sum(int(row[2]) for row in rows) == stage.page.player.count
    assert ["Look-ahead", "Hard", "0"] in rows


def test_a_puzzle_with_two_solutions_has_no_number_of_steps(stage: StepsStage) -> None:
    design = stage.document.design
    few = design.with_given(dict.fromkeys([*design.clues][4:], False))
    stage.window.drawer.setCurrentWidget(stage.techniques)
    stage.document.edit("Few clues", few)
    stage.window.finish()
    model = stage.techniques.model
    assert stage.graded.grade.problem
    assert {model.index(row, 2).data() for row in range(model.rowCount())} == {"\N{EN DASH}"}


def test_the_inspector_has_room_in_a_small_window(stage: StepsStage) -> None:
    inspector = stage.extension.editing.inspector
    stage.window.resize(1024, 700)
    stage.settle()
    page = inspector.widget()
    assert page is not None and inspector.viewport().width() >= page.minimumSizeHint().width()

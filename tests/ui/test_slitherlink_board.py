"""The solved board of a slitherlink, edited by real mouse and key events."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from studio.base.amounts import duration
from studio.base.progress import SILENT
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.puzzles.registry import kind
from studio.puzzles.slitherlink.checks import SlitherlinkChecked
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters, cells_of
from studio.ui.abilities.cuttable import CutExtension
from studio.ui.canvas.view import ARROWS
from studio.ui.kinds.slitherlink.extension import SlitherlinkExtension
from tests.ui.stage import NO_KEY, KindStage, staged


class SlitherlinkStage(KindStage):
    """A window on a slitherlink of 7 × 7."""

    def __init__(self, folder: Path, design: SlitherlinkDesign | None = None) -> None:
        small = generate(SlitherlinkParameters(columns=7, rows=7), SILENT)
        super().__init__(folder, kind("slitherlink"), small if design is None else design)

    @property
    def extension(self) -> SlitherlinkExtension:
        """What the window has of the kind."""
        assert isinstance(self.window.extension, SlitherlinkExtension)
        return self.window.extension

    @property
    def design(self) -> SlitherlinkDesign:
        assert isinstance(self.document.design, SlitherlinkDesign)
        return self.document.design

    @property
    def shapes(self) -> SlitherlinkShapes:
        shapes = self.window.pipeline.shapes
        assert isinstance(shapes, SlitherlinkShapes)
        return shapes

    def corner_of(self, cell: int) -> QPoint:
        """A pixel within a cell, beside its clue."""
        x, y = self.shapes.middle_of(cell)
        away = 0.6 * self.shapes.radius
        return self.window.canvas.view.mapFromScene(QPointF(x - away, y - away))

    def clue_of(self, cell: int) -> QPoint:
        """The pixel in the middle of a clue."""
        return self.window.canvas.view.mapFromScene(QPointF(*self.shapes.middle_of(cell)))

    def stroke(self, *places: QPoint) -> None:
        """Press at the first place, go over the others, and let go."""
        self.press(places[0])
        for place in places[1:]:
            self.move(place)
        self.release(places[-1])

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        QTest.keyClick(self.window.canvas.view, key, keys)

    @property
    def solutions(self) -> str:
        """What the inspector says of the solutions."""
        return self.extension.editing.inspector.shown.facts["Solutions"]

    def checked(self) -> SlitherlinkChecked:
        """What is known of the design in sight."""
        self.window.pipeline.finish()
        answer = self.window.pipeline.answer
        assert isinstance(answer, SlitherlinkChecked)
        return answer


stage = staged(SlitherlinkStage)


def inside(design: SlitherlinkDesign) -> list[bool]:
    return [*cells_of(design.inside), False]


def movable(design: SlitherlinkDesign, *, can: bool = True) -> int:
    """The first cell that can change sides, or that cannot."""
    return next(cell for cell in range(49) if design.parameters.net.can_flip(inside(design), cell) == can)


def test_a_click_takes_a_cell_to_the_other_side_and_undo_takes_it_back(stage: SlitherlinkStage) -> None:
    before, cell = stage.design, movable(stage.design)
    stage.click(stage.corner_of(cell))
    assert inside(stage.design)[cell] != inside(before)[cell]
    assert stage.design.own_cells == (before.parameters.form.names[cell],)
    assert stage.extension.status_text == f"{before.parameters.form.names[cell]} selected"
    stage.window.actions_["undo"].trigger()
    assert stage.design == before


def test_what_would_make_two_loops_is_refused_in_a_sentence(stage: SlitherlinkStage) -> None:
    before, cell = stage.design, movable(stage.design, can=False)
    said: list[str] = []
    stage.extension.editing.tool.refused.connect(said.append)
    stage.click(stage.corner_of(cell))
    assert stage.design == before and len(said) == 1
    assert before.parameters.form.names[cell] in said[0] and said[0].endswith(".")


def test_a_click_on_a_clue_hides_it_and_the_second_solution_is_laid_over(stage: SlitherlinkStage) -> None:
    assert stage.checked().is_proven and stage.checked().second is None
    assert stage.solutions == "One, proven"
    assert stage.extension.editing.inspector.shown.facts["Difficulty"] == "Normal"
    hidden = []
    for cell in list(stage.design.clues):
        stage.click(stage.clue_of(cell))
        hidden.append(cell)
        assert cell not in stage.design.clues
        if stage.checked().second is not None:
            break
    second = stage.checked().second
    assert second is not None and second != stage.design.line
    net = stage.design.parameters.net
    counts = net.counts(second)
    assert all(counts[cell] == count for cell, count in stage.design.clues.items())
    stage.key(Qt.Key.Key_Escape)
    assert "second" in stage.solutions
    assert stage.extension.editing.inspector.shown.facts["Difficulty"] == "\N{EN DASH}"
    finding = next(one for one in stage.window.pipeline.findings or () if one.kind == "ambiguous")
    assert finding.repair is not None
    stage.document.edit("Fix", finding.repair.apply(stage.design))
    assert stage.checked().second is None and stage.checked().is_proven
    assert {*stage.design.clues} - {*hidden} <= {*generate(stage.design.parameters, SILENT).clues} | {
        *stage.design.clues
    }


def test_a_drag_over_clues_hides_them_as_one_step(stage: SlitherlinkStage) -> None:
    before = stage.design
    row = [cell for cell in range(7)]
    given = [cell for cell in row if cell in before.clues]
    stage.stroke(*(stage.clue_of(cell) for cell in range(given[0], 7)))
    assert not {*given} & stage.design.clues.keys()
    stage.window.actions_["undo"].trigger()
    assert stage.design == before


def test_a_drag_over_cells_takes_them_all_where_they_can_go(stage: SlitherlinkStage) -> None:
    before, cell = stage.design, movable(stage.design)
    row = cell // 7
    stage.stroke(*(stage.corner_of(at) for at in range(cell, 7 * row + 7)))
    assert inside(stage.design)[cell] != inside(before)[cell]
    stage.window.actions_["undo"].trigger()
    assert stage.design == before, "one gesture is one step"


def test_keys_do_all_of_it(stage: SlitherlinkStage) -> None:
    before = stage.design
    stage.window.canvas.view.setFocus()
    stage.key(Qt.Key.Key_Right)
    assert stage.extension.editing.selection.cells == {0}
    stage.key(Qt.Key.Key_Down)
    stage.key(Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert stage.extension.editing.selection.cells == {7, 8}
    stage.extension.editing.selection.select([movable(before)])
    stage.key(Qt.Key.Key_I)
    assert inside(stage.design) != inside(before)
    stage.key(Qt.Key.Key_L)
    assert stage.design.own_cells == stage.design.own_clues and len(stage.design.own_cells) == 1
    given = stage.design.given
    stage.key(Qt.Key.Key_G)
    assert stage.design.given != given
    stage.key(Qt.Key.Key_Backspace)
    assert stage.design == before
    stage.key(Qt.Key.Key_Escape)
    assert not stage.extension.editing.selection.cells


def test_arrow_keys_reach_every_cell_of_a_board_without_rows(stage: SlitherlinkStage) -> None:
    parameters = SlitherlinkParameters(grid="hand-cut", outline="ellipse", columns=5, rows=5)
    stage.document.edit("Cells that differ", generate(parameters, SILENT))
    stage.settle()
    selection, arrows = stage.extension.editing.selection, [*ARROWS]
    stage.window.canvas.view.setFocus()
    stage.key(arrows[0])
    reached, todo = {*selection.cells}, [*selection.cells]
    while todo:
        here = todo.pop()
        for arrow in arrows:
            selection.select([here])
            stage.key(arrow)
            todo += selection.cells - reached
            reached |= selection.cells
    assert reached == {*range(len(parameters.form.names))}


def test_shift_selects_without_a_change(stage: SlitherlinkStage) -> None:
    before = stage.design
    stage.click(stage.corner_of(3), Qt.KeyboardModifier.ShiftModifier)
    stage.click(stage.clue_of(9), Qt.KeyboardModifier.ShiftModifier)
    assert stage.extension.editing.selection.cells == {3, 9} and stage.design == before
    assert stage.extension.status_text == "2 cells selected"


def test_a_painted_shape_holds_the_loop(stage: SlitherlinkStage) -> None:
    before = stage.design
    stage.window.actions_["paint_shape"].trigger()
    path = [7 * row + column for row in (1, 2, 3) for column in (range(1, 6) if row != 2 else range(5, 0, -1))]
    stage.stroke(*(stage.corner_of(cell) for cell in path))
    shape = {cell for cell, is_in in enumerate(cells_of(stage.design.shape)) if is_in}
    assert shape == {*path}
    assert {cell for cell in range(49) if inside(stage.design)[cell]} <= shape
    stage.window.actions_["paint_shape"].trigger()
    stage.window.actions_["clear_shape"].trigger()
    assert stage.design == before


def test_a_picture_becomes_the_loop(stage: SlitherlinkStage, tmp_path: Path) -> None:
    y, x = np.mgrid[:70, :70]
    data = io.BytesIO()
    Image.fromarray((np.hypot(x - 35, y - 35) > 22).astype(np.uint8) * 255).save(data, "PNG")
    (tmp_path / "disc.png").write_bytes(data.getvalue())
    stage.answers.open = tmp_path / "disc.png"
    stage.window.actions_["shape_from_picture"].trigger()
    assert stage.design.parameters.loop == "outline"
    assert inside(stage.design)[24] and not inside(stage.design)[0]
    said: list[str] = []
    stage.extension.refused.connect(said.append)
    (tmp_path / "disc.png").write_bytes(b"broken")
    stage.window.actions_["shape_from_picture"].trigger()
    assert said and said[0].startswith("disc.png cannot be used")


def test_another_seed_keeps_what_is_edited(stage: SlitherlinkStage) -> None:
    cell = movable(stage.design)
    stage.click(stage.corner_of(cell))
    edited = stage.design
    other = kind("slitherlink").generate(replace(edited.parameters, seed=77), edited, SILENT).design
    assert inside(other)[cell] == inside(edited)[cell]


def test_cells_of_a_board_that_is_only_tried_can_be_selected(stage: SlitherlinkStage) -> None:
    larger = replace(stage.design.parameters, columns=stage.design.parameters.columns + 3)
    tried = generate(larger, SILENT)
    stage.document.preview(tried)
    stage.extension.editing.selection.select_all()
    stage.settle()
    before = stage.design
    assert len(stage.extension.editing.selection.cells) == larger.columns * larger.rows and before.parameters != larger
    for key in (Qt.Key.Key_Up, Qt.Key.Key_I, Qt.Key.Key_G, Qt.Key.Key_L, Qt.Key.Key_Backspace):
        stage.key(key)
    assert stage.design == before and not stage.window.actions_["lock_cells"].isEnabled()


def test_a_stroke_ends_where_another_board_comes_in_sight(stage: SlitherlinkStage) -> None:
    before = stage.design
    tried = generate(SlitherlinkParameters(grid="hand-cut", columns=3, rows=3), SILENT)
    stage.window.actions_["paint_shape"].trigger()
    stage.press(stage.corner_of(45))
    stage.document.preview(tried)
    stage.settle()
    stage.move(stage.clue_of(4))
    stage.release(stage.clue_of(4))
    assert stage.design == before, "cells of a board that is only tried are in no shape of the design's"
    stage.press(stage.clue_of(4))
    stage.release(stage.clue_of(4))
    assert stage.design == before
    stage.document.abandon()
    stage.settle()
    assert not stage.extension.editing.selection.cells


def test_edited_cells_that_a_smaller_board_drops_are_named(stage: SlitherlinkStage) -> None:
    net, sides = stage.design.parameters.net, inside(stage.design)
    cell = next(at for at in range(49) if at % 7 > 4 and net.can_flip(sides, at))
    stage.click(stage.corner_of(cell))
    edited, (name,) = stage.design, stage.design.own_cells
    stage.window.form.edited.emit("Change columns", replace(edited.parameters, columns=5), None)
    assert stage.wait_for(lambda: stage.design.parameters.columns == 5)
    assert stage.posted() == f"Edits that no longer fit were dropped: {name}. Undo restores them."
    notice = stage.window.notices.notice()
    assert notice is not None and notice.action is not None
    notice.action.do()
    assert stage.design == edited


def test_sides_are_asked_of_polygons_alone(stage: SlitherlinkStage) -> None:
    form, p = stage.window.form, stage.design.parameters
    assert not form.field("sides").isVisibleTo(form) and form.field("corner").isEnabled()
    form.edited.emit("Change outline", replace(p, grid="voronoi", outline="polygon"), None)
    assert stage.wait_for(lambda: stage.design.parameters.outline == "polygon")
    assert form.field("sides").isVisibleTo(form) and not form.field("corner").isEnabled()


def test_the_solution_can_be_hidden(stage: SlitherlinkStage) -> None:
    overlay = stage.extension.editing.overlay
    stage.window.actions_["show_solution"].trigger()
    assert not overlay.is_solved
    shown = overlay.sheet.shown
    assert shown is not None and not shown.lines.any() and not shown.digits.any()
    stage.window.actions_["show_solution"].trigger()
    shown = overlay.sheet.shown
    assert shown is not None and np.flatnonzero(shown.lines).tolist() == list(stage.design.line)
    assert (shown.digits > 0).all(), "hidden clues are shown, too"


def test_fields_without_effect_are_switched_off(stage: SlitherlinkStage) -> None:
    form = stage.window.form
    assert not form.field("ratio").isEnabled() and not form.field("area").isEnabled()
    folded = replace(stage.design.parameters, loop="folded")
    form.edited.emit("Folded", folded, None)
    stage.settle()
    assert form.field("ratio").isEnabled() and form.field("area").isEnabled()
    assert not any(form.field(name).isEnabled() for name in ("peg", "play", "thickness", "spares"))
    form.edited.emit("Sticks", replace(folded, board="sticks"), None)
    stage.settle()
    assert form.field("play").isEnabled() and form.field("spares").isEnabled() and not form.field("peg").isEnabled()


def test_all_cells_can_be_selected_and_unlocked(stage: SlitherlinkStage) -> None:
    stage.click(stage.corner_of(0), Qt.KeyboardModifier.ShiftModifier)
    stage.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert stage.extension.status_text == "49 cells selected"
    stage.key(Qt.Key.Key_L)
    assert len(stage.design.own_cells) == len(stage.design.own_clues) == 49
    stage.key(Qt.Key.Key_L)
    assert stage.design.own_cells == stage.design.own_clues == ()


def test_the_time_in_the_status_bar_counts_engraving_as_an_export_does(stage: SlitherlinkStage) -> None:
    cutting = stage.window.find_extension(CutExtension)
    cutting.use_machine()
    cutting.finish()
    drawing = cutting.drawing
    exported = made(drawing, Making(), Machine(), Material(), SILENT).seconds
    assert cutting._known is not None and duration(cutting._known.seconds) == duration(exported)
    assert cutting.numbers == "7 × 7 squares · 24 clues", "of a puzzle for the pen"
    assert exported > 2 * drawing.cut_length / Machine().cut_speed, "most of the time goes into dots and clues"


def test_a_key_hides_the_solution_and_shows_it(stage: SlitherlinkStage) -> None:
    stage.click(stage.corner_of(0), Qt.KeyboardModifier.ShiftModifier)
    for is_shown in (False, True):
        stage.key(Qt.Key.Key_S)
        assert stage.window.actions_["show_solution"].isChecked() == is_shown

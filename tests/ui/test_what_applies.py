"""Windows say and offer what applies: pieces that are cut, entries that can be chosen, pages of the view in sight."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from studio.puzzles.cube.kind import CUBE
from studio.puzzles.jigsaw.figures.figure_edits import new_letters
from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.kind import AnyKind
from studio.puzzles.slitherlink.kind import SLITHERLINK
from studio.puzzles.zigzaw.kind import ZIGZAW
from studio.ui.kinds.slitherlink.extension import SlitherlinkExtension
from studio.ui.panels.form import ParameterForm
from studio.ui.shell.menus import applicable
from tests.ui.stage import KindStage, Stage


def said(form: ParameterForm) -> str:
    return " ".join(label.text() for label in form.findChildren(QLabel))


@pytest.mark.parametrize(("version", "cut"), [(1, 128), (2, 127)])
def test_form_status_and_table_count_the_pieces_that_are_cut_beside_those_asked_for(
    qapp: QApplication, tmp_path: Path, version: int, cut: int
) -> None:
    stage = Stage(tmp_path, JigsawDesign(JigsawParameters(pieces=127, layout_version=version)))

    def words(count: int) -> str:
        return f"{count} pieces of about" if count == 127 else f"{count} pieces (127 asked for) of about"

    assert words(cut) in said(stage.window.form)
    assert stage.cutting.numbers.startswith(f"{cut} pieces ·")
    assert stage.extension.sheets.pieces.model().rowCount() == cut
    # What is merged by hand is one piece fewer.
    merged = replace(stage.design, merged=("C5-D5",))
    stage.document.edit("Merge", merged)
    assert words(cut - 1) in said(stage.window.form)
    assert stage.cutting.numbers.startswith(f"{cut - 1} pieces ·")
    stage.close()


def test_letters_are_counted_beside_the_pieces_whose_size_is_given(qapp: QApplication, tmp_path: Path) -> None:
    letters = new_letters(JigsawDesign(), "AB", Pose(x=150, y=75, height=30))
    stage = Stage(tmp_path, replace(JigsawDesign(), whimsies=tuple(letters)))
    count = len(stage.extension.shapes.drawing.pieces)
    assert f"{count} pieces: {count - 2} of about 25.0 × 25.0 mm and 2 figures" in said(stage.window.form)
    stage.close()


def test_the_context_menu_of_an_empty_board_has_nothing_grey(qapp: QApplication, tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    parts = applicable(stage.window.actions_, stage.extension.context_menus)
    entries = [action for part in parts for action in part]
    assert 3 <= len(entries) <= 8 and all(action.isEnabled() for action in entries)
    stage.extension.selection.select(tongues=[20])
    parts = applicable(stage.window.actions_, stage.extension.context_menus)
    assert stage.window.actions_["flip"] in parts[0]
    stage.close()


def test_the_edit_menu_is_parted(qapp: QApplication, tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    sizes = [len(part) for part in stage.window.actions_.parts("&Edit")]
    assert sum(sizes) == len(stage.window.actions_.of_menu("&Edit")) and max(sizes) <= 6 and len(sizes) > 3
    stage.close()


def test_fix_all_waits_for_a_problem(qapp: QApplication, tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    assert not stage.window.actions_["fix_all"].isEnabled()
    stage.document.edit("Limit", replace(stage.design, parameters=replace(stage.design.parameters, least_neck=6.0)))
    stage.window.pipeline.finish()
    assert stage.window.actions_["fix_all"].isEnabled()
    stage.close()


def test_a_brush_is_put_down_with_its_view(qapp: QApplication, tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.window.actions_["protect"].trigger()
    assert stage.extension.masking.is_painting
    stage.window.show_view("play")
    stage.window.show_view("board")
    assert not stage.extension.masking.is_painting
    stage.close()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("kind", "view", "spoilers"),
    [
        (SLITHERLINK, "play", ("Loop", "Regenerate clues")),
        (SLITHERLINK, "steps", ("Loop",)),
        (ZIGZAW, "play", ("Edited",)),
    ],
)
def test_the_inspector_tells_nothing_of_the_board_while_it_is_played(
    qapp: QApplication, tmp_path: Path, kind: AnyKind, view: str, spoilers: tuple[str, ...]
) -> None:
    stage = KindStage(tmp_path, kind, kind.example(), size=(1280, 800))
    inspector = stage.window.extension.inspector
    assert inspector is not None

    def seen() -> set[str]:
        return {label.text() for label in inspector.findChildren(QLabel) if label.isVisible()}

    assert set(spoilers[:1]) <= seen()
    stage.window.show_view(view)
    assert not set(spoilers) & seen()
    stage.window.show_view("board")
    assert set(spoilers[:1]) <= seen()
    stage.close()


def test_what_is_printed_or_drawn_with_a_pen_is_not_counted_in_cuts(qapp: QApplication, tmp_path: Path) -> None:
    cube = KindStage(tmp_path, CUBE, CUBE.example(), size=(1280, 800))
    assert "6 pieces" in cube.window.status.numbers.text() and "cuts" not in cube.window.status.numbers.text()
    cube.window.show_view("drawing")
    assert "of cuts at" in cube.window.status.numbers.text()
    pen = KindStage(tmp_path, SLITHERLINK, SLITHERLINK.example(), size=(1280, 800))
    assert isinstance(pen.window.extension, SlitherlinkExtension)
    assert "clues" in pen.window.status.numbers.text() and "cuts" not in pen.window.status.numbers.text()
    cube.close()
    pen.close()


def test_a_piece_too_thin_to_print_is_shown_as_drawn(tmp_path: Path) -> None:
    from studio.base.errors import StudioError
    from studio.base.progress import Progress
    from studio.puzzles.jigsaw.model.printed_solids import bodies, seen

    # A chamfer of one's own is not lowered to what small pieces bear.
    parameters = JigsawParameters(
        columns=4, rows=3, width=30.0, height=22.0, tongue_size=0.2, strong_necks=False, chamfer=0.4
    )
    shapes = JIGSAW.shape(JigsawDesign(parameters), None, Progress())
    with pytest.raises(StudioError):
        bodies(shapes, Progress())
    sight = seen(shapes, Progress())
    assert len(sight.solids) == 12 and all(one.mesh.volume > 0 for one in sight.solids)
    assert sight.note.startswith("Piece") and sight.note.endswith("too thin to print, shown as drawn.")

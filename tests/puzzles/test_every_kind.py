"""What every kind of puzzle promises to window, command line and files."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from studio.checks.finding import Checked, Severity
from studio.errors import StudioError
from studio.files.store import dumps, loads
from studio.geometry.shapes import Shapes
from studio.parameters import declarations
from studio.progress import Cancelled, Progress
from studio.puzzles.calendar.edits import with_colour, with_labels_filled, with_piece_drawn
from studio.puzzles.calendar.model import MONTH, CalendarDesign
from studio.puzzles.cube.model import CubeDesign, EdgeEdit, VoxelEdit
from studio.puzzles.jigsaw.model import CornerEdit, JigsawDesign, TongueEdit
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import KINDS, kind

EDITED: dict[str, Any] = {
    "jigsaw": JigsawDesign(
        corners=(CornerEdit("2,2", 0.2, -0.1), CornerEdit("5,0", 0.1, 0.0)),
        tongues=(TongueEdit("B2-B3", side=1, size=0.3, rolls=2), TongueEdit("C1-D1", plain=True, locked_seed=4)),
    ),
    "cube": CubeDesign(
        edges=(EdgeEdit("back-top", rolls=2), EdgeEdit("front-bottom", rolls=1, locked_seed=4, locked_attempt=3)),
        voxels=(VoxelEdit("left-bottom/1", "bottom"), VoxelEdit("right-front-top", "top")),
    ),
    "calendar": with_colour(
        with_piece_drawn(
            with_labels_filled(CalendarDesign(), MONTH, "de"), "V", [(0, 1), (1, 0), (1, 1), (2, 1), (3, 1)]
        ),
        "L",
        11,
    ),
}
"""A design of each kind that a hand has changed, on a board of the default parameters."""

every_kind = pytest.mark.parametrize("one", KINDS, ids=lambda one: one.key)


def shape(one: AnyKind, design: Any, before: Shapes | None = None) -> Shapes:
    return one.shape(design, before, Progress())


def check(one: AnyKind, design: Any, shapes: Shapes, before: Checked | None = None) -> Checked:
    return one.check(design, shapes, before, Progress())


def new(one: AnyKind) -> Any:
    return one.generate(one.parameters(), None, Progress())


def other(one: AnyKind) -> Any:
    """The parameters of a new design but for one: the seed where there is chance, else the first number."""
    known = sorted(declarations(one.parameters), key=lambda each: each.type != "seed")
    varied = next(each for each in known if each.type in ("seed", "integer", "number"))
    return one.parameters(**{varied.name: 99 if varied.type == "seed" else varied.default + varied.step})


def test_kinds_have_keys_of_their_own_and_are_found_by_them() -> None:
    assert len({one.key for one in KINDS}) == len(KINDS)
    assert all(kind(one.key) is one for one in KINDS)
    assert all(one.title and one.summary.endswith(".") for one in KINDS)
    assert set(EDITED) == {one.key for one in KINDS}


def test_an_unknown_kind_is_refused_with_those_there_are() -> None:
    with pytest.raises(StudioError, match=r"'teapot' is no kind of puzzle; there are: .*jigsaw"):
        kind("teapot")


@every_kind
def test_every_parameter_has_a_title_a_sentence_and_a_default_within_its_bounds(one: AnyKind) -> None:
    for known in declarations(one.parameters):
        assert known.title and known.help.endswith(".")
        if known.type in ("integer", "number", "seed"):
            assert known.minimum is not None and known.maximum is not None and known.step
            assert known.minimum <= known.default <= known.maximum


@every_kind
def test_a_new_design_has_shapes_and_no_error(one: AnyKind) -> None:
    design = new(one)
    drawing = shape(one, design).drawing
    assert len(drawing.pieces) > 0 and drawing.cut_length > 0
    assert np.isfinite(drawing.strokes.points).all()
    assert check(one, design, shape(one, design)).errors == 0


@every_kind
def test_every_stroke_is_cut_once(one: AnyKind) -> None:
    drawing = shape(one, new(one)).drawing
    cut = np.concatenate([chain.strokes for chain in drawing.chains]) >> 1
    assert sorted(cut.tolist()) == list(range(len(drawing.strokes)))


@every_kind
def test_the_same_parameters_give_the_same_design_and_the_same_strokes(one: AnyKind) -> None:
    assert new(one) == new(one)
    first, second = shape(one, new(one)).drawing.strokes, shape(one, new(one)).drawing.strokes
    assert np.array_equal(first.points, second.points) and np.array_equal(first.starts, second.starts)


@every_kind
def test_a_design_changed_by_hand_comes_back_from_its_bytes_and_gives_them_again(one: AnyKind) -> None:
    for design in (new(one), one.example(), EDITED[one.key]):
        data = dumps(one, design)
        back = loads(data)
        assert back.design == design and back.kind is one
        assert dumps(one, back.design) == data


@every_kind
def test_hand_edits_survive_a_change_of_parameters(one: AnyKind) -> None:
    design = EDITED[one.key]
    after = one.generate(other(one), design, Progress())
    assert other(one) != design.parameters
    assert after == replace(design, parameters=other(one))
    assert one.generate(design.parameters, after, Progress()) == design


@every_kind
def test_a_design_changed_by_hand_is_one_of_its_board(one: AnyKind) -> None:
    one.verify(EDITED[one.key])
    assert np.isfinite(shape(one, EDITED[one.key]).drawing.strokes.points).all()


@every_kind
def test_shapes_kept_from_a_similar_design_are_those_made_from_nothing(one: AnyKind) -> None:
    plain, edited = new(one), EDITED[one.key]
    for before, after in ((plain, edited), (edited, plain), (edited, edited)):
        kept = shape(one, after, shape(one, before)).drawing.strokes
        fresh = shape(one, after).drawing.strokes
        assert np.array_equal(kept.starts, fresh.starts)
        assert np.array_equal(kept.points, fresh.points)


@every_kind
def test_findings_kept_from_a_similar_design_are_those_of_a_check_from_nothing(one: AnyKind) -> None:
    plain, edited = new(one), EDITED[one.key]
    for before, after in ((plain, edited), (edited, plain), (edited, edited)):
        shapes = shape(one, before)
        answer = check(one, before, shapes)
        later = shape(one, after, shapes)
        assert check(one, after, later, answer).findings == check(one, after, shape(one, after)).findings


@every_kind
def test_findings_are_sentences_with_a_place_on_the_board_and_the_worst_come_first(one: AnyKind) -> None:
    design = EDITED[one.key]
    shapes = shape(one, design)
    findings = check(one, design, shapes).findings
    assert [found.severity for found in findings] == sorted(found.severity for found in findings)
    for found in findings:
        assert found.severity in Severity and found.kind and found.message.endswith(".")
        assert 0 <= found.place[0] <= shapes.drawing.width and 0 <= found.place[1] <= shapes.drawing.height


@every_kind
def test_a_computation_that_nobody_waits_for_ends(one: AnyKind) -> None:
    stopped = Progress()
    stopped.cancel()
    design = new(one)
    shapes = shape(one, design)
    with pytest.raises(Cancelled):
        one.generate(one.parameters(), None, stopped)
    with pytest.raises(Cancelled):
        one.shape(design, None, stopped)
    with pytest.raises(Cancelled):
        one.check(design, shapes, None, stopped)

"""Tongues with styles of their own: drawn by chance and weights, or chosen for one tongue."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import Progress
from studio.files.store import dumps, loads
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import carry
from studio.puzzles.jigsaw.tongues.styles import MIXED, STYLE_NUMBERS, STYLES, WEIGHTED, Handle, Style
from studio.puzzles.jigsaw.tongues.tongues import STYLE
from studio.puzzles.jigsaw.tongues.values import as_bytes, from_bytes, grip, readings, shape_of, tips

WEIGHED = [style for style in STYLES if style.key in WEIGHTED]
EVERY = {f"mix_{style.key}": 1 for style in WEIGHED}
each = pytest.mark.parametrize("style", STYLES, ids=lambda style: style.key)
each_weighed = pytest.mark.parametrize("style", WEIGHED, ids=lambda style: style.key)


def board(**parameters: Any) -> JigsawShapes:
    return shape(JigsawDesign(JigsawParameters(**{"tongue_style": MIXED} | parameters)), None, Progress())


def styled(shapes: JigsawShapes, tongue: int, style: str | None) -> JigsawShapes:
    return shape(edits.with_tongues_styled(shapes, [tongue], style), shapes, Progress())


def inner(shapes: JigsawShapes) -> list[int]:
    found: list[int] = shapes.tiling.graph.inner_edges.tolist()
    return found


def test_styles_are_drawn_as_often_as_their_weights_say() -> None:
    shapes = board(columns=60, rows=60, width=1500.0, height=1500.0)
    counts = np.bincount(
        shapes.tongues[shapes.tiling.graph.inner_edges, STYLE].astype(int), minlength=len(STYLE_NUMBERS)
    )
    weights = np.zeros(len(STYLE_NUMBERS))
    for key, weight in shapes.design.parameters.weights.items():
        weights[STYLE_NUMBERS[key]] = weight
    assert counts / counts.sum() == pytest.approx(weights / weights.sum(), abs=0.02)
    assert (counts[weights == 0] == 0).all()


def test_another_weight_changes_only_tongues_that_get_or_lose_that_style() -> None:
    before, after = board(), board(mix_heart=6)
    heart = next(at for at, style in enumerate(STYLES) if style.key == "heart")
    changed = before.tongues[:, STYLE] != after.tongues[:, STYLE]
    assert changed.any() and (after.tongues[changed, STYLE] == heart).all()


def test_all_weights_0_are_refused_where_styles_are_mixed() -> None:
    none: dict[str, Any] = dict.fromkeys(EVERY, 0) | {"mix_own": 0}
    with pytest.raises(ParameterError, match="all weights are 0") as refused:
        JigsawParameters(tongue_style=MIXED, **none)
    assert refused.value.name == "tongue_style"
    assert JigsawParameters(**none).style_keys == ("ribbon",)


@each_weighed
def test_a_tongue_of_a_mixed_board_is_the_one_of_a_board_of_its_style(style: Style) -> None:
    mixed, whole = board(**EVERY), board(tongue_style=style.key)
    alike = [edge for edge in inner(mixed) if mixed.style_of(edge) is style]
    assert alike
    for edge in alike:
        assert np.array_equal(mixed.drawing.strokes[edge], whole.drawing.strokes[edge])
        assert mixed.rooms[edge] == whole.rooms[edge]
        for handle in style.handles:
            assert grip(mixed, edge).handle(handle) == grip(whole, edge).handle(handle)


def test_smooth_tongues_of_any_styles_meet_without_a_kink() -> None:
    shapes = board(**EVERY)
    joints = shapes.tiling.joints
    ways: dict[int, list[tuple[float, float]]] = {}
    for edge in inner(shapes):
        if not shapes.style_of(edge).is_smooth:
            continue
        stroke = shapes.drawing.strokes[edge]
        for end, step in enumerate((stroke[1] - stroke[0], stroke[-1] - stroke[-2])):
            if joints.at[edge, end] >= 0:
                way = joints.signs[edge, end] * step / np.hypot(*step)
                ways.setdefault(int(joints.at[edge, end]), []).append(tuple(way.tolist()))
    both = [pair for pair in ways.values() if len(pair) == 2]
    assert len(both) > 20
    for one, other in both:
        assert one == pytest.approx(other, abs=1e-9)


def test_handles_of_many_tongues_are_those_of_each() -> None:
    shapes = board(**EVERY)
    some = np.array(inner(shapes))
    assert tips(shapes, some).tolist() == [[*grip(shapes, edge).handle(Handle.SIZE)] for edge in some.tolist()]


@pytest.mark.sampled(3)
@each
def test_one_tongue_takes_a_style_of_its_own_and_no_other_cut_changes(style: Style) -> None:
    usual = board(tongue_style="ball")
    edge = inner(usual)[20]
    after, whole = styled(usual, edge, style.key), board(tongue_style=style.key)
    assert after.drawing.strokes.changed_since(usual.drawing.strokes).tolist() == [edge] * (style.key != "ball")
    assert np.array_equal(after.drawing.strokes[edge], whole.drawing.strokes[edge])
    fresh = shape(after.design, None, Progress())
    assert np.array_equal(fresh.rooms, after.rooms)
    assert np.array_equal(fresh.drawing.strokes.points, after.drawing.strokes.points)
    back = styled(after, edge, None)
    assert back.design == usual.design and np.array_equal(back.rooms, usual.rooms)
    checked, anew = (check(each.design, each, None, Progress()) for each in (usual, fresh))
    assert check(after.design, after, checked, Progress()).findings == anew.findings


def test_a_style_of_its_own_is_saved_and_outlives_other_parameters() -> None:
    usual = board()
    edge = inner(usual)[20]
    design = edits.with_tongues_styled(usual, [edge], "dovetail")
    data = dumps(JIGSAW, design)
    assert loads(data).design == design and dumps(JIGSAW, loads(data).design) == data
    changes: list[dict[str, Any]] = [{"seed": 99}, {"tongue_size": 0.2}, {"tongue_style": "earlet"}, {"width": 400.0}]
    for change in changes:
        parameters = replace(design.parameters, **change)
        carried = carry(parameters, design, Progress())
        assert carried.dropped == () and carried.design.tongues == design.tongues
        assert shape(carried.design, None, Progress()).style_of(edge).key == "dovetail"


def test_a_copied_shape_brings_its_style_to_tongues_of_others() -> None:
    shapes = board(**EVERY)
    heart = next(edge for edge in inner(shapes) if shapes.style_of(edge).key == "heart")
    copied = from_bytes(as_bytes(shape_of(shapes, heart)))
    after = shape(edits.with_tongues_alike(shapes, inner(shapes), copied), shapes, Progress())
    assert {after.style_of(edge).key for edge in inner(after)} == {"heart"}
    assert after.decided(heart).style is None
    slants = readings(after, np.array(inner(after)), "slant")
    assert slants == pytest.approx(readings(shapes, np.array([heart]), "slant")[0])


def test_a_locked_tongue_keeps_its_style_at_another_seed() -> None:
    usual = board(**EVERY)
    some = inner(usual)[:12]
    design = edits.with_tongues_locked(usual, some, locked=True)
    other = shape(carry(replace(design.parameters, seed=99), design, Progress()).design, None, Progress())
    assert [other.style_of(edge) for edge in some] == [usual.style_of(edge) for edge in some]
    assert [other.style_of(edge) for edge in inner(usual)] != [usual.style_of(edge) for edge in inner(usual)]


@pytest.mark.parametrize("style", ["", "oak", "mixed"])
def test_an_unknown_style_is_refused_with_those_there_are(style: str) -> None:
    with pytest.raises(ParameterError, match=r"style must be ribbon, heirloom, .* or own, not"):
        TongueEdit("C4-D4", style=style)
    data = dumps(JIGSAW, JigsawDesign(tongues=(TongueEdit("C4-D4", style="ball"),))).replace(
        b'"style": "ball"', f'"style": "{style}"'.encode()
    )
    with pytest.raises(StudioError, match=r"design\.tongues\[0\]\.style must be ribbon"):
        loads(data)


def test_a_board_of_one_style_is_saved_without_a_word_of_weights() -> None:
    assert b"mix" not in dumps(JIGSAW, JigsawDesign()) and b'style": null' not in dumps(JIGSAW, JigsawDesign())


@pytest.mark.parametrize("seed", range(10))
def test_a_mixed_board_of_usual_numbers_has_no_finding(seed: int) -> None:
    shapes = board(seed=seed)
    assert check(shapes.design, shapes, None, Progress()).findings == ()

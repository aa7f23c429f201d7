"""Separate outlines are the exact ones all along, not only where they were sampled, and what is not is refused."""

from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.progress import Progress
from studio.fabricate import kerf
from studio.fabricate.contours import Contours, beside
from studio.fabricate.kerf import cutouts
from studio.files.store import load
from studio.geometry.curves.fitting import Flags, fitted
from studio.geometry.curves.offsetting import apart
from studio.geometry.curves.strokes import Curves, Floats, Polylines
from studio.geometry.planar.drawing import Drawing, Operation
from tests.fabricate.boards import jigsaw
from tests.fabricate.offsets import furthest, strays

PROVEN = 0.02
TOLERANCE = 0.01

DESIGNS = Path(__file__).parent / "designs"
NAMED = ("name-on-an-ellipse", "bird-and-letters-on-rings")


def drawing_of(name: str) -> Drawing:
    saved = load(DESIGNS / f"{name}.puzzle")
    drawing: Drawing = saved.kind.shape(saved.design, None, Progress()).drawing
    return drawing


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "offset"), [(NAMED[0], 0.1), (NAMED[1], 0.075)])
def test_outlines_beside_letters_and_figures_are_shapelys_offsets_at_their_worst_place(
    name: str, offset: float
) -> None:
    drawing = drawing_of(name)
    assert strays(cutouts(Contours(drawing), offset), drawing, offset).max() <= TOLERANCE


def test_an_outline_that_is_off_between_its_points_is_followed_by_chords_instead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawing = drawing_of("bird-and-letters-on-rings")

    def swinging(*given: object) -> Curves:
        """The curves with the handles of the longest cubic 2 mm aside, which moves none of the cubics' ends."""
        curves = fitted(*given)  # type: ignore[arg-type]
        ends = curves.cubics[:, [0, 3]]
        longest = int(np.hypot(*(ends[:, 1] - ends[:, 0]).T).argmax())
        points = curves.points.copy()
        at = 3 * longest + int(curves.cubic_owners[longest])
        points[at + 1 : at + 3] += 2.0
        return Curves(points, curves.starts)

    monkeypatch.setattr(kerf, "fitted", swinging)
    assert strays(cutouts(Contours(drawing), 0.1), drawing, 0.1).max() <= TOLERANCE


def test_an_outline_moved_curve_by_curve_that_is_off_is_moved_by_polylines_instead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawing = jigsaw(3, 2)

    def aside(*given: object) -> tuple[Curves, Flags]:
        rings, found = beside(*given)  # type: ignore[arg-type]
        return Curves(rings.points + np.array([2 * PROVEN, 0.0]), rings.starts), found

    monkeypatch.setattr(kerf, "beside", aside)
    assert strays(cutouts(Contours(drawing), 0.1), drawing, 0.1).max() <= TOLERANCE


def test_pieces_on_the_border_are_border_cuts_and_all_others_inner_ones() -> None:
    from studio.fabricate.kerf import spread_pieces

    drawing = drawing_of("name-on-an-ellipse")
    rims = drawing.pieces.rims
    on_border = {
        drawing.pieces.names[owner]
        for code, owner in zip(drawing.pieces.codes.tolist(), drawing.pieces.owners.tolist(), strict=True)
        if code >> 1 in rims
    }
    assert len(on_border) == 20 and not on_border & {"letter1", "letter2", "letter3"}
    sheet = spread_pieces(cutouts(Contours(drawing), 0.1), (), 2.0)
    owners = dict(zip(sheet.pieces.codes.tolist(), (sheet.pieces.names[at] for at in sheet.pieces.owners), strict=True))
    found = {owners[int(chain.strokes[0])] for chain in sheet.chains if chain.operation is Operation.BORDER}
    assert found == on_border
    operations = [chain.operation for chain in sheet.chains]
    assert operations == sorted(operations, key=lambda one: one is Operation.BORDER)


def rings(*lines: list[tuple[float, float]]) -> Polylines:
    closed = [np.array([*line, line[0]], float) for line in lines]
    return Polylines(np.concatenate(closed), np.append(0, np.cumsum([len(line) for line in closed])))


SQUARE = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]


def test_two_lines_are_as_far_apart_as_the_tip_of_a_dent_whichever_of_them_has_it() -> None:
    dented = [(10.0, 10.0), (0.0, 10.0), (0.0, 0.0), (4.9, 0.0), (5.0, 0.7), (5.1, 0.0), (10.0, 0.0)]
    plain, other = rings(SQUARE, SQUARE), rings(SQUARE, dented)
    for one, two in ((plain, other), (other, plain)):
        gaps, places = apart(one, two)
        assert gaps == pytest.approx([0.0, 0.7]) and places[1] == pytest.approx([5.0, 0.7])


def test_a_line_that_goes_back_on_itself_in_place_of_a_side_is_far_from_it() -> None:
    # Every corner of either lies on the other one; the side from 0, 10 to 0, 0 lies on none.
    back = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0), (10.0, 10.0), (10.0, 0.0)]
    assert apart(rings(SQUARE), rings(back))[0][0] > 4.9


def test_what_is_said_is_never_less_than_what_shapely_measures_and_hardly_more() -> None:
    chance = np.random.default_rng(5)
    angles = np.linspace(0, 2 * np.pi, 400, endpoint=False)

    def wavy(waves: int, height: float) -> Floats:
        radius = 20 + height * np.sin(waves * angles + chance.uniform(0, 6))
        return np.asarray(radius[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1))

    ones = rings(*(wavy(5, 0.02).tolist() for _ in range(12)))
    turned = rings(*(np.roll(wavy(40, 0.01), shift, axis=0).tolist() for shift in range(0, 360, 30)))
    gaps, _ = apart(ones, turned)
    lines, others = (shapely.linestrings(each.points, indices=each.owners) for each in (ones, turned))
    true = np.maximum(furthest(lines, others), furthest(others, lines))
    assert (gaps >= true - 1e-9).all() and (gaps <= 1.1 * true + 1e-3).all()

"""Figures from the picture: what strokes outline, how the outline is cut, and what is refused."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from PIL import Image, ImageDraw

from docs.cutouts import HEIGHT, SCENES, WIDTH, photograph
from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.exporting.laser_files import write_all
from studio.exporting.options import SvgOptions
from studio.exporting.readers.svg import read_svg
from studio.geometry.art.artwork import JPEG, PNG
from studio.geometry.curves.offsetting import narrow_notch, region, thin_part
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Curves
from studio.puzzles.jigsaw.figures.figure_edits import cutout_ring, marks_on_board, with_cutout, with_ring_pulled
from studio.puzzles.jigsaw.figures.placing import enclosed, inner_lines
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.puzzles.jigsaw.picture.cutout import Marks, Network, Stroke, superpixels_of
from studio.puzzles.registry import kind

STROKES: dict[str, list[tuple[bool, list[tuple[float, float]]]]] = {
    "cat": [(True, [(150, 114)]), (True, [(228, 93), (237, 78), (240, 60), (234, 42)])],
    "boat": [(True, [(150, 135)]), (True, [(129, 111), (174, 111)])],
    "face": [
        (True, [(150, 90)]),
        (True, [(108, 120), (120, 36), (180, 36), (192, 120)]),
        (False, [(140, 152), (160, 152)]),
    ],
    "house": [(True, [(120, 135)]), (True, [(120, 75), (180, 60)])],
    "dog": [(True, [(150, 95)])],
    "flower": [(True, [(153, 93), (174, 93)])],
}
"""At most three strokes over each photograph, in mm on a board of 300 × 200 mm."""


def board(data: bytes, media: str = JPEG, **parameters: Any) -> JigsawDesign:
    sized = JigsawParameters(width=300, height=200, columns=9, rows=6, **parameters)
    return JigsawDesign(sized, picture=BoardPicture(data, media))


def likeness(area: shapely.Geometry, mask: Any) -> float:
    """Intersection over union of an area in mm with a mask over a board of 300 × 200 mm."""
    rows, columns = mask.shape
    y, x = np.mgrid[:rows, :columns]
    covered = shapely.contains_xy(area, (x + 0.5) * 300 / columns, (y + 0.5) * 200 / rows)
    return float((covered & mask).sum() / (covered | mask).sum())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", SCENES)
def test_a_photographed_subject_is_outlined_by_at_most_three_strokes(name: str) -> None:
    design, strokes = board(photograph(name).data), STROKES[name]
    ring = cutout_ring(design, marks_on_board(design, [(path, is_in) for is_in, path in strokes]), SILENT)
    assert len(strokes) <= 3 and likeness(region((ring,), 0.01), photograph(name).mask) >= 0.93
    assert thin_part((ring,), 1.5) is None and narrow_notch((ring,), 1.0) is None


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", SCENES)
def test_a_box_around_the_subject_outlines_it_without_a_stroke(name: str) -> None:
    mask = photograph(name).mask
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    around = (columns[0] - 15) / WIDTH, (rows[0] - 15) / WIDTH, (columns[-1] + 15) / WIDTH, (rows[-1] + 15) / WIDTH
    found = superpixels_of(photograph(name).data, SILENT).cut_out(Marks(box=around))
    assert found.shape == (HEIGHT, WIDTH) and (found & mask).sum() / (found | mask).sum() >= 0.93


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("boat", [(153, 60), (150, 129)]),
        ("face", [(117, 90), (183, 90), (150, 117)]),
        ("house", [(150, 93), (180, 140), (102, 130)]),
        ("dog", [(108, 60)]),
        ("flower", [(153, 75)]),
        ("cat", [(106, 75)]),
    ],
)
def test_inner_lines_follow_the_picture_and_are_details_that_cause_no_problem(
    name: str, places: list[tuple[float, float]]
) -> None:
    design, strokes = board(photograph(name).data), STROKES[name]
    inside, others = ([path for is_in, path in strokes if is_in is each] for each in (True, False))
    plain, lined = (with_cutout(design, SILENT, inside, others, (), 4, most).design for most in (0, 99))
    (figure,), (bare,) = lined.whimsies, plain.whimsies
    lines = [shapely.LineString(Curves.from_strokes([each]).flattened(0.01).points) for each in figure.lines_on_board()]
    assert 3 <= len(lines) <= 12 and all(line.is_simple and line.length > 6 for line in lines)
    # Edges of the mast and of a stripe, of face and lips, of roof, door and window, of an ear, a blossom and a muzzle.
    assert [place for place in places if min(line.distance(shapely.Point(place)) for line in lines) > 2] == []
    area = enclosed(figure)
    least = lined.parameters.least_bridge
    assert area.equals(enclosed(bare)) and all(area.buffer(-2 * least).contains(line) for line in lines)
    assert min(shapely.distance(one, other) for one, other in combinations(lines, 2)) > 2 * least
    solid = shapely.difference(area, shapely.union_all(lines).buffer(lined.parameters.least_neck / 2))
    assert sum(part.area > 4 for part in shapely.get_parts(solid)) == 1, "whatever a line parts hangs together"
    before, after = (shape(each, None, SILENT) for each in (plain, lined))
    assert after.drawing.pieces.names == before.drawing.pieces.names and len(after.tiling.details) == len(lines)
    check = kind("jigsaw").check
    one, other = check(plain, before, None, SILENT), check(lined, after, None, SILENT)
    assert {each.message for each in other.findings} <= {each.message for each in one.findings}


def test_inner_lines_are_in_the_exported_file(tmp_path: Path) -> None:
    made = with_cutout(board(photograph("dog").data), SILENT, [[(150, 95)]], (), (), 4, 12).design
    shapes = shape(made, None, SILENT)
    (report,) = write_all([shapes.drawing], tmp_path / "dog.svg")
    assert report.faces == report.pieces == len(shapes.drawing.pieces)
    written = [each.points for each in read_svg((tmp_path / "dog.svg").read_bytes(), SvgOptions()).lines]
    for line in made.whimsies[0].lines_on_board():
        low, high = box(line)
        same = [each for each in written if np.abs(np.array(box(each)) - (low, high)).max() < 0.01]
        assert len(same) == 1 and len(same[0]) == len(line)


def test_a_plain_subject_has_no_inner_lines_and_a_ring_in_it_is_left_open() -> None:
    image = Image.open(io.BytesIO(disc()))
    ImageDraw.Draw(image).ellipse((400, 250, 500, 350), fill="navy")
    file = io.BytesIO()
    image.save(file, "PNG")
    found = []
    for data in (disc(), file.getvalue()):
        design = board(data, PNG)
        ring = cutout_ring(design, marks_on_board(design, [([(110, 100), (190, 100)], True)]), SILENT)
        found.append(inner_lines(design, ring, SILENT))
    nothing, (circle,) = found
    away = np.hypot(*(circle[::3] - (150, 100)).T)
    assert nothing == () and np.abs(away - 50 / 3).max() < 1.5
    assert math.dist(circle[0], circle[-1]) > 2.5 and np.hypot(*np.diff(circle, axis=0).T).sum() > 85


def disc(colour: str = "orange", ground: str = "steelblue", size: tuple[int, int] = (900, 600)) -> bytes:
    """A disc in the middle, two thirds as high as the picture."""
    image = Image.new("RGB", size, ground)
    x, y, radius = size[0] / 2, size[1] / 2, size[1] / 3
    ImageDraw.Draw(image).ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [(900, 600), (3000, 2000), (60, 40)])
def test_the_outline_of_a_disc_is_off_by_at_most_a_pixel_and_a_half(size: tuple[int, int]) -> None:
    ring = cutout_ring(
        board(disc(size=size), PNG), marks_on_board(board(disc(size=size), PNG), [([(150, 100)], True)]), SILENT
    )
    away = np.abs(np.hypot(*(region((ring,), 0.01).exterior.coords - np.array([150, 100])).T) - 200 / 3)
    assert away.max() < 1.5 * 300 / min(size[0], 1000)


def test_a_figure_lies_where_the_picture_is_scaled_and_turned() -> None:
    design = board(disc(), PNG)
    assert design.picture is not None
    turned = replace(design, picture=replace(design.picture, scale=0.5, right=0.15, down=-0.1, turn=30.0))
    assert turned.picture is not None
    x, y = turned.picture.on_board(300, 200).middle
    made = with_cutout(turned, SILENT, [[(x, y)]], count=2).design
    (figure,) = made.whimsies
    width = turned.picture.box(300, 200)[2]
    assert (
        shapely.hausdorff_distance(
            enclosed(figure).exterior, shapely.Point(x, y).buffer(width / 900 * 200, 64).exterior
        )
        < 0.5
    )
    assert figure.tongues == 2 and "cutout1" in shape(made, None, SILENT).drawing.pieces.names


def test_a_figure_keeps_walls_to_the_border_and_to_other_figures() -> None:
    image = Image.new("RGB", (900, 600), "steelblue")
    ImageDraw.Draw(image).rectangle((0, 200, 500, 600), fill="orange")
    file = io.BytesIO()
    image.save(file, "PNG")
    design = with_cutout(board(file.getvalue(), PNG), SILENT, [[(60, 120)]], box=[(-5, 50), (100, 180)]).design
    made = with_cutout(design, SILENT, [[(140, 100)]]).design
    one, other = (enclosed(each) for each in made.whimsies)
    assert 1.0 <= shapely.distance(one, other) < 1.6
    assert 1.0 <= shapely.distance(shapely.box(0, 0, 300, 200).exterior, other) < 1.6


@pytest.mark.thorough
def test_a_stroke_takes_nothing_away_from_its_own_side() -> None:
    found, strokes = superpixels_of(photograph("house").data, SILENT), list[Stroke]()
    before = np.zeros((HEIGHT, WIDTH), bool)
    for path, is_inside in (
        (((0.4, 0.45),), True), (((0.4, 0.25), (0.6, 0.2)), True), (((0.645, 0.12),), True), (((0.1, 0.5),), False),
        (((0.49, 0.42),), False),
    ):  # fmt: skip
        strokes.append(Stroke(path, is_inside))
        now = found.cut_out(Marks(tuple(strokes)))
        lost = before & ~now if is_inside else now & ~before
        assert lost.sum() < 0.002 * now.size, path
        before = now
    assert not before[378, 441], "a window is left out"


def test_a_click_that_is_excluded_can_be_followed_by_another() -> None:
    found, click = superpixels_of(disc(), SILENT), ((0.5, 0.33),)
    with pytest.raises(StudioError):
        found.cut_out(Marks((Stroke(click), Stroke(click, False))))
    again = found.cut_out(Marks((Stroke(click), Stroke(click, False), Stroke(((0.45, 0.33),)))))
    assert not again[297, 450] and again[297, 405]


def test_transparent_pixels_are_white() -> None:
    pixels = np.zeros((300, 450, 4), np.uint8)
    pixels[100:200, 150:300] = (200, 60, 30, 255)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    found = superpixels_of(file.getvalue(), SILENT).cut_out(Marks((Stroke(((0.5, 0.33),)),)))
    assert found.sum() == pytest.approx(100 * 150, rel=0.03) and found[150, 225] and not found[50, 225]


@pytest.mark.thorough
def test_random_strokes_make_a_figure_that_can_be_cut_or_a_sentence() -> None:
    chance, made = np.random.default_rng(2), 0
    for at in range(60):
        name, size = [*SCENES][at % len(SCENES)], (float(chance.choice([120, 200, 300, 500])), 200.0)
        parameters = JigsawParameters(width=size[0], height=size[1], columns=int(chance.integers(3, 10)), rows=5)
        picture = BoardPicture(photograph(name).data, JPEG, scale=float(chance.choice([0.5, 1.0, 1.5])),
                               turn=float(chance.choice([0, 17, 90])))  # fmt: skip
        paths = [
            [(float(x), float(y)) for x, y in chance.uniform(-0.05, 1.05, (chance.integers(1, 5), 2)) * size]
            for _ in range(chance.integers(1, 6))
        ]
        box = [(float(x), float(y)) for x, y in chance.uniform(0, 1, (2, 2)) * size] if at % 3 == 0 else []
        try:
            design = with_cutout(JigsawDesign(parameters, picture=picture), SILENT, paths[:3], paths[3:], box, at % 9)
        except StudioError as problem:
            assert str(problem).endswith((".", "%).")), problem
            continue
        made += 1
        (figure,) = design.design.whimsies
        rings = figure.on_board()
        assert thin_part(rings, parameters.least_neck) is narrow_notch(rings, parameters.least_bridge) is None
        assert figure.name in shape(design.design, None, SILENT).drawing.pieces.names
    assert made > 20


def test_the_least_cut_is_the_least_of_all() -> None:
    chance = np.random.default_rng(4)
    for _ in range(20):
        edges = np.array([(a, b) for a in range(9) for b in range(a) if chance.random() < 0.4])
        costs, weights = chance.normal(size=9), chance.random(len(edges))
        found = Network(9, edges).least_cut(costs, weights, np.full(9, 0.5), 2000) > 0.5

        def price(inside: Any, costs: Any = costs, weights: Any = weights, edges: Any = edges) -> float:
            return float(costs[inside].sum() + weights[inside[edges[:, 0]] != inside[edges[:, 1]]].sum())

        least = min(price(np.array(each, bool)) for each in product((False, True), repeat=9))
        assert price(found) == pytest.approx(least, abs=1e-6)


def test_superpixels_keep_to_edges() -> None:
    found = superpixels_of(disc(), SILENT)
    y, x = np.mgrid[: found.labels.shape[0], : found.labels.shape[1]] + 0.5
    inside = np.hypot(x - found.labels.shape[1] / 2, y - found.labels.shape[0] / 2) < found.labels.shape[0] / 3
    shares = np.bincount(found.labels.ravel(), inside.ravel()) / found.areas
    assert found.areas.sum() == found.labels.size and 2000 < len(found.areas) < 3500
    assert found.areas[(shares > 0.1) & (shares < 0.9)].sum() < 0.01 * found.labels.size


def test_a_pulled_point_takes_its_neighbours_along_and_leaves_the_rest() -> None:
    design = board(disc(), PNG)
    ring = cutout_ring(design, marks_on_board(design, [([(150, 100)], True)]), SILENT)
    at = 3 * int(ring[::3, 0].argmin())
    pulled = with_ring_pulled(ring, at, (ring[at, 0] - 5, ring[at, 1]), 20.0)
    away = np.hypot(*(pulled - ring).T)
    assert away[at] == pytest.approx(5) and (away[np.hypot(*(ring - ring[at]).T) > 20] == 0).all()
    assert (pulled[0] == pulled[-1]).all() and 0 < (away > 0).sum() < len(ring) / 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("cutout 400,100", "No stroke inside is on the picture."),
        ("cutout 150,100 without 150,100", "No stroke inside is on the picture."),
        ("cutout without 150,100", "Click what is to be cut out, or drag a box around it."),
        ("cutout in 2,2 2,2", "Nothing is outlined here. Click elsewhere, or drag a box around the subject."),
        ("cutout in 148,98 149,99", "Nothing is outlined here. Click elsewhere, or drag a box around the subject."),
        ("cutout " + " ".join(["1,1"] * 6000), "Use at most 60 strokes with 5,000 places in all."),
    ],
)
def test_what_cannot_be_cut_out_is_said_in_a_sentence(text: str, sentence: str) -> None:
    from studio.puzzles.abilities.ability import Editable

    edit = kind("jigsaw").need(Editable).read(text)[0]
    with pytest.raises(StudioError) as refused:
        edit(board(disc(), PNG), SILENT)
    assert str(refused.value).endswith(sentence)


def test_an_edit_as_text_cuts_out_as_the_function_does() -> None:
    from studio.puzzles.abilities.ability import Editable

    design = board(photograph("dog").data)
    text = "cutout 150,95 / 60,58 62mm,58 without 126.6,126 126.6,15.2cm in 45,25 250,165 with 3 tongues and 2 lines"
    made = kind("jigsaw").need(Editable).read(text)[0](design, SILENT).design
    strokes, others = [[(150, 95)], [(60, 58), (62, 58)]], [[(126.6, 126), (126.6, 152)]]
    assert made == with_cutout(design, SILENT, strokes, others, [(45, 25), (250, 165)], 3, 2).design
    assert len(made.whimsies[0].lines) == 2
    assert likeness(enclosed(made.whimsies[0]), photograph("dog").mask) > 0.97


def test_strokes_over_pictures_without_edges_and_without_pixels_end_in_a_figure_or_a_sentence() -> None:
    for data in (disc("orange", "orange"), disc(size=(2, 1)), disc(size=(1, 40)), disc(size=(2400, 3))):
        design = board(data, PNG)
        for marks in ([[(150, 100)]], [[(10, 10), (290, 190)]]):
            try:
                made = with_cutout(design, SILENT, marks).design
            except StudioError as problem:
                assert str(problem).endswith(".")
            else:
                assert len(made.whimsies) == 1

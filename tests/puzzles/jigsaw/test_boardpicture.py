"""The picture of a jigsaw: where it is on boards of any size, what of it is shown, and how it is kept in the file."""

import io
import json
import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.files.store import dumps, loads
from studio.geometry.art.artwork import JPEG, PNG, Picture
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.picture.board_picture import FILL, FIT, BoardPicture, nearest_angle
from studio.puzzles.registry import kind
from tests.depth import examples
from tests.geometry.nets import ring_of

SMALL = JigsawParameters(columns=4, rows=3, width=80.0, height=60.0)


def photograph(columns: int = 40, rows: int = 20, form: str = "PNG") -> bytes:
    """A picture that gets redder to the right and greener downwards."""
    down, across = np.mgrid[0:rows, 0:columns]
    pixels = np.stack([255 * across / columns, 255 * down / rows, 90 + 0 * across], 2).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, form)
    return file.getvalue()


def on(parameters: JigsawParameters = SMALL, **place: object) -> JigsawDesign:
    return JigsawDesign(parameters, picture=BoardPicture(photograph(), PNG, **place))  # type: ignore[arg-type]


def shapes_of(design: JigsawDesign, before: JigsawShapes | None = None) -> JigsawShapes:
    return shape(design, before, SILENT)


def picture_of(drawing: Drawing) -> Picture:
    (picture,) = drawing.artwork
    assert isinstance(picture, Picture) and picture.clip is not None
    return picture


def shown(drawing: Drawing) -> shapely.Geometry:
    """What is within the picture's clip."""
    area = shapely.Polygon()
    picture = picture_of(drawing)
    assert picture.clip is not None
    for ring in picture.clip.rings:
        area = area.symmetric_difference(shapely.Polygon(ring))
    return area


angles = st.floats(-360, 360) | st.sampled_from([-270.0, -90.0, 0.0, 90.0, 180.0, 360.0])
crops = st.tuples(*[st.floats(0, 0.47)] * 4)


@settings(max_examples=examples(30, 500))
@given(
    st.integers(1, 4000), st.integers(1, 4000), st.floats(5, 10_000), st.floats(5, 10_000), angles, crops,
    st.sampled_from([FIT, FILL]),
)  # fmt: skip
def test_a_picture_fits_or_fills_any_board_however_it_is_turned_and_cropped(
    columns: int, rows: int, width: float, height: float, turn: float, crop: tuple[float, ...], place: str
) -> None:
    head = photograph(1, 1)
    data = head[:16] + columns.to_bytes(4, "big") + rows.to_bytes(4, "big") + head[24:]
    picture = BoardPicture(data, PNG, place=place, turn=turn, crop=crop)  # type: ignore[arg-type]
    kept = picture.kept(width, height)
    left = shapely.Polygon(kept.corners)
    board = shapely.box(0, 0, width, height)
    slack = 1e-6 * max(width, height)
    inner, outer = (left, board) if place == FIT else (board, left)
    assert outer.buffer(slack).covers(inner) and not outer.buffer(-2 * slack).covers(inner), "and no smaller or larger"
    # A crop leaves pixels where they are within the whole picture.
    whole = picture.on_board(width, height)
    assert whole.turn == kept.turn == turn
    assert math.isclose(whole.box[2] / columns, whole.box[3] / rows, rel_tol=1e-9)
    one, two = shapely.Polygon(whole.corners), left
    assert one.buffer(slack).covers(two)
    assert math.isclose(two.area / one.area, (1 - crop[0] - crop[2]) * (1 - crop[1] - crop[3]), rel_tol=1e-6)
    assert np.allclose((whole.corners[0] - kept.corners[0]) @ (whole.corners[1] - whole.corners[0]),
                       -crop[0] * whole.box[2] ** 2, atol=1e-6 * max(whole.box[2:]) ** 2)  # fmt: skip


def test_a_picture_that_fills_a_board_keeps_its_proportions_and_its_middle() -> None:
    assert BoardPicture(photograph(), PNG).box(80, 60) == (-20.0, 0.0, 120.0, 60.0)
    assert BoardPicture(photograph(), PNG, place=FIT).box(80, 60) == (0.0, 10.0, 80.0, 40.0)
    assert BoardPicture(photograph(), PNG, scale=2.0, right=0.25, down=-0.5).box(80, 60) == (-60.0, -60.0, 240.0, 120.0)
    # Turned by a quarter it is 20 wide and 40 high.
    assert BoardPicture(photograph(), PNG, turn=90.0, place=FIT).kept(80, 60).corners.round(9).tolist() == [
        [55, 0], [55, 60], [25, 60], [25, 0]
    ]  # fmt: skip
    assert BoardPicture(photograph(), PNG).dpi(80, 60) == pytest.approx(40 / 120 * 25.4)


def test_a_picture_follows_the_size_of_its_board() -> None:
    design = on(scale=1.5, right=0.1, down=-0.2, turn=30.0, crop=(0.1, 0.0, 0.2, 0.0))
    small = picture_of(shapes_of(design).drawing)
    large = picture_of(shapes_of(replace(design, parameters=replace(SMALL, width=160.0, height=120.0))).drawing)
    assert np.allclose(2 * small.corners, large.corners)


def test_only_the_board_shows_the_picture_and_its_holes_do_not() -> None:
    design = on(replace(SMALL, outline="heart"))
    shapes = shapes_of(design)
    assert shown(shapes.drawing).area == pytest.approx(shapes.drawing.piece_areas.sum(), rel=2e-4)
    with_hole = design_with_a_hole()
    drawing = shapes_of(with_hole).drawing
    assert shown(drawing).area == pytest.approx(drawing.piece_areas.sum(), rel=2e-4)
    assert drawing.piece_areas.sum() < 0.95 * 80 * 60


def design_with_a_hole() -> JigsawDesign:
    outer = ring_of([(0, 0), (80, 0), (80, 60), (0, 60)])
    inner = ring_of([(33, 22), (34, 39), (47, 43), (53, 24)])
    path = tuple(tuple((float(x), float(y)) for x, y in ring) for ring in (outer, inner))
    return replace(on(), parameters=replace(SMALL, outline="file", columns=8, rows=6), path=path)


def test_figures_show_the_picture_too() -> None:
    parameters = replace(SMALL, width=160.0, height=120.0, layout_version=1)
    figure = Whimsy("heart1", "heart", Pose(80.0, 60.0, 40.0))
    drawing = shapes_of(replace(on(parameters), whimsies=(figure,))).drawing
    assert len(drawing.pieces) > 12 and shown(drawing).area == pytest.approx(160 * 120)


def test_what_is_cropped_is_not_shown_however_the_picture_is_turned() -> None:
    design = on(place=FIT, turn=25.0, crop=(0.2, 0.1, 0.3, 0.25), right=0.3)
    assert design.picture is not None
    board = shapely.box(0, 0, 80, 60)
    left = shapely.Polygon(design.picture.kept(80, 60).corners)
    assert shown(shapes_of(design).drawing).symmetric_difference(board & left).area < 1e-6
    away = replace(design, picture=replace(design.picture, right=5.0))
    assert shown(shapes_of(away).drawing).area == 0


def test_a_change_of_cuts_keeps_the_very_picture_and_its_clip_unless_the_border_moves() -> None:
    design = on(replace(SMALL, border="wandering", perturbation=0.3))
    before = shapes_of(design)
    inner = shapes_of(replace(design, corners=(CornerEdit("2,1", 0.1, 0.1),)), before)
    assert inner.drawing is not before.drawing and inner.drawing.artwork is before.drawing.artwork
    for changed in (
        replace(design, corners=(CornerEdit("2,0", 0.2, 0.0),)),
        replace(design, picture=replace(design.picture, turn=10.0)),  # type: ignore[type-var]
        replace(design, corners=(CornerEdit("2,1", 0.1, 0.1),), picture=BoardPicture(photograph(), PNG, scale=2.0)),
        replace(design, picture=None),
        replace(design, corners=(CornerEdit("2,1", 0.1, 0.1),), picture=None),
    ):
        once, at_once = shapes_of(changed, before).drawing, shapes_of(changed).drawing
        assert bool(once.artwork) == bool(at_once.artwork) == (changed.picture is not None)
        for one, other in zip(once.artwork, at_once.artwork, strict=True):
            assert isinstance(one, Picture) and isinstance(other, Picture) and one.clip and other.clip
            assert (one.box, one.turn) == (other.box, other.turn)
            assert all(map(np.array_equal, one.clip.rings, other.clip.rings))


def test_a_picture_is_kept_in_the_file_as_it_is_and_files_without_one_do_not_mention_it() -> None:
    jigsaw = kind("jigsaw")
    for design in (on(), on(place=FIT, scale=0.5, right=0.25, turn=-30.0, crop=(0.0, 0.1, 0.25, 0.0))):
        data = dumps(jigsaw, design)
        assert loads(data).design == design and dumps(jigsaw, loads(data).design) == data
        assert json.loads(data)["design"]["picture"]["media"] == PNG
    jpeg = JigsawDesign(SMALL, picture=BoardPicture(photograph(form="JPEG"), JPEG))
    assert loads(dumps(jigsaw, jpeg)).design == jpeg
    assert "picture" not in json.loads(dumps(jigsaw, JigsawDesign(SMALL)))["design"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"place": "tile"}, r"design\.picture\.place must be fill or fit, not tile\."),
        ({"scale": 0}, r"design\.picture\.scale must be 0\.05 to 20, not 0\."),
        ({"turn": 400}, r"design\.picture\.turn must be -360 to 360, not 400\."),
        ({"down": -6}, r"design\.picture\.down must be -5 to 5, not -6\."),
        ({"crop": [0.5, 0, 0.5, 0]}, r"design\.picture\.crop must leave at least 5 % of the picture\."),
        ({"crop": [0.1, -0.1, 0, 0]}, r"crop must leave at least 5 %"),
        ({"crop": [0.1]}, r"crop must have 4 elements, not 1\."),
        ({"media": "image/gif"}, r"design\.picture: The picture is in an unsupported format \(image/gif\)"),
        ({"media": "image/jpeg"}, r"design\.picture: The picture is damaged: it is not a JPEG file\."),
        ({"data": ""}, r"design\.picture: The picture is damaged: it is not a PNG file\."),
        ({"data": "!"}, r"design\.picture\.data is not base64 text"),
        ({"data": "iVBORw0KGgoAAAANSUhEUg=="}, r"design\.picture: The picture is truncated\."),
    ],
)  # fmt: skip
def test_a_file_whose_picture_cannot_be_one_is_refused_in_a_sentence(changes: dict[str, object], sentence: str) -> None:
    value = json.loads(dumps(kind("jigsaw"), on()))
    value["design"]["picture"] |= {"media": PNG} | changes
    with pytest.raises(StudioError, match=sentence):
        loads(json.dumps(value).encode())


def test_angles_are_named_by_the_nearest() -> None:
    assert [nearest_angle(turn) for turn in (0.0, 190.0, -190.0, 360.0, 450.0)] == [0, -170, 170, 0, 90]

"""The fit coupon: what is cut once tells the kerf, for every kind of joint."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
import shapely.affinity

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import Progress
from studio.exporting.formats import Options
from studio.exporting.laser_files import write
from studio.fabricate.coupon import CouponOptions, coupon, kerfs_around
from studio.fabricate.workshop import Machine, Material, Named
from studio.geometry.art.lettering import lettered
from studio.geometry.curves.strokes import closed_through
from studio.geometry.planar.drawing import Drawing, Inlay, Operation, Seam
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.model.printed_solids import joint
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import kinds

LABEL_HEIGHT = 3.0

PLYWOOD = Named("plywood", "Birch plywood 3 mm", Material(kerf=0.15))
FINE = 0.001


def polygons(drawing: Drawing) -> dict[str, shapely.Polygon]:
    """The blocks of a coupon by name."""
    outlines = drawing.outlines(drawing.strokes.flattened(FINE))
    return {name: shapely.Polygon(outlines[number]) for number, name in enumerate(drawing.pieces.names)}


def engraved(drawing: Drawing) -> list[shapely.LineString]:
    lines = drawing.strokes.flattened(FINE)
    return [
        shapely.LineString(lines[int(chain.strokes[0]) >> 1])
        for chain in drawing.chains
        if chain.operation is Operation.ENGRAVE
    ]


@pytest.fixture(name="sheet", scope="module")
def _sheet() -> Drawing:
    return coupon(jigsaw_joint(), PLYWOOD, CouponOptions(), Machine())


def jigsaw_joint() -> Seam:
    """The joint of a jigsaw of 6 × 4 pieces."""
    design = JigsawDesign(JigsawParameters(columns=6, rows=4, width=150, height=100))
    return joint(shape(design, None, Progress()))


def test_every_kerf_has_a_tongue_and_a_socket_of_its_name(sheet: Drawing) -> None:
    kerfs = ["0.00", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30"]
    assert sheet.pieces.names == tuple(f"{kerf} {side}" for kerf in kerfs for side in "ab")
    assert CouponOptions().kerfs == tuple(map(float, kerfs))


def test_the_kerfs_lie_around_that_of_the_material() -> None:
    assert kerfs_around(Material(kerf=0.15)).kerfs == CouponOptions().kerfs
    assert kerfs_around(Material(kerf=0.3)).kerfs[3] == 0.3
    assert kerfs_around(Material(kerf=0.05)).kerfs[:2] == (0.0, 0.05)


def test_labels_are_engraved_before_each_block_is_cut_once(sheet: Drawing) -> None:
    operations = [chain.operation for chain in sheet.chains]
    first = operations.index(Operation.BORDER)
    assert set(operations[:first]) == {Operation.ENGRAVE}
    assert operations[first:] == [Operation.BORDER] * 14
    assert all(chain.closed for chain in sheet.chains[first:])
    used = np.sort(np.concatenate([chain.strokes for chain in sheet.chains]) >> 1)
    assert np.array_equal(used, np.arange(len(sheet.strokes)))


@pytest.mark.parametrize("side", ["a", "b"])
def test_a_block_grows_by_half_its_kerf_all_round(sheet: Drawing, side: str) -> None:
    blocks = polygons(sheet)
    plain = blocks[f"0.00 {side}"]
    for kerf in (0.05, 0.15, 0.3):
        grown = blocks[f"{kerf:.2f} {side}"]
        assert grown.area == pytest.approx(plain.area + plain.length * kerf / 2, rel=0.002)


def test_nothing_overlaps_and_all_lies_on_the_sheet(sheet: Drawing) -> None:
    blocks = list(polygons(sheet).values())
    assert all(block.is_valid for block in blocks)
    for number, block in enumerate(blocks):
        for other in blocks[number + 1 :]:
            assert block.distance(other) > 2.9
    page = shapely.box(0, 0, sheet.width, sheet.height)
    assert all(page.contains(shape) for shape in (*blocks, *engraved(sheet)))
    assert sheet.width <= 600
    assert sheet.height <= 400


def test_each_block_bears_its_own_label_well_within_its_wood(sheet: Drawing) -> None:
    letters = engraved(sheet)
    inside = 0
    for name, block in polygons(sheet).items():
        own = [line for line in letters if block.intersects(line)]
        assert len(own) == len(lettered(name, LABEL_HEIGHT))
        assert all(block.buffer(-2.0).contains(line) for line in own)
        inside += len(own)
        drawn = shapely.union_all(own).length
        assert drawn == pytest.approx(lettered(name, LABEL_HEIGHT).lengths.sum())
    heading = len(lettered("Birch plywood 3 mm: kerf in mm", 4.0))
    assert len(letters) == inside + heading


@pytest.mark.parametrize("play", [0.0, 0.06])
def test_once_the_beam_took_its_half_the_pair_of_the_true_kerf_leaves_just_the_play(play: float) -> None:
    kerf = 0.15
    plain = polygons(coupon(jigsaw_joint(), PLYWOOD, CouponOptions(), Machine()))
    tongue, socket = together(plain["0.00 a"], plain["0.00 b"])
    whole = shapely.union_all([tongue, socket], grid_size=0.001)
    seam = (tongue.length + socket.length - whole.length) / 2
    assert whole.geom_type == "Polygon"
    assert whole.area == pytest.approx(shapely.box(*whole.bounds).area, abs=0.05)

    material = replace(PLYWOOD, value=replace(PLYWOOD.value, play=play))
    cut = polygons(coupon(jigsaw_joint(), material, CouponOptions(), Machine()))
    after = [cut[f"0.15 {side}"].buffer(-kerf / 2, join_style="mitre") for side in "ab"]
    tried = [centred(block, on) for block, on in zip(after, (tongue, socket), strict=True)]
    left, top, right, bottom = whole.bounds
    inside = shapely.box(left + play / 2, top + play / 2, right - play / 2, bottom - play / 2)
    assert (inside.area - tried[0].area - tried[1].area) / seam == pytest.approx(play, abs=0.004)
    assert tried[0].distance(tried[1]) == pytest.approx(play, abs=0.02)
    assert shapely.intersection(*tried).area < 0.01 * seam


def together(tongue: shapely.Polygon, socket: shapely.Polygon) -> tuple[shapely.Polygon, shapely.Polygon]:
    """A pair of blocks laid together by their left sides and shoulders."""
    down = _shoulders(tongue)[1] - _shoulders(socket)[0]
    return tongue, shapely.affinity.translate(socket, tongue.bounds[0] - socket.bounds[0], down)


def centred(block: shapely.Polygon, on: shapely.Polygon) -> shapely.Polygon:
    """A block laid so that the middle of its bounds is that of another's."""
    (x, y), (to_x, to_y) = (shapely.box(*one.bounds).centroid.coords[0] for one in (block, on))
    return shapely.affinity.translate(block, to_x - x, to_y - y)


def _shoulders(block: shapely.Polygon) -> tuple[float, float]:
    """Where a block begins and ends, going down 1 mm from its left side."""
    left, top, _, bottom = block.bounds
    across = shapely.intersection(block, shapely.LineString([(left + 1, top - 1), (left + 1, bottom + 1)]))
    return across.bounds[1], across.bounds[3]


def test_the_same_joint_gives_the_same_coupon(sheet: Drawing) -> None:
    again = coupon(jigsaw_joint(), PLYWOOD, CouponOptions(), Machine())
    assert np.array_equal(again.strokes.points, sheet.strokes.points)


def test_a_bed_that_cannot_hold_it_is_told_the_size_that_it_takes() -> None:
    with pytest.raises(StudioError, match=r"^The coupon \(\d+ × \d+ mm\) is too large .* \(80 × 80 mm\)\. Use fewer"):
        coupon(jigsaw_joint(), PLYWOOD, CouponOptions(), Machine(bed_width=80, bed_height=80))
    with pytest.raises(
        StudioError, match=r"^Even one pair \(\d+ × \d+ mm\) is too large for the bed \(30 × 30 mm\)\.$"
    ):
        coupon(jigsaw_joint(), PLYWOOD, CouponOptions(), Machine(bed_width=30, bed_height=30))


def test_a_narrow_bed_gets_a_higher_sheet() -> None:
    narrow = coupon(jigsaw_joint(), PLYWOOD, CouponOptions(), Machine(bed_width=100, bed_height=600))
    assert narrow.width <= 100
    assert narrow.height <= 600
    assert len(narrow.pieces) == 14


def test_a_title_that_cannot_be_engraved_is_refused() -> None:
    with pytest.raises(StudioError, match=r"^The single-line font has no 木\.$"):
        coupon(jigsaw_joint(), replace(PLYWOOD, title="木"), CouponOptions(), Machine())


@pytest.mark.parametrize("values", [{"count": 0}, {"step": 0}, {"step": -0.1}, {"first": -0.1}, {"count": 2.5}])
def test_impossible_options_are_refused(values: dict[str, float]) -> None:
    with pytest.raises(ParameterError):
        CouponOptions(**values)  # type: ignore[arg-type]


def test_labels_show_every_step() -> None:
    options = CouponOptions(first=0.1, step=0.005, count=3)
    assert coupon(jigsaw_joint(), PLYWOOD, options, Machine()).pieces.names[::2] == ("0.10 a", "0.105 a", "0.11 a")


SQUARES = Inlay(
    closed_through(np.array([(0.0, 0.0), (20.0, 0.0), (20.0, 10.0), (0.0, 10.0)])),
    closed_through(np.array([(-0.1, -0.1), (-0.1, 10.1), (20.1, 10.1), (20.1, -0.1)])),
    (1.0, 1.0, 19.0, 9.0),
)
"""A part of 20 × 10 mm in a hole that is wider by 0.1 mm all round."""


def solids(drawing: Drawing) -> dict[str, shapely.Polygon]:
    """The blocks of a coupon by name, without their holes."""
    shapes = pieces_as_polygons(drawing, drawing.strokes.flattened(FINE))
    return dict(zip(drawing.pieces.names, shapes, strict=True))


def test_of_an_inlay_the_part_grows_and_its_hole_shrinks_by_half_the_kerf() -> None:
    blocks = solids(coupon(SQUARES, PLYWOOD, CouponOptions(), Machine()))
    for kerf in (0.0, 0.15, 0.3):
        part, frame = blocks[f"{kerf:.2f} a"], blocks[f"{kerf:.2f} b"]
        hole = shapely.Polygon(frame.interiors[0])
        assert part.area == pytest.approx((20 + kerf) * (10 + kerf))
        assert hole.area == pytest.approx((20.2 - kerf) * (10.2 - kerf))
        assert len(frame.interiors) == 1 and frame.area == pytest.approx(shapely.box(*frame.bounds).area - hole.area)
        inside = centred(part, hole)
        assert hole.contains(inside) is (kerf < 0.1)
        assert inside.exterior.distance(hole.exterior) == pytest.approx(abs(0.1 - kerf))


def test_a_part_with_no_room_for_a_label_is_refused() -> None:
    with pytest.raises(StudioError, match="too small for a 1 mm label"):
        coupon(replace(SQUARES, room=(9.0, 4.0, 11.0, 6.0)), PLYWOOD, CouponOptions(), Machine())


JOINTED: dict[str, dict[str, object]] = {"slitherlink": {"board": "sticks"}}
"""What must be chosen in kinds whose example has no joint."""


@pytest.mark.parametrize("kind", [kind for kind in kinds() if kind.able(Cuttable)], ids=lambda kind: kind.key)
def test_of_every_kind_that_is_cut_a_coupon_can_be_written_whose_pairs_fit(kind: AnyKind, tmp_path: Path) -> None:
    design = kind.example()
    if kind.key in JOINTED:
        design = replace(design, parameters=replace(design.parameters, **JOINTED[kind.key]))
    shaped = kind.shape(design, None, Progress())
    options = CouponOptions(first=0.1, count=3)
    drawing = coupon(kind.need(Cuttable).joint(shaped), PLYWOOD, options, Machine())
    report = write(drawing, tmp_path / "coupon.svg", Options())
    assert report.pieces == report.faces == 6
    blocks = solids(drawing)
    areas = drawing.areas(drawing.strokes.flattened(FINE).sweeps)
    assert [block.area for block in blocks.values()] == pytest.approx(areas.tolist())
    assert all(block.is_valid for block in blocks.values())
    for kerf in ("0.10", "0.15", "0.20"):
        cut = [blocks[f"{kerf} {side}"].buffer(-float(kerf) / 2, join_style="mitre") for side in "ab"]
        # However much the beam takes, what it leaves is the same.
        assert [block.area for block in cut] == pytest.approx(
            [blocks[f"0.10 {side}"].buffer(-0.05, join_style="mitre").area for side in "ab"], abs=0.1
        )


def test_a_cubes_pair_leaves_the_clearance_of_the_sheet_between_the_teeth_and_not_the_printers() -> None:
    design = CubeDesign(CubeParameters(unit=8.0, gap=0.3))
    kind = next(kind for kind in kinds() if kind.key == "cube")
    sheet = replace(PLYWOOD, value=replace(PLYWOOD.value, play=0.05))
    joint = kind.need(Cuttable).joint(kind.shape(design, None, Progress()))
    blocks = polygons(coupon(joint, sheet, CouponOptions(), Machine()))
    upper, lower = (blocks[f"0.15 {side}"].buffer(-0.075, join_style="mitre") for side in "ab")
    tooth = shapely.affinity.translate(
        lower, upper.bounds[0] - lower.bounds[0], upper.bounds[3] - lower.bounds[1] - 7.95
    )
    assert tooth.distance(upper) == pytest.approx(0.05, abs=0.01)
    assert not tooth.intersects(upper)


def test_a_calendars_piece_lies_in_its_hole_with_the_play_of_its_design() -> None:
    kind = next(kind for kind in kinds() if kind.key == "calendar")
    design = kind.example()
    play = design.parameters.play
    blocks = solids(
        coupon(kind.need(Cuttable).joint(kind.shape(design, None, Progress())), PLYWOOD, CouponOptions(), Machine())
    )
    part, frame = (blocks[f"0.15 {side}"].buffer(-0.075, join_style="mitre") for side in "ab")
    hole = shapely.Polygon(frame.interiors[0])
    inside = centred(part, hole)
    assert hole.contains(inside)
    assert inside.exterior.distance(hole.exterior) == pytest.approx(1.5 * play, abs=0.01)

"""Printed jigsaws: sound pieces that keep their clearance and take as much plastic as their areas say."""

from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Cancelled, Progress
from studio.files.store import dumps
from studio.geometry.board.board_spec import FROM_FILE, HEART, OUTLINES, RINGS
from studio.geometry.planar.regions import pieces_as_polygons
from studio.geometry.solids.slab import slab
from studio.geometry.solids.solid import Solid, body, flaw
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import ASSEMBLED, SPREAD, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.printed_solids import bodies, fit, joints, seen
from studio.puzzles.jigsaw.tongues.styles import STYLES
from tests.tilings import TILINGS

SPACING = 3.0

FORMS = [outline for outline in OUTLINES if outline != FROM_FILE]
USUAL = JigsawParameters(width=120.0, height=80.0, columns=4, rows=3, bed=ASSEMBLED)
GRAIN = 0.003
"""How far in mm rounding to the grid moves two outlines at most."""


@cache
def shapes(figures: tuple[Whimsy, ...] = (), **changes: Any) -> JigsawShapes:
    return shape(JigsawDesign(replace(USUAL, **changes), whimsies=figures), None, SILENT)


def printed(figures: tuple[Whimsy, ...] = (), **changes: Any) -> tuple[Solid, ...]:
    return bodies(shapes(figures, **changes), SILENT)


def chamfered(area: shapely.Polygon, thickness: float, chamfer: float) -> float:
    """The volume of an area, by Simpson's rule over the heights of its chamfers."""
    narrower = [area.buffer(-inset, join_style="mitre", mitre_limit=3.0).area for inset in (0.0, chamfer / 2, chamfer)]
    bevel = chamfer * (narrower[0] + 4 * narrower[1] + narrower[2]) / 6
    return float(area.area * (thickness - 2 * chamfer) + 2 * bevel)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("bed", [ASSEMBLED, SPREAD])
@pytest.mark.parametrize(
    "changes", [*({"tiling": one} for one in TILINGS), *({"outline": one} for one in FORMS), {"border": "wandering"}]
)
def test_pieces_of_every_board_can_be_printed_and_lie_flat_on_the_bed(changes: dict[str, Any], bed: str) -> None:
    found = printed(width=200.0, height=160.0, seed=3, bed=bed, **changes)
    assert [solid.name for solid in found] == [*shapes(width=200.0, height=160.0, seed=3, bed=bed, **changes)
                                               .drawing.pieces.names]  # fmt: skip
    for solid in found:
        assert flaw(solid.mesh) == ""
        assert (solid.mesh.bounds[0] > -1e-6).all()
        assert (solid.mesh.bounds[0][2], solid.mesh.bounds[1][2]) == (0.0, pytest.approx(3.0))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("play", [0.0, 0.1, 0.3])
def test_assembled_pieces_overlap_nowhere_and_keep_the_clearance(play: float) -> None:
    found = {solid.name: body(solid.mesh) for solid in printed(play=play, chamfer=0.0)}
    strokes: dict[str, set[int]] = {name: set() for name in found}
    pieces = shapes(play=play, chamfer=0.0).drawing.pieces
    for code, owner in zip(pieces.codes.tolist(), pieces.owners.tolist(), strict=True):
        strokes[pieces.names[owner]].add(code >> 1)
    for one, other in combinations(found, 2):
        assert (found[one] ^ found[other]).volume() == pytest.approx(0.0, abs=1e-3)
        gap = found[one].min_gap(found[other], 5.0)
        if strokes[one] & strokes[other]:
            assert gap == pytest.approx(play, abs=GRAIN)
        else:
            assert gap >= play - GRAIN


@pytest.mark.parametrize("changes", [{}, {"chamfer": 0.0}, {"play": 0.0}, {"tiling": "voronoi", "thickness": 5.0}])
def test_volumes_add_up_to_areas_times_the_thickness_less_the_chamfers(changes: dict[str, Any]) -> None:
    known, p = shapes(**changes), replace(USUAL, **changes)
    areas = pieces_as_polygons(known.drawing, known.drawing.strokes.flattened(0.005))
    for solid, area in zip(bodies(known, SILENT), areas, strict=True):
        less = area.buffer(-p.play / 2, join_style="mitre", mitre_limit=3.0)
        assert solid.mesh.volume == pytest.approx(chamfered(less, p.thickness, p.chamfer), rel=3e-3)
        assert body(solid.mesh).volume() == pytest.approx(solid.mesh.volume)
    tight = shapes(play=0.0, chamfer=0.0)
    whole = sum(solid.mesh.volume for solid in bodies(tight, SILENT))
    assert whole == pytest.approx(3.0 * 120.0 * 80.0, rel=1e-4)


def test_spread_pieces_keep_their_order_and_lie_apart() -> None:
    found = {solid.name: solid for solid in printed(bed=SPREAD)}
    solid = {name: body(one.mesh) for name, one in found.items()}
    for one, other in combinations(found, 2):
        assert solid[one].min_gap(solid[other], 2 * SPACING) >= SPACING - GRAIN
    middle = {name: np.mean(one.mesh.bounds, axis=0) for name, one in found.items()}
    assert middle["A1"][0] < middle["B1"][0] < middle["C1"][0] < middle["D1"][0]
    assert middle["A1"][1] > middle["A2"][1] > middle["A3"][1], "rows run from the back to the front"


def test_a_figure_within_a_piece_lies_beside_it_when_spread_apart() -> None:
    star = Whimsy("star1", "star", Pose(x=60.0, y=40.0, height=30.0))
    assembled, apart = ({one.name: one.mesh for one in printed((star,), columns=1, rows=1, bed=bed)}
                        for bed in (ASSEMBLED, SPREAD))  # fmt: skip
    assert len(apart) == len(assembled) == 2 and all(flaw(mesh) == "" for mesh in apart.values())
    assert body(assembled["star1"]).min_gap(body(assembled["A1"]), 5.0) == pytest.approx(0.2, abs=GRAIN)
    assert body(apart["star1"]).min_gap(body(apart["A1"]), 2 * SPACING) >= SPACING - GRAIN
    assert min(mesh.bounds[0][axis] for mesh in apart.values() for axis in (0, 1)) == pytest.approx(0.0, abs=1e-6)


def test_boards_with_holes_keep_them() -> None:
    rings = printed(width=160.0, height=160.0, tiling=RINGS, middle_piece=False, outline="ellipse")
    board = sum((one.mesh.volume for one in rings), 0.0)
    assert board < 3.0 * np.pi * 80.0**2 * 0.99 and all(flaw(one.mesh) == "" for one in rings)
    heart = printed(width=160.0, height=160.0, outline=HEART)
    assert max(one.mesh.bounds[1][0] for one in heart) == pytest.approx(159.8, abs=0.05)


def test_a_neck_that_clearance_or_chamfer_cut_is_refused_with_what_helps() -> None:
    narrow = shapes(width=40.0, height=30.0, columns=6, rows=5, neck_width=0.5)
    with pytest.raises(StudioError, match=r"only \d\.\d\d mm wide\. Reduce the clearance or the chamfer, or make"):
        bodies(replace(narrow, design=replace(narrow.design, parameters=replace(narrow.design.parameters, play=1.5))),
               SILENT)  # fmt: skip


def test_a_slab_narrower_than_its_chamfers_is_still_one_sound_body() -> None:
    dumbbell = shapely.union_all([shapely.box(0, 0, 5, 5), shapely.box(5, 2.3, 8, 2.7), shapely.box(8, 0, 13, 5)])
    for area, volume in ((dumbbell, None), (shapely.box(0, 0, 10, 0.4), 9.6), (shapely.box(0, 0, 10, 10), 296.472)):
        mesh = slab(area, 0.0, 3.0, 0.3)
        assert flaw(mesh) == "" and body(mesh).volume() == pytest.approx(mesh.volume)
        assert volume is None or mesh.volume == pytest.approx(volume)
    ring = shapely.difference(shapely.box(0, 0, 10, 10), shapely.box(4, 4, 6, 6))
    assert slab(ring, 1.0, 4.0, 0.0).volume == pytest.approx(288.0)


def test_joints_are_a_socket_and_the_median_tongue_at_every_clearance() -> None:
    found = joints(shapes().design, (0.1, 0.3), SILENT)
    assert [solid.name for solid in found] == ["0.10 a", "0.10 b", "0.30 a", "0.30 b"]
    assert all(flaw(solid.mesh) == "" for solid in found)
    assert found[1].mesh.volume > found[3].mesh.volume and found[0].mesh.volume > found[2].mesh.volume
    with pytest.raises(StudioError, match="no tongue"):
        joints(shapes(plain_share=1.0).design, (0.1,), SILENT)


def test_work_stops_when_it_is_cancelled() -> None:
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        bodies(shapes(), stopped)
    with pytest.raises(Cancelled):
        joints(shapes().design, (0.1,), stopped)


def test_how_it_fits_is_said_in_words_and_older_files_keep_their_bytes() -> None:
    words = dict(fit(shapes(play=0.25, thickness=5.0)))
    assert words["Clearance"].startswith("0.25 mm") and words["Pieces"] == "5 mm thick, 0.3 mm chamfer"
    assert dict(fit(shapes(chamfer=0.0)))["Pieces"] == "3 mm thick"
    usual = JigsawDesign()
    assert not {"thickness", "play", "chamfer", "bed"} & set(dumps(JIGSAW, usual).decode().split('"'))


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "changes", [*({"tiling": one} for one in TILINGS), *({"tongue_style": one.key} for one in STYLES)]
)
def test_all_neighbours_keep_the_clearance_in_print_and_in_sight(changes: dict[str, Any]) -> None:
    board = shapes(width=200.0, height=160.0, seed=3, play=0.2, chamfer=0.0, **changes)
    drawn = pieces_as_polygons(board.drawing, board.drawing.strokes.flattened(0.01))
    places = shapely.STRtree(drawn).query(drawn, predicate="intersects").T
    shared = [(one, other) for one, other in places[places[:, 0] < places[:, 1]].tolist()
              if shapely.length(shapely.intersection(drawn[one].boundary, drawn[other].boundary)) > 0.5]  # fmt: skip
    assert len(shared) >= 11, "the fewest cuts between 12 pieces"
    for solids in (bodies(board, SILENT), seen(board, SILENT).solids):
        found = [body(solid.mesh) for solid in solids]
        gaps = [found[one].min_gap(found[other], 2.0) for one, other in shared]
        assert gaps == pytest.approx([0.2] * len(gaps), abs=GRAIN)


@pytest.mark.parametrize("bed", [ASSEMBLED, SPREAD])
def test_what_is_looked_at_has_the_places_of_what_is_printed(bed: str) -> None:
    together, apart = (printed(bed=one) for one in (ASSEMBLED, SPREAD))
    found = seen(shapes(bed=bed), SILENT)
    assert [solid.name for solid in found.solids] == [solid.name for solid in together]
    for solid, way, first, last in zip(found.solids, found.ways, together, apart, strict=True):
        assert np.array(solid.mesh.bounds) == pytest.approx(np.array(first.mesh.bounds), abs=0.05)
        assert np.array(solid.mesh.bounds) + way == pytest.approx(np.array(last.mesh.bounds), abs=0.05)
        assert flaw(solid.mesh) == ""
    for solid, other in zip(found.printed, printed(bed=bed), strict=True):
        assert np.array(solid.mesh.bounds) == pytest.approx(np.array(other.mesh.bounds), abs=0.05)


def test_many_pieces_are_looked_at_with_fewer_triangles() -> None:
    known = shapes(columns=17, rows=9, width=340.0, height=180.0)
    rough, fine = (sum(len(one.mesh.triangles) for one in solids) for solids in (
        seen(known, SILENT).solids, bodies(known, SILENT)))  # fmt: skip
    assert rough < 0.5 * fine

"""What is engraved inside a cube fits, reads the right way round, and changes nothing of how its pieces fit."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from studio.base.parameters import ParameterError
from studio.base.progress import Progress
from studio.checks.finding import Finding, Severity
from studio.exporting.formats import LASER
from studio.exporting.laser_files import write
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.geometry.art.lettering import lettered
from studio.geometry.planar.drawing import Operation
from studio.geometry.solids.solid import flaw
from studio.puzzles.cube.checks import check
from studio.puzzles.cube.engravings import texts
from studio.puzzles.cube.geometry import CubeShapes, pose, shape
from studio.puzzles.cube.model import CubeDesign, CubeParameters, Grid
from studio.puzzles.cube.shell import FACES
from tests.solids import least_gap, overlap

FORMS = [{"style": "plate", "edge": "chamfer"}, {"style": "plate", "edge": "round"}, {"style": "voxel"}]


def shapes(**parameters: object) -> CubeShapes:
    return shape(CubeDesign(CubeParameters(**parameters)), None, Progress())  # type: ignore[arg-type]


def findings(design: CubeDesign, kind: str) -> list[Finding]:
    found = check(design, shape(design, None, Progress()), None, Progress()).findings
    return [finding for finding in found if finding.kind == kind]


def written(**parameters: object) -> CubeDesign:
    return CubeDesign(CubeParameters(inside="text", **parameters))  # type: ignore[arg-type]


def test_a_text_goes_to_the_bottom_and_its_parts_to_the_pieces_in_the_order_of_their_letters() -> None:
    assert texts(CubeParameters(text="unused")) == ("",) * 6
    assert texts(CubeParameters(inside="letters")) == ("A", "B", "C", "D", "E", "F")
    assert texts(written(text="For  Anna ").parameters) == ("", "", "", "", "For Anna", "")
    assert texts(written(text="one|two").parameters) == ("one", "two", "", "", "", "")
    assert texts(written(text="one|").parameters) == ("one", "", "", "", "", "")
    assert texts(written(text="||3|||6").parameters) == ("", "", "3", "", "", "6")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a|b|c|d|e|f|g", "text must have at most 6 parts, one per piece, not 7."),
        ("I ☺ this", "text cannot be engraved. The single-line font has no ☺."),
        ("a\tb", "text must be one line of up to 240 characters, not 'a\\\\tb'."),
        ("x" * 241, "text must be one line of up to 240 characters, not 'xxx"),
    ],
)
def test_a_text_that_cannot_be_engraved_is_refused_at_the_value(text: str, sentence: str) -> None:
    with pytest.raises(ParameterError, match=f"^{sentence.replace('.', '[.]')}") as refused:
        CubeParameters(text=text)
    assert refused.value.name == "text"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("snap", [0.0, 0.4])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(form.values()))
def test_engraved_pieces_are_sound_and_keep_the_gap(form: dict[str, str], snap: float) -> None:
    made_ = shapes(inside="letters", snap=snap, segments=16, **form)
    nearest = []
    for at, one in enumerate(made_.assembled):
        assert flaw(one.mesh) == "" and flaw(made_.bed[at].mesh) == ""
        for two in made_.assembled[:at]:
            assert overlap(one.mesh, two.mesh) == 0
            nearest.append(least_gap(one.mesh, two.mesh, 1.0))
    assert min(nearest) == pytest.approx(0.2, abs=1e-3)


@pytest.mark.parametrize("form", FORMS[:2], ids=lambda form: "-".join(form.values()))
def test_engraving_only_takes_away_from_the_inside(form: dict[str, str]) -> None:
    plain, deep = shapes(**form), shapes(inside="letters", text_depth=0.7, **form)
    for before, after in zip(plain.meshes, deep.meshes, strict=True):
        assert after.volume < before.volume
        assert overlap(before, after) == pytest.approx(after.volume, rel=1e-9)
        added = after.vertices[len(before.vertices) :]
        assert set(np.round(added[:, 2], 6)) == {9.9, 9.2}
        # Not over edges or joints: in the core, and a wall away from its rim.
        assert (added[:, :2] > 10 + 0.1 + 0.8 + 0.8 - 1e-6).all() and (added[:, :2] < 30 - 1.7 + 1e-6).all()


def test_between_rounded_voxels_text_stands_on_flat_ground() -> None:
    import manifold3d

    from studio.geometry.solids.solid import body

    deep = shapes(style="voxel", inside="text", text="H|", segments=16).meshes[0]
    slice_ = manifold3d.CrossSection(body(deep).slice(9.85).to_polygons())
    core = manifold3d.CrossSection.square((18.2, 18.2)).translate((10.9, 10.9))
    letter = (core - slice_).area()
    strokes = lettered("H", 8.0)
    assert letter == pytest.approx(0.5 * strokes.lengths.sum(), rel=0.1)


def test_every_text_is_upright_and_read_from_left_to_right_by_who_sits_inside() -> None:
    """An L has its foot at the lower right: its middle lies at the lower left of what it fills."""
    made_ = shapes(inside="text", text="L|L|L|L|L|L", x=5, y=6, z=7)
    size = np.array([5.0, 6.0, 7.0]) * 10
    for face in range(6):
        solid = made_.assembled[face].mesh
        count = len(shapes(x=5, y=6, z=7).meshes[face].vertices)
        letter = solid.vertices[count:]
        inwards = np.zeros(3)
        inwards[face // 2] = 1.0 if face % 2 == 0 else -1.0
        up = np.array([0.0, 1.0, 0.0]) if face >= 4 else np.array([0.0, 0.0, 1.0])
        right = np.cross(-inwards, up)
        across, high = letter @ right, letter @ up
        foot = across[high < high.min() + 0.3]
        head = across[high > high.max() - 0.3]
        assert np.ptp(foot) > 3 * np.ptp(head), FACES[face]
        assert head.mean() < foot.mean(), FACES[face]
        assert (np.abs(solid.bounds[0] + solid.bounds[1] - size)[[a for a in range(3) if a != face // 2]] < 20).all()


def test_the_drawing_shows_engraved_pieces_from_inside_and_every_text_within_its_piece() -> None:
    import shapely

    plain, deep = shapes(x=5), shapes(x=5, inside="text", text="left|r|f|b|bottom|t")
    assert [chain.operation for chain in plain.drawing.chains] == [Operation.BORDER] * 6
    engraved = [chain for chain in deep.drawing.chains if chain.operation is Operation.ENGRAVE]
    assert len(engraved) == len(deep.drawing.strokes) - 6 > 12
    polygons = [shapely.Polygon(deep.drawing.strokes[face]) for face in range(6)]
    for chain in engraved:
        stroke = shapely.LineString(deep.drawing.strokes[int(chain.strokes[0]) >> 1])
        assert sum(polygon.contains(stroke) for polygon in polygons) == 1
    for face in range(6):
        there = plain.drawing.strokes[face] - plain.origins[face]
        height = deep.masks[face].shape[1] * 10
        mirrored = np.column_stack([there[:, 0], height - there[:, 1]]) + deep.origins[face]
        assert shapely.Polygon(mirrored).symmetric_difference(polygons[face]).area == pytest.approx(0, abs=1e-9)
        assert polygons[face].contains(shapely.Point(deep.middle_of(face)))
    assert (deep.drawing.piece_areas > 0).all()
    for voxel, face in enumerate(deep.partition.owners.tolist()):
        assert polygons[face].contains(shapely.Point(deep.place_of(voxel)))


def test_letters_are_drawn_as_the_font_has_them_and_not_mirrored() -> None:
    drawing = shapes(inside="text", text="F|", text_height=6.0).drawing
    strokes = [drawing.strokes[at] for at in range(6, len(drawing.strokes))]
    font = lettered("F", 6.0)
    for stroke, known in zip(strokes, [font[at] for at in range(len(font))], strict=True):
        assert np.diff(stroke, axis=0) == pytest.approx(np.diff(known, axis=0), abs=1e-9)


@pytest.mark.parametrize("suffix", LASER.suffixes)
def test_an_engraved_cube_is_cut_from_a_file_that_reads_back(suffix: str, tmp_path: Path) -> None:
    drawing = shapes(inside="text", text="HAPPY BIRTHDAY|Anna|2026|üß|@|#").drawing
    report = write(drawing, tmp_path / f"cube{suffix}")
    assert (report.faces, report.pieces) == (6, 6) and report.chains == len(drawing.chains) > 40
    assert report.cut_length == pytest.approx(shapes().drawing.cut_length)


def test_separate_pieces_take_their_text_along() -> None:
    import shapely

    drawing = shapes(inside="letters").drawing
    lines = len(drawing.chains) - 6
    for kerf in (0.0, 0.2):
        sheet = made(drawing, Making(lines="separate", kerf=kerf), Machine(), Material()).plans[0].drawing
        engraved = [chain for chain in sheet.chains if chain.operation is Operation.ENGRAVE]
        borders = [shapely.Polygon(path.points) for path in sheet.paths() if path.operation is Operation.BORDER]
        assert sum(len(chain.strokes) for chain in engraved) == lines
        for path in (path for path in sheet.paths() if path.operation is Operation.ENGRAVE):
            assert sum(border.contains(shapely.LineString(path.points)) for border in borders) == 1


def test_what_is_summed_up_before_the_printing_are_the_words_themselves() -> None:
    assert dict(shapes(inside="text", text="Anna ").fit)["Engraving"] == "“Anna”"
    assert dict(shapes(text="Anna").fit)["Engraving"] == "Nothing"


@pytest.mark.parametrize("inside", ["nothing", "letters"])
def test_a_text_that_is_written_but_not_engraved_is_told_and_a_repair_engraves_it(inside: str) -> None:
    design = CubeDesign(CubeParameters(inside=inside, text="Anna"))
    (found,) = findings(design, "unused")
    assert found.severity is Severity.WARNING and found.repair is not None
    assert found.message == "“Anna” is not engraved: Engraving is not set to Text."
    mended = found.repair.apply(design)
    assert texts(mended.parameters)[4] == "Anna" and findings(mended, "unused") == []


def test_a_text_too_tall_is_an_error_that_says_for_what_there_is_room_and_a_repair_shrinks_it() -> None:
    design = written(text="HAPPY BIRTHDAY", text_height=6.0, x=5, y=5)
    (found,) = findings(design, "text")
    assert found.severity is Severity.ERROR and found.repair is not None and found.pieces == (4,)
    room = shape(design, None, Progress()).engravings[4]
    assert room is not None and 2.5 <= room.height < 6
    assert found.message == (f"“HAPPY BIRTHDAY” is too large for Bottom at 6 mm; the maximum is {room.height:g} mm.")
    assert found.repair.title == f"Set letter height to {room.height:g} mm"
    mended = found.repair.apply(design)
    assert mended.parameters.text_height == pytest.approx(room.height) and findings(mended, "text") == []


def test_one_repair_shrinks_all_texts_that_do_not_fit() -> None:
    design = written(text="one|HAPPY BIRTHDAY|GREETINGS", text_height=8.0, x=6, y=6, z=6)
    found = findings(design, "text")
    assert len(found) == 2 and found[0].repair is not None
    assert findings(found[0].repair.apply(design), "text") == []


def test_a_text_too_long_even_for_the_smallest_letters_says_how_much_of_it_would_fit() -> None:
    design = written(text="A text that is far too long for the bottom of a box with four voxels along its sides")
    (found,) = findings(design, "text")
    assert found.severity is Severity.ERROR and found.repair is not None
    count = int(found.message.split("the first ")[1].split(" ")[0])
    assert found.message == (
        f"“A text that is far too …” is too long for Bottom: even at 2.5 mm only the first {count} of 84 letters fit."
    )
    shorter = written(text=design.parameters.text[:count])
    assert findings(shorter, "text") == []
    assert findings(found.repair.apply(design), "text") == []


def test_letters_that_run_together_are_told() -> None:
    (found,) = findings(written(text="small", text_height=1.0), "text")
    assert found.severity is Severity.WARNING and "use at least 2.5 mm" in found.message


def test_a_text_that_is_missing_is_a_hint() -> None:
    (found,) = findings(written(), "text")
    assert found.severity is Severity.HINT


@pytest.mark.parametrize("form", FORMS[1:], ids=lambda form: "-".join(form.values()))
def test_letters_too_deep_are_an_error_with_a_repair(form: dict[str, str]) -> None:
    design = CubeDesign(CubeParameters(inside="letters", text_depth=9.5, **form))  # type: ignore[arg-type]
    (found,) = findings(design, "depth")
    assert found.severity is Severity.ERROR and found.repair is not None
    assert "minimum 0.8 mm" in found.message
    assert findings(found.repair.apply(design), "depth") == []
    assert all(flaw(mesh) == "" for mesh in shape(design, None, Progress()).meshes)


@pytest.mark.parametrize("least_wall", [0.0, 0.8])
def test_grooves_never_reach_those_between_rounded_voxels_outside(least_wall: float) -> None:
    parameters = CubeParameters(
        inside="letters", style="voxel", radius=4.0, text_depth=9.0, least_wall=least_wall, segments=16
    )
    design = CubeDesign(parameters)
    assert findings(design, "depth")
    for mesh in shape(design, None, Progress()).meshes:
        assert flaw(mesh) == ""
        low, high = (float(bound[2]) for bound in mesh.bounds)
        levels = np.unique(np.round(mesh.vertices[:, 2], 6))
        floor = levels[(levels > low) & (levels < high)]
        assert high - 0.9 * (high - low - 4.0) == pytest.approx(floor[floor > low + 4.0].min())


def test_without_a_least_wall_letters_leave_a_tenth_of_a_piece_all_the_same() -> None:
    parameters = CubeParameters(inside="letters", text_depth=9.5, least_wall=0.0)
    (found,) = findings(CubeDesign(parameters), "depth")
    assert found.message == "Letters 9.5 mm deep leave only 0.3 mm of a piece; the maximum depth is 8.82 mm."
    assert found.repair is not None and findings(found.repair.apply(CubeDesign(parameters)), "depth") == []


def test_engraving_changes_no_partition_and_no_solution() -> None:
    design = CubeDesign()
    other = replace(design, parameters=replace(design.parameters, inside="letters"))
    one, two = (shape(each, None, Progress()) for each in (design, other))
    assert (one.partition.owners == two.partition.owners).all()
    known = [check(each, shape(each, None, Progress()), None, Progress()).solved.solutions for each in (design, other)]
    assert known == [1, 1]
    for face in range(6):
        turn, _ = pose(face, (4, 4, 4), Grid(10.0, 10.0))
        assert np.linalg.det(turn) == pytest.approx(1.0)


def test_another_letter_makes_one_piece_anew() -> None:
    design = written(text="one|two")
    before = shape(design, None, Progress())
    after = shape(replace(design, parameters=replace(design.parameters, text="one|twos")), before, Progress())
    assert after.drawing is not before.drawing
    assert [one is two for one, two in zip(before.meshes, after.meshes, strict=True)].count(False) == 1

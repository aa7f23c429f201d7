"""The assembly sheet: what stands on it, that all lies on the paper, and that nothing covers what is not its own."""

from functools import cache

import numpy as np
import pytest

from studio.base.progress import Progress
from studio.geometry.art.artwork import COLOURS, is_bright
from studio.geometry.curves.strokes import Floats
from studio.paper.leaflet import Area, Leaflet, Line, MarkGroup, Words, width_of
from studio.puzzles.cube.assembly_sheet import assembly_sheet, proof_of
from studio.puzzles.cube.geometry import CubeShapes, shape
from studio.puzzles.cube.model import CubeDesign, CubeParameters, VoxelEdit
from studio.puzzles.cube.shell import ASSEMBLY, LETTERS
from studio.solving.assembly import Count

A4, LETTER = (210.0, 297.0), (215.9, 279.4)
SIZES = [(4, 4, 4), (3, 3, 3), (12, 5, 3), (12, 12, 12), (3, 3, 12)]


@cache
def shapes_of(x: int, y: int, z: int) -> CubeShapes:
    return shape(CubeDesign(CubeParameters(x=x, y=y, z=z)), None, Progress())


def sheet(size: tuple[int, int, int] = (4, 4, 4), paper: tuple[float, float] = A4) -> Leaflet:
    return assembly_sheet(shapes_of(*size), "Harbour box", paper, Progress())


def group(leaflet: Leaflet, name: str) -> MarkGroup:
    (found,) = [each for each in leaflet.pages[0].groups if each.name == name]
    return found


def words(found: MarkGroup) -> list[str]:
    return [mark.text for mark in found.marks if isinstance(mark, Words)]


def area(loop: Floats) -> float:
    x, y = loop.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


def test_the_title_says_name_size_seed_and_proof() -> None:
    assert words(group(sheet(), "title")) == [
        "Harbour box",
        "Six pieces, 4 × 4 × 4 voxels, 40 × 40 × 40 mm, seed 7",
        "Unique solution (exhaustive search, 19 nodes). Each piece can still be pulled straight out, in any order:",
        "friction holds it.",
    ]  # fmt: skip


def test_edits_by_hand_are_told_since_the_seed_alone_does_not_give_the_box_again() -> None:
    design = CubeDesign(voxels=(VoxelEdit("left-bottom/1", "bottom"),))
    told = words(group(assembly_sheet(shape(design, None, Progress()), "Box", A4, Progress()), "title"))
    assert told[1].endswith("seed 7, edited")


@pytest.mark.parametrize(
    ("known", "sentence"),
    [
        (Count(1, True, 1, 0.0), "Unique solution (exhaustive search, 1 node)."),
        (Count(7, True, 90, 0.0), "7 solutions (exhaustive search, 90 nodes). This is one of them."),
        (Count(1, False, 90, 0.0), "At least 1 solution; this is one of them."),
        (Count(10_000, False, 90, 0.0), "At least 10,000 solutions; this is one of them."),
    ],
)
def test_what_is_not_unique_says_so(known: Count, sentence: str) -> None:
    assert proof_of(known) == sentence


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_net_has_as_many_squares_of_each_colour_as_the_pieces_have_sides(size: tuple[int, int, int]) -> None:
    x, y, z = size
    found = group(sheet(size), "net")
    filled = {mark.fill: abs(sum(area(loop) for loop in mark.rings)) for mark in found.marks if isinstance(mark, Area)}
    assert set(filled) == set(COLOURS)
    corners = np.concatenate([loop for mark in found.marks if isinstance(mark, Area) for loop in mark.rings])
    unit = float(np.ptp(corners[:, 0])) / (2 * (x + y))
    assert sum(filled.values()) == pytest.approx(2 * (x * y + y * z + z * x) * unit**2)
    assert sorted(words(found)) == list(LETTERS)


@pytest.mark.parametrize("paper", [A4, LETTER])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_all_of_it_lies_on_the_paper(size: tuple[int, int, int], paper: tuple[float, float]) -> None:
    leaflet = sheet(size, paper)
    (page,) = leaflet.pages
    assert (page.width, page.height) == paper
    points = []
    for each in page.groups:
        for mark in each.marks:
            match mark:
                case Area():
                    points += list(mark.rings)
                case Line():
                    points.append(mark.points)
                case Words():
                    wide = width_of(mark.text, mark.size, bold=mark.bold)
                    share = {"start": 0.0, "middle": 0.5, "end": 1.0}[mark.anchor.value]
                    x, y = mark.place
                    points.append(np.array([[x - share * wide, y], [x + (1 - share) * wide, y - mark.size]]))
    everything = np.concatenate(points)
    assert everything.min() > 8.0 and (everything < np.array(paper) - 8.0).all()


def test_six_steps_bring_in_a_piece_each_and_the_last_shows_the_box() -> None:
    leaflet = sheet()
    names = [each.name for each in leaflet.pages[0].groups]
    assert names == ["title", "net", "pieces", *(f"step-{number}" for number in range(1, 7))]
    for number, face in enumerate(ASSEMBLY, 1):
        step = group(leaflet, f"step-{number}")
        said = words(step)
        assert said[0] == str(number) and f" {LETTERS[face]}" in said[1]
        assert LETTERS[face] in said[2:], "the new piece shows its letter"
        heads = [mark for mark in step.marks if isinstance(mark, Area) and not mark.line]
        assert len(heads) == (0 if number == 1 else 1), "an arrow shows the way in"


def test_flats_of_a_step_do_not_overlap() -> None:
    import shapely

    for number in range(1, 7):
        flats = [mark for mark in group(sheet(), f"step-{number}").marks if isinstance(mark, Area) and mark.line]
        shapes = [shapely.Polygon(loop) for mark in flats for loop in mark.rings if area(loop) > 0]
        holes = sum(-area(loop) for mark in flats for loop in mark.rings if area(loop) < 0)
        together = shapely.unary_union(shapes).area
        assert together <= sum(shape.area for shape in shapes) + 1e-6
        assert sum(shape.area for shape in shapes) - holes == pytest.approx(together, abs=holes + 1e-6)


def test_the_same_cube_gives_the_same_marks() -> None:
    for one, other in zip(sheet().pages[0].groups, sheet().pages[0].groups, strict=True):
        assert one.name == other.name and len(one.marks) == len(other.marks)
        assert words(one) == words(other)


def test_letters_are_dark_on_bright_pieces_and_white_on_dark_ones() -> None:
    for mark in group(sheet(), "net").marks:
        if isinstance(mark, Words):
            assert (mark.colour != "#FFFFFF") == is_bright(COLOURS[LETTERS.index(mark.text)])

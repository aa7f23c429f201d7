"""A drawing is read as its maker chooses: its unit, its layers, gaps that close, overlaps that weld, no frame."""

from math import acos, pi, sqrt
from pathlib import Path

import numpy as np
import pytest
import shapely
from ezdxf.filemanagement import new
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.cli import main
from studio.files.drawing_import import read_figure, read_lines, read_mask, read_paths
from studio.files.imported_paths import Reading
from studio.files.path_data import arc_points
from studio.geometry.curves.joining import welded
from studio.geometry.curves.rings import Closing, Outlined, is_framed
from studio.geometry.curves.strokes import Curves, Floats, through
from studio.puzzles.jigsaw.picture.masks import area_on_board
from tests.depth import examples

PAGE = 'xmlns="http://www.w3.org/2000/svg" width="200mm" height="100mm" viewBox="0 0 200 100"'
FRAMED = '<rect width="200" height="100" fill="#fff"/><path d="M10 10H190V90H10Z"/><circle cx="50" cy="50" r="10"/>'
GAPPED = '<path d="M10 10H190V90"/><path d="M190.08 90H10V10.08"/>'
MOST = 100_000


def svg(tmp_path: Path, inside: str) -> Path:
    path = tmp_path / "drawing.svg"
    path.write_text(f"<svg {PAGE}>{inside}</svg>", encoding="utf-8")
    return path


def read(path: Path, **closing: object) -> Outlined:
    return read_paths(path, Reading(closing=Closing(**closing)), SILENT)  # type: ignore[arg-type]


def refused(path: Path, reading: Reading) -> str:
    with pytest.raises(StudioError) as caught:
        read_paths(path, reading, SILENT)
    return str(caught.value)


def areas(rings: list[Floats]) -> list[float]:
    """Areas in mm², each positive."""
    return [abs(area) for area in Curves.from_strokes(rings).flattened(1e-7).sweeps.tolist()]


def circle(x: float, y: float, radius: float) -> Floats:
    points = arc_points(0.0, 2 * pi) * radius + (x, y)
    points[-1] = points[0]
    return points


def rectangle(x: float, y: float, width: float, height: float) -> Floats:
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
    return through(np.array(corners, float))


def lens(radius: float, apart: float) -> float:
    """The area in mm² that two circles share."""
    return 2 * radius**2 * acos(apart / 2 / radius) - apart / 2 * sqrt(4 * radius**2 - apart**2)


def test_a_frame_makes_the_drawing_a_hole_which_is_said_and_it_can_be_left_out(tmp_path: Path) -> None:
    path = svg(tmp_path, FRAMED)
    refusal = refused(path, Reading())
    assert "a path lies inside a hole" in refusal
    found = read(path, keeps_frame=False)
    assert found.size == pytest.approx((180, 80)) and len(found.rings) == 2
    assert found.notes == ("The board has 1 hole.", "Left out the frame of 200.0 × 100.0 mm.")
    framed = read(svg(tmp_path, FRAMED.replace("<circle", "<circle display='none'")))
    assert is_framed(framed.rings) and framed.notes == ("The board has 1 hole.", "Left out, hidden: 1 element.")
    alone = read(svg(tmp_path, '<circle cx="50" cy="50" r="40"/><circle cx="50" cy="50" r="9"/>'), keeps_frame=False)
    assert alone.notes == ("The board has 1 hole.", "There is no frame to leave out.") and not is_framed(alone.rings)


def test_a_rectangle_alone_is_no_frame(tmp_path: Path) -> None:
    found = read(svg(tmp_path, '<rect width="50" height="40"/>'), keeps_frame=False)
    assert found.size == pytest.approx((50, 40)) and not is_framed(found.rings)


def test_gaps_close_up_to_a_chosen_width_and_are_counted(tmp_path: Path) -> None:
    path = svg(tmp_path, GAPPED)
    assert refused(path, Reading()).endswith("The next end is 0.08 mm away; gaps up to 0.05 mm are closed.")
    found = read(path, gap=0.1)
    assert found.notes == ("Closed 2 gaps, the largest 0.08 mm wide.",)
    assert found.size == pytest.approx((180, 80), abs=0.1)


def test_lines_drawn_again_are_left_out(tmp_path: Path) -> None:
    """Here, whole, backwards, in part, and on top of a closed path."""
    lines = '<path d="M0 0H60"/><path d="M60 0V40"/><path d="M60 40H0"/><path d="M0 40V0"/>'
    for again, count in (
        ('<path d="M0 0H60"/>', "1 path"),
        ('<path d="M60 0H0"/><path d="M60 0V40"/>', "2 paths"),
        ('<path d="M10 0H30"/>', "1 path"),
        (lines, "4 paths"),
    ):
        found = read(svg(tmp_path, lines + again))
        assert found.size == pytest.approx((60, 40)) and areas(list(found.rings)) == pytest.approx([2400])
        assert found.notes == (f"Left out {count}: drawn twice.",)
    closed = '<rect width="60" height="40"/><rect width="60" height="40"/><path d="M0 0H60"/>'
    assert read(svg(tmp_path, closed)).notes == ("Left out 2 paths: drawn twice.",)


def test_wedding_rings_are_welded_into_one_board(tmp_path: Path) -> None:
    circles = [(60.0, 50.0, 25.0), (60.0, 50.0, 18.0), (85.0, 50.0, 25.0), (85.0, 50.0, 18.0)]
    path = svg(tmp_path, "".join(f'<circle cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in circles))
    assert refused(path, Reading()).endswith("Weld them or move them apart.")
    found = read(path, welds=True)
    assert found.size == pytest.approx((75, 50))
    rims = [shapely.Point(x, y).buffer(r, 2000) for x, y, r in circles]
    right = shapely.union(rims[0] - rims[1], rims[2] - rims[3])
    outline, *holes = areas(list(found.rings))
    assert outline == pytest.approx(2 * pi * 625 - lens(25, 25), rel=1e-5)
    assert outline - sum(holes) == pytest.approx(right.area, rel=1e-4) and len(holes) == 3
    assert "Welded 4 paths." in found.notes


def test_welding_keeps_curves_and_corners_where_they_are() -> None:
    (one,) = welded([circle(0, 0, 20), circle(25, 0, 20)])
    assert areas([one]) == pytest.approx([2 * pi * 400 - lens(20, 25)], rel=1e-5)
    knots = one[::3]
    on_circles = np.minimum(abs(np.hypot(*knots.T) - 20), abs(np.hypot(knots[:, 0] - 25, knots[:, 1]) - 20))
    assert on_circles.max() < 2e-3 and len(knots) < 30
    (cross,) = welded([rectangle(0, 0, 10, 10), rectangle(4, -5, 2, 20)])
    assert areas([cross]) == pytest.approx([120]) and len(cross) == 3 * 12 + 1
    (beside,) = welded([rectangle(0, 0, 10, 10), rectangle(10, 2, 10, 5)])
    assert areas([beside]) == pytest.approx([150])
    assert len(welded([rectangle(0, 0, 100, 100), circle(50, 50, 10)])) == 2
    bow = through(np.array([(0, 0), (20, 0), (20, 10), (5, 10), (5, -5), (0, -5), (0, 0)], float))
    assert sorted(areas(welded([bow]))) == pytest.approx([25, 150])


@settings(max_examples=examples(40))
@given(st.lists(st.tuples(*(st.integers(0, 60),) * 2, st.integers(5, 25), st.booleans()), min_size=1, max_size=6))
def test_what_is_welded_covers_what_shapely_unites(shapes: list[tuple[int, int, int, bool]]) -> None:
    rings = [circle(x, y, r) if is_round else rectangle(x, y, r, r) for x, y, r, is_round in shapes]
    flat = [shapely.Polygon(Curves.from_strokes([ring]).flattened(1e-4)[0]) for ring in rings]
    inside = [sum(other.contains_properly(one) for other in flat) for one in flat]
    if any(inside):
        return
    right = shapely.union_all(flat)
    made = welded(rings)
    lines = [shapely.Polygon(Curves.from_strokes([ring]).flattened(1e-4)[0]) for ring in made]
    whole = sum(line.area for line in lines if not any(o.contains(line) for o in lines if o is not line))
    holes = sum(line.area for line in lines) - whole
    assert whole - holes == pytest.approx(right.area, rel=1e-4, abs=0.02)


def test_a_tangle_is_not_welded_but_refused(tmp_path: Path) -> None:
    places = np.random.default_rng(1).uniform(0, (200, 100), (3_000, 2)).tolist()
    path = svg(tmp_path, f'<path d="M{" ".join(f"{x:.2f},{y:.2f}" for x, y in places)}z"/>')
    assert "too many points or crossings to weld" in refused(path, Reading(closing=Closing(welds=True)))


def test_an_outline_of_too_many_curves_is_refused(tmp_path: Path) -> None:
    teeth = " ".join(f"{k * 0.05:.2f},10 {k * 0.05 + 0.02:.2f},{0 if k % 2 else 9}" for k in range(1_300))
    path = svg(tmp_path, f'<path d="M0 20 {teeth} 65,20z"/>')
    assert "its outline has 2,602 curves (maximum 2,500). Simplify the drawing." in refused(path, Reading())


def test_layers_are_chosen_by_their_names(tmp_path: Path) -> None:
    document = new(units=4)
    model = document.modelspace()
    model.add_lwpolyline([(0, 0), (60, 0), (60, 40), (0, 40)], close=True, dxfattribs={"layer": "Cut"})
    model.add_circle((30, 20), 5, dxfattribs={"layer": "Holes"})
    model.add_line((-10, 20), (70, 20), dxfattribs={"layer": "Fold"})
    path = tmp_path / "layers.dxf"
    document.saveas(path)
    assert "1 path is not closed" in refused(path, Reading())
    found = read_paths(path, Reading(layers=("cut", "holes")), SILENT)
    assert areas(list(found.rings)) == pytest.approx([2400, 25 * pi])
    refusal = refused(path, Reading(layers=("Text",)))
    assert refusal.endswith("it draws nothing on a layer 'Text'; choose from Cut, Fold and Holes.")
    strokes, _ = read_lines(path, SILENT, MOST, Reading(layers=("Fold",)))
    assert len(strokes) == 1


def test_figures_lines_and_masks_follow_the_same_choices(tmp_path: Path) -> None:
    figure, _ = read_figure(svg(tmp_path, GAPPED), SILENT, Reading(closing=Closing(gap=0.1)))
    assert figure.width == pytest.approx(180 / 80, abs=0.01)
    path = svg(tmp_path, FRAMED)
    strokes, notes = read_lines(path, SILENT, MOST, Reading(closing=Closing(keeps_frame=False)))
    assert len(strokes) == 2 and notes == ("Left out the frame of 200.0 × 100.0 mm.",)
    mask, _ = read_mask(path, None, (200.0, 100.0), SILENT, Reading(closing=Closing(keeps_frame=False)))
    assert shapely.area(area_on_board(mask, None, (200.0, 100.0))) == pytest.approx(180 * 80 - 100 * pi, rel=1e-3)
    lines = "".join(f'<path d="{d}"/>' for d in ("M0 0H60", "M60 0V40", "M60 40H0", "M0 40V0"))
    mask, _ = read_mask(svg(tmp_path, lines), None, (200.0, 100.0), SILENT)
    assert shapely.area(area_on_board(mask, None, (200.0, 100.0))) == pytest.approx(2400, rel=1e-3)


def test_a_protected_area_is_as_round_as_its_drawing(tmp_path: Path) -> None:
    circles = "".join(f'<circle cx="{20 * at}" cy="50" r="2"/>' for at in range(1, 9))
    mask, _ = read_mask(svg(tmp_path, circles), None, (200.0, 100.0), SILENT)
    assert shapely.area(area_on_board(mask, None, (200.0, 100.0))) == pytest.approx(32 * pi, rel=0.01)


def test_the_commands_have_the_same_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board, drawing, out = tmp_path / "board.puzzle", svg(tmp_path, FRAMED), tmp_path / "out.puzzle"
    assert main(["new", "jigsaw", "-o", str(board)]) == 0
    for command in ("outline", "figure", "engrave", "mask"):
        assert main([command, str(board), str(drawing), "--no-frame", "-o", str(out), "--force"]) == 0, command
        assert "Left out the frame of 200.0 × 100.0 mm." in capsys.readouterr().err
    for wrong, sentence in (
        (["--gap", "9"], "--gap must be 0 to 5 mm, not 9."),
        (["--layer", "Cut"], "it draws nothing on a layer 'Cut'; it has none to choose from."),
        (["--unit", "ell"], "--unit must be mm, cm, in, pt, px72, px90, px96 or px, not 'ell'."),
    ):
        assert main(["outline", str(board), str(drawing), *wrong]) == 2
        assert sentence in capsys.readouterr().err
    assert main(["figure", str(board), "cat", "--weld"]) == 2
    assert "need a drawing in SVG or DXF" in capsys.readouterr().err

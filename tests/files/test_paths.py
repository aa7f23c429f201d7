"""An outline with its holes is read from SVG and DXF files of other programs, or refused with what is wrong."""

import shutil
import subprocess
from math import cos, hypot, pi, radians, sin, sqrt
from pathlib import Path

import numpy as np
import pytest
import shapely
from ezdxf.document import Drawing
from ezdxf.entities.spline import Spline
from ezdxf.filemanagement import new
from hypothesis import given
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Cancelled, Progress
from studio.files.drawing_import import read_paths
from studio.files.imported_paths import Reading, UnitMissing
from studio.geometry.curves.rings import Outlined
from studio.geometry.curves.strokes import Curves, Floats

LARGEST = 64 * 2**20
TOLERANCE = 0.05

INKSCAPE = shutil.which("inkscape")
PAGE = 'xmlns="http://www.w3.org/2000/svg" width="100mm" height="100mm" viewBox="0 0 100 100"'


def svg(tmp_path: Path, inside: str, page: str = PAGE, head: str = "") -> Path:
    path = tmp_path / "figure.svg"
    path.write_text(f"{head}<svg {page}>{inside}</svg>", encoding="utf-8")
    return path


def read(path: Path, unit: str | None = None) -> Outlined:
    return read_paths(path, Reading(unit), SILENT)


def areas(found: Outlined) -> Floats:
    """Positive where a ring is followed clockwise on the screen."""
    return Curves.from_strokes(list(found.rings)).flattened(1e-8).sweeps


def refused(path: Path, unit: str | None = None) -> str:
    with pytest.raises(StudioError) as caught:
        read(path, unit)
    sentence = str(caught.value)
    assert sentence.startswith(f"Cannot import {path.name}: ") and sentence.endswith(".")
    return sentence


@pytest.mark.parametrize(
    ("inside", "area"),
    [
        ('<circle cx="40" cy="40" r="20"/>', 400 * pi),
        ('<ellipse cx="40" cy="40" rx="20" ry="10"/>', 200 * pi),
        ('<rect x="1" y="2" width="30" height="20"/>', 600),
        ('<rect x="1" y="2" width="30" height="20" rx="5"/>', 600 - (4 - pi) * 25),
        ('<rect x="1" y="2" width="30" height="20" rx="5" ry="2"/>', 600 - (4 - pi) * 10),
        ('<rect x="1" y="2" width="30" height="20" ry="50"/>', 600 - (4 - pi) * 150),
        ('<polygon points="0,0 30,0 30 40"/>', 600),
        ('<polyline points="0 0 30,0 30,40 0,0"/>', 600),
        ('<path d="m10,10h30v40z"/>', 600),
        ('<path d="M10 10L40 10L40 50L10 10"/>', 600),
        ('<path d="M10-10H40V30z"/>', 600),
        ('<path d="M.5.5 10.5.5 10.5 10.5.5 10.5z"/>', 100),
        ('<path d="M10 10a10 10 0 1120 0a10 10 0 11-20 0"/>', 100 * pi),
        ('<path d="M10 10A 1 1 0 0 0 30 10 A 1 1 0 0 0 10 10Z"/>', 100 * pi),
        ('<path d="M0 0 Q 15 30 30 0 Z"/>', 300),
        ('<path d="M0 0 q 15 30 30 0 t 30 0 V-30 H0 Z"/>', 1800),
        ('<path d="M0 0 c 10 20 20 20 30 0 s 20 -20 30 0 v-30 h-60 Z"/>', 1800),
        ('<path d="M0 0 S 20 -20 30 0 Z"/>', 180),
    ],
)
def test_every_shape_of_svg_has_its_area(tmp_path: Path, inside: str, area: float) -> None:
    assert areas(read(svg(tmp_path, inside))).tolist() == [pytest.approx(area, rel=1e-6)]


def test_an_outline_is_followed_clockwise_and_its_holes_the_other_way_from_the_corner_of_its_box(
    tmp_path: Path,
) -> None:
    inside = '<path d="M70 40a20 20 0 1 0-40 0a20 20 0 1 0 40 0"/><circle cx="50" cy="40" r="10"/>'
    found = read(svg(tmp_path, inside))
    assert areas(found).tolist() == pytest.approx([400 * pi, -100 * pi], rel=1e-6)
    assert found.size == pytest.approx((40, 40))
    assert np.concatenate(found.rings).min(axis=0) == pytest.approx(0.0)
    assert all((ring[0] == ring[-1]).all() and len(ring) % 3 == 1 for ring in found.rings)
    assert found.notes == ("The board has 1 hole.",)


@pytest.mark.parametrize(
    ("page", "unit", "side"),
    [
        ('width="100mm" height="100mm" viewBox="0 0 100 100"', None, 20.0),
        ('width="10cm" height="10cm" viewBox="0 0 200 200"', None, 10.0),
        ('width="2in" height="2in" viewBox="0 0 50.8 50.8"', None, 20.0),
        ('width="72pt" height="72pt" viewBox="0 0 25.4 25.4"', None, 20.0),
        ('width="96px" height="96px" viewBox="0 0 25.4 25.4"', None, 20.0),
        ('width="96px" height="96px"', None, 20 * 25.4 / 96),
        ('width="100mm" height="100mm"', None, 20 * 25.4 / 96),
        ('width="100" height="100" viewBox="0 0 50 50"', "mm", 40.0),
        ('viewBox="0 0 50 50"', "cm", 200.0),
        ('width="100%" height="100%" viewBox="0 0 50 50"', "in", 508.0),
        ("", "mm", 20.0),
        ('width="100mm" height="100mm" viewBox="0 0 100 100"', "in", 508.0),
        ('width="72px" height="72px" viewBox="0 0 25.4 25.4"', "px72", 20.0),
        ('width="90px" height="90px" viewBox="0 0 25.4 25.4"', "px90", 20.0),
        ('width="96" height="96" viewBox="0 0 25.4 25.4"', "px96", 20.0),
        ('width="200mm" height="100mm" viewBox="0 0 100 100"', None, 20.0),
        ('width="200mm" viewBox="0 0 100 100"', None, 40.0),
    ],
)
def test_units_are_those_of_the_file_or_those_chosen(tmp_path: Path, page: str, unit: str | None, side: float) -> None:
    path = svg(tmp_path, '<rect x="5" y="5" width="20" height="20"/>', page)
    assert read(path, unit).size == pytest.approx((side, side))


@pytest.mark.parametrize("page", ["", 'width="10" height="10"', 'width="100%" viewBox="0 0 9 9"', 'width="9em"'])
def test_a_file_without_a_unit_asks_for_one(tmp_path: Path, page: str) -> None:
    path = svg(tmp_path, '<rect width="20" height="20"/>', page)
    with pytest.raises(UnitMissing, match=r"it states no unit of length; choose mm, cm, in, pt, px72, px90 or px96\.$"):
        read(path)
    assert refused(path, "ell").endswith("'ell' is not a unit; choose mm, cm, in, pt, px72, px90 or px96.")


def test_transforms_are_nested_and_copies_follow(tmp_path: Path) -> None:
    inside = (
        '<defs><rect id="r" width="10" height="10"/></defs>'
        '<g transform="translate(50 50) scale(2)"><g transform="rotate(30)">'
        '<use href="#r" transform="skewX(20)" x="1"/></g></g>'
    )
    found = read(svg(tmp_path, inside))
    assert areas(found).tolist() == [pytest.approx(400.0)]
    corner = np.array([20.0, 0.0]) + np.tan(radians(20)) * np.array([20.0, 0.0])
    assert found.size[1] == pytest.approx(corner[0] * sin(radians(30)) + 20 * cos(radians(30)))
    turned = read(svg(tmp_path, '<rect width="30" height="10" transform="rotate(90,5,5) matrix(1 0 0 2 0 0)"/>'))
    assert turned.size == pytest.approx((20.0, 30.0))
    assert read(svg(tmp_path, '<rect width="30" height="10" transform="scale(-1 1)skewY(45)"/>')).size == pytest.approx(
        (30, 40)
    )


def test_an_inner_page_and_a_symbol_have_units_of_their_own(tmp_path: Path) -> None:
    inner = '<svg x="5" y="5" width="50" height="50" viewBox="0 0 10 10"><rect width="4" height="2"/></svg>'
    assert read(svg(tmp_path, inner)).size == pytest.approx((20, 10))
    symbol = '<symbol id="s"><circle cx="9" cy="9" r="9"/></symbol><use href="#s" x="30" y="30"/>'
    assert areas(read(svg(tmp_path, symbol))).tolist() == [pytest.approx(81 * pi)]


def test_lines_are_joined_end_to_end_across_small_gaps(tmp_path: Path) -> None:
    inside = (
        '<g stroke="red"><line x1="0" y1="0" x2="30" y2="0"/><path d="M30 20.01 30 0.02"/><path d="M0 0 0 20"/>'
        '<path d="M0 20 30 20"/></g>'
    )
    found = read(svg(tmp_path, inside))
    assert areas(found).tolist() == [pytest.approx(600, abs=1.0)]
    assert (found.rings[0][0] == found.rings[0][-1]).all()


def test_what_is_hidden_or_draws_nothing_is_left_out_and_what_is_no_path_is_said(tmp_path: Path) -> None:
    other = tmp_path / "other.svg"
    svg(tmp_path, '<rect id="r" width="90" height="90"/>').rename(other)
    inside = (
        '<clipPath><rect width="50" height="5"/></clipPath><g style="fill:red;display:none"><circle r="9"/></g>'
        '<rect width="60" height="3" visibility="hidden"/><script>alert(1)</script><text>cat</text>'
        f'<image href="file:///etc/hostname" width="80" height="80"/><use href="{other}#r"/><use href="#nowhere"/>'
        '<circle cx="50" cy="50" r="10"/>'
    )
    found = read(svg(tmp_path, inside))
    assert areas(found).tolist() == [pytest.approx(100 * pi)]
    assert found.notes == (
        "Left out, not a path: 1 × image, 1 × script, 1 × text and 2 × use.",
        "Left out, hidden: 2 elements.",
    )


def test_many_points_of_a_curve_become_few_curves_and_its_corners_stay(tmp_path: Path) -> None:
    angles = np.linspace(0, 2 * pi, 2000, endpoint=False)
    radius = 40 + 6 * np.abs(np.sin(2.5 * angles))
    points = 50 + radius[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1)
    text = " ".join(f"{x:.5f},{y:.5f}" for x, y in points)
    found = read(svg(tmp_path, f'<polygon points="{text}"/>'))
    few = found.rings[0]
    assert len(few) // 3 < 100
    assert found.notes == (f"Simplified 2,000 points to {len(few) // 3} curves, within 0.05 mm.",)
    drawn = shapely.LinearRing(points - points.min(axis=0))
    assert (
        shapely.LineString(Curves.from_strokes([few]).flattened(1e-3).points).hausdorff_distance(drawn)
        < TOLERANCE + 2e-3
    )
    sharp = points[::400] - points.min(axis=0)
    knots = few[::3]
    # The box that all begins at is that of the curves, so the corners are all aside by as much.
    aside = np.array([knots[np.hypot(*(knots - corner).T).argmin()] - corner for corner in sharp])
    assert np.hypot(*aside.T).max() < TOLERANCE and np.ptp(aside, axis=0).max() < 2e-5


def test_few_straight_lines_stay_as_they_are(tmp_path: Path) -> None:
    text = " ".join(f"{50 + 40 * cos(0.25 * k * pi):.4f},{50 + 40 * sin(0.25 * k * pi):.4f}" for k in range(8))
    found = read(svg(tmp_path, f'<polygon points="{text}"/>'))
    assert len(found.rings[0]) == 25 and found.notes == ()


@pytest.mark.parametrize(
    ("inside", "sentence"),
    [
        ("", "it contains no path."),
        ('<path d=""/>', "it contains no path."),
        ('<path d="M5 5"/>', "it contains no path."),
        ('<path d="M5 5 15 5 5 5z"/>', "its paths enclose no area."),
        (
            '<path d="M0 0 30 0 30 30"/>',
            "1 path is not closed: one starts at 0.00, 0.00 mm and ends at 30.00, 30.00 mm.",
        ),
        ('<path d="M0 0 30 30 30 0 0 30z"/>', "a path crosses itself at 15.00, 15.00 mm."),
        ('<path d="M0 0 30 0 30 30 60 30 30 30 0 30z"/>', "a path crosses itself at"),
        ('<circle r="9"/><circle cx="30" r="9"/>', "it contains 2 outlines side by side; keep one of them."),
        ('<circle r="30"/><circle cx="30" r="9"/>', "two paths cross or touch at"),
        ('<circle r="30"/><circle r="20"/><circle r="10"/>', "a path lies inside a hole at 0.00, 0."),
        ('<circle r="30"/><circle r="10"/><circle cx="12" r="10"/>', "two paths cross or touch at"),
        ('<circle r="2"/>', "the outline is 4.00 × 4.00 mm (minimum 5 mm)."),
        ('<path d="M0 0 1e300 0 0 1e300z"/>', "its coordinates are too large."),
        ('<path d="M0 0 1e999 0 0 9z"/>', "its coordinates are too large."),
        ("<g>" * 300 + "</g>" * 300, "it is nested too deeply."),
        ("<g>", "it is not a valid SVG file (mismatched tag"),
    ],
)
def test_what_is_no_outline_is_refused(tmp_path: Path, inside: str, sentence: str) -> None:
    assert f"Cannot import figure.svg: {sentence}" in refused(svg(tmp_path, inside))


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE svg [<!ENTITY % a SYSTEM "http://127.0.0.1:9/x"> %a;]>',
    ],
)
def test_entities_of_other_files_are_refused(tmp_path: Path, declared: str) -> None:
    path = svg(tmp_path, '<circle r="9"/>', head=declared)
    assert "it declares entities of other files; save it as plain SVG." in refused(path)


def test_a_plain_document_type_is_not_followed(tmp_path: Path) -> None:
    head = '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://127.0.0.1:9/svg11.dtd">'
    assert read(svg(tmp_path, '<circle r="9"/>', head=head)).size == pytest.approx((18, 18))


def test_copies_of_copies_end(tmp_path: Path) -> None:
    copies = '<rect id="c0" width="9" height="9"/>' + "".join(
        f'<g id="c{k}">{f"""<use href="#c{k - 1}"/>""" * 10}</g>' for k in range(1, 9)
    )
    # The page, `defs`, the copy of the last group; each group and the square, by itself and as often as it is drawn.
    sizes = [1]
    while len(sizes) < 9:
        sizes.append(1 + 10 * (1 + sizes[-1]))
    count = 1 + 1 + sum(sizes) + 1 + sizes[-1]
    assert f"it has {count:,} elements, with all copies (maximum 40,000)." in refused(
        svg(tmp_path, f"<defs>{copies}</defs><use href='#c8'/>")
    )


def test_what_is_no_file_of_paths_is_refused(tmp_path: Path) -> None:
    for name, data, sentence in (
        ("a.png", b"x", "unknown file extension. Use .svg or .dxf."),
        ("a.svg", b" ", "it is empty."),
        ("b.svg", b"frogs", "it is not a valid SVG file"),
        ("c.svg", b"<html/>", "it is not an SVG file."),
        ("d.svg", b"\x1f\x8b123", "it is compressed; save it as plain SVG."),
        ("a.dxf", b"frogs", "it is not a valid DXF file, or it is truncated."),
        ("b.dxf", b"AutoCAD Binary DXF\r\n", "it is not a valid DXF file, or it is truncated."),
        ("c.dxf", b"0\nSECTION\n2\nENTITIES\n0\nLINE\nten\n3\n", "it is not a valid DXF file: line 7 is damaged."),
    ):
        (tmp_path / name).write_bytes(data)
        assert sentence in refused(tmp_path / name)
    assert "there is no such file" in refused(tmp_path / "none.svg")
    with (tmp_path / "large.svg").open("wb") as file:
        file.truncate(LARGEST + 1)
    assert "it is larger than 64 MB." in refused(tmp_path / "large.svg")


def test_a_path_drawn_twice_is_one(tmp_path: Path) -> None:
    found = read(svg(tmp_path, '<circle r="9"/><circle r="9.001"/><circle r="0.05"/>'))
    assert len(found.rings) == 1
    assert found.notes == ("Left out 1 path: too small.", "Left out 1 path: drawn twice.")


def test_reading_is_cancelled(tmp_path: Path) -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        read_paths(svg(tmp_path, '<circle r="9"/>'), Reading(), progress)


# Reading the first DXF file loads ezdxf.
@given(
    st.lists(st.tuples(st.floats(0, 2 * pi), st.floats(6, 50)), min_size=3, max_size=25, unique_by=lambda one: one[0]),
    st.sampled_from(["svg", "dxf"]),
)
def test_a_polygon_keeps_its_area(
    tmp_path_factory: pytest.TempPathFactory, polar: list[tuple[float, float]], suffix: str
) -> None:
    points = [(60 + radius * cos(angle), 60 + radius * sin(angle)) for angle, radius in sorted(polar)]
    polygon = shapely.Polygon(points)
    width, height = np.ptp(np.array(points), axis=0)
    apart = min(hypot(x - u, y - v) for (x, y), (u, v) in zip(points, points[1:] + points[:1], strict=True))
    if not polygon.is_valid or polygon.area < 1 or min(width, height) < 5 or apart < 0.1:
        return
    path = tmp_path_factory.mktemp("polygon") / f"polygon.{suffix}"
    if suffix == "svg":
        drawn = " ".join(f"{x!r},{y!r}" for x, y in points)
        path.write_text(f'<svg {PAGE}><polygon points="{drawn}"/></svg>', encoding="utf-8")
    else:
        document = new(units=4)
        document.modelspace().add_lwpolyline(points, close=True)
        document.saveas(path)
    assert areas(read(path)).tolist() == [pytest.approx(polygon.area, rel=1e-9)]


def drawn_in_dxf(tmp_path: Path, version: str = "R2010", units: int = 4) -> tuple[Drawing, Path]:
    return new(version, units=units), tmp_path / "figure.dxf"


def test_every_closed_line_of_dxf_has_its_area(tmp_path: Path) -> None:
    ring = [(10, 10, 0, 0, 0), (50, 10, 0, 0, 1), (50, 30, 0, 0, 0), (10, 30, 0, 0, 1)]
    half = pi * 10**2 / 2
    document, path = drawn_in_dxf(tmp_path)
    model = document.modelspace()
    cases = [
        (lambda: model.add_lwpolyline(ring, close=True), 800 + 2 * half),
        (lambda: model.add_polyline2d([(x, y, b) for x, y, _, _, b in ring], format="xyb", close=True), 800 + 2 * half),
        (lambda: model.add_circle((5, 5), 20), 400 * pi),
        (lambda: model.add_circle((5, 5), 20, dxfattribs={"extrusion": (0, 0, -1)}), 400 * pi),
        (lambda: model.add_ellipse((5, 5), (12, 16), 0.5), 200 * pi),
        (lambda: model.add_open_spline([(0, 0), (30, 0), (30, 30), (0, 30), (0, 0)]), 0.0),
        (lambda: model.add_rational_spline([(20, 0), (20, 20), (0, 20), (-20, 20), (-20, 0), (-20, -20), (0, -20),
            (20, -20), (20, 0)], [1, sqrt(0.5)] * 4 + [1], degree=2,
            knots=[0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]), 400 * pi),
    ]  # fmt: skip
    for draw, area in cases:
        model.delete_all_entities()
        entity = draw()  # type: ignore[no-untyped-call]
        document.saveas(path)
        if isinstance(entity, Spline):
            area = shapely.Polygon([(point.x, point.y) for point in entity.flattening(1e-4)]).area
        assert areas(read(path)).tolist() == [pytest.approx(area, rel=1e-5)]


@pytest.mark.parametrize("version", ["R12", "R2000", "R2018"])
def test_lines_and_arcs_of_dxf_are_joined_upright(tmp_path: Path, version: str) -> None:
    document, path = drawn_in_dxf(tmp_path, version)
    model = document.modelspace()
    model.add_line((40, 0), (0, 0))
    model.add_line((0, 20), (0, 0))
    model.add_arc((40, 10), 10, -90, 90)
    model.add_line((0, 20), (40, 20))
    model.add_circle((15, 5), 2)
    model.add_text("left out")
    document.saveas(path)
    found = read(path, "mm")
    assert areas(found).tolist() == pytest.approx([800 + 50 * pi, -4 * pi], rel=1e-6)
    assert found.size == pytest.approx((50, 20))
    hole = found.rings[1][::3].mean(axis=0)
    assert hole == pytest.approx((15, 15), abs=0.2), "y grows upwards in the file"
    assert found.notes == ("The board has 1 hole.", "Left out, not a path: 1 × TEXT.")


@pytest.mark.parametrize(("units", "scale"), [(1, 25.4), (4, 1.0), (5, 10.0), (6, 1000.0)])
def test_dxf_states_its_unit_or_asks_for_one(tmp_path: Path, units: int, scale: float) -> None:
    document, path = drawn_in_dxf(tmp_path, units=units)
    document.modelspace().add_circle((0, 0), 5)
    document.saveas(path)
    assert read(path).size == pytest.approx((10 * scale, 10 * scale))
    document.units = 0
    document.saveas(path)
    assert "it states no unit of length" in refused(path)
    assert read(path, "in").size == pytest.approx((254, 254))


def test_dxf_that_is_no_outline_is_refused(tmp_path: Path) -> None:
    document, path = drawn_in_dxf(tmp_path)
    model = document.modelspace()
    model.add_line((0, 0), (30, 0))
    model.add_line((30, 0), (30, 20))
    document.saveas(path)
    assert "1 path is not closed: one starts at" in refused(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert "it is not a valid DXF file, or it is truncated." in refused(path)
    model.delete_all_entities()
    model.add_circle((0, 0), 9, dxfattribs={"extrusion": (0, 1, 0)})
    document.saveas(path)
    only = "it contains no path, only 1 × line out of the plane. Draw everything in one plane, seen from above."
    assert only in refused(path)
    model.delete_all_entities()
    document.saveas(path)
    assert "it contains no path." in refused(path)


@pytest.mark.skipif(INKSCAPE is None, reason="Inkscape is not installed")
def test_what_inkscape_writes_is_read(tmp_path: Path) -> None:
    drawn = svg(tmp_path, '<g transform="rotate(20)"><ellipse cx="50" cy="20" rx="20" ry="10"/></g>')
    written = tmp_path / "written.svg"
    command = [str(INKSCAPE), str(drawn), "--actions=select-all;object-to-path", "-o", str(written)]
    subprocess.run(command, capture_output=True, timeout=120, check=True)
    found = read(written)
    assert areas(found).tolist() == [pytest.approx(200 * pi, rel=1e-3)]
    assert found.notes == ()

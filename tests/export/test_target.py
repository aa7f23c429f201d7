import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.exporting.formats import DXF, LASER, LIGHTBURN, PDF, PNG, SVG, Options
from studio.exporting.laser_files import write
from studio.exporting.options import AnyFormat, Unreadable
from studio.exporting.proof import SheetReport
from studio.exporting.writers.dxf import dxf
from studio.exporting.writers.svg import svg
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.drawing import Chain, Drawing, Operation
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from tests.depth import examples
from tests.export.proofs import proven

Grid = Callable[..., Drawing]
ROOT = Path(__file__).resolve().parents[2]
WAYS: list[tuple[AnyFormat, Any]] = [
    *((known, Options()) for known in LASER.members if not known.is_picture),
    (LIGHTBURN, Options(profile="single", keep_order=False)), (DXF, Options(version="R12", close=True)),
    (DXF, Options(curves="spline")), (DXF, Options(curves="polyline")),
    (DXF, Options(tolerance=0.001)), (DXF, Options(tolerance=1.0)),
]  # fmt: skip


@pytest.fixture(name="target", params=LASER.suffixes)
def _target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A file that stands already, and must stand untouched and alone after every failure."""
    path = tmp_path / f"puzzle{request.param}"
    path.write_bytes(b"older")
    yield path
    assert os.listdir(tmp_path) == [path.name]
    assert path.read_bytes() == b"older"


def refused(drawing: Drawing, target: Path, options: Any | None = None) -> str:
    with pytest.raises(StudioError) as caught:
        write(drawing, target, options)
    sentence = str(caught.value)
    assert target.name in sentence and sentence.endswith(".") and "\n" not in sentence
    return sentence


@pytest.mark.parametrize(("known", "options"), WAYS, ids=lambda one: getattr(one, "name", repr(one)))
def test_the_report_tells_what_the_file_holds(grid: Grid, known: AnyFormat, options: Any, tmp_path: Path) -> None:
    drawing = grid(5, 4)
    path = tmp_path / f"puzzle{known.suffix}"
    report = write(drawing, str(path), options)
    assert report == SheetReport(
        path=path, bytes=path.stat().st_size, width=100.0, height=80.0, chains=8, cut_length=report.cut_length,
        faces=20, pieces=20,
    )  # fmt: skip
    assert report.cut_length == pytest.approx(drawing.cut_length, rel=0.1 * options.tolerance + 1e-4)
    assert os.listdir(tmp_path) == [path.name]


def test_the_same_drawing_gives_the_same_bytes(grid: Grid, tmp_path: Path) -> None:
    for suffix in LASER.suffixes:
        first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
        write(grid(3, 3), first)
        write(grid(3, 3), second)
        assert first.read_bytes() == second.read_bytes()


def test_a_capital_ending_is_an_ending(grid: Grid, tmp_path: Path) -> None:
    assert write(grid(2, 2), tmp_path / "PUZZLE.SVG").faces == 4


def test_an_older_file_is_replaced_where_a_link_leads(grid: Grid, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "puzzle.svg", tmp_path / "link.svg"
    real.write_bytes(b"older")
    link.symlink_to(real)
    write(grid(2, 2), link)
    assert link.is_symlink() and real.read_bytes().startswith(b"<?xml")


def test_files_can_be_read_by_whom_the_system_lets(grid: Grid, tmp_path: Path) -> None:
    path = tmp_path / "puzzle.svg"
    plain = tmp_path / "plain"
    plain.touch()
    write(grid(2, 2), path)
    assert path.stat().st_mode == plain.stat().st_mode


@pytest.mark.parametrize("name", ["puzzle.gif", "puzzle.lbrn", "puzzle", "svg", ".svg"])
def test_an_unknown_ending_is_answered_with_those_there_are(grid: Grid, name: str, tmp_path: Path) -> None:
    names = f"{', '.join(LASER.suffixes[:-1])} or {LASER.suffixes[-1]}"
    assert names.startswith(".svg, .dxf, .pdf, .png") and names in refused(grid(2, 2), tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_a_piece_that_is_not_cut_free_is_noticed(grid: Grid, target: Path) -> None:
    drawing = grid(3, 3)
    uncut = replace(drawing, chains=drawing.chains[1:])
    assert "enclose 6 parts, not the 9 pieces" in refused(uncut, target)


def test_a_gap_that_the_format_can_tell_is_noticed(grid: Grid, target: Path) -> None:
    drawing = grid(3, 3)
    points = drawing.strokes.points.copy()
    inner = int(drawing.chains[0].strokes[0]) >> 1
    points[drawing.strokes.starts[inner]] += max(0.01, 3 * LASER.of(target).rounding)
    gap = replace(drawing, strokes=Curves(points, drawing.strokes.starts))
    assert "enclose" in refused(gap, target)


def test_force_writes_what_does_not_add_up_and_says_so(grid: Grid, tmp_path: Path) -> None:
    drawing = grid(3, 3)
    report = write(replace(drawing, chains=drawing.chains[1:]), tmp_path / "a.dxf", force=True)
    assert (report.faces, report.pieces) == (6, 9)


@pytest.mark.parametrize("backwards", [0, 1])
def test_a_line_that_is_there_twice_is_noticed(grid: Grid, target: Path, backwards: int) -> None:
    drawing = grid(3, 3)
    again = Chain(Operation.INNER, drawing.chains[0].strokes[:1] ^ backwards)
    assert "duplicated" in refused(replace(drawing, chains=(again, *drawing.chains)), target)


def test_a_copy_of_a_stroke_is_noticed_though_it_is_another_stroke(grid: Grid, target: Path) -> None:
    drawing = grid(3, 3)
    count = len(drawing.strokes)
    inner = int(drawing.chains[0].strokes[0]) >> 1
    strokes = Curves.from_strokes([drawing.strokes[i] for i in [*range(count), inner]])
    again = Chain(Operation.BORDER, np.array([2 * count]))
    assert "duplicated" in refused(replace(drawing, strokes=strokes, chains=(*drawing.chains, again)), target)


def test_a_line_may_be_scored_where_it_is_cut(grid: Grid, tmp_path: Path) -> None:
    drawing = grid(3, 3)
    scored = Chain(Operation.SCORE, drawing.chains[0].strokes)
    assert write(replace(drawing, chains=(scored, *drawing.chains)), tmp_path / "a.dxf").faces == 9


def test_an_engraved_ring_is_no_piece(grid: Grid, tmp_path: Path) -> None:
    drawing = grid(2, 2)
    ring = np.array([(5, 5), (9, 2), (9, 9), (7, 9), (5, 9), (2, 7), (5, 5)], float)
    count = len(drawing.strokes)
    strokes = Curves.from_strokes([*(drawing.strokes[i] for i in range(count)), ring])
    for closed in (False, True):
        chain = Chain(Operation.ENGRAVE, np.array([2 * count]), closed=closed)
        engraved = replace(drawing, strokes=strokes, chains=(*drawing.chains, chain))
        for known, options in WAYS:
            assert write(engraved, tmp_path / f"a{known.suffix}", options).faces == 4


def test_a_line_that_leaves_the_page_is_noticed(grid: Grid, target: Path) -> None:
    assert "runs off the board by 1.00 mm" in refused(replace(grid(3, 3), height=59.0), target)


def test_nothing_to_cut_leaves_nothing_behind(grid: Grid, target: Path) -> None:
    with pytest.raises(StudioError, match="no lines to cut"):
        write(replace(grid(2, 2), chains=()), target)


@pytest.mark.parametrize("steps", range(5))
def test_giving_up_leaves_nothing_behind(grid: Grid, target: Path, steps: int) -> None:
    seen: list[float] = []

    def report(fraction: float, _note: str) -> None:
        seen.append(fraction)
        if len(seen) > steps:
            progress.cancel()

    progress = Progress(report)
    if steps < 4:
        with pytest.raises(Cancelled):
            write(grid(2, 2), target, progress=progress)
    else:
        write(grid(2, 2), target, progress=progress)
        assert seen == sorted(seen) and seen[-1] == 1.0
        target.write_bytes(b"older")


def test_a_missing_folder_is_named(grid: Grid, tmp_path: Path) -> None:
    assert f"the folder {tmp_path / 'missing'} does not exist" in refused(
        grid(2, 2), tmp_path / "missing" / "puzzle.svg"
    )


def test_a_folder_that_is_a_file_is_named(grid: Grid, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "is not a folder" in refused(grid(2, 2), tmp_path / "file" / "puzzle.dxf")


def test_a_folder_in_the_way_stays(grid: Grid, tmp_path: Path) -> None:
    folder = tmp_path / "puzzle.svg"
    folder.mkdir()
    assert "a folder" in refused(grid(2, 2), folder)
    assert os.listdir(tmp_path) == ["puzzle.svg"] and os.listdir(folder) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_device_is_not_replaced(grid: Grid, tmp_path: Path) -> None:
    link = tmp_path / "puzzle.dxf"
    link.symlink_to("/dev/full")
    assert "device" in refused(grid(2, 2), link)
    assert Path("/dev/full").is_char_device()


@pytest.mark.parametrize("name", ["puz\0zle.svg", f"{'x' * 300}.svg"])
def test_a_name_that_no_file_can_have_is_refused(grid: Grid, name: str, tmp_path: Path) -> None:
    with pytest.raises(StudioError, match="Could not write"):
        write(grid(2, 2), tmp_path / name)
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="the system has no folder that refuses even root")
def test_a_folder_that_takes_no_files_is_named(grid: Grid) -> None:
    assert "no files can be created in the folder /proc" in refused(grid(2, 2), Path("/proc/puzzle.svg"))


@pytest.mark.sampled(2)
@pytest.mark.skipif(os.name == "nt", reason="the system has no limit on the size of files")
@pytest.mark.parametrize("suffix", LASER.suffixes)
def test_a_full_disk_leaves_the_older_file(suffix: str, tmp_path: Path) -> None:
    target = tmp_path / f"puzzle{suffix}"
    target.write_bytes(b"older")
    program = f"""
import sys, resource
sys.path[:0] = [{str(ROOT)!r}, {str(Path(__file__).parent)!r}]
sys.dont_write_bytecode = True
from conftest import grid
from studio.base.errors import StudioError
from studio.exporting.laser_files import write
import ezdxf.filemanagement, shapely
drawing = grid(6, 6)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
try:
    write(drawing, {str(target)!r})
except StudioError as problem:
    print(problem)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout == f"Could not write {target.name}: the file is too large for this disk.\n"
    assert os.listdir(tmp_path) == [target.name] and target.read_bytes() == b"older"


def test_a_file_that_was_changed_on_its_way_does_not_pass(grid: Grid) -> None:
    drawing = grid(3, 3)
    data = svg(drawing, Options())
    assert proven(SVG, data, drawing, Options()).faces == 9
    bent = data.replace(b'd="M', b'd="M1', 1)
    with pytest.raises(Unreadable, match=r"line of piece 1/1–1/2 near .* is moved by"):
        proven(SVG, bent, drawing, Options())
    larger = data.replace(b"60mm", b"61mm").replace(b"0 0 60 60", b"0 0 61 61")
    with pytest.raises(Unreadable, match="page is 61"):
        proven(SVG, larger, drawing, Options())


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'viewBox="0 0 60 60"', b'viewBox="0 0 600 600"', "not millimetres"),
        (b'width="60mm"', b'width="60"', "no size in millimetres"),
        (b'id="CUT_INNER"', b'id="CUT_INNER" transform="scale(2)"', "outside the layers"),
        (b"<path ", b'<path transform="scale(2)" ', "other than paths"),
        (b'stroke="#FF0000"', b'stroke="#00FF00"', "two looks"),
        (b'fill="none"', b'fill="#000000"', "two looks"),
        (b'd="M', b'd="M0 0 M', "not one continuous line"),
        (b'd="M', b'd="m', "unknown command"),
        (b'd="M', b'd="M9 ', "not one continuous line"),
        (b"</svg>", b"<text/></svg>", "outside the layers"),
        (b"</svg>", b"", "not a valid SVG"),
    ],
)
def test_an_svg_that_is_not_ours_is_refused(grid: Grid, old: bytes, new: bytes, words: str) -> None:
    data = svg(grid(3, 3), Options())
    assert old in data
    with pytest.raises(Unreadable, match=words):
        proven(SVG, data.replace(old, new), grid(3, 3), Options())


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"$INSUNITS\n 70\n4", b"$INSUNITS\n 70\n6", "not millimetres"),
        (b"$MEASUREMENT\n 70\n1", b"$MEASUREMENT\n 70\n0", "not millimetres"),
        (b"$EXTMIN\n 10\n0.0", b"$EXTMIN\n 10\n5.0", "start at zero"),
        (b"$EXTMAX\n 10\n60", b"$EXTMAX\n 10\n65", "page is 65"),
        (b"LWPOLYLINE\n", b"CIRCLE\n", "an unexpected CIRCLE"),
        (b"AcDbEntity\n  8\nCUT_INNER", b"AcDbEntity\n  8\n0", "layer 0"),
        (b"ENTITIES", b"ENTITY", "not a DXF file"),
    ],
)
def test_a_dxf_that_is_not_ours_is_refused(grid: Grid, old: bytes, new: bytes, words: str) -> None:
    data = dxf(grid(3, 3), Options())
    assert old in data
    with pytest.raises(Unreadable, match=words):
        proven(DXF, data.replace(old, new), grid(3, 3), Options())


BROKEN = [*WAYS[:-2], (PDF, Options(pages="tiled")), (PNG, Options(dpi=72))]


@cache
def whole(way: int) -> tuple[Drawing, bytes]:
    """A drawing and its file, made once for all examples of a test."""
    drawing: Drawing = runpy.run_path(str(Path(__file__).with_name("conftest.py")))["grid"](3, 2)
    known, options = BROKEN[way]
    return drawing, known.write(drawing, options)


@settings(max_examples=examples(100, 3000))
@given(st.sampled_from(range(len(BROKEN))), st.floats(0, 0.999))
def test_a_broken_off_file_never_passes(way: int, share: float) -> None:
    drawing, data = whole(way)
    known, options = BROKEN[way]
    assert proven(known, data, drawing, options).faces == 6
    cut = data[: int(share * len(data.rstrip()))]
    with pytest.raises(Unreadable):
        proven(known, cut, drawing, options)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("known", LASER.members, ids=lambda known: known.name)
def test_a_mirrored_drawing_does_not_pass(grid: Grid, known: AnyFormat) -> None:
    drawing = grid(3, 2)
    points = drawing.strokes.points * (-1, 1) + (drawing.width, 0)
    mirrored = replace(drawing, strokes=Curves(points, drawing.strokes.starts))
    with pytest.raises(Unreadable):
        proven(known, known.write(mirrored, Options()), drawing, Options())


def test_a_line_beside_the_sheet_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    wild = JigsawDesign(JigsawParameters(perturbation=0.4, tongue_size=0.5, layout_version=1))
    drawing = shape(wild, None, Progress()).drawing
    with pytest.raises(StudioError, match=r"a cut runs off the board by [0-9.]+ mm\. Fix the problems at the border"):
        write(drawing, tmp_path / "a.svg", force=True)
    assert list(tmp_path.iterdir()) == []

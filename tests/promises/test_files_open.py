"""What is exported opens elsewhere at true size, and no design that a hand can make ends in a crash."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from ezdxf.filemanagement import readfile
from pypdf import PdfReader
from pypdf.generic import ContentStream

from studio.files.store import load, save
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters
from tests.test_cli import Studio

LIBRECAD = shutil.which("librecad")
POINTS_PER_MM = 72 / 25.4


@pytest.fixture
def studio(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    monkeypatch.chdir(tmp_path)
    return Studio(capsys)


@pytest.fixture
def drawn(studio: Studio) -> Path:
    """A board of 120 × 80 mm as DXF R2000."""
    save(Path("board.puzzle"), JIGSAW, JigsawDesign(JigsawParameters(columns=3, rows=2, width=120.0, height=80.0)))
    assert studio("export", "board.puzzle", "-o", "board.dxf").code == 0
    return Path("board.dxf")


def inked(path: Path) -> tuple[float, float]:
    """Width and height in mm of all lines that are stroked on a page."""
    reader = PdfReader(path)
    (page,) = reader.pages
    contents = page.get_contents()
    assert contents is not None
    matrix, kept, path_, stroked = np.eye(3), [], [], []
    for operands, operator in ContentStream(contents, reader).operations:
        if operator == b"q":
            kept.append(matrix)
        elif operator == b"Q":
            matrix = kept.pop()
        elif operator == b"cm":
            a, b, c, d, e, f = map(float, operands)
            matrix = np.array([[a, b, 0], [c, d, 0], [e, f, 1]]) @ matrix
        elif operator in (b"m", b"l", b"c"):
            points = np.array([float(each) for each in operands]).reshape(-1, 2)
            path_.append((np.column_stack([points, np.ones(len(points))]) @ matrix)[:, :2])
        elif operator in (b"S", b"s"):
            stroked += path_
            path_ = []
        elif operator == b"n":
            path_ = []
    assert stroked, "the page is blank"
    width, height = (np.ptp(np.concatenate(stroked), axis=0) / POINTS_PER_MM).tolist()
    return width, height


@pytest.mark.skipif(LIBRECAD is None, reason="LibreCAD is not installed")
def test_a_dxf_is_printed_by_librecad_with_ink_at_true_size(drawn: Path, tmp_path: Path) -> None:
    words = [str(LIBRECAD), "dxf2pdf", "-c", "-m", "-s", "1", "-o", "board.pdf", str(drawn)]
    home = {"QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}
    subprocess.run(words, env=os.environ | home, check=True, timeout=60, capture_output=True)
    assert inked(Path("board.pdf")) == pytest.approx((120.0, 80.0), abs=0.3)


def test_a_dxf_says_the_scale_and_the_view_by_which_it_is_opened(drawn: Path) -> None:
    document = readfile(drawn)
    assert document.header["$PSVPSCALE"] == 1.0, "at 0 the page is blank"
    assert document.header["$INSUNITS"] == 4, "millimetres"
    (view,) = document.viewports.get_config("*ACTIVE")
    centre, height = view.dxf.center, view.dxf.height
    assert abs(centre[0] - 60.0) <= 60.0 and abs(centre[1] - 40.0) <= 40.0 and height >= 80.0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("right", [3.9450646804123366, -40.0, 60.0])
@pytest.mark.parametrize("radius", [23.976743815478166, 0.0])
def test_a_border_corner_dragged_past_its_neighbour_ends_no_command_in_a_crash(
    studio: Studio, right: float, radius: float
) -> None:
    parameters = JigsawParameters(columns=5, rows=6, border="wandering", corner_radius=radius, width=300.0)
    dragged = (CornerEdit("3,0", right=right, down=1.4843153447034716),)
    save(Path("dragged.puzzle"), JIGSAW, JigsawDesign(parameters, corners=dragged))
    assert load(Path("dragged.puzzle")).design.corners == dragged
    check = studio("check", "dragged.puzzle")
    plan = studio("plan", "dragged.puzzle")
    export = studio("export", "dragged.puzzle", "-o", "dragged.svg", "--force")
    assert check.code in (0, 1) and plan.code == 0 and export.code in (0, 2)
    assert not any("Traceback" in each.err for each in (check, plan, export))

"""A board on which the check finds nothing is written by every export, and what an export refuses the check names.

`HYPOTHESIS_PROFILE=thorough` tries 500 boards.
"""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.checks.finding import Checked
from studio.exporting.formats import LASER
from studio.exporting.laser_files import write_all
from studio.exporting.writing import write_solids
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import cutouts
from studio.fabricate.making import IN_PLACE, IN_WASTE, NESTED, Making, made
from studio.fabricate.sheets import nested_pieces
from studio.fabricate.workshop import Bed, Machine, Material
from studio.files.store import load
from studio.geometry.board.board_spec import OUTLINES
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.letters import lettered, letters_as_figures
from studio.puzzles.jigsaw.figures.silhouettes import keys
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy, free_names
from studio.puzzles.jigsaw.model.design import TONGUE_STYLES, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.printed_solids import bodies
from studio.puzzles.jigsaw.model.tiling import with_whimsies
from studio.puzzles.jigsaw.picture.engravings import Engraving
from studio.puzzles.jigsaw.tongues.styles import OWN
from tests.depth import THOROUGH, examples
from tests.fabricate.offsets import strays
from tests.tilings import TILINGS

PROVEN = 0.02

DESIGNS = Path(__file__).parents[1] / "fabricate" / "designs"
KERFS = (0.15, 0.3)
SUFFIXES = [one.suffix for one in LASER.members if not one.is_picture]
LAYOUTS = (NESTED, IN_WASTE, IN_PLACE)
BED = Machine(bed_width=1000.0, bed_height=1000.0)


@st.composite
def designs(draw: st.DrawFn) -> JigsawDesign:
    """Boards of any tiling and outline, with figures, letters, an engraving and a tray, as makers set them up."""
    columns, rows = draw(st.integers(2, 6)), draw(st.integers(2, 5))
    cell = draw(st.floats(20.0, 32.0).map(lambda size: round(size, 1)))
    parameters = JigsawParameters(
        columns=columns,
        rows=rows,
        width=round(columns * cell, 1),
        height=round(rows * cell, 1),
        seed=draw(st.integers(0, 99_999)),
        tiling=draw(st.sampled_from([*TILINGS])),
        outline=draw(st.sampled_from([one for one in OUTLINES if one != "file"])),
        tongue_style=draw(st.sampled_from([one for one in TONGUE_STYLES if one != OWN])),
        border=draw(st.sampled_from(["straight", "wandering"])),
        tray=draw(st.booleans()),
        tray_form=draw(st.sampled_from(["outline", "rectangle"])),
    )
    design = JigsawDesign(parameters)
    least = min(parameters.width, parameters.height)

    def pose(share: float) -> Pose:
        x, y = (round(side * draw(st.floats(0.2, 0.8)), 2) for side in (parameters.width, parameters.height))
        return Pose(x=x, y=y, height=round(least * share, 1), turn=float(draw(st.sampled_from([0, 30, 90, 175]))))

    figures: list[Whimsy] = []
    for _ in range(draw(st.integers(0, 2))):
        key = draw(st.sampled_from(sorted(keys())))
        (name,) = free_names([one.name for one in figures], key, 1)
        share = draw(st.sampled_from([0.25, 0.4]))
        figures.append(Whimsy(name, key, pose(share), tongues=draw(st.sampled_from([0, 2, 4]))))
    text = draw(st.sampled_from(["", "", "I", "MIA", "Åse"]))
    if text:
        names = free_names([one.name for one in figures], "letter", len(letters_as_figures(text)))
        figures += lettered(names, text, pose(0.3))
    if figures:
        design = with_whimsies(design, figures).design
    if draw(st.booleans()):
        design = design.with_engraving(Engraving("text1", pose(0.05), "For Ada"))
    return design


def written(shapes: JigsawShapes) -> None:
    """Write a board in every format at every kerf; raises StudioError for the first that is refused.

    Layout and copies differ from board to board. Usual runs leave formats out at the wider kerf, and where outlines are
    separate: they are written alike.
    """
    drawing, seed = shapes.drawing, shapes.design.parameters.seed
    layout, copies = LAYOUTS[seed % 3], 1 + seed % 2
    with TemporaryDirectory() as folder:
        for kerf in KERFS:
            for lines, usual in (("shared", SUFFIXES), ("separate", (".svg", ".lbrn2"))):
                making = Making(
                    lines=lines,
                    kerf=kerf,
                    layout=layout if lines == "separate" else NESTED,
                    copies=copies,
                    page="bed" if copies > 1 else "board",
                )
                sheets = made(drawing, making, BED, Material(), tray=shapes.tray)
                for suffix in SUFFIXES if THOROUGH else usual if kerf == KERFS[0] else usual[:1]:
                    reports = write_all(
                        sheets.sheets, Path(folder) / f"{lines}{suffix}", beside=sheets.beside, tray=sheets.tray_sheets
                    )
                    assert sum(report.pieces for report in reports[: len(sheets.sheets)]) == copies * len(
                        drawing.pieces
                    )
                    assert all(report.faces == report.pieces for report in reports)
        solids = bodies(shapes, Progress())
        assert len(solids) == len(drawing.pieces)
        write_solids(solids, Path(folder) / "board.3mf")


def assert_exact(shapes: JigsawShapes) -> None:
    """Every separate outline is shapely's offset of its face, and no two overlap where they are cut."""
    drawing = shapes.drawing
    for kerf in KERFS:
        cut = cutouts(Contours(drawing), kerf / 2)
        assert strays(cut, drawing, kerf / 2).max() <= PROVEN
    for sheet in nested_pieces(cut, Bed(1000.0, 1000.0)).sheets:
        pieces = pieces_as_polygons(sheet, sheet.strokes.flattened(1e-3))
        one, two = shapely.STRtree(pieces).query(pieces, predicate="intersects")
        assert (one == two).all()


def names_piece(checked: Checked, shapes: JigsawShapes, refusal: StudioError) -> bool:
    """True if a finding is of the piece that a refusal names, or of the whole board."""
    name = re.search(r"piece (\w+)", str(refusal), re.IGNORECASE)
    pieces = shapes.drawing.pieces
    if name is None or name[1] not in pieces.names:
        return bool(checked.findings)
    at = pieces.names.index(name[1])
    around = set((pieces.codes[pieces.starts[at] : pieces.starts[at + 1]] >> 1).tolist())
    return any(at in one.pieces or around & set(one.strokes) or not one.is_marked for one in checked.findings)


def held(design: JigsawDesign) -> None:
    shapes = shape(design, None, Progress())
    checked = check(design, shapes, None, Progress())
    try:
        written(shapes)
    except StudioError as refusal:
        assert checked.findings, f"no finding, yet: {refusal}"
        assert names_piece(checked, shapes, refusal), f"no finding there: {refusal}"
        return
    if not checked.findings:
        assert_exact(shapes)


@settings(max_examples=examples(4, 500), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(designs())
def test_a_board_without_findings_is_written_by_every_export_and_refusals_have_findings(design: JigsawDesign) -> None:
    held(design)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", sorted(path.stem for path in DESIGNS.glob("*.puzzle")))
def test_boards_that_were_once_cut_wrong_or_refused_without_a_finding_hold(name: str) -> None:
    held(load(DESIGNS / f"{name}.puzzle").design)


@pytest.mark.parametrize(
    ("name", "message", "place"),
    [
        ("star-on-a-narrow-arch", "The outline of piece A4 crosses or touches itself.", (43.57, 78.39)),
        ("animals-on-voronoi", "Piece D1 is only 0.01 mm wide here; a kerf of 0.15 mm burns through it.", (30.7, 1.5)),
    ],
)
def test_the_check_says_where_a_piece_hangs_together_by_nothing(name: str, message: str, place: Any) -> None:
    design = load(DESIGNS / f"{name}.puzzle").design
    findings = check(design, shape(design, None, Progress()), None, Progress()).errors
    (found,) = [one for one in findings if one.message.startswith(message)]
    assert found.place == pytest.approx(place, abs=0.3)

"""Repair of jigsaws: it always ends without errors, changes little, keeps its hands off what is locked."""

from dataclasses import replace
from typing import Any

import pytest
import shapely
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from studio.base.parameters import ParameterError, declarations
from studio.base.progress import SILENT, Cancelled, Progress
from studio.files.store import dumps, loads
from studio.geometry.board.board_spec import FROM_FILE, OUTLINES, LooseLine
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.drawn_boards import converted
from studio.puzzles.jigsaw.model.edits import with_pieces_merged
from studio.puzzles.jigsaw.repair import repaired
from studio.puzzles.jigsaw.repair_search import CheckedBoard, Counts
from tests.depth import THOROUGH, examples
from tests.tilings import TILINGS

WILD = JigsawParameters(perturbation=0.45, tongue_size=0.5, layout_version=1)
SIX_MM = JigsawParameters(
    width=36.0, height=24.0, columns=6, rows=4, perturbation=0.3, scale_limits=False, strong_necks=False
)  # fmt: skip
FIVE_BY_FOUR: dict[str, Any] = {"width": 100.0, "height": 80.0, "columns": 5, "rows": 4}
THREE_BY_THREE: dict[str, Any] = {"width": 60.0, "height": 60.0, "columns": 3, "rows": 3, "seed": 13}
SPECK = 1e-3
"""An area in mm²."""


def pieces_of(board: CheckedBoard) -> int:
    """Count the pieces that shapely finds between the cuts."""
    fine = board.shapes.drawing.strokes.flattened(0.001)
    lines = [shapely.linestrings(fine[stroke]) for stroke in range(len(fine))]
    noded = shapely.unary_union(shapely.set_precision(lines, 1e-5))
    return int((shapely.area(shapely.get_parts(shapely.polygonize(shapely.get_parts(noded)))) > SPECK).sum())


@st.composite
def designs(draw: st.DrawFn, outline: str) -> JigsawDesign:
    """Draw boards of any values that the form admits, small so that many are tried."""
    values: dict[str, Any] = {
        "outline": outline,
        "tiling": draw(st.sampled_from([*TILINGS])),
        "width": draw(st.sampled_from([20.0, 80.0, 200.0, 400.0])),
        "height": draw(st.sampled_from([20.0, 80.0, 200.0, 400.0])),
        "columns": draw(st.integers(1, 4)),
        "rows": draw(st.integers(1, 4)),
        "seed": draw(st.integers(0, 10**6)),
    }
    for known in declarations(JigsawParameters):
        if known.name in values or known.name in ("pieces", "corner_radius"):
            continue
        if known.choices:
            values[known.name] = draw(st.sampled_from([each.value for each in known.choices if each.value != "own"]))
        elif isinstance(known.default, bool):
            values[known.name] = draw(st.booleans())
        elif isinstance(known.default, int):
            values[known.name] = draw(st.integers(int(known.minimum or 0), int(known.maximum or 10)))
        else:
            low, high = float(known.minimum or 0.0), float(known.maximum or 1.0)
            values[known.name] = draw(st.one_of(st.just(known.default), st.floats(low, high)))
    while True:
        try:
            return JigsawDesign(JigsawParameters(**values))
        except ParameterError as problem:
            # What does not go with the other values, or lies in a gap of its bounds, is left at its default.
            del values[problem.name]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("outline", [each for each in OUTLINES if each != FROM_FILE])
@given(data=st.data())
# Without shrinking, in which a failure would outlast the time that a test has.
@settings(max_examples=examples(2, 40), phases=[Phase.generate])
def test_repair_leaves_no_errors_whatever_the_form_holds(outline: str, data: st.DataObject) -> None:
    design = data.draw(designs(outline))
    locked = [edit.name for edit in design.tongues if edit.locked_seed is not None]
    found = repaired(design, Progress())
    assert found.after.errors == 0, found.left
    before, after = CheckedBoard.from_design(design, SILENT), CheckedBoard.from_design(found.design, SILENT)
    assert (found.before, found.after) == (Counts.from_board(before), Counts.from_board(after))
    assert after.shapes.drawing.pieces.names == before.shapes.drawing.pieces.names
    changed = {edit.name for edit in found.design.tongues if edit != design.tongue(edit.name)}
    assert changed == {*found.tongues} and {*found.locked} == changed & {*locked}
    old, new = (vars(each.parameters) for each in (design, found.design))
    differing = [name for name in old if old[name] != new[name]]
    assert len(differing) == len(found.tray) and all(name.startswith("tray_") for name in differing)
    written = dumps(JIGSAW, found.design)
    assert dumps(JIGSAW, loads(written).design) == written


SMALL_HEXAGONS = JigsawParameters(
    outline="heart", tiling="hexagons", width=20.0, height=200.0, columns=4, rows=3, plain_share=1.0, perturbation=0.0
)
SMALL_RINGS = JigsawParameters(
    outline="polygon", sides=4, tiling="rings", width=20.0, height=20.0, columns=3, rows=2, seed=1313,
    tongue_style="heirloom", border="straight", strong_necks=False,
)  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("parameters", [SMALL_HEXAGONS, SMALL_RINGS])
def test_pieces_that_a_beam_would_part_are_mended_where_minimum_walls_are_out_of_reach(
    parameters: JigsawParameters,
) -> None:
    found = repaired(JigsawDesign(parameters), SILENT)
    assert found.after.errors == 0 < found.after.warnings


@pytest.mark.sampled(2)
@pytest.mark.parametrize("style", ["ribbon", "classic"])
def test_a_wild_board_is_mended_without_straight_edges_where_tongues_can_stay(style: str) -> None:
    design = JigsawDesign(replace(WILD, tongue_style=style))
    found = repaired(design, Progress())
    assert found.before.errors > 50 and (found.after.errors, found.after.warnings) == (0, 0)
    assert sum(bool(edit.plain) for edit in found.design.tongues) <= 5
    assert 0 < found.mean < found.largest < 50
    assert pieces_of(CheckedBoard.from_design(found.design, SILENT)) == 72
    assert not repaired(found.design, Progress()).tongues


def test_pieces_of_six_mm_end_with_the_limits_that_cannot_be_met() -> None:
    found = repaired(JigsawDesign(SIX_MM), Progress())
    assert found.after.errors == 0 and 0 < found.after.warnings < found.before.warnings
    said = " ".join(found.left)
    assert "Minimum neck (1.5 mm)" in said and "Minimum piece (40 mm²)" in said
    least = float(said.split("Minimum piece (40 mm²) is not met in ")[1].split("; ")[1].split(" mm²")[0])
    relaxed = replace(found.design, parameters=replace(SIX_MM, least_area=least))
    kinds = {finding.kind for finding in CheckedBoard.from_design(relaxed, SILENT).checked.findings}
    assert "neck" in kinds and "piece" not in kinds


@pytest.mark.parametrize(("tiling", "seed"), [("hand-cut", 3), ("rings", 1)])
def test_small_pieces_are_mended_against_their_own_limits_and_never_get_worse(tiling: str, seed: int) -> None:
    design = JigsawDesign(
        JigsawParameters(
            width=80.0, height=70.0, pieces=90, tiling=tiling, outline="heart", seed=seed, layout_version=2
        )
    )
    found = repaired(design, SILENT)
    assert found.before.errors == found.after.errors == 0
    assert found.before.warnings > 0 and found.after.warnings <= max(found.before.warnings // 2, 1)
    assert len(found.tongues) < 3 * found.before.warnings


def test_locked_tongues_stay_while_others_can_change_and_are_named_where_they_cannot() -> None:
    wild = JigsawDesign(replace(WILD, **(FIVE_BY_FOUR if THOROUGH else THREE_BY_THREE)))
    board = CheckedBoard.from_design(wild, SILENT)
    some = sorted(board.shapes.tiling.edge_indices)[::4]
    locked = replace(wild, tongues=tuple(TongueEdit(name, locked_seed=wild.parameters.seed) for name in some))
    found = repaired(locked, Progress())
    assert found.after.errors == 0
    assert {*found.locked} < {*some} & {*repaired(wild, Progress()).tongues}, "some would have changed"
    for name in {*some} - {*found.locked}:
        assert found.design.tongue(name) == locked.tongue(name)
    everything = tuple(
        TongueEdit(name, locked_seed=wild.parameters.seed) for name in sorted(board.shapes.tiling.edge_indices)
    )
    forced = repaired(replace(wild, tongues=everything), Progress())
    assert forced.after.errors == 0 and forced.locked == forced.tongues != ()
    assert "Including locked tongues" in " ".join(forced.sentences)


def test_a_board_without_problems_stays_as_it_is() -> None:
    found = repaired(JigsawDesign(), Progress())
    assert found.design == JigsawDesign()
    assert found.sentences == ["There was nothing to fix."] and (found.mean, found.largest) == (0.0, 0.0)


def test_every_change_is_told_and_a_merge_within_drawn_cuts_is_none() -> None:
    straight = JigsawParameters(width=100.0, height=75.0, columns=4, rows=3, perturbation=0.0, plain_share=1.0)
    drawn = converted(JigsawDesign(straight))
    near = LooseLine("line1", ((50.0, 25.0), (55.0, 32.0), (60.0, 39.0), (65.0, 46.0)))
    far = LooseLine("line2", ((12.0, 12.5), (12.5, 12.5), (13.0, 12.5), (13.5, 12.5)))
    merged = with_pieces_merged(replace(drawn, loose=(near, far)), ["B1-C1"], SILENT).design
    found = repaired(merged, SILENT)
    assert found.lines == ("line1", "line2") and found.is_change and found.after.warnings == 0
    assert found.dropped == found.tray == found.tongues == found.corners == ()
    assert found.sentences[1:] == ["Changes: 2 drawn lines."]
    assert not repaired(found.design, SILENT).is_change
    # Columns and rows of drawn cuts only tell the size of a piece.
    more = replace(merged, parameters=replace(merged.parameters, columns=9))
    assert repaired(more, SILENT).tray == ()


def test_warnings_without_a_remedy_are_not_nothing() -> None:
    design = JigsawDesign(JigsawParameters(columns=2, rows=2, width=60.0, height=60.0, relief=1.0))
    found = repaired(design, SILENT)
    assert not found.is_change and found.after.warnings == 1
    assert found.sentences == ["No change was found that helps; 1 warning left."]


def test_a_cancelled_repair_stops() -> None:
    class Impatient(Progress):
        def step(self, fraction: float, note: str = "") -> None:
            if fraction > 0.2:
                raise Cancelled

    with pytest.raises(Cancelled):
        repaired(JigsawDesign(WILD), Impatient())


def test_edits_that_a_moved_figure_covers_are_named() -> None:
    cat = Whimsy("cat1", "cat", Pose(x=100.0, y=75.0, height=50.0))
    star = Whimsy("star1", "star", Pose(x=112.0, y=80.0, height=40.0))
    bare = JigsawDesign(JigsawParameters(columns=10, rows=5, width=250.0, height=125.0), whimsies=(cat, star))
    before, after = (
        CheckedBoard.from_design(bare, SILENT),
        CheckedBoard.from_design(repaired(bare, SILENT).design, SILENT),
    )
    one = sorted({*before.shapes.tiling.corner_indices} - {*after.shapes.tiling.corner_indices})[0]
    other = sorted({*before.shapes.tiling.edge_indices} - {*after.shapes.tiling.edge_indices})[0]
    edited = bare.with_corners({one: (0.02, 0.01)}).with_tongues([TongueEdit(other, size=0.25)])
    found = repaired(edited, SILENT)
    assert found.dropped == (f"corner {one}", f"tongue {other}")
    words = f"2 edits are dropped: corner {one} and tongue {other}."
    assert words in found.summary and words in found.sentences
    finding = next(
        each for each in CheckedBoard.from_design(edited, SILENT).checked.findings if each.cells and each.repair
    )
    assert finding.repair is not None
    design, dropped = finding.repair.fixed(edited, SILENT)
    assert dropped == found.dropped and (design.corners, design.tongues) == ((), ())
    assert repaired(bare, SILENT).dropped == ()


@pytest.mark.parametrize(
    ("outline", "tiling", "width", "height", "columns", "rows", "seed", "perturbation"),
    [
        ("ellipse", "grid", 80.0, 20.0, 1, 2, 19, 0.4375),
        ("ellipse", "grid", 200.0, 20.0, 1, 2, 163084, 0.4),
        ("ellipse", "bricks", 80.0, 400.0, 1, 2, 655813, 0.3),
        pytest.param("ellipse", "voronoi", 400.0, 20.0, 3, 4, 744780, 0.4, marks=pytest.mark.thorough),
        pytest.param("heart", "hand-cut", 20.0, 200.0, 4, 3, 941228, 0.3, marks=pytest.mark.thorough),
        ("heart", "grid", 200.0, 20.0, 2, 3, 528819, 0.45),
    ],
)
def test_a_wavy_border_of_a_flat_board_is_no_deeper_than_there_is_room(
    outline: str, tiling: str, width: float, height: float, columns: int, rows: int, seed: int, perturbation: float
) -> None:
    sized = JigsawParameters(width=width, height=height, columns=columns, rows=rows, border="wandering")
    parameters = replace(sized, outline=outline, tiling=tiling, seed=seed, perturbation=perturbation)
    design = JigsawDesign(parameters)
    board = CheckedBoard.from_design(design, SILENT)
    assert check_problems.BORDER_LOOP not in {finding.problem for finding in board.checked.findings}
    assert repaired(design, Progress()).after.errors == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("changes", "edits"),
    [
        ({"columns": 3, "width": 120.0}, {"1,0": (1.5, 0.0), "2,0": (-1.5, 0.0)}),
        ({"columns": 3, "width": 120.0, "outline": "ellipse"}, {"0,1": (1.5, 0.0), "2,0": (-1.5, 0.0)}),
        (
            {"width": 200.0, "height": 20.0, "columns": 1, "rows": 3, "seed": 972527, "perturbation": 0.2}
            | {"outline": "arch", "tiling": "triangles"},
            {"A1:B1:C1:A2:B2:C2": (0.164, 0.095), "A2:B2:A3:B3": (1.569, 1.394)},
        ),
        (
            {"width": 20.0, "height": 20.0, "columns": 1, "rows": 4, "seed": 995293, "perturbation": 0.2}
            | {"outline": "ellipse", "tiling": "hexagons", "layout_version": 4},
            {"A3:A4": (1.489, -0.876), "B2:A3": (1.034, 1.828)},
        ),
    ],
)
def test_corners_of_the_border_that_were_dragged_past_each_other_go_back(
    changes: dict[str, Any], edits: dict[str, tuple[float, float]]
) -> None:
    whole = JigsawParameters(rows=2, height=60.0, border="wandering")
    design = JigsawDesign(replace(whole, **changes)).with_corners(edits)
    before = CheckedBoard.from_design(design, SILENT).checked.findings
    assert check_problems.BORDER_LOOP in {finding.problem for finding in before}
    found = repaired(design, Progress())
    assert found.after.errors == 0

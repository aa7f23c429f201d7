"""Every problem in the tables of the kinds is provoked, told in a sentence at a place, and mended by its repair."""

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from studio.base.amounts import cell_name
from studio.base.progress import SILENT, Progress
from studio.checks.finding import Finding, Problem, Severity
from studio.files.store import load
from studio.geometry.art.artwork import PNG, png_of
from studio.geometry.board.board_spec import LooseLine, Ring, path_of
from studio.geometry.curves.strokes import closed_through, through
from studio.puzzles.calendar import check_problems as calendar
from studio.puzzles.calendar import edits
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import DAY, MONTH, Board, CalendarDesign, CalendarParameters, Label, Piece
from studio.puzzles.calendar.questions import remembered, year_of
from studio.puzzles.cube import check_problems as cube
from studio.puzzles.cube.model import CubeDesign, CubeParameters, EdgeEdit, VoxelEdit
from studio.puzzles.cube.partition import partitioned
from studio.puzzles.jigsaw import check_problems as jigsaw
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, TongueEdit
from studio.puzzles.jigsaw.model.drawn_boards import with_drawn_cuts
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.puzzles.jigsaw.picture.engravings import Engraving
from studio.puzzles.jigsaw.picture.masks import Mask
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import kinds
from studio.puzzles.slitherlink import check_problems as slitherlink
from studio.puzzles.slitherlink.edits import flipped
from studio.puzzles.slitherlink.generate import carry as carry_slitherlink
from studio.puzzles.slitherlink.generate import generate as generate_slitherlink
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters
from studio.puzzles.zigzaw import check_problems as zigzaw
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.model import Paint, ZigzawDesign, ZigzawParameters, palette, recoloured
from studio.puzzles.zigzaw.piece_forms import Cube
from tests.classic import classic

YEAR, SOLVE, CHECKS = (f"studio.puzzles.calendar.{module}" for module in ("year", "solve", "checks"))
SEVERITIES: Mapping[Any, tuple[str, str]] = {
    jigsaw: (
        "SMALL_PIECE PIECE_NECK PIECE_GAP BRIDGE NECK PRINTED_NECK RADIUS LIMIT FIGURE_THIN "
        "FIGURE_NOTCH FIGURE_TONGUES FIGURE_WEDGE FIGURE_DETAIL ENGRAVED_BEYOND PICTURE_DAMAGED "
        "PROTECTED_TONGUE PROTECTED_CORNER UNCUT TRAY_THIN LOOSE_END LOOSE_FAR LOOSE_OVER LOOSE_BRIDGE DETAIL_CLOSE "
        "RELIEF_BLANK NOTCH_THIN NOTCHES_MEET",
        "HOLE_OPEN",
    ),
    cube: (
        "SOLUTIONS TWINS SLIDE NO_GAP STIFF_SNAP NO_SNAP WALL SMALL_TEXT UNUSED STRAY",
        "SMALL SYMMETRIC NECK NO_TEXT WISH",
    ),
    calendar: ("ALIKE UNSOLVED UNPROVEN TOO_LARGE CROWD HARD_TO_READ LONG PLAY FRAME_THIN", "TWINS SINGLE SHORTER"),
    slitherlink: (
        "AMBIGUOUS UNDECIDABLE UNPROVEN HOLES_CLOSE WALL RIM_THIN SMALL_CLUES LARGE_CLUES",
        "ASYMMETRIC UNLIKE CROWDED STRAIGHT SPLIT OUTSIDE",
    ),
    zigzaw: ("AMBIGUOUS UNPROVEN ALIKE THIN THIN_RIM SMALL_NUMBERS", "TWINS SMALL_MARKS"),
}
"""The warnings and the hints of each kind by name; all other problems are errors."""
PLAIN: dict[str, Any] = {"unique": False, "distinct": False, "captured": False}


@dataclass(frozen=True)
class Case:
    """A design with a problem, or a function that makes it, and limits lowered so that a search for it ends soon."""

    made: Any
    limits: dict[str, int] = field(default_factory=dict)

    @cached_property
    def design(self) -> Any:
        return self.made() if callable(self.made) else self.made


def halved() -> bytes:
    """A PNG that was cut off in the middle of its pixels."""
    whole = png_of(np.random.default_rng(1).integers(0, 255, (40, 60, 4), np.uint8))
    return whole[: len(whole) // 2]


def board(*tongues: TongueEdit, corners: tuple[CornerEdit, ...] = (), **parameters: Any) -> Case:
    return Case(JigsawDesign(classic(**parameters), corners, tongues))


def pierced(side: float) -> JigsawDesign:
    """A board of 80 × 60 mm with a square hole, and a tray."""
    low, high = 40.0 - side / 2, 40.0 + side / 2
    rings = [(0.0, 0.0), (80.0, 0.0), (80.0, 60.0), (0.0, 60.0)], [(low, low), (low, high), (high, high), (high, low)]
    path = tuple(tuple((x, y) for x, y in closed_through(np.array(ring)).tolist()) for ring in rings)
    parameters = classic(outline="file", width=80.0, height=60.0, columns=2, rows=2, tongue_size=0.1, tray=True)
    return JigsawDesign(parameters, path=path)


def figures(
    *placed: tuple[str, float, float, float], touches: bool = False, border: str = "inside", **parameters: Any
) -> Case:
    """A board with figures, each by its key, the place of its centre and its height."""
    whimsies = [
        Whimsy(f"figure{number}", key, Pose(x=x, y=y, height=height), touches=touches, border=border)
        for number, (key, x, y, height) in enumerate(placed, 1)
    ]
    return Case(JigsawDesign(classic(**parameters), whimsies=tuple(whimsies)))


def drawn(*line: tuple[float, float]) -> Case:
    """A board of drawn cuts in two halves, with another line."""
    rim = [(0, 0), (100, 0), (100, 60), (0, 60), (0, 0)]
    lines = [through(np.array(each, float)) for each in (rim, [(50, 0), (50, 60)], line)]
    return Case(with_drawn_cuts(JigsawDesign(classic()), lines, 0.05)[0])


def detailed(*line: tuple[float, float]) -> Case:
    """The same board, with a line that is cut as a detail wherever it is."""
    (curve,) = path_of([through(np.array(line, float))])
    return Case(replace(drawn((50, 30), (70, 30)).design, loose=(LooseLine("line1", curve, is_detail=True),)))


def box(*voxels: VoxelEdit, **parameters: Any) -> Case:
    return Case(CubeDesign(CubeParameters(**parameters), voxels=voxels))


def locked(seed: int) -> Case:
    names = sorted(partitioned(CubeDesign()).shell.edge_names)
    edges = tuple(EdgeEdit(name, locked_seed=seed) for name in names)
    return Case(CubeDesign(CubeParameters(x=3, y=3, z=3, seed=99), edges=edges))


def calendar_with(*squares: tuple[int, int]) -> Case:
    return Case(edits.with_piece(CalendarDesign(), squares))


def tray(**parameters: Any) -> Case:
    return Case(CalendarDesign(CalendarParameters(**parameters)))


def small(rows: str, labels: str, *pieces: str, **parameters: Any) -> Case:
    """A board of rows, labels as `cell group value text`, and pieces, each of rows, divided by commas and slashes."""
    named = (each.split(" ") for each in labels.split(",") if each)
    known = tuple(Label(cell, group, int(value), text) for cell, group, value, text in named)
    made = tuple(Piece(f"piece {number}", tuple(each.split("/"))) for number, each in enumerate(pieces))
    return Case(CalendarDesign(CalendarParameters(**parameters), Board(tuple(rows.split("/")), known), made))


def stored(name: str) -> Case:
    return Case(load(Path(__file__).parents[1] / "fabricate" / "designs" / f"{name}.puzzle").design)


def closed_ring(*corners: tuple[float, float]) -> Ring:
    return tuple(map(tuple, closed_through(np.array(corners, float)).tolist()))


def twice(**parameters: Any) -> Case:
    return Case(
        replace(edits.with_piece_duplicated(CalendarDesign(), "L"), parameters=CalendarParameters(**parameters))
    )


def frogs(**parameters: Any) -> Case:
    """Cubes that all have the same colours, so that all pieces are twins."""
    p = ZigzawParameters(scheme="any", colours=4, **parameters)
    return Case(ZigzawDesign(p, (" ".join(["ABC"] * (p.columns + 2)),) * (p.rows + 2)))


def loop(*shape: str, **parameters: Any) -> Case:
    """A slitherlink in a shape, if one is named."""

    def made() -> SlitherlinkDesign:
        design = generate_slitherlink(SlitherlinkParameters(seed=2, **parameters), SILENT)
        wanted = replace(design, shape=shape)
        return carry_slitherlink(replace(design.parameters, seed=1), wanted, SILENT).design if shape else design

    return Case(made)


def few_clues() -> SlitherlinkDesign:
    design = generate_slitherlink(SlitherlinkParameters(), SILENT)
    return design.with_given({cell: False for cell in list(design.clues)[20:]})


def edited_beyond_its_shape() -> SlitherlinkDesign:
    design = loop("##..", "##..", "....", "....", columns=4, rows=4).design
    return flipped(design, design.parameters.form.numbers["C1"])


CROWD = ",".join(f"{cell} {cell} 1 1" for cell in sorted(cell_name(at % 5, at // 5) for at in range(17)))
FULL, DICE = CalendarDesign(), CalendarDesign(CalendarParameters(board="dice"))
TWO = "A1 side 1 left,B1 side 2 right"
AT_ONCE, ONE_BY_ONE = {f"{YEAR}.MOST_STATES_AT_ONCE": 1000}, {f"{SOLVE}.MOST_STATES_A_DATE": 10}
PROVOKED: dict[Problem, Case] = {
    jigsaw.CROSSING: board(perturbation=0.4, tongue_size=0.35, layout_version=1),
    jigsaw.LOOP: board(TongueEdit("C3-D3", size=0.1, slant=0.3, place=0.2), tongue_style="article"),
    jigsaw.BORDER: board(
        TongueEdit("B1-B2", size=0.6, side=-1), columns=3, rows=3, width=90, height=90,
        corners=(CornerEdit("1,1", 0.0, -0.4), CornerEdit("2,1", 0.0, -0.4)),
    ),
    jigsaw.BORDER_LOOP: board(corners=(CornerEdit("1,0", 1.4, 0.0),)),
    jigsaw.COUNT: board(TongueEdit("C3-D3", size=0.02, slant=0.3), tongue_style="article"),
    jigsaw.LOST_PIECE: board(
        columns=3, rows=1, width=60, height=40, perturbation=0.0, plain_share=1.0,
        corners=(CornerEdit("1,0", 1.5, 0.0), CornerEdit("1,1", 1.5, 0.0)),
    ),
    jigsaw.TOUCHING: stored("star-on-a-narrow-arch"),
    jigsaw.PIECE_SEVERED: stored("animals-on-voronoi"),
    # A heart 1.2 mm from the border, where clearance and chamfers take 2.8 mm.
    jigsaw.PIECE_NECK: figures(("heart", 150, 22, 40), least_bridge=0.5, play=2.0, chamfer=0.4),
    # A board with a slit as wide as a fine beam.
    jigsaw.PIECE_GAP: Case(JigsawDesign(
        classic(columns=1, rows=1, width=60, height=40, outline="file"),
        path=(closed_ring((0, 0), (30, 0), (30, 15), (30.2, 15), (30.2, 0), (60, 0), (60, 40), (0, 40)),),
    )),
    jigsaw.SMALL_PIECE: board(columns=1, rows=1, width=5, height=5, scale_limits=False),
    jigsaw.BRIDGE: board(perturbation=0.3, tongue_size=0.3),
    jigsaw.NECK: board(least_neck=3.5),
    jigsaw.PRINTED_NECK: board(least_neck=0.0, play=2.0, line_width=1.5),
    jigsaw.RADIUS: board(tongue_style="ribbon", least_radius=0.75),
    jigsaw.LIMIT: board(least_neck=20.0),
    jigsaw.FIGURE_COVERS: figures(("heart", 150, 75, 300)),
    jigsaw.FIGURE_BEYOND: figures(("fish", 20, 75, 40)),
    jigsaw.FIGURE_AT_BORDER: figures(("heart", 100, 20.5, 40)),
    jigsaw.FIGURES_OVERLAP: figures(("cat", 100, 75, 50), ("star", 110, 80, 40)),
    jigsaw.FIGURES_CLOSE: figures(("heart", 100, 75, 40), ("heart", 143.3, 75, 40)),
    jigsaw.FIGURE_SPLITS: figures(("tree", 130, 75, 170), border="cut-off"),
    jigsaw.FIGURE_HIDDEN: figures(("heart", 100, 75, 60), ("star", 100, 75, 20), touches=True),
    jigsaw.FIGURE_WEDGE: figures(("cat", 90, 75, 50), ("heart", 120, 75, 50), touches=True),
    jigsaw.FIGURE_DETAIL: figures(("train", 100, 75, 8)),
    jigsaw.FIGURE_THIN: figures(("hare", 100, 75, 14)),
    jigsaw.FIGURE_NOTCH: figures(("boat", 100, 75, 9)),
    jigsaw.FIGURE_UNCUT: Case(figures(("cat", 101, 75, 50)).design, {"studio.geometry.board.border.MOST_KNOTS": 0}),
    jigsaw.FIGURE_TONGUES: Case(
        JigsawDesign(classic(), whimsies=(Whimsy("star1", "star", Pose(x=100, y=75, height=24), tongues=8),))
    ),
    jigsaw.FIGURE_LOOP: Case(
        JigsawDesign(
            classic(),
            whimsies=(Whimsy("star1", "star", Pose(x=150, y=75, height=55), tongues=4),),
            tongues=(TongueEdit("star1.1", size=0.6, head=1.5, place=0.35),),
        )
    ),
    jigsaw.ON_FIGURE: Case(
        replace(figures(("star", 100, 75, 60)).design, corners=(CornerEdit("3,2", 0.518, 0.518),))
    ),
    jigsaw.LOOSE_END: drawn((50, 30), (96, 30)),
    jigsaw.LOOSE_FAR: drawn((50, 30), (70, 30)),
    jigsaw.LOOSE_OVER: drawn((50, 30), (50.6, 30)),
    jigsaw.LOOSE_BRIDGE: drawn((50, 30), (70, 30), (80, 20), (90, 30), (80, 40), (70, 30)),
    jigsaw.DETAIL_CROSSES: detailed((30, 30), (70, 30)),
    jigsaw.DETAIL_CLOSE: detailed((50, 30), (99.4, 30)),
    jigsaw.RELIEF_BLANK: board(relief=1.0),
    jigsaw.PROTECTED_TONGUE: Case(JigsawDesign(classic(), mask=Mask((((95, 60), (105, 60), (105, 90), (95, 90)),)))),
    jigsaw.PROTECTED_CORNER: Case(JigsawDesign(classic(), mask=Mask((((95, 70), (105, 70), (105, 80), (95, 80)),)))),
    jigsaw.UNCUT: Case(JigsawDesign(classic(), uncut=Mask((((60, 30), (140, 30), (140, 120), (60, 120)),)))),
    jigsaw.ENGRAVED_BEYOND: Case(JigsawDesign(classic()).with_engraving(Engraving("text1", Pose(x=0), "A"))),
    jigsaw.PICTURE_DAMAGED: Case(JigsawDesign(classic(), picture=BoardPicture(halved(), PNG))),
    jigsaw.TRAY_OPEN: board(tray=True, tray_corner=120.0),
    jigsaw.TRAY_THIN: board(tray=True, tray_corner=48.0, tray_notches=0),
    jigsaw.NOTCH_OPEN: board(tray=True, tray_notch=16.0),
    jigsaw.NOTCH_THIN: board(tray=True, tray_notch=14.0),
    jigsaw.NOTCHES_MEET: board(tray=True, tray_notches=12, tray_rim=60.0, tray_notch=50.0),
    jigsaw.HOLE_OPEN: Case(pierced(3.0)),
    cube.SOLUTIONS: box(seed=0, **PLAIN),
    cube.TWINS: box(seed=18, **PLAIN | {"unique": True}),
    cube.SLIDE: box(seed=0, captured=False),
    cube.SMALL: box(x=3, y=3, z=3, seed=1),
    cube.SYMMETRIC: box(seed=1, **PLAIN),
    cube.NECK: box(seed=4, unit=4.0),
    cube.WIDE_GAP: box(gap=3.0),
    cube.NO_GAP: box(gap=0.0),
    cube.RADIUS: box(radius=5.5),
    cube.STYLE: box(style="voxel", thickness=3.0, radius=0.4),
    cube.SNAP: box(unit=5.0, snap=1.5),
    cube.STIFF_SNAP: box(snap=1.0),
    cube.FACETS: box(x=6, y=6, z=6, style="voxel", segments=128),
    cube.NO_SNAP: box(x=3, y=3, z=3, seed=1, snap=0.4, **PLAIN),
    cube.WALL: box(style="voxel", radius=4.4, least_wall=1.5),
    cube.NO_TEXT: box(inside="text"),
    cube.TALL_TEXT: box(inside="text", text="HAPPY BIRTHDAY", text_height=6.0, x=5, y=5),
    cube.LONG_TEXT: box(inside="text", text="A text that is far too long for the bottom of a box with small sides"),
    cube.NO_ROOM: box(inside="text", text="W", unit=3.0, x=3, y=3, z=3),
    cube.SMALL_TEXT: box(inside="text", text="small", text_height=1.0),
    cube.UNUSED: box(text="Anna"),
    cube.DEEP_TEXT: box(inside="letters", text_depth=9.5),
    cube.DEEPEST_TEXT: box(inside="letters", text_depth=9.5, least_wall=0.0),
    cube.STRAY: box(VoxelEdit("left-front-bottom", "left"), seed=1),
    cube.WISH: locked(seed=0),
    calendar.NO_LABELS: small("......./......./......./......./......./......./.......", "", "##"),
    calendar.GAP: Case(edits.without_labels(FULL, ["C1", "D4"])),
    calendar.DOUBLE: Case(edits.with_label(FULL, "B1", MONTH, "Jan", 1)),
    calendar.ALIKE: Case(edits.with_label(FULL, "B1", MONTH, "Jan", 2)),
    calendar.LETTER: Case(edits.with_label(FULL, "A1", MONTH, "一月", 1)),
    calendar.AREA: calendar_with((0, 0), (0, 1)),
    calendar.PARTS: calendar_with((0, 0), (0, 1), (0, 3)),
    calendar.CORNERS: calendar_with((0, 0), (1, 1)),
    calendar.HOLE: calendar_with((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)),
    calendar.PINCHED: calendar_with((0, 0), (0, 1), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)),
    calendar.FITS_NOWHERE: calendar_with(*((0, column) for column in range(8))),
    calendar.UNUSABLE: small("..", TWO, "##"),
    calendar.TWINS: twice(),
    calendar.NO_DATE: small("...", f"A1 {MONTH} 2 Feb,B1 {DAY} 30 30", "#"),
    calendar.NONE_SOLVED: small("..#/...", TWO, "####"),
    calendar.ONE_UNSOLVED: small("..#/...", "B1 side 1 left", "###/.#."),
    calendar.UNSOLVED: Case(edits.with_piece_drawn(FULL, "V", [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)])),
    calendar.SINGLE: Case(DICE),
    calendar.UNPROVEN: Case(FULL, AT_ONCE | ONE_BY_ONE | {f"{YEAR}.MOST_NODES": 10_000}),
    calendar.TOO_LARGE: Case(DICE, {f"{YEAR}.MOST_STATES_AT_ONCE": 100, f"{CHECKS}.MOST_STATES": 1000}),
    calendar.CROWD: small("/".join(["....."] * 5), CROWD, "####/####"),
    calendar.HARD_TO_READ: tray(text=1.5),
    calendar.LONG: tray(cell=6.0, radius=0.0),
    calendar.SHORTER: tray(text=30.0),
    calendar.RADIUS: tray(radius=10.0),
    calendar.PLAY: tray(cell=12.0, play=1.5),
    calendar.CHAMFER: tray(chamfer=3.0),
    calendar.FRAME_OPEN: tray(frame=5.0, corner=60.0),
    calendar.FRAME_APART: small(".#/#.", "", "#", play=0.0, radius=0.0),
    calendar.FRAME_THIN: tray(frame=3.0),
    zigzaw.AMBIGUOUS: Case(recoloured(frogs().design, [(Cube(4, 3), "T")], 3)),
    zigzaw.UNPROVEN: Case(lambda: generate(ZigzawParameters(triples=5), SILENT)),
    zigzaw.ALIKE: Case(
        replace(frogs().design, paints=(*(Paint(name, "#C41E3A") for name in ("Red", "Ruby")), *palette("cube")[:2]))
    ),
    zigzaw.TWINS: frogs(),
    zigzaw.THIN: frogs(edge=4.0),
    zigzaw.THIN_RIM: frogs(frame="four", border=3.0),
    zigzaw.SMALL_MARKS: frogs(marks="dots", border=3.0),
    zigzaw.SMALL_NUMBERS: frogs(side="back", edge=2.0, body="lizard"),
    slitherlink.AMBIGUOUS: Case(few_clues),
    slitherlink.UNDECIDABLE: Case(
        SlitherlinkDesign(SlitherlinkParameters(columns=3, rows=3), ("..#", "###", "#.."), ("###",) * 3)
    ),
    slitherlink.UNPROVEN: Case(few_clues, {"studio.puzzles.slitherlink.checks.MOST_STEPS": 0}),
    slitherlink.ASYMMETRIC: loop(columns=9, symmetry="quarter"),
    slitherlink.UNLIKE: loop(columns=3, rows=3, loop="outline", difficulty="hard", grid="triangle"),
    slitherlink.CROWDED: loop(
        columns=5, rows=5, grid="triangle", symmetry="mirror", loop="outline", difficulty="easy"
    ),
    slitherlink.STRAIGHT: loop(loop="folded", ratio=3.0),
    slitherlink.SPLIT: loop("##..", "##..", "....", "..##", columns=4, rows=4, loop="outline"),
    slitherlink.OUTSIDE: Case(edited_beyond_its_shape),
    slitherlink.HOLES_MEET: loop(board="pegs", edge=5.0, peg=6.0),
    slitherlink.HOLES_CLOSE: loop(board="pegs", edge=5.0),
    slitherlink.SLOT: loop(board="sticks", edge=7.0),
    slitherlink.WALL: loop(board="sticks", wall=1.0),
    slitherlink.RIM_OPEN: loop(board="sticks", corner=60.0, border=2.0, thickness=6.0),
    slitherlink.RIM_THIN: loop(board="pegs", border=3.0),
    slitherlink.SMALL_CLUES: loop(edge=4.0),
    slitherlink.LARGE_CLUES: loop(clue=10.0),
    slitherlink.CLUES_MEET: loop(clue=60.0),
}  # fmt: skip
"""A design for every problem of every kind."""
EVERY = [(kind, problem) for kind in kinds() for problem in kind.problems]
every_problem = pytest.mark.parametrize(("kind", "problem"), EVERY, ids=lambda one: getattr(one, "title", ""))
every_kind = pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.key)


def found(kind: AnyKind, design: Any) -> tuple[Finding, ...]:
    """All findings of a design, which are each at a place on the drawing, among the problems of its kind."""
    shapes = kind.shape(design, None, Progress())
    findings = kind.check(design, shapes, None, Progress()).findings
    for finding in findings:
        assert finding.problem in kind.problems
        assert 0 <= finding.place[0] <= shapes.drawing.width and 0 <= finding.place[1] <= shapes.drawing.height
    return findings


@pytest.mark.sampled(7)
@every_problem
def test_a_problem_is_found_told_in_a_sentence_and_gone_or_less_once_it_is_repaired(
    kind: AnyKind, problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = PROVOKED[problem]
    for limit, value in case.limits.items():
        monkeypatch.setattr(limit, value)
    some = [finding for finding in found(kind, case.design) if finding.problem == problem]
    assert some and all(finding.message.endswith(".") and "{" not in finding.message for finding in some)
    assert all((finding.kind, finding.severity) == (problem.key, problem.severity) for finding in some)
    repair = next((finding.repair for finding in some if finding.repair), None)
    if repair is not None:
        assert repair.title and not repair.title.endswith(".")
        after = [finding for finding in found(kind, repair.apply(case.design)) if finding.problem == problem]
        assert len(after) < len(some)


@pytest.mark.parametrize("problems", SEVERITIES, ids=lambda module: module.__name__.split(".")[-2])
def test_a_problem_is_as_severe_as_it_is_for_who_cuts_the_board(problems: Any) -> None:
    warnings, hints = (names.split() for names in SEVERITIES[problems])
    known = {name: one.severity for name, one in vars(problems).items() if isinstance(one, Problem)}
    assert {name for name, severity in known.items() if severity is Severity.WARNING} == set(warnings)
    assert {name for name, severity in known.items() if severity is Severity.HINT} == set(hints)


@every_kind
def test_the_problems_of_a_kind_are_told_apart_and_have_words_for_the_manual(kind: AnyKind) -> None:
    assert len(set(kind.problems)) == len(kind.problems)
    assert len({problem.title for problem in kind.problems}) == len(kind.problems)
    for problem in kind.problems:
        assert problem.key.replace("-", "").isalpha() and problem.key.islower()
        assert problem.title[0].isupper() and problem.helps and not problem.title.endswith(".")


@every_kind
def test_findings_and_verdict_are_the_same_on_a_computer_that_takes_an_hour_for_every_step(
    kind: AnyKind, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    design, hours = kind.example(), count(0.0, 3600.0)
    shapes = kind.shape(design, None, Progress())
    fast = kind.check(design, shapes, None, Progress())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for name in ("monotonic", "perf_counter"):
        clock = getattr(time, name)
        for module in [each for path, each in sys.modules.items() if path.startswith("studio.")]:
            if getattr(module, name, None) is clock:
                monkeypatch.setattr(module, name, lambda: next(hours))
    slow = kind.check(design, shapes, None, Progress())
    assert (slow.findings, slow.verdict) == (fast.findings, fast.verdict)


def test_a_year_that_was_counted_with_more_patience_changes_nothing_that_a_check_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for limit, value in PROVOKED[calendar.TOO_LARGE].limits.items():
        monkeypatch.setattr(limit, value)
    before = found(CALENDAR, DICE)
    assert year_of(DICE, Progress()).complete and remembered(DICE) is not None
    assert found(CALENDAR, DICE) == before and [finding.problem for finding in before] == [calendar.TOO_LARGE]

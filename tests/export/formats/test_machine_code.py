"""G-code, HPGL and SVG in pixels, run by simulators that share no code with the studio: path, beam, speed and time."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.exporting.formats import GCODE, HPGL, SVG, Options
from studio.exporting.laser_files import write
from studio.exporting.options import Unreadable
from studio.exporting.writers.path_segments import ready
from studio.fabricate.cutting_time import seconds_of
from studio.fabricate.making import Making, made
from studio.fabricate.plan import plan
from studio.fabricate.workshop import Machine, Material, every, run_of
from studio.geometry.curves.strokes import Curves, Floats, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Recipe, Run, Setting
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.registry import kind, kinds
from tests.depth import examples
from tests.export.proofs import proven
from tests.export.test_arcs import board
from tests.export.test_artwork import painted

Grid = Callable[..., Drawing]
STEP = 0.05
"""Distance in mm between the places of a simulated path."""


@dataclass
class Burnt:
    """A line that a machine burnt: its places in mm, y upwards, its length, power, feed in mm/s and pen."""

    places: list[tuple[float, float]]
    length: float = 0.0
    power: float = 0.0
    feed: float = 0.0
    pen: int = 0


@dataclass
class Job:
    """A job that a machine ran: its lines, its seconds, and where the beam or the pen was moved while off, in mm."""

    lines: list[Burnt]
    seconds: float = 0.0
    travel: float = 0.0
    is_on: bool = False


def on_circle(
    start: tuple[float, float], centre: tuple[float, float], degrees: float
) -> tuple[list[tuple[float, float]], float]:
    """Places along an arc from its start, which turns to the left if degrees are positive, and its length."""
    x, y = start[0] - centre[0], start[1] - centre[1]
    length = abs(np.radians(degrees)) * float(np.hypot(x, y))
    turns = np.radians(degrees) * np.linspace(0, 1, max(2, int(length / STEP) + 2))[1:]
    cos, sin = np.cos(turns), np.sin(turns)
    along = np.column_stack([centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos])
    return [(float(a), float(b)) for a, b in along], length


def burn(code: bytes, rapid: float) -> Job:
    """Run G-code as a GRBL controller that is not in laser mode, so that `S` alone decides about the beam."""
    job, modal, spindle = Job([]), {"S": 0.0, "F": 0.0, "G": -1.0}, ""
    at: tuple[float, float] | None = None
    for row in code.decode("ascii").splitlines():
        words = re.findall(r"([A-Z])\s*(-?[\d.]+)", row.split(";")[0])
        given = {}
        for letter, number in words:
            if letter == "G" and float(number) < 4:
                modal["G"] = float(number)
            elif letter == "M" and float(number) in (3, 4, 5):
                spindle = number
            elif letter in "SF":
                modal[letter] = float(number)
            given[letter] = float(number)
        is_on = spindle in ("3", "4") and modal["S"] > 0
        if "X" in given:
            end = given["X"], given["Y"]
            if modal["G"] == 0:
                assert not is_on, row
                job.travel += 0 if at is None else float(np.hypot(end[0] - at[0], end[1] - at[1]))
                job.lines.append(Burnt([end]))
            else:
                assert is_on and at is not None and modal["F"] > 0, row
                line = job.lines[-1]
                places, length = [end], float(np.hypot(end[0] - at[0], end[1] - at[1]))
                if modal["G"] > 1:
                    centre = at[0] + given["I"], at[1] + given["J"]
                    one, two = (np.arctan2(p[1] - centre[1], p[0] - centre[0]) for p in (at, end))
                    turn = np.degrees(two - one) % 360
                    places, length = on_circle(at, centre, turn if modal["G"] == 3 else turn - 360)
                    assert np.hypot(*np.subtract(places[-1], end)) < 0.002, row
                line.places += places
                line.length += length
                line.power, line.feed = modal["S"], modal["F"] / 60
                job.seconds += length / line.feed
            at = end
        job.is_on = is_on
    job.seconds += job.travel / rapid
    return job


def plot(code: bytes) -> Job:
    """Draw HPGL as a plotter does, which is where its last arc took it."""
    job, pen = Job([]), 0
    at: tuple[float, float] | None = None
    for command, rest in re.findall(r"([A-Z]{2})([^;]*);", re.sub(r'CO"[^"]*";', "", code.decode("ascii"))):
        numbers = [float(number) for number in rest.split(",") if number]
        if command == "SP":
            assert not job.is_on
            pen = int(numbers[0])
        elif command == "AA":
            assert job.is_on and at is not None
            places, length = on_circle(at, (numbers[0] / 40, numbers[1] / 40), numbers[2])
            job.lines[-1].places += places
            job.lines[-1].length += length
            at = places[-1]
        elif command in ("PU", "PD", "PA"):
            job.is_on = job.is_on if command == "PA" else command == "PD"
            for x, y in zip(numbers[::2], numbers[1::2], strict=True):
                end = x / 40, y / 40
                if job.is_on:
                    job.lines[-1].places.append(end)
                    job.lines[-1].length += float(np.hypot(end[0] - at[0], end[1] - at[1])) if at else 0
                else:
                    job.lines.append(Burnt([end], pen=pen))
                at = end
        else:
            assert command in ("IN", "IP")
    return job


def compare(job: Job, drawing: Drawing, most: float, ends: float) -> None:
    """Fail unless a job burnt the lines of a drawing, in its order and direction, and nothing beside the sheet."""
    paths = [path for path in drawing.paths() if path.operation is not Operation.MARK]
    assert len(job.lines) == len(paths) and not job.is_on
    for line, path in zip(job.lines, paths, strict=True):
        wanted = Curves.from_strokes([path.points]).flattened(0.0005).points * (1, -1) + (0, drawing.height)
        found = np.array(line.places)
        for one, other in ((found, wanted), (wanted, found)):
            course = shapely.linestrings(other)
            shapely.prepare(course)
            assert shapely.dwithin(course, shapely.points(one), most).all()
        assert np.abs(found[[0, -1]] - wanted[[0, -1]]).max() <= ends
        # Each way round: the line reaches the middle of the path when half of it is done.
        half = found[len(found) // 4]
        assert shapely.line_locate_point(shapely.linestrings(wanted), shapely.points(half)) < 0.9 * path_length(wanted)
        assert found.min() >= -0.01 and (found.max(axis=0) <= np.add((drawing.width, drawing.height), 0.01)).all()


def lowered(job: Job, drawing: Drawing) -> Job:
    """A plotted job on a sheet as high as the drawing's; one of whole units is up to one higher."""
    lift = np.ceil(round(40 * drawing.height, 6)) / 40 - drawing.height
    for line in job.lines:
        line.places = [(x, y - lift) for x, y in line.places]
    return job


def path_length(points: Floats) -> float:
    return float(np.hypot(*np.diff(points, axis=0).T).sum())


def worked(drawing: Drawing) -> Drawing:
    """A drawing with an engraved and a scored line, and two registration marks."""
    lines = straight(np.array([[(5.0, y), (15.0, y)] for y in (3.0, 6.0, 9.0, 12.0)]))
    first = len(drawing.strokes)
    kinds = (Operation.ENGRAVE, Operation.SCORE, Operation.MARK, Operation.MARK)
    chains = [Chain(kind, np.array([2 * (first + number)])) for number, kind in enumerate(kinds)]
    strokes = Curves.gathered([drawing.strokes, lines])
    return ready(replace(drawing, strokes=strokes, chains=(*drawing.chains, *chains)))


def test_gcode_burns_the_lines_of_boards_in_the_time_of_the_plan() -> None:
    machines = [known.value for known in every(Machine)]
    for number in range(examples(20, 200)):
        drawing, machine = board(number), machines[number % len(machines)]
        options = Options(run=run_of(machine, Material()))
        data = GCODE.write(drawing, options)
        assert proven(GCODE, data, drawing, options).faces == 9
        job = burn(data, machine.rapid_speed)
        compare(job, drawing, 0.0105, 0.0002)
        assert [line.feed for line in job.lines] == pytest.approx([machine.cut_speed] * len(job.lines))
        assert {line.power for line in job.lines} == {1000}
        planned = seconds_of(drawing, replace(machine, pen_up=0))
        assert job.seconds == pytest.approx(planned, rel=0.02), number
        stated = re.search(rb"; time: ([0-9.]+) s", data)
        assert stated is not None and float(stated[1]) == pytest.approx(job.seconds, abs=0.1)


def test_gcode_has_the_order_and_the_time_of_the_cut_plan() -> None:
    machine = Machine()
    found = plan(board(3), machine, progress=SILENT)
    options = Options(run=run_of(machine, Material()))
    job = burn(GCODE.write(found.drawing, options), machine.rapid_speed)
    compare(job, ready(found.drawing), 0.0105, 0.0002)
    assert job.travel == pytest.approx(found.travel, abs=0.01)
    assert job.seconds == pytest.approx(found.seconds - found.pen_ups * machine.pen_up, rel=0.02)


@pytest.mark.parametrize(("version", "most", "ends"), [
    ("whole", 0.028, 0.0126), ("decimals", 0.0105, 0.0006), ("arcs", 0.0105, 0.0006),
])  # fmt: skip
def test_hpgl_draws_the_lines_of_boards(version: str, most: float, ends: float) -> None:
    options = Options(hpgl=version)
    for number in range(examples(20, 200)):
        drawing = board(number)
        data = HPGL.write(drawing, options)
        assert proven(HPGL, data, drawing, options).faces == 9
        compare(lowered(plot(data), drawing), drawing, most, ends)
        assert (b"AA" in data) == (version == "arcs") and (b"." in data.split(b'";')[-1]) == (version != "whole")


@pytest.mark.parametrize("key", [known.key for known in kinds() if known.able(Cuttable)])
def test_every_kind_is_machine_code_too(key: str) -> None:
    """Letters and frames have arcs of half a circle and more."""
    cut = kind(key).need(Cuttable)
    drawing = cut.drawing(kind(key).shape(kind(key).example(), None, SILENT))
    for sheet in made(drawing, Making(), Machine(), Material(), SILENT).plans:
        compare(burn(GCODE.write(sheet.drawing, Options()), 200), ready(sheet.drawing), 0.0105, 0.0002)
        for version, most in (("whole", 0.028), ("decimals", 0.0105), ("arcs", 0.0105)):
            options = Options(hpgl=version)
            data = HPGL.write(sheet.drawing, options)
            assert proven(HPGL, data, ready(sheet.drawing), options).problem == ""
            compare(lowered(plot(data), sheet.drawing), ready(sheet.drawing), most, most / 2)


@pytest.mark.parametrize("tiling", ["bricks", "hexagons", "rings", "hand-cut"])
def test_ends_of_arcs_meet_where_cuts_meet(tiling: str) -> None:
    parameters = JigsawParameters(columns=5, rows=4, width=120, height=96, tiling=tiling)
    drawing = ready(shape(JigsawDesign(parameters), None, SILENT).drawing)
    for known, version in ((GCODE, "whole"), (HPGL, "whole"), (HPGL, "arcs")):
        options = Options(hpgl=version)
        assert proven(known, known.write(drawing, options), drawing, options).faces == len(drawing.pieces)


def test_the_power_the_passes_and_the_air_of_a_recipe_come_first(grid: Grid) -> None:
    drawing = ready(grid(3, 2))
    recipe = Recipe(cut=Setting(power_max=65.0, speed=12.5, passes=3))
    options = Options(run=Run("Laser", "Plywood", 12.5, 80, 60, 250), recipe=recipe, cut_power=10)
    data = GCODE.write(drawing, options)
    job = burn(data, 250)
    passes = [job.lines[at : at + 3] for at in range(0, len(job.lines), 3)]
    assert len(passes) == len(drawing.chains)
    assert all(one.places == other.places for first, *others in passes for one in [first] for other in others)
    assert {line.power for line in job.lines} == {650} and b"M8" not in data and b", 3 passes" in data
    proven(GCODE, data, drawing, options)
    once = replace(options, recipe=Recipe(cut=Setting(power_max=65.0, speed=12.5)))
    with pytest.raises(Unreadable, match="has 3 passes"):
        proven(GCODE, data, drawing, once)
    spent, usual = (burn(GCODE.write(drawing, each), 250).seconds for each in (options, once))
    assert spent > 2.9 * usual


def test_each_operation_has_its_power_speed_and_pen_and_marks_are_left_out(grid: Grid) -> None:
    drawing = worked(grid(3, 2))
    run = Run("Läser! 40 W? × ~1", "Birch – plywood", 12.5, 80, 60, 250)
    options = Options(run=run, cut_power=85, line_power=12.5, max_power=255)
    data = GCODE.write(drawing, options)
    job = burn(data, 250)
    compare(job, drawing, 0.0105, 0.0002)
    assert [(line.feed, line.power) for line in job.lines[:2]] == [(60, 32), (80, 32)]
    assert {(line.feed, line.power) for line in job.lines[2:]} == {(12.5, 217)}
    assert b"left out, as they are never run: 2" in data and b"; machine: Laser_ 40 W_ x _1, laser" in data
    # GRBL would obey these wherever they are.
    assert not set(b"?!~") & set(data) and max(data) < 127
    assert data.index(b"M4 S0") < data.index(b"M8") < data.index(b"G0 X") and data.endswith(b"\nM5\nM9\nM2\n")
    assert b"M8" not in GCODE.write(drawing, replace(options, air=False))
    pens = [line.pen for line in plot(HPGL.write(drawing, Options())).lines]
    assert pens == [1, 2, *[3] * (len(pens) - 3), 4]
    for known in (GCODE, HPGL):
        assert proven(known, known.write(drawing, options), drawing, options).faces == 6


def test_nothing_is_run_outside_the_bed(grid: Grid, tmp_path: Path) -> None:
    small = run_of(replace(Machine(), bed_width=70), Material(), "Small laser")
    for suffix in (".gcode", ".plt"):
        assert write(grid(3, 2), tmp_path / f"a{suffix}", Options(run=small)).faces == 6
        with pytest.raises(StudioError, match=r"80 × 40 mm is larger than the bed of Small laser \(70 × 400 mm\)"):
            write(grid(4, 2), tmp_path / f"b{suffix}", Options(run=small))
        assert not (tmp_path / f"b{suffix}").exists()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (rb"G2 ", b"G3 ", "is moved by"),
        (rb"I-?([0-9.]+) J", rb"I9\1 J", "does not end on its circle|is moved by"),
        (rb" S0\n(?=G1)", b" S500\n", "the beam is on while the head travels"),
        (rb" F900 S1000", b" F900 S0", "the beam is off while the head cuts"),
        (rb" F900 S1000", b" F900 S900", "is run with S900 at 15 mm/s"),
        (rb" F900 S1000", b" F600 S1000", "is run with S1000 at 10 mm/s"),
        (rb"(F900 S1000\nG[123].*)", rb"\1 S999", "changes its power or its speed"),
        (rb"\nM5\n", b"\n", "not switched off at the end"),
        (rb"\nM9\n", b"\n", "air is not switched on or not off"),
        (rb"\nM8\n", b"\n", "air is not switched on or not off"),
        (rb"\nG21\n", b"\nG20\n", "unexpected command"),
        (rb"\nG90\n", b"\n", "before units and beam are set"),
        (rb"\nM4 S0\n", b"\nM3 S0\n", "unexpected command"),
        (rb"time: [0-9]+", b"time: 1", "it states 1 s and takes"),
        (rb"; machine: not", b"; machine: !not", "controllers obey at once"),
        (rb"(?s)(\nG0 .*?)(\nG0 .*?)(?=\nG0 )", rb"\2\1", "cutting order|is missing"),
        (rb"(?s)(\nG0 .*?)(?=\nG0 )", b"", "is missing"),
        (rb"\nM5\nM9\nM2\n", b"\n", "truncated"),
        (rb"sheet: [0-9]+", b"sheet: 60", "its page is 60"),
        (rb"layer CUT_INNER", b"layer CUT_BORDER", "is on layer CUT_BORDER"),
    ],
)
def test_spoiled_gcode_is_refused(old: bytes, new: bytes, words: str) -> None:
    drawing, options = board(4), Options()
    data = GCODE.write(drawing, options)
    spoiled = re.sub(old, new, data, count=1)
    assert spoiled != data and proven(GCODE, data, drawing, options).faces == 9
    with pytest.raises(Unreadable, match=words):
        proven(GCODE, spoiled, drawing, options)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (rb"(AA[^;]*,)-", rb"\1", "is moved by|ends beside"),
        (rb"(AA[^\n]*)\nPU(?=[0-9])", rb"\1\nPA", "is missing|is moved by"),
        (rb"PD;\n", b"", "unexpected line|is missing|is moved by"),
        (rb"\nPU;\nSP0;", b"\nSP0;", "truncated"),
        (rb"PU;\nSP4", b"SP4", "unexpected pen"),
        (rb"SP3", b"SP4", "is on layer CUT_BORDER and should be on CUT_INNER"),
        (rb"IP0,0,[0-9]+", b"IP0,0,9999", "its page is"),
        (rb"IP0,0", b"IP9,0", "start at zero"),
        (rb"IN;\n", b"IN;\nSC0,1,0,1;\n", "start at zero|not an HPGL"),
    ],
)
def test_spoiled_hpgl_is_refused(old: bytes, new: bytes, words: str) -> None:
    drawing, options = board(4), Options(hpgl="arcs")
    data = HPGL.write(drawing, options)
    spoiled = re.sub(old, new, data, count=1)
    assert spoiled != data and proven(HPGL, data, drawing, options).faces == 9
    with pytest.raises(Unreadable, match=words):
        proven(HPGL, spoiled, drawing, options)


def test_an_svg_in_pixels_has_72_of_them_to_an_inch(grid: Grid) -> None:
    drawing, options = painted(grid(4, 3)), Options(svg_unit="px72")
    data = SVG.write(drawing, options)
    root = ElementTree.fromstring(data)
    assert root.get("width") == f"{80 * 72 / 25.4:.4f}px" and root.get("height") == f"{60 * 72 / 25.4:.4f}px"
    assert root.get("viewBox") == f"0 0 {80 * 72 / 25.4:.4f} {60 * 72 / 25.4:.4f}" and b"inkscape" not in data
    lines = [path.get("d", "") for path in root.iter("{http://www.w3.org/2000/svg}path") if path.get("fill") == "none"]
    last = np.array(re.findall(r"(-?[\d.]+) (-?[\d.]+)", lines[-1]), float) * 25.4 / 72
    assert last.min() == pytest.approx(0, abs=1e-4) and last.max(axis=0) == pytest.approx((80, 60), abs=1e-4)
    assert proven(SVG, data, drawing, options).faces == 12
    for other, wrong in ((SVG.write(drawing, Options()), options), (data, Options())):
        with pytest.raises(Unreadable, match=r"no size in (pixels|millimetres)"):
            proven(SVG, other, drawing, wrong)
    with pytest.raises(Unreadable, match="names Inkscape"):
        proven(SVG, data.replace(b"<svg ", b'<svg xmlns:inkscape="inkscape" ', 1), drawing, options)

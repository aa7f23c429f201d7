"""Random boards over all values of the form, on every tiling and outline, some with a picture that cuts follow and
with a protected area: repair leaves none with an error.

python benchmarks/repairs.py [COUNT [FIRST]]; COUNT boards (500) from number FIRST (0) on. A number is the same board in
every run, so a run that was stopped can be continued. The exit code is 1 where a board has an error left, ends in an
exception, has other pieces than before, or was changed where it was locked and that is not said. Progress goes to
standard error.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from studio.base.parameters import ParameterError, declarations
from studio.base.progress import SILENT, Progress
from studio.geometry.art.artwork import PNG
from studio.geometry.board.board_spec import FROM_FILE, OUTLINES, TILINGS
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.picture.board_picture import FILL, FIT, BoardPicture
from studio.puzzles.jigsaw.picture.masks import brushed, changed
from studio.puzzles.jigsaw.repair import Repaired, repaired
from studio.puzzles.jigsaw.repair_search import CheckedBoard

SIZES = (20.0, 80.0, 200.0, 400.0)
EVERY_LOCKED = 7
"""Every which edge is locked."""
BLOBS = 12
"""Coloured ellipses of a picture, whose rims cuts may follow."""


def board(number: int) -> JigsawDesign:
    """A board with any values that the form admits, some tongues locked; the same for the same number."""
    random = Random(number)
    outlines = [each for each in OUTLINES if each != FROM_FILE]
    values: dict[str, Any] = {
        "outline": outlines[number % len(outlines)], "tiling": [*TILINGS][number // len(outlines) % len(TILINGS)],
        "width": random.choice(SIZES), "height": random.choice(SIZES), "columns": random.randint(1, 4),
        "rows": random.randint(1, 4), "seed": random.randrange(10**6),
    }  # fmt: skip
    for known in declarations(JigsawParameters):
        if known.name in values or known.name in ("pieces", "corner_radius") or random.random() < 0.5:
            continue
        if known.choices:
            values[known.name] = random.choice([each.value for each in known.choices if each.value != "own"])
        elif isinstance(known.default, bool):
            values[known.name] = random.random() < 0.5
        elif isinstance(known.default, int):
            values[known.name] = random.randint(int(known.minimum or 0), int(known.maximum or 10))
        else:
            values[known.name] = random.uniform(float(known.minimum or 0.0), float(known.maximum or 1.0))
    while True:
        try:
            design = JigsawDesign(JigsawParameters(**values))
            break
        except ParameterError as problem:
            # What does not go with the other values, or lies in a gap of its bounds, is left at its default.
            del values[problem.name]
    tiling = CheckedBoard.from_design(design, SILENT).shapes.tiling
    locked = [tiling.edge_name(edge) for edge in tiling.graph.inner_edges.tolist()[::EVERY_LOCKED]]
    edits = tuple(TongueEdit(name, locked_seed=values["seed"]) for name in sorted(locked))
    return with_extras(replace(design, tongues=edits), Random(f"extras {number}"))


def with_extras(design: JigsawDesign, random: Random) -> JigsawDesign:
    """A board with what no form holds: perhaps a picture, which cuts perhaps follow, and perhaps a protected area."""
    if random.random() < 0.6:
        place = random.choice((FILL, FIT))
        picture = BoardPicture(blobs(random), PNG, place, scale=random.uniform(0.5, 2.0), turn=random.uniform(-90, 90))
        parameters = replace(design.parameters, follow_colours=random.choice((0.0, 0.3, 0.7, 1.0)))
        design = replace(design, parameters=parameters, picture=picture)
    if random.random() < 0.5:
        width, height = design.size
        for _ in range(random.randint(1, 3)):
            way = [(random.uniform(0, width), random.uniform(0, height)) for _ in range(random.randint(1, 4))]
            area = brushed(np.array(way), random.uniform(0.02, 0.15) * min(width, height), design.size)
            design = replace(design, mask=changed(design.mask, area, design.picture, design.size))
    return design


def blobs(random: Random) -> bytes:
    """A small picture of ellipses in any colours, as a PNG."""
    image = Image.new("RGB", (160, 120), tuple(random.choices(range(256), k=3)))
    draw = ImageDraw.Draw(image)
    for _ in range(BLOBS):
        x, y, across, down = (random.uniform(0, most) for most in (160, 120, 60, 60))
        draw.ellipse((x - across, y - down, x + across, y + down), tuple(random.choices(range(256), k=3)))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def wrong_with(design: JigsawDesign, found: Repaired) -> str:
    """What repair did wrong; empty where all is right."""
    before, after = CheckedBoard.from_design(design, SILENT), CheckedBoard.from_design(found.design, SILENT)
    if found.after.errors or any(finding.severity == 0 for finding in after.checked.findings):
        return f"{found.after.errors} errors left"
    if after.shapes.drawing.pieces.names != before.shapes.drawing.pieces.names:
        return "other pieces"
    changed = {edit.name for edit in design.tongues if edit != found.design.tongue(edit.name)}
    return f"unsaid {sorted(changed - {*found.locked})}" if changed - {*found.locked} else ""


def outcome(number: int) -> tuple[int, str]:
    """How many errors a board had, and what repair did wrong."""
    design, errors = board(number), 0
    try:
        found = repaired(design, Progress())
        errors = found.before.errors
        return errors, wrong_with(design, found)
    except Exception as failure:
        return errors, f"{type(failure).__name__}: {failure}"


def main(arguments: Sequence[str]) -> int:
    """Print what is wrong, and how many boards were repaired in which time."""
    count, first = [*map(int, arguments), *(500, 0)[len(arguments) :]]
    failed, errors, slowest = 0, 0, (0.0, 0)
    for number in range(first, first + count):
        begin = time.process_time()
        had, wrong = outcome(number)
        seconds = time.process_time() - begin
        slowest = max(slowest, (seconds, number))
        errors += had
        if wrong:
            failed += 1
            print(f"board {number}: {wrong}", flush=True)
        print(f"{number - first + 1} of {count}: board {number}, {had} errors, {seconds:.1f} s", file=sys.stderr)
    print(
        f"{count} boards with {errors} errors, {failed} not repaired; the slowest is {slowest[1]}, {slowest[0]:.1f} s"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

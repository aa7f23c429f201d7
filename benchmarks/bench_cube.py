"""What must be fast with cubes: generating, proving, meshing and writing one, so that a slider can be followed live.

The peer of the meshes is the article's own way: OpenSCAD on the shapes that it describes, where OpenSCAD is installed.
The peer of the count is the slow exact cover that the tests hold it against.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np

from benchmarks.report import Row, median, milliseconds, show
from studio.base.progress import Progress
from studio.exporting.writing import SolidOptions, write_solids
from studio.puzzles.cube import geometry
from studio.puzzles.cube.checks import check, made_unique
from studio.puzzles.cube.geometry import CubeShapes, shape
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.partition import _chance, partitioned
from studio.puzzles.cube.shell import AXES, Mask, shell
from studio.puzzles.cube.solve import solved
from tests.puzzles.cube.slow_cover import assemblies

RUNS = 60
DESIGN = CubeDesign()


def fresh_seeds(first: int) -> Callable[[], None]:
    """Generating a cube that was never generated before, with the default options."""
    seeds = count(first)

    def work() -> None:
        assert partitioned(CubeDesign(CubeParameters(seed=next(seeds)))).met

    return work


def counting(size: int) -> tuple[Callable[[], None], Callable[[], None]]:
    """Counting the assemblies of one random cube after the other; and of the first, the slow way."""
    box = shell(size, size, size)
    boxes = [box.masks(owners) for owners in _chance(box, 1, np.arange(RUNS + 1), ())]
    at = count()

    def work() -> None:
        assert solved(box, boxes[next(at) % len(boxes)], Progress()).complete

    def slowly() -> None:
        pieces = [in_space(size, face, mask) for face, mask in enumerate(boxes[0])]
        assert assemblies(pieces, box.size) == solved(box, boxes[0], Progress()).solutions

    return work, slowly


def in_space(size: int, face: int, mask: Mask) -> frozenset[tuple[int, int, int]]:
    """A piece as voxels in space."""
    voxels = set()
    for i, j in np.argwhere(mask).tolist():
        place = dict(zip(AXES[face], (i, j), strict=True)) | {face // 2: (size - 1) * (face % 2)}
        voxels.add((place[0], place[1], place[2]))
    return frozenset(voxels)


def meshes(**form: str) -> Callable[[], None]:
    """The six pieces of the default cube as meshes, from nothing."""
    shapes = shape(CubeDesign(CubeParameters(**form)), None, Progress())  # type: ignore[arg-type]

    def work() -> None:
        geometry.KEPT.forget()
        assert len(replace(shapes).meshes) == 6

    return work


def lettered() -> Callable[[], None]:
    """The six pieces with a text on each, one of them a letter longer than before."""
    texts = count()

    def work() -> None:
        text = f"Left|Right|Front|Back|HAPPY BIRTHDAY|Top {next(texts)}"
        made = shape(CubeDesign(CubeParameters(inside="text", text=text)), None, Progress())
        assert len(made.meshes) == 6

    return work


def live() -> Callable[[], None]:
    """What follows a slider but for the picture: generated, proven and checked, drawn flat and meshed."""
    seeds = count(5000)

    def work() -> None:
        design = CubeDesign(CubeParameters(seed=next(seeds)))
        shapes = shape(design, None, Progress())
        assert check(design, shapes, None, Progress()).solved.solutions == 1
        assert len(shapes.assembled) == 6

    return work


def written(shapes: CubeShapes, folder: Path) -> None:
    """Six STL and one 3MF, looked at, written, read back and compared."""
    write_solids(shapes.bed, folder, SolidOptions(format="stl"))
    write_solids(shapes.bed, folder / "cube.3mf")


def bytes_alone(shapes: CubeShapes, folder: Path) -> None:
    """The numbers of the same triangles put on the disk, and nothing else."""
    for solid in shapes.bed:
        (folder / solid.name).write_bytes(solid.mesh.vertices[solid.mesh.triangles].astype(np.float32).tobytes())


def scad(mask: Mask, size: float = 10.0, gap: float = 0.2, radius: float = 0.8, segments: int = 32) -> str:
    """A piece as the article describes it: eight balls and their hull for a voxel, a cube between two."""
    near, far, margin = radius + gap / 2, size - radius - gap / 2, radius + gap / 2
    corners = [(x, y, z) for x in (near, far) for y in (near, far) for z in (near, far)]
    balls = "".join(f"translate([{x},{y},{z}])sphere({radius},$fn={segments});" for x, y, z in corners)
    lines = [f"module e(){{hull(){{{balls}}}}}", f"module c(){{cube({size - 2 * margin});}}"]
    for i, j in np.argwhere(mask).tolist():
        lines.append(f"translate([{size * i},{size * j},0])e();")
        for di, dj in ((1, 0), (0, 1)):
            if i >= di and j >= dj and mask[i - di, j - dj]:
                x, y = size * (i - di / 2) + margin, size * (j - dj / 2) + margin
                lines.append(f"translate([{x},{y},{margin}])c();")
    return "\n".join(lines)


def by_openscad(shapes: CubeShapes) -> float:
    """How long OpenSCAD takes for all six pieces, in ms, from what it takes for one; 0 where it is not installed."""
    program = shutil.which("openscad")
    if program is None:
        return 0.0
    with tempfile.TemporaryDirectory() as folder:
        mask = shapes.masks[0]
        source, target = Path(folder) / "piece.scad", Path(folder) / "piece.stl"
        source.write_text(scad(mask))
        begin = time.perf_counter()
        subprocess.run([program, str(source), "-o", str(target)], check=True, capture_output=True, timeout=300)
        taken = 1000 * (time.perf_counter() - begin)
    return round(taken / float(mask.sum()) * float(sum(each.sum() for each in shapes.masks)), 1)


def ambiguous() -> CubeDesign:
    """A cube of the classic article that goes together in several ways."""
    for seed in count():
        design = CubeDesign(CubeParameters(unique=False, distinct=False, captured=False, seed=seed))
        found = partitioned(design)
        if solved(found.shell, found.shell.masks(found.owners), Progress()).solutions > 1:
            return design
    raise AssertionError("a quarter of all cubes are such")


def main() -> None:
    """Measure and print."""
    shapes = shape(DESIGN, None, Progress())
    four, four_slowly = counting(4)
    five, five_slowly = counting(5)
    several = ambiguous()
    openscad = by_openscad(shapes)
    peer = "peer: OpenSCAD, the article's, from one piece" if openscad else "peer: OpenSCAD is not installed"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bytes_only = median(milliseconds(partial(bytes_alone, shapes, folder), 9))
        rows = [
            Row(
                "generate 4×4×4: unique, distinct, held", median(milliseconds(fresh_seeds(1000), RUNS)), "ms", 20,
                "floor: counting once", median(milliseconds(four, RUNS)),
            ),
            Row(
                "count the assemblies of 4×4×4", median(milliseconds(four, RUNS)), "ms", 5,
                "peer: exact cover in space", median(milliseconds(four_slowly, 1)),
            ),
            Row(
                "count the assemblies of 5×5×5", median(milliseconds(five, RUNS)), "ms", 5,
                "peer: exact cover in space", median(milliseconds(five_slowly, 1)),
            ),
            Row("six plates, chamfered", median(milliseconds(meshes(), 15)), "ms", 60, peer, openscad),
            Row("six plates, rounded", median(milliseconds(meshes(edge="round"), 15)), "ms", 60, peer, openscad),
            Row(
                "six pieces of rounded voxels, 32 segments", median(milliseconds(meshes(style="voxel"), 5)), "ms", 400,
                peer, openscad,
            ),
            Row(
                "a letter more in a text on six plates", median(milliseconds(lettered(), 15)), "ms", 60,
                "floor: six plates from nothing", median(milliseconds(meshes(), 15)),
            ),
            Row(
                "slider to solids: generated, proven, checked, meshed", median(milliseconds(live(), 30)), "ms", 150,
                "floor: generating", median(milliseconds(fresh_seeds(9000), RUNS)),
            ),
            Row(
                "make unique by the fewest voxels", median(milliseconds(lambda: made_unique(several), 5)), "ms", 1000,
                "floor: counting once", median(milliseconds(four, RUNS)),
            ),
            Row(
                "six STL and one 3MF on disk, read back", median(milliseconds(partial(written, shapes, folder), 9)),
                "ms", 200, "floor: the bytes alone", bytes_only,
            ),
        ]  # fmt: skip
    show(rows)


if __name__ == "__main__":
    main()

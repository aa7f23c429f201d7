"""Squeeze the pieces of the last sheet with spyrrow, an optional package that packs a strip as short as it can.

It runs in a process of its own, which may print, hang or end as it likes: its layout is used only if it is whole, keeps
spacing and margins, and leaves more of the sheet. strip: the part of a sheet along one of its sides; only its length is
searched for. Pieces turn by quarters, and their holes do not count.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from studio.base.errors import StudioError
from studio.base.progress import Progress, cores
from studio.base.texts import tr
from studio.fabricate.nesting import REST_SQUARES, SMALL, Place, are_apart, largest_rectangle
from studio.fabricate.workshop import ROUNDING, Bed
from studio.geometry.planar.regions import Polygons, quartered

ANSWER = "strip:"
"""Begins the line of the child's output with its answer."""
GROWN = 0.05
"""Width in mm by which outlines grow, so that they lose their finest points."""
PATIENCE = 8.0
"""Seconds that the child may take beyond its time limit, to start and to end."""
TICK = 0.1
"""Seconds between two looks at the child."""
LONGEST_ANSWER = 2**24
"""Bytes of the longest output that is read."""
FULLEST = 0.9
"""Share of a sheet that pieces may cover for a second sheet's pieces to be squeezed in."""
BETTER = 1e-3
"""Least gain, as a share of the sheet, that is worth another layout."""


def squeezed(
    outlines: Polygons, places: Sequence[Place], bed: Bed, block: str, seconds: int, progress: Progress
) -> tuple[list[Place], tuple[str, ...]]:
    """Return the better of a layout and a squeezed one, with a note for the maker.

    `outlines` are the pieces without their holes. Two last sheets become one if possible. Raises StudioError without
    spyrrow.
    """
    if find_spec("spyrrow") is None:
        raise StudioError(tr("Squeezing needs the package spyrrow: run `pip install spyrrow`, or set Squeeze to 0."))
    if bed.area is not None:
        return [*places], (tr("Offcuts are not squeezed; the pieces are nested as usual."),)
    last = max(place.sheet for place in places)
    before = _Laid.from_places(outlines, [place for place in places if place.sheet == last], bed)
    tries = [before.places]
    whole = [place for place in places if place.sheet >= last - 1]
    room = bed.inside[0] * bed.inside[1] * FULLEST
    if last and shapely.area(shapely.buffer(outlines[[place.piece for place in whole]], bed.spacing / 2)).sum() < room:
        tries.insert(0, whole)
    for number, own in enumerate(tries):
        part = progress.part(number / len(tries), (number + 1) / len(tries))
        found = _strip(outlines, own, bed, before.across(block), seconds // len(tries), part)
        if found is None:
            continue
        if own is whole:
            rest = [place for place in places if place.sheet < last - 1]
            return [*rest, *(replace(place, sheet=last - 1) for place in found)], (tr("Squeezing saved a sheet."),)
        after = _Laid.from_places(outlines, found, bed)
        gain = after.value(block) - before.value(block)
        if gain > BETTER:
            rest = [place for place in places if place.sheet < last]
            said = tr("Squeezing left {share:.1%} more of the last sheet.", share=gain)
            return [*rest, *(replace(place, sheet=last) for place in found)], (said,)
    return [*places], (tr("Squeezing found nothing better."),)


@dataclass(frozen=True, eq=False)
class _Laid:
    """The pieces of a sheet in their places."""

    places: list[Place]
    shapes: Polygons
    bed: Bed

    @classmethod
    def from_places(cls, outlines: Polygons, places: Sequence[Place], bed: Bed) -> _Laid:
        shapes = [_placed(outlines[place.piece], place) for place in places]
        return cls([*places], np.array(shapes, object), bed)

    @property
    def _box(self) -> tuple[float, float]:
        left, top, right, bottom = shapely.total_bounds(self.shapes).tolist()
        return right - left, bottom - top

    def across(self, block: str) -> tuple[float, bool]:
        """Width of the strip to fill in mm, and True if it runs along the width of the bed."""
        width, height = self.bed.inside
        if block == SMALL:
            return min(self._box[1] + ROUNDING, height), True
        return (height, True) if height <= width else (width, False)

    def value(self, block: str) -> float:
        """Share of the sheet that is left: outside the block's box, or in the largest free rectangle."""
        if block == SMALL:
            return 1.0 - self._box[0] * self._box[1] / self.bed.surface
        step = max(self.bed.width, self.bed.height) / REST_SQUARES
        used = shapely.union_all(shapely.buffer(self.shapes, self.bed.spacing))
        shapely.prepare(used)
        left = np.arange(self.bed.margin, self.bed.width - self.bed.margin - step, step)
        top = np.arange(self.bed.margin, self.bed.height - self.bed.margin - step, step)
        x, y = np.meshgrid(left, top)
        free = ~shapely.intersects(used, shapely.box(x, y, x + step, y + step))
        return largest_rectangle(free) * step**2 / self.bed.surface


def _placed(outline: shapely.Polygon, place: Place) -> shapely.Geometry:
    shift = np.array([place.right, place.down])
    return shapely.transform(outline, lambda points: quartered(points, place.quarters) + shift)


def _strip(
    outlines: Polygons, places: Sequence[Place], bed: Bed, across: tuple[float, bool], seconds: int, progress: Progress
) -> list[Place] | None:
    """Pack pieces of some places into a strip; None if no layout is found that fits, or the answer is unusable."""
    (width, is_along), step = across, bed.margin
    copies = {piece: [place.copy for place in own]
              for piece, own in groupby(sorted(places, key=lambda place: (place.piece, place.copy)),
                                        lambda place: place.piece)}  # fmt: skip
    items = []
    for piece, own in copies.items():
        simple = shapely.simplify(shapely.buffer(shapely.Polygon(outlines[piece].exterior), GROWN), GROWN)
        points = shapely.get_coordinates(simple)[:-1]
        items.append({"id": str(piece), "shape": np.round(points, 4).tolist(), "demand": len(own)})
    asked = {"items": items, "height": width, "separation": bed.spacing, "seconds": seconds, "workers": cores()}
    answer = _answer(asked, seconds, progress)
    found = _as_places(answer, copies)
    if found is None:
        return None
    if not is_along:
        found = [
            replace(place, quarters=(place.quarters + 1) % 4, right=-place.down, down=place.right) for place in found
        ]
    laid = _Laid.from_places(outlines, found, bed)
    left, top = shapely.total_bounds(laid.shapes)[:2].tolist()
    found = [replace(place, right=place.right + step - left, down=place.down + step - top) for place in found]
    return found if are_apart(_Laid.from_places(outlines, found, bed).shapes, bed) else None


def _as_places(answer: Any, copies: dict[int, list[int]]) -> list[Place] | None:
    """Read places from an answer; None if it is not one place for each copy in quarter turns."""
    found: list[Place] = []
    left = {piece: [*own] for piece, own in copies.items()}
    try:
        for item, degrees, x, y in answer:
            quarters = round(float(degrees) / 90.0)
            if abs(float(degrees) - 90.0 * quarters) > ROUNDING or not np.isfinite([float(x), float(y)]).all():
                return None
            found.append(Place(int(item), left[int(item)].pop(0), 0, quarters % 4, float(x), float(y)))
    except (TypeError, ValueError, KeyError, IndexError, OverflowError):
        return None
    return None if any(left.values()) else found


def _answer(asked: dict[str, Any], seconds: int, progress: Progress) -> Any:
    """Ask the child process; None if it ends without an answer or takes too long."""
    root = str(Path(__file__).resolve().parents[2])
    paths = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH", ""))))
    with tempfile.TemporaryFile() as sent, tempfile.TemporaryFile() as received:
        sent.write(json.dumps(asked).encode())
        sent.seek(0)
        child = subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=sent, stdout=received, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
        )  # fmt: skip
        try:
            begin = time.monotonic()
            while child.poll() is None and (taken := time.monotonic() - begin) < seconds + PATIENCE:
                progress.step(min(taken / seconds, 1.0), tr("Squeezing pieces"))
                time.sleep(TICK)
        finally:
            child.kill()
            child.wait()
        received.seek(0)
        lines = received.read(LONGEST_ANSWER).decode("utf-8", "replace").splitlines()
    for line in reversed(lines):
        if line.startswith(ANSWER):
            try:
                return json.loads(line.removeprefix(ANSWER))
            except ValueError:
                return None
    return None


def main() -> None:
    """Pack the strip that standard input describes, and print the places: item, degrees, x and y."""
    import spyrrow

    asked = json.load(sys.stdin)
    turns = [0.0, 90.0, 180.0, 270.0]
    items = [
        spyrrow.Item(item["id"], [tuple(point) for point in item["shape"]], item["demand"], turns)
        for item in asked["items"]
    ]
    strip = spyrrow.StripPackingInstance("strip", asked["height"], items)
    config = spyrrow.StripPackingConfig(
        total_computation_time=asked["seconds"], min_items_separation=asked["separation"] or None,
        num_workers=asked["workers"], seed=1,
    )  # fmt: skip
    found = strip.solve(config)
    places = [(one.id, one.rotation, *one.translation) for one in found.placed_items]
    print(f"\n{ANSWER}{json.dumps(places)}", flush=True)


if __name__ == "__main__":
    main()

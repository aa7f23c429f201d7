"""What a hand can do to a jigsaw: every edit takes a design with its shapes and returns another design.

Canvas, tables and inspector all edit through these; values out of bounds are brought to the nearest bound, because
a hand that drags past a bound means the bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from studio.puzzles.jigsaw.geometry import PLAIN, SIDE, JigsawShapes
from studio.puzzles.jigsaw.model import PLACE_BOUNDS, SIZE_BOUNDS, SLANT_BOUNDS, JigsawDesign, TongueEdit

BOUNDS = {"size": SIZE_BOUNDS, "place": PLACE_BOUNDS, "slant": SLANT_BOUNDS}


DECIMALS = 12
"""Of a corner's shift in cells: finer than a nanometre on any board."""


def with_corners_at(shapes: JigsawShapes, places: Mapping[int, tuple[float, float]]) -> JigsawDesign:
    """Corners moved to places in mm; they stay on the board, those of the border on it, and the board's own stay."""
    tiling = shapes.tiling
    width, height = tiling.size
    moved = {}
    for corner, (x, y) in places.items():
        if not tiling.freedom[corner].any():
            continue
        home_x, home_y = tiling.homes[corner].tolist()
        x, y = min(max(x, 0.0), width), min(max(y, 0.0), height)
        across, down = tiling.freedom[corner].tolist()
        cell_x, cell_y = tiling.cell.tolist()
        right, below = across * (x - home_x) / cell_x, down * (y - home_y) / cell_y
        moved[tiling.corner_name(corner)] = (_tidy(right), _tidy(below))
    return shapes.design.with_corners(moved)


def _tidy(cells: float) -> float:
    """Cells without the noise of the sums behind them, and without a negative zero."""
    return round(cells, DECIMALS) + 0.0


def with_corners_reset(shapes: JigsawShapes, corners: Iterable[int]) -> JigsawDesign:
    """Corners back where the parameters put them."""
    return shapes.design.without_corners(shapes.tiling.corner_name(corner) for corner in corners)


def _changed(shapes: JigsawShapes, tongues: Iterable[int], change: Any) -> JigsawDesign:
    edits = []
    for tongue in tongues:
        name = shapes.tiling.edge_name(tongue)
        edits.append(change(shapes.design.tongue(name), tongue))
    return shapes.design.with_tongues(edits)


def with_tongues_flipped(shapes: JigsawShapes, tongues: Iterable[int]) -> JigsawDesign:
    """Tongues turned to the other side; a plain one becomes a tongue."""

    def flip(edit: TongueEdit, tongue: int) -> TongueEdit:
        side = -int(shapes.tongues[tongue, SIDE])
        plain = False if shapes.tongues[tongue, PLAIN] > 0.5 else edit.plain
        return replace(edit, side=side, plain=plain)

    return _changed(shapes, tongues, flip)


def with_tongues_plain(shapes: JigsawShapes, tongues: Iterable[int], plain: bool) -> JigsawDesign:
    """Tongues made plain, or plain edges made tongues."""
    return _changed(shapes, tongues, lambda edit, _tongue: replace(edit, plain=plain))


def with_tongues_turned(shapes: JigsawShapes, tongues: Iterable[int], side: int) -> JigsawDesign:
    """Tongues, plain ones too, with their knob on one side: 1 or -1."""
    return _changed(
        shapes,
        tongues,
        lambda edit, tongue: replace(
            edit, side=side, plain=False if shapes.tongues[tongue, PLAIN] > 0.5 else edit.plain
        ),
    )


def with_tongues_shaped(shapes: JigsawShapes, values: Mapping[int, Mapping[str, float]]) -> JigsawDesign:
    """Tongues with another `size`, `place` or `slant`, as shares of their edge."""

    def shape(edit: TongueEdit, tongue: int) -> TongueEdit:
        held = {name: min(max(value, BOUNDS[name][0]), BOUNDS[name][1]) for name, value in values[tongue].items()}
        return replace(edit, **held)  # type: ignore[arg-type]

    return _changed(shapes, values, shape)


def with_tongues_rolled(shapes: JigsawShapes, tongues: Iterable[int]) -> JigsawDesign:
    """Tongues dealt anew, hand edits and all; locked ones stay as they are."""

    def roll(edit: TongueEdit, _tongue: int) -> TongueEdit:
        return edit if edit.locked_seed is not None else TongueEdit(edit.name, rolls=edit.rolls + 1)

    return _changed(shapes, tongues, roll)


def with_tongues_locked(shapes: JigsawShapes, tongues: Iterable[int], locked: bool) -> JigsawDesign:
    """Tongues that keep their shape when the seed changes or all is dealt anew, or no longer do."""
    seed = shapes.design.parameters.seed

    def lock(edit: TongueEdit, _tongue: int) -> TongueEdit:
        kept = edit.locked_seed if edit.locked_seed is not None else seed
        return replace(edit, locked_seed=kept if locked else None)

    return _changed(shapes, tongues, lock)


def with_tongues_reset(shapes: JigsawShapes, tongues: Iterable[int]) -> JigsawDesign:
    """Tongues back to what chance gave them."""
    return _changed(shapes, tongues, lambda edit, _tongue: TongueEdit(edit.name))

"""The edits of a jigsaw: each takes a design with its shapes and returns another design.

Canvas, tables and inspector all edit through these; values out of bounds are brought to the nearest bound, because
a drag past a bound means the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.board.board_spec import FROM_FILE, PATH_DECIMALS, path_of
from studio.geometry.board.tiling import FIXED
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.jigsaw.model.design import BOUNDS, MOST_ACROSS, JigsawDesign, TongueEdit
from studio.puzzles.jigsaw.model.generate import without_lost_edits
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import tiling_of
from studio.puzzles.jigsaw.tongues.styles import OWN
from studio.puzzles.jigsaw.tongues.tongues import COLUMNS, SIDE, SIZE
from studio.puzzles.kind import Generated

DECIMALS = 12
"""Of a corner's shift in cells: finer than a nanometre on any board."""
SAME_PLACE, SAME_SHARE = 1e-9, 1e-12
"""Offsets in mm, and differences of a tongue's numbers, that are only rounding errors."""


def with_corners_at(shapes: JigsawShapes, places: Mapping[int, Sequence[float]]) -> JigsawDesign:
    """Corners moved to places in mm; they stay on the board, those of the border on it, and the board's own stay.

    Where no corner moves, the design stays as it is without new edits.
    """
    chosen = np.array([*places], np.int64)
    wanted = shapes.tiling.reached(chosen, np.array([*places.values()]).reshape(-1, 2))
    offsets = shapes.tiling.freedom[chosen] * (wanted - shapes.corners[chosen])
    return _held_at(shapes, chosen, wanted) if (np.abs(offsets) > SAME_PLACE).any() else shapes.design


def with_corners_held(shapes: JigsawShapes, corners: Iterable[int]) -> JigsawDesign:
    """Corners that stay where they are whatever the parameters say."""
    chosen = np.array([*corners], np.int64)
    return _held_at(shapes, chosen, shapes.corners[chosen])


def _held_at(shapes: JigsawShapes, chosen: Ints, places: Floats) -> JigsawDesign:
    tiling = shapes.tiling
    can = tiling.tracks[chosen] != FIXED
    chosen, places = chosen[can], places[can]
    shifts = (tiling.freedom[chosen] * (places - tiling.homes[chosen]) / tiling.scale).tolist()
    # Without the noise of the sums behind them, and without a negative zero.
    tidy = [(round(right, DECIMALS) + 0.0, round(down, DECIMALS) + 0.0) for right, down in shifts]
    names = [tiling.corner_name(corner) for corner in chosen.tolist()]
    return shapes.design.with_corners(dict(zip(names, tidy, strict=True)))


def cuts_between(shapes: JigsawShapes, pieces: Collection[int]) -> list[int]:
    """The cuts of which both sides are among some pieces."""
    inner = shapes.tiling.graph.inner_edges
    both = np.isin(shapes.tiling.graph.sides[inner], [*pieces]).all(axis=1)
    return [int(cut) for cut in inner[both]]


def with_pieces_merged(design: JigsawDesign, cuts: Iterable[str], progress: Progress) -> Generated[JigsawDesign]:
    """Some cuts left out by their names, so that the pieces on either side are one; edits of what is gone go too."""
    return without_lost_edits(design.with_cuts(merged=cuts), progress)


def merged_cuts(shapes: JigsawShapes, pieces: Collection[int]) -> list[str]:
    """The names of the cuts that are left out of some pieces."""
    design = shapes.design
    whole = tiling_of(replace(design, merged=()))
    sides = {name: whole.graph.sides[whole.edge_indices[name]].tolist() for name in design.merged}
    wanted = {shapes.tiling.piece_name(piece) for piece in pieces}
    reached = {face for pair in sides.values() for face in pair if whole.piece_name(face) in wanted}
    found: set[str] = set()
    while more := {name for name, pair in sides.items() if name not in found and not reached.isdisjoint(pair)}:
        found |= more
        reached |= {face for name in more for face in sides[name]}
    return sorted(found)


def with_pieces_parted(design: JigsawDesign, cuts: Iterable[str], progress: Progress) -> Generated[JigsawDesign]:
    """Merged pieces parted along cuts that were left out, by their names."""
    return without_lost_edits(design.with_cuts(parted=cuts), progress)


def with_outline(
    design: JigsawDesign, rings: Sequence[Floats], size: tuple[float, float], progress: Progress
) -> Generated[JigsawDesign]:
    """A board of the form of closed curves (3k + 1, 2) in mm, `size` mm wide and high, in pieces as large as before.

    Edits away from the border are kept. Raises StudioError where the board would be too small or too large, or where
    its outline has details that no cuts follow.
    """
    before = design.parameters
    across, down = (
        min(max(1, round(length / cell)), MOST_ACROSS) for length, cell in zip(size, before.cell, strict=True)
    )
    parameters = replace(
        before, outline=FROM_FILE, width=round(size[0], PATH_DECIMALS), height=round(size[1], PATH_DECIMALS),
        columns=across, rows=down,
    )  # fmt: skip
    return without_lost_edits(replace(design, parameters=parameters, path=path_of(rings)), progress)


def with_reset(shapes: JigsawShapes, corners: Iterable[int] = (), tongues: Iterable[int] = ()) -> JigsawDesign:
    """Corners and tongues reset to the parameters and the seed."""
    design = shapes.design.without_corners(shapes.tiling.corner_name(corner) for corner in corners)
    return design.with_tongues(TongueEdit(shapes.tiling.tongue_name(tongue)) for tongue in tongues)


def _changed(
    shapes: JigsawShapes, tongues: Iterable[int], change: Callable[[TongueEdit, int], TongueEdit]
) -> JigsawDesign:
    return shapes.design.with_tongues(change(shapes.decided(tongue), tongue) for tongue in tongues)


def with_tongues_turned(shapes: JigsawShapes, sides: Mapping[int, int]) -> JigsawDesign:
    """Tongues pointing to the given sides, 1 or -1; straight edges become tongues."""

    def turn(edit: TongueEdit, tongue: int) -> TongueEdit:
        return replace(edit, side=sides[tongue], plain=False if shapes.plain[tongue] else edit.plain, ruled=False)

    return _changed(shapes, sides, turn)


def with_tongues_flipped(shapes: JigsawShapes, tongues: Iterable[int]) -> JigsawDesign:
    """Tongues flipped to the other side; a straight edge becomes a tongue."""
    return with_tongues_turned(shapes, {tongue: -int(shapes.tongues[tongue, SIDE]) for tongue in tongues})


def with_tongues_plain(shapes: JigsawShapes, tongues: Iterable[int], plain: bool) -> JigsawDesign:
    """Tongues made straight edges, or the other way round."""
    return _changed(shapes, tongues, lambda edit, _tongue: replace(edit, plain=plain, ruled=plain and edit.ruled))


def with_tongues_shaped(shapes: JigsawShapes, values: Mapping[int, Mapping[str, float]]) -> JigsawDesign:
    """Tongues with another `size`, `place` or `slant`, as shares of their edge, or with parts of another scale.

    Where all have these values already, the design stays as it is without new edits.
    """
    held = {
        tongue: {name: min(max(value, BOUNDS[name][0]), BOUNDS[name][1]) for name, value in named.items()}
        for tongue, named in values.items()
    }
    if all(
        abs(value - shapes.tongues[tongue, COLUMNS[name]]) <= SAME_SHARE
        for tongue, named in held.items()
        for name, value in named.items()
    ):
        return shapes.design
    return _changed(shapes, held, lambda edit, tongue: replace(edit, **held[tongue]))  # type: ignore[arg-type]


def with_tongues_scaled(
    shapes: JigsawShapes, tongues: Iterable[int], name: str, factor: float
) -> tuple[JigsawDesign, int]:
    """Tongues with one of their numbers multiplied, and how many reach a bound of it; straight edges stay."""
    chosen = [tongue for tongue in tongues if not shapes.plain[tongue]]
    low, high = BOUNDS[name]
    values = {tongue: factor * float(shapes.tongues[tongue, COLUMNS[name]]) for tongue in chosen}
    clipped = sum(not low <= value <= high for value in values.values())
    return with_tongues_shaped(shapes, {tongue: {name: value} for tongue, value in values.items()}), clipped


def with_tongues_alike(shapes: JigsawShapes, tongues: Iterable[int], copied: TongueEdit) -> JigsawDesign:
    """Tongues of a copied shape; straight edges become tongues, and sides, locks and seeds stay.

    Where all have this shape already, the design stays as it is without new edits.
    """
    from studio.puzzles.jigsaw.tongues.percent import signs

    chosen = np.array([*tongues], np.int64)
    others = [tongue for tongue in chosen.tolist() if copied.style not in (None, shapes.style_of(tongue).key)]
    if others:
        shapes = shape(with_tongues_styled(shapes, others, copied.style), shapes, SILENT)
    columns = {name: value for name in COLUMNS if (value := getattr(copied, name)) is not None}
    values: dict[int, dict[str, float]] = {tongue: {} for tongue in chosen.tolist()}
    for name, value in columns.items():
        for tongue, sign in zip(chosen.tolist(), signs(shapes, chosen, name).tolist(), strict=True):
            values[tongue][name] = value * sign + 0.0
    design = with_tongues_shaped(shapes, values)
    straight = [shapes.tiling.tongue_name(tongue) for tongue in chosen[shapes.plain[chosen]].tolist()]
    return design.with_tongues(replace(design.tongue(name), plain=False, ruled=False) for name in straight)


def with_tongues_styled(shapes: JigsawShapes, tongues: Iterable[int], style: str | None) -> JigsawDesign:
    """Tongues in a style of their own, by its key, or again in the one that the parameters and the seed give them.

    Raises StudioError for a custom style where there is no profile.
    """
    if style == OWN and shapes.design.profile is None:
        raise StudioError(tr("Draw or import a custom tongue first."))
    return _changed(shapes, tongues, lambda edit, _tongue: replace(edit, style=style))


def with_tongues_held(shapes: JigsawShapes, tongues: Iterable[int]) -> JigsawDesign:
    """Tongues that keep their size whatever the parameters say."""
    return _changed(shapes, tongues, lambda edit, tongue: replace(edit, size=float(shapes.tongues[tongue, SIZE])))


def with_tongues_rolled(shapes: JigsawShapes, tongues: Iterable[int]) -> JigsawDesign:
    """Tongues randomised, their edits dropped; locked ones stay as they are."""

    def roll(edit: TongueEdit, _tongue: int) -> TongueEdit:
        return edit if edit.locked_seed is not None else TongueEdit(edit.name, rolls=edit.rolls + 1)

    return _changed(shapes, tongues, roll)


def with_tongues_locked(shapes: JigsawShapes, tongues: Iterable[int], locked: bool) -> JigsawDesign:
    """Tongues locked, so that they keep their shape when the seed changes, or unlocked."""
    seed = shapes.design.parameters.seed

    def lock(edit: TongueEdit, _tongue: int) -> TongueEdit:
        kept = edit.locked_seed if edit.locked_seed is not None else seed
        return replace(edit, locked_seed=kept if locked else None)

    return _changed(shapes, tongues, lock)

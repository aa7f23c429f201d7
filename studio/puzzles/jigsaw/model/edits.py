"""Edits of a jigsaw: each takes a design with its shapes and returns a new design.

Canvas, tables and inspector all edit through these; values out of bounds are clamped, because a drag past a bound means
the bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import SILENT, Progress, lazy
from studio.base.texts import tr
from studio.geometry.board.board_spec import DRAWN as DRAWN_CUTS
from studio.geometry.board.board_spec import FLOW_LINES, FROM_FILE, NO_FLOW, PATH_DECIMALS, path_of
from studio.geometry.board.tiling import FIXED
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.jigsaw.model.design import (
    BOUNDS,
    KEEPS_OUTLINE,
    MOST_ACROSS,
    NEWEST_LAYOUT,
    JigsawDesign,
    TongueEdit,
)
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import carry, tiling_of, verify, without_lost_edits
from studio.puzzles.jigsaw.tongues.styles import OWN
from studio.puzzles.jigsaw.tongues.tongues import COLUMNS, SIDE, SIZE
from studio.puzzles.kind import Generated
from studio.puzzles.named_edits import indices_of

WAY_DECIMALS = 6
"""Decimals of the places of flow lines, as shares of the board."""
DECIMALS = 12
"""Decimals of a corner's shift in cells: finer than a nanometre on any board."""
SAME_PLACE, SAME_SHARE = 1e-9, 1e-12
"""Offsets in mm, and differences of a tongue's values, that are rounding errors."""
NEAR_ENOUGH = 0.1
"""Distance in mm between a place that is written and the one on a border or an outline that is meant."""


def with_corners_at(shapes: JigsawShapes, places: Mapping[int, Sequence[float]]) -> JigsawDesign:
    """Move corners to places in mm, within the board or along the border; the board's own corners stay.

    If no corner moves, the design is returned without new edits.
    """
    chosen = np.array([*places], np.int64)
    wanted = shapes.tiling.reached(chosen, np.array([*places.values()]).reshape(-1, 2))
    offsets = shapes.tiling.freedom[chosen] * (wanted - shapes.corners[chosen])
    return _held_at(shapes, chosen, wanted) if (np.abs(offsets) > SAME_PLACE).any() else shapes.design


def with_corners_held(shapes: JigsawShapes, corners: Iterable[int]) -> JigsawDesign:
    """Fix corners at their places, independent of the parameters."""
    chosen = np.array([*corners], np.int64)
    return _held_at(shapes, chosen, shapes.corners[chosen])


def _held_at(shapes: JigsawShapes, chosen: Ints, places: Floats) -> JigsawDesign:
    tiling = shapes.tiling
    can = tiling.tracks[chosen] != FIXED
    chosen, places = chosen[can], places[can]
    shifts = (tiling.freedom[chosen] * (places - tiling.homes[chosen]) / tiling.scale).tolist()
    # Remove rounding noise and negative zeros.
    tidy = [(round(right, DECIMALS) + 0.0, round(down, DECIMALS) + 0.0) for right, down in shifts]
    names = [tiling.corner_name(corner) for corner in chosen.tolist()]
    return shapes.design.with_corners(dict(zip(names, tidy, strict=True)))


def cuts_between(shapes: JigsawShapes, pieces: Collection[int]) -> list[int]:
    """Cuts with both sides among some pieces."""
    inner = shapes.tiling.graph.inner_edges
    both = np.isin(shapes.tiling.graph.sides[inner], [*pieces]).all(axis=1)
    return [int(cut) for cut in inner[both]]


def with_pieces_merged(design: JigsawDesign, cuts: Iterable[str], progress: Progress) -> Generated[JigsawDesign]:
    """Merge pieces by omitting the named cuts between them; edits of removed elements are dropped."""
    tiling = tiling_of(design)
    seams = [*map(tiling.edge_name, tiling.seams.edges.tolist())]
    for name in (cuts := [*cuts]):
        if name in seams:
            raise StudioError(tr("Cut {name} belongs to a figure and cannot be left out.", name=name))
    return without_lost_edits(design.with_cuts(merged=cuts), progress)


def merged_cuts(shapes: JigsawShapes, pieces: Collection[int]) -> list[str]:
    """Names of the cuts omitted inside some pieces."""
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
    """Split merged pieces along omitted cuts, given by name."""
    return without_lost_edits(design.with_cuts(parted=cuts), progress)


def with_drop_outs(design: JigsawDesign, progress: Progress, names: Iterable[str]) -> JigsawDesign:
    """Leave pieces open, as holes of the puzzle. Raise StudioError if too few pieces remain."""
    tiling = tiling_of(design, progress)
    pieces = [*tiling.piece_names, *(one.piece for one in tiling.fillings)]
    indices_of(dict.fromkeys(pieces, 0), names)  # refuses a piece that is not there
    changed = design.with_drop_outs(names)
    verify(changed)
    return changed


def without_drop_outs(design: JigsawDesign, _progress: Progress, names: Iterable[str]) -> JigsawDesign:
    """Cut pieces again that were left open."""
    indices_of(dict.fromkeys(design.dropped, 0), names)  # refuses a piece that is none
    return design.with_drop_outs(restored=names)


def with_outline(
    design: JigsawDesign, rings: Sequence[Floats], size: tuple[float, float], progress: Progress
) -> Generated[JigsawDesign]:
    """Give the board the form of closed curves in mm, shape (3k + 1, 2), and a size in mm; pieces keep their size.

    Edits away from the border are kept. Raise StudioError if the board would be too small or too large, or its outline
    has details that no cuts can follow.
    """
    before = design.parameters
    if before.tiling == DRAWN_CUTS:
        raise ParameterError("outline", KEEPS_OUTLINE)
    across, down = (
        min(max(1, round(length / cell)), MOST_ACROSS) for length, cell in zip(size, before.cell, strict=True)
    )
    parameters = replace(
        before, outline=FROM_FILE, width=round(size[0], PATH_DECIMALS), height=round(size[1], PATH_DECIMALS),
        columns=across, rows=down,
    )  # fmt: skip
    return without_lost_edits(replace(design, parameters=parameters, path=path_of(rings)), progress)


def with_reset(shapes: JigsawShapes, corners: Iterable[int] = (), tongues: Iterable[int] = ()) -> JigsawDesign:
    """Reset corners and tongues to the parameters and the seed."""
    design = shapes.design.without_corners(shapes.tiling.corner_name(corner) for corner in corners)
    return design.with_tongues(TongueEdit(shapes.tiling.tongue_name(tongue)) for tongue in tongues)


def _changed(
    shapes: JigsawShapes, tongues: Iterable[int], change: Callable[[TongueEdit, int], TongueEdit]
) -> JigsawDesign:
    return shapes.design.with_tongues(change(shapes.decided(tongue), tongue) for tongue in tongues)


def with_tongues_turned(shapes: JigsawShapes, sides: Mapping[int, int]) -> JigsawDesign:
    """Point tongues to the given sides, 1 or -1; straight edges become tongues, and drawn curves are mirrored."""

    def turn(edit: TongueEdit, tongue: int) -> TongueEdit:
        if shapes.drawn[tongue] and not shapes.plain[tongue]:
            return replace(edit, side=sides[tongue])
        return replace(edit, side=sides[tongue], plain=False if shapes.plain[tongue] else edit.plain, ruled=False)

    return _changed(shapes, sides, turn)


def with_tongues_flipped(shapes: JigsawShapes, tongues: Iterable[int]) -> JigsawDesign:
    """Flip tongues to the other side; a straight edge becomes a tongue."""
    return with_tongues_turned(shapes, {tongue: -int(shapes.tongues[tongue, SIDE]) for tongue in tongues})


def with_tongues_plain(shapes: JigsawShapes, tongues: Iterable[int], plain: bool) -> JigsawDesign:
    """Turn tongues into straight edges, or straight edges into tongues."""
    return _changed(shapes, tongues, lambda edit, _tongue: replace(edit, plain=plain, ruled=plain and edit.ruled))


def with_tongues_shaped(shapes: JigsawShapes, values: Mapping[int, Mapping[str, float]]) -> JigsawDesign:
    """Set `size`, `place` or `slant` of tongues, as fractions of their edge, or the scale of their parts.

    If all tongues have these values already, the design is returned without new edits.
    """
    held = {
        tongue: {name: min(max(value, BOUNDS[name][0]), BOUNDS[name][1]) for name, value in named.items()}
        for tongue, named in values.items()
        if not shapes.drawn[tongue]
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
    """Multiply a value of tongues, except straight edges; also return the number of values clamped to a bound."""
    chosen = [tongue for tongue in tongues if not shapes.plain[tongue] and not shapes.drawn[tongue]]
    low, high = BOUNDS[name]
    values = {tongue: factor * float(shapes.tongues[tongue, COLUMNS[name]]) for tongue in chosen}
    clipped = sum(not low <= value <= high for value in values.values())
    return with_tongues_shaped(shapes, {tongue: {name: value} for tongue, value in values.items()}), clipped


def with_tongues_alike(shapes: JigsawShapes, tongues: Iterable[int], copied: TongueEdit) -> JigsawDesign:
    """Give tongues a copied shape; straight edges become tongues, and sides, locks and seeds stay.

    If all tongues have this shape already, the design is returned without new edits.
    """
    from studio.puzzles.jigsaw.tongues.values import signs

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
    """Set the style of tongues by its key, or with None reset it to the parameters and the seed.

    Raise StudioError for a custom style on a design without a profile.
    """
    if style == OWN and shapes.design.profile is None:
        raise StudioError(tr("Draw or import a custom tongue first."))
    return _changed(shapes, tongues, lambda edit, _tongue: replace(edit, style=style))


def with_tongues_held(shapes: JigsawShapes, tongues: Iterable[int]) -> JigsawDesign:
    """Fix the size of tongues, independent of the parameters."""
    return _changed(shapes, tongues, lambda edit, tongue: replace(edit, size=float(shapes.tongues[tongue, SIZE])))


def with_tongues_rolled(shapes: JigsawShapes, tongues: Iterable[int]) -> JigsawDesign:
    """Randomise tongues and drop their edits; locked tongues stay, and random tongues replace drawn curves."""

    def roll(edit: TongueEdit, tongue: int) -> TongueEdit:
        plain = None if shapes.tiling.drawn is None and tongue not in shapes.tiling.seams.edges else False
        return edit if edit.locked_seed is not None else TongueEdit(edit.name, rolls=edit.rolls + 1, plain=plain)

    return _changed(shapes, tongues, roll)


def with_tongues_locked(shapes: JigsawShapes, tongues: Iterable[int], locked: bool) -> JigsawDesign:
    """Lock tongues, so that they keep their shape when the seed changes, or unlock them."""
    seed = shapes.design.parameters.seed

    def lock(edit: TongueEdit, _tongue: int) -> TongueEdit:
        kept = edit.locked_seed if edit.locked_seed is not None else seed
        return replace(edit, locked_seed=kept if locked else None)

    return _changed(shapes, tongues, lock)


def _by_name(of: str, change: Callable[..., JigsawDesign]) -> Callable[..., JigsawDesign]:
    """Make a change to tongues or corners one to such given by name."""

    def edited(design: JigsawDesign, progress: Progress, names: Sequence[str]) -> JigsawDesign:
        shapes = shape(design, None, progress)
        return change(shapes, indices_of(getattr(shapes.tiling, f"{of}_indices"), names))

    return edited


def _corner_moved(design: JigsawDesign, progress: Progress, name: str, x: float, y: float) -> JigsawDesign:
    """Move a corner to a place in mm; raise StudioError if it cannot be there, though a drag would end nearby."""
    shapes = shape(design, None, progress)
    corners = indices_of(shapes.tiling.corner_indices, [name])
    (near,) = shapes.tiling.reached(np.array(corners), np.array([[x, y]])).tolist()
    if math.dist(near, (x, y)) > NEAR_ENOUGH:
        raise StudioError(tr("The nearest place that it reaches is {x:.1f},{y:.1f}.", x=near[0], y=near[1]))
    return with_corners_at(shapes, {corners[0]: (x, y)})


def _merged(design: JigsawDesign, progress: Progress, names: Sequence[str]) -> Generated[JigsawDesign]:
    indices_of(tiling_of(design).edge_indices, names)  # refuses a cut that is not there
    return with_pieces_merged(design, names, progress)


def _parted(design: JigsawDesign, progress: Progress, names: Sequence[str]) -> Generated[JigsawDesign]:
    indices_of(dict.fromkeys(design.merged, 0), names)  # refuses a cut that is not left out
    return with_pieces_parted(design, names, progress)


def with_newest_layout(design: JigsawDesign, progress: Progress) -> Generated[JigsawDesign]:
    """Lay the cuts out by the newest rules; edits of elements that they lack are dropped.

    Raise StudioError if the board is impossible.
    """
    return carry(replace(design.parameters, layout_version=NEWEST_LAYOUT), design, progress)


def with_flow_lines(
    design: JigsawDesign, progress: Progress, strokes: Sequence[Sequence[tuple[float, float]]] = ()
) -> Generated[JigsawDesign]:
    """Let rows run along lines through places in mm instead of all flow lines before; without any, straight.

    Edits of elements that no longer exist are dropped. Raise StudioError for lines without a length or off the board,
    and for drawn cuts.
    """
    if design.parameters.tiling == DRAWN_CUTS:
        raise StudioError(tr("Drawn cuts have no rows. Choose another tiling first."))
    ways = [np.round(np.array(stroke) / design.size, WAY_DECIMALS).tolist() for stroke in strokes]
    parameters = replace(design.parameters, flow=FLOW_LINES if ways else NO_FLOW)
    lines = tuple(tuple((x, y) for x, y in way) for way in ways)
    return without_lost_edits(replace(design, parameters=parameters, flow_lines=lines), progress)


_without_figures = lazy("studio.puzzles.jigsaw.figures.figure_edits:without_figures")
_figures_set = lazy("studio.puzzles.jigsaw.figures.figure_edits:with_figures_set")
_ordered = lazy("studio.puzzles.jigsaw.figures.figure_edits:with_order")
_arranged = lazy("studio.puzzles.jigsaw.figures.figure_edits:with_figures_arranged")


def _set_figures(
    design: JigsawDesign, progress: Progress, names: Sequence[str], *, touches: bool
) -> Generated[JigsawDesign]:
    made: Generated[JigsawDesign] = _figures_set(design, names, progress, touches=touches)
    return made


EDITS: dict[str, Callable[..., Any]] = {
    "corner NAME to X,Y": _corner_moved,
    "pin NAMES": _by_name("corner", with_corners_held),
    "unpin NAMES": _by_name("corner", with_reset),
    "flip NAMES": _by_name("tongue", with_tongues_flipped),
    "straighten NAMES": _by_name("tongue", partial(with_tongues_plain, plain=True)),
    "randomise NAMES": _by_name("tongue", with_tongues_rolled),
    "keep NAMES": _by_name("tongue", with_tongues_held),
    "lock NAMES": _by_name("tongue", partial(with_tongues_locked, locked=True)),
    "unlock NAMES": _by_name("tongue", partial(with_tongues_locked, locked=False)),
    "reset NAMES": _by_name("tongue", lambda shapes, tongues: with_reset(shapes, tongues=tongues)),
    "merge NAMES": _merged,
    "split NAMES": _parted,
    "drop NAMES": with_drop_outs,
    "restore NAMES": without_drop_outs,
    "figure FIGURE [at X,Y] [high H] [turned T]": lazy("studio.puzzles.jigsaw.figures.figure_edits:with_figure"),
    "letters TEXT [font FONT] [as MODE] [arc ANGLE] [at X,Y] [high H] [turned T]": lazy(
        "studio.puzzles.jigsaw.figures.figure_edits:with_letters"
    ),
    "cutout [STROKES] [without OTHERS] [in BOX] [with COUNT tongues] [and MOST lines]": lazy(
        "studio.puzzles.jigsaw.figures.figure_edits:with_cutout"
    ),
    "place NAME [at X,Y] [high H] [turned T]": lazy("studio.puzzles.jigsaw.figures.figure_edits:with_figure_placed"),
    "share NAMES": partial(_set_figures, touches=True),
    "unshare NAMES": partial(_set_figures, touches=False),
    "border WAY of NAMES": lazy("studio.puzzles.jigsaw.figures.figure_edits:with_border"),
    "front NAMES": partial(_ordered, way="front"),
    "back NAMES": partial(_ordered, way="back"),
    "raise NAMES": partial(_ordered, way="forwards"),
    "lower NAMES": partial(_ordered, way="backwards"),
    "align WAY of NAMES": _arranged,
    "distribute WAY of NAMES": partial(_arranged, ways="DISTRIBUTE"),
    "remove NAMES": lambda design, progress, names: _without_figures(design, names, progress),
    "flow [STROKES]": with_flow_lines,
    "update": with_newest_layout,
    "convert": lazy("studio.puzzles.jigsaw.model.drawn_boards:converted"),
    "cut PLACES": lazy("studio.puzzles.jigsaw.model.drawn_cuts:with_straight_cut"),
    "curve PLACES": lazy("studio.puzzles.jigsaw.model.drawn_cuts:with_smooth_cut"),
    "redraw NAME through PLACES": lazy("studio.puzzles.jigsaw.model.drawn_cuts:redrawn"),
    "node NAME at X,Y": lazy("studio.puzzles.jigsaw.pen:with_node_at"),
    "unnode NAME at X,Y": lazy("studio.puzzles.jigsaw.pen:without_node_at"),
    "extend [NAMES]": lazy("studio.puzzles.jigsaw.model.drawn_cuts:with_lines_extended"),
    "detail [NAMES]": lazy("studio.puzzles.jigsaw.model.drawn_cuts:with_details"),
    "trim [NAMES]": lazy("studio.puzzles.jigsaw.model.drawn_cuts:without_lines"),
    "shorten [NAMES]": lazy("studio.puzzles.jigsaw.model.drawn_cuts:with_details_shortened"),
    "divide": lazy("studio.puzzles.jigsaw.model.drawn_cuts:with_crossings_split"),
}
"""A function for each form of an edit as text."""

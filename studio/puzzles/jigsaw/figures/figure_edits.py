"""Edits of figures: each keeps every figure a separate piece or raises StudioError.

A figure moves to the nearest place where it fits, unless its pose is exact.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.base.amounts import letters
from studio.base.errors import StudioError, one_named
from studio.base.parameters import ParameterError
from studio.base.progress import Progress, lazy
from studio.base.texts import tr, visible
from studio.checks.finding import errors_of
from studio.geometry.curves.fitting import fitted
from studio.geometry.curves.offsetting import narrow_notch, thin_part
from studio.geometry.curves.rings import Outlined, box
from studio.geometry.curves.strokes import Floats, Polylines
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.figures.letters import PIECES, PLAIN, Lettering, lettered, letters_as_figures
from studio.puzzles.jigsaw.figures.placing import (
    LARGEST_SHARE,
    enclosed,
    fitting,
    from_front,
    inner_lines,
    misplaced,
    room_for,
)
from studio.puzzles.jigsaw.figures.silhouettes import Figure, figure, silhouette
from studio.puzzles.jigsaw.figures.whimsies import (
    AS_FIT,
    AT_BORDER,
    PLACES,
    Pose,
    Whimsy,
    copy_name,
    free_names,
    letter_names,
    of_figure,
    stem_of,
)
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.tiling import outline_without_figures, tiling_of, with_whimsies
from studio.puzzles.jigsaw.picture.masks import Placement
from studio.puzzles.kind import Generated

if TYPE_CHECKING:
    import shapely

    from studio.puzzles.jigsaw.picture.cutout import Marks

_settled = lazy("studio.puzzles.jigsaw.repair:settled")
ALIGN = {"left": (0, 0.0), "centre": (0, 0.5), "right": (0, 1.0), "top": (1, 0.0), "middle": (1, 0.5),
         "bottom": (1, 1.0)}  # fmt: skip
"""Ways to align figures: the axis, and the share of the way from the lower to the upper bound that is in line."""
DISTRIBUTE = {"across": (0, False), "down": (1, False), "gaps-across": (0, True), "gaps-down": (1, True)}
"""Ways to distribute figures: the axis, and whether gaps rather than middles are at equal distances."""
SEAM = re.compile(r"(?P<figure>.+?)(?P<one>[a-z]+)-(?P=figure)(?P<other>[a-z]+)(?P<number>\.\d+)?")
"""Name of a cut between two pieces of a figure, `train1a-train1b`."""
AROUND = 0.25
"""Fraction of a cell left between a new figure and other figures or the border, so that pieces between are sound."""
LINE_BREAK = " / "
"""Letters of an edit's text that begin a new line."""
WORD, LEAST_STEM = "word", 3
"""Stem of names of a text in one piece with fewer letters from a to z than this: other pieces are named A1 or AB1."""
SAMPLE_HEIGHT = 10.0
"""Height in mm at which the proportions of new figures are measured."""
SMOOTH, STEP = 1.0, 0.4
"""Deviation in mm of the places along an outline that are averaged, and the distance of its points."""
FITTED = 0.15
"""Largest deviation in mm of the curves of a cut-out from its outline."""
SPARES = (0.6, 1.0, 1.6)
"""Widths in mm left to curves beyond the least neck and the least notch, until neither is too narrow."""
ARCS = 8
"""Sides of a quarter of a rounded corner."""
Place = tuple[float, float]


def with_added(
    design: JigsawDesign, figures: Sequence[Whimsy], progress: Progress, *, is_near: bool = False
) -> Generated[JigsawDesign]:
    """Add figures, moved together to the nearest place where they fit and cause no problem.

    `is_near` limits the search to places near theirs.
    """
    return _placed(design, figures, progress, reach=0.0 if is_near else None)


def with_figure(
    design: JigsawDesign, progress: Progress, figure: str, x: float | None = None, y: float | None = None, **how: float
) -> Generated[JigsawDesign]:
    """Add a shipped figure, as near to a place in mm or to the middle of the board as it fits.

    `how` are its height `h` in mm, its rotation `t` in degrees and the number of `tongues`.
    """
    turn, tongues = how.get("t", 0.0), int(how.get("tongues", usual_tongues(design)))
    height = how.get("h")
    if height is None:
        height = new_height(design, lambda pose: new_figure(design, figure, replace(pose, turn=turn)))
    pose = replace(middle(design, height), turn=turn)
    if x is not None and y is not None:
        pose = replace(pose, x=x, y=y)
    return with_added(design, new_figure(design, figure, pose, tongues), progress, is_near=x is not None)


def with_drawn_figure(
    design: JigsawDesign,
    shape: Figure,
    height: float,
    progress: Progress,
    tongues: int = 0,
    place: tuple[float, float] | None = None,
) -> Generated[JigsawDesign]:
    """Add a maker's figure, `height` mm high, as near to a place or the middle of the board as it fits."""
    pose = middle(design, height) if place is None else Pose(x=place[0], y=place[1], height=height)
    return with_added(design, new_drawn_figure(design, shape, pose, tongues), progress)


def with_text(
    design: JigsawDesign, text: str, height: float, progress: Progress, tongues: int = 0, how: Lettering = PLAIN
) -> Generated[JigsawDesign]:
    """Add a text, each letter or all of it a figure, its capitals `height` mm high."""
    return with_added(design, new_letters(design, text, middle(design, height), tongues, how), progress)


def with_letters(
    design: JigsawDesign,
    progress: Progress,
    text: str,
    font: str = "",
    mode: str = PIECES,
    angle: float = 0.0,
    x: float | None = None,
    y: float | None = None,
    h: float | None = None,
    t: float = 0.0,
) -> Generated[JigsawDesign]:
    """Add a text as near to a place in mm or to the middle of the board as it fits; ` / ` begins a new line.

    `h` is the height of its capitals in mm, `angle` that of its arc and `t` its rotation in degrees.
    """
    how = Lettering(font=font, mode=mode, arc=angle)

    def letters(pose: Pose) -> list[Whimsy]:
        return new_letters(design, text.replace(LINE_BREAK, "\n"), replace(pose, turn=t), how=how)

    pose = middle(design, new_height(design, letters) if h is None else h)
    if x is not None and y is not None:
        pose = replace(pose, x=x, y=y)
    return with_added(design, letters(pose), progress, is_near=x is not None)


def with_cutout(
    design: JigsawDesign,
    progress: Progress,
    strokes: Sequence[Sequence[Place]] = (),
    others: Sequence[Sequence[Place]] = (),
    box: Sequence[Place] = (),
    count: int = 0,
    most: int = 0,
) -> Generated[JigsawDesign]:
    """Add what the picture shows under strokes, without what it shows under others, as a figure in its place.

    Strokes and the corners of a box around the figure are in mm on the board; `count` is the number of tongues, and
    `most` the largest number of inner lines, which become its details.
    """
    marked = marks_on_board(design, [*((one, True) for one in strokes), *((one, False) for one in others)], box)
    ring = cutout_ring(design, marked, progress.part(0.0, 0.6))
    lines = inner_lines(design, ring, progress.part(0.6, 0.7))[:most] if most else ()
    return with_figures_at(design, [new_cutout(design, ring, count, lines)], progress.part(0.7, 1.0))


def marks_on_board(
    design: JigsawDesign, strokes: Sequence[tuple[Sequence[Place], bool]], box: Sequence[Place] = ()
) -> Marks:
    """Strokes inside and outside a cut-out, and a box around it, given in mm on the board."""
    from studio.puzzles.jigsaw.picture.cutout import Marks, Stroke

    placed = _picture_placed(design)

    def own(places: Sequence[Place]) -> tuple[Place, ...]:
        return tuple((x, y) for x, y in placed.from_board(np.array(places, float)).tolist())

    corners = own([(x, y) for x, _ in box for _, y in box]) if box else ()
    around = (*map(min, zip(*corners, strict=True)), *map(max, zip(*corners, strict=True))) if corners else None
    return Marks(tuple(Stroke(own(places), is_inside) for places, is_inside in strokes), around)


def cutout_ring(design: JigsawDesign, marks: Marks, progress: Progress) -> Floats:
    """Outline in mm of the cut-out that marks ask for: a closed ring of smooth cubics, shape (3k + 1, 2).

    It leaves walls to the border and to other figures, and no neck or notch is narrower than the board's limits. Raise
    StudioError if nothing is left.
    """
    import shapely

    from studio.puzzles.jigsaw.picture.cutout import outline_of

    placed = _picture_placed(design)
    assert design.picture is not None
    p = design.parameters
    found = shapely.transform(outline_of(design.picture.data, marks, progress.part(0.0, 0.9)), placed.on_board)
    seen = shapely.polygons(design.picture.kept(*design.size).corners)
    room = room_for(design.whimsies, outline_without_figures(design), p.least_bridge + 2 * FITTED)
    shape = shapely.intersection_all([shapely.buffer(shapely.polygons(_smooth(found)), 0), seen, room])
    inside = [place for stroke in marks.strokes if stroke.is_inside for place in stroke.path]
    places = placed.on_board(np.array(inside).reshape(-1, 2))
    for spare in SPARES:
        ring = _cuttable(shape, room, places, p, spare)
        if thin_part((ring,), p.least_neck or FITTED) is narrow_notch((ring,), p.least_bridge or FITTED) is None:
            break
    return ring


def _cuttable(
    shape: shapely.Geometry, room: shapely.Geometry, places: Floats, p: JigsawParameters, spare: float
) -> Floats:
    """Round the notches and necks of a shape, and fit curves to the part with most of the places.

    Necks and notches are wider than the least by `spare` mm at first. Raise StudioError if nothing is left.
    """
    import shapely

    from studio.puzzles.jigsaw.picture.cutout import chosen_part

    for wide in (p.least_bridge, -p.least_neck):
        radius = math.copysign((abs(wide) + spare) / 2, wide)
        shape = shapely.buffer(shapely.buffer(shape, radius, quad_segs=ARCS), -radius, quad_segs=ARCS)
        shape = shapely.intersection(shape, room)
    parts = shapely.get_parts(shape)
    parts = shapely.polygons(shapely.get_exterior_ring(parts[shapely.area(parts) > 0]))
    if not len(parts):
        words = tr("The outline is too small or too thin to cut (minimum neck {least:g} mm).", least=p.least_neck)
        raise StudioError(words)
    line = _even(shapely.orient_polygons(parts[chosen_part(parts, places)], exterior_cw=False))
    points = fitted(Polylines(line, np.array([0, len(line)])), FITTED, FITTED).points.copy()
    points[-1] = points[0]
    return points


def _even(area: shapely.Polygon) -> Floats:
    """Points along the outline of an area, shape (n, 2), at even steps; the last is the first."""
    import shapely

    corners = shapely.get_coordinates(shapely.get_exterior_ring(area))
    walked = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(corners, axis=0).T))])
    places = np.linspace(0.0, walked[-1], max(12, math.ceil(walked[-1] / STEP)) + 1)
    points = np.stack([np.interp(places, walked, each) for each in corners.T], 1)
    points[-1] = points[0]
    return points


def _smooth(area: shapely.Polygon) -> Floats:
    """Outline of an area without the ragged edges of fur and leaves, shape (n, 2)."""
    points = _even(area)[:-1]
    reach = min(math.ceil(3 * SMOOTH / STEP), len(points) // 2)
    weights = np.exp(-((np.arange(-reach, reach + 1) * STEP / SMOOTH) ** 2) / 2)
    around = np.concatenate([points[-reach:], points, points[:reach]])
    return np.stack([np.convolve(each, weights / weights.sum(), "valid") for each in around.T], 1)


def with_ring_pulled(ring: Floats, at: int, place: Place, reach: float) -> Floats:
    """Move the point `at` of a ring of cubics to a place, and points within `reach` mm along the ring with it, less so
    the farther they are."""
    walked = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ring, axis=0).T))])
    away = np.abs(walked - walked[at])
    away = np.minimum(away, walked[-1] - away) / reach
    shares = np.where(away < 1, (1 - np.minimum(away, 1) ** 2) ** 2, 0.0)
    moved = ring + shares[:, None] * (np.array(place) - ring[at])
    moved[-1] = moved[0]
    return np.asarray(moved)


def new_cutout(design: JigsawDesign, ring: Floats, tongues: int = 0, lines: Sequence[Floats] = ()) -> Whimsy:
    """Make a figure of a ring and lines in it, in mm, in its place, with a free name.

    Raise StudioError if the ring crosses itself.
    """
    low, high = box(ring)
    x, y = ((low + high) / 2).tolist()
    (name,) = free_names(_names(design), "cutout", 1)
    shape = silhouette(tr("Cut-out"), Outlined((ring,), lines=tuple(lines)))
    return replace(of_figure(name, shape, Pose(x=x, y=y, height=float((high - low)[1]))), tongues=tongues)


def _picture_placed(design: JigsawDesign) -> Placement:
    if design.picture is None:
        raise StudioError(tr("Add a picture first."))
    return Placement.from_picture(design.picture, design.size)


def usual_tongues(design: JigsawDesign) -> int:
    """Number of tongues of a new figure; in the first layout its shape alone holds it."""
    return AS_FIT if design.parameters.layout_version > 1 else 0


def new_figure(design: JigsawDesign, key: str, pose: Pose, tongues: int = 0) -> list[Whimsy]:
    """Make a shipped figure with a free name, not placed yet. Raise StudioError for an unknown key."""
    figure(key)
    (name,) = free_names(_names(design), key, 1)
    return [Whimsy(name, key, pose, tongues=tongues)]


def new_drawn_figure(design: JigsawDesign, shape: Figure, pose: Pose, tongues: int = 0) -> list[Whimsy]:
    """Make a maker's figure with a free name, not placed yet."""
    (name,) = free_names(_names(design), stem_of(shape.title), 1)
    return [replace(of_figure(name, shape, pose), tongues=tongues)]


def new_letters(design: JigsawDesign, text: str, pose: Pose, tongues: int = 0, how: Lettering = PLAIN) -> list[Whimsy]:
    """Make the pieces of a text, with free names, not placed yet. Raise StudioError if they cannot be cut."""
    if how.mode == PIECES:
        names = letter_names(_names(design), (one.figure.title for one in letters_as_figures(text, how)))
    else:
        names = free_names(_names(design), stem_of(text, WORD, LEAST_STEM), 1)
    return [replace(one, tongues=tongues) for one in lettered(names, text, pose, how)]


def tallest(design: JigsawDesign, figures: Callable[[Pose], Sequence[Whimsy]]) -> float:
    """Largest height in whole mm at which new figures fit on the board, by bisection; 0 if they never fit.

    `figures` makes the figures at a pose.
    """
    p, sample = design.parameters, figures(middle(design, SAMPLE_HEIGHT))
    rims = [box(one.on_board()[0]) for one in sample]
    size: Floats = np.max([rim[1] for rim in rims], 0) - np.min([rim[0] for rim in rims], 0)
    width, height = size.tolist()
    shares = [enclosed(one).area / (LARGEST_SHARE * outline_without_figures(design).region.area) for one in sample]
    scale = min(p.width / width, p.height / height, max(shares) ** -0.5)
    low, high = 0, math.floor(SAMPLE_HEIGHT * scale) + 1
    while high - low > 1:
        between = (low + high) // 2
        try:
            fits = _room_for(design, figures(middle(design, between)), None) is not None
        except ParameterError:  # a comma becomes too small before an A does
            fits = False
        low, high = (between, high) if fits else (low, between)
    return float(low)


def new_height(design: JigsawDesign, figures: Callable[[Pose], Sequence[Whimsy]]) -> float:
    """Usual height in mm, or the largest at which new figures fit."""
    usual = usual_height(design)
    return usual if _room_for(design, figures(middle(design, usual)), None) else tallest(design, figures) or usual


def with_figures_posed(
    design: JigsawDesign, poses: Mapping[str, Pose], progress: Progress, *, is_exact: bool = False
) -> Generated[JigsawDesign]:
    """Change the poses of figures; if they do not fit there, they move together to a place nearby."""
    named = [whimsy_named(design, name) for name in poses]
    moved = [replace(one, pose=poses[one.name]) for one in named if one.pose != poses[one.name]]
    if not moved:
        return Generated(design)
    flipped = {one.name for one in named if one.pose.is_mirrored != poses[one.name].is_mirrored}
    if flipped:
        design = design.with_tongues(edit.mirrored for edit in design.tongues if figure_of(edit) in flipped)
    return with_figures_at(design, moved, progress) if is_exact else _placed(design, moved, progress, reach=0.0)


def with_figures_copied(design: JigsawDesign, names: Collection[str], progress: Progress) -> Generated[JigsawDesign]:
    """Copy figures with the edits of their tongues and their drop-outs, together at the nearest place where they
    fit."""
    taken, copies, dropped = _names(design), dict[str, Whimsy](), list[str]()
    for one in (whimsy_named(design, name) for name in names):
        name = copy_name(taken, one.name)
        taken.append(name)
        copies[one.name] = replace(one, name=name)
        parts = [letters(at).lower() for at in range(len(one.shape.parts))] if len(one.shape.parts) > 1 else [""]
        dropped += [name + part for part in parts if one.name + part in design.dropped]
    edits = [edit for edit in design.tongues if figure_of(edit) in copies]
    copied = [replace(edit, name=copies[figure_of(edit)].name + edit.name[len(figure_of(edit)) :]) for edit in edits]
    for edit in design.tongues:
        within = SEAM.fullmatch(edit.name)
        if within and within["figure"] in copies:
            name = copies[within["figure"]].name
            copied.append(replace(edit, name=f"{name}{within['one']}-{name}{within['other']}{within['number'] or ''}"))
    return with_added(design.with_tongues(copied).with_drop_outs(dropped), [*copies.values()], progress)


def figure_of(edit: TongueEdit) -> str:
    """Name of the figure that a tongue belongs to; not a figure's name if the tongue is between other pieces."""
    return edit.name.rpartition(".")[0]


def with_tongues_of_figures(
    design: JigsawDesign, names: Collection[str], tongues: int, progress: Progress
) -> Generated[JigsawDesign]:
    """Change the number of tongues of figures."""
    return with_figures_set(design, names, progress, tongues=tongues)


def with_figures_set(
    design: JigsawDesign, names: Collection[str], progress: Progress, **values: Any
) -> Generated[JigsawDesign]:
    """Change the `tongues` of figures, whether each `touches` others, and its way at the `border`.

    Figures that no longer fit move together to a place nearby.
    """
    changed = [replace(whimsy_named(design, name), **values) for name in names]
    if {*values} - {"tongues"}:
        return _placed(design, changed, progress, reach=0.0)
    made = with_whimsies(design, [*_others(design, changed), *changed])
    progress.step(0.5)
    tiling_of(made.design)
    return made


def with_border(design: JigsawDesign, progress: Progress, way: str, names: Sequence[str]) -> Generated[JigsawDesign]:
    """Change what happens where figures reach the border. Raise StudioError for an unknown way."""
    border = one_named({key: key for key in AT_BORDER}, way.lower(), tr("Unknown way at the border"))
    return with_figures_set(design, names, progress, border=border)


def with_figure_placed(
    design: JigsawDesign, progress: Progress, name: str, x: float | None = None, y: float | None = None, **how: float
) -> Generated[JigsawDesign]:
    """Place a figure exactly at x and y in mm, with a height `h` in mm and a rotation `t` in degrees."""
    given = {"x": x, "y": y, "height": how.get("h"), "turn": how.get("t")}
    known = {field: value for field, value in given.items() if value is not None}
    pose = replace(whimsy_named(design, name).pose, **known)  # type: ignore[arg-type]
    return with_figures_posed(design, {name: pose}, progress, is_exact=True)


def with_order(design: JigsawDesign, progress: Progress, names: Collection[str], way: str) -> Generated[JigsawDesign]:
    """Move figures in the order that decides which one is whole where two overlap: to the `front` or the `back`, or one
    step `forwards` or `backwards`."""
    chosen = {whimsy_named(design, name).name for name in names}
    order = [one.name for one in from_front(design.whimsies)]
    order = order[::-1] if way in ("back", "backwards") else order
    if way in ("front", "back"):
        order.sort(key=lambda name: name not in chosen)
    for at in range(1, len(order) if way in ("forwards", "backwards") else 0):
        if order[at] in chosen and order[at - 1] not in chosen:
            order[at - 1], order[at] = order[at], order[at - 1]
    order = order if way in ("back", "backwards") else order[::-1]
    levels = {order[0]: 0} if order else {}
    for behind, name in pairwise(order):
        levels[name] = levels[behind] + (name > behind)
    moved = [replace(one, level=levels[one.name]) for one in design.whimsies if one.level != levels[one.name]]
    return with_figures_at(design, moved, progress) if moved else Generated(design)


def aligned(design: JigsawDesign, names: Sequence[str], way: str) -> dict[str, Pose]:
    """Poses of figures, by name, of which one side or the middle is in line; a single figure aligns with the board.

    `way` is a key of ALIGN. Raise StudioError for an unknown figure.
    """
    axis, share = ALIGN[way]
    figures = [whimsy_named(design, name) for name in names]
    boxes = np.array([box(one.on_board()[0]) for one in figures])
    low, high = (boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)) if len(figures) > 1 else (np.zeros(2), design.size)
    target = (1 - share) * low[axis] + share * high[axis]
    moves = target - ((1 - share) * boxes[:, 0, axis] + share * boxes[:, 1, axis])
    return _moved_along(figures, axis, moves)


def distributed(design: JigsawDesign, names: Sequence[str], way: str) -> dict[str, Pose]:
    """Poses of three figures or more, by name, with equal distances between their middles or equal gaps between them.

    `way` is a key of DISTRIBUTE. Raise StudioError for fewer figures, or an unknown one.
    """
    axis, has_gaps = DISTRIBUTE[way]
    figures = [whimsy_named(design, name) for name in names]
    if len(figures) < 3:
        raise StudioError(tr("Select three figures or more to distribute them."))
    boxes = np.array([box(one.on_board()[0]) for one in figures])[..., axis]
    order = np.argsort(boxes.mean(axis=1), kind="stable")
    low, high = boxes[order].T
    if has_gaps:
        gap = (high[-1] - low[0] - (high - low).sum()) / (len(order) - 1)
        wanted = low[0] + np.cumsum((high - low) + gap) - (high - low) - gap
        moves = wanted - low
    else:
        middles = (low + high) / 2
        moves = np.linspace(middles[0], middles[-1], len(order)) - middles
    return _moved_along([figures[at] for at in order.tolist()], axis, moves)


def _moved_along(figures: Sequence[Whimsy], axis: int, moves: Floats) -> dict[str, Pose]:
    field = "xy"[axis]
    return {
        one.name: replace(one.pose, **{field: round(getattr(one.pose, field) + move, PLACES)})
        for one, move in zip(figures, moves.tolist(), strict=True)
    }


def with_figures_arranged(
    design: JigsawDesign, progress: Progress, way: str, names: Sequence[str], ways: str = "ALIGN"
) -> Generated[JigsawDesign]:
    """Align or distribute figures, each at its exact place. Raise StudioError if one does not fit there."""
    known, change = (ALIGN, aligned) if ways == "ALIGN" else (DISTRIBUTE, distributed)
    key = one_named({each: each for each in known}, way.lower(), tr("Unknown way"))
    return with_figures_posed(design, change(design, names, key), progress, is_exact=True)


def without_figures(design: JigsawDesign, names: Collection[str], progress: Progress) -> Generated[JigsawDesign]:
    """Remove figures; the cuts that they replaced return."""
    gone = [whimsy_named(design, name) for name in names]
    made = with_whimsies(design, _others(design, gone))
    progress.step(0.5)
    tiling_of(made.design)
    return made


def whimsy_named(design: JigsawDesign, name: str) -> Whimsy:
    """Find a figure on the board by name. Raise StudioError if it does not exist."""
    for one in design.whimsies:
        if one.name == name:
            return one
    raise StudioError(tr("There is no figure {figure} on the board.", figure=visible(name[:40])))


def usual_height(design: JigsawDesign) -> float:
    """Height in whole mm of a figure about two pieces across, at most half a small board."""
    p = design.parameters
    return float(max(2, round(min(2 * max(p.cell), 0.5 * min(p.width, p.height)))))


def _names(design: JigsawDesign) -> list[str]:
    return [one.name for one in design.whimsies]


def middle(design: JigsawDesign, height: float) -> Pose:
    """Pose of a figure of a height in mm at the centre of the board."""
    return Pose(x=design.parameters.width / 2, y=design.parameters.height / 2, height=height)


def _placed(
    design: JigsawDesign, moved: Sequence[Whimsy], progress: Progress, reach: float | None = None
) -> Generated[JigsawDesign]:
    """Move figures together to the nearest place where they fit; `reach` in mm as in `fitting`, None for any place.

    Without a reach, figures leave more than the least wall around them if there is room.
    """
    found = _room_for(design, moved, reach)
    if found is None:
        if reach is None:
            raise StudioError(tr("There is no room for this figure on the board. Make it smaller."))
        raise StudioError(tr("There is no room for figure {figure} nearby. Make it smaller.", figure=moved[0].name))
    return with_figures_at(design, found, progress) if reach is not None else _settled(design, found, progress)


def _room_for(design: JigsawDesign, moved: Sequence[Whimsy], reach: float | None) -> tuple[Whimsy, ...] | None:
    """Move figures to the nearest place with room for them; None if no place has room."""
    p = design.parameters
    far = math.hypot(p.width, p.height) / 2 if reach is None else reach
    others, outline = _others(design, moved), outline_without_figures(design)
    for wall in (p.least_bridge,) if reach is not None else (max(p.least_bridge, AROUND * min(p.cell)), p.least_bridge):
        found = fitting(moved, others, outline, wall, far, is_apart=reach is None)
        if found is not None:
            return found
    return None


def _others(design: JigsawDesign, moved: Sequence[Whimsy]) -> list[Whimsy]:
    names = {one.name for one in moved}
    return [one for one in design.whimsies if one.name not in names]


def with_figures_at(design: JigsawDesign, moved: Sequence[Whimsy], progress: Progress) -> Generated[JigsawDesign]:
    """Place figures exactly at their poses. Raise StudioError unless these and all figures before become pieces."""
    p, whimsies = design.parameters, [*_others(design, moved), *moved]
    names = {one.name for one in moved}
    for finding in errors_of(misplaced(whimsies, outline_without_figures(design), p.least_bridge, 0.0)):
        if names.intersection(finding.cells):
            raise StudioError(finding.message)
    progress.step(0.2)
    before = {one.name for one in tiling_of(design).fillings}
    progress.step(0.5)
    made = with_whimsies(design, whimsies)
    lost = (before | names) - {one.name for one in tiling_of(made.design).fillings}
    for name in sorted(lost):
        one = whimsy_named(made.design, name)
        raise StudioError(
            check_problems.FIGURE_UNCUT.finding((one.pose.x, one.pose.y), cells=[name], figure=name).message
        )
    return made

"""Remedies for the problems of a jigsaw, and the repairs that its checks offer.

element: a tongue with the corners at its ends. move: a single change of an element.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from studio.base.parameters import declaration
from studio.base.progress import Progress, lazy
from studio.base.texts import tr
from studio.checks.finding import Finding, Problem, Repair, Severity
from studio.geometry.board.tiling import FIXED
from studio.geometry.curves.strokes import Floats, Ints, paired
from studio.geometry.planar.trays import LEAST_WOOD, Tray, TrayForm
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.check_problems import LOST
from studio.puzzles.jigsaw.model.design import BOUNDS, CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.tongues.tongues import COLUMNS, FOLLOWING, PLACE, PLAIN, SIDE, SIZE, SLANT, STRAIGHT

SAME = 1e-3
"""Difference below which numbers of tongues, and offsets of corners in cells, are the same."""
CLOSE = {
    "crossing",
    "bridge",
    "border",
    "figure",
    "self-crossing",
    "piece",
    "piece-neck",
    "piece-gap",
    "protected-tongue",
}
NECKS = {"neck", "printed-neck"}
SMALL = {*NECKS, "radius"}
"""Problems of tongues in the way of others and of outlines of pieces (CLOSE), of narrow necks, and of tongues that may
be too small."""
Change = Mapping[str, float]


@dataclass(frozen=True)
class Move:
    """New edits of tongues and corners, with the strokes that they change."""

    strokes: tuple[int, ...]
    tongues: tuple[TongueEdit, ...] = ()
    corners: tuple[CornerEdit, ...] = ()
    freed: tuple[str, ...] = ()
    """Corners whose edits are dropped."""


Option = Change | tuple[int, float] | CornerEdit | Move


def options(shapes: JigsawShapes, stroke: int, against: Collection[Problem]) -> list[Option]:
    """Changes that may help an element, smallest first: factors and sums of numbers, a corner with a factor of its
    distance from home, a moved corner, or a move of several.
    """
    found: list[Option] = []
    last: list[Option] = []
    needs = {problem.key for problem in against}
    if check_problems.PROTECTED_CORNER in against:
        from studio.puzzles.jigsaw.picture.keep_clear import ways_out

        exits = ways_out(shapes, stroke)
        found += exits
        last += [_with_straight_edges(shapes, edit) for edit in exits]
    if check_problems.PROTECTED_TONGUE in against:
        from studio.puzzles.jigsaw.picture.keep_clear import is_surrounded

        found += [{"plain": 1.0}] if is_surrounded(shapes, stroke) else []
    if not shapes.plain[stroke] and not shapes.drawn[stroke]:
        shaped = shapes.style_of(stroke).shape
        if not SMALL.isdisjoint(needs):
            found += [{"size": 0.88}] if "radius" in needs else []
            found += [{"size": 1.12}, {"size": 1.3}, {"size": 1.6}]
            found += [{"neck": 1.15}, {"neck": 1.35}] if "neck" in shaped and not NECKS.isdisjoint(needs) else []
            found += [{"slant": 0.5}]
            if "radius" in needs:
                found += [{"place": 0.0, "slant": 0.0}, {"place": 0.0, "slant": 0.0, "size": 0.8}, {"size": 0.7}]
        if not CLOSE.isdisjoint(needs):
            found += [{"size": 0.9}, {"size": 0.78}, {"place+": 0.06}, {"place+": -0.06}, {"place": 0.0, "slant": 0.0}]
            found += [{"size": 0.62}, {"side": -1.0}, {"side": -1.0, "size": 0.75}]
            found += [{"place+": 0.1, "size": 0.75}, {"place+": -0.1, "size": 0.75}, {"size": 0.45}]
            found += [{"side": -1.0, "size": 0.5, "place": 0.0, "slant": 0.0}]
    elif shapes.tongues[stroke, PLAIN] == FOLLOWING:
        found += [{"plain": 1.0}]
    corners = shapes.tiling.graph.edges[stroke].tolist()
    found += [(corner, factor) for factor in (0.5, 0.0) for corner in corners]
    is_wrong = any(
        problem.severity is Severity.ERROR or problem is check_problems.PROTECTED_TONGUE for problem in against
    )
    return [*found, *last, {"plain": 1.0}] if is_wrong and not shapes.plain[stroke] else [*found, *last]


def moved(shapes: JigsawShapes, stroke: int, option: Option) -> Move | None:
    """Turn an option into a move; None if it changes nothing."""
    if isinstance(option, tuple):
        return homewards(shapes, *option)
    if isinstance(option, CornerEdit):
        return _moving(shapes, option)
    if isinstance(option, Move):
        return option
    numbers, edit = shapes.tongues[stroke], shapes.decided(stroke)
    held: dict[str, float | bool | int] = {}
    for key, value in option.items():
        name = key.removesuffix("+")
        if name == "plain":
            held[name] = True
        elif name == "side":
            held[name] = int(value * numbers[SIDE])
        else:
            now = float(numbers[COLUMNS[name]])
            wanted = now + value if key != name else now * value
            low, high = BOUNDS[name]
            held[name] = round(min(max(wanted, low), high), 4)
            if abs(float(held[name]) - now) < SAME:
                del held[name]
    return Move((stroke,), tongues=(replace(edit, **held),)) if held else None  # type: ignore[arg-type]


def homewards(shapes: JigsawShapes, corner: int, factor: float) -> Move | None:
    """Move a corner to a fraction of its distance from home; None if it is fixed or at home."""
    tiling = shapes.tiling
    if tiling.tracks[corner] == FIXED:
        return None
    shift = tiling.freedom[corner] * (shapes.corners[corner] - tiling.homes[corner]) / tiling.scale
    right, down = ((factor * shift).round(6) + 0.0).tolist()
    edit = CornerEdit(tiling.corner_name(corner), right, down)
    return None if np.hypot(*shift) < SAME else _moving(shapes, edit)


def straight(shapes: JigsawShapes, strokes: Collection[int], *, to_home: bool) -> list[Move]:
    """Moves that make some cuts straight, with `to_home` between corners at home."""
    moves = [Move((), tongues=tuple(replace(shapes.decided(stroke), ruled=True) for stroke in sorted(strokes)))]
    if to_home:
        corners = sorted({int(corner) for stroke in strokes for corner in shapes.tiling.graph.edges[stroke]})
        moves += [move for corner in corners if (move := homewards(shapes, corner, 0.0)) is not None]
    return moves


def shapes_after(shapes: JigsawShapes, moves: Sequence[Move]) -> JigsawShapes:
    """Apply moves and compute the shapes."""
    design = shapes.design.with_tongues(edit for move in moves for edit in move.tongues)
    corners = {edit.name: (edit.right, edit.down) for move in moves for edit in move.corners}
    design = design.with_corners(corners) if corners else design
    freed = [name for move in moves for name in move.freed]
    design = design.without_corners(freed) if freed else design
    return shape(design, shapes, Progress())


def _moving(shapes: JigsawShapes, edit: CornerEdit) -> Move | None:
    """Move a corner; None if the edit changes nothing."""
    if shapes.design.corner(edit.name) == edit:
        return None
    corner = shapes.tiling.corner_indices[edit.name]
    return Move(tuple(shapes.tiling.graph.edges_at(np.array([corner])).tolist()), corners=(edit,))


def _with_straight_edges(shapes: JigsawShapes, edit: CornerEdit) -> Move:
    """Move a corner and make its edges straight."""
    graph = shapes.tiling.graph
    edges = graph.edges_at(np.array([shapes.tiling.corner_indices[edit.name]])).tolist()
    curved = [each for each in edges if not graph.is_rim(each) and not shapes.plain[each]]
    return Move(tuple(edges), tuple(replace(shapes.decided(each), plain=True) for each in curved), (edit,))


# The repairs that a check offers: a tongue smaller, larger, straight or upright, a piece merged

_carefully = lazy("studio.puzzles.jigsaw.repair_search:carefully")
_merged = lazy("studio.puzzles.jigsaw.repair_search:merged")
SHRINK = 0.8
"""Factor by which repairs shrink a tongue."""


def _repair(title: str, changes: Mapping[str, Mapping[str, float]]) -> Repair | None:
    """Repair that sets values of the named tongues; None without changes."""
    if not changes:
        return None

    def apply(design: JigsawDesign, progress: Progress) -> JigsawDesign:
        edits = (replace(design.tongue(name), **numbers) for name, numbers in changes.items())  # type: ignore[arg-type]
        changed: JigsawDesign = _carefully(design, design.with_tongues(edits), changes, progress)
        return changed

    return Repair(title, apply)


def _resizing(shapes: JigsawShapes, title: str, factor: float, strokes: list[int]) -> Repair | None:
    """Repair that scales tongues within their bounds."""
    low, high = BOUNDS["size"]
    changes = {}
    for stroke in strokes:
        size = float(shapes.tongues[stroke, SIZE])
        other = min(max(factor * size, low), high)
        if other != size and shapes.tongues[stroke, PLAIN] <= 0.5:
            changes[shapes.tiling.edge_name(stroke)] = {"size": other}
    return _repair(title, changes)


def shrinking(shapes: JigsawShapes, strokes: list[int]) -> Repair | None:
    """Repair that makes tongues smaller; without such, drawn edges and those along the picture become straight."""
    kept = shapes.drawn & ~shapes.plain
    following = [each for each in strokes if kept[each] or shapes.tongues[each, PLAIN] == FOLLOWING]
    if following and (shapes.tongues[strokes, PLAIN] > 0.5).all():
        return _repair(tr("Make straight"), {shapes.tiling.edge_name(each): {"plain": True} for each in following})
    return _resizing(shapes, tr("Make smaller"), SHRINK, strokes)


def ruling(shapes: JigsawShapes, strokes: list[int]) -> Repair | None:
    """Repair that replaces bent edges without tongues by straight lines."""
    bent = [each for each in strokes if 0.5 < shapes.tongues[each, PLAIN] < STRAIGHT]
    return _repair(tr("Make straight"), {shapes.tiling.edge_name(each): {"ruled": True} for each in bent})


def growing(shapes: JigsawShapes, stroke: int, factor: float) -> Repair | None:
    """Repair that enlarges a tongue by slightly more than a factor, up to twice its size."""
    return _resizing(shapes, tr("Make larger"), min(factor * 1.02, 2.0), [stroke])


def straightening(shapes: JigsawShapes, stroke: int) -> Repair | None:
    """Repair that centres a tongue upright; a centred upright tongue crosses itself only if too flat, and grows."""
    if shapes.tongues[stroke, [PLACE, SLANT]].any():
        return _repair(tr("Reset offset and slant"), {shapes.tiling.edge_name(stroke): {"place": 0.0, "slant": 0.0}})
    return growing(shapes, stroke, 1 / SHRINK)


def merging(shapes: JigsawShapes, face: int) -> Repair | None:
    """Repair that merges a piece with a neighbour, longest shared cut first; None if all its neighbours are figures."""
    tiling, pieces = shapes.tiling, shapes.drawing.pieces
    around = pieces.codes[pieces.starts[face] : pieces.starts[face + 1]] >> 1
    inner = around[(tiling.graph.sides[around] >= 0).all(axis=1)]
    if face >= tiling.graph.face_count or not len(inner):
        return None
    beyond = tiling.graph.sides[inner].sum(axis=1) - face
    # Measure these strokes alone: a piece that gets too small under the mouse must not measure the whole board.
    shared = np.bincount(beyond, shapes.drawing.strokes.chosen(inner).lengths)
    others = [int(other) for other in np.argsort(-shared, kind="stable") if shared[other]]
    cuts = [[tiling.edge_name(cut) for cut in inner[beyond == other].tolist()] for other in others]

    def apply(design: JigsawDesign, progress: Progress) -> JigsawDesign:
        changed: JigsawDesign = _merged(design, cuts, progress)
        return changed

    return Repair(tr("Merge with neighbour"), apply)


_nudged = lazy("studio.puzzles.jigsaw.repair:nudged")
CROSSED = (
    check_problems.CROSSING,
    check_problems.ON_FIGURE,
    check_problems.BORDER,
    check_problems.BORDER_LOOP,
    check_problems.LOOP,
    check_problems.FIGURE_LOOP,
)
"""Problems that may change the number of pieces."""
THIN = (
    check_problems.BRIDGE,
    check_problems.NECK,
    check_problems.PRINTED_NECK,
    check_problems.FIGURE_THIN,
    check_problems.FIGURE_NOTCH,
)
"""Problems of places with too little wood."""
USUAL_BEAM, WIDEST_BEAM = 0.15, 0.3
"""Kerfs in mm that every piece without errors bears, and every piece without findings."""
SHARP = math.radians(40.0)
"""Angle in radians below which a corner of a piece is sharp."""
NEARBY = 3.0
"""Distance in mm within which a known finding explains a thin place."""


def of_outlines(shapes: JigsawShapes, faces: Ints, known: list[Finding]) -> list[Finding]:
    """Find pieces that no export can write, or none with its kerf or clearance, unless a `known` finding says so.

    A known finding counts if all its strokes bound the piece: then it is dropped only when the piece is checked again.
    """
    p, pieces = shapes.limits, shapes.drawing.pieces
    printed = p.play + 2 * p.chamfer
    wood = max(WIDEST_BEAM, printed + 2 * LOST if printed else 0.0)
    # If the maker's limits are lower, thinner places are the maker's choice.
    faces = _doubtful(shapes, faces)
    faces = faces[~shapes.is_open[faces]]
    if not len(faces):
        return []
    from studio.checks.pieces import flaws

    findings = []
    for flaw in flaws(shapes.drawing, faces, wood, WIDEST_BEAM):
        around = set((pieces.codes[pieces.starts[flaw.piece] : pieces.starts[flaw.piece + 1]] >> 1).tolist())
        said = THIN if flaw.harm else CROSSED
        if any(
            one.problem in said and around.issuperset(one.strokes)
            and (not flaw.harm or math.dist(one.place, flaw.place.tolist()) < NEARBY)
            for one in known
        ):  # fmt: skip
            continue
        is_severed = flaw.harm < 0 and flaw.width < USUAL_BEAM and flaw.is_harmed_by(-USUAL_BEAM / 2)
        problem, least = check_problems.PIECE_NECK, wood
        if not flaw.harm:
            problem = check_problems.TOUCHING
        elif flaw.harm > 0:
            problem, least = check_problems.PIECE_GAP, WIDEST_BEAM
        elif is_severed and not _is_made_thin(shapes, flaw.piece):
            problem, least = check_problems.PIECE_SEVERED, USUAL_BEAM
        findings.append(
            problem.finding(
                flaw.place.tolist(),
                pieces=[flaw.piece],
                repair=_parting(shapes, flaw.piece) if is_severed or not flaw.harm else None,
                piece=pieces.names[flaw.piece],
                shortfall=1 - flaw.width / least,
                width=flaw.width,
                least=least,
            )
        )
    return findings


def _doubtful(shapes: JigsawShapes, faces: Ints) -> Ints:
    """Choose the pieces that may be thin elsewhere than at a wall between two cuts or the neck of a tongue.

    Such a piece has holes, two stretches of border or figures, a corner visited twice, or a sharp corner.
    """
    graph, pieces = shapes.tiling.graph, shapes.drawing.pieces.chosen(faces)
    edges, backwards = pieces.codes >> 1, pieces.codes & 1
    begins, ends = graph.edges[edges, backwards], graph.edges[edges, 1 - backwards]
    found = np.bincount(pieces.owners, (graph.sides[edges] < 0).any(axis=1), len(faces)) > 1
    found[np.searchsorted(pieces.starts, pieces.holes, side="right") - 1] = True
    came = np.sort(pieces.owners * (graph.edges.max() + 1) + begins)
    found[came[1:][came[1:] == came[:-1]] // (graph.edges.max() + 1)] = True
    ways = paired(shapes.corners[ends] - shapes.corners[begins])
    after = np.arange(1, len(ways) + 1)
    after[pieces.starts[1:] - 1] = pieces.starts[:-1]
    found[pieces.owners[np.abs(np.angle(ways[after] * ways.conj())) > np.pi - SHARP]] = True
    return np.asarray(faces[found])


def _is_made_thin(shapes: JigsawShapes, face: int) -> bool:
    """True if the tiling makes a piece thin: no figure bounds it, and straight cuts between home corners keep it so."""
    from studio.checks.pieces import flaws

    pieces = shapes.drawing.pieces
    around = np.unique(pieces.codes[pieces.starts[face] : pieces.starts[face + 1]] >> 1).tolist()
    if any(stroke in shapes.tiling.figure_of for stroke in around):
        return False
    inner = [stroke for stroke in around if not shapes.tiling.is_rim(stroke)]
    plain = shapes_after(shapes, straight(shapes, inner, to_home=True))
    return bool(flaws(plain.drawing, np.array([face]), USUAL_BEAM, 0.0))


def _parting(shapes: JigsawShapes, face: int) -> Repair | None:
    """Repair that moves the figures around a piece, or merges it with a neighbour on a board without figures."""
    if not shapes.design.whimsies:
        return merging(shapes, face)

    def apply(design: JigsawDesign, progress: Progress) -> JigsawDesign:
        moved: JigsawDesign = _nudged(design, progress)
        return moved

    return Repair(tr("Move figure"), apply)


# Problems of a tray, each with its repair


@lru_cache(maxsize=8)
def tray_findings(found: Tray, least_bridge: float) -> tuple[Finding, ...]:
    """Find the problems of a tray, given the least distance in mm between cuts."""
    least, findings = max(LEAST_WOOD, least_bridge), list[Finding]()
    if found.bare_wood < least:
        problem = check_problems.TRAY_OPEN if found.bare_wood <= 0 else check_problems.TRAY_THIN
        place, repair = _on_board(found, found.narrowest), _sturdier(found, least)
        findings.append(problem.finding(place, repair=repair, wood=found.bare_wood, least=least))
    elif found.form.notches:
        place, left = _on_board(found, found.notch_places[0]), found.room_behind - found.form.notch
        if left < least:
            problem = check_problems.NOTCH_OPEN if left <= 0 else check_problems.NOTCH_THIN
            smaller = _smaller_notches(found, least)
            findings.append(problem.finding(place, repair=smaller, radius=found.form.notch, wood=left, least=least))
        if found.apart < least:
            fewer = range(found.form.notches - 1, -1, -1)
            repair = _setting(
                tr("Use {tray_notches} finger notches"), "tray_notches", fewer,
                lambda count: Tray(found.board, replace(found.form, notches=count)).apart >= least,
            )  # fmt: skip
            findings.append(check_problems.NOTCHES_MEET.finding(place, repair=repair, count=found.form.notches))
    return (*findings, *map(check_problems.HOLE_OPEN.finding, found.lost_holes))


def _on_board(found: Tray, place: Sequence[float] | Floats) -> Floats:
    """Place on the board nearest to a place on its tray."""
    bounds = found.board.bounds
    return np.clip(np.asarray(place, np.float64), bounds[:2], bounds[2:])


def _sturdier(found: Tray, least: float) -> Repair | None:
    """Repair that reduces the outer radius, or widens the rim, until enough wood is left around the opening."""

    def is_sturdy(form: TrayForm) -> bool:
        return Tray(found.board, form).bare_wood >= least

    smaller = [half / 2 for half in range(math.ceil(2 * found.form.corner) - 1, -1, -1)]
    most = declaration(JigsawParameters, "tray_rim").limits[1]
    wider = [half / 2 for half in range(math.floor(2 * found.form.rim) + 1, int(2 * most) + 1)]
    rounder = _setting(
        tr("Set outer radius to {tray_corner:g} mm"), "tray_corner", smaller,
        lambda corner: is_sturdy(replace(found.form, corner=corner)),
    )  # fmt: skip
    return rounder or _setting(
        tr("Set rim width to {tray_rim:g} mm"), "tray_rim", wider,
        lambda rim: is_sturdy(replace(found.form, rim=rim)),
    )  # fmt: skip


def _smaller_notches(found: Tray, least: float) -> Repair:
    """Repair that sets the largest notches with enough wood behind them, or removes them."""
    most = math.floor(2 * (found.room_behind - least)) / 2
    if most >= declaration(JigsawParameters, "tray_notch").limits[0]:
        return Repair.setting(tr("Set notch radius to {tray_notch:g} mm"), tray_notch=most)
    return Repair.setting(tr("Remove the finger notches"), tray_notches=0)


def _setting(title: str, name: str, values: Sequence[float], is_good: Callable[[Any], bool]) -> Repair | None:
    """Repair that sets a parameter to the first good value, by bisection; None if no value is good."""
    at = bisect_left(values, True, key=is_good)
    return None if at == len(values) else Repair.setting(title, **{name: values[at]})

"""Repair a jigsaw by a few small changes of its tongues and corners, and by nudging figures; report the changes.

A new figure is nudged to a spot without problems, others if no change of the cuts around them helps.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from studio.base.amounts import abridged, listed, many
from studio.base.errors import StudioError
from studio.base.parameters import declaration, declarations
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr, within
from studio.checks.finding import Finding, Severity, errors_of
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.figures.figure_edits import whimsy_named, with_figures_at, with_figures_posed
from studio.puzzles.jigsaw.figures.whimsies import Whimsy
from studio.puzzles.jigsaw.model.design import TRAY_FIELDS, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.model.tiling import lost_edits, without_lost_edits
from studio.puzzles.jigsaw.repair_search import CheckedBoard, Counts, searched
from studio.puzzles.kind import Generated

MOST_NAMED = 12
"""Most locked tongues, and most dropped edits, that are named."""
SAMPLES, FLATTENING = 17, 0.01
"""Number of places compared on each cut, and largest deviation in mm of its polyline."""
NUDGES = (0.04, 0.08, 0.16, 0.3)
"""Distances by which a figure is moved, in cells."""
SPOTS = (0.08, 0.2)
"""Distances for new figures, and for several that move together, in cells."""
WAYS = 8
"""Number of directions in which it is moved."""
NEAR = 0.5
"""Distance in cells from a figure within which it may be the cause of a problem."""
MOST_IN_VAIN = 2
"""Number of figures in a row moved in vain after which warnings are given up."""
OWN = (check_problems.FIGURE_THIN, check_problems.FIGURE_NOTCH, check_problems.FIGURE_TONGUES)
"""Problems of a figure's form, independent of its place."""
SEARCHED = 3
"""Number of best places of a figure at which the cuts around it are changed, too."""


@dataclass(frozen=True)
class Repaired:
    """A repaired design and its changes.

    `tongues`, `corners`, `figures` and `lines`, the loose ones, name the changed elements, `locked` the changed tongues
    that were locked, `tray` the changed parameters of the tray, with their values, and `dropped` the edits that the
    board has lost.
    `mean` and `largest` are the distances in mm by which the cuts moved. `left` describes the remaining errors, and for
    each limit that is not met the value that would be.
    """

    design: JigsawDesign
    is_change: bool
    before: Counts
    after: Counts
    tongues: tuple[str, ...]
    corners: tuple[str, ...]
    figures: tuple[str, ...]
    lines: tuple[str, ...]
    locked: tuple[str, ...]
    mean: float
    largest: float
    left: tuple[str, ...]
    tray: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """Result in a short line."""
        counts = tr(
            "{errors} and {warnings} left ({before_errors} and {before_warnings} before).",
            errors=many(self.after.errors, "error"), warnings=many(self.after.warnings, "warning"),
            before_errors=self.before.errors, before_warnings=self.before.warnings,
        )  # fmt: skip
        return " ".join([counts, *self._dropped_words, tr("Apply the changes?")])

    @property
    def _dropped_words(self) -> list[str]:
        """Sentence about dropped edits, if any."""
        if not self.dropped:
            return []
        names = abridged(self.dropped, MOST_NAMED)
        if len(self.dropped) == 1:
            return [tr("1 edit is dropped: {names}.", names=names)]
        return [tr("{edits} are dropped: {names}.", edits=many(len(self.dropped), "edit"), names=names)]

    @property
    def sentences(self) -> list[str]:
        """Result in sentences."""
        if not self.is_change:
            warned = many(self.after.warnings, "warning")
            rest = (
                tr("No change was found that helps; {warnings} left.", warnings=warned) if self.after.warnings else ""
            )
            return [*self.left] or [rest or tr("There was nothing to fix.")]
        cuts = ((self.tongues, "tongue"), (self.corners, "corner"), (self.figures, "figure"))
        changed = [many(len(names), one) for names, one in (*cuts, (self.lines, "drawn line")) if names]
        sentences = [
            tr(
                "{before_errors} and {before_warnings} before, {errors} and {warnings} after.",
                before_errors=many(self.before.errors, "error"),
                before_warnings=many(self.before.warnings, "warning"),
                errors=many(self.after.errors, "error"),
                warnings=many(self.after.warnings, "warning"),
            )
        ]
        if self.tray:
            sentences.append(tr("Tray settings changed: {settings}.", settings=listed(self.tray)))
        if changed:
            sentences.append(tr("Changes: {changed}.", changed=listed(changed)))
        if any(names for names, _ in cuts):
            sentences.append(
                tr(
                    "Cuts move by {mean:.2f} mm on average, {largest:.1f} mm at most.",
                    mean=self.mean,
                    largest=self.largest,
                )
            )
        if self.locked:
            locked = abridged(self.locked, MOST_NAMED)
            sentences.append(tr("Including locked tongues: {locked}.", locked=locked))
        return [*sentences, *self._dropped_words, *self.left]


def repaired(design: JigsawDesign, progress: Progress) -> Repaired:
    """Repair a design until it has no errors and as few warnings as the search finds."""
    first = CheckedBoard.from_design(design, progress.part(0.0, 0.05))
    start = _with_fitting_parts(first, progress.part(0.05, 0.1))
    parameters = start.design.parameters
    # The search does not try to meet limits that pieces of this size cannot meet.
    width, height = first.shapes.tiling.scale.tolist()
    most = check_problems.reaches(width, height, parameters.play)
    limits = first.shapes.limits
    beyond: dict[str, Any] = {name: high for name, high in most.items() if getattr(limits, name) > high}
    wanted = replace(parameters, **beyond)
    if wanted != parameters:
        start = CheckedBoard.from_design(replace(start.design, parameters=wanted), SILENT)
    found = searched(start, progress.part(0.1, 0.8))
    if found.design.whimsies and found.needs:
        found = with_figures_nudged(found, progress.part(0.8, 0.95))
    last = CheckedBoard.from_design(replace(found.design, parameters=parameters), progress.part(0.95, 0.96))
    if wanted != parameters and Counts.from_board(last).errors:
        # A thin wall hides a thin outline beside it, and the limits decide which walls are thin.
        last = searched(last, progress.part(0.96, 1.0))
    if Counts.from_board(last) > Counts.from_board(first):
        last = first
    tongues = tuple(edit.name for edit in last.design.tongues if edit != design.tongue(edit.name))
    mean, largest = _movement(first.shapes, last.shapes)
    return Repaired(
        design=last.design,
        is_change=last.design != design,
        before=Counts.from_board(first),
        after=Counts.from_board(last),
        tongues=tongues,
        corners=tuple(edit.name for edit in last.design.corners if edit != start.design.corner(edit.name)),
        figures=tuple(one.name for one in last.design.whimsies if one not in design.whimsies),
        lines=tuple(one.name for one in design.loose if one not in last.design.loose),
        locked=tuple(name for name in tongues if design.tongue(name).locked_seed is not None),
        mean=mean,
        largest=largest,
        left=_left(last),
        tray=_changed_for_the_tray(design.parameters, last.design.parameters),
        dropped=lost_edits(design, last.design),
    )


def _changed_for_the_tray(before: JigsawParameters, after: JigsawParameters) -> tuple[str, ...]:
    """Changed parameters of the tray, with their new values."""
    changed = [
        one for one in declarations(JigsawParameters)
        if one.name in TRAY_FIELDS and getattr(before, one.name) != getattr(after, one.name)
    ]  # fmt: skip
    named = [(within(one.title), getattr(after, one.name), one.is_length) for one in changed]
    return tuple(
        tr("{title} {value:g} mm", title=title, value=value) if is_length else f"{title} {value:g}"
        for title, value, is_length in named
    )


def _with_fitting_parts(board: CheckedBoard, progress: Progress) -> CheckedBoard:
    """Repair loose lines, figures, their tongues and the tray; parts whose repair fails stay."""
    whimsies, left = board.design.whimsies, set[str]()
    parts = len(whimsies) + sum(one.tongues for one in whimsies) + len(board.design.loose)
    for _ in range(parts + len(check_problems.TRAY_PROBLEMS)):
        concerned = (
            each
            for each in board.checked.findings
            if each.cells or each.problem in (*check_problems.TRAY_PROBLEMS, check_problems.FIGURE_LOOP)
        )
        finding = next((each for each in concerned if each.repair and each.message not in left), None)
        if finding is None or finding.repair is None:
            break
        try:
            board = CheckedBoard.from_design(finding.repair.apply(board.design, progress), progress)
        except StudioError:
            left.add(finding.message)
    return board


def _movement(before: JigsawShapes, after: JigsawShapes) -> tuple[float, float]:
    """Mean and largest movement of the inner cuts in mm, comparing places at the same fraction of a cut."""
    import shapely

    was, now = before.tiling.edge_indices, after.tiling.edge_indices
    names = [name for name in was if name in now]
    if not names:
        return 0.0, 0.0
    shares = np.linspace(0.0, 1.0, SAMPLES)
    places = []
    for shapes, indices in ((before, was), (after, now)):
        lines = shapes.drawing.strokes.chosen(np.array([indices[name] for name in names])).flattened(FLATTENING)
        cuts = shapely.linestrings(lines.points, indices=lines.owners)
        points = shapely.line_interpolate_point(cuts[:, None], shares, normalized=True)
        places.append(shapely.get_coordinates(points).reshape(len(names), SAMPLES, 2))
    away = np.hypot(*np.moveaxis(places[1] - places[0], 2, 0))
    return float(away.mean()), float(away.max())


def _left(board: CheckedBoard) -> tuple[str, ...]:
    """Describe what remains: each error, and for every limit that is not met the value that would be."""
    left: dict[str, list[Finding]] = defaultdict(list)
    limits = {one.problem: name for name, one in check_problems.LIMITS.items()}
    sentences = []
    corners = 0
    for finding in board.checked.findings:
        corners += finding.problem is check_problems.PROTECTED_CORNER
        if finding.problem in limits:
            left[limits[finding.problem]].append(finding)
        elif finding.severity is Severity.ERROR:
            sentences.append(finding.message)
    if corners:
        sentences.append(
            tr(
                "{corners} cannot leave the protected area. Merge the pieces there, make pieces larger or the area "
                "smaller.",
                corners=many(corners, "corner"),
            )
        )
    for name, findings in left.items():
        known = declaration(type(board.design.parameters), name)
        least = getattr(board.shapes.limits, name)
        would = math.floor(100 * least * (1 - max(finding.shortfall for finding in findings))) / 100
        sentences.append(
            tr(
                "{limit} ({least:g} {unit}) is not met in {places}; {would:g} {unit} can be met.",
                limit=known.title, least=least, unit=known.unit, places=many(len(findings), "place"), would=would,
            )
        )  # fmt: skip
    return tuple(sentences)


def settled(design: JigsawDesign, figures: Sequence[Whimsy], progress: Progress) -> Generated[JigsawDesign]:
    """Add figures, moved together to the nearest spot where they cause no problem, or to the spot with the fewest.

    `design` is the design without them, but may have edits of their elements. Raise StudioError if they cannot be cut
    at their poses.
    """
    best = with_figures_at(design, figures, progress.part(0.0, 0.2))
    board = CheckedBoard.from_design(best.design, SILENT)
    if not board.needs:
        return best
    bare = without_lost_edits(design, SILENT).design
    known = {_key(finding) for finding, _, _ in CheckedBoard.from_design(bare, SILENT).needs}
    least, cell = _new_cost(board, known), float(board.shapes.tiling.scale.min())
    for at, (share, way) in enumerate(product(SPOTS, range(WAYS))):
        if not least:
            break
        progress.step(0.2 + 0.8 * at / (len(SPOTS) * WAYS))
        right, down = _step(share * cell, way)
        try:
            made = with_figures_at(design, [one.posed(**_moved(one, right, down)) for one in figures], SILENT)
        except StudioError:
            continue
        cost = _new_cost(CheckedBoard.from_design(made.design, SILENT), known)
        if cost < least:
            best, least = made, cost
    return best


def new_problems(before: JigsawDesign, after: JigsawDesign) -> int:
    """Count the problems that additional figures cause."""
    known = {_key(finding) for finding, _, _ in CheckedBoard.from_design(before, SILENT).needs}
    return sum(_key(finding) not in known for finding, _, _ in CheckedBoard.from_design(after, SILENT).needs)


def _new_cost(board: CheckedBoard, known: Collection[tuple[str, float, float]]) -> float:
    """Weight of all problems, except known problems and problems of a figure's form."""
    new = ((finding.problem, weight) for finding, weight, _ in board.needs if _key(finding) not in known)
    return sum(weight for problem, weight in new if problem not in OWN)


def _key(finding: Finding) -> tuple[str, float, float]:
    """Key of a problem: its kind and place to 0.1 mm, unchanged by figures added elsewhere."""
    return finding.kind, round(finding.place[0], 1), round(finding.place[1], 1)


def _step(away: float, way: int) -> tuple[float, float]:
    """Step in mm, rounded so that letters that share it stay in line."""
    return round(away * math.cos(math.tau * way / WAYS), 2), round(away * math.sin(math.tau * way / WAYS), 2)


def _moved(one: Whimsy, right: float, down: float) -> dict[str, float]:
    return {"x": one.pose.x + right, "y": one.pose.y + down}


def with_figures_nudged(board: CheckedBoard, progress: Progress) -> CheckedBoard:
    """Move figures with problems beside them to places with the fewest, changing the cuts around them.

    Figures near each other, such as the letters of a name, move together if that is enough.
    """
    names, in_vain = _concerned(board), 0
    for at, name in enumerate(names):
        if in_vain >= MOST_IN_VAIN and not errors_of(board.checked.findings):
            break
        cost = board.cost
        part = progress.part(at / len(names), (at + 1) / len(names))
        group = _group(board, name)
        if len(group) > 1 and name in _concerned(board):
            board = min([board, _nudged(board, group, SPOTS, part.part(0.0, 0.4))], key=_rank)
        if name in _concerned(board):
            board = min([board, _nudged(board, [name], NUDGES, part.part(0.4, 1.0))], key=_rank)
        in_vain = in_vain + 1 if board.cost == cost else 0
    return board


def nudged(design: JigsawDesign, progress: Progress) -> JigsawDesign:
    """Move figures beside errors a little to reduce the errors. Raise StudioError if that does not help."""
    before = CheckedBoard.from_design(design, progress.part(0.0, 0.2))
    after = with_figures_nudged(before, progress.part(0.2, 1.0))
    if _rank(after)[0] >= _rank(before)[0]:
        raise StudioError(tr("No place nearby has room for the figure. Move it, or use Fix all… instead."))
    return after.design


def _rank(board: CheckedBoard) -> tuple[int, float]:
    return len(errors_of(board.checked.findings)), board.cost


def _concerned(board: CheckedBoard) -> list[str]:
    """Names of the figures with problems beside them, or errors in cuts that end on them."""
    import shapely

    tiling = board.shapes.tiling
    places = shapely.multipoints(np.array([each.place for each, _, _ in board.needs]).reshape(-1, 2))
    near = NEAR * float(tiling.scale.min())
    wrong = {cut for each, _, cuts in board.needs if each.severity is Severity.ERROR for cut in cuts}
    ends = tiling.graph.edges[sorted(wrong)]
    met = {one.name for one in tiling.fillings if np.isin(ends, tiling.graph.edges[one.codes >> 1]).any()}
    return [
        one.name
        for one in board.design.whimsies
        if one.name in met or shapely.dwithin(shapely.polygons(one.on_board()[0][::3]), places, near)
    ]


def _group(board: CheckedBoard, name: str) -> list[str]:
    """Names of a figure and of all figures in a chain of near figures with it."""
    import shapely

    names = [one.name for one in board.design.whimsies]
    areas = shapely.polygons([shapely.linearrings(one.on_board()[0][::3]) for one in board.design.whimsies])
    near = NEAR * float(board.shapes.tiling.scale.min())
    found, left = [name], [name]
    while left:
        beside = shapely.dwithin(areas[names.index(left.pop())], areas, near)
        fresh = [each for each, is_near in zip(names, beside.tolist(), strict=True) if is_near and each not in found]
        found += fresh
        left += fresh
    return found


def _nudged(board: CheckedBoard, names: Sequence[str], shares: Sequence[float], progress: Progress) -> CheckedBoard:
    """Find the best board with figures moved together: the nearest without problems beside them, or a repaired one."""
    trials: list[CheckedBoard] = []
    for at, share in enumerate(shares):
        trials += _around(board, names, share, progress.part(0.7 * at / len(shares), 0.7 * (at + 1) / len(shares)))
        best = min(trials, key=_rank, default=board)
        if _rank(best) < _rank(board) and not {*names} & {*_concerned(best)}:
            return best
    if not errors_of(board.checked.findings):
        return min([board, *trials], key=_rank)
    found = [board]
    for at, trial in enumerate(sorted(trials, key=_rank)[:SEARCHED]):
        found.append(searched(trial, progress.part(0.7 + 0.3 * at / SEARCHED, 0.7 + 0.3 * (at + 1) / SEARCHED)))
        if not {*names} & {*_concerned(found[-1])}:
            break
    return min(found, key=_rank)


def _around(board: CheckedBoard, names: Sequence[str], share: float, progress: Progress) -> list[CheckedBoard]:
    """Boards with figures moved in all directions by a fraction of a cell."""
    away, boards = share * float(board.shapes.tiling.scale.min()), []
    figures = [whimsy_named(board.design, name) for name in names]
    for way in range(WAYS):
        progress.step(way / WAYS, tr("Moving figure {figure}", figure=names[0]))
        poses = {one.name: one.posed(**_moved(one, *_step(away, way))).pose for one in figures}
        try:
            design = with_figures_posed(board.design, poses, SILENT, is_exact=True).design
        except StudioError:
            continue
        boards.append(CheckedBoard.from_design(design, SILENT))
    return boards

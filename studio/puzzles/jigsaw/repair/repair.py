"""Repair a jigsaw by a few small changes of its tongues and corners, and report the changes."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

from studio.base.amounts import abridged, listed, many
from studio.base.errors import StudioError
from studio.base.parameters import declaration, declarations
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr, within
from studio.checks.finding import Finding, Severity
from studio.puzzles.jigsaw.checks import problems
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.generate import lost_edits
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.repair.nudging import with_figures_nudged
from studio.puzzles.jigsaw.repair.search import Board, Counts, searched

LIMITED = {
    problems.BRIDGE: "least_bridge",
    problems.NECK: "least_neck",
    problems.PRINTED_NECK: "line_width",
    problems.RADIUS: "least_radius",
    problems.SMALL_PIECE: "least_area",
}
"""Limits behind warnings."""
REACH = {"least_bridge": 0.15, "least_neck": 0.2, "least_radius": 0.04}
"""Largest limits that can be met, in widths of a usual piece."""
SMALLEST = 0.6
"""Largest limit of area that most pieces can meet, in areas of a usual piece."""
MOST_NAMED = 12
"""Most locked tongues, and most dropped edits, that are named."""
SAMPLES, FLATTENING = 17, 0.01
"""Number of places compared on each cut, and largest deviation in mm of its polyline."""


@dataclass(frozen=True)
class Repaired:
    """A repaired design and its changes.

    `tongues`, `corners` and `figures` name the changed elements, `locked` the changed tongues that were locked, `tray`
    the changed parameters of the tray, with their values, and `dropped` the edits that the board has lost.
    `mean` and `largest` are the distances in mm by which the cuts moved. `left` describes the remaining errors, and for
    each limit that is not met the value that would be.
    """

    design: JigsawDesign
    before: Counts
    after: Counts
    tongues: tuple[str, ...]
    corners: tuple[str, ...]
    figures: tuple[str, ...]
    locked: tuple[str, ...]
    mean: float
    largest: float
    left: tuple[str, ...]
    tray: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()

    @property
    def is_change(self) -> bool:
        """True if anything changed."""
        return bool(self.tongues or self.corners or self.figures or self.tray or self.dropped)

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
            return [*self.left] if self.left else [tr("There was nothing to fix.")]
        changed = [
            many(len(names), one)
            for names, one in ((self.tongues, "tongue"), (self.corners, "corner"), (self.figures, "figure"))
            if names
        ]
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
            sentences.append(
                tr(
                    "Changes: {changed}. Cuts move by {mean:.2f} mm on average, {largest:.1f} mm at most.",
                    changed=listed(changed),
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
    first = Board.from_design(design, progress.part(0.0, 0.05))
    start = _with_fitting_parts(first, progress.part(0.05, 0.1))
    parameters = start.design.parameters
    wanted = _within_reach(parameters, first)
    if wanted != parameters:
        start = Board.from_design(replace(start.design, parameters=wanted), SILENT)
    found = searched(start, progress.part(0.1, 0.8))
    if found.design.whimsies and found.needs:
        found = with_figures_nudged(found, progress.part(0.8, 0.95))
    last = Board.from_design(replace(found.design, parameters=parameters), progress.part(0.95, 0.96))
    if wanted != parameters and Counts.from_board(last).errors:
        # A thin wall hides a thin outline beside it, and the limits decide which walls are thin.
        last = searched(last, progress.part(0.96, 1.0))
    tongues = tuple(edit.name for edit in last.design.tongues if edit != design.tongue(edit.name))
    mean, largest = _movement(first.shapes, last.shapes)
    return Repaired(
        design=last.design,
        before=Counts.from_board(first),
        after=Counts.from_board(last),
        tongues=tongues,
        corners=tuple(edit.name for edit in last.design.corners if edit != design.corner(edit.name)),
        figures=tuple(one.name for one in last.design.whimsies if one not in design.whimsies),
        locked=tuple(name for name in tongues if design.tongue(name).locked_seed is not None),
        mean=mean,
        largest=largest,
        left=_left(last),
        tray=_changed_for_the_tray(design.parameters, parameters),
        dropped=lost_edits(design, last.design),
    )


def _changed_for_the_tray(before: JigsawParameters, after: JigsawParameters) -> tuple[str, ...]:
    """Changed parameters of the tray, with their new values."""
    if before == after:
        return ()
    changed = [one for one in declarations(JigsawParameters) if getattr(before, one.name) != getattr(after, one.name)]
    named = [(within(one.title), getattr(after, one.name), one.is_length) for one in changed]
    return tuple(
        tr("{title} {value:g} mm", title=title, value=value) if is_length else f"{title} {value:g}"
        for title, value, is_length in named
    )


def _within_reach(parameters: JigsawParameters, board: Board) -> JigsawParameters:
    """Lower limits that pieces of this size cannot meet, so that the search does not try to meet them."""
    usual = float(board.shapes.tiling.scale.min())
    most = {"least_area": SMALLEST * float(board.shapes.tiling.scale.prod())}
    most |= {name: share * usual for name, share in REACH.items()}
    most["line_width"] = max(0.0, REACH["least_neck"] * usual - parameters.play)
    return replace(parameters, **{name: min(getattr(parameters, name), high) for name, high in most.items()})


def _with_fitting_parts(board: Board, progress: Progress) -> Board:
    """Repair figures, their tongues and the tray; parts whose repair fails stay."""
    whimsies, left = board.design.whimsies, set[str]()
    for _ in range(len(whimsies) + sum(one.tongues for one in whimsies) + len(problems.TRAY_PROBLEMS)):
        concerned = (
            each
            for each in board.checked.findings
            if each.cells or each.problem in (*problems.TRAY_PROBLEMS, problems.FIGURE_LOOP)
        )
        finding = next((each for each in concerned if each.repair and each.message not in left), None)
        if finding is None or finding.repair is None:
            break
        try:
            board = Board.from_design(finding.repair.apply(board.design, progress), progress)
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


def _left(board: Board) -> tuple[str, ...]:
    """Describe what remains: each error, and for every limit that is not met the value that would be."""
    left: dict[str, list[Finding]] = defaultdict(list)
    sentences = []
    corners = 0
    for finding in board.checked.findings:
        corners += finding.problem is problems.PROTECTED_CORNER
        if finding.problem in LIMITED:
            left[LIMITED[finding.problem]].append(finding)
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

"""Checks of figures and their tongues, with repairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import lazy
from studio.base.texts import tr
from studio.checks.cut_crossings import Pairs
from studio.checks.finding import Finding, Repair
from studio.geometry.board.outline import Outline
from studio.geometry.curves.strokes import Curves, Ints, among
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.figures.placing import fitting, misplaced, placeable, thin_between
from studio.puzzles.jigsaw.figures.tongues import nearest, on_cuts
from studio.puzzles.jigsaw.figures.whimsies import AS_FIT, Whimsy
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.model.tiling import lost_edits, outline_without_figures, with_whimsies
from studio.puzzles.jigsaw.tongues.necks_and_bends import narrow_necks, tight_bends

_refigured = lazy("studio.puzzles.jigsaw.repair_search:refigured")
SHRINK, GROW = 0.8, 1.25
"""Factors by which repairs shrink and enlarge a figure."""
ENDS_ON = 0.1
"""Distance in mm of the end of a detail from a cut within which it is on it."""
LEAST_HEIGHT = 5.0
"""Height in mm below which figures are not shrunk to fit."""


def of_tongue_at(shapes: JigsawShapes, figure: str, place: Sequence[float]) -> Repair | None:
    """Repair of a figure's tongue at a place; None if no edited tongue is there."""
    tongue = nearest(shapes.tiling, shapes.drawing, figure, place)
    if tongue is None or shapes.decided(tongue).is_only_kept:
        return None
    return reshaping(shapes.tiling.tongue_name(tongue))


def reshaping(name: str) -> Repair:
    """Repair that tries shapes of a figure's tongue until its problem is gone and no other problem is worse."""
    return Repair(tr("Reshape tongue"), partial(_refigured, name=name))


def of_tongues(shapes: JigsawShapes, strokes: Ints) -> list[Finding]:
    """Find weak necks and tight bends in edited tongues of figures on some cuts."""
    p, findings = shapes.limits, []
    for tongue, cut, points in on_cuts(shapes.tiling, shapes.drawing, strokes):
        if shapes.plain[tongue] or shapes.decided(tongue).is_only_kept:
            continue
        name, curve = shapes.tiling.tongue_name(tongue), Curves.from_strokes([points])
        knobs = shapes.style_of(tongue).knobs
        necks, bends = narrow_necks(curve, p.least_neck, knobs)[1:], tight_bends(curve, p.least_radius)[1:]
        for problem, title, least, advice, (values, places) in (
            (check_problems.NECK, "width", p.least_neck, tr("Make the tongue larger."), necks),
            (check_problems.RADIUS, "radius", p.least_radius, tr("Reset its shape."), bends),
        ):
            for value, place in zip(values.tolist(), places.tolist(), strict=True):
                words: dict[str, Any] = {title: f"{math.floor(100 * value) / 100:.2f}", "tongue": name}
                findings.append(
                    problem.finding(
                        place,
                        strokes=[cut],
                        cells=[name],
                        repair=reshaping(name),
                        shortfall=1 - value / least,
                        least=least,
                        advice=advice,
                        **words,
                    )
                )
    return findings


def apart_from_details(shapes: JigsawShapes, pairs: Pairs) -> tuple[Pairs, NDArray[np.bool_]]:
    """Leave out pairs of cuts where a detail of a figure ends on the other, and those with details drawn by a maker;
    also return the mask (k,) of the rest."""
    kept = np.asarray(~among(pairs.cuts.ravel(), shapes.tiling.drawn_details).reshape(-1, 2).any(axis=1))
    for at, (pair, place) in enumerate(zip(pairs.cuts.tolist(), pairs.places, strict=True)):
        ends = [shapes.drawing.strokes[cut][[0, -1]] for cut in pair if cut in shapes.tiling.details]
        kept[at] &= not any(np.hypot(*(each - place).T).min() <= ENDS_ON for each in ends)
    return Pairs(pairs.cuts[kept], pairs.places[kept]), kept


def _of_details(shapes: JigsawShapes) -> list[Finding]:
    """Find details of figures that nearly reach the outline of their piece."""
    import shapely

    lines, least = shapes.drawing.polylines, shapes.limits.least_bridge
    findings = []
    for one in shapes.tiling.fillings if shapes.tiling.details else ():
        strings = [shapely.LineString(lines[edge]) for edge in (one.outlines >> 1).tolist()]
        outline = shapely.union_all(strings)
        for detail in one.details.tolist():
            string = shapely.LineString(lines[detail])
            # A detail that begins on the outline leaves it at some angle.
            ends = shapely.points(lines[detail][[0, -1]])
            joined = ends[shapely.distance(outline, ends) <= ENDS_ON]
            rest = shapely.difference(string, shapely.union_all(shapely.buffer(joined, 2 * least)))
            gap = float(shapely.distance(outline, rest))
            if gap < least:
                place = shapely.get_coordinates(shapely.shortest_line(outline, rest))[0]
                findings.append(
                    check_problems.FIGURE_DETAIL.finding(
                        place, strokes=[detail], cells=[one.name], figure=one.name, gap=gap, least=least
                    )
                )
    return findings


def of_figures(shapes: JigsawShapes) -> list[Finding]:
    """Find problems of figures, cut or not."""
    design = shapes.design
    p, outline = design.parameters, outline_without_figures(design)
    findings = [
        replace(finding, repair=_refitting(finding, outline))
        for finding in misplaced(design.whimsies, outline, p.least_bridge, p.least_neck)
    ]
    cut = {one.name: 0 for one in shapes.tiling.fillings}
    for one in shapes.tiling.fillings:
        cut[one.name] += len(one.knobs)
    could = placeable(design.whimsies, outline, p.least_bridge)
    findings += [
        check_problems.FIGURE_UNCUT.finding((one.pose.x, one.pose.y), cells=[one.name], figure=one.name)
        for one in could
        if one.name not in cut
    ]
    findings += _of_details(shapes)
    findings += thin_between([one for one in could if one.name in cut], outline, p.least_bridge, p.least_neck)
    asked = AS_FIT if p.layout_version > 1 else AS_FIT + 1
    return findings + [
        _crowded(one, cut[one.name])
        for one in design.whimsies
        if one.name in cut and cut[one.name] < one.tongues < asked
    ]


def _crowded(one: Whimsy, count: int) -> Finding:
    """Report a figure that lacks room for all its tongues; the repair keeps the tongues that fit."""

    def change(design: JigsawDesign) -> JigsawDesign:
        fewer = (replace(each, tongues=count) if each.name == one.name else each for each in design.whimsies)
        return with_whimsies(design, fewer).design

    return check_problems.FIGURE_TONGUES.finding(
        (one.pose.x, one.pose.y),
        cells=[one.name],
        figure=one.name,
        count=count,
        wanted=one.tongues,
        repair=Repair.at_once(tr("Use {tongues}", tongues=many(count, "tongue")), change, lost_edits),
    )


def _refitting(finding: Finding, outline: Outline) -> Repair:
    """Repair that moves a figure to where it fits, or makes it larger or smaller."""
    (name,) = finding.cells

    def change(design: JigsawDesign) -> JigsawDesign:
        one = next(each for each in design.whimsies if each.name == name)
        if is_hidden:
            level = max(each.level for each in design.whimsies) + 1
            return with_whimsies(
                design, (replace(each, level=level) if each is one else each for each in design.whimsies)
            ).design
        others = [each for each in design.whimsies if each.name != name]
        if is_thin:
            one = one.posed(height=GROW * one.pose.height)
        p = design.parameters
        # A figure beyond the border may move as far as the middle of the board.
        far = math.dist((one.pose.x, one.pose.y), (p.width / 2, p.height / 2)) if is_beyond else 0.0
        placed = fitting([one], others, outline, p.least_bridge, far)
        while is_large and placed is None and SHRINK * one.pose.height > LEAST_HEIGHT:
            one = one.posed(height=round(SHRINK * one.pose.height, 1))
            placed = fitting([one], others, outline, p.least_bridge)
        if placed is None:
            raise StudioError(tr("There is no room for figure {figure} nearby. Make it smaller.", figure=name))
        return with_whimsies(design, [*others, *placed]).design

    is_thin = finding.problem in (check_problems.FIGURE_THIN, check_problems.FIGURE_NOTCH)
    is_large, is_beyond = (
        finding.problem == check_problems.FIGURE_COVERS,
        finding.problem == check_problems.FIGURE_BEYOND,
    )
    is_hidden = finding.problem == check_problems.FIGURE_HIDDEN
    title = tr("Make larger") if is_thin else tr("Make smaller") if is_large else tr("Move figure")
    title = tr("Bring to front") if is_hidden else title
    return Repair.at_once(title, change, lost_edits)

"""Check a jigsaw; after a drag only the cuts that moved are checked again."""

from __future__ import annotations

import math
from collections.abc import Collection
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.base.amounts import listed
from studio.base.parameters import declaration
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Checked, Finding, Repair
from studio.geometry.board.board_spec import DRAWN
from studio.geometry.curves.strokes import Floats, Ints, among
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.remedies import (
    CROSSED,
    growing,
    merging,
    of_outlines,
    ruling,
    shrinking,
    straightening,
    tray_findings,
)
from studio.puzzles.jigsaw.tongues.necks_and_bends import narrow_necks, tight_bends
from studio.puzzles.jigsaw.tongues.tongues import PLAIN

if TYPE_CHECKING:
    from studio.checks.cut_crossings import CutIndex, Cuts, Pairs

ON_RIM = 0.05
"""Tolerance in mm by which an engraving may reach beyond the board."""
FLAT = 0.05
"""Height in mm up to which a tongue is none, and has no neck."""
WORTH_A_THREAD = 1000
"""Number of cuts above which a second thread pays off."""
PROTECTED = (check_problems.PROTECTED_TONGUE, check_problems.PROTECTED_CORNER, check_problems.UNCUT)
"""Problems of the protected and the uncut area."""
BESIDE = (
    check_problems.ENGRAVED_BEYOND, check_problems.PICTURE_DAMAGED, check_problems.RELIEF_BLANK,
    check_problems.LOOSE_END, check_problems.LOOSE_FAR, check_problems.LOOSE_OVER, check_problems.LOOSE_BRIDGE,
    check_problems.LIMIT, *check_problems.TRAY_PROBLEMS,
)  # fmt: skip
"""Problems of loose lines, engravings, picture and tray, which are not cuts of the board."""


@dataclass(frozen=True, eq=False, kw_only=True)
class JigsawChecked(Checked):
    """Findings with the board they belong to, so that a similar design is checked by its differences."""

    shapes: JigsawShapes
    board: CutIndex
    sweeps: Floats
    """Area swept by each stroke; see `Polylines.sweeps`."""


def check(design: JigsawDesign, shapes: JigsawShapes, before: Checked | None, progress: Progress) -> JigsawChecked:
    """Find all problems of a design; with the answer for a similar design, check only the cuts that differ."""
    return _with_beside(_checked(design, shapes, before, progress), shapes)


def recombined(shapes: JigsawShapes, one: JigsawChecked, other: JigsawChecked) -> JigsawChecked:
    """Check shapes whose every cut equals that of `one` or `other`, measuring only pairs that are new.

    The result equals that of `check`, which is called if a cut differs from both.
    """
    known = [(one, shapes.drawing.strokes.changed_since(one.shapes.drawing.strokes)),
             (other, shapes.drawing.strokes.changed_since(other.shapes.drawing.strokes))]  # fmt: skip
    (one, moved), (other, rest) = sorted(known, key=lambda each: len(each[1]))
    if not len(moved) or among(moved, rest).any() or not _is_alike(shapes, one) or not _is_alike(shapes, other):
        return check(shapes.design, shapes, one, Progress())
    return _with_beside(_between(shapes, one, moved, other, rest), shapes)


def _is_alike(shapes: JigsawShapes, before: JigsawChecked) -> bool:
    """True if the board of `before` differs in cuts alone."""
    return (
        before.shapes.tiling is shapes.tiling
        and before.shapes.design.parameters == shapes.design.parameters
        and before.shapes.design.mask is shapes.design.mask
        and before.shapes.design.uncut is shapes.design.uncut
        and before.shapes.design.dropped == shapes.design.dropped
        and before.shapes.design.whimsies is shapes.design.whimsies
    )


def _between(shapes: JigsawShapes, one: JigsawChecked, moved: Ints, other: JigsawChecked, rest: Ints) -> JigsawChecked:
    """Combine two answers: the cuts `moved` equal those of `other`, the `rest` those of `one`."""
    from studio.checks import cut_crossings

    cuts = cut_crossings.cuts(shapes.drawing.strokes, moved)
    board = one.board.moved_to(cuts)
    faces, faces_of_rest = (shapes.tiling.graph.faces_at(each) for each in (moved, rest))
    moving, resting = (
        _Touched(frozenset(strokes.tolist()), frozenset(pieces.tolist()))
        for strokes, pieces in ((moved, faces), (rest, faces_of_rest))
    )
    findings = [each for each in one.findings if not moving.has(each)]
    findings += [each for each in other.findings if moving.has(each) and not resting.has(each)]
    around = board.around(cuts, _width_sought(shapes))
    around = around.chosen(among(around.strokes, np.concatenate([moved, rest])))
    findings += _of_cuts_beside(shapes, cuts, around)
    findings += [each for each in _of_several(shapes, moved) if resting.has(each)]
    sweeps = one.sweeps.copy()
    sweeps[moved] = cuts.polylines.sweeps
    between = faces[among(faces, faces_of_rest)]
    findings += _of_faces(shapes, between, sweeps)
    findings += of_outlines(shapes, between, findings)
    return JigsawChecked(_in_order(_counted(findings)), shapes=shapes, board=board, sweeps=sweeps)


@dataclass(frozen=True)
class _Touched:
    """Strokes with the pieces beside them."""

    strokes: frozenset[int]
    pieces: frozenset[int]

    def has(self, finding: Finding) -> bool:
        """True if a finding concerns any of these strokes or pieces."""
        return not (self.strokes.isdisjoint(finding.strokes) and self.pieces.isdisjoint(finding.pieces))


def _with_beside(checked: JigsawChecked, shapes: JigsawShapes) -> JigsawChecked:
    """Replace the findings of loose lines, engravings, tray and picture."""
    kept = tuple(one for one in checked.findings if not any(one.problem is each for each in BESIDE))
    design, beside = shapes.design, list[Finding]()
    if design.loose and design.parameters.tiling == DRAWN:
        from studio.puzzles.jigsaw.model.drawn_cuts import loose_findings

        beside += loose_findings(shapes)
    if design.engravings:
        from studio.puzzles.jigsaw.picture.engravings import leaves

        beside += [
            check_problems.ENGRAVED_BEYOND.finding((one.pose.x, one.pose.y), cells=[one.name], name=one.name)
            for one in design.engravings
            if leaves(one, shapes.drawing, ON_RIM)
        ]
    if shapes.tray is not None:
        beside += tray_findings(shapes.tray, shapes.limits.least_bridge)
    if design.picture is not None and not design.picture.is_whole:
        beside.append(check_problems.PICTURE_DAMAGED.finding(shapes.drawing.middle))
    if design.picture is None and design.parameters.relief:
        flat = Repair.setting(tr("Set the relief height to 0"), relief=0.0)
        beside.append(check_problems.RELIEF_BLANK.finding(shapes.drawing.middle, repair=flat))
    beside += _unreachable(shapes, kept)
    if not beside and len(kept) == len(checked.findings):
        return checked
    return replace(checked, findings=_in_order([*kept, *beside]))


def _unreachable(shapes: JigsawShapes, findings: Collection[Finding]) -> list[Finding]:
    """Find limits that several cuts or pieces do not meet because pieces are too small for them."""
    parameters, (width, height), found = shapes.design.parameters, shapes.tiling.scale.tolist(), list[Finding]()
    for name, most in check_problems.reaches(width, height, parameters.play).items():
        least, problem = getattr(parameters, name), check_problems.LIMITS[name].problem
        if least > most and sum(one.problem is problem for one in findings) > 1:
            most = float(f"{most:.2g}")
            found.append(check_problems.LIMIT.finding(
                shapes.drawing.middle, repair=Repair.setting(tr("Lower the limit"), **{name: most}),
                is_area=name == "least_area", limit=declaration(JigsawParameters, name).title, least=least, most=most,
                width=width, height=height,
            ))  # fmt: skip
    return found


def _checked(design: JigsawDesign, shapes: JigsawShapes, before: Checked | None, progress: Progress) -> JigsawChecked:
    """Find all problems of the cuts."""
    from studio.checks import cut_crossings

    if (
        isinstance(before, JigsawChecked)
        and before.shapes.tiling is shapes.tiling
        and before.shapes.design.parameters == design.parameters
        and before.shapes.design.dropped == design.dropped
    ):
        return _rechecked(shapes, before)
    progress.step(0.0, tr("Reading the cuts"))
    everything = cut_crossings.cuts(shapes.drawing.strokes)
    findings = _of_cuts(shapes, everything, everything, progress)
    progress.step(0.8, tr("Measuring the pieces"))
    sweeps = everything.polylines.sweeps
    areas = shapes.drawing.areas(sweeps)
    every = np.arange(len(areas))
    findings += _of_pieces(shapes, every, areas)
    if design.whimsies:
        from studio.puzzles.jigsaw.figure_checks import of_figures

        findings += of_figures(shapes)
    findings += of_outlines(shapes, every, findings)
    crossed = _is_crossed(findings)
    if crossed or not cut_crossings.makes_its_pieces(shapes.drawing, everything, areas):
        found, expected = cut_crossings.piece_count(shapes.drawing, everything, progress.part(0.85, 1.0)), len(areas)
        if found != expected:
            findings.append(check_problems.COUNT.finding(shapes.drawing.middle, found=found, expected=expected))
    progress.step(1.0)
    return JigsawChecked(_in_order(findings), shapes=shapes, board=cut_crossings.CutIndex(everything), sweeps=sweeps)


def _rechecked(shapes: JigsawShapes, before: JigsawChecked) -> JigsawChecked:
    """Update the findings after a few cuts moved; pieces are counted only by a check of the whole board."""
    from studio.checks import cut_crossings

    changed = shapes.drawing.strokes.changed_since(before.shapes.drawing.strokes)
    before = _with_area(shapes, before)
    if not len(changed):
        return replace(before, shapes=shapes)
    moved = cut_crossings.cuts(shapes.drawing.strokes, changed)
    board = before.board.moved_to(moved)
    faces = shapes.tiling.graph.faces_at(changed)
    moving = _Touched(frozenset(changed.tolist()), frozenset(faces.tolist()))
    findings = [finding for finding in before.findings if not moving.has(finding)]
    around = board.around(moved, _width_sought(shapes))
    findings += _of_cuts(shapes, moved, around, Progress())
    sweeps = before.sweeps.copy()
    sweeps[changed] = moved.polylines.sweeps
    findings += _of_faces(shapes, faces, sweeps)
    findings += of_outlines(shapes, faces, findings)
    return JigsawChecked(_in_order(_counted(findings)), shapes=shapes, board=board, sweeps=sweeps)


def _of_faces(shapes: JigsawShapes, faces: Ints, sweeps: Floats) -> list[Finding]:
    """Find pieces that are lost or too small."""
    return _of_pieces(shapes, faces, shapes.drawing.pieces.chosen(faces).areas(sweeps))


def _counted(findings: list[Finding]) -> list[Finding]:
    """Drop the finding of a wrong number of pieces unless cuts cross."""
    if _is_crossed(findings):
        return findings
    return [finding for finding in findings if finding.problem != check_problems.COUNT]


def _with_area(shapes: JigsawShapes, before: JigsawChecked) -> JigsawChecked:
    """Update the findings of the painted areas if they changed; cuts that changed are checked again later."""
    designs = shapes.design, before.shapes.design
    if all(each.mask is None and each.uncut is None for each in designs):
        return before
    from studio.puzzles.jigsaw.picture.keep_clear import in_area, is_same_area

    if is_same_area(shapes.design, before.shapes.design):
        return before
    kept = [one for one in before.findings if one.problem not in PROTECTED]
    return replace(before, findings=_in_order(kept + in_area(shapes, np.arange(len(shapes.tiling.graph.edges)))))


def _is_crossed(findings: list[Finding]) -> bool:
    """True if cuts cross; problems are compared by identity, which is fast enough for a drag."""
    return any(finding.problem is one for finding in findings for one in CROSSED)


def _in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Sort by severity, then in reading order; the count of pieces, which has no place of its own, comes last."""
    return tuple(
        sorted(findings, key=lambda found: (found.severity, found.problem is check_problems.COUNT, found.rank))
    )


def _of_cuts(shapes: JigsawShapes, some: Cuts, around: Cuts, progress: Progress) -> list[Finding]:
    """Find problems of some cuts; `around` holds these first, then all cuts near enough to matter."""
    from studio.base.progress import threads
    from studio.checks import cut_crossings, walls

    least, first = _width_sought(shapes), len(some.strokes)
    neighbours = _neighbours(shapes, some)
    progress.step(0.2, tr("Checking for overlaps, thin walls and necks"))
    with threads(1) if len(around.strokes) > WORTH_A_THREAD else nullcontext() as pool:
        around.prepare()
        # shapely releases the interpreter while it searches, so two cores share the work.
        later = pool.submit(walls.thin_walls, around, least, neighbours, first) if pool else None
        crossed = cut_crossings.crossings(around, first)
        alone = _of_each(shapes, some)
        progress.step(0.6)
        # Cuts that cross have no wall between them.
        near, gaps = later.result() if later else walls.thin_walls(around, least, neighbours, first, crossed.cuts)
    return _of_pairs(shapes, crossed, near, gaps) + alone


def _of_cuts_beside(shapes: JigsawShapes, some: Cuts, around: Cuts) -> list[Finding]:
    """Find crossings and thin walls between some cuts and the other cuts `around`, which holds some first."""
    from studio.checks import cut_crossings, walls

    first = len(some.strokes)
    if len(around.strokes) == first:
        return []
    crossed = cut_crossings.crossings(around, first)
    beside = ~among(crossed.cuts.ravel(), some.strokes).reshape(-1, 2).all(axis=1)
    known = np.concatenate([crossed.cuts, some.strokes[np.stack(np.triu_indices(first, 1), 1)]])
    near, gaps = walls.thin_walls(around, _width_sought(shapes), _neighbours(shapes, some), first, known)
    return _of_pairs(shapes, cut_crossings.Pairs(crossed.cuts[beside], crossed.places[beside]), near, gaps)


def _width_sought(shapes: JigsawShapes) -> float:
    """Width in mm below which walls are sought; never zero, so that cuts that meet are found."""
    from studio.checks import walls

    return max(shapes.limits.least_bridge, walls.LEAST)


def _neighbours(shapes: JigsawShapes, some: Cuts) -> Ints:
    """Pairs of strokes around the pieces beside some cuts; NO_PAIRS unless wide walls are measured between these."""
    from studio.checks import walls

    if shapes.limits.least_bridge <= walls.FAR:
        return walls.NO_PAIRS
    return walls.beside(shapes.drawing.pieces.chosen(shapes.tiling.graph.faces_at(some.strokes)))


def _of_pairs(shapes: JigsawShapes, crossed: Pairs, near: Pairs, gaps: Floats) -> list[Finding]:
    """Report cuts that cross or have a thin wall between them."""
    findings: list[Finding] = []
    if len(shapes.tiling.drawn_details):
        from studio.puzzles.jigsaw.model.drawn_cuts import detail_findings

        findings += detail_findings(shapes, np.unique(np.concatenate([crossed.cuts, near.cuts]), axis=0))
    if shapes.tiling.details:
        from studio.puzzles.jigsaw.figure_checks import apart_from_details

        crossed, _ = apart_from_details(shapes, crossed)
        near, some = apart_from_details(shapes, near)
        gaps = gaps[some]
    findings += [
        _met(shapes, pair, place) for pair, place in zip(crossed.cuts.tolist(), crossed.places.tolist(), strict=True)
    ]
    known, least = set(map(tuple, crossed.cuts.tolist())), shapes.limits.least_bridge
    return findings + [
        _close(shapes, pair, place, gap) if gap else _met(shapes, pair, place)
        for pair, place, gap in zip(near.cuts.tolist(), near.places.tolist(), gaps.tolist(), strict=True)
        # Stretches of the border are one cut, with no wall between them.
        if gap < least or not gap
        if tuple(pair) not in known and _inner(shapes, pair)
    ]


def _of_each(shapes: JigsawShapes, some: Cuts) -> list[Finding]:
    """Find problems of single cuts, regardless of their neighbours."""
    from studio.checks import cut_crossings, walls

    looped, places = cut_crossings.self_crossings(some)
    is_inner = shapes.tiling.is_inner[some.strokes]
    knobbed = some.strokes[is_inner & (shapes.tongues[some.strokes, PLAIN] <= 0.5)]
    knobbed = knobbed[shapes.frames(knobbed).tip > FLAT]
    findings = _of_necks(shapes, knobbed) + _of_bends(shapes, knobbed)
    narrow = {stroke for each in findings for stroke in each.strokes} - set(looped.tolist())
    if narrow:
        just, where = cut_crossings.self_crossings(
            cut_crossings.cuts(shapes.drawing.strokes, np.array(sorted(narrow)), cut_crossings.PRECISE)
        )
        looped, places = np.concatenate([looped, just]), np.concatenate([places, where])
    findings += [_looped(shapes, stroke, place) for stroke, place in zip(looped.tolist(), places.tolist(), strict=True)]
    # Necks of tongues are measured as such.
    whole = is_inner & (shapes.tongues[some.strokes, PLAIN] > 0.5) & ~among(some.strokes, looped)
    folded, gaps, places = walls.thin_within(some.chosen(whole), _width_sought(shapes))
    findings += [
        _close(shapes, [stroke], place, gap)
        for stroke, place, gap in zip(folded.tolist(), places.tolist(), gaps.tolist(), strict=True)
        if gap < shapes.limits.least_bridge
    ]
    return findings + _of_several(shapes, some.strokes)


def _of_several(shapes: JigsawShapes, strokes: Ints) -> list[Finding]:
    """Find problems of figures' tongues on some cuts, and cuts in the protected area."""
    found: list[Finding] = []
    # Unedited tongues of figures are sound.
    if shapes.tiling.figure_tongues and shapes.design.tongues:
        from studio.puzzles.jigsaw.figure_checks import of_tongues

        found += of_tongues(shapes, strokes)
    if shapes.design.mask is not None or shapes.design.uncut is not None:
        from studio.puzzles.jigsaw.picture.keep_clear import in_area

        found += in_area(shapes, strokes)
    return found


def _inner(shapes: JigsawShapes, strokes: list[int]) -> list[int]:
    return [stroke for stroke in strokes if not shapes.tiling.is_rim(stroke)]


def _named(shapes: JigsawShapes, strokes: list[int]) -> str:
    return listed(shapes.tiling.edge_name(stroke) for stroke in strokes)


def _met(shapes: JigsawShapes, pair: list[int], place: list[float]) -> Finding:
    inner = _inner(shapes, pair)
    figure = _figure(shapes, pair)
    if not inner:
        return _at_figure(shapes, pair, place, figure) or check_problems.BORDER_LOOP.finding(place, strokes=pair)
    problem = (
        check_problems.CROSSING if len(inner) == 2 else check_problems.ON_FIGURE if figure else check_problems.BORDER
    )
    is_cut = bool((shapes.tongues[inner, PLAIN] > 0.5).all())
    split = _splitting(shapes) if problem is check_problems.CROSSING else []
    smaller = None if is_cut and _cross_straight(shapes, pair) else shrinking(shapes, inner) or ruling(shapes, inner)
    advice = tr("Split them at the crossing, or move one.") if split else tr("Move the corners at their ends apart.")
    return problem.finding(
        place, strokes=pair, **_fixes(_refigured(shapes, figure, place) or smaller, split, is_cut=is_cut),
        tongues=_named(shapes, inner), figure=figure, advice=advice,
    )  # fmt: skip


def _fixes(own: Repair | None, split: list[Repair], *, is_cut: bool) -> dict[str, Any]:
    """Values of a finding of cuts that cross: its fixes, first the split if the cuts have no tongue."""
    fixes = [one for one in ([*split, own] if is_cut else [own, *split]) if one is not None]
    return {"repair": fixes[0] if fixes else None, "others": fixes[1:], "is_cut": is_cut}


def _cross_straight(shapes: JigsawShapes, pair: list[int]) -> bool:
    """True if two cuts would cross as straight lines, too; the border stays as it is."""
    import shapely

    lines = [shapes.drawing.polylines[stroke] for stroke in pair]
    one, other = (
        shapely.LineString(line if shapes.tiling.is_rim(stroke) else line[[0, -1]])
        for stroke, line in zip(pair, lines, strict=True)
    )
    return bool(shapely.crosses(one, other))


def _splitting(shapes: JigsawShapes) -> list[Repair]:
    """The other fix of cuts that cross on a board of drawn cuts, if it is one."""
    if shapes.design.parameters.tiling != DRAWN:
        return []
    from studio.puzzles.jigsaw.model.drawn_cuts import splitting

    return [splitting()]


def _figure(shapes: JigsawShapes, strokes: list[int]) -> str:
    """Name of the first figure that a stroke runs along, or "" if none does."""
    return next((name for stroke in strokes if (name := shapes.tiling.figure_of.get(stroke))), "")


def _looped(shapes: JigsawShapes, stroke: int, place: list[float]) -> Finding:
    if shapes.tiling.is_rim(stroke):
        figure = _figure(shapes, [stroke])
        return _at_figure(shapes, [stroke], place, figure) or check_problems.BORDER_LOOP.finding(
            place, strokes=[stroke]
        )
    is_cut, split = bool(shapes.tongues[stroke, PLAIN] > 0.5), _splitting(shapes)
    turned = (shrinking(shapes, [stroke]) or ruling(shapes, [stroke])) if is_cut else straightening(shapes, stroke)
    advice = tr("Split it at the crossing, or redraw it.") if split else tr("Make it straight.")
    name = _named(shapes, [stroke])
    return check_problems.LOOP.finding(
        place, strokes=[stroke], **_fixes(turned, split, is_cut=is_cut), tongues=name, advice=advice
    )


def _at_figure(shapes: JigsawShapes, strokes: list[int], place: list[float], figure: str) -> Finding | None:
    """Report overlapping tongues of a figure; None without a figure."""
    if not figure:
        return None
    repair = _refigured(shapes, figure, place)
    return check_problems.FIGURE_LOOP.finding(place, strokes=strokes, repair=repair, figure=figure)


def _refigured(shapes: JigsawShapes, figure: str, place: list[float]) -> Repair | None:
    """Repair of a figure's edited tongue at a place, or None."""
    if not figure or not shapes.tiling.figure_tongues:
        return None
    from studio.puzzles.jigsaw.figure_checks import of_tongue_at

    return of_tongue_at(shapes, figure, place)


def _close(shapes: JigsawShapes, pair: list[int], place: list[float], gap: float) -> Finding:
    """Report a thin wall between two strokes, or within one."""
    inner, figure = _inner(shapes, pair), _figure(shapes, pair)
    tongues = _named(shapes, inner)
    where = tr("between {cuts}", cuts=tongues)
    if len(pair) == 1:
        where = tr("within {cut}", cut=tongues)
    elif len(inner) == 1 and figure:
        where = tr("between {tongue} and figure {figure}", tongue=tongues, figure=figure)
    elif len(inner) == 1:
        where = tr("between {tongue} and the border", tongue=tongues)
    bent = ruling(shapes, inner) if len(pair) == 1 else None
    return check_problems.BRIDGE.finding(
        place,
        strokes=pair,
        repair=_refigured(shapes, figure, place) or shrinking(shapes, inner) or bent,
        shortfall=1 - gap / shapes.limits.least_bridge,
        gap=_rounded_down(gap),
        where=where,
        least=shapes.limits.least_bridge,
    )


def _rounded_down(length: float) -> str:
    """Format a length in mm, rounded down so that it never reads as large as its bound."""
    return f"{math.floor(100 * length) / 100:.2f}"


def _of_necks(shapes: JigsawShapes, knobbed: Ints) -> list[Finding]:
    """Find necks that may snap, and printed necks left narrower than a line of plastic by the clearance."""
    p = shapes.limits
    printable = p.line_width and p.line_width + p.play
    findings = []
    for style, which in shapes.of_one_style(knobbed):
        alike = knobbed[which]
        narrow, widths, places = narrow_necks(
            shapes.drawing.strokes.chosen(alike), max(p.least_neck, printable), style.knobs
        )
        grows = style.size_widens_neck
        for stroke, width, place in zip(alike[narrow].tolist(), widths.tolist(), places.tolist(), strict=True):
            snaps = width < p.least_neck
            problem = check_problems.NECK if snaps else check_problems.PRINTED_NECK
            least, left = (p.least_neck, width) if snaps else (p.line_width, max(width - p.play, 0.0))
            wanted = p.least_neck if snaps else printable
            findings.append(
                problem.finding(
                    place,
                    strokes=[stroke],
                    repair=growing(shapes, stroke, wanted / max(width, 1e-6)) if grows else None,
                    tongue=shapes.tiling.edge_name(stroke),
                    shortfall=1 - left / least,
                    width=_rounded_down(left),
                    least=least,
                    advice=tr("Make the tongue larger.") if grows else tr("Make the edge longer."),
                )
            )
    return findings


def _of_bends(shapes: JigsawShapes, knobbed: Ints) -> list[Finding]:
    least = shapes.limits.least_radius
    tight, radii, places = tight_bends(shapes.drawing.strokes.chosen(knobbed), least)
    findings = []
    for stroke, radius, place in zip(knobbed[tight].tolist(), radii.tolist(), places.tolist(), strict=True):
        grows = shapes.style_of(stroke).size_rounds_bends
        findings.append(
            check_problems.RADIUS.finding(
                place,
                strokes=[stroke],
                repair=growing(shapes, stroke, least / max(radius, 1e-6)) if grows else shrinking(shapes, [stroke]),
                tongue=shapes.tiling.edge_name(stroke),
                shortfall=1 - radius / least,
                radius=_rounded_down(radius),
                least=least,
                advice=tr("Make the tongue larger.") if grows else tr("Make the tongue smaller."),
            )
        )
    return findings


def _of_pieces(shapes: JigsawShapes, faces: Ints, areas: Floats) -> list[Finding]:
    least = shapes.limits.least_area
    return [
        (check_problems.SMALL_PIECE if area > 0 else check_problems.LOST_PIECE).finding(
            _middle(shapes, face),
            pieces=[face],
            repair=merging(shapes, face),
            piece=shapes.drawing.pieces.names[face],
            shortfall=1 - max(area, 0.0) / least if least else 1.0,
            area=max(area, 0.0),
            least=least,
        )
        for face, area in zip(faces.tolist(), areas.tolist(), strict=True)
        if area < least and not (area > 0 and shapes.is_open[face])
    ]


def _middle(shapes: JigsawShapes, face: int) -> Floats:
    pieces = shapes.drawing.pieces
    around = pieces.codes[pieces.starts[face] : pieces.starts[face + 1]]
    return np.asarray(shapes.corners[shapes.tiling.graph.edges[around >> 1, around & 1]].mean(axis=0))

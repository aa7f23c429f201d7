"""Problems of a jigsaw, with their texts and limits."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from math import inf
from operator import mul
from typing import Any, NamedTuple

from studio.base.texts import tr
from studio.checks.finding import Problem, Severity, problems_of
from studio.puzzles.jigsaw.model.design import JigsawParameters


def _either(tongues: str, cuts: str) -> Callable[..., str]:
    """Sentence of a finding about tongues, or with `is_cut` about cuts without a tongue."""

    def says(*, is_cut: bool = False, **values: object) -> str:
        return tr(cuts if is_cut else tongues, **values)

    return says


def _limit(*, is_area: bool, **values: object) -> str:
    """Sentence of a finding about a limit in mm or, if `is_area`, in mm²."""
    if is_area:
        return tr(
            "{limit} of {least:g} mm² is too large for pieces of {width:.1f} × {height:.1f} mm; "
            "about {most:g} mm² can be met.",
            **values,
        )
    return tr(
        "{limit} of {least:g} mm is too large for pieces of {width:.1f} × {height:.1f} mm; "
        "about {most:g} mm can be met.",
        **values,
    )


# fmt: off
CROSSING = Problem("crossing", Severity.ERROR, "Two tongues overlap, or two cuts cross",
    _either("Tongues {tongues} overlap. Make one smaller or flip it.", "Cuts {tongues} cross. {advice}"),
    "Make one smaller, flip it, or move the corner between them; split drawn cuts at the crossing")
LOOP = Problem("self-crossing", Severity.ERROR, "A tongue or a cut crosses itself",
    _either("Tongue {tongues} crosses itself. Reduce its offset and slant.", "Cut {tongues} crosses itself. {advice}"),
    "Set its offset and slant to 0; split a drawn cut at the crossing")
BORDER = Problem("border", Severity.ERROR, "A tongue or a cut crosses the border",
    _either("Tongue {tongues} crosses the border. Make it smaller or flip it.",
            "Cut {tongues} crosses the border. Move it inwards."),
    "Make it smaller or flip it, or move the cut inwards")
BORDER_LOOP = Problem("border", Severity.ERROR, "The border crosses itself",
    "The border crosses itself. Move its corners apart.", "Move its corners apart")
COUNT = Problem("count", Severity.ERROR,
    "Some pieces are not cut out; marked at the centre of the board",
    "Only {found} of {expected} pieces are cut out. Fix the overlaps first.",
    "Fix the overlaps first")
LOST_PIECE = Problem("piece", Severity.ERROR, "A piece has no area left",
    "Piece {piece} has only {area:.1f} mm² (minimum {least:g} mm²).", "Move its corners apart")
SMALL_PIECE = Problem("piece", Severity.WARNING, "A piece is smaller than the minimum piece",
    LOST_PIECE.says, "Merge it with a neighbour, or move its corners apart")
TOUCHING = Problem("piece", Severity.ERROR, "A piece crosses or touches itself",
    "The outline of piece {piece} crosses or touches itself. Merge it with a neighbour, or move its corners apart.",
    "Merge it with a neighbour, or move its corners apart")
PIECE_SEVERED = Problem("piece-neck", Severity.ERROR, "A piece is cut in two by the beam",
    "Piece {piece} is only {width:.2f} mm wide here; a kerf of {least:g} mm burns through it.",
    "Move what bounds it apart: a corner, a figure or the border")
PIECE_NECK = Problem("piece-neck", Severity.WARNING, "A piece is all but cut in two",
    "Piece {piece} is only {width:.2f} mm wide here; a kerf, clearance or chamfer of {least:g} mm destroys it.",
    "Move what bounds it apart: a corner, a figure or the border")
PIECE_GAP = Problem("piece-gap", Severity.WARNING, "A gap in a piece is all but closed",
    "A gap in piece {piece} is only {width:.2f} mm wide; a kerf of {least:g} mm closes it.",
    "Move its sides apart")
BRIDGE = Problem("bridge", Severity.WARNING, "Two cuts, or two parts of one, are closer than the minimum wall",
    "Wall {where} is only {gap} mm (minimum {least:g} mm).",
    "Make the tongues smaller, or lower the limit if your material allows it")
NECK = Problem("neck", Severity.WARNING, "A neck is narrower than the minimum neck",
    "Neck of {tongue} is only {width} mm wide (minimum {least:g} mm). {advice}",
    "Make the tongue or the pieces larger, or vary necks less")
PRINTED_NECK = Problem("printed-neck", Severity.WARNING, "A printed neck is narrower than the line width",
    "Printed, the neck of {tongue} is only {width} mm wide (line width {least:g} mm). {advice}",
    "Make the tongue or the pieces larger, or reduce the clearance")
RADIUS = Problem("radius", Severity.WARNING, "A curve is tighter than the minimum radius",
    "Tongue {tongue} has a curve with a radius of only {radius} mm (minimum {least:g} mm). {advice}",
    "Make the tongue or the pieces larger, or lower the limit if your laser does not char there")
LIMIT = Problem("limit", Severity.WARNING, "Pieces are too small for a limit", _limit,
    "Lower the limit, or make the pieces larger", is_local=True)
FIGURE_COVERS = Problem("figure", Severity.ERROR, "A figure covers the board",
    "Figure {figure} covers {share:.0%} of the board (maximum {most:.0%}).",
    "Make it smaller")
FIGURE_BEYOND = Problem("figure", Severity.ERROR, "A figure reaches over the border",
    "Figure {figure} reaches over the border. Move it inwards or make it smaller.",
    "Move it inwards or make it smaller")
FIGURE_AT_BORDER = Problem("figure", Severity.ERROR, "A figure is closer to the border than the minimum wall",
    "Wall between figure {figure} and the border is only {gap:.2f} mm (minimum {least:g} mm).",
    "Move it inwards or make it smaller")
FIGURE_SPLITS = Problem("figure", Severity.ERROR, "A figure at the border divides the board or encloses a gap",
    "Figure {figure} divides the board, or encloses a gap beyond its border. Move it.", "Move it")
FIGURE_HIDDEN = Problem("figure", Severity.ERROR, "A figure is hidden behind another",
    "Figure {figure} is hidden behind {first}. Bring it to the front or move it.", "Bring it to the front or move it")
FIGURE_WEDGE = Problem("figure", Severity.WARNING, "Wood between figures that meet, or at the border, is too narrow",
    "The wood beside figure {figure} is narrower than {least:g} mm here. Move the figure a little.",
    "Move the figure a little")
FIGURES_OVERLAP = Problem("figure", Severity.ERROR, "Two figures overlap",
    "Figures {first} and {figure} overlap. Move one of them.", "Move one of them")
FIGURES_CLOSE = Problem("figure", Severity.ERROR, "Two figures are closer than the minimum wall",
    "Wall between figures {first} and {figure} is only {gap:.2f} mm (minimum {least:g} mm).",
    "Move one of them")
FIGURE_THIN = Problem("figure", Severity.WARNING, "A figure is narrower than the minimum neck",
    "Figure {figure} is narrower than {least:g} mm here; it may snap. Make it larger.", "Make it larger")
FIGURE_NOTCH = Problem("figure", Severity.WARNING, "A notch of a figure is narrower than the minimum wall",
    "The wood in a notch of figure {figure} is narrower than {least:g} mm. Make the figure larger.", "Make it larger")
FIGURE_DETAIL = Problem("figure", Severity.WARNING, "A detail of a figure is too close to its outline",
    "A detail of figure {figure} is only {gap:.2f} mm from its outline (minimum {least:g} mm). Make the figure larger.",
    "Make it larger")
FIGURE_UNCUT = Problem("figure", Severity.ERROR, "No cuts fit around a figure",
    "Figure {figure} is not cut: no cuts fit around it. Move it or make it smaller.",
    "Move it or make it smaller")
FIGURE_TONGUES = Problem("figure", Severity.WARNING, "A figure has no room for all of its tongues",
    "Figure {figure} has room for only {count} of its {wanted} tongues.",
    "Give it fewer tongues, or make it larger")
ON_FIGURE = Problem("figure", Severity.ERROR, "A tongue or a cut crosses a figure",
    _either("Tongue {tongues} crosses figure {figure}. Make it smaller or flip it.",
            "Cut {tongues} crosses figure {figure}. Move one of them."),
    "Make it smaller or flip it, or move the cut or the figure")
FIGURE_LOOP = Problem("figure", Severity.ERROR, "Tongues of a figure overlap",
    "Tongues of figure {figure} overlap. Make one smaller or flip it.", "Make one smaller or flip it")
ENGRAVED_BEYOND = Problem("engraving", Severity.WARNING, "An engraving leaves the board",
    "Engraving {name} leaves the board; only the part on the board is engraved. Move it inwards or make it smaller.",
    "Only the part on the board is engraved; move it inwards or make it smaller",
    is_local=True)
PICTURE_DAMAGED = Problem("picture", Severity.WARNING, "The picture is damaged",
    "The picture is damaged or truncated and cannot be exported. Replace it or remove it.", "Replace it or remove it")
LOOSE_END = Problem("loose-line", Severity.WARNING, "A drawn line ends short of the next cut and is not cut",
    "A drawn line ends {gap:.2f} mm short of the next cut, so it is not cut ({line}).",
    "Extend it to the next cut, cut it as a detail, or remove it", is_local=True)
LOOSE_FAR = Problem("loose-line", Severity.WARNING, "A drawn line ends far from the next cut and is not cut",
    "A drawn line ends {where}, so it is not cut ({line}).",
    "Cut it as a detail, extend it, or remove it", is_local=True)
LOOSE_OVER = Problem("loose-line", Severity.WARNING, "A drawn line ends beyond a cut and is not cut there",
    "A drawn line ends {gap:.2f} mm beyond a cut; that end is not cut ({line}).",
    "Remove it, cut it as a detail, or extend it", is_local=True)
LOOSE_BRIDGE = Problem("loose-line", Severity.WARNING, "A drawn line has one piece on both sides and is not cut",
    "A drawn line has the same piece on both sides, so it is not cut ({line}).",
    "Cut it as a detail, remove it, or draw a cut that divides the piece with it", is_local=True)
DETAIL_CROSSES = Problem("detail", Severity.ERROR, "A detail crosses another cut",
    "Detail {line} crosses another cut. Shorten it, or split the cuts at the crossing.",
    "Shorten it, split the cuts at the crossing, or remove it")
DETAIL_CLOSE = Problem("detail", Severity.WARNING, "A detail is too close to another cut",
    "Wall between detail {line} and another cut is only {gap:.2f} mm (minimum {least:g} mm).",
    "Shorten it, extend it to the next cut, or remove it")
RELIEF_BLANK = Problem("relief", Severity.WARNING, "The relief has no picture",
    "The relief needs a picture: load one, or set its height to 0.", "Load a picture, or set the relief height to 0")
PROTECTED_TONGUE = Problem("protected-tongue", Severity.WARNING, "A tongue is in the protected area",
    "Tongue {tongue} is in the protected area. Flip it, make it smaller, or make the edge straight.",
    "Flip it, make it smaller, or make the edge straight")
PROTECTED_CORNER = Problem("protected-corner", Severity.WARNING, "A corner is in the protected area",
    "Corner {corner} is in the protected area. Move it out, or merge the pieces around it.",
    "Move it out, or merge the pieces around it")
UNCUT = Problem("uncut", Severity.WARNING, "A cut goes through an area that should not be cut",
    "Cut {cut} goes through an area that should not be cut. Merge the pieces beside it, or make the area smaller.",
    "Merge the pieces beside it, make pieces larger, or make the area smaller")
TRAY_OPEN = Problem("tray", Severity.ERROR, "The outside of the tray cuts into its opening",
    "The outside of the tray cuts into its opening. Use a smaller outer radius or a wider rim.",
    "Use a smaller outer radius or a wider rim", is_local=True)
TRAY_THIN = Problem("tray", Severity.WARNING, "The frame of the tray is too narrow",
    "Frame of the tray is only {wood:.1f} mm wide at its narrowest (minimum {least:g} mm).",
    "Use a smaller outer radius or a wider rim", is_local=True)
NOTCH_OPEN = Problem("notch", Severity.ERROR, "A finger notch cuts through the frame of the tray",
    "Finger notches with a radius of {radius:g} mm cut through the frame of the tray.",
    "Use a smaller notch radius or a wider rim", is_local=True)
NOTCH_THIN = Problem("notch", Severity.WARNING, "The frame of the tray is too narrow behind a finger notch",
    "Frame of the tray is only {wood:.1f} mm wide behind a finger notch (minimum {least:g} mm).",
    "Use a smaller notch radius or a wider rim", is_local=True)
NOTCHES_MEET = Problem("notch", Severity.WARNING, "Finger notches run into each other",
    "The {count} finger notches run into each other.", "Use fewer or smaller ones", is_local=True)
HOLE_OPEN = Problem("tray", Severity.HINT, "A hole of the board is too small for a filler in the tray",
    "This hole of the board is too small for a filler and stays open in the tray.", "None needed", is_local=True)
# fmt: on

TRAY_PROBLEMS = (TRAY_OPEN, TRAY_THIN, NOTCH_OPEN, NOTCH_THIN, NOTCHES_MEET, HOLE_OPEN)
PROBLEMS = problems_of(globals())


class Limit(NamedTuple):
    """A limit behind a warning: shares of a piece's size that it is lowered to, and that Fix all tries to meet."""

    problem: Problem
    usual: float
    reach: float
    floor: float = 0.0
    size: Callable[[float, float], float] = min


LIMITS = {
    "least_bridge": Limit(BRIDGE, usual=0.06, reach=0.15, floor=0.4),
    "least_neck": Limit(NECK, usual=0.1, reach=0.2, floor=0.6),
    "line_width": Limit(PRINTED_NECK, usual=inf, reach=0.2),
    "least_radius": Limit(RADIUS, usual=0.012, reach=0.04, floor=0.05),
    "least_area": Limit(SMALL_PIECE, usual=0.25, reach=0.6, size=mul),
}
"""Limits by parameter; none is lowered below its floor in mm: a kerf of 0.2 mm takes as much of a wall."""

LOST = 0.03
"""Greatest deviation in mm of printed pieces' outlines, which are polylines, to the inside of the curves."""
CHAMFER_STEP = 0.05
"""Step in mm of lowered chamfers."""


def reaches(width: float, height: float, play: float) -> dict[str, float]:
    """Largest limits that pieces of `width` × `height` mm, printed with a clearance of `play` mm, can meet."""
    most = {name: one.reach * one.size(width, height) for name, one in LIMITS.items()}
    return most | {"line_width": max(0.0, most["line_width"] - play)}


@lru_cache(maxsize=16)
def limits(parameters: JigsawParameters, width: float, height: float) -> JigsawParameters:
    """Lower the limits to values that pieces of `width` × `height` mm can meet, except limits that the maker set."""
    default, changed = JigsawParameters(), dict[str, Any]()
    for name, one in LIMITS.items():
        high = max(one.floor, one.usual * one.size(width, height))
        if getattr(parameters, name) == getattr(default, name) > high:
            changed[name] = round(high, 2)
    wall = changed.get("least_bridge", default.least_bridge)
    room = (wall - parameters.play) / 2 - LOST
    if parameters.chamfer == default.chamfer > room:
        changed["chamfer"] = max(math.floor(room / CHAMFER_STEP) * CHAMFER_STEP, 0.0)
    return replace(parameters, **changed)

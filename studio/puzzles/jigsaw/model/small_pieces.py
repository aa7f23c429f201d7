"""Limits that small pieces can meet, and tongues that meet these limits on short edges."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.geometry.board.tiling import Tiling
from studio.geometry.curves.strokes import Curves, Floats, Ints, distinct
from studio.puzzles.jigsaw.model.design import BOUNDS, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.tongues.tightness import narrow_necks, tight_bends
from studio.puzzles.jigsaw.tongues.tongues import NECK, PLAIN

SHARES = {"least_bridge": 0.06, "least_neck": 0.1, "least_radius": 0.012}
"""Limits that a usual piece can meet, as fractions of its shorter side."""
FLOORS = {"least_bridge": 0.4, "least_neck": 0.6, "least_radius": 0.05}
"""Least values in mm of lowered limits: a kerf of 0.2 mm takes as much of a wall, half of it on either side."""
LOST = 0.03
"""Greatest deviation in mm of printed pieces' outlines, which are polylines, to the inside of the curves."""
CHAMFER_STEP = 0.05
"""Step in mm of lowered chamfers."""
AREA = 0.25
"""Limit of a piece's area as a fraction of a usual piece."""
WIDEST = 0.3
"""Widest neck as a fraction of a usual piece's side: no tongue can meet a limit above it."""
SPARE = 1.04
"""Width of a strengthened neck divided by its limit, so that a slightly turned joint does not make it too narrow."""
ROOMY = 0.95
"""Tongues with more room than this fraction of a usual piece are not strengthened."""
SHORT = 0.85
"""Edges shorter than this fraction of a usual piece stay straight if no tongue on them is strong enough."""


@lru_cache(maxsize=16)
def limits(parameters: JigsawParameters, width: float, height: float) -> JigsawParameters:
    """Lower the limits to values that pieces of `width` × `height` mm can meet, except limits that the maker set."""
    usual = min(width, height)
    most = {name: max(FLOORS[name], share * usual) for name, share in SHARES.items()}
    most["least_area"] = AREA * width * height
    usual_limits = JigsawParameters()
    lowered = {name: round(high, 2) for name, high in most.items() if high < getattr(usual_limits, name)}
    unset = {name for name in lowered if getattr(parameters, name) == getattr(usual_limits, name)}
    changed: dict[str, Any] = {name: lowered[name] for name in unset}
    wall = changed.get("least_bridge", usual_limits.least_bridge)
    room = (wall - parameters.play) / 2 - LOST
    if parameters.chamfer == usual_limits.chamfer > room:
        changed["chamfer"] = max(math.floor(room / CHAMFER_STEP) * CHAMFER_STEP, 0.0)
    return replace(parameters, **changed)


def strengthen(
    design: JigsawDesign, tiling: Tiling, tongues: Floats, rooms: Floats, edges: Ints, draw: Callable[[Ints], Curves]
) -> None:
    """Strengthen the `tongues`, a table, whose necks or bends do not meet the usual limits.

    Thin necks are widened; short edges become straight if that does not help. Limits that a maker sets change no cut,
    and edited tongues keep their edits. `draw` makes the curves of edges from the table.
    """
    usual = limits(JigsawParameters(), *tiling.scale.tolist())
    if usual.least_neck > WIDEST * tiling.scale.min():
        return
    has_neck = _are_edited(design, tiling, edges, lambda edit: {edit.neck, edit.style, edit.plain} != {None})
    inner = (tiling.graph.sides[edges] >= 0).all(axis=1) & (tongues[edges, PLAIN] <= 0.5)
    piece = float(np.sqrt(tiling.scale.prod()))
    is_small = np.minimum(tiling.lengths[edges], rooms[edges]) < ROOMY * piece
    edges = edges[inner & ~has_neck & is_small]
    strokes = draw(edges)
    widths = _necks(strokes, usual.least_neck)
    narrow = widths < usual.least_neck
    weak = edges[narrow | _are_tight(strokes, usual.least_radius)]
    if not len(weak):
        return
    wanted = tongues[edges[narrow], NECK] * SPARE * usual.least_neck / np.maximum(widths[narrow], 1e-6)
    tongues[edges[narrow], NECK] = np.minimum(wanted, BOUNDS["neck"][1])
    left = draw(weak)
    fails = (_necks(left, usual.least_neck) < usual.least_neck) | _are_tight(left, usual.least_radius)
    fails &= tiling.lengths[weak] < SHORT * piece
    fails &= ~_are_edited(design, tiling, weak, lambda edit: not edit.is_only_kept)
    tongues[weak[fails], PLAIN] = 1.0


def _are_edited(
    design: JigsawDesign, tiling: Tiling, edges: Ints, is_edit: Callable[[TongueEdit], bool]
) -> NDArray[np.bool_]:
    """Mask of the edges with an edit for which `is_edit` is True."""
    return np.isin(edges, [tiling.tongue_indices[edit.name] for edit in design.tongues if is_edit(edit)])


def _necks(strokes: Curves, least: float) -> Floats:
    """Widths in mm of necks narrower than `least`, infinite for other strokes, shape (k,)."""
    widths = np.full(len(strokes), np.inf)
    for count in distinct(strokes.counts).tolist():
        alike = np.flatnonzero(strokes.counts == count)
        narrow, found, _ = narrow_necks(strokes.chosen(alike), least)
        widths[alike[narrow]] = found
    return widths


def _are_tight(strokes: Curves, least: float) -> NDArray[np.bool_]:
    """Mask of the strokes with a curve tighter than `least` mm, shape (k,)."""
    tight = np.zeros(len(strokes), bool)
    tight[tight_bends(strokes, least)[0]] = True
    return tight

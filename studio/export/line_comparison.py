"""Holds the lines of a file against those of a drawing, one by one, and says which differs, how and where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from studio.base.colours import channels
from studio.base.texts import tr
from studio.export.format import Unreadable
from studio.export.line_distance import Courses
from studio.export.profiles import Layer, Profile
from studio.export.reading import FoundLayer, FoundLine
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import Chain, Drawing, Operation

# How far red, green and blue, from 0 to 1, may be from what was asked: less than a 255th.
_SHADE = 0.002
# How finely strokes are followed to tell which of them is nearest to a place, in mm.
_FOLLOWED = 0.05


class Naming:
    """Names the lines of a drawing by the pieces on either side."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing

    def told(self, chain: int, place: Sequence[float] | Floats, what: str) -> str:
        """What is wrong with a chain, with its name and the place in mm."""
        x, y = float(place[0]), float(place[1])
        line = self._name(chain, x, y)
        return tr("{line} near x {x:.1f}, y {y:.1f} mm {what}", line=line, x=x, y=y, what=what)

    def _name(self, chain: int, x: float, y: float) -> str:
        """A chain by the pieces at that stroke of it which is nearest to a place."""
        import shapely

        strokes, pieces = self._drawing.chains[chain].strokes >> 1, self._drawing.pieces
        lines = self._drawing.strokes.chosen(strokes).flattened(_FOLLOWED)
        apart = shapely.distance(shapely.linestrings(lines.points, indices=lines.owners), shapely.points(x, y))
        beside = pieces.owners[pieces.codes >> 1 == strokes[int(apart.argmin())]]
        names = [pieces.names[piece] for piece in dict.fromkeys(beside.tolist())]
        operation = self._drawing.chains[chain].operation
        if names:
            return tr("the line of piece {pieces}", pieces="–".join(names))
        return tr("line {number} ({operation})", number=chain + 1, operation=operation.value)


def refuse_other_lines(found: Sequence[FoundLine], drawing: Drawing, known: Profile, courses: Courses) -> None:
    """Raise Unreadable, naming line and place, where lines are not the chains of a drawing or on other layers.

    Both are in the same order, so the first that differ tell what happened.
    """
    chains = list(drawing.chains)
    both = min(len(found), len(chains))
    strays = courses.strays(found[:both], chains[:both])
    asked = {layer.operation: layer for layer in known.every}
    names = Naming(drawing)
    last_turn = -1
    for number, (line, chain, stray) in enumerate(zip(found, chains, strays, strict=False)):
        if stray is not None:
            raise Unreadable(_moved(number, found, chains, courses, names))
        place = line.points[len(line.points) // 2]
        wrong = _on_other_layer(line.layer, asked[chain.operation])
        if not wrong and chain.closed and not line.closed:
            wrong = tr("is not closed")
        if not wrong and line.layer.turn is not None and line.layer.turn < last_turn:
            wrong = tr("is on a layer that is worked too early")
        if wrong:
            raise Unreadable(names.told(number, place, wrong))
        last_turn = last_turn if line.layer.turn is None else line.layer.turn
    if len(found) < len(chains):
        raise Unreadable(names.told(both, _middle(courses, chains[both]), tr("is missing")))
    if len(found) > len(chains):
        raise Unreadable(_added(found[both], chains, courses, names))


def _on_other_layer(found: FoundLayer, asked: Layer) -> str:
    """How a layer is not the one that was asked, empty if it is."""
    if found.name != asked.name:
        return tr("is on layer {layer} and should be on {wanted}", layer=found.name, wanted=asked.name)
    runs = asked.operation is not Operation.MARK
    if found.runs is not None and found.runs != runs:
        if runs:
            return tr("is on layer {layer}, which never runs", layer=asked.name)
        return tr("is on layer {layer}, which is cut and should be a tool layer", layer=asked.name)
    stated: list[tuple[Any, Any]] = [(found.aci, asked.aci), (found.number, asked.cut)]
    for is_value, wanted in stated:
        if is_value is not None and is_value != wanted:
            return tr(
                "is on layer {layer}, whose number is {number} and should be {wanted}",
                layer=asked.name,
                number=is_value,
                wanted=wanted,
            )
    shade = np.array(channels(asked.colour)) / 255
    if found.colour is not None and not np.allclose(found.colour, shade, rtol=0, atol=_SHADE):
        return tr("does not have the colour {colour} of layer {layer}", colour=asked.colour, layer=asked.name)
    return ""


def _moved(number: int, found: Sequence[FoundLine], chains: Sequence[Chain], courses: Courses, names: Naming) -> str:
    """What happened at the first line that is not its chain: one is missing, one is there too much, or it is moved."""
    line, chain = found[number], chains[number]
    missing = names.told(number, _middle(courses, chain), tr("is missing"))
    if number + 1 < len(chains) and courses.is_chain(line, chains[number + 1]):
        return missing
    if number + 1 < len(found) and courses.is_chain(found[number + 1], chain):
        return _added(line, chains, courses, names)
    turned = FoundLine(line.layer, line.points[::-1], line.closed, line.curved)
    if courses.is_chain(turned, chain):
        return names.told(number, line.points[0], tr("is cut in the other direction"))
    for other, candidate in enumerate(chains):
        if courses.is_chain(line, candidate):
            return names.told(other, _middle(courses, candidate), tr("is not in its place in the cutting order"))
    stray = courses.stray(line, chain)
    assert stray is not None
    return names.told(number, stray.place, tr("is moved by {distance:.2g} mm", distance=stray.distance))


def _added(line: FoundLine, chains: Sequence[Chain], courses: Courses, names: Naming) -> str:
    """Which chain a line repeats, or where it is if it repeats none."""
    place = line.points[len(line.points) // 2]
    for number, chain in enumerate(chains):
        if courses.is_chain(line, chain):
            return names.told(number, place, tr("is duplicated"))
    return tr("there is a line near x {x:.1f}, y {y:.1f} mm that the drawing does not have", x=place[0], y=place[1])


def _middle(courses: Courses, chain: Chain) -> Floats:
    curve = courses.curve(chain)
    return np.asarray(curve[len(curve) // 6 * 3])

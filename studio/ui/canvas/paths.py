"""From arrays of points to what Qt paints, without a Python call a point."""

from __future__ import annotations

import struct

import numpy as np
from PySide6.QtCore import QByteArray, QDataStream, QPointF
from PySide6.QtGui import QPainterPath, QPolygonF

from studio.geometry.curves.strokes import Curves, Floats, Ints, Runs

_ELEMENT = np.dtype([("type", ">i4"), ("x", ">f8"), ("y", ">f8")])
_MOVE, _LINE, _CURVE, _CURVE_DATA = range(4)


def curved(strokes: Curves) -> QPainterPath:
    """All strokes as one path of cubics."""
    types = np.full(len(strokes.points), _CURVE_DATA)
    types[(np.arange(len(types)) - strokes.starts[:-1][strokes.owners]) % 3 == 1] = _CURVE
    types[strokes.starts[:-1]] = _MOVE
    return _path(strokes.points, types)


def lined(runs: Runs) -> QPainterPath:
    """All runs as one path of straight lines."""
    types = np.full(len(runs.points), _LINE)
    types[runs.starts[:-1]] = _MOVE
    return _path(runs.points, types)


def chords(strokes: Curves, chosen: Ints) -> QPainterPath:
    """Some strokes as the straight lines between their ends."""
    return _path(strokes.chosen(chosen).ends.reshape(-1, 2), np.tile([_MOVE, _LINE], len(chosen)))


def _path(points: Floats, types: Ints) -> QPainterPath:
    """A path by Qt's own wire format: reading it back is twenty times faster than building it call by call."""
    path = QPainterPath()
    if not len(points):
        return path
    elements = np.empty(len(points), _ELEMENT)
    elements["type"], elements["x"], elements["y"] = types, points[:, 0], points[:, 1]
    wire = struct.pack(">i", len(points)) + elements.tobytes() + struct.pack(">ii", 0, 0)
    QDataStream(QByteArray(wire)) >> path
    return path


def polygon(points: Floats) -> QPolygonF:
    """Points (n, 2) as Qt's list of points."""
    return QPolygonF([QPointF(x, y) for x, y in points.tolist()])

"""A file with lines as it is read back, in the same form for all formats.

Readers know nothing of writers: they state the layer of each line and the file's facts on that layer, and the proof
compares these with the drawing. They read no more than our own files use and refuse the rest: a file that holds
anything else is not ours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studio.base.texts import tr
from studio.export.format import Unreadable
from studio.geometry.curves.strokes import Floats

_SIZES = {"M": 2, "L": 2, "C": 6, "Z": 0}


@dataclass(frozen=True)
class FoundLayer:
    """A layer as a file states it; None for facts that its format does not state.

    `colour` is red, green and blue from 0 to 1, `aci` a DXF colour number, `number` and `turn` are the place of a
    LightBurn layer in the palette and in the order of work, and `runs` is False if the machine skips the layer.
    """

    name: str
    colour: tuple[float, ...] | None = None
    aci: int | None = None
    number: int | None = None
    turn: int | None = None
    runs: bool | None = None


@dataclass(frozen=True, eq=False)
class FoundLine:
    """One line of a file, points in mm, y downwards; a closed line ends at its start.

    If `curved`, points are the 3k + 1 control points of k cubics, else the corners of a polyline.
    """

    layer: FoundLayer
    points: Floats
    closed: bool
    curved: bool


@dataclass(frozen=True, eq=False)
class FoundArea:
    """A filled area: its steps M, L and Z as one text, their points (n, 2) in mm, and its colour from 0 to 1."""

    steps: str
    points: Floats
    fill: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class FoundPicture:
    """A picture: left, top, width and height in mm, and its bytes: of its file, of its lines, or of pixels and mask.

    `lines` are columns, rows, bits of a number and numbers of a pixel if the bytes are packed lines of a PNG. `turn` is
    in degrees clockwise about its middle, `clip` the steps and points of its clip.
    """

    box: tuple[float, float, float, float]
    data: bytes
    mask: bytes = b""
    lines: tuple[int, ...] = ()
    turn: float = 0.0
    clip: tuple[str, Floats] | None = None


@dataclass(frozen=True, eq=False)
class Sheet:
    """The contents of a file: a page in mm, the lines in the order of the file, and the artwork below them.

    The artwork is None if the format leaves it out.
    """

    width: float
    height: float
    lines: tuple[FoundLine, ...]
    artwork: tuple[FoundArea | FoundPicture, ...] | None = None


def unbroken(commands: list[str], numbers: Floats) -> tuple[Floats, bool]:
    """Return the control points of a line given by M, L, C and Z and their numbers, and whether it is closed.

    Straight steps become straight cubics. Raises Unreadable if it is not one unbroken line.
    """
    known = list(map(_SIZES.get, commands))
    if None in known:
        raise Unreadable(tr("a path has an unknown command or number"))
    sizes = np.array(known, np.int64)
    ends = np.cumsum(sizes)
    closed = commands[-1:] == ["Z"]
    drawn = commands[1 : len(commands) - closed]
    if commands[:1] != ["M"] or not drawn or {"M", "Z"} & set(drawn) or ends[-1] != len(numbers):
        raise Unreadable(tr("a path is not one continuous line"))
    corners = ends[: len(drawn) + 1, None] + (-2, -1)
    vertices = numbers[corners]
    curved = sizes[1 : len(drawn) + 1] == _SIZES["C"]
    controls = np.empty((len(drawn), 3, 2))
    controls[:, 2] = vertices[1:]
    arms = corners[1:][curved][:, :1] + (-4, -3, -2, -1)
    controls[curved, :2] = numbers[arms].reshape(-1, 2, 2)
    step = vertices[1:] - vertices[:-1]
    controls[~curved, 0] = (vertices[:-1] + step / 3)[~curved]
    controls[~curved, 1] = (vertices[1:] - step / 3)[~curved]
    points = np.concatenate([vertices[:1], controls.reshape(-1, 2)])
    if closed and (points[0] != points[-1]).any():
        raise Unreadable(tr("a closed path does not end where it starts"))
    return points, closed

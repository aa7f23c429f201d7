"""Scenes for the renderers: bodies with places and looks, on a ground; a value, made for every picture.

cell: a box of a body's material, as rough as is good enough for soft shade between bodies and for painting it without
a graphics card. label: a letter on a body's surface.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.solid import Mesh
from studio.ui.widgets.theme import Theme

TO_LIGHT = np.array([-0.24, -0.60, 0.80]) / np.linalg.norm([-0.24, -0.60, 0.80])
"""Direction to the key light: from the upper left, for the first camera."""
SLACK = 1e-6
"""Rounding tolerance of the sides of a bed, in mm."""
SHARPEST_SMOOTH = 35.0
"""Facets of a mesh without normals that meet at fewer degrees are shaded as one curved surface."""
EXPLODED = 0.36
"""Travel of bodies in a fully exploded view, as a share of the longest side."""


class BodyLook(Enum):
    """Look of a body."""

    PLAIN = auto()
    HOVERED = auto()
    SELECTED = auto()
    DIMMED = auto()


@dataclass(frozen=True, eq=False)
class Label:
    """The place of a body's letter: its middle, and half its width to the right and half its height up, (3,) mm."""

    middle: Floats
    right: Floats
    up: Floats

    @property
    def facing(self) -> Floats:
        """The direction that it is read from."""
        across = np.cross(self.right, self.up)
        return np.asarray(across / np.linalg.norm(across))

    @property
    def corners(self) -> Floats:
        """Bottom left, bottom right, top right, top left: (4, 3)."""
        return np.array([
            self.middle - self.right - self.up, self.middle + self.right - self.up,
            self.middle + self.right + self.up, self.middle - self.right + self.up,
        ])  # fmt: skip


@dataclass(frozen=True, eq=False)
class SceneBody:
    """A piece in 3-D: `cells` (k, 2, 3) are its boxes in mm, `way` (3,) is its direction when exploded."""

    name: str
    letter: str
    colour: QColor
    mesh: Mesh
    cells: Floats
    way: Floats
    labels: tuple[Label, ...] = ()

    @cached_property
    def normals(self) -> Floats:
        """The directions (m, 3, 3) by which the corners of its triangles are lit."""
        return self.mesh.normals if self.mesh.normals is not None else smoothed(self.mesh)

    @cached_property
    def box(self) -> Floats:
        """The eight corners (8, 3) of the box around it."""
        return box_corners(np.array(self.mesh.bounds))

    def nearest_cell(self, place: Floats) -> int:
        """Index of the cell that is nearest to a place (3,) on the body."""
        away = np.maximum(np.maximum(self.cells[:, 0] - place, place - self.cells[:, 1]), 0.0)
        return int((away**2).sum(axis=1).argmin())


@dataclass(frozen=True, eq=False)
class Placed:
    """A body at its place in the scene: moved by `shift` (3,) mm."""

    number: int
    body: SceneBody
    shift: Floats
    look: BodyLook = BodyLook.PLAIN

    def struck(self, start: Floats, way: Floats, section: Section | None = None) -> Floats | None:
        """First point of a ray from `start` on the body, (3,) in its own mm, before the shift; None if it misses.

        A ray that enters a section within the body meets it right there.
        """
        begin = start if section is None else section.entered(start, way)
        hit = struck(self.body.mesh, begin - self.shift, way)
        if hit is None or section is None or begin is start:
            return hit
        # The ray is outside if the body's first side faces it, or if it misses the body.
        found = met(self.body.mesh, begin - self.shift, way)
        is_outside = found is None or float(self.body.mesh.facets[found[0]] @ way) < 0
        return hit if is_outside else np.asarray(begin - self.shift)


@dataclass(frozen=True)
class Bed:
    """A printer's bed: its printable size in mm, its name, and the reason why the bodies do not fit."""

    width: float
    depth: float
    height: float
    name: str
    problem: str = ""

    def holds(self, size: Floats) -> bool:
        """True if something of this size (3,) fits without being turned."""
        return bool((size <= np.array([self.width, self.depth, self.height]) + SLACK).all())


@dataclass(frozen=True)
class Section:
    """A plane across one of the axes 0 to 2, at a place in mm; the part beyond it, or before it, is cut away."""

    axis: int
    place: float
    keeps_low: bool = True

    @property
    def plane(self) -> Floats:
        """Outward normal and distance from the origin in mm, shape (4,)."""
        sign = 1.0 if self.keeps_low else -1.0
        plane = np.zeros(4)
        plane[self.axis], plane[3] = sign, sign * self.place
        return plane

    def keeps(self, place: Floats) -> bool:
        """True if a place (3,) is on the side that is kept."""
        plane = self.plane
        return bool(plane[:3] @ place <= plane[3])

    def left_of(self, cells: Floats) -> Floats:
        """Cells (k, 2, 3) clipped to the side that is kept."""
        end = 1 if self.keeps_low else 0
        near = cells[:, 1 - end, self.axis]
        is_left = near < self.place if self.keeps_low else near > self.place
        left = cells[is_left].copy()
        bound = np.minimum if self.keeps_low else np.maximum
        left[:, end, self.axis] = bound(left[:, end, self.axis], self.place)
        return left

    def entered(self, start: Floats, way: Floats) -> Floats:
        """First point (3,) of a ray on the kept side: its start or, if that is cut away, its point on the plane."""
        plane = self.plane
        beyond, along = float(plane[:3] @ start - plane[3]), float(plane[:3] @ way)
        return start - way * (beyond / along) if beyond > 0 > along else start


@dataclass(frozen=True, eq=False)
class Scene:
    """The visible bodies on their ground. `plate` is a printer's plate: least x and y, greatest x and y."""

    placed: tuple[Placed, ...]
    ground: QColor
    accent: QColor
    plate: tuple[float, float, float, float] | None = None
    plate_colour: QColor | None = None
    plate_line: QColor | None = None
    plate_rim: QColor | None = None
    section: Section | None = None
    has_letters: bool = True
    """True if bodies show their letters, which are names and not printed."""

    @cached_property
    def corners(self) -> Floats:
        """The corners (n, 3) of the boxes around all bodies, and of the plate."""
        if self.plate is None:
            return self.body_corners
        left, front, right, back = self.plate
        plate = np.array([[x, y, 0.0] for x in (left, right) for y in (front, back)])
        return np.concatenate([self.body_corners, plate]) if self.placed else plate

    @cached_property
    def body_corners(self) -> Floats:
        """Corners (n, 3) of the boxes around all bodies, without the plate; of a default box if there are no bodies."""
        boxes = [each.body.box + each.shift for each in self.placed]
        return np.concatenate(boxes) if boxes else np.array([[-10.0, -10.0, 0.0], [10.0, 10.0, 10.0]])

    @cached_property
    def by_number(self) -> dict[int, Placed]:
        """The bodies that are shown, by their numbers."""
        return {each.number: each for each in self.placed}

    def showing(self, placed: tuple[Placed, ...]) -> Scene:
        """Some of its bodies, on the ground of all."""
        some = replace(self, placed=placed)
        some.__dict__["corners"], some.__dict__["body_corners"] = self.corners, self.body_corners
        return some

    @cached_property
    def triangles(self) -> int:
        """The number of triangles of all bodies."""
        return sum(len(each.body.mesh.triangles) for each in self.placed)

    @cached_property
    def floor(self) -> float:
        """The height of the ground in mm, just below the lowest body."""
        return float(self.corners[:, 2].min())

    @cached_property
    def middle(self) -> Floats:
        """The middle (3,) of everything."""
        return np.asarray((self.corners.min(axis=0) + self.corners.max(axis=0)) / 2)

    @cached_property
    def radius(self) -> float:
        """Radius in mm of a ball around everything."""
        return float(np.linalg.norm(self.corners - self.middle, axis=1).max())


@dataclass(frozen=True, eq=False)
class Exhibit:
    """Bodies to be shown, each by a share of its way out, on a printer's bed or without, and cut at a section.

    Bodies are numbered by their places; in `looks`, None hides a body, and unnamed bodies are plain.
    """

    bodies: tuple[SceneBody, ...] = ()
    bed: Bed | None = None
    section: Section | None = None
    shares: Floats = field(default_factory=lambda: np.zeros(0))
    looks: Mapping[int, BodyLook | None] = field(default_factory=dict)

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The least and the greatest coordinates (3,) of all bodies in their places."""
        boxes = np.concatenate([body.box for body in self.bodies]) if self.bodies else np.zeros((1, 3))
        return boxes.min(axis=0), boxes.max(axis=0)

    def scene(self, theme: Theme) -> Scene:
        """Return the scene of the bodies, in the colours of a theme."""
        low, high = self.ends
        reach = EXPLODED * float((high - low).max())
        placed = tuple(
            Placed(number, body, body.way * (share * reach), look)
            for number, (body, share) in enumerate(zip(self.bodies, self.shares.tolist(), strict=True))
            if (look := self.looks.get(number, BodyLook.PLAIN)) is not None
        )
        if self.bed is None or not self.bodies:
            # Together they look as they will; taken apart, a letter says which is which.
            apart = bool(self.shares.any())
            return Scene(placed, theme.canvas, theme.accent, section=self.section, has_letters=apart)
        half = np.array([self.bed.width, self.bed.depth]) / 2
        left, front, right, back = np.concatenate([(low + high)[:2] / 2 - half, (low + high)[:2] / 2 + half]).tolist()
        rim = theme.quiet if self.bed.holds(high - low) else theme.error
        return Scene(
            placed, theme.canvas, theme.accent, (left, front, right, back), theme.board, theme.line, rim,
            self.section, has_letters=False,
        )  # fmt: skip


def rgb(colour: QColor) -> tuple[float, float, float]:
    """Red, green and blue from 0 to 1."""
    return colour.redF(), colour.greenF(), colour.blueF()


def pixels_in(image: QImage) -> NDArray[np.uint8]:
    """Red, green and blue (height, width, 3) of a picture."""
    plain = image.convertToFormat(QImage.Format.Format_RGBA8888)
    data = np.frombuffer(plain.constBits(), np.uint8)
    return data.reshape(plain.height(), plain.bytesPerLine() // 4, 4)[:, : plain.width(), :3].copy()


def box_corners(box: Floats) -> Floats:
    """The corners (8, 3) of a box given by its least and greatest coordinates (2, 3); x changes slowest."""
    return np.array([[box[i, 0], box[j, 1], box[k, 2]] for i, j, k in np.ndindex(2, 2, 2)])


def smoothed(mesh: Mesh) -> Floats:
    """Normals (m, 3, 3) for a mesh without any: at each corner the mean, by area, of facets that bend little.

    Long facets count most, so flats stay flat up to the roundings at their rims.
    """
    count = len(mesh.triangles)
    facets = mesh.facets
    length = np.maximum(np.linalg.norm(facets, axis=1), 1e-30)
    units = facets / length[:, None]
    corners = mesh.triangles.ravel()
    owners = np.repeat(np.arange(count), 3)
    order = np.argsort(corners, kind="stable")
    ranked = corners[order]
    starts = np.searchsorted(ranked, corners)
    sizes = np.bincount(corners, minlength=len(mesh.vertices))[corners]
    total = np.zeros((3 * count, 3))
    most = np.cos(np.radians(SHARPEST_SMOOTH))
    # A corner at a time of all fans together: fans are short, so there are few rounds.
    waiting = np.arange(3 * count)
    place = 0
    while len(waiting):
        others = owners[order[starts[waiting] + place]]
        near = (units[others] * units[owners[waiting]]).sum(axis=1) >= most
        total[waiting[near]] += facets[others[near]]
        place += 1
        waiting = waiting[sizes[waiting] > place]
    norm = np.linalg.norm(total, axis=1)
    found = np.where(norm[:, None] > 1e-30, total / np.maximum(norm, 1e-30)[:, None], units[owners])
    return np.asarray(found.reshape(count, 3, 3))


def struck(mesh: Mesh, start: Floats, way: Floats) -> Floats | None:
    """First point of a ray on a mesh, (3,) mm, or None."""
    found = met(mesh, start, way)
    return None if found is None else np.asarray(start + found[1] * way)


def met(mesh: Mesh, start: Floats, way: Floats) -> tuple[int, float] | None:
    """First triangle on a ray and its distance in lengths of `way`, or None; all triangles at once.

    After Möller and Trumbore 1997.
    """
    a, b, c = mesh.vertices[mesh.triangles].transpose(1, 0, 2)
    one, other = b - a, c - a
    across = np.cross(way, other)
    bulk = (one * across).sum(axis=1)
    flat = np.abs(bulk) < 1e-12
    inverse = 1.0 / np.where(flat, 1.0, bulk)
    gone = start - a
    u = (gone * across).sum(axis=1) * inverse
    turned = np.cross(gone, one)
    v = (turned @ way) * inverse
    far = (other * turned).sum(axis=1) * inverse
    hit = ~flat & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & (far > 1e-9)
    if not hit.any():
        return None
    first = int(np.where(hit, far, np.inf).argmin())
    return first, float(far[first])


def travels(share: float, order: Sequence[int]) -> Floats:
    """Remaining way of each body, 1 to 0, after `share` of an assembly in this order.

    One body moves at a time, and gently: it starts and ends at rest.
    """
    turn = np.empty(len(order))
    turn[list(order)] = np.arange(len(order))
    passed = np.clip(share * len(order) - turn, 0.0, 1.0)
    return np.asarray(1.0 - passed * passed * (3 - 2 * passed))

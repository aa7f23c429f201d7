"""Compares meshes read back from a file with the original solids, and reports on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.export.format import Report, Unreadable
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.solid import Mesh, Solid


@dataclass(frozen=True, kw_only=True)
class SolidReport(Report):
    """Findings from a file with solids: parts, triangles, volume in mm³, size in mm."""

    parts: int
    triangles: int
    volume: float
    width: float
    depth: float
    height: float


def report(solids: Sequence[Solid], meshes: Sequence[Mesh]) -> SolidReport:
    """Report on the meshes of a file; raises StudioError if the mesh of a solid cannot be printed."""
    for solid, mesh in zip(solids, meshes, strict=True):
        refuse_flawed(solid.name, mesh)
    low, high = zip(*(mesh.bounds for mesh in meshes), strict=True)
    width, depth, height = (np.max(high, axis=0) - np.min(low, axis=0)).tolist()
    return SolidReport(
        parts=len(meshes),
        triangles=sum(len(mesh.triangles) for mesh in meshes),
        volume=sum(mesh.volume for mesh in meshes),
        width=width,
        depth=depth,
        height=height,
    )


def refuse_flawed(name: str, mesh: Mesh) -> None:
    """Raise StudioError if a mesh cannot be printed."""
    from studio.checks.solid import flaw

    found = flaw(mesh)
    if found:
        raise StudioError(tr("{name} cannot be printed: its mesh {flaw}.", name=name, flaw=found))


def refuse_moved(name: str, corners: Floats, wanted: Floats, most: float) -> None:
    """Raise Unreadable if corners (n, 3) of a solid are more than `most` mm per axis from their places."""
    wrong = np.flatnonzero((np.abs(corners - wanted) > most).any(axis=1))
    if len(wrong):
        apart = np.sqrt(((corners - wanted)[wrong] ** 2).sum(axis=1))
        at = int(wrong[apart.argmax()])
        x, y, z = wanted[at].tolist()
        raise Unreadable(
            tr(
                "{name} is moved by {distance:.2g} mm near x {x:.1f}, y {y:.1f}, z {z:.1f} mm",
                name=name,
                distance=float(apart.max()),
                x=x,
                y=y,
                z=z,
            )
        )

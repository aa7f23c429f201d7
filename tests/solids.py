"""What tests ask of two bodies: how much they share, and how near they come to each other."""

from __future__ import annotations

from studio.geometry.solids.solid import Mesh, body


def overlap(one: Mesh, other: Mesh) -> float:
    """How many mm³ two bodies share."""
    return float((body(one) ^ body(other)).volume())


def least_gap(one: Mesh, other: Mesh, reach: float) -> float:
    """How near two bodies come to each other in mm, at most `reach`."""
    return float(body(one).min_gap(body(other), reach))

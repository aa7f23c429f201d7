"""Where the voxels of a cube are in mm: those of the first and the last layer are as thick as the plates.

unit: the side of a voxel within a plate, which is the pitch of the teeth. thick: the thickness of the plates. Where
both are alike all voxels are cubes. Otherwise the box is stretched or pressed in its outer layers, alike on all sides,
so that the pieces go together in the same ways, and come out the same way, as those of cubes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studio.geometry.curves.strokes import Floats


@dataclass(frozen=True)
class Grid:
    """The planes between the voxels of a box, along each of its axes."""

    unit: float
    thick: float

    @property
    def is_even(self) -> bool:
        """Whether voxels are cubes."""
        return self.unit == self.thick

    def lines(self, count: int) -> Floats:
        """The places (count + 1,) in mm of the planes along an axis of some voxels.

        >>> Grid(10.0, 3.0).lines(4).tolist()
        [0.0, 3.0, 13.0, 23.0, 26.0]
        """
        if self.is_even:
            return np.asarray(np.arange(count + 1) * self.unit, np.float64)
        inner = self.thick + np.arange(count - 1) * self.unit
        return np.concatenate([[0.0], inner, [inner[-1] + self.thick]])

    def in_mm(self, places: Floats, counts: Sequence[int]) -> Floats:
        """Places (n, k) in voxels, along k axes of some counts of voxels, in mm."""
        if self.is_even:
            return np.asarray(places * self.unit)
        found = [
            np.interp(places[:, axis], np.arange(count + 1), self.lines(count)) for axis, count in enumerate(counts)
        ]
        return np.stack(found, 1)

    def size(self, counts: Sequence[int]) -> Floats:
        """How large in mm something of some counts of voxels is that reaches from one side of the box to the other."""
        return np.array([float(self.lines(count)[-1]) for count in counts])

"""What a maker chooses about a file for the laser cutter."""

from __future__ import annotations

from dataclasses import dataclass

from studio.parameters import ParameterError, choice, flag, number, validate


@dataclass(frozen=True)
class Options:
    """Choices for SVG and DXF files; raises ParameterError where a value or a combination cannot be."""

    profile: str = choice(
        "lightburn",
        {"lightburn": "LightBurn", "single": "One colour", "workshop": "Makerspace: red, blue, black"},
        title="Profile",
        help="Which colours and layers the laser cutter's software expects.",
    )
    version: str = choice(
        "R2000",
        {"R2000": "R2000, states millimetres", "R12": "R12, for old programs; choose mm when opening it"},
        title="DXF version",
        help="R2000 says that its unit is the millimetre; R12 cannot, but every program reads it.",
        group="DXF",
    )
    curves: str = choice(
        "polyline",
        {"polyline": "Polylines", "spline": "Splines, exact"},
        title="DXF curves",
        help="Polylines are read everywhere; splines are exact and small, but some laser programs dent them.",
        group="DXF",
    )
    tolerance: float = number(
        0.02,
        title="Tolerance",
        minimum=0.001,
        maximum=1.0,
        step=0.01,
        unit="mm",
        help="How far a polyline may stray from the curve; a laser's own line is 0.1 to 0.2 mm wide.",
        group="DXF",
    )
    close: bool = flag(
        False,
        title="Repeat the first point",
        help="For programs that lose the last edge of a closed polyline.",
        group="DXF",
    )

    def __post_init__(self) -> None:
        validate(self)
        if self.version == "R12" and self.curves == "spline":
            raise ParameterError("curves", "DXF R12 has no splines; choose polylines or DXF R2000.")

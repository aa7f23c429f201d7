"""What a maker chooses about a file for the laser cutter or the printer."""

from __future__ import annotations

from dataclasses import dataclass

from studio.parameters import ParameterError, choice, flag, integer, number, validate


@dataclass(frozen=True)
class Options:
    """Choices for every format; a group names the format it is for. Raises ParameterError for what cannot be."""

    profile: str = choice(
        "lightburn",
        {
            "lightburn": "LightBurn",
            "glowforge": "Glowforge",
            "ponoko": "Ponoko",
            "single": "One colour",
            "workshop": "Makerspace: red, blue, black",
        },
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
    pages: str = choice(
        "one",
        {"one": "One, as large as the drawing", "tiled": "Printer pages, to be laid together"},
        title="Pages",
        help="One page goes to the laser; printer pages give a paper copy at true size.",
        group="PDF",
    )
    paper: str = choice(
        "A4",
        {"A4": "A4", "A3": "A3", "Letter": "Letter"},
        title="Paper",
        help="What is in the printer, upright or across, whichever needs fewer pages.",
        group="PDF",
    )
    paper_margin: float = number(
        10.0,
        title="Paper margin",
        minimum=0,
        maximum=30,
        step=1,
        unit="mm",
        help="How near to the edge of the paper the printer can print.",
        group="PDF",
    )
    overlap: float = number(
        10.0,
        title="Overlap",
        minimum=0,
        maximum=50,
        step=1,
        unit="mm",
        help="How much of a printer page its neighbour shows again, to glue them on each other.",
        group="PDF",
    )
    dpi: int = integer(
        300,
        title="Resolution",
        minimum=10,
        maximum=2400,
        unit="dpi",
        help="How many pixels an inch has; the file states it, so that the picture opens at true size.",
        group="PNG",
    )
    ground: str = choice(
        "white",
        {"white": "White", "transparent": "Transparent"},
        title="Ground",
        help="What lies behind the lines.",
        group="PNG",
    )
    line_width: float = number(
        0.2,
        title="Line width",
        minimum=0.01,
        maximum=5.0,
        step=0.05,
        unit="mm",
        help="How wide the lines of the picture are; never less than a pixel.",
        group="PNG",
    )
    keep_order: bool = flag(
        True,
        title="Keep the order of the cuts",
        help="Switches LightBurn's optimisation off in this project; otherwise its own settings decide.",
        group="LBRN2",
    )

    def __post_init__(self) -> None:
        validate(self)
        if self.version == "R12" and self.curves == "spline":
            raise ParameterError("curves", "DXF R12 has no splines; choose polylines or DXF R2000.")

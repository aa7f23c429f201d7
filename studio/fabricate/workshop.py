"""The workshop: the machine that cuts and the material that is cut, with every figure that a plan needs."""

from __future__ import annotations

from dataclasses import dataclass

from studio.parameters import flag, number, validate


@dataclass(frozen=True)
class Machine:
    """What a machine can do; raises ParameterError for a value that no machine has."""

    bed_width: float = number(
        600.0, title="Bed width", minimum=20, maximum=5000, step=10, unit="mm", group="Bed",
        help="How wide a sheet the machine takes.",
    )  # fmt: skip
    bed_height: float = number(
        400.0, title="Bed height", minimum=20, maximum=5000, step=10, unit="mm", group="Bed",
        help="How deep a sheet the machine takes.",
    )  # fmt: skip
    cut_speed: float = number(
        15.0, title="Cutting", minimum=0.1, maximum=3000, step=1, unit="mm/s", group="Speeds",
        help="How fast the head moves while it cuts through.",
    )  # fmt: skip
    score_speed: float = number(
        100.0, title="Scoring", minimum=0.1, maximum=3000, step=10, unit="mm/s", group="Speeds",
        help="How fast the head moves while it only scores the surface.",
    )  # fmt: skip
    engrave_speed: float = number(
        100.0, title="Engraving", minimum=0.1, maximum=3000, step=10, unit="mm/s", group="Speeds",
        help="How fast the head moves along engraved lines.",
    )  # fmt: skip
    rapid_speed: float = number(
        200.0, title="Travel", minimum=0.1, maximum=5000, step=10, unit="mm/s", group="Speeds",
        help="How fast the head moves with the beam off.",
    )  # fmt: skip
    acceleration: float = number(
        2000.0, title="Acceleration", minimum=1, maximum=100000, step=100, unit="mm/s²", group="Speeds",
        help="How quickly the head gains and loses speed; it slows down in tight curves.",
    )  # fmt: skip
    pen_up: float = number(
        0.08, title="Beam off and on", minimum=0, maximum=10, step=0.01, unit="s", group="Speeds",
        help="What every end of a cut costs beside the travel.",
    )  # fmt: skip
    pictures: bool = flag(
        False, title="Takes pictures", group="Files",
        help="Whether the machine's software engraves pixels; without it a picture is refused.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class Material:
    """What is cut; raises ParameterError for a value that no material has."""

    thickness: float = number(
        3.0, title="Thickness", minimum=0.05, maximum=50, step=0.1, unit="mm", help="How thick the sheet is.",
    )  # fmt: skip
    kerf: float = number(
        0.15, title="Kerf", minimum=0, maximum=2, step=0.01, unit="mm",
        help="How wide a line the beam burns away; a fit coupon measures it.",
    )  # fmt: skip
    play: float = number(
        0.0, title="Play", minimum=-0.5, maximum=1, step=0.01, unit="mm",
        help="The gap wanted between two pieces when they lie together; below zero they press.",
    )  # fmt: skip
    bridge: float = number(
        1.0, title="Least bridge", minimum=0, maximum=20, step=0.1, unit="mm",
        help="The narrowest bit of wood that does not break off.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        validate(self)

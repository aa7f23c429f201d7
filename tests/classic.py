"""The classic board: the style and numbers of tongues on which figures of tests and benchmarks were measured.

Nobody asked how tight their curves were, and tongues were not yet made smaller beside others.
"""

from typing import Any

from studio.puzzles.jigsaw.model.design import JigsawParameters

NUMBERS: dict[str, Any] = {
    "tongue_size": 0.22, "perturbation": 0.12, "vary_size": 0.15, "vary_place": 0.06, "vary_slant": 0.04,
    "least_radius": 0.0, "layout_version": 1,
}  # fmt: skip


def classic(**parameters: Any) -> JigsawParameters:
    """The parameters of a classic board with some others of its own."""
    return JigsawParameters(**{"tongue_style": "classic"} | NUMBERS | parameters)

"""The jigsaw as a kind of puzzle."""

from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.generate import generate, verify
from studio.puzzles.jigsaw.geometry import shape
from studio.puzzles.jigsaw.joint import joint
from studio.puzzles.jigsaw.model import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.problems import PROBLEMS
from studio.puzzles.kind import PuzzleKind

JIGSAW = PuzzleKind(
    key="jigsaw",
    title="Jigsaw",
    summary="A board cut along a wiggled grid of tongues, shaped by hand and checked before it is cut.",
    parameters=JigsawParameters,
    design=JigsawDesign,
    generate=generate,
    shape=shape,
    check=check,
    problems=PROBLEMS,
    verify=verify,
    joint=joint,
    example=JigsawDesign,
)

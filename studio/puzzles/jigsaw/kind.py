"""The jigsaw as a kind of puzzle."""

from operator import attrgetter

from studio.base.progress import lazy
from studio.puzzles.abilities.ability import Distinguishable, Editable, Inscribable, Repairable, Sized
from studio.puzzles.abilities.cuttable import Cuttable, moved_few_strokes
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.abilities.printable import Printable
from studio.puzzles.jigsaw.check_problems import PROBLEMS
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.tiling import carry, sized, verify
from studio.puzzles.kind import Kind
from studio.puzzles.registry import KINDS


def is_small_step(now: JigsawShapes, then: JigsawShapes) -> bool:
    """True if the check of shapes fits in a frame.

    It never does after the tiling changed, as when a figure moves, nor if a tray must be fitted to a changed curved
    border, or a new picture decoded.
    """
    picture, before = now.design.picture, then.design.picture
    is_known = picture is None or (before is not None and picture.data is before.data)
    if now.tiling is not then.tiling or not is_known or not moved_few_strokes(now, then):
        return False
    if then.tray is None or then.tray.is_quick:
        return True
    moved = now.drawing.strokes.changed_since(then.drawing.strokes)
    return not any(map(now.tiling.graph.is_rim, moved.tolist()))


JIGSAW: Kind[JigsawParameters, JigsawDesign, JigsawShapes] = Kind(
    key="jigsaw",
    title=KINDS["jigsaw"].title,
    summary=KINDS["jigsaw"].summary,
    parameters=JigsawParameters,
    design=JigsawDesign,
    shape=shape,
    check=lazy("studio.puzzles.jigsaw.checks:check"),
    carry=carry,
    verify=verify,
    is_small_step=is_small_step,
    problems=PROBLEMS,
    abilities=(
        Cuttable(
            attrgetter("whole"),
            lazy("studio.puzzles.jigsaw.model.printed_solids:joint"),
            asked=attrgetter("design.parameters.pieces"),
            tray=attrgetter("tray"),
        ),
        Printable(
            lazy("studio.puzzles.jigsaw.model.printed_solids:bodies"),
            lazy("studio.puzzles.jigsaw.model.printed_solids:fit"),
            attrgetter("design.parameters.play"),
            lazy("studio.puzzles.jigsaw.model.printed_solids:joints"),
            lazy("studio.puzzles.jigsaw.model.printed_solids:seen"),
        ),
        Playable(
            lazy("studio.puzzles.jigsaw.game:start"),
            lazy("studio.puzzles.jigsaw.game:moved"),
            lazy("studio.puzzles.jigsaw.game:done"),
            lazy("studio.puzzles.jigsaw.game:hint"),
            lazy("studio.puzzles.jigsaw.game:tally"),
            lazy("studio.puzzles.jigsaw.game:sketch"),
            lazy("studio.puzzles.jigsaw.game:essentials"),
            terms=lazy("studio.puzzles.jigsaw.game_positions:target_of"),
            interpret=lazy("studio.puzzles.jigsaw.gestures:interpret"),
        ),
        Repairable(lazy("studio.puzzles.jigsaw.repair:repaired")),
        Distinguishable(lazy("studio.puzzles.jigsaw.fits.tongue_reshaping:made_unique")),
        Inscribable(
            lazy("studio.puzzles.jigsaw.picture.engravings:inscribed"),
            lazy("studio.puzzles.jigsaw.picture.board_picture:pictured"),
        ),
        Editable("studio.puzzles.jigsaw.model.edits:EDITS"),
        Sized(sized),
    ),
)

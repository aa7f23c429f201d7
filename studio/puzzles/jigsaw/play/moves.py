"""The rules of a game of a jigsaw, whose moves are texts: `C4 120.5 80` moves a piece, `C4 120.5 80 90` turns it, too.

Positions are those of the piece's middle in mm, from the corner of the board as it would be in the middle of the table;
angles are clockwise. What is joined goes along. `C4 off 120.5 80` takes a single piece out of what it is joined to, and
`C4 D7 by 12 -5` moves several without snapping. All else follows: what comes near enough to an edge that fits snaps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from studio.base.amounts import abridged, many, thousands
from studio.base.chance import uniform
from studio.base.encode import encode
from studio.base.errors import StudioError
from studio.base.parameters import declarations
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.abilities.playable import Hint
from studio.puzzles.jigsaw.model.design import LIMITS, PRINTING, TRAY, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.play.game import (
    FREE,
    QUARTERS,
    Cluster,
    Game,
    Part,
    Pose,
    Table,
    Terms,
    bent,
    placed,
    terms_of,
)
from studio.puzzles.jigsaw.play.snapping import Halves, components, misplaced, settled

# Where the pieces of a jigsaw are at the start of a game: in rows around an empty middle as large as the board.


PROPORTION = 1.6
"""Width of a table by its height, about that of a window."""
AIR = 0.12
"""Between pieces, as a fraction of a usual one."""
USUAL = 90
"""The percentile of the pieces' extents that rows are made for; larger pieces have rows of their own."""
HALVINGS = 14
"""How often the range of possible widths of the table is halved."""


class Scatter(NamedTuple):
    """The middles (n, 2) of scattered pieces, and the box of the table: left, top, width and height in mm."""

    middles: Floats
    box: tuple[float, float, float, float]


def scattered(extents: Floats, board: tuple[float, float], seed: int) -> Scatter:
    """Pieces of some extents (n, 2) in mm around a board of a width and height, whose corner is 0, 0."""
    count = len(extents)
    air = AIR * float(np.sqrt(np.median(extents.prod(axis=1))))
    usual = float(np.percentile(extents[:, 1], USUAL)) * 1.001
    order = np.argsort(uniform(seed, np.arange(count), "scatter"), kind="stable")
    large = extents[order, 1] > usual
    order = np.concatenate([order[large][np.argsort(-extents[order[large], 1], kind="stable")], order[~large]])
    room = extents + air
    hole = np.array(board) + 2 * air
    # Wide enough for the largest piece beside the board, as it would never find a place otherwise.
    narrow = float(max(hole[0] + 2 * room[:, 0].max(), PROPORTION * hole[1]))
    wide = narrow
    while _rows(order, room, usual + air, hole, wide) is None:
        wide *= 1.5
    for _ in range(HALVINGS):
        between = (narrow + wide) / 2
        narrow, wide = (narrow, between) if _rows(order, room, usual + air, hole, between) else (between, wide)
    rows = _rows(order, room, usual + air, hole, wide)
    assert rows is not None
    middles = _spread(rows, room, air, seed)
    height = wide / PROPORTION
    left, top = (board[0] - wide) / 2, (board[1] - height) / 2
    return Scatter(np.round(middles + np.array([left, top]), 2), (left, top, wide, height))


class _Run(NamedTuple):
    """Pieces side by side: where the run begins and ends, and its top and height."""

    pieces: list[int]
    begin: float
    end: float
    top: float
    height: float


def _rows(order: Ints, room: Floats, usual: float, hole: Floats, wide: float) -> list[_Run] | None:
    """All pieces in runs on a table of a width, around the hole in its middle; None where there is not room enough."""
    height = wide / PROPORTION
    left, right = (wide - hole[0]) / 2, (wide + hole[0]) / 2
    above, below = (height - hole[1]) / 2, (height + hole[1]) / 2
    waiting = order.tolist()[::-1]
    sizes = room.tolist()
    runs, top = [], 0.0
    while waiting:
        row = max(usual, sizes[waiting[-1]][1])
        if top + row > height:
            return None
        is_beside = top < below and top + row > above
        for begin, end in ((0.0, left), (right, wide)) if is_beside else ((0.0, wide),):
            run, at = [], begin
            while waiting and at + sizes[waiting[-1]][0] <= end:
                at += sizes[waiting[-1]][0]
                run.append(waiting.pop())
            if run:
                runs.append(_Run(run, begin, end, top, row))
        top += row
    return runs


def _spread(runs: list[_Run], room: Floats, air: float, seed: int) -> Floats:
    """The middles (n, 2) of the pieces of runs, the room that is left spread between them by chance."""
    middles = np.empty((len(room), 2))
    for run in runs:
        which = np.array(run.pieces)
        widths, heights = room[which].T
        gaps = uniform(seed, np.append(which, len(room) + which[0]), "gap") + 0.2
        gaps *= (run.end - run.begin - widths.sum()) / gaps.sum()
        middles[which, 0] = run.begin + np.cumsum(gaps)[:-1] + np.cumsum(widths) - widths / 2
        free = run.height - heights
        middles[which, 1] = run.top + heights / 2 + free * uniform(seed, which, "height")
    return middles


OFF, BY = "off", "by"
REACH = 0.2
"""How near edges must be to snap, as a fraction of a usual piece."""
DECIMALS = 2
"""Of mm and degrees in a move."""
EVEN = 0.02
"""In degrees: how near a turn must be to a quarter turn to be one, after rounding."""
MOST_TOGETHER = 200
"""Clusters that one move can name."""
MOST_NAMED = 6
"""Pieces that one sentence names."""
LONGEST_SHOWN = 12
"""Letters of an unknown name that a sentence repeats."""
UNSHAPED = frozenset({LIMITS.title, PRINTING.title, TRAY.title})
"""The groups of parameters that make no difference to the pieces; but the least bridge does, beside figures."""
NUMBER = r"-?[0-9]{1,6}(?:\.[0-9]{1,6})?"


def start(design: JigsawDesign, target: Sequence[str]) -> Game:
    """The scattered pieces; raises StudioError for a target that names no terms."""
    return _started(design, terms_of(target))


@lru_cache(maxsize=2)
def _started(design: JigsawDesign, terms: Terms) -> Game:
    return begun(shape(design, None, SILENT), terms)


def begun(shapes: JigsawShapes, terms: Terms) -> Game:
    """The scattered pieces of shapes."""
    drawing = shapes.drawing
    count = len(drawing.pieces)
    low, high = boxes(drawing)
    middles = (low + high) / 2
    turns = _turns(count, terms)
    extents = high - low
    if terms.rotation == QUARTERS:
        extents = np.where((turns % 180.0 != 0.0)[:, None], extents[:, ::-1], extents)
    elif terms.rotation == FREE:
        extents = np.repeat(np.hypot(*extents.T)[:, None], 2, axis=1)
    scatter = scattered(extents, (drawing.width, drawing.height), terms.seed)
    reach = REACH * float(np.sqrt(np.median(drawing.piece_areas)))
    halves = Halves.of(shapes, terms.clearance)
    table = Table(terms, drawing.pieces.names, middles, halves, scatter.box, reach)
    poses = (
        placed(turn, table.middle(piece), x, y)
        for piece, (turn, (x, y)) in enumerate(zip(turns.tolist(), scatter.middles.tolist(), strict=True))
    )
    return Game.of(table, (Cluster((Part((piece,), pose),)) for piece, pose in enumerate(poses)))


def boxes(drawing: Drawing) -> tuple[Floats, Floats]:
    """The least and the greatest x and y (n, 2) of all pieces."""
    outlines = drawing.outlines(drawing.polylines)
    begins = outlines.starts[:-1]
    return np.minimum.reduceat(outlines.points, begins), np.maximum.reduceat(outlines.points, begins)


def _turns(count: int, terms: Terms) -> Floats:
    """How far (n,) the pieces are turned at first, in degrees."""
    share = uniform(terms.seed, np.arange(count), "turn")
    if terms.rotation == QUARTERS:
        return np.asarray(90.0 * np.floor(4.0 * share))
    return np.round(360.0 * share, DECIMALS) % 360.0 if terms.rotation == FREE else np.zeros(count)


# Moves


class _Move(NamedTuple):
    """What a text says: pieces by their names, OFF, BY or nothing, and numbers."""

    names: tuple[str, ...]
    way: str
    numbers: tuple[float, ...]


def _parsed(text: str) -> _Move:
    head: list[str] = []
    numbers: list[float] = []
    for word in text.split(" "):
        if re.fullmatch(NUMBER, word):
            numbers.append(float(word))
        elif numbers or not word:
            head = []
            break
        else:
            head.append(word)
    way = head.pop() if head[1:] and head[-1] in (OFF, BY) else ""
    amounts = (2,) if way == BY else (2, 3)
    if not head or len(numbers) not in amounts or (way != BY and len(head) > 1):
        raise StudioError(
            tr("Enter a move as piece and position in mm, like 'C4 120.5 80', with an angle like 'C4 120.5 80 90'.")
        )
    return _Move(tuple(head), way, tuple(numbers))


def moved(_design: JigsawDesign, game: Game, text: str) -> Game:
    """The position after a move; raises StudioError for a text that is none, or none here."""
    move = _parsed(text)
    pieces = [_piece(game.table, name) for name in move.names]
    if move.way == BY:
        return _shifted(game, pieces, *move.numbers)
    (piece,) = pieces
    x, y, *turn = move.numbers
    _refuse_far(game.table, piece, x, y)
    if move.way == OFF:
        return _detached(game, piece, x, y, *turn)
    cluster = game.cluster_of(piece)
    before = cluster.pose_of(piece)
    now = _turned(game.table, before.turn, *turn)
    if f"{piece_text(game, piece)}" == position_text(game.table.names[piece], x, y, now):
        raise StudioError(tr("Piece {piece} is already there.", piece=game.table.names[piece]))
    after = cluster.taken(piece, placed(now, game.table.middle(piece), x, y))
    return settled(game.changed((cluster.leader,), (after,)), after.leader)


def _piece(table: Table, name: str) -> int:
    if name not in table.numbers:
        raise StudioError(tr("There is no piece {name!r}.", name=name[:LONGEST_SHOWN]))
    return table.numbers[name]


def _refuse_far(table: Table, piece: int, x: float, y: float) -> None:
    """Raises StudioError for a place that is further from the table than the board is long."""
    left, top, width, height = table.box
    if not (left - width <= x <= left + 2 * width and top - height <= y <= top + 2 * height):
        raise StudioError(
            tr("Piece {piece} would be off the table: {x:g}, {y:g} mm.", piece=table.names[piece], x=x, y=y)
        )


def _turned(table: Table, before: float, *turn: float) -> float:
    """The angle that a piece gets; raises StudioError where it cannot be turned so far."""
    if not turn:
        return before
    if table.terms.rotation == FREE:
        return turn[0] % 360.0
    by = bent(turn[0] - before)
    quarters = round(by / 90.0)
    if abs(by - 90.0 * quarters) > EVEN:
        raise StudioError(tr("Pieces turn by 90° in this game."))
    if quarters and table.terms.rotation != QUARTERS:
        raise StudioError(tr("Pieces do not turn in this game."))
    return (before + 90.0 * quarters) % 360.0


def _shifted(game: Game, pieces: Sequence[int], right: float, down: float) -> Game:
    """Several clusters moved, without snapping."""
    leaders = {game.cluster_of(piece).leader: piece for piece in pieces}
    if len(leaders) > MOST_TOGETHER:
        raise StudioError(tr("A move is limited to {most} groups of pieces.", most=MOST_TOGETHER))
    if right == down == 0.0:
        raise StudioError(tr("Enter how far the pieces move, like 'C4 D7 by 12 -5'."))
    come = [game.at(leader).moved(Pose(0.0, right, down)) for leader in sorted(leaders)]
    for cluster, leader in zip(come, sorted(leaders), strict=True):
        piece = leaders[leader]
        _refuse_far(game.table, piece, *cluster.pose_of(piece).of(*game.table.middle(piece)))
    return game.changed((), come)


def _detached(game: Game, piece: int, x: float, y: float, *turn: float) -> Game:
    """One piece taken out of its cluster; what only it held together comes apart."""
    table, cluster = game.table, game.cluster_of(piece)
    if cluster.size == 1:
        raise StudioError(tr("Piece {piece} is not joined to any other.", piece=table.names[piece]))
    before = cluster.pose_of(piece).turn
    if table.terms.rotation != FREE:
        # It was turned a little where it snapped to an edge that runs otherwise.
        before = 90.0 * round(before / 90.0) % 360.0
    pose = placed(_turned(table, before, *turn), table.middle(piece), x, y)
    rest = [each for each in cluster.members if each != piece]
    groups = components(game, cluster, rest)
    come = [_of_some(cluster, group) for group in groups]
    game = game.changed((cluster.leader,), (*come, Cluster((Part((piece,), pose),))))
    return settled(game, piece)


def _of_some(cluster: Cluster, pieces: Sequence[int]) -> Cluster:
    chosen = {*pieces}
    parts = (Part(tuple(each for each in part.members if each in chosen), part.pose) for part in cluster.parts)
    return Cluster.of(part for part in parts if part.members)


# The texts of moves


def position_text(name: str, x: float, y: float, turn: float | None = None) -> str:
    """The move that brings a piece to a place of the table, and to an angle if one is given."""
    angle = () if turn is None else (_number(round(turn, DECIMALS) % 360.0),)
    return " ".join([name, _number(x), _number(y), *angle])


def piece_text(game: Game, piece: int) -> str:
    """The move that would bring a piece to where it is."""
    pose = game.cluster_of(piece).pose_of(piece)
    return position_text(game.table.names[piece], *pose.of(*game.table.middle(piece)), pose.turn)


def off_text(name: str, x: float, y: float) -> str:
    """The move that takes a piece out of its cluster."""
    return f"{name} {OFF} {_number(x)} {_number(y)}"


def by_text(names: Sequence[str], right: float, down: float) -> str:
    """The move of several pieces and what they are joined to."""
    return " ".join([*names, BY, _number(right), _number(down)])


def _number(value: float) -> str:
    return repr(round(value, DECIMALS) + 0.0).removesuffix(".0")


# What is said of a position


def done(_design: JigsawDesign, game: Game) -> bool:
    """Whether all pieces are joined, each where it belongs."""
    return game.is_joined and not wrong(game)


def wrong(game: Game) -> list[int]:
    """The pieces that are joined where they do not belong."""
    return sorted(piece for cluster in game.clusters for piece in misplaced(game, cluster))


def tally(_design: JigsawDesign, game: Game) -> str:
    """How many pieces are joined to others; of those that are wrong nothing is said before all are."""
    singles, total = game.singles, len(game.table.names)
    words = tr("{count} of {pieces} joined", count=thousands(total - singles), pieces=many(total, "piece"))
    if not game.is_joined:
        groups = game.count - singles
        return words if groups < 2 else tr("{joined} in {groups}", joined=words, groups=many(groups, "group"))
    misfits = len(wrong(game))
    return tr("{joined}, {wrong} in the wrong place", joined=words, wrong=thousands(misfits)) if misfits else words


def sketch(_design: JigsawDesign, game: Game) -> str:
    """The pieces that are joined, a group a line, and how many are not."""
    names = game.table.names
    groups = sorted((cluster.members for cluster in game.clusters if cluster.size > 1), key=lambda each: -len(each))
    lines = [" ".join(names[piece] for piece in group) for group in groups]
    return "\n".join([*lines, *([tr("{count} loose", count=many(game.singles, "piece"))] if game.singles else [])])


def essentials(design: JigsawDesign) -> Any:
    """All that the outlines of the pieces follow from; pictures and what is engraved make no other game."""
    known = encode(design, JigsawDesign)
    parameters = encode(design.parameters, JigsawParameters)
    unshaped = {known.name for known in declarations(JigsawParameters) if known.group in UNSHAPED} - {"least_bridge"}
    left_out = ("parameters", "picture", "engravings", "mask")
    return [
        {name: value for name, value in parameters.items() if name not in unshaped},
        {name: value for name, value in known.items() if name not in left_out},
    ]


def hint(_design: JigsawDesign, game: Game, _progress: Progress) -> Hint:
    """Say which pieces are wrong; where none is, put the first piece in its place, or join another to the group."""
    names = game.table.names
    misfits = wrong(game)
    if misfits:
        return Hint("", tuple(names[piece] for piece in misfits), wrong_words(game, misfits))
    if game.is_joined:
        return Hint()
    halves, places = game.table.halves, game.table.places(game)
    cluster = game.largest
    if cluster.size == 1 and not Pose(0.0, 0.0, 0.0).is_near(cluster.parts[0].pose):
        return _to(game, cluster.leader, Pose(0.0, 0.0, 0.0))
    mine = places.leaders[halves.pieces] == cluster.leader
    beside = halves.mates[mine & (places.leaders[halves.mates] != cluster.leader)]
    if not len(beside):
        return Hint(words=tr("Some parts of the board do not touch; they cannot be joined."))
    piece = int(beside.min())
    neighbour = int(halves.pieces[mine & (halves.mates == piece)][0])
    return _to(game, piece, cluster.pose_of(neighbour))


def _to(game: Game, piece: int, pose: Pose) -> Hint:
    """The hint to bring a piece to a pose; its angle is left out where it has it."""
    name, before = game.table.names[piece], game.cluster_of(piece).pose_of(piece)
    turn = None if abs(bent(pose.turn - before.turn)) < EVEN else pose.turn
    x, y = pose.of(*game.table.middle(piece))
    return Hint(position_text(name, x, y, turn), (name,))


def wrong_words(game: Game, misfits: Sequence[int]) -> str:
    """Which pieces are wrong, in a sentence."""
    names = [game.table.names[piece] for piece in misfits]
    if len(names) == 1:
        return tr("Piece {piece} is in the wrong place.", piece=names[0])
    return tr("Pieces {pieces} are in the wrong place.", pieces=abridged(names, MOST_NAMED))

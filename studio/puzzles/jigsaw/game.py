"""Rules of a jigsaw game, whose moves are texts: `C4 120.5 80` moves a piece, `C4 120.5 80 90` turns it, too.

Positions are the piece's middle in mm, from the corner of the board as it would be in the middle of the table; angles
are clockwise. Joined pieces move along. `C4 off 120.5 80` detaches a single piece, and `C4 D7 by 12 -5` moves several
without snapping. All else follows: a piece near enough to an edge that fits snaps.
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
from studio.puzzles.jigsaw.game_positions import (
    FREE,
    QUARTERS,
    Cluster,
    Game,
    GameOptions,
    Part,
    PiecePose,
    Table,
    bent,
    placed,
    terms_of,
)
from studio.puzzles.jigsaw.model.design import LIMITS, PRINTING, TRAY, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.snapping import Halves, components, misplaced, settled

# Pieces at the start of a game: in rows around an empty middle as large as the board.


PROPORTION = 1.6
"""Width of a table divided by its height, about as in a window."""
AIR = 0.12
"""Gap between pieces, as a fraction of a usual piece."""
USUAL = 90
"""Percentile of the pieces' extents for which rows are made; larger pieces get separate rows."""
HALVINGS = 14
"""Number of times the range of possible table widths is halved."""


class Scatter(NamedTuple):
    """Middles of scattered pieces, shape (n, 2), and box of the table: left, top, width and height in mm."""

    middles: Floats
    box: tuple[float, float, float, float]


def scattered(extents: Floats, board: tuple[float, float], seed: int) -> Scatter:
    """Scatter pieces around a board, given their extents in mm, shape (n, 2), and its size; its corner is 0, 0."""
    count = len(extents)
    air = AIR * float(np.sqrt(np.median(extents.prod(axis=1))))
    usual = float(np.percentile(extents[:, 1], USUAL)) * 1.001
    order = np.argsort(uniform(seed, np.arange(count), "scatter"), kind="stable")
    large = extents[order, 1] > usual
    order = np.concatenate([order[large][np.argsort(-extents[order[large], 1], kind="stable")], order[~large]])
    room = extents + air
    hole = np.array(board) + 2 * air
    # Wide enough for the largest piece beside the board; otherwise it would never find a place.
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
    """Pieces side by side, with the left and right end, top and height of the run."""

    pieces: list[int]
    begin: float
    end: float
    top: float
    height: float


def _rows(order: Ints, room: Floats, usual: float, hole: Floats, wide: float) -> list[_Run] | None:
    """Lay all pieces in runs on a table of a width, around the hole in its middle; None if they do not fit."""
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
    """Middles of the pieces of runs, shape (n, 2), with the free room spread between them at random."""
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
"""Distance within which edges snap, as a fraction of a usual piece."""
DECIMALS = 2
"""Decimals of mm and degrees in a move."""
EVEN = 0.02
"""Difference in degrees below which a turn counts as a quarter turn, because of rounding."""
MOST_TOGETHER = 200
"""Most clusters that a move can name."""
MOST_NAMED = 6
"""Most pieces that a sentence names."""
LONGEST_SHOWN = 12
"""Most letters of an unknown name in an error message."""
UNSHAPED = frozenset({LIMITS.title, PRINTING.title, TRAY.title})
"""Groups of parameters that do not affect the pieces, except the minimum wall, which does near figures."""
NUMBER = r"-?[0-9]{1,6}(?:\.[0-9]{1,6})?"


def start(design: JigsawDesign, target: Sequence[str]) -> Game:
    """Scatter the pieces of a design. Raise StudioError for an invalid target."""
    return _started(design, terms_of(target))


@lru_cache(maxsize=2)
def _started(design: JigsawDesign, terms: GameOptions) -> Game:
    return begun(shape(design, None, SILENT), terms)


def begun(shapes: JigsawShapes, terms: GameOptions) -> Game:
    """Scatter the pieces of shapes."""
    shapes = shapes.made
    drawing = shapes.drawing
    count = len(drawing.pieces)
    low, high = boxes(drawing)
    middles = (low + high) / 2
    turns, share = np.zeros(count), uniform(terms.seed, np.arange(count), "turn")
    extents = high - low
    if terms.rotation == QUARTERS:
        turns = 90.0 * np.floor(4.0 * share)
        extents = np.where((turns % 180.0 != 0.0)[:, None], extents[:, ::-1], extents)
    elif terms.rotation == FREE:
        turns = np.round(360.0 * share, DECIMALS) % 360.0
        extents = np.repeat(np.hypot(*extents.T)[:, None], 2, axis=1)
    scatter = scattered(extents, (drawing.width, drawing.height), terms.seed)
    reach = REACH * float(np.sqrt(np.median(drawing.piece_areas)))
    halves = Halves.from_shapes(shapes, terms.clearance)
    table = Table(terms, drawing.pieces.names, middles, halves, scatter.box, reach)
    poses = (
        placed(turn, table.middle(piece), x, y)
        for piece, (turn, (x, y)) in enumerate(zip(turns.tolist(), scatter.middles.tolist(), strict=True))
    )
    return Game.from_table(table, (Cluster((Part((piece,), pose),)) for piece, pose in enumerate(poses)))


def boxes(drawing: Drawing) -> tuple[Floats, Floats]:
    """Least and greatest x and y of all pieces, each of shape (n, 2)."""
    outlines = drawing.outlines(drawing.polylines)
    begins = outlines.starts[:-1]
    return np.minimum.reduceat(outlines.points, begins), np.maximum.reduceat(outlines.points, begins)


# Moves


class _Move(NamedTuple):
    """A parsed move: names of pieces, OFF, BY or "", and numbers."""

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
    """Play a move. Raise StudioError if the text is not a move, or not allowed in this position."""
    move = _parsed(text)
    unknown = next((name for name in move.names if name not in game.table.numbers), None)
    if unknown is not None:
        raise StudioError(tr("There is no piece {name!r}.", name=unknown[:LONGEST_SHOWN]))
    pieces = [game.table.numbers[name] for name in move.names]
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


def _refuse_far(table: Table, piece: int, x: float, y: float) -> None:
    """Raise StudioError for a place farther from the table than the table's own width or height."""
    left, top, width, height = table.box
    if not (left - width <= x <= left + 2 * width and top - height <= y <= top + 2 * height):
        raise StudioError(
            tr("Piece {piece} would be off the table: {x:g}, {y:g} mm.", piece=table.names[piece], x=x, y=y)
        )


def _turned(table: Table, before: float, *turn: float) -> float:
    """New rotation of a piece in degrees. Raise StudioError if the game does not allow it."""
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
    """Move several clusters without snapping."""
    leaders = {game.cluster_of(piece).leader: piece for piece in pieces}
    if len(leaders) > MOST_TOGETHER:
        raise StudioError(tr("A move is limited to {most} groups of pieces.", most=MOST_TOGETHER))
    if right == down == 0.0:
        raise StudioError(tr("Enter how far the pieces move, like 'C4 D7 by 12 -5'."))
    come = [game.at(leader).moved(PiecePose(0.0, right, down)) for leader in sorted(leaders)]
    for cluster, leader in zip(come, sorted(leaders), strict=True):
        piece = leaders[leader]
        _refuse_far(game.table, piece, *cluster.pose_of(piece).of(*game.table.middle(piece)))
    return game.changed((), come)


def _detached(game: Game, piece: int, x: float, y: float, *turn: float) -> Game:
    """Detach a piece from its cluster; pieces that were joined only through it come apart."""
    table, cluster = game.table, game.cluster_of(piece)
    if cluster.size == 1:
        raise StudioError(tr("Piece {piece} is not joined to any other.", piece=table.names[piece]))
    before = cluster.pose_of(piece).turn
    if table.terms.rotation != FREE:
        # Snapping to an edge of a slightly different direction may have turned it a little.
        before = 90.0 * round(before / 90.0) % 360.0
    pose = placed(_turned(table, before, *turn), table.middle(piece), x, y)
    rest = [each for each in cluster.members if each != piece]
    groups = components(game, cluster, rest)
    come = []
    for group in groups:
        parts = (Part(tuple(each for each in part.members if each in {*group}), part.pose) for part in cluster.parts)
        come.append(Cluster.from_parts(part for part in parts if part.members))
    game = game.changed((cluster.leader,), (*come, Cluster((Part((piece,), pose),))))
    return settled(game, piece)


# The texts of moves


def position_text(name: str, x: float, y: float, turn: float | None = None) -> str:
    """Text of the move that brings a piece to a place on the table, and to a given angle."""
    angle = () if turn is None else (_number(round(turn, DECIMALS) % 360.0),)
    return " ".join([name, _number(x), _number(y), *angle])


def piece_text(game: Game, piece: int) -> str:
    """Text of the move that would bring a piece to its present pose."""
    pose = game.cluster_of(piece).pose_of(piece)
    return position_text(game.table.names[piece], *pose.of(*game.table.middle(piece)), pose.turn)


def off_text(name: str, x: float, y: float) -> str:
    """Text of the move that detaches a piece from its cluster."""
    return f"{name} {OFF} {_number(x)} {_number(y)}"


def by_text(names: Sequence[str], right: float, down: float) -> str:
    """Text of the move of several pieces with all pieces joined to them."""
    return " ".join([*names, BY, _number(right), _number(down)])


def _number(value: float) -> str:
    return repr(round(value, DECIMALS) + 0.0).removesuffix(".0")


# Descriptions of a position


def done(_design: JigsawDesign, game: Game) -> bool:
    """True if all pieces are joined, each in its place."""
    return game.is_joined and not wrong(game)


def wrong(game: Game) -> list[int]:
    """Pieces joined in the wrong place."""
    return sorted(piece for cluster in game.clusters for piece in misplaced(game, cluster))


def tally(_design: JigsawDesign, game: Game) -> str:
    """Count the joined pieces; pieces in the wrong place are not counted until all are joined."""
    singles, total = game.singles, len(game.table.names)
    words = tr("{count} of {pieces} joined", count=thousands(total - singles), pieces=many(total, "piece"))
    if not game.is_joined:
        groups = game.count - singles
        return words if groups < 2 else tr("{joined} in {groups}", joined=words, groups=many(groups, "group"))
    misfits = len(wrong(game))
    return tr("{joined}, {wrong} in the wrong place", joined=words, wrong=thousands(misfits)) if misfits else words


def sketch(_design: JigsawDesign, game: Game) -> str:
    """List the joined pieces, a group per line, and the number of loose pieces."""
    names = game.table.names
    groups = sorted((cluster.members for cluster in game.clusters if cluster.size > 1), key=lambda each: -len(each))
    lines = [" ".join(names[piece] for piece in group) for group in groups]
    return "\n".join([*lines, *([tr("{count} loose", count=many(game.singles, "piece"))] if game.singles else [])])


def essentials(design: JigsawDesign) -> Any:
    """Encode the parts of a design that shape its pieces; pictures and engravings do not change the game."""
    known = encode(design, JigsawDesign)
    parameters = encode(design.parameters, JigsawParameters)
    unshaped = {known.name for known in declarations(JigsawParameters) if known.group in UNSHAPED} - {"least_bridge"}
    left_out = ("parameters", "picture", "engravings", "mask", "loose")
    return [
        {name: value for name, value in parameters.items() if name not in unshaped},
        {name: value for name, value in known.items() if name not in left_out},
    ]


def hint(_design: JigsawDesign, game: Game, _progress: Progress) -> Hint:
    """Name the misplaced pieces; if all are right, place the first piece, or join a piece to the largest group."""
    names = game.table.names
    misfits = wrong(game)
    if misfits:
        return Hint("", tuple(names[piece] for piece in misfits), wrong_words(game, misfits))
    if game.is_joined:
        return Hint()
    halves, places = game.table.halves, game.table.places(game)
    cluster = game.largest
    if cluster.size == 1 and not PiecePose(0.0, 0.0, 0.0).is_near(cluster.parts[0].pose):
        return _to(game, cluster.leader, PiecePose(0.0, 0.0, 0.0))
    mine = places.leaders[halves.pieces] == cluster.leader
    beside = halves.mates[mine & (places.leaders[halves.mates] != cluster.leader)]
    if not len(beside):
        return Hint(words=tr("Some parts of the board do not touch; they cannot be joined."))
    piece = int(beside.min())
    neighbour = int(halves.pieces[mine & (halves.mates == piece)][0])
    return _to(game, piece, cluster.pose_of(neighbour))


def _to(game: Game, piece: int, pose: PiecePose) -> Hint:
    """Hint to bring a piece to a pose; the angle is omitted if it is right already."""
    name, before = game.table.names[piece], game.cluster_of(piece).pose_of(piece)
    turn = None if abs(bent(pose.turn - before.turn)) < EVEN else pose.turn
    x, y = pose.of(*game.table.middle(piece))
    return Hint(position_text(name, x, y, turn), (name,))


def wrong_words(game: Game, misfits: Sequence[int]) -> str:
    """Sentence that names the pieces in the wrong place."""
    names = [game.table.names[piece] for piece in misfits]
    if len(names) == 1:
        return tr("Piece {piece} is in the wrong place.", piece=names[0])
    return tr("Pieces {pieces} are in the wrong place.", pieces=abridged(names, MOST_NAMED))

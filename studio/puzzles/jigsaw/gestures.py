"""Gestures on a jigsaw at play: pieces are dragged, turned, selected in a box, and taken apart, by mouse or keys.

Places are in mm, from the corner of the board.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats
from studio.puzzles.abilities.playable import ARROWS, Gesture, Reply
from studio.puzzles.jigsaw.game import by_text, off_text, position_text
from studio.puzzles.jigsaw.game_positions import FREE, UPRIGHT, Cluster, Game, PiecePose, Table, placed
from studio.puzzles.jigsaw.model.design import JigsawDesign

STEPS = {"fine": 1.0, "plain": 5.0, "coarse": 25.0}
"""Distance in mm that an arrow key carries a piece: with Ctrl, alone, with Shift."""
ASIDE = 2.0
"""Extra distance that counts for each mm a piece is aside of an arrow key's direction."""
STEP, FINE_STEP = 15.0, 5.0
"""Degrees by which R and the wheel turn a piece in a game with any angles."""
ROTATION_OFF = tr("Pieces are not rotated in this game. Choose a rotation above to start a new game.")
Place = tuple[float, float]


@dataclass(frozen=True)
class HeldPiece:
    """A piece held at a point, with the cluster that comes along, as it was before."""

    piece: int
    grip: Place
    """The point of the piece at which it is held, on the board."""
    turn: float
    place: Place
    before: Cluster
    is_moving: bool = False
    by_keys: bool = False

    @property
    def pose(self) -> PiecePose:
        """Pose of the piece where it is held."""
        return placed(self.turn, self.grip, *self.place)

    @property
    def cluster(self) -> Cluster:
        """The cluster where it is held."""
        return self.before.taken(self.piece, self.pose)


@dataclass(frozen=True)
class Band:
    """A selection box, or the drag of selected clusters."""

    start: Place
    leaders: frozenset[int] = frozenset()
    """The dragged clusters; empty for a selection box."""
    keeps: frozenset[int] = frozenset()
    """Clusters that stay selected, with those in the box."""
    end: Place | None = None
    """None until it is dragged."""

    @property
    def by(self) -> Place:
        """Motion of the drag."""
        end = self.end or self.start
        return end[0] - self.start[0], end[1] - self.start[1]


@dataclass(frozen=True)
class Hand:
    """The piece under the mouse, selected clusters by their leaders, and the held piece or the band."""

    over: int | None = None
    selected: frozenset[int] = frozenset()
    place: Place = (0.0, 0.0)
    """Place of the mouse, or middle of the piece that the keys point at."""
    held: HeldPiece | None = None
    band: Band | None = None
    rolled: float = 0.0
    """Turn of the wheel that has not turned the piece yet."""
    at: int | None = None
    """The piece that the keys are at."""

    @property
    def carries(self) -> bool:
        """True if pieces are off their places."""
        return (self.held is not None and self.held.is_moving) or (self.band is not None and bool(self.band.leaders))

    @property
    def cursor(self) -> str:
        """Look of the mouse."""
        if self.held is not None and self.held.is_moving and not self.held.by_keys:
            return "closed"
        return "" if self.over is None else "open"


def interpret(_design: JigsawDesign, game: Game, hand: Hand, gesture: Gesture) -> Reply[Hand]:
    """Answer a gesture; `over` is the piece under the mouse."""
    at, piece, free = (gesture.x, gesture.y), gesture.over, Hand(place=hand.place, at=hand.at)
    held, band, over = hand.held, hand.band, hand.over
    match gesture.what, gesture.key:
        case "hover", _:
            return Reply(replace(hand, place=at, over=piece))
        case "leave", _:
            return Reply(replace(hand, over=None))
        case "press", _:
            hand = hand if held is None else free  # the keys had one
            return Reply(_pressed(game, replace(hand, place=at, over=None), gesture))
        case "drag", _ if band is not None:
            return Reply(replace(hand, place=at, band=replace(band, end=at)))
        case "drag", _ if held is not None:
            moved = replace(held, is_moving=True, place=_on_table(game.table, at))
            return Reply(replace(hand, place=at, held=moved))
        case "release", _:
            return _released(game, replace(hand, held=None, band=None), hand)
        case "double", _:
            return Reply(hand) if piece is None else _taken_off(game, hand, piece)
        case "menu", _ if piece is None:
            return Reply(replace(hand, place=at), asks=("menu",))
        case "menu", _:
            return _turned_lying(game, replace(hand, place=at), piece, -1 if gesture.shift else 1)
        case "wheel", _ if held is not None and game.table.terms.rotation != UPRIGHT:
            steps = int(hand.rolled + gesture.notches)
            hand = replace(hand, rolled=hand.rolled + gesture.notches - steps)
            return _turned_held(game, hand, held, steps, FINE_STEP) if steps else Reply(hand)
        case "cancel", _:
            return Reply(free, is_used=held is not None or band is not None or bool(hand.selected))
        case "drop", "move":
            place = hand.place if over is None else _middle_of(game, over)
            return Reply(replace(hand, place=place, held=None, band=None))
        case "drop", _:
            return Reply(free)
        case "key", "rotate" | "rotate back" as key:
            way = 1 if key == "rotate" else -1
            if held is not None:
                return _turned_held(game, hand, held, way, STEP)
            if over is not None:
                return _turned_lying(game, hand, over, way)
            return Reply(hand, words=tr("Hold a piece or point at one to rotate it."))
        case "key", "take off" if over is not None:
            return _taken_off(game, hand, over)
        case "key", "take off":
            return Reply(hand, words=tr("Point at a joined piece to take it off."))
        case "key", "select loose":
            largest = game.largest
            loose = [each.leader for each in game.clusters if each.size == 1 or each is not largest]
            return Reply(replace(hand, selected=frozenset(loose)))
        case "key", arrow if held is not None and arrow in ARROWS:
            by = STEPS["coarse" if gesture.shift else "fine" if gesture.control else "plain"]
            (down, right), (x, y) = ARROWS[arrow], held.place
            place = _on_table(game.table, (x + right * by, y + down * by))
            return Reply(replace(hand, place=place, held=replace(held, is_moving=True, place=place)), place=place)
        case "key", arrow if arrow in ARROWS:
            return _stepped(game, hand, ARROWS[arrow])
        case "key", "enter" if held is not None:
            after = Hand(held.piece, place=_middle_of(game, held.piece), at=held.piece)
            return Reply(after, _put_text(game, held), place=held.place)
        case "key", "enter" if over is not None:
            cluster = game.cluster_of(over)
            held = HeldPiece(over, game.table.middle(over), cluster.pose_of(over).turn, _middle_of(game, over),
                             cluster, is_moving=True, by_keys=True)  # fmt: skip
            return Reply(replace(free, held=held, at=over))
    return Reply(hand, is_used=False)


# The mouse


def _pressed(game: Game, hand: Hand, gesture: Gesture) -> Hand:
    """Take the piece under the mouse or the selection, or begin a box on the empty table."""
    piece, adds = gesture.over, gesture.shift or gesture.control
    if piece is None:
        return replace(hand, band=Band(hand.place, keeps=hand.selected if adds else frozenset()))
    cluster = game.cluster_of(piece)
    if adds:
        return replace(hand, selected=hand.selected ^ {cluster.leader})
    if cluster.leader in hand.selected and len(hand.selected) > 1:
        return replace(hand, band=Band(hand.place, hand.selected))
    pose = cluster.pose_of(piece)
    held = HeldPiece(piece, pose.inverse.of(*hand.place), pose.turn, hand.place, cluster)
    return replace(hand, selected=frozenset(), held=held)


def _released(game: Game, free: Hand, hand: Hand) -> Reply[Hand]:
    """Put down the held pieces, or select the clusters in the box."""
    held, band, names = hand.held, hand.band, game.table.names
    if held is not None:
        return Reply(free, _put_text(game, held) if held.is_moving else "")
    if band is None or (band.leaders and band.end is None):
        return Reply(free)
    if band.leaders:
        return Reply(free, by_text([names[leader] for leader in sorted(band.leaders)], *band.by))
    inside = frozenset[int]() if band.end is None else within(game, band.start, band.end)
    return Reply(replace(free, selected=band.keeps | inside))


def _put_text(game: Game, held: HeldPiece) -> str:
    name, (x, y) = game.table.names[held.piece], held.pose.of(*game.table.middle(held.piece))
    return position_text(name, x, y, None if held.turn == held.before.pose_of(held.piece).turn else held.turn)


def _taken_off(game: Game, hand: Hand, piece: int) -> Reply[Hand]:
    """Take a piece out of its cluster, and put it past its nearer edge, below or at the right."""
    table, members, (x, y) = game.table, [*game.cluster_of(piece).members], _middle_of(game, piece)
    right, bottom = (boxes_on_table(game)[1][members].max(axis=0) + 4 * table.reach).tolist()
    place = _on_table(table, (right, y) if right - x < bottom - y else (x, bottom))
    after = hand if len(members) == 1 else Hand(place=hand.place, at=hand.at)
    return Reply(after, off_text(table.names[piece], *place))


def within(game: Game, start: Place, end: Place) -> frozenset[int]:
    """Leaders of the clusters that lie wholly in a box."""
    low, high = boxes_on_table(game)
    leaders = game.table.places(game).leaders
    is_in = (low >= np.minimum(start, end)).all(axis=1) & (high <= np.maximum(start, end)).all(axis=1)
    return frozenset(leaders.tolist()) - frozenset(leaders[~is_in].tolist())


def boxes_on_table(game: Game) -> tuple[Floats, Floats]:
    """Least and greatest x and y of all pieces where they lie, each of shape (n, 2)."""
    drawing = game.table.halves.shapes.drawing
    outlines = drawing.outlines(drawing.polylines)
    owners = np.repeat(np.arange(len(game.table.names)), np.diff(outlines.starts))
    points, begins = game.table.places(game).spots(owners, outlines.points), outlines.starts[:-1]
    return np.minimum.reduceat(points, begins), np.maximum.reduceat(points, begins)


def _on_table(table: Table, place: Place) -> Place:
    """Point of the table nearest to a place."""
    left, top, width, height = table.box
    return min(max(place[0], left), left + width), min(max(place[1], top), top + height)


def _middle_of(game: Game, piece: int) -> Place:
    return game.cluster_of(piece).pose_of(piece).of(*game.table.middle(piece))


# Turning


def _by(game: Game, steps: int, fine: float) -> float:
    return steps * (fine if game.table.terms.rotation == FREE else 90.0)


def _turned_held(game: Game, hand: Hand, held: HeldPiece, steps: int, fine: float) -> Reply[Hand]:
    if game.table.terms.rotation == UPRIGHT:
        return Reply(hand, words=ROTATION_OFF)
    turn = (held.turn + _by(game, steps, fine)) % 360.0
    return Reply(replace(hand, held=replace(held, turn=turn, is_moving=True)))


def _turned_lying(game: Game, hand: Hand, piece: int, way: int) -> Reply[Hand]:
    """Turn a piece about the mouse."""
    if game.table.terms.rotation == UPRIGHT:
        return Reply(hand, words=ROTATION_OFF)
    table, pose = game.table, game.cluster_of(piece).pose_of(piece)
    turned = placed(pose.turn + _by(game, way, STEP), pose.inverse.of(*hand.place), *hand.place)
    text = position_text(table.names[piece], *turned.of(*table.middle(piece)), turned.turn)
    return Reply(Hand(place=hand.place, at=hand.at), text)


# The arrow keys, which go from piece to piece


def _stepped(game: Game, hand: Hand, arrow: tuple[int, int]) -> Reply[Hand]:
    """Point at the next piece; at first, at the one in the middle of the table."""
    table = game.table
    spots = table.places(game).spots(np.arange(len(table.names)), table.middles)
    known = hand.over if hand.over is not None else hand.at
    if known is None or known >= len(spots):
        left, top, width, height = table.box
        piece = int(np.hypot(*(spots - (left + width / 2, top + height / 2)).T).argmin())
    else:
        piece = neighbour(spots, known, arrow)
    place = _middle_of(game, piece)
    return Reply(replace(hand, over=piece, at=piece, place=place), place=place)


def neighbour(places: Floats, piece: int, arrow: tuple[int, int]) -> int:
    """Index of the nearest of the places (n, 2) in the direction of an arrow key; `piece` itself if there is none."""
    away = places - places[piece]
    ahead, aside = away @ [arrow[1], arrow[0]], np.abs(away @ [arrow[0], arrow[1]])
    cost = np.where((ahead > 0) & (aside <= 2 * ahead), ahead + ASIDE * aside, np.inf)
    return int(cost.argmin()) if np.isfinite(cost).any() else piece

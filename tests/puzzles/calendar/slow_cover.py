"""A slow and plain exact cover, to hold the fast one against: Knuth's Algorithm X on sets of squares.

It takes nothing from the studio: pieces are turned as pairs of numbers, and every cell and every piece is a condition.
"""

from collections.abc import Iterable, Iterator

Square = tuple[int, int]
Way = tuple[object, ...]
"""A piece in a place: the conditions that it meets."""


def squares(rows: Iterable[str], letter: str) -> frozenset[Square]:
    return frozenset((i, j) for i, row in enumerate(rows) for j, each in enumerate(row) if each == letter)


def turned(piece: frozenset[Square], reflections: bool) -> set[frozenset[Square]]:
    found = set()
    for _ in range(4):
        piece = frozenset((j, -i) for i, j in piece)
        for each in (piece, frozenset((i, -j) for i, j in piece))[: 1 + reflections]:
            top, left = min(i for i, _ in each), min(j for _, j in each)
            found.add(frozenset((i - top, j - left) for i, j in each))
    return found


def ways(board: frozenset[Square], pieces: list[frozenset[Square]], reflections: bool) -> Iterator[Way]:
    for number, piece in enumerate(pieces):
        for each in turned(piece, reflections):
            for i in range(1 + max((i for i, _ in board), default=0)):
                for j in range(1 + max((j for _, j in board), default=0)):
                    moved = {(i + x, j + y) for x, y in each}
                    if moved <= board:
                        yield (f"piece {number}", *sorted(moved))


def arrangements(
    board: frozenset[Square], pieces: list[frozenset[Square]], reflections: bool = True
) -> set[frozenset[tuple[object, tuple[object, ...]]]]:
    """All ways to cover the board with all pieces; each tells what lies where, and alike pieces are not told apart."""
    names = [min(map(sorted, turned(piece, reflections))) for piece in pieces]
    able = list(ways(board, pieces, reflections))
    conditions: dict[object, set[Way]] = {f"piece {number}": set() for number in range(len(pieces))}
    conditions |= {cell: set() for cell in board}
    for way in able:
        for condition in way:
            conditions[condition].add(way)
    found: set[frozenset[tuple[object, tuple[object, ...]]]] = set()

    def search(left: dict[object, set[Way]], placed: list[Way]) -> None:
        if not left:
            found.add(frozenset((frozenset(names[int(str(way[0])[6:])]), tuple(way[1:])) for way in placed))
            return
        fewest = min(left.values(), key=len)
        for way in list(fewest):
            gone = set().union(*(left[condition] for condition in way))
            search({each: rest - gone for each, rest in left.items() if each not in way}, [*placed, way])

    search(conditions, [])
    return found

"""All polyominoes up to seven squares."""

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.puzzles.calendar.model import built_in
from studio.puzzles.calendar.set_search import form, name_of, named, polyominoes


def test_there_are_as_many_as_mathematicians_count() -> None:
    """The numbers of free polyominoes, sequence A000105."""
    assert [len(polyominoes(size)) for size in range(1, 8)] == [1, 1, 2, 5, 12, 35, 108]


def test_every_one_is_another_and_has_a_name_of_its_own() -> None:
    every = [piece for size in range(1, 8) for piece in polyominoes(size)]
    assert len({form(piece.mask) for piece in every}) == len({piece.name for piece in every}) == len(every)
    assert all(piece.area == size for size in range(1, 8) for piece in polyominoes(size))


def test_a_piece_is_known_however_it_lies() -> None:
    for piece in built_in("article").pieces:
        for quarter in range(4):
            turned = np.rot90(piece.mask[:, ::-1], quarter)
            assert name_of(turned) == {"O": "6-1"}.get(piece.name, piece.name)
    assert [piece.name for piece in polyominoes(5)] == list("FILNPTUVWXYZ")
    assert named("6-1").rows == ("###", "###") and named("6-35").rows == ("######",)


def test_what_is_not_there_is_told() -> None:
    with pytest.raises(StudioError, match="Unknown polyomino 'Q'"):
        named("Q")
    with pytest.raises(StudioError, match="1 to 7 squares, not 8"):
        polyominoes(8)
    assert name_of(np.array([[True, False, True]])) is None
    assert name_of(np.ones((3, 3), bool)) is None

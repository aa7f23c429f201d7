"""The design search: sets of pieces with which every date can be solved."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, islice, product

import pytest

from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.puzzles.calendar.model import Board, CalendarDesign, Label, Piece, built_in, dates
from studio.puzzles.calendar.set_search import (
    FoundSet,
    SetConditions,
    _Sets,
    candidates,
    how_many,
    named,
    polyominoes,
    ranked,
    search,
)
from tests.depth import examples
from tests.puzzles.calendar.slow_cover import squares, turned

ARTICLE = built_in("article").board
RECTANGLE = named("6-1")
PENTOMINOES = SetConditions(candidates([5]), (RECTANGLE,))
DICE = built_in("dice").board


@cache
def first_of_the_article() -> tuple[FoundSet, ...]:
    return tuple(islice(search(ARTICLE, PENTOMINOES, Progress()), 3))


class PlainCover:
    """Whether pieces cover a board: a plain search cell by cell, which takes nothing from the studio."""

    def __init__(self, board: Sequence[str], pieces: Sequence[Sequence[str]]) -> None:
        self.bits = {square: 1 << at for at, square in enumerate(sorted(squares(board, ".")))}
        self.begins: dict[int, list[tuple[int, int]]] = {bit: [] for bit in self.bits.values()}
        for number, piece in enumerate(pieces):
            for form in turned(squares(piece, "#"), True):
                for top, left in product(range(len(board)), range(len(board[0]))):
                    lying = [self.bits.get((top + i, left + j), 0) for i, j in form]
                    if all(lying):
                        self.begins[min(lying)].append((number, sum(lying)))

    def leaves_open(self, cells: set[tuple[int, int]]) -> bool:
        """Whether all but these cells can be covered."""
        return self._fill(sum(self.bits.values()) - sum(self.bits[cell] for cell in cells), frozenset())

    def _fill(self, empty: int, used: frozenset[int]) -> bool:
        return not empty or any(
            self._fill(empty - cells, used | {number})
            for number, cells in self.begins[empty & -empty]
            if number not in used and cells & empty == cells
        )


def test_the_sets_of_seven_pentominoes_and_a_hexomino_are_as_many_as_can_be_chosen() -> None:
    assert how_many(ARTICLE, PENTOMINOES) == len(list(combinations(range(12), 7))) == 792
    assert how_many(ARTICLE, SetConditions(candidates([5, 6]), count=8)) == 792 * 35
    assert how_many(ARTICLE, SetConditions(candidates([1]), (), copies=41)) == 1
    assert how_many(DICE, SetConditions(candidates([5]))) == 495


def test_every_set_comes_once_and_has_the_area_that_is_covered() -> None:
    for request in (PENTOMINOES, SetConditions(candidates([3, 4, 5]), (named("L"),), copies=2, count=9)):
        sets = _Sets.from_board(ARTICLE, request)
        numbers = range(min(sets.count, 2000))
        chosen = [sets.at(number) for number in numbers]
        assert len(set(chosen)) == len(numbers)
        for each in chosen:
            pieces = [sets.pieces[piece] for piece in each]
            assert sum(piece.area for piece in pieces) == 41 and pieces[: len(request.must)] == list(request.must)
            assert max(map(each.count, each)) <= request.copies


def test_what_must_be_counts_among_the_copies() -> None:
    assert how_many(DICE, SetConditions(candidates([5]), (named("L"),))) == 330
    assert how_many(DICE, SetConditions(candidates([5]), tuple(map(named, "FLPTUVXY")))) == 1


def test_the_first_sets_found_include_the_article_s_and_are_other_sets_than_each_other() -> None:
    found = first_of_the_article()
    assert len({one.name for one in found}) == 3
    assert found[0].name == "6-1 L N P U V Y Z"
    assert (found[0].year.least, found[0].year.most, found[0].year.total) == (7, 216, 24405)
    assert all(one.year.complete and one.year.least >= 1 for one in found)
    assert all(one.colour != other.colour for each in found for one, other in combinations(each.pieces, 2))


def test_another_set_than_the_article_s_solves_every_date_by_a_search_that_shares_nothing() -> None:
    other = first_of_the_article()[2]
    assert other.name != "6-1 L N P U V Y Z"
    cover = PlainCover(ARTICLE.rows, [piece.rows for piece in other.pieces])
    known = [*dates(ARTICLE)][:: examples(5, 1)]
    solved = {
        date
        for date in known
        if cover.leaves_open({(int(label.name[1:]) - 1, ord(label.name[0]) - ord("A")) for label in date})
    }
    assert solved == {*known}
    assert not PlainCover(ARTICLE.rows, [("#" * 5,)] * 8 + [("#",)]).leaves_open({(0, 0), (2, 0)})


def test_a_search_goes_on_where_another_ended() -> None:
    first = first_of_the_article()
    later = next(search(ARTICLE, PENTOMINOES, Progress(), begin=first[0].number))
    assert (later.name, later.number) == (first[1].name, first[1].number)
    assert list(search(ARTICLE, PENTOMINOES, Progress(), tries=3)) == []


def test_sets_are_ranked_by_the_scarcest_the_most_even_and_the_hardest_year() -> None:
    request = SetConditions(candidates([5]))
    found = list(search(DICE, request, Progress(), tries=30))
    assert len(found) > 3
    least = [one.year.least for one in ranked(found, "scarcest")]
    assert least == sorted(least, reverse=True)
    uneven = [one.unevenness for one in ranked(found, "even")]
    assert uneven == sorted(uneven) and uneven[0] > 0
    means = [one.mean for one in ranked(found, "hard")]
    assert means == sorted(means) and means[0] >= 1
    with pytest.raises(StudioError, match="Unknown ranking 'best'; choose from scarcest, even, hard"):
        ranked(found, "best")


def test_a_search_tells_how_far_it_is_and_stops_when_asked() -> None:
    told: list[tuple[float, str]] = []
    progress = Progress(lambda share, note: told.append((share, note)))
    found = search(ARTICLE, PENTOMINOES, progress)
    next(found)
    assert told[0] == (0.0, "0 of 792 sets tried, 0 found")
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    progress.cancel()
    with pytest.raises(Cancelled):
        next(found)


def test_what_cannot_be_sought_is_told() -> None:
    with pytest.raises(StudioError, match="No set of these pieces covers 41 squares"):
        next(search(ARTICLE, SetConditions(candidates([5])), Progress()))
    with pytest.raises(StudioError, match="No set of these pieces"):
        next(search(ARTICLE, SetConditions((), polyominoes(6) + polyominoes(5)), Progress()))
    with pytest.raises(StudioError, match="no labels"):
        next(search(Board(("." * 5,)), SetConditions(candidates([5])), Progress()))


def test_copies_have_names_of_their_own() -> None:
    board = Board(("......",), (Label("A1", "end", 1, "left"), Label("F1", "end", 2, "right")))
    (found,) = search(board, SetConditions((Piece("I1", ("#",)),), copies=5), Progress())
    assert [piece.name for piece in found.pieces] == ["I1", "I1 2", "I1 3", "I1 4", "I1 5"]
    assert found.year.counts.tolist() == [1, 1]
    assert CalendarDesign(pieces=found.pieces).set == found.pieces


def test_pieces_that_may_not_be_flipped_are_laid_as_they_are() -> None:
    labels = (Label("A2", "side", 1, "left"), Label("C1", "side", 2, "right"))
    board = Board(("...", "..."), labels)
    assert [one.name for one in search(board, SetConditions((named("P"),)), Progress())] == ["P"]
    assert list(search(board, SetConditions((named("P"),), reflections=False), Progress())) == []

"""What a hand can do to a calendar puzzle."""

from itertools import pairwise

import pytest

from studio.base.amounts import cell_name
from studio.base.errors import StudioError
from studio.geometry.art.lettering import width_of
from studio.puzzles.calendar import edits
from studio.puzzles.calendar.edits import languages, value_of
from studio.puzzles.calendar.model import DAY, MONTH, WEEKDAY, Board, CalendarDesign, CalendarParameters, Piece

PLAIN = CalendarDesign()


def blank(rows: int, columns: int) -> CalendarDesign:
    return CalendarDesign(board=Board(("." * columns,) * rows))


def texts(design: CalendarDesign, group: str) -> list[str]:
    return [label.text for label in design.layout.groups[group]]


def test_columns_beyond_z_are_named_with_two_letters_and_more() -> None:
    places = ((0, 0), (2, 3), (25, 23), (26, 99), (701, 5), (702, 0))
    assert [cell_name(*place) for place in places] == ["A1", "C4", "Z24", "AA100", "ZZ6", "AAA1"]


def test_an_empty_board_has_cells_alone_and_the_pieces_stay() -> None:
    empty = edits.with_empty_board(PLAIN, 5, 8)
    assert empty.layout == Board(("........",) * 5) and empty.set == PLAIN.set
    with pytest.raises(StudioError, match="at most 24 × 24 squares, not 25 × 3"):
        edits.with_empty_board(PLAIN, 25, 3)
    with pytest.raises(StudioError, match="at least one cell"):
        edits.with_empty_board(PLAIN, 0, 3)


def test_a_piece_called_by_its_form_is_called_by_its_new_form_where_it_is_drawn() -> None:
    i3, i4 = [(0, 0), (0, 1), (0, 2)], [(0, 0), (0, 1), (0, 2), (0, 3)]
    drawn = edits.with_piece_drawn(PLAIN, "U", i3, renames=True)
    assert drawn.set[4].name == "I3" and drawn.set[4].rows == ("###",)
    second = edits.with_piece_drawn(edits.with_piece(drawn, i3), "I3 2", i4, renames=True)
    assert second.set[-1].name == "I4"
    third = edits.with_piece_drawn(edits.with_piece(second, i3), "I3 2", i4, renames=True)
    assert third.set[-1].name == "I4 2", "a name is given once"
    own = edits.with_piece_renamed(PLAIN, "U", "Cup")
    assert edits.with_piece_drawn(own, "Cup", i3, renames=True).set[4].name == "Cup", "a maker's own name stays"
    assert edits.with_piece_drawn(PLAIN, "U", i3).set[4].name == "U"
    assert edits.with_piece_drawn(PLAIN, "U", [(0, 0), (5, 5)], renames=True).set[4].name == "2"


def test_a_cell_taken_away_and_put_back_is_there_without_its_label() -> None:
    without = edits.with_places(PLAIN, [(0, 0)], False)
    assert len(without.layout.names) == 42 and "A1" not in without.layout.indices
    assert texts(without, MONTH)[0] == "Feb"
    back = edits.with_places(without, [(0, 0)], True)
    assert back.layout.rows == PLAIN.layout.rows and "A1" not in back.layout.on
    assert edits.with_label(back, "A1", MONTH, "Jan") == PLAIN


def test_the_grid_grows_with_its_cells_and_loses_its_empty_end() -> None:
    grown = edits.with_places(PLAIN, [(8, 8), (7, 7)], True)
    assert len(grown.layout.rows) == 9 and len(grown.layout.rows[0]) == 9
    assert len(grown.layout.names) == 45 and grown.layout.labels == PLAIN.layout.labels
    assert edits.with_places(grown, [(7, 7), (8, 8)], False) == PLAIN
    assert edits.with_places(PLAIN, [(19, 25)], False) == PLAIN


def test_the_grid_grows_upwards_and_to_the_left_and_labels_move_along() -> None:
    grown = edits.with_places(PLAIN, [(-2, 0), (0, -1)], True)
    assert grown.layout.mask.shape == (9, 8) and len(grown.layout.names) == 45
    assert grown.layout.rows[0] == "#.######" and grown.layout.on["B3"].text == "Jan"
    assert edits.with_board_cropped(edits.with_places(grown, [(0, 1), (2, 0)], False)) == PLAIN
    assert edits.with_places(PLAIN, [(-3, -3), (99, 0)], False) == PLAIN, "there is nothing to clear"
    with pytest.raises(StudioError, match="at most 24 × 24 squares, not 25 × 7"):
        edits.with_places(PLAIN, [(-18, 0)], True)


@pytest.mark.parametrize("side", edits.Side)
def test_a_side_is_a_whole_row_or_column_of_cells(side: edits.Side) -> None:
    more = edits.with_side(PLAIN, side)
    assert len(more.layout.names) == 43 + 7
    for group, labels in PLAIN.layout.groups.items():
        assert texts(more, group) == [label.text for label in labels]
    assert edits.without_side(more, side) == PLAIN


def test_rows_and_columns_at_a_side_move_the_labels_and_go_away_again() -> None:
    wide = edits.with_side(edits.with_side(PLAIN, edits.Side.TOP), edits.Side.LEFT)
    assert wide.layout.on["B2"].text == "Jan" and wide.layout.mask.shape == (8, 8)
    cleared = edits.with_places(wide, [*((0, column) for column in range(8)), *((row, 0) for row in range(8))], False)
    assert cleared.layout.mask.shape == (8, 8) and edits.with_board_cropped(cleared) == PLAIN


def test_a_row_that_goes_takes_its_labels_along() -> None:
    less = edits.without_side(PLAIN, edits.Side.TOP)
    assert texts(less, MONTH) == ["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] and less.layout.on["A1"].text == "Jul"
    narrow = edits.without_side(PLAIN, edits.Side.LEFT)
    assert texts(narrow, DAY)[0] == "2" and narrow.layout.on["A1"].text == "Feb"


def test_a_board_keeps_a_cell_and_stays_small_enough_to_prove() -> None:
    with pytest.raises(StudioError, match="at least one cell"):
        edits.with_places(PLAIN, list(PLAIN.layout.places.values()), False)
    for board, sides in ((blank(1, 4), "top bottom"), (blank(4, 1), "left right")):
        for side in sides.split():
            with pytest.raises(StudioError, match="at least one cell"):
                edits.without_side(board, edits.Side(side))
    with pytest.raises(StudioError, match="at most 24 × 24 squares, not 100 × 100"):
        edits.with_places(PLAIN, [(99, 99)], True)
    with pytest.raises(StudioError, match="24 × 24"):
        edits.with_side(blank(24, 3), edits.Side.BOTTOM)


def test_a_label_knows_its_value_by_what_is_written() -> None:
    design = edits.with_label(blank(2, 4), "B1", MONTH, "Okt")
    assert design.layout.on["B1"].value == 10
    design = edits.with_label(design, "C1", MONTH, "Harvest")
    assert design.layout.on["C1"].value == 1
    assert edits.with_label(design, "C1", MONTH, "Hay").layout.on["C1"].value == 1
    assert edits.with_label(design, "D1", DAY, "31").layout.on["D1"].value == 31
    assert edits.with_label(design, "D1", WEEKDAY, "Śro").layout.on["D1"].value == 3
    assert edits.with_label(design, "D1", "dice", "six", 6).layout.on["D1"].value == 6
    with pytest.raises(StudioError, match="1 to 12 in the group month, not 13"):
        edits.with_label(design, "A1", MONTH, "Smarch", 13)
    with pytest.raises(StudioError, match="no cell 'A9'"):
        edits.with_label(design, "A9", MONTH, "Jan")
    with pytest.raises(StudioError, match="text must have 1 to 24 characters"):
        edits.with_label(design, "A1", MONTH, " ")


def test_a_text_means_what_it_means_in_most_languages() -> None:
    """The Finns call November so; all others mean March."""
    assert value_of(MONTH, "Mar") == 3 and value_of(MONTH, "märz") is None
    assert value_of(WEEKDAY, "Mar") == 2 and value_of(DAY, "0") is None and value_of(DAY, "32") is None
    assert value_of(DAY, "9" * 5000) is None


def test_labels_of_a_group_go_and_come_back() -> None:
    less = edits.without_labels(PLAIN, [label.name for label in PLAIN.layout.groups[MONTH]])
    assert list(less.layout.groups) == [DAY]
    assert edits.with_labels_filled(less, MONTH) == PLAIN


def test_the_labels_that_lack_come_to_free_cells_in_reading_order() -> None:
    design = edits.with_labels_filled(blank(2, 8), WEEKDAY, "de", cells=["H1", "A2", "B2", "C2", "D2", "E2", "F2"])
    assert [label.name for label in design.layout.groups[WEEKDAY]] == ["H1", "A2", "B2", "C2", "D2", "E2", "F2"]
    assert texts(design, WEEKDAY) == ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"]
    with pytest.raises(StudioError, match="the group day needs 31 more, but the board has only 9"):
        edits.with_labels_filled(design, DAY)
    with pytest.raises(StudioError, match=r"needs 12 more, but the selection has only 1"):
        edits.with_labels_filled(design, MONTH, cells=["A1"])
    dice = edits.with_labels_filled(design, "dice", cells=["A1", "B1", "C1"])
    assert texts(dice, "dice") == ["1", "2", "3"]
    with pytest.raises(StudioError, match="Enter the number of labels"):
        edits.with_labels_filled(blank(3, 3), "dice")


@pytest.mark.parametrize("key", sorted(languages()))
def test_a_language_has_words_that_differ_and_can_be_engraved(key: str) -> None:
    known = languages()[key]
    assert known.title and set(known.words) == {MONTH, WEEKDAY}
    for group, count in ((MONTH, 12), (WEEKDAY, 7)):
        words = known.words[group]
        assert len({word.casefold() for word in words}) == len(words) == count
        assert all(width_of(word, 5.0) > 0 and len(word) <= 5 for word in words)


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    assert {"cs", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "sv"} <= set(languages())
    with pytest.raises(StudioError, match="Unknown language 'xx'; choose from cs, de, en"):
        edits.with_labels_filled(PLAIN, MONTH, "xx")


def test_texts_of_another_language_stand_on_the_same_cells() -> None:
    german = edits.with_labels_filled(PLAIN, MONTH, "de")
    assert texts(german, MONTH)[2] == "Mär" and german.layout.on["E1"].text == "Mai"
    assert [label.name for label in german.layout.labels] == [label.name for label in PLAIN.layout.labels]
    assert edits.with_labels_filled(german, MONTH, "en") == PLAIN


def test_a_painted_piece_gets_its_name_and_a_colour_of_its_own() -> None:
    design = edits.with_piece(PLAIN, [(5, 5), (5, 6), (5, 7), (4, 6), (6, 6)])
    cross = design.set[-1]
    assert cross == Piece("X", (".#.", "###", ".#."), 8)
    again = edits.with_piece(design, [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)]).set[-1]
    assert again.name == "X 2" and again.colour == 9
    assert edits.without_piece(design, "X") == PLAIN
    with pytest.raises(StudioError, match="at least one square"):
        edits.with_piece(PLAIN, [])
    with pytest.raises(StudioError, match="at most 24 × 24 squares, not 1 × 1000001"):
        edits.with_piece(PLAIN, [(0, 0), (0, 10**6)])
    with pytest.raises(StudioError, match="2 pieces are named L"):
        edits.with_piece(PLAIN, [(0, 0)], "L")


def test_squares_of_a_piece_come_and_go_and_its_rim_stays_close() -> None:
    wider = edits.with_piece_drawn(PLAIN, "O", PLAIN.set[0].squares | {(-1, 0)})
    assert wider.set[0].rows == ("#..", "###", "###")
    assert edits.with_piece_drawn(wider, "O", wider.set[0].squares - {(0, 0)}) == PLAIN
    apart = edits.with_piece_drawn(PLAIN, "V", PLAIN.set[5].squares - {(1, 0)})
    assert apart.set[5].rows == ("#..", "...", "###")
    single = edits.with_piece_drawn(PLAIN, "V", [(7, 7)])
    assert single.set[5].rows == ("#",)
    with pytest.raises(StudioError, match="at least one square"):
        edits.with_piece_drawn(single, "V", [])


def test_pieces_are_turned_flipped_renamed_recoloured_and_doubled() -> None:
    turned = edits.with_piece_turned(PLAIN, "L")
    assert turned.set[1].rows == ("##", "#.", "#.", "#.")
    assert edits.with_piece_turned(turned, "L", 3) == PLAIN
    flipped = edits.with_piece_flipped(PLAIN, "L")
    assert flipped.set[1].rows == ("...#", "####") and edits.with_piece_flipped(flipped, "L") == PLAIN
    assert edits.with_colour(PLAIN, "L", 23).set[1].colour == 23
    with pytest.raises(StudioError, match="colour must be 0 to 23, not 24"):
        edits.with_colour(PLAIN, "L", 24)
    assert edits.with_piece_renamed(PLAIN, "L", " Ell ").set[1].name == "Ell"
    with pytest.raises(StudioError, match="2 pieces are named P"):
        edits.with_piece_renamed(PLAIN, "L", "P")
    doubled = edits.with_piece_duplicated(PLAIN, "L")
    assert [piece.name for piece in doubled.set[:4]] == ["O", "L", "L 2", "N"]
    assert all(one.colour != other.colour for one, other in pairwise(doubled.set))
    with pytest.raises(StudioError, match="Unknown piece 'Q'; choose from O, L, N, P, U, V, Y, Z"):
        edits.without_piece(PLAIN, "Q")


def test_a_set_can_be_begun_anew_from_no_piece_at_all() -> None:
    empty = edits.without_piece(CalendarDesign(pieces=(Piece("I1", ("#",)),)), "I1")
    assert empty.set == () and empty.pieces == () and empty.area == 0
    assert edits.with_piece(empty, [(3, 3), (3, 4)]).set == (Piece("I2", ("##",)),)
    with pytest.raises(StudioError, match="Unknown piece 'I1'; there are none"):
        edits.without_piece(empty, "I1")


def test_a_built_in_board_takes_the_place_of_what_was_drawn() -> None:
    changed = edits.without_piece(edits.with_places(PLAIN, [(0, 0)], False), "L")
    assert edits.with_board(changed, "article") == PLAIN
    other = edits.with_board(changed, "weekday")
    assert other == CalendarDesign(CalendarParameters(board="weekday")) and len(other.set) == 10
    with pytest.raises(StudioError, match="Unknown board 'mars'"):
        edits.with_board(PLAIN, "mars")

"""What of a cube is selected: a piece, edges, or both."""

from studio.puzzles.cube.shell import shell
from studio.ui.kinds.cube.selection import CubeSelection, name_of_edge


def test_edges_have_the_same_numbers_in_every_box() -> None:
    names = [name_of_edge(edge) for edge in range(12)]
    assert len(set(names)) == 12 and "front-bottom" in names
    for size in ((4, 4, 4), (3, 5, 12), (12, 3, 3)):
        assert list(shell(*size).edge_names) == names


def test_edges_are_selected_beside_a_piece_and_let_go_with_another_one() -> None:
    selection = CubeSelection()
    told: list[str] = []
    selection.changed.connect(lambda: told.append(selection.status_text))
    edge = [name_of_edge(each) for each in range(12)].index("front-bottom")
    selection.select([2])
    selection.turn_edge(edge)
    selection.turn_edge(7)
    selection.turn_edge(edge)
    selection.select_edges([7])
    selection.select([3])
    selection.select()
    assert told == [
        "Piece C, front selected",
        "Piece C, front and edge front-bottom selected",
        "Piece C, front and 2 edges selected",
        f"Piece C, front and edge {name_of_edge(7)} selected",
        "Piece D, back selected",
        "Nothing selected",
    ]
    selection.select_edges([edge])
    assert selection.status_text == "Edge front-bottom selected" and selection.piece is None

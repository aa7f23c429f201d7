"""Names of columns and cells."""

from studio.names import cell_name, letters


def test_columns_are_lettered_as_in_a_spreadsheet() -> None:
    assert [letters(number) for number in (0, 1, 25, 26, 27, 51, 52, 199, 701, 702)] == [
        "A", "B", "Z", "AA", "AB", "AZ", "BA", "GR", "ZZ", "AAA",
    ]  # fmt: skip


def test_a_cell_is_named_by_its_column_and_then_its_row() -> None:
    assert [cell_name(0, 0), cell_name(2, 3), cell_name(26, 9)] == ["A1", "C4", "AA10"]

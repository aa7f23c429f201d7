"""Names of columns and cells."""

import pytest

from studio.base.amounts import as_cell, cell_name, letters


def test_columns_are_lettered_as_in_a_spreadsheet() -> None:
    assert [letters(number) for number in (0, 1, 25, 26, 27, 51, 52, 199, 701, 702)] == [
        "A", "B", "Z", "AA", "AB", "AZ", "BA", "GR", "ZZ", "AAA",
    ]  # fmt: skip


def test_a_cell_is_named_by_its_column_and_then_its_row() -> None:
    assert [cell_name(0, 0), cell_name(2, 3), cell_name(26, 9)] == ["A1", "C4", "AA10"]


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "=cmd|' /C calc'!A0",
        "@SUM(1)",
        "+A1",
        "-2+3+cmd|' /C calc'!A0",
        "\t=1",
        "\r=1",
        " =1",
        "-Ann",
        "+49 170",
    ],
)
def test_a_text_that_would_be_a_formula_is_a_text_in_a_spreadsheet(text: str) -> None:
    assert as_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-5", "+5", "-0.25", "-1,5", "1e-3", "-1.5E+3", "Ann", "a=b", "3-4", "", "'=1"])
def test_numbers_and_other_texts_stay_what_they_are(text: str) -> None:
    assert as_cell(text) == text

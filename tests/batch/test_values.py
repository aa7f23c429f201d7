"""What each board of a batch has of its own: ranges, lists, templates, seeds that count up, and lines of a table."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.batch.tasks import Row, Task, read_rows, tasks_of, values_of
from studio.files.store import Saved
from studio.puzzles.cube.model import CubeParameters
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.registry import kind

LARGEST_SEED = 2**31 - 1

USUAL = JigsawParameters()


def spread(count: int, **settings: str) -> list[dict[str, Any]]:
    """The values of all boards of a batch of jigsaws."""
    return [values_of(USUAL, settings, None, f"{at:03}", at, count)[0] for at in range(count)]


def test_each_board_has_the_next_seed() -> None:
    assert [values["seed"] for values in spread(3)] == [USUAL.seed, USUAL.seed + 1, USUAL.seed + 2]
    assert [values["seed"] for values in spread(3, seed="100")] == [100, 101, 102]
    assert [values["seed"] for values in spread(3, seed=str(LARGEST_SEED))] == [LARGEST_SEED, 0, 1]


def test_one_seed_for_all_is_a_range_without_width() -> None:
    assert [values["seed"] for values in spread(3, seed="5..5")] == [5, 5, 5]


def test_a_range_goes_from_its_beginning_to_its_end_in_equal_steps() -> None:
    assert [values["perturbation"] for values in spread(5, perturbation="0.1..0.3")] == [0.1, 0.15, 0.2, 0.25, 0.3]
    assert [values["columns"] for values in spread(4, columns="12..6")] == [12, 10, 8, 6]
    assert [values["width"] for values in spread(2, width="20 cm..1/2 m")] == [200.0, 500.0]
    assert [values["columns"] for values in spread(1, columns="5..9")] == [5]


@given(st.integers(1, 200), st.integers(1, 200), st.integers(1, 50))
def test_no_value_of_a_range_is_outside_of_it(begin: int, end: int, count: int) -> None:
    found = [values["columns"] for values in spread(count, columns=f"{begin}..{end}")]
    assert found[0] == begin and (count == 1 or found[-1] == end)
    assert found == sorted(found, reverse=begin > end)


def test_a_list_goes_round() -> None:
    found = [values["tongue_style"] for values in spread(5, tongue_style="classic; article")]
    assert found == ["classic", "article", "classic", "article", "classic"]


def test_a_text_is_a_template() -> None:
    row = Row("names.csv", 2, {"name": "Ada; Bob", "year": "1..2"})
    settings = {"text": "No. {serial} for {name}, {year}"}
    values, shown = values_of(CubeParameters(), settings, row, "007", 6, 9)
    assert values["text"] == "No. 007 for Ada; Bob, 1..2"
    assert shown == {"name": "Ada; Bob", "year": "1..2", "text": values["text"], "seed": str(values["seed"])}


def test_an_unknown_field_of_a_template_is_named() -> None:
    with pytest.raises(StudioError, match=r"\{nmae\}.*serial, name"):
        values_of(CubeParameters(), {"text": "{nmae}"}, Row("x.csv", 2, {"name": "Ada"}), "001", 0, 1)


def table(folder: Path, written: str | bytes, parameters: type[Any] = JigsawParameters, **settings: str) -> list[Row]:
    """The lines of a table that was written so."""
    path = folder / "names.csv"
    path.write_bytes(written if isinstance(written, bytes) else written.encode())
    return list(read_rows(path, parameters, settings))


@pytest.mark.parametrize(
    "text",
    [
        "seed,perturbation\n3,0.2\n4,0.25\n",
        "\ufeffseed;perturbation\r\n3;0,2\r\n\r\n4;1/4\r\n",
        'seed\tperturbation\n3\t0.2\n"4"\t 0.25',
    ],
)
def test_tables_of_all_programs_are_read(tmp_path: Path, text: str) -> None:
    rows = table(tmp_path, text)
    found = [values_of(USUAL, {}, row, "001", at, 2)[0] for at, row in enumerate(rows)]
    assert found == [{"seed": 3, "perturbation": 0.2}, {"seed": 4, "perturbation": 0.25}]


def test_an_empty_cell_leaves_the_value_of_the_design(tmp_path: Path) -> None:
    rows = table(tmp_path, "perturbation,columns\n,5\n0.1,\n")
    found = [values_of(USUAL, {}, row, "001", at, 2)[0] for at, row in enumerate(rows)]
    assert found == [{"seed": 7, "columns": 5}, {"seed": 8, "perturbation": 0.1}]


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("seed,columns\n1,5\n2,5,6\n", 3, "3 cells, not 2"),
        ("seed,columns\n\n1,5\n2\n", 4, "1 cells, not 2"),
        ('seed,columns\n1,5\n2,"5\n', 3, "not CSV"),
        (b"seed,columns\n1,5\n\xff,6\n", 3, "not UTF-8"),
        ("seed,seed\n1,2\n", 1, "twice"),
        ("seed,colour\n1,red\n", 1, "'colour'"),
        ("seed,serial\n1,9\n", 1, "numbered in order"),
        ("width\n5\n", 1, "set for all boards"),
        ("", 0, "no lines"),
        ("seed\n", 0, "no lines"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str | bytes, line: int, why: str) -> None:
    with pytest.raises(StudioError, match=rf"names\.csv: {f'line {line}: ' if line else ''}.*{why}"):
        table(tmp_path, text, width="30..40")


def test_a_cell_in_quotes_may_have_lines_of_its_own_and_the_next_is_counted_right(tmp_path: Path) -> None:
    rows = table(tmp_path, 'name,seed\n"Ada\nB",1\nBob,2\n', CubeParameters, text="{name}")
    assert [row.line for row in rows] == [2, 4]


@pytest.mark.parametrize(
    ("text", "line"), [("columns\n5\n0\n", 3), ("columns\n5\nfive\n", 3), ("columns,rows\n5,5\n5,201\n", 3)]
)
def test_a_value_that_cannot_be_is_named_by_its_line(tmp_path: Path, text: str, line: int) -> None:
    rows = table(tmp_path, text)
    with pytest.raises(StudioError, match=rf"^Cannot use names\.csv: line {line}: \w+ must be a whole number"):
        made(rows=rows, count=2)


def made(count: int, rows: list[Row] | None = None, first: int = 1, **settings: str) -> tuple[Task, ...]:
    """The tasks of a batch of jigsaws."""
    return tasks_of(Saved(kind("jigsaw"), JigsawDesign(USUAL)), settings, rows or [], count, first)


def test_serial_numbers_are_as_long_as_the_longest() -> None:
    assert [task.serial for task in made(3)] == ["001", "002", "003"]
    assert [task.serial for task in made(2, first=999)] == ["0999", "1000"]


def test_values_that_do_not_go_together_are_refused_by_board() -> None:
    saved = Saved(kind("cube"), kind("cube").example())
    with pytest.raises(StudioError, match=r"^Board 002: "):
        tasks_of(saved, {"gap": "1", "unit": "10;1"}, [], 2)

"""JSON files are read to the one value in each, or a sentence says why there is none."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from studio.base.errors import StudioError
from studio.base.json_files import Repeated, parsed, read


def test_the_value_in_a_file_is_read_whatever_mark_it_begins_with(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes('\ufeff{"title": "Küche", "sizes": [1, 2.5, null]}\n'.encode())
    assert read(path, 100) == {"title": "Küche", "sizes": [1, 2.5, None]}


def test_an_object_that_names_a_field_twice_says_which() -> None:
    found = parsed(b'[{"a": 1, "b": 2, "b": 3}]')[0]
    assert isinstance(found, Repeated) and found.name == "b"
    assert not isinstance(parsed(b'{"a": 1, "b": 2}'), Repeated)


def test_a_number_of_a_thousand_digits_is_infinite() -> None:
    assert parsed(b"[" + b"9" * 1000 + b", 9]") == [math.inf, 9]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "it is empty."),
        (b"\xff", "it is not UTF-8 text."),
        (b'{"a": 1,', "the file is incomplete (ends at line 1, column 9)."),
        (b'{"a" 1}', "it is not a Puzzle Studio file (not JSON at line 1, column 6)."),
        (b"[" * 50_000, "it is nested too deeply."),
        (b" " * 102_401, "it is larger than 100 kB."),
    ],
)
def test_a_file_that_holds_no_value_is_refused_in_a_sentence(tmp_path: Path, data: bytes, sentence: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(data)
    with pytest.raises(StudioError) as told:
        read(path, 100 * 2**10)
    assert str(told.value) == sentence

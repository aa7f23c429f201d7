"""A design holds parameters and sparse edits, and refuses in a sentence what no board can have."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.parameters import ParameterError
from studio.base.texts import alternatives
from studio.files.store import dumps, loads
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import BOUNDS, CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.tiling import tiling_of
from studio.puzzles.jigsaw.tongues.styles import STYLES
from tests.depth import examples

STYLE_KEYS = alternatives([*(style.key for style in STYLES), "own", "mixed"])
names = st.text("ABC123-", min_size=1, max_size=4)
edits = st.builds(TongueEdit, names, size=st.none() | st.floats(*BOUNDS["size"]), side=st.sampled_from([None, 1, -1]))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("columns", 0, "columns must be a whole number from 1 to 200, not 0."),
        ("columns", 10**6, "columns must be a whole number from 1 to 200, not 1000000."),
        ("width", 4.9, "width must be 5 to 10000 mm, not 4.9."),
        ("perturbation", 0.46, "perturbation must be 0 to 0.45, not 0.46."),
        ("perturbation", math.nan, "perturbation must be 0 to 0.45, not nan."),
        ("tongue_style", "modern", f"tongue_style must be {STYLE_KEYS}, not 'modern'."),
    ],
)
def test_parameters_out_of_bounds_are_refused_with_field_and_bounds(name: str, value: object, sentence: str) -> None:
    with pytest.raises(ParameterError) as refused:
        JigsawParameters(**{name: value})  # type: ignore[arg-type]
    assert str(refused.value) == sentence and refused.value.name == name


def test_a_rounded_corner_that_reaches_past_the_first_cuts_is_refused() -> None:
    small = {"columns": 10, "rows": 5, "width": 100.0, "height": 50.0}
    assert JigsawParameters(**small, corner_radius=15.0).corner_radius == 15.0  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"^corner_radius must be at most 15 mm on this board, not 15.1"):
        JigsawParameters(**small, corner_radius=15.1)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"at most 25 mm"):
        JigsawParameters(columns=1, rows=1, width=100, height=50, corner_radius=26)


def test_the_cell_is_the_board_divided() -> None:
    assert JigsawParameters().cell == (25.0, 25.0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("size", BOUNDS["size"][1] + 0.01), ("size", BOUNDS["size"][0] - 0.01), ("place", BOUNDS["place"][1] + 0.01),
        ("slant", BOUNDS["slant"][0] - 0.01), ("size", math.nan), ("place", math.inf), ("size", True), ("size", "0.2"),
        ("side", 0), ("side", 2), ("side", True), ("rolls", -1), ("rolls", 10**6 + 1), ("rolls", 1.0),
        ("rolls", None), ("locked_seed", -1), ("locked_seed", 2**31), ("locked_seed", True),
    ],
)  # fmt: skip
def test_edits_of_tongues_out_of_bounds_are_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(ParameterError, match=f"^{name} must be ") as refused:
        TongueEdit("A1-B1", **{name: value})  # type: ignore[arg-type]
    assert refused.value.name == name


@pytest.mark.parametrize("value", [math.nan, math.inf, -201, 201, True, "1"])
def test_edits_of_corners_beyond_any_board_are_refused(value: float) -> None:
    with pytest.raises(ParameterError, match=r"^right must be -200 to 200, not .+\.$"):
        CornerEdit("1,1", value, 0.0)
    with pytest.raises(ParameterError, match=r"^down must be -200 to 200, not .+\.$"):
        CornerEdit("1,1", 0.0, value)


def test_an_edit_that_decides_nothing_is_blank() -> None:
    assert TongueEdit("A1-B1").is_blank
    for edit in (
        TongueEdit("A1-B1", plain=False),
        TongueEdit("A1-B1", rolls=1),
        TongueEdit("A1-B1", locked_seed=0),
        TongueEdit("A1-B1", place=0.0),
    ):
        assert not edit.is_blank


def test_one_element_edited_twice_is_refused_by_name() -> None:
    with pytest.raises(ParameterError, match=r"^1,1 is edited twice\.$"):
        JigsawDesign(corners=(CornerEdit("1,1", 0, 0), CornerEdit("1,1", 1, 0)))
    with pytest.raises(ParameterError, match=r"^A1-B1 is edited twice\.$"):
        JigsawDesign(tongues=(TongueEdit("A1-B1"), TongueEdit("A1-B1", side=1)))


def test_edits_out_of_order_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"^Edits must be sorted by name\.$"):
        JigsawDesign(corners=(CornerEdit("2,1", 0, 0), CornerEdit("1,1", 1, 0)))
    with pytest.raises(ParameterError, match=r"^Edits must be sorted by name\.$"):
        JigsawDesign(tongues=(TongueEdit("B1-B2"), TongueEdit("A1-B1")))


@settings(max_examples=examples(30, 1000))
@given(st.lists(st.lists(edits, max_size=14, unique_by=lambda edit: edit.name), max_size=5))
def test_edits_of_tongues_are_what_a_dictionary_would_hold(steps: list[list[TongueEdit]]) -> None:
    design, known = JigsawDesign(), dict[str, TongueEdit]()
    for step in steps:
        design = design.with_tongues(step)
        known |= {edit.name: edit for edit in step}
        known = {name: edit for name, edit in known.items() if not edit.is_blank}
        assert list(design.tongues) == [known[name] for name in sorted(known)]
        assert all(kept is known[kept.name] for kept in design.tongues)
        assert all(design.tongue(name) == known.get(name, TongueEdit(name)) for name in ("A", "B1", *known))


@settings(max_examples=examples(100))
@given(st.lists(st.tuples(st.booleans(), st.sets(names, max_size=14)), max_size=5))
def test_edits_of_corners_are_what_a_dictionary_would_hold(steps: list[tuple[bool, set[str]]]) -> None:
    design, known = JigsawDesign(), dict[str, tuple[float, float]]()
    for number, (takes_away, chosen) in enumerate(steps):
        if takes_away:
            design = design.without_corners(chosen)
            known = {name: at for name, at in known.items() if name not in chosen}
        else:
            design = design.with_corners({name: (number, -1) for name in chosen})
            known |= {name: (float(number), -1.0) for name in chosen}
        assert design.corners == tuple(CornerEdit(name, *known[name]) for name in sorted(known))
        assert design.corner("nowhere") is None


def test_designs_are_values() -> None:
    design = JigsawDesign().with_corners({"1,1": (0.1, 0.2)})
    assert design == JigsawDesign(corners=(CornerEdit("1,1", 0.1, 0.2),)) and hash(design) == hash(replace(design))
    assert design != JigsawDesign()


def test_more_pieces_than_a_long_board_has_columns_for_are_put_into_rows() -> None:
    columns, rows = JigsawParameters(pieces=40000, width=10000.0, height=5.0).layout()
    assert columns == 200 and rows == 200


@pytest.mark.parametrize(
    ("parameters", "layout", "pieces"),
    [
        # 12 × 10 pieces of 25 × 20 mm; 13 × 9 would be squarer, and 117.
        (JigsawParameters(pieces=120, width=300.0, height=200.0), (12, 10), 120),
        (JigsawParameters(pieces=500, width=300.0, height=200.0, tiling="voronoi"), (25, 20), 500),
        # 12 rows of 43 and 11 of 44, which are moved by half a piece.
        (JigsawParameters(pieces=1000, width=300.0, height=150.0, tiling="bricks"), (43, 23), 1000),
        # A prime number has no columns and rows: what is near it, and as square as it was, is taken; two are merged.
        (JigsawParameters(pieces=127), (16, 8), 127),
        (JigsawParameters(pieces=127, layout_version=1), (16, 8), 128),
    ],
)
def test_columns_and_rows_make_exactly_the_number_asked_for_where_pieces_stay_nearly_square(
    parameters: JigsawParameters, layout: tuple[int, int], pieces: int
) -> None:
    assert parameters.layout() == layout
    assert len(tiling_of(JigsawDesign(parameters)).piece_names) == pieces


def test_a_file_from_before_numbers_were_exact_keeps_its_board_until_it_is_made_exact() -> None:
    # So was it written: without the parameter.
    now = JigsawDesign(JigsawParameters(pieces=120, width=300.0, height=200.0))
    text = dumps(JIGSAW, now).decode()
    before = text.replace('"exact": true,', "")
    assert before != text
    old = loads(before.encode()).design
    assert old.parameters.layout() == (13, 9) and not old.parameters.exact
    assert '"exact"' not in dumps(JIGSAW, old).decode()
    assert replace(old.parameters, exact=True).layout() == (12, 10)

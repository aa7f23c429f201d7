"""Figures are placed on a board, and whatever keeps one from becoming a piece is found with its place."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

from studio.base.encode import decode, encode
from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.checks.finding import Severity
from studio.geometry.board.outline import Outline, outline_of, rounded_rectangle
from studio.geometry.curves.offsetting import region
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Curves, closed_through
from studio.puzzles.jigsaw.figures.letters import lettered
from studio.puzzles.jigsaw.figures.placing import fitting, misplaced, placeable
from studio.puzzles.jigsaw.figures.silhouettes import figure, keys
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy, copy_name, free_names, letter_names, of_figure
from studio.puzzles.jigsaw.model.design import JigsawParameters

BOARD = rounded_rectangle(300.0, 200.0, 0.0)
FISH = Whimsy("fish1", "fish", Pose(x=100.0, y=80.0, height=40.0))
HEART = Whimsy("fish1", "heart", Pose(x=100.0, y=80.0, height=40.0))


def found(*whimsies: Whimsy, outline: Outline = BOARD, wall: float = 1.0, neck: float = 1.5) -> list[str]:
    return [finding.message for finding in misplaced(whimsies, outline, wall, neck)]


@pytest.mark.parametrize("key", keys())
def test_a_figure_is_where_it_was_placed(key: str) -> None:
    whimsy = Whimsy("fish1", key, Pose(x=100.0, y=80.0, height=40.0))
    rings = whimsy.on_board()
    low, high = box(rings[0])
    assert (low + high) / 2 == pytest.approx((100, 80)) and (high - low)[1] == pytest.approx(40)
    assert found(whimsy) == []


@pytest.mark.parametrize("key", ["fish", "key"])
def test_a_turned_or_mirrored_figure_keeps_its_area_and_direction(key: str) -> None:
    shape = figure(key)
    for pose in (Pose(height=30.0, turn=33.0), Pose(height=30.0, is_mirrored=True), Pose(height=30.0, turn=-120.0,
                 is_mirrored=True)):  # fmt: skip
        rings = Whimsy("fish1", key, pose).on_board()
        sweeps = Curves.from_strokes(list(rings)).flattened(0.001).sweeps
        assert sweeps[0] > 0 and (sweeps[1:] < 0).all()
        assert sweeps.sum() == pytest.approx(900 * shape.area, rel=1e-3)
        assert all((ring[0] == ring[-1]).all() for ring in rings)


def test_a_figure_turns_clockwise_and_is_mirrored_before() -> None:
    right = np.array([[1.0, 0.0]])
    assert Pose(x=5, y=7, height=10, turn=90).placed(right)[0] == pytest.approx((5, 17))
    assert Pose(height=10, turn=90, is_mirrored=True).placed(right)[0] == pytest.approx((0, -10))
    assert Pose(height=10, turn=90, is_mirrored=True).placed(np.array([[0.0, 1.0]]))[0] == pytest.approx((-10, 0))


def test_the_rim_of_a_figure_crosses_no_rim_of_the_board() -> None:
    outline = outline_of([BOARD.rings[0], *(ring[::-1].copy() for ring in FISH.on_board())])
    assert outline.region.area == pytest.approx(60_000 - 1600 * figure("fish").area, rel=1e-4)


@pytest.mark.parametrize(
    ("whimsies", "sentence"),
    [
        ([FISH.posed(x=10.0)], "Figure fish1 reaches over the border. Move it inwards or make it smaller."),
        ([FISH.posed(x=-500.0)], "Figure fish1 reaches over the border. Move it inwards or make it smaller."),
        ([FISH.posed(y=20.5)], "Wall between figure fish1 and the border is only 0.50 mm (minimum 1 mm)."),
        ([FISH, replace(FISH, name="fish2").posed(x=110.0)], "Figures fish1 and fish2 overlap. Move one of them."),
        ([FISH, replace(FISH, name="fish2").posed(height=5.0)], "Figures fish1 and fish2 overlap. Move one of them."),
        ([HEART, replace(HEART, name="fish2").posed(x=100.5 + 40.0 * HEART.shape.width)],
         "Wall between figures fish1 and fish2 is only 0.5"),
        ([Whimsy("fish1", "hare", Pose(x=100, y=80, height=12))],
         "Figure fish1 is narrower than 1.5 mm here; it may snap. Make it larger."),
        ([Whimsy("fish1", "boat", Pose(x=100, y=80, height=8))],
         "The wood in a notch of figure fish1 is narrower than 1 mm. Make the figure larger."),
    ],
)  # fmt: skip
def test_a_figure_that_cannot_be_a_piece_is_a_problem(whimsies: list[Whimsy], sentence: str) -> None:
    assert any(message.startswith(sentence) for message in found(*whimsies))


def test_a_figure_that_leaves_no_board_is_a_problem() -> None:
    heart = Whimsy("fish1", "heart", Pose(x=100.0, y=100.0, height=180.0))
    assert found(heart, outline=rounded_rectangle(200.0, 200.0, 0.0)) == []
    large = heart.posed(height=250.0)
    share = shapely.intersection(region(large.on_board(), 0.01), shapely.box(0, 0, 200, 200)).area / 40_000
    assert found(large, outline=rounded_rectangle(200.0, 200.0, 0.0)) == [
        f"Figure fish1 covers {100 * share:.0f} % of the board (maximum 60 %)."
    ]


def test_a_problem_is_where_it_is() -> None:
    beyond, thin = FISH.posed(y=10.0), Whimsy("fish2", "hare", Pose(x=250, y=150, height=12))
    findings = misplaced([beyond, thin], BOARD, 1.0, 1.5)
    places = {finding.severity: finding.place for finding in findings if "narrower than 1.5" in finding.message or
              "reaches" in finding.message}  # fmt: skip
    assert places[Severity.ERROR] == pytest.approx((100, 0), abs=25)
    assert places[Severity.WARNING] == pytest.approx((250, 144), abs=7)


def test_a_figure_in_a_hole_of_the_board_reaches_over_its_border() -> None:
    hole = closed_through(np.array([(90.0, 70.0), (90.0, 90.0), (110.0, 90.0), (110.0, 70.0)]))
    outline = outline_of([BOARD.rings[0], hole])
    assert found(FISH, outline=outline) == ["Figure fish1 reaches over the border. Move it inwards or make it smaller."]


def test_a_figure_goes_to_the_nearest_place_where_it_fits() -> None:
    other = replace(FISH, name="fish2").posed(x=150.0)
    for moved in (FISH.posed(x=10.0), FISH.posed(x=140.0), FISH.posed(x=10.0, y=5.0)):
        placed = fitting([moved], [other], BOARD, 1.0)
        assert placed is not None and found(*placed, other) == []
        assert placed[0].pose.height == 40.0
    assert fitting([FISH], [other.posed(x=200.0)], BOARD, 1.0) == (FISH,), "one that fits stays"
    assert fitting([FISH.posed(height=250.0)], [], BOARD, 1.0) is None


def test_a_word_is_a_figure_a_letter_with_wood_between() -> None:
    names = [f"letter{number}" for number in range(1, 5)]
    whimsies = lettered(names, "An na", Pose(x=150.0, y=100.0, height=40.0, turn=20.0))
    assert [one.title for one in whimsies] == list("Anna") and [one.name for one in whimsies] == names
    assert found(*whimsies) == []
    drawn = shapely.union_all([region(one.on_board(), 0.01) for one in whimsies])
    x, y = shapely.get_coordinates(shapely.centroid(drawn))[0]
    assert (x, y) == pytest.approx((150, 100), abs=12)


def test_a_whimsy_outlives_its_file() -> None:
    for whimsy in (FISH, of_figure("fish2", figure("key"), Pose(x=3.0, turn=12.5))):
        data = encode(whimsy, JigsawParameters)
        again = decode(Whimsy, data, "design", JigsawParameters)
        assert again == whimsy and encode(again, JigsawParameters) == data
        for one, other in zip(again.on_board(), whimsy.on_board(), strict=True):
            assert (one == other).all()
    own = of_figure("fish2", figure("key"), Pose())
    assert own.shape.rings[0] == pytest.approx(figure("key").rings[0])


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "fish1 must be a figure's key or have rings."),
        ({"figure": "fish", "rings": (((0.0, 0.0),),)}, "fish1 must be a figure's key or have rings."),
        ({"figure": "unicorn"}, "Unknown figure 'unicorn'"),
        ({"title": "Odd", "rings": (((0.0, 0.0),),)}, "The figure Odd: a ring needs 3 n"),
        ({"title": "Odd", "rings": (((0.0, 0.0),) * 30_001,)}, "rings must have at most 20000 points."),
    ],
)
def test_what_is_no_whimsy_is_refused(values: dict[str, object], sentence: str) -> None:
    with pytest.raises(StudioError, match=sentence):
        Whimsy("fish1", **values)  # type: ignore[arg-type]


def test_a_pose_out_of_bounds_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"height must be 2 to 5000 mm, not 0\."):
        Pose(height=0.0)


@pytest.mark.parametrize("name", ["", "Fish1", "fish", "fish01", "A1", "fish-1", "x" * 30 + "1"])
def test_a_name_that_a_piece_could_have_is_refused(name: str) -> None:
    with pytest.raises(ParameterError, match="The name of a figure must be like fish1 or A"):
        Whimsy(name, "fish")


def test_letters_are_called_by_their_letter_and_no_two_names_differ_in_case_alone() -> None:
    assert letter_names([], "Åse & Jón") == ["Å", "s", "e", "sign", "J", "ó", "n"]
    assert letter_names(["n", "cat1"], "Anna©7") == ["A", "n_2", "n_3", "a_2", "sign", "7"]
    for name in ("Å", "n_2", "sign", "sign_2", "7", "é_12", "letter10"):
        assert Whimsy(name, "fish").name == name
    assert [copy_name(["A", "A_2", "fish1", "sign"], name) for name in ("A", "A_2", "fish1", "sign")] == [
        "A_3", "A_3", "fish2", "sign_2"
    ]  # fmt: skip


def test_more_figures_get_the_next_names() -> None:
    assert free_names([], "fish", 2) == ["fish1", "fish2"]
    assert free_names(["fish2", "cat7", "fish9", "fisher12"], "fish", 1) == ["fish10"]


def test_of_two_figures_in_each_others_way_the_first_is_placed() -> None:
    other, beyond = replace(FISH, name="fish2").posed(x=110.0), replace(FISH, name="fish3").posed(x=0.0)
    free = replace(FISH, name="fish4").posed(x=220.0)
    assert placeable([FISH, other, beyond, free], BOARD, 1.0) == (FISH, free)

"""The gap that fitted is kept by printer and plastic, and offered again; what is too large for a bed is told."""

from pathlib import Path

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.base.folders import own_folder
from studio.base.parameters import ParameterError
from studio.fabricate.gaps_and_plates import (
    FILE,
    GapOptions,
    around,
    gaps_to_choose,
    keep_gap,
    on_bed,
    remembered,
    seen_from_above,
    size_of,
    too_large,
    trouble,
    usual_gap,
)
from studio.fabricate.workshop import Named, Plastic, Printer, every, one_of
from studio.geometry.solids.solid import Solid, plate


def block(name: str, width: int = 2, height: int = 1) -> Solid:
    return Solid(name, "#E69F00", plate(np.ones((width, height), bool), 10.0, 0.0, 0.0, 8, rounded=False))


def test_printers_and_plastics_come_with_the_studio() -> None:
    assert {"usual-220", "small-180"} <= {one.key for one in every(Printer)}
    assert {"pla", "petg"} <= {one.key for one in every(Plastic)}
    assert all(one.value.bed_width >= 100 and one.value.nozzle > 0 and not one.own for one in every(Printer))
    assert all(0.05 <= one.value.gap <= 0.5 and 0.9 < one.value.density < 2 for one in every(Plastic))


def test_a_gap_is_kept_for_its_printer_and_plastic_alone() -> None:
    one, other, pla = one_of(Printer, "usual-220"), one_of(Printer, "small-180"), one_of(Plastic, "pla")
    assert remembered() == {} and usual_gap(one, pla) == pla.value.gap
    keep_gap(one, pla, 0.15)
    keep_gap(other, pla, 0.3)
    keep_gap(one, pla, 0.1)
    assert remembered() == {("usual-220", "pla"): 0.1, ("small-180", "pla"): 0.3}
    assert usual_gap(one, pla) == 0.1 and usual_gap(one, one_of(Plastic, "petg")) == one_of(Plastic, "petg").value.gap
    assert gaps_to_choose()[:3] == (("Tight, 0.10 mm", 0.1), ("Normal, 0.20 mm", 0.2), ("Loose, 0.30 mm", 0.3))
    assert ("Saved for PLA on Generic 220 × 220 mm, 0.10 mm", 0.1) in gaps_to_choose()


@pytest.mark.parametrize("gap", [-0.1, 2.5, float("nan")])
def test_a_gap_that_cannot_be_is_not_kept(gap: float) -> None:
    with pytest.raises(ParameterError, match="gap must be 0 to 2 mm"):
        keep_gap(one_of(Printer, "usual-220"), one_of(Plastic, "pla"), gap)
    assert remembered() == {}


@pytest.mark.parametrize(
    "text", ["", "[1]", '{"a": 3}', '{"a": {"b": "wide"}}', '{"a": {"b": NaN}}', "\0", "[" * 100_000, '{"a": {"b": 9}}']
)
def test_a_file_that_cannot_be_used_remembers_nothing(text: str) -> None:
    own_folder().mkdir(parents=True)
    (own_folder() / FILE).write_text(text, encoding="utf-8")
    assert remembered() == {}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"usual-220": {"pla" 0.17}}', r"\(not JSON at line 1, column 22\)\. Fix or delete that file first"),
        ('{"usual-220": 0.17}', "they must be listed by printer and plastic"),
        ('{"usual-220": {"pla": 0.17, "abs": "wide"}}', "The clearance of abs on usual-220 in .* it is wide"),
        (" " * 100_000, "it is larger than 64 kB"),
    ],
)
def test_a_gap_is_not_kept_where_others_would_be_lost(text: str, sentence: str) -> None:
    own_folder().mkdir(parents=True)
    (own_folder() / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(StudioError, match=sentence):
        keep_gap(one_of(Printer, "usual-220"), one_of(Plastic, "petg"), 0.25)
    assert (own_folder() / FILE).read_text(encoding="utf-8") == text
    assert trouble()
    (own_folder() / FILE).unlink()
    keep_gap(one_of(Printer, "usual-220"), one_of(Plastic, "petg"), 0.25)
    assert remembered() == {("usual-220", "petg"): 0.25} and trouble() == ""


def test_a_gap_that_cannot_be_written_is_told() -> None:
    own_folder().parent.mkdir(parents=True, exist_ok=True)
    own_folder().write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(StudioError, match="Could not create the folder"):
        keep_gap(one_of(Printer, "usual-220"), one_of(Plastic, "pla"), 0.2)


def test_gaps_are_tried_around_what_is_known() -> None:
    assert GapOptions().gaps == (0.1, 0.15, 0.2, 0.25, 0.3)
    assert around(0.3).gaps == (0.2, 0.25, 0.3, 0.35, 0.4)
    assert around(0.1).gaps[0] == 0.05, "without a gap nothing goes together"


def test_blocks_lie_apart_on_as_little_of_the_bed_as_may_be() -> None:
    blocks = [block(str(at)) for at in range(6)]
    laid = on_bed(blocks, Printer(bed_width=60, bed_depth=60))
    width, depth, height = size_of(laid)
    assert width <= 60 and depth <= 60 and height == 10
    for at, one in enumerate(laid):
        for two in laid[:at]:
            apart = np.maximum(one.mesh.bounds[0] - two.mesh.bounds[1], two.mesh.bounds[0] - one.mesh.bounds[1])
            assert apart[:2].max() >= 5 - 1e-6
    with pytest.raises(StudioError, match=r"the bed \(30 × 30 mm\)\. Use fewer pairs"):
        on_bed(blocks, Printer(bed_width=30, bed_depth=30))


def test_solids_are_drawn_as_they_lie() -> None:
    laid = on_bed([block("one"), block("other", 3, 2)], Printer())
    drawing = seen_from_above(laid)
    assert sorted(drawing.piece_areas.tolist()) == pytest.approx([200, 600])
    assert (drawing.width, drawing.height) == pytest.approx(size_of(laid)[:2])


def test_what_a_bed_does_not_take_is_named() -> None:
    small = Named("small", "Small", Printer(bed_width=40, bed_depth=25, bed_height=15))
    assert too_large([block("A"), block("B")], small).startswith("") and too_large([block("A", 2, 2)], small) == ""
    assert too_large([block("A", 2, 4)], small) == "", "it goes on the bed the other way round"
    said = too_large([block("A"), block("B", 5, 1), block("C", 5, 5)], small)
    assert said == "Too large for Small (40 × 25 × 15 mm): B and C."
    row = [
        Solid(name, "#E69F00", block(name, 4).mesh.moved(np.eye(3), np.array([0.0, 20.0 * at, 0.0])))
        for at, name in enumerate("AB")
    ]
    assert (
        too_large(row, small)
        == "Side by side, the pieces need 40 × 30 mm, more than the bed of Small. Print them in several batches."
    )


def test_own_files_lie_in_the_settings_folder(tmp_path: Path) -> None:
    keep_gap(one_of(Printer, "usual-220"), one_of(Plastic, "pla"), 0.2)
    assert (own_folder() / FILE).read_text(encoding="utf-8").startswith("{")

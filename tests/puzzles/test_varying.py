"""Variants of a design side by side: their values, drawings and problems, and the command that draws them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from studio.base.errors import StudioError
from studio.base.parameters import declaration, declarations
from studio.base.progress import SILENT
from studio.cli import main
from studio.files.store import save
from studio.paper.leaflet import Line, Words
from studio.puzzles import registry
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.variants import Axis, around, axis_from, picture, text_of, titles, variable, varied
from tests.classic import classic

BOARD = JigsawDesign(classic(columns=5, rows=3, width=125.0, height=75.0))


def test_a_grid_of_variants_has_the_designs_that_the_form_would_make() -> None:
    shapes = shape(BOARD, None, SILENT)
    edge = int(shapes.tiling.graph.inner_edges[4])
    edited = edits.with_tongues_flipped(shapes, [edge])
    axes = (Axis("tongue_size", (0.15, 0.45)), Axis("perturbation", (0.0, 0.1, 0.4)))
    rows = varied(JIGSAW, edited, axes, SILENT)
    assert [len(row) for row in rows] == [2, 2, 2]
    for down, row in enumerate(rows):
        for across, one in enumerate(row):
            values: dict[str, Any] = {"tongue_size": axes[0].values[across], "perturbation": axes[1].values[down]}
            wanted = replace(edited, parameters=replace(edited.parameters, **values))
            assert one.values == tuple(values.values()) and one.design == wanted and one.design.tongues
            drawn = shape(wanted, None, SILENT)
            assert one.drawing is not None
            assert np.array_equal(one.drawing.strokes.points, drawn.drawing.strokes.points)
            errors = len(JIGSAW.check(wanted, drawn, None, SILENT).errors)
            assert one.errors == errors and one.verdict.startswith(
                str(errors) if errors else ("No", "1", "2", "3", "4")
            )
    assert not rows[0][0].errors and rows[2][1].errors > 3


def test_values_that_no_design_can_have_are_refused_in_their_place() -> None:
    (row,) = varied(JIGSAW, BOARD, [Axis("corner_radius", (0.0, 500.0))], SILENT)
    assert row[0].design is not None and row[1].design is None and row[1].drawing is None
    assert row[1].verdict == row[1].refusal and row[1].refusal.endswith(".")


@pytest.mark.parametrize("key", registry.KINDS)
def test_values_near_those_of_an_example_are_in_bounds_and_read_back(key: str) -> None:
    kind = registry.kind(key)
    design = kind.example()
    for known in variable(kind, design):
        axis = around(known, getattr(design.parameters, known.name))
        assert 2 <= len(axis.values) <= 3 and len(set(axis.values)) == len(axis.values)
        assert known.type in ("choice", "flag") or list(axis.values) == sorted(axis.values)
        assert axis_from(kind, known.name, text_of(axis)) == axis
        assert known.type == "choice" or getattr(design.parameters, known.name) in axis.values
    assert not any(known.type == "text" for known in variable(kind, design))


def test_a_comma_may_be_a_decimal_mark() -> None:
    for text in ("0.2,0.3", "0.2, 0.3", "0,2, 0,3", "0,2;0,3", " 0.2; 0.3 ;"):
        assert axis_from(JIGSAW, "tongue_size", text).values == (0.2, 0.3)


def test_values_are_told_in_words() -> None:
    assert titles(JIGSAW, Axis("tongue_style", ("ball", "wave"))) == ("Style: Ball", "Style: Wave")
    assert titles(JIGSAW, Axis("width", (300.0, 62.5))) == ("Width: 300.00 mm", "Width: 62.50 mm")
    assert titles(JIGSAW, Axis("tricky_border", (False, True))) == ("Tricky border: off", "Tricky border: on")
    assert declaration(JigsawParameters, "tongue_size").formatted(0.27) == "0.27"


@pytest.mark.parametrize(("axes", "told"), [
    ([], "Choose one parameter to vary"),
    ([Axis("seed", (1,)), Axis("seed", (2,))], "two different ones"),
    ([Axis("seed", (1, 2, 3, 4, 5, 6))], "up to 5 values"),
    ([Axis("columns", (0,))], "columns must be"),
], ids=["none", "twice", "many", "bounds"])  # fmt: skip
def test_what_cannot_be_varied_is_refused(axes: list[Axis], told: str) -> None:
    with pytest.raises(StudioError, match=told):
        varied(JIGSAW, BOARD, axes, SILENT)


def test_the_picture_shows_all_variants_at_one_scale() -> None:
    axes = (Axis("width", (125.0, 250.0)),)
    rows = varied(JIGSAW, BOARD, axes, SILENT)
    (page,) = picture(JIGSAW, rows, axes, "board").pages
    small, large = page.groups[1:]
    widths = []
    for group in (small, large):
        points = np.concatenate([mark.points for mark in group.marks if isinstance(mark, Line)])
        widths.append(float(np.ptp(points[:, 0])))
    assert widths == pytest.approx([40.0, 80.0], abs=0.1)
    assert next(mark.text for mark in large.marks if isinstance(mark, Words)) == "Width: 250.00 mm"


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "board.puzzle"
    save(path, JIGSAW, BOARD)
    return path


def test_the_command_counts_the_problems_of_each_variant_and_draws_them(
    board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--vary", "tongue_size=0.2, 0.45", "--vary", "seed=1,2"]
    assert main(["variants", str(board), *words, "--json", "-o", str(tmp_path / "grid.png")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["set"] for one in told] == [
        {"tongue_size": size, "seed": seed} for seed in (1, 2) for size in (0.2, 0.45)
    ]
    assert [bool(one["errors"]) for one in told] == [False, True, False, True]
    with Image.open(tmp_path / "grid.png") as image:
        assert image.size[0] == 4000 and image.convert("RGB").getpixel((20, 20)) == (255, 255, 255)
        assert {(34, 36, 42), (200, 50, 30)} <= {
            colour for _count, colour in image.convert("RGB").getcolors(1 << 24) or []
        }
    assert main(["variants", str(board), "--vary", "columns=4,5"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("Columns: 5: ")


@pytest.mark.parametrize(("words", "told"), [
    (["--vary", "colums=1"], "colums"), (["--vary", "columns"], "columns=", ), (["--vary", "columns=x"], "'x'"),
    (["--vary", "columns=1,2", "--vary", "columns=3"], "two different ones"),
    (["--vary", "columns=1,2,3,4,5,6"], "up to 5 values"), (["--vary", "columns=2", "-o", "grid.dxf"], ".png"),
], ids=["name", "values", "number", "twice", "many", "ending"])  # fmt: skip
def test_bad_requests_get_a_sentence(
    board: Path, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["variants", str(board), *words]) == 2
    assert told.rstrip("=").lower() in capsys.readouterr().err.lower()
    assert [path.name for path in board.parent.iterdir()] == ["board.puzzle"]


def test_every_parameter_has_words_for_its_default() -> None:
    for key in registry.KINDS:
        for known in declarations(registry.kind(key).parameters):
            assert known.formatted(known.default).strip()

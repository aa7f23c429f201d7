"""Slitherlinks within an outline from a file: at its true size, unique by a second solver, kept in the file."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError, declarations
from studio.base.progress import SILENT
from studio.files.drawing_import import read_paths
from studio.files.imported_paths import Reading
from studio.files.store import dumps, loads
from studio.geometry.board.grids import GRIDS
from studio.geometry.curves.rings import box
from studio.puzzles.slitherlink.edits import with_board
from studio.puzzles.slitherlink.game import essentials
from studio.puzzles.slitherlink.generate import carry, generate
from studio.puzzles.slitherlink.geometry import laid_out, shape
from studio.puzzles.slitherlink.kind import SLITHERLINK
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters
from tests.puzzles.slitherlink import independent

FEWEST_CELLS = 36

BEAN = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" viewBox="0 0 180 120"><path d="M20,60 C20,20 60,0 '
    '100,10 C150,0 180,40 170,70 C165,100 130,120 100,105 C60,125 15,110 20,60 Z"/></svg>'
)


def imported(folder: Path, width: float = 180.0, **parameters: object) -> SlitherlinkDesign:
    path = folder / "bean.svg"
    path.write_text(BEAN.format(width=width))
    found = read_paths(path, Reading(), SILENT)
    start = generate(SlitherlinkParameters(**parameters), SILENT)  # type: ignore[arg-type]
    return with_board(start, found.rings, found.size, SILENT).design


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form", GRIDS)
def test_cells_fill_a_path_at_its_true_size(form: str, tmp_path: Path) -> None:
    design = imported(tmp_path, grid=form)
    p = design.parameters
    low, high = box(np.array(p.path[0]))
    assert p.edge * np.array(p.form.size) == pytest.approx(high - low, abs=1e-3)
    assert p.edge == pytest.approx(SlitherlinkParameters().edge, rel=0.15), "cells are as large as they were"
    _size, dots, _middles, _radius = laid_out(p)
    cells = shapely.union_all([shapely.Polygon(dots[list(ring)]) for ring in p.form.cells])
    outline = p.layout.board(*(high - low))
    from studio.geometry.board.board_outline import bounded

    assert cells.area == pytest.approx(bounded(outline).region.area, rel=0.05)
    assert independent.solutions(p.form.cells, design.clues) == 1


def test_the_path_is_kept_in_the_file_and_another_one_is_another_puzzle(tmp_path: Path) -> None:
    design = imported(tmp_path)
    text = dumps(SLITHERLINK, design)
    again = loads(text).design
    assert again == design and dumps(SLITHERLINK, again) == text
    assert b'"path"' not in dumps(SLITHERLINK, generate(SlitherlinkParameters(), SILENT))
    assert "path" not in [known.name for known in declarations(SlitherlinkParameters)]
    rectangle = carry(replace(design.parameters, outline="rectangle"), design, SILENT).design
    assert rectangle.parameters.layout.is_regular and rectangle.parameters.layout.path == ()
    back = carry(replace(rectangle.parameters, outline="file"), rectangle, SILENT).design
    assert back.parameters.layout == design.parameters.layout
    ring = tuple((x * (1 + y / 500), y) for x, y in design.parameters.path[0])
    other = carry(replace(design.parameters, path=(ring,)), design, SILENT).design
    assert essentials(other)[3] != essentials(design)[3]


def test_a_small_outline_has_small_cells_and_another_size_of_them_keeps_its_proportions(tmp_path: Path) -> None:
    design = imported(tmp_path, 45.0)
    p = design.parameters
    assert len(p.form.cells) > FEWEST_CELLS / 2 and p.edge < 8.0
    more = carry(replace(p, columns=20), design, SILENT).design.parameters
    assert np.divide(*more.form.size) == pytest.approx(np.divide(*p.form.size))
    drawing = shape(design, None, SILENT).drawing
    assert drawing.width == pytest.approx(p.edge * p.form.size[0] + 2 * p.border + 10)


def test_an_outline_with_holes_too_small_or_missing_is_refused_in_a_sentence(tmp_path: Path) -> None:
    design = imported(tmp_path)
    outer = np.array(design.parameters.path[0])
    low, high = box(outer)
    size = (float(high[0] - low[0]), float(high[1] - low[1]))
    inner = ((outer - outer.mean(axis=0)) / 4 + outer.mean(axis=0))[::-1]
    with pytest.raises(StudioError, match="1 hole"):
        with_board(design, [outer, inner], size, SILENT)
    with pytest.raises(StudioError, match=r"needs cells with edges of 0\.[0-9] mm; they can be 3 to 100 mm"):
        with_board(design, [outer / 40], (size[0] / 40, size[1] / 40), SILENT)
    with pytest.raises(ParameterError, match="Import an outline"):
        SlitherlinkParameters(outline="file")
    for path in (((0.0, 0.0),) * 4, ((0.0, 0.0), (1.0, 1.0), (2.0, 2.0))):
        with pytest.raises(StudioError):
            generate(SlitherlinkParameters(outline="file", path=(path,)), SILENT)
    with pytest.raises(ParameterError, match="without holes"):
        SlitherlinkParameters(path=design.parameters.path * 2)
    with pytest.raises(ParameterError, match="Sticks need edges of equal length"):
        with_board(generate(SlitherlinkParameters(board="sticks"), SILENT), [outer], size, SILENT)

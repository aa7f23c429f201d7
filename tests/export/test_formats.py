"""What every format in the table promises: written, read back and proven, told in the manual, offered by its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import go
from studio.base.errors import StudioError
from studio.base.parameters import ParameterError, declarations
from studio.base.progress import Progress
from studio.cli import main
from studio.exporting.formats import FORMATS, LASER, PAPER, PRINTER
from studio.exporting.options import AnyFormat, Formats, LaserOptions, NoOptions, Unreadable, together, unread
from studio.exporting.writers.path_segments import ready
from studio.exporting.writing import written
from studio.geometry.planar.drawing import Drawing
from studio.geometry.solids.solid import Solid
from studio.paper.leaflet import Leaflet, Line, MarkGroup, Page
from studio.puzzles.cube.geometry import shape
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from tests.export.conftest import grid
from tests.export.proofs import proven

PURPOSES: tuple[Formats[Any, Any], ...] = (LASER, PRINTER, PAPER)
MEMBERS = [(purpose, known) for purpose in PURPOSES for known in purpose.members]
every_format = pytest.mark.parametrize(
    ("purpose", "known"), MEMBERS, ids=[f"{purpose.title}{known.suffix}" for purpose, known in MEMBERS]
)


@cache
def bed() -> tuple[Solid, ...]:
    return shape(CubeDesign(CubeParameters(segments=8)), None, Progress()).bed


@pytest.fixture
def things(purpose: Formats[Any, Any], grid: Callable[..., Drawing]) -> tuple[Any, Any]:
    """Two things that are not alike, for a purpose."""
    if purpose is LASER:
        return ready(grid(3, 2)), ready(grid(2, 3))
    if purpose is PRINTER:
        return bed()[:2], bed()[1:3]
    page = Page(100, 120, (MarkGroup("all", (Line(np.array([[10.0, 90.0], [60.0, 90.0]]), "#5C6068", 0.2),)),))
    return Leaflet("One", (page,)), Leaflet("One", (replace(page, height=121),))


def test_the_table_has_every_format_once() -> None:
    assert [known for _, known in MEMBERS] == list(FORMATS)
    for purpose in PURPOSES:
        assert len({known.suffix for known in purpose.members}) == len(purpose.members)
        assert len({known.title for known in purpose.members}) == len(purpose.members)
    assert len({purpose.key for purpose in PURPOSES}) == len({purpose.title for purpose in PURPOSES}) == len(PURPOSES)


@every_format
def test_a_file_is_written_read_back_and_proven(
    purpose: Formats[Any, Any], known: AnyFormat, things: tuple[Any, Any], tmp_path: Path
) -> None:
    thing, _ = things
    path = tmp_path / f"one{known.suffix}"
    (report,) = written(known, [(path, thing)], known.options(), Progress())
    assert (report.path, report.bytes) == (path, path.stat().st_size) and not report.problem
    assert list(tmp_path.iterdir()) == [path]
    (again,) = written(known, [(tmp_path / f"two{known.suffix}", thing)], purpose.options(), Progress())
    assert again.path.read_bytes() == path.read_bytes()


@every_format
def test_a_file_of_another_thing_does_not_pass(
    purpose: Formats[Any, Any], known: AnyFormat, things: tuple[Any, Any], tmp_path: Path
) -> None:
    thing, other = things
    with pytest.raises(Unreadable):
        proven(known, known.write(other, known.options()), thing, known.options())
    if known.read is unread:
        return
    swapped = replace(known, write=lambda _, options: known.write(other, options))
    with pytest.raises(StudioError, match="Verification failed"):
        written(swapped, [(tmp_path / f"one{known.suffix}", thing)], known.options(), Progress())
    assert list(tmp_path.iterdir()) == []


@every_format
@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.5, 0.8, 0.95, 0.999])
def test_a_file_that_is_broken_off_is_unreadable(
    purpose: Formats[Any, Any], known: AnyFormat, things: tuple[Any, Any], share: float
) -> None:
    thing, _ = things
    data = known.write(thing, known.options()).rstrip()
    with pytest.raises(Unreadable):
        proven(known, data[: int(share * len(data))], thing, known.options())


@every_format
def test_options_take_what_they_say_and_no_more(purpose: Formats[Any, Any], known: AnyFormat) -> None:
    assert issubclass(known.options, NoOptions) and isinstance(purpose.options(), known.options)
    for each in declarations(known.options):
        assert each.title and each.help and each.bounds and each in declarations(purpose.options)
        for choice in each.choices:
            assert getattr(known.options(**{each.name: choice.value}), each.name) == choice.value
        for bound, beyond in ((each.minimum, -1), (each.maximum, 1)):
            if bound is not None:
                bound = int(bound) if each.type == "integer" else bound
                assert getattr(known.options(**{each.name: bound}), each.name) == bound
                with pytest.raises(ParameterError, match=each.name):
                    known.options(**{each.name: bound + beyond})
        with pytest.raises(ParameterError, match=each.name):
            known.options(**{each.name: "no such value"})
    assert set(known.options().idle()) <= {each.name for each in declarations(known.options)}
    assert isinstance(known.note(known.options()), str)


@pytest.mark.parametrize("known", [one for one in LASER.members if not one.is_picture], ids=lambda one: one.suffix)
def test_ends_of_lines_are_as_near_as_they_are_rounded_on_pages_of_any_height(known: AnyFormat) -> None:
    for scale in np.linspace(1.0, 1.01, 40):
        drawing = grid(2, 2)
        points = scale * drawing.strokes.points
        strokes = replace(drawing.strokes, points=points)
        drawing = ready(replace(drawing, width=scale * drawing.width, height=scale * drawing.height, strokes=strokes))
        read = known.read(known.write(drawing, known.options()), known.options())
        sheet: Any = getattr(read, "sheet", read)
        for line, chain in zip(sheet.lines, drawing.chains, strict=True):
            wanted = drawing.strokes.joined(chain.strokes, np.array([0, len(chain.strokes)])).ends[0]
            assert np.abs(line.points[[0, -1]] - wanted).max() <= 1.001 * known.rounding


@every_format
def test_a_format_is_told_by_its_ending_and_in_the_manual(purpose: Formats[Any, Any], known: AnyFormat) -> None:
    assert purpose.of(Path(f"PUZZLE{known.suffix.upper()}")) is known
    with pytest.raises(StudioError, match=rf"{purpose.unknown}. Use .*\{known.suffix}"):
        purpose.of(Path("puzzle.unknown"))
    page = (go.ROOT / "docs" / "manual" / "laser.md").read_text(encoding="utf-8")
    assert f"| {known.name} | {purpose.title} | {known.help} |" in page


def test_the_help_of_leaflets_tells_of_every_format_for_paper(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["leaflet", "--help"]) == 0
    told = capsys.readouterr().out
    for known in PAPER.members:
        assert known.name in told and known.suffix in told


def test_a_later_class_of_options_joins_those_before_it_once() -> None:
    assert together([NoOptions]) is NoOptions
    assert together([LaserOptions, NoOptions]) is LaserOptions
    names = [each.name for each in declarations(LASER.options)]
    assert len(names) == len(set(names))
    known: Callable[..., Any] = LASER.options
    with pytest.raises(ParameterError, match="R12 has no splines"):
        known(version="R12", curves="spline")

"""Figures are read from files, whole and thick enough to be cut, or refused with what is wrong with them."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.files.drawing_import import read_paths
from studio.files.imported_paths import Reading
from studio.geometry.curves.offsetting import narrow_notch, region, thin_part
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Curves, Floats, closed_through
from studio.geometry.planar.polyomino import disc
from studio.puzzles.jigsaw.figures.silhouettes import (
    OWN_FIGURES,
    THEMES,
    Stored,
    figure,
    keys,
    plain_figure,
    silhouette,
)

LEAST_PART = 0.08

Points = tuple[tuple[float, float], ...]


def points(ring: Floats) -> Points:
    return tuple((float(x), float(y)) for x, y in ring)


def straight(*corners: tuple[float, float]) -> Points:
    return points(closed_through(np.array(corners, float)))


def test_there_are_the_figures_that_makers_ask_for() -> None:
    assert {"anchor", "bear", "bird", "cat", "fish", "hare", "heart", "key", "leaf", "star", "tree"} <= set(keys())
    assert len(keys()) >= 60 and list(keys()) == sorted(keys())
    assert len({figure(key).title for key in keys()}) == len(keys())


def test_each_theme_has_figures_to_choose_from() -> None:
    assert {"Animals", "Home", "Sea", "Garden", "Wedding", "Birth", "Winter", "Travel", "Ornaments"} == THEMES.keys()
    for theme, members in THEMES.items():
        assert len(members) >= 4 and {*members} <= {*keys()}, theme
        assert list(members) == sorted({*members}), theme
    assert {key for members in THEMES.values() for key in members} == {*keys()}


@pytest.mark.parametrize("key", keys())
def test_a_figure_is_closed_and_simple_and_one_high(key: str) -> None:
    shown = figure(key)
    low, high = box(shown.rings[0])
    assert low + high == pytest.approx([0, 0], abs=1e-9) and (high - low)[1] == pytest.approx(1.0)
    assert shown.width == pytest.approx((high - low)[0]) and 0.4 < shown.width < (3.2 if shown.lines else 1.8)
    sweeps = Curves.from_strokes(list(shown.rings)).flattened(1e-4).sweeps
    assert sweeps[0] > 0 and (sweeps[1:] < 0).all(), "clockwise on the screen, holes the other way"
    whole = region(shown.rings, 1e-4)
    assert whole.is_valid and whole.area == pytest.approx(shown.area, rel=1e-6) and shown.area > 0.15
    assert shown.area < (2.2 if shown.lines else 1.2)
    assert all((ring[0] == ring[-1]).all() and not ring.flags.writeable for ring in shown.rings)


@pytest.mark.parametrize("key", keys())
def test_a_figure_is_thick_enough_for_wood(key: str) -> None:
    """At a height of 30 mm no part and no notch is narrower than 2.4 mm."""
    rings = figure(key).rings
    assert thin_part(rings, LEAST_PART) is None and narrow_notch(rings, LEAST_PART) is None
    inner = region(rings, 1e-4).buffer(-0.49 * LEAST_PART)
    assert inner.geom_type == "Polygon", "it hangs together when half the least part is taken away all round"


@pytest.mark.parametrize("key", keys())
def test_a_figure_runs_on_without_a_kink(key: str) -> None:
    for ring in figure(key).rings:
        knots = ring[:-1:3]
        leaving = ring[1::3] - knots
        reaching = np.roll(ring[3::3] - ring[2::3], 1, axis=0)
        cross = reaching[:, 0] * leaving[:, 1] - reaching[:, 1] * leaving[:, 0]
        assert np.degrees(np.abs(np.arctan2(cross, (reaching * leaving).sum(axis=1)))).max() < 3
        assert len(knots) < (100 if figure(key).lines else 80)


SQUARE = straight((0, 0), (10, 0), (10, 10), (0, 10))


@pytest.mark.parametrize(
    ("rings", "sentence"),
    [
        ((), "it contains no path."),
        ((SQUARE[:-1],), "a ring needs 3 n + 1 points for n curves."),
        (((),), "a ring needs 3 n + 1 points for n curves."),
        ((SQUARE[:10],), "a ring is not closed."),
        ((straight((0, 0), (10, 10), (10, 0), (0, 10)),), "a path crosses itself at 50.00, 50.00 mm."),
        ((((0, 0), (0, 0), (0, 0), (0, 0)),), "it contains no path."),
        ((straight((0, 0), (10, 0), (5, 0)),), "its paths enclose no area."),
        ((SQUARE, straight((20, 0), (25, 0), (25, 5))), "it contains 2 outlines side by side; keep one of them."),
        ((SQUARE, straight((5, 5), (15, 5), (15, 9))), "two paths cross or touch at"),
    ],
)  # fmt: skip
def test_what_is_no_figure_is_refused(rings: tuple[Points, ...], sentence: str) -> None:
    with pytest.raises(StudioError, match=f"^The figure Odd: {re.escape(sentence)}"):
        plain_figure(Stored("Odd", rings))


def test_an_unknown_figure_is_refused_with_those_there_are() -> None:
    with pytest.raises(StudioError, match=r"^Unknown figure 'unicorn'; choose from acorn, .* and 89 more\.$"):
        figure("unicorn")
    with pytest.raises(StudioError, match=r"^Unknown figure 'tulips'; choose from tulip, "):
        figure("tulips")
    with pytest.raises(StudioError, match=r"^Unknown figure '\.\./fish'"):
        figure("../fish")


def test_a_figure_has_any_size_in_its_file_and_either_direction() -> None:
    small, large = (plain_figure(Stored("Ring", (points(disc(r)), points(disc(r / 2))))) for r in (0.5, 40.0))
    assert small.area == pytest.approx(0.75 * np.pi / 4, rel=1e-3)
    for one, other in zip(small.rings, large.rings, strict=True):
        assert one == pytest.approx(other)


def test_a_figure_is_made_of_a_file_of_other_programs(tmp_path: Path) -> None:
    path = tmp_path / "own.svg"
    path.write_text('<svg width="50mm" height="50mm" viewBox="0 0 50 50"><path d="M5 5h20v40H5z"/></svg>')
    made = silhouette("Own", read_paths(path, Reading(), SILENT))
    assert made.width == pytest.approx(0.5) and made.area == pytest.approx(0.5)
    assert shapely.Polygon(made.rings[0][::3]).bounds == pytest.approx((-0.25, -0.5, 0.25, 0.5))


def test_own_figures_are_kept_found_and_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert OWN_FIGURES.items() == ((), ())
    cat, train = replace(figure("cat"), title="My cat!"), figure("train")
    kept = OWN_FIGURES.keep(cat, ["pets", " our  Tom ", "pets", ""])
    assert (kept.key, kept.tags) == ("my-cat", ("pets", "our Tom"))
    assert OWN_FIGURES.keep(train).key == "train"
    assert OWN_FIGURES.keep(replace(cat, rings=figure("dog").rings)).key == "my-cat-2"
    found, problems = OWN_FIGURES.items()
    assert [(one.key, one.tags) for one in found] == [("my-cat", kept.tags), ("my-cat-2", ()), ("train", ())]
    assert not problems and found[0].item.area == pytest.approx(cat.area, abs=1e-4)
    assert len(found[2].item.parts) == len(train.parts) > 1
    assert OWN_FIGURES.keep(found[0].item, ["cats"]).key == "my-cat" and OWN_FIGURES.items()[0][0].tags == ("cats",)
    (tmp_path / "puzzle-studio" / "figures" / "broken.json").write_text("{")
    found, problems = OWN_FIGURES.items()
    assert len(found) == 3 and len(problems) == 1 and "broken.json is left out: " in problems[0]
    broken = OWN_FIGURES.keep(replace(cat, title="Broken"))
    assert broken.key == "broken-2", "a file that cannot be read is not written over"
    assert OWN_FIGURES.renamed(broken, "Ginger").item.title == OWN_FIGURES.named("broken-2").item.title == "Ginger"
    OWN_FIGURES.discard("broken-2")
    OWN_FIGURES.discard("my-cat-2")
    assert [one.key for one in OWN_FIGURES.items()[0]] == ["my-cat", "train"]
    with pytest.raises(StudioError, match="Unknown figure of the library 'cow'"):
        OWN_FIGURES.discard("cow")

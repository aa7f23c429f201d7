"""The paper of a zigzaw: a label, the answer with every number, and as many stickers as there are limbs."""

import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.progress import Progress
from studio.geometry.curves.strokes import Floats
from studio.paper.leaflet import Area, Leaflet, Line, Page, Words, ensure_writable
from studio.puzzles.zigzaw.answers import answer_sheet, proof_of
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.geometry import shape
from studio.puzzles.zigzaw.model import ZigzawParameters, layout
from studio.solving.assembly import Count
from studio.solving.edges import Solutions

A4, LETTER = (210.0, 297.0), (215.9, 279.4)


@cache
def leaflet(size: tuple[float, float] = A4, **changes: Any) -> Leaflet:
    design = generate(ZigzawParameters(columns=4, rows=3), Progress())
    changed = replace(design, parameters=replace(design.parameters, **changes))
    return answer_sheet(shape(changed, None, Progress()), "Pond", size, Progress())


def words(page: Page) -> list[str]:
    return [mark.text for group in page.groups for mark in group.marks if isinstance(mark, Words)]


def stickers(made: Leaflet) -> list[Area]:
    return [m for page in made.pages[2:] for group in page.groups for m in group.marks if isinstance(m, Area)]


def points_of(mark: object) -> Floats:
    if isinstance(mark, Area):
        return np.concatenate(mark.rings)
    if isinstance(mark, Line):
        return mark.points
    assert isinstance(mark, Words)
    return np.array([mark.place])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [A4, LETTER])
@pytest.mark.parametrize("changes", [{}, {"edge": 30.0}, {"edge": 60.0, "border": 100.0}, {"side": "back"}])
def test_everything_lies_on_its_page(size: tuple[float, float], changes: dict[str, Any]) -> None:
    made = leaflet(size, **changes)
    ensure_writable(made)
    for page in made.pages:
        for mark in (mark for group in page.groups for mark in group.marks):
            points = points_of(mark)
            assert (points >= 5).all() and (points <= np.array(size) - 5).all()


def test_the_label_has_name_size_and_proof() -> None:
    said = words(leaflet().pages[0])
    assert said[:2] == ["Pond", "Zigzaw, 12 pieces"]
    assert any(text.startswith("Unique solution (exhaustive search") for text in said)
    paints = generate(ZigzawParameters(columns=4, rows=3), Progress()).palette[:6]
    assert said[-len(paints) :] == [paint.name for paint in paints]


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        (Count(1, True, 90, 0.1), "Unique solution (exhaustive search, 90 pieces tried)."),
        (Count(2, True, 90, 0.1), "2 solutions; this is one of them."),
        (Count(2, False, 90, 0.1), "At least 2 solutions; this is one of them."),
        (Count(1, False, 4000, 0.1), "Search stopped after 4,000 pieces tried: there may be more than one solution."),
        (Count(0, False, 4000, 0.1), "Search stopped after 4,000 pieces tried: there may be more than one solution."),
    ],
)
def test_the_label_says_one_solution_only_where_that_is_proven(count: Count, sentence: str) -> None:
    assert proof_of(Solutions((), count, 12)) == sentence


def test_the_answer_has_every_number_once_and_says_its_scale() -> None:
    said = words(leaflet().pages[1])
    assert sorted(int(text) for text in said if text.isdigit()) == list(range(1, 13))
    assert re.search(r"scale 1 : 1\.\d\d\.$", said[1])
    assert words(leaflet(edge=4.0).pages[1])[1].endswith("actual size.")


def test_there_is_a_sticker_for_every_limb_and_for_every_face_of_the_frame_in_true_size() -> None:
    made = leaflet()
    design = generate(ZigzawParameters(columns=4, rows=3), Progress())
    own = stickers(made)
    limbs = 12 * len(design.body.limbs)
    assert len(own) >= limbs + 2 * (4 + 3)
    covered = sum(shapely.Polygon(area.rings[0]).area for area in own)
    whole = len(layout(design.parameters).stickers) * 27 * 8.9**2 * 3**0.5 / 2
    assert 0.75 * whole < covered < whole


def test_stickers_are_counted_by_colour() -> None:
    made = leaflet()
    heads = [text for page in made.pages[2:] for text in words(page) if text.endswith("stickers")]
    counted = {text.split(":")[0]: int(text.split()[-2]) for text in heads}
    palette = {paint.colour: paint.name for paint in generate(ZigzawParameters(columns=4, rows=3), Progress()).palette}
    found: dict[str, int] = {}
    for area in stickers(made):
        found[palette[area.fill]] = found.get(palette[area.fill], 0) + 1
    assert counted == found


def test_stickers_of_a_sheet_lie_apart() -> None:
    for page in leaflet().pages[2:]:
        areas = [
            shapely.Polygon(mark.rings[0]) for group in page.groups for mark in group.marks if isinstance(mark, Area)
        ]
        tree = shapely.STRtree(areas)
        left, right = tree.query(areas, predicate="intersects")
        assert (left == right).all()


def test_limbs_larger_than_the_paper_are_cut_as_single_stickers() -> None:
    corners = {len(area.rings[0]) for area in stickers(leaflet(edge=60.0))}
    assert corners == {4}

"""Pictures as tops of cubes: colours measured as others measure them, nearest paints, areas that come out right."""

import io
from functools import cache

import numpy as np
import pytest
from PIL import Image

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.geometry.art.artwork import pixels_in
from studio.geometry.curves.strokes import Floats
from studio.puzzles.zigzaw.colours import distance, of_paints, pixels
from studio.puzzles.zigzaw.generate import carry, generate, proof, with_paints, with_picture
from studio.puzzles.zigzaw.model import LETTERS, Paint, Photo, ZigzawDesign, ZigzawParameters, is_place, palette
from studio.puzzles.zigzaw.piece_forms import Cube
from tests.depth import examples

MOST_PIXELS = 2000


def photo(shades: Floats, kind: str = "PNG") -> Photo:
    """A file of shades (h, w, 3) from 0 to 1."""
    file = io.BytesIO()
    Image.fromarray((255 * shades).round().astype(np.uint8)).save(file, kind, quality=85)
    return Photo(file.getvalue())


@cache
def sunset() -> Photo:
    """A sky that goes over, a sun, a sea with waves, and some noise, as a JPEG of 400 × 350."""
    x, y = np.meshgrid(np.linspace(-1, 1, 400), np.linspace(-1, 1, 350))
    sky = np.dstack([0.5 + 0.3 * y, 0.7 + 0.3 * y, 0.95 + 0 * y])
    sea = np.dstack([0 * x, 0.25 + 0.15 * np.sin(12 * x + 20 * y), 0.45 + 0 * x])
    whole = np.where(((x - 0.4) ** 2 + (y + 0.45) ** 2 < 0.08)[..., None], [1.0, 0.8, 0.1], sky)
    whole = np.where((y > 0.25)[..., None], sea, whole)
    noise = np.random.default_rng(1).normal(0, 0.02, whole.shape)
    return photo((whole + noise).clip(0, 1), "JPEG")


def test_a_flat_picture_gives_every_top_its_paint() -> None:
    for number, paint in enumerate(palette("cube")[:6]):
        shade = np.array([int(paint.colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
        design = with_picture(
            generate(ZigzawParameters(columns=5, rows=4, scheme="any", dither=False), SILENT),
            photo(np.broadcast_to(shade, (30, 40, 3))), SILENT,
        )  # fmt: skip
        assert {triple[0] for triple in design.triples.values()} == {LETTERS[number]}
        assert tops_apart(design) < 1e-9 < distance(design), "the sides have other colours"


def tops_apart(design: ZigzawDesign) -> float:
    """Mean distance in OKLab of the tops alone from the picture, each taken with its six neighbours."""
    assert design.picture is not None
    known, wanted = of_paints(design.palette), pixels(design.picture, design.parameters)
    off = {cube: known[LETTERS.index(triple[0])] - wanted[cube] for cube, triple in design.triples.items()}
    steps = ("", "E", "SE", "SW", "W", "NW", "NE")
    places = [cube for cube in off if is_place(design.parameters, cube)]
    return float(np.mean([np.linalg.norm(np.mean([off[one.beside(s)] for s in steps], axis=0)) for one in places]))


def test_undithered_tops_have_the_nearest_of_all_paints() -> None:
    parameters = ZigzawParameters(columns=12, rows=10, scheme="any", dither=False)
    design = with_picture(generate(parameters, SILENT), sunset(), SILENT)
    known, wanted = of_paints(design.palette)[:6], pixels(sunset(), parameters)
    for cube, triple in design.triples.items():
        apart = np.linalg.norm(known - wanted[cube], axis=1)
        assert apart[LETTERS.index(triple[0])] == apart.min()


def test_a_photograph_is_unique_and_dithered_areas_come_out_nearer() -> None:
    size = examples(12, 20)
    flat, mixed = (
        with_picture(
            generate(ZigzawParameters(columns=size, rows=size, scheme="any", dither=dither), SILENT), sunset(), SILENT
        )
        for dither in (False, True)
    )
    for design in (flat, mixed):
        count = proof(design, SILENT).count
        assert (count.solutions, count.complete) == (1, True)
    assert tops_apart(mixed) < 0.1 and tops_apart(mixed) < 0.7 * tops_apart(flat)


def test_the_whole_picture_is_judged_with_its_sides_and_more_colours_come_nearer() -> None:
    few, many = (
        with_picture(
            generate(ZigzawParameters(columns=10, rows=10, scheme="any", colours=colours), SILENT), sunset(), SILENT
        )
        for colours in (6, 12)
    )
    assert distance(few) > 0.15 > distance(many) > tops_apart(many)


def test_the_picture_fills_the_places_and_is_not_stretched() -> None:
    # A white disc in the middle of a wide picture is as wide as tall, measured on the board.
    x, y = np.meshgrid(np.linspace(-2, 2, 800), np.linspace(-1, 1, 400))
    disc = np.where((x**2 + y**2 < 0.36)[..., None], 1.0, np.zeros(3))
    parameters = ZigzawParameters(columns=20, rows=20)
    light = {cube: shade[0] for cube, shade in pixels(photo(disc), parameters).items() if is_place(parameters, cube)}
    lit = np.array(
        [(cube.origin[0] * np.sqrt(3) / 2, cube.origin[1] / 2) for cube, shade in light.items() if shade > 0.5]
    )
    wide, tall = np.ptp(lit, axis=0)
    assert wide == pytest.approx(tall, rel=0.12)
    assert lit.mean(axis=0) == pytest.approx(
        np.mean([(c.origin[0] * np.sqrt(3) / 2, c.origin[1] / 2) for c in light], axis=0), abs=2
    )


def test_the_picture_stays_through_another_size_and_is_matched_to_another_palette() -> None:
    design = with_picture(generate(ZigzawParameters(columns=6, rows=6, scheme="any"), SILENT), sunset(), SILENT)
    larger = carry(ZigzawParameters(columns=9, rows=8, scheme="any"), design, SILENT).design
    assert larger.picture == design.picture and distance(larger) < 0.2
    paints = tuple(
        Paint(f"Grey {number}", f"#{51 * number:02X}{51 * number:02X}{51 * number:02X}") for number in range(6)
    )
    grey = with_paints(design, paints, SILENT)
    assert grey.paints == paints and grey.cubes != design.cubes
    coloured = carry(ZigzawParameters(columns=6, rows=6, scheme="any", palette="pastel"), design, SILENT).design
    assert coloured.cubes != design.cubes


def test_without_a_picture_a_palette_changes_no_cube() -> None:
    design = generate(ZigzawParameters(columns=6, rows=6), SILENT)
    assert with_paints(design, palette("safe"), SILENT).cubes == design.cubes


def test_grey_of_16_bits_and_what_is_clear_are_seen_as_they_look() -> None:
    parameters = ZigzawParameters(columns=4, rows=4)
    file = io.BytesIO()
    Image.fromarray(np.full((20, 30), 119 * 257, np.uint16)).save(file, "PNG")
    shades = pixels(Photo(file.getvalue()), parameters)
    assert all(shade == pytest.approx([0.5688, 0, 0], abs=2e-3) for shade in shades.values())
    file = io.BytesIO()
    Image.new("RGBA", (20, 30), (0, 0, 0, 0)).save(file, "PNG")
    assert all(
        shade == pytest.approx([1, 0, 0], abs=1e-3) for shade in pixels(Photo(file.getvalue()), parameters).values()
    )


def test_a_large_picture_is_made_smaller_before_it_is_averaged() -> None:
    file, size, less = io.BytesIO(), examples(2400, 7000), examples(1200, 1750)
    Image.new("1", (size, size), 1).save(file, "PNG")
    assert pixels_in(file.getvalue(), MOST_PIXELS).shape == (less, less, 4), "the largest takes gigabytes"
    shades = pixels(Photo(file.getvalue()), ZigzawParameters(columns=4, rows=4))
    assert all(shade == pytest.approx([1, 0, 0], abs=1e-3) for shade in shades.values())


def test_what_is_no_picture_is_refused_in_a_sentence() -> None:
    design = generate(ZigzawParameters(columns=4, rows=4), SILENT)
    whole = sunset().data
    for data in (b"", b"GIF89a", whole[: len(whole) // 2]):
        with pytest.raises(StudioError, match=r"\.$"):
            with_picture(design, Photo(data), SILENT)
    assert Cube(1, 1) in design.triples

"""Colours are read off pictures as they were painted; what is not sure is doubted, and what is no piece is refused."""

import io
import re
from functools import cache
from zipfile import ZipFile

import numpy as np
import pytest
from PIL import Image

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.geometry.art.artwork import Pixels, pixels_in, png_of
from studio.puzzles.abilities.ability import Source
from studio.puzzles.zigzaw.generate import assembled, generate
from studio.puzzles.zigzaw.kind import PictureOptions
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters, layout, matching, numbers
from studio.puzzles.zigzaw.photographs import read, readings, write
from studio.puzzles.zigzaw.piece_forms import BODIES, DIVISION, HALF
from studio.puzzles.zigzaw.reading import BORDER, Readings, Spot, read_pictures
from studio.solving.edges import UNKNOWN
from tests.depth import examples
from tests.puzzles.zigzaw.photographed import border_of, photographed, pieces_of

EDGE = 14.0


def generated(**parameters: object) -> ZigzawDesign:
    return generate(ZigzawParameters(**parameters), SILENT)  # type: ignore[arg-type]


SMALL = generated(columns=4, rows=3, seed=5)


def painted(design: ZigzawDesign) -> list[list[str]]:
    """The names of the colours of every piece's limbs, in the order of their numbers."""
    order = sorted(zip(numbers(design).tolist(), matching(design).pieces, strict=True))
    return [[design.palette[paint].name for paint in piece] for _, piece in order]


def read_of(found: Readings) -> list[list[str]]:
    return [[found.paints[one.paint].name for one in piece.limbs] for piece in found.pieces]


def limb(number: int, name: str) -> Spot:
    return Spot(number - 1, SMALL.body.numbers[name])


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(examples(6, 20)))
def test_pieces_and_border_are_read_through_noise_and_jpeg_as_they_were_painted(seed: int) -> None:
    design = generated(
        columns=3 + seed % 5, rows=3 + seed % 4, seed=seed, scheme=("real", "any")[seed % 2],
        palette=("cube", "pastel", "safe")[seed % 3], body=list(BODIES)[seed % len(BODIES)],
    )  # fmt: skip
    chance = np.random.default_rng(seed)
    quality, noise = (60, 75, 90)[seed % 3], (4.0, 8.0)[seed % 2]
    pieces = [(name, photographed(one, chance, noise=noise, quality=quality)) for name, one in pieces_of(design)]
    found = read_pictures(pieces, photographed(border_of(design), chance, noise=noise, quality=quality), SILENT)
    p = design.parameters
    assert (found.columns, found.rows, found.body) == (p.columns, p.rows, p.body)
    assert read_of(found) == painted(design)
    assert {side: one.paint for side, one in found.border.items()} == {
        side: matching(design).given[side] for side in layout(p).border
    }
    assert list(found.doubts()) == []
    again = assembled(found.loose(), SILENT)
    assert painted(again) == painted(design)


def test_warm_light_does_not_matter() -> None:
    chance, light = np.random.default_rng(3), (0.97, 0.9, 0.8)
    pieces = [(name, photographed(one, chance, light=light)) for name, one in pieces_of(SMALL)]
    found = read_pictures(pieces, photographed(border_of(SMALL), chance, light=light), SILENT)
    assert read_of(found) == painted(SMALL) and not list(found.doubts())


def test_a_border_cut_off_at_its_cubes_middles_is_read_too() -> None:
    whole = border_of(SMALL, 20.0)
    width, height = round(6 * 6 * 20 * DIVISION), round((9 * 3 + 13) * 20 * HALF)
    top = round(20 * HALF)
    cut = whole[top : top + height, :width]
    # A picture that was cut off is a rectangle, whatever is in its middle.
    paper = np.dstack([np.full(cut.shape[:2], 200, np.uint8)] * 3 + [np.full(cut.shape[:2], 255, np.uint8)])
    flat = np.where(cut[..., 3:] > 127, cut, paper)
    flat[..., 3] = 255
    found = read_pictures(pieces_of(SMALL), flat, SILENT)
    assert (found.columns, found.rows) == (4, 3) and not list(found.doubts())
    assert painted(assembled(found.loose(), SILENT)) == painted(SMALL)


def test_bare_faces_of_a_border_are_not_known() -> None:
    bare = tuple(row if number < 4 else row[:1] + ".. " + row[4:] for number, row in enumerate(SMALL.cubes))
    design = ZigzawDesign(SMALL.parameters, bare)
    chance = np.random.default_rng(4)
    found = read_pictures(pieces_of(design), photographed(border_of(design), chance), SILENT)
    assert len(found.border) == len(layout(design.parameters).border) - 2 and not list(found.doubts())
    assert assembled(found.loose(), SILENT).cubes == design.cubes


def with_limb(colour: tuple[int, int, int, int], share: float = 1.0) -> Readings:
    """Readings of SMALL whose piece 3 has a share of another colour where its left leg is."""
    pieces = [*pieces_of(SMALL)]
    pixels = pieces[2][1].copy()
    # The left leg reaches furthest to the upper left.
    part = pixels[: round(2.9 * EDGE), : round(2.8 * DIVISION * EDGE)]
    there = part[..., 3] > 127
    part[there] = np.rint((1 - share) * part[there] + share * np.array(colour)).astype(np.uint8)
    pieces[2] = pieces[2][0], pixels
    return read_pictures(pieces, border_of(SMALL), SILENT)


@pytest.mark.parametrize(
    ("colour", "words"),
    [
        ((0, 0, 0, 255), r"left leg of piece 3 matches no colour \(read #000000: \w+, perhaps \w+\)"),
        ((228, 80, 44, 255), r"left leg of piece 3 is between two colours \(read #E4502C: Orange, perhaps Red\)"),
    ],
)
def test_a_colour_that_is_none_or_between_two_is_doubted(colour: tuple[int, int, int, int], words: str) -> None:
    (doubt,) = with_limb(colour).doubts()
    assert re.fullmatch(words, doubt), doubt


def test_a_limb_that_cannot_be_seen_is_doubted_until_it_is_chosen() -> None:
    pieces = [*pieces_of(SMALL)]
    pixels = pieces[2][1].copy()
    edge = 4 * round(EDGE * DIVISION) // 4
    pixels[4 : round(2.6 * EDGE), 3 : round(2.7 * edge), 3] = 0
    pieces[2] = pieces[2][0], pixels
    found = read_pictures(pieces, border_of(SMALL), SILENT)
    at = limb(3, "left_leg")
    assert found.at(at).paint == UNKNOWN and not found.is_whole
    assert list(found.doubts()) == ["left leg of piece 3 is not visible"]
    with pytest.raises(StudioError, match=r"^the left leg of piece 3 is not visible\.$"):
        found.loose()
    right = matching(SMALL).pieces[numbers(SMALL).tolist().index(3)][at.part]
    chosen = found.with_paint(at, right)
    assert list(chosen.doubts()) == [] and painted(assembled(chosen.loose(), SILENT)) == painted(SMALL)


def test_a_blurred_piece_is_doubted() -> None:
    chance = np.random.default_rng(1)
    pieces = [(name, photographed(one, chance)) for name, one in pieces_of(SMALL)]
    pieces[6] = "piece 7", photographed(pieces_of(SMALL)[6][1], chance, blur=9.0)
    try:
        doubts = list(read_pictures(pieces, border_of(SMALL), SILENT).doubts())
    except StudioError as problem:
        doubts = [str(problem)]
    assert doubts and all("piece 7" in doubt for doubt in doubts)


def test_a_side_of_the_border_can_be_corrected() -> None:
    found = with_limb((0, 0, 0, 0), 0.0)
    side = min(found.border)
    spot = Spot(BORDER, side)
    other = (found.border[side].paint + 1) % 6
    assert found.with_paint(spot, other).loose().border[side] == other
    assert found.with_paint(spot, other).at(spot).is_chosen and not found.border[side].is_chosen


def turned(pixels: Pixels) -> Pixels:
    return np.ascontiguousarray(np.rot90(pixels))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (turned, r"^piece 2 does not look like a frog in its picture \(98 × 108 pixels\)\. .*\.$"),
        (lambda one: one[:, ::-1], r"^piece 2 does not look like a frog .*\.$"),
        (lambda one: one * np.array([1, 1, 1, 0], np.uint8), r"^piece 2 is not visible in its picture\.$"),
        (
            lambda one: one[::5, ::5],
            r"^piece 2 is too small: its stickers are 2\.\d pixels wide and need at least 4\.$",
        ),
    ],
)
def test_what_is_no_picture_of_a_piece_is_refused_by_its_name(change: object, sentence: str) -> None:
    pieces = [*pieces_of(SMALL)]
    pieces[1] = pieces[1][0], change(pieces[1][1])  # type: ignore[operator]
    with pytest.raises(StudioError, match=sentence):
        read_pictures(pieces, border_of(SMALL), SILENT)


def test_a_border_of_another_board_is_refused() -> None:
    with pytest.raises(StudioError, match=r"^the border \(\d+ × \d+ pixels\) does not match 12 pieces\. Crop .*\.$"):
        read_pictures(pieces_of(SMALL), border_of(generated(columns=12, rows=3), 7.0), SILENT)
    with pytest.raises(
        StudioError, match=r"^11 pieces do not fill a board of 3 to 40 columns and rows\. Is a picture missing\?$"
    ):
        read_pictures(pieces_of(SMALL)[:11], border_of(SMALL), SILENT)


# Files


@cache
def packed(design: ZigzawDesign) -> bytes:
    return write(design, PictureOptions(), SILENT)


def sources(design: ZigzawDesign) -> list[Source]:
    with ZipFile(io.BytesIO(packed(design))) as archive:
        return [Source(name, archive.read(name)) for name in archive.namelist()]


def test_files_and_a_zip_file_of_them_are_read_alike() -> None:
    files = sources(SMALL)
    assert [one.name for one in files] == [*(f"piece {number}.png" for number in range(1, 13)), "border.png"]
    found = read([Source("a.zip", packed(SMALL))], SILENT)
    assert read(files[::-1], SILENT) == found and painted(found) == painted(SMALL)


@pytest.mark.thorough
def test_large_photographs_with_much_around_the_pieces_are_read() -> None:
    files = []
    for source in sources(SMALL):
        pixels = np.kron(pixels_in(source.data), np.ones((4, 4, 1), np.uint8))
        paper = np.full((3000, 4000, 4), 240, np.uint8)
        part = paper[500 : 500 + pixels.shape[0], 300 : 300 + pixels.shape[1]]
        part[:] = np.where(pixels[..., 3:] > 127, pixels, part)
        paper[..., 3] = 255
        files.append(Source(source.name, png_of(paper)))
    found = readings(files, SILENT)
    assert painted(assembled(found.loose(), SILENT)) == painted(SMALL) and not list(found.doubts())
    assert max(piece.pixels.shape[1] for piece in found.pieces) < 300


def test_a_gif_counted_from_zero_is_read() -> None:
    files = []
    for source in sources(SMALL):
        file = io.BytesIO()
        Image.open(io.BytesIO(source.data)).save(file, "GIF")
        digits = re.findall(r"\d+", source.name)
        name = f"piece.{int(digits[0]) - 1}.gif" if digits else "border.gif"
        files.append(Source(name, file.getvalue()))
    assert painted(read(files, SILENT)) == painted(SMALL)


def test_doubts_are_told_and_nothing_is_guessed() -> None:
    files = sources(SMALL)
    pixels = pixels_in(files[0].data).copy()
    pixels[pixels[..., 3] > 127] = (20, 20, 20, 255)
    files[0] = Source(files[0].name, png_of(pixels))
    with pytest.raises(StudioError) as told:
        read(files, SILENT)
    sentence = str(told.value)
    assert sentence.startswith("7 uncertain colours: body of piece 1 matches no colour (read #141414: ")
    assert sentence.endswith(" and 3 more. Correct them in the Import view of a zigzaw's window.")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda f: f[:-1], "the picture of the border is missing; name it border.png."),
        (lambda f: [*f, Source("frame.png", b"")], "only one picture of the border is allowed; found .*frame.png."),
        (lambda f: [*f, Source("frog.png", b"")], "frog.png has no piece number in its name; the border .*png."),
        (lambda f: [*f, Source("p 3.png", b"")], "piece 3.png and p 3.png have the same number."),
        (lambda f: [Source("p 1.png", b"frog"), *f[1:]], "p 1.png: it is not a PNG, JPEG .*"),
        (lambda f: [Source("p 1.png", f[0].data[:200]), *f[1:]], "p 1.png: it is not a PNG, JPEG .*"),
        (lambda f: f[-3:], "there are 2 pictures of pieces; a board has 9 to 1600."),
        (lambda f: [Source("a.zip", b"PK" + bytes(50))], "it is not a ZIP file, or it is incomplete."),
    ],
)  # fmt: skip
def test_files_that_are_no_puzzle_are_refused(change: object, sentence: str) -> None:
    with pytest.raises(StudioError) as told:
        readings(change(sources(SMALL)), SILENT)  # type: ignore[operator]
    assert re.fullmatch(sentence, str(told.value)), str(told.value)

import io
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageChops, ImageDraw

from studio.base.errors import StudioError
from studio.exporting.formats import PNG, Options
from studio.exporting.laser_files import write
from studio.exporting.options import PngOptions, Unreadable
from studio.exporting.proof import SheetReport
from studio.exporting.writers.path_segments import ready
from studio.exporting.writers.png import png
from studio.geometry.art.artwork import Picture, Region
from studio.geometry.curves.strokes import Curves, Floats, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces
from tests.export import png_proof, proofs

Grid = Callable[..., Drawing]
NONE = Pieces(np.empty(0, np.int64), np.zeros(1, np.int64), ())
COARSE = Options(dpi=72)
HALF = Options(dpi=150)
"""Half the usual resolution: a quarter of the pixels."""


def of_lines(width: float, height: float, *lines: tuple[Operation, Floats]) -> Drawing:
    """A drawing of straight lines from an operation and two ends each."""
    strokes = straight(np.array([ends for _, ends in lines], float))
    chains = tuple(Chain(operation, np.array([2 * number])) for number, (operation, _) in enumerate(lines))
    return Drawing(width, height, strokes, chains, NONE)


def box(left: float, top: float, right: float, bottom: float) -> Floats:
    """A ring round a rectangle."""
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], float)


def opened(drawing: Drawing, options: PngOptions) -> Image.Image:
    return Image.open(io.BytesIO(png(drawing, options)))


def colours(drawing: Drawing, options: PngOptions) -> Floats:
    """The picture as rows of red, green and blue on white paper, from 0 to 255."""
    image = opened(drawing, options).convert("RGBA")
    paper = Image.new("RGBA", image.size, "white")
    return np.asarray(Image.alpha_composite(paper, image).convert("RGB"), float)


@pytest.mark.parametrize(
    ("size", "dpi", "pixels"),
    [((60, 40), 300, (709, 473)), ((25.4, 50.8), 100, (100, 200)), ((60, 40), 10, (24, 16)), ((1, 1), 2400, (95, 95))],
)
def test_a_picture_has_the_pixels_of_its_size_and_states_its_resolution(
    size: tuple[float, float], dpi: int, pixels: tuple[int, int]
) -> None:
    image = opened(of_lines(*size, (Operation.INNER, np.array([(0, 0), size]))), Options(dpi=dpi))
    assert image.format == "PNG" and image.size == pixels
    assert image.info["dpi"] == pytest.approx((dpi, dpi), abs=0.013)


def test_lines_run_where_they_should_and_are_as_wide_as_asked_for() -> None:
    # At 254 dpi a millimetre has ten pixels.
    drawing = of_lines(30, 20, (Operation.INNER, np.array([(10, 5), (10, 15)])))
    for width in (0.3, 1.0, 2.0):
        ink = 1 - colours(drawing, Options(dpi=254, line_width=width))[:, :, 1] / 255
        across, down = ink[100], ink[:, 100]
        assert across.sum() == pytest.approx(10 * width, abs=0.3)
        assert (across * (np.arange(300) + 0.5)).sum() / across.sum() == pytest.approx(100, abs=0.2)
        # Round ends reach half a width beyond.
        assert down.sum() == pytest.approx(100 + 10 * width, abs=1.0)


def test_no_line_is_thinner_than_a_pixel() -> None:
    drawing = of_lines(30, 20, (Operation.INNER, np.array([(10.2, 2), (10.2, 18)])))
    ink = 1 - colours(drawing, Options(dpi=50, line_width=0.01))[:, :, 1] / 255
    assert 1.0 <= ink[20].sum() <= 1.3


def test_slanted_lines_are_smooth() -> None:
    drawing = of_lines(30, 20, (Operation.INNER, np.array([(2, 3), (28, 9)])))
    shades = np.unique(colours(drawing, Options(dpi=100))[:, :, 1])
    assert len(shades) > 8


def test_every_operation_has_its_colour_and_the_later_one_lies_above() -> None:
    drawing = of_lines(
        30, 20,
        (Operation.ENGRAVE, np.array([(5, 5), (25, 5)])),
        (Operation.SCORE, np.array([(5, 10), (25, 10)])),
        (Operation.BORDER, np.array([(15, 2), (15, 18)])),
    )  # fmt: skip
    seen = colours(drawing, Options(dpi=254, line_width=1.0))
    assert seen[50, 100].tolist() == [0, 0, 0]
    assert seen[100, 100].tolist() == [0, 0xE0, 0]
    assert seen[50, 150].tolist() == seen[100, 150].tolist() == [0, 0, 255]
    assert seen[150, 100].tolist() == [255, 255, 255]


def test_the_ground_is_white_or_nothing(grid: Grid) -> None:
    white, clear = (opened(grid(3, 2), Options(ground=ground)).convert("RGBA") for ground in ("white", "transparent"))
    assert set(np.asarray(white)[:, :, 3].ravel().tolist()) == {255}
    opacity = np.asarray(clear)[:, :, 3]
    assert opacity[100, 100] == 0 and opacity.max() == 255
    paper = Image.new("RGBA", clear.size, "white")
    aside = np.asarray(Image.alpha_composite(paper, clear), int) - np.asarray(white, int)
    assert np.abs(aside).max() <= 1


def test_a_picture_of_many_tiles_has_no_seams(grid: Grid, monkeypatch: pytest.MonkeyPatch) -> None:
    options = Options(dpi=150, line_width=0.7)
    whole = colours(grid(4, 3), options)
    monkeypatch.setattr("studio.exporting.writers.png.TILE", 37)
    aside = np.abs(whole - colours(grid(4, 3), options))
    # resvg may round an edge of a cut curve by a quarter of a pixel, and hardly ever does.
    assert aside.max() <= 64 and aside.mean() < 0.15


def test_wide_lines_have_no_slits_where_they_bend() -> None:
    """A circle in four cubics, as wide as a finger: the ring has the area that it must have."""
    k = 0.5522847498
    quarter = np.array([(1, 0), (1, k), (k, 1), (0, 1)])
    turns = [np.array([(0, 1), (-1, 0)]), np.array([(-1, 0), (0, -1)]), np.array([(0, -1), (1, 0)])]
    points = [quarter, *(quarter @ turn for turn in turns)]
    ring = Curves.from_strokes([20 + 10 * part for part in points])
    chain = Chain(Operation.BORDER, np.arange(0, 8, 2), closed=True)
    ink = 1 - colours(Drawing(40, 40, ring, (chain,), NONE), Options(dpi=254, line_width=4.0))[:, :, 0] / 255
    assert ink.sum() / 100 == pytest.approx(np.pi * (12**2 - 8**2), rel=0.01)
    middle = np.hypot(*(np.indices(ink.shape) + 0.5 - 200))
    assert ink[(middle > 83) & (middle < 117)].min() == 1
    assert ink[(middle < 78) | (middle > 122)].max() == 0


@pytest.mark.parametrize("sides", [(2500.0, 1250.0), (100.0, 5000.0), (4000.0, 4000.0)])
def test_too_large_a_picture_is_refused_with_the_resolution_that_would_do(sides: tuple[float, float]) -> None:
    drawing = of_lines(*sides, (Operation.INNER, np.array([(0, 0), sides])))
    with pytest.raises(StudioError, match=r"is too large \(maximum 20000 per side, 200 million in total\)\.") as caught:
        png(drawing, Options(dpi=2400))
    would = int(str(caught.value).split("in total). ")[1].removesuffix(" dpi would fit."))
    pixels = [side * would / 25.4 for side in sides]
    more = [side * (1.02 * would + 1) / 25.4 for side in sides]
    assert max(pixels) <= 20_000 and pixels[0] * pixels[1] <= 200e6
    assert max(more) > 20_000 or more[0] * more[1] > 200e6


def test_a_picture_that_no_resolution_makes_small_enough_is_refused() -> None:
    drawing = of_lines(90_000, 100, (Operation.INNER, np.array([(0, 0), (9, 9)])))
    with pytest.raises(StudioError, match="No resolution fits"):
        png(drawing, Options(dpi=10))


# The proof


def proven(data: bytes, drawing: Drawing, options: PngOptions) -> SheetReport:
    return proofs.proven(PNG, data, ready(drawing), options)


def repacked(data: bytes, change: Callable[[Image.Image], Image.Image | None]) -> bytes:
    """A picture that somebody opened, changed and saved."""
    image = Image.open(io.BytesIO(data))
    image.load()
    changed = change(image) or image
    out = io.BytesIO()
    changed.save(out, "PNG", dpi=image.info["dpi"])
    return out.getvalue()


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        COARSE,
        Options(dpi=20),
        Options(dpi=150, ground="transparent"),
        Options(dpi=150, line_width=3.0),
        Options(dpi=150, profile="single"),
    ],
    ids=repr,
)
def test_the_proof_finds_every_line(grid: Grid, options: PngOptions) -> None:
    drawing = grid(5, 4)
    found = proven(png(drawing, options), drawing, options)
    assert (found.chains, found.faces) == (8, 20)
    assert found.pixels == opened(drawing, options).size
    assert (found.width, found.height) == pytest.approx((100, 80), abs=25.4 / options.dpi + 0.1)


# At the first place of each line of a board of 3 by 3, the pieces on either side.
BESIDE = ("1/1–1/2", "3/2–3/3", "1/1–2/1", "2/3–3/3", "1/1")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("options", [Options(), Options(ground="transparent", profile="workshop"), COARSE], ids=repr)
@pytest.mark.parametrize("chain", range(5))
def test_a_line_that_is_missing_is_named(grid: Grid, options: PngOptions, chain: int) -> None:
    drawing = grid(3, 3)
    fewer = replace(drawing, chains=(*drawing.chains[:chain], *drawing.chains[chain + 1 :]))
    with pytest.raises(Unreadable, match=rf"line of piece {BESIDE[chain]} near x [0-9.]+, y [0-9.]+ mm is not visible"):
        proven(png(fewer, options), drawing, options)


def test_a_gap_of_two_millimetres_is_found(grid: Grid) -> None:
    drawing = grid(3, 3)

    def erase(image: Image.Image) -> None:
        ImageDraw.Draw(image).rectangle((0, 350, 20, 374), fill=0)

    with pytest.raises(Unreadable, match=r"near x 0.*is not visible"):
        proven(repacked(png(drawing, Options()), erase), drawing, Options())


def test_a_line_of_the_wrong_colour_is_found(grid: Grid) -> None:
    drawing = grid(3, 3)
    with pytest.raises(Unreadable, match="is not visible"):
        proven(png(drawing, Options(profile="single")), drawing, Options(profile="ponoko"))


def test_ink_that_belongs_to_no_line_is_found(grid: Grid) -> None:
    drawing = grid(3, 3)

    def blot(image: Image.Image) -> None:
        ImageDraw.Draw(image).rectangle((50, 50, 300, 300), fill=16)

    with pytest.raises(Unreadable, match=r"there is ink near x 4\.[0-9], y 4\.[0-9] mm, where no line is"):
        proven(repacked(png(drawing, Options()), blot), drawing, Options())


def test_a_picture_turned_or_scaled_or_of_another_resolution_is_found(grid: Grid) -> None:
    drawing = grid(3, 3)
    data = png(drawing, Options())
    turned = repacked(data, lambda image: image.transpose(Image.Transpose.FLIP_TOP_BOTTOM))
    with pytest.raises(Unreadable, match=r"there is ink near x 22.*, where no line is"):
        proven(turned, drawing, Options())
    smaller = repacked(data, lambda image: image.resize((600, 600), Image.Resampling.NEAREST))
    with pytest.raises(Unreadable, match=r"it is 50\.8\d* × 50\.8\d* mm, not 60 × 60 mm"):
        proven(smaller, drawing, Options())
    with pytest.raises(Unreadable, match="not 301"):
        proven(data, drawing, Options(dpi=301))


def part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def test_a_picture_that_is_not_ours_is_refused(grid: Grid) -> None:
    drawing = grid(3, 3)
    data = png(drawing, COARSE)
    metre = round(72 / 0.0254)
    resolution = part(b"pHYs", struct.pack(">IIB", metre, metre, 1))
    assert resolution in data
    for old, new, words in (
        (resolution, b"", "it has no resolution"),
        (resolution, part(b"pHYs", struct.pack(">IIB", metre, metre + 1, 1)), "it has no resolution"),
        (data[-30:-20], b"\0" * 10, "not a PNG picture"),
        (b"\x89PNG", b"\x88PNG", "not a PNG picture"),
    ):
        with pytest.raises(Unreadable, match=words):
            proven(data.replace(old, new), drawing, COARSE)
    with pytest.raises(Unreadable, match="no palette"):
        proven(repacked(data, lambda image: image.convert("RGB")), drawing, COARSE)


# Artwork

MIDDLE = of_lines(30, 20, (Operation.INNER, np.array([(15, 0), (15, 20)])))
RINGS = (box(2, 2, 12, 18), box(5, 5, 9, 15))


def photograph(columns: int = 60, rows: int = 40, mode: str = "RGB") -> Image.Image:
    """A picture whose every corner has a colour of its own, and which no turn leaves as it is."""
    across, down = np.meshgrid(np.linspace(0, 1, columns), np.linspace(0, 1, rows))
    colours = np.stack([255 * across, 255 * down, 255 * (1 - across) * (1 - down), 255 * across**2], 2)
    image = Image.fromarray(colours.round().astype(np.uint8))
    return image if mode == "RGBA" else image.convert("RGB").convert(mode)


def framed(image: Image.Image, box: tuple[float, float, float, float], kind: str = "PNG") -> Picture:
    out = io.BytesIO()
    image.save(out, kind)
    return Picture.from_bytes(out.getvalue(), box)


def over(drawing: Drawing, *artwork: Region | Picture) -> Drawing:
    return replace(drawing, artwork=artwork)


# At 254 dpi a millimetre has ten pixels.
TENTHS = Options(dpi=254)
CLEAR_TENTHS = Options(dpi=254, ground="transparent")


def test_a_region_has_its_colour_and_its_hole_shows_the_ground() -> None:
    drawing = over(MIDDLE, Region(RINGS, "#12A4F8"))
    seen = colours(drawing, TENTHS)
    assert opened(drawing, TENTHS).mode == "RGB"
    inside = np.zeros((200, 300), bool)
    inside[20:180, 20:120] = True
    inside[50:150, 50:90] = False
    assert (seen[inside] == (0x12, 0xA4, 0xF8)).all()
    assert (seen[:, :140][~inside[:, :140]] == 255).all()
    assert seen[100, 150].tolist() == [255, 0, 0]


def test_a_region_is_smooth_and_covers_its_area() -> None:
    turn = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    disc = np.stack([7 + 5 * np.cos(turn), 10 + 5 * np.sin(turn)], 1)
    seen = 1 - colours(over(MIDDLE, Region((disc,), "#000000")), TENTHS)[:, :140, 0] / 255
    assert seen.sum() / 100 == pytest.approx(np.pi * 25, rel=0.001)
    assert len(np.unique(seen)) > 16


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_photograph_lies_where_it_should_at_true_size(kind: str) -> None:
    drawing = over(MIDDLE, framed(photograph(), (3, 4, 6, 8), kind))
    seen = colours(drawing, TENTHS)
    shown = np.asarray(photograph().resize((60, 80), Image.Resampling.BICUBIC), float)
    assert np.abs(seen[40:120, 30:90] - shown).mean() < (1 if kind == "PNG" else 6)
    seen[40:120, 30:90] = 255
    assert (seen[:, :140] == 255).all()


def test_the_edge_of_a_photograph_covers_part_of_a_pixel() -> None:
    black = framed(Image.new("L", (8, 8)), (3.025, 4, 6, 8))
    row = colours(over(MIDDLE, black), TENTHS)[80, :, 0]
    assert row[[29, 30, 31, 89, 90, 91]] == pytest.approx([255, 64, 0, 0, 191, 255], abs=1)


def test_a_photograph_much_finer_than_the_pixels_is_made_smaller_smoothly() -> None:
    chequered = Image.fromarray((255 * (np.indices((900, 900)).sum(axis=0) % 2)).astype(np.uint8))
    seen = colours(over(MIDDLE, framed(chequered, (2, 2, 10, 10))), Options(dpi=50))
    assert np.abs(seen[6:22, 6:22] - 127.5).max() <= 2


@pytest.mark.parametrize("mode", ["1", "L", "P", "I;16", "LA", "RGBA"])
def test_pictures_of_every_mode_are_shown(mode: str) -> None:
    image = photograph(mode="L") if mode == "I;16" else photograph(mode=mode)
    if mode == "I;16":
        image = Image.fromarray(np.asarray(image).astype(np.uint16) * 257)
    paper = Image.new("RGBA", image.size, "white")
    plain = photograph(mode="L") if mode == "I;16" else image
    shown = np.asarray(Image.alpha_composite(paper, plain.convert("RGBA")).convert("RGB"), float)
    seen = colours(over(MIDDLE, framed(image, (2, 2, 6, 4))), TENTHS)[20:60, 20:80]
    assert np.abs(seen - shown).max() <= 2


def test_the_first_of_the_artwork_is_lowest() -> None:
    low, high = Region((box(2, 2, 10, 10),), "#FF8000"), Region((box(6, 6, 14, 14),), "#0080FF")
    photo = framed(Image.new("RGB", (4, 4), "#123456"), (4, 4, 4, 4))
    seen = colours(over(MIDDLE, low, photo, high), TENTHS)
    assert seen[50, 50].tolist() == [0x12, 0x34, 0x56] and seen[70, 70].tolist() == [0, 0x80, 0xFF]
    seen = colours(over(MIDDLE, high, photo, low), TENTHS)
    assert seen[50, 50].tolist() == seen[70, 70].tolist() == [0xFF, 0x80, 0]


def test_where_no_artwork_is_a_transparent_ground_shows_through() -> None:
    drawing = over(MIDDLE, Region(RINGS, "#12A4F8"), framed(photograph(mode="RGBA"), (18, 2, 6, 4)))
    image = opened(drawing, CLEAR_TENTHS)
    seen = np.asarray(image)
    assert image.mode == "RGBA"
    assert seen[100, 70].tolist() == [0, 0, 0, 0] and seen[30, 30].tolist() == [0x12, 0xA4, 0xF8, 255]
    assert seen[100, 150].tolist() == [255, 0, 0, 255]
    assert np.abs(seen[20:60, 180:240, 3] - np.asarray(photograph(mode="RGBA"), float)[:, :, 3]).max() <= 1
    aside = colours(drawing, CLEAR_TENTHS) - colours(drawing, TENTHS)
    assert np.abs(aside).max() <= 1


def test_artwork_ends_at_the_page() -> None:
    drawing = over(MIDDLE, Region((box(-1e4, -50, 5, 1e6),), "#12A4F8"), framed(photograph(), (-30, 15, 33, 900)))
    seen = colours(drawing, TENTHS)
    assert (seen[:150, :50] == (0x12, 0xA4, 0xF8)).all() and (seen[:, 50:140] == 255).all()
    assert (seen[160:, :29] != (0x12, 0xA4, 0xF8)).any(axis=2).all()


def test_artwork_of_many_bands_has_no_seams(grid: Grid, monkeypatch: pytest.MonkeyPatch) -> None:
    artwork = Region((box(3, 3, 70, 50),), "#80C0A0"), framed(photograph(700, 500), (10, 9.3, 51.7, 44))
    options = Options(dpi=150, line_width=0.7)
    whole = colours(over(grid(4, 3), *artwork), options)
    monkeypatch.setattr("studio.exporting.writers.png.TILE", 37)
    aside = np.abs(whole - colours(over(grid(4, 3), *artwork), options))
    assert aside.max() <= 64 and aside.mean() < 0.15


def test_a_broken_picture_is_refused_with_its_place_and_nothing_is_written(grid: Grid, tmp_path: Path) -> None:
    whole = framed(photograph(), (12, 7, 20, 20))
    broken = Picture(whole.data[: len(whole.data) // 2], whole.media, whole.box)
    with pytest.raises(StudioError, match=r"^The picture at 12, 7 mm is damaged or truncated\.$"):
        write(over(grid(3, 3), broken), tmp_path / "board.png")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
def test_a_large_picture_takes_little_memory() -> None:
    """16 million pixels: a canvas of all of them would take 256 MB."""
    drawing = over(
        of_lines(400, 400, (Operation.INNER, np.array([(15, 0), (15, 20)]))),
        Region((box(0, 0, 400, 400),), "#80C0A0"),
        framed(photograph(), (50, 50, 300, 300)),
    )
    tracemalloc.start()
    png(drawing, TENTHS)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100e6


# The proof of artwork


def decorated(drawing: Drawing) -> Drawing:
    """A drawing on a photograph that has all of its lines in light and dark parts."""
    region = Region((box(5, 5, 30, 25), box(12, 12, 20, 18)), "#FF8000")
    return over(drawing, framed(photograph(300, 200), (0, 0, 55, 40)), region)


ON_ARTWORK = [
    HALF,
    COARSE,
    Options(dpi=150, ground="transparent"),
    Options(dpi=150, line_width=2.0, profile="ponoko"),
    Options(dpi=400, profile="single", ground="transparent"),
]


@pytest.mark.parametrize("options", ON_ARTWORK, ids=repr)
def test_the_proof_finds_every_line_on_artwork(grid: Grid, options: PngOptions) -> None:
    drawing = decorated(grid(3, 3))
    found = proven(png(drawing, options), drawing, options)
    assert (found.chains, found.faces) == (5, 9)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(12))
def test_the_proof_finds_every_line_on_any_artwork(grid: Grid, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(seed)
    board = grid(3, 2)
    artwork: list[Region | Picture] = []
    for mode in ("RGB", "LA", "RGBA"):
        left, top, width, height = chance.uniform((-60, -40, 0.01, 0.01), (60, 40, 120, 80)).tolist()
        columns, rows = chance.integers(1, 300, 2).tolist()
        artwork.append(framed(photograph(columns, rows, mode), (left, top, width, height)))
        rings = tuple(chance.uniform(-10, 70, (number, 2)) for number in chance.integers(3, 9, 3))
        artwork.append(Region(rings, f"#{chance.integers(1 << 24):06X}"))
    drawing = over(board, *(artwork[place] for place in chance.permutation(len(artwork))))
    options = Options(
        dpi=int(chance.choice([10, 72, 150, 300])),
        ground=str(chance.choice(["white", "transparent"])),
        line_width=float(chance.choice([0.01, 0.2, 5.0])),
        profile=str(chance.choice(["lightburn", "ponoko", "single"])),
    )
    monkeypatch.setattr(png_proof, "_MOST_PLACES", int(chance.choice([300, 10**6])))
    assert proven(png(drawing, options), drawing, options).faces == 6


@pytest.mark.sampled(8)
@pytest.mark.parametrize("options", ON_ARTWORK, ids=repr)
@pytest.mark.parametrize("chain", range(5))
def test_a_line_that_is_missing_on_artwork_is_named(grid: Grid, options: PngOptions, chain: int) -> None:
    drawing = decorated(grid(3, 3))
    fewer = replace(drawing, chains=(*drawing.chains[:chain], *drawing.chains[chain + 1 :]))
    with pytest.raises(Unreadable, match=rf"line of piece {BESIDE[chain]} near x [0-9.]+, y [0-9.]+ mm is not visible"):
        proven(png(fewer, options), drawing, options)


def test_lines_that_have_the_colour_of_the_artwork_are_taken_as_seen(grid: Grid) -> None:
    drawing = over(grid(3, 3), Region((box(0, 0, 60, 60),), "#FF0000"))
    assert proven(png(drawing, Options()), drawing, Options()).chains == 5


@pytest.mark.parametrize("options", [COARSE, Options(dpi=100, ground="transparent")], ids=repr)
def test_artwork_that_is_missing_or_elsewhere_is_found(grid: Grid, options: PngOptions) -> None:
    drawing = decorated(grid(3, 3))
    photo, region = drawing.artwork
    assert isinstance(photo, Picture) and isinstance(region, Region)
    other = Region(tuple(ring + np.array([0.5, 0.0]) for ring in region.rings), region.fill)
    shifted = replace(photo, box=(1.0, 0.0, 55.0, 40.0))
    mirrored = framed(photograph(300, 200).transpose(Image.Transpose.FLIP_LEFT_RIGHT), photo.box)
    for artwork in (
        (photo,), (region,), (region, photo), (photo, other), (shifted, region), (mirrored, region),
        (photo, replace(region, fill="#FF8008")), (photo, replace(region, rings=region.rings[:1])),
    ):  # fmt: skip
        with pytest.raises(Unreadable, match=r"does not show the artwork near x [0-9.]+, y [0-9.]+ mm"):
            proven(png(over(drawing, *artwork), options), drawing, options)
    with pytest.raises(Unreadable, match="not stored as colours"):
        proven(png(over(drawing), options), drawing, options)


def test_what_was_changed_in_a_picture_with_artwork_is_found(grid: Grid) -> None:
    drawing = decorated(grid(3, 3))
    data = png(drawing, Options())

    def moved(image: Image.Image) -> Image.Image:
        return ImageChops.offset(image, 12, 0)

    def blotted(image: Image.Image) -> None:
        ImageDraw.Draw(image).rectangle((100, 100, 140, 140), fill="#FF0000")

    def erased(image: Image.Image) -> None:
        ImageDraw.Draw(image).rectangle((0, 650, 20, 674), fill="#FFFFFF")

    for change, words in (
        (moved, "not show the artwork"),
        (lambda image: image.transpose(Image.Transpose.FLIP_LEFT_RIGHT), "not show the artwork"),
        (blotted, "not show the artwork"),
        (erased, "near x 0.*is not visible"),
        (lambda image: image.convert("RGBA"), "not stored as colours"),
    ):
        with pytest.raises(Unreadable, match=words):
            proven(repacked(data, change), drawing, Options())
    assert proven(repacked(data, lambda image: image.copy()), drawing, Options()).faces == 9


def test_on_a_transparent_ground_a_white_region_that_is_missing_is_found(grid: Grid) -> None:
    options = Options(ground="transparent")
    there, white = Region((box(5, 5, 15, 15),), "#80C0A0"), Region((box(25, 5, 35, 15),), "#FFFFFF")
    drawing = over(grid(3, 3), there, white)
    assert proven(png(drawing, options), drawing, options).faces == 9
    with pytest.raises(Unreadable, match="not show the artwork"):
        proven(png(over(drawing, there), options), drawing, options)

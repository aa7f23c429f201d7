import io
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageDraw

from studio.errors import StudioError
from studio.export.format import Unreadable
from studio.export.formats import Options
from studio.export.formats import png as module
from studio.export.formats.png import PNG, PngOptions, png
from studio.export.proof import SheetReport
from studio.export.ready import ready
from studio.geometry.curves import Curves, Floats, straight
from studio.geometry.drawing import Chain, Drawing, Operation, Pieces
from tests.export import proofs

Grid = Callable[..., Drawing]
NONE = Pieces(np.empty(0, np.int64), np.zeros(1, np.int64), ())
COARSE = Options(dpi=72)


def of_lines(width: float, height: float, *lines: tuple[Operation, Floats]) -> Drawing:
    """A drawing of straight lines from an operation and two ends each."""
    strokes = straight(np.array([ends for _, ends in lines], float))
    chains = tuple(Chain(operation, np.array([2 * number])) for number, (operation, _) in enumerate(lines))
    return Drawing(width, height, strokes, chains, NONE)


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
    monkeypatch.setattr(module, "_TILE", 37)
    aside = np.abs(whole - colours(grid(4, 3), options))
    # pillow may round an edge to the other side where a tile begins elsewhere: by one shade, and hardly ever.
    assert aside.max() <= 255 / 16 + 1 and np.count_nonzero(aside) < 1e-4 * aside.size


def test_wide_lines_have_no_slits_where_they_bend() -> None:
    """A circle in four cubics, as wide as a finger: the ring has the area that it must have."""
    k = 0.5522847498
    quarter = np.array([(1, 0), (1, k), (k, 1), (0, 1)])
    turns = [np.array([(0, 1), (-1, 0)]), np.array([(-1, 0), (0, -1)]), np.array([(0, -1), (1, 0)])]
    points = [quarter, *(quarter @ turn for turn in turns)]
    ring = Curves.of([20 + 10 * part for part in points])
    chain = Chain(Operation.BORDER, np.arange(0, 8, 2), closed=True)
    ink = 1 - colours(Drawing(40, 40, ring, (chain,), NONE), Options(dpi=254, line_width=4.0))[:, :, 0] / 255
    assert ink.sum() / 100 == pytest.approx(np.pi * (12**2 - 8**2), rel=0.01)
    middle = np.hypot(*(np.indices(ink.shape) + 0.5 - 200))
    assert ink[(middle > 83) & (middle < 117)].min() == 1
    assert ink[(middle < 78) | (middle > 122)].max() == 0


@pytest.mark.parametrize("sides", [(2500.0, 1250.0), (100.0, 5000.0), (4000.0, 4000.0)])
def test_too_large_a_picture_is_refused_with_the_resolution_that_would_do(sides: tuple[float, float]) -> None:
    drawing = of_lines(*sides, (Operation.INNER, np.array([(0, 0), sides])))
    with pytest.raises(StudioError, match="is too large; it may have 20000 a side and 200 million in all;") as caught:
        png(drawing, Options(dpi=2400))
    would = int(str(caught.value).split("in all; ")[1].removesuffix(" dpi would do."))
    pixels = [side * would / 25.4 for side in sides]
    more = [side * (1.02 * would + 1) / 25.4 for side in sides]
    assert max(pixels) <= 20_000 and pixels[0] * pixels[1] <= 200e6
    assert max(more) > 20_000 or more[0] * more[1] > 200e6


def test_a_picture_that_no_resolution_makes_small_enough_is_refused() -> None:
    drawing = of_lines(90_000, 100, (Operation.INNER, np.array([(0, 0), (9, 9)])))
    with pytest.raises(StudioError, match="no resolution would do"):
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
        Options(ground="transparent"),
        Options(line_width=3.0),
        Options(profile="single"),
    ],
    ids=repr,
)
def test_the_proof_finds_every_line(grid: Grid, options: PngOptions) -> None:
    drawing = grid(5, 4)
    found = proven(png(drawing, options), drawing, options)
    assert (found.chains, found.faces) == (8, 20)
    assert found.pixels == opened(drawing, options).size
    assert (found.width, found.height) == pytest.approx((100, 80), abs=25.4 / options.dpi + 0.1)


@pytest.mark.parametrize("options", [Options(), Options(ground="transparent", profile="workshop"), COARSE], ids=repr)
@pytest.mark.parametrize("chain", range(5))
def test_a_line_that_is_missing_is_named(grid: Grid, options: PngOptions, chain: int) -> None:
    drawing = grid(3, 3)
    fewer = replace(drawing, chains=drawing.chains[:chain] + drawing.chains[chain + 1 :])
    with pytest.raises(Unreadable, match=rf"its line {chain + 1} is not seen at [0-9.]+, [0-9.]+ mm"):
        proven(png(fewer, options), drawing, options)


def test_a_gap_of_two_millimetres_is_found(grid: Grid) -> None:
    drawing = grid(3, 3)

    def erase(image: Image.Image) -> None:
        ImageDraw.Draw(image).rectangle((0, 350, 20, 374), fill=0)

    with pytest.raises(Unreadable, match="is not seen at 0"):
        proven(repacked(png(drawing, Options()), erase), drawing, Options())


def test_a_line_of_the_wrong_colour_is_found(grid: Grid) -> None:
    drawing = grid(3, 3)
    with pytest.raises(Unreadable, match="is not seen"):
        proven(png(drawing, Options(profile="single")), drawing, Options(profile="ponoko"))


def test_ink_that_belongs_to_no_line_is_found(grid: Grid) -> None:
    drawing = grid(3, 3)

    def blot(image: Image.Image) -> None:
        ImageDraw.Draw(image).rectangle((50, 50, 300, 300), fill=16)

    with pytest.raises(Unreadable, match="more than the lines of the drawing"):
        proven(repacked(png(drawing, Options()), blot), drawing, Options())


def test_a_picture_turned_or_scaled_or_of_another_resolution_is_found(grid: Grid) -> None:
    drawing = grid(3, 3)
    data = png(drawing, Options())
    turned = repacked(data, lambda image: image.transpose(Image.Transpose.FLIP_TOP_BOTTOM))
    with pytest.raises(Unreadable, match="is not seen"):
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
        (resolution, b"", "states no resolution"),
        (resolution, part(b"pHYs", struct.pack(">IIB", metre, metre + 1, 1)), "states no resolution"),
        (data[-30:-20], b"\0" * 10, "no PNG picture"),
        (b"\x89PNG", b"\x88PNG", "no PNG picture"),
    ):
        with pytest.raises(Unreadable, match=words):
            proven(data.replace(old, new), drawing, COARSE)
    with pytest.raises(Unreadable, match="no palette"):
        proven(repacked(data, lambda image: image.convert("RGB")), drawing, COARSE)

"""Pictures as values: what can be one, what is refused and where it is, and what its pixels are."""

import io
import struct
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from studio.base.errors import StudioError
from studio.geometry.art import artwork
from studio.geometry.art.artwork import JPEG, PNG, Picture, Region, pixels_in, png_of

MOST_BYTES = 32 * 2**20

BOX = (20.0, 30.0, 40.0, 25.0)


def picture_bytes(image: Image.Image, name: str = "PNG", **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, name, **options)
    return file.getvalue()


def shaded(mode: str = "RGB", size: tuple[int, int] = (40, 25)) -> Image.Image:
    """A picture of which no two corners are alike."""
    columns, rows = size
    red, green = np.meshgrid(np.linspace(0, 255, columns), np.linspace(0, 255, rows))
    return Image.fromarray(np.dstack([red, green, 255 - red]).astype(np.uint8)).convert(mode)


def refused(make: Callable[[], object]) -> str:
    with pytest.raises(StudioError) as problem:
        make()
    return str(problem.value)


@pytest.mark.parametrize(("mode", "name"), [("RGB", "PNG"), ("L", "PNG"), ("RGB", "JPEG"), ("L", "JPEG")])
def test_a_picture_knows_its_pixels(mode: str, name: str) -> None:
    picture = Picture.from_bytes(picture_bytes(shaded(mode), name), BOX)
    assert (picture.size, picture.media, picture.is_grey) == ((40, 25), f"image/{name.lower()}", mode == "L")
    assert picture.decoded().tobytes() == Image.open(io.BytesIO(picture.data)).tobytes()
    assert picture.where == "The picture at 20, 30 mm"


def test_a_photograph_is_turned_upright_as_its_camera_says() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    picture = Picture.from_bytes(picture_bytes(shaded(), "JPEG", exif=exif, quality=95), BOX)
    assert picture.size == (25, 40) and picture.decoded().getexif().get(0x0112, 1) == 1
    upright = np.asarray(picture.decoded(), float)
    np.testing.assert_allclose(upright, np.rot90(np.asarray(shaded(), float), -1), atol=12)


def test_lines_of_a_plain_png_are_taken_as_they_are_and_no_other() -> None:
    assert Picture.from_bytes(picture_bytes(shaded()), BOX).packed_lines
    assert Picture.from_bytes(picture_bytes(shaded("L")), BOX).packed_lines
    for image in (shaded("RGBA"), shaded("P"), shaded("LA")):
        assert Picture.from_bytes(picture_bytes(image), BOX).packed_lines is None
    assert Picture.from_bytes(picture_bytes(shaded(), transparency=(0, 0, 255)), BOX).packed_lines is None
    assert Picture.from_bytes(picture_bytes(shaded(), "JPEG"), BOX).packed_lines is None


def test_pixels_come_with_how_opaque_they_are_where_not_all_are_wholly_so() -> None:
    image = shaded("RGBA")
    image.putalpha(Image.linear_gradient("L").resize(image.size))
    colours, mask = Picture.from_bytes(picture_bytes(image), BOX).pixels()
    assert (colours, mask) == (image.convert("RGB").tobytes(), image.getchannel("A").tobytes())
    assert Picture.from_bytes(picture_bytes(shaded("P")), BOX).pixels() == (shaded("P").convert("RGB").tobytes(), b"")


def test_grey_of_sixteen_bits_keeps_its_shades() -> None:
    grey = np.linspace(0, 65535, 200).astype(np.uint16).reshape(10, 20)
    colours, mask = Picture.from_bytes(picture_bytes(Image.fromarray(grey)), BOX).pixels()
    assert mask == b"" and np.frombuffer(colours, np.uint8)[::3].tolist() == (grey >> 8).ravel().tolist()


def headed(columns: int, rows: int) -> bytes:
    """The beginning of a PNG that says how large it is."""
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", columns, rows, 8, 2, 0, 0, 0) + bytes(8)


@pytest.mark.parametrize(
    ("data", "media", "sentence"),
    [
        (picture_bytes(shaded(), "GIF"), "image/gif", "is in an unsupported format (image/gif); use PNG or JPEG."),
        (b"", "", "The picture at 20, 30 mm is in an unsupported format (unknown); use PNG or JPEG."),
        (headed(40_000, 40_000), PNG, "has 40000 × 40000 pixels (maximum 50 megapixels)."),
        (headed(0, 10), PNG, "The picture at 20, 30 mm has no pixels."),
        (headed(4, 4)[:20], PNG, "The picture at 20, 30 mm is truncated."),
        (picture_bytes(shaded()), JPEG, "is damaged: it is not a JPEG file."),
        (picture_bytes(shaded(), "JPEG"), PNG, "is damaged: it is not a PNG file."),
        (picture_bytes(shaded("CMYK"), "JPEG"), JPEG, "its colours are neither grey nor RGB."),
        (picture_bytes(shaded(), "JPEG")[:30], JPEG, "The picture at 20, 30 mm is truncated."),
        (headed(4, 4) + bytes(MOST_BYTES), PNG, "The picture at 20, 30 mm has 33 MB (maximum 32 MB)."),
    ],
)  # fmt: skip
def test_what_cannot_be_a_picture_is_refused_with_its_place(data: bytes, media: str, sentence: str) -> None:
    said = refused(lambda: Picture(data, media, BOX))
    assert sentence in said and said.count("\n") == 0


@pytest.mark.parametrize("name", ["PNG", "JPEG"])
def test_a_picture_that_is_cut_short_is_found_when_it_is_decoded(name: str) -> None:
    data = picture_bytes(shaded(size=(200, 200)), name)
    picture = Picture(data[: len(data) * 2 // 3], f"image/{name.lower()}", BOX)
    assert refused(picture.decoded) == "The picture at 20, 30 mm is damaged or truncated."


@pytest.mark.parametrize("box", [(0.0, 0.0, 0.0, 5.0), (0.0, 0.0, 5.0, -1.0), (float("nan"), 0.0, 5.0, 5.0)])
def test_a_box_without_a_size_is_refused(box: tuple[float, float, float, float]) -> None:
    assert "needs a width and a height" in refused(lambda: Picture(picture_bytes(shaded()), PNG, box))


TURNED = Image.Exif()
TURNED[0x0112] = 8
FILES = [
    picture_bytes(shaded(), "PNG"),
    picture_bytes(shaded("P"), "PNG"),
    picture_bytes(shaded(), "JPEG"),
    picture_bytes(shaded(), "JPEG", exif=TURNED),
]


@given(st.sampled_from(FILES), st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=4), st.data())
def test_broken_files_are_refused_or_decoded(data: bytes, changes: list[tuple[int, int]], more: st.DataObject) -> None:
    broken = bytearray(data)
    for place, value in changes:
        broken[place % len(broken)] = value
    length = more.draw(st.integers(0, len(broken)))
    try:
        picture = Picture.from_bytes(bytes(broken[:length]), BOX)
        assert picture.decoded().size == picture.size and len(picture.pixels()[0]) == 3 * np.prod(picture.size)
    except StudioError as problem:
        assert "20, 30 mm" in str(problem)


@pytest.mark.parametrize("ring", [[(0, 0), (9, 0)], [(0, 0), (9, 0), (9, np.nan)], [(0, 0), (9, 0), (np.inf, 9)], []])
def test_a_region_without_an_inside_is_refused(ring: list[tuple[float, float]]) -> None:
    with pytest.raises(StudioError, match=r"^A region needs rings of at least three points"):
        Region((np.array(ring, float).reshape(-1, 2),), "#000000")


@pytest.mark.parametrize("form", ["PNG", "GIF", "JPEG"])
def test_the_pixels_of_a_file_are_red_green_blue_and_opacity(form: str) -> None:
    packed = io.BytesIO()
    image = Image.new("RGB" if form == "JPEG" else "RGBA", (6, 4), (200, 40, 40))
    image.save(packed, form)
    pixels = pixels_in(packed.getvalue())
    assert pixels.shape == (4, 6, 4) and (pixels[..., 3] == 255).all()
    assert np.abs(pixels[..., :3].astype(int) - (200, 40, 40)).max() < 6


def test_pixels_come_back_from_a_png_and_greys_of_16_bits_are_read() -> None:
    pixels = np.arange(4 * 5 * 4, dtype=np.uint8).reshape(4, 5, 4)
    assert np.array_equal(pixels_in(png_of(pixels)), pixels)
    packed = io.BytesIO()
    Image.fromarray(np.full((3, 3), 0x8000, np.uint16)).save(packed, "PNG")
    assert (pixels_in(packed.getvalue()) == (128, 128, 128, 255)).all()


def test_pixels_are_fewer_where_there_are_too_many() -> None:
    pixels = np.zeros((40, 100, 4), np.uint8)
    pixels[:, 50:] = (200, 100, 50, 255)
    fewer = pixels_in(png_of(pixels), 30)
    assert fewer.shape == (10, 25, 4)
    assert (fewer[:, 20] == (200, 100, 50, 255)).all() and (fewer[:, 5, 3] == 0).all()
    assert np.array_equal(pixels_in(png_of(pixels), 100), pixels)


@pytest.mark.parametrize("data", [b"", b"frog", b"\x89PNG\r\n\x1a\n" + bytes(30), b"BM" + bytes(60)])
def test_what_is_no_picture_has_no_pixels(data: bytes) -> None:
    with pytest.raises(StudioError, match=r"^it is not a PNG, JPEG or GIF picture, or it is truncated\.$"):
        pixels_in(data)


def test_pictures_that_are_too_large_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    data = png_of(np.zeros((10, 10, 4), np.uint8))
    monkeypatch.setattr(artwork, "MOST_PIXELS", 99)
    with pytest.raises(StudioError, match="it has 10 × 10 pixels"):
        pixels_in(data)
    monkeypatch.setattr(artwork, "MOST_BYTES", 10)
    with pytest.raises(StudioError, match="it is larger than"):
        pixels_in(data)

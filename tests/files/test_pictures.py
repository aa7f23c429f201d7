"""Pictures of other programs: upright, in sRGB, bounded, and refused in a sentence where they cannot be used."""

import io
import random
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageCms

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.files import pictures, rasters
from studio.files.pictures import ReadPicture, picture_of, read_picture
from studio.geometry.art.artwork import JPEG, PNG, pixels_in

MOST_KEPT = 25_000_000

Pixels = NDArray[np.uint8]
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 200 100">{}</svg>'
)


def scene(columns: int = 60, rows: int = 40) -> Pixels:
    """Pixels that get redder to the right and greener downwards, smooth enough for every packing."""
    down, across = np.mgrid[0:rows, 0:columns]
    return np.stack([255 * across / columns, 255 * down / rows, 90 + 0 * across], 2).astype(np.uint8)


def packed(image: Image.Image, form: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def read(data: bytes, suffix: str, page: int = 1) -> ReadPicture:
    return picture_of(data, suffix, page, SILENT)


def pixels(found: ReadPicture) -> NDArray[np.int16]:
    return pixels_in(found.data).astype(np.int16)


@pytest.mark.parametrize(("form", "suffix", "media"), [("PNG", ".png", PNG), ("JPEG", ".jpg", JPEG)])
def test_a_photograph_that_is_well_keeps_its_pixels_bit_by_bit(form: str, suffix: str, media: str) -> None:
    data = packed(Image.fromarray(scene()), form)
    found = read(data, suffix)
    assert (found.data, found.media, found.notes) == (data, media, ())


@pytest.mark.parametrize("missing", [1, 12, 16])
def test_a_picture_that_lacks_only_its_end_is_packed_whole(missing: int) -> None:
    found = read(packed(Image.fromarray(scene()), "PNG")[:-missing], ".png")
    assert np.abs(pixels(found)[..., :3] - scene()).mean() < 4
    assert read(found.data, ".png" if found.media == PNG else ".jpg") == found


@pytest.mark.parametrize("mode", ["RGB", "L", "P", "RGBA", "LA", "1", "I;16", "CMYK"])
@pytest.mark.parametrize(
    ("form", "suffix"),
    [
        ("PNG", ".png"),
        ("JPEG", ".jpeg"),
        ("JPEG", ".jfif"),
        ("WEBP", ".webp"),
        ("TIFF", ".tif"),
        ("AVIF", ".avif"),
        ("GIF", ".gif"),
        ("BMP", ".bmp"),
    ],
)
def test_pictures_of_every_mode_look_as_they_did(mode: str, form: str, suffix: str) -> None:
    able = {
        "PNG": {"RGB", "L", "P", "RGBA", "LA", "1", "I;16"}, "JPEG": {"RGB", "L", "CMYK"}, "WEBP": {"RGB", "RGBA"},
        "TIFF": {"RGB", "L", "P", "RGBA", "LA", "1", "I;16", "CMYK"}, "AVIF": {"RGB", "RGBA", "L"}, "GIF": {"P", "L"},
        "BMP": {"RGB", "L", "P", "1"},
    }  # fmt: skip
    if mode not in able[form]:
        pytest.skip("there is no such file")
    colours = Image.fromarray(scene())
    if mode == "I;16":
        image = Image.fromarray(np.asarray(colours.convert("L")).astype(np.uint16) * 257)
        wanted = colours.convert("L").convert("RGB")
    else:
        image = colours.convert(mode)
        wanted = image.convert("RGB")
    found = pixels(read(packed(image, form, **({"quality": 95} if form in ("JPEG", "WEBP", "AVIF") else {})), suffix))
    assert np.abs(found[..., :3] - np.asarray(wanted, int)).mean() < 4 and found[..., 3].min() == 255


def test_transparency_stays() -> None:
    seen = np.dstack([scene(), np.full((40, 60), 255, np.uint8)])
    seen[:20, :, 3] = 0
    for form, suffix in (("PNG", ".png"), ("WEBP", ".webp")):
        found = read(packed(Image.fromarray(seen), form), suffix)
        assert found.media == PNG
        assert (pixels(found)[..., 3] == seen[..., 3]).all()


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_photograph_is_turned_upright_as_its_camera_noted(turn: int) -> None:
    image = Image.fromarray(scene(64, 48))
    exif = Image.Exif()
    exif[0x0112] = turn
    back = {
        1: None, 2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM, 5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE, 8: Image.Transpose.ROTATE_270,
    }[turn]  # fmt: skip
    lying = image if back is None else image.transpose(back)
    for form, suffix in (("JPEG", ".jpg"), ("WEBP", ".webp"), ("PNG", ".png")):
        found = pixels(read(packed(lying, form, exif=exif, quality=95), suffix))
        assert found.shape[:2] == (48, 64)
        assert np.abs(found[..., :3] - scene(64, 48)).mean() < 4


def test_what_a_camera_noted_is_not_kept_and_no_pixel_changes() -> None:
    exif = Image.Exif()
    exif[0x010F] = "Secret Camera"
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    data = packed(Image.fromarray(scene()), "JPEG", exif=exif, icc_profile=profile, comment=b"at home")
    found = read(data, ".jpg")
    assert b"Secret" in data and b"at home" in data and len(found.data) < len(data)
    assert b"Secret" not in found.data and b"at home" not in found.data and b"ICC_PROFILE" not in found.data
    assert (pixels(found) == pixels_in(data)).all()


def test_colours_of_another_profile_become_those_of_srgb() -> None:
    # In linear light 0.5 is what sRGB calls 188.
    image = Image.new("RGB", (8, 8), (128, 128, 128))
    linear = _linear_profile()
    for form, suffix in (("PNG", ".png"), ("JPEG", ".jpg")):
        found = pixels(read(packed(image, form, icc_profile=linear), suffix))
        assert np.abs(found[..., :3] - 188).max() <= 2
    broken = packed(image, "PNG", icc_profile=b"no profile")
    assert (pixels(read(broken, ".png"))[..., :3] == 128).all()


def _linear_profile() -> bytes:
    """That of sRGB with a tone curve of gamma 1: every curve is replaced by an empty one, which means that."""
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    (count,) = struct.unpack_from(">I", data, 128)
    for at in range(132, 132 + 12 * count, 12):
        name, offset, _length = struct.unpack_from(">4sII", data, at)
        if name in (b"rTRC", b"gTRC", b"bTRC"):
            data[offset : offset + 12] = b"curv\0\0\0\0\0\0\0\0"
            struct.pack_into(">I", data, at + 8, 12)
        if name == b"desc":
            data[offset:] = data[offset:].replace(b"s\0R\0G\0B", b"L\0i\0n\0e").replace(b"sRGB", b"Line")
    return bytes(data)


def test_of_moving_pictures_the_first_frame_is_used_which_is_said() -> None:
    frames = [Image.new("RGB", (20, 10), colour) for colour in ("red", "blue", "green")]
    for form, suffix in (("PNG", ".png"), ("WEBP", ".webp")):
        found = read(packed(frames[0], form, save_all=True, append_images=frames[1:], lossless=True), suffix)
        assert found.notes == ("Only the first of 3 frames is used.",)
        assert pixels(found)[5, 5].tolist() == [255, 0, 0, 255]


@pytest.mark.thorough
def test_a_large_picture_is_made_smaller_which_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    data = packed(Image.fromarray(scene(4000, 40)).resize((40_000, 800)), "PNG")
    found = read(data, ".png")
    height, width = pixels(found).shape[:2]
    assert 0.98 * MOST_KEPT < height * width <= MOST_KEPT and width / height == pytest.approx(50, rel=0.01)
    assert found.notes == (f"Scaled down from 40000 × 800 to {width} × {height} pixels.",)
    assert np.abs(pixels(found)[height // 2, [0, width // 2, -1], 0] - [0, 127, 254]).max() < 5


def test_a_file_that_would_be_large_in_the_puzzle_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_BYTES", 20_000)
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 255, (300, 400, 3), dtype=np.uint8))
    found = read(packed(noise, "PNG"), ".png")
    assert len(found.data) <= 20_000 and found.media == JPEG


def bomb(columns: int, rows: int) -> bytes:
    """A PNG that says it is huge, and holds next to nothing."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("data", "suffix", "sentence"),
    [
        (b"", ".png", "it is empty"),
        (b"GIF89a", ".gif", "it is not a picture, or it is truncated"),
        (b"8BPS", ".psd", r"unknown file extension\. Use \.png, \.jpg"),
        (b"no picture at all", ".png", "it is not a picture, or it is truncated"),
        (b"no picture at all", ".svg", "it is not a valid SVG file"),
        (b"<html/>", ".svg", "it is not an SVG file"),
        (b"no picture at all", ".pdf", "it is not a PDF file, or it is damaged"),
        (packed(Image.fromarray(scene()), "PNG")[:-60], ".png", "damaged or truncated"),
        (packed(Image.fromarray(scene()), "JPEG")[:-60], ".jpg", "damaged or truncated"),
        (packed(Image.fromarray(scene()), "WEBP")[:-60], ".webp", "truncated"),
        (bomb(40_000, 30_000), ".png", r"megapixels\.$"),
        (bomb(12_000, 12_000), ".png", r"12,?000 × 12,?000 pixels \(maximum 40 megapixels\)"),
        (bomb(6_000, 6_000), ".png", "it is damaged or truncated"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(data: bytes, suffix: str, sentence: str) -> None:
    with pytest.raises(StudioError, match=sentence):
        read(data, suffix)


def test_a_large_picture_that_lies_on_its_side_is_made_smaller_and_upright(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_KEPT", 250_000)
    exif = Image.Exif()
    exif[0x0112] = 6
    found = read(packed(Image.new("RGB", (700, 500), "red"), "JPEG", exif=exif), ".jpg")
    columns, rows = Image.open(io.BytesIO(found.data)).size
    assert rows > columns and rows / columns == pytest.approx(1.4, abs=0.01) and columns * rows <= 250_000
    assert len(found.notes) == 1 and found.notes[0].startswith("Scaled down from ")


def test_a_picture_cut_off_or_changed_anywhere_is_read_or_refused() -> None:
    chance = random.Random(3)
    for form, suffix in (("PNG", ".png"), ("JPEG", ".jpg"), ("WEBP", ".webp")):
        data = packed(Image.fromarray(scene(30, 20)), form)
        for _ in range(60):
            broken = bytearray(data[: chance.randrange(1, len(data) + 1)])
            broken[chance.randrange(len(broken))] = chance.randrange(256)
            try:
                found = read(bytes(broken), suffix)
            except StudioError as problem:
                assert str(problem).endswith((".", ")"))
            else:
                pixels(found)


def test_a_sentence_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "cat.png").write_bytes(b"meow")
    with pytest.raises(StudioError, match=r"^Cannot use cat\.png: it is not a picture, or it is truncated"):
        read_picture(tmp_path / "cat.png", 1, SILENT)
    with pytest.raises(StudioError, match=r"^Cannot use dog\.png: there is no such file\.$"):
        read_picture(tmp_path / "dog.png", 1, SILENT)


def test_a_drawing_becomes_pixels_and_what_could_run_or_reach_out_is_left_out(tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(packed(Image.new("RGB", (4, 4), "green"), "PNG"))
    body = (
        '<rect width="100" height="100" fill="red"/><script>alert(1)</script>'
        f'<image href="{secret}" x="100" width="50" height="50"/><image xlink:href="file://{secret}" y="50" x="100"/>'
        '<use href="other.svg#a"/><image href="http://example.org/a.png"/><text x="150" y="90">a</text>'
    )
    found = read(SVG.format(body).encode(), ".svg")
    seen = pixels(found)
    assert seen.shape[:2] == (2000, 4000) and found.media == PNG
    assert seen[1000, 1000].tolist() == [255, 0, 0, 255] and seen[500, 2500, 3] == 0, "and no green"
    assert found.notes == ("Left out: 3 × image, 1 × script, 1 × use.",)


def test_a_drawing_may_hold_pictures_and_refer_to_its_own_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    from base64 import b64encode

    monkeypatch.setattr(rasters, "ACROSS", 400)
    green = b64encode(packed(Image.new("RGB", (4, 4), (0, 255, 0)), "PNG")).decode()
    body = (
        f'<defs><rect id="r" width="100" height="100"/></defs><use xlink:href="#r" class="c"/>'
        "<style>.c { fill: blue }</style>"
        f'<image href="data:image/png;base64,{green}" x="100" width="100" height="100"/>'
    )
    seen = pixels(read(SVG.format(body).encode(), ".svg"))
    assert seen[100, 100].tolist() == [0, 0, 255, 255] and seen[100, 300].tolist() == [0, 255, 0, 255]
    for data in (bomb(40_000, 30_000), b"no picture"):
        link = f'<image href="data:image/png;base64,{b64encode(data).decode()}"/>'
        assert read(SVG.format(link).encode(), ".svg").notes == ("Left out: 1 × image.",)
    inner = b64encode(b'<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/></svg>').decode()
    found = read(SVG.format(f'<image href="data:image/svg+xml;base64,{inner}"/>').encode(), ".svg")
    assert found.notes == ("Left out: 1 × image.",)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>', "declares entities"),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1000"/>', "more than 40 times as long as wide"),
        ('<svg xmlns="http://www.w3.org/2000/svg" width="0" height="5"/>', "cannot be drawn"),
        ("<g>" * 500 + "</g>" * 500, "nested too deeply"),
        (
            SVG.format('<g id="g0"><rect width="9" height="9"/></g>' + "".join(
                f'<g id="g{i}">' + f'<use xlink:href="#g{i - 1}"/>' * 10 + "</g>" for i in range(1, 9)
            )), "elements, with all copies .maximum 40,000",
        ),
    ],
)  # fmt: skip
def test_a_drawing_that_asks_for_too_much_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(StudioError, match=sentence):
        read(text.encode(), ".svg")


def pdf_of(pages: int, box: str = "0 0 200 100", password: bool = False) -> bytes:
    """A file whose pages are red on their left half; page n has n / pages of green beside it."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, NameObject, RectangleObject

    writer = PdfWriter()
    left, low, right, high = map(float, box.split())
    for number in range(1, pages + 1):
        page = writer.add_blank_page(right - left, high - low)
        page.mediabox = RectangleObject((left, low, right, high))
        drawn = DecodedStreamObject()
        drawn.set_data(f"1 0 0 rg 0 0 100 100 re f 0 {number / pages} 0 rg 100 0 100 100 re f".encode())
        page[NameObject("/Contents")] = writer._add_object(drawn)
    if password:
        writer.encrypt("secret", algorithm="RC4-128")
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def test_a_page_of_a_pdf_becomes_pixels_and_which_of_many_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    one = read(pdf_of(1), ".pdf")
    seen = pixels(one)
    assert seen.shape[:2] == (2000, 4000) and one.notes == ()
    assert seen[1000, 1000].tolist() == [255, 0, 0, 255] and seen[1000, 3000].tolist() == [0, 255, 0, 255]
    monkeypatch.setattr(rasters, "ACROSS", 400)
    many = pdf_of(1000)
    assert read(many, ".pdf").notes == ("Page 1 of 1000 is used.",)
    assert abs(pixels(read(many, ".pdf", 500))[100, 300, 1] - 128) <= 1
    with pytest.raises(StudioError, match=r"it has no page 1001; its last is 1000\."):
        read(many, ".pdf", 1001)


def test_a_pdf_with_a_password_and_one_of_odd_size_are_refused() -> None:
    with pytest.raises(StudioError, match="it is protected by a password; save a copy without one"):
        read(pdf_of(1, password=True), ".pdf")
    with pytest.raises(StudioError, match="more than 40 times as long as wide"):
        read(pdf_of(1, "0 0 14000 20"), ".pdf")
    assert max(pixels(read(pdf_of(1, "0 0 14400 14400"), ".pdf")).shape) == rasters.ACROSS


def test_floating_point_pixels_and_the_pictures_of_phones_are_refused_by_what_they_are() -> None:
    floats = packed(Image.fromarray(np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4)), "TIFF")
    with pytest.raises(StudioError, match=r"its pixels are floating-point numbers\. Save it with 8 bits per colour\."):
        read(floats, ".tiff")
    with pytest.raises(StudioError, match=r"HEIC pictures cannot be read\. Save it as JPEG\."):
        read(b"\0\0\0\x18ftypheic", ".heic")


def test_of_a_tiff_with_several_pages_the_first_is_used_and_that_is_said() -> None:
    first, second = Image.fromarray(scene()), Image.new("RGB", (60, 40), "white")
    found = read(packed(first, "TIFF", save_all=True, append_images=[second]), ".tif")
    assert found.notes == ("Only the first of 2 frames is used.",)
    assert np.abs(pixels(found)[..., :3] - scene()).mean() < 4


@pytest.mark.parametrize("form", ["TIFF", "AVIF", "GIF", "BMP"])
def test_a_picture_cut_short_is_refused_in_a_sentence_or_whole(form: str) -> None:
    image = Image.fromarray(scene())
    data = packed(image.convert("P") if form == "GIF" else image, form)
    for length in range(0, len(data), 97):
        try:
            found = read(data[:length], f".{form.lower()}")
        except StudioError as problem:
            assert str(problem).endswith(".")
        else:
            assert pixels(found).shape == (40, 60, 4)

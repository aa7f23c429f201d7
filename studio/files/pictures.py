"""Reads pictures of other programs into a PNG or JPEG that looks alike everywhere: upright, in sRGB, of bounded size.

raster: a picture as pixels; `studio/files/rasters.py` makes them from SVG and pages of PDF.
Changes are noted in sentences. A photograph that needs no change keeps its pixels, bit by bit, without the metadata of
its camera.
"""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from warnings import catch_warnings

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.json_files import content
from studio.base.progress import Progress
from studio.base.texts import alternatives, tr
from studio.geometry.art.artwork import JPEG, PNG, size_of

if TYPE_CHECKING:
    from PIL.Image import Image

LARGEST = 256 * 2**20
"""Bytes of the largest file that is read."""
MOST_READ = 200_000_000
"""Pixels of the largest picture that is decoded."""
FEW_READ, PACKED = 40_000_000, 8
"""Pixels of the largest picture that a small file may unpack to, and pixels for each byte of a larger one: 500 MB for a
file of 5 MB. A JPEG is not bounded so, for it is decoded at a half or a quarter of its size."""
MOST_KEPT = 25_000_000
"""Pixels of the largest picture that is kept: more than a photograph on A3 needs for 300 dpi."""
MOST_BYTES = 16 * 2**20
"""Bytes of the largest file that is kept."""
QUALITY = 92
LARGE = 4_000_000
"""Pixels from which a PNG is packed quickly rather than tightly, which would take seconds."""
FORMATS = {
    ".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".jfif": "JPEG", ".webp": "WEBP", ".tif": "TIFF", ".tiff": "TIFF",
    ".avif": "AVIF", ".gif": "GIF", ".bmp": "BMP",
}  # fmt: skip
"""Pillow's names for the formats of pixels, by suffix."""
SUFFIXES = (*FORMATS, ".svg", ".pdf")
PHONES = (".heic", ".heif")
"""Suffixes of a format that phones save, for which pillow brings no free decoder."""
ORIENTATION = 0x0112
"""EXIF tag of the orientation."""
_SOS, _APP0, _APP14, _APP15, _COMMENT = 0xDA, 0xE0, 0xEE, 0xEF, 0xFE


@dataclass(frozen=True)
class ReadPicture:
    """A picture from a file: its bytes, their media type, sentences about changes, and the file's number of pages."""

    data: bytes = field(repr=False)
    media: str
    notes: tuple[str, ...] = ()
    pages: int = 1


def read_picture(path: Path, page: int, progress: Progress) -> ReadPicture:
    """Read the picture in a file; of a PDF, a page by its number.

    Raises StudioError, with the file's name, if it is no picture, damaged or too large.
    """
    try:
        return picture_of(content(path, LARGEST), path.suffix.lower(), page, progress)
    except MemoryError:
        problem: object = tr("there is not enough memory to open it.")
    except StudioError as refused:
        problem = refused
    raise StudioError(tr("Cannot use {name}: {problem}", name=path.name, problem=problem))


def grey_of(path: Path, progress: Progress) -> tuple[NDArray[np.float32], float]:
    """Brightness (rows, columns) of a photograph or scan from 0 to 255, and how much it was scaled down, 1 or less.

    Raises StudioError, with the file's name, if it is no picture of pixels, damaged or too large.
    """
    if path.suffix.lower() not in FORMATS:
        words = tr("unknown file extension. Use {suffixes}.", suffixes=alternatives(tuple(FORMATS)))
        raise StudioError(tr("Cannot use {name}: {problem}", name=path.name, problem=words))
    found = read_picture(path, 1, progress)
    from PIL import Image

    with catch_warnings(action="ignore"):
        image = Image.open(io.BytesIO(found.data))
        with Image.open(path) as whole:
            share = max(image.size) / max(whole.size)
        return np.asarray(image.convert("RGBA").convert("L"), np.float32), share


def picture_of(data: bytes, suffix: str, page: int, progress: Progress) -> ReadPicture:
    """Read the picture in the bytes of a file; raises StudioError, to follow the file's name."""
    if suffix in PHONES:
        raise StudioError(tr("{suffix} pictures cannot be read. Save it as JPEG.", suffix=suffix[1:].upper()))
    if suffix not in SUFFIXES:
        raise StudioError(tr("unknown file extension. Use {suffixes}.", suffixes=alternatives(SUFFIXES)))
    if not data:
        raise StudioError(tr("it is empty."))
    progress.step(0.0, tr("Reading the picture"))
    notes, pages = list[str](), 1
    if suffix in FORMATS:
        image = _opened(data, notes)
        kept = _as_it_is(data, image)
        if kept is not None:
            return kept
        from PIL import ImageOps

        upright = ImageOps.exif_transpose(_early_bounded(image, notes))
        image = _in_srgb(upright)
    else:
        from studio.files import rasters

        drawn = rasters.svg(data) if suffix == ".svg" else rasters.pdf(data, page)
        notes += drawn.notes
        pages = drawn.pages
        from PIL import Image

        image = Image.open(io.BytesIO(drawn.png))
        image.load()
    progress.step(0.6)
    return replace(_packed(_bounded(image, notes), progress), notes=tuple(notes), pages=pages)


def _opened(data: bytes, notes: list[str]) -> Image:
    """Open the first frame of a picture, still packed; raises StudioError if it is too large."""
    from PIL import Image

    try:
        # pillow warns about faulty metadata, and about sizes that are bounded here.
        with catch_warnings(action="ignore"):
            image = Image.open(io.BytesIO(data), formats=sorted({*FORMATS.values()}))
    except (OSError, SyntaxError, ValueError, IndexError, struct.error, Image.DecompressionBombError) as problem:
        if isinstance(problem, Image.DecompressionBombError):
            raise StudioError(tr("it is larger than {most} megapixels.", most=MOST_READ // 10**6)) from problem
        raise StudioError(tr("it is not a picture, or it is truncated.")) from problem
    columns, rows = image.size
    most = MOST_READ if image.format == "JPEG" else min(MOST_READ, max(FEW_READ, PACKED * len(data)))
    if columns * rows > most:
        words = tr(
            "it has {columns} × {rows} pixels (maximum {most} megapixels).",
            columns=columns,
            rows=rows,
            most=most // 10**6,
        )
        raise StudioError(words)
    if columns * rows > MOST_KEPT and image.format == "JPEG":
        share = (MOST_KEPT / (columns * rows)) ** 0.5
        image.draft(image.mode, (int(columns * share), int(rows * share)))
    frames = getattr(image, "n_frames", 1)
    if frames > 1:
        notes.append(tr("Only the first of {frames} frames is used.", frames=frames))
    try:
        with catch_warnings(action="ignore"):
            image.load()
    except (OSError, SyntaxError, ValueError, IndexError, struct.error) as problem:
        raise StudioError(tr("it is damaged or truncated.")) from problem
    return image


def is_bounded(data: bytes) -> bool:
    """True if bytes are a picture small enough to decode; reads the header alone."""
    from PIL import Image

    try:
        with catch_warnings(action="ignore"):
            width, height = Image.open(io.BytesIO(data), formats=sorted({*FORMATS.values()})).size
    except (OSError, SyntaxError, ValueError, IndexError, struct.error, Image.DecompressionBombError):
        return False
    return width * height <= MOST_KEPT


def _as_it_is(data: bytes, image: Image) -> ReadPicture | None:
    """Return the picture with its own packing if nothing needs to be changed, else None."""
    upright = image.getexif().get(ORIENTATION, 1) == 1
    is_small = image.width * image.height <= MOST_KEPT and len(data) <= MOST_BYTES
    if not (is_small and upright and _is_srgb(image) and getattr(image, "n_frames", 1) == 1):
        return None
    media = {"JPEG": JPEG, "PNG": PNG}.get(image.format or "")
    if not data.endswith((b"IEND\xaeB`\x82", b"\xff\xd9")):
        # pillow makes do without the last bytes; other programs do not.
        return None
    if media is None or image.mode not in (("RGB", "L") if media == JPEG else ("RGB", "RGBA", "L", "P")):
        return None
    bare = _bare(data) if media == JPEG else data
    try:
        size_of(bare, media)
    except (StudioError, IndexError, struct.error):
        return None
    return ReadPicture(bare, media)


def _bare(data: bytes) -> bytes:
    """Strip a JPEG of metadata, such as the place of the photograph, and of its profile; no pixel changes."""
    parts, at = [data[:2]], 2
    while data[at] == 0xFF and data[at + 1] != _SOS:
        marker, length = struct.unpack_from(">xBH", data, at)
        is_note = _APP0 < marker <= _APP15 and marker != _APP14
        if not (is_note or marker == _COMMENT):
            parts.append(data[at : at + 2 + length])
        at += 2 + length
    return b"".join([*parts, data[at:]])


def _is_srgb(image: Image) -> bool:
    """True if the colours need no profile: sRGB, no profile, or an unreadable one."""
    profile = image.info.get("icc_profile")
    if not profile:
        return True
    from PIL import ImageCms

    try:
        named = ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(profile)))
    except (OSError, ImageCms.PyCMSError):
        return True
    return "sRGB" in named


def _early_bounded(image: Image, notes: list[str]) -> Image:
    """Bound the picture before its colours are converted, if its mode allows it: conversions take copies."""
    if image.mode not in ("L", "RGB", "RGBA", "CMYK"):
        return image
    turn = image.getexif().get(ORIENTATION)
    bounded = _bounded(image, notes)
    if bounded is not image and turn is not None:
        bounded.getexif()[ORIENTATION] = turn
    return bounded


def _in_srgb(image: Image) -> Image:
    """Return the picture in red, green and blue of 8 bits each, with its transparency if it has any."""
    from PIL import Image, ImageCms

    profile = None if _is_srgb(image) else image.info.get("icc_profile")
    if image.mode.startswith("I"):
        image = Image.fromarray((np.clip(np.asarray(image), 0, 65535).astype(np.int64) >> 8).astype(np.uint8))
    if image.mode == "F":
        raise StudioError(tr("its pixels are floating-point numbers. Save it with 8 bits per colour."))
    alpha = image.convert("RGBA").getchannel("A") if image.has_transparency_data else None
    if image.mode not in ("L", "RGB", "CMYK"):
        try:
            image = image.convert("RGB")
        except ValueError as problem:
            raise StudioError(
                tr("its colours ({mode}) are not supported. Save it as RGB.", mode=image.mode)
            ) from problem
    if profile:
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            converted = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
            image = converted or image
        except (OSError, ImageCms.PyCMSError):
            # The profile does not fit the picture: a program has converted its colours and kept the old profile.
            pass
    image = image.convert("RGB")
    if alpha is not None and alpha.getextrema() != (255, 255):
        image.putalpha(alpha)
    return image


def _bounded(image: Image, notes: list[str]) -> Image:
    """Shrink the picture if it has more pixels than are kept."""
    from PIL import Image

    columns, rows = image.size
    if columns * rows <= MOST_KEPT:
        return image
    share = (MOST_KEPT / (columns * rows)) ** 0.5
    size = max(1, int(columns * share)), max(1, int(rows * share))
    notes.append(
        tr(
            "Scaled down from {before_columns} × {before_rows} to {columns} × {rows} pixels.",
            columns=size[0],
            rows=size[1],
            before_columns=columns,
            before_rows=rows,
        )
    )
    return image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)


def _packed(image: Image, progress: Progress) -> ReadPicture:
    """Pack the picture as PNG if it is clear-cut or transparent, else as JPEG."""
    is_opaque = not image.has_transparency_data
    if is_opaque and len(image.getcolors(256) or range(257)) > 256:
        data, media = _saved(image, "JPEG", quality=QUALITY, subsampling=0), JPEG
    else:
        data, media = _png(image), PNG
    while len(data) > MOST_BYTES:
        progress.step(0.8)
        image = image.reduce(2)
        data = _saved(image, "JPEG", quality=QUALITY) if media == JPEG else _png(image)
    return ReadPicture(data, media)


def _png(image: Image) -> bytes:
    return _saved(image, "PNG", compress_level=1 if image.width * image.height > LARGE else 6)


def _saved(image: Image, form: str, **options: int) -> bytes:
    packed = io.BytesIO()
    image.info.clear()
    image.save(packed, form, **options)
    return packed.getvalue()

"""The contents of a file's bytes, read back and compared with the thing: by the export, or here."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from PIL import Image

from studio.exporting.formats import LEAFLET_PDF, LEAFLET_SVG, PNG
from studio.exporting.laser_files import CUTOUT, RASTER
from studio.exporting.options import NOTHING, AnyFormat, Format, Found, NoOptions, Thing, Unreadable
from tests.export.leaflet_pdf_reader import read_leaflet_pdf
from tests.export.leaflet_proof import prove_pages
from tests.export.leaflet_svg_reader import read_leaflet_svg
from tests.export.png_proof import prove_picture, read_png


def _read_pixels(data: bytes, _options: NoOptions) -> tuple[Any, int]:
    """Return the pixels of a PNG and its resolution."""
    image = Image.open(io.BytesIO(data), formats=["PNG"])
    return np.asarray(image), round(image.info["dpi"][0])


def _prove_pixels(read: tuple[Any, int], known: AnyFormat, thing: Any, wanted: Any) -> Any:
    """Report on a PNG; raises Unreadable if its pixels or its resolution are not the thing's."""
    pixels, dpi = read
    if dpi != thing.dpi or not np.array_equal(pixels, wanted):
        raise Unreadable("its pixels differ from the artwork")
    return known.prove(b"", thing, NOTHING, 0.0)


PROOFS: dict[int, tuple[Any, Any]] = {
    id(PNG): (read_png, prove_picture),
    id(LEAFLET_PDF): (read_leaflet_pdf, prove_pages),
    id(LEAFLET_SVG): (read_leaflet_svg, prove_pages),
    id(RASTER): (_read_pixels, lambda read, thing, options, _: _prove_pixels(read, RASTER, thing, thing.shades)),
    id(CUTOUT): (_read_pixels, lambda read, thing, options, _: _prove_pixels(read, CUTOUT, thing, thing.painted())),
}
"""Reader and proof of the formats that an export does not read back."""


def proven(known: Format[Thing, Any, Any, Found], data: bytes, thing: Thing, options: Any) -> Found:
    """Report on the bytes; raises Unreadable if they do not hold the thing."""
    read, prove = PROOFS.get(id(known), (known.read, known.prove))
    found: Found = prove(read(data, options), thing, options, known.rounding)
    return found

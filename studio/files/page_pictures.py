"""Writes a page as a picture: PNG, SVG or PDF, by file extension."""

from __future__ import annotations

from pathlib import Path

from studio.base.atomic import ensure_place, write_bytes
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.paper.leaflet import Leaflet, ensure_writable

ENDINGS = (".png", ".svg", ".pdf")


def ensure_picture(out: Path) -> None:
    """Raise StudioError if no picture can be written, before a long computation of one."""
    if out.suffix.lower() not in ENDINGS:
        raise StudioError(tr("{out} must end in .png, .svg or .pdf.", out=out))
    ensure_place(out)


def write_picture(leaflet: Leaflet, out: Path) -> None:
    """Write a leaflet of one page; raises StudioError, leaving an older file untouched, if that fails."""
    ensure_picture(out)
    if out.suffix.lower() != ".png":
        from studio.export.writing import write_leaflet

        write_leaflet(leaflet, out)
        return
    from studio.export.options import LeafletOptions
    from studio.export.writers.svg import leaflet_svg
    from studio.files.rasters import svg

    ensure_writable(leaflet)
    write_bytes(out, svg(leaflet_svg(leaflet, LeafletOptions())).png)

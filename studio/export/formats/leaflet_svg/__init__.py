"""Pages on paper as SVG."""

from __future__ import annotations

from studio.base.texts import tr
from studio.export.format import Format
from studio.export.formats.leaflet_svg.reader import read_leaflet
from studio.export.formats.leaflet_svg.writer import leaflet_svg
from studio.export.paper import EXACT, LeafletOptions, prove_pages

LEAFLET_SVG = Format(
    ".svg", "SVG", tr("one file per page"), LeafletOptions, EXACT, leaflet_svg, read_leaflet, prove_pages
)

"""Pictures and pages of every sample, which an export does not read back, hold what was drawn."""

from pathlib import Path
from typing import Any

import pytest

import go
from studio.base.progress import SILENT
from studio.exporting.formats import PAPER, PNG, Options
from studio.exporting.laser_files import engraved, jobs
from studio.exporting.options import PAPERS, LeafletOptions
from studio.exporting.writers.path_segments import ready
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.files.store import load
from studio.paper.leaflet import Leaflet
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.printable import PaperPrintable
from studio.puzzles.calendar.booklet import CHOSEN, BookletOptions, booklet
from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.slitherlink.book import BookOptions, book_of
from studio.puzzles.slitherlink.model import SlitherlinkParameters
from tests.depth import THOROUGH
from tests.export.proofs import proven

SAMPLES = sorted((go.ROOT / "resources" / "examples").glob("*.puzzle"))
every_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem)
DPI = (72, 100) if THOROUGH else (40, 60)
PRINTS: dict[str, Any] = {"print_pdf": True, "raster_png": True, "piece_pngs": True, "raster_dpi": 50}


def prove_leaflet(leaflet: Leaflet) -> None:
    """Prove the files of a leaflet in both formats; raises Unreadable."""
    for known in PAPER.members:
        books = [leaflet] if known.is_book else [Leaflet(leaflet.title, (page,)) for page in leaflet.pages]
        for book in books:
            proven(known, known.write(book, LeafletOptions()), book, LeafletOptions())


@pytest.mark.sampled(6)
@every_sample
def test_pictures_of_its_sheets_and_what_is_written_beside_them(sample: Path) -> None:
    saved = load(sample)
    if not saved.kind.able(Cuttable):
        return
    drawing = saved.kind.need(Cuttable).drawing(saved.kind.shape(saved.design, None, SILENT))
    result = made(drawing, Making(), Machine(), Material())
    sheets = [plan.drawing for plan in result.plans]
    fine, finer = DPI
    for options in (Options(dpi=fine), Options(dpi=finer, ground="transparent", raster=True, raster_dpi=50)):
        for sheet in sheets:
            thing = engraved(ready(sheet), options)
            assert proven(PNG, PNG.write(thing, options), thing, options).problem == ""
    if drawing.artwork:
        found = jobs(sheets, result.fronts, Path("sample.svg"), Options(**PRINTS))
        assert len({job.known.title for job in found}) == 3
        # The prints come first; of some hundred pieces two or three stand for all.
        for job in found[:6]:
            proven(job.known, job.known.write(job.thing, job.options), job.thing, job.options)


@pytest.mark.sampled(10)
@every_sample
def test_its_leaflet(sample: Path) -> None:
    saved = load(sample)
    paged = saved.kind.able(PaperPrintable)
    if paged is None:
        pytest.skip("no pages")
    shapes = saved.kind.shape(saved.design, None, SILENT)
    prove_leaflet(paged.leaflet(shapes, sample.stem, PAPERS["A4"], SILENT))


def test_a_calendar_s_booklet() -> None:
    options = BookletOptions(solutions=CHOSEN, dates="1-3, 2-29")
    prove_leaflet(booklet(CalendarDesign(), "Calendar", PAPERS["A4"], options, SILENT))


def test_a_book_of_slitherlinks() -> None:
    prove_leaflet(book_of(SlitherlinkParameters(), BookOptions(count=2), PAPERS["A4"], SILENT))

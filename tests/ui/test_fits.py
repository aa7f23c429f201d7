"""False fits in the window: heat map, table, and tongues reshaped as one step."""

from PySide6.QtTest import QTest

from studio.base.progress import SILENT
from studio.puzzles.jigsaw.fits.false_fits import false_fits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.ui.kinds.jigsaw.extension import FitsPage
from studio.ui.kinds.jigsaw.fits_panel import DARK, LEVELS, LIGHT, FitsTable
from tests.ui.stage import Stage, staged

ALIKE = JigsawDesign(
    JigsawParameters(
        columns=5, rows=4, width=125.0, height=100.0, perturbation=0.0, vary_size=0.02, vary_place=0.0, vary_depth=0.0,
        vary_slant=0.0, vary_neck=0.0,
    )
)  # fmt: skip
stage = staged(lambda folder: Stage(folder, ALIKE))


def wait(stage: Stage) -> None:
    for _ in range(1000):
        if stage.extension.fitting.answer.answer is not None:
            return
        QTest.qWait(10)
    raise AssertionError("no answer")


def table(stage: Stage) -> FitsTable:
    (page,) = (widget for _title, widget in stage.extension.tables if isinstance(widget, FitsPage))
    tabs = stage.window.drawer
    tabs.setCurrentWidget(page)
    QTest.qWait(50)
    assert page.fits is not None
    wait(stage)
    return page.fits


def test_nothing_is_compared_before_anybody_looks(stage: Stage) -> None:
    assert "fitting" not in stage.extension.__dict__


def test_the_heat_map_colours_each_ambiguous_edge_by_its_number(stage: Stage) -> None:
    stage.window.actions_["show_fits"].trigger()
    wait(stage)
    fitting = stage.extension.fitting
    found = false_fits(shape(ALIKE, None, SILENT), fitting.clearance)
    assert found.ambiguous and fitting.legend.isVisible()
    drawn = [item for item in fitting.heat if item.isVisible() and not item.boundingRect().isEmpty()]
    levels = {sum(count >= least for least, _words in LEVELS) for count in found.others.tolist() if count}
    assert len(drawn) == len(levels)
    stage.window.actions_["show_fits"].trigger()
    assert not fitting.legend.isVisible() and not any(item.isVisible() for item in fitting.heat)
    assert len({*LIGHT, *DARK}) == len(LIGHT) + len(DARK)


def test_the_table_lists_ambiguous_edges_and_a_row_selects_both(stage: Stage) -> None:
    fits = table(stage)
    answer = stage.extension.fitting.answer.answer
    assert answer is not None
    rows = fits.table.elements.elements
    assert len(rows) == answer.fits.ambiguous > 0
    assert f"{answer.fits.pairs}" in fits.words.text() and "border" in fits.words.text()
    fits.table.selectRow(0)
    partner = int(answer.fits.partners[answer.fits.edges.tolist().index(rows[0])])
    assert stage.extension.selection.tongues == {rows[0], partner}


def test_pieces_are_made_unique_as_one_step(stage: Stage) -> None:
    stage.window.actions_["make_unique"].trigger()
    for _ in range(2000):
        if stage.design != ALIKE:
            break
        QTest.qWait(10)
    clearance = stage.extension.fitting.clearance
    assert false_fits(shape(stage.design, None, SILENT), clearance).pairs == 0
    assert stage.document.history.undoText() == "Make pieces unique"
    notice = stage.window.notices.notice()
    assert notice is not None and "0 false fits after" in notice.sentence
    stage.document.history.undo()
    assert stage.design == ALIKE

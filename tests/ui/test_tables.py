"""Tables measure their rows once they are seen, and no sooner."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication

from studio.checks.finding import Finding, Problem, Severity
from studio.ui.panels.findings import FindingsPanel
from studio.ui.widgets.tables import CalmTable, Column, ElementModel
from tests.ui.stage import destroy


def test_a_table_out_of_sight_asks_for_no_cell_and_fits_its_columns_when_it_is_shown(qapp: QApplication) -> None:
    asked: list[int] = []

    def words(element: int) -> str:
        asked.append(element)
        return f"the rather long name of element {element}"

    elements = ElementModel([Column("Name", words), Column("Other", lambda element: str(element))])
    table = CalmTable(elements, "Elements")
    narrow = table.columnWidth(0)
    elements.show_elements(list(range(50)))
    assert asked == [] and table.columnWidth(0) == narrow
    table.resize(900, 300)
    table.show()
    wide = table.columnWidth(0)
    assert asked and wide >= table.fontMetrics().horizontalAdvance(words(0)) > narrow
    table.setColumnWidth(0, 77)
    table.hide()
    elements.show_elements(list(range(40)))
    table.show()
    assert table.columnWidth(0) == 77, "from then on the widths are the maker's"
    table.deleteLater()


def test_sentences_of_few_problems_are_seen_whole_at_every_width(qapp: QApplication) -> None:
    sort = Problem("neck", Severity.WARNING, "Neck", "", "")
    found = tuple(
        Finding(sort, f"Pieces A{row} and B{row} leave a neck of 0.4 mm. " * 3, (0.0, 0.0)) for row in range(9)
    )
    panel = FindingsPanel(lambda _finding: "")
    panel.show()
    for width, count in ((400, 9), (900, 9), (3000, 9), (400, 1)):
        panel.resize(width, 300)
        panel.show_findings(found[:count])
        for _ in range(3):
            QApplication.processEvents()
        table = panel.table
        room = QRect(0, 0, table.columnWidth(1), 1000)
        needed = [
            table.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, each.message).height()
            for each in found[:count]
        ]
        heights = [table.rowHeight(row) for row in range(count)]
        assert all(height >= text for height, text in zip(heights, needed, strict=True)), width
        if width == 3000:
            assert max(heights) == table.verticalHeader().defaultSectionSize()
    destroy(panel)


def test_the_selected_problem_keeps_its_place_in_the_list_through_edits(qapp: QApplication) -> None:
    sort = Problem("loose-line", Severity.WARNING, "Line", "", "")
    one, two, three, four = (
        Finding(sort, f"Line {name} is loose", (10.0 * at, 5.0), cells=(name,)) for at, name in enumerate("abcd")
    )
    panel = FindingsPanel(lambda _finding: "")
    panel.show_findings((one, two, three, four))
    assert panel.current == one
    panel.table.setCurrentIndex(panel.model.index(1, 0))

    def after(*findings: Finding) -> Finding | None:
        panel.show_findings(None)
        panel.show_findings(findings)
        return panel.current

    assert after(one, three, four) == three, "the next one takes the place of one that was fixed"
    moved = Finding(sort, "Line c is loose still", (21.0, 6.0), cells=("c",))
    assert after(two, one, moved, four) == moved, "the same one is kept"
    assert after(four) == four, "also if others have gone with it"
    assert after(one, two) == one, "and else the row"
    shown: list[Finding] = []
    panel.chosen.connect(shown.append)
    assert after(one, two, three) == one
    panel.table.setCurrentIndex(panel.model.index(1, 0))
    assert after(one, three) == three
    panel.step(1)
    assert shown == [three], "the one that was not in view yet is the next"
    assert after(one) == one and after() is None and after(two, three) == two
    destroy(panel)


LISTS = st.lists(st.integers(0, 9), max_size=9, unique=True)


@given(lists=st.lists(LISTS, max_size=5))
def test_rows_that_follow_are_those_of_the_newest_list(lists: list[list[int]]) -> None:
    elements: ElementModel[int] = ElementModel([Column("Name", str)])
    seen: list[int] = []  # the rows as a view knows them, from what it is told
    elements.modelReset.connect(lambda: seen.__setitem__(slice(None), elements.elements))
    elements.rowsRemoved.connect(lambda _parent, first, last: seen.__delitem__(slice(first, last + 1)))
    elements.rowsInserted.connect(
        lambda _parent, first, last: seen.__setitem__(slice(first, first), elements.elements[first : last + 1])
    )
    elements.dataChanged.connect(
        lambda first, last: seen.__setitem__(
            slice(first.row(), last.row() + 1), elements.elements[first.row() : last.row() + 1]
        )
    )
    for each in lists:
        elements.follow_elements(each)
        assert list(elements.elements) == seen == each
        assert [elements.row(element) for element in each] == list(range(len(each)))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("after", "changed"),
    [
        ([1, 2, 3, 4], []),
        ([1, 9, 3, 4], [(1, 1)]),
        ([0, 1, 2, 3, 4], []),
        ([1, 4], []),
        ([1, 8, 9, 4], [(1, 2)]),
        ([7, 2, 3], [(0, 2)]),
    ],
)
def test_rows_that_stay_are_not_read_again(
    qapp: QApplication, after: list[int], changed: list[tuple[int, int]]
) -> None:
    elements: ElementModel[int] = ElementModel([Column("Name", str)])
    elements.follow_elements([1, 2, 3, 4])
    told: list[tuple[int, int]] = []
    resets: list[bool] = []
    elements.dataChanged.connect(lambda first, last: told.append((first.row(), last.row())))
    elements.modelReset.connect(lambda: resets.append(True))
    elements.follow_elements(after)
    assert [elements.data(elements.index(row, 0), Qt.ItemDataRole.DisplayRole) for row in range(len(after))] == [
        str(element) for element in after
    ]
    assert not resets and told == changed

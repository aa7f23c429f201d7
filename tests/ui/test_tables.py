"""Tables measure their rows once they are seen, and no sooner."""

from PySide6.QtWidgets import QApplication

from studio.ui.panels.tables import CalmTable, Column, ElementModel


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

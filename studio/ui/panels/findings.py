"""The list of problems, the worst first; a click brings the location into view, a button fixes it.

A problem with several fixes lists them in the menu beside the button, and in the context menu of its row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHeaderView, QMenu, QPushButton, QWidget

from studio.base.amounts import share
from studio.base.texts import tr
from studio.checks.finding import Finding, Repair
from studio.ui.widgets.controls import invitation, quiet_button
from studio.ui.widgets.layout import Turning, column, row, stack
from studio.ui.widgets.tables import CalmTable, Column, ElementModel
from studio.ui.widgets.theme import MARGIN

CHECKING = tr("Checking…")
WRAPPED = 20
"""Limit for problems with wrapped sentences; in a longer list each has one line, and the rest in its tooltip."""
NARROW, LEAST_WIDTH = 440, 200
"""Width in pixels below which the buttons go below the table, and least width of the panel."""


class FindingsPanel(QWidget):
    """The list of problems, or a text if it is empty."""

    chosen = Signal(object)
    """A finding to bring into view."""
    repaired = Signal(object)
    """A finding to fix, with the chosen fix as its repair."""
    counted = Signal(str)
    """The title of the tab."""

    def __init__(self, place_of: Callable[[Finding], str]) -> None:
        super().__init__()
        self.model = ElementModel([
            Column(tr("Severity"), lambda each: each.severity.name.title(),
                   sign=lambda each: each.severity.name.lower()),
            Column(tr("Problem"), lambda each: each.message, tip=lambda each: each.message),
            Column(tr("Location"), place_of),
        ])  # fmt: skip
        self.verdict = ""
        """The text shown without problems."""
        self._counted = ""
        self._is_known = False
        self._is_offered = False  # whether the current row is the panel's choice, not the maker's
        self._ahead: tuple[Finding, ...] = ()  # the last known findings from the current one on
        self._row = 0
        self.table = CalmTable(self.model, tr("Problems"))
        self.table.setSelectionMode(CalmTable.SelectionMode.SingleSelection)
        head = self.table.horizontalHeader()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        for narrow in (0, 2):
            head.setSectionResizeMode(narrow, QHeaderView.ResizeMode.ResizeToContents)
        # While a column is resized, rows are still measured by its old width.
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._wrap)
        head.sectionResized.connect(lambda *_: self._later.start())
        self._empty = invitation(CHECKING)
        self._fix = QPushButton(tr("Fix"))
        self._fix.setToolTip(tr("Fix the selected problem; undo restores it"))
        self._fix.setEnabled(False)
        self._more = quiet_button(tr("More ways to fix the selected problem"))
        self._more.setArrowType(Qt.ArrowType.DownArrow)
        kept = self._more.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._more.setSizePolicy(kept)
        self._more.hide()
        self._stack = stack(self._empty, self.table)
        self._buttons, self._sized, self._width = column(row(self._fix, self._more, gap=0)), [self._fix], 0
        parts = row((self._stack, 1), self._buttons, of=self, margins=(0, 0, MARGIN, 0))
        Turning(self, parts, narrow=NARROW, least=LEAST_WIDTH)
        parts.setAlignment(self._buttons, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.table.clicked.connect(self._choose)
        self.table.activated_row.connect(lambda _row: self._choose())
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._row_changed())
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(
            lambda place: self._offer_repairs(self.table.viewport().mapToGlobal(place))
        )
        self._more.clicked.connect(lambda: self._offer_repairs(self._more.mapToGlobal(self._more.rect().bottomLeft())))
        self._fix.clicked.connect(lambda: next(iter(self.fixes(self.current).values()))())

    def show_findings(self, findings: tuple[Finding, ...] | None) -> None:
        """Show findings; None while they are being computed. The current one, or else the next, is current again."""
        was_offered = self._is_offered
        if self.model.elements:
            row = max(self.table.currentIndex().row(), 0)
            self._row, self._ahead = row, self.model.elements[row:] if row or not was_offered else ()
        self.model.follow_elements(list(findings or ()))
        self._wrap()
        if findings:
            rows = {key: row for row in reversed(range(len(findings))) for key in _keys(findings[row])}
            known = ((at, rows[key]) for at, each in enumerate(self._ahead) for key in _keys(each) if key in rows)
            at, row = next(known, (1, min(self._row, len(findings) - 1)))
            self._select(row)
            # An offer brings nothing into view, but the button shows its repair.
            self._is_offered = was_offered or at > 0
        else:
            self._is_offered = was_offered
        self._stack.setCurrentIndex(1 if findings else 0)
        self._is_known = findings is not None
        self._empty.setText(self.verdict if self._is_known else CHECKING)
        self._current_changed()
        words = tr("Problems") if not findings else tr("Problems ({count})", count=len(findings))
        if words != self._counted:
            self._counted = words
            self.counted.emit(words)

    def offer(self, action: QAction) -> None:
        """Add a button for an action below the others."""
        button = QPushButton(action.text())
        button.setToolTip(action.toolTip())
        button.setEnabled(action.isEnabled())
        action.enabledChanged.connect(button.setEnabled)
        button.clicked.connect(action.trigger)
        self._buttons.addWidget(button)
        self._sized.append(button)
        self._fit()

    def _fit(self) -> None:
        """Keep the buttons as wide as their widest words so far, so that new words move and repaint nothing else."""
        self._width = max(self._width, *(button.sizeHint().width() for button in self._sized))
        for button in self._sized:
            button.setFixedSize(self._width, button.sizeHint().height())

    def _wrap(self) -> None:
        """Give rows the height of their sentences, if there are few."""
        count, was_wrapped = self.model.rowCount(), self.table.wordWrap()
        is_wrapped = count <= WRAPPED
        if not is_wrapped and not was_wrapped:
            return
        self.table.setWordWrap(is_wrapped)
        lines = self.table.verticalHeader()
        for line in range(count):
            wanted = self.table.sizeHintForRow(line) if is_wrapped else 0
            lines.resizeSection(line, max(wanted, lines.defaultSectionSize()))

    def show_progress(self, fraction: float, _note: str) -> None:
        """Show the progress of the check until findings are known."""
        if not self._is_known:
            self._empty.setText(f"{CHECKING} {share(fraction)}")

    @property
    def current(self) -> Finding | None:
        """The finding whose row is current."""
        row = self.table.currentIndex().row()
        return self.model.elements[row] if 0 <= row < len(self.model.elements) else None

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) finding and show its place."""
        count = len(self.model.elements)
        if count:
            row = self.table.currentIndex().row() - (self._is_offered and by > 0)
            self._select((row + by) % count)
            self._choose()

    def go_to(self, finding: Finding) -> None:
        """Select a finding, if it is still listed, and show its place."""
        if finding in self.model.elements:
            self._select(self.model.elements.index(finding))
            self._choose()

    def _select(self, row: int) -> None:
        if row != self.table.currentIndex().row():
            self.table.setCurrentIndex(self.model.index(row, 0))

    def _choose(self) -> None:
        self._is_offered = False
        finding = self.current
        if finding is not None:
            self.chosen.emit(finding)

    def _row_changed(self) -> None:
        self._is_offered = False
        self._current_changed()

    def _current_changed(self) -> None:
        repairs = self.current.repairs if self.current is not None else ()
        repair = repairs[0] if repairs else None
        self._more.setVisible(len(repairs) > 1)
        self._fix.setEnabled(repair is not None)
        words = repair.title if repair is not None else tr("Fix")
        if words != self._fix.text():
            self._fix.setText(words)
            self._fit()

    def _offer_repairs(self, place: QPoint) -> None:
        """Show the fixes of the current problem in a menu at a place on the screen."""
        fixes = self.fixes(self.current)
        if not fixes:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for title, fix in fixes.items():
            menu.addAction(title, fix)
        menu.popup(place)

    def fixes(self, finding: Finding | None) -> dict[str, Callable[[], None]]:
        """Return the fixes of a finding by title, the usual one first."""
        if finding is None:
            return {}
        return {each.title: partial(self._repair, finding, each) for each in finding.repairs}

    def _repair(self, finding: Finding, repair: Repair) -> None:
        self.repaired.emit(replace(finding, repair=repair, others=()))


def _keys(finding: Finding) -> list[tuple[object, ...]]:
    """Keys by which a finding is found again, the closest first: by sentence, place or cells."""
    kind, place = finding.kind, tuple(round(each, 1) for each in finding.place)
    by_cells = [(kind, finding.cells)] if finding.cells else []
    return [(kind, place, finding.message), (kind, place), *by_cells]

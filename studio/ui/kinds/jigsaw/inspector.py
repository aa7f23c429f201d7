"""The inspector: what is known of what is selected, and the numbers that can be changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
)

from studio.puzzles.jigsaw import edits
from studio.puzzles.jigsaw.geometry import JigsawShapes
from studio.puzzles.jigsaw.model import PLACE_BOUNDS, SIZE_BOUNDS, SLANT_BOUNDS
from studio.puzzles.jigsaw.tongues import PLACE, PLAIN, SIZE, SLANT
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.kinds.jigsaw.tables import knob_in
from studio.ui.kinds.jigsaw.tool import JigsawTool, counted
from studio.ui.layout import REST, Item, column, grid, holding, named, scrolled
from studio.ui.length_spin import NumberSpinBox
from studio.ui.session.document import Document
from studio.ui.theme import GAP, MARGIN
from studio.ui.widgets import heading, hint_label

SHAPES = (
    ("size", "Size", SIZE, SIZE_BOUNDS, "How far the tongue reaches into its neighbour, in % of its length."),
    ("place", "Place", PLACE, PLACE_BOUNDS, "How far it sits from the middle of its edge, in % of the length."),
    ("slant", "Slant", SLANT, SLANT_BOUNDS, "How far its head leans to one side, in % of the length."),
)


def _heading(words: str = "") -> QLabel:
    label = heading(words)
    label.setWordWrap(True)
    return label


def _form() -> QFormLayout:
    form = named({}, across=GAP, down=GAP)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return form


class Inspector(QScrollArea):
    """Pages for the board, corners, tongues and pieces; the selection turns them."""

    def __init__(self, document: Document, selection: Selection, tool: JigsawTool) -> None:
        super().__init__()
        self._document, self._selection, self._tool = document, selection, tool
        self._pages = QStackedWidget()
        scrolled(self._pages, self)
        self._board = self._page(self._board_page())
        self._corner = self._page(self._corner_page())
        self._tongue = self._page(self._tongue_page())
        self._piece = self._page(self._piece_page())
        selection.changed.connect(self.follow)

    @property
    def _shapes(self) -> JigsawShapes | None:
        """Those of the tool: the numbers that are selected are theirs."""
        return self._tool.shapes

    def _page(self, items: list[Item]) -> int:
        return self._pages.addWidget(holding(column(*items, REST, margins=MARGIN)))

    def _board_page(self) -> list[Item]:
        self._board_size, self._board_pieces, self._board_cut, self._board_edits = (QLabel() for _ in range(4))
        self._board_edits.setWordWrap(True)
        form = _form()
        form.addRow("Size", self._board_size)
        form.addRow("Pieces", self._board_pieces)
        form.addRow("Cut", self._board_cut)
        form.addRow("By hand", self._board_edits)
        hint = hint_label(
            "Drag a corner to move it. Click a tongue to shape it, double-click it to flip it. "
            "Drag over the board to select several."
        )
        return [_heading("Board"), form, hint]

    def _corner_page(self) -> list[Item]:
        self._corner_title, self._corner_hint = _heading(), hint_label(" ")
        self._corner_boxes = []
        form = _form()
        for axis, title in enumerate(("X", "Y")):
            help = f"Distance from the board's {'left' if axis == 0 else 'upper'} edge."
            box = NumberSpinBox.of(title, minimum=0, maximum=10000, step=0.5, unit="mm", help=help)
            box.moved.connect(lambda value, axis=axis: self._move_corner(axis, value, False))
            box.settled.connect(lambda value, _entry, axis=axis: self._move_corner(axis, value, True))
            self._corner_boxes.append(box)
            form.addRow(title, box)
        return [self._corner_title, form, self._buttons([("Reset", self._tool.reset)]), self._corner_hint]

    def _tongue_page(self) -> list[Item]:
        self._tongue_title, self._tongue_hint = _heading(), hint_label(" ")
        self._shape_boxes: dict[str, NumberSpinBox] = {}
        form = _form()
        for name, title, _column, (low, high), help in SHAPES:
            box = NumberSpinBox.of(title, minimum=100 * low, maximum=100 * high, step=1, unit="%", help=help)
            box.moved.connect(lambda value, name=name: self._shape(name, value, False))
            box.settled.connect(lambda value, _entry, name=name: self._shape(name, value, True))
            self._shape_boxes[name] = box
            form.addRow(title, box)
        self._plain = QCheckBox("Plain, no knob")
        self._locked = QCheckBox("Locked against re-rolling")
        self._plain.clicked.connect(lambda _on: self._tool.make_plain())
        self._locked.clicked.connect(lambda _on: self._tool.lock())
        buttons = [("Flip", self._tool.flip), ("Re-roll", self._tool.roll), ("Reset", self._tool.reset)]
        return [self._tongue_title, form, self._plain, self._locked, self._buttons(buttons), self._tongue_hint]

    def _piece_page(self) -> list[Item]:
        self._piece_title = _heading()
        self._piece_area = QLabel()
        form = _form()
        form.addRow("Area", self._piece_area)
        return [self._piece_title, form]

    def _buttons(self, named: Sequence[tuple[str, Callable[[], object]]]) -> QGridLayout:
        buttons = []
        for words, deed in named:
            buttons.append(QPushButton(words))
            buttons[-1].clicked.connect(lambda _checked=False, deed=deed: deed())
        made = grid(buttons[:2], buttons[2:])
        made.setColumnStretch(0, 1)
        made.setColumnStretch(1, 1)
        return made

    def follow(self) -> None:
        """Show what is selected as it is now, under a hand too."""
        if self._shapes is None:
            return
        selection = self._selection
        if selection.tongues and not selection.corners:
            self._show_tongues(sorted(selection.tongues))
        elif selection.corners:
            self._show_corners(sorted(selection.corners))
        elif selection.pieces:
            self._show_pieces(sorted(selection.pieces))
        else:
            self._show_board()

    def _show_board(self) -> None:
        assert self._shapes is not None
        drawing, design = self._shapes.drawing, self._shapes.design
        self._board_size.setText(f"{drawing.width:.1f} × {drawing.height:.1f} mm")
        self._board_pieces.setText(str(len(drawing.pieces)))
        self._board_cut.setText(f"{drawing.cut_length / 1000:.2f} m")
        self._board_edits.setText(f"{counted(len(design.corners), 'corner')}, {counted(len(design.tongues), 'tongue')}")
        self._pages.setCurrentIndex(self._board)

    def _show_corners(self, corners: list[int]) -> None:
        assert self._shapes is not None
        one = len(corners) == 1
        name = self._shapes.tiling.corner_name(corners[0])
        self._corner_title.setText(f"Corner {name}" if one else self._selection.words)
        freedom = self._shapes.tiling.freedom[corners]
        middle = self._shapes.corners[corners].mean(axis=0)
        for axis, box in enumerate(self._corner_boxes):
            self._set(box, float(middle[axis]))
            box.setEnabled(bool(freedom[:, axis].any()))
        on_border = one and not freedom.all()
        hint = "It lies on the border and slides along it." if on_border else ""
        self._corner_hint.setText(hint if one else "The numbers are those of their middle.")
        self._pages.setCurrentIndex(self._corner)

    def _show_tongues(self, tongues: list[int]) -> None:
        assert self._shapes is not None
        shapes = self._shapes
        one = len(tongues) == 1
        name = shapes.tiling.edge_name(tongues[0])
        self._tongue_title.setText(f"Tongue {name}" if one else self._selection.words)
        for key, _title, number, _bounds, _help in SHAPES:
            self._set(self._shape_boxes[key], 100 * float(shapes.tongues[tongues, number].mean()))
        plain = shapes.tongues[tongues, PLAIN] > 0.5
        self._plain.setChecked(bool(plain.all()))
        for box in self._shape_boxes.values():
            box.setEnabled(not plain.all())
        self._locked.setChecked(set(shapes.locked.tolist()).issuperset(tongues))
        knob = knob_in(shapes, tongues[0])
        words = "A plain edge." if knob == "no knob" else f"Its knob reaches into {knob}."
        self._tongue_hint.setText(words if one else "The numbers are their means; a new one holds for all.")
        self._pages.setCurrentIndex(self._tongue)

    def _show_pieces(self, pieces: list[int]) -> None:
        assert self._shapes is not None
        one = len(pieces) == 1
        name = self._shapes.tiling.piece_name(pieces[0])
        self._piece_title.setText(f"Piece {name}" if one else self._selection.words)
        drawing = self._shapes.drawing
        around = drawing.pieces.codes[drawing.pieces.starts[pieces[0]] : drawing.pieces.starts[pieces[0] + 1]]
        area = drawing.piece_areas[pieces].sum() if len(around) else 0.0
        self._piece_area.setText(f"{area:.1f} mm²")
        self._pages.setCurrentIndex(self._piece)

    @staticmethod
    def _set(box: NumberSpinBox, value: float) -> None:
        blocked = box.blockSignals(True)
        box.setValue(value)
        box.blockSignals(blocked)

    def _move_corner(self, axis: int, value: float, settled: bool) -> None:
        assert self._shapes is not None
        base = self._document_shapes()
        corners = sorted(self._selection.corners)
        offset = value - float(base.corners[corners, axis].mean())
        places = {}
        for corner in corners:
            at = base.corners[corner].tolist()
            at[axis] += offset
            places[corner] = (at[0], at[1])
        design = edits.with_corners_at(base, places)
        if settled:
            self._document.edit(f"Move {counted(len(corners), 'corner')}", design)
        else:
            self._document.preview(design)

    def _shape(self, name: str, value: float, settled: bool) -> None:
        base = self._document_shapes()
        tongues = sorted(self._selection.tongues)
        design = edits.with_tongues_shaped(base, {tongue: {name: value / 100} for tongue in tongues})
        if settled:
            self._document.edit(f"{name.capitalize()} of {counted(len(tongues), 'tongue')}", design)
        else:
            self._document.preview(design)

    def _document_shapes(self) -> JigsawShapes:
        """The shapes of the design as it stands; while a number is being turned others are shown."""
        assert self._shapes is not None
        if self._shapes.design is self._document.design:
            return self._shapes
        from studio.progress import Progress
        from studio.puzzles.jigsaw.geometry import shape

        return shape(self._document.design, self._shapes, Progress())

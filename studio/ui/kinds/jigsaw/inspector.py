"""The inspector: figures of the selection, and the values that can be changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QGridLayout, QLabel, QPushButton, QWidget

from studio.base.amounts import extent, many, metres
from studio.base.progress import Progress
from studio.base.texts import tr, within
from studio.geometry.board.tiling import FREE
from studio.geometry.curves import rings
from studio.puzzles.jigsaw.figures.whimsies import INSIDE, CommonSetting, Pose, Setting, Whimsy
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import BOUNDS, JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.tongues.tongues import FOLLOWING, PLAIN
from studio.ui.canvas.view import Tool
from studio.ui.kinds.jigsaw.element_tables import (
    MEASURES,
    STRAIGHT,
    Gripping,
    StyleBox,
    grip_label,
    pointing_into,
    restyle,
)
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.kinds.jigsaw.tool import JigsawTool
from studio.ui.panels.form import FoldingTitle, Manner, ParameterForm
from studio.ui.panels.inspector_pages import EVEN, FactsPage, FactsPanel
from studio.ui.session.document import Document
from studio.ui.widgets.controls import CalmComboBox, hint_label, tick
from studio.ui.widgets.layout import grid, holding, named, row, show_row
from studio.ui.widgets.length_spin import NumberSpinBox
from studio.ui.widgets.theme import GAP, TabStrip

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.engravings import EngravingPage
    from studio.ui.kinds.jigsaw.selection import JigsawMarks

SHAPES = (
    *MEASURES,
    ("head", tr("Head"), tr("Width of the head, in % of the style's.")),
    ("neck", tr("Neck"), tr("Width of the neck, in % of the style's.")),
    ("shoulder", tr("Shoulder"), tr("Depth of the dips beside the neck, in % of the style's.")),
    ("fullness", tr("Fullness"), tr("Fullness of the head, in % of the style's.")),
)
BALANCES = (
    ("head_balance", tr("Head"), tr("Head balance"), tr("Wider head on the right, narrower on the left, in %.")),
    ("neck_balance", tr("Neck"), tr("Neck balance"), tr("Wider neck on the right, narrower on the left, in %.")),
    (
        "shoulder_balance", tr("Shoulder"), tr("Shoulder balance"),
        tr("Deeper dip on the right, shallower on the left, in %."),
    ),
    (
        "fullness_balance", tr("Fullness"), tr("Fullness balance"),
        tr("Fuller head on the right, more pointed on the left, in %."),
    ),
)  # fmt: skip
"""Measures that differ between left and right, for a tongue that points up."""
TITLES = {name: title for name, title, _help in SHAPES} | {name: title for name, _label, title, _help in BALANCES}
SCALED = ("size", "head", "neck", "shoulder", "fullness")
"""Measures in which several tongues can be scaled."""


TOOL_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Backspace, Qt.Key.Key_Escape)
"""Keys of another tool, whose page has the focus."""
CORNERS, TONGUES = range(2)
"""Pages to choose from if both corners and tongues are selected."""


S = TypeVar("S", Setting, CommonSetting)


def _in_tenths(setting: S) -> S:
    """A setting of figures with lengths and angles rounded as displayed: a drag ends between tenths."""
    shown: dict[str, Any] = {name: round(getattr(setting, name), 1) for name in ("x", "y", "height", "turn")}
    return replace(setting, **shown)


def _set(box: NumberSpinBox, value: float) -> None:
    with QSignalBlocker(box):
        box.setValue(value)


def _form(widgets: Mapping[str, QWidget]) -> QFormLayout:
    form = named(widgets, across=GAP, down=GAP)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return form


def _buttons(named: Sequence[tuple[str, Callable[[], object]]]) -> QGridLayout:
    buttons = []
    for words, action in named:
        buttons.append(QPushButton(words))
        buttons[-1].clicked.connect(lambda _checked=False, action=action: action())
    made = grid(buttons[:2], buttons[2:])
    made.setColumnStretch(0, 1)
    made.setColumnStretch(1, 1)
    return made


class FigurePage(FactsPage):
    """Shows the selected figures, and changes them as their values are edited: one, or several in a common frame."""

    edited = Signal(str, object, object, object)
    """Brings the words, the poses by name if they change, their other values by field, and a token, as forms do."""
    removed = Signal()

    def __init__(self, setting: Setting | CommonSetting, hint: str, marks: JigsawMarks, *below: QWidget) -> None:
        form = ParameterForm(setting, Manner.PLAIN, seen=_in_tenths)
        buttons = _buttons([(tr("Remove"), lambda: self.removed.emit())])
        super().__init__(form, buttons, hint=hint, below=below, spaces=EVEN)
        self.form, self._setting, self._marks = form, type(setting), marks
        self._figures: tuple[Whimsy, ...] = ()
        self._pose, self._shown, self._mixed = Pose(), setting, set[str]()
        form.previewed.connect(self._preview)
        form.edited.connect(self._edit)

    def show_figures(self, title: str, figures: tuple[Whimsy, ...], pose: Pose) -> None:
        """Show figures, and the pose of their frame."""
        self._figures, self._pose = figures, pose
        boxes = np.array([rings.box(replace(one, pose=there).on_board()[0])
                          for one, there in zip(figures, self._poses(pose).values(), strict=True)])  # fmt: skip
        size: list[float] = (boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0)).tolist()
        self.show_facts(title, {tr("Size"): extent(*size)})
        others = {name: max(getattr(one, name) for one in figures) for name in ("tongues", "touches")}
        setting = self._setting(**vars(pose), **others, border=figures[0].border)
        usual = {"turn": 0.0, "is_mirrored": False, "tongues": 0, "touches": False, "border": INSIDE}
        self._shown = setting
        self._mixed = {name for name in ("tongues", "touches", "border")
                       if len({getattr(one, name) for one in figures}) > 1}  # fmt: skip
        self.form.set_parameters(setting, replace(setting, **usual), self._mixed)  # type: ignore[arg-type]

    def _poses(self, pose: Pose) -> dict[str, Pose]:
        from studio.puzzles.jigsaw.figures.whimsies import posed_together

        return posed_together(self._figures, pose)

    def _preview(self, setting: Setting | CommonSetting) -> None:
        poses = self._poses(setting.pose)
        self._marks.show_ghost([replace(one, pose=poses[one.name]) for one in self._figures])

    def _edit(self, words: str, setting: Setting | CommonSetting, token: object) -> None:
        # Several figures keep their poses to the bit; a single one may have got another meanwhile.
        is_same = len(self._figures) > 1 and setting.pose == self._pose
        unified = self._mixed - self.form.mixed
        others = {name: getattr(setting, name) for name in ("tongues", "touches", "border")
                  if name in unified or getattr(setting, name) != getattr(self._shown, name)}  # fmt: skip
        self.edited.emit(words, {} if is_same else self._poses(setting.pose), others, token)


class Inspector(FactsPanel):
    """Pages for the board, corners, tongues, pieces, a figure and engravings; the selection chooses the page."""

    figures_edited = Signal(str, object, object, object)
    """Edit of the selected figures, as their page brings it."""
    figures_removed = Signal()
    """The selected figures are to be removed."""
    engraving_opened = Signal(str)
    """Asks for the dialog of engravings: brings the name of one."""
    refused = Signal(str)
    """Brings the sentence for a value that is out of bounds for at least some of the tongues."""

    def __init__(self, document: Document, selection: Selection, tool: JigsawTool, gripping: Gripping) -> None:
        self.parts = TabStrip()
        super().__init__(self.parts)
        self._document, self._selection, self._tool, self._gripping = document, selection, tool, gripping
        self.grip_labels: list[QLabel] = []
        self._aside: FactsPage | None = None
        self._aside_tool: Tool | None = None
        self._is_played = False
        self._dragged: Mapping[str, Pose] = {}
        self.parts.setAccessibleName(tr("Selection"))
        self.parts.setDrawBase(False)
        for _part in (CORNERS, TONGUES):
            self.parts.addTab("")
        self.parts.hide()
        self.parts.currentChanged.connect(lambda _part: self.follow())
        self.measure = QPushButton(tr("Measure tongues"))
        self.measure.setToolTip(tr("Find the tongue that pulls out first"))
        self.measure.clicked.connect(gripping.measure)
        self.weakest = grip_label(gripping.board, gripping.weakest)
        hint = tr(
            "Drag a corner to move it. Click a tongue to shape it, double-click to flip it. Drag a box to select "
            "several."
        )
        self._board = self.add(FactsPage(self.weakest, grid([self.measure]), hint=hint, spaces=EVEN))
        self._corner = self.add(self._corner_page())
        self._tongue = self.add(self._tongue_page())
        self._piece = self.add(FactsPage(spaces=EVEN))
        selection.changed.connect(self.follow)

    def _corner_page(self) -> FactsPage:
        self._corner_boxes: dict[str, NumberSpinBox] = {}
        for axis, title in enumerate(("X", "Y")):
            help = (
                tr("Distance from the board's left edge.") if axis == 0 else tr("Distance from the board's top edge.")
            )
            box = NumberSpinBox.undeclared(title, minimum=0, maximum=10000, step=0.5, unit="mm", help=help)
            self._follow_box(box, partial(self._move_corners, axis))
            self._corner_boxes[title] = box
        return FactsPage(_form(self._corner_boxes), _buttons([(tr("Reset"), self._tool.reset)]), spaces=EVEN)

    def _tongue_page(self) -> FactsPage:
        self._shape_boxes: dict[str, NumberSpinBox] = {}
        for name, title, help in (*SHAPES, *((name, title, help) for name, _label, title, help in BALANCES)):
            low, high = BOUNDS[name]
            box = NumberSpinBox.undeclared(title, minimum=100 * low, maximum=100 * high, step=1, unit="%", help=help)
            self._follow_box(box, partial(self._shape, name))
            self._shape_boxes[name] = box
        self.style_box = StyleBox()
        self.style_box.chosen.connect(self._restyle)
        boxes: dict[str, QWidget] = {title: self._shape_boxes[name] for name, title, _help in SHAPES}
        self._shape_form = _form({tr("Style"): self.style_box} | boxes | {tr("Scale"): self._scaling_row()})
        balances = holding(_form({label: self._shape_boxes[name] for name, label, _title, _help in BALANCES}))
        self.balances = FoldingTitle(tr("Asymmetry"), balances)
        self.balances.fold(True)
        self._plain = QCheckBox(tr("Straight (no tongue)"))
        self._locked = QCheckBox(tr("Locked"))
        self._plain.clicked.connect(lambda _on: self._tool.make_plain())
        self._locked.clicked.connect(lambda _on: self._tool.lock())
        buttons = [(tr("Flip"), self._tool.flip), (tr("Randomise"), self._tool.roll), (tr("Reset"), self._tool.reset)]
        controls = self._shape_form, self.balances, balances, self._plain, self._locked, _buttons(buttons)
        return FactsPage(*controls, below=[self._grip_label()], spaces=EVEN)

    def _scaling_row(self) -> QWidget:
        """Choice of the measure to scale several tongues in, and the amount, which returns to 100 % after use."""
        self._scaled = CalmComboBox(tr("Scale"), tr("Part of the selected tongues to scale."))
        # The panel keeps its width when several tongues are selected.
        self._scaled.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._scaled.setMinimumContentsLength(1)
        help = tr("Scales each selected tongue from its own value.")
        self._scale = NumberSpinBox.undeclared(tr("Scale by"), minimum=10, maximum=400, step=5, unit="%", help=help)
        _set(self._scale, 100.0)
        self._scale.refused.connect(self.refused)
        self._scale.moved.connect(lambda percent: self._document.preview(self._scaled_design(percent)[0]))
        self._scale.settled.connect(lambda percent, _entry: self._scale_tongues(percent))
        self._scaling = holding(row(self._scaled, self._scale, gap=GAP // 2))
        return self._scaling

    def _scaled_design(self, percent: float) -> tuple[JigsawDesign, int]:
        base = shape(self._document.design, self._selection.shapes, Progress())
        name = str(self._scaled.currentData())
        return edits.with_tongues_scaled(base, sorted(self._selection.tongues), name, percent / 100)

    def _scale_tongues(self, percent: float) -> None:
        """Scale the selected tongues, and report the number at a bound."""
        design, clipped = self._scaled_design(percent)
        tongues, field = many(len(self._selection.tongues), "tongue"), within(self._scaled.currentText())
        _set(self._scale, 100.0)
        self._document.edit(tr("Scale {field} of {tongues}", field=field, tongues=tongues), design)
        if clipped:
            words = tr(
                "{count} of {tongues} reached the limit of {field}.", count=clipped, tongues=tongues, field=field
            )
            self.refused.emit(words)

    @cached_property
    def figure(self) -> FigurePage:
        """The page of a figure, made with the first selected one."""
        hint = tr("Drag the figure to move it, a corner of its frame to scale it, the round handle to rotate it.")
        return self._figure_page(Setting(), hint, self._grip_label())

    @cached_property
    def figures(self) -> FigurePage:
        """The page of several figures, made with the first selected ones."""
        hint = tr("Drag a figure to move all, a corner of their frame to scale them, the round handle to rotate them.")
        return self._figure_page(CommonSetting(), hint)

    def _figure_page(self, setting: Setting | CommonSetting, hint: str, *below: QWidget) -> FigurePage:
        page = FigurePage(setting, hint, self._tool.marks, *below)
        page.edited.connect(self.figures_edited)
        page.removed.connect(self.figures_removed)
        return self.add(page)

    @cached_property
    def engraving(self) -> EngravingPage:
        """The page of engravings, made with the first selected one."""
        from studio.ui.kinds.jigsaw.engravings import EngravingPage

        page = EngravingPage(self._document, self._selection)
        page.opened.connect(self.engraving_opened)
        page.removed.connect(lambda: self._tool.engraved.remove())
        page.refused.connect(self.refused)
        return self.add(page)

    def _grip_label(self) -> QLabel:
        """Label with the grip of the selection, for the pages of tongues and figures."""
        self.grip_labels.append(grip_label(self._gripping.one, self._gripping.grip_text))
        return self.grip_labels[-1]

    def show_dragged(self, poses: Mapping[str, Pose]) -> None:
        """Show the dragged places of figures, which the board may follow later."""
        self._dragged = poses
        self.follow()

    def let_go(self) -> None:
        """Show figures where they are again."""
        if self._dragged:
            self._dragged = {}
            self.follow()

    def show_aside(self, page: FactsPage | None, tool: Tool | None = None) -> None:
        """Show the page of another tool, or the selection again."""
        if page is not None and page.parentWidget() is None:
            self.add(page)
        self._aside, self._aside_tool = page, tool
        self.follow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave Enter, Backspace and Esc to the tool of the page, as on the canvas; Enter presses a button."""
        key, focused = event.key(), self.focusWidget()
        if self._aside_tool is None or key not in TOOL_KEYS:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Escape:
            self._aside_tool.cancelled()
        elif isinstance(focused, QPushButton) and key != Qt.Key.Key_Backspace:
            focused.click()
        else:
            self._aside_tool.key_pressed(event)

    def show_view(self, *, is_board: bool, is_played: bool) -> None:
        """Show help for the game while it is in sight, and help for the mouse only on the board."""
        self._board.hint.setVisible(is_board)
        if is_played != self._is_played:
            self._is_played = is_played
            self.follow()

    @cached_property
    def _play(self) -> FactsPage:
        """The page of the game, made when it is first played."""
        hints = (
            tr("Drag pieces together; edges that fit snap, right or wrong."),
            tr("R, a right-click or the wheel during a drag rotates a piece. Drag a box around several to move them."),
            tr("Double-click a joined piece to take it off."),
            tr("With the keyboard: arrow keys choose a piece or move the one you hold, Enter picks it up and puts it "
               "down, Esc puts it back."),
        )  # fmt: skip
        page = self.add(FactsPage(*map(hint_label, hints), spaces=EVEN))
        page.show_facts(tr("Play"), {})
        return page

    def follow(self) -> None:
        """Show the present state of the selection, during a drag too."""
        corners, tongues = self._selection.corners, self._selection.tongues
        has_both = bool(corners and tongues) and self._aside is None and not self._is_played
        self.parts.setVisible(has_both)
        if has_both:
            self.parts.setTabText(CORNERS, many(len(corners), "corner"))
            self.parts.setTabText(TONGUES, many(len(tongues), "tongue"))
        super().follow()

    def describe(self) -> FactsPage:
        """Show the selected elements, or the board."""
        selection = self._selection
        if self._aside is not None:
            return self._aside
        if self._is_played:
            return self._play
        if selection.tongues and not (selection.corners and self.parts.currentIndex() == CORNERS):
            return self._show_tongues(sorted(selection.tongues))
        if selection.corners:
            return self._show_corners(sorted(selection.corners))
        if selection.only_figures and selection.posed is not None:
            return self._show_figures(selection.only_figures, selection.posed.pose)
        if selection.engravings:
            self.engraving.follow()
            return self.engraving
        if selection.pieces:
            area = selection.shapes.drawing.piece_areas[sorted(selection.pieces)].sum()
            name = selection.shapes.drawing.pieces.names[min(selection.pieces)]
            title = tr("Piece {name}", name=name) if len(selection.pieces) == 1 else selection.status_text
            self._piece.show_facts(title, {tr("Area"): tr("{area:.1f} mm²", area=area)})
            return self._piece
        self._board.show_facts(tr("Board"), board_facts(selection.shapes))
        return self._board

    def _show_corners(self, corners: list[int]) -> FactsPage:
        one = len(corners) == 1
        name = self._selection.shapes.tiling.corner_name(corners[0])
        self._corner.show_facts(tr("Corner {name}", name=name) if one else self._selection.status_text, {})
        freedom = self._selection.shapes.tiling.freedom[corners]
        middle = self._selection.shapes.corners[corners].mean(axis=0)
        for axis, box in enumerate(self._corner_boxes.values()):
            _set(box, round(float(middle[axis]), 1))
            box.setEnabled(bool(freedom[:, axis].any()))
        tiling, hint = self._selection.shapes.tiling, ""
        if one and tiling.tracks[corners[0]] != FREE:
            hint = tr("On the border: moves along it only.")
            for figure in tiling.fillings:
                if corners[0] in tiling.graph.edges[figure.outlines >> 1]:
                    hint = tr("On the outline of {figure}: moves along it only.", figure=figure.name)
        self._corner.hint.setText(hint if one else tr("X and Y are the centre of the selection."))
        return self._corner

    def _show_tongues(self, tongues: list[int]) -> FactsPage:
        from studio.puzzles.jigsaw.tongues.values import readings

        shapes = self._selection.shapes
        one = len(tongues) == 1
        name = shapes.tiling.tongue_name(tongues[0])
        self._tongue.show_facts(tr("Tongue {name}", name=name) if one else self._selection.status_text, {})
        plain = bool(shapes.plain[tongues].all())
        tick(self._plain, int(shapes.plain[tongues].sum()), len(tongues))
        able = {part for style, _which in shapes.of_one_style(np.array(tongues)) for part in style.parts}
        for key, box in self._shape_boxes.items():
            _set(box, round(float(readings(shapes, np.array(tongues), key).mean()), 1) + 0.0)
            box.setEnabled(not plain and not shapes.drawn[tongues].all() and key in able)
        self.style_box.show_tongues(shapes, tongues)
        self.style_box.setEnabled(not plain)
        self._offer_scaling([name for name in SCALED if self._shape_boxes[name].isEnabled()] if not one else [])
        tick(self._locked, len({*shapes.locked.tolist()}.intersection(tongues)), len(tongues))
        piece = pointing_into(shapes, tongues[0])
        words = tr("Straight edge, no tongue.") if piece == STRAIGHT else tr("Points into {piece}.", piece=piece)
        if shapes.tongues[tongues[0], PLAIN] == FOLLOWING:
            words = tr("Follows a line of the picture, no tongue.")
        elif shapes.drawn[tongues[0]] and piece != STRAIGHT:
            words = tr("As drawn; a style replaces it. Drag its handles; a right-click adds a node, or removes one.")
        self._tongue.hint.setText(words if one else tr("Averages; entering a value sets all selected tongues."))
        return self._tongue

    def _offer_scaling(self, names: list[str]) -> None:
        show_row(self._shape_form, self._scaling, shown=bool(names))
        if names != [self._scaled.itemData(at) for at in range(self._scaled.count())]:
            self._scaled.clear()
            for name in names:
                self._scaled.addItem(TITLES[name], name)

    def _show_figures(self, figures: tuple[Whimsy, ...], pose: Pose) -> FigurePage:
        name, page = figures[0].name, self.figure if len(figures) == 1 else self.figures
        title = tr("Figure {name}", name=name) if len(figures) == 1 else self._selection.status_text
        page.show_figures(title, figures, self._dragged.get(name, pose) if len(figures) == 1 else pose)
        return page

    def _follow_box(self, box: NumberSpinBox, edit: Callable[[JigsawShapes, float], tuple[str, JigsawDesign]]) -> None:
        """Preview the design with each value of a box, and keep it with the last one."""

        def made(value: float) -> tuple[str, JigsawDesign]:
            # While a number is being changed, the shapes in sight are its preview.
            return edit(shape(self._document.design, self._selection.shapes, Progress()), value)

        box.refused.connect(self.refused)
        box.moved.connect(lambda value: self._document.preview(made(value)[1]))
        box.settled.connect(lambda value, _entry: self._document.edit(*made(value)))

    def _restyle(self, style: str | None) -> None:
        restyle(self._document, self._selection.shapes, sorted(self._selection.tongues), style)

    def _move_corners(self, axis: int, base: JigsawShapes, value: float) -> tuple[str, JigsawDesign]:
        corners = sorted(self._selection.corners)
        moved = base.corners[corners]
        moved[:, axis] += value - moved[:, axis].mean()
        places = dict(zip(corners, moved.tolist(), strict=True))
        return tr("Move {corners}", corners=many(len(corners), "corner")), edits.with_corners_at(base, places)

    def _shape(self, name: str, base: JigsawShapes, value: float) -> tuple[str, JigsawDesign]:
        from studio.puzzles.jigsaw.tongues.values import entered

        tongues = np.array(sorted(self._selection.tongues))
        design = edits.with_tongues_shaped(base, entered(base, tongues, name, value))
        return tr(
            "Change {field} of {tongues}", field=within(TITLES[name]), tongues=many(len(tongues), "tongue")
        ), design


def board_facts(shapes: JigsawShapes) -> dict[str, str]:
    """Return the facts about a board."""
    drawing, design = shapes.made.drawing, shapes.design
    return {
        tr("Size"): extent(drawing.width, drawing.height),
        tr("Pieces"): str(len(drawing.pieces)),
        tr("Cut length"): metres(drawing.cut_length),
        tr("Edited"): f"{many(len(design.corners), 'corner')}, {many(len(design.tongues), 'tongue')}",
    }

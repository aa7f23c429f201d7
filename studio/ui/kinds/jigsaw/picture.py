"""The picture of one jigsaw: chosen or dropped, read off the GUI thread, and adjusted on the canvas and in numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QBuffer, QIODevice, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.files.pictures import SUFFIXES, ReadPicture, picture_of, read_picture
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.picture.board_picture import (
    BoardPicture,
    PictureSetting,
    Size,
    moved,
    quartered,
    rotated,
    scaled,
    setting_of,
    with_setting,
)
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.view import Pointer, Tool, stirred
from studio.ui.kinds.jigsaw.selection import KNOB, FrameHandles
from studio.ui.kinds.jigsaw.tool import nudge_of
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.panels.inspector_pages import EVEN, FactsPage
from studio.ui.session.document import Document
from studio.ui.session.opening import FileReading
from studio.ui.session.session import Session
from studio.ui.widgets.controls import SIDE_BUTTON, SIDE_GAP, CalmComboBox, push_button, wrapping
from studio.ui.widgets.layout import grid, holding, labelled, row

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.extension import JigsawExtension
    from studio.ui.kinds.jigsaw.inspector import Inspector

READING = "picture"
FILES = tr("Pictures ({suffixes})", suffixes=" ".join(f"*{suffix}" for suffix in SUFFIXES))
PASTED = tr("the clipboard")
PACKED = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}
"""The file extensions of pictures that programs put on the clipboard as files."""
COARSE_DPI = 150
"""Resolution below which a print looks coarse."""


class Picturing(QObject):
    """Brings pictures under one design's cuts, and adjusts them."""

    def __init__(self, session: Session, extension: JigsawExtension, inspector: Inspector) -> None:
        super().__init__(extension)
        self._session, self._extension, self._inspector = session, extension, inspector
        self.reading = FileReading(session, READING, self)
        self.paged: Paged | None = None
        self.tool = PictureTool(session.document, session.canvas)
        self.tool.left_off.connect(self.leave)
        self.panel: PicturePanel | None = None
        self._was_draft = True
        session.document.replaced.connect(self._begin)
        extension.selection.changed.connect(self._follow_selection)

    @property
    def is_adjusting(self) -> bool:
        """True while the mouse moves the picture instead of the cuts."""
        return self._session.canvas.view.tool is self.tool

    def choose(self) -> None:
        """Ask for a picture."""
        path = self._session.ask_file("picture", tr("Choose picture"), FILES)
        if path is not None:
            self.read(path)

    def read(self, path: Path, page: int = 1) -> None:
        """Put the picture of a file under the cuts; of a PDF, a page."""
        self.reading.read(
            path,
            lambda progress: _decoded(read_picture(path, page, progress)),
            done=lambda found: self._use(found, Paged(path, page, found.pages, found.data)),
        )

    def take(self, data: QMimeData) -> None:
        """Put a picture that is pasted, or dropped without a file, under the cuts."""
        packed = next((form for form in PACKED if data.hasFormat(form)), None)
        if packed is not None:
            work = partial(_unpacked, bytes(data.data(packed).data()), PACKED[packed])
        else:
            work = partial(_unpacked_image, QImage(data.imageData()))
        self.reading.read(Path(PASTED), work, done=lambda found: self._use(found, None))

    def _use(self, found: ReadPicture, paged: Paged | None) -> None:
        """Replace the present picture, or let the new one fill the board."""
        design: JigsawDesign = self._session.document.design
        before = design.picture
        picture = BoardPicture(found.data, found.media)
        if before is not None:
            picture = replace(before, data=found.data, media=found.media)
        words = tr("Add picture") if before is None else tr("Replace picture")
        self.paged = paged
        self._session.document.edit(words, design.with_picture(picture))
        if found.notes and (paged is None or paged.page == 1):
            self._session.notices.post(" ".join(found.notes), passes=True)
        self.adjust(True)

    def remove(self) -> None:
        """Remove the picture."""
        design: JigsawDesign = self._session.document.design
        if design.picture is not None:
            self.leave()
            self._session.document.edit(tr("Remove picture"), design.with_picture(None))

    def turn(self, way: int) -> None:
        """Turn the picture by a quarter."""
        design: JigsawDesign = self._session.document.design
        if design.picture is not None:
            picture = quartered(design.picture, way)
            self._session.document.edit(tr("Rotate picture"), replace(design, picture=picture))

    def adjust(self, on: bool) -> None:
        """Let the mouse move the picture, or the cuts again."""
        if on == self.is_adjusting:
            return
        if not on:
            self.leave()
            return
        design: JigsawDesign = self._session.document.design
        if design.picture is None:
            return
        self._extension.leave_asides()
        self._extension.selection.select()
        if self.panel is None:
            self.panel = PicturePanel(self)
        self._session.canvas.view.tool = self.tool
        # Corners and straight edges would hide the picture, and take as long to paint as all the rest.
        self._was_draft = self._session.canvas.drawing.is_draft
        self._session.canvas.show_draft(False)
        self._inspector.show_aside(self.panel, self.tool)
        self.show_shapes(self._extension.shapes)
        self._extension.changed.emit()

    def leave(self) -> None:
        """Give the mouse back to the cuts."""
        if self.is_adjusting:
            self.tool.frame.show_corners(None)
            self._session.canvas.view.tool = self._extension.tool
            self._session.canvas.show_draft(self._was_draft)
            self._inspector.show_aside(None)
            self._extension.changed.emit()

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Follow the picture in sight, during a gesture too."""
        if not self.is_adjusting:
            return
        picture = shapes.design.picture
        if picture is None:
            self.leave()
            return
        size = shapes.drawing.width, shapes.drawing.height
        self.tool.frame.show_corners(picture.kept(*size).corners)
        if self.panel is not None:
            self.panel.show_picture(picture, size)
            self.panel.show_pages(self.paged if self.paged is not None and self.paged.data == picture.data else None)

    def choose_page(self, page: int) -> None:
        """Take another page of the picture's PDF."""
        if self.paged is not None and page != self.paged.page:
            self.read(self.paged.path, page)

    def change(self, words: str, setting: PictureSetting, token: object | None, *, previews: bool = False) -> None:
        """Place the picture by numbers."""
        document = self._session.document
        design: JigsawDesign = document.design
        if design.picture is None:
            return
        parameters = design.parameters
        try:
            picture = with_setting(design.picture, setting, (parameters.width, parameters.height))
        except StudioError as problem:
            self._extension.refused.emit(str(problem))
            document.abandon()
            return
        changed = replace(design, picture=picture)
        if previews:
            document.preview(changed)
        else:
            document.edit(words, changed, gesture=token)

    def _begin(self) -> None:
        self.paged = None
        self.leave()

    def _follow_selection(self) -> None:
        if self._extension.selection:
            self.leave()


class Paged(NamedTuple):
    """A page of a file, the number of pages, and the bytes of its picture."""

    path: Path
    page: int
    pages: int
    data: bytes


def _unpacked(data: bytes, suffix: str, progress: Progress) -> ReadPicture:
    """The picture in bytes from the clipboard; raises StudioError."""
    try:
        return _decoded(picture_of(data, suffix, 1, progress))
    except StudioError as problem:
        raise StudioError(tr("Cannot use {name}: {problem}", name=PASTED, problem=problem)) from problem


def _unpacked_image(image: QImage, progress: Progress) -> ReadPicture:
    """A pixel image from the clipboard as a picture; raises StudioError, also if Qt finds it damaged or too large."""
    if image.isNull():
        raise StudioError(tr("Cannot use {name}: it is not a picture, or it is too large.", name=PASTED))
    packed = QBuffer()
    packed.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(packed, "PNG")  # type: ignore[call-overload]  # the stub knows files alone
    return _unpacked(bytes(packed.data().data()), ".png", progress)


def _decoded(found: ReadPicture) -> ReadPicture:
    """A picture that was read, also decoded for the screen while nobody waits for it."""
    from studio.ui.canvas.ink import sizes_of

    sizes_of(found.data)
    # The check asks for that too, and may be in a hurry.
    _ = BoardPicture(found.data, found.media).is_whole
    return found


class PicturePanel(FactsPage):
    """The inspector's page for the picture: its description, its numbers, and buttons."""

    def __init__(self, picturing: Picturing) -> None:
        self.about = wrapping()
        self.page = CalmComboBox(tr("Page"), tr("Page of the PDF file"))
        self.page.activated.connect(lambda at: picturing.choose_page(at + 1))
        self.form = ParameterForm(PictureSetting(), Manner.PLAIN)
        label, field = labelled(tr("Page"), self.page)
        # In line with the fields below, which have room for their resets.
        label.setMinimumWidth(self.form.label_width)
        self.pages = holding(row(label, (field, 1), SIDE_BUTTON + SIDE_GAP, gap=SIDE_GAP))
        self.pages.hide()
        self.form.previewed.connect(lambda setting: picturing.change("", setting, None, previews=True))
        self.form.edited.connect(picturing.change)
        buttons = [
            push_button(tr("Rotate left"), tr("Rotate the picture by 90° to the left")),
            push_button(tr("Rotate right"), tr("Rotate the picture by 90° to the right")),
            push_button(tr("Replace…"), tr("Choose another picture for this place")),
            push_button(tr("Remove"), tr("Remove the picture")),
            push_button(tr("Done"), tr("Go back to the cuts")),
        ]
        actions: list[Callable[[], object]] = [
            lambda: picturing.turn(-1), lambda: picturing.turn(1), picturing.choose, picturing.remove, picturing.leave
        ]  # fmt: skip
        for button, action in zip(buttons, actions, strict=True):
            button.clicked.connect(lambda _checked=False, action=action: action())
        self.buttons = buttons
        made = grid(buttons[:2], buttons[2:4], buttons[4:])
        made.setColumnStretch(0, 1)
        made.setColumnStretch(1, 1)
        hint = tr("Drag the picture to move it, a corner of its frame to scale it, the round handle to rotate it.")
        super().__init__(self.about, self.pages, self.form, made, hint=hint, spaces=EVEN)
        self.show_facts(tr("Picture"), {})

    def show_picture(self, picture: BoardPicture, size: Size) -> None:
        """Show a picture on a board."""
        columns, rows = picture.size
        dpi = picture.dpi(*size)
        words = tr("{columns} × {rows} pixels, {dpi:.0f} dpi", columns=columns, rows=rows, dpi=dpi)
        if dpi < COARSE_DPI:
            words = tr("{size}: coarse in print", size=words)
        self.about.setText(words)
        self.form.set_parameters(setting_of(picture, size))

    def show_pages(self, paged: Paged | None) -> None:
        """Offer the pages of the picture's PDF, if there are several."""
        count = 0 if paged is None else paged.pages
        if self.page.count() != count:
            self.page.clear()
            self.page.addItems([tr("{page} of {count}", page=page, count=count) for page in range(1, count + 1)])
        if paged is not None:
            self.page.setCurrentIndex(paged.page - 1)
        self.pages.setVisible(count > 1)


class PictureTool(Tool):
    """The mouse moves, scales and turns the picture."""

    left_off = Signal()
    """The cuts are wanted again."""

    def __init__(self, document: Document, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._document = document
        self.frame = FrameHandles(canvas)
        self._start: Pointer | None = None
        self._held: int | None = None
        self._base: JigsawDesign | None = None
        self._design: JigsawDesign | None = None
        document.settled.connect(self._let_go)

    def _let_go(self, _design: object = None) -> None:
        self._start = self._base = self._design = None

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show the cursor for a drag."""
        held = self.frame.handle_at(pointer)
        return Qt.CursorShape.SizeAllCursor if held is None else self.frame.cursor(held)

    def pressed(self, pointer: Pointer) -> None:
        """Take a handle, or the picture itself."""
        self._start, self._base = pointer, self._document.design
        self._held = self.frame.handle_at(pointer)

    def dragged(self, pointer: Pointer) -> None:
        """Preview the picture at the mouse."""
        if self._start is None or self._base is None or self._base.picture is None:
            return
        if self._design is not None or stirred(self._start.screen, pointer.screen):
            start, picture = self._start, self._base.picture
            size = self._base.parameters.width, self._base.parameters.height
            if self._held == KNOB:
                picture = rotated(picture, size, (start.x, start.y), (pointer.x, pointer.y), snaps=pointer.shift)
            elif self._held is not None:
                picture = scaled(picture, size, self._held, pointer.x - start.x, pointer.y - start.y)
            else:
                picture = moved(picture, size, *pointer.way_from(start))
            self._design = replace(self._base, picture=picture)
            self._document.preview(self._design)

    def released(self, pointer: Pointer) -> None:
        """Make it one step of the history."""
        design, held = self._design, self._held
        self._start = self._base = self._design = None
        if design is not None:
            words = tr("Rotate picture") if held == KNOB else tr("Scale picture")
            self._document.edit(tr("Move picture") if held is None else words, design)

    def double_clicked(self, pointer: Pointer) -> None:
        """Nothing more than a click."""

    def cancelled(self) -> bool:
        """Give up the drag, or else leave the picture alone."""
        if self._design is not None:
            self._let_go()
            self._document.abandon()
        else:
            self.left_off.emit()
        return True

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrow keys nudge the picture; Enter is done with it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left_off.emit()
            return True
        nudge, design = nudge_of(event), self._document.design
        if nudge is None or design.picture is None or self._start is not None:
            return False
        size = design.parameters.width, design.parameters.height
        picture = moved(design.picture, size, *nudge)
        self._document.edit(tr("Nudge picture"), replace(design, picture=picture), gesture=self)
        return True

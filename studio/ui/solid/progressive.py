"""Progressive pictures of 3-D scenes: drafts while anything moves, and the final picture in slices a moment after rest.

Both are made by the first renderer that works on this computer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter

from PySide6.QtCore import QRectF, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from studio.base.progress import lazy
from studio.base.texts import tr
from studio.ui.solid.renderer import NoRenderer, Quality, Renderer, Shot
from studio.ui.widgets.theme import current_theme

USUAL_RENDERERS: tuple[Callable[[], Renderer], ...] = (
    lazy("studio.ui.solid.gl:GlRenderer"),
    lazy("studio.ui.solid.renderer:PainterRenderer"),
)
"""By OpenGL first, in hardware or software, then by Qt's painter, which works everywhere."""


def first_that_works(makers: Sequence[Callable[[], Renderer]]) -> tuple[Renderer, list[str]]:
    """A renderer of the first working maker, and why earlier makers failed; raises NoRenderer if all fail."""
    reasons: list[str] = []
    for make in makers:
        try:
            return make(), reasons
        except (NoRenderer, ImportError) as problem:
            reasons.append(str(problem))
    raise NoRenderer("; ".join(reasons))


# Coarseness of drafts

SHARES = (1.0, 0.85, 0.7, 0.5)
"""The sides of a draft as shares of the widget's, finest first: few, since each has pictures of its own on the card."""
FIRST_IF_SLOW = 2
"""Index of the first share for a library that draws without a graphics card."""
FRAME_S = 0.033
"""Seconds per frame; after a slower draft the next one is coarser."""
SPARE = 0.8
"""Share of a frame within which the next finer draft must be expected to stay before it is tried."""


class Coarseness:
    """The share at which the next draft is drawn, from how long the last one took."""

    def __init__(self, *, is_slow: bool = False) -> None:
        self._at = FIRST_IF_SLOW if is_slow else 0

    @property
    def share(self) -> float:
        """The sides of the next draft as a share of those of the widget."""
        return SHARES[self._at]

    def took(self, seconds: float) -> None:
        """Note how long a draft at this share took."""
        if seconds > FRAME_S:
            self._at = min(self._at + 1, len(SHARES) - 1)
        elif self._at and seconds * (SHARES[self._at - 1] / self.share) ** 2 < SPARE * FRAME_S:
            self._at -= 1


AT_ONCE = 30_000
"""Most triangles that a graphics card draws as a final picture in one go; larger scenes are seen as a draft first."""
REST_MS = 120
"""Time at rest before the final picture is drawn."""
DONE = object()


class ProgressivePicture:
    """The picture of a widget's shot; it holds the renderer, which outlives the last paint but not the widget."""

    def __init__(
        self,
        widget: QWidget,
        shot: Callable[[], Shot],
        makers: Sequence[Callable[[], Renderer]],
        *,
        is_held: Callable[[], bool],
        announce: Callable[[str], None],
    ) -> None:
        """`is_held` says whether a hand moves it, which is no rest."""
        self._widget, self._shot, self._makers = widget, shot, makers
        self._is_held, self._announce = is_held, announce
        self.image: QImage | None = None
        """The picture of the shot; None if there is none yet."""
        self.is_draft = False
        """True while something moves, and a moment longer."""
        self._before: QImage | None = None
        self._renderer: Renderer | None = None
        self._steps: Iterator[None] | None = None
        self._slices: Iterator[QImage | None] | None = None
        self._is_final_due = False
        self._coarseness: Coarseness | None = None
        self._rest = QTimer(widget, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._come_to_rest)
        self._next = QTimer(widget, interval=0)
        self._next.timeout.connect(self._go_on)
        widget.destroyed.connect(self.release)

    def release(self, _gone: object = None) -> None:
        """Let the renderer go."""
        self._steps = None
        if self._renderer is not None:
            self._renderer.release()
            self._renderer = None

    @property
    def renderer(self) -> Renderer:
        """The renderer, made on first use."""
        if self._renderer is None:
            self._renderer, reasons = first_that_works(self._makers)
            if reasons:
                words = tr("OpenGL is not available: simplified 3-D view ({reason}).", reason=reasons[0][:120])
                # Later: a notice changes the layout, and this may be in the middle of a paint.
                QTimer.singleShot(0, self._widget, lambda: self._announce(words))
        return self._renderer

    def renew(self, *, moving: bool = True) -> None:
        """Forget the picture of another shot; while `moving`, drafts are drawn."""
        self.image = None
        self._leave_slices()
        if moving:
            self._move()
        self._widget.update()

    def resize(self) -> None:
        """Forget a picture of another size."""
        self.image = None
        if self._slices is not None:
            self.settle()

    def settle(self) -> None:
        """Show the final picture without waiting for rest: at the next paint, or in slices after a draft."""
        self._rest.stop()
        self.is_draft = False
        self.renew(moving=False)

    def finish(self) -> None:
        """Show the final picture at the next paint, whatever moved and however long it takes."""
        self._is_final_due = True
        self.settle()

    def pick(self, x: float, y: float) -> int | None:
        """Number of the body at a place, in logical pixels; None for nothing, or while the renderer is prepared."""
        if self._steps is not None:
            return None
        if self.image is None:
            self.image = self._draft()
            self._move()
        return self.renderer.pick(x, y)

    def paint(self, painter: QPainter) -> bool:
        """Paint the picture; return False if the former one is shown, as the renderer is not ready for the scene."""
        room = QRectF(self._widget.rect())
        if self.image is None and not self._is_final_due and not self._is_prepared():
            painter.fillRect(room, current_theme().canvas)
            if self._before is not None and self._is_as_large(self._before):
                painter.drawImage(room, self._before)
            return False
        if self.image is None:
            is_heavy = self.renderer.is_slow or self._shot().scene.triangles > AT_ONCE
            if not self.is_draft and not self._is_final_due and is_heavy:
                self._move()
            self.image = self._draft() if self.is_draft else self._rendered(Quality.FINAL)
            self._is_final_due = False
        self._before = self.image
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(room, self.image)
        return True

    def _move(self) -> None:
        self.is_draft = True
        self._leave_slices()
        self._rest.start()
        self._widget.update()

    def _come_to_rest(self) -> None:
        if self._is_held():
            self._rest.start()
        elif self.image is None or not self._widget.isVisible():
            self.settle()
        else:
            # The draft stays until the final picture is there; a mouse move meanwhile waits for a slice at most.
            shot, ratio = self._shot(), self._widget.devicePixelRatioF()
            self._slices = self.renderer.in_slices(shot.scene, shot.camera, shot.size, ratio)
            self._next.start()

    def _go_on(self) -> None:
        """Prepare or draw the next bit."""
        if self._steps is None:
            self._draw_slice()
        elif next(self._steps, DONE) is DONE:
            self._leave_slices()
            # The first time, this makes the renderer, which takes a turn of its own.
            assert self.renderer is not None
            self._widget.update()

    def _is_prepared(self) -> bool:
        """True if the renderer is ready for the scene; if not, prepare one more step per turn of the event loop."""
        made = self._renderer
        if self._steps is None:
            self._steps = iter([None]) if made is None else made.preparing(self._shot().scene)
        if next(self._steps, DONE) is DONE and made is not None:
            self._steps = None
            return True
        self._next.start()
        return False

    def _draw_slice(self) -> None:
        image = next(self._slices) if self._slices is not None else None
        if image is not None:
            self._leave_slices()
            self.is_draft = self._is_final_due = False
            self.image = image
            self._widget.update()

    def _leave_slices(self) -> None:
        self._next.stop()
        self._slices = self._steps = None

    def _draft(self) -> QImage:
        if self._coarseness is None:
            self._coarseness = Coarseness(is_slow=self.renderer.is_slow)
        begin = perf_counter()
        image = self._rendered(Quality.DRAFT, self._coarseness.share)
        self._coarseness.took(perf_counter() - begin)
        return image

    def _rendered(self, quality: Quality, share: float = 1.0) -> QImage:
        shot, ratio = self._shot(), share * self._widget.devicePixelRatioF()
        return self.renderer.render(shot.scene, shot.camera, shot.size, ratio, quality)

    def _is_as_large(self, image: QImage) -> bool:
        """True if a picture has the size of the widget, up to a pixel of a coarse draft."""
        ratio = image.devicePixelRatio()
        sides = (image.width() - ratio * self._widget.width(), image.height() - ratio * self._widget.height())
        return max(map(abs, sides)) <= 1

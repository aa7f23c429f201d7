"""Draws a scene by OpenGL into an image, with a graphics card or with a software library in its place.

Nothing here needs a window: the picture is read back and shown by an ordinary widget, so it is the same with and
without a display. Shadows are drawn once for each scene. occlusion: how much material is near a place, from a coarse
grid into which every cell is put with blurred sides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import moderngl
import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage

from studio.base.folders import shipped
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.projections import Camera
from studio.ui.solid.overlay import ink_on, sheet_of
from studio.ui.solid.renderer import NoRenderer, Quality, Renderer, Shot, number_colour
from studio.ui.solid.scene import TO_LIGHT, BodyLook, Placed, Scene, SceneBody, rgb
from studio.ui.solid.shading import BLUR, GRID, Lighting, ground_around, lighting_of, smooth

OPENGL = 330
SAMPLES = 4
SHADOW_PIXELS, QUICK_SHADOW_PIXELS = 800, 400
"""Side of the shadow map in pixels; the second is for drafts without a card, where bodies may move in each."""
SLICE_PIXELS, SLOW_SLICE_PIXELS = 125_000, 20_000
"""Pixels per slice of a final picture, on a card and in a software library."""
UPLOADED_AT_ONCE = 15_000
"""Approximate number of triangles uploaded in one go while a scene is prepared."""
LIBRARIES = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software")
"""Parts of the names of OpenGL renderers that draw without a graphics card."""
NEAR = 0.1
"""Share of the eye's distance within which a body's place on the picture is not known."""
STRIP_RIM = 8.0
"""Most distance of an outline or the like from its body, in pixels."""
OUTLINE_PIXELS = 2.8
WARMING = 24
"""Width and height of the pictures for warming up, in pixels."""
GAMMA = 2.2
DARK, POOL = 0.4, 1.6
"""Lightness below which a ground is dark, and the share of its colour that is then added below the bodies."""
GHOST = 0.16
"""Opacity of a dimmed body."""
TRIANGLES = [0, 1, 2, 0, 2, 3]
"""Corners of a square, split into two triangles."""
GROUND_TRIANGLES = (2, 8)
"""Number of triangles of the ground near the bodies, and of the ground around it."""
CLIP_DISTANCE = 0x3000
"""OpenGL's number for clipping at a plane; the library has no name for it."""
SHADERS = shipped("shaders")


@dataclass(eq=False)
class _Loaded:
    """A body on the card."""

    body: SceneBody
    buffers: list[Any]
    drawn: dict[str, Any]
    labels: Any

    def release(self) -> None:
        for one in (*self.drawn.values(), self.labels, *self.buffers):
            if one is not None:
                one.release()


class _Programs(dict[str, Any]):
    """The programs of the shaders by their names; the values of their uniforms are written if they change."""

    def __init__(self, context: Any) -> None:
        corner = _source("corner")
        super().__init__({
            "plastic": context.program(corner, _source("shade", "plastic")),
            "quick plastic": context.program(corner, _source("shade", "plastic", settings=("QUICK",))),
            "ground": context.program(corner, _source("shade", "ground")),
            "quick ground": context.program(corner, _source("shade", "ground", settings=("QUICK",))),
            "far ground": context.program(corner, _source("shade", "ground", settings=("FAR",))),
            "flat": context.program(corner, _source("flat")),
            "depth": context.program(corner, _source("depth")),
            "letter": context.program(_source("letter_corner"), _source("letter")),
        })  # fmt: skip
        # Asking a program for its uniforms takes longer than to set them.
        self._uniforms = {name: {key: made[key] for key in made} for name, made in self.items()}
        self._written: dict[tuple[str, str], bytes | int] = {}

    def set(self, program: str, **values: Any) -> None:
        """Set the uniforms of a program that changed, and skip any that its compiler removed as unused."""
        uniforms = self._uniforms[program]
        for name, value in values.items():
            uniform = uniforms.get(name)
            if uniform is None:
                continue
            if isinstance(value, int):
                data: bytes | int = value
            else:
                array = np.asarray(value, np.float32)
                data = (array.T if array.ndim == 2 else array).tobytes()
            if self._written.get((program, name)) == data:
                continue
            self._written[program, name] = data
            if isinstance(data, int):
                uniform.value = data
            else:
                uniform.write(data)


class _Frames(dict[tuple[int, int, int], Any]):
    """Pictures on the card; only the few sizes used last are kept."""

    def __init__(self, context: Any) -> None:
        super().__init__()
        self._context = context

    def of(self, width: int, height: int, samples: int) -> Any:
        """Return the picture of a size, with some samples per pixel."""
        key = (width, height, samples)
        if key in self:
            # A frame whose samples are about to be read must not be released next.
            self[key] = self.pop(key)
        else:
            while len(self) > 3:
                old = self.pop(next(iter(self)))
                for attached in (*old.color_attachments, old.depth_attachment, old):
                    attached.release()
            self[key] = self._context.framebuffer(
                [self._context.renderbuffer((width, height), 4, samples=samples)],
                self._context.depth_renderbuffer((width, height), samples=samples),
            )
        return self[key]

    def read(self, frame: Any, width: int, height: int, *, is_smoothed: bool = False) -> QImage:
        """Read a frame back with its samples resolved; a frame of one sample may have its edges smoothed."""
        if frame.samples:
            plain = self.of(width, height, 0)
            self._context.copy_framebuffer(plain, frame)
            frame, is_smoothed = plain, False
        data = np.empty((height, width, 4), np.uint8)
        frame.read_into(data, components=4, alignment=1)
        if is_smoothed:
            smooth(data)
        return QImage(data.data, width, height, 4 * width, QImage.Format.Format_RGBX8888).copy()


class GlRenderer(Renderer):
    """Soft shadows, ambient occlusion, and smooth edges, also while something moves.

    Raises NoRenderer without OpenGL.
    """

    def __init__(self) -> None:
        super().__init__()
        self._context = _context()
        self._frames = _Frames(self._context)
        self._loaded: dict[int, _Loaded] = {}
        self._is_warm = False
        self._loaded_for: tuple[object, ...] = ()
        self._letters: tuple[tuple[str, ...], Any] = ((), None)
        self._lighting: Lighting | None = None
        self._shadow_pixels = 0
        self._texel = 1.0 / SHADOW_PIXELS
        try:
            with self._context:
                context = self._context
                self._programs = _Programs(context)
                self._shadow = context.depth_texture((SHADOW_PIXELS, SHADOW_PIXELS))
                self._shadow.compare_func = "<="
                self._shadow.repeat_x = self._shadow.repeat_y = False
                self._shadow_frame = context.framebuffer(depth_attachment=self._shadow)
                self._occlusion = context.texture3d((GRID, GRID, GRID), 1, dtype="f1")
                self._occlusion.repeat_x = self._occlusion.repeat_y = self._occlusion.repeat_z = False
                self._occlusion.filter = (moderngl.LINEAR, moderngl.LINEAR)
                near, around = (context.buffer(reserve=3 * count * 6 * 4) for count in GROUND_TRIANGLES)
                self._ground_buffers = near, around
                self._ground = {name: self._array(name, near) for name in ("ground", "quick ground")}
                self._ground["far ground"] = self._array("far ground", around)
                drawn_by = self._context.info["GL_RENDERER"].casefold()
                self.is_slow = any(name in drawn_by for name in LIBRARIES)
        except moderngl.Error as problem:
            # A driver that offers a context may still refuse a program.
            self.release()
            raise NoRenderer(str(problem).strip().partition("\n")[0]) from problem

    def release(self) -> None:
        """Give the card's memory and the context back."""
        if self._context is not None:
            with self._context:
                for loaded in self._loaded.values():
                    loaded.release()
                self._loaded.clear()
                self._frames.clear()
            self._context.release()
            self._context = None

    @property
    def is_released(self) -> bool:
        """True if the context was given back."""
        return self._context is None

    def _array(self, program: str, buffer: Any) -> Any:
        made = self._programs[program]
        names = [name for name in ("place", "normal") if name in made]
        layout = "3f 3f" if len(names) == 2 else "3f 12x"
        return self._context.vertex_array(made, [(buffer, layout, *names)])

    def preparing(self, scene: Scene) -> Iterator[None]:
        """Compile the programs and upload bodies to the card, a few thousand triangles per step."""
        if not self._is_warm:
            yield from self._warming(scene)
        fresh, count = [each.body for each in scene.placed if id(each.body) not in self._loaded], 0
        for body in fresh:
            if id(body) not in self._loaded:
                with self._used():
                    self._loaded[id(body)] = self._upload(body)
                count += len(body.mesh.triangles)
            if count >= UPLOADED_AT_ONCE:
                count = 0
                yield
        if fresh and _standing(scene) != self._loaded_for:
            yield
            with self._used():
                self._load_new(scene, Quality.FINAL)
            yield

    def _warming(self, scene: Scene) -> Iterator[None]:
        """Draw the ground, then a body on it, in each quality, small.

        A library compiles each program when it first draws with it, which takes about 0.1 s.
        """
        self._is_warm = True
        if not scene.placed:
            return
        alone = replace(scene, placed=(replace(scene.placed[0], look=BodyLook.PLAIN),))
        shot = Shot(alone, Camera().fitted(alone.corners, (WARMING, WARMING), 1), QSize(WARMING, WARMING))
        with self._used():
            self._load_letters(_letters_of(scene))
        yield
        for quality in Quality:
            with self._used():
                self._load_new(alone, quality)
            yield
            with self._used():
                frame = self._frames.of(WARMING, WARMING, self._samples(quality))
                self._paint(shot.only([False]), frame, (WARMING, WARMING), 1.0, quality)
            yield
            self._drawn(shot, 1.0, quality)
            yield

    def _drawn(self, shot: Shot, ratio: float, quality: Quality) -> QImage:
        width, height = (max(1, round(side * ratio)) for side in shot.pixels)
        with self._used():
            self._load_new(shot.scene, quality)
            frame = self._frames.of(width, height, self._samples(quality))
            self._paint(shot, frame, (width, height), ratio, quality)
            return self._frames.read(frame, width, height, is_smoothed=quality is Quality.DRAFT)

    def _sliced(self, shot: Shot, ratio: float) -> Iterator[QImage | None]:
        """Draw strip by strip from the top, so that no strip takes long; pixels outside a strip stay as they are."""
        width, height = (max(1, round(side * ratio)) for side in shot.pixels)
        samples = self._samples(Quality.FINAL)
        thickness = max(1, (SLOW_SLICE_PIXELS if self.is_slow else SLICE_PIXELS) // width)
        tops, bottoms = rows_of(shot, ratio)
        for top in range(0, height, thickness):
            with self._used():
                self._load_new(shot.scene, Quality.FINAL)
                frame = self._frames.of(width, height, samples)
                frame.scissor = (0, top, width, min(thickness, height - top))
                seen = (tops < top + thickness) & (bottoms > top)
                self._paint(shot.only(seen.tolist()), frame, (width, height), ratio, Quality.FINAL)
                frame.scissor = None
                self._context.finish()
            yield None
        with self._used():
            image = self._frames.read(self._frames.of(width, height, samples), width, height)
        yield image

    def _used(self) -> Any:
        """The context, to be made the current one; raises NoRenderer after its release."""
        if self._context is None:
            raise NoRenderer(tr("The OpenGL context is closed."))
        return self._context

    def _samples(self, quality: Quality) -> int:
        """Samples per pixel: nearly free on a card, the main cost in a library, whose drafts are smoothed instead."""
        is_smooth = quality is Quality.FINAL or (quality is Quality.DRAFT and not self.is_slow)
        return min(SAMPLES, self._used().max_samples) if is_smooth else 0

    def _load_new(self, scene: Scene, quality: Quality) -> None:
        """Upload new bodies of a scene to the card, and draw its shadows as finely as the quality needs."""
        if _standing(scene) != self._loaded_for:
            self._load(scene)
        is_quick = quality is Quality.DRAFT and self.is_slow
        if quality is not Quality.NUMBERS:
            self._cast(scene, QUICK_SHADOW_PIXELS if is_quick else SHADOW_PIXELS)

    # Independent of the camera

    def _load(self, scene: Scene) -> None:
        wanted = {id(each.body) for each in scene.placed}
        for key in [key for key in self._loaded if key not in wanted]:
            self._loaded.pop(key).release()
        for each in scene.placed:
            if id(each.body) not in self._loaded:
                self._loaded[id(each.body)] = self._upload(each.body)
        self._load_letters(_letters_of(scene))
        self._lighting = lighting_of(scene)
        z = scene.floor - 0.002 * scene.radius
        for buffer, triangles in zip(self._ground_buffers, ground_around(scene, self._lighting.touched), strict=True):
            spots = triangles.reshape(-1, 2)
            rest = np.tile([z, 0.0, 0.0, 1.0], (len(spots), 1))
            buffer.write(np.ascontiguousarray(np.column_stack([spots, rest]), np.float32).tobytes())
        self._occlusion.write(self._lighting.felt.tobytes())
        self._shadow_pixels = 0
        self._loaded_for = _standing(scene)

    def _upload(self, body: SceneBody) -> _Loaded:
        mesh = body.mesh
        corners = np.concatenate([mesh.vertices[mesh.triangles], body.normals], axis=2).reshape(-1, 6)
        buffer = self._context.buffer(np.ascontiguousarray(corners, np.float32).tobytes())
        drawn = {name: self._array(name, buffer) for name in ("plastic", "quick plastic", "flat", "depth")}
        buffers, labels = [buffer], None
        if body.labels:
            # The letter's place on the sheet of letters is known when it is drawn.
            quads = np.concatenate([each.corners[TRIANGLES] for each in body.labels])
            buffers.append(self._context.buffer(np.ascontiguousarray(quads, np.float32).tobytes()))
            buffers.append(self._context.buffer(reserve=len(quads) * 2 * 4))
            pair = [(buffers[1], "3f", "place"), (buffers[2], "2f", "at")]
            labels = self._context.vertex_array(self._programs["letter"], pair)
        return _Loaded(body, buffers, drawn, labels)

    def _load_letters(self, letters: tuple[str, ...]) -> None:
        """Upload a sheet of letters to the card, unless the present sheet has them all."""
        if not {*letters} <= {*self._letters[0]}:
            if self._letters[1] is not None:
                self._letters[1].release()
            sheet = None
            if letters:
                pixels = sheet_of(letters)
                sheet = self._context.texture((pixels.shape[1], pixels.shape[0]), 1, pixels.tobytes(), alignment=1)
                sheet.build_mipmaps()
                sheet.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
                sheet.anisotropy = 4.0
            self._letters = (letters, sheet)
        for loaded in self._loaded.values():
            if loaded.labels is not None:
                at, count = self._letters[0].index(loaded.body.letter), len(self._letters[0])
                left, right = at / count, (at + 1) / count
                spots = np.array([[left, 1], [right, 1], [right, 0], [left, 0]], np.float32)[TRIANGLES]
                loaded.buffers[2].write(np.tile(spots, (len(loaded.body.labels), 1)).tobytes())

    def _cut(self, scene: Scene) -> None:
        """Clip everything drawn next at the section of a scene, if it has one."""
        plane = np.array([0.0, 0.0, 0.0, 1.0]) if scene.section is None else scene.section.plane
        for name in ("plastic", "quick plastic", "flat", "depth", "letter"):
            self._programs.set(name, cut=plane)
        if scene.section is None:
            self._context.disable_direct(CLIP_DISTANCE)
        else:
            self._context.enable_direct(CLIP_DISTANCE)
            # The insides of bodies are seen.
            self._context.disable(moderngl.CULL_FACE)

    def _cast(self, scene: Scene, pixels: int) -> None:
        """Draw the shadow map with this many pixels a side, unless it is there as fine or finer."""
        if pixels <= self._shadow_pixels:
            return
        self._shadow_pixels = pixels
        context, lighting = self._context, self._lighting
        assert lighting is not None
        self._shadow_frame.use()
        self._shadow_frame.viewport = (0, 0, pixels, pixels)
        self._shadow_frame.clear(depth=1.0)
        context.enable_only(moderngl.DEPTH_TEST)
        self._cut(scene)
        self._programs.set("depth", view=lighting.light, nudge=(0.0, 0.0), nearer=0.0)
        for each in scene.placed:
            if each.look is not BodyLook.DIMMED:
                self._programs.set("depth", shift=each.shift)
                self._loaded[id(each.body)].drawn["depth"].render()

    # The picture

    def _paint(self, shot: Shot, frame: Any, size: tuple[int, int], ratio: float, quality: Quality) -> None:
        scene, context = shot.scene, self._context
        ground = rgb(scene.ground)
        frame.use()
        frame.clear(*(ground if quality is not Quality.NUMBERS else (0.0, 0.0, 0.0)), 1.0, depth=1.0)
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        # Pictures are stored from the top, cards store from the bottom: all is drawn upside down.
        context.front_face = "cw"
        self._cut(scene)
        view = shot.camera.matrix(shot.pixels)
        view[1] *= -1
        if quality is Quality.NUMBERS:
            self._programs.set("flat", view=view, nudge=(0.0, 0.0), nearer=0.0)
            for place, each in enumerate(scene.placed):
                self._programs.set("flat", shift=each.shift, colour=np.array(number_colour(place)) / 255)
                self._loaded[id(each.body)].drawn["flat"].render()
        else:
            quick = "quick " if quality is Quality.DRAFT else ""
            self._light_up(shot, view, quick)
            self._paint_parts(scene, view, (2 * ratio / size[0], 2 * ratio / size[1]), quick)
        context.front_face = "ccw"

    def _light_up(self, shot: Shot, view: Floats, quick: str) -> None:
        scene, lighting = shot.scene, self._lighting
        assert lighting is not None
        self._shadow.use(0)
        self._occlusion.use(1)
        plate = scene.plate or (0.0, 0.0, 0.0, 0.0)
        board, line, rim = (each or scene.ground for each in (scene.plate_colour, scene.plate_line, scene.plate_rim))
        for name in (f"{quick}plastic", f"{quick}ground", "far ground"):
            self._programs.set(
                name, view=view, light=lighting.light, eye=shot.camera.onlooker, to_light=TO_LIGHT, low=lighting.low,
                extent=lighting.extent, reach=lighting.reach, floor_z=scene.floor, soft=lighting.reach / BLUR,
                texel=self._texel, spread=self._shadow_pixels / SHADOW_PIXELS, taps=2, shadow=0, occlusion=1,
                nudge=(0.0, 0.0), nearer=0.0,
            )  # fmt: skip
        for name in (f"{quick}ground", "far ground"):
            self._programs.set(
                name, colour=_linear(scene.ground), plate=plate, plate_colour=_linear(board),
                plate_line=_linear(line), plate_rim=_linear(rim), middle=scene.middle, radius=scene.radius,
                pool=POOL if _is_dark(scene) else 0.0, shift=(0.0, 0.0, 0.0),
            )  # fmt: skip
        self._programs.set("flat", view=view)
        self._programs.set("letter", view=view, letters=2, nearer=2e-5)

    def _paint_parts(self, scene: Scene, view: Floats, pixel: tuple[float, float], quick: str) -> None:
        plastic = f"{quick}plastic"
        by_look: dict[BodyLook, list[Placed]] = {look: [] for look in BodyLook}
        for each in scene.placed:
            by_look[each.look].append(each)
        for each in (*by_look[BodyLook.PLAIN], *by_look[BodyLook.HOVERED]):
            self._paint_part(plastic, each, 0.14 if each.look is BodyLook.HOVERED else 0.0)
        self._context.disable_direct(CLIP_DISTANCE)
        self._context.enable(moderngl.CULL_FACE)
        self._ground[f"{quick}ground"].render()
        if _is_dark(scene) or scene.plate is not None:
            self._ground["far ground"].render()
        self._cut(scene)
        for each in by_look[BodyLook.SELECTED]:
            # Its own picture, a little nearer, covers the middle of the outline: eight copies drawn aside.
            self._programs.set("flat", shift=each.shift, colour=rgb(scene.accent), nearer=4e-4)
            for angle in range(0, 360, 45):
                way = math.cos(math.radians(angle)), math.sin(math.radians(angle))
                self._programs.set(
                    "flat", nudge=(way[0] * OUTLINE_PIXELS * pixel[0], way[1] * OUTLINE_PIXELS * pixel[1])
                )
                self._loaded[id(each.body)].drawn["flat"].render()
            self._programs.set(plastic, nearer=8e-4)
            self._paint_part(plastic, each, 0.05)
            self._programs.set(plastic, nearer=0.0)
        self._paint_letters(scene)
        self._paint_ghosts(plastic, by_look[BodyLook.DIMMED])

    def _paint_part(self, plastic: str, each: Placed, glow: float, alpha: float = 1.0) -> None:
        self._programs.set(plastic, shift=each.shift, colour=_linear(each.body.colour), glow=glow, alpha=alpha)
        self._loaded[id(each.body)].drawn[plastic].render()

    def _paint_letters(self, scene: Scene) -> None:
        if self._letters[1] is None or not scene.has_letters:
            return
        self._letters[1].use(2)
        # A letter on the far side of a body that is cut would be seen through the cut.
        self._context.enable(moderngl.BLEND | moderngl.CULL_FACE)
        for each in scene.placed:
            labels = self._loaded[id(each.body)].labels
            if labels is not None and each.look is not BodyLook.DIMMED:
                ink, alpha = ink_on(each.body.colour)
                nearer = 9e-4 if each.look is BodyLook.SELECTED else 3e-5
                self._programs.set("letter", shift=each.shift, colour=rgb(ink), alpha=alpha, nearer=nearer)
                labels.render()
        self._context.disable(moderngl.BLEND)
        self._cut(scene)

    def _paint_ghosts(self, plastic: str, ghosts: list[Placed]) -> None:
        """Draw bodies like glass: first the depth of their surface, then that surface alone."""
        context = self._context
        context.enable(moderngl.BLEND)
        for each in ghosts:
            self._paint_part(plastic, each, 0.0, 0.0)
        context.depth_func = "<="
        for each in ghosts:
            self._paint_part(plastic, each, 0.2, GHOST)
        context.depth_func = "<"
        context.disable(moderngl.BLEND)


def _standing(scene: Scene) -> tuple[object, ...]:
    """Inputs of a scene's shadows and occlusion, as a key; colours and looks do not matter."""
    shown = ((id(each.body), each.shift.tobytes(), each.look is BodyLook.DIMMED) for each in scene.placed)
    return (*shown, scene.plate, scene.section)


def _letters_of(scene: Scene) -> tuple[str, ...]:
    """The letters on the bodies of a scene."""
    return tuple(sorted({each.body.letter for each in scene.placed if each.body.labels}))


def rows_of(shot: Shot, ratio: float) -> tuple[Floats, Floats]:
    """Rows of pixels between which each body is seen, with a rim; all rows for a body near the eye."""
    scene = shot.scene
    if not scene.placed:
        return np.zeros(0), np.zeros(0)
    corners = np.concatenate([each.body.box + each.shift for each in scene.placed])
    spots = shot.camera.project(corners, shot.pixels).reshape(-1, 8, 3)
    tops, bottoms = spots[..., 1].min(axis=1), spots[..., 1].max(axis=1)
    # Nearer ones are projected as if they were not.
    is_near = (spots[..., 2] <= NEAR * shot.camera.distance).any(axis=1)
    tops, bottoms = np.where(is_near, -np.inf, tops), np.where(is_near, np.inf, bottoms)
    return np.asarray(ratio * (tops - STRIP_RIM)), np.asarray(ratio * (bottoms + STRIP_RIM))


def _is_dark(scene: Scene) -> bool:
    """True if the ground is dark enough to be lit around the bodies."""
    return scene.ground.lightnessF() < DARK


def _linear(colour: QColor) -> Floats:
    """Red, green and blue in linear light."""
    return np.asarray(np.power(rgb(colour), GAMMA))


def _source(*names: str, settings: tuple[str, ...] = ()) -> str:
    """The source of a program, put together from files of resources/shaders, with settings that they ask for."""
    sources = [f"#define {each}" for each in settings]
    sources += [(SHADERS / f"{name}.glsl").read_text(encoding="utf-8") for name in names]
    return f"#version {OPENGL}\n" + "\n".join(sources)


def _context() -> Any:
    """An OpenGL context without a window: from the display, or else from EGL, which needs none."""
    reasons = []
    ways: tuple[dict[str, Any], ...] = ({}, {"backend": "egl"})
    for settings in ways:
        # Neither library has a common class for faults of a driver; after any of them, there is no OpenGL.
        try:
            return moderngl.create_context(standalone=True, require=OPENGL, **settings)
        except Exception as problem:
            reasons.append(" ".join(str(problem).split()) or type(problem).__name__)
    raise NoRenderer("; ".join(dict.fromkeys(reasons)))

"""Presets and kept seeds: the menu of presets beside the form, and a strip of small pictures below the seed.

The preferences remember seeds by the design's file; they belong to no history. The pictures show the present design
with each seed, drawn by a process of its own.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QIcon, QImage, QKeyEvent, QPixmap
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QMenu, QToolButton

from studio.base.atomic import write_bytes
from studio.base.errors import StudioError
from studio.base.folders import refuse_title
from studio.base.texts import tr, visible
from studio.files.store import dumps
from studio.puzzles.presets import Preset, broken, forget, keep, presets, unused_title
from studio.ui.panels.fields import Row
from studio.ui.panels.file_dialog import NameDialog, at_once
from studio.ui.session.preferences import MOST_SEEDS
from studio.ui.session.session import Session
from studio.ui.shell.thumbnails import Seeded, Thumbnails, folder, known
from studio.ui.widgets.length_spin import ValueOrigin
from studio.ui.widgets.theme import GAP, current_theme, hint_font

PICTURE = QSize(72, 48)
"""Logical pixels of a picture in the strip."""
SETTLED_MS = 1200
"""Delay after the last change before the pictures follow."""
_SEED = Qt.ItemDataRole.UserRole


def fill(session: Session, menu: QMenu) -> None:
    """Fill a menu with the presets of the kind, matching ones ticked, and with the actions for own ones."""
    known, bad = presets(session.kind), broken(session.kind)
    now = session.document.design.parameters
    for number, each in enumerate(known):
        if number and each.own and not known[number - 1].own:
            menu.addSeparator()
        action = menu.addAction(_plain(each.title), partial(choose, session, each))
        action.setToolTip(visible(each.note))
        if each.is_in(now):
            action.setCheckable(True)
            action.setChecked(True)
    menu.addSeparator()
    menu.addAction(tr("Save as preset…"), partial(save, session))
    own = [(each.key, each.title) for each in known if each.own] + [(key, key) for key in bad if key]
    if own:
        delete = menu.addMenu(tr("Delete preset"))
        for key, title in own:
            delete.addAction(_plain(title), partial(remove, session, key, title))
    for sentence in bad.values():
        session.notices.refuse(sentence)


def choose(session: Session, chosen: Preset) -> None:
    """Apply a preset as one step that can be undone; edits that still fit are kept."""
    kind = session.kind
    if chosen.is_in(session.document.design.parameters):
        session.notices.post(tr("The design has these values already: {title}.", title=visible(chosen.title)))
        return
    session.changing.make(
        tr("Preset {title}", title=visible(chosen.title)),
        lambda design, progress: kind.generate(chosen.applied(design.parameters), design, progress),
    )


def save(session: Session) -> None:
    """Ask for a title and save the parameters as a preset of the maker's own."""
    dialog = NameDialog(
        tr("Save as preset"), tr("Name of the preset, which keeps all parameters but the seed:"),
        unused_title(session.kind), session.dialogs.parent,
    )  # fmt: skip
    session.dialogs.carry_out(dialog, at_once(partial(_keep, session)))
    dialog.deleteLater()


def remove(session: Session, key: str, title: str) -> None:
    """Delete a preset of the maker's own, or show why that fails."""
    try:
        forget(session.kind, key)
    except StudioError as problem:
        session.notices.refuse(str(problem))
    else:
        session.notices.post(tr("Deleted the preset {title}.", title=visible(title)))


def _keep(session: Session, title: str) -> None:
    refuse_title(title)
    keep(session.kind, title, session.document.design.parameters)
    session.notices.post(tr("Saved the preset {title}.", title=visible(title)))


def _plain(title: str) -> str:
    """Escape a title for a menu, where `&` would mark a mnemonic."""
    return visible(title).replace("&", "&&")


class KeptSeeds(QListWidget):
    """The strip; hidden while it is empty. `button` keeps the present seed, or removes it."""

    _theme = ""
    """The theme of the pictures; empty before there are any."""

    def __init__(self, session: Session, row: Row, button: QToolButton) -> None:
        super().__init__()
        self._session, self._row, self._button = session, row, button
        self._path: Path | None = session.document.path
        self._base: Path | None = None
        self._drawn: Any = None
        self._maker: Thumbnails | None = None
        self._patience = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._patience.timeout.connect(self._draw)
        self._look()
        row.put_below(self)
        self.itemClicked.connect(self._go)
        self.itemActivated.connect(self._go)
        document = session.document
        document.settled.connect(self._follow)
        document.replaced.connect(self._open)
        document.renamed.connect(self._rename)
        self._open()

    @property
    def seeds(self) -> list[int]:
        """The kept seeds, oldest first."""
        return [self.item(number).data(_SEED) for number in range(self.count())]

    def toggle(self) -> None:
        """Keep the present seed, or remove it if it is kept."""
        seed = self._seed
        if seed in self.seeds:
            self.remove(seed)
            return
        if self.count() >= MOST_SEEDS:
            self._session.notices.post(tr("{most} seeds are kept; remove one first.", most=MOST_SEEDS))
        else:
            self._add(seed)
            self._remember()
            self._patience.start(0)
        self._show_present()

    def remove(self, seed: int) -> None:
        """Remove a seed."""
        if seed in self.seeds:
            self.takeItem(self.seeds.index(seed))
            self._remember()
        self._show_present()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if item is not None and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove(item.data(_SEED))
            event.accept()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._theme not in ("", current_theme().name):
            self._patience.start()

    @property
    def _seed(self) -> int:
        seed: int = self._session.document.design.parameters.seed
        return seed

    def _look(self) -> None:
        self.setAccessibleName(tr("Kept seeds"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewMode(QListWidget.ViewMode.IconMode)
        self.setFlow(QListWidget.Flow.LeftToRight)
        self.setMovement(QListWidget.Movement.Static)
        self.setWrapping(False)
        self.setUniformItemSizes(True)
        self.setIconSize(PICTURE)
        self.setFont(hint_font(self.font()))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._offer)
        lines = self.fontMetrics().lineSpacing()
        self.setGridSize(QSize(PICTURE.width() + GAP, PICTURE.height() + lines + GAP))
        self.horizontalScrollBar().rangeChanged.connect(self._fit)
        self._fit(0, 0)

    def _fit(self, _least: int, most: int) -> None:
        """Be as tall as the pictures and the scroll bar, if any."""
        bar = self.horizontalScrollBar().sizeHint().height() if most else 0
        self.setFixedHeight(self.gridSize().height() + bar)

    def _offer(self, place: QPoint) -> None:
        item = self.itemAt(place)
        if item is not None:
            seed = item.data(_SEED)
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction(tr("Remove seed {seed}", seed=seed), lambda: self.remove(seed))
            menu.popup(self.viewport().mapToGlobal(place))

    def _add(self, seed: int) -> None:
        item = QListWidgetItem(str(seed))
        item.setData(_SEED, seed)
        item.setToolTip(tr("Go back to seed {seed}; Del removes it", seed=seed))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, tr("Seed {seed}", seed=seed))
        empty = QPixmap(PICTURE)
        empty.fill(self.palette().window().color())
        item.setIcon(QIcon(empty))
        self.addItem(item)

    def _go(self, item: QListWidgetItem) -> None:
        """Go back to a seed, as if it were written into its field."""
        seed = item.data(_SEED)
        if seed != self._seed:
            self._row.field.show_value(seed)
            self._row.field.settled.emit(seed, ValueOrigin.WRITTEN)

    def _open(self) -> None:
        """Show the kept seeds of the open design."""
        self._path = self._session.document.path
        self.clear()
        self._drawn = None
        for seed in self._session.preferences.kept_seeds(self._session.kind.key, self._path):
            self._add(seed)
        self._follow()

    def _rename(self) -> None:
        """Take the seeds along when the design is saved elsewhere."""
        path = self._session.document.path
        if path == self._path:
            return
        before, self._path = self._path, path
        if before is None:
            self._session.preferences.set_kept_seeds(self._session.kind.key, None, ())
        self._remember()

    def _remember(self) -> None:
        self._session.preferences.set_kept_seeds(self._session.kind.key, self._path, self.seeds)

    def _follow(self, _design: object = None) -> None:
        self._show_present()
        if self.count() and self._essence() != self._drawn:
            self._patience.start()

    def _show_present(self) -> None:
        seeds, seed = self.seeds, self._seed
        self.setVisible(bool(seeds))
        is_kept = seed in seeds
        self._button.setChecked(is_kept)
        words = tr("Remove this seed from those kept") if is_kept else tr("Keep this seed")
        self._button.setToolTip(words)
        self._button.setAccessibleName(words)
        self.setCurrentRow(seeds.index(seed) if is_kept else -1)
        self._row.field.updateGeometry()

    def _essence(self) -> Any:
        """Return everything shown besides the seed: of a randomly generated design, its parameters."""
        design = self._session.document.design
        parameters = replace(design.parameters, seed=0)
        return parameters if self._session.kind.generator is not None else replace(design, parameters=parameters)

    def _draw(self) -> None:
        """Order the missing and outdated pictures."""
        place, kind, design = folder(), self._session.kind, self._session.document.design
        if place is None or not self.count():
            return
        self._drawn = self._essence()
        if kind.generator is None:
            design = replace(design, parameters=replace(design.parameters, seed=0))
        # Without pictures the strip still has its numbers.
        self._session.jobs.start("kept seeds", lambda _progress: _written(place, dumps(kind, design)), done=self._ask)

    def _ask(self, base: Path) -> None:
        if base == self._base:
            # Equal designs have the same file.
            self._base = None
        self._let_go()
        self._base, self._theme = base, current_theme().name
        self._maker = Thumbnails(self._theme, self)
        self._maker.made.connect(self._show)
        wanted = [Seeded(base, seed) for seed in self.seeds]
        for each in wanted:
            image = known(each, self._theme)
            if image is not None:
                self._show(each, image)
        self._maker.ask(wanted)

    def _show(self, wanted: Seeded, image: object) -> None:
        if isinstance(image, QImage) and wanted.seed in self.seeds:
            size = PICTURE * self.devicePixelRatio()
            small = image.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
            small.setDevicePixelRatio(self.devicePixelRatio())
            # An icon that looks the same whether it is selected or not.
            pixmap = QPixmap.fromImage(small)
            made = QIcon(pixmap)
            made.addPixmap(pixmap, QIcon.Mode.Selected)
            self.item(self.seeds.index(wanted.seed)).setIcon(made)

    def _let_go(self) -> None:
        """Stop drawing, and delete the file drawn from."""
        maker, self._maker = self._maker, None
        if maker is not None:
            maker.close()
            maker.deleteLater()
        base, self._base = self._base, None
        if base is not None:
            with suppress(OSError):
                base.unlink()

    def close_down(self) -> None:
        """Stop drawing as the window closes."""
        self._patience.stop()
        self._let_go()


def _written(place: Path, data: bytes) -> Path:
    """Write a design to a file for the drawing process; equal designs share it, and so their pictures."""
    path = place / f"{hashlib.sha256(data).hexdigest()[:32]}.puzzle"
    try:
        place.mkdir(parents=True, exist_ok=True)
        write_bytes(path, data)
        os.utime(path, (0, 0))
    except OSError as problem:
        raise StudioError(str(problem)) from problem
    return path

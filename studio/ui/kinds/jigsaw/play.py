"""Play-test: the pieces of the board scattered on a table, to be put together as a buyer would."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from studio.base.amounts import many, stopwatch
from studio.base.parameters import declaration
from studio.base.progress import SILENT
from studio.base.texts import tr
from studio.puzzles.abilities.playable import Hint
from studio.puzzles.jigsaw.game import wrong, wrong_words
from studio.puzzles.jigsaw.game_positions import TURNS, Game, GameOptions, PiecePose, terms_of
from studio.puzzles.jigsaw.gestures import Hand
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.snapping import landing
from studio.ui.canvas.view import CanvasView
from studio.ui.kinds.jigsaw.scene import PieceArt, TableScene
from studio.ui.panels.game_page import BoardPage, Feast, GamePage, PlayTool
from studio.ui.session.games import Games
from studio.ui.widgets.controls import CalmComboBox
from studio.ui.widgets.layout import row
from studio.ui.widgets.length_spin import NumberSpinBox
from studio.ui.widgets.theme import GAP


class PlayPage(BoardPage[JigsawDesign, Game, Hand]):
    """The jigsaw as it is played."""

    def __init__(self, games: Games, design: JigsawDesign) -> None:
        super().__init__(games, design)
        self.scene = TableScene()
        self.view = CanvasView(self.scene)
        self.view.setAccessibleName(tr("Table"))
        self.view.setAccessibleDescription(
            tr(
                "Drag pieces together; edges that fit snap. Arrow keys choose a piece or move it, Enter picks it up "
                "and puts it down."
            )
        )
        self.tool = self.view.tool = PlayTool(games, self.view, self, Hand())
        self.feast = Feast(
            games, self.scene,
            lambda: PieceArt(self.game.table.halves.shapes).silhouette(self.game.largest),
            lambda: PieceArt(self.game.table.halves.shapes).outline(self.game.largest),
        )  # fmt: skip
        self._made: object = None
        self.rotation = CalmComboBox(tr("Rotation"), declaration(GameOptions, "rotation").help)
        for value, title in TURNS.items():
            self.rotation.addItem(title, value)
        self.clearance = NumberSpinBox(declaration(GameOptions, "clearance"))
        self.picture = QCheckBox(tr("Picture"))
        self.picture.setToolTip(tr("Show the picture on the pieces (P)"))
        self.picture.setChecked(True)
        beside = QWidget()
        row(self.rotation, QLabel(tr("Clearance")), self.clearance, self.picture, of=beside, gap=GAP)
        turn = partial(self.tool.press_key, "rotate")
        self.lay_out(GamePage(
            games, self.view, chooser=beside, solved=self._solved_words,
            buttons=((tr("Rotate (R)"), "turn", turn), (tr("New game (N)"), "dice", self.start_new)),
        ))  # fmt: skip
        self.rotation.activated.connect(lambda _at: self._choose())
        self.clearance.settled.connect(lambda _value, _entry: self._choose())
        self.picture.toggled.connect(self._show_picture)
        games.opened.connect(self._show_terms)
        self.view.zoomed.connect(self._follow_zoom)
        self._is_made = False
        games.defer(design)

    # Called by the window

    @property
    def status_text(self) -> str:
        """The progress of the game, and the piece under the mouse."""
        hand = self.hand
        selected = [tr("{groups} selected", groups=many(len(hand.selected), "group"))] if hand.selected else []
        over = [] if hand.over is None else [tr("piece {name}", name=self.game.table.names[hand.over])]
        return " · ".join([self.page.tally.text(), *over, *selected])

    def show_design(self, design: JigsawDesign, *, settled: bool) -> None:
        """Play with another design once the page is in sight; a game out of sight costs nothing."""
        if design is self._design or not (settled or self.isVisible()):
            return
        self._design, self._is_made = design, False
        self.games.defer(design)
        if self.isVisible():
            self._make()

    def finish(self) -> None:
        """Paint all pieces at once; for pictures."""
        self.scene.finish()

    def seek(self, share: float) -> None:
        """Show the game with a share (0 to 1) of the pieces joined, and the next one on its way; for pictures."""
        self.games.watch(watches=False)  # a picture does not depend on the time
        played, design = self.games.played, self._design
        count = round(share * (len(self.game.table.names) - 1))
        for _ in range(count):
            self.games.move(played.hint(design, self.game, SILENT).move)
        self.scene.finish()

    # Display

    def _make_board(self) -> None:
        self.games.catch_up()
        self._show_terms()
        self._show_table(self.game)

    def _show_table(self, game: Game) -> None:
        self._made = game.table
        left, top, width, height = game.table.box
        self.view.show_board(width, height, left, top)
        self._follow_zoom(self.view.zoom)
        art = PieceArt(game.table.halves.shapes, self._design.engravings)
        art.is_plain = not self.picture.isChecked()
        self.picture.setVisible(art.has_picture)
        self.scene.show_table(art, game)
        self.tool.drop()

    def _follow_game(self) -> None:
        if not self._is_made:
            return
        game = self.game
        if game.table is not self._made:
            self._show_table(game)
        self.tool.drop()
        self.scene.mark(())
        self.scene.show_game(game)
        self.feast.follow()
        if game.is_joined and not self.games.is_solved:
            misfits = wrong(game)
            self.scene.mark(misfits)
            self.games.post(
                tr("All pieces are joined, but not correctly. {wrong} Double-click a piece to take it off.",
                   wrong=wrong_words(game, misfits))
            )  # fmt: skip

    def hit(self, x: float, y: float) -> int | None:
        """The piece under the mouse."""
        return self.scene.piece_at(QPointF(x, y))

    def show_hand(self, before: Hand, hand: Hand) -> None:
        """Show the held clusters and where they would snap, the selection, and the cluster that a press would take."""
        scene, game, held, band = self.scene, self.game, hand.held, hand.band
        if hand.over != before.over:
            scene.show_hovered(None if hand.over is None else game.cluster_of(hand.over))
        if hand.selected != before.selected:
            scene.light(hand.selected)
        if (hand.over, hand.selected) != (before.over, before.selected):
            self.reworded.emit()
        if before.carries and not hand.carries:
            scene.show_game(game)
        there, box = None, None
        if held is not None and held.is_moving:
            cluster = held.cluster
            scene.lay(cluster, is_held=True)
            snap = landing(game, cluster)
            if snap is not None:
                there = cluster.taken(int(game.table.halves.pieces[snap.half]), snap.pose)
        elif band is not None and band.end is not None and band.leaders:
            for leader in band.leaders:
                scene.lay(game.at(leader).moved(PiecePose(0.0, *band.by)), is_held=True)
        elif band is not None and band.end is not None:
            box = QRectF(QPointF(*band.start), QPointF(*band.end)).normalized()
        scene.show_ghost(there)
        scene.show_band(box)

    def _follow_hint(self, hint: Hint) -> None:
        numbers = self.game.table.numbers
        self.scene.mark(() if hint.move else [numbers[name] for name in hint.pieces])

    def _follow_zoom(self, zoom: float) -> None:
        self.scene.show_scale(zoom, self.view.devicePixelRatioF())

    def _show_terms(self) -> None:
        terms = terms_of(self.games.target)
        for widget in (self.rotation, self.clearance):
            widget.blockSignals(True)
        self.rotation.setCurrentIndex(self.rotation.findData(terms.rotation))
        self.clearance.setValue(terms.clearance)
        for widget in (self.rotation, self.clearance):
            widget.blockSignals(False)

    def _choose(self) -> None:
        """Play under other terms; the present game is kept."""
        before = terms_of(self.games.target)
        terms = replace(before, rotation=self.rotation.currentData(), clearance=round(self.clearance.value(), 2))
        if terms != before:
            self.games.choose(terms.target)

    def start_new(self) -> None:
        """Scatter the pieces again; the previous game stays until the window closes."""
        terms = terms_of(self.games.target)
        self.games.choose(replace(terms, seed=terms.seed + 1).target)

    def _show_picture(self) -> None:
        if self.scene.art is not None:
            self.scene.art.is_plain = not self.picture.isChecked()
            self.scene.repaint()

    def _solved_words(self) -> str:
        log, game = self.games.log, self.game
        moves, when = many(log.count, "move"), stopwatch(self.games.seconds)
        if not game.fooled:
            return tr("Solved in {time} with {moves} and no false fit.", time=when, moves=moves)
        return tr(
            "Solved in {time} with {moves} and {fits} on the way.",
            time=when, moves=moves, fits=many(game.fooled, "false fit"),
        )  # fmt: skip

    def changeEvent(self, event: QEvent) -> None:
        """Paint the pieces in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._made is not None:
            self.scene.repaint()

    def focus(self) -> None:
        """Take the keys."""
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

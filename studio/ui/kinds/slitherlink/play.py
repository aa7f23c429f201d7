"""Play: the board, above it the display options, below it hints, trials and mistakes."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QCheckBox, QWidget

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.abilities.playable import Hint
from studio.puzzles.slitherlink.game import (
    BLANK,
    CROSS,
    DISCARD,
    INSIDE,
    KEEP,
    LINE,
    OUTSIDE,
    TRY,
    UNKNOWN,
    Faults,
    Game,
    changes,
    explained,
    fault_words,
    faults,
    ruled_out,
    text_of,
)
from studio.puzzles.slitherlink.gestures import Hand, Spots, places_of
from studio.puzzles.slitherlink.model import SlitherlinkDesign
from studio.puzzles.slitherlink.steps import solved_by_rules
from studio.ui.canvas.view import LEFT, MIDDLE, RIGHT, CanvasView
from studio.ui.kinds.slitherlink.scene import Hues, Options, TableScene, look_of
from studio.ui.panels.game_page import BoardPage, Feast, GamePage, PlayTool
from studio.ui.session.actions import Command
from studio.ui.session.derived import Derived
from studio.ui.session.session import Session
from studio.ui.widgets.layout import Flow, column
from studio.ui.widgets.theme import GAP, MARGIN

MENU = "&Game"
CHECKING, STEPPING = "mistakes", "steps of the keys"
START_TRIAL, KEEP_TRIAL, DISCARD_TRIAL = tr("Start a trial (T)"), tr("Keep the trial (K)"), tr("Discard the trial (D)")
"""The words of the buttons of a trial."""
WORDS = {
    "marks_clues": (tr("Mark clues"), tr("Dim satisfied clues and mark those that can no longer be satisfied.")),
    "greys": (tr("Grey edges"), tr("Show undecided edges in grey until they are ruled out.")),
    "derives": (tr("Auto crosses"), tr("Cross out dead ends, and edges where a clue or dot has all its lines.")),
    "colours": (tr("Line colours"), tr("Draw each connected line in a different colour.")),
    "shades": (tr("Auto shading"), tr("Shade cells once the lines decide that they are inside or outside.")),
}
"""The words and the tool tip of every option."""
EDGE_STATES = {UNKNOWN: tr("open"), LINE: tr("line"), CROSS: tr("cross")}
SHADES = {BLANK: "", INSIDE: tr("shaded inside"), OUTSIDE: tr("shaded outside")}


class MistakesAsked(NamedTuple):
    """A position to be checked for mistakes."""

    design: SlitherlinkDesign
    game: Game


class PlayPage(BoardPage[SlitherlinkDesign, Game, Hand]):
    """The slitherlink as it is played."""

    hint = tr(
        "In Play, click an edge or drag along the dots to draw lines; use the right button for crosses. Shift+click or "
        "middle-click shades a cell. Keyboard: arrow keys move from edge to cell to edge, Space or Enter draws a line, "
        "X a cross, Backspace clears, I and O shade a cell as inside or outside."
    )

    def __init__(self, session: Session) -> None:
        super().__init__(session.need_games(), session.document.design)
        self._preferences = session.preferences
        self._hues, self._wrong = Hues(), tuple[int, ...]()
        self.scene = TableScene(self._design)
        self.feast = Feast(self.games, self.scene, self._area)
        self.view = CanvasView(self.scene)
        self.view.setAccessibleName(tr("Board"))
        self.tool = self.view.tool = PlayTool(self.games, self.view, self, Hand())
        self.tool.takes_double_clicks, self.tool.takes_space = False, True
        self.tool.buttons = LEFT | RIGHT | MIDDLE
        self.games.seen = self._seen
        self.mistakes = Derived[MistakesAsked, Faults](
            session.jobs, CHECKING, lambda asked, progress: faults(asked.design, asked.game, progress), key=id,
            remembered=0, parent=self,
        )  # fmt: skip
        self.steps = Derived(session.jobs, STEPPING, _prepared, remembered=0, watched=False, parent=self)
        self.steps.watch_in(self.view)
        self.boxes = {field.name: self._box(field.name, bool(field.default)) for field in fields(Options)}
        table, strip = QWidget(), QWidget()
        boxes = [self.boxes[name] for name in WORDS]
        strip.setLayout(Flow(boxes, 2 * GAP, GAP // 2, QMargins(MARGIN, 0, MARGIN, GAP // 2)))
        column(strip, (self.view, 1), of=table, gap=0)
        table.setFocusProxy(self.view)
        page = GamePage(
            self.games, table, solved=lambda: tr("Solved: a single loop that satisfies every clue."),
            buttons=(
                (tr("Check for mistakes (C)"), "search", self.check), (START_TRIAL, "try", self.try_),
                (KEEP_TRIAL, "tick", partial(self.games.move, KEEP)),
                (DISCARD_TRIAL, "close", partial(self.games.move, DISCARD)),
            ),
        )  # fmt: skip
        self.lay_out(page)
        self.commands = self._commands()
        self.mistakes.changed.connect(self._take_mistakes)
        self._show_new()
        self.games.show(self._design)

    def _box(self, name: str, otherwise: bool) -> QCheckBox:
        words, tip = WORDS[name]
        box = QCheckBox(words)
        box.setToolTip(tip)
        box.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click the keys still act on the board
        box.setChecked(self._preferences.switch(f"slitherlink/{name}", otherwise))
        box.toggled.connect(partial(self._opt, name))
        return box

    def _commands(self) -> list[Command]:
        key = self.tool.press_key
        return [
            Command("cross_edge", tr("Cross out edge"), MENU, partial(key, "cross"), ("X",), "",
                    tr("Cross out the edge at the cursor, or remove its cross"), on_canvas=True),
            Command("clear_edge", tr("Clear"), MENU, partial(key, "clear"), ("Backspace", "Del"), "",
                    tr("Remove the line, cross or shading at the cursor"), on_canvas=True),
            Command("shade_inside", tr("Shade inside"), MENU, partial(key, "inside"), ("I",), "",
                    tr("Shade the cell at the cursor as inside the loop"), on_canvas=True, begins=True),
            Command("shade_outside", tr("Shade outside"), MENU, partial(key, "outside"), ("O",), "",
                    tr("Shade the cell at the cursor as outside the loop"), on_canvas=True),
            Command("try", tr("Start a trial"), MENU, self.try_, ("T",), "try",
                    tr("Try out lines, then keep or discard all of them"), on_canvas=True, begins=True,
                    needs=tr("A trial is running")),
            Command("keep_trial", tr("Keep the trial"), MENU, partial(self.games.move, KEEP), ("K",), "tick",
                    tr("End the trial and keep its lines"), on_canvas=True, needs=tr("Start a trial first")),
            Command("discard_trial", tr("Discard the trial"), MENU, partial(self.games.move, DISCARD), ("D",), "close",
                    tr("End the trial and discard its lines"), on_canvas=True, needs=tr("Start a trial first")),
            Command("check_mistakes", tr("Check for mistakes"), MENU, self.check, ("C",), "search",
                    tr("Mark lines and crosses that are provably wrong"), on_canvas=True, begins=True),
            *self.page.commands(MENU),
        ]  # fmt: skip

    # Called by the window

    @property
    def status_text(self) -> str:
        """Progress of the game, and the state of the edge or cell at the keys' cursor."""
        trial = ["trial"] if self.game.before is not None else []
        form, spot = self._design.parameters.form, self.hand.spot
        cell = spot - len(self.scene.board.ends)
        if cell < 0:
            there = f"{form.line_names[spot]}: {EDGE_STATES[self.game.edges[spot]]}"
        else:
            clue = self._design.clues.get(cell)
            said = [tr("no clue") if clue is None else tr("clue {clue}", clue=clue), SHADES[self.game.shades[cell]]]
            there = f"{form.names[cell]}: {', '.join(filter(None, said))}"
        return " · ".join([self.page.tally.text(), *trial, there])

    def possible(self) -> dict[str, bool]:
        """Availability of commands, by name."""
        is_tried = self.game.before is not None
        return {"try": not is_tried, "keep_trial": is_tried, "discard_trial": is_tried}

    def _make_board(self) -> None:
        self.feast.stop()
        self.scene.show_design(self._design)
        self._show_new()

    def _show_new(self) -> None:
        board = self.scene.board.boundingRect()
        self._hues = Hues()
        self.view.show_board(board.width(), board.height(), board.left(), board.top())
        spots = places_of(self._design.parameters).spots
        self.tool.take(Hand(spots.edges), is_new=True)
        self.steps.ask(spots)

    def seek(self, share: float) -> None:
        """Show the game after a share (0 to 1) of the steps that solve it, with a hint on the next one."""
        self.games.watch(watches=False)  # a picture does not depend on the time
        p, clues = self._design.parameters, self._design.clues
        steps = solved_by_rules(p.net, p.form.names, clues)
        count = round(share * len(steps))
        known = {edge: state for step in steps[:count] for edge, state in changes(step).items()}
        if count == len(steps):
            known |= dict.fromkeys(self._design.line, LINE)
        if known:
            self.games.move(text_of(self._design, known))
        if count < len(steps):
            self._follow_hint(explained(self._design, steps[count]))
            self.games.post(steps[count].words)
        self.tool.take(replace(self.hand, by_keys=False))

    # Actions

    def try_(self) -> None:
        """Start a trial."""
        self.games.move(TRY)
        if not self.games.said:
            self.games.post(tr("Trial started: keep it (K) or discard it (D)."))

    def check(self) -> None:
        """Mark lines and crosses that are provably wrong."""
        self.games.post(tr("Checking…"))
        self.mistakes.ask(MistakesAsked(self._design, self.game))

    def _take_mistakes(self) -> None:
        asked, found, problem = self.mistakes.question, self.mistakes.answer, self.mistakes.problem
        if asked is None or (found is None and not problem):
            return
        self.mistakes.ask(None)
        if asked.game is self.game and found is not None:
            self._mark_wrong(found.edges)
            self.games.post(fault_words(asked.game, found))
        elif problem:
            self.games.post(problem)

    # Display

    @property
    def options(self) -> Options:
        """The display options as ticked."""
        return Options(**{name: box.isChecked() for name, box in self.boxes.items()})

    def _seen(self, game: Game) -> Game:
        """A position with the automatic crosses."""
        if not self.options.derives:
            return game
        edges = np.flatnonzero(ruled_out(self._design, game)).tolist()
        return game.with_changes(dict.fromkeys(edges, CROSS), {})

    def _opt(self, name: str, on: bool) -> None:
        self._preferences.set_switch(f"slitherlink/{name}", on)
        self._show_game()

    def _follow_game(self) -> None:
        if not self._is_made:
            return
        self.mistakes.ask(None)
        self._wrong = ()
        for item in (self.scene.hint, self.scene.wanted):
            item.show_path(QPainterPath())
        self._show_game()
        self.feast.follow()
        self.reworded.emit()

    def _show_game(self) -> None:
        is_tried = self.game.before is not None
        for words, can in ((START_TRIAL, not is_tried), (KEEP_TRIAL, is_tried), (DISCARD_TRIAL, is_tried)):
            self.page.buttons[words].setEnabled(can)
        is_won = self.games.is_solved
        self.scene.board.is_done = is_won
        look = look_of(self._design, self.game, self.options, self._hues, self._wrong, is_won=is_won)
        self.scene.board.show_look(look)
        self._describe()

    def _area(self) -> QPainterPath:
        path = QPainterPath()
        path.addRect(self.scene.board.boundingRect())
        return path

    def _mark_wrong(self, edges: tuple[int, ...]) -> None:
        self._wrong = edges
        self._show_game()

    def _follow_hint(self, hint: Hint) -> None:
        numbers = self._design.parameters.form.line_numbers
        if hint.waits and hint.move:
            after = self.games.played.move(self._design, self.game, hint.move)
            new = [edge for edge in range(len(after.edges)) if after.edges[edge] != self.game.edges[edge]]
            crosses = [edge for edge in new if after.edges[edge] == CROSS]
            lines = [edge for edge in new if after.edges[edge] == LINE]
            self.scene.hint.show_path(self.scene.marks([name for name in hint.pieces if name not in numbers], crosses))
            self.scene.wanted.show_path(self.scene.along(lines))
            first = new[0] if new else None
        else:
            wrong = tuple(numbers[name] for name in hint.pieces if name in numbers)
            self._mark_wrong(wrong)
            first = wrong[0] if wrong else None
        if first is not None:
            self.tool.take(replace(self.hand, spot=first, edges=(), cells=()))

    def show_hand(self, before: Hand, hand: Hand) -> None:
        """Show the keys' cursor, and light the edges and cells that the mouse would change."""
        scene, edges = self.scene, len(self.scene.board.ends)
        if before.spot != hand.spot or before is hand:
            around = scene.around_edge(hand.spot) if hand.spot < edges else scene.outline(hand.spot - edges, 0.6)
            scene.cursor.show_path(around)
            self._describe()
            self.reworded.emit()
        scene.cursor.setVisible(hand.by_keys)
        lit = scene.along(hand.edges)
        for cell in hand.cells:
            lit.addPath(scene.outline(cell, 0.8))
        if lit != scene.hover.path:
            scene.hover.show_path(lit)

    def _describe(self) -> None:
        self.view.setAccessibleDescription(
            tr(
                "{position}. Arrow keys move, Space draws a line, X a cross, Backspace clears.",
                position=self.status_text,
            )
        )


def _prepared(spots: Spots, _progress: Progress) -> bool:
    spots.prepare()
    return True

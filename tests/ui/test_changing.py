"""Changes that take a while: made off the GUI thread, with Cancel, and stopped when the design changes meanwhile."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.ui.session import session
from tests.ui.stage import Stage, staged

stage = staged(Stage)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "SOON", 0.1)


class Slow:
    """A change to 5 columns that takes until it may end; at first, at once, it keeps the processor busy."""

    def __init__(self) -> None:
        self.may_end = Event()
        self.calls = 0

    def __call__(self, design: JigsawDesign, progress: Progress) -> JigsawDesign:
        self.calls += 1
        while not self.may_end.wait(0.005 if self.calls > 1 else 0.0):
            progress.step(0.5)
        return replace(design, parameters=replace(design.parameters, columns=5))


def test_a_quick_change_is_made_at_once(stage: Stage) -> None:
    slow = Slow()
    slow.may_end.set()
    stage.window.session.changing.make("Five columns", slow)
    assert stage.design.parameters.columns == 5 and slow.calls == 1
    assert stage.document.history.undoText() == "Five columns"


def test_a_slow_change_is_made_when_it_is_known_and_undone_as_one_step(stage: Stage) -> None:
    before, slow, changing = stage.design, Slow(), stage.window.session.changing
    changing.make("Five columns", slow)
    assert changing.is_under_way and stage.design is before
    notice = stage.window.notices.notice()
    assert notice is not None and notice.action is not None and notice.action.title == "Cancel"
    slow.may_end.set()
    assert stage.wait_for(lambda: not changing.is_under_way)
    assert stage.design.parameters.columns == 5 and slow.calls == 2
    assert stage.window.notices.notice() is None
    stage.window.actions_["undo"].trigger()
    assert stage.design == before


def test_a_cancelled_change_leaves_the_design_and_the_form_as_they_were(stage: Stage) -> None:
    before, slow, changing = stage.design, Slow(), stage.window.session.changing
    changing.make("Five columns", slow)
    given_up: list[bool] = []
    changing.given_up.connect(lambda: given_up.append(True))
    notice = stage.window.notices.notice()
    assert notice is not None and notice.action is not None
    notice.action.do()
    assert given_up and not changing.is_under_way and stage.design is before
    assert stage.window.form.parameters() == before.parameters


def test_undo_gives_up_the_change_under_way_and_not_the_step_before(stage: Stage) -> None:
    changing, slow = stage.window.session.changing, Slow()
    before = replace(stage.design, parameters=replace(stage.design.parameters, rows=4))
    stage.document.edit("Four rows", before)
    changing.make("Five columns", slow)
    stage.window.actions_["undo"].trigger()
    assert not changing.is_under_way and stage.design == before and stage.window.notices.notice() is None
    looked = Slow()
    changing.look("Looking", looked, lambda _found: None)
    stage.window.actions_["undo"].trigger()
    assert stage.document.history.index() == 0
    for work in (slow, looked):
        work.may_end.set()


def test_another_change_meanwhile_stops_it(stage: Stage) -> None:
    before, slow, changing = stage.design, Slow(), stage.window.session.changing
    changing.make("Five columns", slow)
    other = replace(before, parameters=replace(before.parameters, rows=4))
    stage.document.edit("Four rows", other)
    assert not changing.is_under_way and "cancelled" in stage.posted()
    slow.may_end.set()
    stage.settle()
    assert stage.design == other


def test_the_newest_of_two_slow_changes_is_made(stage: Stage) -> None:
    first, second, changing = Slow(), Slow(), stage.window.session.changing
    changing.make("First", first)
    changing.make("Second", second)
    first.may_end.set()
    second.may_end.set()
    assert stage.wait_for(lambda: not changing.is_under_way)
    assert stage.document.history.undoText() == "Second" and stage.document.history.count() == 1


@pytest.mark.parametrize("at_once", [True, False])
def test_a_change_that_cannot_be_made_says_why(stage: Stage, at_once: bool) -> None:
    before, slow, changing = stage.design, Slow(), stage.window.session.changing

    def refused(design: Any, progress: Progress) -> Any:
        slow(design, progress)
        raise StudioError("That cannot be.")

    if at_once:
        slow.may_end.set()
    changing.make("Five columns", refused)
    slow.may_end.set()
    assert stage.wait_for(lambda: not changing.is_under_way)
    assert stage.posted() == "That cannot be." and stage.design is before


def test_a_preview_that_takes_too_long_is_left_out(stage: Stage) -> None:
    before, slow = stage.design, Slow()
    stage.window.session.changing.preview(slow)
    assert stage.window.pipeline.design is before and slow.calls == 1

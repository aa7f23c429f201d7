"""Steps that are played one by one."""

from __future__ import annotations

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.ui.widgets.player import StepBar, StepPlayer, TimeLine
from tests.ui.stage import LEFT

TICKS = 10_000


class Stopping(StepPlayer):
    """Stops at each third step, too."""

    @property
    def stop(self) -> int:
        return min(self.at - self.at % 3 + 3, self.count)


def test_steps_are_made_by_the_speed_and_what_is_left_of_one_counts(qapp: QApplication) -> None:
    player = StepPlayer(20.0)
    player.load(100)
    player.toggle()
    player.advance(0.0)
    assert player.at == 1, "the first step comes at once"
    player.advance(0.475)
    assert player.at == 10
    player.advance(0.025)
    assert player.at == 11
    player.seek(98)
    assert not player.is_playing and player.at == 98


def test_playing_stops_at_the_end_and_begins_again_with_the_first_moment(qapp: QApplication) -> None:
    player, playing = StepPlayer(1.0), list[bool]()
    player.switched.connect(playing.append)
    player.toggle()
    assert not player.is_playing, "there is nothing to play"
    player.load(3)
    player.toggle()
    player.advance(10.0)
    assert player.is_at_end and playing == [True, False]
    player.toggle()
    player.advance(0.5)
    assert (player.at, player.is_playing) == (0, True)
    player.advance(0.5)
    assert player.at == 1


def test_a_player_may_stop_on_its_way(qapp: QApplication) -> None:
    player = Stopping(100.0)
    player.load(7)
    for at in (3, 6, 7):
        player.toggle()
        player.advance(1.0)
        assert player.at == at and not player.is_playing


def test_the_bar_goes_through_the_steps_and_offers_what_is_possible(qapp: QApplication) -> None:
    player = StepPlayer(1.0)
    bar = StepBar(player, ("Start", "Back", "On", "End"), TimeLine("Where"), ("Speed", "How fast", (1, 5), 1))
    bar.follow()
    assert not bar.isEnabled() and player.speed == 5
    player.load(4)
    assert bar.isEnabled() and not bar.back.isEnabled() and bar.on.isEnabled()
    for button, at in ((bar.on, 1), (bar.end, 4), (bar.back, 3), (bar.start, 0)):
        QTest.mouseClick(button, LEFT)
        assert player.at == at and bar.line.value() == round(TICKS * at / 4)
    QTest.mouseClick(bar.end, LEFT)
    assert not bar.on.isEnabled() and not bar.end.isEnabled()
    bar.line.setValue(TICKS // 2)
    assert player.at == 2
    QTest.mouseClick(bar.play, LEFT)
    assert player.is_playing and bar.play.accessibleName() == "Pause"
    player.pause()
    bar.deleteLater()

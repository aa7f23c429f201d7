"""Sending to LightBurn from the window: what arrives, what the dialog says meanwhile, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox

from studio.base.parameters import declaration
from studio.connect import keyring
from studio.connect.lightburn import ANCHORS, LightBurn
from studio.fabricate.job_log import log_of
from studio.fabricate.recipes import equipped, recipe_of
from studio.fabricate.workshop import Machine, Material, Named, keep, one_of
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.panels.send_dialog import PAIRED, UNPAIRED, Listener, SendDialog, Sending
from tests.connect.lightburn_server import Server, serving
from tests.ui.stage import KindStage

FINE = JigsawDesign(JigsawParameters(columns=3, rows=2, width=90.0, height=60.0, perturbation=0.05))


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as started:
        yield started


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[KindStage]:
    made = KindStage(tmp_path, JIGSAW, FINE)
    yield made
    made.close()


def with_dialog(stage: KindStage, server: Server, act: Callable[[SendDialog], object]) -> None:
    """Choose the menu entry, and act in the dialog as soon as its sheets are there."""
    acted = []

    def on_send(dialog: SendDialog) -> None:
        dialog.lightburn = LightBurn(port=server.port)
        dialog.show()
        assert stage.wait_for(lambda: dialog.sheets.answer is not None)
        acted.append(act(dialog))
        dialog.reject()

    stage.answers.on_send = on_send
    stage.window.actions_["send"].trigger()
    assert stage.wait_for(lambda: bool(acted))


def send(stage: KindStage, dialog: SendDialog) -> None:
    """Press the button, and wait until LightBurn has answered."""
    QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert dialog.is_working
    assert stage.wait_for(lambda: not dialog.is_working)


def choose(dialog: SendDialog, name: str, value: str) -> None:
    box = dialog.form.field(name)
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def test_the_sheet_opens_in_lightburn_after_a_question_there(stage: KindStage, server: Server) -> None:
    said: list[str] = []

    def act(dialog: SendDialog) -> None:
        said.append(dialog.pairing.sentence.text())
        assert not dialog.forget.isEnabled() and server.paths == []
        send(stage, dialog)
        assert not dialog.isVisible()

    with_dialog(stage, server, act)
    assert said == [UNPAIRED] and server.asked == ["Puzzle Studio"]
    (file,) = server.received
    assert file.path == "/api/file/open" and file.data.startswith(b"<?xml") and b"LightBurnProject" in file.data
    cut = recipe_of(equipped(one_of(Machine, "co2-600x400"), one_of(Material, "plywood-3"))[0]).cut
    assert cut is not None and f'<maxPower Value="{cut.power_max:g}"/>'.encode() in file.data
    assert "LightBurn has opened" in stage.posted() and "nothing was started" in stage.posted()
    (secret,) = server.secrets
    assert keyring.secret_of(f"localhost:{server.port}") == secret
    settings = stage.preferences.export_values("send")
    assert settings["way"] == "open" and secret not in str(settings)


def test_several_sheets_are_sent_as_the_maker_says(stage: KindStage, server: Server) -> None:
    keep(Named("small", "Small", Machine(bed_width=80.0, bed_height=60.0)))
    stage.preferences.set_workshop_key("machine", "small")
    stage.preferences.set_making_values({"lines": "separate"})

    def act(dialog: SendDialog) -> None:
        count = len(dialog.sheets.answer.plans) if dialog.sheets.answer is not None else 0
        assert count > 1 and "one after another" in dialog.summary.text()
        assert dialog.go.text() == f"Send sheet 1 of {count}"
        for number in range(1, count + 1):
            assert len(server.received) == number - 1 and dialog.isVisible()
            send(stage, dialog)
            if number < count:
                assert dialog.go.text() == f"Send sheet {number + 1} of {count}"
                assert f"LightBurn has opened sheet {number} of {count}" in dialog.state.sentence.text()
        assert not dialog.isVisible() and len(server.received) == count

    with_dialog(stage, server, act)
    names = [file.name for file in server.received]
    assert len(set(names)) == len(names) > 1 and names[0].endswith("-1.lbrn2") and len(server.asked) == 1
    assert f"LightBurn has opened {len(names)} sheets" in stage.posted()


def test_the_sheet_in_sight_is_sent(stage: KindStage, server: Server) -> None:
    keep(Named("small", "Small", Machine(bed_width=80.0, bed_height=60.0)))
    stage.preferences.set_workshop_key("machine", "small")
    stage.preferences.set_making_values({"lines": "separate"})

    def act(dialog: SendDialog) -> None:
        QTest.mouseClick(dialog.pages.on, Qt.MouseButton.LeftButton)
        assert dialog.go.text().startswith("Send sheet 2 of ")
        send(stage, dialog)

    with_dialog(stage, server, act)
    assert [file.name.rpartition("-")[2] for file in server.received] == ["2.lbrn2"]


def test_sheets_are_merged_at_once_side_by_side(stage: KindStage, server: Server) -> None:
    keep(Named("small", "Small", Machine(bed_width=80.0, bed_height=60.0)))
    stage.preferences.set_workshop_key("machine", "small")
    stage.preferences.set_making_values({"lines": "separate"})

    def act(dialog: SendDialog) -> None:
        assert not dialog.form.field("placed").isVisible()
        choose(dialog, "way", "merge")
        assert dialog.form.parameters().is_merged and "side by side" in dialog.summary.text()
        send(stage, dialog)

    with_dialog(stage, server, act)
    assert len(server.received) > 1 and {file.path for file in server.received} == {"/api/file/upload"}
    places = [float(file.headers["X-Position-X"]) for file in server.received]
    assert places == [90.0 * number for number in range(len(places))]
    assert stage.preferences.export_values("send")["way"] == "merge"


def test_a_refusal_stays_in_the_dialog_until_it_is_cured(stage: KindStage, server: Server) -> None:
    def act(dialog: SendDialog) -> None:
        server.consent = "decline"
        send(stage, dialog)
        assert "LightBurn declined the pairing" in dialog.problem.sentence.text() and dialog.isVisible()
        server.consent = "accept"
        server.status = 400
        send(stage, dialog)
        assert "LightBurn did not open" in dialog.problem.sentence.text()
        assert dialog.pairing.sentence.text() == PAIRED
        server.status = 0
        server.revoke()
        send(stage, dialog)
        assert "no longer accepts the pairing. Forget it" in dialog.problem.sentence.text()
        QTest.mouseClick(dialog.forget, Qt.MouseButton.LeftButton)
        assert dialog.pairing.sentence.text() == UNPAIRED and dialog.problem.isHidden()
        send(stage, dialog)
        assert not dialog.isVisible()

    with_dialog(stage, server, act)
    assert len(server.received) == 1 and len(server.asked) == 3


def test_waiting_for_lightburn_can_be_given_up(stage: KindStage, server: Server) -> None:
    def act(dialog: SendDialog) -> None:
        server.is_busy = True
        QTest.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
        assert stage.wait_for(lambda: "Waiting for LightBurn to open" in dialog.state.sentence.text())
        dialog.reject()
        assert not dialog.is_working and dialog.isVisible() and dialog.problem.isHidden()
        assert stage.wait_for(lambda: not stage.window.session.jobs.is_busy("sending to LightBurn"), 5.0)

    with_dialog(stage, server, act)
    assert "LightBurn has opened" not in stage.posted()


def test_the_bed_of_lightburn_becomes_the_machine(stage: KindStage, server: Server) -> None:
    def act(dialog: SendDialog) -> None:
        QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
        assert stage.wait_for(lambda: not dialog.is_working)
        assert (
            dialog.machine.chosen().key == "ruida-644" and "Saved the machine Ruida 644" in dialog.state.sentence.text()
        )
        server.project = {}
        QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
        assert stage.wait_for(lambda: not dialog.is_working)
        assert "LightBurn reports no bed" in dialog.problem.sentence.text()

    with_dialog(stage, server, act)
    assert one_of(Machine, "ruida-644").value.bed_width == 900.0
    assert server.received == []


def test_every_anchor_of_lightburn_can_be_chosen() -> None:
    assert tuple(one.value for one in declaration(Sending, "anchor").choices) == ANCHORS


def test_the_time_that_lightburn_took_is_kept_with_the_job(
    stage: KindStage, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.ui.panels.send_dialog.LISTEN_MS", 100)
    monkeypatch.setattr("studio.fabricate.job_log.SHORTEST", 0.05)
    with_dialog(stage, server, lambda dialog: send(stage, dialog))
    (listener,) = stage.window.session.jobs.findChildren(Listener)
    looks = "GET /api/events/poll"
    for state in ("idle", "running"):
        server.job = {"state": state, "progress": 0}
        server.paths.clear()
        assert stage.wait_for(lambda: server.paths.count(looks) > 2)
    server.job = {"state": "idle", "progress": 0}
    assert stage.wait_for(lambda: "LightBurn took " in stage.posted())
    (waiting,) = log_of("co2-600x400").waiting
    assert 0.05 < waiting.heard < 30 and waiting.title == stage.window.session.document.title
    assert not listener.timer.isActive() and server.faults == []

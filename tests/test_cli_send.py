"""`send`: what arrives in LightBurn, what is kept and shown, and the exit code of everything that can fail."""

from __future__ import annotations

import io
import json
import logging
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from studio.connect import keyring
from studio.files.store import save
from studio.puzzles.jigsaw.kind import JIGSAW
from tests.connect.lightburn_server import Server, serving
from tests.test_cli import CROSSED, FINE, Said, Studio

POSIX = pytest.mark.skipif(os.name == "nt", reason="needs POSIX")
THREE_SHEETS = ("--separate", "--set", "copies=2", "--machine", "small")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as started:
        yield started


class Sender(Studio):
    """`send` to the server, with the design in `fine.puzzle`."""

    port = 0

    def send(self, *words: str) -> Said:
        return self("send", *words, "--host", f"localhost:{self.port}")


@pytest.fixture
def sender(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Server
) -> Sender:
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "fine.puzzle", JIGSAW, FINE)
    made = Sender(capsys)
    made.port = server.port
    return made


def small_machine() -> None:
    from studio.fabricate.workshop import Machine, Named, keep

    keep(Named("small", "Small", Machine(bed_width=120.0, bed_height=90.0)))


def test_the_file_that_arrives_is_the_one_that_an_export_writes(sender: Sender, server: Server) -> None:
    said = sender.send("fine.puzzle", "--set", "marks=crosses", "--set", "page=bed")
    assert (said.code, said.err) == (0, "")
    assert "LightBurn has opened fine.lbrn2, 600.0 × 400.0 mm." in said.out and "Nothing was started" in said.out
    sender("export", "fine.puzzle", "-o", "same.lbrn2", "--set", "marks=crosses", "--set", "page=bed")
    (file,) = server.received
    assert file.name == "fine.lbrn2" and file.path == "/api/file/open"
    assert file.data == Path("same.lbrn2").read_bytes() and b'type="Tool"' in file.data


def test_what_is_sent_has_the_recipe_of_machine_and_material(sender: Sender, server: Server) -> None:
    words = ("--machine", "co2-600x400", "--material", "plywood-3")
    assert sender("recipe", *words, "--set", "cut.power_max=37").code == 0
    assert sender.send("fine.puzzle", *words).code == 0
    sender("export", "fine.puzzle", *words, "-o", "same.lbrn2")
    (file,) = server.received
    assert b'<maxPower Value="37"/>' in file.data and file.data == Path("same.lbrn2").read_bytes()


def test_lightburn_asks_once_and_only_the_keyring_has_the_secret(
    sender: Sender, server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    said = [sender.send("fine.puzzle"), sender.send("fine.puzzle", "--json")]
    server.status, server.echoes = 400, True
    said.append(sender.send("fine.puzzle"))
    assert [one.code for one in said] == [0, 0, 1] and len(server.asked) == 1 and len(server.received) == 2
    (secret,) = server.secrets
    shown = caplog.text + "".join(one.out + one.err for one in said)
    assert secret not in shown and "Bearer" not in shown.replace("Refused Bearer …", "")
    holders = [path for path in tmp_path.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
    assert holders == [keyring.path()]
    assert os.name == "nt" or stat.S_IMODE(keyring.path().stat().st_mode) == 0o600
    (value,) = json.loads(said[1].out)
    assert value == {"file": "fine.lbrn2", "sheet": 1, "sheets": 1, "bytes": len(server.received[1].data)}


def test_a_board_is_merged_at_a_place(sender: Sender, server: Server) -> None:
    assert sender.send("fine.puzzle", "--merge", "--x", "12.5", "--y", "-3", "--anchor", "center").code == 0
    (file,) = server.received
    headers = [file.headers[f"X-{name}"] for name in ("Position-X", "Position-Y", "Origin")]
    assert file.path == "/api/file/upload" and headers == ["12.500", "-3.000", "center"]
    assert sender.send("fine.puzzle", "--merge").code == 0 and "X-Origin" not in server.received[1].headers


def test_several_sheets_are_sent_side_by_side_or_one_of_them(sender: Sender, server: Server) -> None:
    small_machine()
    said = sender.send("fine.puzzle", *THREE_SHEETS, "--merge")
    assert said.code == 0 and said.out.count("has merged") == len(server.received) == 3
    assert [file.name for file in server.received] == ["fine-1.lbrn2", "fine-2.lbrn2", "fine-3.lbrn2"]
    assert [float(file.headers["X-Position-X"]) for file in server.received] == [0.0, 130.0, 260.0]
    assert sender.send("fine.puzzle", *THREE_SHEETS, "--sheet", "2").code == 0
    assert server.received[3].data == server.received[1].data
    assert "There is no sheet 4, only 3 sheets." in sender.refuses("send", "fine.puzzle", *THREE_SHEETS, "--sheet", "4")


class Keyboard(io.StringIO):
    """A terminal at which somebody types."""

    def isatty(self) -> bool:
        return True


def test_several_sheets_wait_for_each_other(sender: Sender, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    small_machine()
    assert "Choose one with --sheet N" in sender.refuses("send", "fine.puzzle", *THREE_SHEETS)
    assert server.received == []
    monkeypatch.setattr(sys, "stdin", Keyboard("\n"))
    said = sender.send("fine.puzzle", *THREE_SHEETS)
    assert said.code == 1 and "Stopped before sheet 3 of 3." in said.err
    assert [file.name for file in server.received] == ["fine-1.lbrn2", "fine-2.lbrn2"]


def test_a_pairing_is_forgotten(sender: Sender, server: Server) -> None:
    assert sender.send("--forget").code == 1
    sender.send("fine.puzzle")
    assert sender.send("--forget").code == 0
    sender.send("fine.puzzle")
    assert len(server.asked) == 2


def test_what_lightburn_or_its_user_refuse_ends_with_one(sender: Sender, server: Server) -> None:
    server.consent = "decline"
    said = sender.send("fine.puzzle")
    assert (said.code, said.out) == (1, "") and "LightBurn declined the pairing" in said.err
    assert not keyring.path().exists()
    server.consent = "accept"
    assert sender.send("fine.puzzle").code == 0
    server.revoke()
    said = sender.send("fine.puzzle")
    assert said.code == 1 and "`send --forget` forgets it." in said.err and len(server.received) == 1


def test_a_design_with_errors_is_sent_only_by_force(sender: Sender, server: Server) -> None:
    save(Path("crossed.puzzle"), JIGSAW, CROSSED)
    assert sender.send("crossed.puzzle").code == 1 and server.paths == []
    assert sender.send("crossed.puzzle", "--force").code == 0 and len(server.received) == 1


@POSIX
def test_another_host_is_warned_of(sender: Sender, server: Server) -> None:
    # This address means this computer, but is none of its own names.
    said = sender("send", "fine.puzzle", "--host", f"0.0.0.0:{server.port}")
    assert said.code == 0 and said.err.startswith("Warning: the connection to 0.0.0.0 is not encrypted")
    server.consent = "decline"
    sender("send", "--forget", "--host", f"0.0.0.0:{server.port}")
    said = sender("send", "fine.puzzle", "--host", f"0.0.0.0:{server.port}")
    assert said.code == 1 and "pairs with programs on its own computer only" in said.err


def test_the_bed_becomes_a_machine_and_keeps_its_speeds(sender: Sender, server: Server) -> None:
    from studio.fabricate.workshop import Machine, keep, one_of

    said = sender.send("--read-machine")
    assert said.code == 0 and "ruida-644" in said.out and "900.0 × 600.0 mm" in said.out
    found = one_of(Machine, "ruida-644")
    assert (found.title, found.value.bed_width, found.value.bed_height) == ("Ruida 644", 900.0, 600.0)
    keep(replace(found, value=replace(found.value, cut_speed=33.0)))
    server.project["workspace"]["machine_size"]["x"] = 1000.0
    assert json.loads(sender.send("--read-machine", "--json").out)["bed_width"] == 1000.0
    assert one_of(Machine, "ruida-644").value == replace(found.value, cut_speed=33.0, bed_width=1000.0)
    server.project["workspace"]["machine_size"]["x"] = 1e9
    assert sender.send("--read-machine").code == 2


def test_what_cannot_be_sent_is_refused_before_lightburn_is_asked(sender: Sender, server: Server) -> None:
    for words, sentence in (
        ([], "Name a FILE to send"),
        (["fine.puzzle", "--x", "5"], "--x needs --merge"),
        (["fine.puzzle", "--merge", "--x", "5"], "A place needs both --x and --y."),
        (["fine.puzzle", "--merge", "--x", "5", "--y", "99999"], "--y must be 0 to 10000 mm"),
        (["fine.puzzle", "--set", "print_pdf=true"], "`send` writes no files: print_pdf is for `export`."),
        (["missing.puzzle"], "missing.puzzle"),
        (["fine.puzzle", "--host", "a b"], "A host must be a name or an address"),
    ):
        assert sentence in sender.refuses("send", *words)
    assert server.paths == [] and not keyring.path().exists()


def test_lightburn_is_not_asked_for_a_secret_that_cannot_be_kept(sender: Sender, server: Server) -> None:
    folder = keyring.path().parent
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("")
    said = sender.send("fine.puzzle")
    assert said.code == 2 and said.err.count("\n") == 1 and server.asked == []


def test_nothing_is_sent_unless_it_is_asked_for(sender: Sender, server: Server) -> None:
    sender("export", "fine.puzzle", "-o", "a.lbrn2")
    sender("check", "fine.puzzle")
    assert server.paths == [] and not keyring.path().exists()

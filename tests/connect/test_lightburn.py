"""Sending to LightBurn: what passes between the two, and the sentence for everything that can fail."""

from __future__ import annotations

import hashlib
import hmac
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.connect.lightburn import (
    ANCHORS,
    Bounds,
    Endpoint,
    Heard,
    LightBurn,
    Pairing,
    Place,
    Refused,
    Unpaired,
    safe_name,
)
from tests.connect.lightburn_server import ORIGINS, Server, serving

JOB = b'<?xml version="1.0"?><LightBurnProject AppVersion="2.2" FormatVersion="1"></LightBurnProject>'
SHORT = Bounds(connect=1.0, answer=1.0, dialog=0.3, consent=1.0, opened=0.5)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as started:
        yield started


def client(of: Server, bounds: Bounds = SHORT) -> LightBurn:
    return LightBurn(port=of.port, bounds=bounds)


def free_port() -> int:
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_the_studio_asks_for_nothing_that_moves_a_machine() -> None:
    paths = {each.value for each in Endpoint}
    assert paths == {
        ("POST", "/api/connect"), ("POST", "/api/file/open"), ("POST", "/api/file/upload"), ("GET", "/api/events"),
        ("GET", "/api/events/poll"), ("GET", "/api/project"),
    }  # fmt: skip
    forbidden = re.compile("start|run|job|jog|goto|move|frame|home|device|laser|fire|pause|stop|position|cuts")
    assert not [path for _method, path in paths if forbidden.search(path)]


def test_the_token_is_the_hmac_of_the_minute() -> None:
    expected = hmac.new(b"aB3dE7fG9hJ1kL5m", b"29000000", hashlib.sha256).hexdigest()
    assert Pairing("aB3dE7fG9hJ1kL5m").token(29_000_000 * 60 + 59.9) == expected
    assert "aB3d" not in repr(Pairing("aB3dE7fG9hJ1kL5m"))


@pytest.mark.parametrize("chunked", [False, True])
def test_a_file_is_opened_as_it_is(server: Server, chunked: bool) -> None:
    server.is_chunked = chunked
    lightburn = client(server)
    pairing = lightburn.pair()
    lightburn.send(pairing, "board-1.lbrn2", JOB)
    (file,) = server.received
    assert server.asked == ["Puzzle Studio"] and server.secrets == {pairing.secret: ("state", "project", "upload")}
    assert (file.path, file.name, file.data) == ("/api/file/open", "board-1.lbrn2", JOB)
    assert not [key for key in file.headers if key.startswith("X-Position")]
    assert server.paths == ["POST /api/connect", "GET /api/events", "POST /api/file/open"]


def test_a_file_is_merged_at_a_place_or_where_lightburn_likes(server: Server) -> None:
    lightburn = client(server)
    pairing = lightburn.pair()
    lightburn.send(pairing, "a.lbrn2", JOB, is_merged=True)
    lightburn.send(pairing, "b.lbrn2", JOB, is_merged=True, place=Place(12.5, -3.0, "top-left"))
    first, second = server.received
    assert first.path == second.path == "/api/file/upload" and "X-Origin" not in first.headers
    place = [second.headers[f"X-{key}"] for key in ("Position-X", "Position-Y", "Origin")]
    assert place == ["12.500", "-3.000", "top-left"]


def test_every_anchor_is_one_of_lightburns() -> None:
    assert set(ANCHORS) == ORIGINS and len(ANCHORS) == 9
    with pytest.raises(StudioError, match="Unknown anchor 'middle'"):
        Place(0, 0, "middle")
    with pytest.raises(StudioError, match="within 10000 mm"):
        Place(float("nan"), 0)


def test_the_bed_is_read(server: Server) -> None:
    lightburn = client(server)
    found = lightburn.workspace(lightburn.pair())
    assert (found.width, found.height, found.device) == (900.0, 600.0, "Ruida 644")
    server.project = {"filename": "", "modified": False, "shape_count": 0}
    with pytest.raises(StudioError, match="reports no bed"):
        lightburn.workspace(lightburn.pair())


def test_a_declined_pairing_is_told_apart_from_an_overlooked_one(server: Server) -> None:
    server.consent = "decline"
    with pytest.raises(Refused, match=re.escape("LightBurn declined the pairing. Send again, and allow it there.")):
        client(server).pair()
    server.consent = "ignore"
    with pytest.raises(Refused, match=re.escape("was not answered within 0.3 s")):
        client(server).pair()
    server.dialog = 5.0
    with pytest.raises(StudioError, match=re.escape("was not answered within 0.3 s")):
        client(server).pair()


def test_a_revoked_pairing_is_reported(server: Server) -> None:
    lightburn = client(server)
    pairing = lightburn.pair()
    server.revoke()
    with pytest.raises(Unpaired, match=re.escape("no longer accepts the pairing. Forget it")):
        lightburn.send(pairing, "a.lbrn2", JOB)
    with pytest.raises(Unpaired):
        lightburn.workspace(pairing)
    assert server.received == []


@pytest.mark.parametrize(("ahead", "minutes"), [(-600.0, 10), (150.0, 2)])
def test_a_token_that_is_stale_by_the_clock_is_reported(server: Server, ahead: float, minutes: int) -> None:
    lightburn = client(server)
    pairing = lightburn.pair()
    server.clock = ahead
    with pytest.raises(StudioError, match=f"differs from this computer's by {minutes} min") as caught:
        lightburn.send(pairing, "a.lbrn2", JOB)
    assert not isinstance(caught.value, Unpaired)


def test_a_token_of_the_last_minute_is_taken(server: Server) -> None:
    lightburn = replace(client(server), now=lambda: time.time() - 60)
    lightburn.send(lightburn.pair(), "a.lbrn2", JOB)
    assert len(server.received) == 1


def test_nothing_on_the_port() -> None:
    lightburn = LightBurn(port=free_port(), bounds=SHORT)
    for work in (lightburn.pair, lambda: lightburn.send(Pairing("x" * 16), "a.lbrn2", JOB)):
        with pytest.raises(StudioError, match=re.escape("it is not running, or older than 2.2. Start LightBurn 2.2")):
            work()


def test_an_old_version_is_told_from_another_program(server: Server) -> None:
    server.is_old = True
    with pytest.raises(StudioError, match=re.escape("too old for that. Update it to 2.2 or newer")):
        client(server).pair()


def test_a_file_that_lightburn_does_not_open(server: Server) -> None:
    lightburn = client(server)
    pairing = lightburn.pair()
    with pytest.raises(Refused, match=re.escape("LightBurn did not open a.lbrn2: Not a readable project. Export")):
        lightburn.send(pairing, "a.lbrn2", b"<svg/>")
    server.status = 400
    with pytest.raises(Refused, match=re.escape("LightBurn did not open b.lbrn2: Refused. Export")):
        lightburn.send(pairing, "b.lbrn2", JOB)
    server.status = 500
    with pytest.raises(StudioError, match=r"an error of its own \(500\). Restart it"):
        lightburn.send(pairing, "b.lbrn2", JOB)


def test_a_file_that_lightburn_does_not_report_on(server: Server) -> None:
    lightburn = client(server)
    pairing = lightburn.pair()
    server.is_busy = True
    began = time.monotonic()
    with pytest.raises(StudioError, match=re.escape("received a.lbrn2, but did not report that it opened it")):
        lightburn.send(pairing, "a.lbrn2", JOB)
    assert 0.5 <= time.monotonic() - began < 1.5 and len(server.received) == 1


def test_a_wait_can_be_cancelled(server: Server) -> None:
    lightburn = client(server, Bounds())
    pairing, progress, notes = lightburn.pair(), Progress(lambda _share, note: notes.append(note)), list[str]()
    server.is_busy = True
    threading.Timer(0.3, progress.cancel).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        lightburn.send(pairing, "a.lbrn2", JOB, progress=progress)
    assert time.monotonic() - began < 1.0
    assert "Waiting for LightBurn to open a.lbrn2…" in notes


def test_another_host_is_read_and_known_as_such() -> None:
    assert LightBurn.at("localhost") == LightBurn() and LightBurn.at("[::1]:80").name == "[::1]:80"
    assert [LightBurn.at(host).is_here for host in ("127.0.0.1", "[::1]", "localhost:5", "10.0.0.5", "laser-pc")] == [
        True, True, True, False, False,
    ]  # fmt: skip
    for wrong in ("", "a b", "http://x", "x:0", "x:70000", "x/y", "[zz]"):
        with pytest.raises(StudioError, match="A host must be"):
            LightBurn.at(wrong)


def test_a_name_fits_into_a_header() -> None:
    assert safe_name("Bär & Söhne\r\nX-Bad: 1") == "Bar-Sohne-X-Bad-1.lbrn2"
    assert safe_name("鳥") == "puzzle.lbrn2" and len(safe_name("x" * 500)) < 100


def test_secrets_are_in_no_sentence(server: Server) -> None:
    server.echoes = True
    lightburn = client(server)
    pairing = lightburn.pair()
    server.status = 400
    for data in (JOB, b"<svg/>"):
        with pytest.raises(Refused) as caught:
            lightburn.send(pairing, "a.lbrn2", data)
        server.status = 0
        assert pairing.secret not in str(caught.value) and pairing.token(time.time()) not in str(caught.value)
        assert "…" in str(caught.value)


@pytest.mark.parametrize("status", [200, 202, 401, 403, 404, 500])
def test_a_web_server_on_the_port_is_another_program(status: int) -> None:
    page = f"HTTP/1.1 {status} Some\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<h1>Here</h1>".encode()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            for _ in range(3):
                connection, _ = listening.accept()
                with connection:
                    connection.recv(2**16)
                    connection.sendall(page)

        thread = threading.Thread(target=answer)
        thread.start()
        lightburn, pairing = LightBurn(port=listening.getsockname()[1], bounds=SHORT), Pairing("x" * 16)
        for work in (lightburn.pair, lambda: lightburn.workspace(pairing), lambda: lightburn.send(pairing, "a", JOB)):
            with pytest.raises(StudioError, match=f"What answers on port {lightburn.port} is not LightBurn") as caught:
                work()
            assert not isinstance(caught.value, Refused)
        thread.join()


@pytest.mark.parametrize(
    ("request_line", "headers", "body", "fault"),
    [
        ("POST /api/job/start", "", b"", "no such operation"),
        ("GET /api/file/open", "", b"", "no such operation"),
        ("POST /api/file/open", "X-Position-X: 1\r\nX-Position-Y: 1\r\n", b"", "has no header X-Position-X"),
        ("POST /api/file/upload", "X-Position-X: 1\r\n", b"", "half a position"),
        ("POST /api/file/upload", "X-Origin: middle\r\n", b"", "X-Origin: 'middle'"),
        ("POST /api/file/upload", "X-Filename: a/b\r\n", b"", "X-Filename: 'a/b'"),
        ("POST /api/file/upload", "Content-Type: text/xml\r\n", b"", "Content-Type: text/xml"),
        ("GET /api/project", "", b"", "no bearer token"),
        ("POST /api/connect", "", b'{"application_name": "x", "capabilities": []}', "capabilities: []"),
        ("POST /api/connect", "", b'{"application_name": "x", "capabilities": ["all"]}', "capabilities: ['all']"),
        ("POST /api/connect", "", b'{"name": "x", "capabilities": ["state"]}', "body of /api/connect"),
    ],
)
def test_the_server_of_the_tests_sees_requests_at_fault(
    server: Server, request_line: str, headers: str, body: bytes, fault: str
) -> None:
    whole = (
        f"{request_line} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n{headers}\r\n".encode() + body
    )
    with socket.create_connection(("127.0.0.1", server.port), 5.0) as connection:
        connection.sendall(whole)
        while connection.recv(2**16):
            pass
    assert any(fault in one for one in server.faults), server.faults
    server.faults.clear()


def test_the_state_of_a_job_is_read_and_garbage_is_refused(server: Server) -> None:
    lightburn = client(server)
    pairing = lightburn.pair()
    for state in ("idle", "running", "paused"):
        server.job = {"state": state, "progress": 12}
        assert lightburn.job_state(pairing) == state
    garbage: tuple[object, ...] = (None, [], {}, {"state": 3}, {"state": "exploding"})
    for each in garbage:
        server.job = each
        with pytest.raises(StudioError, match="is not LightBurn"):
            lightburn.job_state(pairing)
    server.revoke()
    with pytest.raises(Unpaired):
        lightburn.job_state(pairing)
    assert server.faults == []


def test_the_time_of_a_job_is_heard_without_its_pauses() -> None:
    heard = Heard()
    states = [(0, "idle"), (2, "running"), (100, "running"), (102, "paused"), (500, "paused"), (502, "running")]
    for now, state in (*states, (600, "running"), (602, "idle"), (700, "running")):
        heard = heard.then(state, 1000.0 + now)
    # Each change of state is somewhere between two looks.
    assert heard.is_over and heard.seconds == pytest.approx(1 + 98 + 1 + 1 + 98 + 1)
    assert not Heard().then("idle", 1.0).then("idle", 99.0).has_begun
    # A job that was running before is none of ours; the next one is.
    other = Heard().then("running", 1.0).then("running", 50.0).then("idle", 51.0)
    assert (other.has_begun, other.is_over, other.seconds) == (False, False, 0.0)
    assert other.then("running", 60.0).then("running", 70.0).then("idle", 80.0).seconds == pytest.approx(4.5 + 10 + 5)

"""A thousand wrong answers: each ends in one sentence, in time, whatever another program sends."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random

import pytest

from studio.base.errors import StudioError
from studio.connect.lightburn import Bounds, LightBurn, Pairing

BOUNDS = Bounds(connect=1.0, answer=0.06, dialog=0.05, consent=0.06, opened=0.06, size=2**14, stream=2**15)
LATEST = 1.5
"""Seconds in which every answer must have ended in a sentence, on a busy machine."""
SECRET = "aB3dE7fG9hJ1kL5m"
JSON = "application/json"
OPEN_STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n:connected\n\n"
ACCEPTED = b"HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
VALUES: tuple[object, ...] = (
    None,
    True,
    0,
    -1,
    1e400,
    float("nan"),
    "",
    "x",
    "\0",
    [],
    [[]],
    {},
    {"a": {}},
    "x" * 3000,
    10**400,
)
"""Values of wrong types, some of them no JSON."""

Answer = Callable[[Random], Iterator[bytes]]


def head(chance: Random, status: int, kind: str, size: int | None = None) -> bytes:
    length = "" if size is None else f"Content-Length: {size}\r\n"
    return f"HTTP/1.{chance.randrange(2)} {status} Some\r\nContent-Type: {kind}\r\n{length}\r\n".encode()


def noise(chance: Random) -> Iterator[bytes]:
    yield chance.randbytes(chance.randrange(400))


def noise_in_a_body(chance: Random) -> Iterator[bytes]:
    data = chance.randbytes(chance.randrange(1, 400))
    yield head(chance, chance.choice((200, 202, 204, 302, 403, 404, 418, 500)), JSON, len(data)) + data


def noise_in_headers(chance: Random) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n" + chance.randbytes(300) + b"\r\n\r\n{}"


def page(chance: Random) -> Iterator[bytes]:
    yield head(chance, chance.choice((200, 401, 403, 404, 500)), "text/html; charset=utf-8")
    yield b"<!doctype html><title>It works</title>"


def wrong_types(chance: Random) -> Iterator[bytes]:
    names = ("status", "secret", "workspace", "machine_size", "x", "y", "device", "error", "filename")
    value = {name: chance.choice(VALUES) for name in chance.sample(names, 3)}
    if chance.random() < 0.5:
        value["workspace"] = {"machine_size": chance.choice(({"x": chance.choice(VALUES), "y": -5}, *VALUES))}
        value["secret"] = chance.choice(("short", "with a space in it", "ünïcödé-secret", "x" * 600, 12345678))
    data = json.dumps(chance.choice((value, value, chance.choice(VALUES)))).encode()
    yield head(chance, chance.choice((200, 202)), JSON, len(data)) + data


def truncated(chance: Random) -> Iterator[bytes]:
    data = json.dumps({"status": "ok", "secret": SECRET, "workspace": {"machine_size": {"x": 1, "y": 2}}}).encode()
    whole = head(chance, 200, JSON, len(data)) + data
    yield whole[: chance.randrange(len(whole) - 1)]


def nested(chance: Random) -> Iterator[bytes]:
    data = chance.choice((b"[", b'{"a":')) * 7000
    yield head(chance, 200, JSON) + data


def endless(chance: Random) -> Iterator[bytes]:
    yield head(chance, chance.choice((200, 403)), chance.choice((JSON, "text/event-stream")))
    piece = chance.choice((b"x" * 4096, b"\n" * 4096, b"event: job\ndata: {}\n\n" * 200, b"data: x\n" * 500))
    while True:
        yield piece


def endless_head(chance: Random) -> Iterator[bytes]:
    piece = chance.choice((b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200, b"H" * 4096))
    while True:
        yield piece


def slow(chance: Random) -> Iterator[bytes]:
    whole = chance.choice((OPEN_STREAM, head(chance, 200, JSON, 5000), b""))
    for number in range(100):
        time.sleep(0.01)
        yield whole[number : number + 1] or b" "


def chunks(chance: Random) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    yield chance.choice((b"zz\r\n", b"-5\r\nabc", b"ffffffffff\r\nabc", b"5\r\nab", b"0\r\n", chance.randbytes(50)))


def false_length(chance: Random) -> Iterator[bytes]:
    size = chance.choice(("-1", "9" * 30, "abc", "1e9", "0"))
    yield f"HTTP/1.1 200 OK\r\nContent-Type: {JSON}\r\nContent-Length: {size}\r\n\r\n{{}}".encode()


def told(chance: Random) -> Iterator[bytes]:
    """An open stream with wrong events."""
    yield OPEN_STREAM
    for _ in range(chance.randrange(1, 5)):
        data = json.dumps(chance.choice((*VALUES, {"success": chance.choice(VALUES[4:])}))).encode()
        yield b"event: " + chance.choice((b"file_imported", b"job", chance.randbytes(9))) + b"\ndata: " + data
        yield chance.choice((b"\n\n", b"\r\n\r\n", b"\n", b""))


ANSWERS: tuple[Answer, ...] = (
    noise, noise_in_a_body, noise_in_headers, page, wrong_types, wrong_types, truncated, nested, endless, endless_head,
    slow, chunks, false_length, told,
)  # fmt: skip


class Stranger:
    """Another program on the port; each connection gets the next of its answers."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=8)
        self.port = int(self.socket.getsockname()[1])
        self.script: list[Iterator[bytes]] = []
        self.stop = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        self.socket.settimeout(0.05)
        while not self.stop.is_set():
            with suppress(TimeoutError):
                connection, _ = self.socket.accept()
                pieces = self.script.pop(0) if self.script else iter(())
                threading.Thread(target=self._answer, args=(connection, pieces)).start()

    def _answer(self, connection: socket.socket, pieces: Iterator[bytes]) -> None:
        connection.settimeout(0.5)
        with suppress(OSError), connection:
            connection.recv(2**16)
            for piece in pieces:
                if self.stop.is_set():
                    break
                connection.sendall(piece)

    def close(self) -> None:
        self.stop.set()
        self._thread.join()
        self.socket.close()


@contextmanager
def stranger() -> Iterator[Stranger]:
    made = Stranger()
    try:
        yield made
    finally:
        made.close()


def held(*pieces: bytes) -> Iterator[bytes]:
    """Pieces, after which the connection stays open for a while."""
    yield from pieces
    time.sleep(0.2)


def test_a_thousand_wrong_answers_end_in_a_sentence_each() -> None:
    chance, longest, sentences = Random(47), 0.0, dict[str, int]()
    with stranger() as program:
        lightburn, pairing = LightBurn(port=program.port, bounds=BOUNDS), Pairing(SECRET)
        for number in range(1000):
            wrong = ANSWERS[number % len(ANSWERS)](chance)
            stage = chance.randrange(5)
            if stage < 3:
                program.script = [wrong]
            else:
                program.script = [held(OPEN_STREAM), wrong] if stage == 3 else [wrong, held(ACCEPTED)]
            began = time.monotonic()
            with pytest.raises(StudioError) as caught:
                if stage == 0:
                    lightburn.pair()
                elif stage == 1:
                    lightburn.workspace(pairing)
                else:
                    lightburn.send(pairing, "a.lbrn2", b"<x/>")
            longest = max(longest, time.monotonic() - began)
            sentence = str(caught.value)
            sentences[sentence] = sentences.get(sentence, 0) + 1
            assert sentence.endswith(".") and sentence.isprintable() and len(sentence) < 400, (number, sentence)
            assert SECRET not in sentence and pairing.token(time.time()) not in sentence
    assert longest < LATEST
    assert 4 <= len(sentences) <= 30 and sum(sentences.values()) == 1000


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_is_given_up_without_reading_on(answer: Answer) -> None:
    read = 0

    def counted() -> Iterator[bytes]:
        nonlocal read
        for piece in answer(Random(5)):
            read += len(piece)
            yield piece

    with stranger() as program:
        program.script = [counted()]
        with pytest.raises(StudioError):
            LightBurn(port=program.port, bounds=BOUNDS).pair()
    # The system's own buffers hold some megabytes more than was read.
    assert read < 2**23

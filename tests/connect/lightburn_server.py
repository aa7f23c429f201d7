"""A server that does what LightBurn's public documents say, written from them, and checks every request it gets.

What the documents ask of a request stands in OPERATIONS; a request that does not keep to it is a fault, and `faults`
lists them. Its user accepts, declines or overlooks the question whether to pair.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import queue
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, NamedTuple
from xml.etree import ElementTree

ORIGINS = {f"{row}-{column}" for row in ("top", "middle", "bottom") for column in ("left", "center", "right")}
ORIGINS = ORIGINS - {"middle-center"} | {"center"}
CAPABILITIES = {"state", "project", "upload", "project_write"}
STREAM, CHUNKED = {"Content-Type": "text/event-stream"}, {"Transfer-Encoding": "chunked"}
NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")


class Operation(NamedTuple):
    """An operation of the interface: the capability it needs, the type of its body, and its own headers."""

    capability: str
    body: str = ""
    headers: Mapping[str, Callable[[str], object]] = MappingProxyType({})


PLAIN_NAME = re.compile(r"[ -.0-~]{1,255}").fullmatch
IS_NUMBER = NUMBER.fullmatch
OPERATIONS = {
    ("POST", "/api/connect"): Operation("", "application/json"),
    ("POST", "/api/file/open"): Operation("upload", "application/octet-stream", {"X-Filename": PLAIN_NAME}),
    ("POST", "/api/file/upload"): Operation(
        "upload",
        "application/octet-stream",
        {
            "X-Filename": PLAIN_NAME,
            "X-Group-Shapes": lambda text: text in ("true", "false"),
            "X-Position-X": IS_NUMBER,
            "X-Position-Y": IS_NUMBER,
            "X-Origin": lambda text: text in ORIGINS,
        },
    ),
    ("GET", "/api/events"): Operation("state"),
    ("GET", "/api/events/poll"): Operation("state"),
    ("GET", "/api/project"): Operation("project"),
}


class Received(NamedTuple):
    """A file that was taken."""

    path: str
    name: str
    data: bytes
    headers: dict[str, str]


@dataclass
class Server:
    """The state of LightBurn, and of its user."""

    consent: str = "accept"
    """What the user does when asked to pair: accept, decline or ignore."""
    dialog: float = 0.3
    """Seconds after which the question is closed."""
    clock: float = 0.0
    """Seconds by which its clock is ahead."""
    is_dated: bool = True
    is_chunked: bool = False
    is_old: bool = False
    is_busy: bool = False
    """True while a dialog keeps it from opening files."""
    echoes: bool = False
    """True if it repeats the token and the secret in its refusals."""
    status: int = 0
    """A status code with which every upload is refused, if not 0."""
    project: dict[str, Any] = field(
        default_factory=lambda: {
            "filename": "",
            "modified": False,
            "shape_count": 0,
            "units": {"distance": "inches", "speed": "mm/s"},
            "workspace": {"machine_size": {"x": 900.0, "y": 600.0}, "machine_view": True},
            "device": {"name": "Ruida 644", "supports_z": False},
        }
    )
    job: Any = field(default_factory=lambda: {"state": "idle", "progress": 0})
    secrets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    port: int = 0
    stop: threading.Event = field(default_factory=threading.Event)
    subscribers: list[queue.Queue[bytes]] = field(default_factory=list)

    def revoke(self) -> None:
        """Withdraw every pairing."""
        self.secrets.clear()

    def tell(self, event: str, data: object) -> None:
        """Send an event to every open stream."""
        for each in self.subscribers:
            each.put(f"event: {event}\ndata: {json.dumps(data)}\n\n".encode())

    def opens(self, path: str, name: str, data: bytes) -> None:
        """Open a file as LightBurn does, and tell how it went."""
        if self.is_busy:
            return
        try:
            if ElementTree.fromstring(data).tag != "LightBurnProject" or not name.endswith(".lbrn2"):
                raise ValueError
            self.tell("file_imported", {"success": True})
        except (ElementTree.ParseError, ValueError):
            known = " ".join(self.secrets) if self.echoes else ""
            self.tell("file_imported", {"success": False, "error": f"Not a readable project {known}".strip()})


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    protocol_version = "HTTP/1.1"
    of: Server

    def log_message(self, *_words: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def do_PUT(self) -> None:
        self._answer()

    def _answer(self) -> None:
        self.close_connection = True
        of, path = self.of, self.path
        of.paths.append(f"{self.command} {path}")
        operation = OPERATIONS.get((self.command, path))
        if operation is None:
            of.faults.append(f"no such operation: {self.command} {path}")
            return self._say(404, {"error": "Not found"})
        if of.is_old:
            return self._say(404, {"error": "Not found"})
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self._judge(operation, body)
        if path == "/api/connect":
            return self._connect(json.loads(body))
        if not self._may(operation.capability):
            # The documents: every failure of authorization is a bare 401.
            return self._say(401, None)
        if path == "/api/events":
            return self._stream()
        if path == "/api/events/poll":
            return self._say(200, {"job": of.job, "connection": {"connected": True}})
        if path == "/api/project":
            return self._say(200, of.project)
        if of.status:
            words = f"Refused {self.headers['Authorization']}" if of.echoes else "Refused"
            return self._say(of.status, {"error": words})
        name = self.headers.get("X-Filename", "upload.lbrn2")
        of.received.append(Received(path, name, body, dict(self.headers.items())))
        self._say(202, {"status": "accepted", "filename": name})
        return of.opens(path, name, body)

    def _judge(self, operation: Operation, body: bytes) -> None:
        """Note whatever the documents do not allow in a request."""
        fault = self.of.faults.append
        own = {key: value for key, value in self.headers.items() if key.startswith("X-")}
        for key, value in own.items():
            if key not in operation.headers:
                fault(f"{self.path} has no header {key}")
            elif not operation.headers[key](value):
                fault(f"{key}: {value!r}")
        if ("X-Position-X" in own) != ("X-Position-Y" in own):
            fault("half a position")
        if self.headers.get("Content-Type", "") != operation.body:
            fault(f"Content-Type: {self.headers.get('Content-Type')}")
        if (self.command == "GET") and body:
            fault("a body with GET")
        if operation.capability and not re.fullmatch(r"Bearer [0-9a-f]{64}", self.headers.get("Authorization", "")):
            fault("no bearer token")
        if not operation.capability:
            value = json.loads(body)
            if set(value) != {"application_name", "capabilities"} or not isinstance(value["application_name"], str):
                return fault(f"body of /api/connect: {sorted(value)}")
            if not value["capabilities"] or not set(value["capabilities"]) <= CAPABILITIES:
                fault(f"capabilities: {value['capabilities']}")

    def _connect(self, value: dict[str, Any]) -> None:
        of = self.of
        of.asked.append(str(value.get("application_name")))
        if of.consent == "accept":
            secret = secrets.token_urlsafe(24)
            of.secrets[secret] = tuple(value["capabilities"])
            return self._say(200, {"status": "ok", "secret": secret})
        if of.consent == "ignore":
            of.stop.wait(of.dialog)
        return self._say(403, {"error": "Connection rejected"})

    def _may(self, capability: str) -> bool:
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        minute = int((time.time() + self.of.clock) // 60)
        for secret, capabilities in self.of.secrets.items():
            for each in (minute, minute - 1):
                if hmac.new(secret.encode(), str(each).encode(), hashlib.sha256).hexdigest() == token:
                    return capability in capabilities
        return False

    def _stream(self) -> None:
        of, lines = self.of, queue.Queue[bytes]()
        of.subscribers.append(lines)
        self._head(
            200, {"Content-Type": "text/event-stream"} | ({"Transfer-Encoding": "chunked"} if of.is_chunked else {})
        )
        job = b'event: job\ndata: {"state": "idle"}\n\n'
        lines.put(b":connected\n\n")
        while not of.stop.is_set():
            try:
                data = lines.get(timeout=0.02)
            except queue.Empty:
                data = job
            try:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data) if of.is_chunked else data)
            except OSError:
                break
        of.subscribers.remove(lines)

    def _say(self, status: int, value: object) -> None:
        data = b"" if value is None else json.dumps(value).encode()
        kind = {} if value is None else {"Content-Type": "application/json"}
        self._head(status, kind | {"Content-Length": str(len(data))})
        self.wfile.write(data)

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response_only(status)
        if self.of.is_dated:
            self.send_header("Date", formatdate(time.time() + self.of.clock, usegmt=True))
        for key, value in headers.items():
            self.send_header(key, value)
        self.end_headers()


@contextmanager
def serving(**state: Any) -> Iterator[Server]:
    """Run a server on a free port; no request may be at fault."""
    of = Server(**state)
    http = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"of": of}))
    http.daemon_threads, of.port = False, http.server_address[1]
    thread = threading.Thread(target=http.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield of
    finally:
        of.stop.set()
        http.shutdown()
        http.server_close()
        thread.join()
    assert of.faults == []

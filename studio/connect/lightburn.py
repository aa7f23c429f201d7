"""LightBurn's interface for other programs: pair, send a file, learn that it was opened, read the bed.

Written from the public documents of LightBurn 2.2 (`LightBurnSoftware/LightBurn-REST`). Nothing here moves a machine or
starts a job. Nothing that answers is trusted: every wait ends, every answer is bounded, every field is checked.

pairing: LightBurn asks its user once, and hands out a secret, of which every request proves the possession for a minute
by a token. event stream: an answer that does not end, with a line for each event; `file_imported` ends every import.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
import math
import re
import socket
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from enum import Enum
from http.client import HTTPException, HTTPResponse
from io import BufferedReader, RawIOBase
from typing import Any, NoReturn

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr, visible
from studio.connect import keyring

NAME = "Puzzle Studio"
"""Shown by LightBurn when it asks whether to pair."""
HERE, PORT = "localhost", 19520
CAPABILITIES = ("state", "project", "upload")
"""Read events, read the bed, send files; fixed for the life of a pairing."""
ANCHORS = (
    "top-left", "top-center", "top-right", "middle-left", "center", "middle-right", "bottom-left", "bottom-center",
    "bottom-right",
)  # fmt: skip
"""Points of a file's bounding box that a place can mean."""
LONGEST_NAME, LONGEST_REASON = 80, 160
"""Letters of a file's name that are sent, and of LightBurn's reason that is repeated."""
LARGEST_PLACE = 10_000.0
"""Largest coordinate of a place in mm."""
_TICK = 0.1
"""Seconds between two looks whether the work was cancelled."""
_DRIFT = 60.0
"""Difference of clocks in s from which on a token is stale."""
_RATE = 1e6
"""Slowest connection in bytes/s for which an upload has time."""
_OLD = (404, 405, 501)


class Endpoint(Enum):
    """Everything that LightBurn is ever asked: method and path."""

    PAIR = "POST", "/api/connect"
    OPEN = "POST", "/api/file/open"
    MERGE = "POST", "/api/file/upload"
    EVENTS = "GET", "/api/events"
    STATE = "GET", "/api/events/poll"
    PROJECT = "GET", "/api/project"


IDLE, RUNNING, PAUSED = "idle", "running", "paused"
"""States of LightBurn's job."""


class Refused(StudioError):
    """LightBurn, or its user, said no."""


class Unpaired(Refused):
    """LightBurn no longer accepts the pairing."""


@dataclass(frozen=True)
class Bounds:
    """Seconds that are waited, and most bytes that are read."""

    connect: float = 3.0
    answer: float = 20.0
    dialog: float = 30.0
    """LightBurn's own limit for its question whether to pair."""
    consent: float = 40.0
    opened: float = 180.0
    """For an import, during which LightBurn may ask whether to save its project."""
    size: int = 2**20
    stream: int = 2**23


@dataclass(frozen=True)
class Pairing:
    """A secret shared with one LightBurn."""

    secret: str = field(repr=False)

    def token(self, seconds: float) -> str:
        """The proof for the minute at a Unix time in s."""
        return hmac.new(self.secret.encode(), str(int(seconds // 60)).encode(), hashlib.sha256).hexdigest()


@dataclass(frozen=True)
class Place:
    """A place on LightBurn's workspace in mm, and the point of a file's bounding box that goes there."""

    x: float
    y: float
    anchor: str = "bottom-left"

    def __post_init__(self) -> None:
        if not (abs(self.x) <= LARGEST_PLACE and abs(self.y) <= LARGEST_PLACE):
            raise StudioError(tr("A place must be within {most:g} mm of the origin.", most=LARGEST_PLACE))
        if self.anchor not in ANCHORS:
            names = ", ".join(ANCHORS)
            raise StudioError(tr("Unknown anchor {name!r}; choose from {names}.", name=self.anchor, names=names))


@dataclass(frozen=True)
class Workspace:
    """The bed that LightBurn reports, in mm, and the name of its device, perhaps empty."""

    width: float
    height: float
    device: str


def safe_name(stem: str, suffix: str = ".lbrn2") -> str:
    """Make a file name of plain letters, as a header can carry.

    >>> safe_name("Bär & Söhne\\r\\nX-Bad: 1")
    'Bar-Sohne-X-Bad-1.lbrn2'
    """
    plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    words = re.sub(r"[^A-Za-z0-9_-]+", "-", plain).strip("-")[:LONGEST_NAME]
    return f"{words or 'puzzle'}{suffix}"


@dataclass(frozen=True)
class Heard:
    """The time of a job, as far as its states were heard, in s; pauses are not counted."""

    seconds: float = 0.0
    has_begun: bool = False
    is_over: bool = False
    state: str = IDLE
    at: float = 0.0

    def then(self, state: str, now: float) -> Heard:
        """Hear the state at a later time in s; between two states the former is taken to last half of the time."""
        if self.is_over:
            return self
        # A job that ran already when it was first listened is not the one that is waited for.
        has_begun = self.has_begun or (state == RUNNING and self.state == IDLE and self.at > 0)
        share = 0.5 * ((self.state == RUNNING) + (state == RUNNING)) if has_begun else 0.0
        return Heard(self.seconds + share * (now - self.at), has_begun, has_begun and state == IDLE, state, now)


@dataclass(frozen=True)
class LightBurn:
    """A LightBurn at an address; `now` is the Unix time in s.

    All its functions raise StudioError, with a sentence and a remedy, and Cancelled.
    """

    host: str = HERE
    port: int = PORT
    bounds: Bounds = Bounds()
    now: Callable[[], float] = time.time

    @classmethod
    def at(cls, address: str) -> LightBurn:
        """Read `HOST` or `HOST:PORT`; raises StudioError for anything else."""
        match = re.fullmatch(r"([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{1,5}))?", address)
        port = PORT if match is None or match[2] is None else int(match[2])
        if match is None or not 0 < port < 2**16:
            raise StudioError(
                tr(
                    "A host must be a name or an address, such as laser-pc or 10.0.0.5, not {host!r}.",
                    host=address[:60],
                )
            )
        return cls(match[1].strip("[]").lower(), port)

    @property
    def name(self) -> str:
        """Name of the pairing, `localhost:19520`."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_here(self) -> bool:
        """True if it is on this computer, so that nothing passes over a network."""
        if self.host == HERE:
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def paired(self, progress: Progress = SILENT) -> Pairing:
        """Return the pairing in the keyring; without one, pair and keep it there."""
        secret = keyring.secret_of(self.name)
        if secret is not None:
            return Pairing(secret)
        keyring.ensure_place()
        pairing = self.pair(progress)
        keyring.remember(self.name, pairing.secret)
        return pairing

    def pair(self, progress: Progress = SILENT) -> Pairing:
        """Ask LightBurn's user for a pairing, which takes up to half a minute. Raises Refused if it is declined."""
        body = json.dumps({"application_name": NAME, "capabilities": CAPABILITIES}).encode()
        began, late = time.monotonic(), self._unanswered
        note = tr("Answer the question in LightBurn: may Puzzle Studio connect?")
        with self._exchange(Endpoint.PAIR, self.bounds.consent, late, progress, note, body=body) as answer:
            if answer.status == 403 and not answer.is_page:
                # The same answer, told apart by the time that it took.
                raise Refused(late if time.monotonic() - began >= 0.9 * self.bounds.dialog else self._declined)
            self._refuse(answer, (200,))
            secret = answer.value().get("secret")
        if not isinstance(secret, str) or not re.fullmatch(r"[!-~]{8,512}", secret):
            raise StudioError(self._foreign)
        return Pairing(secret)

    def send(
        self, pairing: Pairing, name: str, data: bytes, *, is_merged: bool = False, place: Place | None = None,
        progress: Progress = SILENT,
    ) -> None:  # fmt: skip
        """Open a file in LightBurn in place of its project, or merge it, perhaps at a place; wait until that is done.

        `name` is a plain file name, whose extension says how to read it. Raises Unpaired, and Refused for a file that
        LightBurn does not open.
        """
        headers = {"Content-Type": "application/octet-stream", "X-Filename": name}
        if is_merged and place is not None:
            headers |= {"X-Position-X": f"{place.x:.3f}", "X-Position-Y": f"{place.y:.3f}", "X-Origin": place.anchor}
        received = tr(
            "LightBurn received {file}, but did not report that it opened it. Look there: it may be asking whether to "
            "save its project.",
            file=name,
        )
        # Events are not repeated, so the stream is opened before the file is sent.
        with self._exchange(Endpoint.EVENTS, self.bounds.answer, self._silent, progress, "", pairing) as stream:
            self._refuse(stream, (200,))
            events = stream.events()
            next(events, None)
            seconds = self.bounds.answer + len(data) / _RATE
            note = tr("Sending {file}…", file=name)
            endpoint = Endpoint.MERGE if is_merged else Endpoint.OPEN
            with self._exchange(endpoint, seconds, self._silent, progress, note, pairing, headers, data) as answer:
                if answer.status in (400, 413, 415, 422):
                    raise Refused(self._unopened(name, answer.reason(pairing)))
                self._refuse(answer, (200, 202))
                answer.value()
            stream.wire.extend(self.bounds.opened, received, tr("Waiting for LightBurn to open {file}…", file=name))
            for event, told in events:
                if event == "file_imported":
                    value = _object(told)
                    if value is None or not isinstance(value.get("success"), bool):
                        raise StudioError(self._foreign)
                    if not value["success"]:
                        raise Refused(self._unopened(name, _reason(value, pairing, self.now())))
                    return
        raise StudioError(received)

    def workspace(self, pairing: Pairing, progress: Progress = SILENT) -> Workspace:
        """Read the bed. Raises Unpaired, and StudioError if LightBurn has no project open."""
        note = tr("Reading the bed…")
        with self._exchange(Endpoint.PROJECT, self.bounds.answer, self._silent, progress, note, pairing) as answer:
            self._refuse(answer, (200,))
            value = answer.value()
        workspace, device = value.get("workspace"), value.get("device")
        size = workspace.get("machine_size") if isinstance(workspace, dict) else None
        sides = [size.get(axis) for axis in "xy"] if isinstance(size, dict) else []
        numbers = [side for side in sides if isinstance(side, float)]
        if len(numbers) < 2 or not all(math.isfinite(side) and side > 0 for side in numbers):
            raise StudioError(
                tr("LightBurn reports no bed. Choose a device and open a project there, and read it again.")
            )
        title = device.get("name") if isinstance(device, dict) else ""
        plain = visible(" ".join(title.split()))[:LONGEST_NAME] if isinstance(title, str) else ""
        return Workspace(numbers[0], numbers[1], plain.replace(pairing.secret, "…"))

    def job_state(self, pairing: Pairing, progress: Progress = SILENT) -> str:
        """Read whether a job is IDLE, RUNNING or PAUSED. Raises Unpaired."""
        with self._exchange(Endpoint.STATE, self.bounds.answer, self._silent, progress, "", pairing) as answer:
            self._refuse(answer, (200,))
            job = answer.value().get("job")
        state = job.get("state") if isinstance(job, dict) else None
        if state not in (IDLE, RUNNING, PAUSED):
            raise StudioError(self._foreign)
        return str(state)

    @contextmanager
    def _exchange(
        self, endpoint: Endpoint, seconds: float, late: str, progress: Progress, note: str,
        pairing: Pairing | None = None, headers: Mapping[str, str] | None = None, body: bytes = b"",
    ) -> Iterator[_Answer]:  # fmt: skip
        """Ask, and yield the answer; `late` is the sentence for one that does not come within some seconds."""
        method, path = endpoint.value
        every = {"Host": self.name, "Connection": "close", "Accept": "*/*"}
        if method == "POST":
            every |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        if pairing is not None:
            every["Authorization"] = f"Bearer {pairing.token(self.now())}"
        lines = "".join(f"{key}: {value}\r\n" for key, value in (every | dict(headers or {})).items())
        most = self.bounds.stream if endpoint is Endpoint.EVENTS else self.bounds.size
        with self._connected(late) as connection:
            wire = _Wire(connection, most, progress)
            wire.extend(seconds, late, note)
            with suppress(BrokenPipeError, ConnectionResetError):
                # A refusal may come before the whole request was read.
                wire.send_all(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1") + body)
            with closing(HTTPResponse(wire, method=method)) as response:  # type: ignore[arg-type]
                response.begin()
                yield _Answer(self, response, wire)

    @contextmanager
    def _connected(self, late: str) -> Iterator[socket.socket]:
        """Yield an open connection; failures in the block become sentences."""
        try:
            connection = socket.create_connection((self.host, self.port), self.bounds.connect)
        except socket.gaierror as problem:
            raise StudioError(tr("There is no computer named {host}. Check --host.", host=self.host)) from problem
        except (OSError, UnicodeError) as problem:
            raise StudioError(self._absent) from problem
        with connection:
            try:
                yield connection
            except _Late as problem:
                raise StudioError(str(problem)) from None
            except ConnectionError as problem:
                raise StudioError(
                    tr("LightBurn ended the connection. See whether it is still running, and send again.")
                ) from problem
            except (HTTPException, ValueError, _Endless, OSError) as problem:
                raise StudioError(self._foreign) from problem

    def _refuse(self, answer: _Answer, wanted: tuple[int, ...]) -> None:
        """Raise StudioError for an answer without one of the wanted status codes."""
        status = answer.status
        if status in wanted:
            return
        if answer.is_page:
            raise StudioError(self._foreign)
        if status in (401, 403):
            drift = answer.drift(self.now())
            if abs(drift) > _DRIFT:
                raise StudioError(
                    tr(
                        "LightBurn's clock differs from this computer's by {minutes} min, so that it takes every "
                        "request for an old one. Set both clocks, and send again.",
                        minutes=max(1, round(abs(drift) / 60)),
                    )
                )
            raise Unpaired(self._unpaired)
        if status in _OLD:
            raise StudioError(
                tr("This LightBurn is too old for that. Update it to 2.2 or newer, or export a .lbrn2 file for it.")
            )
        if status >= 500:
            raise StudioError(
                tr("LightBurn reports an error of its own ({status}). Restart it, and send again.", status=status)
            )
        raise StudioError(self._foreign)

    # Sentences

    @property
    def _absent(self) -> str:
        if self.is_here:
            return tr(
                "LightBurn does not answer: it is not running, or older than 2.2. Start LightBurn 2.2 or newer, and "
                "send again."
            )
        return tr(
            "LightBurn on {host} does not answer: it is not running, older than 2.2, or does not allow API access from "
            "the network (Settings, Extensions).",
            host=self.host,
        )

    @property
    def _foreign(self) -> str:
        return tr(
            "What answers on port {port} is not LightBurn as of 2.2. Close any other program on that port, restart "
            "LightBurn, or export a .lbrn2 file for it.",
            port=self.port,
        )

    @property
    def _silent(self) -> str:
        return tr("LightBurn did not answer in time. See whether a dialog is open there, and send again.")

    @property
    def _declined(self) -> str:
        if self.is_here:
            return tr("LightBurn declined the pairing. Send again, and allow it there.")
        return tr(
            "LightBurn pairs with programs on its own computer only. Pair there, and copy its entry of {file} to this "
            "computer, under the name {name}.",
            file=keyring.FILE,
            name=self.name,
        )

    @property
    def _unanswered(self) -> str:
        return tr(
            "The question in LightBurn was not answered within {seconds:g} s. Send again, and allow the pairing there.",
            seconds=self.bounds.dialog,
        )

    @property
    def _unpaired(self) -> str:
        if self.is_here:
            return tr("LightBurn no longer accepts the pairing. Forget it, then send to pair again.")
        return tr(
            "LightBurn on {host} does not accept the pairing: it was revoked, or the clocks of both computers differ. "
            "Check the clocks, or pair again.",
            host=self.host,
        )

    def _unopened(self, name: str, reason: str) -> str:
        words = tr("LightBurn did not open {file}: {reason}.", file=name, reason=reason or tr("it gave no reason"))
        return tr("{refusal} Export a .lbrn2 file, and try to open it there.", refusal=words)


class _Late(Exception):
    """An answer did not come in time; the text is the sentence about it."""


class _Endless(Exception):
    """An answer has too many bytes."""


class _Wire(RawIOBase):
    """A connection whose waits end at a deadline or when the work is cancelled, with a limit of bytes to read."""

    def __init__(self, connection: socket.socket, most: int, progress: Progress) -> None:
        self._connection, self._most, self._progress = connection, most, progress
        self._end, self._late, self._note = 0.0, "", ""
        connection.settimeout(_TICK)

    def extend(self, seconds: float, late: str, note: str) -> None:
        """Set the time until the deadline, the sentence for reaching it, and the note on the work meanwhile."""
        self._end, self._late, self._note = time.monotonic() + seconds, late, note

    def makefile(self, _mode: str) -> BufferedReader:
        """Return a reader, as of a socket."""
        return BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes; 0 at the end of the connection."""
        while True:
            self._check()
            with suppress(TimeoutError):
                count = self._connection.recv_into(buffer)
                self._most -= count
                if self._most < 0:
                    raise _Endless
                return count

    def send_all(self, data: bytes) -> None:
        """Send bytes."""
        rest = memoryview(data)
        while rest:
            self._check()
            with suppress(TimeoutError):
                rest = rest[self._connection.send(rest[: 2**16]) :]

    def _check(self) -> None:
        self._progress.step(0.5, self._note)
        if time.monotonic() >= self._end:
            raise _Late(self._late)


@dataclass(frozen=True)
class _Answer:
    """An answer whose status and headers have come."""

    of: LightBurn
    response: HTTPResponse
    wire: _Wire

    @property
    def status(self) -> int:
        """Status code."""
        return self.response.status

    @property
    def is_page(self) -> bool:
        """True for a page of a web server, which LightBurn is not."""
        return "html" in self.response.headers.get("Content-Type", "").lower()

    def drift(self, seconds: float) -> float:
        """Seconds by which the clock that dated the answer is ahead of ours; 0 if it is not dated."""
        with suppress(ValueError, TypeError, OverflowError, IndexError):
            return parsedate_to_datetime(self.response.headers.get("Date", "")).timestamp() - seconds
        return 0.0

    def value(self) -> dict[str, Any]:
        """The JSON object in the answer; raises StudioError if it holds anything else."""
        value = _object(self._data())
        if value is None:
            self._refuse_foreign()
        return value

    def reason(self, pairing: Pairing) -> str:
        """LightBurn's reason for a refusal; perhaps empty."""
        return _reason(_object(self._data()) or {}, pairing, self.of.now())

    def _data(self) -> bytes:
        # Python would make room at once for whatever length is announced.
        return self.response.read(self.of.bounds.size)

    def events(self) -> Iterator[tuple[str, bytes]]:
        """The events of a stream as name and data: first an empty one once the stream is open."""
        if "event-stream" not in self.response.headers.get("Content-Type", "").lower():
            self._refuse_foreign()
        name, data, is_open = "", b"", False
        while line := self.response.readline(2**16):
            if not is_open:
                is_open = True
                yield "", b""
            words, colon, value = line.strip(b"\r\n").partition(b":")
            if words == b"event":
                name = value.strip().decode("latin-1")
            elif words == b"data":
                data += value.strip() + b"\n"
            elif not words and not colon:
                if name:
                    yield name, data
                name, data = "", b""

    def _refuse_foreign(self) -> NoReturn:
        raise StudioError(self.of._foreign)


def _object(data: bytes) -> dict[str, Any] | None:
    """Parse a JSON object with all numbers as floats; None for anything else."""
    try:
        value = json.loads(data, parse_int=float)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _reason(value: Mapping[str, Any], pairing: Pairing, seconds: float) -> str:
    """LightBurn's `error` as the end of a sentence, without secrets that it may repeat; perhaps empty."""
    error = value.get("error")
    if not isinstance(error, str):
        return ""
    for secret in (pairing.secret, pairing.token(seconds), pairing.token(seconds - 60)):
        error = error.replace(secret, "…")
    words = visible(" ".join(error.split()))
    return (words if len(words) <= LONGEST_REASON else f"{words[:LONGEST_REASON]}…").rstrip(".")

"""The keyring: secrets of paired programs, in a file of the settings folder that its owner alone can read."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from studio.base import atomic
from studio.base.atomic import make_folder, write_bytes
from studio.base.errors import StudioError
from studio.base.folders import own_folder
from studio.base.json_files import read
from studio.base.texts import tr

FILE, FORMAT = "keyring.json", "puzzle-studio keyring"
LARGEST = 2**16
"""Most bytes of the file; an entry has about 50."""
_OWNER_ONLY, _OF_OTHERS = 0o600, 0o077


def path() -> Path:
    """Path of the file; raises StudioError without a home folder."""
    return own_folder() / FILE


def secret_of(name: str) -> str | None:
    """Look up the secret of a paired program, such as `localhost:19520`; None if there is none.

    Raises StudioError if the file is broken, or if others can read it.
    """
    return _secrets().get(name)


def ensure_place() -> None:
    """Raise StudioError if the file cannot be written, before a secret is asked for."""
    make_folder(path().parent, with_parents=True)
    atomic.ensure_place(path())


def remember(name: str, secret: str) -> None:
    """Store the secret of a program; raises StudioError if the file cannot be written, or others can read it."""
    _write(_secrets() | {name: secret})


def forget(name: str) -> bool:
    """Delete the secret of a program, or the whole file if it is unusable; return whether anything was deleted.

    Raises StudioError if that fails.
    """
    try:
        secrets = _secrets()
    except StudioError:
        try:
            path().unlink()
        except OSError as problem:
            raise StudioError(
                tr("Could not delete {path}: {reason}.", path=path(), reason=problem.strerror)
            ) from problem
        return True
    if name not in secrets:
        return False
    _write({key: secret for key, secret in secrets.items() if key != name})
    return True


def _secrets() -> dict[str, str]:
    file = path()
    try:
        about = file.stat()
    except FileNotFoundError:
        return {}
    except OSError as problem:
        raise StudioError(tr("Could not read {path}: {reason}.", path=file, reason=problem.strerror)) from problem
    if os.name == "posix" and about.st_mode & _OF_OTHERS:
        raise StudioError(
            tr(
                "Others on this computer can read your pairings in {path}. Forget the pairing, revoke it in LightBurn, "
                "and pair again.",
                path=file,
            )
        )
    if not about.st_size:
        return {}
    try:
        value = read(file, LARGEST)
    except StudioError:
        value = None
    found = value.get("secrets") if isinstance(value, dict) and value.get("format") == FORMAT else None
    # Nothing of the file is repeated in a sentence: it holds secrets.
    if not isinstance(found, dict) or not all(isinstance(secret, str) for secret in found.values()):
        raise StudioError(tr("{path} is not a keyring. Forget the pairing, and pair again.", path=file))
    return found


def _write(secrets: dict[str, str]) -> None:
    file = path()
    make_folder(file.parent, with_parents=True)
    # An existing file keeps its permissions when it is replaced; a new one has them before it holds a secret.
    with suppress(FileExistsError):
        try:
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ONLY))
        except PermissionError as problem:
            raise StudioError(tr("Could not write {file}: {reason}.", file=file, reason=problem.strerror)) from problem
    content = {"format": FORMAT, "version": 1, "secrets": secrets}
    write_bytes(file, (json.dumps(content, indent=2, sort_keys=True) + "\n").encode("utf-8"))

"""Writing a file whole or not at all: it is made aside, and takes its place only when nothing is missing.

A full disk, a read-only folder or a power cut leaves the file that was there before as it was.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from studio.errors import StudioError
from studio.texts import tr

_NAME_KEPT = 40
"""Letters of a file's name that its unfinished copy shows, so that a long name does not grow too long."""


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give an empty file beside `path`, of the same suffix, that becomes `path` when the block ends well.

    It is flushed to the disk first, and takes the permissions of the file it replaces; of a symbolic link the
    target is replaced. Whatever is raised in the block leaves nothing behind, and an OSError, of the block or
    of the replacing, becomes a StudioError that says in one sentence what could not be written and why.
    """
    try:
        target, before = _target(path)
        aside = _created(target, before)
        try:
            yield aside
            _settle(aside, target, before)
        except BaseException:
            with contextlib.suppress(OSError):
                aside.unlink()
            raise
    except OSError as problem:
        raise _refused(path, problem) from problem


def ensure_place(path: Path) -> None:
    """Raise StudioError, as `replacing` does, where no file can be written."""
    try:
        _created(*_target(path)).unlink()
    except OSError as problem:
        raise _refused(path, problem) from problem


def write_bytes(path: Path, data: bytes) -> None:
    """Make `data` the content of a file, or leave the file as it is and raise StudioError."""
    with replacing(path) as aside:
        aside.write_bytes(data)


def _target(path: Path) -> tuple[Path, os.stat_result | None]:
    """The file to be replaced, and what is known of it if it is there; raises OSError if it must not be."""
    try:
        target = Path(os.path.realpath(path))
        before = target.lstat()
    except FileNotFoundError:
        return target, None
    except ValueError as problem:
        raise OSError(errno.EINVAL, tr("a file cannot have this name")) from problem
    if stat.S_ISDIR(before.st_mode):
        raise IsADirectoryError(errno.EISDIR, tr("it is a folder"))
    if stat.S_ISLNK(before.st_mode):
        raise OSError(errno.ELOOP, tr("it is a link to itself"))
    if not stat.S_ISREG(before.st_mode):
        raise OSError(errno.EINVAL, tr("it is a device, not a file"))
    if not os.access(target, os.W_OK):
        raise OSError(errno.EINVAL, tr("it is write-protected"))
    return target, before


def _created(target: Path, before: os.stat_result | None) -> Path:
    """A new empty file beside the target, readable by nobody who may not read the target."""
    rights = 0o666 if before is None else 0o600
    while True:
        name = f".{target.stem[:_NAME_KEPT]}-{os.urandom(4).hex()}{target.suffix[:_NAME_KEPT]}"
        aside = target.with_name(name)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, rights))
            return aside


def _settle(aside: Path, target: Path, before: os.stat_result | None) -> None:
    """Put the finished file in the target's place, with the target's owner and permissions."""
    finished = os.open(aside, os.O_RDWR)
    try:
        os.fsync(finished)
    finally:
        os.close(finished)
    if before is not None:
        if hasattr(os, "chown"):
            with contextlib.suppress(OSError):
                os.chown(aside, before.st_uid, before.st_gid)
        os.chmod(aside, stat.S_IMODE(before.st_mode))
    os.replace(aside, target)
    # The new name is on the disk once the folder is; some systems cannot flush folders.
    with contextlib.suppress(OSError):
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _refused(path: Path, problem: OSError) -> StudioError:
    return StudioError(tr("Could not write {value}: {reason}.", value=path.name or path, reason=_reason(problem, path)))


def _reason(problem: OSError, path: Path) -> str:
    """Why a file could not be written, to follow a colon."""
    folder = path.parent
    known = {
        errno.ENOENT: tr(
            "the folder {folder} {tr}",
            folder=folder,
            tr=tr("cannot hold files") if folder.is_dir() else tr("does not exist"),
        ),
        errno.ENOTDIR: tr("{folder} is not a folder", folder=folder),
        errno.EISDIR: tr("it is a folder"),
        errno.ENOSPC: tr("the disk is full"),
        errno.EDQUOT: tr("your disk quota is used up"),
        errno.EFBIG: tr("it exceeds the largest file size here"),
        errno.EROFS: tr("the folder {folder} is read-only", folder=folder),
        errno.EACCES: tr("you may not write to the folder {folder}", folder=folder),
        errno.EPERM: tr("you may not write to the folder {folder}", folder=folder),
        errno.ENAMETOOLONG: tr("its name is too long"),
    }
    return known.get(problem.errno or 0) or (problem.strerror or str(problem)).rstrip(".")

"""Writing files whole or not at all: a file is written aside, and replaces its target only when it is complete.

A full disk, a read-only folder or a power cut leaves existing files unchanged. Several files are replaced together: a
list of them is written into their folder first, and if its writer is killed on the way, the next writer there, or the
next start of the studio, carries it out. Two programs that write several files into the same folder take turns. Files
aside are locked while their writer lives, so that the leftovers of dead writers are recognized and deleted.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import stat
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from studio.base.errors import StudioError
from studio.base.texts import tr

_NAME_KEPT = 40
"""Letters of a file's name kept in its unfinished copy's, so that a long name does not grow too long."""
_MARK = "puzzle-studio"
_UNFINISHED = re.compile(rf"\..*\.{_MARK}-[0-9a-f]{{8}}(\..*)?", re.DOTALL)
_LIST = re.compile(rf"\.{_MARK}-[0-9a-f]{{8}}\.together")
_NAME_SHOWN = 60
"""Longest name in a sentence, in letters."""
_OTHERS = 256
"""Allowance for open files other than the files being written."""
_LONGEST_LIST = 2**20
"""Bytes of the longest list of files that take their places together."""
_PATIENCE, _PAUSE = 10.0, 0.01
"""Seconds to wait for the files of another program to take their places, and between two tries."""


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield an empty file beside `path`, with the same suffix, that becomes `path` when the block ends without error.

    The file is flushed to the disk first and takes the permissions of the file it replaces; a symbolic link keeps
    pointing to its target, which is replaced. An error in the block leaves no file behind, and an OSError, in the
    block or while replacing, becomes a StudioError that names the file and the reason in one sentence.
    """
    with Together() as files:
        yield files.add(path)


def ensure_place(path: Path) -> None:
    """Raise StudioError, as `replacing` does, if `path` cannot be written."""
    if reason := why_not(path, 0):
        raise _refused(path, reason)


def why_not(path: Path, size: int) -> str:
    """Reason that a file of `size` bytes cannot be written, to follow a colon; empty if it can be."""
    try:
        aside, held = _created(*_target(path))
        try:
            with os.fdopen(held, "wb") as trial:
                trial.write(bytes(size))
        finally:
            aside.unlink()
    except OSError as problem:
        return _reason(problem, path)
    return ""


def write_bytes(path: Path, data: bytes) -> None:
    """Make `data` the content of a file, or leave the file as it is and raise StudioError."""
    with replacing(path) as aside:
        aside.write_bytes(data)


class Together:
    """Files that take their places together when the block ends without error, or not at all; see `replacing`."""

    def __init__(self, notes: Path | None = None) -> None:
        """`notes` is a folder of notes by which `tidy` finds a killed writer's unfinished files at the next start."""
        self._notes = notes
        self._files: list[_Aside] = []
        self._noted: list[_Aside] = []
        self._path = Path()

    def __enter__(self) -> Together:
        return self

    def add(self, path: Path) -> Path:
        """Create an empty file beside `path`, with the same suffix, that becomes `path`."""
        self._path = path
        try:
            target, before = _target(path)
            if target.parent not in {one.target.parent for one in self._files}:
                tidy(target.parent)
                self._note(target.parent)
            aside = _Aside(*_created(target, before), target, before)
        except OSError as problem:
            raise _refused(path, _reason(problem, path)) from problem
        self._files.append(aside)
        return aside.path

    def _note(self, folder: Path) -> None:
        """Note a folder for `tidy`; an OSError is ignored."""
        if self._notes is not None:
            with contextlib.suppress(OSError):
                self._notes.mkdir(parents=True, exist_ok=True)
                self._noted.append(_written_list(self._notes, str(folder)))

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if problem is None:
                self._replace()
            elif isinstance(problem, OSError):
                raise _refused(self._path, _reason(problem, self._path)) from problem
        finally:
            for one in self._files:
                one.let_go()
            for note in self._noted:
                note.withdraw()

    def _replace(self) -> None:
        try:
            for one in self._files:
                self._path = one.target
                one.settle()
            with _listed(self._files):
                for one in self._files:
                    self._path = one.target
                    one.replace()
        except OSError as problem:
            raise _refused(self._path, _reason(problem, self._path)) from problem


def make_folder(path: Path, *, with_parents: bool = False) -> None:
    """Make a folder unless it exists; raises StudioError if that fails."""
    try:
        path.mkdir(parents=with_parents, exist_ok=True)
    except OSError as problem:
        reason = tr("a file has this name") if problem.errno == errno.EEXIST else _reason(problem, path)
        words = tr("Could not create the folder {folder}: {reason}.", folder=path, reason=reason)
        raise StudioError(words) from problem


@contextlib.contextmanager
def folders_for(paths: Sequence[Path], count: int) -> Iterator[None]:
    """Make the missing folders of `paths` for a block that opens `count` files, and remove empty ones afterwards.

    Raises StudioError if a folder cannot be made, or the system allows too few open files.
    """
    made: list[Path] = []
    try:
        for folder in dict.fromkeys(path.parent for path in paths):
            if not os.path.exists(folder):
                make_folder(folder)
                made.append(folder)
        _let_open(count + _OTHERS)
        yield
    finally:
        for folder in reversed(made):
            with contextlib.suppress(OSError):
                folder.rmdir()


def _let_open(count: int) -> None:
    """Let this process open `count` files; raises StudioError if the system refuses."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or count <= soft:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
    except (OSError, ValueError) as problem:
        raise StudioError(
            tr("This needs {count} open files; this computer allows {most}.", count=count, most=soft)
        ) from problem


@dataclass
class _Aside:
    """A file written aside, locked until it is closed."""

    path: Path
    held: int
    target: Path
    before: os.stat_result | None

    def settle(self) -> None:
        """Flush the file to the disk, with the target's owner and permissions."""
        finished = os.open(self.path, os.O_RDWR)
        try:
            os.fsync(finished)
        finally:
            os.close(finished)
        if self.before is not None:
            if hasattr(os, "chown"):
                with contextlib.suppress(OSError):
                    os.chown(self.path, self.before.st_uid, self.before.st_gid)
            os.chmod(self.path, stat.S_IMODE(self.before.st_mode))
        if sys.platform == "win32":
            # Windows renames no open file.
            self._close()

    def replace(self) -> None:
        """Put the file in the target's place."""
        os.replace(self.path, self.target)
        _flush_folder(self.target.parent)

    def let_go(self) -> None:
        """Close the file and delete it if it is still aside."""
        with contextlib.suppress(OSError):
            self.path.unlink()
        self._close()

    def withdraw(self) -> None:
        """Delete the target, then let go."""
        with contextlib.suppress(OSError):
            self.target.unlink()
        self.let_go()

    def _close(self) -> None:
        if self.held >= 0:
            os.close(self.held)
            self.held = -1


@contextlib.contextmanager
def _listed(files: Sequence[_Aside]) -> Iterator[None]:
    """Keep a list of several files on disk while they take their places, so that an interruption stops none."""
    if len(files) < 2:
        yield
        return
    lists: list[_Aside] = []
    turn = contextlib.ExitStack()
    try:
        for folder in sorted({one.target.parent for one in files}):
            turn.enter_context(_turn(folder, _PATIENCE))
            names = [[one.path.name, one.target.name] for one in files if one.target.parent == folder]
            lists.append(_written_list(folder, names))
        try:
            yield
        finally:
            for one in files:
                with contextlib.suppress(OSError):
                    one.replace()
    finally:
        for known in reversed(lists):
            known.withdraw()
        turn.close()


@contextlib.contextmanager
def _turn(folder: Path, patience: float) -> Iterator[None]:
    """Lock a folder against other programs that write several files, and first finish the lists of killed ones.

    Raises OSError if another program has the folder for longer than `patience`, in s. Windows locks no folders.
    """
    held = -1
    with contextlib.suppress(OSError):
        held = os.open(folder, os.O_RDONLY)
    try:
        last = time.monotonic() + patience
        while held >= 0 and _locked(held) is False:
            if time.monotonic() >= last:
                raise OSError(errno.EAGAIN, tr("another program is writing to the folder {folder}", folder=folder))
            time.sleep(_PAUSE)
        with contextlib.suppress(OSError):
            for name in filter(_LIST.fullmatch, os.listdir(folder)):
                _finish(folder / name)
        yield
    finally:
        if held >= 0:
            os.close(held)


def _written_list(folder: Path, content: object) -> _Aside:
    """Write a locked list of names into a folder."""
    target = folder / f".{_MARK}-{os.urandom(4).hex()}.together"
    made = _Aside(*_created(target, None), target, None)
    try:
        made.path.write_text(json.dumps(content), encoding="utf-8")
        made.settle()
        made.replace()
    except BaseException:
        made.let_go()
        raise
    return made


def tidy(folder: Path) -> None:
    """Finish the lists of killed writers in a folder, and delete their unfinished files."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        names = [entry.name for entry in entries if _MARK in entry.name]
        if any(map(_LIST.fullmatch, names)):
            with contextlib.suppress(OSError), _turn(folder, 0.0):
                pass
        for name in filter(_UNFINISHED.fullmatch, names):
            with contextlib.suppress(OSError), _dead(folder / name) as is_dead:
                if is_dead:
                    (folder / name).unlink()


def _finish(path: Path) -> None:
    """Carry out a dead writer's list: pairs of names (file aside, target), or another folder to tidy."""
    with contextlib.suppress(OSError, ValueError, TypeError), _dead(path) as is_dead:
        if not is_dead or path.stat().st_size > _LONGEST_LIST:
            return
        content = json.loads(path.read_bytes())
        if isinstance(content, str):
            if Path(content) != path.parent:
                tidy(Path(content))
        else:
            for aside, target in content:
                _take_place(path.parent, aside, target)
        path.unlink()


def _take_place(folder: Path, aside: str, target: str) -> None:
    """Move a dead writer's file to its target, if it is still aside, one of ours and in this very folder."""
    if not _UNFINISHED.fullmatch(aside) or Path(aside).name != aside or Path(target).name != target:
        return
    with _dead(folder / aside) as is_dead:
        if is_dead:
            os.replace(folder / aside, folder / target)


@contextlib.contextmanager
def _dead(path: Path) -> Iterator[bool]:
    """Yield True if a file's writer is known to be dead; the block then holds the file's lock, except on Windows."""
    if sys.platform == "win32":
        yield True  # Windows neither deletes nor renames a file that a living writer has open
        return
    try:
        held = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        yield False
        return
    try:
        yield stat.S_ISREG(os.fstat(held).st_mode) and _locked(held) is True
    finally:
        os.close(held)


def _locked(held: int) -> bool | None:
    """Lock an open file; True if we hold the lock, False if another does, None if the system offers no locks."""
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _target(path: Path) -> tuple[Path, os.stat_result | None]:
    """Resolve the file to replace, with its status if it exists; raises OSError if it must not be replaced."""
    try:
        target = Path(os.path.realpath(path))
        before = target.lstat()
    except FileNotFoundError:
        return target, None
    except ValueError as problem:
        raise OSError(errno.EINVAL, tr("the file name is not valid")) from problem
    if stat.S_ISDIR(before.st_mode):
        raise IsADirectoryError(errno.EISDIR, tr("it is a folder"))
    if stat.S_ISLNK(before.st_mode):
        raise OSError(errno.ELOOP, tr("it is a link to itself"))
    if not stat.S_ISREG(before.st_mode):
        raise OSError(errno.EINVAL, tr("it is a device, not a file"))
    if not os.access(target, os.W_OK):
        raise OSError(errno.EINVAL, tr("it is write-protected"))
    return target, before


def _created(target: Path, before: os.stat_result | None) -> tuple[Path, int]:
    """Create an empty file beside the target, private if the target exists, and lock it; return path and handle."""
    rights = 0o666 if before is None else 0o600
    while True:
        name = f".{target.stem[:_NAME_KEPT]}.{_MARK}-{os.urandom(4).hex()}{target.suffix[:_NAME_KEPT]}"
        aside = target.with_name(name)
        try:
            held = os.open(aside, os.O_CREAT | os.O_EXCL | os.O_RDWR, rights)
            if _locked(held) is not False and (sys.platform == "win32" or os.fstat(held).st_nlink):
                return aside, held
            # Another process tidied it up before it was locked.
            os.close(held)
        except FileExistsError:
            continue
        except BaseException:
            with contextlib.suppress(OSError):
                aside.unlink()
            raise


def _flush_folder(folder: Path) -> None:
    """Flush a folder, so that new names in it are on the disk; ignored on systems that cannot."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _refused(path: Path, reason: str) -> StudioError:
    name = path.name or str(path)
    shown = name if len(name) <= _NAME_SHOWN else f"{name[:_NAME_SHOWN]}…"
    return StudioError(tr("Could not write {file}: {reason}.", file=shown, reason=reason))


def _reason(problem: OSError, path: Path) -> str:
    """Reason that a file could not be written, to follow a colon."""
    folder = path.parent
    known = {
        errno.ENOENT: tr("no files can be created in the folder {folder}", folder=folder)
        if os.path.isdir(folder)
        else tr("the folder {folder} does not exist", folder=folder),
        errno.ENOTDIR: tr("{folder} is not a folder", folder=folder),
        errno.EISDIR: tr("it is a folder"),
        errno.ENOSPC: tr("the disk is full"),
        errno.EDQUOT: tr("your disk quota is used up"),
        errno.EFBIG: tr("the file is too large for this disk"),
        errno.EROFS: tr("the folder {folder} is read-only", folder=folder),
        errno.EACCES: tr("you have no permission to write to the folder {folder}", folder=folder),
        errno.EPERM: tr("you have no permission to write to the folder {folder}", folder=folder),
        errno.ENAMETOOLONG: tr("the file name is too long"),
    }
    return known.get(problem.errno or 0) or (problem.strerror or str(problem)).rstrip(".")

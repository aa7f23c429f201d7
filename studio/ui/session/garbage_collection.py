"""When Python looks for garbage: never in a thread that is not the window's."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass


class _Garbage:
    """Collected by the GUI thread alone while jobs are under way: in a thread of theirs, Python would take what Qt is
    painting with it."""

    def __init__(self) -> None:
        self._under_way: set[tuple[int, int]] = set()
        self._collects_itself = False

    def hold(self, job: tuple[int, int]) -> None:
        """A job starts."""
        if not self._under_way:
            self._collects_itself = gc.isenabled()
            gc.disable()
        self._under_way.add(job)

    def release(self, job: tuple[int, int]) -> None:
        """A job's thread has come to its end, which may be said twice."""
        if job in self._under_way:
            self._under_way.remove(job)
            if not self._under_way and self._collects_itself:
                gc.enable()

    def allow(self) -> None:
        """Python may collect by itself, from when no job is under way."""
        if self._under_way:
            self._collects_itself = True
        else:
            gc.enable()

    @property
    def is_collected(self) -> bool:
        """Whether Python collects by itself, at the latest when no job is under way."""
        return self._collects_itself if self._under_way else gc.isenabled()

    def sweep(self) -> None:
        """Collect in the meantime, as thoroughly as Python would."""
        gc.collect(2 if gc.get_count()[2] > gc.get_threshold()[2] else 1)


GARBAGE = _Garbage()

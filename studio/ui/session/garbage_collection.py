"""Garbage collection on the GUI thread only."""

from __future__ import annotations

import gc


class _Garbage:
    """Collects on the GUI thread alone while jobs run: their threads would delete objects that Qt is painting."""

    def __init__(self) -> None:
        self._under_way: set[tuple[int, int]] = set()
        self._collects_itself = False

    def hold(self, job: tuple[int, int]) -> None:
        """Stop automatic collection while a job runs."""
        if not self._under_way:
            self._collects_itself = gc.isenabled()
            gc.disable()
        self._under_way.add(job)

    def release(self, job: tuple[int, int]) -> None:
        """Note the end of a job's thread, which may be reported twice; after the last, resume."""
        if job in self._under_way:
            self._under_way.remove(job)
            if not self._under_way and self._collects_itself:
                gc.enable()

    def allow(self) -> None:
        """Switch automatic collection on, as soon as no job is running."""
        if self._under_way:
            self._collects_itself = True
        else:
            gc.enable()

    @property
    def is_collected(self) -> bool:
        """True if Python collects automatically, now or once no job is running."""
        return self._collects_itself if self._under_way else gc.isenabled()

    def sweep(self) -> None:
        """Collect during jobs, as thoroughly as Python would."""
        gc.collect(2 if gc.get_count()[2] > gc.get_threshold()[2] else 1)


GARBAGE = _Garbage()

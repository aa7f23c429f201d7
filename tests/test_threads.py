"""Work without threads: the same answers and the same errors, in the order in which it was asked for."""

import threading
from collections.abc import Iterator

import pytest

from studio.base.errors import StudioError
from studio.base.progress import AtOnce, cores, threads


def places(pool: AtOnce) -> Iterator[int]:
    return pool.map(lambda _: threading.get_ident(), range(3))


def test_what_is_done_at_once_is_done_here() -> None:
    with AtOnce() as pool:
        assert {*places(pool)} == {threading.get_ident()}
        assert pool.submit(divmod, 17, 5).result() == (3, 2)
    with threads(2) as others:
        is_here = others.submit(threading.get_ident).result() == threading.get_ident()
        assert is_here == (cores() == 1)


def test_an_error_waits_until_its_result_is_asked_for() -> None:
    def refuse() -> None:
        raise StudioError("no")

    with AtOnce() as pool:
        future = pool.submit(refuse)
        with pytest.raises(StudioError, match="no"):
            future.result()

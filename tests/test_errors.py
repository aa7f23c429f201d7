"""What is chosen by a name is found, or those there are are named."""

import pytest

from studio.base.errors import StudioError, one_named


def test_the_one_with_a_name_is_found() -> None:
    assert one_named({"oak": 1, "balsa": 2}, "balsa", "Unknown wood") == 2


def test_a_name_that_there_is_not_is_answered_with_those_there_are() -> None:
    with pytest.raises(StudioError, match=r"^Unknown wood 'elm'; choose from oak, balsa\.$"):
        one_named({"oak": 1, "balsa": 2}, "elm", "Unknown wood")
    with pytest.raises(StudioError, match=r"^Unknown wood 'e{60}'; there are none\.$"):
        one_named({}, 100 * "e", "Unknown wood")

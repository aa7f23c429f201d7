"""Pressing Fix again and again ends: no repair leads back to a design that was there before."""

from typing import Any

import pytest

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Brief, Cancelled
from studio.checks.finding import Checked, Finding, errors_of
from studio.files.store import dumps
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import kind
from tests.depth import THOROUGH
from tests.puzzles.test_problems import PROVOKED

KINDS = ("cube", "calendar", "zigzaw", "slitherlink")
LONG = "Many happy returns of the day, dear Ann"
MOST_DESIGNS = 8
"""Designs that are reached from one by all its repairs, before the rest of them is left to chance."""
SECONDS = 5.0
"""What a repair may take; one that takes longer is another test's."""


LOOKED: dict[bytes, Checked] = {}


def checked(one: AnyKind, design: Any) -> Checked:
    """The check of a design, remembered."""
    name = dumps(one, design)
    if name not in LOOKED:
        LOOKED[name] = one.check(design, one.shape(design, None, SILENT), None, SILENT)
    return LOOKED[name]


def fixed(design: Any, finding: Finding) -> Any:
    """What a repair makes of a design; None where it is refused in a sentence or takes long."""
    assert finding.repair is not None
    try:
        return finding.repair.apply(design, Brief(SECONDS))
    except Cancelled:
        return None
    except StudioError as problem:
        assert str(problem).endswith(".")
        return None


def examples(key: str) -> list[Any]:
    """Designs of a kind that have a problem: all; in quick runs every third cube, whose searches take long."""
    one = kind(key)
    found = [case.design for problem, case in PROVOKED.items() if problem in one.problems and not case.limits]
    assert len(found) > 5
    return found[::3] if key == "cube" and not THOROUGH else found


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", KINDS)
def test_whatever_is_fixed_first_no_design_comes_twice(key: str) -> None:
    """The designs that repairs lead to are a graph without a way back."""
    one = kind(key)
    after: dict[bytes, list[bytes]] = {}
    for example in examples(key):
        todo = [example]
        for _ in range(MOST_DESIGNS):
            if not todo:
                break
            design = todo.pop()
            name = dumps(one, design)
            if name in after:
                continue
            findings = checked(one, design).findings
            made = [fixed(design, each) for each in findings if each.repair is not None]
            todo += (reached := [each for each in made if each is not None])
            after[name] = [dumps(one, each) for each in reached]
            assert name not in after[name], "a repair that changes nothing"
    while ends := [name for name, ways in after.items() if not any(way in after for way in ways)]:
        for name in ends:
            del after[name]
    assert not after, "these lead to each other for ever"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", KINDS)
def test_pressing_fix_ends_with_no_more_errors_than_before(key: str) -> None:
    """The first finding that offers a repair is fixed, until none does."""
    one = kind(key)
    for example in examples(key):
        design, seen = example, {dumps(one, example)}
        errors = len(checked(one, example).errors)
        while True:
            found = checked(one, design).findings
            after = next((fixed(design, each) for each in found if each.repair is not None), None)
            if after is None:
                break
            design = after
            assert dumps(one, design) not in seen
            seen.add(dumps(one, design))
            assert len(seen) < 30
        assert len(checked(one, design).errors) <= errors


def text_errors(design: CubeDesign) -> list[Finding]:
    return [each for each in errors_of(checked(kind("cube"), design).findings) if each.kind in ("text", "depth")]


def test_a_text_too_long_for_one_piece_is_spread_over_the_pieces() -> None:
    assert len(LONG) == 39
    design = CubeDesign(CubeParameters(inside="text", text=LONG))
    (long,) = text_errors(design)
    assert long.repair is not None and long.repair.title == "Spread text over the pieces"
    after = long.repair.apply(design)
    assert after.parameters.text == "Many happy returns of the | day, dear Ann"
    assert text_errors(after) == [] and " ".join(after.parameters.text.replace("|", "").split()) == LONG


def test_a_word_too_long_for_any_piece_gets_a_larger_unit() -> None:
    design = CubeDesign(CubeParameters(inside="text", text="Donaudampfschifffahrt"))
    (long,) = text_errors(design)
    assert long.repair is not None and long.repair.title.startswith("Set voxel size to ")
    after = long.repair.apply(design)
    assert design.parameters.unit < after.parameters.unit < 100 and text_errors(after) == []


def test_a_text_that_does_not_fit_is_not_offered_to_be_engraved() -> None:
    for text, title in (("W" * 240, "Delete the text"), ("Ann", "Engrave the text")):
        found = checked(kind("cube"), CubeDesign(CubeParameters(text=text))).findings
        (unused,) = [each for each in found if each.kind == "unused"]
        assert unused.repair is not None and unused.repair.title == title

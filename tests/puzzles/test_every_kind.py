"""What every kind of puzzle promises to window, command line and files."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.parameters import declarations
from studio.base.progress import SILENT, Cancelled, Progress
from studio.checks.finding import Checked, Severity
from studio.files import store
from studio.files.store import dumps, loads
from studio.geometry.planar.drawing import Drawing
from studio.puzzles import registry
from studio.puzzles.abilities.ability import Ability, Convertible, Editable, Repairable, Source
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.abilities.gradable_solvable import Gradable, Solvable
from studio.puzzles.abilities.playable import RESTART, Log, Playable
from studio.puzzles.abilities.printable import PaperPrintable, Printable
from studio.puzzles.calendar.edits import with_colour, with_labels_filled, with_piece_drawn
from studio.puzzles.calendar.model import MONTH, CalendarDesign
from studio.puzzles.cube.model import CubeDesign, EdgeEdit, VoxelEdit
from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, TongueEdit
from studio.puzzles.jigsaw.picture.engravings import BACK, Engraving
from studio.puzzles.jigsaw.picture.masks import Mask
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import Listed, kind, kinds, own_module
from studio.puzzles.slitherlink.generate import generate as generate_slitherlink
from studio.puzzles.slitherlink.model import SlitherlinkParameters, cells_of
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.model import ZigzawParameters, recoloured
from studio.puzzles.zigzaw.piece_forms import Cube
from tests.depth import THOROUGH, examples
from tests.edits import EDITS, NEEDS_PICTURE, REFUSED
from tests.puzzles.latin import LATIN

MOST_MOVES = 20_000


def slitherlink() -> Any:
    """One cell inside that was outside or the other way round, and one clue more and one less."""
    design = generate_slitherlink(SlitherlinkParameters(), SILENT)
    inside, given = [*cells_of(design.inside), False], cells_of(design.given)
    cell = next(cell for cell in range(40, 100) if design.parameters.net.can_flip(inside, cell))
    inside[cell] = not inside[cell]
    return design.with_inside(inside, [cell]).with_given({given.index(True): False, given.index(False): True})


def jigsaw() -> Any:
    return JigsawDesign(
        corners=(CornerEdit("2,2", 0.2, -0.1), CornerEdit("5,0", 0.1, 0.0)),
        tongues=(TongueEdit("B2-B3", side=1, size=0.3, rolls=2), TongueEdit("C1-D1", plain=True, locked_seed=4)),
        engravings=(
            Engraving("text1", Pose(x=90, y=40), "For Ada"),
            Engraving("text2", Pose(x=90, y=80), "2", side=BACK),
        ),
        mask=Mask((((95.0, 60.0), (105.0, 60.0), (100.0, 90.5)),)),
    )


def cube() -> Any:
    return CubeDesign(
        edges=(EdgeEdit("back-top", rolls=2), EdgeEdit("front-bottom", rolls=1, locked_seed=4, locked_attempt=3)),
        voxels=(VoxelEdit("left-bottom/1", "bottom"), VoxelEdit("right-front-top", "top")),
    )


def calendar() -> Any:
    labelled = with_labels_filled(CalendarDesign(), MONTH, "de")
    return with_colour(with_piece_drawn(labelled, "V", [(0, 1), (1, 0), (1, 1), (2, 1), (3, 1)]), "L", 11)


def zigzaw() -> Any:
    design = generate(ZigzawParameters(**SMALL.get("zigzaw", {})), SILENT)
    return recoloured(recoloured(design, [(Cube(4, 3), "L")], 2), [(Cube(0, 3), "L")], 1)


SMALL: dict[str, dict[str, Any]] = {} if THOROUGH else {"zigzaw": {"columns": 4, "rows": 4}}
"""Parameters of the quick suite for kinds whose default boards take long."""
EDITED: dict[str, Callable[[], Any]] = {
    "jigsaw": jigsaw, "cube": cube, "calendar": calendar, "zigzaw": zigzaw, "slitherlink": slitherlink,
}  # fmt: skip


@cache
def edited(one: AnyKind) -> Any:
    """A design that was edited, on the board of a new one; a new one of a kind that cannot be edited."""
    return EDITED.get(one.key, partial(new, one))()


ALL: tuple[AnyKind, ...] = (*kinds(), LATIN)


def every(*abilities: type[Ability]) -> pytest.MarkDecorator:
    """The kinds with some abilities; there must be one."""
    able = [one for one in ALL if all(one.able(ability) for ability in abilities)]
    assert able
    return pytest.mark.parametrize("one", able, ids=lambda one: one.key)


every_kind = every()
every_edited_kind = pytest.mark.parametrize("one", [one for one in ALL if one.key in EDITED], ids=lambda one: one.key)


def shape(one: AnyKind, design: Any, before: Any = None) -> Any:
    return one.shape(design, before, Progress())


def check(one: AnyKind, design: Any, shapes: Any, before: Checked | None = None) -> Checked:
    return one.check(design, shapes, before, Progress())


def drawing(one: AnyKind, design: Any, before: Any = None) -> Drawing:
    return one.need(Cuttable).drawing(shape(one, design, before))


@cache
def new(one: AnyKind) -> Any:
    return one.generate(one.parameters(**SMALL.get(one.key, {})), None, Progress()).design


def other(one: AnyKind) -> Any:
    """The parameters of a new design but for one: the seed where there is chance, else the first number."""
    known = sorted(declarations(one.parameters), key=lambda each: each.type != "seed")
    varied = next(each for each in known if each.type in ("seed", "integer", "number"))
    return one.parameters(
        **{varied.name: 99 if varied.type == "seed" else max(varied.default + varied.step, varied.least)}
    )


def test_kinds_have_keys_of_their_own_and_are_found_by_them() -> None:
    assert len({one.key for one in kinds()}) == len(kinds())
    assert all(kind(one.key) is one for one in kinds())
    assert {key: listed.title for key, listed in registry.KINDS.items()} == {one.key: one.title for one in kinds()}
    assert all(one.title and one.summary.endswith(".") for one in kinds())
    assert set(EDITED) == {one.key for one in kinds() if len(fields(new(one))) > 1}, "designs of more than parameters"


def test_an_unknown_kind_is_refused_with_those_there_are() -> None:
    with pytest.raises(StudioError, match=r"Unknown kind of puzzle 'teapot'; choose from .*jigsaw"):
        kind("teapot")


@every_kind
def test_every_parameter_has_a_title_a_sentence_and_a_default_within_its_bounds(one: AnyKind) -> None:
    for known in declarations(one.parameters):
        assert known.title and known.help.endswith(".")
        if known.type in ("integer", "number", "seed"):
            assert known.minimum is not None and known.maximum is not None and known.step
            assert known.minimum <= known.default <= known.maximum


@every_kind
def test_a_new_design_has_no_error(one: AnyKind) -> None:
    assert check(one, new(one), shape(one, new(one))).errors == []


@every_kind
def test_the_same_parameters_give_the_same_design(one: AnyKind) -> None:
    assert new(one) == new(one)


@every_kind
def test_a_design_comes_back_from_its_bytes_and_gives_them_again(one: AnyKind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.KINDS, "latin", Listed(LATIN.title, "tests.puzzles.latin:LATIN", LATIN.summary))
    for design in (new(one), one.example(), edited(one)):
        data = dumps(one, design)
        back = loads(data)
        assert back.design == design and back.kind is one
        assert dumps(one, back.design) == data


@every_kind
def test_a_change_of_parameters_and_back_is_no_change(one: AnyKind) -> None:
    design = edited(one)
    after = one.generate(other(one), design, Progress())
    assert other(one) != design.parameters
    assert after.design.parameters == other(one) and after.dropped == ()
    if one.generator is None:
        assert after.design == replace(design, parameters=other(one)), "what chance decides is not in the design"
    assert one.generate(design.parameters, after.design, Progress()).design == design


@every_kind
def test_a_computation_that_nobody_waits_for_ends(one: AnyKind) -> None:
    stopped = Progress()
    stopped.cancel()
    design = new(one)
    shapes = shape(one, design)
    with pytest.raises(Cancelled):
        one.generate(one.parameters(), None, stopped)
    with pytest.raises(Cancelled):
        one.shape(design, None, stopped)
    with pytest.raises(Cancelled):
        one.check(design, shapes, None, stopped)


@every_kind
def test_an_ability_that_a_kind_lacks_is_refused_in_a_sentence(one: AnyKind) -> None:
    for ability in (Cuttable, Printable, PaperPrintable, Convertible, Solvable, Gradable, Playable):
        if one.able(ability) is None:
            with pytest.raises(StudioError, match=rf"\b{one.key}\b.*\.$"):
                one.need(ability)
        else:
            assert one.need(ability) is one.able(ability)


def test_what_a_kind_has_for_itself_is_found_by_its_key() -> None:
    assert own_module("calendar", "studio.cli.kinds") is not None
    assert own_module("cube", "studio.cli.kinds") is None
    assert own_module("jigsaw", "studio.ui.kinds", "extension") is not None
    assert own_module("latin", "studio.ui.kinds", "extension") is None


# Kinds that can be edited


@every_edited_kind
def test_an_edited_design_is_one_of_its_board(one: AnyKind) -> None:
    one.verify(edited(one))
    assert check(one, edited(one), shape(one, edited(one))).findings is not None


@every_edited_kind
def test_findings_kept_from_a_similar_design_are_those_of_a_check_from_nothing(one: AnyKind) -> None:
    plain, changed = new(one), edited(one)
    for before, after in ((plain, changed), (changed, plain), (changed, changed)):
        shapes = shape(one, before)
        answer = check(one, before, shapes)
        later = shape(one, after, shapes)
        assert check(one, after, later, answer).findings == check(one, after, shape(one, after)).findings


# Kinds that are cut


@every(Cuttable)
def test_a_drawing_has_pieces_and_lines_to_cut(one: AnyKind) -> None:
    for design in (new(one), edited(one)):
        drawn = drawing(one, design)
        assert len(drawn.pieces) > 0 and drawn.cut_length > 0
        assert np.isfinite(drawn.strokes.points).all()


@every(Cuttable)
def test_every_stroke_is_cut_once(one: AnyKind) -> None:
    drawn = drawing(one, new(one))
    cut = np.concatenate([chain.strokes for chain in drawn.chains]) >> 1
    assert sorted(cut.tolist()) == list(range(len(drawn.strokes)))


@every(Cuttable)
def test_the_same_design_gives_the_same_strokes(one: AnyKind) -> None:
    first, second = drawing(one, new(one)).strokes, drawing(one, new(one)).strokes
    assert np.array_equal(first.points, second.points) and np.array_equal(first.starts, second.starts)


@every(Cuttable)
def test_a_drawing_kept_from_a_similar_design_is_that_made_from_nothing(one: AnyKind) -> None:
    plain, changed = new(one), edited(one)
    for before, after in ((plain, changed), (changed, plain), (changed, changed)):
        kept = drawing(one, after, shape(one, before)).strokes
        fresh = drawing(one, after).strokes
        assert np.array_equal(kept.starts, fresh.starts)
        assert np.array_equal(kept.points, fresh.points)


@every(Cuttable)
def test_findings_are_sentences_with_a_place_on_the_board_and_the_worst_come_first(one: AnyKind) -> None:
    design = edited(one)
    drawn, findings = drawing(one, design), check(one, design, shape(one, design)).findings
    assert [found.severity for found in findings] == sorted(found.severity for found in findings)
    for found in findings:
        assert found.severity in Severity and found.kind and found.message.endswith(".")
        assert 0 <= found.place[0] <= drawn.width and 0 <= found.place[1] <= drawn.height


# Kinds that can be repaired


@pytest.mark.parametrize("one", [one for one in ALL if one.able(Repairable)], ids=lambda one: one.key)
def test_a_repaired_design_has_no_errors_and_one_without_problems_stays_as_it_is(one: AnyKind) -> None:
    for design in (new(one), edited(one)):
        found = one.need(Repairable).repair(design, Progress()).design
        one.verify(found)
        assert check(one, found, shape(one, found)).errors == []
        if not check(one, design, shape(one, design)).findings:
            assert found == design


# Kinds that are printed


@pytest.mark.sampled(2)
@every(Printable)
def test_bodies_have_names_of_their_own_and_how_they_fit_is_said(one: AnyKind) -> None:
    printed, shapes = one.need(Printable), shape(one, new(one))
    bodies = printed.bodies(shapes, Progress())
    assert len({body.name for body in bodies}) == len(bodies) > 1
    assert all(title and words for title, words in printed.fit(shapes))
    gap = printed.gap(shapes)
    assert (gap is None) == (printed.joints is None), "a gap is that of a joint"
    if printed.joints is not None:
        assert len(printed.joints(new(one), (0.1, 0.3), Progress())) == 4, "two blocks for every gap"


# Kinds on paper


@pytest.mark.sampled(2)
@every(PaperPrintable)
def test_paper_has_the_size_that_is_asked_for_and_a_name(one: AnyKind) -> None:
    pages, shapes = one.need(PaperPrintable), shape(one, new(one))
    assert pages.title and not pages.title.endswith((".", "…"))
    for size in ((210.0, 297.0), (215.9, 279.4)):
        made = pages.leaflet(shapes, "A name", size, Progress())
        assert "A name" in made.title and made.pages
        assert all((page.width, page.height) == size and page.groups for page in made.pages)
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        pages.lay_out(shapes, "A name", (210.0, 297.0), stopped)


# Kinds that are written in other forms


@every(Convertible)
def test_what_is_written_in_another_form_is_read_and_written_alike(one: AnyKind) -> None:
    formats = one.need(Convertible)
    for writer in formats.writers:
        assert formats.writer(writer.suffix) is writer and writer.title
        data = writer.write(edited(one), writer.options(), Progress())
        sources = [Source(f"a{writer.suffix.upper()}", data)]
        if formats.reads(sources):
            again = formats.read(sources, Progress())
            assert writer.write(again, writer.options(), Progress()) == data
    assert not formats.reads([]) and not formats.reads([Source("a", b"")])
    with pytest.raises(StudioError, match=r"^Unknown format \.exe; choose from \..*\.$"):
        formats.writer(".exe")


@every(Convertible)
@given(data=st.binary(max_size=200) | st.just(b"{}") | st.just(b"[") | st.just(b'{"format": 1}'))
@settings(max_examples=examples(40))
def test_bytes_of_another_form_are_a_design_or_are_refused_in_one_sentence(one: AnyKind, data: bytes) -> None:
    formats = one.need(Convertible)
    for suffix in (suffix for reader in formats.readers for suffix in reader.suffixes):
        with pytest.raises(StudioError, match=r"\.$") as told:
            formats.read([Source(f"a{suffix}", data)], Progress())
        assert len(str(told.value).splitlines()) == 1


@every(Convertible)
def test_reading_and_writing_of_another_form_can_be_stopped(one: AnyKind) -> None:
    formats, stopped = one.need(Convertible), Progress()
    stopped.cancel()
    for writer in formats.writers:
        data = writer.write(new(one), writer.options(), Progress())
        with pytest.raises(Cancelled):
            writer.write(new(one), writer.options(), stopped)
        if formats.reads([Source(f"a{writer.suffix}", data)]):
            with pytest.raises(Cancelled):
                formats.read([Source(f"a{writer.suffix}", data)], stopped)


# Kinds that are solved by search


@every(Solvable)
def test_solutions_are_counted_to_the_end_or_to_a_limit_always_alike(one: AnyKind) -> None:
    solved, design = one.need(Solvable), new(one)
    target = () if solved.targets is None else solved.targets.date(design, "10-06")
    all_of_them = solved.count(design, target, Progress())
    assert all_of_them.complete and all_of_them.solutions >= 1
    again = solved.count(design, target, Progress())
    assert (again.solutions, again.nodes) == (all_of_them.solutions, all_of_them.nodes)
    if all_of_them.solutions > 1:
        some = solved.count(design, target, Progress(), most=1)
        assert (some.solutions, some.complete) == (1, False)
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        solved.count(design, target, stopped)


# Kinds that are graded


@pytest.mark.sampled(2)
@every(Gradable)
def test_a_grade_speaks_of_its_design_and_a_harder_one_is_harder(one: AnyKind) -> None:
    graded, design = one.need(Gradable), new(one)
    grade = graded.grade(design, Progress())
    assert grade.design == design and 0 <= grade.share <= 1 and grade.explanation.endswith(".")
    assert graded.harder(design, Progress()).effort >= grade.effort


# Kinds that are played


WORDS = st.sampled_from(
    ["O", "L", "0", "90", "f180", "45", "A1", "C3", "Z99", "off", "A", "-", "B2", "", "17", "81", RESTART]
)
TEXTS = st.text() | st.lists(WORDS, max_size=5).map(" ".join)


def begun(one: AnyKind, design: Any) -> Log[Any]:
    played = one.need(Playable)
    return played.begun(design, () if played.targets is None else played.targets.date(design, "10-06"))


def solved_by_hints(one: AnyKind, design: Any) -> Log[Any]:
    played, log = one.need(Playable), begun(one, design)
    while not played.done(design, log.game):
        log = played.with_move(design, log, played.hint(design, log.game, Progress()).move)
    return log


@every(Playable)
def test_a_game_is_not_solved_at_its_start_and_solved_by_its_hints(one: AnyKind) -> None:
    played, design = one.need(Playable), new(one)
    first = begun(one, design)
    log = solved_by_hints(one, design)
    assert not played.done(design, first.game) and played.done(design, log.game)
    assert log.states[0] == first.game and len(log.moves) == log.count == log.at > 0
    for number, text in enumerate(log.moves):
        assert text.splitlines() == [text] and text.strip() == text != RESTART
        before = played.tally(design, log.states[number])
        assert played.move(design, log.states[number], text) == log.states[number + 1] != log.states[number]
        assert played.tally(design, log.states[number]) == before, "a move makes another position"
    assert played.sketch(design, log.game) != played.sketch(design, first.game)


@every(Playable)
def test_a_game_played_back_from_its_texts_ends_in_the_same_position(one: AnyKind) -> None:
    played, design = one.need(Playable), new(one)
    log = solved_by_hints(one, design)
    log = played.with_moves(design, replace(log, at=log.at - 2), [RESTART, *log.moves[:3]])
    log = replace(log, at=log.at - 1, hints=2, seconds=12.5)
    assert log.count == 2 and log.moves[-4] == RESTART
    data = store.dumps_game(one, design, log)
    back = store.loads_game(data, one, design)
    assert (back.game, back.states, back.moves, back.at) == (log.game, log.states, log.moves, log.at)
    assert (back.target, back.hints, back.seconds) == (log.target, log.hints, log.seconds)
    assert store.dumps_game(one, design, back) == data


@every(Playable)
@settings(max_examples=examples(25, 500))
@given(text=TEXTS)
def test_a_text_is_a_move_or_is_refused_in_one_sentence(one: AnyKind, text: str) -> None:
    played, design = one.need(Playable), new(one)
    log = begun(one, design)
    try:
        after = played.with_move(design, log, text)
    except StudioError as problem:
        assert str(problem).endswith(".") and len(str(problem).splitlines()) == 1 and len(str(problem)) < 200
    else:
        assert after.moves == (text,) and after.states[0] == log.game


@pytest.mark.sampled(2)
@every(Playable)
def test_a_move_that_is_none_is_named_by_its_number_and_text(one: AnyKind) -> None:
    played, design = one.need(Playable), new(one)
    log = solved_by_hints(one, design)
    with pytest.raises(StudioError, match=rf"^Move {log.at + 1} \('{log.moves[0]}'\) is not possible: .*\.$"):
        played.with_moves(design, log, log.moves[:1])
    with pytest.raises(StudioError, match=rf"^Move {MOST_MOVES + 1} \('restart'\) .* limited to {MOST_MOVES} moves\.$"):
        played.with_moves(design, begun(one, design), [RESTART] * (MOST_MOVES + 1))
    with pytest.raises(StudioError, match=r"^Move 1 \('\?{60}'…\) is not possible: "):
        played.with_moves(design, begun(one, design), ["?" * 1000])


@every(Playable)
def test_a_target_that_is_none_is_refused(one: AnyKind) -> None:
    with pytest.raises(StudioError, match=r"\.$"):
        one.need(Playable).begun(new(one), ("no cell",))


@every(Editable)
def test_every_edit_as_text_changes_the_design_and_is_read_back(one: AnyKind) -> None:
    design = one.example()
    forms = one.need(Editable).forms
    verbs = [verb for form in forms if (verb := form.split()[0]) not in NEEDS_PICTURE]
    assert verbs == [*dict.fromkeys(text.split()[0].lower() for text in EDITS[one.key])]
    made = [design]
    for text in EDITS[one.key]:
        made.append(one.edit(text)(made[-1], Progress()).design)
        assert loads(dumps(one, made[-1])).design == made[-1]
    assert one.edit("; ".join(EDITS[one.key]))(design, Progress()).design == made[-1]
    assert made[1] != design and len(set(map(id, made))) > 3


@every(Editable)
def test_an_edit_that_cannot_be_is_refused_in_one_sentence(one: AnyKind) -> None:
    for text, sentence in REFUSED[one.key]:
        with pytest.raises(StudioError) as refused:
            one.edit(text)(one.example(), SILENT)
        said = str(refused.value)
        assert said.startswith(sentence) and said.endswith(".") and said.isprintable() and len(said) < 400, said


@every(Editable)
@given(text=TEXTS, form=st.integers(0, 99), words=st.lists(TEXTS, max_size=3))
def test_any_text_is_an_edit_or_is_refused(one: AnyKind, text: str, form: int, words: list[str]) -> None:
    forms = one.need(Editable).forms
    written = " ".join([forms[form % len(forms)].split()[0], *words])
    for each in (text, written):
        try:
            made = one.edit(each)(one.example(), SILENT).design
        except StudioError as problem:
            assert str(problem).endswith(".") and len(str(problem).splitlines()) == 1
        else:
            assert loads(dumps(one, made)).design == made

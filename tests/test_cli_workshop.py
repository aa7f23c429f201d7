"""The workshop on the command line: plans, coupons, machines, materials, and files as machines take them."""

import json
from pathlib import Path
from typing import Any

import pytest
import shapely

from studio.base.parameters import declarations
from studio.exporting.formats import Options
from studio.exporting.options import SvgOptions
from studio.exporting.readers.svg import read_svg
from studio.fabricate.making import Making
from studio.fabricate.plan import Strategy
from studio.files.store import save
from studio.geometry.curves.strokes import Curves
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from tests.classic import classic
from tests.test_cli import Studio

PLANNED = {
    "strategy", "travel_mm", "cut_mm", "pen_ups", "lower_bound_mm", "ratio", "chains", "least_chains", "loose_cuts",
    "largest_freed", "reach_pieces", "seconds", "tabs", "held",
}  # fmt: skip


@pytest.fixture
def studio(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    monkeypatch.chdir(tmp_path)
    return Studio(capsys)


@pytest.fixture
def board(tmp_path: Path) -> Path:
    save(tmp_path / "board.puzzle", JIGSAW, JigsawDesign())
    return tmp_path / "board.puzzle"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    save(tmp_path / "small.puzzle", JIGSAW, JigsawDesign(JigsawParameters(columns=4, rows=2, width=100, height=50)))
    return tmp_path / "small.puzzle"


def answered(studio: Studio, *words: str | Path) -> Any:
    """The JSON value with which a command answers."""
    said = studio(*words, "--json")
    assert (said.code, said.err) == (0, "")
    return json.loads(said.out)


def pieces_in(path: Path) -> list[shapely.Polygon]:
    """What the closed cuts of an SVG file enclose, as another reader sees it."""
    sheet = read_svg(path.read_bytes(), SvgOptions())
    return [
        shapely.Polygon(Curves.from_strokes([line.points]).flattened(0.001)[0]) for line in sheet.lines if line.closed
    ]


def test_a_plan_is_one_object_of_numbers(studio: Studio, board: Path) -> None:
    plan = answered(studio, "plan", board)
    assert set(plan) == PLANNED
    assert plan["strategy"] == "snake" and plan["loose_cuts"] == 0 and plan["reach_pieces"] == 11
    assert plan["chains"] == plan["least_chains"] == 17 and plan["pen_ups"] == 15
    assert plan["travel_mm"] == pytest.approx(plan["ratio"] * plan["lower_bound_mm"], rel=1e-3)
    sagging = answered(studio, "plan", board, "--strategy", "low-sag")
    assert sagging["reach_pieces"] == 6 and sagging["lower_bound_mm"] == plan["lower_bound_mm"]


def test_plans_stand_side_by_side(studio: Studio, board: Path) -> None:
    said = studio("plan", board)
    lines = said.out.splitlines()
    assert [line.split()[0] for line in lines[:5]] == ["strategy", "snake", "low-sag", "release-aware", "as-drawn"]
    assert "Lower bounds for any order: travel" in lines[5] and len(lines) == 6
    assert lines[5].endswith("17 continuous cuts.")


def test_a_plan_of_one_cut_counts_one(studio: Studio, tmp_path: Path) -> None:
    path = tmp_path / "one.puzzle"
    assert studio("new", "jigsaw", "--set", "columns=1", "--set", "rows=1", "-o", path).code == 0
    assert studio("plan", path).out.endswith(" 1 continuous cut.\n")


def test_the_machine_decides_the_time(studio: Studio, board: Path) -> None:
    seconds = {name: answered(studio, "plan", board, "--machine", name)["seconds"] for name in ("diode-400x400",
               "co2-900x600")}  # fmt: skip
    assert seconds["diode-400x400"] > 4 * seconds["co2-900x600"]


def test_a_plan_says_where_the_bed_is_too_small_and_where_the_board_will_not_cut(studio: Studio, board: Path) -> None:
    save(Path("large.puzzle"), JIGSAW, JigsawDesign(JigsawParameters(width=500.0)))
    assert "larger than the bed (300 × 200 mm)" in studio("plan", "large.puzzle", "--machine", "co2-300x200").out
    assert "larger" not in studio("plan", "large.puzzle", "--machine", "co2-600x400").out
    save(Path("crossed.puzzle"), JIGSAW, JigsawDesign(classic(perturbation=0.45)))
    crossed, sound = studio("plan", "crossed.puzzle"), studio("plan", board)
    assert "crossed.puzzle has errors" in crossed.err and (sound.code, sound.err) == (0, "")


def test_what_the_workshop_has_not_is_refused_with_what_it_has(studio: Studio, board: Path) -> None:
    assert "choose from co2" in studio.refuses("plan", board, "--machine", "axe")
    assert "--strategy must be usual, snake, low-sag" in studio.refuses("plan", board, "--strategy", "fast")
    assert "Possible here" in studio.refuses("plan", board, "--strategy", "singly")
    assert all(f"{one.value} ({one.title})" in " ".join(studio("plan", "--help").out.split()) for one in Strategy)
    assert "plywood-3" in studio.refuses("coupon", board, "--material", "cheese", "-o", "c.svg")


def test_machines_and_materials_are_listed_with_their_figures(studio: Studio) -> None:
    known = answered(studio, "workshop")
    assert {one["key"]: one["bed_width"] for one in known["machines"]}["co2-600x400"] == 600
    assert all(one["kerf"] > 0 and not one["own"] for one in known["materials"])
    said = studio("workshop").out
    assert all(one["key"] in said for some in known.values() for one in some)


def test_a_coupon_is_cut_read_off_and_kept_with_the_material(studio: Studio, board: Path) -> None:
    said = studio("coupon", board, "--material", "plywood-3", "-o", "coupon.svg", "--set", "count=5")
    assert said.code == 0 and "10 blocks" in said.out
    assert len(pieces_in(Path("coupon.svg"))) == 10
    assert "set to 0.17 mm" in studio("coupon", "--material", "plywood-3", "--keep", "0,17").out
    (kept,) = [one for one in answered(studio, "workshop")["materials"] if one["key"] == "plywood-3"]
    assert kept["own"] and kept["kerf"] == 0.17
    assert "either" in studio.refuses("coupon", "--material", "plywood-3")
    assert "0 to 2 mm" in studio.refuses("coupon", "--material", "plywood-3", "--keep", "wide")


def test_separate_pieces_are_cut_from_the_bed_of_the_machine(studio: Studio, board: Path) -> None:
    apart = ("--separate", "--kerf", "0.15", "--machine", "co2-300x200")
    reports = answered(studio, "export", board, "-o", "apart.svg", *apart)
    assert [Path(report["path"]).name for report in reports] == ["apart-1.svg", "apart-2.svg"]
    assert sum(report["pieces"] for report in reports) == 72
    found = [piece for report in reports for piece in pieces_in(Path(report["path"]))]
    assert len(found) == 72
    assert all(report["width"] == 300 and 0.1 < report["use"] < 1 for report in reports)


def test_a_material_brings_its_kerf_and_a_word_of_its_own_wins(studio: Studio, small: Path) -> None:
    areas = []
    for more in (["--material", "cork-3"], ["--material", "cork-3", "--kerf", "0"], ["--set", "kerf=0.3"]):
        studio("export", small, "-o", "apart.svg", "--separate", *more)
        areas.append(sum(piece.area for piece in pieces_in(Path("apart.svg"))))
    assert areas[1] == pytest.approx(100 * 50, rel=1e-4)
    assert areas[0] == pytest.approx(areas[2], rel=1e-6) and areas[0] > areas[1] + 50


def test_copies_lie_together_and_the_notes_are_told(studio: Studio, board: Path) -> None:
    said = studio("export", board, "-o", "four.dxf", "--machine", "co2-900x600", "--set", "copies=4")
    assert said.code == 0 and "288 pieces" in said.out
    split = studio("export", board, "-o", "parts.svg", "--machine", "co2-300x200", "--set", "margin=20")
    assert split.code == 0 and "split along cut lines into 2 parts" in split.out and "Total: 2 sheets" in split.out


def test_a_sheet_never_takes_the_place_of_another_design_s(studio: Studio, board: Path, tmp_path: Path) -> None:
    save(tmp_path / "board-1.puzzle", JIGSAW, JigsawDesign(JigsawParameters(columns=2, rows=2, width=40, height=40)))
    said = studio.refuses(
        "export", board, "board-1.puzzle", "-o", "out", "--format", "svg", "--machine", "co2-300x200", "--json"
    )
    assert "board-1.puzzle would overwrite out/board-1.svg" in said
    assert len(pieces_in(Path("out/board-1.svg"))) == 1 and b'width="300mm"' in Path("out/board-1.svg").read_bytes()


def test_what_cannot_be_made_leaves_no_file(studio: Studio, board: Path, tmp_path: Path) -> None:
    save(tmp_path / "small.puzzle", JIGSAW, JigsawDesign(JigsawParameters(width=90.0, height=45.0, least_bridge=0.1)))
    assert "burns through" in studio.refuses("export", "small.puzzle", "-o", "x.svg", "--kerf", "2", "--force")
    assert "larger than" in studio.refuses(
        "export", board, "-o", "x.svg", "--separate", "--machine", "co2-300x200", "--set", "margin=90"
    )
    assert "--kerf cannot be combined with --set kerf" in studio.refuses(
        "export", board, "-o", "x.svg", "--kerf", "0.1", "--set", "kerf=0.2"
    )
    assert "Unknown option 'colour'" in studio.refuses("export", board, "-o", "x.svg", "--set", "colour=red")
    assert not list(tmp_path.glob("x*"))


def test_a_picture_is_refused_for_a_machine_that_takes_only_lines(studio: Studio, board: Path, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "puzzle-studio" / "machines"
    folder.mkdir(parents=True)
    preset = Path(__file__).parents[1] / "resources" / "machines" / "co2-600x400.json"
    data = json.loads(preset.read_text(encoding="utf-8"))
    data["machine"]["pictures"] = False
    (folder / "lines-only.json").write_text(json.dumps(data), encoding="utf-8")
    assert "cannot engrave pictures" in studio.refuses("export", board, "-o", "x.png", "--machine", "lines-only")
    assert studio("export", board, "-o", "x.png", "--machine", "co2-600x400", "--set", "dpi=50").code == 0
    coupon = ("coupon", board, "--material", "plywood-3", "--machine", "lines-only", "-o")
    assert "cannot engrave pictures" in studio.refuses(*coupon, "coupon.png")
    assert not Path("coupon.png").exists() and studio(*coupon, "coupon.svg").code == 0


def test_names_engraved_on_pieces_are_no_cuts(studio: Studio, small: Path) -> None:
    bare, named = (
        studio("export", small, "-o", "x.svg", "--separate", *more).out for more in ((), ("--set", "labels=yes"))
    )
    cuts = bare[bare.index("8 cuts, cut length") : bare.index(", 8 pieces")]
    assert cuts in named and "engraved lines" in named and "engraved" not in bare
    (report,) = answered(studio, "export", small, "-o", "x.svg", "--separate", "--set", "labels=yes")
    assert f"{report['cut_length']:.1f} mm" in cuts


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["export", "b.puzzle", "-o", "x.svg", "--set", "side=back"],
            "side is a parameter of zigzaw, not of `export`: `edit FILE --set side=VALUE` changes it.",
        ),
        (["edit", "b.puzzle", "--set", "kerf=1"], "kerf is an option of `export`, not a parameter of the design"),
        (["new", "jigsaw", "-o", "y.puzzle", "--set", "scheme=any"], "scheme is a parameter of zigzaw, not of jigsaw."),
        (
            ["new", "jigsaw", "-o", "y.puzzle", "--set", "colums=3"],
            "Unknown parameter 'colums'; did you mean columns? `params jigsaw` lists them.",
        ),
        (
            ["coupon", "--material", "plywood-3", "-o", "c.svg", "--set", "cuont=3"],
            "Unknown option 'cuont'; did you mean count? `params coupon` lists them.",
        ),
        (["export", "b.puzzle", "-o", "x.svg", "--set", "qqq=3"], "Unknown option 'qqq'; `params export` lists them."),
    ],
)
def test_a_name_to_set_that_is_unknown_is_said_to_belong_elsewhere_or_to_be_like_another(
    studio: Studio, board: Path, words: list[str], sentence: str
) -> None:
    board.rename(board.with_name("b.puzzle"))
    assert sentence in studio.refuses(*words)


def test_options_of_exports_and_coupons_are_listed_like_parameters(studio: Studio) -> None:
    exported = {one["name"] for one in answered(studio, "params", "export")}
    of_coupons = {one["name"] for one in answered(studio, "params", "coupon")}
    assert {"kerf", "copies", "tolerance"} <= exported and "columns" not in exported
    assert {"count", "tolerance"} <= of_coupons and "copies" not in of_coupons


def test_a_kerf_that_was_read_off_is_answered_as_json_too(studio: Studio) -> None:
    kept = answered(studio, "coupon", "--material", "cork-3", "--keep", "0.31")
    assert kept["key"] == "cork-3" and kept["own"] and kept["kerf"] == 0.31


def test_an_empty_word_is_refused_and_not_passed_over(studio: Studio, board: Path, tmp_path: Path) -> None:
    assert "Enter 0 to 2 mm for --kerf." in studio.refuses("export", board, "-o", "x.svg", "--kerf", "")
    assert "Enter usual, snake" in studio.refuses("export", board, "-o", "x.svg", "--strategy", "")
    assert "-o must name" in studio.refuses("export", board, "-o", "")
    assert not list(tmp_path.glob("*.svg")) and not list(tmp_path.glob("*.dxf"))


def test_designs_of_one_name_leave_no_empty_folder(studio: Studio, board: Path) -> None:
    assert "both be written to" in studio.refuses("export", board, board, "-o", "twice")
    assert not Path("twice").exists()


def test_no_option_of_a_file_shares_its_name_with_one_of_the_making() -> None:
    names = [known.name for kind in (Options, Making) for known in declarations(kind)]
    assert len(names) == len(set(names))


def test_sheets_of_an_older_export_and_a_board_too_large_are_told(studio: Studio, board: Path) -> None:
    studio("export", board, "-o", "a.svg", "--separate", "--machine", "co2-300x200")
    said = studio("export", board, "-o", "a.svg", "--machine", "co2-300x200", "--set", "page=board")
    assert "Left over from an earlier export: a-1.svg and a-2.svg." in said.out
    studio("edit", board, "--set", "width=400")
    said = studio("export", board, "-o", "b.svg", "--machine", "co2-300x200", "--set", "page=board")
    assert "larger than the bed (300 × 200 mm)" in said.out
    assert "larger than" not in studio("export", board, "-o", "c.svg").out


def test_a_thin_neck_is_told_for_separate_pieces_too(studio: Studio, board: Path) -> None:
    said = studio("export", board, "-o", "a.svg", "--separate", "--material", "cork-3")
    assert said.code == 0 and "(minimum 3 mm)" in said.out


def test_a_moment_of_the_cut_plan_needs_the_window(studio: Studio, board: Path, tmp_path: Path) -> None:
    assert "needs --window" in studio.refuses("picture", board, "-o", "a.png", "--moment", "0.5")
    assert "0 to 1" in studio.refuses("picture", board, "-o", "a.png", "--window", "--moment", "2")
    assert not (tmp_path / "a.png").exists()


def test_a_coupon_for_the_printer_is_printed_read_off_and_kept_with_printer_and_plastic(studio: Studio) -> None:
    from studio.exporting.readers.stl_3mf import read_3mf

    said = studio("coupon", "--for", "printer", "-o", "fit.3mf", "--set", "first=0.1", "--set", "count=3")
    assert said.code == 0 and "6 blocks, clearances 0.1 to 0.2 mm" in said.out
    parts = read_3mf(Path("fit.3mf").read_bytes())
    assert [part.name for part in parts] == ["0.10 a", "0.10 b", "0.15 a", "0.15 b", "0.20 a", "0.20 b"]
    mine = ("--for", "printer", "--printer", "small-180", "--plastic", "petg")
    assert "PETG on Generic 180 × 180 mm" in studio("coupon", *mine, "--keep", "0,3").out
    assert answered(studio, "workshop")["gaps"] == [{"printer": "small-180", "plastic": "petg", "gap": 0.3}]
    assert "small-180, petg: 0.3 mm" in studio("workshop").out
    # What is tried next lies around what fitted.
    assert answered(studio, "coupon", *mine, "-o", "fit.stl")["gaps"] == [0.2, 0.25, 0.3, 0.35, 0.4]


def test_a_coupon_for_the_printer_has_the_form_of_its_cube(studio: Studio) -> None:
    studio("new", "cube", "--set", "unit=20", "--set", "edge=round", "-o", "cube.puzzle")
    report = answered(studio, "coupon", "cube.puzzle", "--for", "printer", "-o", "fit.stl", "--set", "count=1")
    # A slice of a tooth as wide as a voxel, and of the slot for it, side by side.
    assert report["width"] > 2 * 20 and report["height"] < 4 and report["parts"] == 2
    assert report["grams"] < 4 and report["seconds"] < 3600


def test_what_no_coupon_can_be_is_refused_in_a_sentence(studio: Studio, board: Path) -> None:
    printer = ("coupon", "--for", "printer")
    assert "laser or printer" in studio.refuses("coupon", "--for", "lathe", "-o", "c.3mf")
    studio("new", "jigsaw", "--set", "plain_share=1", "-o", "straight.puzzle")
    assert "no tongue" in studio.refuses("coupon", "straight.puzzle", "--for", "printer", "-o", "c.3mf")
    studio("new", "slitherlink", "--set", "columns=5", "--set", "rows=5", "-o", "loop.puzzle")
    assert "are flat" in studio.refuses("coupon", "loop.puzzle", "--for", "printer", "-o", "c.3mf")
    assert "--machine cannot be combined with --for printer" in studio.refuses(
        *printer, "--machine", "co2-300x200", "-o", "c.3mf"
    )
    assert "--plastic cannot be combined with --for laser" in studio.refuses(
        "coupon", "--plastic", "pla", "-o", "c.svg"
    )
    assert "needs --material" in studio.refuses("coupon", "-o", "c.svg")
    assert "either" in studio.refuses(*printer)
    assert "--printer and --plastic" in studio.refuses(*printer, "--keep", "0.2")
    assert "gap must be 0 to 2 mm" in studio.refuses(
        *printer, "--printer", "small-180", "--plastic", "pla", "--keep", "3"
    )
    studio("new", "cube", "--set", "unit=60", "-o", "large.puzzle")
    assert "Use fewer pairs" in studio.refuses(
        "coupon",
        "large.puzzle",
        "--for",
        "printer",
        "-o",
        "c.3mf",
        "--set",
        "count=20",
        "--set",
        "step=0.01",
        "--printer",
        "small-180",
    )
    assert "unknown file extension" in studio.refuses(*printer, "-o", "c.svg")
    for folder in (".", "coupons"):
        said = f"The coupon needs a file name with the extension .3mf or .stl; {folder} has none."
        assert said in studio.refuses(*printer, "-o", folder)
    assert "choose from abs" in studio.refuses(*printer, "--plastic", "wood", "-o", "c.3mf")
    assert not list(Path().glob("c.*"))


def test_a_recipe_is_shown_changed_value_by_value_and_inherited_again(studio: Studio) -> None:
    of_ply = ("recipe", "--machine", "co2-600x400", "--material", "plywood-3")
    before = answered(studio, *of_ply)
    assert before["recipe"]["cut"]["speed"] == 15 and before["sources"]["cut.speed"] == "CO2, 60 W"
    changed = answered(studio, *of_ply, "--set", "cut.speed=12.5", "--set", "raster.air=yes", "--set", "cut.kerf=0.2")
    assert changed["recipe"]["cut"] == before["recipe"]["cut"] | {"speed": 12.5, "kerf": 0.2}
    assert changed["recipe"]["raster"]["air"] and changed["sources"]["cut.speed"] == "This material"
    every = answered(studio, "recipe", "--machine", "co2-600x400", "--set", "cut.focus=-1")
    assert every["sources"] == {"cut.focus": "All materials"}
    assert answered(studio, *of_ply)["recipe"]["cut"]["focus"] == -1
    assert "  cut.speed           12.5 mm/s     This material" in studio(*of_ply).out
    answered(studio, *of_ply, "--set", "cut.speed=", "--set", "cut.kerf=", "--set", "raster.air=")
    answered(studio, "recipe", "--machine", "co2-600x400", "--set", "cut.focus=")
    assert answered(studio, *of_ply) == before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "A recipe needs --machine"),
        (("--machine", "co2-600x400", "--set", "cut.power_max=101"), "power_max must be 0 to 100 %, not 101."),
        (("--machine", "co2-600x400", "--set", "cut.watts=3"), "Unknown parameter 'watts'; choose from power_max"),
        (("--machine", "co2-600x400", "--set", "drill.speed=3"), "works are cut, score, engrave, mark, raster"),
        (("--machine", "co2-600x400", "--set", "cut.speed"), "Use --set WORK.NAME=VALUE"),
    ],
)
def test_an_impossible_recipe_is_refused(studio: Studio, words: tuple[str, ...], sentence: str) -> None:
    said = studio("recipe", *words)
    assert said.code == 2 and sentence in said.err


def test_recipes_travel_in_libraries_from_machine_to_machine(studio: Studio, tmp_path: Path) -> None:
    answered(studio, "recipe", "--machine", "co2-600x400", "--material", "cork-3", "--set", "cut.power_max=31",
             "--set", "cut.speed=22")  # fmt: skip
    assert answered(studio, "workshop", "-o", "mine.clb", "--machine", "co2-600x400")["settings"] == 21
    read = answered(studio, "workshop", "--import", "mine.clb", "--machine", "diode-400x400")
    assert (read["settings"], read["new"], read["left_out"]) == (21, [], [])
    for key in read["materials"]:
        one, other = (
            answered(studio, "recipe", "--machine", machine, "--material", key)["recipe"]
            for machine in ("co2-600x400", "diode-400x400")
        )
        assert one == other
    assert studio("workshop", "--import", "missing.clb", "--machine", "co2-600x400").code == 2
    assert "needs --machine" in studio("workshop", "-o", "other.clb").err


def test_an_export_and_a_plan_follow_the_recipe(studio: Studio, board: Path, tmp_path: Path) -> None:
    words = ("--machine", "co2-600x400", "--material", "plywood-3")
    fast = answered(studio, "plan", board, *words)["seconds"]
    answered(studio, "recipe", *words, "--set", "cut.passes=2", "--set", "cut.kerf=0.3")
    assert answered(studio, "plan", board, *words)["seconds"] == pytest.approx(2 * fast, rel=1e-3)
    (report,) = answered(studio, "export", board, "-o", "board.lbrn2", *words, "--set", "page=board")
    text = (tmp_path / "board.lbrn2").read_text()
    assert '<numPasses Value="2"/>' in text and "kerf 0.3 mm. Test first" in text
    assert report["seconds"] == pytest.approx(2 * fast, rel=0.2)
    # A material alone says nothing of a machine.
    answered(studio, "export", board, "-o", "plain.lbrn2", "--material", "plywood-3")
    assert "numPasses" not in (tmp_path / "plain.lbrn2").read_text()


def test_a_test_card_is_written_and_its_best_square_kept(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    pair = ["--machine", "diode-400x400", "--material", "plywood-3"]
    said = studio(
        "card", *pair, "-o", "card.gcode", "--set", "columns=3", "--set", "rows=2", "--set", "max_power=255", "--json"
    )
    cells = json.loads(said.out)["cells"]
    assert len(cells) == 6 and "$30=255" in Path("card.gcode").read_text(encoding="ascii")
    best = cells[4]
    assert studio("card", *pair, "--keep", f"{best['power_max']},{best['speed']}").code == 0
    found = json.loads(studio("recipe", *pair, "--json").out)
    assert {name: found["recipe"]["cut"][name] for name in best} == best
    assert found["sources"]["cut.speed"] == "This material"
    for words, sentence in (
        (["card", "-o", "a.gcode"], "needs --machine and --material"),
        (["card", *pair], "Use either -o"),
        (["card", *pair, "--keep", "65"], "mm/s for speed"),
        (["card", *pair, "-o", "a.svg"], "must be a LightBurn project or G-code"),
        (["card", *pair, "-o", "a.gcode", "--set", "colums=2"], "did you mean columns? `params card` lists them"),
        (["card", *pair, "-o", "a.gcode", "--set", "work=raster"], "Choose another work"),
    ):
        said = studio(*words)
        assert said.code == 2 and sentence in said.err, said.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["card.gcode", "settings"]

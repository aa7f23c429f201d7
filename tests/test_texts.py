"""The words makers read: all through one door, and listed."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs import texts as listing
from studio.base import texts
from studio.base.amounts import many
from studio.base.parameters import declarations, flag
from studio.base.texts import tr
from studio.checks.finding import Problem, Severity
from studio.puzzles.jigsaw.model.design import JigsawParameters
from studio.puzzles.registry import KINDS
from tests.depth import THOROUGH

ROOT = Path(__file__).resolve().parents[1]
SENTENCE = re.compile(r"[A-Z][a-z]+ [a-z]+.*[a-z]")
NEVER_READ = ("studio/__main__.py", "studio/base/folders.py", "studio/exporting/")
"""Where sentences are told before there is a catalogue, paths of systems stand, and lines of file formats."""


class Shouting:
    """A catalogue that says everything in capitals."""

    def gettext(self, text: str) -> str:
        return text.upper()

    def ngettext(self, one: str, several: str, count: int) -> str:
        return (one if count == 1 else several).upper()


@pytest.fixture
def shouting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "_CATALOGUE", Shouting())


def test_values_are_filled_into_a_text() -> None:
    assert tr("{here} and {there:.1f}", here="C4", there=2.25) == "C4 and 2.3"
    assert tr("100 % {this}") == "100 % {this}"
    assert tr("") == ""


@pytest.mark.usefixtures("shouting")
def test_nouns_parameters_and_problems_are_translated_too() -> None:
    assert many(2, "piece") == "2 PIECES"
    problem = Problem("thin", Severity.HINT, "It is thin", "only so wide", "A thicker one")
    assert problem.finding((0, 0)).message == "ONLY SO WIDE"
    metadata = flag(True, title="Shown", help="Whether it is seen.", group="Look").metadata["declaration"]
    assert (metadata["title"], metadata["help"], metadata["group"]) == ("SHOWN", "WHETHER IT IS SEEN.", "LOOK")


def test_no_sentence_goes_past_the_door() -> None:
    """A sentence of the studio stands in `tr`, or in a table that passes it on."""
    strays = []
    for path in sorted((ROOT / "studio").rglob("*.py")):
        where = str(path.relative_to(ROOT))
        if where.startswith(NEVER_READ):
            continue
        listed = {text.words for text in listing.of_module(path)}
        tree = listing.parsed(path.read_text(encoding="utf-8"))
        nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.Expr, ast.Constant))]
        bare = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        strays += [
            f"{where}:{node.lineno}: {node.value!r}"
            for node in nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare
            if SENTENCE.fullmatch(node.value.rstrip(".")) and node.value not in listed
        ]
    assert strays == []


def test_a_placeholder_is_named_after_what_it_stands_for_and_an_ellipsis_follows_its_word() -> None:
    unclear = re.compile(r"\{\}|\{\w*\d\w*[}:!]|\w …")
    assert [text for text in listing.texts() if unclear.search(text.words)] == []


def test_the_list_has_every_text_with_its_place() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "texts.py"), "studio/puzzles/jigsaw", "resources/materials"],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    lines = done.stdout.splitlines()
    titles = {one.title for one in declarations(JigsawParameters)}
    words = {line.split(": ", 1)[1] for line in lines}
    assert titles <= words | {"Seed"}
    assert any(line.startswith("resources/materials/") and "mm" in line for line in lines)


def test_the_template_has_every_text_once_and_nouns_with_their_plurals() -> None:
    known = listing.texts()
    entries = listing.template(known).split("\n\n")[1:]
    words = [ast.literal_eval(re.findall(r'^msgid (".*")$', entry, re.M)[0]) for entry in entries]
    assert len(words) == len({*words}) > 4000
    assert {text.words for text in known if text.words != text.plural} == {*words}
    piece = entries[words.index("piece")]
    assert 'msgid_plural "pieces"\nmsgstr[0] ""\nmsgstr[1] ""' in piece and "#. Part of a text in studio/" in piece
    assert "msgid_plural" not in entries[words.index("Kerf")]
    amount = entries[words.index("at least {amount}")]
    assert "#, python-brace-format" in amount and "#. Part of a text in studio/base/amounts.py, at_least" in amount
    assert f'msgid "{JigsawParameters.__dataclass_fields__["columns"].metadata["declaration"]["title"]}"' in "".join(
        entries
    )


TRANSLATED = """
import re, sys
from studio.base import texts

class Shouting:
    def gettext(self, text):
        return "".join(part if part[:1] == "{" else part.upper() for part in re.split(r"(\\{[^{}]*\\})", text))

    def ngettext(self, one, several, count):
        return self.gettext(one if count == 1 else several)

if sys.argv[1] == "translated":
    texts._CATALOGUE = Shouting()
from studio.cli import main
suffixes = ("svg", "dxf", "lbrn2")
for number, kind in enumerate(sys.argv[3:]):
    assert main(["new", kind, "-o", f"{kind}.puzzle"]) == 0
    for suffix in suffixes if sys.argv[2] == "all" else (suffixes[number % 3],):
        assert main(["export", f"{kind}.puzzle", "-o", f"{kind}.{suffix}"]) == 0
"""


@pytest.mark.thorough
def test_a_translation_changes_no_word_of_a_file(tmp_path: Path) -> None:
    """Keys of formats, and of what is drawn at random, are no texts; quick runs write one format of each kind."""
    made = []
    for how in ("as-it-is", "translated"):
        folder = tmp_path / how
        folder.mkdir()
        command = [sys.executable, "-c", TRANSLATED, how, "all" if THOROUGH else "in turn", *KINDS]
        around = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=folder, env=around, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        assert ("WROTE" in done.stdout) is (how == "translated")
        made.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert len(made[0]) == (4 if THOROUGH else 2) * len(KINDS) and made[0] == made[1]

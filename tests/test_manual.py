"""The manual as text: its sections and passages are those of the pages, and a search finds what is written, no more."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.folders import manual_folder
from studio.base.manual_search import Passage, Section, around, found, plain, read, words
from studio.base.parameters import declarations
from studio.exporting.formats import LASER
from studio.fabricate.making import Making
from studio.puzzles.jigsaw.model.design import JigsawParameters
from studio.puzzles.registry import kinds

MANUAL = read(manual_folder())
LETTERS = st.text("abcdefghijklmnopqrstuvwxyz ", min_size=1, max_size=8)


def test_every_page_is_read_with_all_its_sections() -> None:
    assert [page.name for page in MANUAL.pages][:3] == ["index.md", "window.md", "jigsaw.md"]
    assert {page.name for page in MANUAL.pages} == {path.name for path in manual_folder().glob("*.md")}
    for page in MANUAL.pages:
        written = (manual_folder() / page.name).read_text(encoding="utf-8")
        prose = re.sub(r"^```.*?^```$", "", written, flags=re.DOTALL | re.MULTILINE)
        assert [section.title for section in page.sections] == re.findall(r"^#+ (.+)$", prose, flags=re.MULTILINE)
        anchors = [section.anchor for section in page.sections]
        assert len({*anchors}) == len(anchors) and all(page.has(anchor) for anchor in anchors)
        assert "<!--" not in page.markdown


def test_every_letter_of_a_page_is_in_a_passage() -> None:
    for page in MANUAL.pages:
        text = re.sub(r"^\|[ |:-]+\|$|^```.*$", "", page.markdown, flags=re.MULTILINE)
        text = re.sub(r"^\d+\. ", "", text, flags=re.MULTILINE)
        letters = [c for c in re.sub(r"!?\[([^\]]*)\]\([^)]*\)", _words_of_links, text) if c.isalnum()]
        read_ = [c for passage in page.passages for c in "".join(passage.cells) if c.isalnum()]
        assert "".join(read_) == "".join(letters)


def _words_of_links(match: re.Match[str]) -> str:
    return "" if match[0].startswith("!") else match[1]


@given(LETTERS)
def test_a_search_finds_every_passage_with_all_words_and_no_other(text: str) -> None:
    hits = found(MANUAL, text)
    expected = {
        (page.name, number)
        for page in MANUAL.pages
        for number, passage in enumerate(page.passages)
        if text.split() and not [word for word in text.split() if word not in passage.text.lower()]
    }
    assert {(hit.page.name, next(n for n, p in enumerate(hit.page.passages) if p is hit.passage)) for hit in hits} == (
        expected
    )
    for hit in hits:
        shown = around(hit.passage.text, words(text))
        assert len(shown) <= 90 + 4 and shown.removeprefix("… ").removesuffix(" …") in hit.passage.text


def test_headings_are_found_first() -> None:
    first = found(MANUAL, "holding TABS")[0]
    assert first.page.name == "laser.md" and first.passage.section.anchor == "holding-tabs"
    assert found(MANUAL, "  ") == [] and found(MANUAL, "qqzzx") == []


def test_the_words_that_are_sought_are_in_the_line_around() -> None:
    text = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    assert "fourteen" in around(text, ["fourteen"], 40) and len(around(text, ["fourteen"], 40)) <= 44
    assert around(text, ["one"], 40).startswith("one two") and around("short", ["x"], 40) == "short"


def test_every_parameter_of_every_kind_and_export_has_a_row() -> None:
    for kind in kinds():
        for known in declarations(kind.parameters):
            row = MANUAL.parameter(f"{kind.key}.md", known)
            assert row is not None and MANUAL.has(row[0]) and known.help in row[1], (kind.key, known.name)
    options = [known for one in LASER.members for known in declarations(one.options)]
    for known in (*declarations(Making), *options):
        row = MANUAL.parameter("jigsaw.md", known)
        assert row is not None and row[0].startswith("laser.md#"), known.name
    assert MANUAL.parameter("index.md", declarations(JigsawParameters)[0]) is None


def test_the_words_of_markdown_are_read_without_its_marks() -> None:
    assert plain("![A picture](../pictures/a.png) `Ctrl+K` **opens** [it](window.md#panels)") == "Ctrl+K opens it"
    assert plain("`**/*.md`") == "**/*.md"


def test_a_manual_that_is_missing_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StudioError, match="The manual is missing"):
        read(tmp_path / "gone")
    (tmp_path / "index.md").write_bytes(b"\xff\xfe broken")
    with pytest.raises(StudioError, match="The manual is missing"):
        read(tmp_path)


def test_a_page_that_is_missing_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("# The manual\n\n- [One](one.md)\n- [Two](two.md)\n", encoding="utf-8")
    (tmp_path / "two.md").write_text("no heading here\n\n| a | b |\n| --- | --- |\n| 1 | |\n", encoding="utf-8")
    manual = read(tmp_path)
    assert [page.name for page in manual.pages] == ["index.md", "two.md"]
    top = Section("", 1, "")
    assert manual.page("two.md").passages == (
        Passage(top, ("no heading here",)), Passage(top, ("a", "b")), Passage(top, ("1", "")),
    )  # fmt: skip
    with pytest.raises(StudioError, match=r"no page “one\.md”"):
        manual.page("one.md")


def test_a_wheel_has_the_pages_and_their_pictures() -> None:
    project = tomllib.loads((manual_folder().parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["*"]
    texts = (page.read_text(encoding="utf-8") for page in manual_folder().glob("*.md"))
    pictures = {name for text in texts for name in re.findall(r"\.\./pictures/([\w.-]+)", text)}
    assert len(pictures) > 20 and all((manual_folder().parent / "pictures" / name).is_file() for name in pictures)
    assert {"*.md", *(f"*{Path(name).suffix}" for name in pictures)} <= {*patterns}
    assert 'find_namespace_packages(include=["resources", "resources.*", "docs.*"])' in (
        manual_folder().parents[1] / "setup.py"
    ).read_text(encoding="utf-8")

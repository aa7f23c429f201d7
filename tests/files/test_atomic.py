"""A file is written whole or not at all."""

import os
import stat
import sys
from pathlib import Path

import pytest

from studio.base.atomic import ensure_place, folders_for, make_folder, replacing, write_bytes
from studio.base.errors import StudioError

POSIX = pytest.mark.skipif(os.name == "nt", reason="needs the permissions, links and pipes of POSIX")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_holds_what_was_written_and_nothing_stays_beside_it(tmp_path: Path) -> None:
    write_bytes(tmp_path / "a.puzzle", b"hello")
    assert (tmp_path / "a.puzzle").read_bytes() == b"hello"
    assert names(tmp_path) == ["a.puzzle"]


def test_the_file_aside_lies_in_the_same_folder_and_has_the_same_suffix(tmp_path: Path) -> None:
    with replacing(tmp_path / "a.svg") as aside:
        assert (aside.parent, aside.suffix) == (tmp_path, ".svg")
        assert not (tmp_path / "a.svg").exists()


@pytest.mark.parametrize("failure", [StudioError("It did not read back."), KeyboardInterrupt(), ValueError("a bug")])
def test_a_failure_in_the_block_leaves_the_old_file_and_nothing_else(tmp_path: Path, failure: BaseException) -> None:
    path = tmp_path / "a.puzzle"
    path.write_bytes(b"old")
    with pytest.raises(type(failure)), replacing(path) as aside:
        aside.write_bytes(b"half of the n")
        raise failure
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.puzzle"]


def test_an_error_of_the_system_in_the_block_becomes_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.puzzle"
    with pytest.raises(StudioError, match=r"^Could not write a\.puzzle: the disk is full\.$"), replacing(path):
        raise OSError(28, "No space left on device")
    assert names(tmp_path) == []


@POSIX
def test_the_new_file_has_the_permissions_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "a.puzzle"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_bytes(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@POSIX
def test_a_new_file_has_the_permissions_that_the_maker_gives_new_files(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    write_bytes(tmp_path / "a.puzzle", b"new")
    assert (tmp_path / "a.puzzle").stat().st_mode == (tmp_path / "plain").stat().st_mode


@POSIX
def test_of_a_link_the_target_is_replaced_even_where_it_is_not_there_yet(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    link, target = tmp_path / "link.puzzle", tmp_path / "deep" / "a.puzzle"
    link.symlink_to(Path("deep") / "a.puzzle")
    for content in (b"first", b"second"):
        write_bytes(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content
    assert names(tmp_path / "deep") == ["a.puzzle"]


@POSIX
def test_a_link_that_leads_back_to_itself_is_refused_and_stays(tmp_path: Path) -> None:
    link = tmp_path / "a.puzzle"
    link.symlink_to(link)
    with pytest.raises(StudioError, match="a link to itself"):
        write_bytes(link, b"new")
    assert link.is_symlink()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "a.puzzle"
    with pytest.raises(StudioError) as told:
        write_bytes(path, b"new")
    assert str(told.value) == f"Could not write a.puzzle: the folder {path.parent} does not exist."


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(StudioError, match=r"^Could not write a\.puzzle: .*file"):
        write_bytes(tmp_path / "file" / "a.puzzle", b"new")
    assert (tmp_path / "file").read_bytes() == b"old"


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.puzzle").mkdir()
    with pytest.raises(StudioError, match=r"^Could not write a\.puzzle: it is a folder\.$"):
        write_bytes(tmp_path / "a.puzzle", b"new")
    assert names(tmp_path) == ["a.puzzle"]


@POSIX
def test_pipes_and_devices_are_not_replaced(tmp_path: Path) -> None:
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path(os.devnull)):
        with pytest.raises(StudioError, match="it is a device"):
            write_bytes(path, b"new")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_write_protected_file_and_a_read_only_folder_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.puzzle"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(StudioError, match="it is write-protected"):
        write_bytes(path, b"new")
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(StudioError, match="you have no permission to write to the folder"):
            write_bytes(tmp_path / "b.puzzle", b"new")
    finally:
        tmp_path.chmod(0o755)
    assert (names(tmp_path), path.read_bytes()) == (["a.puzzle"], b"old")


def test_the_longest_name_that_the_disk_takes_is_taken(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 248 + ".puzzle")
    write_bytes(path, b"new")
    assert names(tmp_path) == [path.name]
    with pytest.raises(StudioError, match="name is too long"):
        write_bytes(tmp_path / ("n" * 300), b"new")


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StudioError, match="the file name is not valid"):
        write_bytes(tmp_path / "a\0b.puzzle", b"new")


def test_a_place_is_tried_without_writing_to_it(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    ensure_place(tmp_path / "old")
    ensure_place(tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["old"] and (tmp_path / "old").read_bytes() == b"old"
    with pytest.raises(StudioError, match=r"^Could not write new: the folder .* does not exist\.$"):
        ensure_place(tmp_path / "no" / "new")
    with pytest.raises(StudioError, match=r"Could not write .*: it is a folder\.$"):
        ensure_place(tmp_path)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("old", "a file has this name"),
        ("old/new", "/old is not a folder"),
        ("no/new", "/no does not exist"),
        ("n" * 300, "the file name is too long"),
    ],
)
def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "old").write_bytes(b"old")
    with pytest.raises(StudioError, match=rf"^Could not create the folder .*{reason}\.$"):
        make_folder(tmp_path / name)
    assert names(tmp_path) == ["old"]


def test_folders_within_each_other_go_again_where_nothing_is_written(tmp_path: Path) -> None:
    files = [tmp_path / "outer" / "a", tmp_path / "outer" / "inner" / "b"]
    with pytest.raises(StudioError), folders_for(files, 2):
        assert files[1].parent.is_dir()
        raise StudioError("The disk is full.")
    assert names(tmp_path) == []

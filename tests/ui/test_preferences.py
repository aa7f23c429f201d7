"""Preferences come back as they were stored, and survive every kind of garbage in the file."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray, QSettings

from studio.base.units import Unit
from studio.ui.session.preferences import Preferences, ThemeChoice

MOST_RECENT = 30

KEYS = (
    "recent", "folders/export", "export/svg", "export/last", "theme", "unit", "window/geometry", "window/state",
    "window/version", "switches/canvas/fill", "making/values", "making/coupon", "making/machine",
)  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "studio.ini"


def opened(file: Path) -> Preferences:
    return Preferences(QSettings(str(file), QSettings.Format.IniFormat))


def stored(file: Path, values: dict[str, object]) -> Preferences:
    settings = QSettings(str(file), QSettings.Format.IniFormat)
    settings.clear()
    for key, value in values.items():
        settings.setValue(key, value)
    settings.sync()
    return opened(file)


def assert_all_can_be_read(preferences: Preferences) -> None:
    assert len(preferences.recent_files()) <= MOST_RECENT
    assert isinstance(preferences.folder("export", Path()), Path)
    assert isinstance(preferences.export_values(".svg"), dict)
    assert isinstance(preferences.export_suffix(), str)
    assert isinstance(preferences.making_values(), dict)
    assert isinstance(preferences.coupon_values(), dict)
    assert isinstance(preferences.workshop_key("machine"), str)
    assert isinstance(preferences.theme_choice(), ThemeChoice)
    assert isinstance(preferences.unit(), Unit)
    assert isinstance(preferences.switch("canvas/fill", True), bool)
    layout = preferences.window_layout()
    assert layout is None or len(layout) == 2


def test_everything_comes_back_in_the_next_session(file: Path, tmp_path: Path) -> None:
    first = opened(file)
    first.add_recent_file(tmp_path / "Bär, Wald; 50%.puzzle")
    first.set_folder("export", tmp_path)
    first.set_export_values(".dxf", {"version": "R12", "tolerance": 0.05, "close": True})
    first.set_export_suffix(".dxf")
    first.set_making_values({"lines": "separate", "margin": 3.5, "mirror": True})
    first.set_coupon_values({"first": 0.1, "count": 5})
    first.set_workshop_key("machine", "diode-400x400")
    first.set_theme_choice(ThemeChoice.DARK)
    first.set_unit(Unit.INCHES)
    first.set_window_layout(QByteArray(b"\x00\x01"), QByteArray(b"\x02\xff"))
    first.set_switch("canvas/fill", False)
    first.save()
    second = opened(file)
    assert second.recent_files() == (tmp_path / "Bär, Wald; 50%.puzzle",)
    assert second.folder("export", Path("/")) == tmp_path
    assert second.export_values(".dxf") == {"version": "R12", "tolerance": 0.05, "close": True}
    assert second.making_values() == {"lines": "separate", "margin": 3.5, "mirror": True}
    assert second.coupon_values() == {"first": 0.1, "count": 5}
    assert (second.workshop_key("machine"), second.workshop_key("material")) == ("diode-400x400", "")
    assert second.export_suffix() == ".dxf"
    assert second.theme_choice() is ThemeChoice.DARK
    assert second.unit() is Unit.INCHES
    assert second.window_layout() == (QByteArray(b"\x00\x01"), QByteArray(b"\x02\xff"))
    assert second.switch("canvas/fill", True) is False


def test_a_new_maker_gets_what_was_given_as_a_start(file: Path) -> None:
    preferences = opened(file)
    assert preferences.recent_files() == ()
    assert preferences.folder("open", Path("/start")) == Path("/start")
    assert preferences.export_values(".svg") == {}
    assert preferences.theme_choice() is ThemeChoice.SYSTEM
    assert preferences.window_layout() is None
    assert preferences.switch("canvas/fill", True) is True


def test_recent_files_are_thirty_newest_first_and_each_once(file: Path, tmp_path: Path) -> None:
    preferences = opened(file)
    for number in range(34):
        preferences.add_recent_file(tmp_path / f"{number}.puzzle")
    preferences.add_recent_file(tmp_path / "8.puzzle")
    names = [path.stem for path in preferences.recent_files()]
    assert names == ["8", *(str(number) for number in range(33, 3, -1) if number != 8)]
    preferences.forget_recent_file(tmp_path / "12.puzzle")
    assert "12" not in [path.stem for path in preferences.recent_files()]


def test_a_folder_that_is_gone_is_not_offered(file: Path, tmp_path: Path) -> None:
    preferences = opened(file)
    gone = tmp_path / "gone"
    gone.mkdir()
    preferences.set_folder("export", gone)
    gone.rmdir()
    assert preferences.folder("export", tmp_path) == tmp_path


def test_a_layout_of_another_version_is_forgotten(file: Path) -> None:
    preferences = opened(file)
    preferences.set_window_layout(QByteArray(b"a"), QByteArray(b"b"))
    QSettings(str(file), QSettings.Format.IniFormat).setValue("window/version", "999")
    preferences.save()
    assert opened(file).window_layout() is None
    preferences.forget_window_layout()
    assert preferences.window_layout() is None


@pytest.mark.parametrize(
    "value",
    [
        "", "null", "[", "{}", "[1, null, {}]", "true", "NaN", "1e999", '"x"', "\x00", "[" * 5000, "9" * 5000,
        '["a\\u0000b"]', '"\\u0000"', "@Invalid()", "@ByteArray(x)", ["a", "b"], 5, 2.5, True, QByteArray(b"\xff"),
        {"a": 1}, "x" * 200_000,
    ],
)  # fmt: skip
def test_garbage_is_passed_over(file: Path, value: object) -> None:
    assert_all_can_be_read(stored(file, dict.fromkeys(KEYS, value)))


def test_a_file_that_is_no_settings_file_is_passed_over(file: Path) -> None:
    file.write_bytes(bytes(range(256)) * 20)
    assert_all_can_be_read(opened(file))


@given(st.dictionaries(st.sampled_from(KEYS), st.text(max_size=60)))
def test_no_text_at_all_can_hurt(tmp_path_factory: pytest.TempPathFactory, values: dict[str, str]) -> None:
    assert_all_can_be_read(stored(tmp_path_factory.getbasetemp() / "any.ini", dict(values)))


@pytest.mark.skipif(sys.platform == "win32", reason="needs the limits of POSIX")
def test_preferences_that_a_full_disk_does_not_take_are_lost_once_and_the_old_ones_stay(file: Path) -> None:
    import resource

    preferences, sentences = stored(file, {"theme": '"dark"'}), list[str]()
    before = file.read_bytes()
    preferences.lost.connect(sentences.append)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, hard))
    try:
        for choice in (ThemeChoice.LIGHT, ThemeChoice.SYSTEM):
            preferences.set_theme_choice(choice)
            preferences.save()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    words = "Your preferences could not be saved to studio.ini: the file is too large for this disk."
    assert sentences == [words]
    assert file.read_bytes() == before and [*file.parent.iterdir()] == [file]

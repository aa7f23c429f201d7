"""Where what is makers' own is kept."""

import sys
from pathlib import Path

import pytest

from studio.base.errors import StudioError
from studio.base.folders import own_folder, state_folder


def test_each_system_has_its_own_place_for_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "home"
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "roaming"))
    assert own_folder() == tmp_path / "settings" / "puzzle-studio"
    for unusable in ("", "relative/folder"):
        monkeypatch.setenv("XDG_CONFIG_HOME", unusable)
        assert own_folder() == home / ".config" / "puzzle-studio"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert own_folder() == home / "Library" / "Application Support" / "puzzle-studio"
    monkeypatch.setattr(sys, "platform", "win32")
    assert own_folder() == tmp_path / "roaming" / "puzzle-studio"
    monkeypatch.delenv("APPDATA")
    assert own_folder() == home / "AppData" / "Roaming" / "puzzle-studio"


def test_each_system_has_its_own_place_for_what_is_under_way(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "home"
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert state_folder() == tmp_path / "state" / "puzzle-studio"
    monkeypatch.setenv("XDG_STATE_HOME", "relative/folder")
    assert state_folder() == home / ".local" / "state" / "puzzle-studio"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert state_folder() == home / "Library" / "Preferences" / "State" / "puzzle-studio"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert state_folder() == tmp_path / "local" / "State" / "puzzle-studio"


def test_where_the_system_names_no_home_there_is_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setenv("XDG_CONFIG_HOME", "")
    with pytest.raises(StudioError, match="no home folder was found"):
        own_folder()
    monkeypatch.setenv("XDG_STATE_HOME", "")
    assert state_folder() is None

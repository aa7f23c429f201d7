"""The keyring: secrets are kept for their owner alone, found again, forgotten, and never shown."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from studio.base.errors import StudioError
from studio.connect import keyring

SECRET = "aB3dE7fG9hJ1kL5m"
POSIX = pytest.mark.skipif(os.name == "nt", reason="needs POSIX")


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPDATA" if os.name == "nt" else "XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setenv("HOME", str(tmp_path))


def test_a_secret_is_found_again_until_it_is_forgotten() -> None:
    assert keyring.secret_of("localhost:19520") is None and not keyring.path().exists()
    keyring.remember("localhost:19520", SECRET)
    keyring.remember("laser-pc:19520", "other-secret")
    assert keyring.secret_of("localhost:19520") == SECRET
    assert keyring.forget("localhost:19520") and not keyring.forget("localhost:19520")
    assert keyring.secret_of("localhost:19520") is None and keyring.secret_of("laser-pc:19520") == "other-secret"
    assert SECRET not in keyring.path().read_text()


@POSIX
def test_only_the_owner_can_read_it_whatever_the_umask() -> None:
    before = os.umask(0)
    try:
        for secret in (SECRET, "other-secret"):
            keyring.remember("localhost:19520", secret)
            assert stat.S_IMODE(keyring.path().stat().st_mode) == 0o600
    finally:
        os.umask(before)
    assert [path.name for path in keyring.path().parent.iterdir()] == ["keyring.json"]


@POSIX
@pytest.mark.parametrize("rights", [0o640, 0o604, 0o660, 0o622])
def test_one_that_others_can_use_is_refused_until_it_is_forgotten(rights: int) -> None:
    keyring.remember("localhost:19520", SECRET)
    keyring.path().chmod(rights)
    with pytest.raises(StudioError, match="Others on this computer can read your pairings") as caught:
        keyring.secret_of("localhost:19520")
    assert SECRET not in str(caught.value)
    with pytest.raises(StudioError, match="Others on this computer can read your pairings"):
        keyring.remember("x", "another-secret")
    assert keyring.forget("localhost:19520") and not keyring.path().exists()
    keyring.remember("localhost:19520", SECRET)
    assert stat.S_IMODE(keyring.path().stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b'"aB3dE7fG9hJ1kL5m"',
        b'{"secrets": {"localhost:19520": "aB3dE7fG9hJ1kL5m"}}',
        b'{"format": "puzzle-studio keyring", "secrets": {"localhost:19520": 5}}',
        b'{"format": "puzzle-studio keyring", "secrets": ["aB3dE7fG9hJ1kL5m"]}',
        b"\xff" * 20,
        b'{"a": "' + b"x" * keyring.LARGEST + b'"}',
    ],
)
def test_a_broken_one_is_refused_without_its_content(content: bytes) -> None:
    keyring.remember("localhost:19520", SECRET)
    keyring.path().write_bytes(content)
    with pytest.raises(StudioError, match="is not a keyring") as caught:
        keyring.secret_of("localhost:19520")
    assert SECRET not in str(caught.value)
    assert keyring.forget("localhost:19520") and keyring.secret_of("localhost:19520") is None


def test_an_interrupted_first_write_leaves_no_pairing() -> None:
    keyring.remember("localhost:19520", SECRET)
    keyring.path().write_bytes(b"")
    assert keyring.secret_of("localhost:19520") is None
    keyring.remember("localhost:19520", SECRET)
    assert keyring.secret_of("localhost:19520") == SECRET


def test_a_folder_in_its_place_is_refused() -> None:
    keyring.path().mkdir(parents=True, mode=0o700)
    with pytest.raises(StudioError):
        keyring.secret_of("localhost:19520")
    with pytest.raises(StudioError, match="Could not delete"):
        keyring.forget("localhost:19520")

"""What the studio needs is listed with its licence, as its packages say it themselves."""

import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LISTED = (ROOT / "docs" / "third-parties.md").read_text(encoding="utf-8")
FAMILY = {"apache": "Apache", "bsd": "BSD", "lgpl": "LGPL", "mit-cmu": "MIT-CMU", "mit": "MIT", "psf": "PSF"}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def needed() -> set[str]:
    """The packages of a running studio, with all that they need themselves."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: set[str] = set()
    waiting = list(project["dependencies"])
    while waiting:
        requirement = waiting.pop()
        words, _, marker = requirement.partition(";")
        name = plain(re.match(r"[\w.-]+", words.strip())[0])  # type: ignore[index]  # it begins with a name
        if name in found or "extra ==" in marker:
            continue
        try:
            waiting += distribution(name).requires or []
        except ModuleNotFoundError:
            assert marker, f"{name} is not installed"  # wanted elsewhere only
            continue
        found.add(name)
    return found


def licence(name: str) -> str:
    """The first licence that a package names of itself."""
    about = distribution(name).metadata
    said = [told[:80] for field in ("License-Expression", "License") for told in about.get_all(field, [])]
    told = " ".join([*said, *(each for each in about.get_all("Classifier", []) if each.startswith("License"))])
    if not told.strip():
        # It says so in a file alone; these are the first words of the MIT licence.
        (text,) = [each.read_text() for each in distribution(name).files or () if each.name == "LICENSE"]
        told = "MIT" if "Permission is hereby granted, free of charge, to any person obtaining a" in text else ""
    places = {title: told.lower().find(key) for key, title in FAMILY.items()}
    first = min(place for place in places.values() if place >= 0)
    return next(title for title, place in places.items() if place == first)


def test_every_package_is_listed_with_its_licence() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$", LISTED, flags=re.MULTILINE)
    listed = {
        plain(name): told for names, told in rows[1:] for name in re.split(r", with ", names) if "---" not in names
    }
    packages = needed()
    assert set(listed) == packages
    assert {name: licence(name) for name in packages} == {
        name: next(title for title in FAMILY.values() if told.startswith(title)) for name, told in listed.items()
    }


def test_fonts_have_their_licence_beside_them() -> None:
    fonts = ROOT / "resources" / "fonts"
    assert {path.stem.partition("-")[0] for path in fonts.glob("*.ttf")} == {
        path.name.partition("-LICENSE")[0] for path in fonts.glob("*-LICENSE.txt")
    }

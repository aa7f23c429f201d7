"""Mnemonics: a letter of its own for each title of a menu or a row of buttons."""

from __future__ import annotations

from collections.abc import Iterable


def with_mnemonics(titles: Iterable[str]) -> list[str]:
    """The titles of a menu, each with `&` before a letter of its own: of its first word, of another, or any.

    A title gets none only where its letters are all needed by others, which have no other letter left (an augmenting
    path, Kuhn 1955).
    """
    marked = list(titles)
    places = [_letters(title) for title in marked]
    chosen: dict[str, int] = {}

    def find(number: int, tried: set[str]) -> bool:
        for letter in places[number]:
            if letter not in tried:
                tried.add(letter)
                if letter not in chosen or find(chosen[letter], tried):
                    chosen[letter] = number
                    return True
        return False

    for number, letters in enumerate(places):
        free = next((letter for letter in letters if letter not in chosen), None)
        if free is not None:
            chosen[free] = number
        else:
            find(number, set())
    for letter, number in chosen.items():
        at = places[number][letter]
        marked[number] = f"{marked[number][:at]}&{marked[number][at:]}"
    return marked


def _letters(title: str) -> dict[str, int]:
    """The letters of a title and where each is first, those that begin words before all others."""
    places = [at for at, letter in enumerate(title) if letter.isalnum()]
    begins = [at for at in places if not at or not title[at - 1].isalnum()]
    found: dict[str, int] = {}
    for at in (*begins, *places):
        found.setdefault(title[at].casefold(), at)
    return found

"""Attributes of what is painted: another value repaints the widget or the item."""

from __future__ import annotations

from typing import Generic, TypeVar

from PySide6.QtWidgets import QGraphicsItem, QWidget

T = TypeVar("T")


class Painted(Generic[T]):
    """An attribute of a widget or an item, with its first value."""

    def __init__(self, value: T) -> None:
        self._first = value

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, shown: QWidget | QGraphicsItem, owner: type) -> T:
        value: T = shown.__dict__.get(self._name, self._first)
        return value

    def __set__(self, shown: QWidget | QGraphicsItem, value: T) -> None:
        if value != self.__get__(shown, type(shown)):
            shown.__dict__[self._name] = value
            shown.update()

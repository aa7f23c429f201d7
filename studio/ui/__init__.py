"""The window: the only place that knows Qt."""

from studio.ui.overrides import guard

guard()

"""The window: the only place that knows Qt."""

from studio.ui.widgets.overrides import guard

guard()

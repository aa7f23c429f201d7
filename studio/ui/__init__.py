"""The window: the only place that knows Qt."""

from studio.ui.widgets.guarded_callbacks import guard

guard()

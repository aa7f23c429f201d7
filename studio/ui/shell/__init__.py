"""The window itself: its actions, menus, notices, files and settings."""

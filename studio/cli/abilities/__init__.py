"""The commands that an ability of a kind brings, a module for each ability."""

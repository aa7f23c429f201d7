"""Small widgets, icons, themes and input that every room of the window uses."""

"""What the window has of the puzzle cube."""

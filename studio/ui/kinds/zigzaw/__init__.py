"""What the window has of the zigzaw."""

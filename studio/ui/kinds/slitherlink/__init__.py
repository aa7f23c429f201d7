"""What the slitherlink adds to a window."""

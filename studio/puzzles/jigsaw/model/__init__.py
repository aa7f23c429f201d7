"""Design of a jigsaw, and the shapes derived from it."""

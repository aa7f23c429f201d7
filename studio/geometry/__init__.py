"""Shapes and the plane: curves, planar graphs, drawings; knows no puzzle and no window."""

"""Planar graphs, faces and drawings: hit tests, regions, thin places, flat parts."""

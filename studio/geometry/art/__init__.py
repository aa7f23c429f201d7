"""Artwork and single-line lettering on a flat."""
